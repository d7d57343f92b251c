/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/pane.h"

#include "base/alloc.h"
#include "tui/pane_columns.h"
#include "tui/pane_detail.h"
#include "tui/pane_edit.h"
#include "tui/pane_graph.h"
#include "tui/pane_journal.h"
#include "tui/pane_knobs.h"
#include "tui/pane_system.h"
#include "tui/pane_undo.h"
#include "tui/key.h"
#include "tui/view.h"

#define GAP 1

static const struct pane lower_panes[] = {
	{ IN_KNOBS, pane_knobs_draw },
	{ IN_GRAPH, pane_graph_draw },
};

static const struct pane pages[] = {
	{ ON_DETAIL, pane_detail_draw },
	{ ON_SYSTEM, pane_system_draw },
	{ ON_COLUMNS, pane_columns_draw },
	{ ON_EDIT, pane_edit_draw },
	{ ON_UNDO, pane_undo_draw },
	{ ON_JOURNAL, pane_journal_draw },
	{ ON_QUIT, pane_quit_draw },
};

/* Side by side; where there is no room for all, the one that is worked in. False: it is not seen. */
static bool lower_area(const struct view *v, size_t i, struct area *area)
{
	const struct band *lower = &v->layout.lower;
	bool together = v->screen.cols >= LAYOUT_TWO_PANES;
	int w = v->screen.cols / (int)ARRAY_SIZE(lower_panes);

	*area = (struct area){ lower->y, together ? (int)i * w : 0, lower->h, together ? w - GAP : v->screen.cols };
	return lower->h && (together || lower_panes[i].place == v->place || (v->place == IN_LIST && !i));
}

static void draw_lower(struct view *v)
{
	struct area area;

	for (size_t i = 0; i < ARRAY_SIZE(lower_panes); i++) {
		if (lower_area(v, i, &area))
			lower_panes[i].draw(v, area);
	}
}

void panes_click(struct view *v, int y, int x)
{
	struct area area;

	for (size_t i = 0; i < ARRAY_SIZE(lower_panes); i++) {
		if (!lower_area(v, i, &area) || x < area.x || x >= area.x + area.w)
			continue;
		v->place = lower_panes[i].place;
		if (v->place == IN_KNOBS)
			knobs_click(v, y - area.y, x - area.x);
		view_layout(v);
	}
}

void panes_draw(struct view *v)
{
	for (size_t i = 0; i < ARRAY_SIZE(pages); i++) {
		if (pages[i].place == v->place) {
			pages[i].draw(v, v->layout.page);
			return;
		}
	}
	if (v->layout.titles.h) {
		pane_titles_draw(v);
		pane_stacks_draw(v);
	}
	draw_lower(v);
}

/* The stops of Tab: the list once, or twice where BEFORE and AFTER take turns in it, then the lower panes. */
static size_t stop_now(const struct view *v, size_t turns)
{
	size_t at = turns;

	if (v->place == IN_LIST)
		return turns == 2 && v->before_in_front ? 1 : 0;
	for (size_t i = 0; i < ARRAY_SIZE(lower_panes); i++) {
		if (lower_panes[i].place == v->place)
			at = turns + i;
	}
	return at;
}

void act_pane(struct view *v, int key)
{
	size_t turns = engine_before(v->engine) && v->screen.cols < LAYOUT_TWO_PANES ? 2 : 1;
	size_t stops = turns + ARRAY_SIZE(lower_panes);
	size_t at = (stop_now(v, turns) + (key == K_BACKTAB ? stops - 1 : 1)) % stops;

	v->before_in_front = turns == 2 && at == 1;
	v->place = at < turns ? IN_LIST : lower_panes[at - turns].place;
	view_layout(v);
}

void panes_go(struct view *v, enum place page)
{
	if (v->place & STACKS_PAGE)
		v->came_from = v->place;
	v->place = page;
	v->page_top = 0;
	view_layout(v);
}

void act_back(struct view *v, int key)
{
	(void)key;
	v->place = v->place & STACKS_PAGE ? IN_LIST : v->came_from;
	view_layout(v);
}
