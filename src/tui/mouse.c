/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/mouse.h"

#include "tui/key.h"
#include "tui/view.h"

#define WHEEL_LINES 3

static bool in_band(const struct band *band, int y)
{
	return y >= band->y && y < band->y + band->h;
}

static void click_key(struct view *v, int x)
{
	for (size_t i = 0; i < v->n_bar; i++) {
		if (x >= v->bar[i].x && x < v->bar[i].end) {
			view_key(v, v->bar[i].key);
			return;
		}
	}
}

/* A column's heading sorts by it; once more, the other way round. */
static void click_heading(struct view *v, int x)
{
	const struct layout *l = &v->layout;

	for (size_t b = 0; b < l->n_blocks; b++) {
		for (size_t i = 0; i < l->n_columns; i++) {
			if (x < l->blocks[b].cell_x[i] || x >= l->blocks[b].cell_x[i] + l->blocks[b].cell_w[i])
				continue;
			if (v->sorted && v->sort_by == v->columns[i])
				v->ascending = !v->ascending;
			v->sorted = true;
			v->sort_by = v->columns[i];
			view_rows(v);
			return;
		}
	}
}

static void click_row(struct view *v, int y)
{
	size_t at = v->rows.top + (size_t)(y - v->layout.body.y);

	v->place = IN_LIST;
	if (at < v->rows.n)
		rows_select(&v->rows, at);
	view_rows(v);
}

static void click(struct view *v, int y, int x)
{
	const struct layout *l = &v->layout;

	if (l->keys.h && y == l->keys.y)
		click_key(v, x);
	else if (!(v->place & STACKS_PAGE))
		return;
	else if (l->titles.h && y == l->titles.y + 1)
		click_heading(v, x);
	else if (in_band(&l->body, y))
		click_row(v, y);
	else if (in_band(&l->lower, y))
		panes_click(v, y, x);
}

void mouse_act(struct view *v, const struct click *c)
{
	if (v->help || v->prompt.kind != PROMPT_NONE || v->layout.too_small)
		return;
	if (!c->wheel) {
		click(v, c->y, c->x);
		return;
	}
	for (int i = 0; i < WHEEL_LINES; i++)
		view_key(v, c->wheel < 0 ? K_UP : K_DOWN);
}
