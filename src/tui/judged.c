/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/judged.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

/* What stands in a line, and from which width on. */
enum part {
	PART_LAST, PART_BEFORE, PART_BEFORE_SD, PART_AFTER, PART_AFTER_SD, PART_CHANGE, PART_INTERVAL, PART_VERDICT
};

static const struct part_row {
	enum part part;
	const char *heading;
	int cells;
	int from;               /* there is room for it on pages this wide */
	bool two;               /* only with a BEFORE */
} parts[] = {
	{ PART_LAST, "last", 8, 56, false },
	{ PART_BEFORE, "BEFORE", 8, 0, true },
	{ PART_BEFORE_SD, "", 7, 80, true },
	{ PART_AFTER, "AFTER", 8, 0, false },
	{ PART_AFTER_SD, "", 7, 80, false },
	{ PART_CHANGE, "change", 7, 0, true },
	{ PART_INTERVAL, "99.7%", 16, 100, true },
	{ PART_VERDICT, "verdict", 8, 0, true },
};

#define NARROW 56
#define NARROW_CELLS 7          /* of a value where there is little room */

static int name_cells(int w)
{
	return w < NARROW ? 10 : w < 100 ? 16 : 24;
}

static int part_cells(const struct part_row *part, int w)
{
	return w < NARROW && part->cells > NARROW_CELLS ? NARROW_CELLS : part->cells;
}

static bool has_room(const struct part_row *part, int w, bool two)
{
	return w >= part->from && (two || !part->two);
}

void judged_heading(struct sheet *s, const struct theme *theme, int w, bool two)
{
	struct text sd = TEXT_INIT;

	text_addf(&sd, "%ssd", theme_glyph(theme, GLYPH_PLUS_MINUS));
	sheet_put(s, ROLE_HEAD, "METRIC");
	sheet_to(s, name_cells(w));
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		const char *heading = *parts[i].heading ? parts[i].heading : text_str(&sd);

		if (!has_room(&parts[i], w, two))
			continue;
		if (parts[i].part == PART_VERDICT) {
			sheet_put(s, ROLE_HEAD, "  ");
			sheet_put(s, ROLE_HEAD, heading);
		} else {
			sheet_right(s, ROLE_HEAD, heading, part_cells(&parts[i], w));
		}
	}
	sheet_end_line(s);
	text_release(&sd);
}

static void add_value(struct text *out, const struct judged_line *line, const struct reading *r)
{
	if (!r || r->why != NA_NONE)
		text_add_char(out, '-');
	else
		text_add_short(out, r->e.value, line->decimals);
}

static void add_sd(struct text *out, const struct theme *theme, const struct judged_line *line, const struct reading *r)
{
	if (!r || r->why != NA_NONE || r->e.kind == ESTIMATE_SINGLE || !isfinite(r->e.sd))
		return;
	text_add(out, theme_glyph(theme, GLYPH_PLUS_MINUS));
	text_add_short(out, r->e.sd, line->decimals);
}

static bool is_change(const struct judged_line *line)
{
	const struct comparison *c = line->comparison;

	return c && c->verdict != VERDICT_NA && c->verdict != VERDICT_NEW && c->verdict != VERDICT_GONE;
}

static void add_bound(struct text *out, double v)
{
	text_add_char(out, v < 0 ? '-' : '+');
	text_add_short(out, fabs(v), 1);
}

static void add_interval(struct text *out, const struct judged_line *line)
{
	const struct comparison *c = line->comparison;

	if (!is_change(line) || !c->has_ci || !isfinite(c->ci_low) || !isfinite(c->ci_high))
		return;
	add_bound(out, c->ci_low);
	text_add(out, "..");
	add_bound(out, c->ci_high);
	text_add(out, line->rules->flags & METRIC_PERCENT ? "" : "%");
}

/* The verdict, or why a side has no value. */
static enum role verdict_words(struct text *out, const struct judged_line *line)
{
	const struct comparison *c = line->comparison;

	text_add(out, "  ");
	if (!c)
		return ROLE_DIM;
	if (c->verdict == VERDICT_NA) {
		text_add(out, na_text(c->why_after != NA_NONE ? c->why_after : c->why_before));
		return ROLE_DIM;
	}
	text_add(out, verdict_name(c->verdict));
	if (c->verdict != VERDICT_CLEAR)
		return ROLE_DIM;
	return c->better > 0 ? ROLE_BETTER : c->better < 0 ? ROLE_WORSE : ROLE_CHANGED;
}

static enum role part_words(struct text *out, const struct theme *theme, const struct judged_line *line,
			    enum part part)
{
	switch (part) {
	case PART_LAST:
		add_value(out, line, line->last);
		return ROLE_TEXT;
	case PART_BEFORE:
		add_value(out, line, line->before);
		return ROLE_TEXT;
	case PART_AFTER:
		add_value(out, line, line->after);
		return ROLE_TEXT;
	case PART_BEFORE_SD:
		add_sd(out, theme, line, line->before);
		return ROLE_DIM;
	case PART_AFTER_SD:
		add_sd(out, theme, line, line->after);
		return ROLE_DIM;
	case PART_CHANGE:
		if (is_change(line))
			change_text(out, line->comparison, line->rules);
		return ROLE_TEXT;
	case PART_INTERVAL:
		add_interval(out, line);
		return ROLE_DIM;
	case PART_VERDICT:
		return verdict_words(out, line);
	}
	return ROLE_TEXT;
}

/* "r/s" needs no "1/s", "iowait %" no "%". */
static bool says_more(const struct judged_line *line)
{
	return strcmp(line->unit, "1/s") != 0 && !strstr(line->name, line->unit);
}

static bool nothing_there(const struct judged_line *line)
{
	return line->last->why != NA_NONE && line->after->why != NA_NONE &&
		(!line->before || line->before->why != NA_NONE);
}

/* In the place of all values, which are not there. */
static void put_reason(struct sheet *s, const struct judged_line *line)
{
	enum na why = line->after->why == NA_FIRST ? line->last->why : line->after->why;

	sheet_put(s, ROLE_DIM, "- ");
	sheet_put(s, ROLE_DIM, na_text(why));
}

static void put_part(struct sheet *s, const struct theme *theme, int w, const struct judged_line *line,
		     const struct part_row *part)
{
	struct text words = TEXT_INIT;
	enum role role;

	if (!has_room(part, w, line->comparison != NULL))
		return;
	role = part_words(&words, theme, line, part->part);
	if (part->part == PART_VERDICT)
		sheet_put(s, role, text_str(&words));
	else
		sheet_right(s, role, text_str(&words), part_cells(part, w));
	text_release(&words);
}

void judged_put(struct sheet *s, const struct theme *theme, int w, const struct judged_line *line)
{
	struct text words = TEXT_INIT;

	text_add_middle_cut(&words, line->name, (size_t)name_cells(w) - 1, theme_glyph(theme, GLYPH_CUT));
	sheet_put(s, ROLE_TEXT, text_str(&words));
	if (says_more(line) && s->x + (int)text_cells(line->unit) + 2 <= name_cells(w)) {
		sheet_put(s, ROLE_DIM, " ");
		sheet_put(s, ROLE_DIM, line->unit);
	}
	s->x = s->x < name_cells(w) ? name_cells(w) : s->x;
	if (nothing_there(line)) {
		put_reason(s, line);
	} else {
		for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
			put_part(s, theme, w, line, &parts[i]);
	}
	sheet_end_line(s);
	text_release(&words);
}
