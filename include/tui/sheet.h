/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page of text that is longer than the screen: pieces of one style each, at a line and a column, of which those in
 * the window are drawn. The memory is kept from frame to frame.
 */
#ifndef IODELTA_TUI_SHEET_H
#define IODELTA_TUI_SHEET_H

#include "base/text.h"
#include "tui/layout.h"
#include "tui/screen.h"

struct sheet_piece {
	int line, x;
	size_t at;              /* in text; each piece ends with a NUL */
	enum role role;
};

struct sheet {
	struct text text;
	struct sheet_piece *v;
	size_t n, capacity;
	int lines, x;           /* of the line that is being written */
};

void sheet_release(struct sheet *s) __attribute__((nonnull));
void sheet_clear(struct sheet *s) __attribute__((nonnull));
/* Pieces go to the present line, one after the other; text is cleaned. */
void sheet_put(struct sheet *s, enum role role, const char *words) __attribute__((nonnull));
/* The next piece begins in this column, if the line is not longer already: then after a blank. */
void sheet_to(struct sheet *s, int x) __attribute__((nonnull));
/* Right-aligned in `w` cells from here on. */
void sheet_right(struct sheet *s, enum role role, const char *words, int w) __attribute__((nonnull));
void sheet_end_line(struct sheet *s) __attribute__((nonnull));
/* An empty line, unless it is the first, and a heading. */
void sheet_heading(struct sheet *s, const char *words) __attribute__((nonnull));

/* Draw the lines from `*top` on, which is kept inside the sheet. */
void sheet_draw(const struct sheet *s, struct screen *screen, struct area area, int *top) __attribute__((nonnull));

#endif
