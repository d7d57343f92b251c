/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/procfs.h"
#include "place.h"
#include "tree.h"

static void test_read(void **state)
{
	struct place *p = *state;
	struct system_counters s = { 0 };
	struct procfs *procfs;

	/* nothing there is no error, and of a tree it does not follow that pressure is switched off */
	procfs = procfs_new(&p->root);
	procfs_read(procfs, &s);
	assert_int_equal(s.has, 0);
	procfs_free(procfs);
	tree_file(p->path, "proc/stat", "cpu  1 0 2 10 3 0 0 0 0 0\ncpu0 1 0 2 10 3 0 0 0 0 0\nctxt 77\n"
		  "procs_running 2\nprocs_blocked 5\n");
	tree_file(p->path, "proc/pressure/io", "some avg10=0.00 avg60=0.01 avg300=0.00 total=3803548\n"
		  "full avg10=0.00 avg60=0.01 avg300=0.00 total=3585272\n");
	procfs = procfs_new(&p->root);
	for (int i = 0; i < 2; i++) {
		procfs_read(procfs, &s);
		assert_int_equal(s.blocked, 5);
		assert_int_equal(s.ctxt, 77);
		assert_int_equal(s.psi_some_us, 3803548);
		assert_true(s.has & SYS_PSI);
		assert_false(s.has & (SYS_PSI_OFF | SYS_PAGING | SYS_DIRTY));
	}
	procfs_free(procfs);
	system_counters_release(&s);
}

static void check_uptime(struct place *p, const char *contents, double expected)
{
	double got;

	tree_file(p->path, "proc/uptime", contents);
	got = procfs_uptime(&p->root);
	assert_true(got > expected - 1e-6 && got < expected + 1e-6);
}

static void test_uptime(void **state)
{
	struct place *p = *state;

	assert_true(procfs_uptime(&p->root) == -ENOENT);
	check_uptime(p, "1234.56 99.00\n", 1234.56);
	check_uptime(p, "7", 7);
	check_uptime(p, "", -ENODATA);
	check_uptime(p, "soon\n", -EINVAL);
	check_uptime(p, "-5 1\n", -EINVAL);
	check_uptime(p, "1e300\n", -EINVAL);
}

static void test_word_bits(void **state)
{
	struct place *p = *state;
	static const struct {
		const char *arch;
		unsigned int bits;
	} cases[] = {
		{ "x86_64\n", 64 }, { "i686\n", 32 }, { "armv7l\n", 32 }, { "aarch64\n", 64 }, { "ppc64le\n", 64 },
		{ "ppc\n", 32 }, { "mips\n", 32 }, { "mips64\n", 64 }, { "s390x\n", 64 }, { "riscv64\n", 64 },
		{ "", 64 },
	};

	assert_int_equal(procfs_word_bits(&p->root), 64);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		tree_file(p->path, "proc/sys/kernel/arch", cases[i].arch);
		assert_int_equal(procfs_word_bits(&p->root), cases[i].bits);
	}
}

static void test_names(void **state)
{
	struct place *p = *state;
	struct text t = TEXT_INIT;

	procfs_release_name(&p->root, &t);
	procfs_host_name(&p->root, &t);
	assert_int_equal(t.len, 0);
	tree_file(p->path, "proc/version", "Linux version 4.16.15-200.fc27.x86_64 (mockbuild@x) #1 SMP\n");
	procfs_release_name(&p->root, &t);
	assert_string_equal(text_str(&t), "4.16.15-200.fc27.x86_64");
	text_clear(&t);
	tree_file(p->path, "proc/sys/kernel/osrelease", "6.1.0-13-amd64\n");
	tree_file(p->path, "proc/sys/kernel/hostname", "lab42\n");
	procfs_release_name(&p->root, &t);
	procfs_host_name(&p->root, &t);
	assert_string_equal(text_str(&t), "6.1.0-13-amd64lab42");
	text_release(&t);
}

/* A FIFO in the place of a file must not stop the main process. */
static void test_fifo(void **state)
{
	char path[256];
	struct root root;
	struct system_counters s = { 0 };
	struct procfs *procfs;

	(void)state;
	tree_new(path, sizeof(path));
	tree_fifo(path, "proc/stat");
	tree_fifo(path, "proc/uptime");
	assert_int_equal(root_open(&root, path), 0);
	procfs = procfs_new(&root);
	procfs_read(procfs, &s);
	assert_int_equal(s.has, 0);
	assert_true(procfs_uptime(&root) == -EINVAL);
	procfs_free(procfs);
	root_release(&root);
	tree_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read), cmocka_unit_test(test_uptime), cmocka_unit_test(test_word_bits),
		cmocka_unit_test(test_names), cmocka_unit_test(test_fifo),
	};

	return cmocka_run_group_tests_name("procfs", tests, set_up, tear_down);
}
