/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What out/ says of stacks: edges in a report, the list, BEFORE against AFTER. */
#include "config.h"

#include "output.h"

#include "base/alloc.h"
#include "out/list.h"

/* --- stacks --- */

static void add_disk(const char *tree, const char *name, const char *numbers, const char *model)
{
	char path[128], target[128];

	snprintf(path, sizeof(path), "sys/devices/pci/%s/dev", name);
	tree_file(tree, path, numbers);
	snprintf(path, sizeof(path), "sys/devices/pci/%s/size", name);
	tree_file(tree, path, "2097152\n");
	snprintf(path, sizeof(path), "sys/devices/pci/%s/device/model", name);
	tree_file(tree, path, model);
	snprintf(path, sizeof(path), "sys/devices/pci/%s/queue/scheduler", name);
	tree_file(tree, path, "none [mq-deadline]\n");
	snprintf(path, sizeof(path), "sys/devices/pci/%s/holders/dm-0", name);
	tree_link(tree, path, "../../../virtual/block/dm-0");
	snprintf(path, sizeof(path), "sys/block/%s", name);
	snprintf(target, sizeof(target), "../devices/pci/%s", name);
	tree_link(tree, path, target);
}

/* dm-0 over sda and sdb */
static void add_stack(const char *tree)
{
	add_disk(tree, "sda", "8:0\n", "Left disk\n");
	add_disk(tree, "sdb", "8:16\n", "Right disk\n");
	tree_file(tree, "sys/devices/virtual/block/dm-0/dev", "253:0\n");
	tree_file(tree, "sys/devices/virtual/block/dm-0/size", "4194304\n");
	tree_file(tree, "sys/devices/virtual/block/dm-0/dm/name", "tank-lvm\n");
	tree_file(tree, "sys/devices/virtual/block/dm-0/dm/uuid", "LVM-abc\n");
	tree_link(tree, "sys/devices/virtual/block/dm-0/slaves/sda", "../../../../pci/sda");
	tree_link(tree, "sys/devices/virtual/block/dm-0/slaves/sdb", "../../../../pci/sdb");
	tree_link(tree, "sys/block/dm-0", "../devices/virtual/block/dm-0");
}

/*
 * In a second dm-0 completes 100 writes of 8 KiB in 4 ms each, sda 150 and sdb 50 of 4 KiB in 2 ms each: split 2,
 * size_ratio 2, added_latency 2 ms, shares 0.75 and 0.25. dm-0 merges 30, its legs 10: merge_share 0.75. Before that
 * it had passed 100 writes to sda one by one, which makes split (250 + 50) / 200 = 1.5 since boot.
 */
static struct engine *stacked(struct trees *t)
{
	trees_begin(t);
	add_stack(trees_add(t, "100.00 1\n",
		"8 0 sda 0 0 0 0 100 0 800 200 0 150 200\n"
		"8 16 sdb 0 0 0 0 0 0 0 0 0 0 0\n"
		"253 0 dm-0 0 0 0 0 100 0 800 200 0 150 200\n"));
	add_stack(trees_add(t, "101.00 1\n",
		"8 0 sda 0 0 0 0 250 10 2000 500 0 350 500\n"
		"8 16 sdb 0 0 0 0 50 0 400 100 0 90 100\n"
		"253 0 dm-0 0 0 0 0 200 30 2400 600 0 450 600\n"));
	return trees_run(t, 2, false);
}

static void edges_of_a_group(void **state)
{
	static const enum metric_id column[] = { M_W_S };
	struct report_options options = { .format = FORMAT_JSON, .columns = column, .n_columns = 1 };
	struct text out = TEXT_INIT;
	struct trees t;
	json_t *root, *edges;

	(void)state;
	one_report(stacked(&t), &options, false, &out);
	root = parse(&out);
	edges = json_object_get(device_of(root, "dm-0"), "edges");
	assert_non_null(edges);
	assert_true(number_of(edges, "split") == 2);
	assert_true(number_of(edges, "size_ratio") == 2);
	assert_true(number_of(edges, "added_latency") == 2);
	assert_true(number_of(edges, "merge_share") == 0.75);
	assert_true(number_of(json_object_get(edges, "path_share"), "sda") == 0.75);
	assert_true(number_of(json_object_get(edges, "path_share"), "sdb") == 0.25);
	assert_null(json_object_get(device_of(root, "sda"), "edges"));
	json_decref(root);
	one_report(t.engine, &options, true, &out);
	root = parse(&out);
	edges = json_object_get(device_of(root, "dm-0"), "edges");
	assert_true(number_of(edges, "split") == 1.5);
	json_decref(root);
	trees_end(&t);
	text_release(&out);
}

/* Nothing was done: each edge is null with its reason among the device's. */
static void edges_without_io(void **state)
{
	static const enum metric_id column[] = { M_W_S };
	static const char still[] =
		"8 0 sda 0 0 0 0 9 0 72 9 0 9 9\n8 16 sdb 0 0 0 0 9 0 72 9 0 9 9\n253 0 dm-0 0 0 0 0 9 0 72 9 0 9 9\n";
	struct report_options options = { .format = FORMAT_JSON, .columns = column, .n_columns = 1 };
	struct text out = TEXT_INIT;
	struct trees t;
	json_t *root, *dm0, *edges;

	(void)state;
	trees_begin(&t);
	add_stack(trees_add(&t, "100.00 1\n", still));
	add_stack(trees_add(&t, "101.00 1\n", still));
	one_report(trees_run(&t, 2, false), &options, false, &out);
	root = parse(&out);
	dm0 = device_of(root, "dm-0");
	edges = json_object_get(dm0, "edges");
	assert_true(number_of(dm0, "w/s") == 0);
	for (unsigned int i = 0; i < EDGES; i++)
		assert_true(json_is_null(json_object_get(edges, edge_names[i])));
	assert_true(json_is_null(json_object_get(edges, "path_share")));
	assert_reason(dm0, "edges.split", "no I/O");
	assert_reason(dm0, "edges.path_share", "no I/O");
	json_decref(root);
	trees_end(&t);
	text_release(&out);
}

/* A disk whose queue/iostats is 0 may be busy: -z does not leave it out, and it is not available instead of 0. */
static void uncounted_is_not_idle(void **state)
{
	static const enum metric_id column[] = { M_W_S };
	static const char still[] = "8 0 sda 0 0 0 0 9 0 72 9 0 9 9\n8 16 sdb 0 0 0 0 9 0 72 9 0 9 9\n";
	struct report_options options = {
		.format = FORMAT_JSON, .columns = column, .n_columns = 1, .skip_idle = true,
	};
	struct text out = TEXT_INIT;
	struct trees t;
	json_t *root;

	(void)state;
	trees_begin(&t);
	for (int i = 0; i < 2; i++) {
		const char *tree = trees_add(&t, i ? "101.00 1\n" : "100.00 1\n", still);

		add_stack(tree);
		tree_file(tree, "sys/devices/pci/sda/queue/iostats", "0\n");
	}
	one_report(trees_run(&t, 2, false), &options, false, &out);
	root = parse(&out);
	assert_reason(device_of(root, "sda"), "w/s", "queue/iostats is 0");
	assert_null(device_of(root, "sdb"));
	json_decref(root);
	trees_end(&t);
	text_release(&out);
}

static void list_as_tree(void **state)
{
	struct text out = TEXT_INIT;
	struct trees t;
	bool wanted[3] = { false };
	const struct topology *topology;

	(void)state;
	stacked(&t);
	topology = engine_topology(t.engine);
	for (uint32_t i = 0; i < topology->n; i++)
		engine_ask_attributes(t.engine, engine_slot(t.engine, i));
	assert_true(engine_wait_idle(t.engine, 10000));
	list_text(t.engine, NULL, true, &out);
	assert_string_equal(text_str(&out),
		"NAME  KIND SIZE SCHEDULER   NR_REQ RA_KIB QDEPTH WHAT       MOUNT\n"
		"dm-0  lvm  2.0G -                -      -      - tank-lvm   -\n"
		"#=sda disk 1.0G mq-deadline      -      -      - Left disk  -\n"
		"#=sdb disk 1.0G mq-deadline      -      -      - Right disk -\n");
	text_clear(&out);
	list_text(t.engine, NULL, false, &out);
	assert_non_null(strstr(text_str(&out), "\u2560\u2550sda"));
	assert_non_null(strstr(text_str(&out), "\u255a\u2550sdb"));
	/* without sdb the left leg is the last one, which UTF-8 shows */
	wanted[topology_find(topology, "dm-0") - topology->devices] = true;
	wanted[topology_find(topology, "sda") - topology->devices] = true;
	text_clear(&out);
	list_text(t.engine, wanted, false, &out);
	assert_null(strstr(text_str(&out), "sdb"));
	assert_non_null(strstr(text_str(&out), "\u255a\u2550sda"));
	trees_end(&t);
	text_release(&out);
}

static void list_as_json(void **state)
{
	static const char *const always[] = {
		"name", "kind", "dm_name", "uuid", "identity", "parent", "slaves", "holders", "mount", "size",
		"attributes",
	};
	struct text out = TEXT_INIT;
	struct trees t;
	json_t *root, *sda, *dm0, *scheduler;

	(void)state;
	stacked(&t);
	engine_ask_attributes(t.engine, roster_find(engine_roster(t.engine), "sda", 3));
	assert_true(engine_wait_idle(t.engine, 10000));
	list_json(t.engine, NULL, &out);
	root = parse(&out);
	sda = device_of(root, "sda");
	dm0 = device_of(root, "dm-0");
	for (size_t i = 0; i < ARRAY_SIZE(always); i++) {
		assert_non_null(json_object_get(sda, always[i]));
		assert_non_null(json_object_get(dm0, always[i]));
	}
	assert_true(number_of(sda, "size") == 1073741824);
	assert_true(json_is_null(json_object_get(sda, "dm_name")));
	assert_string_equal(json_string_value(json_object_get(sda, "model")), "Left disk");
	assert_string_equal(json_string_value(json_array_get(json_object_get(sda, "holders"), 0)), "dm-0");
	assert_int_equal(json_array_size(json_object_get(dm0, "slaves")), 2);
	assert_string_equal(json_string_value(json_object_get(dm0, "dm_name")), "tank-lvm");
	assert_string_equal(json_string_value(json_object_get(json_object_get(dm0, "identity"), "key")), "LVM-abc");
	scheduler = json_object_get(json_object_get(sda, "attributes"), "queue/scheduler");
	assert_string_equal(json_string_value(json_object_get(scheduler, "value")), "none [mq-deadline]");
	assert_true(number_of(scheduler, "age") >= 0);
	/* nobody asked for these */
	assert_int_equal(json_object_size(json_object_get(dm0, "attributes")), 0);
	json_decref(root);
	trees_end(&t);
	text_release(&out);
}

static void sizes(void **state)
{
	static const struct {
		uint64_t sectors;
		const char *text;
	} rows[] = {
		{ 0, "0B" }, { 1, "512B" }, { 2, "1.0K" }, { 2047, "1.0M" }, { 2048, "1.0M" }, { 2097152, "1.0G" },
		{ 1953525168, "932G" }, { UINT64_C(15625879552), "7.3T" }, { UINT64_MAX, "8192E" },
	};
	struct text t = TEXT_INIT;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		text_clear(&t);
		list_size(&t, rows[i].sectors);
		assert_string_equal(text_str(&t), rows[i].text);
	}
	text_release(&t);
}

/* --- comparisons --- */

/* Steps of 1 s: 100 writes in each of the first 7, 200 from then on, 4 ms each; sdb does nothing. */
static struct engine *faster(struct trees *t)
{
	unsigned int ios = 1000;
	struct text line = TEXT_INIT, uptime = TEXT_INIT;

	trees_begin(t);
	for (unsigned int i = 0; i < 15; i++) {
		text_clear(&line);
		text_clear(&uptime);
		text_addf(&uptime, "%u.00 1\n", 100 + i);
		text_addf(&line, "8 0 sda 9 0 72 9 %u 0 %u %u 0 %u %u\n"
			  "8 16 sdb 10 0 80 5 10 0 80 5 0 10 10\n", ios, ios * 8, ios * 4, ios, ios * 4);
		trees_add(t, text_str(&uptime), text_str(&line));
		ios += i < 7 ? 100 : 200;
	}
	trees_run(t, 8, true);
	assert_true(engine_pin_before(t->engine));
	while (engine_step(t->engine) == ENGINE_SAMPLE)
		;
	text_release(&line);
	text_release(&uptime);
	return t->engine;
}

static json_t *metric_of(json_t *root, const char *device, const char *metric)
{
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(root, "metrics"), i, row) {
		const char *name = json_string_value(json_object_get(row, "device"));

		if ((device ? name && !strcmp(name, device) : !name)
		    && !strcmp(json_string_value(json_object_get(row, "metric")), metric))
			return row;
	}
	return NULL;
}

static void comparison_object(void **state)
{
	struct text out = TEXT_INIT;
	struct trees t;
	json_t *root, *row;

	(void)state;
	comparison_json(faster(&t), NULL, 0, &out);
	root = parse(&out);
	assert_true(number_of(json_object_get(root, "before"), "n") == 7);
	assert_true(number_of(json_object_get(root, "after"), "seconds") == 7);
	assert_int_equal(json_array_size(json_object_get(root, "setup")), 0);
	assert_int_equal(json_array_size(json_object_get(root, "findings")), 0);
	row = metric_of(root, "sda", "w/s");
	assert_true(number_of(row, "before") == 100);
	assert_true(number_of(row, "after") == 200);
	assert_true(number_of(row, "before_n") == 7);
	assert_true(number_of(row, "before_sd") == 0);
	assert_true(number_of(row, "change") == 100);
	assert_true(number_of(row, "change_pct") == 100);
	assert_string_equal(json_string_value(json_object_get(row, "verdict")), "clear");
	assert_true(json_is_true(json_object_get(row, "better")));
	assert_true(json_is_null(json_object_get(row, "reason")));
	/* 10% to 20% busy: points, no direction */
	row = metric_of(root, "sda", "%util");
	assert_true(number_of(row, "change") == 10);
	assert_true(json_is_null(json_object_get(row, "change_pct")));
	assert_true(json_is_null(json_object_get(row, "better")));
	row = metric_of(root, "sda", "r_await");
	assert_true(json_is_null(json_object_get(row, "before")));
	assert_string_equal(json_string_value(json_object_get(row, "reason")), "no I/O");
	/* legacy rows and devices that did nothing are not in it; the system is */
	assert_null(metric_of(root, "sda", "svctm"));
	assert_null(metric_of(root, "sdb", "w/s"));
	assert_non_null(metric_of(root, NULL, "blocked"));
	json_decref(root);
	trees_end(&t);
	text_release(&out);
}

static void comparison_for_a_mail(void **state)
{
	struct text out = TEXT_INIT;
	struct trees t;

	(void)state;
	comparison_text(faster(&t), NULL, 0, &out);
	assert_non_null(strstr(text_str(&out), "BEFORE 7.0 s n 7, AFTER 7.0 s n 7"));
	assert_non_null(strstr(text_str(&out),
		"sda            w/s          100 +-0.0%   ->    200 +-0.0%    +100.0%  clear\n"));
	assert_non_null(strstr(text_str(&out),
		"sda            %util       10.0 +-0.0    ->   20.0 +-0.0    +10.0 pt  clear\n"));
	/* what is 0 or not there on both sides says nothing */
	assert_null(strstr(text_str(&out), "r/s"));
	assert_null(strstr(text_str(&out), "sdb"));
	for (const char *line = text_str(&out); *line; line += strcspn(line, "\n") + 1)
		assert_in_range(strcspn(line, "\n"), 1, 80);
	trees_end(&t);
	text_release(&out);
}

/* One tree of the story below: sda is another instance of the same disk from the third on. */
static void add_changed(struct trees *t, const char *uptime, const char *stats, bool after)
{
	const char *tree = trees_add(t, uptime, stats);

	add_disk(tree, "sda", "8:0\n", "Disk\n");
	tree_file(tree, "sys/devices/pci/sda/diskseq", after ? "9\n" : "1\n");
	tree_file(tree, "sys/devices/pci/sda/device/wwid", "naa.5000000000000001\n");
	tree_file(tree, "sys/devices/pci/sda/queue/nr_requests", after ? "32\n" : "256\n");
	if (after)
		tree_file(tree, "sys/devices/pci/sda/queue/iosched/async_depth", "8\n");
	tree_file(tree, "proc/sys/kernel/osrelease", after ? "6.12.0\n" : "4.18.0\n");
}

/*
 * A bin a side: 100 writes, then 150 by the same disk under another instance and another kernel; sdb is only in
 * BEFORE, sdc only in AFTER.
 */
static struct engine *changed(struct trees *t)
{
	trees_begin(t);
	add_changed(t, "100.00 1\n", "8 0 sda 0 0 0 0 100 0 800 400 0 100 400\n"
		    "8 16 sdb 0 0 0 0 10 0 80 10 0 10 10\n", false);
	add_changed(t, "101.00 1\n", "8 0 sda 0 0 0 0 200 0 1600 800 0 200 800\n"
		    "8 16 sdb 0 0 0 0 30 0 240 30 0 30 30\n", false);
	add_changed(t, "102.00 1\n", "8 0 sda 0 0 0 0 10 0 80 40 0 10 40\n"
		    "8 32 sdc 0 0 0 0 10 0 80 10 0 10 10\n", true);
	add_changed(t, "103.00 1\n", "8 0 sda 0 0 0 0 160 0 1280 640 0 160 640\n"
		    "8 32 sdc 0 0 0 0 30 0 240 30 0 30 30\n", true);
	trees_run(t, 2, true);
	assert_true(engine_wait_idle(t->engine, 5000));
	assert_true(engine_pin_before(t->engine));
	while (engine_step(t->engine) == ENGINE_SAMPLE)
		assert_true(engine_wait_idle(t->engine, 5000));
	return t->engine;
}

static void assert_setup(json_t *root, const char *what, const char *before, const char *after)
{
	json_t *row;
	size_t i;

	json_array_foreach(json_object_get(root, "setup"), i, row) {
		const char *had = json_string_value(json_object_get(row, "before"));

		if (strcmp(json_string_value(json_object_get(row, "what")), what) != 0)
			continue;
		assert_string_equal(had ? had : "null", before);
		assert_string_equal(json_string_value(json_object_get(row, "after")), after);
		return;
	}
	fail_msg("setup does not have %s", what);
}

static void assert_no_change(json_t *row, const char *verdict)
{
	assert_string_equal(json_string_value(json_object_get(row, "verdict")), verdict);
	assert_true(json_is_null(json_object_get(row, "change")));
	assert_true(json_is_null(json_object_get(row, "change_pct")));
}

static void what_differs_between_the_sides(void **state)
{
	struct text out = TEXT_INIT;
	struct trees t;
	json_t *root, *row;

	(void)state;
	comparison_json(changed(&t), NULL, 0, &out);
	root = parse(&out);
	assert_string_equal(json_string_value(json_object_get(json_object_get(root, "before"), "kernel")), "4.18.0");
	assert_string_equal(json_string_value(json_object_get(json_object_get(root, "after"), "kernel")), "6.12.0");
	assert_setup(root, "sda nr_requests", "256", "32");
	assert_setup(root, "sda async_depth", "null", "8");
	row = metric_of(root, "sda", "w/s");
	assert_true(number_of(row, "change") == 50);
	assert_true(number_of(row, "before_n") == 1);
	/* one bin has no spread, which is not a spread of 0 */
	assert_true(json_is_null(json_object_get(row, "before_sd")));
	assert_true(json_is_null(json_object_get(row, "after_sd")));
	assert_string_equal(json_string_value(json_object_get(row, "matched_by")), "wwid");
	assert_no_change(metric_of(root, "sdb", "w/s"), "gone");
	assert_no_change(metric_of(root, "sdc", "w/s"), "new");
	assert_null(json_object_get(metric_of(root, "sdc", "w/s"), "matched_by"));
	/* 4.18 samples busy time, 6.12 measures it */
	row = metric_of(root, "sda", "%util");
	assert_no_change(row, "na");
	assert_string_equal(json_string_value(json_object_get(row, "reason")), na_text(NA_ERA));
	json_decref(root);
	trees_end(&t);
	text_release(&out);
}

static void what_differs_for_a_mail(void **state)
{
	static const bool none[2] = { false };
	struct text out = TEXT_INIT;
	struct trees t;

	(void)state;
	changed(&t);
	assert_int_equal(engine_add_mark(t.engine, ""), 1);
	assert_int_equal(engine_add_mark(t.engine, "after tuned"), 2);
	comparison_text(t.engine, NULL, 0, &out);
	assert_non_null(strstr(text_str(&out), " Linux 4.18.0 -> 6.12.0\n"));
	assert_non_null(strstr(text_str(&out), "sda async_depth absent -> 8\n"));
	assert_non_null(strstr(text_str(&out), "sda nr_requests 256 -> 32\n"));
	/* 103 s after the boot */
	assert_non_null(strstr(text_str(&out), "mark 1 at 0:01:43\nmark 2 at 0:01:43 after tuned\n"));
	assert_non_null(strstr(text_str(&out), "sda matched by wwid\n"));
	assert_null(strstr(text_str(&out), "sdc matched"));
	/* a side that is not there is no change of 0 */
	assert_null(strstr(text_str(&out), "0.0  gone"));
	assert_null(strstr(text_str(&out), "0.0 pt"));
	assert_non_null(strstr(text_str(&out), "sda na: the kernels account time differently: "));
	for (const char *line = text_str(&out); *line; line += strcspn(line, "\n") + 1)
		assert_in_range(strcspn(line, "\n"), 1, 80);
	text_clear(&out);
	comparison_text(t.engine, none, 2, &out);
	assert_non_null(strstr(text_str(&out), "no device is shown\n"));
	assert_null(strstr(text_str(&out), "no I/O"));
	trees_end(&t);
	text_release(&out);
}

static void no_before_no_comparison(void **state)
{
	struct text out = TEXT_INIT;
	struct trees t;

	(void)state;
	trees_begin(&t);
	trees_add(&t, "100.00 1\n", "8 0 sda 100 10 800 200 50 5 400 100 0 300 300\n");
	trees_add(&t, "101.00 1\n", "8 0 sda 300 10 2400 700 50 5 400 100 0 940 800\n");
	trees_run(&t, 2, true);
	comparison_text(t.engine, NULL, 0, &out);
	comparison_json(t.engine, NULL, 0, &out);
	assert_int_equal(out.len, 0);
	trees_end(&t);
	text_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(edges_of_a_group),
		cmocka_unit_test(edges_without_io),
		cmocka_unit_test(uncounted_is_not_idle),
		cmocka_unit_test(list_as_tree),
		cmocka_unit_test(list_as_json),
		cmocka_unit_test(sizes),
		cmocka_unit_test(comparison_object),
		cmocka_unit_test(comparison_for_a_mail),
		cmocka_unit_test(what_differs_between_the_sides),
		cmocka_unit_test(what_differs_for_a_mail),
		cmocka_unit_test(no_before_no_comparison),
	};

	return cmocka_run_group_tests_name("output_stacks", tests, NULL, NULL);
}
