/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "model/counters.h"

static bool parse(const char *line, struct diskline *out)
{
	memset(out, 0xa5, sizeof(*out));
	return diskline_parse(line, strlen(line), out);
}

/* A line "8 0 sda 1 2 3 … n", and what must come of it. */
static bool parse_counting(unsigned int n, struct diskline *out)
{
	struct text line = TEXT_INIT;
	bool ok;

	text_add(&line, "8 0 sda");
	for (unsigned int i = 1; i <= n; i++)
		text_addf(&line, " %u", i);
	ok = parse(text_str(&line), out);
	/* the name points into the line, which goes away here */
	out->name = "sda";
	text_release(&line);
	return ok;
}

static void numbers_from_11_on_count_in_whole_groups(void **state)
{
	static const struct {
		unsigned int n, used;
	} cases[] = {
		{ 11, 11 }, { 12, 11 }, { 13, 11 }, { 14, 11 }, { 15, 15 }, { 16, 15 }, { 17, 17 }, { 18, 17 },
		{ 40, 17 },
	};
	struct diskline line;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_true(parse_counting(cases[i].n, &line));
		assert_int_equal(line.counters.has, FIELD(cases[i].used) - 1);
		for (unsigned int f = 0; f < FIELDS; f++)
			assert_int_equal(line.counters.v[f], f < cases[i].used ? f + 1 : 0);
	}
}

static void other_counts_are_malformed(void **state)
{
	static const unsigned int counts[] = { 0, 1, 2, 3, 5, 6, 7, 8, 9, 10 };
	struct diskline line;

	(void)state;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		assert_false(parse_counting(counts[i], &line));
}

static void old_partition_has_no_merges_and_no_time(void **state)
{
	struct diskline line;

	(void)state;
	assert_true(parse("   3    1 hda1 10 20 30 40", &line));
	assert_int_equal(line.counters.has, FIELD(RD_IOS) | FIELD(RD_SECTORS) | FIELD(WR_IOS) | FIELD(WR_SECTORS));
	assert_int_equal(line.counters.v[RD_IOS], 10);
	assert_int_equal(line.counters.v[RD_SECTORS], 20);
	assert_int_equal(line.counters.v[WR_IOS], 30);
	assert_int_equal(line.counters.v[WR_SECTORS], 40);
	assert_int_equal(line.counters.v[RD_MERGES], 0);
	assert_int_equal(line.counters.v[RD_TICKS], 0);
}

static void numbers_and_name_of_a_line(void **state)
{
	struct diskline line;

	(void)state;
	assert_true(parse(" 202 1048577\tcciss/c0d0p1 1 2 3 4 5 6 7 8 9 10 11 \r", &line));
	assert_int_equal(line.major, 202);
	assert_int_equal(line.minor, 1048577);
	assert_int_equal(line.name_len, strlen("cciss/c0d0p1"));
	assert_memory_equal(line.name, "cciss/c0d0p1", line.name_len);
	/* nothing but blanks ends a name */
	assert_true(parse("0 0 a!b\xff\x1b[m 1 2 3 4 5 6 7 8 9 10 11", &line));
	assert_int_equal(line.name_len, 7);
}

static void largest_number_is_64_bits(void **state)
{
	struct diskline line;

	(void)state;
	assert_true(parse("8 0 sda 18446744073709551615 00000000000000000000000000007 3 4 5 6 7 8 9 10 11", &line));
	assert_true(line.counters.v[RD_IOS] == UINT64_MAX);
	assert_int_equal(line.counters.v[RD_MERGES], 7);
	assert_false(parse("8 0 sda 18446744073709551616 2 3 4 5 6 7 8 9 10 11", &line));
	assert_false(parse("8 0 sda 99999999999999999999 2 3 4 5 6 7 8 9 10 11", &line));
	assert_false(parse("8 0 sda 184467440737095516150 2 3 4 5 6 7 8 9 10 11", &line));
	/* major and minor are 32 bits */
	assert_true(parse("4294967295 0 sda 1 2 3 4", &line));
	assert_false(parse("4294967296 0 sda 1 2 3 4", &line));
}

static void words_and_signs_are_malformed(void **state)
{
	static const char *const lines[] = {
		"", " ", "8", "8 0", "8 0 ", "8 0 sda", "x 0 sda 1 2 3 4", "8 x sda 1 2 3 4", "8 0 sda 1 2 3 x",
		"8 0 sda 1 2 3 -4", "8 0 sda 1 2 3 4.5 5 6 7 8 9 10 11", "8 0 sda 1 2 3 4 5 6 7 8 9 10 0x11",
		"8 0 sda 1 2 3 4 5 6 7 8 9 10 11 twelve", "8,0 sda 1 2 3 4 5 6 7 8 9 10 11",
		"TS 1293049202.5 2010-12-22 20:20:02", "zzz 12:03:04", "8 0sda 1 2 3 4",
		"8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17x",
	};
	struct diskline line;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_false(parse(lines[i], &line));
}

static void what_follows_the_known_numbers_is_left_alone(void **state)
{
	struct diskline line;

	(void)state;
	assert_true(parse("8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 words -1 99999999999999999999999", &line));
	assert_int_equal(line.counters.v[FL_TICKS], 17);
}

static void zero_byte_is_no_part_of_a_name(void **state)
{
	static const char text[] = "8 0 sd\0a 1 2 3 4 5 6 7 8 9 10 11";
	struct diskline line;

	(void)state;
	assert_false(diskline_parse(text, sizeof(text) - 1, &line));
}

static void nothing_behind_the_length_is_read(void **state)
{
	static const char text[] = "8 0 sda 1 2 3 45 6 7 8 9 10 11 12 13";
	struct diskline line;

	(void)state;
	/* cut after the first digit of the fourth number: an old partition */
	assert_true(diskline_parse(text, strlen("8 0 sda 1 2 3 4"), &line));
	assert_int_equal(line.counters.v[WR_SECTORS], 4);
	for (size_t len = 0; len < strlen("8 0 sda 1 2 3 4"); len++)
		assert_false(diskline_parse(text, len, &line));
}

static void negative_in_flight_is_0(void **state)
{
	struct diskline line;

	(void)state;
	/* -1 as the kernel prints it */
	assert_true(parse("9 0 md0 1 2 3 4 5 6 7 8 4294967295 10 11", &line));
	assert_int_equal(line.counters.v[IN_FLIGHT], 0);
	assert_true(line.counters.has & FIELD(IN_FLIGHT));
	assert_true(parse("9 0 md0 1 2 3 4 5 6 7 8 2147483647 10 11", &line));
	assert_int_equal(line.counters.v[IN_FLIGHT], 2147483647);
}

static void assert_written(const char *line, const char *expected)
{
	struct diskline d;
	struct text t = TEXT_INIT;

	assert_true(parse(line, &d));
	diskline_write(&t, d.major, d.minor, "sda", &d.counters);
	assert_string_equal(text_str(&t), expected);
	text_release(&t);
}

static void lines_are_written_as_the_kernel_does(void **state)
{
	(void)state;
	assert_written("8 16 sda 1 2 3 4 5 6 7 8 9 10 11", "   8      16 sda 1 2 3 4 5 6 7 8 9 10 11\n");
	assert_written("8 16 sda 1 2 3 4", "   8      16 sda 1 2 3 4\n");
	assert_written("4294967295 4294967295 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 18446744073709551615 16 17",
		       "4294967295 4294967295 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 18446744073709551615 16 17\n");
}

static void sums_and_zeros(void **state)
{
	struct counters c = { .has = FIELDS_ALL };

	(void)state;
	assert_true(counters_all_zero(&c));
	for (unsigned int f = 0; f < FIELDS; f++) {
		memset(c.v, 0, sizeof(c.v));
		c.v[f] = 1;
		assert_false(counters_all_zero(&c));
	}
	c.v[RD_IOS] = 1;
	c.v[WR_IOS] = 20;
	c.v[DC_IOS] = 300;
	c.v[FL_IOS] = 4000;
	c.v[WR_MERGES] = 50000;
	assert_int_equal(counters_ios(&c), 4321);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_from_11_on_count_in_whole_groups),
		cmocka_unit_test(other_counts_are_malformed),
		cmocka_unit_test(old_partition_has_no_merges_and_no_time),
		cmocka_unit_test(numbers_and_name_of_a_line),
		cmocka_unit_test(largest_number_is_64_bits),
		cmocka_unit_test(words_and_signs_are_malformed),
		cmocka_unit_test(what_follows_the_known_numbers_is_left_alone),
		cmocka_unit_test(zero_byte_is_no_part_of_a_name),
		cmocka_unit_test(nothing_behind_the_length_is_read),
		cmocka_unit_test(negative_in_flight_is_0),
		cmocka_unit_test(lines_are_written_as_the_kernel_does),
		cmocka_unit_test(sums_and_zeros),
	};

	return cmocka_run_group_tests_name("counters", tests, NULL, NULL);
}
