/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "kernel/diskstats.h"
#include "tree.h"

static void test_read(void **state)
{
	char path[256];
	struct root root;
	struct diskstats d;
	struct sample s = SAMPLE_INIT;
	int64_t before = clock_mono_ns();

	(void)state;
	tree_new(path, sizeof(path));
	tree_file(path, "proc/diskstats", "   8       0 sda 1 2 3 4 5 6 7 8 0 9 10\n");
	assert_int_equal(root_open(&root, path), 0);
	assert_int_equal(diskstats_open(&d, &root), 0);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(diskstats_read(&d, &s), 0);
		assert_string_equal(text_str(&s.raw), "   8       0 sda 1 2 3 4 5 6 7 8 0 9 10\n");
	}
	assert_true(s.t_ns >= before && s.t_ns <= clock_mono_ns());
	assert_true(s.read_ns >= 0 && s.boot_ns > -NS_PER_S);
	/* a file that shrinks and one that grows far past what was expected */
	tree_file(path, "proc/diskstats", "x\n");
	assert_int_equal(diskstats_read(&d, &s), 0);
	assert_string_equal(text_str(&s.raw), "x\n");
	diskstats_release(&d);
	assert_int_equal(d.fd, -1);
	sample_release(&s);
	root_release(&root);
	tree_remove(path);
}

static void test_large(void **state)
{
	const size_t size = 700000;
	char *big = malloc(size + 1);
	char path[256];
	struct root root;
	struct diskstats d;
	struct sample s = SAMPLE_INIT;

	(void)state;
	for (size_t i = 0; i < size; i++)
		big[i] = (char)('a' + i % 23);
	big[size] = '\0';
	tree_new(path, sizeof(path));
	tree_file(path, "proc/diskstats", big);
	assert_int_equal(root_open(&root, path), 0);
	assert_int_equal(diskstats_open(&d, &root), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(diskstats_read(&d, &s), 0);
		assert_int_equal(s.raw.len, size);
		assert_memory_equal(s.raw.buf, big, size + 1);
	}
	diskstats_release(&d);
	sample_release(&s);
	root_release(&root);
	tree_remove(path);
	free(big);
}

/* Nothing that could make the reader wait is taken for the file. */
static void test_not_a_file(void **state)
{
	char path[256];
	struct root root;
	struct diskstats d;

	(void)state;
	tree_new(path, sizeof(path));
	assert_int_equal(root_open(&root, path), 0);
	assert_int_equal(diskstats_open(&d, &root), -ENOENT);
	tree_fifo(path, "proc/diskstats");
	assert_int_equal(diskstats_open(&d, &root), -EINVAL);
	assert_int_equal(d.fd, -1);
	root_release(&root);
	tree_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read), cmocka_unit_test(test_large), cmocka_unit_test(test_not_a_file),
	};

	return cmocka_run_group_tests_name("diskstats", tests, NULL, NULL);
}
