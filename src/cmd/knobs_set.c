/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knobs set, undo: what is written. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/msg.h"
#include "cmd/knobs.h"

/* --- set --- */

static bool is_assignment(const char *word)
{
	const char *equals = strchr(word, '=');

	return equals && equals != word;
}

/* All attributes that the scope could need: those of the devices' whole stacks. */
static void ask_stacks(struct engine *e, const struct slots *slots)
{
	const struct topology *t = engine_topology(e);
	bool *hit = xcalloc(t->n + 1, sizeof(*hit));
	struct slots all = { NULL, 0, 0 };

	for (size_t i = 0; i < slots->n; i++) {
		uint32_t device = slots->v[i] == SLOT_SYSTEM ? UINT32_MAX : engine_device(e, slots->v[i]);

		if (device < t->n)
			stack_members(t, device, hit);
		else
			engine_ask_attributes(e, slots->v[i]);
	}
	for (uint32_t i = 0; i < t->n; i++) {
		if (!hit[i])
			continue;
		ARRAY_GROW(all.v, all.capacity, all.n + 1);
		all.v[all.n++] = engine_slot(e, i);
	}
	knobs_ask(e, &all);
	free(all.v);
	free(hit);
}

/* The knob by its name on the first device that the scope reaches and that has it. */
static const char *path_in_scope(struct engine *e, uint32_t slot, enum knob_scope scope, const char *word)
{
	const struct topology *t = engine_topology(e);
	const struct device *d = slot == SLOT_SYSTEM ? NULL : &t->devices[engine_device(e, slot)];

	/* the map may have another scheduler than its paths: what is below is asked by what it has */
	if (scope == SCOPE_SLAVES && d && d->slaves.n) {
		const struct device *lower = topology_find(t, d->slaves.v[0]);

		if (lower)
			slot = engine_knob_slot(e, engine_slot(e, (uint32_t)(lower - t->devices)));
	}
	return knobs_path(e, slot, word);
}

static bool wish_one(struct knobs_run *run, uint32_t slot, const char *word, struct knob_wishes *wishes)
{
	enum knob_scope scope = run->in->slaves ? SCOPE_SLAVES : run->in->stack ? SCOPE_STACK : SCOPE_DEVICE;
	const char *equals = strchr(word, '=');
	char *name = xstrndup(word, (size_t)(equals - word));
	const char *path = path_in_scope(run->engine, slot, scope, name);
	size_t n = wishes->n;

	free(name);
	if (!path)
		return false;
	engine_knob_spread(run->engine, slot, scope, path, equals + 1, wishes);
	if (wishes->n > n)
		return true;
	msg(engine_knob_device(run->engine, slot), "nothing in %s has %s", knob_scope_words(scope), path);
	return false;
}

static bool take_wishes(struct knobs_run *run, struct knob_wishes *wishes)
{
	struct slots slots = { NULL, 0, 0 };
	bool right = true;

	for (size_t i = 0; i < run->n_words; i++) {
		if (!is_assignment(run->words[i]))
			right &= knobs_slots(run->engine, run->words[i], &slots);
	}
	if (right)
		ask_stacks(run->engine, &slots);
	for (size_t i = 0; right && i < slots.n; i++) {
		for (size_t j = 0; j < run->n_words; j++) {
			if (is_assignment(run->words[j]))
				right &= wish_one(run, slots.v[i], run->words[j], wishes);
		}
	}
	free(slots.v);
	return right;
}

static bool check_one(struct knobs_run *run, const struct knob_wish *wish)
{
	const struct knob *knob = knob_find(wish->path);
	struct text why = TEXT_INIT;
	bool right = engine_knob_check(run->engine, wish, &why);

	if (right && knob && knob->risk == RISK_DATA && !run->in->force) {
		text_add(&why, "this can lose data: not written without --force");
		right = false;
	}
	if (!right)
		msg(engine_knob_device(run->engine, wish->slot), "%s=%s: %s", wish->path, wish->value, text_str(&why));
	text_release(&why);
	return right;
}

/* All of them, before anything is written. */
static bool check_all(struct knobs_run *run, const struct knob_wishes *wishes)
{
	bool right = true;

	for (size_t i = 0; i < wishes->n; i++)
		right &= check_one(run, &wishes->v[i]);
	return right;
}

static void say_warnings(struct knobs_run *run, const struct knob_wishes *wishes)
{
	struct text warnings = TEXT_INIT;

	engine_knob_warnings(run->engine, wishes, &warnings);
	for (const char *at = text_str(&warnings); *at;) {
		const char *end = strchrnul(at, '\n');

		msg("warning", "%.*s", (int)(end - at), at);
		at = *end ? end + 1 : end;
	}
	text_release(&warnings);
}

static const char *value_now(struct engine *e, const struct knob_wish *wish)
{
	const struct attribute *a = engine_attribute(e, wish->slot, wish->path);

	return a ? a->value : NULL;
}

static void print_wishes(struct knobs_run *run, const struct knob_wishes *wishes)
{
	for (size_t i = 0; i < wishes->n; i++) {
		const struct knob_wish *wish = &wishes->v[i];
		const char *now = value_now(run->engine, wish);

		text_addf(&run->out, "%s %s ", engine_knob_device(run->engine, wish->slot), wish->path);
		knob_written(now ? now : "?", &run->out);
		text_addf(&run->out, " -> %s\n", wish->value);
	}
}

int knobs_set(struct knobs_run *run)
{
	struct knob_wishes wishes = { 0 };
	int status = EXIT_FAILED;
	size_t assignments = 0;

	for (size_t i = 0; i < run->n_words; i++)
		assignments += is_assignment(run->words[i]);
	if (!assignments || assignments == run->n_words) {
		msg("knobs set", "needs a DEVICE and KNOB=VALUE");
		return EXIT_USAGE;
	}
	if (take_wishes(run, &wishes) && check_all(run, &wishes)) {
		say_warnings(run, &wishes);
		if (run->in->dry_run) {
			engine_knob_order(run->engine, &wishes);
			print_wishes(run, &wishes);
			status = EXIT_DONE;
		} else {
			status = knobs_finish(run, engine_knob_set(run->engine, &wishes));
		}
	}
	knob_wishes_release(&wishes);
	return status;
}

/* --- undo --- */

static struct undo_choice choice_of(const struct invocation *in)
{
	return (struct undo_choice){
		.others = true, .living = in->force, .force = in->force, .pid = (int)in->pid,
		.last_only = !in->all && !in->pid && in->since_s <= 0,
		.since_ns = in->since_s > 0 ? clock_wall_ns() - (int64_t)(in->since_s * 1e9) : 0,
	};
}

static void say_living(const struct journal *j, const struct undo_choice *choice)
{
	int said = 0;

	for (size_t i = 0; i < j->n && !choice->living; i++) {
		const struct journal_entry *entry = &j->v[i];

		if (!journal_is_open(entry) || !entry->alive || (choice->pid && choice->pid != entry->owner.pid)
		    || entry->owner.pid == said)
			continue;
		said = entry->owner.pid;
		msg(entry->device, "%s was written by process %d, which is running: let alone without --force",
		    entry->path, said);
	}
}

static const char *plan_words(enum restore_kind kind)
{
	static const char *const words[] = {
		[RESTORE_WRITE] = "",
		[RESTORE_CHANGED_ELSEWHERE] = "  (changed by somebody else since: let alone without --force)",
		[RESTORE_ABSENT] = "  (not there now)",
	};

	return words[kind];
}

static void print_plan(struct knobs_run *run, const struct undo_choice *choice)
{
	struct undo_line *lines;
	size_t n = engine_undo_plan(run->engine, choice, &lines);

	for (size_t i = 0; i < n; i++) {
		text_addf(&run->out, "%s %s ", lines[i].device, lines[i].path);
		knob_written(lines[i].from ? lines[i].from : "-", &run->out);
		text_add(&run->out, " -> ");
		knob_written(lines[i].to, &run->out);
		text_addf(&run->out, "%s\n", plan_words(lines[i].kind));
	}
	engine_undo_lines_free(lines, n);
}

int knobs_undo(struct knobs_run *run)
{
	struct undo_choice choice = choice_of(run->in);
	const struct journal *j;
	unsigned int action;

	if (run->n_words) {
		msg(run->words[0], "undo takes no DEVICE: --all, --pid or --since say what");
		return EXIT_USAGE;
	}
	if (engine_knobs_refused(run->engine)) {
		msg("knobs undo", "%s", engine_knobs_refused(run->engine));
		return EXIT_FAILED;
	}
	j = knobs_read_journal(run->engine);
	if (!j)
		return EXIT_FAILED;
	say_living(j, &choice);
	engine_undo_ask(run->engine, &choice);
	engine_wait_idle(run->engine, 10000);
	if (run->in->dry_run) {
		print_plan(run, &choice);
		return EXIT_DONE;
	}
	action = engine_undo(run->engine, &choice);
	if (!action) {
		text_add(&run->out, "nothing to undo\n");
		return EXIT_DONE;
	}
	return knobs_finish(run, action);
}
