/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/knob.h"

static void names(void **state)
{
	(void)state;
	assert_string_equal(knob_name("queue/iosched/prio_aging_expire"), "prio_aging");
	/* not in the table: the last part */
	assert_string_equal(knob_name("queue/zoned"), "zoned");
	assert_string_equal(knob_name("alone"), "alone");
	assert_true(knob_rank("queue/zoned") == knobs_n);
	/* a part of a row's path is no row */
	assert_true(knob_rank("queue/scheduler2") == knobs_n);
	assert_true(knob_rank("scheduler") == knobs_n);
	assert_int_equal(knob_rank("queue/scheduler"), 0);
}

static void each_row_is_complete(void **state)
{
	(void)state;
	for (size_t i = 0; i < knobs_n; i++) {
		const struct knob *k = &knobs[i];
		size_t dots = 0;

		print_message("%s\n", k->path);
		assert_true(k->help && strlen(k->help) > 20 && k->help[strlen(k->help) - 1] == '.');
		for (const char *p = k->help; *p; p++)
			dots += *p == '.' && (p[1] == ' ' || !p[1]);
		assert_in_range(dots, 1, 3);
		assert_true(k->kernels && *k->kernels);
		assert_true(k->least <= k->most);
		assert_true(k->type != KNOB_NUMBER || k->most > k->least);
		assert_true(k->type != KNOB_SWITCH || (k->least == 0 && k->most == 1));
		assert_true(!k->choices || k->type == KNOB_CHOICE);
		assert_true(!k->unit || k->type == KNOB_NUMBER || k->type == KNOB_TEXT);
		assert_true(!k->limit || k->type == KNOB_NUMBER);
		assert_true(knob_permitted(k->path));
		assert_true(knob_find(k->path) == k);
	}
}

static void each_path_once(void **state)
{
	(void)state;
	for (size_t i = 0; i < knobs_n; i++) {
		assert_true(knob_rank(knobs[i].path) == i);
		assert_true(strlen(knobs[i].name) <= 14);       /* the first column of the matrix */
	}
}

static void expect_chosen(const char *value, const char *right)
{
	size_t len;
	const char *got = knob_chosen(value, &len);

	assert_int_equal(len, strlen(right));
	assert_memory_equal(got, right, len);
}

static void chosen(void **state)
{
	(void)state;
	expect_chosen("none [mq-deadline] kyber", "mq-deadline");
	expect_chosen("[none] mq-deadline", "none");
	expect_chosen("256", "256");
	expect_chosen("", "");
	expect_chosen("[open", "[open");
	expect_chosen("write back", "write back");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(each_row_is_complete),
		cmocka_unit_test(each_path_once),
		cmocka_unit_test(chosen),
	};

	return cmocka_run_group_tests_name("knob", tests, NULL, NULL);
}
