/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the journal to what is to be taken back. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/msg.h"
#include "engine/state.h"

/* What one restore needs; a knob_write's `target`. */
struct undo_target {
	struct setup target, left;
	bool knows_left, force;
	struct names ids;
};

void undo_target_free(void *target)
{
	struct undo_target *t = target;

	if (!t)
		return;
	setup_release(&t->target);
	setup_release(&t->left);
	names_release(&t->ids);
	free(t);
}

uint64_t undo_diskseq(const struct engine *e, uint32_t slot)
{
	return slot < e->roster.n ? e->roster.entries[slot].diskseq : 0;
}

/* --- the journal --- */

void engine_read_journal(struct engine *e)
{
	struct names items = { NULL, 0, 0 };

	if (e->knobs.journal_request || e->inventory.lost)
		return;
	names_add(&items, "");
	e->knobs.journal_request = helper_act(e->helper, e->inventory.root, "", "", WRITER_JOURNAL, &items);
	names_release(&items);
}

/* What the file has takes the place of what was known; it has this process's writes as well. */
void undo_take_journal(struct engine *e, const struct helper_event *event)
{
	struct knobs *k = &e->knobs;
	const char *at = event->value, *end = at + event->value_len;

	k->journal_request = event->kind == HELPER_DONE ? 0 : k->journal_request;
	if (event->kind != HELPER_VALUE)
		return;
	k->journal_known = true;
	if (event->error) {
		msg_errno("journal", event->error);
		return;
	}
	journal_release(&k->journal);
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));

		newline = newline ? newline : end;
		journal_take_line(&k->journal, at, (size_t)(newline - at));
		at = newline + 1;
	}
	engine_news(e, ENGINE_ATTRIBUTES);
}

const struct journal *engine_journal(const struct engine *e)
{
	return e->knobs.journal_known ? &e->knobs.journal : NULL;
}

/* --- the choice --- */

static bool is_chosen(const struct engine *e, const struct undo_choice *choice, const struct journal_entry *entry)
{
	if ((choice->pid && entry->owner.pid != choice->pid) || entry->t_ns < choice->since_ns)
		return false;
	if (journal_same_owner(entry->owner, e->knobs.owner))
		return choice->own;
	return entry->alive ? choice->living : choice->others;
}

/* The latest that stands, of those chosen; NULL: none. */
static const struct journal_entry *last_open(const struct journal *j)
{
	const struct journal_entry *last = NULL;

	for (size_t i = 0; i < j->n; i++) {
		if (j->v[i].chosen && journal_is_open(&j->v[i]) && (!last || j->v[i].t_ns >= last->t_ns))
			last = &j->v[i];
	}
	return last;
}

static void targets_of(struct engine *e, const struct undo_choice *choice, struct journal_targets *out)
{
	struct journal *j = &e->knobs.journal;
	const struct journal_entry *last;

	for (size_t i = 0; i < j->n; i++)
		j->v[i].chosen = is_chosen(e, choice, &j->v[i]);
	last = choice->last_only ? last_open(j) : NULL;
	for (size_t i = 0; last && i < j->n; i++)
		j->v[i].chosen &= journal_same_owner(j->v[i].owner, last->owner) && j->v[i].action == last->action;
	journal_targets(j, out);
}

/* SLOT_NONE when the device has gone, or another one has its name. */
static uint32_t slot_of(const struct engine *e, const struct journal_target *t)
{
	uint32_t slot;

	if (!strcmp(t->device, SYSTEM_DEVICE) && !strcmp(t->sysfs, SYSTEM_SYSFS))
		return SLOT_SYSTEM;
	slot = roster_find(&e->roster, t->device, strlen(t->device));
	if (slot == SLOT_NONE || slot >= e->roster.n || !e->roster.entries[slot].present)
		return SLOT_NONE;
	return t->diskseq && undo_diskseq(e, slot) && t->diskseq != undo_diskseq(e, slot) ? SLOT_NONE : slot;
}

void engine_undo_ask(struct engine *e, const struct undo_choice *choice)
{
	struct journal_targets targets = { 0 };

	targets_of(e, choice, &targets);
	for (size_t i = 0; i < targets.n; i++) {
		uint32_t slot = slot_of(e, &targets.v[i]);

		if (slot != SLOT_NONE)
			engine_ask_attributes(e, slot);
	}
	journal_targets_release(&targets);
}

/* --- the plan --- */

static void add_plan_line(struct undo_line **lines, size_t *n, enum restore_kind kind, const char *device,
			  const char *path, const char *from, const char *to)
{
	*lines = xreallocarray(*lines, *n + 1, sizeof(**lines));
	(*lines)[(*n)++] = (struct undo_line){
		.kind = kind, .device = xstrdup(device), .path = xstrdup(path), .from = from ? xstrdup(from) : NULL,
		.to = xstrdup(to),
	};
}

/* What is known of the device; where that is nothing, what was left there. */
static void setup_now(const struct engine *e, uint32_t slot, const struct journal_target *t, struct setup *now)
{
	const struct attributes *a = engine_attributes(e, slot);

	for (size_t i = 0; a && i < a->n; i++) {
		if (a->v[i].value)
			setup_set(now, a->v[i].name, a->v[i].value);
	}
	if (!now->n)
		setup_copy(now, &t->left);
}

static void plan_target(struct engine *e, const struct undo_choice *choice, const struct journal_target *t,
			struct undo_line **lines, size_t *n)
{
	struct restore plan = { 0 };
	struct setup now = { 0 };
	uint32_t slot = slot_of(e, t);

	if (slot == SLOT_NONE)
		return;
	setup_now(e, slot, t, &now);
	restore_plan(&plan, &t->target, t->knows_left ? &t->left : NULL, &now, choice->force);
	for (size_t i = 0; i < plan.n; i++) {
		const struct restore_step *step = &plan.v[i];

		add_plan_line(lines, n, step->kind, t->device, step->path, step->from, step->to);
	}
	restore_release(&plan);
	setup_release(&now);
}

size_t engine_undo_plan(struct engine *e, const struct undo_choice *choice, struct undo_line **lines)
{
	struct journal_targets targets = { 0 };
	size_t n = 0;

	*lines = NULL;
	targets_of(e, choice, &targets);
	for (size_t i = 0; i < targets.n; i++)
		plan_target(e, choice, &targets.v[i], lines, &n);
	journal_targets_release(&targets);
	return n;
}

void engine_undo_lines_free(struct undo_line *lines, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(lines[i].device);
		free(lines[i].path);
		free(lines[i].from);
		free(lines[i].to);
	}
	free(lines);
}

/* --- doing it --- */

static struct undo_target *take_target(struct journal_target *t, bool force)
{
	struct undo_target *copy = xcalloc(1, sizeof(*copy));

	*copy = (struct undo_target){
		.target = t->target, .left = t->left, .knows_left = t->knows_left, .force = force, .ids = t->ids,
	};
	t->target = t->left = (struct setup){ 0 };
	t->ids = (struct names){ 0 };
	return copy;
}

static size_t count_present(const struct engine *e, const struct journal_targets *targets)
{
	size_t n = 0;

	for (size_t i = 0; i < targets->n; i++)
		n += slot_of(e, &targets->v[i]) != SLOT_NONE;
	return n;
}

unsigned int engine_undo(struct engine *e, const struct undo_choice *choice)
{
	struct journal_targets targets = { 0 };
	struct knob_action *action = NULL;
	size_t n;

	targets_of(e, choice, &targets);
	n = engine_knobs_refused(e) ? 0 : count_present(e, &targets);
	if (n)
		action = actions_add(e, n, true);
	for (size_t i = 0, at = 0; action && i < targets.n; i++) {
		uint32_t slot = slot_of(e, &targets.v[i]);

		if (slot == SLOT_NONE)
			continue;
		action->writes[at++] = (struct knob_write){
			.slot = slot, .device = xstrdup(targets.v[i].device), .undo = true,
			.target = take_target(&targets.v[i], choice->force),
		};
	}
	journal_targets_release(&targets);
	if (!action)
		return 0;
	segments_action_begins(e);
	actions_pump(e);
	return e->knobs.last_action;
}

void undo_items(const struct engine *e, const struct knob_write *write, struct names *items)
{
	const struct undo_target *t = write->target;
	struct writer_order order = {
		.owner = e->knobs.owner, .action = e->knobs.last_action, .number = write->number,
		.diskseq = undo_diskseq(e, write->slot),
	};

	writer_restore_items(&order, &t->target, t->knows_left ? &t->left : NULL, t->force, &t->ids, items);
}

void undo_done(struct engine *e, const struct knob_write *write)
{
	const struct undo_target *t = write->target;
	struct journal *j = &e->knobs.journal;

	for (size_t i = 0; i < j->n; i++) {
		for (size_t k = 0; k < t->ids.n; k++) {
			if (!strcmp(j->v[i].id, t->ids.v[k]))
				j->v[i].undone = true;
		}
	}
}
