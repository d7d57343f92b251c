/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/text.h"
#include "model/counters.h"
#include "model/device.h"

static struct device *add(struct topology *t, const char *name, enum device_kind kind)
{
	struct device *d = topology_add(t, name);

	d->kind = kind;
	return d;
}

static void set(char **member, const char *value)
{
	free(*member);
	*member = xstrdup(value);
}

static void test_kinds_by_name(void **state)
{
	static const struct {
		const char *name;
		enum device_kind kind;
	} cases[] = {
		{ "sda", KIND_DISK }, { "sda1", KIND_PARTITION }, { "sdaa12", KIND_PARTITION }, { "sd1", KIND_DISK },
		{ "dm-0", KIND_DM }, { "md127", KIND_MD }, { "md_home", KIND_MD }, { "md0p1", KIND_PARTITION },
		{ "nvme0n1", KIND_DISK }, { "nvme0n1p2", KIND_PARTITION }, { "nvme0c1n1", KIND_NVME_PATH },
		{ "nvme0c1n", KIND_DISK }, { "loop7", KIND_LOOP }, { "loop7p1", KIND_PARTITION },
		{ "zram0", KIND_ZRAM }, { "ram15", KIND_RAM }, { "nbd11p1", KIND_PARTITION }, { "rbd0", KIND_RBD },
		{ "sr0", KIND_CDROM }, { "fd0", KIND_FLOPPY }, { "cciss/c0d0", KIND_DISK },
		{ "cciss/c0d0p1", KIND_PARTITION }, { "mmcblk2boot0", KIND_DISK }, { "bcache3", KIND_BCACHE },
		{ "sata1", KIND_DISK }, { "p1", KIND_DISK }, { "7", KIND_DISK }, { "", KIND_DISK },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		if (device_kind_by_name(cases[i].name) != cases[i].kind)
			fail_msg("%s: %s", cases[i].name, device_kind_name(device_kind_by_name(cases[i].name)));
	}
	for (int k = 0; k < KINDS; k++) {
		assert_non_null(device_kind_name(k));
		assert_non_null(device_kind_short(k));
	}
	assert_string_equal(device_kind_name(-1), "unknown");
	assert_string_equal(device_kind_name(KINDS), "unknown");
}

/* Either end may know of an edge; what is not there, is the device itself or stands twice goes. */
static void test_link(void **state)
{
	struct topology t = TOPOLOGY_INIT;

	(void)state;
	names_add(&add(&t, "dm-0", KIND_DM)->slaves, "sda");
	names_add(&topology_add(&t, "dm-0")->slaves, "gone");
	names_add(&topology_add(&t, "dm-0")->slaves, "dm-0");
	names_add(&topology_add(&t, "dm-0")->slaves, "sda");
	add(&t, "sda", KIND_DISK);
	names_add(&add(&t, "sdb", KIND_DISK)->holders, "dm-0");
	names_add(&topology_add(&t, "sdb")->holders, "dm-9");
	set(&add(&t, "sdb1", KIND_PARTITION)->parent, "sdz");
	topology_link(&t);
	assert_int_equal(topology_find(&t, "dm-0")->slaves.n, 2);
	assert_string_equal(topology_find(&t, "dm-0")->slaves.v[0], "sda");
	assert_string_equal(topology_find(&t, "dm-0")->slaves.v[1], "sdb");
	assert_int_equal(topology_find(&t, "sda")->holders.n, 1);
	assert_string_equal(topology_find(&t, "sda")->holders.v[0], "dm-0");
	assert_int_equal(topology_find(&t, "sdb")->holders.n, 1);
	assert_null(topology_find(&t, "sdb1")->parent);
	assert_null(topology_find(&t, "gone"));
	assert_null(topology_find(&t, NULL));
	topology_release(&t);
}

static void test_link_makes_heads(void **state)
{
	struct topology t = TOPOLOGY_INIT;

	(void)state;
	add(&t, "nvme0n1", KIND_DISK);
	set(&add(&t, "nvme0c0n1", KIND_NVME_PATH)->parent, "nvme0n1");
	set(&add(&t, "nvme0c1n1", KIND_NVME_PATH)->parent, "nvme0n1");
	set(&add(&t, "nvme1c0n1", KIND_NVME_PATH)->parent, "nvme1n1");
	topology_link(&t);
	assert_int_equal(topology_find(&t, "nvme0n1")->kind, KIND_NVME_HEAD);
	assert_int_equal(topology_find(&t, "nvme0n1")->slaves.n, 2);
	assert_string_equal(topology_find(&t, "nvme0c1n1")->holders.v[0], "nvme0n1");
	assert_null(topology_find(&t, "nvme1c0n1")->parent);
	topology_release(&t);
}

static struct topology field_topology(void)
{
	struct topology t = TOPOLOGY_INIT;

	set(&add(&t, "dm-0", KIND_MULTIPATH)->dm_name, "mpatha");
	topology_add(&t, "dm-0")->has_mq = true;
	set(&topology_add(&t, "dm-0")->sysfs, "sys/devices/virtual/block/dm-0");
	set(&topology_add(&t, "dm-0")->uuid, "mpath-3600");
	names_add(&topology_add(&t, "dm-0")->slaves, "sda");
	names_add(&topology_add(&t, "dm-0")->slaves, "sdb");
	add(&t, "sda", KIND_DISK)->has_mq = true;
	set(&topology_add(&t, "sda")->sysfs, "sys/devices/a/sda");
	set(&topology_add(&t, "sda")->wwid, "naa.3600");
	set(&topology_add(&t, "sda")->place, "0:0:0:1");
	add(&t, "sdb", KIND_DISK)->has_mq = true;
	set(&topology_add(&t, "sdb")->sysfs, "sys/devices/b/sdb");
	set(&topology_add(&t, "sdb")->wwid, "naa.3600");
	set(&add(&t, "dm-1", KIND_LVM)->dm_name, "my--vg-home--lv");
	set(&topology_add(&t, "dm-1")->sysfs, "sys/devices/virtual/block/dm-1");
	names_add(&topology_add(&t, "dm-1")->slaves, "dm-0");
	set(&add(&t, "nvme0n1", KIND_DISK)->serial, "S1");
	set(&topology_add(&t, "nvme0n1")->wwid, "eui.01");
	set(&topology_add(&t, "nvme0n1")->sysfs, "sys/devices/n/nvme0n1");
	topology_add(&t, "nvme0n1")->has_mq = true;
	set(&add(&t, "nvme0n1p2", KIND_PARTITION)->parent, "nvme0n1");
	topology_add(&t, "nvme0n1p2")->partition = 2;
	add(&t, "cciss/c0d0", KIND_DISK);
	topology_link(&t);
	return t;
}

static size_t match_one(const struct topology *t, const char *word, const char *name)
{
	bool hit[16] = { false };
	size_t n = topology_match(t, word, hit);

	if (name && !hit[topology_find(t, name) - t->devices])
		fail_msg("%s did not name %s", word, name);
	return n;
}

static void test_match(void **state)
{
	struct topology t = field_topology();

	(void)state;
	assert_int_equal(match_one(&t, "sda", "sda"), 1);
	assert_int_equal(match_one(&t, "mpatha", "dm-0"), 1);
	assert_int_equal(match_one(&t, "/dev/mapper/mpatha", "dm-0"), 1);
	assert_int_equal(match_one(&t, "/dev/mapper/dm-0", NULL), 0);
	assert_int_equal(match_one(&t, "/dev/dm-0", "dm-0"), 1);
	assert_int_equal(match_one(&t, "/dev/mpatha", NULL), 0);
	assert_int_equal(match_one(&t, "/dev/my-vg/home-lv", "dm-1"), 1);
	assert_int_equal(match_one(&t, "/dev/cciss/c0d0", "cciss/c0d0"), 1);
	assert_int_equal(match_one(&t, "sd*", "sdb"), 2);
	assert_int_equal(match_one(&t, "/dev/nvme*", "nvme0n1p2"), 2);
	assert_int_equal(match_one(&t, "mpath?", "dm-0"), 1);
	assert_int_equal(match_one(&t, "sd", NULL), 0);
	assert_int_equal(match_one(&t, "", NULL), 0);
	assert_int_equal(match_one(&t, "[", NULL), 0);
	topology_release(&t);
}

/* A device that is called like a glob is meant by its name alone. */
static void test_match_exact_wins(void **state)
{
	struct topology t = TOPOLOGY_INIT;

	(void)state;
	set(&add(&t, "dm-0", KIND_DM)->dm_name, "a*");
	set(&add(&t, "dm-1", KIND_DM)->dm_name, "ab");
	assert_int_equal(match_one(&t, "a*", "dm-0"), 1);
	topology_release(&t);
}

static void test_nearest(void **state)
{
	struct topology t = field_topology();
	struct text out = TEXT_INIT;

	(void)state;
	topology_nearest(&t, "/dev/mpathb", &out);
	assert_string_equal(text_str(&out), "mpatha");
	text_clear(&out);
	topology_nearest(&t, "sdc", &out);
	assert_string_equal(text_str(&out), "sda, sdb");
	text_clear(&out);
	topology_nearest(&t, "something-else-altogether", &out);
	assert_string_equal(text_str(&out), "");
	text_release(&out);
	topology_release(&t);
}

static void test_missing_fields(void **state)
{
	struct topology t = field_topology();

	(void)state;
	/* request-based map: itself counts flushes, its paths see them as empty reads */
	assert_int_equal(topology_missing_fields(&t, topology_find(&t, "dm-0")), 0);
	assert_int_equal(topology_missing_fields(&t, topology_find(&t, "sda")), FIELDS_FLUSH);
	/* bio-based, partition, plain disk, and one that sysfs was not read of */
	assert_int_equal(topology_missing_fields(&t, topology_find(&t, "dm-1")), FIELDS_FLUSH);
	assert_int_equal(topology_missing_fields(&t, topology_find(&t, "nvme0n1p2")), FIELDS_FLUSH);
	assert_int_equal(topology_missing_fields(&t, topology_find(&t, "nvme0n1")), 0);
	assert_int_equal(topology_missing_fields(&t, topology_find(&t, "cciss/c0d0")), 0);
	topology_release(&t);
}

static void test_widen(void **state)
{
	struct topology t = field_topology();
	bool hit[16] = { false };

	(void)state;
	/* from one path: the map and what is on it, but not the sibling path */
	hit[topology_find(&t, "sda") - t.devices] = true;
	topology_widen(&t, hit);
	assert_true(hit[topology_find(&t, "dm-0") - t.devices]);
	assert_true(hit[topology_find(&t, "dm-1") - t.devices]);
	assert_false(hit[topology_find(&t, "sdb") - t.devices]);
	memset(hit, 0, sizeof(hit));
	hit[topology_find(&t, "dm-1") - t.devices] = true;
	topology_widen(&t, hit);
	assert_true(hit[topology_find(&t, "sdb") - t.devices]);
	memset(hit, 0, sizeof(hit));
	hit[topology_find(&t, "nvme0n1") - t.devices] = true;
	topology_widen(&t, hit);
	assert_true(hit[topology_find(&t, "nvme0n1p2") - t.devices]);
	memset(hit, 0, sizeof(hit));
	hit[topology_find(&t, "nvme0n1p2") - t.devices] = true;
	topology_widen(&t, hit);
	assert_true(hit[topology_find(&t, "nvme0n1") - t.devices]);
	topology_release(&t);
}

static void check_identity(const struct topology *t, const char *name, const char *kind, const char *key)
{
	struct text k = TEXT_INIT, v = TEXT_INIT;

	device_identity(t, topology_find(t, name), &k, &v);
	assert_string_equal(text_str(&k), kind);
	assert_string_equal(text_str(&v), key);
	text_release(&k);
	text_release(&v);
}

static void test_identity(void **state)
{
	struct topology t = field_topology();

	(void)state;
	check_identity(&t, "dm-0", "dm uuid", "mpath-3600");
	/* both paths have one wwid: what tells them apart is where they are */
	check_identity(&t, "sda", "path", "mpath-3600 0:0:0:1");
	check_identity(&t, "sdb", "path", "mpath-3600 sys/devices/b/sdb");
	check_identity(&t, "dm-1", "name", "my--vg-home--lv");
	/* not the serial, which all namespaces of a controller share */
	check_identity(&t, "nvme0n1", "nvme uuid", "eui.01");
	check_identity(&t, "nvme0n1p2", "partition", "nvme uuid eui.01 2");
	check_identity(&t, "cciss/c0d0", "name", "cciss/c0d0");
	topology_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds_by_name), cmocka_unit_test(test_link),
		cmocka_unit_test(test_link_makes_heads), cmocka_unit_test(test_match),
		cmocka_unit_test(test_match_exact_wins), cmocka_unit_test(test_nearest),
		cmocka_unit_test(test_missing_fields), cmocka_unit_test(test_widen), cmocka_unit_test(test_identity),
	};

	return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
