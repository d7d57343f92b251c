/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where everything goes, from the size of the screen and the columns that are wanted. Pure: no curses, no state; the
 * same input gives the same places, whatever the data is, so that nothing moves unless the size or the panes do.
 */
#ifndef IODELTA_TUI_LAYOUT_H
#define IODELTA_TUI_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LAYOUT_COLUMNS 40       /* more are not shown at once */
#define LAYOUT_BLOCKS 3
#define LAYOUT_TWO_PANES 80     /* cells from which BEFORE and AFTER stand side by side */
#define LAYOUT_WITH_CHANGE 120  /* from which AFTER carries its change */
#define LAYOUT_CHANGE_BLOCK 160 /* from which CHANGE is a block of its own */

#define CHANGE_CELLS 5          /* "-100%", ">999%" */
#define SD_CELLS 6              /* "±9.9%", "+-100%" */
#define VERDICT_CELLS 5         /* "clear" */

enum block_kind { BLOCK_LAST, BLOCK_BEFORE, BLOCK_AFTER, BLOCK_CHANGE };

struct layout_column {
	int width;              /* cells of its numbers and heading */
	unsigned int rank;      /* the lower, the sooner it gets a place */
};

struct layout_input {
	int rows, cols;
	bool has_before;
	bool before_in_front;   /* which pane is seen where there is room for one only */
	bool lower_in_front;    /* one of the lower panes is worked in: it is larger, or alone where room is short */
	size_t list_lines;      /* that the list has to show: a short one leaves more to the lower panes */
	const struct layout_column *columns;
	size_t n_columns;
};

struct band {
	int y, h;
};

struct layout_block {
	enum block_kind kind;
	int x, w;               /* x is the separator's, where there is one */
	int cell_x[LAYOUT_COLUMNS];     /* where the number's field begins */
	int cell_w[LAYOUT_COLUMNS];     /* the number's cells (the whole cell of BLOCK_CHANGE) */
};

/* A part of the screen that belongs to one pane. */
struct area {
	int y, x, h, w;
};

struct layout {
	bool too_small;         /* nothing below is set */
	struct band header, titles, body, lower, status, keys;
	struct area page;       /* all between header and status */
	int name_w;
	bool with_change;       /* each AFTER value is followed by its change */
	struct layout_block blocks[LAYOUT_BLOCKS];
	size_t n_blocks;
	uint8_t column[LAYOUT_COLUMNS];         /* which of the wanted columns, in their order */
	size_t n_columns;
};

void layout_make(struct layout *l, const struct layout_input *in) __attribute__((nonnull));

#endif
