/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/pane_columns.h"

#include <string.h>

#include "base/alloc.h"
#include "tui/pane.h"
#include "tui/key.h"
#include "tui/view.h"

#define NAME_X 4
#define HELP_X 15

/* The columns that are seen come first, in their order and ticked; then all others. */
void act_columns_open(struct view *v, int key)
{
	struct column_menu *menu = &v->menu;
	const enum metric_id *seen = v->n_own ? v->own : v->columns;
	size_t n_seen = v->n_own ? v->n_own : v->layout.n_columns;
	size_t n = 0;

	(void)key;
	memset(menu, 0, sizeof(*menu));
	for (size_t i = 0; i < n_seen; i++) {
		menu->ticked[n] = true;
		menu->order[n++] = seen[i];
	}
	for (enum metric_id m = 0; m < METRICS; m++) {
		if (!metric_among(seen, n_seen, m))
			menu->order[n++] = m;
	}
	panes_go(v, ON_COLUMNS);
}

void act_columns_move(struct view *v, int key)
{
	v->menu.at += key_step(key, v->layout.page.h - 3);
	v->menu.at = v->menu.at < 0 ? 0 : v->menu.at >= METRICS ? METRICS - 1 : v->menu.at;
}

void act_columns_tick(struct view *v, int key)
{
	(void)key;
	v->menu.ticked[v->menu.at] = !v->menu.ticked[v->menu.at];
}

/* The metric changes places with its neighbour and keeps the cursor. */
void act_columns_shift(struct view *v, int key)
{
	struct column_menu *menu = &v->menu;
	int to = menu->at + (key == '<' ? -1 : 1);
	enum metric_id m = menu->order[menu->at];
	bool ticked = menu->ticked[menu->at];

	if (to < 0 || to >= METRICS)
		return;
	menu->order[menu->at] = menu->order[to];
	menu->ticked[menu->at] = menu->ticked[to];
	menu->order[to] = m;
	menu->ticked[to] = ticked;
	menu->at = to;
}

/* Nothing ticked: back to the sets. */
void act_columns_take(struct view *v, int key)
{
	v->n_own = 0;
	v->first_own = 0;
	for (size_t i = 0; i < METRICS; i++) {
		if (v->menu.ticked[i])
			v->own[v->n_own++] = v->menu.order[i];
	}
	act_back(v, key);
	view_rows(v);
}

static void put_row(struct view *v, struct pen *p, int i)
{
	const struct metric *m = &metrics[v->menu.order[i]];
	int x = p->x;

	p->selected = i == v->menu.at;
	pen_put(p, ROLE_KEY, v->menu.ticked[i] ? "[x]" : "[ ]");
	pen_to(p, x + NAME_X);
	pen_put(p, v->menu.ticked[i] ? ROLE_HEAD : ROLE_TEXT, metric_heading(m, v->options->legacy));
	pen_to(p, x + HELP_X);
	pen_put(p, ROLE_DIM, m->help);
}

void pane_columns_draw(struct view *v, struct area area)
{
	struct pen p = pen_at(&v->screen, area.y, area.x, area.w);
	int rows = area.h - 2;

	pen_put(&p, ROLE_ACCENT, "COLUMNS");
	pen_put(&p, ROLE_DIM, "  Space ticks, < > move one, Enter shows them, Esc changes nothing");
	if (v->menu.at < v->page_top)
		v->page_top = v->menu.at;
	if (v->menu.at >= v->page_top + rows)
		v->page_top = v->menu.at - rows + 1;
	for (int y = 0; y < rows && v->page_top + y < METRICS; y++) {
		p = pen_at(&v->screen, area.y + 1 + y, area.x, area.w);
		put_row(v, &p, v->page_top + y);
	}
}
