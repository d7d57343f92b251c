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

#include "base/alloc.h"
#include "base/text.h"
#include "kernel/topology.h"
#include "place.h"
#include "tree.h"

/* A device's directory, linked from sys/block and sys/class/block as the kernel does, with its numbers. */
static void device(const struct place *p, const char *name, const char *directory, const char *dev)
{
	char path[512], target[512];

	snprintf(path, sizeof(path), "%s/dev", directory);
	tree_file(p->path, path, dev);
	snprintf(path, sizeof(path), "%s/size", directory);
	tree_file(p->path, path, "2048\n");
	snprintf(target, sizeof(target), "../../%s", directory + 4);
	snprintf(path, sizeof(path), "sys/class/block/%s", name);
	tree_link(p->path, path, target);
}

static void disk(const struct place *p, const char *name, const char *directory, const char *dev)
{
	char path[512], target[512];

	device(p, name, directory, dev);
	snprintf(target, sizeof(target), "../%s", directory + 4);
	snprintf(path, sizeof(path), "sys/block/%s", name);
	tree_link(p->path, path, target);
}

static void file(const struct place *p, const char *directory, const char *name, const char *contents)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	tree_file(p->path, path, contents);
}

static void link_in(const struct place *p, const char *directory, const char *name, const char *target)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	tree_link(p->path, path, target);
}

static struct topology read_all(const struct place *p)
{
	struct topology t = TOPOLOGY_INIT;
	struct names names = { 0 };
	struct mounts *mounts = mounts_read(&p->root);

	assert_int_equal(topology_names(&p->root, &names), 0);
	for (size_t i = 0; i < names.n; i++) {
		struct device *d = topology_add(&t, names.v[i]);

		if (topology_read_device(&p->root, mounts, d))
			d->kind = KIND_UNKNOWN;
	}
	topology_link(&t);
	names_release(&names);
	mounts_free(mounts);
	return t;
}

#define A "sys/devices/pci/host0/target0:0:0/0:0:0:1"
#define B "sys/devices/pci/host1/target1:0:0/1:0:0:1"
#define DM "sys/devices/virtual/block/dm-0"

static void test_multipath(void **state)
{
	struct place *p = *state;
	struct topology t;
	const struct device *d;

	disk(p, "sda", A "/block/sda", "8:0\n");
	file(p, A, "model", "BIG ARRAY       \n");
	file(p, A, "vendor", "  ACME  \n");
	file(p, A, "wwid", "naa.3600\n");
	link_in(p, A "/block/sda", "device", "../../../0:0:0:1");
	file(p, A "/block/sda", "diskseq", "11\n");
	file(p, A "/block/sda", "mq/0/nr_tags", "1\n");
	device(p, "sda2", A "/block/sda/sda2", "8:2\n");
	file(p, A "/block/sda/sda2", "partition", "2\n");
	disk(p, "sdb", B "/block/sdb", "8:16\n");
	link_in(p, B "/block/sdb", "holders/dm-0", "../../nowhere");
	disk(p, "dm-0", DM, "253:0\n");
	file(p, DM, "dm/name", "mpatha\n");
	file(p, DM, "dm/uuid", "mpath-3600\n");
	link_in(p, DM, "slaves/sda", "/dangling");
	link_in(p, DM, "slaves/dm-0", "../../dm-0");
	tree_file(p->path, "proc/self/mountinfo",
		  "22 1 8:2 / /mnt/a\\040b rw,noatime shared:1 master:2 - ext4 /dev/sda2 rw\n"
		  "23 1 8:2 /x /mnt/later rw - ext4 /dev/sda2 rw\n"
		  "24 1 0:44 / /data rw shared:3 - btrfs /dev/mapper/mpatha rw\nshort\n25 1 8:16 / /bad - \n");
	tree_file(p->path, "proc/swaps",
		  "Filename Type Size Used Priority\n/dev/sdb partition 1 0 -2\n/dev/sda file 1 0 -2\n");
	t = read_all(p);
	assert_int_equal(t.n, 4);
	d = topology_find(&t, "sda");
	assert_int_equal(d->kind, KIND_DISK);
	assert_int_equal(d->major, 8);
	assert_int_equal(d->diskseq, 11);
	assert_true(d->has_size && d->has_mq);
	assert_int_equal(d->size_sectors, 2048);
	assert_string_equal(d->model, "BIG ARRAY");
	assert_string_equal(d->vendor, "ACME");
	assert_string_equal(d->wwid, "naa.3600");
	assert_string_equal(d->place, "0:0:0:1");
	assert_string_equal(d->sysfs, A "/block/sda");
	assert_string_equal(d->holders.v[0], "dm-0");
	assert_null(d->mount);
	d = topology_find(&t, "sda2");
	assert_int_equal(d->kind, KIND_PARTITION);
	assert_string_equal(d->parent, "sda");
	assert_int_equal(d->partition, 2);
	assert_true(d->has_mq);
	assert_string_equal(d->mount, "/mnt/a b");
	assert_string_equal(topology_find(&t, "sdb")->mount, "[SWAP]");
	d = topology_find(&t, "dm-0");
	assert_int_equal(d->kind, KIND_MULTIPATH);
	assert_string_equal(d->dm_name, "mpatha");
	assert_string_equal(d->mount, "/data");
	assert_false(d->has_mq);
	assert_int_equal(d->slaves.n, 2);
	assert_string_equal(d->slaves.v[1], "sdb");
	topology_release(&t);
}

#define HEAD "sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1"
#define C0 "sys/devices/pci/a/nvme/nvme0"
#define C1 "sys/devices/pci/b/nvme/nvme1"

/* Before 6.15 nothing links a head with its paths but their names; both lie in directories whose name begins theirs. */
static void test_nvme(void **state)
{
	struct place *p = *state;
	struct topology t;
	const struct device *d;

	disk(p, "nvme0n1", HEAD, "259:0\n");
	file(p, HEAD, "wwid", "uuid.1234\n");
	/* shown by the class alone: still no partition of the controller whose directory it lies in */
	device(p, "nvme0c0n1", C0 "/nvme0c0n1", "0:0\n");
	link_in(p, C0 "/nvme0c0n1", "device", "../../nvme0");
	file(p, C0, "address", "0000:01:00.0\n");
	file(p, C0, "cntlid", "3\n");
	file(p, C0, "serial", "S1\n");
	file(p, C0 "/nvme0c0n1", "hidden", "1\n");
	disk(p, "nvme0c1n1", C1 "/nvme0c1n1", "0:0\n");
	/* an ordinary namespace lies directly below its controller */
	disk(p, "nvme7n1", "sys/devices/pci/c/nvme/nvme7/nvme7n1", "259:5\n");
	t = read_all(p);
	d = topology_find(&t, "nvme0n1");
	assert_int_equal(d->kind, KIND_NVME_HEAD);
	assert_int_equal(d->slaves.n, 2);
	assert_string_equal(d->wwid, "uuid.1234");
	d = topology_find(&t, "nvme0c0n1");
	assert_int_equal(d->kind, KIND_NVME_PATH);
	assert_true(d->hidden);
	assert_string_equal(d->parent, "nvme0n1");
	assert_string_equal(d->holders.v[0], "nvme0n1");
	assert_string_equal(d->place, "0000:01:00.0 cntlid 3");
	assert_string_equal(d->serial, "S1");
	assert_int_equal(topology_find(&t, "nvme7n1")->kind, KIND_DISK);
	topology_release(&t);
}

/* 6.15 and later: the head's multipath/ links say it. */
static void test_nvme_links(void **state)
{
	struct place *p = *state;
	struct topology t;

	disk(p, "nvme3n1", "sys/devices/virtual/nvme-subsystem/nvme-subsys3/nvme3n1", "259:0\n");
	link_in(p, "sys/devices/virtual/nvme-subsystem/nvme-subsys3/nvme3n1", "multipath/nvme3c4n1", "../x");
	disk(p, "nvme3c4n1", "sys/devices/pci/d/nvme/nvme4/nvme3c4n1", "0:0\n");
	t = read_all(p);
	assert_string_equal(topology_find(&t, "nvme3n1")->slaves.v[0], "nvme3c4n1");
	topology_release(&t);
}

static void test_kinds(void **state)
{
	struct place *p = *state;
	struct topology t;

	disk(p, "dm-1", "sys/devices/virtual/block/dm-1", "253:1\n");
	file(p, "sys/devices/virtual/block/dm-1", "dm/uuid", "LVM-abc\n");
	disk(p, "dm-2", "sys/devices/virtual/block/dm-2", "253:2\n");
	file(p, "sys/devices/virtual/block/dm-2", "dm/uuid", "CRYPT-LUKS2-abc\n");
	disk(p, "dm-3", "sys/devices/virtual/block/dm-3", "253:3\n");
	file(p, "sys/devices/virtual/block/dm-3", "dm/uuid", "part1-mpath-3600\n");
	disk(p, "dm-4", "sys/devices/virtual/block/dm-4", "253:4\n");
	disk(p, "md127", "sys/devices/virtual/block/md127", "9:127\n");
	file(p, "sys/devices/virtual/block/md127", "md/level", "raid10\n");
	file(p, "sys/devices/virtual/block/md127", "md/uuid", "aa:bb\n");
	device(p, "md127p1", "sys/devices/virtual/block/md127/md127p1", "259:1\n");
	file(p, "sys/devices/virtual/block/md127/md127p1", "partition", "1\n");
	disk(p, "loop0", "sys/devices/virtual/block/loop0", "7:0\n");
	file(p, "sys/devices/virtual/block/loop0", "loop/backing_file", "/var/lib/image\n");
	disk(p, "cciss!c0d0", "sys/devices/pci/cciss0/block/cciss!c0d0", "104:0\n");
	device(p, "cciss!c0d0p1", "sys/devices/pci/cciss0/block/cciss!c0d0/cciss!c0d0p1", "104:1\n");
	file(p, "sys/devices/pci/cciss0/block/cciss!c0d0/cciss!c0d0p1", "partition", "1\n");
	disk(p, "mmcblk0", "sys/devices/mmc/block/mmcblk0", "179:0\n");
	disk(p, "mmcblk0boot0", "sys/devices/mmc/block/mmcblk0/mmcblk0boot0", "179:8\n");
	tree_link(p->path, "sys/block/dead", "../devices/dead");
	t = read_all(p);
	assert_int_equal(topology_find(&t, "dm-1")->kind, KIND_LVM);
	assert_int_equal(topology_find(&t, "dm-2")->kind, KIND_CRYPT);
	assert_int_equal(topology_find(&t, "dm-3")->kind, KIND_DM);
	assert_int_equal(topology_find(&t, "dm-4")->kind, KIND_DM);
	assert_int_equal(topology_find(&t, "md127")->kind, KIND_MD);
	assert_string_equal(topology_find(&t, "md127")->md_level, "raid10");
	assert_string_equal(topology_find(&t, "md127")->uuid, "aa:bb");
	assert_int_equal(topology_find(&t, "md127p1")->kind, KIND_PARTITION);
	assert_string_equal(topology_find(&t, "md127p1")->parent, "md127");
	assert_string_equal(topology_find(&t, "loop0")->backing_file, "/var/lib/image");
	assert_int_equal(topology_find(&t, "cciss/c0d0")->kind, KIND_DISK);
	assert_string_equal(topology_find(&t, "cciss/c0d0p1")->parent, "cciss/c0d0");
	assert_int_equal(topology_find(&t, "mmcblk0boot0")->kind, KIND_DISK);
	assert_int_equal(topology_find(&t, "dead")->kind, KIND_UNKNOWN);
	topology_release(&t);
}

/* Trees of other tools: directories instead of links, no class, no partition files, a link inside the directory. */
static void test_bare_trees(void **state)
{
	struct place *p = *state;
	struct topology t;

	tree_file(p->path, "sys/block/sda/stat", "1 2 3\n");
	tree_file(p->path, "sys/block/sda/sda1/stat", "1 2 3\n");
	tree_file(p->path, "sys/block/sda/sdax/other", "");
	tree_file(p->path, "sys/block/sdb/device/wwid", "naa.7\n");
	tree_link(p->path, "sys/block/sdb/sdb", "../../devices/x/block/sdb");
	tree_file(p->path, "sys/devices/x/block/sdb/size", "77\n");
	t = read_all(p);
	assert_int_equal(t.n, 3);
	assert_int_equal(topology_find(&t, "sda")->kind, KIND_DISK);
	assert_int_equal(topology_find(&t, "sda1")->kind, KIND_PARTITION);
	assert_string_equal(topology_find(&t, "sda1")->parent, "sda");
	assert_int_equal(topology_find(&t, "sdb")->size_sectors, 77);
	assert_string_equal(topology_find(&t, "sdb")->sysfs, "sys/devices/x/block/sdb");
	assert_string_equal(topology_find(&t, "sdb")->wwid, "naa.7");
	topology_release(&t);
}

static void test_hostile(void **state)
{
	struct place *p = *state;
	char big[2001];
	struct names names = { 0 };
	struct mounts *mounts;
	struct device d = { .name = xstrdup("../../etc") };
	struct topology t;

	assert_int_equal(topology_names(&p->root, &names), -ENOENT);
	mounts = mounts_read(&p->root);
	assert_int_equal(topology_read_device(&p->root, mounts, &d), -ENOENT);
	device_release(&d);
	mounts_free(mounts);
	memset(big, 'x', sizeof(big) - 1);
	big[sizeof(big) - 1] = '\0';
	disk(p, "dm-0", DM, "99999999999:1\n");
	file(p, DM, "dm/name", big);
	file(p, DM, "size", "-5\n");
	file(p, DM, "ro", "");
	file(p, DM, "diskseq", "18446744073709551616\n");
	t = read_all(p);
	assert_int_equal(strlen(topology_find(&t, "dm-0")->dm_name), 256);
	assert_false(topology_find(&t, "dm-0")->has_size);
	assert_int_equal(topology_find(&t, "dm-0")->major, 0);
	assert_int_equal(topology_find(&t, "dm-0")->diskseq, 0);
	topology_release(&t);
	names_release(&names);
}

/* What is encoded comes back the same; no beginning of it, and no change of a length, is taken for a device. */
static void test_bytes(void **state)
{
	struct device d = { .name = xstrdup("dm-0"), .kind = KIND_LVM, .major = 253, .diskseq = 7, .hidden = true };
	struct device back, bad;
	struct text bytes = TEXT_INIT, again = TEXT_INIT;

	(void)state;
	d.mount = xstrdup("");
	d.partuuid = xstrdup("u");
	names_add(&d.slaves, "sda");
	names_add(&d.holders, "dm-1");
	names_add(&d.holders, "dm-2");
	device_encode(&d, &bytes);
	assert_true(device_decode(&back, bytes.buf, bytes.len));
	assert_string_equal(back.mount, "");
	assert_null(back.serial);
	assert_true(back.hidden && !back.removable);
	assert_string_equal(back.holders.v[1], "dm-2");
	device_encode(&back, &again);
	assert_int_equal(again.len, bytes.len);
	assert_memory_equal(again.buf, bytes.buf, bytes.len);
	for (size_t len = 0; len < bytes.len; len++)
		assert_false(device_decode(&bad, bytes.buf, len));
	for (size_t i = 0; i < bytes.len; i++) {
		char was = bytes.buf[i];

		bytes.buf[i] = (char)(was ^ 0x81);
		if (device_decode(&bad, bytes.buf, bytes.len))
			device_release(&bad);
		bytes.buf[i] = was;
	}
	text_add_char(&bytes, 'x');
	assert_false(device_decode(&bad, bytes.buf, bytes.len));
	device_release(&d);
	device_release(&back);
	text_release(&bytes);
	text_release(&again);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_multipath, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nvme, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nvme_links, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_kinds, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bare_trees, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hostile, set_up, tear_down),
		cmocka_unit_test(test_bytes),
	};

	return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
