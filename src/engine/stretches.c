/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "engine/stretches.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "engine/state.h"

/* An unpinned BEFORE has at least so many bins: with fewer no verdict comes of it. */
#define ENOUGH_BINS 6
#define BURST_NS (2 * NS_PER_S)
#define HANGS_NS (10 * NS_PER_S)

/* --- life --- */

static void change_drop(struct stretch *st, size_t i)
{
	free(st->changes[i].device);
	free(st->changes[i].path);
	free(st->changes[i].from);
	free(st->changes[i].to);
	memmove(&st->changes[i], &st->changes[i + 1], (st->n_changes - i - 1) * sizeof(*st->changes));
	st->n_changes--;
}

static void changes_clear(struct stretch *st)
{
	while (st->n_changes)
		change_drop(st, st->n_changes - 1);
	free(st->changes);
}

static struct stretch *stretch_new(struct engine *e)
{
	struct stretch *st = xcalloc(1, sizeof(*st));

	st->number = st->setting = e->segments.next_number++;
	st->segment = segment_new();
	st->release = xstrdup(e->source->release);
	st->from_ns = engine_sample(e) ? engine_sample(e)->t_ns : 0;
	return st;
}

static void stretch_free(struct stretch *st)
{
	changes_clear(st);
	pinned_free(st);
	segment_free(st->segment);
	free(st->release);
	free(st->taint);
	free(st);
}

void stretches_init(struct engine *e)
{
	struct segments *s = &e->segments;

	s->v[s->n++] = stretch_new(e);
	s->live = s->after = s->v[0];
}

void stretches_release(struct engine *e)
{
	struct segments *s = &e->segments;

	for (size_t i = 0; i < s->n; i++)
		stretch_free(s->v[i]);
	s->n = 0;
}

/* --- settings --- */

static bool same_setting(const struct engine *e, const struct stretch *a, const struct stretch *b)
{
	for (uint32_t slot = 0; slot < e->n_units; slot++) {
		uint32_t one, other;

		if (segment_has(a->segment, slot, &one) && segment_has(b->segment, slot, &other) && one == other
		    && !knobs_agree(stretch_knobs(e, a, slot), stretch_knobs(e, b, slot)))
			return false;
	}
	return knobs_agree(stretch_knobs(e, a, SLOT_SYSTEM), stretch_knobs(e, b, SLOT_SYSTEM));
}

/* Of the running one: its knobs may have changed with every one that was read. Those that ended keep theirs. */
static void find_setting(struct engine *e)
{
	struct segments *s = &e->segments;

	if (s->setting_known)
		return;
	s->setting_known = true;
	s->live->setting = s->live->number;
	for (size_t i = 0; i + 1 < s->n; i++) {
		if (same_setting(e, s->v[i], s->live)) {
			s->live->setting = s->v[i]->setting;
			return;
		}
	}
}

/* --- the row --- */

/* The running one begins anew, as what it is. */
void stretches_restart(struct engine *e)
{
	struct stretch *live = e->segments.live;

	segment_free(live->segment);
	live->segment = segment_new();
	free(live->release);
	live->release = xstrdup(e->source->release);
	free(live->taint);
	live->taint = NULL;
	live->from_ns = engine_sample(e) ? engine_sample(e)->t_ns : 0;
	e->segments.after = live;
}

static void drop_oldest(struct segments *s)
{
	size_t at = 0;

	while (s->v[at] == s->before.stretch || s->v[at] == s->after)
		at++;
	stretch_free(s->v[at]);
	memmove(&s->v[at], &s->v[at + 1], (s->n - at - 1) * sizeof(s->v[0]));
	s->n--;
}

struct stretch *stretches_close(struct engine *e)
{
	struct segments *s = &e->segments;
	struct stretch *closed = s->live;

	closed->to_ns = engine_sample(e) ? engine_sample(e)->t_ns : 0;
	s->setting_known = false;
	find_setting(e);
	pinned_take(e, closed);
	if (s->n == STRETCHES)
		drop_oldest(s);
	s->live = s->v[s->n++] = stretch_new(e);
	s->setting_known = false;
	return closed;
}

void stretches_forget(struct engine *e, uint32_t slot)
{
	for (size_t i = 0; i < e->segments.n; i++) {
		segment_forget(e->segments.v[i]->segment, slot);
		pinned_forget(e->segments.v[i], slot);
	}
}

/* --- boundaries --- */

static struct stretch *last_with_enough(const struct segments *s)
{
	for (size_t i = s->n; i-- > 0;) {
		if (s->v[i] != s->live && segment_bins(s->v[i]->segment) >= ENOUGH_BINS)
			return s->v[i];
	}
	return NULL;
}

/* What was measured until now is a segment, unless nothing was, or it is a part of the boundary. */
static void make_boundary(struct engine *e, bool same)
{
	struct segments *s = &e->segments;
	struct stretch *last;

	if (segment_bins(s->live->segment) && !same)
		stretches_close(e);
	last = last_with_enough(s);
	if (!s->before.by_hand && last && s->before.stretch != last)
		before_set(e, last);
	engine_restart_after(e);
	s->bin_spoilt = true;
}

void segments_action_begins(struct engine *e)
{
	struct segments *s = &e->segments;
	int64_t now = engine_sample(e) ? engine_sample(e)->t_ns : 0;
	/* a tree that comes again is earlier */
	bool burst = s->action_ns && now >= s->action_ns && now - s->action_ns <= BURST_NS;

	if (!e->options.with_segments)
		return;
	s->acting++;
	s->action_ns = now;
	make_boundary(e, burst);
}

bool stretches_acting(const struct engine *e)
{
	const struct segments *s = &e->segments;
	const struct sample *now = engine_sample(e);

	return s->acting && now && now->t_ns - s->action_ns <= HANGS_NS;
}

static void note_change(struct stretch *st, const char *device, const char *path, const char *from, const char *to)
{
	struct knob_change *c;

	for (size_t i = 0; i < st->n_changes; i++) {
		c = &st->changes[i];
		if (strcmp(c->device, device) != 0 || strcmp(c->path, path) != 0)
			continue;
		free(c->to);
		c->to = to ? xstrdup(to) : NULL;
		if (c->from && c->to && knob_same(c->from, c->to))
			change_drop(st, i);
		return;
	}
	ARRAY_GROW(st->changes, st->changes_capacity, st->n_changes + 1);
	st->changes[st->n_changes++] = (struct knob_change){
		.device = xstrdup(device), .path = xstrdup(path), .from = from ? xstrdup(from) : NULL,
		.to = to ? xstrdup(to) : NULL,
	};
}

static void note_write(struct stretch *st, const struct knob_write *w)
{
	if (!w->undo && !w->error)
		note_change(st, w->device, w->path, w->before, w->after);
	for (size_t i = 0; i < w->n_lines; i++)
		note_change(st, w->device, w->lines[i].path, w->lines[i].from, w->lines[i].to);
}

void segments_action_ends(struct engine *e, const struct knob_action *action)
{
	struct segments *s = &e->segments;

	if (!e->options.with_segments)
		return;
	s->acting -= s->acting > 0;
	/* one that hung so long that the measuring went on: its change is a boundary of its own */
	if (segment_bins(s->live->segment))
		make_boundary(e, false);
	s->settle_s = e->options.settle_s;
	s->setting_known = false;
	s->bin_spoilt = true;
	s->live->undo = action->undo;
	for (size_t i = 0; i < action->n; i++)
		note_write(s->live, &action->writes[i]);
	engine_news(e, ENGINE_ATTRIBUTES);
}

void segments_drift(struct engine *e, uint32_t slot, const char *words)
{
	struct segments *s = &e->segments;
	struct text all = TEXT_INIT;

	if (!e->options.with_segments)
		return;
	s->setting_known = false;
	if (s->live->taint || !segment_bins(s->live->segment))
		return;
	text_add(&all, engine_knob_device(e, slot));
	text_add_char(&all, ' ');
	text_add(&all, words);
	s->live->taint = xstrdup(text_str(&all));
	text_release(&all);
}

/* --- taken in turn --- */

enum na stretch_estimate(const struct engine *e, const struct stretch *st, uint32_t slot, enum metric_id m,
			 struct estimate *estimate)
{
	uint32_t instance;

	*estimate = (struct estimate){ .kind = ESTIMATE_NONE };
	if (slot >= e->roster.n || !segment_has(st->segment, slot, &instance)
	    || instance != e->roster.entries[slot].instance)
		return NA_FIRST;
	return segment_estimate(st->segment, slot, m, estimate);
}

/* From stretch `last` backwards those of the two settings, oldest first; how many. */
static size_t row_of_turns(const struct segments *s, size_t last, unsigned int a, unsigned int b,
			   const struct stretch **row)
{
	const struct stretch *back[STRETCHES];
	size_t n = 0;

	for (size_t i = last + 1; i-- > 0;) {
		const struct stretch *st = s->v[i];

		if (!segment_bins(st->segment))
			continue;
		if (st->taint || (st->setting != a && st->setting != b))
			break;
		back[n++] = st;
	}
	for (size_t i = 0; i < n; i++)
		row[i] = back[n - 1 - i];
	return n;
}

static bool turns_repeat(const struct engine *e, size_t last, unsigned int a, unsigned int b, uint32_t slot,
			 enum metric_id m, struct comparison *c, struct estimate *pooled_a, struct estimate *pooled_b)
{
	const struct stretch *row[STRETCHES];
	struct turn turns[STRETCHES];
	size_t n = a == b ? 0 : row_of_turns(&e->segments, last, a, b, row);

	/* four stretches at least are three changes */
	if (n < 4)
		return false;
	for (size_t i = 0; i < n; i++) {
		turns[i].setting = row[i]->setting == b;
		stretch_estimate(e, row[i], slot, m, &turns[i].e);
	}
	return compare_turns(c, &metrics[m].rules, turns, n, pooled_a, pooled_b);
}

static size_t index_of(const struct segments *s, const struct stretch *st)
{
	size_t i = 0;

	while (s->v[i] != st)
		i++;
	return i;
}

bool stretches_repeated(const struct engine *e, uint32_t slot, enum metric_id m, struct comparison *c,
			struct estimate *before, struct estimate *after)
{
	const struct segments *s = &e->segments;

	if (s->n < 4 || !s->before.stretch)
		return false;
	return turns_repeat(e, index_of(s, s->after), s->before.stretch->setting, s->after->setting, slot, m, c,
			    before, after);
}

bool engine_repeated(struct engine *e, uint32_t slot, enum metric_id m, struct comparison *c, unsigned int *a,
		     unsigned int *b)
{
	const struct segments *s = &e->segments;
	struct estimate before, after;

	find_setting(e);
	if (s->n < 4)
		return false;
	*b = s->live->setting;
	for (size_t i = s->n; i-- > 0;) {
		*a = s->v[i]->setting;
		if (*a != *b && segment_bins(s->v[i]->segment))
			return turns_repeat(e, s->n - 1, *a, *b, slot, m, c, &before, &after);
	}
	return false;
}

void stretches_settle(struct engine *e)
{
	if (e->options.with_segments)
		find_setting(e);
}

/* --- views --- */

size_t engine_stretches(const struct engine *e)
{
	return e->segments.n;
}

void engine_stretch(struct engine *e, size_t i, struct stretch_view *view)
{
	const struct segments *s = &e->segments;
	const struct stretch *st = s->v[i];

	find_setting(e);
	*view = (struct stretch_view){
		.number = st->number, .setting = st->setting, .segment = st->segment, .changes = st->changes,
		.n_changes = st->n_changes, .undo = st->undo, .taint = st->taint, .from_ns = st->from_ns,
		.to_ns = st->to_ns, .is_before = st == s->before.stretch, .is_after = st == s->after,
	};
}

enum na engine_estimate_stretch(const struct engine *e, size_t i, uint32_t slot, enum metric_id m,
				struct estimate *estimate)
{
	return stretch_estimate(e, e->segments.v[i], slot, m, estimate);
}

void stretch_letter(unsigned int number, struct text *out)
{
	if (number >= 26)
		stretch_letter(number / 26 - 1, out);
	text_add_char(out, (char)('A' + number % 26));
}

static void add_value(struct text *out, const char *value)
{
	struct text bare = TEXT_INIT;

	knob_written(value ? value : "-", &bare);
	text_add_safe(out, text_str(&bare), bare.len);
	text_release(&bare);
}

void stretch_words(const struct stretch_view *view, const char *arrow, struct text *out)
{
	if (!view->n_changes) {
		text_add(out, view->number ? "pinned" : "start");
		return;
	}
	text_add(out, view->undo ? "undo: " : "");
	for (size_t i = 0; i < view->n_changes; i++) {
		const struct knob_change *c = &view->changes[i];

		text_add(out, i ? ", " : "");
		text_add_safe(out, c->device, strlen(c->device));
		text_add_char(out, ' ');
		text_add_safe(out, knob_name(c->path), strlen(knob_name(c->path)));
		text_add_char(out, ' ');
		add_value(out, c->from);
		text_addf(out, " %s ", arrow);
		add_value(out, c->to);
	}
}

bool engine_choose_before(struct engine *e, size_t i)
{
	struct segments *s = &e->segments;

	if (i >= s->n || !segment_bins(s->v[i]->segment))
		return false;
	if (s->v[i] == s->live) {
		s->after = s->live;
		return engine_pin_before(e);
	}
	before_set(e, s->v[i]);
	s->before.by_hand = true;
	return true;
}

bool engine_choose_after(struct engine *e, size_t i)
{
	struct segments *s = &e->segments;

	if (i >= s->n || (s->v[i] != s->live && !segment_bins(s->v[i]->segment)))
		return false;
	s->after = s->v[i];
	before_forget_marks(e);
	return true;
}

bool engine_before_by_hand(const struct engine *e)
{
	return e->segments.before.by_hand;
}

bool engine_after_runs(const struct engine *e)
{
	return e->segments.after == e->segments.live;
}
