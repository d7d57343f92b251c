/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Layout and column sets: known widths, and what must hold at every size from 1x1 to 300x100. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/text.h"
#include "tui/columns.h"
#include "tui/layout.h"

struct made {
	struct layout layout;
	enum metric_id ids[LAYOUT_COLUMNS];
	struct layout_column columns[LAYOUT_COLUMNS];
	size_t wanted;
};

static void make(struct made *m, int cols, int rows, bool has_before, size_t set)
{
	struct column_wish wish = { .set = set, .two = has_before, .cols = cols };
	struct layout_input in = { .rows = rows, .cols = cols, .has_before = has_before, .columns = m->columns };

	in.n_columns = m->wanted = columns_wanted(&wish, m->ids, m->columns);
	layout_make(&m->layout, &in);
}

/* The headings of the columns that got a place, as one string. */
static const char *headings(const struct made *m, bool narrow, struct text *out)
{
	text_clear(out);
	for (size_t i = 0; i < m->layout.n_columns; i++) {
		if (i)
			text_add_char(out, ' ');
		text_add(out, column_heading(m->ids[m->layout.column[i]], false, narrow));
	}
	return text_str(out);
}

/* Bands follow each other without a gap from the first row to the last. */
static void check_bands(const struct layout *l, int rows)
{
	const struct band *bands[] = { &l->header, &l->titles, &l->body, &l->lower, &l->status, &l->keys };
	int y = 0;

	for (size_t i = 0; i < ARRAY_SIZE(bands); i++) {
		assert_int_equal(bands[i]->y, y);
		assert_true(bands[i]->h >= 0);
		y += bands[i]->h;
	}
	assert_int_equal(y, rows);
	assert_int_equal(l->page.y, l->header.h);
	assert_int_equal(l->page.y + l->page.h, l->status.y);
	if (l->titles.h)
		assert_true(l->body.h >= 6);
	else
		assert_true(!l->body.h && l->lower.h >= 8);
	assert_true(l->header.h >= 1 && l->status.h >= 1);
}

/* Cells come from left to right, none over another, none beyond the screen. */
static void check_blocks(const struct layout *l, int cols)
{
	int x = l->name_w;

	assert_true(l->name_w >= 11);
	assert_true(l->n_columns >= 3);
	for (size_t b = 0; b < l->n_blocks; b++) {
		const struct layout_block *block = &l->blocks[b];

		assert_int_equal(block->x, x);
		for (size_t i = 0; i < l->n_columns; i++) {
			assert_true(block->cell_x[i] > x);
			assert_true(block->cell_w[i] >= 5);
			x = block->cell_x[i] + block->cell_w[i];
		}
		assert_true(block->x + block->w >= x);
		x = block->x + block->w;
	}
	assert_true(x <= cols);
}

/* The same column is as wide in AFTER as in BEFORE. */
static void check_twins(const struct layout *l)
{
	if (l->n_blocks < 2)
		return;
	assert_int_equal(l->blocks[0].kind, BLOCK_BEFORE);
	assert_int_equal(l->blocks[1].kind, BLOCK_AFTER);
	for (size_t i = 0; i < l->n_columns; i++)
		assert_int_equal(l->blocks[0].cell_w[i], l->blocks[1].cell_w[i]);
}

static void every_size(void **state)
{
	struct made m;

	(void)state;
	for (int rows = 1; rows <= 100; rows++) {
		for (int cols = 1; cols <= 300; cols++) {
			for (size_t variant = 0; variant < 2 * columns_sets(); variant++) {
				make(&m, cols, rows, variant & 1, variant / 2);
				assert_int_equal(m.layout.too_small, rows < 10 || cols < 40);
				if (m.layout.too_small)
					continue;
				check_bands(&m.layout, rows);
				check_blocks(&m.layout, cols);
				check_twins(&m.layout);
			}
		}
	}
}

/* Ten rows: a line each for heading, titles, column headings and status leave six devices; the keys give way. */
static void least_size(void **state)
{
	struct made m;

	(void)state;
	make(&m, 40, 10, false, 0);
	assert_int_equal(m.layout.body.h, 6);
	assert_int_equal(m.layout.keys.h, 0);
	make(&m, 40, 10, true, 0);
	assert_int_equal(m.layout.n_blocks, 1);
	assert_int_equal(m.layout.blocks[0].kind, BLOCK_AFTER);
	make(&m, 39, 10, true, 0);
	assert_true(m.layout.too_small);
	make(&m, 40, 9, true, 0);
	assert_true(m.layout.too_small);
}

/* Below 24 rows the lower part gives way before the second line of the heading. */
static void what_gives_way(void **state)
{
	struct made m;
	int last_status = 2, last_header = 2;

	(void)state;
	for (int rows = 24; rows >= 10; rows--) {
		make(&m, 80, rows, false, 0);
		assert_true(m.layout.status.h <= last_status && m.layout.header.h <= last_header);
		if (m.layout.header.h < 2)
			assert_true(m.layout.status.h < 2 && !m.layout.keys.h);
		last_status = m.layout.status.h;
		last_header = m.layout.header.h;
	}
	assert_int_equal(last_header, 1);
}

static struct layout with_list(int rows, size_t list_lines, bool lower_in_front)
{
	struct layout_input in = {
		.rows = rows, .cols = 80, .list_lines = list_lines, .lower_in_front = lower_in_front,
	};
	struct layout l;

	layout_make(&l, &in);
	check_bands(&l, rows);
	return l;
}

/* What a short list does not need goes to the lower panes, as if they were worked in; a long one keeps most. */
static void a_short_list_leaves_room(void **state)
{
	(void)state;
	for (int rows = 24; rows <= 100; rows++) {
		const struct layout worked_in = with_list(rows, 1000, true), full = with_list(rows, 1000, false);
		const struct layout fits = with_list(rows, (size_t)worked_in.body.h, false);
		const struct layout too_long = with_list(rows, (size_t)worked_in.body.h + 1, false);

		assert_int_equal(fits.body.h, worked_in.body.h);
		assert_int_equal(too_long.body.h, full.body.h);
		assert_true(full.body.h > fits.body.h && full.lower.h >= 5);
		assert_int_equal(with_list(rows, 1, false).body.h, fits.body.h);
	}
	assert_int_equal(with_list(23, 1, false).lower.h, 0);
}

static void sets_by_width(void **state)
{
	struct text out = TEXT_INIT;
	struct made m;

	(void)state;
	make(&m, 80, 24, false, 0);
	assert_string_equal(headings(&m, false, &out), "r/s w/s rkB/s wkB/s await aqu-sz %util");
	/* merges and sizes come together, from a width on, not one by one as cells get free */
	make(&m, 109, 24, false, 0);
	assert_string_equal(headings(&m, false, &out), "r/s w/s rkB/s wkB/s await aqu-sz %util");
	make(&m, 110, 24, false, 0);
	assert_string_equal(headings(&m, false, &out), "r/s w/s rkB/s wkB/s wrqm/s avgrq-sz await aqu-sz %util");
	make(&m, 80, 24, true, 0);
	assert_string_equal(headings(&m, true, &out), "wrqm/s avgrq await %util");
	make(&m, 80, 24, true, 1);
	assert_string_equal(headings(&m, true, &out), "tps rqm/s kB/s await");
	make(&m, 80, 24, true, 2);
	assert_string_equal(headings(&m, true, &out), "r/s rkB/s rrqm/s r_awt");
	make(&m, 80, 24, true, 3);
	assert_string_equal(headings(&m, true, &out), "w/s wkB/s wrqm/s w_awt");
	make(&m, 120, 40, true, 0);
	assert_string_equal(headings(&m, true, &out), "wrqm/s avgrq await %util");
	assert_true(m.layout.with_change);
	make(&m, 160, 40, true, 0);
	assert_string_equal(headings(&m, true, &out), "wrqm/s avgrq await %util");
	assert_int_equal(m.layout.blocks[2].kind, BLOCK_CHANGE);
	assert_false(m.layout.with_change);
	make(&m, 40, 10, false, 0);
	assert_string_equal(headings(&m, true, &out), "r/s w/s await %util");
	text_release(&out);
}

/* One more cell never takes a column away, as long as the kind of screen is the same. */
static void wider_shows_no_less(void **state)
{
	static const int limits[] = { 40, 80, 120, 160, 300 };
	struct made m;

	(void)state;
	for (size_t set = 0; set < columns_sets(); set++) {
		for (size_t i = 0; i + 1 < ARRAY_SIZE(limits); i++) {
			size_t before = 0;

			for (int cols = limits[i]; cols < limits[i + 1]; cols++) {
				make(&m, cols, 24, true, set);
				assert_true(m.layout.n_columns >= before);
				before = m.layout.n_columns;
			}
		}
	}
}

static void panes_take_turns(void **state)
{
	struct layout_column column = { 5, 0 };
	struct layout_input in = { .rows = 24, .cols = 79, .has_before = true, .columns = &column, .n_columns = 1 };
	struct layout l;

	(void)state;
	layout_make(&l, &in);
	assert_int_equal(l.blocks[0].kind, BLOCK_AFTER);
	in.before_in_front = true;
	layout_make(&l, &in);
	assert_int_equal(l.blocks[0].kind, BLOCK_BEFORE);
	in.cols = 80;
	layout_make(&l, &in);
	assert_int_equal(l.n_blocks, 2);
}

/* Neither no column, nor more than there are places for, nor one that is too wide does harm. */
static void odd_columns(void **state)
{
	struct layout_column many[LAYOUT_COLUMNS + 20];
	struct layout_column wide = { 500, 0 };
	struct layout_input in = { .rows = 24, .cols = 300, .columns = many };
	struct layout l;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(many); i++)
		many[i] = (struct layout_column){ 1, (unsigned int)i };
	in.n_columns = ARRAY_SIZE(many);
	layout_make(&l, &in);
	assert_int_equal(l.n_columns, LAYOUT_COLUMNS);
	in.n_columns = 0;
	layout_make(&l, &in);
	assert_int_equal(l.n_columns, 0);
	in.columns = &wide;
	in.n_columns = 1;
	layout_make(&l, &in);
	assert_int_equal(l.n_columns, 0);
}

static void own_columns_replace_the_sets(void **state)
{
	static const enum metric_id own[] = { M_F_S, M_W_S, M_AWAIT };
	struct column_wish wish = { .cols = 80, .own = own, .n_own = ARRAY_SIZE(own) };
	struct layout_column columns[LAYOUT_COLUMNS];
	enum metric_id ids[LAYOUT_COLUMNS];

	(void)state;
	assert_int_equal(columns_wanted(&wish, ids, columns), 3);
	assert_int_equal(ids[0], M_F_S);
	wish.first = 2;
	assert_int_equal(columns_wanted(&wish, ids, columns), 1);
	assert_int_equal(ids[0], M_AWAIT);
	wish.first = 3;
	assert_int_equal(columns_wanted(&wish, ids, columns), 3);
}

/* A heading means one metric, short or not. */
static void headings_are_unambiguous(void **state)
{
	(void)state;
	for (int narrow = 0; narrow < 2; narrow++) {
		for (enum metric_id a = 0; a < METRICS; a++) {
			for (enum metric_id b = 0; b < a; b++)
				assert_string_not_equal(column_heading(a, false, narrow),
							column_heading(b, false, narrow));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_size),
		cmocka_unit_test(least_size),
		cmocka_unit_test(what_gives_way),
		cmocka_unit_test(a_short_list_leaves_room),
		cmocka_unit_test(sets_by_width),
		cmocka_unit_test(wider_shows_no_less),
		cmocka_unit_test(panes_take_turns),
		cmocka_unit_test(odd_columns),
		cmocka_unit_test(own_columns_replace_the_sets),
		cmocka_unit_test(headings_are_unambiguous),
	};

	return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
