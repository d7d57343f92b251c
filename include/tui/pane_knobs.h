/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The knob matrix: rows are attributes, columns the selected device and what it sits on; each cell as it is now and,
 * where that differs, as it was at BEFORE. Values are those the engine has read.
 */
#ifndef IODELTA_TUI_PANE_KNOBS_H
#define IODELTA_TUI_PANE_KNOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "tui/layout.h"

struct view;

struct knob_row {
	const char *path;       /* the engine's; holds for one frame */
	size_t rank, found;     /* its order: the catalogue's, then as it came */
	bool differs;           /* the lower devices have not all the same */
	bool changed;           /* some cell is not what it was at BEFORE */
};

struct knob_column {
	uint32_t slot;          /* the device whose attributes these are */
	uint32_t device, part;  /* part: the partition it stands for, else the same; UINT32_MAX: the system */
	int cells, x;           /* width, and where it was drawn; -1: it was not */
};

struct knobs_state {
	struct knob_row *rows;
	size_t n, capacity;
	struct knob_column *columns;
	size_t n_columns, columns_capacity;
	struct text path;       /* of the row under the cursor */
	size_t row, column;     /* the cursor */
	size_t top, left;
	int gap;                /* cells between columns */
	bool all;               /* every attribute, not only those that matter or changed */
};

void pane_knobs_draw(struct view *v, struct area area) __attribute__((nonnull));
void knobs_release(struct knobs_state *k) __attribute__((nonnull));
/* Path, device and whole value of the cell under the cursor, for the status line; in a frame with the pane drawn. */
void knobs_words(struct view *v, struct text *out) __attribute__((nonnull));

/* The attribute under the cursor, and whose; NULL: there is none. The path holds until the next event. */
const char *knobs_cell(struct view *v, uint32_t *slot) __attribute__((nonnull));

/* The cursor to what was drawn there, in cells from the pane's corner. */
void knobs_click(struct view *v, int y, int x) __attribute__((nonnull));

void act_knob_move(struct view *v, int key) __attribute__((nonnull));
void act_knob_all(struct view *v, int key) __attribute__((nonnull));

#endif
