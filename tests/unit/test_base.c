/* SPDX-License-Identifier: GPL-2.0-or-later */
/* map, number, msg */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/msg.h"
#include "base/number.h"
#include "base/text.h"

static void map_keeps_what_is_set(void **state)
{
	struct map m = MAP_INIT;
	char key[16];

	(void)state;
	assert_int_equal(map_get(&m, "sda", 3), MAP_NONE);
	for (uint32_t i = 0; i < 5000; i++)
		map_set(&m, key, (size_t)snprintf(key, sizeof(key), "dm-%u", i), i);
	for (uint32_t i = 0; i < 5000; i += 2)
		map_remove(&m, key, (size_t)snprintf(key, sizeof(key), "dm-%u", i));
	for (uint32_t i = 0; i < 5000; i++) {
		size_t len = (size_t)snprintf(key, sizeof(key), "dm-%u", i);

		assert_int_equal(map_get(&m, key, len), i % 2 ? i : MAP_NONE);
	}
	/* a key is all of its bytes and no more */
	assert_int_equal(map_get(&m, "dm-11", 4), 1);
	assert_int_equal(map_get(&m, "dm-", 3), MAP_NONE);
	map_release(&m);
}

/* names that come and go for ever (dmsetup in a loop) must not fill the map with graves */
static void map_survives_churn(void **state)
{
	struct map m = MAP_INIT;
	char key[24];

	(void)state;
	map_set(&m, "stays", 5, 7);
	for (uint32_t i = 0; i < 100000; i++) {
		size_t len = (size_t)snprintf(key, sizeof(key), "dm-%u", i);

		map_set(&m, key, len, i);
		map_remove(&m, key, len);
	}
	assert_int_equal(map_get(&m, "stays", 5), 7);
	assert_in_range(m.size, 16, 64);
	map_set(&m, "stays", 5, 8);
	assert_int_equal(map_get(&m, "stays", 5), 8);
	assert_int_equal(m.used, 1);
	map_release(&m);
}

static void whole_numbers(void **state)
{
	static const char *const bad[] = { "", " 1", "-1", "+1", "1 ", "0x10", "1.0", "18446744073709551616", "1k" };
	uint64_t v = 0;

	(void)state;
	assert_true(number_u64("18446744073709551615", &v));
	assert_true(v == UINT64_MAX);
	assert_true(number_u64("007", &v));
	assert_int_equal(v, 7);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(number_u64(bad[i], &v));
}

static void hexadecimal_numbers(void **state)
{
	static const char *const bad[] = { "", "0x", "1f", "0X1f", "0x1F", "0x1g", " 0x1", "0x1 ", "-0x1",
		"0x10000000000000000" };
	uint64_t v = 0;

	(void)state;
	assert_true(number_hex("0x1f", &v));
	assert_int_equal(v, 31);
	assert_true(number_hex("0xffffffffffffffff", &v));
	assert_true(v == UINT64_MAX);
	assert_true(number_hex("0x0", &v) && !v);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(number_hex(bad[i], &v));
}

static void decimal_numbers(void **state)
{
	static const char *const bad[] = { "", ".", "-", "nan", "inf", "0x1p3", " 1", "1,5", "1e999", "1.2.3", "2s" };
	double v = 0;

	(void)state;
	assert_true(number_double("0.25", &v));
	assert_true(v == 0.25);
	assert_true(number_double("-1e3", &v));
	assert_true(v == -1000);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		assert_false(number_double(bad[i], &v));
}

static void collect(const char *line, void *arg)
{
	struct text *all = arg;

	text_add(all, line);
	text_add_char(all, '\n');
}

static void messages_are_clean(void **state)
{
	struct text all = TEXT_INIT;

	(void)state;
	msg_set_sink(collect, &all);
	msg("/sys/block/\033]0;x", "cannot be read");
	msg_errno("dm-0", -13);
	msg(NULL, "%d lines", 2);
	msg_set_sink(NULL, NULL);
	assert_string_equal(text_str(&all), "/sys/block/?]0;x: cannot be read\ndm-0: Permission denied\n2 lines\n");
	text_release(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(map_keeps_what_is_set),
		cmocka_unit_test(map_survives_churn),
		cmocka_unit_test(whole_numbers),
		cmocka_unit_test(hexadecimal_numbers),
		cmocka_unit_test(decimal_numbers),
		cmocka_unit_test(messages_are_clean),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
