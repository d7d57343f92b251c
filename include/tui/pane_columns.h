/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The menu of columns: every metric with its sentence; those that are ticked become the list's, in their order. */
#ifndef IODELTA_TUI_PANE_COLUMNS_H
#define IODELTA_TUI_PANE_COLUMNS_H

#include <stdbool.h>

#include "model/metric.h"
#include "tui/layout.h"

struct view;

struct column_menu {
	enum metric_id order[METRICS];
	bool ticked[METRICS];   /* by place in `order` */
	int at;
};

void pane_columns_draw(struct view *v, struct area area) __attribute__((nonnull));

void act_columns_open(struct view *v, int key) __attribute__((nonnull));
void act_columns_move(struct view *v, int key) __attribute__((nonnull));
void act_columns_tick(struct view *v, int key) __attribute__((nonnull));
void act_columns_shift(struct view *v, int key) __attribute__((nonnull));
void act_columns_take(struct view *v, int key) __attribute__((nonnull));

#endif
