/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cmd/command.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/msg.h"
#include "base/quit.h"

/* Names and stacks are worth waiting for so long, once. */
#define TOPOLOGY_MS 2000

/* One run of the command. */
struct run {
	const struct invocation *in;
	struct engine *engine;
	struct report *report;
	struct text out;
	bool *wanted;                   /* by slot */
	bool *hit;                      /* by topology index */
	size_t wanted_room, hit_room;
	uint32_t matched_slots;         /* how many there were when the words were matched */
	unsigned long limit;            /* reports; 0: none */
	unsigned long reports, intervals;
	bool has_sample, pinned, done;
	int status;
};

static void end(struct run *run, int status)
{
	run->done = true;
	run->status = status;
}

/* Write what was gathered; a reader that went away ends the run without a word. */
static void put_out(struct run *run)
{
	int err = write_out(&run->out);

	if (err)
		end(run, write_status(err));
	text_clear(&run->out);
}

static void want_hits(struct run *run)
{
	uint32_t slots = engine_roster(run->engine)->n;
	const struct topology *t = engine_topology(run->engine);

	ARRAY_GROW(run->wanted, run->wanted_room, (size_t)slots + 1);
	if (slots)
		memset(run->wanted, 0, slots * sizeof(*run->wanted));
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t slot = engine_slot(run->engine, i);

		if (run->hit[i] && slot < slots)
			run->wanted[slot] = true;
	}
	run->matched_slots = slots;
	report_set_wanted(run->report, run->wanted, slots);
}

/* Match the DEVICE words. At first a word that names nothing is an error; later its device may just be away. */
static bool match(struct run *run, bool first)
{
	const struct topology *t = engine_topology(run->engine);
	bool found = true;

	if (!run->in->n_words)
		return true;
	ARRAY_GROW(run->hit, run->hit_room, t->n + 1);
	memset(run->hit, 0, (t->n + 1) * sizeof(*run->hit));
	if (first) {
		found = words_match(run->in, t, run->hit);
	} else {
		for (size_t i = 0; i < run->in->n_words; i++)
			topology_match(t, run->in->words[i], run->hit);
	}
	want_hits(run);
	return found;
}

static void publish(struct run *run, bool since_boot)
{
	if (!run->reports)
		report_begin(run->report, &run->out);
	report_add(run->report, run->engine, since_boot, &run->out);
	run->reports++;
	run->intervals += !since_boot;
	put_out(run);
	if (run->in->split && !run->pinned && run->intervals >= run->in->split)
		run->pinned = engine_pin_before(run->engine);
	if (run->limit && run->reports >= run->limit)
		run->done = true;
}

static void first_sample(struct run *run)
{
	run->has_sample = true;
	/* iostats, heads and what a device cannot count are known from sysfs only; a tree's is read with its sample */
	if (!engine_is_stepped(run->engine) || run->in->format == FORMAT_JSON || run->in->n_words)
		engine_wait_idle(run->engine, TOPOLOGY_MS);
	if (!match(run, true))
		end(run, EXIT_FAILED);
	else if (run->in->since_boot)
		publish(run, true);
}

static void next_sample(struct run *run)
{
	if (engine_is_stepped(run->engine) || engine_roster(run->engine)->n != run->matched_slots)
		match(run, false);
	/* after a tree from which nothing leads here there is no interval */
	if (engine_interval_s(run->engine) > 0)
		publish(run, false);
}

static void on_event(struct run *run, enum engine_event event)
{
	switch (event) {
	case ENGINE_SAMPLE:
		if (run->has_sample)
			next_sample(run);
		else
			first_sample(run);
		break;
	case ENGINE_STACKS:
		if (run->has_sample)
			match(run, false);
		break;
	case ENGINE_FAILED:
		end(run, EXIT_FAILED);
		break;
	case ENGINE_SIGNAL:
		run->done = quit_signal() != 0;
		break;
	case ENGINE_END:
		run->done = true;
		break;
	case ENGINE_NONE:
	case ENGINE_ATTRIBUTES:
	case ENGINE_INPUT:
		break;
	}
}

/* Signals are blocked except in a wait; between two trees nothing waits, so look for them. */
static bool asked_to_end(void)
{
	static const struct timespec now = { 0, 0 };

	ppoll(NULL, 0, &now, quit_mask());
	return quit_signal() != 0;
}

static void run_loop(struct run *run)
{
	bool stepped = engine_is_stepped(run->engine);

	while (!run->done) {
		if (!stepped)
			on_event(run, engine_next(run->engine, -1, -1));
		else if (asked_to_end())
			run->done = true;
		else
			on_event(run, engine_step(run->engine));
	}
}

/* The comparison that --split asks for. */
static void conclude(struct run *run)
{
	if (!engine_before(run->engine) || !segment_bins(engine_after(run->engine))) {
		msg("--split", "the reports ended at %lu: too few to compare the first %lu with the rest",
		    run->intervals, run->in->split);
		run->status = EXIT_FAILED;
		return;
	}
	if (run->in->format == FORMAT_JSON)
		comparison_json(run->engine, run->in->n_words ? run->wanted : NULL, run->matched_slots, &run->out);
	else
		comparison_text(run->engine, run->in->n_words ? run->wanted : NULL, run->matched_slots, &run->out);
	put_out(run);
}

static const enum metric_id *columns_of(const struct invocation *in, size_t *n)
{
	if (in->n_columns) {
		*n = in->n_columns;
		return in->columns;
	}
	if (in->format == FORMAT_JSON)
		return metric_set_all(n);
	if (in->legacy)
		return metric_set_legacy(n);
	return in->extended ? metric_set_extended(n) : metric_set_text(n);
}

static void run_all(struct run *run)
{
	bool stepped = engine_is_stepped(run->engine);
	struct report_options options = {
		.format = run->in->format, .legacy = run->in->legacy, .skip_idle = run->in->skip_idle,
	};

	options.columns = columns_of(run->in, &options.n_columns);
	run->report = report_new(&options);
	if (run->in->has_count)
		run->limit = run->in->count;
	else if (!stepped && !run->in->has_interval)
		run->limit = 1;
	run_loop(run);
	if (run->status == EXIT_DONE && stepped && !run->reports && run->in->n_roots == 1 && !quit_signal()) {
		msg("stat", "one tree gives no interval: give a second --root, or --since-boot");
		run->status = EXIT_FAILED;
	} else if (run->status == EXIT_DONE && run->in->split) {
		conclude(run);
	}
}

int cmd_stat(const struct invocation *in)
{
	struct run run = { .in = in, .out = TEXT_INIT };
	struct engine_options options;

	invocation_engine(in, &options);
	options.with_system = in->format == FORMAT_JSON;
	options.with_segments = in->split != 0;
	run.engine = engine_new(&options);
	if (!run.engine)
		return EXIT_FAILED;
	run_all(&run);
	report_free(run.report);
	engine_free(run.engine);
	free(run.wanted);
	free(run.hit);
	text_release(&run.out);
	return run.status;
}
