/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The graph: one metric of the selected device and the devices right below it over the history. The device is the
 * drawn line, those below are letters, so that they are told apart without colour.
 */
#ifndef IODELTA_TUI_PANE_GRAPH_H
#define IODELTA_TUI_PANE_GRAPH_H

#include "model/series.h"
#include "tui/layout.h"

struct view;

struct graph_pane {
	enum metric_id metric;
	bool chosen;            /* by the user; else it is the sort column or await */
	unsigned int zoom;      /* index into the lengths of a column */
	size_t cursor;          /* columns back from the newest; 0: the newest, and the cursor is not drawn */
	struct scale scale;
	enum metric_id scaled;  /* what the scale is for: another metric or device begins anew */
	uint32_t scaled_slot;
	unsigned char *cells;   /* of the plot: dots of the line, and a letter */
	size_t cells_capacity;
	struct value *values;   /* of one series after the other */
	size_t values_capacity;
};

/* What it shows: the metric that was chosen, the sort column, await. */
enum metric_id graph_metric(const struct view *v) __attribute__((nonnull));
void pane_graph_draw(struct view *v, struct area area) __attribute__((nonnull));
void graph_pane_release(struct graph_pane *g) __attribute__((nonnull));

void act_graph_metric(struct view *v, int key) __attribute__((nonnull));
void act_graph_cursor(struct view *v, int key) __attribute__((nonnull));
void act_graph_zoom(struct view *v, int key) __attribute__((nonnull));

#endif
