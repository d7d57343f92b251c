/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sets of columns, as tables: which metrics stand in one pane and in two, from which width on. Pure. */
#ifndef IODELTA_TUI_COLUMNS_H
#define IODELTA_TUI_COLUMNS_H

#include "model/metric.h"
#include "tui/layout.h"

/* What is wanted on the screen. */
struct column_wish {
	size_t set;             /* which set (columns_sets() of them) */
	bool two;               /* BEFORE and AFTER are there */
	int cols;
	bool legacy;
	const enum metric_id *own;      /* --columns: these instead, from `first` on */
	size_t n_own, first;
};

size_t columns_sets(void);
const char *columns_set_name(size_t set) __attribute__((returns_nonnull));

/* Fill both arrays (LAYOUT_COLUMNS places each), return how many. */
size_t columns_wanted(const struct column_wish *wish, enum metric_id *ids, struct layout_column *columns)
	__attribute__((nonnull));

/* The heading; `narrow` where a shorter one must do. */
const char *column_heading(enum metric_id m, bool legacy, bool narrow) __attribute__((returns_nonnull));
bool columns_narrow(const struct column_wish *wish) __attribute__((nonnull));

#endif
