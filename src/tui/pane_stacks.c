/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of stacks with its numbers. */
#include "config.h"

#include <string.h>

#include "tui/label.h"
#include "tui/layer.h"
#include "tui/values.h"
#include "tui/view.h"

#define UTIL_ODD 105            /* %util above this is no rounding */
#define NOTE_ROWS 8             /* from this height on a row is kept for what is hidden */

/* --- names --- */

static void put_name(struct view *v, struct pen *p, const char *name)
{
	struct text clean = TEXT_INIT;
	struct text cut = TEXT_INIT;
	int room = pen_room(p);

	text_add_safe(&clean, name, strlen(name));
	text_add_middle_cut(&cut, text_str(&clean), room > 0 ? (size_t)room : 0,
			    theme_glyph(&v->screen.theme, GLYPH_CUT));
	pen_put(p, ROLE_TEXT, text_str(&cut));
	text_release(&clean);
	text_release(&cut);
}

/* After the name, if at least a few cells are left for it. */
static void put_beside(struct view *v, struct pen *p, enum role role, const char *words)
{
	struct text cut = TEXT_INIT;
	int room = pen_room(p) - 1;

	if (!*words || (room < 4 && (int)text_cells(words) > room))
		return;
	text_add_middle_cut(&cut, words, (size_t)room, theme_glyph(&v->screen.theme, GLYPH_CUT));
	pen_put(p, role, " ");
	pen_put(p, role, text_str(&cut));
	text_release(&cut);
}

static void put_device(struct view *v, struct pen *p, uint32_t device)
{
	const struct device *d = &engine_topology(v->engine)->devices[device];
	struct note note = NOTE_INIT;
	struct text detail = TEXT_INIT;
	bool room_for_words;

	put_name(v, p, d->name);
	note_take(&note, v, device);
	label_detail(&detail, v, device);
	room_for_words = (int)text_cells(text_str(&note.words)) + (int)detail.len + 2 <= pen_room(p);
	put_beside(v, p, note.warn ? ROLE_WARN : ROLE_DIM, text_str(room_for_words ? &note.words : &note.brief));
	put_beside(v, p, ROLE_DIM, text_str(&detail));
	if (note.ordinary && (int)strlen(note.ordinary) < pen_room(p))
		put_beside(v, p, ROLE_DIM, note.ordinary);
	note_release(&note);
	text_release(&detail);
}

/* The shares, and a split that is odd; where there is no room for both the split is what matters. */
static void put_sum(struct view *v, struct pen *p, const struct line *line)
{
	enum side side = view_shows_segment(v) ? SIDE_AFTER : SIDE_LAST;
	struct text shares = TEXT_INIT, split = TEXT_INIT;
	struct layer layer;

	pen_glyph(p, ROLE_TEXT, GLYPH_SUM);
	label_shares(&shares, v, line, side);
	if (layer_take(&layer, v, line->device, side))
		layer_brief(&split, &layer);
	if (!split.len || (int)(text_cells(text_str(&shares)) + split.len) + 2 <= pen_room(p))
		put_beside(v, p, ROLE_TEXT, text_str(&shares));
	put_beside(v, p, ROLE_WARN, text_str(&split));
	text_release(&shares);
	text_release(&split);
}

static void put_reference(struct view *v, struct pen *p, const struct line *line)
{
	pen_glyph(p, ROLE_DIM, GLYPH_REFERENCE);
	pen_put(p, ROLE_DIM, " ");
	put_name(v, p, engine_topology(v->engine)->devices[line->device].name);
}

static void put_label(struct view *v, struct pen *p, const struct line *line)
{
	const struct stack *s = engine_stack(v->engine, v->shape);
	struct text prefix = TEXT_INIT;

	label_prefix(&prefix, &v->screen.theme, s, line->row, rows_is_folded(&v->rows, line->slot));
	pen_put(p, ROLE_DIM, text_str(&prefix));
	if (line->kind == LINE_DEVICE && rows_is_tagged(&v->rows, line->slot))
		pen_put(p, ROLE_KEY, "*");
	text_release(&prefix);
	if (line->kind == LINE_SUM)
		put_sum(v, p, line);
	else if (line->kind == LINE_REFERENCE)
		put_reference(v, p, line);
	else
		put_device(v, p, line->device);
}

/* --- numbers --- */

static void put_number(struct pen *p, const struct reading *r, enum metric_id m, int width)
{
	struct text number = TEXT_INIT;
	enum role role = ROLE_TEXT;

	if (r->why != NA_NONE) {
		pen_right(p, ROLE_DIM, "-", width);
		return;
	}
	text_add_short(&number, r->e.value, metrics[m].decimals);
	if (m == M_PCT_UTIL && r->e.value > UTIL_ODD)
		role = ROLE_WARN;
	else if (!(r->e.value > 0))
		role = ROLE_DIM;
	pen_right(p, role, text_str(&number), width);
	text_release(&number);
}

/* Better or worse only where the metric has a direction. */
static enum role mark_role(int mark, enum metric_id m)
{
	int better = mark * metrics[m].rules.direction;

	if (!mark)
		return ROLE_DIM;
	return better > 0 ? ROLE_BETTER : better < 0 ? ROLE_WORSE : ROLE_CHANGED;
}

static void put_change(struct pen *p, const struct view *v, const struct line *line, enum metric_id m, int mark)
{
	struct comparison c;
	struct text change = TEXT_INIT;

	if (engine_compare(v->engine, line->slot, m, &c))
		change_text(&change, &c, &metrics[m].rules);
	pen_to(p, p->x + 1);
	pen_right(p, mark_role(mark, m), text_str(&change), CHANGE_CELLS);
	text_release(&change);
}

static void put_after_tail(struct pen *p, const struct view *v, const struct line *line, enum metric_id m)
{
	bool judged = line->kind == LINE_DEVICE && line->slot != SLOT_NONE && view_shows_segment(v);
	int mark = judged ? engine_mark(v->engine, line->slot, m) : 0;

	if (mark)
		pen_glyph(p, mark_role(mark, m), mark > 0 ? GLYPH_ROSE : GLYPH_FELL);
	else
		pen_to(p, p->x + 1);
	if (judged && v->layout.with_change)
		put_change(p, v, line, m, mark);
}

static void put_spread(struct pen *p, const struct reading *before, const struct reading *after, enum metric_id m)
{
	struct text part = TEXT_INIT;

	text_add(&part, theme_glyph(&p->screen->theme, GLYPH_PLUS_MINUS));
	spread_text(&part, &metrics[m], &before->e, &after->e);
	pen_put(p, ROLE_DIM, text_str(&part));
	text_release(&part);
}

/* Change, noise and verdict; nothing where both sides are 0 or one has no value. */
static void put_verdict(struct pen *p, const struct view *v, const struct line *line, enum metric_id m)
{
	struct reading before, after;
	struct comparison c;
	struct text change = TEXT_INIT;
	enum role role = ROLE_DIM;
	int x = p->x;

	if (line->kind != LINE_DEVICE || line->slot == SLOT_NONE || !engine_compare(v->engine, line->slot, m, &c) ||
	    c.verdict == VERDICT_NA)
		return;
	reading_take(&before, v->engine, &v->rows, line, SIDE_BEFORE, m);
	reading_take(&after, v->engine, &v->rows, line, SIDE_AFTER, m);
	if (!(before.e.value > 0) && !(after.e.value > 0))
		return;
	if (c.verdict == VERDICT_CLEAR)
		role = mark_role(c.change > 0 ? 1 : -1, m);
	change_text(&change, &c, &metrics[m].rules);
	pen_right(p, role, text_str(&change), CHANGE_CELLS);
	pen_to(p, x + CHANGE_CELLS + 1);
	if (before.why == NA_NONE && after.why == NA_NONE)
		put_spread(p, &before, &after, m);
	pen_to(p, x + CHANGE_CELLS + 1 + SD_CELLS + 1);
	pen_put(p, role, verdict_name(c.verdict));
	text_release(&change);
}

static void put_cell(struct view *v, struct pen *p, const struct line *line, const struct layout_block *block, size_t i)
{
	enum metric_id m = v->columns[i];
	enum side side = block->kind == BLOCK_BEFORE ? SIDE_BEFORE : view_shows_segment(v) ? SIDE_AFTER : SIDE_LAST;
	struct reading r;

	pen_to(p, block->cell_x[i]);
	if (block->kind == BLOCK_CHANGE) {
		put_verdict(p, v, line, m);
		return;
	}
	reading_take(&r, v->engine, &v->rows, line, side, m);
	put_number(p, &r, m, block->cell_w[i]);
	if (block->kind == BLOCK_AFTER)
		put_after_tail(p, v, line, m);
}

static void draw_line(struct view *v, int y, const struct line *line, bool selected)
{
	const struct layout *l = &v->layout;
	struct pen p = pen_at(&v->screen, y, 0, v->screen.cols);
	int end = p.end;

	p.selected = selected;
	p.end = l->name_w;
	put_label(v, &p, line);
	p.end = end;
	for (size_t b = 0; b < l->n_blocks; b++) {
		const struct layout_block *block = &l->blocks[b];

		pen_to(&p, block->x);
		if (l->n_blocks > 1)
			pen_glyph(&p, ROLE_DIM, GLYPH_BAR);
		for (size_t i = 0; i < l->n_columns && line->kind != LINE_REFERENCE; i++)
			put_cell(v, &p, line, block, i);
		pen_to(&p, block->x + block->w);
	}
}

static void draw_empty(struct view *v)
{
	struct pen p = pen_at(&v->screen, v->layout.body.y, 0, v->screen.cols);

	if (!engine_samples(v->engine)) {
		pen_put(&p, ROLE_DIM, "reading the first sample");
	} else if (v->filter.len) {
		pen_put(&p, ROLE_DIM, "nothing matches ");
		pen_put(&p, ROLE_DIM, text_str(&v->filter));
	} else {
		pen_put(&p, ROLE_DIM, "no block devices");
	}
}

static void draw_hidden(struct view *v, int y)
{
	struct pen p = pen_at(&v->screen, y, 0, v->screen.cols);
	struct text words = TEXT_INIT;

	if (v->rows.hidden == 1)
		text_add(&words, "1 loop, ram or idle device hidden (z)");
	else
		text_addf(&words, "%zu loop, ram and idle devices hidden (z)", v->rows.hidden);
	pen_put(&p, ROLE_DIM, text_str(&words));
	text_release(&words);
}

void pane_stacks_draw(struct view *v)
{
	const struct band *body = &v->layout.body;
	int height = body->h;
	int y = body->y;

	if (v->rows.hidden && body->h >= NOTE_ROWS)
		height--;
	rows_scroll(&v->rows, (size_t)height);
	if (!v->rows.n) {
		draw_empty(v);
		y++;
	}
	for (size_t i = v->rows.top; i < v->rows.n && y < body->y + height; i++, y++)
		draw_line(v, y, &v->rows.v[i], i == v->rows.selected);
	if (v->rows.hidden && y < body->y + body->h)
		draw_hidden(v, y);
}
