/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/attributes.h"
#include "tree.h"

#define D "sys/devices/x/0:0:0:0/block/sda"

struct place {
	char path[256];
	struct root root;
};

static int set_up(void **state)
{
	static struct place place;

	if (!tree_new(place.path, sizeof(place.path)) || root_open(&place.root, place.path))
		return -1;
	tree_file(place.path, D "/queue/scheduler", "none [mq-deadline] \n");
	tree_file(place.path, D "/queue/nr_requests", "256\n");
	tree_file(place.path, D "/queue/secret", "x\n");
	tree_file(place.path, D "/queue/iosched/async_depth", "8\n");
	tree_file(place.path, D "/queue/iosched/deep/ignored", "8\n");
	tree_file(place.path, D "/md/array_state", "clean\n");
	tree_file(place.path, D "/md/new_dev", "");
	tree_file(place.path, D "/stat", "1 2 3\n");
	tree_file(place.path, D "/ana_state", "optimized\n");
	tree_link(place.path, D "/device", "../../../0:0:0:0");
	tree_file(place.path, "sys/devices/x/0:0:0:0/queue_depth", "32\n");
	tree_file(place.path, "sys/devices/x/0:0:0:0/delete", "");
	tree_fifo(place.path, D "/queue/wbt_lat_usec");
	*state = &place;
	return 0;
}

static int tear_down(void **state)
{
	struct place *place = *state;

	root_release(&place->root);
	tree_remove(place->path);
	return 0;
}

/* What stands on the list and is there, what the directories hold; queue/ last; nothing that nobody may read. */
static void test_list(void **state)
{
	static const char *const expected[] = {
		"ana_state", "device/queue_depth", "md/array_state", "queue/iosched/async_depth", "queue/nr_requests",
		"queue/scheduler", "queue/wbt_lat_usec",
	};
	struct place *p = *state;
	struct names names = { 0 };
	char path[512];

	snprintf(path, sizeof(path), "%s/" D "/queue/secret", p->path);
	assert_int_equal(chmod(path, 0200), 0);
	snprintf(path, sizeof(path), "%s/" D "/md/new_dev", p->path);
	assert_int_equal(chmod(path, 0200), 0);
	attributes_list(&p->root, D, &names);
	assert_int_equal(names.n, sizeof(expected) / sizeof(expected[0]));
	for (size_t i = 0; i < names.n; i++)
		assert_string_equal(names.v[i], expected[i]);
	names_release(&names);
	attributes_list(&p->root, "sys/nowhere", &names);
	assert_int_equal(names.n, 0);
}

static void test_read(void **state)
{
	struct place *p = *state;
	struct text value = TEXT_INIT;
	bool writable;

	assert_int_equal(attributes_read(&p->root, D, "queue/scheduler", &value, &writable), 0);
	assert_string_equal(text_str(&value), "none [mq-deadline]");
	text_clear(&value);
	assert_int_equal(attributes_read(&p->root, D, "device/queue_depth", &value, &writable), 0);
	assert_string_equal(text_str(&value), "32");
	text_clear(&value);
	tree_file(p->path, D "/md/layout", "two\nlines\n\n");
	assert_int_equal(attributes_read(&p->root, D, "md/layout", &value, &writable), 0);
	assert_string_equal(text_str(&value), "two\nlines");
	text_clear(&value);
	assert_int_equal(attributes_read(&p->root, D, "queue/gone", &value, &writable), -ENOENT);
	assert_int_equal(attributes_read(&p->root, D, "queue", &value, &writable), -EISDIR);
	assert_int_equal(attributes_read(&p->root, D, "../sdb/size", &value, &writable), -EINVAL);
	assert_int_equal(attributes_read(&p->root, D, "queue/../../x", &value, &writable), -EINVAL);
	assert_int_equal(attributes_read(&p->root, D, "..", &value, &writable), -EINVAL);
	assert_int_equal(attributes_read(&p->root, D, "", &value, &writable), -EINVAL);
	assert_int_equal(attributes_read(&p->root, D, "/etc/passwd", &value, &writable), -EINVAL);
	assert_int_equal(attributes_read(&p->root, D, "queue/..odd", &value, &writable), -ENOENT);
	assert_int_equal(value.len, 0);
	text_release(&value);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_list), cmocka_unit_test(test_read) };

	return cmocka_run_group_tests_name("attributes", tests, set_up, tear_down);
}
