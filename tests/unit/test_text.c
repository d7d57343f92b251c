/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/text.h"

static void expect(struct text *t, const char *right)
{
	assert_string_equal(text_str(t), right);
	text_clear(t);
}

static void grows_and_stays_terminated(void **state)
{
	struct text t = TEXT_INIT;

	(void)state;
	assert_string_equal(text_str(&t), "");
	for (int i = 0; i < 1000; i++)
		text_addf(&t, "%d,", i % 10);
	assert_int_equal(t.len, 2000);
	assert_int_equal(strlen(text_str(&t)), 2000);
	text_clear(&t);
	assert_string_equal(text_str(&t), "");
	text_release(&t);
	assert_null(t.buf);
}

/* the same digits as printf, ties and all: the values on the border are the ones that differ when done carelessly */
static void fixed_is_printf(void **state)
{
	static const double values[] = {
		0, -0.0, 0.005, 0.015, 0.025, 0.125, 0.375, 1.005, 2.675, 0.285, 0.145, 1e-9, 99.995, 999.9949999,
		0.5, 1.5,
		2.5, -2.5, -0.004, 4294967295.0, 4294967296.5, 8999999999.99, 9e9, 1e15, 1e18, 1.8e19, 123456789.125,
	};
	struct text t = TEXT_INIT;
	char right[64];
	uint64_t seed = 88172645463325252U;

	(void)state;
	for (int decimals = 0; decimals <= 6; decimals++) {
		for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
			snprintf(right, sizeof(right), "%.*f", decimals, values[i]);
			text_add_fixed(&t, values[i], decimals);
			/* a minus before nothing but zeros is not wanted */
			if (strspn(right, "-0.") == strlen(right) && right[0] == '-')
				expect(&t, right + 1);
			else
				expect(&t, right);
		}
	}
	for (int i = 0; i < 200000; i++) {
		double v;

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		v = (double)(seed >> 20) / (double)((seed & 0xfffff) + 1);
		if (v >= 1e12)
			continue;
		snprintf(right, sizeof(right), "%.2f", v);
		text_add_fixed(&t, v, 2);
		expect(&t, right);
	}
	text_release(&t);
}

static void fixed_never_prints_what_is_no_number(void **state)
{
	struct text t = TEXT_INIT;

	(void)state;
	text_add_fixed(&t, (double)NAN, 2);
	expect(&t, "0.00");
	text_add_fixed(&t, (double)INFINITY, 1);
	expect(&t, "0.0");
	text_add_fixed_in(&t, 3.14159, 2, 8);
	expect(&t, "    3.14");
	text_add_fixed_in(&t, 123456.0, 0, 3);
	expect(&t, "123456");
	text_release(&t);
}

static void short_numbers(void **state)
{
	static const struct {
		double v;
		int decimals;
		const char *right;
	} rows[] = {
		{ 0, 2, "0" }, { 0.62, 2, "0.62" }, { 0.004, 2, "0.00" }, { 9.994, 2, "9.99" }, { 9.996, 2, "10.0" },
		{ 11.64, 2, "11.6" }, { 99.94, 1, "99.9" }, { 99.96, 1, "100" }, { 269.4, 1, "269" }, { 256, 0, "256" },
		{ 5.2, 0, "5" }, { 9999, 1, "9999" }, { 9999.4, 1, "9999" }, { 9999.6, 1, "10.0k" },
		{ 37210, 1, "37.2k" },
		{ 372100, 1, "372k" }, { 999499, 1, "999k" }, { 999600, 1, "1.00M" }, { 1560000, 1, "1.56M" },
		{ -37210, 1, "-37.2k" }, { 4.2e9, 1, "4.20G" }, { 3e13, 1, "30.0T" },
	};
	struct text t = TEXT_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		text_add_short(&t, rows[i].v, rows[i].decimals);
		expect(&t, rows[i].right);
	}
	/* six cells at most, whatever comes */
	for (double v = 1e-3; v < 1e19; v *= 1.07) {
		text_add_short(&t, v, 2);
		assert_in_range(t.len, 1, 5);
		text_clear(&t);
		text_add_short(&t, -v, 2);
		assert_in_range(t.len, 2, 6);
		text_clear(&t);
	}
	text_release(&t);
}

static void safe_keeps_text_and_nothing_that_a_terminal_obeys(void **state)
{
	static const struct {
		const char *in;
		size_t len;
		const char *right;
	} rows[] = {
		{ "mpatha", 6, "mpatha" },
		{ "a\033[2Jb", 6, "a?[2Jb" },
		{ "tab\there", 8, "tab?here" },
		{ "nul\0x", 5, "nul?x" },
		{ "\177", 1, "?" },
		{ "\302\233[m", 4, "?[m" },             /* C1 CSI in UTF-8 */
		{ "\233", 1, "?" },                     /* the raw byte */
		{ "gr\303\274n", 5, "gr\303\274n" },
		{ "\303", 1, "?" },                     /* cut in the middle */
		{ "\355\240\200", 3, "???" },           /* a surrogate */
		{ "\300\257", 2, "??" },                /* an overlong slash */
		{ "\342\200\256x", 4, "?x" },           /* right-to-left override */
		{ "\302\255\330\234\357\273\277\341\240\216", 10, "????" },     /* U+00AD, 061C, FEFF, 180E */
		{ "\363\240\201\201", 4, "?" },         /* a tag */
		{ "\302\240\302\256", 4, "\302\240\302\256" },       /* beside U+00AD */
		{ "\364\220\200\200", 4, "????" },      /* above U+10FFFF */
	};
	struct text t = TEXT_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		text_add_safe(&t, rows[i].in, rows[i].len);
		expect(&t, rows[i].right);
	}
	text_release(&t);
}

static void json_strings(void **state)
{
	struct text t = TEXT_INIT;

	(void)state;
	text_add_json(&t, "a\"b\\c\nd\001\177", 9);
	expect(&t, "\"a\\\"b\\\\c\\nd\\u0001\\u007f\"");
	text_add_json(&t, "\377ok", 3);
	expect(&t, "\"\357\277\275ok\"");
	text_release(&t);
}

static void middle_cut(void **state)
{
	struct text t = TEXT_INIT;

	(void)state;
	text_add_middle_cut(&t, "luks-01568490-8910", 10, "~");
	expect(&t, "luks~-8910");
	text_add_middle_cut(&t, "sda", 3, "~");
	expect(&t, "sda");
	text_add_middle_cut(&t, "sdaa", 1, "~");
	expect(&t, "~");
	text_add_middle_cut(&t, "sdaa", 0, "~");
	expect(&t, "");
	/* for every width: never wider, and as wide as it can be with narrow characters */
	for (size_t cells = 1; cells < 30; cells++) {
		text_add_middle_cut(&t, "abcdefghijklmnopqrstuvwxyz", cells, "~");
		assert_int_equal(text_cells(text_str(&t)), cells < 26 ? cells : 26);
		text_clear(&t);
	}
	text_release(&t);
}

static void cells_of_wide_characters(void **state)
{
	struct text t = TEXT_INIT;

	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		fail_msg("the C.UTF-8 locale is missing");
	assert_int_equal(text_cells("a\347\243\201b"), 4);      /* a CJK character takes two */
	assert_int_equal(text_cells("\342\225\240"), 1);
	for (size_t cells = 1; cells < 12; cells++) {
		text_add_middle_cut(&t, "\347\243\201\347\243\201\347\243\201\347\243\201\347\243\201", cells, "~");
		assert_in_range(text_cells(text_str(&t)), 1, cells);
		text_clear(&t);
	}
	setlocale(LC_CTYPE, "C");
	text_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(grows_and_stays_terminated),
		cmocka_unit_test(fixed_is_printf),
		cmocka_unit_test(fixed_never_prints_what_is_no_number),
		cmocka_unit_test(short_numbers),
		cmocka_unit_test(safe_keeps_text_and_nothing_that_a_terminal_obeys),
		cmocka_unit_test(json_strings),
		cmocka_unit_test(middle_cut),
		cmocka_unit_test(cells_of_wide_characters),
	};

	return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
