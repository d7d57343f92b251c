/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands in the names column: the tree's lines, the device's names, and what must be known of it. */
#ifndef IODELTA_TUI_LABEL_H
#define IODELTA_TUI_LABEL_H

#include "tui/values.h"
#include "tui/view.h"

/* The tree's lines before the name: text to draw, glyphs already chosen. */
void label_prefix(struct text *out, const struct theme *theme, const struct stack *s, uint32_t row, bool folded)
	__attribute__((nonnull));

/* What is to be known of a device, short enough for the list and in words; both empty when there is nothing. */
struct note {
	struct text brief, words;
	const char *ordinary;   /* a path's state in which it carries I/O, for where there is room; NULL: not known */
	bool warn;
};
#define NOTE_INIT { TEXT_INIT, TEXT_INIT, NULL, false }
void note_release(struct note *n) __attribute__((nonnull));
void note_take(struct note *n, const struct view *v, uint32_t device) __attribute__((nonnull));

/* Beside the name: dm name, mount, kind. */
void label_detail(struct text *out, const struct view *v, uint32_t device) __attribute__((nonnull));

/* "50/50": the legs' shares of the I/Os on a side; "" when not known. */
void label_shares(struct text *out, const struct view *v, const struct line *sum, enum side side)
	__attribute__((nonnull));

#endif
