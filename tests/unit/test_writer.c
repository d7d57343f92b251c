/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one way on which knobs are written, with a kernel that is played: write(2) to a knob of the tree does what a
 * kernel would do, or fails as one would; and the process can be ended at any call.
 */
#include "config.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "engine/writer.h"
#include "kernel/process.h"
#include "played_kernel.h"

static struct root root;

/* --- deeds --- */

static struct writer_order order;

static int setup(void **state)
{
	char state_dir[300];

	(void)state;
	memset(&kernel, 0, sizeof(kernel));
	assert_non_null(tree_new(tree, sizeof(tree)));
	snprintf(state_dir, sizeof(state_dir), "%s/state", tree);
	setenv("IODELTA_STATE", state_dir, 1);
	tree_directory(tree, "proc");
	new_scheduler("mq-deadline");
	put("queue/read_ahead_kb", "128\n");
	put("queue/write_cache", "write back\n");
	put("dev", "253:0\n");
	assert_int_equal(root_open(&root, tree), 0);
	kernel.plays = true;
	order = (struct writer_order){ .owner = { getpid(), process_start(getpid()) }, .number = 1 };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	root_release(&root);
	tree_remove(tree);
	tree[0] = '\0';
	return 0;
}

static void act(const char *sysfs, const char *what, struct names *items, struct writer_answer *answer)
{
	_Atomic uint32_t at = 0;
	struct helper_deed deed = {
		.root = &root, .name = "dm-0", .sysfs = sysfs, .what = what,
		.items = (const char *const *)items->v, .n = items->n, .at = &at,
	};
	struct text bytes = TEXT_INIT;
	int error = writer_act(&deed, &bytes);

	*answer = (struct writer_answer){ 0 };
	if (error)
		answer->error = error;
	else
		assert_true(writer_take(answer, bytes.buf, bytes.len));
	order.number += answer->used;
	text_release(&bytes);
	names_release(items);
}

static void set_in(const char *sysfs, const char *path, const char *value, struct writer_answer *answer)
{
	struct names items = { NULL, 0, 0 };

	order.action++;
	writer_set_items(&order, path, value, &items);
	act(sysfs, WRITER_SET, &items, answer);
}

static int set(const char *path, const char *value)
{
	struct writer_answer answer;
	int error;

	set_in(SYSFS, path, value, &answer);
	error = answer.error;
	writer_answer_release(&answer);
	return error;
}

static void read_journal(struct journal *j)
{
	struct text path = TEXT_INIT;

	*j = (struct journal){ 0 };
	assert_int_equal(journal_path(&path), 0);
	assert_int_equal(journal_read(text_str(&path), j), 0);
	text_release(&path);
}

static size_t count_open(void)
{
	struct journal j;
	size_t n = 0;

	read_journal(&j);
	for (size_t i = 0; i < j.n; i++)
		n += journal_is_open(&j.v[i]);
	journal_release(&j);
	return n;
}

/* Undo the newest `last` open writes; 0: all. Returns how many attributes are not as they were. */
static size_t undo(size_t last, bool force)
{
	struct journal j;
	struct journal_targets targets = { 0 };
	struct names items = { NULL, 0, 0 };
	struct writer_answer answer;
	size_t rest = 0;

	read_journal(&j);
	for (size_t i = j.n, n = 0; i-- > 0;) {
		j.v[i].chosen = journal_is_open(&j.v[i]) && (!last || n < last);
		n += j.v[i].chosen;
	}
	journal_targets(&j, &targets);
	for (size_t i = 0; i < targets.n; i++) {
		struct journal_target *t = &targets.v[i];

		writer_restore_items(&order, &t->target, t->knows_left ? &t->left : NULL, force, &t->ids, &items);
		act(SYSFS, WRITER_RESTORE, &items, &answer);
		for (size_t k = 0; k < answer.n; k++)
			rest += answer.lines[k].rest != WRITTEN;
		writer_answer_release(&answer);
	}
	journal_targets_release(&targets);
	journal_release(&j);
	return rest;
}

/* Everything that is there, as one text. */
static void snapshot(struct text *out)
{
	static const char *const names[] = {
		"queue/scheduler", "queue/nr_requests", "queue/read_ahead_kb", "queue/write_cache",
		"queue/iosched/async_depth", "queue/iosched/read_expire", "queue/iosched/read_lat_nsec",
	};
	char value[200];

	text_clear(out);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		get(names[i], value, sizeof(value));
		text_addf(out, "%s=%s\n", names[i], value);
	}
}

/* --- tests --- */

static void a_write_is_journaled_and_read_back(void **state)
{
	struct writer_answer answer;

	(void)state;
	set_in(SYSFS, "queue/nr_requests", "64", &answer);
	assert_int_equal(answer.error, 0);
	assert_string_equal(setup_get(&answer.before, "queue/nr_requests"), "256");
	assert_string_equal(setup_get(&answer.after, "queue/nr_requests"), "64");
	/* the side effect as well */
	assert_string_equal(setup_get(&answer.after, "queue/iosched/async_depth"), "64");
	assert_int_equal(answer.n, 1);
	assert_string_equal(answer.lines[0].from, "256");
	assert_string_equal(answer.lines[0].now, "64");
	assert_int_equal(count_open(), 1);
	writer_answer_release(&answer);
	assert_int_equal(undo(0, false), 0);
	assert_int_equal(count_open(), 0);
}

static void a_clamped_value_is_what_the_kernel_kept(void **state)
{
	struct writer_answer answer;

	(void)state;
	set_in(SYSFS, "queue/nr_requests", "3", &answer);
	assert_int_equal(answer.error, 0);
	assert_string_equal(answer.lines[0].now, "4");
	writer_answer_release(&answer);
}

static void errors_are_told_and_leave_nothing_open(void **state)
{
	static const int errors[] = { EINVAL, EACCES, EROFS, EBUSY, ENODEV, EDEADLK };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		struct writer_answer answer;

		/* the tree's file is empty after an open that a write does not follow */
		put("queue/read_ahead_kb", "128\n");
		kernel.error = errors[i];
		set_in(SYSFS, "queue/read_ahead_kb", "512", &answer);
		assert_int_equal(answer.error, -errors[i]);
		assert_string_equal(answer.stage, "write");
		assert_int_equal(answer.lines[0].error, -errors[i]);
		writer_answer_release(&answer);
	}
	assert_int_equal(undo(0, false), 0);
}

static void a_short_write_is_an_error(void **state)
{
	(void)state;
	kernel.part = 1;
	assert_int_equal(set("queue/read_ahead_kb", "512"), -EIO);
	assert_int_equal(undo(0, false), 0);
}

static void short_reads_are_read_on(void **state)
{
	struct text before = TEXT_INIT, after = TEXT_INIT;
	struct writer_answer answer;

	(void)state;
	snapshot(&before);
	kernel.read_most = 1;
	set_in(SYSFS, "queue/scheduler", "kyber", &answer);
	assert_int_equal(answer.error, 0);
	assert_string_equal(setup_get(&answer.before, "queue/scheduler"), "none [mq-deadline] kyber");
	assert_string_equal(setup_get(&answer.after, "queue/scheduler"), "none mq-deadline [kyber]");
	assert_null(setup_get(&answer.after, "queue/iosched/async_depth"));
	writer_answer_release(&answer);
	assert_int_equal(undo(0, false), 0);
	snapshot(&after);
	assert_string_equal(text_str(&before), text_str(&after));
	text_release(&before);
	text_release(&after);
}

static void without_a_journal_nothing_is_written(void **state)
{
	struct text before = TEXT_INIT, after = TEXT_INIT;
	struct writer_answer answer;

	(void)state;
	snapshot(&before);
	tree_file(tree, "state", "a file where the directory has to be");
	set_in(SYSFS, "queue/nr_requests", "64", &answer);
	assert_true(answer.error < 0);
	assert_string_equal(answer.stage, "journal");
	snapshot(&after);
	assert_string_equal(text_str(&before), text_str(&after));
	writer_answer_release(&answer);
	text_release(&before);
	text_release(&after);
}

static void a_switch_of_the_scheduler_is_undone_with_all_that_went_with_it(void **state)
{
	struct text before = TEXT_INIT, after = TEXT_INIT;

	(void)state;
	assert_int_equal(set("queue/iosched/async_depth", "8"), 0);
	assert_int_equal(set("queue/nr_requests", "100"), 0);
	assert_int_equal(set("queue/iosched/async_depth", "9"), 0);
	snapshot(&before);
	assert_int_equal(set("queue/scheduler", "kyber"), 0);
	assert_int_equal(set("queue/iosched/read_lat_nsec", "1000"), 0);
	assert_int_equal(undo(2, false), 0);
	snapshot(&after);
	assert_string_equal(text_str(&before), text_str(&after));
	text_release(&before);
	text_release(&after);
}

static void what_somebody_else_changed_stays(void **state)
{
	char value[64];

	(void)state;
	assert_int_equal(set("queue/read_ahead_kb", "512"), 0);
	assert_int_equal(set("queue/nr_requests", "64"), 0);
	put("queue/read_ahead_kb", "1024\n");
	assert_int_equal(undo(0, false), 1);
	get("queue/read_ahead_kb", value, sizeof(value));
	assert_string_equal(value, "1024");
	get("queue/nr_requests", value, sizeof(value));
	assert_string_equal(value, "256");
	/* as often as it is tried */
	assert_int_equal(undo(0, false), 1);
	assert_int_equal(undo(0, false), 1);
	get("queue/read_ahead_kb", value, sizeof(value));
	assert_string_equal(value, "1024");
	assert_int_equal(undo(0, true), 0);
	get("queue/read_ahead_kb", value, sizeof(value));
	assert_string_equal(value, "128");
}

/* Between two writes of ours, and an attribute that we never wrote. */
static void what_somebody_else_changed_between_stays(void **state)
{
	char value[64];

	(void)state;
	assert_int_equal(set("queue/iosched/read_expire", "100"), 0);
	put("queue/read_ahead_kb", "1024\n");
	assert_int_equal(set("queue/nr_requests", "64"), 0);
	assert_int_equal(undo(0, false), 1);
	get("queue/read_ahead_kb", value, sizeof(value));
	assert_string_equal(value, "1024");
	get("queue/iosched/read_expire", value, sizeof(value));
	assert_string_equal(value, "500");
	get("queue/nr_requests", value, sizeof(value));
	assert_string_equal(value, "256");
}

/* Ended at each call in each way: after an undo all is as it was. */
static void end_everywhere(const char *path, const char *value)
{
	struct text before = TEXT_INIT, after = TEXT_INIT;
	long ends = 0;

	snapshot(&before);
	for (int when = END_BEFORE; when <= END_WITHIN; when++) {
		for (long at = 1;; at++) {
			int status = 0;

			if (fork() == 0) {
				kernel.calls = 0;
				kernel.end_at = at;
				kernel.when = when;
				set(path, value);
				_exit(0);
			}
			wait(&status);
			order.number += 10;
			assert_int_equal(undo(0, false), 0);
			snapshot(&after);
			assert_string_equal(text_str(&before), text_str(&after));
			if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
				break;
			assert_int_equal(WEXITSTATUS(status), 9);
			ends++;
			/* reads do not end within */
			if (when == END_WITHIN && at > 60)
				break;
		}
	}
	assert_true(ends > 20);
	text_release(&before);
	text_release(&after);
}

static void killed_at_every_step(void **state)
{
	(void)state;
	end_everywhere("queue/nr_requests", "64");
	end_everywhere("queue/scheduler", "kyber");
	end_everywhere("queue/iosched/async_depth", "8");
}

/* A restore that is cut off is taken up by the next. */
static void killed_while_undoing(void **state)
{
	struct text before = TEXT_INIT, after = TEXT_INIT;

	(void)state;
	snapshot(&before);
	for (long at = 1; at < 60; at++) {
		int status;

		assert_int_equal(set("queue/iosched/async_depth", "8"), 0);
		assert_int_equal(set("queue/scheduler", "none"), 0);
		if (fork() == 0) {
			kernel.calls = 0;
			kernel.end_at = at;
			undo(0, false);
			_exit(0);
		}
		wait(&status);
		order.number += 100;
		assert_int_equal(undo(0, true), 0);
		snapshot(&after);
		assert_string_equal(text_str(&before), text_str(&after));
	}
	text_release(&before);
	text_release(&after);
}

static unsigned int next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned int)(*seed >> 33);
}

static void any_sequence_ends_where_it_began(void **state)
{
	static const char *const writes[][2] = {
		{ "queue/scheduler", "kyber" }, { "queue/scheduler", "none" }, { "queue/scheduler", "mq-deadline" },
		{ "queue/nr_requests", "3" }, { "queue/nr_requests", "64" }, { "queue/nr_requests", "512" },
		{ "queue/iosched/async_depth", "8" }, { "queue/iosched/read_expire", "100" },
		{ "queue/read_ahead_kb", "512" }, { "queue/iosched/read_lat_nsec", "5" },
		{ "queue/write_cache", "write through" },
	};
	struct text before = TEXT_INIT, after = TEXT_INIT;
	uint64_t seed = 5;

	(void)state;
	snapshot(&before);
	for (int round = 0; round < 40; round++) {
		for (unsigned int n = next_random(&seed) % 9; n > 0; n--) {
			size_t i = next_random(&seed) % ARRAY_SIZE(writes);

			/* what is not there is refused, which is as good */
			(void)set(writes[i][0], writes[i][1]);
			if (next_random(&seed) % 4 == 0 && count_open())
				assert_int_equal(undo(1, false), 0);
		}
		assert_int_equal(undo(0, false), 0);
		snapshot(&after);
		assert_string_equal(text_str(&before), text_str(&after));
	}
	text_release(&before);
	text_release(&after);
}

static void hostile_paths_write_nothing(void **state)
{
	static const char *const paths[] = {
		"", ".", "..", "queue", "queue/", "/queue/nr_requests", "../dm-0/queue/nr_requests",
		"queue/../../secret", "queue/..", "queue/iosched/../nr_requests", "queue/a/b", "queue/iosched/a/b",
		"queue/link", "queue/dir", "queue/fifo/x", "dev", "dm/name", "queue/x\ny", "device/secret",
		"bdi/max_ratio", "vm/dirty_ratio", "md/stripe_cache_size", "queue/not_there",
	};
	struct text before = TEXT_INIT, after = TEXT_INIT;
	char value[64];

	(void)state;
	tree_file(tree, SYSFS "/secret", "secret\n");
	tree_file(tree, "elsewhere/nr_requests", "1\n");
	tree_link(tree, SYSFS "/queue/link", "../secret");
	tree_link(tree, SYSFS "/device", "../../../../../elsewhere");
	tree_file(tree, "elsewhere/queue_depth", "1\n");
	tree_directory(tree, SYSFS "/queue/dir");
	snapshot(&before);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		assert_true(set(paths[i], "7") < 0);
		assert_int_equal(count_open(), 0);
	}
	assert_true(set("device/queue_depth", "7") < 0);
	snapshot(&after);
	assert_string_equal(text_str(&before), text_str(&after));
	get("secret", value, sizeof(value));
	assert_string_equal(value, "secret");
	get("../../../../../elsewhere/queue_depth", value, sizeof(value));
	assert_string_equal(value, "1");
	text_release(&before);
	text_release(&after);
}

static void a_queue_that_is_a_link_elsewhere_is_refused(void **state)
{
	struct writer_answer answer;

	(void)state;
	tree_file(tree, "sys/devices/virtual/block/evil/dev", "1:1\n");
	tree_link(tree, "sys/devices/virtual/block/evil/queue", "../dm-0/queue");
	set_in("sys/devices/virtual/block/evil", "queue/nr_requests", "64", &answer);
	assert_int_equal(answer.error, -EXDEV);
	writer_answer_release(&answer);
	tree_link(tree, "sys/devices/virtual/block/out", "../../../../..");
	set_in("sys/devices/virtual/block/out", "queue/nr_requests", "64", &answer);
	assert_true(answer.error < 0);
	writer_answer_release(&answer);
	assert_int_equal(count_open(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_write_is_journaled_and_read_back, setup, teardown),
		cmocka_unit_test_setup_teardown(a_clamped_value_is_what_the_kernel_kept, setup, teardown),
		cmocka_unit_test_setup_teardown(errors_are_told_and_leave_nothing_open, setup, teardown),
		cmocka_unit_test_setup_teardown(a_short_write_is_an_error, setup, teardown),
		cmocka_unit_test_setup_teardown(short_reads_are_read_on, setup, teardown),
		cmocka_unit_test_setup_teardown(without_a_journal_nothing_is_written, setup, teardown),
		cmocka_unit_test_setup_teardown(a_switch_of_the_scheduler_is_undone_with_all_that_went_with_it, setup,
						teardown),
		cmocka_unit_test_setup_teardown(what_somebody_else_changed_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(what_somebody_else_changed_between_stays, setup, teardown),
		cmocka_unit_test_setup_teardown(killed_at_every_step, setup, teardown),
		cmocka_unit_test_setup_teardown(killed_while_undoing, setup, teardown),
		cmocka_unit_test_setup_teardown(any_sequence_ends_where_it_began, setup, teardown),
		cmocka_unit_test_setup_teardown(hostile_paths_write_nothing, setup, teardown),
		cmocka_unit_test_setup_teardown(a_queue_that_is_a_link_elsewhere_is_refused, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
