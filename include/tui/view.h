/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of the screen, passed around to panes and actions. It owns nothing of the engine's; values come from the
 * engine's const views when a frame is drawn.
 */
#ifndef IODELTA_TUI_VIEW_H
#define IODELTA_TUI_VIEW_H

#include "tui/columns.h"
#include "tui/pane.h"
#include "tui/pane_columns.h"
#include "tui/pane_edit.h"
#include "tui/pane_graph.h"
#include "tui/pane_journal.h"
#include "tui/pane_knobs.h"
#include "tui/pane_undo.h"
#include "tui/prompt.h"
#include "tui/rows.h"
#include "tui/screen.h"
#include "tui/sheet.h"
#include "tui/watch.h"

#define MESSAGES_KEPT 5
#define MOST_BAR 32

struct messages {
	char *said[MESSAGES_KEPT];      /* warnings of this run, the newest last, for after the screen */
	size_t n;
	struct text now;        /* what the line shows */
	int64_t since_ns;       /* by the samples' clock */
	bool unseen;            /* its time has not begun: it came with a sample that is still to be shown */
};

struct view {
	const struct watch_options *options;
	struct engine *engine;
	struct screen screen;
	struct layout layout;
	enum metric_id columns[LAYOUT_COLUMNS]; /* those the layout has places for */
	bool narrow;
	struct rows rows;
	struct prompt prompt;
	struct messages messages;
	struct text filter, search;
	enum stack_view shape;
	size_t set;             /* of columns */
	enum metric_id own[METRICS];    /* columns of the user's own, instead of the sets; shown from first_own on */
	size_t n_own, first_own;
	enum place place, came_from;    /* where keys go; where a page was opened from */
	struct knobs_state knobs;
	struct graph_pane graph;
	struct column_menu menu;
	struct edit edit;
	struct undo_choice undo;        /* what the undo page lists */
	size_t journal_back;            /* the journal's cursor: stretches from the newest back */
	bool *told;                     /* by action on knobs: what became of it has been said */
	size_t n_told, told_capacity;
	uint64_t told_happening;        /* the number of the last one */
	bool told_left;                 /* and what earlier runs left behind */
	struct text farewell;           /* the comparison as it was when that began */
	unsigned int leave_after;       /* the action to wait for before leaving; 0: none */
	struct sheet sheet;     /* of the page that is seen */
	int page_top;           /* its first line on the screen */
	bool one_segment;       /* one pane: AFTER's values instead of the last interval's */
	bool two_interval;      /* two panes: the last interval's instead of AFTER's */
	bool before_in_front;
	bool show_hidden, tagged_only;
	bool sorted, ascending;
	enum metric_id sort_by;
	bool ascii;             /* the user wants ASCII only */
	enum palette palette;
	struct bar_span {
		int x, end, key;
	} bar[MOST_BAR];        /* what the key line shows, for clicks */
	size_t n_bar;
	WINDOW *help;           /* NULL: the help is not open */
	struct panel *help_panel;
	int help_top;
	bool ended;             /* the trees have no more samples */
	bool leave;
	int status;             /* exit status */
};

void view_init(struct view *v, const struct watch_options *options) __attribute__((nonnull));
void view_release(struct view *v) __attribute__((nonnull));

/* Work out columns and places anew: after a change of size, panes or set. A part of view_rows. */
void view_layout(struct view *v) __attribute__((nonnull));
/* The list anew: after a sample, or when what decides about it changed. */
void view_rows(struct view *v) __attribute__((nonnull));
void view_draw(struct view *v) __attribute__((nonnull));
void view_key(struct view *v, int key) __attribute__((nonnull));

/* Tell the user in the message line. */
void view_say(struct view *v, const char *format, ...) __attribute__((nonnull, format(printf, 2, 3)));
/* A msg sink; arg is the view. */
void view_hear(const char *line, void *arg) __attribute__((nonnull));

/* BEFORE against AFTER of the devices that are shown, as text. */
void view_comparison(struct view *v, struct text *out) __attribute__((nonnull));

/* Select the next (1) or previous (-1) device that matches the search. */
void view_find(struct view *v, int direction) __attribute__((nonnull));

/* AFTER's place shows the segment, not the last interval. */
bool view_shows_segment(const struct view *v) __attribute__((nonnull));

/* The panes. */
void pane_header_draw(struct view *v) __attribute__((nonnull));
void pane_titles_draw(struct view *v) __attribute__((nonnull));
void pane_stacks_draw(struct view *v) __attribute__((nonnull));
void pane_status_draw(struct view *v) __attribute__((nonnull));
void pane_help_open(struct view *v) __attribute__((nonnull));
void pane_help_close(struct view *v) __attribute__((nonnull));
void pane_help_draw(struct view *v) __attribute__((nonnull));
/* True when the help took the key; false: it closed, and the key is the list's. */
bool pane_help_key(struct view *v, int key) __attribute__((nonnull));

#endif
