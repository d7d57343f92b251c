/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "model/series.h"

#define S NS_PER_S

/* A bin that ends at `end` s: so many reads in so many ms together. */
static void add_bin(struct history *h, struct counters *now, int64_t end, double seconds, uint64_t reads, uint64_t ms)
{
	struct delta d;

	delta_idle(&d, now->has, seconds);
	d.v[RD_IOS] = reads;
	d.v[RD_TICKS] = ms;
	now->v[RD_IOS] += reads;
	now->v[RD_TICKS] += ms;
	history_open_bin(h, end * S, seconds);
	history_add(h, 0, &d, now);
	history_close_bin(h);
}

static struct history *filled(void)
{
	struct history *h = history_new();
	struct counters now = { .has = (1U << FIELDS) - 1 };

	/* a first bin gives the base */
	add_bin(h, &now, 100, 1, 0, 0);
	add_bin(h, &now, 101, 1, 10, 100);
	add_bin(h, &now, 102, 1, 1000, 1000);
	add_bin(h, &now, 103, 1, 0, 0);
	add_bin(h, &now, 104, 1, 5, 10);
	return h;
}

static void a_column_a_bin(void **state)
{
	struct history *h = filled();
	struct value v[6];

	(void)state;
	series_take(h, 0, M_R_AWAIT, 104 * S, S, v, 6);
	assert_int_equal(v[0].why, NA_FIRST);           /* before the first bin */
	assert_true(fabs(v[2].v - 10) < 1e-9);          /* 101 s */
	assert_true(fabs(v[3].v - 1) < 1e-9);
	assert_int_equal(v[4].why, NA_NO_IO);
	assert_true(fabs(v[5].v - 2) < 1e-9);           /* the newest at the right */
	history_free(h);
}

/* Two bins in a column: (100 + 1000) ms of 1010 reads, not the mean of 10 and 1. */
static void a_ratio_of_sums(void **state)
{
	struct history *h = filled();
	struct value v[3];

	(void)state;
	series_take(h, 0, M_R_AWAIT, 104 * S, 2 * S, v, 3);
	/* columns end at 100, 102 and 104 */
	assert_true(fabs(v[1].v - 1100.0 / 1010) < 1e-9);
	assert_true(fabs(v[2].v - 2) < 1e-9);
	series_take(h, 0, M_R_S, 104 * S, 2 * S, v, 3);
	assert_true(fabs(v[1].v - 505) < 1e-9);
	/* a second later the columns are where they were */
	series_take(h, 0, M_R_S, 105 * S, 2 * S, v, 3);
	assert_true(fabs(v[0].v - 505) < 1e-9);
	history_free(h);
}

static void a_long_bin_fills_its_columns(void **state)
{
	struct history *h = history_new();
	struct counters now = { .has = (1U << FIELDS) - 1 };
	struct value v[8];

	(void)state;
	add_bin(h, &now, 100, 1, 0, 0);
	add_bin(h, &now, 105, 5, 50, 50);
	series_take(h, 0, M_R_S, 106 * S, S, v, 8);
	for (size_t i = 2; i <= 6; i++)
		assert_true(v[i].why == NA_NONE && fabs(v[i].v - 10) < 1e-9);
	assert_int_equal(v[7].why, NA_FIRST);
	assert_true(v[1].why != NA_NONE || v[1].v < 1);
	history_free(h);
}

static void instants_and_columns(void **state)
{
	(void)state;
	assert_int_equal(series_column(104 * S, 104 * S, S, 6), 5);
	assert_int_equal(series_column(103 * S + 1, 104 * S, S, 6), 5);
	assert_int_equal(series_column(103 * S, 104 * S, S, 6), 4);
	assert_int_equal(series_column(98 * S, 104 * S, S, 6), 6);      /* too old */
	assert_int_equal(series_column(105 * S, 104 * S, S, 6), 6);     /* not yet */
	assert_int_equal(series_column(0, 104 * S, S, 6), 6);
	for (size_t c = 0; c < 6; c++)
		assert_int_equal(series_column(series_end_ns(c, 104 * S, 2 * S, 6), 104 * S, 2 * S, 6), c);
}

static void the_scale_does_not_jump(void **state)
{
	struct scale s = { 0 };

	(void)state;
	scale_update(&s, 3, false);
	assert_true(fabs(s.top - 5) < 1e-9);
	scale_update(&s, 4.9, false);
	assert_true(fabs(s.top - 5) < 1e-9);
	scale_update(&s, 5.1, false);
	assert_true(fabs(s.top - 10) < 1e-9);
	/* a short dip changes nothing */
	for (int i = 0; i < 15; i++)
		scale_update(&s, 1, false);
	scale_update(&s, 9, false);
	for (int i = 0; i < 15; i++)
		scale_update(&s, 1, false);
	assert_true(fabs(s.top - 10) < 1e-9);
	for (int i = 0; i < 10; i++)
		scale_update(&s, 0.9, false);
	assert_true(fabs(s.top - 1) < 1e-9);
	scale_update(&s, 37, true);
	assert_true(fabs(s.top - 100) < 1e-9);
	scale_update(&s, 130, true);
	assert_true(fabs(s.top - 200) < 1e-9);
	/* nothing wild */
	scale_update(&s, (double)INFINITY, false);
	assert_true(isfinite(s.top));
	s = (struct scale){ 0 };
	scale_update(&s, 0, false);
	assert_true(s.top > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_column_a_bin),
		cmocka_unit_test(a_ratio_of_sums),
		cmocka_unit_test(a_long_bin_fills_its_columns),
		cmocka_unit_test(instants_and_columns),
		cmocka_unit_test(the_scale_does_not_jump),
	};

	return cmocka_run_group_tests_name("series", tests, NULL, NULL);
}
