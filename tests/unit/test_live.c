/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>

#include <cmocka.h>

#include "base/msg.h"
#include "base/text.h"
#include "kernel/live.h"
#include "tree.h"

static void keep(const char *line, void *arg)
{
	text_add(arg, line);
	text_add_char(arg, '\n');
}

struct trees {
	char path[2][256];
	struct root roots[2];
	struct text said;
};

static int set_up(void **state)
{
	static struct trees t;

	memset(&t, 0, sizeof(t));
	for (int i = 0; i < 2; i++) {
		char line[64];

		tree_new(t.path[i], sizeof(t.path[i]));
		snprintf(line, sizeof(line), "8 0 sda %d 0 0 0 0 0 0 0 0 0 0\n", i + 1);
		tree_file(t.path[i], "proc/diskstats", line);
		snprintf(line, sizeof(line), "%d.50 1.00\n", 100 + i);
		tree_file(t.path[i], "proc/uptime", line);
		tree_file(t.path[i], "proc/sys/kernel/hostname", i ? "second\n" : "first\n");
		if (root_open(&t.roots[i], t.path[i]))
			return -1;
	}
	msg_set_sink(keep, &t.said);
	*state = &t;
	return 0;
}

static int tear_down(void **state)
{
	struct trees *t = *state;

	msg_set_sink(NULL, NULL);
	for (int i = 0; i < 2; i++) {
		root_release(&t->roots[i]);
		tree_remove(t->path[i]);
	}
	text_release(&t->said);
	return 0;
}

/* Two trees, twice round: four samples, the third one has nothing to do with the second. */
static void test_trees(void **state)
{
	struct trees *t = *state;
	struct source *source = live_source(t->roots, 2, 2);
	struct sample s = SAMPLE_INIT;

	assert_non_null(source);
	assert_true(source->stepped);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(source_read(source, &s, true), 0);
		assert_int_equal(source->root, i % 2);
		assert_int_equal(source->restarted, i == 2);
		assert_int_equal(s.t_ns, (100 + i % 2) * 1000000000LL + 500000000LL);
		assert_int_equal(s.wall_ns, s.t_ns);
		assert_int_equal(s.raw.buf[8] - '0', i % 2 + 1);
		assert_string_equal(source->host, i % 2 ? "second" : "first");
		assert_true(source->uptime_s > 100);
	}
	assert_int_equal(source_read(source, &s, true), -ENODATA);
	assert_int_equal(source_read(source, &s, true), -ENODATA);
	source_free(source);
	sample_release(&s);
	assert_int_equal(t->said.len, 0);
}

/* Without a clock of their own trees are a second apart; that is said once. */
static void test_no_uptime(void **state)
{
	struct trees *t = *state;
	struct source *source;
	struct sample s = SAMPLE_INIT;
	char path[300];

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "%s/proc/uptime", t->path[i]);
		unlink(path);
	}
	source = live_source(t->roots, 2, 1);
	assert_int_equal(source_read(source, &s, false), 0);
	assert_int_equal(s.t_ns, 1000000000LL);
	assert_int_equal(source_read(source, &s, false), 0);
	assert_int_equal(s.t_ns, 2000000000LL);
	assert_int_equal(source_read(source, &s, false), -ENODATA);
	assert_non_null(strstr(text_str(&t->said), "proc/uptime: No such file"));
	assert_ptr_equal(strchr(text_str(&t->said), '\n'), t->said.buf + t->said.len - 1);
	source_free(source);
	sample_release(&s);
}

static void test_missing(void **state)
{
	struct trees *t = *state;
	struct source *source;
	struct sample s = SAMPLE_INIT;
	char path[300];

	source = live_source(t->roots, 2, 1);
	snprintf(path, sizeof(path), "%s/proc/diskstats", t->path[1]);
	unlink(path);
	tree_fifo(t->path[1], "proc/diskstats");
	assert_int_equal(source_read(source, &s, false), 0);
	assert_int_equal(source_read(source, &s, false), -EINVAL);
	source_free(source);
	snprintf(path, sizeof(path), "%s/proc/diskstats", t->path[0]);
	unlink(path);
	assert_null(live_source(t->roots, 2, 1));
	assert_non_null(strstr(text_str(&t->said), path));
	sample_release(&s);
}

static void test_system(void **state)
{
	struct root root;
	struct source *source;
	struct sample s = SAMPLE_INIT;
	int64_t last = 0;

	(void)state;
	assert_int_equal(root_open(&root, "/"), 0);
	source = live_source(&root, 1, 1);
	assert_non_null(source);
	assert_false(source->stepped);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(source_read(source, &s, i > 0), 0);
		assert_true(s.t_ns > last && s.wall_ns > s.t_ns && source->uptime_s > 0);
		assert_int_equal(!!(s.system.has & SYS_CPU), i > 0);
		last = s.t_ns;
	}
	assert_true(strlen(source->release) > 0);
	source_free(source);
	sample_release(&s);
	root_release(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_trees, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_uptime, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_missing, set_up, tear_down),
		cmocka_unit_test(test_system),
	};

	return cmocka_run_group_tests_name("live", tests, NULL, NULL);
}
