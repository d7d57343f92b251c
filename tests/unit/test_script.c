/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of --script. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "tui/key.h"
#include "tui/script.h"

static void nothing_lines(void **state)
{
	static const char *const lines[] = { "", "   ", "\t", "# size 0x0", "#" };
	struct script_line out;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		assert_null(script_parse(lines[i], &out));
		assert_int_equal(out.verb, SCRIPT_NOTHING);
	}
}

static void good_lines(void **state)
{
	struct script_line out;

	(void)state;
	assert_null(script_parse("size 120x40", &out));
	assert_int_equal(out.cols, 120);
	assert_int_equal(out.rows, 40);
	assert_null(script_parse("size 1x1000", &out));
	assert_null(script_parse("key S-Tab", &out));
	assert_int_equal(out.key, K_BACKTAB);
	assert_null(script_parse("key #", &out));
	assert_int_equal(out.key, '#');
	assert_null(script_parse("text  a b ", &out));
	assert_string_equal(out.rest, "a b ");
	assert_null(script_parse("step", &out));
	assert_int_equal(out.count, 1);
	assert_null(script_parse("step 30", &out));
	assert_int_equal(out.count, 30);
	assert_null(script_parse("wait pending", &out));
	assert_int_equal(out.verb, SCRIPT_WAIT_PENDING);
	assert_null(script_parse("wait idle", &out));
	assert_int_equal(out.verb, SCRIPT_WAIT_IDLE);
	assert_null(script_parse("dump a file", &out));
	assert_int_equal(out.verb, SCRIPT_DUMP);
	assert_string_equal(out.rest, "a file");
	assert_null(script_parse("dump-style -", &out));
	assert_int_equal(out.verb, SCRIPT_DUMP_STYLE);
}

static void wrong_lines(void **state)
{
	static const char *const lines[] = {
		"size", "size 80", "size 80x", "size x24", "size 0x24", "size 80x0", "size 80x24x2", "size 1001x10",
		"size -1x10", "size 80 x 24", "size 99999999999999999999x1", "key", "key Foo", "key F13", "step 0",
		"step -1", "step x", "step 100001", "wait", "wait long", "wait idle now", "dump", "dump-style", "text",
		"dumpx f", "Size 80x24", " size 80x24",
	};
	struct script_line out;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_non_null(script_parse(lines[i], &out));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_lines),
		cmocka_unit_test(good_lines),
		cmocka_unit_test(wrong_lines),
	};

	return cmocka_run_group_tests_name("script", tests, NULL, NULL);
}
