/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/text.h"
#include "model/stack.h"

static struct device *add(struct topology *t, const char *name, enum device_kind kind)
{
	struct device *d = topology_add(t, name);

	d->kind = kind;
	return d;
}

static void on(struct topology *t, const char *upper, const char *lower)
{
	names_add(&topology_add(t, upper)->slaves, lower);
}

static void partition(struct topology *t, const char *name, const char *disk)
{
	struct device *d = add(t, name, KIND_PARTITION);

	d->parent = xstrdup(disk);
	d->partition = 1;
}

/* The rows as text: depth in blanks, shape, reference mark, name, `.` for the last on its line, open lines in octal. */
static char *drawn(const struct topology *t, enum stack_view view)
{
	static const char *const shapes[] = { "", "=", "S ", "-" };
	struct stack s = STACK_INIT;
	struct text out = TEXT_INIT;
	char *copy;

	stack_build(&s, t, view);
	for (size_t i = 0; i < s.n_rows; i++) {
		const struct stack_row *row = &s.rows[i];

		text_add_fill(&out, ' ', row->depth);
		text_addf(&out, "%s%s%s%s", shapes[row->shape], row->reference ? "^" : "",
			  t->devices[row->device].name, row->last ? "." : "");
		if (row->open)
			text_addf(&out, " %o", row->open);
		text_add_char(&out, '\n');
		assert_true(row->parent <= i && row->root <= i);
	}
	copy = xstrdup(text_str(&out));
	text_release(&out);
	stack_release(&s);
	return copy;
}

static void check_drawn(struct topology *t, enum stack_view view, const char *expected)
{
	char *got;

	topology_link(t);
	got = drawn(t, view);
	assert_string_equal(got, expected);
	free(got);
}

static struct topology multipath(void)
{
	struct topology t = TOPOLOGY_INIT;

	add(&t, "loop0", KIND_LOOP);
	add(&t, "sdb", KIND_DISK);
	add(&t, "sda", KIND_DISK);
	add(&t, "nvme0n1", KIND_DISK);
	partition(&t, "nvme0n1p10", "nvme0n1");
	partition(&t, "nvme0n1p2", "nvme0n1");
	add(&t, "dm-0", KIND_MULTIPATH);
	on(&t, "dm-0", "sdb");
	on(&t, "dm-0", "sda");
	add(&t, "dm-1", KIND_LVM);
	on(&t, "dm-1", "dm-0");
	return t;
}

/* The map first, its legs in the order of slaves/, the sum, what is on it; then disks, then loops; p2 before p10. */
static void test_multipath(void **state)
{
	struct topology t = multipath();

	(void)state;
	check_drawn(&t, VIEW_TREE,
		    "dm-0\n =sdb\n =sda\n S dm-0.\n -dm-1.\n"
		    "nvme0n1\n -nvme0n1p2\n -nvme0n1p10.\nloop0\n");
	check_drawn(&t, VIEW_FLAT, "dm-0\ndm-1\nloop0\nnvme0n1\nnvme0n1p2\nnvme0n1p10\nsda\nsdb\n");
	check_drawn(&t, VIEW_INVERSE,
		    "dm-1\n -dm-0.\n  -sdb\n  -sda.\nnvme0n1p2\n -nvme0n1.\nnvme0n1p10\n -^nvme0n1.\nloop0\n");
	topology_release(&t);
}

/* A stripe on partitions: the legs stand in full under the stripe, and as references under their disks. */
static void test_stripe_on_partitions(void **state)
{
	struct topology t = TOPOLOGY_INIT;

	(void)state;
	add(&t, "nvme2n1", KIND_DISK);
	add(&t, "nvme3n1", KIND_DISK);
	partition(&t, "nvme2n1p1", "nvme2n1");
	partition(&t, "nvme2n1p2", "nvme2n1");
	partition(&t, "nvme3n1p1", "nvme3n1");
	on(&t, "dm-0", "nvme2n1p1");
	on(&t, "dm-0", "nvme3n1p1");
	check_drawn(&t, VIEW_TREE,
		    "dm-0\n =nvme2n1p1\n =nvme3n1p1\n S dm-0.\n"
		    "nvme2n1\n -^nvme2n1p1\n -nvme2n1p2.\nnvme3n1\n -^nvme3n1p1.\n");
	topology_release(&t);
}

/* raid0 over two mirrors: each array is a root, as a leg it is a reference. What hangs on a leg hangs below it. */
static void test_array_of_arrays(void **state)
{
	struct topology t = TOPOLOGY_INIT;

	(void)state;
	for (int i = 0; i < 4; i++) {
		char name[] = { 's', 'd', (char)('a' + i), '\0' };

		add(&t, name, KIND_DISK);
		on(&t, i < 2 ? "md1" : "md2", name);
	}
	partition(&t, "sda1", "sda");
	on(&t, "md3", "md1");
	on(&t, "md3", "md2");
	check_drawn(&t, VIEW_TREE,
		    "md1\n =sda\n  -sda1. 2\n =sdb\n S md1.\n"
		    "md2\n =sdc\n =sdd\n S md2.\n"
		    "md3\n =^md1\n =^md2\n S md3.\n");
	topology_release(&t);
}

/* A map that has lost all but one path stays a root with a leg; a sum of one is no sum. */
static void test_single_path(void **state)
{
	struct topology t = TOPOLOGY_INIT;

	(void)state;
	add(&t, "nvme0n1", KIND_NVME_HEAD);
	add(&t, "nvme0c0n1", KIND_NVME_PATH);
	on(&t, "nvme0n1", "nvme0c0n1");
	check_drawn(&t, VIEW_TREE, "nvme0n1\n =nvme0c0n1.\n");
	topology_release(&t);
}

static void count_full(const struct topology *t, enum stack_view view)
{
	struct stack s = STACK_INIT;
	unsigned int *full = xcalloc(t->n, sizeof(*full));

	stack_build(&s, t, view);
	for (size_t i = 0; i < s.n_rows; i++)
		full[s.rows[i].device] += !s.rows[i].reference && s.rows[i].shape != ROW_SUM;
	for (size_t i = 0; i < t->n; i++)
		assert_int_equal(full[i], 1);
	free(full);
	stack_release(&s);
}

/* Whatever hangs on whom, each device is drawn in full exactly once, and it ends. */
static void test_cycles(void **state)
{
	unsigned int seed = 12345;

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct topology t = TOPOLOGY_INIT;
		char name[16], other[16];

		for (int i = 0; i < 7; i++) {
			snprintf(name, sizeof(name), "d%d", i);
			add(&t, name, (seed >> 20) % KINDS);
			seed = seed * 1103515245U + 12345U;
		}
		for (int i = 0; i < 9; i++) {
			snprintf(name, sizeof(name), "d%u", (seed >> 16) % 7);
			seed = seed * 1103515245U + 12345U;
			snprintf(other, sizeof(other), "d%u", (seed >> 16) % 7);
			seed = seed * 1103515245U + 12345U;
			if (i % 3)
				on(&t, name, other);
			else if (!topology_find(&t, name)->parent)
				topology_add(&t, name)->parent = xstrdup(other);
		}
		topology_link(&t);
		for (int view = 0; view < VIEWS; view++)
			count_full(&t, view);
		topology_release(&t);
	}
}

/* A chain far deeper than the C stack should follow. */
static void test_deep_chain(void **state)
{
	struct topology t = TOPOLOGY_INIT;
	char name[16], lower[16];

	(void)state;
	add(&t, "d0", KIND_DISK);
	for (int i = 1; i < 1000; i++) {
		snprintf(name, sizeof(name), "d%d", i);
		snprintf(lower, sizeof(lower), "d%d", i - 1);
		on(&t, name, lower);
	}
	topology_link(&t);
	count_full(&t, VIEW_TREE);
	count_full(&t, VIEW_INVERSE);
	topology_release(&t);
}

static void test_members(void **state)
{
	struct topology t = multipath();
	bool hit[8] = { false };

	(void)state;
	topology_link(&t);
	stack_members(&t, (uint32_t)(topology_find(&t, "sda") - t.devices), hit);
	assert_true(hit[topology_find(&t, "sdb") - t.devices]);
	assert_true(hit[topology_find(&t, "dm-1") - t.devices]);
	assert_false(hit[topology_find(&t, "nvme0n1") - t.devices]);
	topology_release(&t);
}

static bool leaf(const struct topology *t, const char *name, bool head_accounts)
{
	return stack_is_leaf(t, (uint32_t)(topology_find(t, name) - t->devices), head_accounts);
}

static void test_leaves(void **state)
{
	struct topology t = multipath();

	(void)state;
	add(&t, "nvme1n1", KIND_NVME_HEAD);
	add(&t, "nvme1c0n1", KIND_NVME_PATH);
	on(&t, "nvme1n1", "nvme1c0n1");
	add(&t, "dm-7", KIND_LVM);
	topology_link(&t);
	assert_true(leaf(&t, "sda", false));
	assert_false(leaf(&t, "dm-0", false));
	assert_false(leaf(&t, "nvme0n1p2", false));
	assert_false(leaf(&t, "loop0", false));
	/* head or paths, never both and never neither */
	assert_true(leaf(&t, "nvme1n1", true) != leaf(&t, "nvme1c0n1", true));
	assert_true(leaf(&t, "nvme1n1", true));
	assert_true(leaf(&t, "nvme1c0n1", false));
	/* a layer, though its lowers are not known */
	assert_false(leaf(&t, "dm-7", false));
	topology_release(&t);
}

struct values {
	struct delta d[8];
	const struct delta *all[8];
};

static struct delta *given(struct values *v, const struct topology *t, const char *name, field_set valid)
{
	size_t i = (size_t)(topology_find(t, name) - t->devices);

	v->d[i] = (struct delta){ .state = DELTA_OK, .valid = valid, .seconds = 1, .samples = 1 };
	for (int f = 0; f < FIELDS; f++)
		v->d[i].why[f] = valid & FIELD(f) ? NA_NONE : NA_NO_FIELD;
	v->all[i] = &v->d[i];
	return &v->d[i];
}

static void near_to(struct value v, double expected)
{
	assert_int_equal(v.why, NA_NONE);
	assert_true(v.v > expected - 1e-9 && v.v < expected + 1e-9);
}

/*
 * A map that merges: 100 writes of 800 sectors, 300 merged, 3 ms each; legs 50 and 150 writes of 400 sectors with no
 * merges, 1 ms and 2 ms each. split = 200/100, merge share = 300/300, size ratio = 800/400, the legs' await weighted
 * by I/Os is (50·1 + 150·2)/200 = 1.75 ms, so the map adds 1.25 ms.
 */
static void test_edge_values(void **state)
{
	struct topology t = multipath();
	struct stack s = STACK_INIT;
	struct values v = { 0 };
	struct value out[EDGES], share[2];
	field_set plain = FIELDS_ALL & ~FIELDS_FLUSH;
	struct delta *d;
	uint32_t group;

	(void)state;
	topology_link(&t);
	stack_build(&s, &t, VIEW_TREE);
	group = s.group_below[topology_find(&t, "dm-0") - t.devices];
	assert_int_equal(s.groups[group].n_lowers, 2);
	assert_int_equal(s.group_above[topology_find(&t, "sda") - t.devices], group);
	assert_int_equal(s.group_below[topology_find(&t, "sda") - t.devices], GROUP_NONE);
	assert_false(s.groups[group].shared);
	d = given(&v, &t, "dm-0", plain);
	d->v[WR_IOS] = 100, d->v[WR_MERGES] = 300, d->v[WR_SECTORS] = 80000, d->v[WR_TICKS] = 300;
	d = given(&v, &t, "sdb", plain);
	d->v[WR_IOS] = 50, d->v[WR_SECTORS] = 20000, d->v[WR_TICKS] = 50;
	d = given(&v, &t, "sda", plain);
	d->v[WR_IOS] = 150, d->v[WR_SECTORS] = 60000, d->v[WR_TICKS] = 300;
	edge_values(&s.groups[group], &t, v.all, out, share);
	near_to(out[EDGE_SPLIT], 2);
	near_to(out[EDGE_MERGE_SHARE], 1);
	near_to(out[EDGE_SIZE_RATIO], 2);
	near_to(out[EDGE_ADDED_LATENCY], 1.25);
	near_to(share[0], 0.25);
	near_to(share[1], 0.75);
	/* a leg without a value takes the edge with it, and says why */
	v.all[topology_find(&t, "sda") - t.devices] = NULL;
	edge_values(&s.groups[group], &t, v.all, out, share);
	assert_int_equal(out[EDGE_SPLIT].why, NA_GONE);
	given(&v, &t, "sda", plain)->state = DELTA_NEW;
	v.d[topology_find(&t, "sda") - t.devices].valid = 0;
	memset(v.d[topology_find(&t, "sda") - t.devices].why, NA_NEW, FIELDS);
	edge_values(&s.groups[group], &t, v.all, out, NULL);
	assert_int_equal(out[EDGE_ADDED_LATENCY].why, NA_NEW);
	stack_release(&s);
	topology_release(&t);
}

/* As measured: a map's flushes are its paths' empty reads; those of a disk below a linear map do not count. */
static void test_edge_flushes(void **state)
{
	struct topology t = multipath();
	struct stack s = STACK_INIT;
	struct values v = { 0 };
	struct value out[EDGES];
	struct delta *d;
	uint32_t group;

	(void)state;
	topology_link(&t);
	stack_build(&s, &t, VIEW_TREE);
	group = s.group_below[topology_find(&t, "dm-0") - t.devices];
	d = given(&v, &t, "dm-0", FIELDS_ALL);
	d->v[WR_IOS] = 399, d->v[FL_IOS] = 199;
	d = given(&v, &t, "sda", FIELDS_ALL & ~FIELDS_FLUSH);
	d->v[WR_IOS] = 399, d->v[RD_IOS] = 199;
	given(&v, &t, "sdb", FIELDS_ALL & ~FIELDS_FLUSH);
	edge_values(&s.groups[group], &t, v.all, out, NULL);
	near_to(out[EDGE_SPLIT], 1);
	d = given(&v, &t, "dm-0", FIELDS_ALL & ~FIELDS_FLUSH);
	d->v[WR_IOS] = 399;
	d = given(&v, &t, "sda", FIELDS_ALL);
	d->v[WR_IOS] = 399, d->v[FL_IOS] = 199;
	edge_values(&s.groups[group], &t, v.all, out, NULL);
	near_to(out[EDGE_SPLIT], 1);
	stack_release(&s);
	topology_release(&t);
}

/* A mirror's write takes as long as its slowest leg: 10 ms here, of 1 and 10. Of 11 ms the array adds 1. */
static void test_edge_mirror(void **state)
{
	struct topology t = TOPOLOGY_INIT;
	struct stack s = STACK_INIT;
	struct values v = { 0 };
	struct value out[EDGES];
	struct delta *d;

	(void)state;
	add(&t, "sda", KIND_DISK);
	add(&t, "sdb", KIND_DISK);
	add(&t, "md0", KIND_MD)->md_level = xstrdup("raid1");
	on(&t, "md0", "sda");
	on(&t, "md0", "sdb");
	topology_link(&t);
	stack_build(&s, &t, VIEW_TREE);
	d = given(&v, &t, "md0", FIELDS_ALL);
	d->v[WR_IOS] = 10, d->v[WR_TICKS] = 110;
	d = given(&v, &t, "sda", FIELDS_ALL);
	d->v[WR_IOS] = 10, d->v[WR_TICKS] = 10;
	d = given(&v, &t, "sdb", FIELDS_ALL);
	d->v[WR_IOS] = 10, d->v[WR_TICKS] = 100;
	edge_values(&s.groups[0], &t, v.all, out, NULL);
	near_to(out[EDGE_ADDED_LATENCY], 1);
	assert_int_equal(out[EDGE_SIZE_RATIO].why, NA_NO_IO);
	assert_int_equal(out[EDGE_MERGE_SHARE].why, NA_NOTHING);
	stack_release(&s);
	topology_release(&t);
}

/* Two LVs on one PV are one group; a PV that is also mounted, or whose disk has a mounted partition, is shared. */
static void test_shared(void **state)
{
	struct topology t = TOPOLOGY_INIT;
	struct stack s = STACK_INIT;
	const struct delta *none[8] = { NULL };
	struct value out[EDGES], share[1];

	(void)state;
	add(&t, "sda", KIND_DISK);
	partition(&t, "sda1", "sda");
	partition(&t, "sda2", "sda");
	on(&t, "dm-0", "sda2");
	on(&t, "dm-1", "sda2");
	topology_add(&t, "sda1")->mount = xstrdup("/boot");
	topology_link(&t);
	stack_build(&s, &t, VIEW_TREE);
	assert_int_equal(s.n_groups, 1);
	assert_int_equal(s.groups[0].n_uppers, 2);
	assert_int_equal(s.groups[0].n_lowers, 1);
	/* the neighbour partition is no part of it: lowers are partitions here, not their disk */
	assert_false(s.groups[0].shared);
	topology_add(&t, "sda2")->mount = xstrdup("[SWAP]");
	stack_build(&s, &t, VIEW_TREE);
	assert_true(s.groups[0].shared);
	assert_string_equal(s.groups[0].shared_with, "[SWAP]");
	edge_values(&s.groups[0], &t, none, out, share);
	assert_int_equal(out[EDGE_SPLIT].why, NA_SHARED);
	assert_int_equal(share[0].why, NA_SHARED);
	on(&t, "dm-2", "sda");
	topology_link(&t);
	stack_build(&s, &t, VIEW_TREE);
	assert_int_equal(s.n_groups, 2);
	assert_string_equal(s.groups[s.group_above[0]].shared_with, "/boot");
	stack_release(&s);
	topology_release(&t);
}

static void test_empty(void **state)
{
	struct topology t = TOPOLOGY_INIT;

	(void)state;
	for (int view = 0; view < VIEWS; view++)
		check_drawn(&t, view, "");
	topology_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_multipath), cmocka_unit_test(test_stripe_on_partitions),
		cmocka_unit_test(test_array_of_arrays), cmocka_unit_test(test_single_path),
		cmocka_unit_test(test_cycles), cmocka_unit_test(test_deep_chain), cmocka_unit_test(test_members),
		cmocka_unit_test(test_leaves), cmocka_unit_test(test_edge_values),
		cmocka_unit_test(test_edge_flushes), cmocka_unit_test(test_edge_mirror),
		cmocka_unit_test(test_shared), cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
