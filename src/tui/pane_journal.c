/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/pane_journal.h"

#include <string.h>

#include "tui/judged.h"
#include "tui/key.h"
#include "tui/pane.h"
#include "tui/values.h"
#include "tui/view.h"

/* Columns: letter, n, length, the metric and its sd, which side it is, what began it. */
#define LETTER_W 6
#define N_W 6
#define LENGTH_W 7
#define VALUE_W 9

/* The cursor's place, from the newest on; the list may have lost old ones. */
static size_t cursor(const struct view *v)
{
	size_t n = engine_stretches(v->engine);

	return v->journal_back < n ? n - 1 - v->journal_back : 0;
}

static uint32_t selected_slot(const struct view *v)
{
	const struct line *line = rows_selected(&v->rows);

	return line ? line->slot : SLOT_NONE;
}

/* Where there is little room, what began it is worth more than the length and the sd. */
static bool is_narrow(const struct view *v)
{
	return v->screen.cols < LAYOUT_TWO_PANES;
}

static void put_estimate(struct view *v, struct sheet *s, size_t i, enum metric_id m)
{
	struct text words = TEXT_INIT;
	struct estimate e;
	enum na why = engine_estimate_stretch(v->engine, i, selected_slot(v), m, &e);

	if (why == NA_NONE)
		text_add_short(&words, e.value, metrics[m].decimals);
	else
		text_add_char(&words, '-');
	sheet_right(s, ROLE_TEXT, text_str(&words), VALUE_W);
	text_clear(&words);
	if (why == NA_NONE && e.kind == ESTIMATE_BINS)
		text_add_short(&words, e.sd, metrics[m].decimals);
	if (!is_narrow(v))
		sheet_right(s, ROLE_DIM, text_str(&words), VALUE_W);
	text_release(&words);
}

static void put_side(const struct view *v, struct sheet *s, const struct stretch_view *one)
{
	static const char *const words[] = { "BEFORE", "AFTER ", "      ", "runs  " };
	size_t i = one->is_before ? 0 : one->is_after ? 1 : one->to_ns ? 2 : 3;
	char first[2] = { words[i][0], '\0' };

	sheet_put(s, ROLE_HEAD, is_narrow(v) ? first : words[i]);
}

static void put_stretch(struct view *v, struct sheet *s, size_t i, enum metric_id m)
{
	struct stretch_view one;
	struct text words = TEXT_INIT;

	engine_stretch(v->engine, i, &one);
	sheet_put(s, ROLE_ACCENT, i == cursor(v) ? ">" : " ");
	stretch_letter(one.number, &words);
	if (one.setting != one.number) {
		text_add_char(&words, '=');
		stretch_letter(one.setting, &words);
	}
	sheet_put(s, i == cursor(v) ? ROLE_ACCENT : ROLE_HEAD, text_str(&words));
	text_clear(&words);
	text_addf(&words, "%u", segment_bins(one.segment));
	sheet_to(s, LETTER_W);
	sheet_right(s, ROLE_TEXT, text_str(&words), N_W);
	text_clear(&words);
	length_text(&words, segment_seconds(one.segment));
	if (!is_narrow(v))
		sheet_right(s, ROLE_TEXT, text_str(&words), LENGTH_W);
	put_estimate(v, s, i, m);
	sheet_to(s, LETTER_W + N_W + VALUE_W + (is_narrow(v) ? 1 : LENGTH_W + VALUE_W + 2));
	put_side(v, s, &one);
	text_clear(&words);
	text_add_char(&words, ' ');
	stretch_words(&one, theme_glyph(&v->screen.theme, GLYPH_TO), &words);
	sheet_put(s, ROLE_TEXT, text_str(&words));
	if (one.taint) {
		sheet_put(s, ROLE_WARN, "  ! ");
		sheet_put(s, ROLE_WARN, one.taint);
	}
	sheet_end_line(s);
	text_release(&words);
}

static void put_headings(struct view *v, struct sheet *s, enum metric_id m)
{
	const char *device = engine_knob_device(v->engine, selected_slot(v));
	struct text words = TEXT_INIT;

	sheet_put(s, ROLE_ACCENT, "JOURNAL ");
	text_addf(&words, "%s %s ", device, metric_heading(&metrics[m], v->options->legacy));
	sheet_put(s, ROLE_HEAD, text_str(&words));
	sheet_put(s, ROLE_DIM, " b BEFORE  a AFTER  [ ] metric  u U undo");
	sheet_end_line(s);
	sheet_to(s, LETTER_W);
	sheet_right(s, ROLE_DIM, "n", N_W);
	if (!is_narrow(v))
		sheet_right(s, ROLE_DIM, "length", LENGTH_W);
	sheet_right(s, ROLE_DIM, metric_heading(&metrics[m], v->options->legacy), VALUE_W);
	if (!is_narrow(v))
		sheet_right(s, ROLE_DIM, "sd", VALUE_W);
	sheet_end_line(s);
	text_release(&words);
}

/* BEFORE against AFTER, or the last two settings where they were taken in turn. */
static void put_finding(struct view *v, struct sheet *s, enum metric_id m)
{
	struct comparison c;
	struct text words = TEXT_INIT;
	unsigned int a, b;
	bool repeated = engine_repeated(v->engine, selected_slot(v), m, &c, &a, &b);

	if (repeated) {
		stretch_letter(a, &words);
		text_addf(&words, " %s ", theme_glyph(&v->screen.theme, GLYPH_TO));
		stretch_letter(b, &words);
		text_add(&words, " in turn: ");
	} else if (engine_compare(v->engine, selected_slot(v), m, &c)) {
		text_addf(&words, "BEFORE %s AFTER: ", theme_glyph(&v->screen.theme, GLYPH_TO));
	} else {
		text_release(&words);
		return;
	}
	sheet_end_line(s);
	if (c.has_change) {
		change_text(&words, &c, &metrics[m].rules);
		text_add_char(&words, ' ');
	}
	text_add(&words, verdict_name(c.verdict));
	sheet_to(s, 1);
	sheet_put(s, c.better > 0 ? ROLE_BETTER : c.better < 0 ? ROLE_WORSE : ROLE_TEXT, text_str(&words));
	sheet_end_line(s);
	text_release(&words);
}

static void put_writes(struct view *v, struct sheet *s)
{
	size_t n;
	const struct knob_action *actions = engine_actions(v->engine, &n);
	struct text words = TEXT_INIT;

	if (n)
		sheet_heading(s, " WRITES of this run");
	for (size_t i = n; i-- > 0;) {
		for (size_t j = 0; j < actions[i].n; j++) {
			const struct knob_write *w = &actions[i].writes[j];

			text_clear(&words);
			clock_text(&words, v->engine, actions[i].t_ns);
			text_add_char(&words, ' ');
			knob_write_words(w, theme_glyph(&v->screen.theme, GLYPH_TO), &words);
			sheet_to(s, 1);
			sheet_put(s, w->state == WRITE_DONE && knob_write_failed(w) ? ROLE_WARN : ROLE_TEXT,
				  text_str(&words));
			sheet_end_line(s);
		}
	}
	text_release(&words);
}

void pane_journal_draw(struct view *v, struct area area)
{
	enum metric_id m = graph_metric(v);
	struct sheet *s = &v->sheet;
	int line;

	sheet_clear(s);
	put_headings(v, s, m);
	for (size_t i = 0; i < engine_stretches(v->engine); i++)
		put_stretch(v, s, i, m);
	put_finding(v, s, m);
	put_writes(v, s);
	line = (int)cursor(v) + 2;
	if (line < v->page_top + 2)
		v->page_top = line - 2;
	if (line >= v->page_top + area.h)
		v->page_top = line - area.h + 1;
	sheet_draw(s, &v->screen, area, &v->page_top);
}

/* --- keys --- */

void act_journal(struct view *v, int key)
{
	(void)key;
	v->journal_back = 0;
	panes_go(v, ON_JOURNAL);
}

void act_journal_move(struct view *v, int key)
{
	long n = (long)engine_stretches(v->engine);
	long back = (long)v->journal_back - key_step(key, v->layout.page.h - 3);

	v->journal_back = (size_t)(back < 0 ? 0 : back >= n ? n - 1 : back);
}

void act_journal_choose(struct view *v, int key)
{
	size_t at = cursor(v);
	bool done = key == 'b' ? engine_choose_before(v->engine, at) : engine_choose_after(v->engine, at);

	if (!done)
		view_say(v, "nothing was measured in it yet");
	view_rows(v);
}
