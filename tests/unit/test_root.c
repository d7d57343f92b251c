/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cmocka.h>

#include "kernel/root.h"
#include "place.h"
#include "tree.h"

static void test_read(void **state)
{
	struct place *p = *state;
	struct text t = TEXT_INIT;

	tree_file(p->path, "sys/a", "first  \nsecond\n");
	tree_file(p->path, "sys/empty", "");
	assert_false(p->root.system);
	assert_int_equal(root_read(&p->root, "sys/a", &t), 0);
	assert_string_equal(text_str(&t), "first  \nsecond\n");
	text_clear(&t);
	text_add(&t, "x:");
	assert_int_equal(root_read_line(&p->root, "sys/a", &t), 0);
	assert_string_equal(text_str(&t), "x:first");
	/* blanks that stood there before the line are not its own */
	text_clear(&t);
	text_add(&t, "x: ");
	assert_int_equal(root_read_line(&p->root, "sys/empty", &t), 0);
	assert_string_equal(text_str(&t), "x: ");
	assert_int_equal(root_read_line(&p->root, "sys/none", &t), -ENOENT);
	assert_int_equal(root_read(&p->root, "sys", &t), -EISDIR);
	text_release(&t);
}

/* No way out: neither by an absolute link nor by dots, in the middle of a path nor at its end. */
static void test_links_stay_inside(void **state)
{
	struct place *p = *state;
	struct text t = TEXT_INIT;

	tree_file(p->path, "etc/hostname", "inside\n");
	tree_link(p->path, "absolute", "/etc/hostname");
	tree_link(p->path, "up", "../../../../../../../../etc");
	tree_link(p->path, "magic", "/proc/self/root/etc/hostname");
	tree_link(p->path, "loop", "loop");
	assert_int_equal(root_read_line(&p->root, "absolute", &t), 0);
	assert_string_equal(text_str(&t), "inside");
	text_clear(&t);
	assert_int_equal(root_read_line(&p->root, "up/hostname", &t), 0);
	assert_string_equal(text_str(&t), "inside");
	text_clear(&t);
	assert_int_equal(root_read_line(&p->root, "../../../../../../etc/hostname", &t), 0);
	assert_string_equal(text_str(&t), "inside");
	assert_int_equal(root_read_line(&p->root, "magic", &t), -ENOENT);
	assert_int_equal(root_read_line(&p->root, "loop", &t), -ELOOP);
	text_release(&t);
}

static void test_realpath(void **state)
{
	struct place *p = *state;
	struct text t = TEXT_INIT;

	tree_directory(p->path, "sys/devices/x/block/sda");
	tree_link(p->path, "sys/block/sda", "../devices/x/block/sda");
	tree_link(p->path, "sys/block/gone", "../devices/gone");
	assert_int_equal(root_realpath(&p->root, "sys/block/sda", &t), 0);
	assert_string_equal(text_str(&t), "sys/devices/x/block/sda");
	text_clear(&t);
	assert_int_equal(root_realpath(&p->root, "sys/block/gone", &t), -ENOENT);
	assert_true(root_is_directory(&p->root, "sys/block/sda"));
	assert_false(root_is_directory(&p->root, "sys/block/gone"));
	assert_true(S_ISDIR(root_mode(&p->root, "sys/block/sda")));
	text_release(&t);
}

static void collect(const char *name, void *arg)
{
	text_add(arg, name);
	text_add_char(arg, ' ');
}

static void test_list(void **state)
{
	struct place *p = *state;
	struct text t = TEXT_INIT;

	tree_directory(p->path, "d/sda10");
	tree_directory(p->path, "d/sda2");
	tree_file(p->path, "d/.hidden", "");
	assert_int_equal(root_list(&p->root, "d", collect, &t), 0);
	assert_string_equal(text_str(&t), ".hidden sda2 sda10 ");
	assert_int_equal(root_list(&p->root, "nowhere", collect, &t), -ENOENT);
	assert_int_equal(root_list(&p->root, "d/.hidden", collect, &t), -ENOTDIR);
	text_release(&t);
}

/* A FIFO without a writer does not stop who asks not to wait; a device's node is never opened. */
static void test_special_files(void **state)
{
	struct place *p = *state;
	char path[300];
	int fd;

	tree_fifo(p->path, "fifo");
	fd = root_open_file(&p->root, "fifo", true);
	assert_true(fd >= 0);
	close(fd);
	snprintf(path, sizeof(path), "%s/node", p->path);
	/* only the superuser can make one */
	if (mknod(path, S_IFCHR | 0666, makedev(1, 3)) == 0)
		assert_int_equal(root_open_file(&p->root, "node", true), -EINVAL);
	assert_int_equal(root_open_file(&p->root, "d", true), -EISDIR);
}

static void test_message_path(void **state)
{
	struct root slash = { .path = (char []){ "/" } };
	struct root tree = { .path = (char []){ "/t/x" } };
	struct text t = TEXT_INIT;

	(void)state;
	assert_string_equal(root_message_path(&slash, "proc/stat", &t), "/proc/stat");
	assert_string_equal(root_message_path(&tree, "proc/stat", &t), "/t/x/proc/stat");
	text_release(&t);
}

static void test_system(void **state)
{
	struct root slash, none;
	struct text t = TEXT_INIT;

	(void)state;
	assert_int_equal(root_open(&slash, "/"), 0);
	assert_true(slash.system);
	assert_int_equal(root_read_line(&slash, "proc/uptime", &t), 0);
	assert_true(t.len > 0);
	assert_int_equal(root_open(&none, "/no/such/place"), -ENOENT);
	assert_int_equal(none.fd, -1);
	root_release(&none);
	root_release(&slash);
	text_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read), cmocka_unit_test(test_links_stay_inside),
		cmocka_unit_test(test_realpath), cmocka_unit_test(test_list), cmocka_unit_test(test_special_files),
		cmocka_unit_test(test_message_path), cmocka_unit_test(test_system),
	};

	return cmocka_run_group_tests_name("root", tests, set_up, tear_down);
}
