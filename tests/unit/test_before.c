/* SPDX-License-Identifier: GPL-2.0-or-later */
/* BEFORE against AFTER: who is compared with whom, kernels, knobs, marks. On trees with a little sysfs. */
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
#include "base/quit.h"
#include "base/text.h"
#include "engine/engine.h"
#include "engine/state.h"
#include "tree.h"

#define STEPS 40

struct run {
	char dir[256];
	char *paths[STEPS];
	int n;
	struct engine *e;
};

/* One disk in step `i`; ios and merges of writes so far. */
struct disk {
	const char *name, *wwid, *diskseq, *scheduler, *nr_requests;
	unsigned long ios, merges;
};

static void put_attribute(const struct run *r, const struct disk *d, const char *attribute, const char *value)
{
	char name[128];

	if (!value)
		return;
	snprintf(name, sizeof(name), "%d/sys/block/%s/%s", r->n, d->name, attribute);
	tree_file(r->dir, name, value);
}

static void begin(struct run *r)
{
	memset(r, 0, sizeof(*r));
	assert_non_null(tree_new(r->dir, sizeof(r->dir)));
}

/* Add a step with these disks (up to two). */
static void add_step(struct run *r, const char *release, const struct disk *disks, size_t n)
{
	struct text text = TEXT_INIT;
	char name[128];

	text_addf(&text, "%s/%d", r->dir, r->n);
	r->paths[r->n] = xstrdup(text_str(&text));
	text_clear(&text);
	for (size_t i = 0; i < n; i++) {
		const struct disk *d = &disks[i];

		text_addf(&text, "8 %zu %s 10 0 80 10 %lu %lu %lu %lu 0 %lu %lu\n", i * 16, d->name, d->ios, d->merges,
			  d->ios * 8, d->ios, d->ios + 10, d->ios + 10);
		put_attribute(r, d, "diskseq", d->diskseq);
		put_attribute(r, d, "device/wwid", d->wwid);
		put_attribute(r, d, "queue/scheduler", d->scheduler);
		put_attribute(r, d, "queue/nr_requests", d->nr_requests);
	}
	snprintf(name, sizeof(name), "%d/proc/diskstats", r->n);
	tree_file(r->dir, name, text_str(&text));
	snprintf(name, sizeof(name), "%d/proc/uptime", r->n);
	text_clear(&text);
	text_addf(&text, "%d.00 0.00\n", 1000 + r->n);
	tree_file(r->dir, name, text_str(&text));
	snprintf(name, sizeof(name), "%d/proc/sys/kernel/osrelease", r->n);
	tree_file(r->dir, name, release);
	text_release(&text);
	r->n++;
}

static void start(struct run *r)
{
	struct engine_options options = {
		.roots = (const char *const *)r->paths, .n_roots = (size_t)r->n, .rounds = 1, .interval_s = 1,
		.with_segments = true,
	};

	r->e = engine_new(&options);
	assert_non_null(r->e);
}

static void end(struct run *r)
{
	engine_free(r->e);
	tree_remove(r->dir);
	for (int i = 0; i < r->n; i++)
		free(r->paths[i]);
}

static void steps(struct run *r, int n)
{
	while (n-- > 0)
		assert_int_equal(engine_step(r->e), ENGINE_SAMPLE);
}

static uint32_t slot(const struct run *r, const char *name)
{
	return roster_find(engine_roster(r->e), name, strlen(name));
}

/* `sda` for ten steps, away for one, then a disk of that or another name: 100 writes a second, with a little noise */
static void disk_returns(struct run *r, const struct disk *back, const char *release)
{
	begin(r);
	for (unsigned long i = 0; i < 12; i++) {
		struct disk d = { "sda", "naa.5000", "3\n", NULL, NULL, 1000 + 100 * i + i % 3, 0 };

		add_step(r, "6.12.0", &d, 1);
	}
	add_step(r, "6.12.0", NULL, 0);
	for (unsigned long i = 0; i < 12; i++) {
		struct disk d = *back;

		d.ios = 9000 + 100 * i + i % 3;
		add_step(r, release, &d, 1);
	}
	start(r);
	steps(r, 12);
	assert_true(engine_pin_before(r->e));
	steps(r, 13);
}

static void a_disk_that_returns_is_known_by_its_wwid(void **state)
{
	const struct disk back = { .name = "sda", .wwid = "naa.5000", .diskseq = "9\n" };
	struct comparison c;
	struct run r;

	(void)state;
	disk_returns(&r, &back, "6.12.0");
	assert_true(engine_compare(r.e, slot(&r, "sda"), M_W_S, &c));
	assert_int_equal(c.verdict, VERDICT_NOISE);
	assert_true(c.has_change);
	assert_string_equal(engine_matched_by(r.e, slot(&r, "sda")), "wwid");
	end(&r);
}

static void and_under_another_name(void **state)
{
	const struct disk back = { .name = "sdq", .wwid = "naa.5000", .diskseq = "9\n" };
	struct comparison c;
	struct run r;

	(void)state;
	disk_returns(&r, &back, "6.12.0");
	assert_true(engine_compare(r.e, slot(&r, "sdq"), M_W_S, &c));
	assert_int_equal(c.verdict, VERDICT_NOISE);
	assert_int_equal(engine_before_slot(r.e, slot(&r, "sdq")), slot(&r, "sda"));
	/* the old name is gone all the same */
	assert_true(engine_compare(r.e, slot(&r, "sda"), M_W_S, &c));
	assert_int_equal(c.verdict, VERDICT_GONE);
	assert_false(c.has_change);
	end(&r);
}

static void another_disk_under_the_old_name_is_new(void **state)
{
	const struct disk back = { .name = "sda", .wwid = "naa.6000", .diskseq = "9\n" };
	struct comparison c;
	struct run r;

	(void)state;
	disk_returns(&r, &back, "6.12.0");
	assert_true(engine_compare(r.e, slot(&r, "sda"), M_W_S, &c));
	assert_int_equal(c.verdict, VERDICT_NEW);
	assert_false(c.has_change);
	assert_null(engine_matched_by(r.e, slot(&r, "sda")));
	end(&r);
}

/* two disks that say the same of themselves: neither is taken for the one that was */
static void an_identity_that_is_not_unique_is_no_match(void **state)
{
	struct comparison c;
	struct run r;

	(void)state;
	begin(&r);
	for (unsigned long i = 0; i < 6; i++) {
		struct disk d = { "sda", "naa.5000", "3\n", NULL, NULL, 1000 + 100 * i, 0 };

		add_step(&r, "6.12.0", &d, 1);
	}
	for (unsigned long i = 0; i < 8; i++) {
		struct disk d[] = {
			{ "sdb", "naa.5000", "7\n", NULL, NULL, 1000 + 100 * i, 0 },
			{ "sdc", "naa.5000", "8\n", NULL, NULL, 1000 + 100 * i, 0 },
		};

		add_step(&r, "6.12.0", d, 2);
	}
	start(&r);
	steps(&r, 6);
	assert_true(engine_pin_before(r.e));
	steps(&r, 8);
	assert_true(engine_compare(r.e, slot(&r, "sdb"), M_W_S, &c));
	assert_int_equal(c.verdict, VERDICT_NEW);
	assert_true(engine_compare(r.e, slot(&r, "sdc"), M_W_S, &c));
	assert_int_equal(c.verdict, VERDICT_NEW);
	end(&r);
}

/* METRICS: across eras %util gets no verdict, w/s does */
static void across_eras_some_metrics_have_no_verdict(void **state)
{
	struct comparison c;
	struct run r;

	(void)state;
	begin(&r);
	for (unsigned long i = 0; i < 30; i++) {
		struct disk d = { "sda", "naa.5000", "3\n", NULL, NULL, 1000 + 100 * i + i % 3, 0 };

		add_step(&r, i < 15 ? "4.18.0-80.el8" : "6.12.0", &d, 1);
	}
	start(&r);
	steps(&r, 15);
	assert_true(engine_pin_before(r.e));
	steps(&r, 15);
	assert_string_equal(engine_before_release(r.e), "4.18.0-80.el8");
	assert_true(engine_compare(r.e, slot(&r, "sda"), M_PCT_UTIL, &c));
	assert_int_equal(c.verdict, VERDICT_NA);
	assert_int_equal(c.why_after, NA_ERA);
	assert_true(engine_compare(r.e, slot(&r, "sda"), M_W_S, &c));
	assert_int_equal(c.verdict, VERDICT_NOISE);
	end(&r);
}

static void differing_knobs_are_found(void **state)
{
	struct setup_change *changes;
	size_t n;
	struct run r;

	(void)state;
	begin(&r);
	for (unsigned long i = 0; i < 8; i++) {
		struct disk d = { "sda", "naa.5000", "3\n", "[none] mq-deadline\n", "256\n", 1000 + 100 * i, 0 };

		if (i >= 4) {
			d.scheduler = "none [mq-deadline]\n";
			d.nr_requests = NULL;
		}
		add_step(&r, "6.12.0", &d, 1);
	}
	start(&r);
	steps(&r, 4);
	assert_true(engine_pin_before(r.e));
	assert_int_equal(engine_setup(r.e, &changes), 0);
	engine_setup_free(changes, 0);
	steps(&r, 4);
	n = engine_setup(r.e, &changes);
	assert_int_equal(n, 2);
	for (size_t i = 0; i < n; i++) {
		assert_string_equal(changes[i].device, "sda");
		if (!strcmp(changes[i].attribute, "queue/scheduler")) {
			assert_string_equal(changes[i].before, "none");
			assert_string_equal(changes[i].after, "mq-deadline");
		} else {
			assert_string_equal(changes[i].attribute, "queue/nr_requests");
			assert_string_equal(changes[i].before, "256");
			assert_null(changes[i].after);
		}
	}
	engine_setup_free(changes, n);
	end(&r);
}

/* merges appear where there were none: a percentage has no base, the mark is there all the same */
static void a_rise_from_0_is_marked(void **state)
{
	struct run r;

	(void)state;
	begin(&r);
	for (unsigned long i = 0; i < 36; i++) {
		struct disk d = { "sda", NULL, NULL, NULL, NULL, 1000 + 100 * i, i < 16 ? 0 : (i - 15) * 5000 + i % 5 };

		add_step(&r, "6.12.0", &d, 1);
	}
	start(&r);
	steps(&r, 16);
	assert_true(engine_pin_before(r.e));
	steps(&r, 8);
	assert_int_equal(engine_mark(r.e, slot(&r, "sda"), M_WRQM_S), 0);
	steps(&r, 12);
	assert_int_equal(engine_mark(r.e, slot(&r, "sda"), M_WRQM_S), 1);
	assert_int_equal(engine_mark(r.e, slot(&r, "sda"), M_RRQM_S), 0);
	end(&r);
}

static void marks_in_time_are_kept(void **state)
{
	const struct mark *marks;
	size_t n;
	struct run r;

	(void)state;
	begin(&r);
	for (unsigned long i = 0; i < 3; i++) {
		struct disk d = { .name = "sda", .ios = 100 * i };

		add_step(&r, "6.12.0", &d, 1);
	}
	start(&r);
	steps(&r, 2);
	assert_int_equal(engine_add_mark(r.e, ""), 1);
	steps(&r, 1);
	assert_int_equal(engine_add_mark(r.e, "queue\033 changed"), 2);
	marks = engine_marks(r.e, &n);
	assert_int_equal(n, 2);
	assert_string_equal(marks[0].words, "");
	assert_string_equal(marks[1].words, "queue? changed");
	assert_true(marks[0].t_ns == INT64_C(1001000000000));
	assert_true(marks[1].t_ns == INT64_C(1002000000000));
	end(&r);
}

/* A source that does what it is told: a live one with a suspend, a slow read. */
struct scripted {
	struct source source;
	int64_t t_ns, boot_ns, read_ns;
	unsigned long ios;
};

static int scripted_read(struct source *source, struct sample *s, bool with_system)
{
	struct scripted *self = (struct scripted *)source;

	(void)with_system;
	self->t_ns += INT64_C(1000000000);
	self->ios += 100;
	s->t_ns = self->t_ns;
	s->boot_ns = self->boot_ns;
	s->read_ns = self->read_ns;
	text_clear(&s->raw);
	text_addf(&s->raw, "8 0 sda 0 0 0 0 %lu 0 %lu %lu 0 %lu %lu\n", self->ios, self->ios * 8, self->ios, self->ios,
		  self->ios);
	return 0;
}

static void scripted_free(struct source *source)
{
	free(source);
}

static const struct source_ops scripted_ops = { scripted_read, scripted_free };

static void suspends_and_slow_reads_are_left_out(void **state)
{
	struct disk d = { .name = "sda", .ios = 1 };
	struct scripted *source = xcalloc(1, sizeof(*source));
	struct run r;

	(void)state;
	begin(&r);
	add_step(&r, "6.12.0", &d, 1);
	start(&r);
	source_free(r.e->source);
	source->source = (struct source){ .ops = &scripted_ops, .word_bits = 64, .release = "", .host = "" };
	r.e->source = &source->source;
	steps(&r, 4);
	assert_int_equal(segment_bins(engine_after(r.e)), 3);
	/* an hour of suspend: the monotonic clock stood still, so the interval is a second, but no measurement */
	source->boot_ns += INT64_C(3600000000000);
	steps(&r, 1);
	assert_int_equal(segment_bins(engine_after(r.e)), 3);
	assert_int_equal(engine_delta(r.e, slot(&r, "sda"))->v[WR_IOS], 100);
	steps(&r, 1);
	assert_int_equal(segment_bins(engine_after(r.e)), 4);
	/* more than 5% of the bin */
	source->read_ns = 60 * 1000 * 1000;
	steps(&r, 1);
	assert_int_equal(segment_bins(engine_after(r.e)), 4);
	source->read_ns = 40 * 1000 * 1000;
	steps(&r, 1);
	assert_int_equal(segment_bins(engine_after(r.e)), 5);
	/* a pause */
	engine_set_paused(r.e, true);
	engine_set_paused(r.e, false);
	steps(&r, 1);
	assert_int_equal(segment_bins(engine_after(r.e)), 5);
	end(&r);
}

static int set_up(void **state)
{
	(void)state;
	quit_install();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disk_that_returns_is_known_by_its_wwid),
		cmocka_unit_test(and_under_another_name),
		cmocka_unit_test(another_disk_under_the_old_name_is_new),
		cmocka_unit_test(an_identity_that_is_not_unique_is_no_match),
		cmocka_unit_test(across_eras_some_metrics_have_no_verdict),
		cmocka_unit_test(differing_knobs_are_found),
		cmocka_unit_test(a_rise_from_0_is_marked),
		cmocka_unit_test(marks_in_time_are_kept),
		cmocka_unit_test(suspends_and_slow_reads_are_left_out),
	};

	return cmocka_run_group_tests_name("before", tests, set_up, NULL);
}
