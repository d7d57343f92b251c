/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports as text, CSV and JSON over an engine that reads small trees. */
#include "config.h"

#include <math.h>

#include "output.h"

#include "base/alloc.h"
#include "out/json.h"

/* --- numbers --- */

static void numbers_are_short_and_never_a_false_zero(void **state)
{
	static const struct {
		double v;
		const char *text;
	} rows[] = {
		{ 0, "0" }, { 1, "1" }, { -1, "-1" }, { 0.5, "0.5" }, { 100, "100" }, { 1e6, "1000000" },
		{ 1.0 / 3, "0.333333" }, { 2.0 / 3, "0.666667" }, { 1234.56, "1234.56" }, { 0.05, "0.05" },
		{ 0.001, "0.001" }, { -0.25, "-0.25" }, { 999999999.5, "999999999.5" },
		/* rounding carries into the integer part */
		{ 0.9999999, "1" }, { 9.99999951, "10" },
		/* beyond six decimals, and beyond 32 bits of integer */
		{ 0.00012, "0.00012" }, { 1e-9, "1e-09" }, { 1e9, "1000000000" }, { 4294967296.5, "4294967296.5" },
		{ NAN, "null" }, { INFINITY, "null" },
	};
	struct text t = TEXT_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		text_clear(&t);
		put_number(&t, rows[i].v);
		assert_string_equal(text_str(&t), rows[i].text);
		assert_int_equal(t.len, strlen(rows[i].text));
	}
	text_release(&t);
}

/* Whatever is written reads back as the same value, to half a millionth or six digits. */
static void numbers_read_back(void **state)
{
	struct text t = TEXT_INIT;
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		double v, back;

		seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		v = ldexp((double)(seed >> 11), -53 + (int)(seed % 61) - 25);
		text_clear(&t);
		put_number(&t, v);
		back = strtod(text_str(&t), NULL);
		assert_true(fabs(back - v) <= fmax(5.1e-7, fabs(v) * 1e-14) || fabs(back - v) <= fabs(v) * 5e-6);
		assert_true(v == 0 || back != 0);
	}
	text_release(&t);
}

/* --- reports --- */

/*
 * Two seconds of sda: 200 reads of 8 sectors in 500 ms together, in progress for 640 ms, queue time 500 ms:
 * 100 r/s, 400 KiB/s, 2.5 ms, 0.25 requests, 32%. sdb has the same 11 fields and does nothing; loop0 has 17.
 */
#define BEFORE_SDA "8 0 sda 100 10 800 200 50 5 400 100 0 300 300\n"
#define AFTER_SDA "8 0 sda 300 10 2400 700 50 5 400 100 0 940 800\n"
#define SDB "8 16 sdb 10 0 80 5 10 0 80 5 0 10 10\n"
#define LOOP0 "7 0 loop0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"

static const enum metric_id some[] = { M_R_S, M_W_S, M_RKB_S, M_AWAIT, M_W_AWAIT, M_AQU_SZ, M_PCT_UTIL };

static struct engine *two_seconds(struct trees *t)
{
	trees_begin(t);
	trees_add(t, "100.00 1\n", BEFORE_SDA SDB LOOP0);
	trees_add(t, "102.00 1\n", AFTER_SDA SDB LOOP0);
	return trees_run(t, 2, false);
}

static void text_table(void **state)
{
	struct report_options options = { .columns = some, .n_columns = ARRAY_SIZE(some) };
	struct text out = TEXT_INIT;
	struct trees t;

	(void)state;
	one_report(two_seconds(&t), &options, false, &out);
	assert_string_equal(text_str(&out),
		"Device        r/s      w/s    rkB/s    await  w_await   aqu-sz    %util\n"
		"sda        100.00     0.00   400.00     2.50        -     0.25    32.00\n"
		"sdb          0.00     0.00     0.00        -        -     0.00     0.00\n"
		"loop0        0.00     0.00     0.00        -        -     0.00     0.00\n"
		"\n");
	options.legacy = true;
	options.skip_idle = true;
	one_report(t.engine, &options, false, &out);
	assert_string_equal(text_str(&out),
		"Device        r/s      w/s    rkB/s    await  w_await avgqu-sz    %util\n"
		"sda        100.00     0.00   400.00     2.50        -     0.25    32.00\n"
		"\n");
	trees_end(&t);
	text_release(&out);
}

/* Rows come from the store of idle rows the second time: not a byte may differ. */
static void a_second_report_is_the_same(void **state)
{
	struct text first = TEXT_INIT, out = TEXT_INIT;
	struct trees t;

	(void)state;
	two_seconds(&t);
	for (unsigned int format = FORMAT_TEXT; format <= FORMAT_JSON; format++) {
		size_t n;
		struct report_options options = {
			.format = (enum output_format)format, .columns = metric_set_all(&n), .n_columns = METRICS,
		};
		struct report *r = report_new(&options);

		text_clear(&first);
		report_add(r, t.engine, false, &first);
		for (int i = 0; i < 3; i++) {
			text_clear(&out);
			report_add(r, t.engine, false, &out);
			assert_string_equal(text_str(&out), text_str(&first));
		}
		report_free(r);
	}
	trees_end(&t);
	text_release(&first);
	text_release(&out);
}

static void csv_rows(void **state)
{
	struct report_options options = { .format = FORMAT_CSV, .columns = some, .n_columns = ARRAY_SIZE(some) };
	struct text out = TEXT_INIT;
	struct trees t;

	(void)state;
	options.legacy = true;
	one_report(two_seconds(&t), &options, false, &out);
	assert_string_equal(text_str(&out),
		"time,interval,device,r/s,w/s,rkB/s,await,w_await,avgqu-sz,%util\n"
		"102.000,2,sda,100,0,400,2.5,,0.25,32\n"
		"102.000,2,sdb,0,0,0,,,0,0\n"
		"102.000,2,loop0,0,0,0,,,0,0\n");
	trees_end(&t);
	text_release(&out);
}

/* Names with what CSV, JSON or a terminal would take for its own. */
static void hostile_names(void **state)
{
	static const enum metric_id column[] = { M_R_S };
	static const char *const expected[] = {
		[FORMAT_TEXT] = "Device          r/s\n\"a\\\",b?[2J     1.00\n\n",
		[FORMAT_CSV] = "time,interval,device,r/s\n101.000,1,\"\"\"a\\\"\",b?[2J\",1\n",
	};
	struct text out = TEXT_INIT;
	struct trees t;
	json_t *root;

	(void)state;
	trees_begin(&t);
	trees_add(&t, "100.00 1\n", "8 0 \"a\\\",b\033[2J 0 0 0 0 0 0 0 0 0 0 0\n");
	trees_add(&t, "101.00 1\n", "8 0 \"a\\\",b\033[2J 1 0 8 1 0 0 0 0 0 1 1\n");
	trees_run(&t, 2, false);
	for (unsigned int format = FORMAT_TEXT; format <= FORMAT_JSON; format++) {
		struct report_options options = {
			.format = (enum output_format)format, .columns = column, .n_columns = 1,
		};

		one_report(t.engine, &options, false, &out);
		if (format != FORMAT_JSON)
			assert_string_equal(text_str(&out), expected[format]);
	}
	root = parse(&out);
	assert_true(number_of(device_of(root, "\"a\\\",b\033[2J"), "r/s") == 1);
	json_decref(root);
	trees_end(&t);
	text_release(&out);
}

static void json_report(void **state)
{
	struct report_options options = { .format = FORMAT_JSON };
	struct text out = TEXT_INIT;
	struct trees t;
	json_t *root, *sda, *loop0;

	(void)state;
	options.columns = metric_set_all(&options.n_columns);
	options.legacy = true;
	one_report(two_seconds(&t), &options, false, &out);
	root = parse(&out);
	assert_true(number_of(root, "time") == 102);
	assert_true(number_of(root, "interval") == 2);
	/* the system was not read: every key is there, with a reason each */
	for (size_t i = 0; i < SYSTEM_METRICS; i++) {
		json_t *system = json_object_get(root, "system");

		assert_true(json_is_null(json_object_get(system, system_metrics[i].name)));
		assert_non_null(json_object_get(json_object_get(system, "na"), system_metrics[i].name));
	}
	sda = device_of(root, "sda");
	/* name, every row, na; the keys are the metrics' own names, also with --legacy */
	assert_int_equal(json_object_size(sda), 1 + METRICS + 1);
	assert_true(number_of(sda, "aqu-sz") == 0.25);
	assert_true(number_of(sda, "svctm") == 3.2);
	assert_true(json_is_null(json_object_get(sda, "w_await")));
	assert_reason(sda, "w_await", "no I/O");
	assert_reason(sda, "d/s", "no such field");
	assert_null(json_object_get(json_object_get(sda, "na"), "r/s"));
	loop0 = device_of(root, "loop0");
	assert_true(number_of(loop0, "d/s") == 0);
	assert_reason(loop0, "d_await", "no I/O");
	assert_null(json_object_get(loop0, "edges"));
	assert_null(json_object_get(loop0, "derived"));
	json_decref(root);
	trees_end(&t);
	text_release(&out);
}

/* 300 reads in the 100 s since boot; the interval is the uptime. */
static void since_boot(void **state)
{
	static const enum metric_id column[] = { M_R_S };
	struct report_options options = { .format = FORMAT_CSV, .columns = column, .n_columns = 1 };
	struct text out = TEXT_INIT;
	struct trees t;

	(void)state;
	trees_begin(&t);
	trees_add(&t, "100.00 1\n", AFTER_SDA);
	one_report(trees_run(&t, 1, false), &options, true, &out);
	assert_string_equal(text_str(&out), "time,interval,device,r/s\n100.000,100,sda,3\n");
	trees_end(&t);
	text_release(&out);
}

static void come_and_gone_devices_are_never_zero(void **state)
{
	static const enum metric_id column[] = { M_R_S };
	struct report_options options = {
		.format = FORMAT_JSON, .columns = column, .n_columns = 1, .skip_idle = true,
	};
	struct text out = TEXT_INIT;
	struct trees t;
	json_t *root;

	(void)state;
	trees_begin(&t);
	trees_add(&t, "100.00 1\n", BEFORE_SDA SDB);
	trees_add(&t, "101.00 1\n", BEFORE_SDA LOOP0);
	one_report(trees_run(&t, 2, false), &options, false, &out);
	root = parse(&out);
	/* sda is known to have been idle and left out; of the others that is not known */
	assert_null(device_of(root, "sda"));
	assert_true(json_is_null(json_object_get(device_of(root, "sdb"), "r/s")));
	assert_reason(device_of(root, "sdb"), "r/s", "device gone");
	assert_reason(device_of(root, "loop0"), "r/s", "new device");
	json_decref(root);
	trees_end(&t);
	text_release(&out);
}

static void only_wanted_devices(void **state)
{
	static const enum metric_id column[] = { M_R_S };
	struct report_options options = { .format = FORMAT_CSV, .columns = column, .n_columns = 1 };
	struct text out = TEXT_INIT;
	struct trees t;
	struct report *r;
	bool wanted[8] = { false };

	(void)state;
	two_seconds(&t);
	wanted[roster_find(engine_roster(t.engine), "sdb", 3)] = true;
	r = report_new(&options);
	report_set_wanted(r, wanted, ARRAY_SIZE(wanted));
	report_add(r, t.engine, false, &out);
	assert_string_equal(text_str(&out), "102.000,2,sdb,0\n");
	/* a device beyond what the caller knew is not wanted */
	text_clear(&out);
	report_set_wanted(r, wanted, 0);
	report_add(r, t.engine, false, &out);
	assert_string_equal(text_str(&out), "");
	report_free(r);
	trees_end(&t);
	text_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_short_and_never_a_false_zero),
		cmocka_unit_test(numbers_read_back),
		cmocka_unit_test(text_table),
		cmocka_unit_test(a_second_report_is_the_same),
		cmocka_unit_test(csv_rows),
		cmocka_unit_test(hostile_names),
		cmocka_unit_test(json_report),
		cmocka_unit_test(since_boot),
		cmocka_unit_test(come_and_gone_devices_are_never_zero),
		cmocka_unit_test(only_wanted_devices),
	};

	return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
