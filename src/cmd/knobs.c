/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cmd/knobs.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/msg.h"
#include "base/quit.h"

#define MOST_WAIT_MS 10000
#define LOOK_MS 500

static const struct {
	const char *name;
	int (*run)(struct knobs_run *run);
} verbs[] = {
	{ "list", knobs_list }, { "get", knobs_get }, { "set", knobs_set }, { "undo", knobs_undo },
	{ "journal", knobs_journal }, { "diff", knobs_diff }, { "export", knobs_export },
};

/* --- what the verbs share --- */

struct engine *knobs_engine(const struct invocation *in, size_t root)
{
	struct engine_options options;
	struct engine *e;

	invocation_engine(in, &options);
	if (in->n_roots) {
		options.roots = in->roots + root;
		options.n_roots = 1;
	}
	e = engine_new(&options);
	if (!e)
		return NULL;
	if (engine_step(e) == ENGINE_FAILED) {
		engine_free(e);
		return NULL;
	}
	engine_wait_idle(e, MOST_WAIT_MS);
	return e;
}

static void add_slot(struct slots *out, uint32_t slot)
{
	for (size_t i = 0; i < out->n; i++) {
		if (out->v[i] == slot)
			return;
	}
	ARRAY_GROW(out->v, out->capacity, out->n + 1);
	out->v[out->n++] = slot;
}

static void add_device(struct engine *e, uint32_t device, struct slots *out)
{
	const struct topology *t = engine_topology(e);
	uint32_t slot = engine_slot(e, device), disk = engine_knob_slot(e, slot);

	if (disk != slot)
		msg(t->devices[device].name, "is a partition: its knobs are those of %s", engine_knob_device(e, disk));
	add_slot(out, disk);
}

bool knobs_slots(struct engine *e, const char *word, struct slots *out)
{
	const struct topology *t = engine_topology(e);
	bool *hit = xcalloc(t->n + 1, sizeof(*hit));
	struct invocation one = { .words = &word, .n_words = 1 };
	bool found = topology_match(t, word, hit) > 0;

	if (!found && !strcmp(word, engine_knob_device(e, SLOT_SYSTEM))) {
		add_slot(out, SLOT_SYSTEM);
		found = true;
	} else if (!found) {
		/* says so */
		found = words_match(&one, t, hit);
	}
	for (uint32_t i = 0; i < t->n; i++) {
		if (hit[i])
			add_device(e, i, out);
	}
	free(hit);
	return found;
}

void knobs_ask(struct engine *e, const struct slots *slots)
{
	for (size_t i = 0; i < slots->n; i++)
		engine_ask_attributes(e, slots->v[i]);
	engine_wait_idle(e, MOST_WAIT_MS);
}

static void say_unknown_knob(const char *device, const char *word, const struct names *paths)
{
	struct text there = TEXT_INIT;

	for (size_t i = 0; i < paths->n; i++) {
		const char *slash = strrchr(paths->v[i], '/');

		text_add(&there, i ? " " : "");
		text_add(&there, slash ? slash + 1 : paths->v[i]);
	}
	msg(device, "has no knob %s%s%s", word, paths->n ? "; it has " : "", text_str(&there));
	text_release(&there);
}

const char *knobs_path(struct engine *e, uint32_t slot, const char *word)
{
	const struct attributes *a = engine_attributes(e, slot);
	struct names paths = { NULL, 0, 0 };
	const char *found = NULL, *path;

	for (size_t i = 0; a && i < a->n; i++) {
		if (knob_permitted(a->v[i].name))
			names_add(&paths, a->v[i].name);
	}
	path = knob_named(word, &paths);
	for (size_t i = 0; path && a && i < a->n; i++) {
		if (!strcmp(a->v[i].name, path))
			found = a->v[i].name;
	}
	if (!found)
		say_unknown_knob(engine_knob_device(e, slot), word, &paths);
	names_release(&paths);
	return found;
}

const struct journal *knobs_read_journal(struct engine *e)
{
	engine_read_journal(e);
	engine_wait_idle(e, MOST_WAIT_MS);
	if (!engine_journal(e))
		msg("journal", "does not answer: somebody holds its lock");
	return engine_journal(e);
}

/* --- the end of an action --- */

static void say_pending(struct engine *e)
{
	size_t n;
	const struct pending *p = engine_pending(e, &n);

	for (size_t i = 0; i < n; i++)
		msg(p[i].name, "%s: pending, the queue may be frozen; interrupt to leave it to a helper process",
		    p[i].what);
}

static const struct knob_action *action_numbered(struct engine *e, unsigned int number)
{
	size_t n;
	const struct knob_action *a = engine_actions(e, &n);

	while (n--) {
		if (a[n].number == number)
			return &a[n];
	}
	return NULL;
}

static int status_of(const struct knob_write *w)
{
	if (w->state != WRITE_DONE || w->error || w->n_rest)
		return EXIT_FAILED;
	return !w->undo && w->outcome != KNOB_SET ? EXIT_KEPT_OTHER : EXIT_DONE;
}

int knobs_finish(struct knobs_run *run, unsigned int number)
{
	const struct knob_action *action;
	int status = EXIT_DONE;
	bool said = false;

	while (!engine_wait_knobs(run->engine, LOOK_MS) && engine_knobs_busy(run->engine) && !quit_signal()) {
		size_t n;

		engine_pending(run->engine, &n);
		if (n && !said)
			say_pending(run->engine);
		said = said || n;
		if (n)
			engine_next(run->engine, -1, LOOK_MS);
	}
	action = action_numbered(run->engine, number);
	for (size_t i = 0; action && i < action->n; i++) {
		const struct knob_write *w = &action->writes[i];
		struct text words = TEXT_INIT;
		int one = status_of(w);

		knob_write_words(w, "->", &words);
		if (one == EXIT_FAILED)
			msg(NULL, "%s", text_str(&words));
		else
			text_addf(&run->out, "%s\n", text_str(&words));
		status = one == EXIT_FAILED || (one && !status) ? one : status;
		text_release(&words);
	}
	return status;
}

/* --- the command --- */

static int run_verb(const struct invocation *in, int (*verb)(struct knobs_run *run))
{
	struct knobs_run run = {
		.in = in, .words = in->words + 1, .n_words = in->n_words - 1, .engine = knobs_engine(in, 0),
	};
	int status, written;

	if (!run.engine)
		return EXIT_FAILED;
	status = verb(&run);
	written = write_status(write_out(&run.out));
	engine_free(run.engine);
	text_release(&run.out);
	return status ? status : written;
}

int cmd_knobs(const struct invocation *in)
{
	struct text names = TEXT_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (in->n_words && !strcmp(verbs[i].name, in->words[0])) {
			text_release(&names);
			return run_verb(in, verbs[i].run);
		}
		text_add(&names, i ? ", " : "");
		text_add(&names, verbs[i].name);
	}
	msg(in->n_words ? in->words[0] : "knobs", "%s; there are %s",
	    in->n_words ? "unknown verb" : "a verb is missing", text_str(&names));
	text_release(&names);
	return EXIT_USAGE;
}
