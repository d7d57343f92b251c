/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/metric.h"

#define HAS_11 (FIELD(DC_IOS) - 1)

/* Two seconds of a busy disk, round numbers. */
static struct delta busy(void)
{
	struct delta d;

	delta_idle(&d, FIELDS_ALL, 2);
	memcpy(d.v, ((const uint64_t[FIELDS]){
		[RD_IOS] = 200, [RD_MERGES] = 50, [RD_SECTORS] = 3200, [RD_TICKS] = 400,
		[WR_IOS] = 600, [WR_MERGES] = 1400, [WR_SECTORS] = 38400, [WR_TICKS] = 3600,
		[IN_FLIGHT] = 7, [IO_TICKS] = 1600, [TIME_IN_QUEUE] = 4800,
		[DC_IOS] = 10, [DC_MERGES] = 30, [DC_SECTORS] = 81920, [DC_TICKS] = 50,
		[FL_IOS] = 4, [FL_TICKS] = 6,
	}), sizeof(d.v));
	return d;
}

static void assert_value(const char *name, const struct delta *d, double expected)
{
	const struct metric *m = metric_find(name);
	struct value v;

	assert_non_null(m);
	v = metric_value(m, d);
	if (v.why != NA_NONE || fabs(v.v - expected) > 1e-9 * (1 + fabs(expected)))
		fail_msg("%s is %.9f (%s), not %.9f", name, v.v, na_text(v.why), expected);
}

static void assert_na(const char *name, const struct delta *d, enum na why)
{
	struct value v = metric_value(metric_find(name), d);

	if (v.why != why || v.v != 0)
		fail_msg("%s is %.9f (\"%s\"), not \"%s\"", name, v.v, na_text(v.why), na_text(why));
}

static void every_formula(void **state)
{
	static const struct {
		const char *name;
		double value;
	} rows[] = {
		/* d(ios)/T */
		{ "r/s", 100 }, { "w/s", 300 }, { "d/s", 5 }, { "f/s", 2 }, { "tps", 405 },
		/* d(sectors)/2/T */
		{ "rkB/s", 800 }, { "wkB/s", 9600 }, { "dkB/s", 20480 }, { "kB/s", 10400 },
		{ "rsec/s", 1600 }, { "wsec/s", 19200 },
		{ "rrqm/s", 25 }, { "wrqm/s", 700 }, { "drqm/s", 15 }, { "rqm/s", 725 },
		/* 50 of 250, 1400 of 2000, 30 of 40, 200 of 800 */
		{ "%rrqm", 20 }, { "%wrqm", 70 }, { "%drqm", 75 }, { "%read", 25 },
		/* 400/200, 3600/600, 50/10, 6/4, 4000/800, 4050/810 */
		{ "r_await", 2 }, { "w_await", 6 }, { "d_await", 5 }, { "f_await", 1.5 }, { "await", 5 },
		{ "await-all", 5 },
		/* KiB: 1600/200, 19200/600, 40960/10, 61760/810; sectors: 41600/800 */
		{ "rareq-sz", 8 }, { "wareq-sz", 32 }, { "dareq-sz", 4096 }, { "areq-sz", 61760.0 / 810 },
		{ "avgrq-sz", 52 },
		/* 4.8 s of waiting and 1.6 s of work in 2 s */
		{ "aqu-sz", 2.4 }, { "%util", 80 }, { "busy-depth", 3 }, { "svctm", 2 }, { "inflight", 7 },
		/* 5 ms for 26 KiB */
		{ "await/KiB", 5.0 / 26 },
	};
	struct delta d = busy();

	(void)state;
	assert_int_equal(sizeof(rows) / sizeof(rows[0]), METRICS);
	for (size_t i = 0; i < METRICS; i++)
		assert_value(rows[i].name, &d, rows[i].value);
}

static void rows_are_complete_and_names_unique(void **state)
{
	(void)state;
	for (size_t i = 0; i < METRICS; i++) {
		const struct metric *m = &metrics[i];
		size_t help = strlen(m->help);

		assert_ptr_equal(metric_find(m->name), m);
		if (m->legacy)
			assert_ptr_equal(metric_find(m->legacy), m);
		assert_true(m->num && m->scale > 0 && *m->unit);
		assert_int_equal(m->per == PER_FIELDS, m->den != 0);
		assert_int_not_equal(m->empty, NA_NONE);
		assert_true(help > 10 && m->help[help - 1] == '.');
		/* a number takes 6 cells at most, a heading must not be cut */
		assert_true(m->width >= 6 && (size_t)m->width >= strlen(metric_heading(m, false)));
		assert_true((size_t)m->width >= strlen(metric_heading(m, true)));
		assert_true(m->decimals >= 0 && m->decimals <= 2);
		assert_int_equal(!!(m->rules.flags & METRIC_PERCENT), !strcmp(m->unit, "%"));
		assert_int_equal(!!(m->rules.flags & METRIC_LATENCY_FLOOR), m->rules.floor_abs == 0.02);
		/* points only for percent, else a fraction of BEFORE */
		assert_int_equal(!!(m->rules.flags & METRIC_PERCENT), m->rules.floor_rel == 0);
	}
	assert_null(metric_find("R/S"));
	assert_null(metric_find(""));
}

static void rules_of_each_row(void **state)
{
	static const struct {
		const char *name;
		double rel, abs;
		int direction;
	} rows[] = {
		{ "r/s", 0.02, 1, 1 }, { "w/s", 0.02, 1, 1 }, { "d/s", 0.02, 1, 1 }, { "f/s", 0.02, 1, 1 },
		{ "tps", 0.02, 1, 1 }, { "rkB/s", 0.02, 64, 1 }, { "wkB/s", 0.02, 64, 1 }, { "dkB/s", 0.02, 64, 1 },
		{ "kB/s", 0.02, 64, 1 }, { "rsec/s", 0.02, 0, 1 }, { "wsec/s", 0.02, 0, 1 },
		{ "rrqm/s", 0.02, 1, 0 }, { "wrqm/s", 0.02, 1, 0 }, { "drqm/s", 0.02, 1, 0 }, { "rqm/s", 0.02, 1, 0 },
		{ "%rrqm", 0, 2, 0 }, { "%wrqm", 0, 2, 0 }, { "%drqm", 0, 2, 0 }, { "%read", 0, 2, 0 },
		{ "%util", 0, 2, 0 }, { "r_await", 0.02, 0.02, -1 }, { "w_await", 0.02, 0.02, -1 },
		{ "d_await", 0.02, 0.02, -1 }, { "f_await", 0.02, 0.02, -1 }, { "await", 0.02, 0.02, -1 },
		{ "await-all", 0.02, 0.02, -1 }, { "svctm", 0.05, 0, -1 }, { "await/KiB", 0.02, 0, 0 },
		{ "rareq-sz", 0.02, 0.5, 0 }, { "wareq-sz", 0.02, 0.5, 0 }, { "dareq-sz", 0.02, 0.5, 0 },
		{ "areq-sz", 0.02, 0.5, 0 }, { "avgrq-sz", 0.02, 1, 0 }, { "aqu-sz", 0.05, 0.1, 0 },
		{ "busy-depth", 0.05, 0.1, 0 }, { "inflight", 0.05, 1, 0 },
	};

	(void)state;
	assert_int_equal(sizeof(rows) / sizeof(rows[0]), METRICS);
	for (size_t i = 0; i < METRICS; i++) {
		const struct metric_rules *rules = &metric_find(rows[i].name)->rules;

		if (rules->floor_rel != rows[i].rel || rules->floor_abs != rows[i].abs ||
		    rules->direction != rows[i].direction)
			fail_msg("%s: %g %g %d", rows[i].name, rules->floor_rel, rules->floor_abs, rules->direction);
	}
}

static void idle_device_has_rates_of_0_and_no_ratios(void **state)
{
	static const char *const zero[] = {
		"r/s", "w/s", "d/s", "f/s", "tps", "kB/s", "rsec/s", "rqm/s", "aqu-sz", "%util", "inflight",
	};
	static const char *const no_io[] = {
		"%read", "r_await", "w_await", "d_await", "f_await", "await", "await-all", "rareq-sz", "wareq-sz",
		"dareq-sz", "areq-sz", "avgrq-sz", "await/KiB", "svctm",
	};
	static const char *const nothing[] = { "%rrqm", "%wrqm", "%drqm" };
	struct delta d;

	(void)state;
	delta_idle(&d, FIELDS_ALL, 1);
	for (size_t i = 0; i < sizeof(zero) / sizeof(zero[0]); i++)
		assert_value(zero[i], &d, 0);
	for (size_t i = 0; i < sizeof(no_io) / sizeof(no_io[0]); i++)
		assert_na(no_io[i], &d, NA_NO_IO);
	for (size_t i = 0; i < 3; i++)
		assert_na(nothing[i], &d, NA_NOTHING);
	assert_na("busy-depth", &d, NA_IDLE);
}

/* Merges without a completed request: everything was merged. */
static void all_merged_is_100_percent(void **state)
{
	struct delta d;

	(void)state;
	delta_idle(&d, FIELDS_ALL, 1);
	d.v[WR_MERGES] = 5;
	assert_value("%wrqm", &d, 100);
}

static void where_there_are_no_discards_the_others_make_the_value(void **state)
{
	struct delta d = busy();

	(void)state;
	delta_hide(&d, FIELDS_DISCARD | FIELDS_FLUSH, NA_NO_FIELD);
	assert_value("await-all", &d, 5);
	assert_value("areq-sz", &d, 26);
	assert_value("tps", &d, 400);
	assert_na("d/s", &d, NA_NO_FIELD);
	assert_na("d_await", &d, NA_NO_FIELD);
	assert_na("f/s", &d, NA_NO_FIELD);
	assert_na("%drqm", &d, NA_NO_FIELD);
	/* nothing read or written either */
	delta_idle(&d, HAS_11, 1);
	assert_na("await-all", &d, NA_NO_IO);
	assert_na("areq-sz", &d, NA_NO_IO);
	assert_value("tps", &d, 0);
	/* discards that exist but are not known are not left out */
	d = busy();
	delta_hide(&d, FIELD(DC_TICKS), NA_STEPPED_BACK);
	assert_na("await-all", &d, NA_STEPPED_BACK);
	assert_value("areq-sz", &d, 61760.0 / 810);
}

static void old_partitions_have_rates_and_sizes_only(void **state)
{
	struct delta d = busy();
	const field_set old = FIELD(RD_IOS) | FIELD(RD_SECTORS) | FIELD(WR_IOS) | FIELD(WR_SECTORS);

	(void)state;
	delta_hide(&d, FIELDS_ALL & ~old, NA_NO_FIELD);
	assert_value("r/s", &d, 100);
	assert_value("wkB/s", &d, 9600);
	assert_value("avgrq-sz", &d, 52);
	assert_na("await", &d, NA_NO_FIELD);
	assert_na("await-all", &d, NA_NO_FIELD);
	assert_na("%util", &d, NA_NO_FIELD);
	assert_na("wrqm/s", &d, NA_NO_FIELD);
	assert_na("inflight", &d, NA_NO_FIELD);
}

static void time_that_is_not_accounted_leaves_counts(void **state)
{
	struct delta d = busy();

	(void)state;
	delta_hide(&d, FIELDS_TICKS, NA_NOT_ACCOUNTED);
	assert_na("await", &d, NA_NOT_ACCOUNTED);
	assert_na("aqu-sz", &d, NA_NOT_ACCOUNTED);
	assert_na("%util", &d, NA_NOT_ACCOUNTED);
	assert_na("busy-depth", &d, NA_NOT_ACCOUNTED);
	assert_na("svctm", &d, NA_NOT_ACCOUNTED);
	assert_na("await/KiB", &d, NA_NOT_ACCOUNTED);
	assert_value("w/s", &d, 300);
	assert_value("wareq-sz", &d, 32);
}

static void no_io_is_said_before_what_is_not_counted(void **state)
{
	struct delta d;

	(void)state;
	delta_idle(&d, HAS_11, 1);
	delta_hide(&d, FIELDS_TICKS, NA_NOT_ACCOUNTED);
	delta_hide(&d, FIELDS_SECTORS, NA_NO_SECTORS);
	assert_na("await", &d, NA_NO_IO);
	assert_na("r_await", &d, NA_NO_IO);
	assert_na("await-all", &d, NA_NO_IO);
	assert_na("svctm", &d, NA_NO_IO);
	assert_na("avgrq-sz", &d, NA_NO_IO);
	assert_na("%util", &d, NA_NOT_ACCOUNTED);
	assert_na("rkB/s", &d, NA_NO_SECTORS);
	/* reads only: writes had none, the time of reads is not known */
	d.v[RD_IOS] = 3;
	assert_na("r_await", &d, NA_NOT_ACCOUNTED);
	assert_na("w_await", &d, NA_NO_IO);
	assert_na("await", &d, NA_NOT_ACCOUNTED);
	assert_na("rareq-sz", &d, NA_NO_SECTORS);
}

static void without_a_delta_the_state_is_the_reason(void **state)
{
	static const struct {
		enum delta_state state;
		enum na why;
	} cases[] = {
		{ DELTA_FIRST, NA_FIRST }, { DELTA_NEW, NA_NEW }, { DELTA_RESET, NA_RESET }, { DELTA_GONE, NA_GONE },
	};
	struct delta d;

	(void)state;
	for (size_t c = 0; c < 4; c++) {
		delta_unavailable(&d, cases[c].state, 1);
		for (size_t i = 0; i < METRICS; i++)
			assert_na(metrics[i].name, &d, cases[c].why);
	}
	delta_sum(&d, NULL, 0);
	assert_na("r/s", &d, NA_NO_LOWER);
}

static void over_100_percent_is_shown(void **state)
{
	struct delta d = busy();

	(void)state;
	d.v[IO_TICKS] = 2020;
	assert_value("%util", &d, 101);
}

static void ratios_over_time_are_ratios_of_sums(void **state)
{
	struct delta sum = { .seconds = 0 };
	struct delta a = busy(), b = busy();

	(void)state;
	b.v[IN_FLIGHT] = 1;
	b.v[RD_IOS] = 0;
	b.v[RD_TICKS] = 0;
	delta_append(&sum, &a);
	delta_append(&sum, &b);
	assert_value("inflight", &sum, 4);
	assert_value("r_await", &sum, 2);
	assert_value("r/s", &sum, 50);
	assert_value("%util", &sum, 80);
}

static void the_empty_sum_has_no_value(void **state)
{
	struct delta sum = { .valid = FIELDS_ALL };

	(void)state;
	assert_na("r/s", &sum, NA_FIRST);
	assert_na("inflight", &sum, NA_FIRST);
}

static void assert_set(const enum metric_id *set, size_t n, const char *names, bool legacy)
{
	for (size_t i = 0; i < n; i++) {
		const char *heading = metric_heading(&metrics[set[i]], legacy);
		size_t len = strlen(heading);

		assert_memory_equal(names, heading, len);
		names += len;
		if (*names == ' ')
			names++;
	}
	assert_int_equal(*names, '\0');
}

static void sets_of_columns(void **state)
{
	const enum metric_id *set;
	size_t n, extended = 0;

	(void)state;
	set = metric_set_text(&n);
	assert_set(set, n, "r/s w/s rkB/s wkB/s rrqm/s wrqm/s avgrq-sz await r_await w_await aqu-sz %util", false);
	set = metric_set_legacy(&n);
	assert_set(set, n, "rrqm/s wrqm/s r/s w/s rsec/s wsec/s avgrq-sz avgqu-sz await r_await w_await svctm %util",
		   true);
	set = metric_set_all(&n);
	assert_int_equal(n, METRICS);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(set[i], i);
		extended += !(metrics[i].rules.flags & METRIC_LEGACY);
	}
	set = metric_set_extended(&n);
	assert_int_equal(n, extended);
	assert_int_equal(n, METRICS - 3);
	for (size_t i = 0; i < n; i++)
		assert_false(metrics[set[i]].rules.flags & METRIC_LEGACY);
	assert_string_equal(metric_heading(&metrics[M_AQU_SZ], false), "aqu-sz");
	assert_ptr_equal(metric_find("avgqu-sz"), &metrics[M_AQU_SZ]);
}

static void reasons_have_words(void **state)
{
	(void)state;
	assert_string_equal(na_text(NA_NONE), "");
	for (int why = NA_NONE + 1; why < NA_COUNT; why++)
		assert_true(*na_text((enum na)why));
	assert_string_equal(na_text(NA_NO_IO), "no I/O");
	assert_string_equal(na_text(NA_IOSTATS_OFF), "queue/iostats is 0");
	assert_string_equal(na_text(NA_COUNT), "not available");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_formula),
		cmocka_unit_test(rows_are_complete_and_names_unique),
		cmocka_unit_test(rules_of_each_row),
		cmocka_unit_test(idle_device_has_rates_of_0_and_no_ratios),
		cmocka_unit_test(all_merged_is_100_percent),
		cmocka_unit_test(where_there_are_no_discards_the_others_make_the_value),
		cmocka_unit_test(old_partitions_have_rates_and_sizes_only),
		cmocka_unit_test(time_that_is_not_accounted_leaves_counts),
		cmocka_unit_test(no_io_is_said_before_what_is_not_counted),
		cmocka_unit_test(without_a_delta_the_state_is_the_reason),
		cmocka_unit_test(over_100_percent_is_shown),
		cmocka_unit_test(ratios_over_time_are_ratios_of_sums),
		cmocka_unit_test(the_empty_sum_has_no_value),
		cmocka_unit_test(sets_of_columns),
		cmocka_unit_test(reasons_have_words),
	};

	return cmocka_run_group_tests_name("metric", tests, NULL, NULL);
}
