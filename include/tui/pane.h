/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the screen is made of: the stacks with their lower panes, and pages that take the place between heading and
 * status lines. One row a pane; adding one is adding a row.
 */
#ifndef IODELTA_TUI_PANE_H
#define IODELTA_TUI_PANE_H

#include "tui/layout.h"

struct view;

/* Where keys go: a bit each, so that an action can name several. */
enum place {
	IN_LIST = 1, IN_KNOBS = 2, IN_GRAPH = 4, ON_DETAIL = 8, ON_SYSTEM = 16, ON_COLUMNS = 32,
	ON_EDIT = 64, ON_UNDO = 128, ON_JOURNAL = 256, ON_QUIT = 512,
	LOWER_PANES = IN_KNOBS | IN_GRAPH,
	STACKS_PAGE = IN_LIST | LOWER_PANES,
	SCROLLED_PAGES = ON_DETAIL | ON_SYSTEM,
	EVERYWHERE = STACKS_PAGE | SCROLLED_PAGES,
	KNOB_PAGES = ON_EDIT | ON_UNDO | ON_JOURNAL | ON_QUIT,
	ALL_PLACES = EVERYWHERE | ON_COLUMNS | KNOB_PAGES,
};

struct pane {
	enum place place;
	void (*draw)(struct view *v, struct area area);
};

/* Draw what belongs to the page that is seen. */
void panes_draw(struct view *v) __attribute__((nonnull));

/* Tab and S-Tab: the next place on the stacks' page. */
void act_pane(struct view *v, int key) __attribute__((nonnull));
/* A click into the lower part: it goes to the pane that lies there. */
void panes_click(struct view *v, int y, int x) __attribute__((nonnull));
/* Another page; from there back to where one came from. */
void panes_go(struct view *v, enum place page) __attribute__((nonnull));
void act_back(struct view *v, int key) __attribute__((nonnull));

#endif
