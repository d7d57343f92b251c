/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/delta.h"

#define HAS_11 (FIELD(DC_IOS) - 1)

/* What holds of every delta: v is 0 where not valid, a reason stands exactly where a field is not valid. */
static void assert_sound(const struct delta *d)
{
	for (unsigned int f = 0; f < FIELDS; f++) {
		if (d->valid & FIELD(f)) {
			assert_int_equal(d->why[f], NA_NONE);
		} else {
			assert_true(d->v[f] == 0);
			assert_int_not_equal(d->why[f], NA_NONE);
		}
	}
	assert_true(d->state == DELTA_OK || !d->valid);
}

static void states_give_their_reasons(void **state)
{
	static const struct {
		enum delta_state state;
		enum na why;
	} cases[] = {
		{ DELTA_FIRST, NA_FIRST }, { DELTA_NEW, NA_NEW }, { DELTA_RESET, NA_RESET }, { DELTA_GONE, NA_GONE },
	};
	struct delta d;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		delta_unavailable(&d, cases[i].state, 2);
		assert_int_equal(d.state, cases[i].state);
		for (unsigned int f = 0; f < FIELDS; f++)
			assert_int_equal(d.why[f], cases[i].why);
		assert_true(d.seconds == 2 && d.samples == 1);
		assert_sound(&d);
	}
}

static void hidden_fields_keep_their_first_reason(void **state)
{
	struct delta d;

	(void)state;
	delta_idle(&d, HAS_11, 1);
	assert_int_equal(d.valid, HAS_11);
	d.v[WR_IOS] = 9;
	delta_hide(&d, FIELD(WR_IOS), NA_SHARED);
	delta_hide(&d, FIELDS_ALL, NA_IOSTATS_OFF);
	assert_int_equal(d.valid, 0);
	assert_int_equal(d.why[WR_IOS], NA_SHARED);
	assert_int_equal(d.why[RD_IOS], NA_IOSTATS_OFF);
	assert_int_equal(d.why[IN_FLIGHT], NA_IOSTATS_OFF);
	assert_int_equal(d.why[FL_IOS], NA_NO_FIELD);
	assert_sound(&d);
}

static struct delta part(uint64_t ios, uint64_t io_ticks, uint64_t in_flight)
{
	struct delta d;

	delta_idle(&d, HAS_11, 1);
	d.v[RD_IOS] = ios;
	d.v[IO_TICKS] = io_ticks;
	d.v[IN_FLIGHT] = in_flight;
	return d;
}

static void intervals_add_up(void **state)
{
	struct delta sum = { .seconds = 0 };
	struct delta a = part(10, 500, 4), b = part(20, 800, 1);

	(void)state;
	b.seconds = 0.5;
	delta_append(&sum, &a);
	assert_memory_equal(sum.v, a.v, sizeof(sum.v));
	delta_append(&sum, &b);
	assert_int_equal(sum.v[RD_IOS], 30);
	assert_int_equal(sum.v[IO_TICKS], 1300);
	assert_int_equal(sum.v[IN_FLIGHT], 5);
	assert_true(sum.seconds == 1.5 && sum.samples == 2);
	assert_int_equal(sum.state, DELTA_OK);
	assert_int_equal(sum.derived, 0);
	assert_sound(&sum);
}

static void a_field_that_one_interval_lacks_is_lost(void **state)
{
	struct delta sum = { .seconds = 0 };
	struct delta a = part(10, 500, 4), b = part(20, 800, 1);

	(void)state;
	delta_hide(&b, FIELD(IO_TICKS), NA_STEPPED_BACK);
	delta_append(&sum, &a);
	delta_append(&sum, &b);
	delta_append(&sum, &a);
	assert_int_equal(sum.why[IO_TICKS], NA_STEPPED_BACK);
	assert_int_equal(sum.v[RD_IOS], 40);
	assert_sound(&sum);
}

static void a_bad_interval_makes_the_sum_bad(void **state)
{
	struct delta sum = { .seconds = 0 };
	struct delta a = part(10, 500, 4), reset, first;

	(void)state;
	delta_unavailable(&reset, DELTA_RESET, 1);
	delta_unavailable(&first, DELTA_FIRST, 1);
	delta_append(&sum, &first);
	delta_append(&sum, &a);
	assert_int_equal(sum.state, DELTA_FIRST);
	assert_int_equal(sum.valid, 0);
	delta_append(&sum, &reset);
	assert_int_equal(sum.state, DELTA_RESET);
	assert_int_equal(sum.why[RD_IOS], NA_RESET);
	delta_append(&sum, &a);
	delta_append(&sum, &first);
	assert_int_equal(sum.state, DELTA_RESET);
	assert_true(sum.seconds == 5 && sum.samples == 5);
	assert_sound(&sum);
}

static void devices_add_up_and_the_busiest_gives_the_time(void **state)
{
	struct delta a = part(10, 500, 4), b = part(20, 800, 1), c = part(5, 300, 2), gone, sum;
	const struct delta *parts[] = { &gone, &a, &b, &c };

	(void)state;
	delta_unavailable(&gone, DELTA_GONE, 1);
	delta_sum(&sum, parts, 4);
	assert_int_equal(sum.state, DELTA_OK);
	assert_int_equal(sum.v[RD_IOS], 35);
	assert_int_equal(sum.v[IO_TICKS], 800);
	assert_int_equal(sum.v[IN_FLIGHT], 7);
	assert_true(sum.seconds == 1 && sum.samples == 1);
	assert_int_equal(sum.derived, 1);
	/* a field counts only if every part has it */
	delta_hide(&c, FIELD(IO_TICKS), NA_NOT_ACCOUNTED);
	delta_sum(&sum, parts, 4);
	assert_int_equal(sum.why[IO_TICKS], NA_NOT_ACCOUNTED);
	assert_int_equal(sum.v[RD_IOS], 35);
	assert_sound(&sum);
}

static void a_sum_of_nothing_has_no_value(void **state)
{
	struct delta gone, fresh, sum;
	const struct delta *parts[] = { &gone, &fresh };

	(void)state;
	delta_unavailable(&gone, DELTA_GONE, 1);
	delta_unavailable(&fresh, DELTA_NEW, 1);
	delta_sum(&sum, parts, 2);
	assert_int_equal(sum.state, DELTA_GONE);
	assert_int_equal(sum.derived, 1);
	delta_sum(&sum, NULL, 0);
	assert_int_not_equal(sum.state, DELTA_OK);
	assert_int_equal(sum.why[RD_IOS], NA_NO_LOWER);
	assert_sound(&sum);
}

static void activity_is_io_or_waiting_io(void **state)
{
	struct delta d = part(0, 0, 0);

	(void)state;
	assert_false(delta_active(&d));
	d.v[IN_FLIGHT] = 1;
	assert_true(delta_active(&d));
	d = part(1, 0, 0);
	assert_true(delta_active(&d));
	delta_unavailable(&d, DELTA_NEW, 1);
	assert_false(delta_active(&d));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(states_give_their_reasons),
		cmocka_unit_test(hidden_fields_keep_their_first_reason),
		cmocka_unit_test(intervals_add_up),
		cmocka_unit_test(a_field_that_one_interval_lacks_is_lost),
		cmocka_unit_test(a_bad_interval_makes_the_sum_bad),
		cmocka_unit_test(devices_add_up_and_the_busiest_gives_the_time),
		cmocka_unit_test(a_sum_of_nothing_has_no_value),
		cmocka_unit_test(activity_is_io_or_waiting_io),
	};

	return cmocka_run_group_tests_name("delta_sum", tests, NULL, NULL);
}
