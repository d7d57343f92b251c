/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "engine/engine.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/msg.h"
#include "base/quit.h"
#include "engine/state.h"
#include "kernel/live.h"
#include "kernel/uevent.h"

#define NEWS(event) (1U << (event))

/* --- life --- */

static bool open_roots(struct engine *e)
{
	static const char *const system_root[] = { "/" };
	const char *const *paths = e->options.n_roots ? e->options.roots : system_root;
	size_t n = e->options.n_roots ? e->options.n_roots : 1;

	e->roots = xcalloc(n, sizeof(*e->roots));
	for (size_t i = 0; i < n; i++)
		e->roots[i] = (struct root)ROOT_INIT;
	e->n_roots = n;
	for (size_t i = 0; i < n; i++) {
		int error = root_open(&e->roots[i], paths[i]);

		if (error) {
			msg_errno(paths[i], error);
			return false;
		}
	}
	return true;
}

static void open_uevents(struct engine *e)
{
	e->uevent_fd = -1;
	if (e->source->stepped)
		return;
	e->uevent_fd = uevent_open();
	e->by_name_only = e->uevent_fd < 0;
	if (e->by_name_only)
		msg_debug("no uevents: %s", strerror(-e->uevent_fd));
}

struct engine *engine_new(const struct engine_options *options)
{
	struct engine *e = xcalloc(1, sizeof(*e));

	e->options = *options;
	e->uevent_fd = -1;
	e->selected = SLOT_NONE;
	if (!open_roots(e))
		goto fail;
	/* before anything else is opened: the spawner inherits as little as possible */
	actions_init(e);
	e->helper = helper_new(e->roots, e->n_roots, &e->knobs.acts);
	if (!e->helper)
		goto fail;
	e->source = live_source(e->roots, e->n_roots, options->rounds ? options->rounds : 1);
	if (!e->source)
		goto fail;
	open_uevents(e);
	engine_set_interval(e, options->interval_s);
	inventory_init(e);
	segments_init(e);
	system_delta_unavailable(&e->system, NA_FIRST);
	return e;
fail:
	engine_free(e);
	return NULL;
}

void engine_free(struct engine *e)
{
	if (!e)
		return;
	helper_free(e->helper);
	source_free(e->source);
	if (e->uevent_fd >= 0)
		close(e->uevent_fd);
	inventory_release(e);
	segments_release(e);
	happenings_release(e);
	actions_release(e);
	for (size_t i = 0; i < e->n_marks; i++)
		free(e->marks[i].words);
	free(e->marks);
	for (uint32_t i = 0; i < e->n_units; i++) {
		attributes_clear(&e->units[i].attributes);
		attributes_clear(&e->units[i].older);
	}
	free(e->units);
	roster_release(&e->roster);
	sample_release(&e->samples[0]);
	sample_release(&e->samples[1]);
	for (size_t i = 0; i < e->n_roots; i++)
		root_release(&e->roots[i]);
	free(e->roots);
	text_release(&e->warning);
	free(e);
}

struct unit *engine_unit(struct engine *e, uint32_t slot)
{
	while (e->n_units <= slot) {
		ARRAY_GROW(e->units, e->units_capacity, e->n_units + 1);
		e->units[e->n_units++] = (struct unit){ .iostats = -1, .device = DEVICE_NONE };
	}
	return &e->units[slot];
}

void engine_news(struct engine *e, enum engine_event event)
{
	e->news |= NEWS(event);
}

/* --- the loop --- */

static enum engine_event take_news(struct engine *e)
{
	static const enum engine_event order[] = { ENGINE_STACKS, ENGINE_ATTRIBUTES };

	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		if (e->news & NEWS(order[i])) {
			e->news &= ~NEWS(order[i]);
			return order[i];
		}
	}
	return ENGINE_NONE;
}

/* A source that has ended says so once. */
static enum engine_event take_tick(struct engine *e)
{
	enum engine_event event;

	if (e->failed)
		return ENGINE_FAILED;
	if (e->ended) {
		if (e->said_end)
			return ENGINE_NONE;
		e->said_end = true;
		return ENGINE_END;
	}
	event = tick(e);
	if (event == ENGINE_END) {
		e->ended = e->said_end = true;
	} else if (event == ENGINE_FAILED) {
		e->failed = true;
	}
	return event;
}

static bool sampling(const struct engine *e)
{
	return !e->paused && !e->ended && !e->failed;
}

/* Nanoseconds until something is to be done, -1 for ever. */
static int64_t until_next(const struct engine *e, int64_t now, int helper_ms, int64_t deadline)
{
	int64_t wait = -1;

	if (sampling(e))
		wait = e->next_ns - now;
	if (helper_ms >= 0 && (wait < 0 || helper_ms * NS_PER_MS < wait))
		wait = helper_ms * NS_PER_MS;
	if (deadline >= 0 && (wait < 0 || deadline - now < wait))
		wait = deadline - now;
	return wait < 0 && (sampling(e) || deadline >= 0) ? 0 : wait;
}

/* Wait for the descriptors or the time: which of them have something. */
struct readiness {
	bool input, uevents, mounts, signal;
};

static struct readiness wait_for(struct engine *e, int input_fd, int64_t deadline)
{
	struct pollfd fds[HELPER_FDS + 4];
	struct readiness ready = { false, false, false, false };
	struct timespec limit;
	int helper_ms = -1;
	size_t n = helper_poll(e->helper, fds, &helper_ms);
	size_t at_input = n, at_uevent;
	int64_t wait;

	fds[n++] = (struct pollfd){ .fd = input_fd, .events = POLLIN };
	at_uevent = n;
	fds[n++] = (struct pollfd){ .fd = e->uevent_fd, .events = POLLIN };
	for (size_t i = 0; i < ARRAY_SIZE(e->inventory.watch_fds); i++)
		fds[n++] = (struct pollfd){ .fd = e->inventory.watch_fds[i], .events = POLLPRI };
	wait = until_next(e, clock_mono_ns(), helper_ms, deadline);
	limit = (struct timespec){ .tv_sec = wait / NS_PER_S, .tv_nsec = wait % NS_PER_S };
	if (ppoll(fds, n, wait < 0 ? NULL : &limit, quit_mask()) < 0) {
		ready.signal = errno == EINTR;
		return ready;
	}
	ready.input = fds[at_input].revents != 0;
	ready.uevents = fds[at_uevent].revents != 0;
	ready.mounts = fds[at_uevent + 1].revents || fds[at_uevent + 2].revents;
	return ready;
}

static void schedule(struct engine *e, int64_t now)
{
	int64_t interval = (int64_t)(e->options.interval_s * 1e9);

	e->next_ns += interval;
	if (e->next_ns <= now)
		e->next_ns = now + interval;
}

static bool due(const struct engine *e, int64_t now)
{
	return sampling(e) && now >= e->next_ns;
}

enum engine_event engine_next(struct engine *e, int input_fd, int timeout_ms)
{
	int64_t now = clock_mono_ns();
	int64_t deadline = timeout_ms < 0 ? -1 : now + timeout_ms * NS_PER_MS;

	for (;;) {
		enum engine_event event = take_news(e);
		struct readiness ready;

		if (event != ENGINE_NONE)
			return event;
		if (quit_signal())
			return ENGINE_SIGNAL;
		if (due(e, now)) {
			schedule(e, now);
			event = take_tick(e);
			ask_due(e, clock_mono_ns());
			return event;
		}
		ready = wait_for(e, input_fd, deadline);
		/* also one that asks for nothing here: the size changed, or the process was stopped and goes on */
		if (ready.signal)
			return ENGINE_SIGNAL;
		now = clock_mono_ns();
		if (ready.uevents)
			inventory_uevents(e, 1);
		if (ready.mounts)
			inventory_mounts_changed(e);
		inventory_answers(e);
		ask_due(e, now);
		if (ready.input)
			return ENGINE_INPUT;
		if (deadline >= 0 && now >= deadline && !e->news && !due(e, now))
			return ENGINE_NONE;
	}
}

enum engine_event engine_step(struct engine *e)
{
	enum engine_event event;

	event = take_tick(e);
	ask_due(e, clock_mono_ns());
	return event;
}

/* Let the helpers work until `done` says so; false when the time is over. */
static bool wait_until(struct engine *e, int timeout_ms, bool (*done)(const struct engine *))
{
	int64_t deadline = clock_mono_ns() + timeout_ms * NS_PER_MS;

	for (;;) {
		struct pollfd fds[HELPER_FDS];
		struct timespec limit;
		int64_t left = deadline - clock_mono_ns();
		int helper_ms = -1;
		size_t n;

		/* an answer can lead to the next question: after the topology, the attributes of its devices */
		inventory_answers(e);
		ask_due(e, clock_mono_ns());
		if (done(e))
			return true;
		if (left <= 0 || quit_signal())
			return false;
		n = helper_poll(e->helper, fds, &helper_ms);
		if (helper_ms >= 0 && helper_ms * NS_PER_MS < left)
			left = helper_ms * NS_PER_MS;
		limit = (struct timespec){ .tv_sec = left / NS_PER_S, .tv_nsec = left % NS_PER_S };
		if (ppoll(fds, n, &limit, quit_mask()) < 0 && errno != EINTR)
			return false;
	}
}

static bool is_idle(const struct engine *e)
{
	return e->inventory.lost || helper_outstanding(e->helper) == 0;
}

static bool has_pending(const struct engine *e)
{
	return e->inventory.n_pending > 0;
}

bool engine_wait_idle(struct engine *e, int timeout_ms)
{
	return wait_until(e, timeout_ms, is_idle);
}

static bool is_written(const struct engine *e)
{
	return e->inventory.lost || !engine_knobs_busy(e) || has_pending(e);
}

bool engine_wait_knobs(struct engine *e, int timeout_ms)
{
	return wait_until(e, timeout_ms, is_written) && !engine_knobs_busy(e);
}

bool engine_wait_pending(struct engine *e, int timeout_ms)
{
	return wait_until(e, timeout_ms, has_pending);
}

/* --- what the user does to the loop --- */

void engine_set_interval(struct engine *e, double seconds)
{
	int64_t now = clock_mono_ns();

	if (!(seconds >= INTERVAL_LEAST_S))
		seconds = INTERVAL_LEAST_S;
	if (seconds > INTERVAL_MOST_S)
		seconds = INTERVAL_MOST_S;
	e->options.interval_s = seconds;
	/* the first sample comes at once; after that the new interval begins now */
	e->next_ns = e->published ? now + (int64_t)(seconds * 1e9) : now;
}

void engine_set_paused(struct engine *e, bool paused)
{
	if (e->paused && !paused) {
		e->resumed = true;
		e->next_ns = clock_mono_ns();
	}
	e->paused = paused;
}

void engine_select(struct engine *e, uint32_t slot)
{
	if (e->selected == slot)
		return;
	e->selected = slot;
	inventory_select(e);
}

unsigned int engine_add_mark(struct engine *e, const char *words)
{
	const struct sample *now = engine_sample(e);
	struct text clean = TEXT_INIT;

	ARRAY_GROW(e->marks, e->marks_capacity, e->n_marks + 1);
	text_add_safe(&clean, words, strlen(words));
	e->marks[e->n_marks] = (struct mark){
		.number = (unsigned int)e->n_marks + 1, .words = xstrdup(text_str(&clean)),
	};
	text_release(&clean);
	if (now) {
		e->marks[e->n_marks].t_ns = now->t_ns;
		e->marks[e->n_marks].wall_ns = now->wall_ns;
	}
	return e->marks[e->n_marks++].number;
}

const struct mark *engine_marks(const struct engine *e, size_t *n)
{
	*n = e->n_marks;
	return e->marks;
}

/* --- plain views --- */

bool engine_is_stepped(const struct engine *e)
{
	return e->source->stepped;
}

const char *engine_release(const struct engine *e)
{
	return e->source->release;
}

const char *engine_host(const struct engine *e)
{
	return e->source->host;
}

const char *engine_warning(const struct engine *e)
{
	return text_str(&e->warning);
}

const struct roster *engine_roster(const struct engine *e)
{
	return &e->roster;
}

uint64_t engine_samples(const struct engine *e)
{
	return e->published;
}

const struct sample *engine_sample(const struct engine *e)
{
	return e->published ? &e->samples[e->current] : NULL;
}

double engine_interval_s(const struct engine *e)
{
	return e->interval_s;
}

const struct delta *engine_delta(const struct engine *e, uint32_t slot)
{
	return slot < e->n_units && e->units[slot].has_delta ? &e->units[slot].delta : NULL;
}

void engine_delta_since_boot(struct engine *e, uint32_t slot, struct delta *d)
{
	tick_since_boot(e, slot, d);
}

size_t engine_total(const struct engine *e, struct delta *total)
{
	const struct sample *now = engine_sample(e);
	const struct delta **parts = xcalloc(now ? now->n : 0, sizeof(*parts));
	size_t n = 0;

	for (size_t i = 0; now && i < now->n; i++) {
		const struct unit *unit = &e->units[now->rows[i].slot];
		bool head_accounts = !unit->delta.derived;

		if (unit->has_delta && unit->device != DEVICE_NONE
		    && stack_is_leaf(&e->inventory.topology, unit->device, head_accounts))
			parts[n++] = &unit->delta;
	}
	delta_sum(total, parts, n);
	free(parts);
	return n;
}

const struct system_delta *engine_system(const struct engine *e)
{
	return &e->system;
}

int engine_iostats(const struct engine *e, uint32_t slot)
{
	return slot < e->n_units ? e->units[slot].iostats : -1;
}

double engine_stuck_s(const struct engine *e, uint32_t slot)
{
	const struct sample *now = engine_sample(e);
	double seconds;

	if (!now || slot >= e->n_units || !e->units[slot].stuck_since_ns)
		return 0;
	seconds = (double)(now->t_ns - e->units[slot].stuck_since_ns) / 1e9;
	return seconds >= 3 ? seconds : 0;
}

double engine_nominal_interval_s(const struct engine *e)
{
	return e->options.interval_s;
}

bool engine_paused(const struct engine *e)
{
	return e->paused;
}
