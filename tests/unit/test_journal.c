/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "store/journal.h"
#include "tree.h"

static void make(struct journal_entry *entry, const char *id, const char *path, const char *asked)
{
	*entry = (struct journal_entry){
		.id = xstrdup(id), .t_ns = INT64_C(1800000000123456789), .root = xstrdup("/"), .boot = xstrdup("b-1"),
		.owner = { 77, UINT64_C(123456789012) }, .worker = 78, .action = 3, .device = xstrdup("dm-0"),
		.sysfs = xstrdup("sys/devices/virtual/block/dm-0"), .diskseq = 9, .path = xstrdup(path),
		.asked = xstrdup(asked),
	};
}

static void take(struct journal *j, const struct text *lines)
{
	const char *at = text_str(lines);

	while (*at) {
		size_t len = strcspn(at, "\n");

		journal_take_line(j, at, len);
		at += len + (at[len] == '\n');
	}
}

static void an_entry_comes_back_as_it_was(void **state)
{
	struct journal_entry entry;
	struct journal j = { 0 };
	struct text lines = TEXT_INIT;

	(void)state;
	make(&entry, "77.1.1", "queue/nr_requests", "64");
	setup_set(&entry.before, "queue/nr_requests", "256");
	setup_set(&entry.after, "queue/nr_requests", "63");
	entry.error = -16;
	journal_write_line(&entry, &lines);
	take(&j, &lines);
	assert_int_equal(j.n, 1);
	assert_false(j.v[0].has_result);
	assert_true(journal_is_open(&j.v[0]));
	text_clear(&lines);
	entry.has_result = true;
	journal_result_line(&entry, entry.t_ns, &lines);
	take(&j, &lines);
	assert_int_equal(j.n, 1);
	assert_int_equal(j.malformed, 0);
	assert_true(j.v[0].has_result);
	assert_string_equal(j.v[0].id, "77.1.1");
	assert_true(j.v[0].t_ns == entry.t_ns);
	assert_true(journal_same_owner(j.v[0].owner, entry.owner));
	assert_int_equal(j.v[0].worker, 78);
	assert_int_equal(j.v[0].action, 3);
	assert_true(j.v[0].diskseq == 9);
	assert_string_equal(j.v[0].asked, "64");
	assert_int_equal(j.v[0].error, -16);
	assert_true(setup_equal(&j.v[0].before, &entry.before));
	assert_true(setup_equal(&j.v[0].after, &entry.after));
	journal_entry_release(&entry);
	journal_release(&j);
	text_release(&lines);
}

static void hostile_values_keep_the_line_whole(void **state)
{
	static const char *const values[] = { "\"}\n{\"k\":1}", "a\\\x01\x1b[2J", "\xff\xfe", "\xe2\x82", "" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		struct journal_entry entry;
		struct journal j = { 0 };
		struct text lines = TEXT_INIT;

		make(&entry, "1.1.1", "queue/x", values[i]);
		setup_set(&entry.before, "queue/x", values[i]);
		journal_write_line(&entry, &lines);
		assert_int_equal(strcspn(text_str(&lines), "\n"), lines.len - 1);
		take(&j, &lines);
		assert_int_equal(j.n, 1);
		assert_int_equal(j.malformed, 0);
		assert_string_equal(j.v[0].path, "queue/x");
		assert_non_null(setup_get(&j.v[0].before, "queue/x"));
		journal_entry_release(&entry);
		journal_release(&j);
		text_release(&lines);
	}
}

static void what_is_no_line_is_counted_and_what_is_new_skipped(void **state)
{
	static const char *const lines[] = {
		"{\"k\":\"wri", "[]", "7", "nonsense", "{\"k\":\"write\"}", "{\"k\":7}",
		"{\"k\":\"result\",\"id\":\"no.such.1\",\"error\":0,\"knobs\":{}}",
	};
	struct journal j = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		journal_take_line(&j, lines[i], strlen(lines[i]));
	assert_int_equal(j.n, 0);
	assert_in_range(j.malformed, 4, ARRAY_SIZE(lines));
	journal_take_line(&j, "{\"k\":\"later\",\"x\":1}", 19);
	journal_take_line(&j, "", 0);
	assert_int_equal(j.n, 0);
	assert_in_range(j.malformed, 4, ARRAY_SIZE(lines));
	journal_release(&j);
}

/* write, result; "" before or after: none */
static void add(struct journal *j, const char *id, const char *path, const char *before, const char *after)
{
	struct journal_entry entry;
	struct text lines = TEXT_INIT;

	make(&entry, id, path, after ? after : "?");
	setup_set(&entry.before, path, before);
	journal_write_line(&entry, &lines);
	if (after) {
		entry.has_result = true;
		setup_set(&entry.after, path, after);
		journal_result_line(&entry, 0, &lines);
	}
	take(j, &lines);
	j->v[j->n - 1].chosen = true;
	journal_entry_release(&entry);
	text_release(&lines);
}

static void the_target_is_the_first_and_left_the_last(void **state)
{
	struct journal j = { 0 };
	struct journal_targets targets = { 0 };
	struct names undone = { NULL, 0, 0 };
	struct text line = TEXT_INIT;

	(void)state;
	add(&j, "1.1.1", "queue/nr_requests", "256", "128");
	add(&j, "1.1.2", "queue/nr_requests", "128", "64");
	journal_targets(&j, &targets);
	assert_int_equal(targets.n, 1);
	assert_string_equal(setup_get(&targets.v[0].target, "queue/nr_requests"), "256");
	assert_true(targets.v[0].knows_left);
	assert_string_equal(setup_get(&targets.v[0].left, "queue/nr_requests"), "64");
	assert_int_equal(targets.v[0].ids.n, 2);
	journal_targets_release(&targets);
	/* one that was cut off: what it left is not known */
	add(&j, "1.1.3", "queue/nr_requests", "64", NULL);
	journal_targets(&j, &targets);
	assert_false(targets.v[0].knows_left);
	journal_targets_release(&targets);
	/* what is undone is no more to be undone */
	names_add(&undone, "1.1.1");
	names_add(&undone, "1.1.2");
	names_add(&undone, "1.1.3");
	journal_undone_line(&undone, 0, &line);
	take(&j, &line);
	journal_targets(&j, &targets);
	assert_int_equal(targets.n, 0);
	journal_targets_release(&targets);
	journal_release(&j);
	names_release(&undone);
	text_release(&line);
}

static void the_place_is_the_environments(void **state)
{
	struct text path = TEXT_INIT;

	(void)state;
	setenv("IODELTA_STATE", "/somewhere", 1);
	assert_int_equal(journal_path(&path), 0);
	assert_string_equal(text_str(&path), "/somewhere/journal");
	unsetenv("IODELTA_STATE");
	setenv("XDG_RUNTIME_DIR", "/run/user/7", 1);
	text_clear(&path);
	assert_int_equal(journal_path(&path), 0);
	assert_string_equal(text_str(&path), geteuid() ? "/run/user/7/iodelta/journal" : "/run/iodelta/journal");
	unsetenv("XDG_RUNTIME_DIR");
	text_clear(&path);
	assert_int_equal(journal_path(&path), geteuid() ? -2 : 0);
	text_release(&path);
}

/* --- the file --- */

static void append_text(const char *path, const char *words)
{
	struct text line = TEXT_INIT;

	text_add(&line, words);
	assert_int_equal(journal_append(path, &line), 0);
	text_release(&line);
}

static void a_cut_line_spoils_nothing_but_itself(void **state)
{
	char tree[200], path[300];
	struct journal_entry entry;
	struct journal j = { 0 };
	struct text line = TEXT_INIT;

	(void)state;
	assert_non_null(tree_new(tree, sizeof(tree)));
	snprintf(path, sizeof(path), "%s/state/journal", tree);
	assert_int_equal(journal_read(path, &j), 0);
	append_text(path, "{\"k\":\"write\",\"id\":\"cut");
	make(&entry, "1.1.1", "queue/x", "1");
	journal_write_line(&entry, &line);
	assert_int_equal(journal_append(path, &line), 0);
	assert_int_equal(journal_read(path, &j), 0);
	assert_int_equal(j.n, 1);
	assert_int_equal(j.malformed, 1);
	journal_entry_release(&entry);
	journal_release(&j);
	text_release(&line);
	tree_remove(tree);
}

static void append_many(const char *path, int who)
{
	for (int i = 0; i < 200; i++) {
		struct journal_entry entry;
		struct text line = TEXT_INIT;
		char id[40];

		snprintf(id, sizeof(id), "%d.1.%d", who, i);
		make(&entry, id, "queue/x", "a value that is longer than nothing");
		journal_write_line(&entry, &line);
		if (journal_append(path, &line))
			_exit(1);
		text_release(&line);
		journal_entry_release(&entry);
	}
	_exit(0);
}

static void several_append_at_once(void **state)
{
	char tree[200], path[300];
	struct journal j = { 0 };

	(void)state;
	assert_non_null(tree_new(tree, sizeof(tree)));
	snprintf(path, sizeof(path), "%s/journal", tree);
	for (int who = 0; who < 4; who++) {
		if (fork() == 0)
			append_many(path, who);
	}
	for (int who = 0; who < 4; who++) {
		int status = 1;

		wait(&status);
		assert_int_equal(status, 0);
	}
	assert_int_equal(journal_read(path, &j), 0);
	assert_int_equal(j.n, 800);
	assert_int_equal(j.malformed, 0);
	journal_release(&j);
	tree_remove(tree);
}

static void what_is_no_file_of_ours_is_refused(void **state)
{
	char tree[200], path[300];
	struct journal j = { 0 };
	struct text line = TEXT_INIT;

	(void)state;
	assert_non_null(tree_new(tree, sizeof(tree)));
	text_add(&line, "x\n");
	tree_file(tree, "secret", "");
	tree_link(tree, "link/journal", "../secret");
	snprintf(path, sizeof(path), "%s/link/journal", tree);
	assert_true(journal_append(path, &line) < 0);
	assert_true(journal_read(path, &j) < 0);
	tree_fifo(tree, "fifo/journal");
	snprintf(path, sizeof(path), "%s/fifo/journal", tree);
	assert_true(journal_append(path, &line) < 0);
	snprintf(path, sizeof(path), "%s/not/there/journal", tree);
	assert_true(journal_append(path, &line) < 0);
	text_release(&line);
	journal_release(&j);
	tree_remove(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_entry_comes_back_as_it_was),
		cmocka_unit_test(hostile_values_keep_the_line_whole),
		cmocka_unit_test(what_is_no_line_is_counted_and_what_is_new_skipped),
		cmocka_unit_test(the_target_is_the_first_and_left_the_last),
		cmocka_unit_test(the_place_is_the_environments),
		cmocka_unit_test(a_cut_line_spoils_nothing_but_itself),
		cmocka_unit_test(several_append_at_once),
		cmocka_unit_test(what_is_no_file_of_ours_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
