/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of metrics on a page: last, BEFORE, AFTER, change, its interval and the verdict, one metric a line. */
#ifndef IODELTA_TUI_JUDGED_H
#define IODELTA_TUI_JUDGED_H

#include "tui/sheet.h"
#include "tui/values.h"

/* What a line says; before and comparison are NULL without a BEFORE. */
struct judged_line {
	const char *name, *unit;
	const struct metric_rules *rules;
	int decimals;
	const struct reading *last, *before, *after;
	const struct comparison *comparison;
};

/* `w`: the cells of the page, which decide how much there is room for. */
void judged_heading(struct sheet *s, const struct theme *theme, int w, bool two) __attribute__((nonnull));
void judged_put(struct sheet *s, const struct theme *theme, int w, const struct judged_line *line)
	__attribute__((nonnull));

#endif
