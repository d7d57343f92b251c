/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/delta.h"

#define HAS_11 (FIELD(DC_IOS) - 1)
#define TWO_32 (UINT64_C(1) << 32)

static const struct delta_interval one_second = { .seconds = 1, .uptime_s = 1000, .word_bits = 64 };

/* A busy disk somewhere in its life, all 17 fields. */
static const struct counters busy = {
	.v = { 1000, 10, 8000, 500, 2000, 20, 16000, 900, 3, 1300, 1400, 5, 0, 40, 6, 7, 8 },
	.has = FIELDS_ALL,
};

struct scene {
	struct counters before, now;
	struct delta_interval in;
	struct delta_track track;
	struct delta d;
};

static struct scene scene(void)
{
	return (struct scene){ .before = busy, .now = busy, .in = one_second };
}

static enum delta_state compute(struct scene *s)
{
	return delta_compute(&s->d, &s->before, &s->now, &s->in, &s->track);
}

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

static void growth_is_subtracted(void **state)
{
	struct scene s = scene();

	(void)state;
	for (unsigned int f = 0; f < FIELDS; f++)
		s.now.v[f] += f + 1;
	assert_int_equal(compute(&s), DELTA_OK);
	assert_int_equal(s.d.valid, FIELDS_ALL);
	for (unsigned int f = 0; f < FIELDS; f++)
		assert_int_equal(s.d.v[f], f == IN_FLIGHT ? 3 + f + 1 : f + 1);
	assert_true(s.d.seconds == 1 && s.d.samples == 1);
	assert_int_equal(delta_ios(&s.d), 1 + 5 + 12 + 16);
	assert_sound(&s.d);
}

static void in_flight_may_fall(void **state)
{
	struct scene s = scene();

	(void)state;
	s.now.v[IN_FLIGHT] = 0;
	assert_int_equal(compute(&s), DELTA_OK);
	assert_true(s.d.valid & FIELD(IN_FLIGHT));
	assert_int_equal(s.d.v[IN_FLIGHT], 0);
}

static void fields_that_one_side_lacks_are_not_there(void **state)
{
	struct scene s = scene();

	(void)state;
	s.before.has = HAS_11;
	assert_int_equal(compute(&s), DELTA_OK);
	assert_int_equal(s.d.valid, HAS_11);
	assert_int_equal(s.d.why[DC_IOS], NA_NO_FIELD);
	assert_int_equal(s.d.why[FL_TICKS], NA_NO_FIELD);
	assert_sound(&s.d);
}

static void ms_fields_wrap_at_32_bits(void **state)
{
	struct scene s = scene();

	(void)state;
	/* 100 writes of 5 ms: 4294967200 + 500 passes 2^32 by 404 */
	s.before.v[WR_TICKS] = 4294967200U;
	s.now.v[WR_TICKS] = 404;
	s.now.v[WR_IOS] += 100;
	assert_int_equal(compute(&s), DELTA_OK);
	assert_int_equal(s.d.v[WR_TICKS], 500);
	assert_int_equal(s.d.v[WR_IOS], 100);
	assert_sound(&s.d);
}

static void ms_fields_wider_than_32_bits_are_cut(void **state)
{
	struct scene s = scene();

	(void)state;
	s.before.v[WR_TICKS] = TWO_32 - 10;
	s.now.v[WR_TICKS] = TWO_32 + 5;
	assert_int_equal(compute(&s), DELTA_OK);
	assert_int_equal(s.d.v[WR_TICKS], 15);
	s.before.v[WR_TICKS] = TWO_32 + 5;
	/* what did not decrease counts, however much it is */
	s.now.v[WR_TICKS] = TWO_32 + 5 + 4000000;
	assert_int_equal(compute(&s), DELTA_OK);
	assert_int_equal(s.d.v[WR_TICKS], 4000000);
}

/* The bound: in flight before x age + (I/Os + in flight after + 1) x T. Here 3 x 1000 s + (10 + 3 + 1) x 1 s. */
static void ms_wrap_is_bounded(void **state)
{
	const uint32_t most = 3 * 1000000 + 14 * 1000;
	struct scene s = scene();

	(void)state;
	s.now.v[RD_IOS] += 10;
	/* from 2^32 - 1 it grows by one more than what is read afterwards */
	s.before.v[TIME_IN_QUEUE] = UINT32_MAX;
	s.now.v[TIME_IN_QUEUE] = most - 1;
	assert_int_equal(compute(&s), DELTA_OK);
	assert_int_equal(s.d.v[TIME_IN_QUEUE], most);
	s.now.v[TIME_IN_QUEUE] = most;
	assert_int_equal(compute(&s), DELTA_RESET);
	assert_sound(&s.d);
}

/* Registered 50 s ago and one more second since: 3 x 51 s + 4 x 1 s. */
static void ms_wrap_is_bounded_by_age_where_known(void **state)
{
	const uint32_t most = 3 * 51000 + 4 * 1000;
	struct scene s = scene();

	(void)state;
	s.track.age_s = 50;
	s.before.v[TIME_IN_QUEUE] = UINT32_MAX;
	s.now.v[TIME_IN_QUEUE] = most - 1;
	assert_int_equal(compute(&s), DELTA_OK);
	assert_true(s.track.age_s == 51);
	s.track.age_s = 50;
	s.now.v[TIME_IN_QUEUE] = most;
	assert_int_equal(compute(&s), DELTA_RESET);
}

/* 8 writes hang for 600 s and complete in one interval: 4.8 million ms, across the wrap. */
static void a_stuck_path_that_returns_counts(void **state)
{
	struct scene s = scene();

	(void)state;
	s.track.age_s = 700;
	s.before.v[IN_FLIGHT] = 8;
	s.now.v[IN_FLIGHT] = 0;
	s.now.v[WR_IOS] += 8;
	s.before.v[WR_TICKS] = 4294000000U;
	s.now.v[WR_TICKS] = (uint32_t)(4294000000U + 4800000U);
	assert_true(s.now.v[WR_TICKS] < s.before.v[WR_TICKS]);
	assert_int_equal(compute(&s), DELTA_OK);
	assert_int_equal(s.d.v[WR_TICKS], 4800000);
	assert_int_equal(s.d.v[WR_IOS], 8);
}

static void a_small_step_back_hides_that_field_only(void **state)
{
	static const unsigned int ms[] = { RD_TICKS, WR_TICKS, IO_TICKS, TIME_IN_QUEUE, DC_TICKS, FL_TICKS };

	(void)state;
	for (size_t i = 0; i < sizeof(ms) / sizeof(ms[0]); i++) {
		struct scene s = scene();

		s.before.v[ms[i]] = 5000;
		s.now.v[ms[i]] = 4999;
		s.now.v[WR_IOS] += 50;
		assert_int_equal(compute(&s), DELTA_OK);
		assert_int_equal(s.d.valid, FIELDS_ALL & ~FIELD(ms[i]));
		assert_int_equal(s.d.why[ms[i]], NA_STEPPED_BACK);
		assert_int_equal(s.d.v[WR_IOS], 50);
		assert_sound(&s.d);
	}
}

static void the_limit_of_a_step_back_is_1000_ms(void **state)
{
	struct scene s = scene();

	(void)state;
	s.before.v[IO_TICKS] = 5000;
	s.now.v[IO_TICKS] = 4000;
	assert_int_equal(compute(&s), DELTA_OK);
	assert_int_equal(s.d.why[IO_TICKS], NA_STEPPED_BACK);
	/* one more: grown by 2^32 - 1001 ms is beyond any bound here, so it is a reset */
	s.now.v[IO_TICKS] = 3999;
	assert_int_equal(compute(&s), DELTA_RESET);
}

static void each_ms_field_goes_by_its_own_rule(void **state)
{
	struct scene s = scene();

	(void)state;
	s.now.v[WR_IOS] += 100;
	s.before.v[WR_TICKS] = UINT32_MAX;
	s.now.v[WR_TICKS] = 99;
	s.now.v[RD_TICKS] -= 1;
	assert_int_equal(compute(&s), DELTA_OK);
	assert_int_equal(s.d.v[WR_TICKS], 100);
	assert_int_equal(s.d.why[RD_TICKS], NA_STEPPED_BACK);
}

static void any_other_decrease_is_a_reset(void **state)
{
	(void)state;
	for (unsigned int f = 0; f < FIELDS; f++) {
		struct scene s = scene();

		if (f == IN_FLIGHT || FIELDS_TICKS & FIELD(f))
			continue;
		s.before.v[f] += 1;
		s.track = (struct delta_track){ .age_s = 7, .sampled_s = 5, .sampled_ios = 4 };
		assert_int_equal(compute(&s), DELTA_RESET);
		assert_int_equal(s.d.valid, 0);
		assert_int_equal(s.d.why[RD_IOS], NA_RESET);
		assert_int_equal(s.d.why[IN_FLIGHT], NA_RESET);
		assert_true(s.d.seconds == 1);
		/* what is there now is younger than the interval */
		assert_true(s.track.age_s == 1 && s.track.sampled_s == 0 && s.track.sampled_ios == 0);
		assert_sound(&s.d);
		/* the next interval counts again */
		s.before = s.now;
		s.now.v[f] += 1;
		assert_int_equal(compute(&s), DELTA_OK);
		assert_int_equal(s.d.v[f], 1);
	}
}

/* All counters lower, ms by little: the device came back, nothing stepped back. */
static void a_reset_with_a_small_step_is_a_reset(void **state)
{
	struct scene s = scene();

	(void)state;
	s.now.v[RD_IOS] -= 1;
	s.now.v[RD_TICKS] -= 1;
	assert_int_equal(compute(&s), DELTA_RESET);
}

static void words_of_32_bits_wrap(void **state)
{
	struct scene s = scene();

	(void)state;
	s.in.word_bits = 32;
	s.before.v[WR_SECTORS] = UINT32_MAX - 99;
	s.now.v[WR_SECTORS] = 900;
	assert_int_equal(compute(&s), DELTA_OK);
	assert_int_equal(s.d.v[WR_SECTORS], 1000);
	/* the same numbers on a 64-bit machine are a reset */
	s.in.word_bits = 64;
	assert_int_equal(compute(&s), DELTA_RESET);
	/* from the lower half of the range it does not wrap, however long the interval */
	s.in.word_bits = 32;
	s.in.seconds = 3600;
	s.before.v[WR_SECTORS] = INT32_MAX;
	s.now.v[WR_SECTORS] = 900;
	assert_int_equal(compute(&s), DELTA_RESET);
	/* and a number that does not fit in 32 bits is none of that machine's */
	s.before.v[WR_SECTORS] = TWO_32 + 5;
	s.now.v[WR_SECTORS] = 6;
	assert_int_equal(compute(&s), DELTA_RESET);
}

/* At most 1e8 sectors and 2e7 of the others a second, for an interval of 1 s and shorter; twice that in 2 s. */
static void word_wraps_are_bounded(void **state)
{
	static const struct {
		unsigned int field;
		uint64_t most;
		double seconds;
		uint64_t factor;
	} cases[] = {
		{ RD_SECTORS, 100000000, 1, 1 }, { RD_IOS, 20000000, 1, 1 }, { WR_MERGES, 20000000, 1, 1 },
		{ RD_SECTORS, 100000000, 0.1, 1 }, { DC_SECTORS, 100000000, 2, 2 }, { FL_IOS, 20000000, 2, 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint64_t most = cases[i].most * cases[i].factor;
		struct scene s = scene();

		s.in.word_bits = 32;
		s.in.seconds = cases[i].seconds;
		s.before.v[cases[i].field] = UINT32_MAX;
		s.now.v[cases[i].field] = most - 1;
		assert_int_equal(compute(&s), DELTA_OK);
		assert_int_equal(s.d.v[cases[i].field], most);
		s.now.v[cases[i].field] = most;
		assert_int_equal(compute(&s), DELTA_RESET);
	}
}

static void words_of_64_bits_wrap_too(void **state)
{
	struct scene s = scene();

	(void)state;
	s.before.v[RD_IOS] = UINT64_MAX - 4;
	s.now.v[RD_IOS] = 5;
	assert_int_equal(compute(&s), DELTA_OK);
	assert_int_equal(s.d.v[RD_IOS], 10);
}

static void an_interval_without_length_has_no_value(void **state)
{
	static const double lengths[] = { 0, -1, NAN };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct scene s = scene();

		s.in.seconds = lengths[i];
		s.track.age_s = 5;
		assert_int_equal(compute(&s), DELTA_FIRST);
		assert_int_equal(s.d.why[RD_IOS], NA_FIRST);
		assert_true(s.d.seconds == 0 && s.track.age_s == 5);
		assert_sound(&s.d);
	}
}

/* md without time accounting: `ios` I/Os since registration, `grown` of them in the interval. */
static struct scene md(uint64_t ios, uint64_t grown)
{
	struct scene s = { .in = one_second };

	s.now.has = s.before.has = HAS_11;
	s.now.v[WR_IOS] = ios;
	s.now.v[WR_SECTORS] = ios * 8;
	s.before.v[WR_IOS] = ios - grown;
	s.before.v[WR_SECTORS] = (ios - grown) * 8;
	return s;
}

static void assert_times(const struct delta *d, enum na why)
{
	static const unsigned int times[] = { RD_TICKS, WR_TICKS, IO_TICKS, TIME_IN_QUEUE };

	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(d->why[times[i]], why);
		assert_int_equal(!!(d->valid & FIELD(times[i])), why == NA_NONE);
	}
	assert_sound(d);
}

static void time_is_not_accounted_from_1000_ios_on(void **state)
{
	struct scene s = md(1000, 1);

	(void)state;
	compute(&s);
	assert_times(&s.d, NA_NOT_ACCOUNTED);
	assert_int_equal(s.d.v[WR_IOS], 1);
	s = md(999, 1);
	compute(&s);
	assert_times(&s.d, NA_RESOLUTION);
	/* nothing done: 0 is right while it is open whether time is accounted, unknown when it is known not to be */
	s = md(999, 0);
	compute(&s);
	assert_times(&s.d, NA_NONE);
	s = md(1000, 0);
	compute(&s);
	assert_times(&s.d, NA_NOT_ACCOUNTED);
}

static void one_ms_anywhere_shows_that_time_is_accounted(void **state)
{
	static const unsigned int times[] = { RD_TICKS, WR_TICKS, IO_TICKS, TIME_IN_QUEUE };

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct scene s = md(5000, 10);

		s.before.v[times[i]] = s.now.v[times[i]] = 1;
		compute(&s);
		assert_times(&s.d, NA_NONE);
	}
}

/* 100 I/Os in intervals of 0.25 s: the fourth makes the sampled second full. Idle intervals do not count. */
static void a_sampled_second_with_100_ios_tells(void **state)
{
	struct delta_track track = { .age_s = 0 };

	(void)state;
	for (unsigned int i = 1; i <= 4; i++) {
		struct scene s = md(25 * i, 25);

		s.in.seconds = 0.25;
		s.track = track;
		compute(&s);
		assert_times(&s.d, i < 4 ? NA_RESOLUTION : NA_NOT_ACCOUNTED);
		s.before = s.now;
		compute(&s);
		assert_times(&s.d, i < 4 ? NA_NONE : NA_NOT_ACCOUNTED);
		track = s.track;
		assert_true(track.sampled_s == 0.25 * i && track.sampled_ios == 25 * i);
	}
}

static void ninety_nine_ios_in_a_second_do_not_tell(void **state)
{
	struct scene s = md(99, 99);

	(void)state;
	compute(&s);
	assert_times(&s.d, NA_RESOLUTION);
}

static void all_zero_is_a_valid_zero(void **state)
{
	struct scene s = md(0, 0);

	(void)state;
	assert_int_equal(compute(&s), DELTA_OK);
	assert_int_equal(s.d.valid, HAS_11);
	assert_false(delta_active(&s.d));
}

static void discard_and_flush_times_go_with_the_others(void **state)
{
	struct scene s = md(5000, 10);

	(void)state;
	s.before.has = s.now.has = FIELDS_ALL;
	compute(&s);
	assert_int_equal(s.d.why[DC_TICKS], NA_NOT_ACCOUNTED);
	assert_int_equal(s.d.why[FL_TICKS], NA_NOT_ACCOUNTED);
	assert_true(s.d.valid & FIELD(DC_IOS));
}

static void no_sectors_at_all_are_not_0_sectors(void **state)
{
	struct scene s = scene();

	(void)state;
	s.before.v[RD_SECTORS] = s.before.v[WR_SECTORS] = s.now.v[RD_SECTORS] = s.now.v[WR_SECTORS] = 0;
	compute(&s);
	assert_int_equal(s.d.why[RD_SECTORS], NA_NO_SECTORS);
	assert_int_equal(s.d.why[WR_SECTORS], NA_NO_SECTORS);
	assert_true(s.d.valid & FIELD(DC_SECTORS));
	/* one read with data, ever: they are counted */
	s.before.v[RD_SECTORS] = s.now.v[RD_SECTORS] = 8;
	compute(&s);
	assert_int_equal(s.d.valid, FIELDS_ALL);
	/* only flushes so far: there was nothing to count */
	s = (struct scene){ .in = one_second, .before = { .has = FIELDS_ALL }, .now = { .has = FIELDS_ALL } };
	s.now.v[FL_IOS] = 9;
	compute(&s);
	assert_true(s.d.valid & FIELD(RD_SECTORS));
}

static void since_boot_the_counters_are_the_growth(void **state)
{
	struct delta d;
	struct counters md0 = md(999, 0).now;

	(void)state;
	delta_since_boot(&d, &busy, 250);
	assert_int_equal(d.state, DELTA_OK);
	assert_memory_equal(d.v, busy.v, sizeof(d.v));
	assert_true(d.seconds == 250 && d.samples == 1);
	delta_since_boot(&d, &md0, 250);
	assert_times(&d, NA_RESOLUTION);
	assert_int_equal(d.why[DC_IOS], NA_NO_FIELD);
	md0.v[WR_IOS] = 1000;
	delta_since_boot(&d, &md0, 250);
	assert_times(&d, NA_NOT_ACCOUNTED);
	delta_since_boot(&d, &busy, 0);
	assert_int_equal(d.state, DELTA_FIRST);
	assert_sound(&d);
}

/* xorshift64: the same numbers everywhere */
static uint64_t draw(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* A number near 0, near a wrap, or anywhere. */
static uint64_t hostile(uint64_t *seed)
{
	static const uint64_t bases[] = { 0, 1000, INT32_MAX, UINT32_MAX, TWO_32, INT64_MAX, UINT64_MAX };
	uint64_t kind = draw(seed) % 8;

	return kind == 7 ? draw(seed) : bases[kind] + draw(seed) % 3000 - 1500;
}

/* Never negative or wild: whatever went down either is hidden or grew by what is possible in the interval. */
static void nothing_wild_comes_of_hostile_numbers(void **state)
{
	uint64_t seed = 88172645463325252U;

	(void)state;
	for (unsigned int i = 0; i < 100000; i++) {
		struct scene s = { .in = one_second };

		s.in.word_bits = i & 1 ? 32 : 64;
		s.before.has = s.now.has = FIELDS_ALL;
		for (unsigned int f = 0; f < FIELDS; f++) {
			s.before.v[f] = hostile(&seed);
			s.now.v[f] = draw(&seed) % 4 ? s.before.v[f] + draw(&seed) % 100 : hostile(&seed);
		}
		compute(&s);
		assert_sound(&s.d);
		for (unsigned int f = 0; f < FIELDS; f++) {
			if (s.now.v[f] < s.before.v[f] && f != IN_FLIGHT && !(FIELDS_TICKS & FIELD(f)))
				assert_true(s.d.v[f] <= 100000000);
			if (FIELDS_TICKS & FIELD(f))
				assert_true(s.d.v[f] <= UINT32_MAX);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(growth_is_subtracted),
		cmocka_unit_test(in_flight_may_fall),
		cmocka_unit_test(fields_that_one_side_lacks_are_not_there),
		cmocka_unit_test(ms_fields_wrap_at_32_bits),
		cmocka_unit_test(ms_fields_wider_than_32_bits_are_cut),
		cmocka_unit_test(ms_wrap_is_bounded),
		cmocka_unit_test(ms_wrap_is_bounded_by_age_where_known),
		cmocka_unit_test(a_stuck_path_that_returns_counts),
		cmocka_unit_test(a_small_step_back_hides_that_field_only),
		cmocka_unit_test(the_limit_of_a_step_back_is_1000_ms),
		cmocka_unit_test(each_ms_field_goes_by_its_own_rule),
		cmocka_unit_test(any_other_decrease_is_a_reset),
		cmocka_unit_test(a_reset_with_a_small_step_is_a_reset),
		cmocka_unit_test(words_of_32_bits_wrap),
		cmocka_unit_test(word_wraps_are_bounded),
		cmocka_unit_test(words_of_64_bits_wrap_too),
		cmocka_unit_test(an_interval_without_length_has_no_value),
		cmocka_unit_test(time_is_not_accounted_from_1000_ios_on),
		cmocka_unit_test(one_ms_anywhere_shows_that_time_is_accounted),
		cmocka_unit_test(a_sampled_second_with_100_ios_tells),
		cmocka_unit_test(ninety_nine_ios_in_a_second_do_not_tell),
		cmocka_unit_test(all_zero_is_a_valid_zero),
		cmocka_unit_test(discard_and_flush_times_go_with_the_others),
		cmocka_unit_test(no_sectors_at_all_are_not_0_sectors),
		cmocka_unit_test(since_boot_the_counters_are_the_growth),
		cmocka_unit_test(nothing_wild_comes_of_hostile_numbers),
	};

	return cmocka_run_group_tests_name("delta", tests, NULL, NULL);
}
