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
#include "model/statistics.h"

static void assert_near(double got, double wanted, double relative)
{
	if (!(fabs(got - wanted) <= relative * fmax(fabs(wanted), 1e-300)))
		fail_msg("%.17g instead of %.17g", got, wanted);
}

static double uniform(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (double)(*state >> 11) / 9007199254740992.0;
}

static void add_all(struct tally *t, const double *n, const double *d, size_t count)
{
	memset(t, 0, sizeof(*t));
	for (size_t i = 0; i < count; i++)
		tally_add(t, n[i], d[i]);
}

/*
 * N 2 4 6 over D 1 1 2: R = 12/4 = 3, residuals -1 1 0, so sd = sqrt(2/3) / (4/3). r1 = (-1*1 + 1*0) / 2 is
 * negative, so all three bins count.
 */
static void test_ratio_by_hand(void **state)
{
	const double n[] = { 2, 4, 6 }, d[] = { 1, 1, 2 };
	struct tally t;
	struct estimate e;

	(void)state;
	add_all(&t, n, d, 3);
	tally_estimate(&t, &e);
	assert_int_equal(e.kind, ESTIMATE_BINS);
	assert_int_equal(e.n, 3);
	assert_near(e.value, 3, 1e-15);
	assert_near(e.sd, sqrt(2.0 / 3) * 3 / 4, 1e-14);
	assert_true(e.r == 0);
	assert_near(e.n_eff, 3, 1e-15);
	assert_near(e.se, e.sd, 1e-15);         /* 3 - 2 bins are free */
	assert_true(isnan(e.half[0]) && isnan(e.half[1]));
	assert_true(e.ios == UINT64_MAX);
}

/*
 * 0 x 8 then 2 x 8: R = 1, residuals -1 or 1, sd 1. Of 15 neighbours 14 agree: r1 = 13/16, and with the correction
 * (1 + 39/16)/16 r = 0.8125 + 0.21484375 is over the limit.
 */
static void test_step_is_at_the_limit(void **state)
{
	struct tally t = { .n = 0 };
	struct estimate e;

	(void)state;
	for (int i = 0; i < 16; i++)
		tally_add(&t, i < 8 ? 0 : 2, 1);
	tally_estimate(&t, &e);
	assert_near(e.sd, 1, 1e-14);
	assert_near(e.r, 0.97, 1e-14);
	assert_near(e.n_eff, 16 * 0.03 / 1.97, 1e-12);
}

/*
 * Pairs 0 0 2 2 0 0 2 2, 16 bins: residuals -1 -1 1 1 …; 8 neighbours agree, 7 do not: r1 = 1/16 and
 * r = 1/16 + (1 + 3/16)/16 = 0.13671875. n_eff = 16 * (1 - r)/(1 + r), se = 1/sqrt(n_eff - 2).
 */
static void test_autocorrelation_by_hand(void **state)
{
	struct tally t = { .n = 0 };
	struct estimate e;

	(void)state;
	for (int i = 0; i < 16; i++)
		tally_add(&t, i % 4 < 2 ? 0 : 2, 1);
	tally_estimate(&t, &e);
	assert_near(e.r, 0.13671875, 1e-12);
	assert_near(e.n_eff, 16 * 0.86328125 / 1.13671875, 1e-12);
	assert_near(e.se, 1 / sqrt(e.n_eff - 2), 1e-12);
}

/* The sums give what going over the bins twice gives, also over gaps and with unequal weights. */
static void test_sums_equal_direct_residuals(void **state)
{
	enum { BINS = 200 };
	double n[BINS], d[BINS], sn = 0, sd = 0, squares = 0, products = 0, r;
	uint64_t seed = 7;
	struct tally t = { .n = 0 };
	struct estimate e;

	(void)state;
	for (int i = 0; i < BINS; i++) {
		d[i] = 0.5 + uniform(&seed);
		n[i] = d[i] * (5 + uniform(&seed) + (i % 20 < 10));
		if (i % 37 == 36)
			tally_skip(&t);
		tally_add(&t, n[i], d[i]);
		sn += n[i];
		sd += d[i];
	}
	for (int i = 0; i < BINS; i++) {
		double residual = n[i] - sn / sd * d[i];

		squares += residual * residual;
		if (i && i % 37 != 36)
			products += residual * (n[i - 1] - sn / sd * d[i - 1]);
	}
	tally_estimate(&t, &e);
	r = products / squares + (1 + 3 * products / squares) / BINS;
	assert_true(r > 0.1 && r < 0.97);
	assert_near(e.value, sn / sd, 1e-13);
	assert_near(e.sd, sqrt(squares / BINS) / (sd / BINS), 1e-9);
	assert_near(e.r, r, 1e-9);
	assert_near(e.n_eff, BINS * (1 - r) / (1 + r), 1e-9);
}

/* Rounding must not make noise out of constant data: 0.1 and 1/3 have no exact double. */
static void test_constant_has_no_spread(void **state)
{
	struct tally t = { .n = 0 };
	struct estimate e;

	(void)state;
	for (int i = 1; i <= 1000; i++)
		tally_add(&t, 0.1 * (i % 7 + 1), (i % 7 + 1) / 3.0);
	tally_estimate(&t, &e);
	assert_near(e.value, 0.3, 1e-12);
	assert_true(e.sd == 0 && e.se == 0 && e.r == 0);
	assert_near(e.n_eff, 1000, 1e-15);
}

/* A spread of one in a thousand is far above the rounding and must be seen. */
static void test_small_spread_is_kept(void **state)
{
	struct tally t = { .n = 0 };
	struct estimate e;

	(void)state;
	for (int i = 0; i < 100; i++)
		tally_add(&t, i % 2 ? 1001 : 999, 1);
	tally_estimate(&t, &e);
	assert_near(e.sd, 1, 1e-6);
}

static void test_bins_without_weight(void **state)
{
	struct tally t = { .n = 0 };
	struct estimate e;

	(void)state;
	tally_estimate(&t, &e);
	assert_int_equal(e.kind, ESTIMATE_NONE);
	tally_add(&t, 5, 0);
	tally_add(&t, 5, -1);
	tally_add(&t, NAN, 1);
	tally_add(&t, INFINITY, 1);
	tally_add(&t, 5, NAN);
	tally_add(&t, 5, INFINITY);
	assert_int_equal(t.n, 0);
	tally_add(&t, 6, 2);
	tally_add(&t, 0, 0);
	tally_add(&t, 6, 2);
	assert_int_equal(t.n, 2);
	assert_true(t.lnn == 0);        /* they were no neighbours */
	tally_estimate(&t, &e);
	assert_near(e.value, 3, 1e-15);
}

static void test_zeros_equal_added_bins(void **state)
{
	const double d[] = { 1, 1.5, 0.7, 2 };
	struct tally added = { .n = 0 }, begun;
	struct tally_weights w = { 0, 0, 0, 2 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(d); i++) {
		tally_add(&added, 0, d[i]);
		w.sum += d[i];
		w.squares += d[i] * d[i];
		w.lag += i ? d[i - 1] * d[i] : 0;
	}
	tally_zeros(&begun, ARRAY_SIZE(d), &w);
	assert_memory_equal(&added, &begun, sizeof(added));
	tally_zeros(&begun, 0, &w);
	assert_int_equal(begun.n, 0);
	assert_false(begun.joined);
}

/* Three out of four bins at 3, one at 100: the median lies in 3's bucket, the top in 100's. */
static void test_quantile(void **state)
{
	struct tally t = { .n = 0 };

	(void)state;
	assert_true(tally_quantile(&t, 0.5) == 0);
	for (int i = 0; i < 400; i++)
		tally_add(&t, i % 4 ? 3 : 100, 1);
	assert_in_range((uint64_t)(tally_quantile(&t, 0.5) * 1000), 3000, 6000);
	assert_true(tally_quantile(&t, 0.74) <= 4);
	assert_true(tally_quantile(&t, 0.9) >= 64);
	assert_true(tally_quantile(&t, 1) == 100);
	assert_true(tally_quantile(&t, 0) >= 3);
	assert_true(tally_quantile(&t, 7) == 100);
}

/* Values below and above the buckets' range, and more bins than a bucket can count. */
static void test_quantile_extremes(void **state)
{
	struct tally t = { .n = 0 };

	(void)state;
	for (int i = 0; i < 100000; i++)
		tally_add(&t, 1e-9, 1);
	for (int i = 0; i < 50000; i++)
		tally_add(&t, 1e12, 1);
	assert_true(tally_quantile(&t, 0.5) <= 1.0 / 128);
	assert_true(tally_quantile(&t, 0.8) >= 32768);
	assert_near(tally_quantile(&t, 1), 1e12, 1e-6);
}

/* 1 2 3: the spread over n is sqrt(2/3), the error of the mean 1/sqrt(3). */
static void test_values(void **state)
{
	const double v[] = { 1, 2, 3 };
	struct estimate e;

	(void)state;
	values_estimate(v, 3, &e);
	assert_int_equal(e.kind, ESTIMATE_VALUES);
	assert_near(e.value, 2, 1e-15);
	assert_near(e.sd, sqrt(2.0 / 3), 1e-14);
	assert_near(e.se, 1 / sqrt(3), 1e-14);
	assert_near(e.n_eff, 3, 1e-15);
	values_estimate(v, 1, &e);
	assert_int_equal(e.kind, ESTIMATE_SINGLE);
	assert_true(e.value == 1 && e.sd == 0);
	values_estimate(v, 0, &e);
	assert_int_equal(e.kind, ESTIMATE_NONE);
}

static void test_equal_values_have_no_spread(void **state)
{
	const double v[] = { 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 };
	struct estimate e;

	(void)state;
	values_estimate(v, 7, &e);
	assert_true(e.sd == 0 && e.se == 0);
}

/* Printed tables of the t distribution. */
static void test_student_table(void **state)
{
	const struct { double confidence, df, critical; } rows[] = {
		{ 0.95, 1, 12.706204736 }, { 0.95, 10, 2.228138852 }, { 0.95, 30, 2.042272456 },
		{ 0.99, 5, 4.032142984 }, { 0.99, 120, 2.617421145 }, { 0.999, 10, 4.586893859 },
		{ 0.5, 4, 0.740697084 }, { 0.9, 2, 2.919985580 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_near(student_critical(rows[i].confidence, rows[i].df), rows[i].critical, 1e-9);
}

/* Closed forms: 1 - 2/pi atan(t) for df 1, 1 - t/sqrt(2 + t^2) for df 2, the normal tail for very many. */
static void test_student_closed_forms(void **state)
{
	(void)state;
	for (double t = 0.01; t < 50; t *= 1.7) {
		assert_near(student_tail(t, 1), 2 / M_PI * atan(1 / t), 1e-12);
		assert_near(student_tail(t, 2), 2 / (sqrt(2 + t * t) * (sqrt(2 + t * t) + t)), 1e-11);
		assert_near(student_tail(-t, 2), student_tail(t, 2), 1e-15);
	}
	for (double t = 0.5; t < 5; t += 0.5)
		assert_near(student_tail(t, 1e9), erfc(t / M_SQRT2), 1e-6);
}

static void test_student_round_trip(void **state)
{
	const double levels[] = { 0.1, 0.5, 0.95, 0.997, 0.999, 0.999999 };

	(void)state;
	for (double df = 0.5; df <= 1e6; df *= 1.37) {
		for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
			double t = student_critical(levels[i], df);

			if (!(fabs(student_tail(t, df) - (1 - levels[i])) < 1e-9))
				fail_msg("df %g, %g: tail(%g) is %g", df, levels[i], t, student_tail(t, df));
		}
	}
}

/* More degrees of freedom, a smaller critical value; never below the normal's 2.967738 at 99.7%. */
static void test_student_falls_to_normal(void **state)
{
	double last = INFINITY;

	(void)state;
	for (double df = 0.5; df <= 1e6; df *= 1.21) {
		double t = student_critical(0.997, df);

		assert_true(t < last && t > 2.9677379);
		last = t;
	}
	assert_near(last, 2.9677379, 1e-4);
}

static void test_student_senseless_arguments(void **state)
{
	(void)state;
	assert_true(student_tail(3, 0) == 1);
	assert_true(student_tail(NAN, 5) == 1);
	assert_true(student_tail(0, 5) == 1);
	assert_true(student_tail(INFINITY, 5) == 0);
	assert_true(student_tail(1e200, 0.5) >= 0);
	assert_true(isinf(student_critical(1, 5)));
	assert_true(isinf(student_critical(0.99, 0)));
	assert_true(student_critical(0, 5) == 0);
}

/*
 * Equal errors and n: df is (n - 1) * 2. Errors 3 and 4 with n 5 and 9: se 5,
 * df = 625 / (81/4 + 256/8) = 11.961722….
 */
static void test_welch(void **state)
{
	struct estimate a = { .se = 2, .n_eff = 10 }, b = a;
	struct welch w = welch(&a, &b);

	(void)state;
	assert_near(w.se, sqrt(8), 1e-15);
	assert_near(w.df, 18, 1e-14);
	a = (struct estimate){ .se = 3, .n_eff = 5 };
	b = (struct estimate){ .se = 4, .n_eff = 9 };
	w = welch(&a, &b);
	assert_near(w.se, 5, 1e-15);
	assert_near(w.df, 625 / (81 / 4.0 + 256 / 8.0), 1e-14);
	a.se = b.se = 0;
	w = welch(&a, &b);
	assert_true(w.se == 0 && w.df == 12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ratio_by_hand),
		cmocka_unit_test(test_step_is_at_the_limit),
		cmocka_unit_test(test_autocorrelation_by_hand),
		cmocka_unit_test(test_sums_equal_direct_residuals),
		cmocka_unit_test(test_constant_has_no_spread),
		cmocka_unit_test(test_small_spread_is_kept),
		cmocka_unit_test(test_bins_without_weight),
		cmocka_unit_test(test_zeros_equal_added_bins),
		cmocka_unit_test(test_quantile),
		cmocka_unit_test(test_quantile_extremes),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_equal_values_have_no_spread),
		cmocka_unit_test(test_student_table),
		cmocka_unit_test(test_student_closed_forms),
		cmocka_unit_test(test_student_round_trip),
		cmocka_unit_test(test_student_falls_to_normal),
		cmocka_unit_test(test_student_senseless_arguments),
		cmocka_unit_test(test_welch),
	};

	return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
