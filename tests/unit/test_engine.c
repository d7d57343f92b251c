/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engine on trees that hold nothing but proc/diskstats and proc/uptime. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/quit.h"
#include "base/text.h"
#include "engine/state.h"
#include "tree.h"

#define TREES_MOST 128

struct trees {
	char dir[256];
	char *paths[TREES_MOST];
	size_t n;
};

static void trees_begin(struct trees *t)
{
	memset(t, 0, sizeof(*t));
	assert_non_null(tree_new(t->dir, sizeof(t->dir)));
}

static void trees_add(struct trees *t, double uptime_s, const char *diskstats)
{
	struct text text = TEXT_INIT;
	char name[64];

	assert_true(t->n < TREES_MOST);
	text_addf(&text, "%s/%zu", t->dir, t->n);
	t->paths[t->n] = xstrdup(text_str(&text));
	snprintf(name, sizeof(name), "%zu/proc/diskstats", t->n);
	tree_file(t->dir, name, diskstats);
	snprintf(name, sizeof(name), "%zu/proc/uptime", t->n);
	text_clear(&text);
	text_addf(&text, "%.2f 0.00\n", uptime_s);
	tree_file(t->dir, name, text_str(&text));
	text_release(&text);
	t->n++;
}

/* one disk, `ios` writes of 8 sectors and 1 ms each so far */
static void trees_add_disk(struct trees *t, double uptime_s, unsigned long ios)
{
	struct text line = TEXT_INIT;

	text_addf(&line, "8 0 sda 10 0 80 10 %lu 0 %lu %lu 0 %lu %lu\n", ios, ios * 8, ios, ios + 10, ios + 10);
	trees_add(t, uptime_s, text_str(&line));
	text_release(&line);
}

static void trees_end(struct trees *t)
{
	tree_remove(t->dir);
	for (size_t i = 0; i < t->n; i++)
		free(t->paths[i]);
}

static struct engine *start(const struct trees *t, unsigned int rounds)
{
	struct engine_options options = {
		.roots = (const char *const *)t->paths, .n_roots = t->n, .rounds = rounds, .interval_s = 1,
		.with_segments = true, .with_system = true,
	};
	struct engine *e = engine_new(&options);

	assert_non_null(e);
	return e;
}

static uint32_t slot(const struct engine *e, const char *name)
{
	uint32_t s = roster_find(engine_roster(e), name, strlen(name));

	assert_int_not_equal(s, SLOT_NONE);
	return s;
}

static void steps(struct engine *e, int n)
{
	while (n-- > 0)
		assert_int_equal(engine_step(e), ENGINE_SAMPLE);
}

static void intervals_come_from_the_trees_own_clock(void **state)
{
	struct trees t;
	struct engine *e;
	const struct delta *d;

	(void)state;
	trees_begin(&t);
	trees_add_disk(&t, 100, 1000);
	trees_add_disk(&t, 102.5, 1500);
	e = start(&t, 1);
	steps(e, 1);
	assert_int_equal(engine_delta(e, slot(e, "sda"))->state, DELTA_FIRST);
	steps(e, 1);
	d = engine_delta(e, slot(e, "sda"));
	assert_int_equal(d->state, DELTA_OK);
	assert_true(d->seconds > 2.4999 && d->seconds < 2.5001);
	/* 500 writes in 2.5 s */
	assert_float_equal((float)metric_value(&metrics[M_W_S], d).v, 200, 1e-3f);
	assert_int_equal(engine_step(e), ENGINE_END);
	assert_int_equal(engine_step(e), ENGINE_NONE);
	engine_free(e);
	trees_end(&t);
}

static void a_second_round_starts_afresh(void **state)
{
	struct trees t;
	struct engine *e;

	(void)state;
	trees_begin(&t);
	trees_add_disk(&t, 100, 1000);
	trees_add_disk(&t, 101, 1100);
	e = start(&t, 2);
	steps(e, 3);
	assert_int_equal(engine_delta(e, slot(e, "sda"))->state, DELTA_FIRST);
	steps(e, 1);
	assert_int_equal(engine_delta(e, slot(e, "sda"))->v[WR_IOS], 100);
	assert_int_equal(engine_step(e), ENGINE_END);
	engine_free(e);
	trees_end(&t);
}

static void devices_come_go_and_come_back(void **state)
{
	static const char both[] = "8 0 sda 1 0 8 1 1 0 8 1 0 1 1\n8 16 sdb 5 0 8 1 1 0 8 1 0 1 1\n";
	static const char one[] = "8 0 sda 2 0 8 1 1 0 8 1 0 1 1\n";
	static const char back[] = "8 0 sda 3 0 8 1 1 0 8 1 0 1 1\n8 16 sdb 500 0 8000 1 1 0 8 1 0 1 1\n";
	static const char on[] = "8 0 sda 3 0 8 1 1 0 8 1 0 1 1\n8 16 sdb 507 0 8000 1 1 0 8 1 0 1 1\n";
	struct trees t;
	struct engine *e;
	uint32_t sdb, instance;

	(void)state;
	trees_begin(&t);
	trees_add(&t, 10, both);
	trees_add(&t, 11, one);
	trees_add(&t, 12, one);
	trees_add(&t, 13, back);
	trees_add(&t, 14, on);
	e = start(&t, 1);
	steps(e, 1);
	sdb = slot(e, "sdb");
	instance = engine_roster(e)->entries[sdb].instance;
	steps(e, 1);
	assert_int_equal(engine_delta(e, sdb)->state, DELTA_GONE);
	assert_false(engine_roster(e)->entries[sdb].present);
	steps(e, 1);
	assert_null(engine_delta(e, sdb));
	steps(e, 1);
	/* its counters are higher than before: not a rate over the three seconds, but another instance */
	assert_int_equal(engine_delta(e, sdb)->state, DELTA_NEW);
	assert_int_not_equal(engine_roster(e)->entries[sdb].instance, instance);
	steps(e, 1);
	assert_int_equal(engine_delta(e, sdb)->v[RD_IOS], 7);
	engine_free(e);
	trees_end(&t);
}

static void short_intervals_become_bins_of_a_second(void **state)
{
	struct trees t;
	struct engine *e;
	struct estimate w;

	(void)state;
	trees_begin(&t);
	for (int i = 0; i <= 12; i++)
		trees_add_disk(&t, 100 + 0.25 * i, 1000UL + 25UL * (unsigned long)i);
	e = start(&t, 1);
	steps(e, 1 + 11);
	assert_int_equal(segment_bins(engine_after(e)), 2);
	steps(e, 1);
	assert_int_equal(segment_bins(engine_after(e)), 3);
	assert_int_equal(segment_estimate(engine_after(e), slot(e, "sda"), M_W_S, &w), NA_NONE);
	assert_float_equal((float)w.value, 100, 1e-3f);
	assert_int_equal(w.n, 3);
	engine_free(e);
	trees_end(&t);
}

static void before_is_what_after_was(void **state)
{
	struct trees t;
	struct engine *e;
	struct comparison c;
	uint32_t sda;

	(void)state;
	trees_begin(&t);
	/* 100 writes a second, then 50, with a little noise so that neither side is constant */
	for (unsigned long i = 0; i <= 30; i++)
		trees_add_disk(&t, 100 + (double)i, 1000 + 100 * i + i % 3);
	for (unsigned long i = 1; i <= 30; i++)
		trees_add_disk(&t, 130 + (double)i, 4000 + 50 * i + i % 3);
	e = start(&t, 1);
	steps(e, 1);
	sda = slot(e, "sda");
	assert_false(engine_pin_before(e));
	assert_null(engine_before(e));
	assert_false(engine_compare(e, sda, M_W_S, &c));
	steps(e, 30);
	assert_true(engine_pin_before(e));
	assert_int_equal(segment_bins(engine_before(e)), 30);
	assert_int_equal(segment_bins(engine_after(e)), 0);
	/* nothing has been measured since: no verdict, and the reason is on the AFTER side */
	assert_true(engine_compare(e, sda, M_W_S, &c));
	assert_int_equal(c.verdict, VERDICT_NA);
	assert_int_equal(c.why_before, NA_NONE);
	assert_int_not_equal(c.why_after, NA_NONE);
	steps(e, 12);
	assert_int_equal(engine_mark(e, sda, M_W_S), -1);
	assert_int_equal(engine_mark(e, sda, M_R_S), 0);
	steps(e, 18);
	assert_true(engine_compare(e, sda, M_W_S, &c));
	assert_int_equal(c.verdict, VERDICT_CLEAR);
	assert_int_equal(c.better, -1);
	assert_float_equal((float)c.change_pct, -50, 0.5f);
	engine_restart_after(e);
	assert_int_equal(segment_bins(engine_after(e)), 0);
	assert_int_equal(engine_mark(e, sda, M_W_S), 0);
	engine_drop_before(e);
	assert_null(engine_before(e));
	engine_free(e);
	trees_end(&t);
}

/* an idle stretch of 3 s and more is left out; one of 2 s counts, when the I/O goes on after it */
static void idle_stack_holds_after(void **state)
{
	struct trees t;
	struct engine *e;
	unsigned long ios = 1000;
	double at = 100;

	(void)state;
	trees_begin(&t);
	trees_add_disk(&t, at, ios);
	for (int i = 0; i < 5; i++)
		trees_add_disk(&t, ++at, ios += 100);
	for (int i = 0; i < 2; i++)
		trees_add_disk(&t, ++at, ios);
	trees_add_disk(&t, ++at, ios += 100);
	for (int i = 0; i < 6; i++)
		trees_add_disk(&t, ++at, ios);
	for (int i = 0; i < 2; i++)
		trees_add_disk(&t, ++at, ios += 100);
	e = start(&t, 1);
	steps(e, 1);
	engine_select(e, slot(e, "sda"));
	steps(e, 5);
	assert_int_equal(segment_bins(engine_after(e)), 5);
	steps(e, 2);
	assert_int_equal(segment_bins(engine_after(e)), 5);
	assert_int_equal(engine_hold_state(e), HOLD_NONE);
	steps(e, 1);
	assert_int_equal(segment_bins(engine_after(e)), 8);
	steps(e, 3);
	assert_int_equal(engine_hold_state(e), HOLD_IDLE);
	steps(e, 3);
	assert_int_equal(segment_bins(engine_after(e)), 8);
	steps(e, 2);
	assert_int_equal(engine_hold_state(e), HOLD_NONE);
	assert_int_equal(segment_bins(engine_after(e)), 10);
	engine_free(e);
	trees_end(&t);
}

/* nothing is known of a device with queue/iostats 0: that is no idleness, and AFTER goes on */
static void unknown_is_not_idle(void **state)
{
	struct trees t;
	struct engine *e;

	(void)state;
	trees_begin(&t);
	for (int i = 0; i <= 6; i++) {
		char name[64];

		trees_add_disk(&t, 100 + i, 1000);
		snprintf(name, sizeof(name), "%d/sys/block/sda/queue/iostats", i);
		tree_file(t.dir, name, "0\n");
	}
	e = start(&t, 1);
	steps(e, 1);
	engine_select(e, slot(e, "sda"));
	steps(e, 6);
	assert_int_equal(engine_iostats(e, slot(e, "sda")), 0);
	assert_int_equal(engine_hold_state(e), HOLD_NONE);
	assert_int_equal(segment_bins(engine_after(e)), 6);
	engine_free(e);
	trees_end(&t);
}

static void hold_by_hand_and_without_the_automatic(void **state)
{
	struct trees t;
	struct engine *e;

	(void)state;
	trees_begin(&t);
	for (unsigned long i = 0; i <= 10; i++)
		trees_add_disk(&t, 100 + (double)i, 1000 + (i < 6 ? 100 * i : 500));
	e = start(&t, 1);
	steps(e, 1);
	engine_select(e, slot(e, "sda"));
	engine_toggle_auto_hold(e);
	engine_toggle_hold(e);
	steps(e, 2);
	assert_int_equal(engine_hold_state(e), HOLD_BY_HAND);
	assert_int_equal(segment_bins(engine_after(e)), 0);
	engine_toggle_hold(e);
	/* three bins with I/O, five without: all count while the automatic is off */
	steps(e, 8);
	assert_int_equal(engine_hold_state(e), HOLD_NONE);
	assert_int_equal(segment_bins(engine_after(e)), 8);
	engine_free(e);
	trees_end(&t);
}

static void time_that_stands_still_is_no_interval(void **state)
{
	struct trees t;
	struct engine *e;

	(void)state;
	trees_begin(&t);
	trees_add_disk(&t, 100, 1000);
	trees_add_disk(&t, 100, 1100);
	trees_add_disk(&t, 99, 1200);
	trees_add_disk(&t, 100, 1250);
	e = start(&t, 1);
	steps(e, 2);
	assert_int_equal(engine_delta(e, slot(e, "sda"))->state, DELTA_FIRST);
	steps(e, 1);
	assert_int_equal(engine_delta(e, slot(e, "sda"))->state, DELTA_FIRST);
	steps(e, 1);
	assert_int_equal(engine_delta(e, slot(e, "sda"))->v[WR_IOS], 50);
	engine_free(e);
	trees_end(&t);
}

static void stuck_is_in_flight_without_completions(void **state)
{
	struct trees t;
	struct engine *e;

	(void)state;
	trees_begin(&t);
	for (int i = 0; i < 6; i++) {
		struct text line = TEXT_INIT;

		text_addf(&line, "9 127 md127 10 0 80 10 5 0 40 5 22 %d %d\n", 100 + 1000 * i, 100 + 22000 * i);
		trees_add(&t, 100 + i, text_str(&line));
		text_release(&line);
	}
	e = start(&t, 1);
	steps(e, 2);
	assert_true(engine_stuck_s(e, slot(e, "md127")) < 0.5);
	steps(e, 4);
	assert_float_equal((float)engine_stuck_s(e, slot(e, "md127")), 5, 0.01f);
	engine_free(e);
	trees_end(&t);
}

static int set_up(void **state)
{
	(void)state;
	quit_install();
	return 0;
}

/* Their attributes read again; whether that was any news. */
static bool ask_again(struct engine *e, uint32_t s)
{
	bool news;

	engine_ask_attributes(e, s);
	assert_true(engine_wait_idle(e, 10000));
	news = e->news & (1U << ENGINE_ATTRIBUTES);
	e->news = 0;
	return news;
}

static const char *value_of(const struct engine *e, uint32_t s, const char *name)
{
	const struct attribute *a = engine_attribute(e, s, name);

	return a ? a->value : "not there";
}

#define QUEUE "0/sys/devices/virtual/block/sda/queue/"

/* Between two listings only what can change is read; what has gone, and another scheduler, are seen all the same. */
static void attributes_are_read_again(void **state)
{
	char path[512];
	struct trees t;
	struct engine *e;
	uint32_t s;

	(void)state;
	trees_begin(&t);
	trees_add_disk(&t, 100, 1000);
	tree_link(t.dir, "0/sys/block/sda", "../devices/virtual/block/sda");
	tree_file(t.dir, QUEUE "scheduler", "[none] mq-deadline\n");
	tree_file(t.dir, QUEUE "nr_requests", "32\n");
	tree_file(t.dir, QUEUE "wbt_lat_usec", "75000\n");
	tree_file(t.dir, QUEUE "max_hw_sectors_kb", "512\n");
	tree_path(t.dir, QUEUE "max_hw_sectors_kb", path, sizeof(path));
	assert_int_equal(chmod(path, 0444), 0);
	e = start(&t, 1);
	steps(e, 1);
	s = slot(e, "sda");
	ask_again(e, s);
	assert_string_equal(value_of(e, s, "queue/max_hw_sectors_kb"), "512");
	assert_false(ask_again(e, s));
	assert_string_equal(value_of(e, s, "queue/max_hw_sectors_kb"), "512");

	tree_file(t.dir, QUEUE "nr_requests", "64\n");
	tree_file(t.dir, QUEUE "iosched/read_expire", "500\n");
	tree_path(t.dir, QUEUE "wbt_lat_usec", path, sizeof(path));
	assert_int_equal(unlink(path), 0);
	assert_true(ask_again(e, s));
	assert_string_equal(value_of(e, s, "queue/nr_requests"), "64");
	assert_string_equal(value_of(e, s, "queue/wbt_lat_usec"), "not there");

	/* something has gone, so they were listed anew: what came is seen, and nothing more goes */
	assert_true(ask_again(e, s));
	assert_string_equal(value_of(e, s, "queue/iosched/read_expire"), "500");
	assert_string_equal(value_of(e, s, "queue/max_hw_sectors_kb"), "512");
	assert_false(ask_again(e, s));

	tree_file(t.dir, QUEUE "scheduler", "none [mq-deadline]\n");
	tree_file(t.dir, QUEUE "iosched/fifo_batch", "16\n");
	assert_true(ask_again(e, s));
	assert_string_equal(value_of(e, s, "queue/scheduler"), "none [mq-deadline]");
	assert_true(ask_again(e, s));
	assert_string_equal(value_of(e, s, "queue/iosched/fifo_batch"), "16");
	engine_free(e);
	trees_end(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_come_from_the_trees_own_clock),
		cmocka_unit_test(a_second_round_starts_afresh),
		cmocka_unit_test(devices_come_go_and_come_back),
		cmocka_unit_test(short_intervals_become_bins_of_a_second),
		cmocka_unit_test(before_is_what_after_was),
		cmocka_unit_test(idle_stack_holds_after),
		cmocka_unit_test(unknown_is_not_idle),
		cmocka_unit_test(hold_by_hand_and_without_the_automatic),
		cmocka_unit_test(time_that_stands_still_is_no_interval),
		cmocka_unit_test(stuck_is_in_flight_without_completions),
		cmocka_unit_test(attributes_are_read_again),
	};

	return cmocka_run_group_tests_name("engine", tests, set_up, NULL);
}
