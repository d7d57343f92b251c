/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "engine/writer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/number.h"
#include "kernel/attributes.h"
#include "kernel/knob_file.h"
#include "kernel/process.h"
#include "model/knob.h"

/* Lines of the journal that are sent at most; of more, only what there is to undo. */
#define JOURNAL_MOST (900 << 10)

/* One deed under way. */
struct writer {
	const struct helper_deed *deed;
	struct writer_order order;
	struct text journal;            /* its path */
	struct text root, boot;
	struct writer_answer answer;
	unsigned int used;
};

static uint64_t number_at(const struct helper_deed *deed, size_t i)
{
	uint64_t n = 0;

	return i < deed->n && number_u64(deed->items[i], &n) ? n : 0;
}

static void take_order(struct writer *w, size_t at)
{
	w->order.owner.pid = (int)number_at(w->deed, at);
	w->order.owner.start = number_at(w->deed, at + 1);
	w->order.action = (unsigned int)number_at(w->deed, at + 2);
	w->order.number = (unsigned int)number_at(w->deed, at + 3);
	w->order.diskseq = number_at(w->deed, at + 4);
}

static int open_place(struct writer *w)
{
	int error = root_real(w->deed->root, &w->root);

	if (!error && root_read_line(w->deed->root, "proc/sys/kernel/random/boot_id", &w->boot) < 0)
		text_clear(&w->boot);
	return error;
}

static void fail(struct writer *w, const char *stage, int error)
{
	free(w->answer.stage);
	w->answer.stage = xstrdup(stage);
	w->answer.error = error;
}

/* A part of the device's state, or what this is about. */
static bool is_wanted(const struct helper_deed *deed, const char *path)
{
	return knob_permitted(path) && (!knob_derived(path) || !strcmp(path, deed->items[0]));
}

/* All knobs of the device that could be written, as they are. */
static void read_setup(const struct helper_deed *deed, struct setup *out)
{
	struct names names = { NULL, 0, 0 };
	struct text value = TEXT_INIT;
	bool writable;

	setup_release(out);
	attributes_list(deed->root, deed->sysfs, &names);
	for (size_t i = 0; i < names.n; i++) {
		text_clear(&value);
		if (is_wanted(deed, names.v[i])
		    && !attributes_read(deed->root, deed->sysfs, names.v[i], &value, &writable) && writable)
			setup_set(out, names.v[i], text_str(&value));
	}
	names_release(&names);
	text_release(&value);
}

/* --- one write --- */

static void make_entry(struct writer *w, struct journal_entry *entry, const char *path, const char *asked, bool undo)
{
	struct text id = TEXT_INIT;

	text_addf(&id, "%d.%llu.%u", w->order.owner.pid, (unsigned long long)w->order.owner.start,
		  w->order.number + w->used++);
	*entry = (struct journal_entry){
		.id = xstrdup(text_str(&id)), .t_ns = clock_wall_ns(), .root = xstrdup(text_str(&w->root)),
		.boot = xstrdup(text_str(&w->boot)), .owner = w->order.owner, .worker = getpid(),
		.action = w->order.action, .undo = undo, .device = xstrdup(w->deed->name),
		.sysfs = xstrdup(w->deed->sysfs), .diskseq = w->order.diskseq, .path = xstrdup(path),
		.asked = xstrdup(asked),
	};
	text_release(&id);
}

static int append(struct writer *w, void (*make)(const struct journal_entry *, struct text *),
		  const struct journal_entry *entry)
{
	struct text line = TEXT_INIT;
	int error;

	make(entry, &line);
	error = journal_append(text_str(&w->journal), &line);
	text_release(&line);
	return error;
}

static void result_line(const struct journal_entry *entry, struct text *out)
{
	journal_result_line(entry, clock_wall_ns(), out);
}

/* `now`: the knobs as they are; then as they are after the write. The write's error; w->answer has others. */
static int write_journaled(struct writer *w, const char *path, const char *asked, bool undo, struct setup *now)
{
	struct text real = TEXT_INIT;
	struct journal_entry entry = { 0 };
	int error = knob_file_resolve(w->deed->root, w->deed->sysfs, path, &real);

	if (error) {
		fail(w, "check", error);
		goto out;
	}
	make_entry(w, &entry, path, asked, undo);
	setup_copy(&entry.before, now);
	error = append(w, journal_write_line, &entry);
	if (error) {
		fail(w, "journal", error);
		goto out;
	}
	error = knob_file_write(w->deed->root, text_str(&real), asked);
	if (error)
		fail(w, "write", error);
	read_setup(w->deed, now);
	entry.error = error;
	setup_copy(&entry.after, now);
	if (append(w, result_line, &entry) < 0 && !error)
		fail(w, "result", -EIO);
out:
	journal_entry_release(&entry);
	text_release(&real);
	return error;
}

static struct writer_line *add_line(struct writer *w, enum writer_rest rest, const char *path, const char *from,
				    const char *asked, const char *now)
{
	struct writer_answer *a = &w->answer;

	ARRAY_GROW(a->lines, a->capacity, a->n + 1);
	a->lines[a->n] = (struct writer_line){
		.path = xstrdup(path), .from = from ? xstrdup(from) : NULL, .asked = xstrdup(asked),
		.now = now ? xstrdup(now) : NULL, .rest = rest,
	};
	return &a->lines[a->n++];
}

static void set(struct writer *w)
{
	const struct helper_deed *deed = w->deed;
	const char *path = deed->items[0], *asked = deed->items[1];
	int error;

	take_order(w, 2);
	read_setup(deed, &w->answer.before);
	setup_copy(&w->answer.after, &w->answer.before);
	error = write_journaled(w, path, asked, false, &w->answer.after);
	add_line(w, WRITTEN, path, setup_get(&w->answer.before, path), asked,
		 setup_get(&w->answer.after, path))->error = error;
}

/* --- back to a state --- */

struct restoring {
	struct setup target, left;
	bool knows_left, force;
	struct names ids;
	struct setup skipped;           /* changed by somebody else: path and value */
	struct setup tried;             /* in this pass: path and error */
};

static bool take_setup_items(const struct helper_deed *deed, size_t *at, struct setup *out)
{
	uint64_t n = number_at(deed, (*at)++);

	if (n > deed->n || *at + 2 * n > deed->n)
		return false;
	while (n--) {
		setup_set(out, deed->items[*at], deed->items[*at + 1]);
		*at += 2;
	}
	return true;
}

static bool take_restoring(struct writer *w, struct restoring *r)
{
	size_t at = 6;

	if (w->deed->n < 9)
		return false;
	take_order(w, 1);
	r->force = number_at(w->deed, at++) != 0;
	r->knows_left = number_at(w->deed, at++) != 0;
	if (!take_setup_items(w->deed, &at, &r->target) || !take_setup_items(w->deed, &at, &r->left))
		return false;
	while (at < w->deed->n)
		names_add(&r->ids, w->deed->items[at++]);
	return true;
}

/* Decided once, before anything is written: what we change afterwards is nobody else's doing. */
static void find_skipped(struct restoring *r, const struct setup *now)
{
	struct restore plan = { 0 };

	restore_plan(&plan, &r->target, r->knows_left ? &r->left : NULL, now, r->force);
	for (size_t i = 0; i < plan.n; i++) {
		if (plan.v[i].kind == RESTORE_CHANGED_ELSEWHERE)
			setup_set(&r->skipped, plan.v[i].path, plan.v[i].from);
	}
	restore_release(&plan);
}

/* The next one that is to be written and was not tried in this pass. */
static const struct restore_step *next_step(const struct restoring *r, const struct restore *plan)
{
	for (size_t i = 0; i < plan->n; i++) {
		const struct restore_step *step = &plan->v[i];

		if (step->kind == RESTORE_WRITE && !setup_get(&r->tried, step->path)
		    && !setup_get(&r->skipped, step->path))
			return step;
	}
	return NULL;
}

static void write_step(struct writer *w, struct restoring *r, const struct restore_step *step, struct setup *now)
{
	struct text value = TEXT_INIT;
	char *path = xstrdup(step->path), *from = xstrdup(step->from);
	int error;

	knob_written(step->to, &value);
	error = write_journaled(w, path, text_str(&value), true, now);
	add_line(w, WRITTEN, path, from, text_str(&value), setup_get(now, path))->error = error;
	setup_set(&r->tried, path, error ? "error" : "");
	free(path);
	free(from);
	text_release(&value);
}

static void restore_passes(struct writer *w, struct restoring *r, struct setup *now)
{
	struct restore plan = { 0 };

	for (int pass = 0; pass < WRITER_PASSES; pass++) {
		const struct restore_step *step;

		setup_release(&r->tried);
		while (restore_plan(&plan, &r->target, NULL, now, true), (step = next_step(r, &plan)))
			write_step(w, r, step, now);
		if (!r->tried.n)
			break;
	}
	restore_release(&plan);
}

/* What is not as it was: returns how much. */
static size_t tell_rest(struct writer *w, const struct restoring *r, const struct setup *now)
{
	struct restore plan = { 0 };
	size_t n;

	restore_plan(&plan, &r->target, NULL, now, true);
	n = plan.n;
	for (size_t i = 0; i < n; i++) {
		const struct restore_step *step = &plan.v[i];
		enum writer_rest rest = setup_get(&r->skipped, step->path) ? REST_CHANGED_ELSEWHERE
			: step->kind == RESTORE_ABSENT ? REST_ABSENT : REST_DIFFERS;

		add_line(w, rest, step->path, step->from, step->to, step->from);
	}
	restore_release(&plan);
	return n;
}

static void end_undone(struct writer *w, const struct restoring *r)
{
	struct text line = TEXT_INIT;
	int error;

	journal_undone_line(&r->ids, clock_wall_ns(), &line);
	error = journal_append(text_str(&w->journal), &line);
	if (error)
		fail(w, "journal", error);
	text_release(&line);
}

static void restore_device(struct writer *w, struct restoring *r)
{
	struct setup *now = &w->answer.after;

	read_setup(w->deed, now);
	setup_copy(&w->answer.before, now);
	find_skipped(r, now);
	restore_passes(w, r, now);
	/* a pass that failed on the way may have been made good by the next */
	if (!tell_rest(w, r, now)) {
		fail(w, "", 0);
		end_undone(w, r);
	}
}

static void restoring_release(struct restoring *r)
{
	setup_release(&r->target);
	setup_release(&r->left);
	setup_release(&r->skipped);
	setup_release(&r->tried);
	names_release(&r->ids);
}

static void restore(struct writer *w)
{
	struct restoring r = { 0 };

	if (take_restoring(w, &r))
		restore_device(w, &r);
	else
		fail(w, "check", -EINVAL);
	restoring_release(&r);
}

/* --- the journal, told --- */

static bool is_here(const struct writer *w, const struct journal_entry *entry)
{
	return !strcmp(entry->root, text_str(&w->root)) && !strcmp(entry->boot, text_str(&w->boot));
}

static void tell_entry(const struct journal_entry *entry, struct names *undone, struct text *out)
{
	journal_write_line(entry, out);
	if (entry->has_result)
		journal_result_line(entry, entry->t_ns, out);
	if (entry->undone)
		names_add(undone, entry->id);
}

static void tell_entries(const struct writer *w, struct journal *j, bool all, struct text *out)
{
	struct names undone = { NULL, 0, 0 };

	text_clear(out);
	for (size_t i = 0; i < j->n; i++) {
		struct journal_entry *entry = &j->v[i];

		if (!is_here(w, entry) || !(all || entry->undo || journal_is_open(entry)))
			continue;
		entry->alive = process_start(entry->owner.pid) == entry->owner.start;
		tell_entry(entry, &undone, out);
	}
	if (undone.n)
		journal_undone_line(&undone, 0, out);
	names_release(&undone);
}

static int tell_journal(const struct writer *w, struct text *out)
{
	struct journal j = { 0 };
	int error = journal_read(text_str(&w->journal), &j);

	if (!error) {
		tell_entries(w, &j, true, out);
		if (out->len > JOURNAL_MOST)
			tell_entries(w, &j, false, out);
	}
	journal_release(&j);
	return error;
}

/* --- deeds --- */

static void put_string(struct text *out, const char *s)
{
	s = s ? s : "\x01";
	text_add_n(out, s, strlen(s) + 1);
}

static void put_number(struct text *out, uint64_t n)
{
	text_add_u64(out, n);
	text_add_n(out, "", 1);
}

static void put_answer(const struct writer *w, struct text *out)
{
	const struct writer_answer *a = &w->answer;

	put_number(out, (uint64_t)-a->error);
	put_string(out, a->stage ? a->stage : "");
	put_number(out, w->used);
	setup_put(&a->before, out);
	setup_put(&a->after, out);
	put_number(out, a->n);
	for (size_t i = 0; i < a->n; i++) {
		put_string(out, a->lines[i].path);
		put_string(out, a->lines[i].from);
		put_string(out, a->lines[i].asked);
		put_string(out, a->lines[i].now);
		put_number(out, (uint64_t)-a->lines[i].error);
		put_number(out, (uint64_t)a->lines[i].rest);
	}
}

static void writer_release(struct writer *w)
{
	text_release(&w->journal);
	text_release(&w->root);
	text_release(&w->boot);
	writer_answer_release(&w->answer);
}

int writer_act(const struct helper_deed *deed, struct text *out)
{
	struct writer w = { .deed = deed };
	int error = open_place(&w);
	int no_journal = journal_path(&w.journal);

	if (!error && !strcmp(deed->what, WRITER_JOURNAL)) {
		error = no_journal ? 0 : tell_journal(&w, out);
	} else if (!error) {
		if (no_journal)
			fail(&w, "journal", no_journal);
		else if (!strcmp(deed->what, WRITER_SET) && deed->n == 7)
			set(&w);
		else if (!strcmp(deed->what, WRITER_RESTORE))
			restore(&w);
		else
			fail(&w, "check", -EINVAL);
		put_answer(&w, out);
	}
	writer_release(&w);
	return error;
}

/* --- the end of the program --- */

#define WAIT_STEP_US 20000

/* A write that was under way when the program ended is finished, or its process is gone. */
static bool is_finished(const struct journal *j, struct journal_owner owner)
{
	for (size_t i = 0; i < j->n; i++) {
		const struct journal_entry *entry = &j->v[i];

		if (journal_same_owner(entry->owner, owner) && !entry->has_result && process_start(entry->worker))
			return false;
	}
	return true;
}

static int read_finished(const char *path, struct journal_owner owner, struct journal *j)
{
	int error;

	for (;;) {
		error = journal_read(path, j);
		if (error || is_finished(j, owner))
			return error;
		journal_release(j);
		usleep(WAIT_STEP_US);
	}
}

/* In a process of its own: one that hangs keeps no other from being restored. */
static void restore_target(const struct root *root, struct journal_owner owner, const struct journal_target *t,
			   unsigned int number)
{
	struct writer_order order = { .owner = owner, .number = number, .diskseq = t->diskseq };
	struct names items = { NULL, 0, 0 };
	_Atomic uint32_t at = 0;
	struct helper_deed deed = {
		.root = root, .name = t->device, .sysfs = t->sysfs, .what = WRITER_RESTORE, .at = &at,
	};
	struct text answer = TEXT_INIT;

	writer_restore_items(&order, &t->target, t->knows_left ? &t->left : NULL, false, &t->ids, &items);
	deed.items = (const char *const *)items.v;
	deed.n = items.n;
	writer_act(&deed, &answer);
	text_release(&answer);
	names_release(&items);
}

static void restore_root(const struct root *root, struct journal_owner owner)
{
	struct helper_deed deed = { .root = root, .name = "", .sysfs = "", .what = "" };
	struct writer w = { .deed = &deed };
	struct journal j = { 0 };
	struct journal_targets targets = { 0 };

	if (open_place(&w) || journal_path(&w.journal) || read_finished(text_str(&w.journal), owner, &j))
		goto out;
	for (size_t i = 0; i < j.n; i++)
		j.v[i].chosen = is_here(&w, &j.v[i]) && journal_same_owner(j.v[i].owner, owner);
	journal_targets(&j, &targets);
	for (size_t i = 0; i < targets.n; i++) {
		/* numbers that no other process uses */
		if (fork() == 0) {
			restore_target(root, owner, &targets.v[i], (unsigned int)(1000000 * (i + 1)));
			_exit(0);
		}
	}
out:
	journal_targets_release(&targets);
	journal_release(&j);
	writer_release(&w);
}

void writer_closed(const struct root *roots, size_t n, const void *arg)
{
	const struct journal_owner *owner = arg;

	for (size_t i = 0; i < n; i++) {
		if (fork() == 0) {
			restore_root(&roots[i], *owner);
			_exit(0);
		}
	}
}
