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
#include "model/activity.h"
#include "model/segment.h"

#define HAS_11 (FIELDS_ALL & ~(FIELDS_DISCARD | FIELDS_FLUSH))

static void assert_near(double got, double wanted)
{
	if (!(fabs(got - wanted) <= 1e-9 * fmax(1, fabs(wanted))))
		fail_msg("%.17g instead of %.17g", got, wanted);
}

static double uniform(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (double)(*state >> 11) / 9007199254740992.0;
}

/* An interval of `seconds` with `writes` writes of 4 KiB that took `ms` each. */
static struct delta writes_of(double seconds, uint64_t writes, uint64_t ms)
{
	struct delta d;

	delta_idle(&d, HAS_11, seconds);
	d.v[WR_IOS] = writes;
	d.v[WR_SECTORS] = writes * 8;
	d.v[WR_TICKS] = writes * ms;
	d.v[TIME_IN_QUEUE] = writes * ms;
	d.v[IO_TICKS] = writes ? (uint64_t)(500 * seconds) : 0;
	return d;
}

static void bin_with(struct segment *s, uint32_t slot, uint32_t instance, const struct delta *d)
{
	segment_open_bin(s, d->seconds);
	segment_add(s, slot, instance, d);
	segment_close_bin(s);
}

static double value_of(const struct segment *s, uint32_t slot, enum metric_id m)
{
	struct estimate e;

	assert_int_equal(segment_estimate(s, slot, m, &e), NA_NONE);
	return e.value;
}

/*
 * 1 s with 100 writes of 1 ms and 3 s with 500 of 2 ms: 600 in 4 s are 150/s; 1100 ms over 600 is 1.8333 ms; the
 * residuals of w/s are 100 - 150 and 500 - 450, so sd is 50 over a mean length of 2.
 */
static void test_values_by_hand(void **state)
{
	struct segment *s = segment_new();
	struct delta a = writes_of(1, 100, 1), b = writes_of(3, 500, 2), total;
	struct estimate e;

	(void)state;
	bin_with(s, 3, 1, &a);
	bin_with(s, 3, 1, &b);
	assert_int_equal(segment_bins(s), 2);
	assert_near(segment_seconds(s), 4);
	assert_int_equal(segment_estimate(s, 3, M_W_S, &e), NA_NONE);
	assert_near(e.value, 150);
	assert_near(e.sd, 25);
	assert_int_equal(e.n, 2);
	assert_int_equal(e.ios, 600);
	assert_true(isnan(e.half[0]));
	assert_near(value_of(s, 3, M_W_AWAIT), 1100.0 / 600);
	assert_near(value_of(s, 3, M_WKB_S), 600 * 4 / 4.0);
	assert_near(value_of(s, 3, M_AQU_SZ), 1.1 / 4);
	segment_total(s, 3, &total);
	assert_int_equal(total.state, DELTA_OK);
	assert_int_equal(total.v[WR_IOS], 600);
	assert_near(total.seconds, 4);
	assert_true(segment_active(s, 3));
	segment_free(s);
}

/* Six bins of 10/s, then six of 30/s; awaits 1 and 3 ms. */
static void test_halves(void **state)
{
	struct segment *s = segment_new();
	struct estimate e;

	(void)state;
	for (int i = 0; i < 12; i++) {
		struct delta d = writes_of(1, i < 6 ? 10 : 30, i < 6 ? 1 : 3);

		bin_with(s, 0, 1, &d);
	}
	segment_estimate(s, 0, M_W_S, &e);
	assert_near(e.half[0], 10);
	assert_near(e.half[1], 30);
	segment_estimate(s, 0, M_W_AWAIT, &e);
	assert_near(e.half[0], 1);
	assert_near(e.half[1], 3);
	assert_int_equal(e.ios, 240);
	segment_estimate(s, 0, M_R_S, &e);
	assert_near(e.half[0], 0);
	segment_free(s);
}

/* Of 1000 bins half are at 10/s, half at 30/s. The blocks cover 64 bins then; no half may be off by more than one. */
static void test_halves_of_many_bins(void **state)
{
	struct segment *s = segment_new();
	struct estimate e;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct delta d = writes_of(1, i < 500 ? 10 : 30, 1);

		bin_with(s, 0, 1, &d);
	}
	segment_estimate(s, 0, M_W_S, &e);
	assert_near(e.value, 20);
	assert_true(e.half[0] >= 10 && e.half[0] <= 10 + 20 * 64 / 436.0);
	assert_true(e.half[1] <= 30 && e.half[1] >= 30 - 20 * 64 / 436.0);
	segment_free(s);
}

static void assert_same_estimate(const struct segment *a, const struct segment *b, enum metric_id m)
{
	struct estimate x, y;
	enum na why = segment_estimate(a, 0, m, &x);

	assert_int_equal(segment_estimate(b, 0, m, &y), why);
	assert_int_equal(x.kind, y.kind);
	if (why != NA_NONE)
		return;
	assert_near(x.value, y.value);
	assert_near(x.sd, y.sd);
	assert_near(x.se, y.se);
	assert_near(x.r, y.r);
	assert_near(x.n_eff, y.n_eff);
	assert_int_equal(x.n, y.n);
	assert_int_equal(x.ios, y.ios);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(isnan(x.half[i]), isnan(y.half[i]));
		if (!isnan(x.half[i]))
			assert_near(x.half[i], y.half[i]);
	}
}

static void assert_same(const struct segment *a, const struct segment *b)
{
	struct delta x, y;

	for (int m = 0; m < METRICS; m++)
		assert_same_estimate(a, b, (enum metric_id)m);
	segment_total(a, 0, &x);
	segment_total(b, 0, &y);
	assert_int_equal(x.state, y.state);
	assert_int_equal(x.valid, y.valid);
	assert_memory_equal(x.v, y.v, sizeof(x.v));
	assert_memory_equal(x.why, y.why, sizeof(x.why));
	assert_near(x.seconds, y.seconds);
	assert_near(x.samples, y.samples);
}

/* The same bins added in two ways: idle ones deferred, or each on its own. */
struct pair {
	struct segment *lazy, *eager;
	uint64_t seed;
};

/* One bin for both: 'i' idle, 'w' writes, '.' not there. */
static void pair_bin(struct pair *p, char what)
{
	double seconds = 1 + uniform(&p->seed) / 10;
	struct delta d = writes_of(seconds, what == 'w' ? (uint64_t)(100 * uniform(&p->seed)) + 1 : 0, 2);

	segment_open_bin(p->lazy, seconds);
	segment_open_bin(p->eager, seconds);
	if (what == 'i')
		segment_add_idle(p->lazy, 0, 1, HAS_11);
	if (what == 'w')
		segment_add(p->lazy, 0, 1, &d);
	if (what != '.') {
		d.derived = 1;          /* never taken for a plain idle bin */
		segment_add(p->eager, 0, 1, &d);
	}
	segment_close_bin(p->lazy);
	segment_close_bin(p->eager);
}

/*
 * A device that was idle for a while and then is not is as if its idle bins had been added one by one: whether it was
 * there from the start, came late, went away for a while, before or after the blocks were widened.
 */
static void test_deferred_idle_bins(void **state)
{
	const char *const stories[] = {
		"iiii", "iiiiiiiwww", "...iiiiiiiiwwiiiw", "iiii..", "iiii..iii", "iiiiii...wwww",
		"................................iiiiiiiiiiiiiiiiiiiiiiiiiiiiwwwiiiwww",
		"iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiiw", "i", "w", "iw", "wi", "wwii..ww", ".i.i.w",
		"...................iiiiiiiiiiiiiiiww", "...................iiiiiiiiiiiiiii.....wwwwwwwwwwwwww",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(stories); i++) {
		struct pair p = { segment_new(), segment_new(), 12345 + i };

		for (const char *c = stories[i]; *c; c++) {
			pair_bin(&p, *c);
			if (c[1] == '\0' || i % 2)
				assert_same(p.lazy, p.eager);
		}
		segment_free(p.lazy);
		segment_free(p.eager);
	}
}

/* A device with idle bins only: rates are 0 and known to be so, times per I/O are not available. */
static void test_idle_device(void **state)
{
	struct segment *s = segment_new();
	struct estimate e;

	(void)state;
	for (int i = 0; i < 10; i++) {
		segment_open_bin(s, 1);
		segment_add_idle(s, 7, 4, HAS_11);
		segment_close_bin(s);
	}
	assert_true(segment_has(s, 7, NULL));
	assert_false(segment_has(s, 6, NULL));
	assert_false(segment_active(s, 7));
	assert_int_equal(segment_estimate(s, 7, M_W_S, &e), NA_NONE);
	assert_true(e.value == 0 && e.sd == 0 && e.half[0] == 0 && e.half[1] == 0);
	assert_int_equal(e.n, 10);
	assert_int_equal(e.ios, 0);
	assert_true(value_of(s, 7, M_PCT_UTIL) == 0);
	assert_true(value_of(s, 7, M_INFLIGHT) == 0);
	assert_int_equal(segment_estimate(s, 7, M_W_AWAIT, &e), NA_NO_IO);
	assert_int_equal(e.kind, ESTIMATE_NONE);
	assert_int_equal(segment_estimate(s, 7, M_F_S, &e), NA_NO_FIELD);
	segment_free(s);
}

/* Bins without a delta are left out: a reset between 10/s and 20/s gives 15/s, and no neighbours across it. */
static void test_bins_without_delta(void **state)
{
	struct segment *s = segment_new();
	struct delta ten = writes_of(1, 10, 1), twenty = writes_of(1, 20, 1), reset, total;
	struct estimate e;

	(void)state;
	delta_unavailable(&reset, DELTA_RESET, 1);
	bin_with(s, 0, 1, &reset);
	assert_int_equal(segment_estimate(s, 0, M_W_S, &e), NA_RESET);
	segment_total(s, 0, &total);
	assert_int_equal(total.state, DELTA_RESET);
	bin_with(s, 0, 1, &ten);
	bin_with(s, 0, 1, &reset);
	bin_with(s, 0, 1, &twenty);
	assert_int_equal(segment_estimate(s, 0, M_W_S, &e), NA_NONE);
	assert_near(e.value, 15);
	assert_int_equal(e.n, 2);
	assert_true(e.r > 0.49 && e.r < 0.51);  /* r1 = 0 without neighbours, then (1 + 0)/2 */
	segment_total(s, 0, &total);
	assert_int_equal(total.v[WR_IOS], 30);
	assert_near(total.seconds, 2);
	segment_free(s);
}

/* A field that has no value in one bin: the metrics made of it leave the bin out, the others do not. */
static void test_field_without_value(void **state)
{
	struct segment *s = segment_new();
	struct delta d = writes_of(1, 10, 1), stepped = writes_of(1, 50, 9), total;
	struct estimate e;

	(void)state;
	delta_hide(&stepped, FIELD(WR_TICKS), NA_STEPPED_BACK);
	stepped.v[WR_TICKS] = 0;
	bin_with(s, 0, 1, &stepped);
	assert_int_equal(segment_estimate(s, 0, M_W_AWAIT, &e), NA_STEPPED_BACK);
	assert_int_equal(segment_estimate(s, 0, M_W_S, &e), NA_NONE);
	bin_with(s, 0, 1, &d);
	assert_near(value_of(s, 0, M_W_AWAIT), 1);
	assert_near(value_of(s, 0, M_W_S), 30);
	segment_total(s, 0, &total);
	assert_false(total.valid & FIELD(WR_TICKS));
	assert_int_equal(total.why[WR_TICKS], NA_STEPPED_BACK);
	assert_int_equal(total.v[WR_IOS], 60);
	segment_free(s);
}

/* Time that is not accounted is no zero, in idle bins either. */
static void test_idle_without_accounting(void **state)
{
	struct segment *s = segment_new();
	struct delta d = writes_of(1, 0, 0);
	struct estimate e;

	(void)state;
	delta_hide(&d, FIELDS_TICKS, NA_NOT_ACCOUNTED);
	for (int i = 0; i < 5; i++)
		bin_with(s, 0, 1, &d);
	assert_int_equal(segment_estimate(s, 0, M_PCT_UTIL, &e), NA_NOT_ACCOUNTED);
	assert_true(value_of(s, 0, M_W_S) == 0);
	assert_false(segment_active(s, 0));
	segment_free(s);
}

/* Another instance under the slot: what the first one did is gone. */
static void test_instances(void **state)
{
	struct segment *s = segment_new();
	struct delta d = writes_of(1, 100, 1), other = writes_of(1, 7, 1);
	struct estimate e;
	uint32_t instance = 0;

	(void)state;
	bin_with(s, 0, 1, &d);
	bin_with(s, 0, 2, &other);
	assert_near(value_of(s, 0, M_W_S), 7);
	assert_true(segment_has(s, 0, &instance));
	assert_int_equal(instance, 2);
	segment_open_bin(s, 1);
	segment_add_idle(s, 0, 3, HAS_11);
	segment_close_bin(s);
	segment_estimate(s, 0, M_W_S, &e);
	assert_int_equal(e.n, 1);
	assert_true(e.value == 0);
	segment_forget(s, 0);
	segment_forget(s, 1000);
	assert_false(segment_has(s, 0, NULL));
	assert_int_equal(segment_estimate(s, 0, M_W_S, &e), NA_GONE);
	segment_free(s);
}

/* Given twice in one bin, it counts once. */
static void test_twice_in_a_bin(void **state)
{
	struct segment *s = segment_new();
	struct delta d = writes_of(1, 100, 1);

	(void)state;
	segment_open_bin(s, 1);
	segment_add_idle(s, 1, 1, HAS_11);
	segment_add_idle(s, 1, 1, HAS_11);
	segment_add(s, 1, 1, &d);
	segment_add(s, 0, 1, &d);
	segment_add(s, 0, 1, &d);
	segment_close_bin(s);
	assert_near(value_of(s, 0, M_W_S), 100);
	assert_near(value_of(s, 1, M_W_S), 0);
	segment_free(s);
}

/* A present value: 10 samples with 5 in flight on average, then an idle bin of one sample: 2.5, not 4.5. */
static void test_in_flight_is_averaged_over_bins(void **state)
{
	struct segment *s = segment_new();
	struct delta d = writes_of(1, 10, 1);

	(void)state;
	d.v[IN_FLIGHT] = 50;
	d.samples = 10;
	bin_with(s, 0, 1, &d);
	segment_open_bin(s, 1);
	segment_add_idle(s, 0, 1, HAS_11);
	segment_close_bin(s);
	assert_near(value_of(s, 0, M_INFLIGHT), 2.5);
	segment_free(s);
}

/* Two legs: 100 writes of 1 ms and 300 of 3 ms, 400 of 2.5 ms together; %util the larger one's. */
static void test_sum_over_slots(void **state)
{
	struct segment *s = segment_new();
	struct delta a = writes_of(1, 100, 1), b = writes_of(1, 300, 3);
	const uint32_t legs[] = { 0, 1 }, nobody[] = { 8 };
	struct estimate e;

	(void)state;
	b.v[IO_TICKS] = 800;
	segment_open_bin(s, 1);
	segment_add(s, 0, 1, &a);
	segment_add(s, 1, 1, &b);
	segment_close_bin(s);
	assert_int_equal(segment_estimate_sum(s, legs, 2, M_W_S, &e), NA_NONE);
	assert_near(e.value, 400);
	assert_int_equal(e.kind, ESTIMATE_SINGLE);
	assert_int_equal(segment_estimate_sum(s, legs, 2, M_W_AWAIT, &e), NA_NONE);
	assert_near(e.value, 2.5);
	assert_int_equal(segment_estimate_sum(s, legs, 2, M_PCT_UTIL, &e), NA_NONE);
	assert_near(e.value, 80);
	assert_int_equal(segment_estimate_sum(s, NULL, 0, M_W_S, &e), NA_NO_LOWER);
	assert_int_equal(e.kind, ESTIMATE_NONE);
	assert_int_equal(segment_estimate_sum(s, nobody, 1, M_W_S, &e), NA_GONE);
	segment_free(s);
}

/* 20 bins of 100 context switches a second, then 20 of 300; running is not known in the first. */
static void test_system(void **state)
{
	struct segment *s = segment_new();
	struct system_delta d;
	struct estimate e;

	(void)state;
	assert_int_equal(segment_estimate_system(s, S_CTXT, &e), NA_SYSTEM);
	for (int i = 0; i < 40; i++) {
		system_delta_unavailable(&d, NA_FIRST);
		d.ratios[S_CTXT] = (struct ratio){ i < 20 ? 100 : 300, 1, NA_NONE };
		if (i)
			d.ratios[S_RUNNING] = (struct ratio){ 4, 1, NA_NONE };
		segment_open_bin(s, 1);
		segment_add_system(s, &d);
		segment_close_bin(s);
	}
	assert_int_equal(segment_estimate_system(s, S_CTXT, &e), NA_NONE);
	assert_near(e.value, 200);
	assert_near(e.half[0], 100);
	assert_near(e.half[1], 300);
	segment_estimate_system(s, S_RUNNING, &e);
	assert_int_equal(e.n, 39);
	assert_int_equal(segment_estimate_system(s, S_IOWAIT, &e), NA_FIRST);
	segment_free(s);
}

static void test_nothing_yet(void **state)
{
	struct segment *s = segment_new();
	struct delta total;
	struct estimate e;

	(void)state;
	assert_int_equal(segment_estimate(s, 0, M_W_S, &e), NA_FIRST);
	segment_total(s, 0, &total);
	assert_int_not_equal(total.state, DELTA_OK);
	assert_false(segment_active(s, 5));
	segment_free(s);
	segment_free(NULL);
}

/* 512 active devices in at most 5 MiB. */
static void test_memory(void **state)
{
	(void)state;
	assert_true(sizeof(struct activity) * 512 <= 5 * 1024 * 1024);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_by_hand),
		cmocka_unit_test(test_halves),
		cmocka_unit_test(test_halves_of_many_bins),
		cmocka_unit_test(test_deferred_idle_bins),
		cmocka_unit_test(test_idle_device),
		cmocka_unit_test(test_bins_without_delta),
		cmocka_unit_test(test_field_without_value),
		cmocka_unit_test(test_idle_without_accounting),
		cmocka_unit_test(test_instances),
		cmocka_unit_test(test_twice_in_a_bin),
		cmocka_unit_test(test_in_flight_is_averaged_over_bins),
		cmocka_unit_test(test_sum_over_slots),
		cmocka_unit_test(test_system),
		cmocka_unit_test(test_nothing_yet),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
