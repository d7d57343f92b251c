/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "out/comparison.h"

/* Columns of at most 80 cells in all. */
#define NAME_CELLS 14
#define METRIC_CELLS 9
#define VALUE_CELLS 6
#define SPREAD_CELLS 8
#define CHANGE_CELLS 9
#define REASON_CELLS 10

/* What is worth a line in a mail. */
static const enum metric_id told[] = {
	M_R_S, M_W_S, M_RKB_S, M_WKB_S, M_RRQM_S, M_WRQM_S, M_AVGRQ_SZ, M_AWAIT, M_R_AWAIT, M_W_AWAIT, M_AQU_SZ,
	M_PCT_UTIL,
};

static void add_right(struct text *out, const struct text *cell, size_t width)
{
	if (cell->len < width)
		text_add_fill(out, ' ', width - cell->len);
	text_add_n(out, text_str(cell), cell->len);
}

static void add_left(struct text *out, const struct text *cell, size_t width)
{
	size_t cells = text_cells(text_str(cell));

	text_add_n(out, text_str(cell), cell->len);
	if (cells < width)
		text_add_fill(out, ' ', width - cells);
}

/* "+-1.2%" of the value; for percentages in points; nothing where the noise is not known. */
static void add_spread(struct text *out, const struct side *side, bool percent)
{
	const struct estimate *e = &side->e;
	double spread = percent ? e->sd : 100 * e->sd / fabs(e->value);

	if (side->why != NA_NONE || e->kind == ESTIMATE_SINGLE || e->n < 2 || (!percent && e->value == 0))
		return;
	text_add(out, "+-");
	if (spread > 999)
		spread = 999;
	text_add_fixed(out, spread, spread < 99.95 ? 1 : 0);
	if (!percent)
		text_add_char(out, '%');
}

static void add_side(struct text *out, const struct side *side, const struct metric *m)
{
	struct text cell = TEXT_INIT;

	if (side->why == NA_NONE)
		text_add_short(&cell, side->e.value, m->decimals);
	else
		text_add_char(&cell, '-');
	add_right(out, &cell, VALUE_CELLS);
	text_clear(&cell);
	add_spread(&cell, side, m->rules.flags & METRIC_PERCENT);
	text_add_char(out, ' ');
	add_left(out, &cell, SPREAD_CELLS);
	text_release(&cell);
}

static void add_change(struct text *out, const struct judged *j, bool percent)
{
	double change = percent ? j->c.change : j->c.change_pct;
	struct text cell = TEXT_INIT;

	if (!j->c.has_change || (!percent && !j->c.has_pct)) {
		text_add_char(&cell, '-');
	} else {
		if (change >= 0)
			text_add_char(&cell, '+');
		if (fabs(change) < 99999)
			text_add_fixed(&cell, change, 1);
		else
			text_add_short(&cell, change, 0);
		text_add(&cell, percent ? " pt" : "%");
	}
	add_right(out, &cell, CHANGE_CELLS);
	text_release(&cell);
}

static bool says_nothing(const struct side *side)
{
	return side->why != NA_NONE || side->e.value == 0;
}

/* The verdict, or if there is none the reason where it fits into the line. */
static const char *conclusion(const struct comparison *c)
{
	const char *reason = judged_reason(c);

	return *reason && strlen(reason) <= REASON_CELLS ? reason : verdict_name(c->verdict);
}

static void add_line(struct text *out, const struct text *name, const struct metric *m, const struct judged *j)
{
	bool percent = m->rules.flags & METRIC_PERCENT;

	add_left(out, name, NAME_CELLS);
	text_addf(out, " %-*s ", METRIC_CELLS, m->name);
	add_side(out, &j->before, m);
	text_add(out, " -> ");
	add_side(out, &j->after, m);
	add_change(out, j, percent);
	text_addf(out, "  %s\n", conclusion(&j->c));
}

/* A reason that a line has no room for; once, for all that it holds for. */
static void add_long_reasons(struct text *out, const struct text *name, struct text names[NA_COUNT])
{
	for (unsigned int why = 0; why < NA_COUNT; why++) {
		if (names[why].len)
			text_addf(out, "%s na: %s: %s\n", text_str(name), na_text((enum na)why), text_str(&names[why]));
		text_release(&names[why]);
	}
}

static void note_reason(struct text names[NA_COUNT], const struct comparison *c, const struct metric *m)
{
	struct text *of = &names[c->why_after != NA_NONE ? c->why_after : c->why_before];

	if (strlen(judged_reason(c)) <= REASON_CELLS)
		return;
	text_add(of, of->len ? " " : "");
	text_add(of, m->name);
}

static void add_device(struct engine *e, uint32_t slot, struct text *out)
{
	const char *name = engine_roster(e)->entries[slot].name;
	struct text safe = TEXT_INIT, cut = TEXT_INIT;
	struct text long_reasons[NA_COUNT] = { TEXT_INIT };
	struct judged j;

	text_add_safe(&safe, name, strlen(name));
	text_add_middle_cut(&cut, text_str(&safe), NAME_CELLS, "~");
	for (size_t i = 0; i < ARRAY_SIZE(told); i++) {
		if (!judge_device(e, slot, told[i], &j) || (says_nothing(&j.before) && says_nothing(&j.after)))
			continue;
		add_line(out, &cut, &metrics[told[i]], &j);
		note_reason(long_reasons, &j.c, &metrics[told[i]]);
	}
	add_long_reasons(out, &cut, long_reasons);
	text_release(&safe);
	text_release(&cut);
}

static void add_length(struct text *out, const char *name, const struct segment *s)
{
	text_addf(out, "%s ", name);
	text_add_fixed(out, segment_seconds(s), 1);
	text_addf(out, " s n %u", segment_bins(s));
}

static void add_words(struct text *out, const char *before, const char *s)
{
	if (!*s)
		return;
	text_add(out, before);
	text_add_safe(out, s, strlen(s));
}

/* The kernel, or both when BEFORE had another one. */
static void add_kernels(struct engine *e, struct text *out)
{
	const char *before = engine_before_release(e), *now = engine_release(e);
	bool differ = *before && *now && strcmp(before, now) != 0;

	add_words(out, " Linux ", differ ? before : now);
	add_words(out, " -> ", differ ? now : "");
}

static void add_headline(struct engine *e, struct text *out)
{
	text_add(out, "iodelta");
	add_words(out, " ", engine_host(e));
	add_kernels(e, out);
	text_add_char(out, '\n');
	add_length(out, "BEFORE", engine_before(e));
	add_length(out, ", AFTER", engine_after(e));
	text_add(out, "; +- is the sd of bins, verdicts at 99.7%\n");
}

/* "dm-0 async_depth 256 -> 8" */
static void add_setup(const struct engine *e, struct text *out)
{
	struct setup_change *changes;
	size_t n = engine_setup(e, &changes);

	for (size_t i = 0; i < n; i++) {
		const struct setup_change *c = &changes[i];

		add_words(out, "", c->device);
		add_words(out, " ", attribute_short(c->attribute));
		add_words(out, " ", c->before ? c->before : "absent");
		add_words(out, " -> ", c->after ? c->after : "absent");
		text_add_char(out, '\n');
	}
	engine_setup_free(changes, n);
}

/* A tree's clock is the time since its boot. */
static void add_mark(const struct engine *e, const struct mark *m, struct text *out)
{
	time_t wall = (time_t)(m->wall_ns / NS_PER_S);
	int64_t up = m->t_ns > 0 ? m->t_ns / NS_PER_S : 0;
	struct tm tm;

	text_addf(out, "mark %u at ", m->number);
	if (engine_is_stepped(e))
		text_addf(out, "%lld:%02d:%02d", (long long)(up / 3600), (int)(up / 60 % 60), (int)(up % 60));
	else if (localtime_r(&wall, &tm))
		text_addf(out, "%02d:%02d:%02d", tm.tm_hour, tm.tm_min, tm.tm_sec);
	else
		text_add_char(out, '-');
	text_addf(out, "%s%s\n", *m->words ? " " : "", m->words);
}

static void add_marks(const struct engine *e, struct text *out)
{
	size_t n;
	const struct mark *marks = engine_marks(e, &n);

	for (size_t i = 0; i < n; i++)
		add_mark(e, &marks[i], out);
}

/* Devices that are not the same instance as in BEFORE, and what tells that they are the same device. */
static void add_matches(struct engine *e, const bool *shown, size_t n, struct text *out)
{
	for (uint32_t slot = 0; slot < engine_roster(e)->n; slot++) {
		const char *by = engine_matched_by(e, slot);

		if (!by || !is_compared(e, shown, n, slot))
			continue;
		add_words(out, "", engine_roster(e)->entries[slot].name);
		text_addf(out, " matched by %s\n", by);
	}
}

static bool any_shown(const bool *shown, size_t n)
{
	for (size_t i = 0; shown && i < n; i++) {
		if (shown[i])
			return true;
	}
	return !shown;
}

void comparison_text(struct engine *e, const bool *shown, size_t n, struct text *out)
{
	size_t start;

	if (!engine_before(e))
		return;
	add_headline(e, out);
	add_setup(e, out);
	add_marks(e, out);
	add_matches(e, shown, n, out);
	if (!segment_bins(engine_after(e))) {
		text_add(out, "AFTER is empty: there is nothing to compare yet\n");
		return;
	}
	start = out->len;
	for (uint32_t slot = 0; slot < engine_roster(e)->n; slot++) {
		if (is_compared(e, shown, n, slot) && is_active(e, slot))
			add_device(e, slot, out);
	}
	if (out->len == start)
		text_add(out, any_shown(shown, n) ? "no I/O in either\n" : "no device is shown\n");
}
