/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the journal's entries to the states that devices are to get back. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "store/journal.h"

bool journal_is_open(const struct journal_entry *entry)
{
	/* one that the kernel refused, and that changed nothing, leaves nothing to undo */
	bool nothing = entry->has_result && entry->error && setup_equal(&entry->before, &entry->after);

	return !entry->undo && !entry->undone && !nothing;
}

bool journal_same_owner(struct journal_owner a, struct journal_owner b)
{
	return a.pid == b.pid && a.start == b.start;
}

static bool is_of(const struct journal_target *t, const struct journal_entry *entry)
{
	return !strcmp(t->device, entry->device) && t->diskseq == entry->diskseq;
}

static struct journal_target *target_of(struct journal_targets *targets, const struct journal_entry *entry)
{
	struct journal_target *t;

	for (size_t i = 0; i < targets->n; i++) {
		if (is_of(&targets->v[i], entry))
			return &targets->v[i];
	}
	ARRAY_GROW(targets->v, targets->capacity, targets->n + 1);
	t = &targets->v[targets->n++];
	*t = (struct journal_target){ .device = entry->device, .sysfs = entry->sysfs, .diskseq = entry->diskseq };
	setup_copy(&t->target, &entry->before);
	return t;
}

static bool is_owner_chosen(const struct journal *j, const struct journal_entry *entry)
{
	for (size_t i = 0; i < j->n; i++) {
		if (j->v[i].chosen && journal_same_owner(j->v[i].owner, entry->owner))
			return true;
	}
	return false;
}

static void take_change(void *arg, const char *path, const char *before, const char *after)
{
	struct setup *left = arg;

	(void)before;
	if (after)
		setup_set(left, path, after);
	else
		setup_drop(left, path);
}

/*
 * What was left by those whose writes are taken back, and by earlier attempts at it: of each attribute what the last
 * write of theirs that changed it made of it. What changed between two writes was somebody else; but what one that was
 * cut off did is only seen in what the next one found.
 */
static void find_left(const struct journal *j, struct journal_target *t)
{
	bool known = true;

	setup_copy(&t->left, &t->target);
	for (size_t i = 0; i < j->n; i++) {
		const struct journal_entry *entry = &j->v[i];

		if (!is_of(t, entry) || !(entry->chosen || entry->undo || is_owner_chosen(j, entry)))
			continue;
		if (!known)
			setup_copy(&t->left, &entry->before);
		known = entry->has_result;
		if (known)
			setup_differ(&entry->before, &entry->after, take_change, &t->left);
	}
	t->knows_left = known;
}

void journal_targets(const struct journal *j, struct journal_targets *out)
{
	for (size_t i = 0; i < j->n; i++) {
		const struct journal_entry *entry = &j->v[i];
		struct journal_target *t;

		if (!entry->chosen || !journal_is_open(entry))
			continue;
		t = target_of(out, entry);
		names_add(&t->ids, entry->id);
	}
	for (size_t i = 0; i < out->n; i++)
		find_left(j, &out->v[i]);
}

void journal_targets_release(struct journal_targets *targets)
{
	for (size_t i = 0; i < targets->n; i++) {
		setup_release(&targets->v[i].target);
		setup_release(&targets->v[i].left);
		names_release(&targets->v[i].ids);
	}
	free(targets->v);
	*targets = (struct journal_targets){ 0 };
}
