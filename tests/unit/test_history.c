/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "model/history.h"

#define HAS_11 (FIELDS_ALL & ~(FIELDS_DISCARD | FIELDS_FLUSH))
#define NS UINT64_C(1000000000)

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 16;
}

static struct counters counters_of(uint64_t writes)
{
	struct counters c = { .has = HAS_11 };

	c.v[WR_IOS] = writes;
	c.v[WR_SECTORS] = writes * 8;
	c.v[WR_TICKS] = (uint32_t)(writes * 3);
	return c;
}

/* The delta that belongs to two counters: plain differences, times modulo 2^32. */
static struct delta between(const struct counters *before, const struct counters *now, double seconds)
{
	struct delta d;

	delta_idle(&d, now->has, seconds);
	for (int f = 0; f < FIELDS; f++) {
		if (f == IN_FLIGHT)
			d.v[f] = now->v[f];
		else if (now->has & FIELD(f))
			d.v[f] = FIELDS_TICKS & FIELD(f) ? (uint32_t)(now->v[f] - before->v[f])
				: now->v[f] - before->v[f];
	}
	return d;
}

static void open_bin(struct history *h, unsigned int at, double seconds)
{
	history_open_bin(h, (int64_t)(at * NS), seconds);
}

/* n bins of the slot alone, writes growing by `step` from `from`; returns where they ended. */
static uint64_t run(struct history *h, uint32_t slot, unsigned int n, double seconds, uint64_t from, uint64_t step)
{
	for (unsigned int i = 0; i < n; i++) {
		struct counters before = counters_of(from), now = counters_of(from + step);
		struct delta d = between(&before, &now, seconds);

		open_bin(h, i, seconds);
		history_add(h, slot, &d, &now);
		history_close_bin(h);
		from += step;
	}
	return from;
}

static double kept_seconds(const struct history *h)
{
	double seconds = 0;

	for (size_t i = 0; i < history_bins(h); i++)
		seconds += history_bin_seconds(h, i);
	return seconds;
}

/* 2000 bins of 1 s: 300 of them as they were, 600 s before in bins of 10 s; the newest ends where it did. */
static void test_time_line(void **state)
{
	struct history *h = history_new();

	(void)state;
	for (unsigned int i = 1; i <= 2000; i++) {
		open_bin(h, i, 1);
		history_close_bin(h);
		if (i <= 300)
			assert_int_equal(history_bins(h), i);
	}
	assert_in_range(history_bins(h), 360, 362);
	assert_in_range((uint64_t)kept_seconds(h), 900, 910);
	for (size_t i = 1; i < history_bins(h) - 300; i++)
		assert_true(history_bin_seconds(h, i - 1) == 10);
	for (size_t i = history_bins(h) - 300; i < history_bins(h); i++) {
		assert_true(history_bin_seconds(h, i) == 1);
		assert_int_equal(history_bin_end_ns(h, i), (2000 - (history_bins(h) - 1 - i)) * NS);
	}
	for (size_t i = 1; i < history_bins(h); i++)
		assert_int_equal(history_bin_end_ns(h, i) - history_bin_end_ns(h, i - 1),
				 (int64_t)history_bin_seconds(h, i) * (int64_t)NS);
	history_free(h);
}

/* Longer bins stay as they are: 450 of 2 s, 180 of 5 s, 90 of 10 s, one of an hour. */
static void test_longer_bins(void **state)
{
	const struct { double seconds; size_t bins; } rows[] = { { 5, 180 }, { 10, 90 }, { 60, 15 }, { 3600, 1 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct history *h = history_new();

		for (int k = 0; k < 1000; k++) {
			open_bin(h, 1, rows[i].seconds);
			history_close_bin(h);
		}
		assert_int_equal(history_bins(h), rows[i].bins);
		assert_true(history_bin_seconds(h, 0) == rows[i].seconds);
		history_free(h);
	}
}

/* 2 s: 300 bins are 600 s, the 300 s before them are 30 bins of 10 s. 1.003 s: coarse bins are ten bins, not eleven. */
static void test_uneven_bins(void **state)
{
	struct history *h = history_new();

	(void)state;
	for (int k = 0; k < 1000; k++) {
		open_bin(h, 1, 2);
		history_close_bin(h);
	}
	assert_in_range(history_bins(h), 330, 331);
	history_free(h);
	h = history_new();
	for (int k = 0; k < 2000; k++) {
		open_bin(h, 1, k % 2 ? 1.003 : 0.996);
		history_close_bin(h);
	}
	assert_true(history_bin_seconds(h, 1) > 9.9 && history_bin_seconds(h, 1) < 10.1);
	history_free(h);
	/* far more bins than an honest caller has */
	h = history_new();
	for (int k = 0; k < 20000; k++) {
		open_bin(h, 1, 0.01);
		history_close_bin(h);
	}
	assert_true(history_bins(h) <= 400);
	history_free(h);
}

/* What a recording of the truth looks like: the counters at the end of every bin, by the number of the bin. */
#define TRUTH 1500

struct truth {
	struct counters at[TRUTH];
	bool there[TRUTH];
	bool stepped_back[TRUTH];
	uint64_t end_ns[TRUTH];
};

/*
 * A random walk: mostly small steps, some idle bins, in_flight as it likes, times that go round 2^32 and sometimes
 * step back by a little, now and then a reset or an absence. Times run through a wrap in any case: they begin there.
 */
static void walk(struct history *h, uint32_t slot, uint64_t seed, struct truth *t, bool breaks)
{
	struct counters now = { .has = seed % 2 ? HAS_11 : FIELDS_ALL };
	bool fresh = true;

	for (int f = 0; f < FIELDS; f++)
		now.v[f] = !(now.has & FIELD(f)) || f == IN_FLIGHT ? 0 : UINT32_MAX - 20000;
	for (int i = 0; i < TRUTH; i++) {
		struct counters before = now;
		struct delta d;
		bool away = breaks && next_random(&seed) % 400 == 0, idle = next_random(&seed) % 4 == 0;
		bool reset = breaks && next_random(&seed) % 500 == 0;
		bool back = next_random(&seed) % 50 == 0;

		for (int f = 0; f < FIELDS && !idle; f++) {
			if (!(now.has & FIELD(f)))
				continue;
			now.v[f] = f == IN_FLIGHT ? next_random(&seed) % 100 : now.v[f] + next_random(&seed) % 5000;
			if (FIELDS_TICKS & FIELD(f))
				now.v[f] = (uint32_t)now.v[f];
		}
		d = between(&before, &now, 1);
		if (back && !idle) {
			now.v[WR_TICKS] = (uint32_t)(before.v[WR_TICKS] - 1);
			d = between(&before, &now, 1);
			delta_hide(&d, FIELD(WR_TICKS), NA_STEPPED_BACK);
		}
		if (reset)
			delta_unavailable(&d, DELTA_RESET, 1);
		else if (fresh)
			delta_unavailable(&d, DELTA_NEW, 1);
		fresh = away;
		t->there[i] = !away;
		t->stepped_back[i] = back && !idle;
		t->at[i] = now;
		t->end_ns[i] = (uint64_t)i * NS;
		open_bin(h, (unsigned int)i, 1);
		if (!away && idle && d.state == DELTA_OK)
			history_add_idle(h, slot, &now);
		else if (!away)
			history_add(h, slot, &d, &now);
		history_close_bin(h);
	}
}

static size_t assert_as_recorded(const struct history *h, uint32_t slot, const struct truth *t)
{
	size_t known = 0;

	for (size_t bin = 0; bin < history_bins(h); bin++) {
		struct counters c;
		size_t i = (uint64_t)history_bin_end_ns(h, bin) / NS;

		assert_int_equal(t->end_ns[i], history_bin_end_ns(h, bin));
		if (!history_counters(h, slot, bin, &c))
			continue;
		assert_true(t->there[i]);
		assert_int_equal(c.has, t->at[i].has);
		assert_memory_equal(c.v, t->at[i].v, sizeof(c.v));
		known++;
	}
	return known;
}

/* Every bin, fine or merged, gives the counters that were recorded at its end. */
static void test_random_walks(void **state)
{
	struct truth *t = xmalloc(sizeof(*t));

	(void)state;
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct history *h = history_new();

		walk(h, (uint32_t)seed % 3, seed * 7919, t, seed > 4);
		if (seed <= 4)
			assert_int_equal(assert_as_recorded(h, (uint32_t)seed % 3, t), history_bins(h));
		else
			assert_true(assert_as_recorded(h, (uint32_t)seed % 3, t) > 0);
		history_free(h);
	}
	free(t);
}

/* The deltas of fine bins are those that came in; those of merged bins their sums. */
static void test_deltas(void **state)
{
	struct history *h = history_new();
	struct truth *t = xmalloc(sizeof(*t));
	struct delta d;
	size_t checked = 0;

	(void)state;
	walk(h, 0, 4242, t, false);
	for (size_t bin = 1; bin < history_bins(h); bin++) {
		size_t from = (uint64_t)history_bin_end_ns(h, bin - 1) / NS;
		size_t to = (uint64_t)history_bin_end_ns(h, bin) / NS;
		struct delta wanted = between(&t->at[from], &t->at[to], (double)(to - from));

		assert_true(history_delta(h, 0, bin, &d));
		assert_int_equal(d.state, DELTA_OK);
		assert_true(d.seconds == (double)(to - from));
		while (to > from && !t->stepped_back[to])
			to--;
		assert_int_equal(!(d.valid & FIELD(WR_TICKS)), to > from);
		for (int f = 0; f < FIELDS; f++) {
			if (d.valid & FIELD(f)) {
				assert_int_equal(d.v[f], wanted.v[f]);
				checked++;
			} else {
				assert_int_equal(f, WR_TICKS);
				assert_int_equal(d.why[f], NA_STEPPED_BACK);
				assert_int_equal(d.v[f], 0);
			}
		}
	}
	assert_true(checked > 16 * 300);
	free(t);
	history_free(h);
}

/* Lines written out again are the lines that were read. */
static void test_written_lines(void **state)
{
	struct history *h = history_new();
	struct truth *t = xmalloc(sizeof(*t));
	struct roster roster = ROSTER_INIT;
	struct text out = TEXT_INIT;

	(void)state;
	roster_add(&roster, "sda", 3);
	roster_add(&roster, "cciss/c0d0", 10);
	roster.entries[1].major = 104;
	roster.entries[1].minor = 16;
	walk(h, 1, 99, t, false);
	for (size_t bin = 0; bin < history_bins(h); bin += 7) {
		size_t i = (uint64_t)history_bin_end_ns(h, bin) / NS;
		struct diskline line;

		text_clear(&out);
		history_write(h, &roster, bin, &out);
		assert_true(out.len > 1 && out.buf[out.len - 1] == '\n');
		assert_true(diskline_parse(out.buf, out.len - 1, &line));
		assert_int_equal(line.major, 104);
		assert_int_equal(line.minor, 16);
		assert_int_equal(line.name_len, 10);
		assert_memory_equal(line.name, "cciss/c0d0", 10);
		assert_memory_equal(&line.counters.v, &t->at[i].v, sizeof(line.counters.v));
	}
	text_release(&out);
	roster_release(&roster);
	free(t);
	history_free(h);
}

/* Slots come out in their order, those that were not there in the bin not at all. */
static void test_written_devices(void **state)
{
	struct history *h = history_new();
	struct roster roster = ROSTER_INIT;
	struct text out = TEXT_INIT;
	struct counters c = { .has = HAS_11 };

	(void)state;
	roster_add(&roster, "a", 1);
	roster_add(&roster, "b", 1);
	roster_add(&roster, "c", 1);
	for (int bin = 0; bin < 2; bin++) {
		open_bin(h, 1, 1);
		history_add_idle(h, 2, &c);
		if (bin)
			history_add_idle(h, 1, &c);
		history_add_idle(h, 0, &c);
		history_close_bin(h);
	}
	history_write(h, &roster, 0, &out);
	assert_string_equal(text_str(&out), "   0       0 a 0 0 0 0 0 0 0 0 0 0 0\n"
			    "   0       0 c 0 0 0 0 0 0 0 0 0 0 0\n");
	history_write(h, &roster, 7, &out);     /* no such bin: nothing more */
	history_forget(h, 2);
	text_clear(&out);
	history_write(h, &roster, 1, &out);
	assert_string_equal(text_str(&out), "   0       0 a 0 0 0 0 0 0 0 0 0 0 0\n"
			    "   0       0 b 0 0 0 0 0 0 0 0 0 0 0\n");
	text_release(&out);
	roster_release(&roster);
	history_free(h);
}

/* Comes in the third bin, leaves after the fifth, is back in the eighth as another one. */
static void test_coming_and_going(void **state)
{
	struct history *h = history_new();
	struct delta d, new;
	struct counters c = counters_of(10), other = counters_of(3), got;

	(void)state;
	delta_unavailable(&new, DELTA_NEW, 1);
	for (int bin = 0; bin < 9; bin++) {
		open_bin(h, 1, 1);
		if (bin == 2)
			history_add(h, 5, &new, &c);
		if (bin == 3 || bin == 4)
			history_add_idle(h, 5, &c);
		history_close_bin(h);
	}
	assert_false(history_delta(h, 5, 1, &d));
	assert_false(history_counters(h, 5, 1, &got));
	assert_true(history_delta(h, 5, 2, &d));
	assert_int_equal(d.state, DELTA_NEW);
	assert_true(history_counters(h, 5, 2, &got));
	assert_int_equal(got.v[WR_IOS], 10);
	assert_true(history_delta(h, 5, 4, &d));
	assert_int_equal(d.state, DELTA_OK);
	assert_false(history_delta(h, 5, 5, &d));
	assert_false(history_counters(h, 5, 8, &got));
	open_bin(h, 1, 1);
	history_add(h, 5, &new, &other);
	history_close_bin(h);
	assert_false(history_counters(h, 5, 4, &got));
	assert_true(history_counters(h, 5, 9, &got));
	assert_int_equal(got.v[WR_IOS], 3);
	assert_false(history_counters(h, 6, 9, &got));
	history_free(h);
}

/* 5 TB in one bin: more sectors than 32 bits hold. What came before cannot be kept, what is now is right. */
static void test_growth_that_does_not_fit(void **state)
{
	struct history *h = history_new();
	struct counters got;
	struct delta d;
	uint64_t at = run(h, 0, 5, 1, 1000, 10);

	(void)state;
	at = run(h, 0, 1, 1, at, UINT64_C(1) << 31);
	at = run(h, 0, 3, 1, at, 10);
	assert_true(history_counters(h, 0, 8, &got));
	assert_int_equal(got.v[WR_IOS], at);
	assert_int_equal(got.v[WR_SECTORS], at * 8);
	assert_true(history_delta(h, 0, 5, &d));
	assert_int_not_equal(d.state, DELTA_OK);
	assert_true(history_counters(h, 0, 5, &got));
	assert_int_equal(got.v[WR_IOS], at - 30);
	assert_false(history_counters(h, 0, 4, &got));
	history_free(h);
}

/* Sectors that fit in each bin, but not in the bins of 10 s that these become: only the old end is lost. */
static void test_merged_growth_that_does_not_fit(void **state)
{
	struct history *h = history_new();
	struct counters got;
	uint64_t at = run(h, 0, 400, 1, 0, 200 * 1000 * 1000);

	(void)state;
	at = run(h, 0, 1, 1, at, 1);
	for (size_t bin = 0; bin < history_bins(h); bin++) {
		size_t left = history_bins(h) - 1 - bin;

		if (!history_counters(h, 0, bin, &got)) {
			assert_true(left >= 300);
			continue;
		}
		if (left < 300)
			assert_int_equal(got.v[WR_IOS], left ? at - 1 - (left - 1) * 200 * 1000 * 1000 : at);
		assert_int_equal(got.v[WR_SECTORS], got.v[WR_IOS] * 8);
	}
	assert_true(history_counters(h, 0, history_bins(h) - 300, &got));
	history_free(h);
}

/* An unsigned long of 32 bits goes round: its growth counts, its absolute stays below 2^32. */
static void test_short_words(void **state)
{
	struct history *h = history_new();
	struct counters before = { .has = HAS_11 }, now = before, got;
	struct delta d;

	(void)state;
	before.v[RD_IOS] = UINT32_MAX - 5;
	now.v[RD_IOS] = 10;
	open_bin(h, 1, 1);
	history_add_idle(h, 0, &before);
	history_close_bin(h);
	d = between(&before, &now, 1);
	d.v[RD_IOS] = 16;
	open_bin(h, 1, 1);
	history_add(h, 0, &d, &now);
	history_close_bin(h);
	assert_true(history_counters(h, 0, 1, &got));
	assert_int_equal(got.v[RD_IOS], 10);
	assert_true(history_delta(h, 0, 1, &d));
	assert_int_equal(d.v[RD_IOS], 16);
	assert_true(history_counters(h, 0, 0, &got));
	assert_int_equal(got.v[RD_IOS], UINT32_MAX - 5);
	history_free(h);
}

/* What has no value has its reason in the history too, idle or not, before and after the first I/O. */
static void test_reasons(void **state)
{
	struct history *h = history_new();
	struct counters c = counters_of(0), more = counters_of(9);
	struct delta d;

	(void)state;
	for (int bin = 0; bin < 4; bin++) {
		open_bin(h, 1, 1);
		delta_idle(&d, HAS_11, 1);
		if (bin == 3)
			d = between(&c, &more, 1);
		delta_hide(&d, FIELDS_TICKS, NA_NOT_ACCOUNTED);
		if (bin == 1)
			history_add_idle(h, 0, &c);
		else
			history_add(h, 0, &d, bin == 3 ? &more : &c);
		history_close_bin(h);
	}
	for (size_t bin = 0; bin < 4; bin++) {
		assert_true(history_delta(h, 0, bin, &d));
		assert_int_equal(d.state, DELTA_OK);
		assert_false(d.valid & FIELDS_TICKS);
		assert_true(d.valid & FIELD(WR_IOS));
		assert_int_equal(d.why[WR_TICKS], NA_NOT_ACCOUNTED);
		assert_int_equal(d.why[DC_IOS], NA_NO_FIELD);
		assert_int_equal(d.v[WR_IOS], bin == 3 ? 9 : 0);
	}
	history_free(h);
}

/* Idle devices are cheap; active ones take what they take once and no more. */
static void test_size(void **state)
{
	struct history *h = history_new();
	struct counters c = counters_of(5);
	size_t empty = history_size(h), idle, active;
	uint64_t at;

	(void)state;
	for (int bin = 0; bin < 400; bin++) {
		open_bin(h, 1, 1);
		for (uint32_t slot = 0; slot < 1000; slot++)
			history_add_idle(h, slot, &c);
		history_close_bin(h);
	}
	idle = history_size(h);
	assert_true(idle - empty < 1000 * 800);
	at = run(h, 0, 10, 1, 5, 10);
	active = history_size(h);
	assert_true(active > idle && active - idle < 32 * 1024);
	run(h, 0, 2000, 1, at, 10);
	assert_true(history_size(h) <= active);
	history_free(h);
}

/* Idle for long, then active: the idle bins are still told, with what was in flight all the time. */
static void test_stuck_then_active(void **state)
{
	struct history *h = history_new();
	struct counters c = counters_of(5), got;
	struct delta d;

	(void)state;
	c.v[IN_FLIGHT] = 22;
	for (int bin = 0; bin < 350; bin++) {
		open_bin(h, 1, 1);
		history_add_idle(h, 0, &c);
		history_close_bin(h);
	}
	run(h, 0, 1, 1, 5, 10);
	for (size_t bin = 0; bin + 1 < history_bins(h); bin++) {
		assert_true(history_delta(h, 0, bin, &d));
		assert_int_equal(d.v[IN_FLIGHT], 22);
		assert_true(history_counters(h, 0, bin, &got));
		assert_int_equal(got.v[IN_FLIGHT], 22);
	}
	assert_true(history_counters(h, 0, history_bins(h) - 1, &got));
	assert_int_equal(got.v[IN_FLIGHT], 0);
	assert_int_equal(got.v[WR_IOS], 15);
	history_free(h);
}

static void test_nothing(void **state)
{
	struct history *h = history_new();
	struct counters c;
	struct delta d;

	(void)state;
	assert_int_equal(history_bins(h), 0);
	assert_int_equal(history_bin_end_ns(h, 0), 0);
	assert_false(history_delta(h, 0, 0, &d));
	assert_false(history_counters(h, 0, 0, &c));
	history_forget(h, 9);
	history_free(h);
	history_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_time_line),
		cmocka_unit_test(test_longer_bins),
		cmocka_unit_test(test_uneven_bins),
		cmocka_unit_test(test_random_walks),
		cmocka_unit_test(test_deltas),
		cmocka_unit_test(test_written_lines),
		cmocka_unit_test(test_written_devices),
		cmocka_unit_test(test_coming_and_going),
		cmocka_unit_test(test_growth_that_does_not_fit),
		cmocka_unit_test(test_merged_growth_that_does_not_fit),
		cmocka_unit_test(test_short_words),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_stuck_then_active),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests_name("history", tests, NULL, NULL);
}
