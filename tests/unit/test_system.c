/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/system.h"

static const char stat_before[] =
	"cpu  100 1 50 1000 200 3 4 5 60 7\n"
	"cpu0 50 1 25 500 100 3 4 5 60 7\n"
	"cpu1 50 0 25 500 100 0 0 0 0 0\n"
	"intr 5000 1 2 3 4 5 6 7 8 9\n"
	"ctxt 7000\n"
	"btime 1700000000\n"
	"processes 12345\n"
	"procs_running 2\n"
	"procs_blocked 1\n"
	"softirq 900 10 20 30 40 500 60 70 80 90 100\n";

/* 200 ticks later: user +30, iowait +50, idle +120; CPU 0 worked 10 of its 100, CPU 1 20. */
static const char stat_now[] =
	"cpu  130 1 50 1120 250 3 4 5 60 7\n"
	"cpu0 60 1 25 560 130 3 4 5 60 7\n"
	"cpu1 70 0 25 560 120 0 0 0 0 0\n"
	"intr 5400 1 2 3\n"
	"ctxt 7100\n"
	"procs_running 4\n"
	"procs_blocked 3\n"
	"softirq 999 10 20 30 40 560 60 70 80 90 100\n";

static const char psi_before[] =
	"some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\n"
	"full avg10=0.00 avg60=0.00 avg300=0.00 total=500000\n";

static const char psi_now[] =
	"some avg10=9.99 avg60=0.00 avg300=0.00 total=1500000\n"
	"full avg10=0.00 avg60=0.00 avg300=0.00 total=700000\n";

struct pair {
	struct system_counters before, now;
	struct system_delta d;
};

static void read_pair(struct pair *p, const char *before, const char *now)
{
	*p = (struct pair){ .before = { .has = 0 } };
	system_parse_stat(&p->before, before);
	system_parse_stat(&p->now, now);
}

static void release(struct pair *p)
{
	system_counters_release(&p->before);
	system_counters_release(&p->now);
}

static void assert_value(const struct system_delta *d, enum system_id id, double expected)
{
	struct value v = system_value(d, id);

	if (v.why != NA_NONE || fabs(v.v - expected) > 1e-9)
		fail_msg("%s is %f (%s), not %f", system_metrics[id].name, v.v, na_text(v.why), expected);
}

static void assert_na(const struct system_delta *d, enum system_id id, enum na why)
{
	struct value v = system_value(d, id);

	if (v.why != why || v.v != 0)
		fail_msg("%s is %f (%s), not %s", system_metrics[id].name, v.v, na_text(v.why), na_text(why));
}

/* CPU 0 worked 30 of 100 ticks since boot, CPU 1 60 of 100: no CPU is left out because nothing came before */
static void since_boot_is_the_counters_themselves(void **state)
{
	struct system_counters now = { 0 };
	struct system_delta d;

	(void)state;
	system_parse_stat(&now, "cpu  90 0 0 110 0 0 0 0\ncpu0 30 0 0 70 0 0 0 0\ncpu1 60 0 0 40 0 0 0 0\nctxt 500\n");
	system_delta_since_boot(&d, &now, 10);
	assert_value(&d, S_BUSIEST_CPU, 60);
	assert_int_equal(d.busiest_cpu, 1);
	assert_value(&d, S_CTXT, 50);
	system_counters_release(&now);
}

static void every_value_of_an_interval(void **state)
{
	struct pair p;

	(void)state;
	read_pair(&p, stat_before, stat_now);
	system_parse_pressure(&p.before, psi_before);
	system_parse_pressure(&p.now, psi_now);
	p.before.has |= SYS_PAGING | SYS_DIRTY;
	p.now.has |= SYS_PAGING | SYS_DIRTY;
	p.before.pgpgin_kib = 100;
	p.now.pgpgin_kib = 300;
	p.now.pgpgout_kib = 50;
	p.now.dirty_kib = 4096;
	p.now.writeback_kib = 12;
	system_delta_compute(&p.d, &p.before, &p.now, 2);
	assert_value(&p.d, S_IOWAIT, 25);
	assert_value(&p.d, S_BUSIEST_CPU, 20);
	assert_int_equal(p.d.busiest_cpu, 1);
	assert_value(&p.d, S_RUNNING, 4);
	assert_value(&p.d, S_BLOCKED, 3);
	assert_value(&p.d, S_CTXT, 50);
	assert_value(&p.d, S_INTR, 200);
	assert_value(&p.d, S_SOFTIRQ_BLOCK, 30);
	assert_value(&p.d, S_PGPGIN, 100);
	assert_value(&p.d, S_PGPGOUT, 25);
	assert_value(&p.d, S_DIRTY, 4096);
	assert_value(&p.d, S_WRITEBACK, 12);
	/* 0.5 s and 0.2 s of 2 s */
	assert_value(&p.d, S_PSI_SOME, 25);
	assert_value(&p.d, S_PSI_FULL, 10);
	release(&p);
}

static void keys_are_the_documented_ones(void **state)
{
	static const char *const keys[SYSTEM_METRICS] = {
		"iowait %", "busiest CPU %", "running", "blocked", "ctxt/s", "intr/s", "softirq-block/s", "pgpgin/s",
		"pgpgout/s", "dirty KiB", "writeback KiB", "psi-io-some %", "psi-io-full %",
	};

	(void)state;
	for (size_t i = 0; i < SYSTEM_METRICS; i++) {
		const struct system_metric *m = &system_metrics[i];

		assert_string_equal(m->name, keys[i]);
		assert_int_equal(m->rules.direction, 0);
		assert_int_equal(!!(m->rules.flags & METRIC_PERCENT), !strcmp(m->unit, "%"));
		assert_true(m->help[strlen(m->help) - 1] == '.');
	}
}

static void assert_floor(enum system_id id, double rel, double abs)
{
	assert_true(system_metrics[id].rules.floor_rel == rel);
	assert_true(system_metrics[id].rules.floor_abs == abs);
}

static void floors_are_the_documented_ones(void **state)
{
	(void)state;
	assert_floor(S_IOWAIT, 0, 2);
	assert_floor(S_BUSIEST_CPU, 0, 2);
	assert_floor(S_RUNNING, 0.05, 1);
	assert_floor(S_BLOCKED, 0.05, 1);
	assert_floor(S_CTXT, 0.02, 1);
	assert_floor(S_INTR, 0.02, 1);
	assert_floor(S_SOFTIRQ_BLOCK, 0.02, 1);
	assert_floor(S_PGPGIN, 0.02, 1);
	assert_floor(S_PGPGOUT, 0.02, 1);
	assert_floor(S_DIRTY, 0.02, 1024);
	assert_floor(S_WRITEBACK, 0.02, 1024);
	assert_floor(S_PSI_SOME, 0, 2);
	assert_floor(S_PSI_FULL, 0, 2);
}

static void what_is_missing_is_not_0(void **state)
{
	struct pair p;

	(void)state;
	read_pair(&p, "", "cpu  1 2 3\nctxt\nintr x\nsoftirq 1 2 3 4 5\nprocs_running -1\nprocs_blocked 1x\n");
	system_parse_pressure(&p.now, "some avg10=0.00 total=5\n");
	assert_int_equal(p.now.has, 0);
	system_delta_compute(&p.d, &p.before, &p.now, 1);
	for (int id = 0; id < SYSTEM_METRICS; id++)
		assert_na(&p.d, (enum system_id)id, NA_SYSTEM);
	assert_int_equal(p.d.busiest_cpu, -1);
	p.now.has = SYS_PSI_OFF;
	system_delta_compute(&p.d, &p.before, &p.now, 1);
	assert_na(&p.d, S_PSI_SOME, NA_PSI_OFF);
	assert_na(&p.d, S_PSI_FULL, NA_PSI_OFF);
	assert_na(&p.d, S_CTXT, NA_SYSTEM);
	release(&p);
}

static void hostile_text_does_no_harm(void **state)
{
	static const char *const texts[] = {
		"cpu", "cpu\n", "cpu ", "cpu99999999999999999999 1 2 3 4 5 6 7 8\n", "cpu65536 1 2 3 4 5 6 7 8\n",
		"cpu18446744073709551615 1 2 3 4 5 6 7 8\n", "cpux 1 2 3 4 5 6 7 8\n", "cpu1 1 2 3 4 5 6 7\n8 9",
		"cpu1x 1 2 3 4 5 6 7 8", "cpufreq 1 2 3 4 5 6 7 8", "cpu 1 2 3 4 5 6 7 99999999999999999999\n",
		"ctxt 18446744073709551616\n", "intr", "softirq\n1 2 3 4 5 6 7\n", "\n\n\n", "some total=",
		"some avg10=1\nfull total=3",
		"some\ntotal=7",
		"full avg10=1 total=x\nsome avg10=1\ntotal=3", "some  total=99999999999999999999\n",
	};
	struct system_counters s = { .has = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		system_parse_stat(&s, texts[i]);
		system_parse_pressure(&s, texts[i]);
		assert_int_equal(s.has, 0);
		assert_int_equal(s.n_cpus, 0);
	}
	/* the highest number that a CPU may have */
	system_parse_stat(&s, "cpu65535 1 2 3 4 5 6 7 8");
	assert_int_equal(s.n_cpus, 65536);
	assert_int_equal(s.cpus[65535].iowait, 5);
	assert_int_equal(s.cpus[65534].idle, 0);
	system_counters_release(&s);
	assert_int_equal(s.n_cpus, 0);
}

/* CPU 1 was the busiest while it was there; samples are used in turn, so its old numbers must not come back. */
static void cpus_come_and_go(void **state)
{
	struct pair p;

	(void)state;
	read_pair(&p, "cpu0 10 0 0 10 0 0 0 0\ncpu1 10 0 0 10 0 0 0 0\n",
		  "cpu0 15 0 0 15 0 0 0 0\ncpu1 20 0 0 10 0 0 0 0\n");
	system_delta_compute(&p.d, &p.before, &p.now, 1);
	assert_int_equal(p.d.busiest_cpu, 1);
	assert_value(&p.d, S_BUSIEST_CPU, 100);
	system_parse_stat(&p.before, "cpu0 20 0 0 20 0 0 0 0\n");
	system_delta_compute(&p.d, &p.now, &p.before, 1);
	assert_int_equal(p.d.busiest_cpu, 0);
	assert_value(&p.d, S_BUSIEST_CPU, 50);
	system_parse_stat(&p.now, "cpu0 25 0 0 35 0 0 0 0\n");
	system_delta_compute(&p.d, &p.before, &p.now, 1);
	assert_int_equal(p.d.busiest_cpu, 0);
	assert_value(&p.d, S_BUSIEST_CPU, 25);
	/* back again: first seen, no share yet */
	system_parse_stat(&p.before, "cpu0 25 0 0 45 0 0 0 0\ncpu1 30 0 0 10 0 0 0 0\n");
	system_delta_compute(&p.d, &p.now, &p.before, 1);
	assert_int_equal(p.d.busiest_cpu, 0);
	assert_value(&p.d, S_BUSIEST_CPU, 0);
	release(&p);
}

static void iowait_that_steps_back_is_0(void **state)
{
	struct pair p;

	(void)state;
	read_pair(&p, "cpu  10 0 0 10 50 0 0 0\n", "cpu  20 0 0 40 49 0 0 0\n");
	system_delta_compute(&p.d, &p.before, &p.now, 1);
	assert_value(&p.d, S_IOWAIT, 0);
	release(&p);
	/* shorter than a tick of the clock */
	read_pair(&p, "cpu  10 0 0 10 50 0 0 0\n", "cpu  10 0 0 10 50 0 0 0\n");
	system_delta_compute(&p.d, &p.before, &p.now, 0.001);
	assert_na(&p.d, S_IOWAIT, NA_RESOLUTION);
	release(&p);
}

static void counters_that_fall_were_reset(void **state)
{
	struct pair p;

	(void)state;
	read_pair(&p, stat_now, stat_before);
	system_parse_pressure(&p.before, psi_now);
	system_parse_pressure(&p.now, psi_before);
	system_delta_compute(&p.d, &p.before, &p.now, 1);
	assert_na(&p.d, S_CTXT, NA_RESET);
	assert_na(&p.d, S_INTR, NA_RESET);
	assert_na(&p.d, S_SOFTIRQ_BLOCK, NA_RESET);
	assert_na(&p.d, S_IOWAIT, NA_RESET);
	assert_na(&p.d, S_BUSIEST_CPU, NA_RESET);
	assert_na(&p.d, S_PSI_SOME, NA_RESET);
	/* present values know no before */
	assert_value(&p.d, S_BLOCKED, 1);
	release(&p);
}

static void an_interval_without_length_has_no_value(void **state)
{
	struct pair p;

	(void)state;
	read_pair(&p, stat_before, stat_now);
	system_delta_compute(&p.d, &p.before, &p.now, 0);
	assert_na(&p.d, S_CTXT, NA_FIRST);
	system_delta_compute(&p.d, &p.before, &p.now, -1);
	assert_na(&p.d, S_BLOCKED, NA_FIRST);
	release(&p);
}

static void intervals_add_up(void **state)
{
	struct system_delta sum = { .seconds = 0 };
	struct pair p;

	(void)state;
	read_pair(&p, stat_before, stat_now);
	system_delta_compute(&p.d, &p.before, &p.now, 1);
	system_delta_append(&sum, &p.d);
	assert_value(&sum, S_CTXT, 100);
	/* three more seconds in which nothing happened: 100 switches in 4 s, tasks 4 and 4 and then none */
	p.before.ctxt = p.now.ctxt;
	system_delta_compute(&p.d, &p.before, &p.now, 3);
	system_delta_append(&sum, &p.d);
	assert_value(&sum, S_CTXT, 25);
	assert_value(&sum, S_RUNNING, 4);
	p.now.running = 1;
	system_delta_compute(&p.d, &p.before, &p.now, 3);
	system_delta_append(&sum, &p.d);
	assert_value(&sum, S_RUNNING, 3);
	assert_true(sum.seconds == 7);
	assert_int_equal(sum.busiest_cpu, 1);
	release(&p);
}

static void a_lost_interval_loses_the_sum_but_a_short_one_does_not(void **state)
{
	struct system_delta sum = { .seconds = 0 };
	struct system_delta lost;
	struct pair p, still;

	(void)state;
	read_pair(&p, stat_before, stat_now);
	read_pair(&still, stat_now, stat_now);
	system_delta_compute(&p.d, &p.before, &p.now, 1);
	system_delta_compute(&still.d, &still.before, &still.now, 0.01);
	system_delta_append(&sum, &still.d);
	assert_na(&sum, S_IOWAIT, NA_RESOLUTION);
	system_delta_append(&sum, &p.d);
	system_delta_append(&sum, &still.d);
	assert_value(&sum, S_IOWAIT, 25);
	system_delta_unavailable(&lost, NA_NEW);
	assert_na(&lost, S_BLOCKED, NA_NEW);
	system_delta_append(&sum, &lost);
	system_delta_append(&sum, &p.d);
	assert_na(&sum, S_IOWAIT, NA_NEW);
	release(&p);
	release(&still);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(since_boot_is_the_counters_themselves),
		cmocka_unit_test(every_value_of_an_interval),
		cmocka_unit_test(keys_are_the_documented_ones),
		cmocka_unit_test(floors_are_the_documented_ones),
		cmocka_unit_test(what_is_missing_is_not_0),
		cmocka_unit_test(hostile_text_does_no_harm),
		cmocka_unit_test(cpus_come_and_go),
		cmocka_unit_test(iowait_that_steps_back_is_0),
		cmocka_unit_test(counters_that_fall_were_reset),
		cmocka_unit_test(an_interval_without_length_has_no_value),
		cmocka_unit_test(intervals_add_up),
		cmocka_unit_test(a_lost_interval_loses_the_sum_but_a_short_one_does_not),
	};

	return cmocka_run_group_tests_name("system", tests, NULL, NULL);
}
