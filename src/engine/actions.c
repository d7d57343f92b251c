/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes on their way to the helpers and back. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/msg.h"
#include "engine/state.h"
#include "kernel/process.h"

/* Ids of one restore's writes: more than it can make. */
#define RESTORE_NUMBERS 10000

/* --- life --- */

void actions_init(struct engine *e)
{
	e->knobs.owner.pid = getpid();
	e->knobs.owner.start = process_start(getpid());
	e->knobs.acts.act = writer_act;
	e->knobs.acts.arg = &e->knobs.owner;
	if (e->options.restore_on_exit)
		e->knobs.acts.closed = writer_closed;
	e->system_unit = (struct unit){ .iostats = -1, .device = DEVICE_NONE };
}

static void lines_free(struct knob_line *lines, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(lines[i].path);
		free(lines[i].from);
		free(lines[i].to);
	}
	free(lines);
}

static void write_release(struct knob_write *w)
{
	free(w->device);
	free(w->path);
	free(w->before);
	free(w->asked);
	free(w->after);
	free(w->stage);
	lines_free(w->lines, w->n_lines);
	lines_free(w->rest, w->n_rest);
	undo_target_free(w->target);
}

void actions_release(struct engine *e)
{
	struct knobs *k = &e->knobs;

	for (size_t i = 0; i < k->n; i++) {
		for (size_t j = 0; j < k->actions[i].n; j++)
			write_release(&k->actions[i].writes[j]);
		free(k->actions[i].writes);
	}
	free(k->actions);
	journal_release(&k->journal);
	attributes_clear(&e->system_unit.attributes);
	attributes_clear(&e->system_unit.older);
}

struct knob_action *actions_add(struct engine *e, size_t n, bool undo)
{
	struct knobs *k = &e->knobs;
	const struct sample *now = engine_sample(e);

	ARRAY_GROW(k->actions, k->capacity, k->n + 1);
	k->actions[k->n] = (struct knob_action){
		.number = ++k->last_action, .undo = undo, .writes = xcalloc(n, sizeof(struct knob_write)), .n = n,
		.t_ns = now ? now->t_ns : 0, .wall_ns = clock_wall_ns(),
	};
	return &k->actions[k->n++];
}

const struct knob_action *engine_actions(const struct engine *e, size_t *n)
{
	*n = e->knobs.n;
	return e->knobs.actions;
}

/* --- asking --- */

static const char *value_now(const struct engine *e, uint32_t slot, const char *path)
{
	const struct attribute *a = engine_attribute(e, slot, path);

	return a && a->value ? a->value : "";
}

unsigned int engine_knob_set(struct engine *e, struct knob_wishes *wishes)
{
	struct knob_action *action;

	if (!wishes->n || engine_knobs_refused(e))
		return 0;
	engine_knob_order(e, wishes);
	action = actions_add(e, wishes->n, false);
	for (size_t i = 0; i < wishes->n; i++) {
		const struct knob_wish *wish = &wishes->v[i];

		action->writes[i] = (struct knob_write){
			.slot = wish->slot, .device = xstrdup(engine_knob_device(e, wish->slot)),
			.path = xstrdup(wish->path), .asked = xstrdup(wish->value),
			.before = xstrdup(value_now(e, wish->slot, wish->path)), .order = wish_order(e, wish),
		};
	}
	segments_action_begins(e);
	actions_pump(e);
	return e->knobs.last_action;
}

static void items_of(struct engine *e, struct knob_write *w, unsigned int action, struct names *items)
{
	struct writer_order order = {
		.owner = e->knobs.owner, .action = action, .number = e->knobs.last_number + 1,
		.diskseq = undo_diskseq(e, w->slot),
	};

	w->number = order.number;
	e->knobs.last_number += w->undo ? RESTORE_NUMBERS : 1;
	if (w->undo)
		undo_items(e, w, items);
	else
		writer_set_items(&order, w->path, w->asked, items);
}

static const char *sysfs_of(const struct engine *e, uint32_t slot)
{
	uint32_t device = slot == SLOT_SYSTEM ? DEVICE_NONE : engine_device(e, slot);
	const char *sysfs = device == DEVICE_NONE ? NULL : e->inventory.topology.devices[device].sysfs;

	return slot == SLOT_SYSTEM ? SYSTEM_SYSFS : sysfs;
}

static void finish(struct engine *e, struct knob_write *w, const char *stage, int error)
{
	w->state = WRITE_DONE;
	w->request = 0;
	if (!w->stage)
		w->stage = xstrdup(stage ? stage : "");
	w->error = error;
	engine_news(e, ENGINE_ATTRIBUTES);
}

/* The device is another one by now, or gone. */
static bool has_changed(const struct engine *e, const struct knob_write *w)
{
	return strcmp(engine_knob_device(e, w->slot), w->device) != 0 || !sysfs_of(e, w->slot);
}

static void submit(struct engine *e, const struct knob_action *action, struct knob_write *w)
{
	struct names items = { NULL, 0, 0 };

	if (e->inventory.lost) {
		finish(e, w, "helper", -EPIPE);
		return;
	}
	if (has_changed(e, w)) {
		finish(e, w, "check", -ENODEV);
		return;
	}
	items_of(e, w, action->number, &items);
	w->request = helper_act(e->helper, e->inventory.root, w->device, sysfs_of(e, w->slot),
				w->undo ? WRITER_RESTORE : WRITER_SET, &items);
	names_release(&items);
	w->state = WRITE_RUNS;
	/* it hangs, or the order is too long for a packet */
	if (w->request)
		w->started_ns = clock_mono_ns();
	else
		finish(e, w, "helper", -EAGAIN);
}

bool actions_writing(const struct engine *e, uint32_t slot)
{
	for (size_t i = 0; i < e->knobs.n; i++) {
		const struct knob_action *a = &e->knobs.actions[i];

		for (size_t j = 0; !a->done && j < a->n; j++) {
			if (a->writes[j].slot == slot && a->writes[j].state == WRITE_RUNS)
				return true;
		}
	}
	return false;
}

/* Nothing that must be done before it is not done. */
static bool may_run(const struct engine *e, const struct knob_action *action, const struct knob_write *w)
{
	if (actions_writing(e, w->slot))
		return false;
	for (size_t i = 0; i < e->knobs.n && &e->knobs.actions[i] <= action; i++) {
		const struct knob_action *a = &e->knobs.actions[i];

		for (size_t j = 0; !a->done && j < a->n && &a->writes[j] != w; j++) {
			if (a->writes[j].state == WRITE_WAITS && a->writes[j].slot == w->slot)
				return false;
		}
	}
	for (size_t j = 0; j < action->n; j++) {
		if (action->writes[j].state != WRITE_DONE && action->writes[j].order < w->order)
			return false;
	}
	return true;
}

static void end_action(struct engine *e, struct knob_action *action)
{
	for (size_t j = 0; j < action->n; j++) {
		if (action->writes[j].state != WRITE_DONE)
			return;
	}
	action->done = true;
	segments_action_ends(e, action);
}

void actions_pump(struct engine *e)
{
	for (size_t i = 0; i < e->knobs.n; i++) {
		struct knob_action *action = &e->knobs.actions[i];

		if (action->done)
			continue;
		for (size_t j = 0; j < action->n; j++) {
			struct knob_write *w = &action->writes[j];

			if (w->state == WRITE_WAITS && may_run(e, action, w))
				submit(e, action, w);
		}
		end_action(e, action);
	}
}

size_t engine_knobs_busy(const struct engine *e)
{
	size_t n = 0;

	for (size_t i = 0; i < e->knobs.n; i++) {
		for (size_t j = 0; j < e->knobs.actions[i].n; j++)
			n += e->knobs.actions[i].writes[j].state != WRITE_DONE;
	}
	return n;
}

/* --- answers --- */

static struct knob_write *write_of(struct engine *e, uint32_t request, struct knob_action **action)
{
	for (size_t i = 0; request && i < e->knobs.n; i++) {
		*action = &e->knobs.actions[i];
		for (size_t j = 0; !(*action)->done && j < (*action)->n; j++) {
			if ((*action)->writes[j].request == request)
				return &(*action)->writes[j];
		}
	}
	return NULL;
}

static char *copy_or_null(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

static void line_add(struct knob_line **lines, size_t *n, const char *path, const char *from, const char *to)
{
	*lines = xreallocarray(*lines, *n + 1, sizeof(**lines));
	(*lines)[(*n)++] = (struct knob_line){ xstrdup(path), copy_or_null(from), copy_or_null(to) };
}

static void add_effect(void *arg, const char *path, const char *before, const char *after)
{
	struct knob_write *w = arg;

	if (strcmp(path, w->path) != 0)
		line_add(&w->lines, &w->n_lines, path, before, after);
}

/* This process's entry in the journal, as the helper wrote it into the file. */
static void remember(struct engine *e, const struct knob_action *action, const struct knob_write *w,
		     const struct writer_answer *a, bool known)
{
	struct journal *j = &e->knobs.journal;
	struct text id = TEXT_INIT;

	text_addf(&id, "%d.%llu.%u", e->knobs.owner.pid, (unsigned long long)e->knobs.owner.start, w->number);
	ARRAY_GROW(j->v, j->capacity, j->n + 1);
	j->v[j->n] = (struct journal_entry){
		.id = xstrdup(text_str(&id)), .t_ns = clock_wall_ns(), .root = xstrdup(""), .boot = xstrdup(""),
		.owner = e->knobs.owner, .action = action->number, .undo = w->undo, .device = xstrdup(w->device),
		.sysfs = xstrdup(sysfs_of(e, w->slot) ? sysfs_of(e, w->slot) : ""),
		.diskseq = undo_diskseq(e, w->slot), .path = xstrdup(w->path ? w->path : ""),
		.asked = xstrdup(w->asked ? w->asked : ""), .has_result = known, .error = w->error, .alive = true,
	};
	setup_copy(&j->v[j->n].before, &a->before);
	setup_copy(&j->v[j->n].after, &a->after);
	j->n++;
	text_release(&id);
}

static void take_set(struct knob_write *w, const struct writer_answer *a)
{
	const char *after = setup_get(&a->after, w->path);

	if (setup_get(&a->before, w->path)) {
		free(w->before);
		w->before = xstrdup(setup_get(&a->before, w->path));
	}
	w->after = xstrdup(after ? after : "");
	w->outcome = knob_outcome(w->path, w->before, w->asked, w->after);
	if (a->used)
		setup_differ(&a->before, &a->after, add_effect, w);
}

static const char *rest_words(const struct writer_line *line)
{
	static const char *const words[] = {
		[WRITTEN] = "", [REST_DIFFERS] = " (could not be set back)",
		[REST_CHANGED_ELSEWHERE] = " (changed by somebody else since: let alone)",
		[REST_ABSENT] = " (not there now)",
	};

	return line->rest <= REST_ABSENT ? words[line->rest] : "";
}

static void take_restore(struct knob_write *w, const struct writer_answer *a)
{
	for (size_t i = 0; i < a->n; i++) {
		const struct writer_line *line = &a->lines[i];
		struct text words = TEXT_INIT;

		if (line->rest == WRITTEN) {
			if (!line->error)
				line_add(&w->lines, &w->n_lines, line->path, line->from, line->now);
			continue;
		}
		text_addf(&words, "%s%s", line->path, rest_words(line));
		line_add(&w->rest, &w->n_rest, text_str(&words), line->now, line->asked);
		text_release(&words);
	}
}

static void take_state(struct engine *e, uint32_t slot, const struct setup *now)
{
	struct unit *unit = attributes_unit(e, slot);

	if (unit)
		attributes_take_setup(e, unit, now);
}

static void tell(struct engine *e, const struct knob_write *w)
{
	struct text words = TEXT_INIT;

	knob_write_words(w, "->", &words);
	if (w->slot != SLOT_SYSTEM)
		happenings_add(e, w->slot, text_str(&words));
	text_release(&words);
}

static void take_answer(struct engine *e, const struct knob_action *action, struct knob_write *w,
			const struct helper_event *event)
{
	struct writer_answer answer;
	bool right = writer_take(&answer, event->value, event->value_len);

	w->answered = true;
	w->stage = xstrdup(right ? answer.stage : "helper");
	w->error = right ? answer.error : -EPROTO;
	if (right && w->undo)
		take_restore(w, &answer);
	else if (right)
		take_set(w, &answer);
	if (right && answer.used)
		remember(e, action, w, &answer, true);
	if (right && w->undo && !w->n_rest && !w->error)
		undo_done(e, w);
	if (right)
		take_state(e, w->slot, &answer.after);
	writer_answer_release(&answer);
}

/* The process died over it: what it wrote stands in the journal's file, or was not begun. */
static void lose(struct engine *e, const struct knob_action *action, struct knob_write *w, int error)
{
	struct writer_answer unknown = { 0 };
	const struct attributes *a = engine_attributes(e, w->slot);

	for (size_t i = 0; a && i < a->n; i++) {
		if (a->v[i].value && a->v[i].writable && knob_permitted(a->v[i].name))
			setup_set(&unknown.before, a->v[i].name, a->v[i].value);
	}
	remember(e, action, w, &unknown, false);
	setup_release(&unknown.before);
	finish(e, w, "helper", error);
}

/* It is over: what was read before tells nothing, and all of the device, the read-only ones too, is read again. */
static void after_write(struct engine *e, const struct knob_write *w)
{
	struct unit *unit = attributes_unit(e, w->slot);

	if (unit)
		unit->acted_ns = clock_mono_ns();
	engine_ask_attributes(e, w->slot);
	tell(e, w);
}

/* First the answer comes, then that the helper is free for the next one. */
void actions_take(struct engine *e, const struct helper_event *event)
{
	struct knob_action *action = NULL;
	struct knob_write *w = write_of(e, event->id, &action);

	if (!w)
		return;
	if (event->kind == HELPER_VALUE && !event->error) {
		take_answer(e, action, w, event);
		return;
	}
	if (event->kind == HELPER_VALUE) {
		w->answered = true;
		w->stage = xstrdup("check");
		w->error = event->error;
		return;
	}
	if (w->answered)
		finish(e, w, w->stage, w->error);
	else
		lose(e, action, w, event->error ? event->error : -EIO);
	after_write(e, w);
	end_action(e, action);
	actions_pump(e);
}

void actions_lost(struct engine *e)
{
	for (size_t i = 0; i < e->knobs.n; i++) {
		struct knob_action *action = &e->knobs.actions[i];

		for (size_t j = 0; !action->done && j < action->n; j++) {
			if (action->writes[j].state == WRITE_RUNS)
				lose(e, action, &action->writes[j], -EPIPE);
			else if (action->writes[j].state == WRITE_WAITS)
				finish(e, &action->writes[j], "helper", -EPIPE);
		}
		if (!action->done)
			end_action(e, action);
	}
}
