/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/layout.h"

#define LEAST_ROWS 10
#define LEAST_COLS 40
#define LEAST_NAME 11
#define MOST_NAME 48
#define SEPARATOR 1

/* From how many rows on a part is there. The lower part gives way first, then the second line of the heading. */
#define ROWS_STATUS_2 20
#define ROWS_KEYS 14
#define ROWS_HEADER_2 12
#define ROWS_LOWER 24
#define LEAST_LOWER 5

static int clamp(int v, int least, int most)
{
	return v < least ? least : v > most ? most : v;
}

static bool two_panes(const struct layout_input *in)
{
	return in->has_before && in->cols >= LAYOUT_TWO_PANES;
}

/* How many of the list's lines go to the lower panes; -1: all, with the titles. */
static int lower_lines(const struct layout_input *in, int lines)
{
	int half = lines / 2;
	int quarter = lines / 4 > LEAST_LOWER ? lines / 4 : LEAST_LOWER;

	if (in->rows < ROWS_LOWER)
		return in->lower_in_front ? -1 : 0;
	/* one step and no more, so that devices that come and go do not push the panes about */
	return in->lower_in_front || in->list_lines <= (size_t)(lines - half) ? half : quarter;
}

static void make_bands(struct layout *l, const struct layout_input *in)
{
	int status = in->rows >= ROWS_STATUS_2 ? 2 : 1;
	int keys = in->rows >= ROWS_KEYS ? 1 : 0;
	int header = in->rows >= ROWS_HEADER_2 ? 2 : 1;
	int titles = 2;
	int lines = in->rows - header - titles - status - keys;
	int lower = lower_lines(in, lines);

	l->page = (struct area){ header, 0, titles + lines, in->cols };
	if (lower < 0) {
		lower = titles + lines;
		titles = lines = 0;
	} else {
		lines -= lower;
	}
	l->header = (struct band){ 0, header };
	l->titles = (struct band){ header, titles };
	l->body = (struct band){ header + titles, lines };
	l->lower = (struct band){ l->body.y + lines, lower };
	l->status = (struct band){ l->lower.y + lower, status };
	l->keys = (struct band){ l->status.y + status, keys };
}

static void make_blocks(struct layout *l, const struct layout_input *in)
{
	if (!two_panes(in)) {
		enum block_kind one = !in->has_before ? BLOCK_LAST : in->before_in_front ? BLOCK_BEFORE : BLOCK_AFTER;

		l->blocks[l->n_blocks++].kind = one;
		return;
	}
	l->blocks[l->n_blocks++].kind = BLOCK_BEFORE;
	l->blocks[l->n_blocks++].kind = BLOCK_AFTER;
	if (in->cols >= LAYOUT_CHANGE_BLOCK)
		l->blocks[l->n_blocks++].kind = BLOCK_CHANGE;
	else
		l->with_change = in->cols >= LAYOUT_WITH_CHANGE;
}

/* The cells of a column in a block: the gap before it, the number, and what follows it. */
static int number_cells(enum block_kind kind, int width)
{
	int change = CHANGE_CELLS + 1 + SD_CELLS + 1 + VERDICT_CELLS;

	return kind == BLOCK_CHANGE && width < change ? change : width;
}

static int tail_cells(const struct layout *l, enum block_kind kind)
{
	if (kind == BLOCK_BEFORE)
		return 1;       /* empty, so that both panes look alike */
	if (kind != BLOCK_AFTER)
		return 0;
	return l->with_change ? 1 + 1 + CHANGE_CELLS : 1;       /* the mark, and the change */
}

static int column_cells(const struct layout *l, int width, int gap)
{
	int sum = 0;

	for (size_t b = 0; b < l->n_blocks; b++) {
		enum block_kind kind = l->blocks[b].kind;

		sum += gap + number_cells(kind, width) + tail_cells(l, kind);
	}
	return sum;
}

static int separators(const struct layout *l)
{
	return l->n_blocks > 1 ? (int)l->n_blocks * SEPARATOR : 0;
}

/* Give places in the order of rank, as long as they last; the first that has none ends it. */
static int choose_columns(struct layout *l, const struct layout_input *in, int room, bool *chosen)
{
	for (;;) {
		size_t best = in->n_columns;

		for (size_t i = 0; i < in->n_columns; i++) {
			if (!chosen[i] && (best == in->n_columns || in->columns[i].rank < in->columns[best].rank))
				best = i;
		}
		if (best == in->n_columns || l->n_columns == LAYOUT_COLUMNS)
			return room;
		if (column_cells(l, in->columns[best].width, 1) > room)
			return room;
		room -= column_cells(l, in->columns[best].width, 1);
		chosen[best] = true;
		l->n_columns++;
	}
}

static void list_columns(struct layout *l, const struct layout_input *in, const bool *chosen)
{
	size_t at = 0;

	for (size_t i = 0; i < in->n_columns; i++) {
		if (chosen[i])
			l->column[at++] = (uint8_t)i;
	}
}

static void place_blocks(struct layout *l, const struct layout_input *in, int gap)
{
	int x = l->name_w;

	for (size_t b = 0; b < l->n_blocks; b++) {
		struct layout_block *block = &l->blocks[b];

		block->x = x;
		if (l->n_blocks > 1)
			x += SEPARATOR;
		for (size_t i = 0; i < l->n_columns; i++) {
			int w = number_cells(block->kind, in->columns[l->column[i]].width);

			block->cell_x[i] = x + gap;
			block->cell_w[i] = w;
			x += gap + w + tail_cells(l, block->kind);
		}
		block->w = x - block->x;
	}
}

/* The least share of the names: a part of the width, so that it does not depend on what the names are. */
static int name_share(const struct layout *l, int cols)
{
	int percent = l->n_blocks > 1 ? (l->n_blocks > 2 ? 14 : 25) : cols >= LAYOUT_TWO_PANES ? 35 : 28;

	return clamp(cols * percent / 100, LEAST_NAME, MOST_NAME);
}

void layout_make(struct layout *l, const struct layout_input *in)
{
	struct layout_input cut = *in;
	bool chosen[LAYOUT_COLUMNS] = { false };
	int gap = 1;
	int room;

	*l = (struct layout){ .too_small = in->rows < LEAST_ROWS || in->cols < LEAST_COLS };
	if (l->too_small)
		return;
	if (cut.n_columns > LAYOUT_COLUMNS)
		cut.n_columns = LAYOUT_COLUMNS;
	make_bands(l, in);
	make_blocks(l, in);
	l->name_w = name_share(l, in->cols);
	room = choose_columns(l, &cut, in->cols - l->name_w - separators(l), chosen);
	list_columns(l, &cut, chosen);
	if (l->n_columns && room >= (int)(l->n_columns * l->n_blocks)) {
		gap = 2;
		room -= (int)(l->n_columns * l->n_blocks);
	}
	l->name_w += clamp(room, 0, l->name_w < MOST_NAME ? MOST_NAME - l->name_w : 0);
	place_blocks(l, &cut, gap);
}
