/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/setup.h"

/* "path value path value", in pairs, ended by NULL. */
static void fill(struct setup *s, const char *const *pairs)
{
	for (; *pairs; pairs += 2)
		setup_set(s, pairs[0], pairs[1]);
}

#define FILL(s, ...) fill(s, (const char *const[]){ __VA_ARGS__, NULL })

static void values_are_set_and_found(void **state)
{
	struct setup s = { 0 }, copy = { 0 };

	(void)state;
	assert_null(setup_get(&s, "queue/scheduler"));
	FILL(&s, "queue/scheduler", "[none]", "queue/nr_requests", "256");
	setup_set(&s, "queue/nr_requests", "");
	assert_string_equal(setup_get(&s, "queue/nr_requests"), "");
	assert_null(setup_get(&s, "queue/nr"));
	setup_copy(&copy, &s);
	assert_true(setup_equal(&copy, &s));
	setup_set(&copy, "queue/scheduler", "none [mq-deadline]");
	assert_false(setup_equal(&copy, &s));
	assert_string_equal(setup_get(&s, "queue/scheduler"), "[none]");
	setup_release(&s);
	setup_release(&copy);
}

static void what_is_sent_comes_back_and_what_is_cut_is_refused(void **state)
{
	struct setup s = { 0 }, back = { 0 };
	struct text bytes = TEXT_INIT;
	const char *at;

	(void)state;
	FILL(&s, "queue/a", "", "queue/b", "x\ny\x01\xff", "queue/c", "3");
	setup_put(&s, &bytes);
	at = bytes.buf;
	assert_true(setup_take(&back, &at, bytes.buf + bytes.len));
	assert_ptr_equal(at, bytes.buf + bytes.len);
	assert_true(setup_equal(&s, &back));
	for (size_t len = 0; len < bytes.len; len++) {
		struct setup cut = { 0 };

		at = bytes.buf;
		assert_false(setup_take(&cut, &at, bytes.buf + len));
		setup_release(&cut);
	}
	setup_release(&s);
	setup_release(&back);
	text_release(&bytes);
}

static void the_scheduler_first_then_the_requests(void **state)
{
	struct setup target = { 0 }, now = { 0 };
	struct restore plan = { 0 };

	(void)state;
	FILL(&target, "queue/iosched/async_depth", "256", "queue/nr_requests", "256", "queue/max_sectors_kb", "1280",
	     "queue/scheduler", "[mq-deadline] none");
	FILL(&now, "queue/iosched/async_depth", "8", "queue/nr_requests", "64", "queue/max_sectors_kb", "1280",
	     "queue/scheduler", "mq-deadline [none]");
	assert_int_equal(restore_plan(&plan, &target, NULL, &now, false), 3);
	assert_int_equal(plan.n, 3);
	assert_string_equal(plan.v[0].path, "queue/scheduler");
	assert_string_equal(plan.v[1].path, "queue/nr_requests");
	assert_string_equal(plan.v[2].path, "queue/iosched/async_depth");
	assert_string_equal(plan.v[2].from, "8");
	assert_string_equal(plan.v[2].to, "256");
	restore_release(&plan);
	setup_release(&target);
	setup_release(&now);
}

static enum restore_kind kind_of(const char *target, const char *left, const char *now, bool force, size_t *n)
{
	struct setup t = { 0 }, l = { 0 }, present = { 0 };
	struct restore plan = { 0 };
	enum restore_kind kind = RESTORE_ABSENT;

	setup_set(&t, "queue/read_ahead_kb", target);
	if (left)
		setup_set(&l, "queue/read_ahead_kb", left);
	if (now)
		setup_set(&present, "queue/read_ahead_kb", now);
	restore_plan(&plan, &t, left ? &l : NULL, &present, force);
	*n = plan.n;
	if (plan.n)
		kind = plan.v[0].kind;
	restore_release(&plan);
	setup_release(&t);
	setup_release(&l);
	setup_release(&present);
	return kind;
}

static void what_somebody_else_changed_is_let_alone(void **state)
{
	size_t n;

	(void)state;
	assert_int_equal(kind_of("128", "256", "256", false, &n), RESTORE_WRITE);
	assert_int_equal(kind_of("128", "256", "512", false, &n), RESTORE_CHANGED_ELSEWHERE);
	assert_int_equal(kind_of("128", "256", "512", true, &n), RESTORE_WRITE);
	/* what was left is not known: whatever stands there is ours */
	assert_int_equal(kind_of("128", NULL, "512", false, &n), RESTORE_WRITE);
	assert_int_equal(kind_of("128", "256", NULL, false, &n), RESTORE_ABSENT);
	/* it is as it is to be, whoever did that */
	kind_of("128", "256", "128", false, &n);
	assert_int_equal(n, 0);
}

static void the_kernels_rounding_is_no_difference(void **state)
{
	size_t n;

	(void)state;
	/* read_ahead_kb goes by pages of 4 KiB */
	kind_of("130", "256", "128", false, &n);
	assert_int_equal(n, 0);
	kind_of("136", "256", "128", false, &n);
	assert_int_equal(n, 1);
	/* and what we left was rounded, too: nobody else's */
	assert_int_equal(kind_of("128", "258", "256", false, &n), RESTORE_WRITE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_set_and_found),
		cmocka_unit_test(what_is_sent_comes_back_and_what_is_cut_is_refused),
		cmocka_unit_test(the_scheduler_first_then_the_requests),
		cmocka_unit_test(what_somebody_else_changed_is_let_alone),
		cmocka_unit_test(the_kernels_rounding_is_no_difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
