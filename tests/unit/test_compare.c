/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "model/compare.h"

static const struct metric_rules rate = { .floor_rel = 0.02, .floor_abs = 1, .direction = 1 };
static const struct metric_rules latency = {
	.floor_rel = 0.02, .floor_abs = 0.02, .direction = -1, .flags = METRIC_LATENCY_FLOOR
};
static const struct metric_rules percent = { .floor_abs = 2, .flags = METRIC_PERCENT };

/* n white bins around a value. */
static struct estimate bins(double value, double sd, uint32_t n)
{
	return (struct estimate){
		.kind = ESTIMATE_BINS, .value = value, .sd = sd, .se = sd / sqrt(n - 2.0), .n_eff = n, .n = n,
		.half = { value, value }, .ios = UINT64_MAX,
	};
}

static struct estimate of_kind(enum estimate_kind kind, double value, double sd, uint32_t n)
{
	struct estimate e = bins(value, sd, n);

	e.kind = kind;
	e.half[0] = e.half[1] = NAN;
	return e;
}

static struct comparison judged(const struct metric_rules *rules, struct estimate before, struct estimate after)
{
	struct comparison c;

	memset(&c, 0xa5, sizeof(c));
	compare(&c, rules, CONFIDENCE_FINISHED, &before, NA_NONE, &after, NA_NONE);
	return c;
}

static void assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-9 * fmax(1, fabs(wanted))))
		fail_msg("%.12g instead of %.12g", got, wanted);
}

static void test_clear_change(void **state)
{
	struct comparison c = judged(&rate, bins(100, 5, 60), bins(80, 5, 60));

	(void)state;
	assert_int_equal(c.verdict, VERDICT_CLEAR);
	assert_near(c.change, -20);
	assert_true(c.has_pct);
	assert_near(c.change_pct, -20);
	assert_int_equal(c.better, -1);
	c = judged(&latency, bins(100, 5, 60), bins(80, 5, 60));
	assert_int_equal(c.better, 1);
	c = judged(&percent, bins(100, 5, 60), bins(80, 5, 60));
	assert_int_equal(c.better, 0);
	assert_int_equal(c.verdict, VERDICT_CLEAR);
}

/* se of the difference sqrt(2 * 25/58), df 118; the same t gives the interval, in percent of a BEFORE of 200. */
static void test_interval(void **state)
{
	struct comparison c = judged(&rate, bins(200, 5, 60), bins(201, 5, 60));
	double reach = student_critical(0.997, 118) * sqrt(50.0 / 58);

	(void)state;
	assert_int_equal(c.verdict, VERDICT_NOISE);
	assert_true(c.has_ci);
	assert_near(c.ci_low, (1 - reach) / 2);
	assert_near(c.ci_high, (1 + reach) / 2);
	assert_near(c.mde_pct, 2);              /* the floor is larger than reach / 2 = 1.41 */
	assert_int_equal(c.better, 0);
	c = judged(&rate, bins(200, 50, 60), bins(201, 50, 60));
	assert_near(c.mde_pct, 10 * reach / 2);
}

/* Percent metrics are judged and shown in points, a base of 10 or not. */
static void test_points(void **state)
{
	struct comparison c = judged(&percent, bins(10, 1, 60), bins(13, 1, 60));

	(void)state;
	assert_int_equal(c.verdict, VERDICT_CLEAR);
	assert_false(c.has_pct);
	assert_true(c.has_ci);
	assert_near((c.ci_low + c.ci_high) / 2, 3);
	assert_int_equal(judged(&percent, bins(10, 0.1, 60), bins(12, 0.1, 60)).verdict, VERDICT_NOISE);
	assert_int_equal(judged(&percent, bins(10, 0.1, 60), bins(12.01, 0.1, 60)).verdict, VERDICT_CLEAR);
}

/* A change must be more than the floor, not equal to it; 2% of 1000, or 1 of 10. */
static void test_floor(void **state)
{
	(void)state;
	assert_int_equal(judged(&rate, bins(1000, 0, 60), bins(1020, 0, 60)).verdict, VERDICT_NOISE);
	assert_int_equal(judged(&rate, bins(1000, 0, 60), bins(1020.1, 0, 60)).verdict, VERDICT_CLEAR);
	assert_int_equal(judged(&rate, bins(10, 0, 60), bins(11, 0, 60)).verdict, VERDICT_NOISE);
	assert_int_equal(judged(&rate, bins(10, 0, 60), bins(8.9, 0, 60)).verdict, VERDICT_CLEAR);
}

/* 0.02 ms, but 0.2 ms with fewer than 50 I/Os on a side. */
static void test_latency_floor(void **state)
{
	struct estimate a = bins(0.5, 0, 60), b = bins(0.55, 0, 60);

	(void)state;
	a.ios = b.ios = 50;
	assert_near(floor_of(&latency, &a, &b), 0.02);
	assert_int_equal(judged(&latency, a, b).verdict, VERDICT_CLEAR);
	b.ios = 49;
	assert_near(floor_of(&latency, &a, &b), 0.2);
	assert_int_equal(judged(&latency, a, b).verdict, VERDICT_NOISE);
	assert_near(floor_of(&rate, &a, &b), 1);
	a.value = -1000;
	assert_near(floor_of(&latency, &a, &b), 20);
}

static void test_not_available(void **state)
{
	struct estimate e = bins(5, 1, 60), none = { .kind = ESTIMATE_NONE };
	struct comparison c;

	(void)state;
	compare(&c, &rate, CONFIDENCE_FINISHED, &none, NA_NO_IO, &e, NA_NONE);
	assert_int_equal(c.verdict, VERDICT_NA);
	assert_int_equal(c.why_before, NA_NO_IO);
	assert_int_equal(c.why_after, NA_NONE);
	assert_false(c.has_pct || c.has_ci);
	compare(&c, &rate, CONFIDENCE_FINISHED, &e, NA_NONE, &none, NA_NONE);
	assert_int_equal(c.verdict, VERDICT_NA);
	assert_int_not_equal(c.why_after, NA_NONE);
	e.value = NAN;
	compare(&c, &rate, CONFIDENCE_FINISHED, &e, NA_NONE, &e, NA_NONE);
	assert_int_equal(c.verdict, VERDICT_NA);
}

static void test_new_and_gone(void **state)
{
	struct comparison c = judged(&rate, bins(0, 0, 60), bins(50, 1, 60));

	(void)state;
	assert_int_equal(c.verdict, VERDICT_NEW);
	assert_false(c.has_pct || c.has_ci);
	assert_near(c.change, 50);
	assert_int_equal(c.better, 0);
	/* before `single` and `few` are looked at */
	assert_int_equal(judged(&rate, of_kind(ESTIMATE_SINGLE, 0, 0, 1), bins(50, 1, 60)).verdict, VERDICT_NEW);
	assert_int_equal(judged(&rate, bins(0, 0, 3), bins(50, 1, 60)).verdict, VERDICT_NEW);
	/* not past the floor */
	assert_int_equal(judged(&rate, bins(0, 0, 60), bins(1, 0.1, 60)).verdict, VERDICT_NOISE);
	/* the other way round there is a base */
	c = judged(&rate, bins(50, 1, 60), bins(0, 0, 60));
	assert_int_equal(c.verdict, VERDICT_CLEAR);
	assert_near(c.change_pct, -100);
	compare_one_sided(&c, true);
	assert_int_equal(c.verdict, VERDICT_GONE);
	compare_one_sided(&c, false);
	assert_int_equal(c.verdict, VERDICT_NEW);
}

static void test_single(void **state)
{
	struct comparison c = judged(&rate, of_kind(ESTIMATE_SINGLE, 100, 0, 1), bins(50, 1, 3));

	(void)state;
	assert_int_equal(c.verdict, VERDICT_SINGLE);
	assert_near(c.change_pct, -50);
	assert_false(c.has_ci);
	assert_int_equal(c.better, 0);
}

/* Bins are counted by n_eff, files by their number. */
static void test_few(void **state)
{
	struct estimate a = bins(100, 1, 60), b = bins(50, 1, 60);

	(void)state;
	b.n_eff = 4.999;
	assert_int_equal(judged(&rate, a, b).verdict, VERDICT_FEW);
	assert_int_equal(judged(&rate, b, a).verdict, VERDICT_FEW);
	assert_false(judged(&rate, a, b).has_ci);
	b.n_eff = 5;
	assert_int_equal(judged(&rate, a, b).verdict, VERDICT_CLEAR);
	a = of_kind(ESTIMATE_VALUES, 100, 0, 3);
	a.se = 1;
	b = of_kind(ESTIMATE_VALUES, 10, 0, 3);
	b.se = 1;
	assert_int_equal(judged(&rate, a, b).verdict, VERDICT_CLEAR);
	b.n = 2;
	b.n_eff = 2;
	assert_int_equal(judged(&rate, a, b).verdict, VERDICT_FEW);
}

/* Clear by its noise, but one side moved by more within itself. */
static void test_drift(void **state)
{
	struct estimate a = bins(100, 5, 60), b = bins(80, 5, 60);

	(void)state;
	b.half[0] = 69;
	b.half[1] = 90;
	assert_int_equal(judged(&rate, a, b).verdict, VERDICT_DRIFT);
	assert_int_equal(judged(&rate, b, a).verdict, VERDICT_DRIFT);
	assert_int_equal(judged(&rate, a, b).better, 0);
	b.half[1] = 89;                 /* by exactly the change: no drift */
	assert_int_equal(judged(&rate, a, b).verdict, VERDICT_CLEAR);
	b.half[0] = NAN;
	assert_int_equal(judged(&rate, a, b).verdict, VERDICT_CLEAR);
	b.half[0] = 0;                  /* what is noise stays noise */
	b.value = 100.5;
	assert_int_equal(judged(&rate, a, b).verdict, VERDICT_NOISE);
}

/* 100 ± 4 and 80 ± 5: the intervals of two sd end at 92 and 90. */
static void test_spread(void **state)
{
	struct estimate a = of_kind(ESTIMATE_SPREAD, 100, 4, 3), b = of_kind(ESTIMATE_SPREAD, 80, 5, 3);

	(void)state;
	assert_int_equal(judged(&rate, a, b).verdict, VERDICT_CLEAR);
	assert_false(judged(&rate, a, b).has_ci);
	b.sd = 6;
	assert_int_equal(judged(&rate, a, b).verdict, VERDICT_NOISE);
}

/* White bins 100 ± 10, 60 a side: t(0.997, df 118) is 3.03, so the edge lies at 3.03 * 10 * sqrt(2/58) = 5.63. */
static void test_edge_of_noise(void **state)
{
	(void)state;
	assert_int_equal(judged(&rate, bins(100, 10, 60), bins(105.5, 10, 60)).verdict, VERDICT_NOISE);
	assert_int_equal(judged(&rate, bins(100, 10, 60), bins(105.8, 10, 60)).verdict, VERDICT_CLEAR);
}

static double uniform(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (double)(*state >> 11) / 9007199254740992.0;
}

static struct estimate random_estimate(uint64_t *seed)
{
	struct estimate e = bins(100 + 30 * uniform(seed), 10 * uniform(seed), 4 + (uint32_t)(uniform(seed) * 30));

	e.n_eff *= 0.3 + 0.7 * uniform(seed);
	e.kind = uniform(seed) < 0.8 ? ESTIMATE_BINS : (enum estimate_kind)(uniform(seed) * 5);
	e.half[0] += 10 * uniform(seed);
	if (uniform(seed) < 0.05)
		e.value = 0;
	return e;
}

/* The quick way says what the whole comparison says, and that is what the interval says. */
static void test_quick_way_agrees(void **state)
{
	uint64_t seed = 99;
	unsigned int clear = 0, known = 0;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		struct estimate a = random_estimate(&seed), b = random_estimate(&seed);
		double confidence = i % 2 ? CONFIDENCE_FINISHED : CONFIDENCE_LIVE;
		struct comparison c;
		int way = 0;
		bool quick = compare_is_clear(&rate, confidence, &a, &b, &way);

		compare(&c, &rate, confidence, &a, NA_NONE, &b, NA_NONE);
		assert_int_equal(quick, c.verdict == VERDICT_CLEAR);
		if (quick)
			assert_true(way == c.better && way == (c.change > 0 ? 1 : -1));
		if (c.has_ci) {
			bool out = (c.ci_low > 0 || c.ci_high < 0) && fabs(c.change) > floor_of(&rate, &a, &b);

			assert_int_equal(out, c.verdict == VERDICT_CLEAR || c.verdict == VERDICT_DRIFT);
			known++;
		}
		clear += quick;
	}
	assert_true(clear > 1000 && known > 5000);
}

static size_t turns_of(struct turn *turns, const char *settings, const double *values)
{
	size_t n = strlen(settings);

	for (size_t i = 0; i < n; i++)
		turns[i] = (struct turn){ settings[i] == 'B', bins(values[i], 2, 30) };
	return n;
}

static bool repeated(const char *settings, const double *values, struct comparison *c, struct estimate *a,
		     struct estimate *b)
{
	struct turn turns[16];
	size_t n = turns_of(turns, settings, values);

	return compare_turns(c, &rate, turns, n, a, b);
}

/* A 100, 104; B 80, 90: the means are 102 and 85, the spreads 2 and 5. */
static void test_turns(void **state)
{
	struct comparison c;
	struct estimate a, b;

	(void)state;
	assert_true(repeated("ABAB", (const double[]){ 100, 80, 104, 90 }, &c, &a, &b));
	assert_int_equal(c.verdict, VERDICT_REPEATED);
	assert_near(a.value, 102);
	assert_near(a.sd, 2);
	assert_int_equal(a.n, 2);
	assert_near(b.value, 85);
	assert_near(b.sd, 5);
	assert_near(c.change, -17);
	assert_int_equal(c.better, -1);
	assert_true(c.has_ci && c.ci_high < 0);
	/* seen from A to B, whichever comes first */
	assert_true(repeated("BABA", (const double[]){ 80, 100, 80, 100 }, &c, &a, &b));
	assert_near(c.change, -20);
}

static void test_turns_that_do_not_repeat(void **state)
{
	struct comparison c = { .change = 77 };
	struct estimate a, b;

	(void)state;
	assert_false(repeated("", NULL, &c, &a, &b));
	assert_false(repeated("ABA", (const double[]){ 100, 80, 100 }, &c, &a, &b));
	/* steadily falling: from A to B down, from B to A down as well */
	assert_false(repeated("ABAB", (const double[]){ 100, 90, 80, 70 }, &c, &a, &b));
	/* the last change is none */
	assert_false(repeated("ABAB", (const double[]){ 100, 80, 100, 100 }, &c, &a, &b));
	/* two changes of setting only */
	assert_false(repeated("AABBA", (const double[]){ 100, 100, 80, 80, 100 }, &c, &a, &b));
	assert_near(c.change, 77);
}

/* What was before the last unbroken row of changes does not count; neighbours of one setting do. */
static void test_turns_use_the_last_row(void **state)
{
	struct comparison c;
	struct estimate a, b;

	(void)state;
	assert_true(repeated("ABABAB", (const double[]){ 5, 100, 100, 80, 100, 80 }, &c, &a, &b));
	assert_near(a.value, 100);
	assert_near(b.value, 80);
	assert_true(repeated("ABABABB", (const double[]){ 5, 300, 100, 80, 100, 80, 83 }, &c, &a, &b));
	assert_int_equal(a.n, 2);
	assert_int_equal(b.n, 3);
	assert_near(a.value, 100);
	assert_true(repeated("AABAB", (const double[]){ 100, 103, 80, 100, 80 }, &c, &a, &b));
	assert_int_equal(a.n, 3);
}

static void test_eras(void **state)
{
	const struct { const char *release; char era; } rows[] = {
		{ "2.6.18-8.el5", 'A' }, { "4.20.17", 'A' }, { "5.0.0", 'B' }, { "5.6.19-300.fc32", 'B' },
		{ "5.7.1", 'C' }, { "5.10.92", 'C' }, { "6.9.12", 'C' }, { "6.10.0-rc1", 'D' }, { "6.18", 'D' },
		{ "7.0", 'D' }, { "99999999999999999999.1", 'D' }, { "5", '?' }, { "", '?' }, { "x.y", '?' },
		{ "5.", '?' }, { ".5", '?' },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (accounting_era(rows[i].release) != rows[i].era)
			fail_msg("%s: %c", rows[i].release, accounting_era(rows[i].release));
	}
	assert_true(eras_comparable(M_PCT_UTIL, 'C', 'C'));
	assert_false(eras_comparable(M_PCT_UTIL, 'C', 'D'));
	assert_false(eras_comparable(M_SVCTM, 'A', 'B'));
	assert_false(eras_comparable(M_BUSY_DEPTH, 'B', '?'));
	assert_false(eras_comparable(M_AQU_SZ, 'A', 'C'));
	assert_true(eras_comparable(M_AQU_SZ, 'B', 'D'));
	assert_true(eras_comparable(M_AQU_SZ, '?', '?'));
	assert_false(eras_comparable(M_AQU_SZ, '?', 'D'));
	assert_true(eras_comparable(M_W_AWAIT, 'A', 'D'));
}

static void test_every_verdict_has_words(void **state)
{
	(void)state;
	for (int v = 0; v < VERDICTS; v++) {
		assert_true(strlen(verdict_name(v)) > 1);
		assert_true(strlen(verdict_help(v)) > 10);
	}
	assert_string_equal(verdict_name(VERDICT_REPEATED), "repeated");
	assert_string_equal(verdict_name(VERDICT_NOISE), "noise");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clear_change),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_points),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_latency_floor),
		cmocka_unit_test(test_not_available),
		cmocka_unit_test(test_new_and_gone),
		cmocka_unit_test(test_single),
		cmocka_unit_test(test_few),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_edge_of_noise),
		cmocka_unit_test(test_quick_way_agrees),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_turns_that_do_not_repeat),
		cmocka_unit_test(test_turns_use_the_last_row),
		cmocka_unit_test(test_eras),
		cmocka_unit_test(test_every_verdict_has_words),
	};

	return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
