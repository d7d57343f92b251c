/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/clock.h"

static void take_value(struct reading *r, const struct delta *d, enum metric_id m)
{
	struct value value = metric_value(&metrics[m], d);

	*r = (struct reading){ .why = value.why };
	r->e.value = value.v;
	r->e.kind = value.why == NA_NONE ? ESTIMATE_SINGLE : ESTIMATE_NONE;
}

static void take_sum(struct reading *r, const struct engine *e, const uint32_t *slots, size_t n, enum metric_id m)
{
	const struct delta **parts = xcalloc(n + 1, sizeof(*parts));
	struct delta sum;
	size_t have = 0;

	for (size_t i = 0; i < n; i++) {
		const struct delta *d = slots[i] == SLOT_NONE ? NULL : engine_delta(e, slots[i]);

		if (d)
			parts[have++] = d;
	}
	*r = (struct reading){ .why = NA_NO_LOWER };
	if (have) {
		delta_sum(&sum, parts, have);
		take_value(r, &sum, m);
	}
	free(parts);
}

static const struct segment *segment_of(const struct engine *e, enum side side)
{
	return side == SIDE_BEFORE ? engine_before(e) : engine_after(e);
}

static void take_last(struct reading *r, const struct engine *e, const struct rows *rows, const struct line *line,
		      enum metric_id m)
{
	const struct delta *d;

	if (line->kind == LINE_SUM) {
		take_sum(r, e, rows->legs + line->legs_at, line->legs_n, m);
		return;
	}
	d = engine_delta(e, line->slot);
	if (d)
		take_value(r, d, m);
	else
		*r = (struct reading){ .why = engine_samples(e) > 1 ? NA_GONE : NA_FIRST };
}

/* In BEFORE a leg may have had another slot. */
static enum na estimate_sum(const struct engine *e, const struct segment *s, enum side side, const uint32_t *legs,
			    size_t n, enum metric_id m, struct estimate *estimate)
{
	uint32_t *slots = xcalloc(n, sizeof(*slots));
	size_t have = 0;
	enum na why;

	for (size_t i = 0; i < n; i++) {
		uint32_t slot = side == SIDE_BEFORE ? engine_before_slot(e, legs[i]) : legs[i];

		if (slot != SLOT_NONE)
			slots[have++] = slot;
	}
	why = segment_estimate_sum(s, slots, have, m, estimate);
	free(slots);
	return why;
}

void reading_take(struct reading *r, const struct engine *e, const struct rows *rows, const struct line *line,
		  enum side side, enum metric_id m)
{
	const struct segment *s;

	*r = (struct reading){ .why = NA_SYSTEM };
	if (line->kind == LINE_REFERENCE || (line->slot == SLOT_NONE && line->kind == LINE_DEVICE))
		return;
	if (side == SIDE_LAST) {
		take_last(r, e, rows, line, m);
		return;
	}
	s = segment_of(e, side);
	if (!s)
		return;
	if (line->kind == LINE_SUM)
		r->why = estimate_sum(e, s, side, rows->legs + line->legs_at, line->legs_n, m, &r->e);
	else if (side == SIDE_BEFORE)
		r->why = engine_estimate_before(e, line->slot, m, &r->e);
	else
		r->why = engine_estimate_after(e, line->slot, m, &r->e);
}

bool side_total(const struct engine *e, uint32_t slot, enum side side, struct delta *d)
{
	const struct segment *s;
	const struct delta *last;

	if (slot == SLOT_NONE)
		return false;
	if (side == SIDE_LAST) {
		last = engine_delta(e, slot);
		if (last)
			*d = *last;
		return last && last->state == DELTA_OK;
	}
	s = segment_of(e, side);
	if (s && side == SIDE_BEFORE)
		slot = engine_before_slot(e, slot);
	if (!s || slot == SLOT_NONE || !segment_has(s, slot, NULL))
		return false;
	segment_total(s, slot, d);
	return true;
}

static void add_signed(struct text *out, double v, const char *tail)
{
	double size = fabs(v);

	if (size > 999.4) {
		text_addf(out, "%c999%s", v < 0 ? '<' : '>', tail);
		return;
	}
	if (size >= 0.05)
		text_add_char(out, v < 0 ? '-' : '+');
	text_add_fixed(out, size, size < 9.95 ? 1 : 0);
	text_add(out, tail);
}

void change_text(struct text *out, const struct comparison *c, const struct metric_rules *rules)
{
	if (c->verdict == VERDICT_NA)
		return;
	if (c->verdict == VERDICT_NEW || c->verdict == VERDICT_GONE)
		text_add(out, verdict_name(c->verdict));
	else if (rules->flags & METRIC_PERCENT)
		add_signed(out, c->change, "");
	else if (c->has_pct)
		add_signed(out, c->change_pct, "%");
}

static double spread_of(const struct metric *m, const struct estimate *e)
{
	if (m->rules.flags & METRIC_PERCENT)
		return e->sd;
	return e->value > 0 ? 100 * e->sd / e->value : 0;
}

void spread_text(struct text *out, const struct metric *m, const struct estimate *a, const struct estimate *b)
{
	double spread = fmax(spread_of(m, a), spread_of(m, b));

	if (!isfinite(spread))
		return;
	text_add_fixed(out, spread > 999 ? 999 : spread, spread < 9.95 ? 1 : 0);
	if (!(m->rules.flags & METRIC_PERCENT))
		text_add_char(out, '%');
}

void length_text(struct text *out, double seconds)
{
	unsigned long s = seconds > 0 && seconds < 1e9 ? (unsigned long)(seconds + 0.5) : 0;

	if (seconds > 0 && seconds < 9.95 && fabs(seconds - (double)s) > 0.05) {
		text_add_fixed(out, seconds, 1);
		text_add_char(out, 's');
	} else if (s < 120) {
		text_addf(out, "%lus", s);
	} else if (s < 7200) {
		text_addf(out, "%lum%02lus", s / 60, s % 60);
	} else {
		text_addf(out, "%luh%02lum", s / 3600, s / 60 % 60);
	}
}

void interval_text(struct text *out, double seconds)
{
	text_add_fixed(out, seconds, seconds < 0.0995 ? 2 : seconds < 9.95 ? 1 : 0);
	text_add_char(out, 's');
}

void uptime_text(struct text *out, int64_t ns)
{
	int64_t s = ns > 0 ? ns / NS_PER_S : 0;

	text_addf(out, "%lld:%02d:%02d", (long long)(s / 3600), (int)(s / 60 % 60), (int)(s % 60));
}

void clock_text(struct text *out, const struct engine *e, int64_t t_ns)
{
	const struct sample *now = engine_sample(e);
	time_t wall;
	struct tm tm;

	if (engine_is_stepped(e) || !now) {
		uptime_text(out, t_ns);
		return;
	}
	wall = (time_t)((now->wall_ns - (now->t_ns - t_ns)) / NS_PER_S);
	if (localtime_r(&wall, &tm))
		text_addf(out, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
}

void pending_text(struct text *out, const struct engine *e, uint32_t device, const char *attribute)
{
	const char *name = engine_topology(e)->devices[device].name;
	size_t n;
	const struct pending *pending = engine_pending(e, &n);

	text_add(out, "pending");
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(pending[i].name, name) && !strcmp(pending[i].what, attribute))
			text_addf(out, " %llds", (long long)((clock_mono_ns() - pending[i].since_ns) / NS_PER_S));
	}
}
