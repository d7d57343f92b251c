/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Numbers of a line of /proc/stat that are used at most: a CPU's first 8 (guest time is inside user). */
#define STAT_NUMBERS 8
/* The place of block's softirqs behind their total, HI, TIMER, NET_TX, NET_RX. */
#define SOFTIRQ_BLOCK 5
#define CPU_MAX 65535

/* Lines of /proc/stat that hold one number of interest. */
static const struct stat_line {
	const char *key;
	size_t number;          /* which one */
	size_t offset;          /* of a uint64_t in struct system_counters */
	unsigned int has;
} stat_lines[] = {
	{ "intr", 0, offsetof(struct system_counters, intr), SYS_INTR },
	{ "ctxt", 0, offsetof(struct system_counters, ctxt), SYS_CTXT },
	{ "procs_running", 0, offsetof(struct system_counters, running), SYS_RUNNING },
	{ "procs_blocked", 0, offsetof(struct system_counters, blocked), SYS_BLOCKED },
	{ "softirq", SOFTIRQ_BLOCK, offsetof(struct system_counters, softirq_block), SYS_SOFTIRQ },
};

void system_counters_release(struct system_counters *s)
{
	free(s->cpus);
	*s = (struct system_counters){ .has = 0 };
}

/* A number and what ends it; false when there is none or it is too large. */
static bool take_number(const char **p, uint64_t *value)
{
	char *end;

	*p += strspn(*p, " \t");
	if (**p < '0' || **p > '9')
		return false;
	errno = 0;
	*value = strtoull(*p, &end, 10);
	*p = end;
	return !errno && (*end == '\0' || strchr(" \t\n", *end));
}

static size_t take_numbers(const char *p, uint64_t *values, size_t n)
{
	size_t i = 0;

	while (i < n && take_number(&p, &values[i]))
		i++;
	return i;
}

static struct cpu_ticks *cpu_room(struct system_counters *s, size_t cpu)
{
	if (cpu >= s->n_cpus) {
		ARRAY_GROW(s->cpus, s->capacity, cpu + 1);
		memset(s->cpus + s->n_cpus, 0, (cpu + 1 - s->n_cpus) * sizeof(*s->cpus));
		s->n_cpus = cpu + 1;
	}
	return &s->cpus[cpu];
}

/* "cpu" and "cpu3": user nice system idle iowait irq softirq steal. */
static void parse_cpu(struct system_counters *s, const char *rest)
{
	struct cpu_ticks *ticks = &s->all;
	uint64_t v[STAT_NUMBERS];
	uint64_t cpu = 0;
	bool one = *rest >= '0' && *rest <= '9';

	if (one && (!take_number(&rest, &cpu) || cpu > CPU_MAX))
		return;
	if ((*rest != ' ' && *rest != '\t') || take_numbers(rest, v, STAT_NUMBERS) < STAT_NUMBERS)
		return;
	if (one)
		ticks = cpu_room(s, (size_t)cpu);
	else
		s->has |= SYS_CPU;
	ticks->busy = v[0] + v[1] + v[2] + v[5] + v[6] + v[7];
	ticks->idle = v[3];
	ticks->iowait = v[4];
}

static void parse_stat_line(struct system_counters *s, const char *line)
{
	uint64_t v[STAT_NUMBERS];

	for (size_t i = 0; i < ARRAY_SIZE(stat_lines); i++) {
		const struct stat_line *row = &stat_lines[i];
		size_t len = strlen(row->key);

		if (strncmp(line, row->key, len) || (line[len] != ' ' && line[len] != '\t'))
			continue;
		if (take_numbers(line + len, v, row->number + 1) > row->number) {
			memcpy((char *)s + row->offset, &v[row->number], sizeof(v[0]));
			s->has |= row->has;
		}
		return;
	}
}

static const char *next_line(const char *line)
{
	const char *newline = strchr(line, '\n');

	return newline ? newline + 1 : line + strlen(line);
}

void system_parse_stat(struct system_counters *s, const char *text)
{
	if (s->n_cpus)
		memset(s->cpus, 0, s->n_cpus * sizeof(*s->cpus));
	for (; *text; text = next_line(text)) {
		if (!strncmp(text, "cpu", 3))
			parse_cpu(s, text + 3);
		else
			parse_stat_line(s, text);
	}
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345" */
static bool parse_total(const char *line, const char *key, uint64_t *value)
{
	size_t len = strlen(key);
	const char *end = line + strcspn(line, "\n");
	const char *total;

	if (strncmp(line, key, len) || line[len] != ' ')
		return false;
	total = strstr(line, " total=");
	if (!total || total > end)
		return false;
	total += strlen(" total=");
	return take_number(&total, value);
}

void system_parse_pressure(struct system_counters *s, const char *text)
{
	bool some = false, full = false;

	for (; *text; text = next_line(text)) {
		some |= parse_total(text, "some", &s->psi_some_us);
		full |= parse_total(text, "full", &s->psi_full_us);
	}
	if (some && full)
		s->has |= SYS_PSI;
}

static struct ratio no_ratio(enum na why)
{
	return (struct ratio){ 0, 0, why };
}

/* How much a counter grew by in a second, if both samples have it. */
static struct ratio rate(unsigned int has, uint64_t before, uint64_t now, double scale, double seconds)
{
	if (!has)
		return no_ratio(NA_SYSTEM);
	if (now < before)
		return no_ratio(NA_RESET);
	return (struct ratio){ (double)(now - before) * scale, seconds, NA_NONE };
}

/* A value of the moment. */
static struct ratio present(unsigned int has, uint64_t now)
{
	return has ? (struct ratio){ (double)now, 1, NA_NONE } : no_ratio(NA_SYSTEM);
}

static double growth_or_0(uint64_t before, uint64_t now)
{
	return now > before ? (double)(now - before) : 0;
}

/* A CPU's time in an interval. idle and iowait are estimates of the kernel's that may step back: 0 then. */
static struct ratio cpu_share(const struct cpu_ticks *before, const struct cpu_ticks *now, bool of_iowait)
{
	double busy, idle, iowait, all;

	if (now->busy < before->busy)
		return no_ratio(NA_RESET);
	busy = growth_or_0(before->busy, now->busy);
	idle = growth_or_0(before->idle, now->idle);
	iowait = growth_or_0(before->iowait, now->iowait);
	all = busy + idle + iowait;
	if (!(all > 0))
		return no_ratio(NA_RESOLUTION);
	return (struct ratio){ 100 * (of_iowait ? iowait : busy), all, NA_NONE };
}

static bool is_there(const struct cpu_ticks *t)
{
	return t->busy || t->idle || t->iowait;
}

static bool any_there(const struct system_counters *s)
{
	for (size_t i = 0; i < s->n_cpus; i++) {
		if (is_there(&s->cpus[i]))
			return true;
	}
	return false;
}

/* The CPU with the largest busy share among those in both samples; -1: none, and *share says why. */
static int busiest(const struct system_counters *before, const struct system_counters *now, struct ratio *share)
{
	size_t n = before->n_cpus < now->n_cpus ? before->n_cpus : now->n_cpus;
	bool since_boot = !any_there(before);
	int best = -1;

	*share = no_ratio(NA_SYSTEM);
	for (size_t i = 0; i < n; i++) {
		struct ratio r;

		if (!is_there(&now->cpus[i]) || (!is_there(&before->cpus[i]) && !since_boot))
			continue;
		r = cpu_share(&before->cpus[i], &now->cpus[i], false);
		if (r.why != NA_NONE) {
			if (best < 0)
				*share = r;
			continue;
		}
		if (best < 0 || r.n * share->d > share->n * r.d) {
			best = (int)i;
			*share = r;
		}
	}
	return best;
}

#define ROW(id) \
	static struct ratio id##_ratio(const struct system_counters *before __attribute__((unused)), \
				       const struct system_counters *now, double seconds __attribute__((unused)))

ROW(iowait)
{
	if (!(before->has & now->has & SYS_CPU))
		return no_ratio(NA_SYSTEM);
	return cpu_share(&before->all, &now->all, true);
}

ROW(busiest_cpu)
{
	struct ratio share;

	busiest(before, now, &share);
	return share;
}

ROW(running)
{
	return present(now->has & SYS_RUNNING, now->running);
}

ROW(blocked)
{
	return present(now->has & SYS_BLOCKED, now->blocked);
}

ROW(ctxt)
{
	return rate(before->has & now->has & SYS_CTXT, before->ctxt, now->ctxt, 1, seconds);
}

ROW(intr)
{
	return rate(before->has & now->has & SYS_INTR, before->intr, now->intr, 1, seconds);
}

ROW(softirq)
{
	return rate(before->has & now->has & SYS_SOFTIRQ, before->softirq_block, now->softirq_block, 1, seconds);
}

ROW(pgpgin)
{
	return rate(before->has & now->has & SYS_PAGING, before->pgpgin_kib, now->pgpgin_kib, 1, seconds);
}

ROW(pgpgout)
{
	return rate(before->has & now->has & SYS_PAGING, before->pgpgout_kib, now->pgpgout_kib, 1, seconds);
}

ROW(dirty)
{
	return present(now->has & SYS_DIRTY, now->dirty_kib);
}

ROW(writeback)
{
	return present(now->has & SYS_DIRTY, now->writeback_kib);
}

static struct ratio psi(const struct system_counters *before, const struct system_counters *now, uint64_t us_before,
			uint64_t us_now, double seconds)
{
	if (now->has & SYS_PSI_OFF && !(now->has & SYS_PSI))
		return no_ratio(NA_PSI_OFF);
	return rate(before->has & now->has & SYS_PSI, us_before, us_now, 100 / 1e6, seconds);
}

ROW(psi_some)
{
	return psi(before, now, before->psi_some_us, now->psi_some_us, seconds);
}

ROW(psi_full)
{
	return psi(before, now, before->psi_full_us, now->psi_full_us, seconds);
}

#define RULES_PERCENT { 0, 2, 0, METRIC_PERCENT }
#define RULES_RATE { 0.02, 1, 0, 0 }
#define RULES_KIB { 0.02, 1024, 0, 0 }
#define RULES_TASKS { 0.05, 1, 0, 0 }

const struct system_metric system_metrics[SYSTEM_METRICS] = {
	[S_IOWAIT] = { "iowait %", "%", "Percentage of all CPUs' time that was idle while a task waited for I/O.",
		iowait_ratio, RULES_PERCENT },
	[S_BUSIEST_CPU] = { "busiest CPU %", "%", "Percentage of its time that the busiest single CPU worked.",
		busiest_cpu_ratio, RULES_PERCENT },
	[S_RUNNING] = { "running", "tasks", "Tasks that run or could run.",
		running_ratio, RULES_TASKS },
	[S_BLOCKED] = { "blocked", "tasks", "Tasks that are blocked until I/O completes.",
		blocked_ratio, RULES_TASKS },
	[S_CTXT] = { "ctxt/s", "1/s", "Context switches a second.",
		ctxt_ratio, RULES_RATE },
	[S_INTR] = { "intr/s", "1/s", "Interrupts served a second.",
		intr_ratio, RULES_RATE },
	[S_SOFTIRQ_BLOCK] = { "softirq-block/s", "1/s", "Soft interrupts of the block layer a second.",
		softirq_ratio, RULES_RATE },
	[S_PGPGIN] = { "pgpgin/s", "KiB/s", "Data that all block devices read in, in KiB a second.",
		pgpgin_ratio, RULES_RATE },
	[S_PGPGOUT] = { "pgpgout/s", "KiB/s", "Data written out to all block devices, in KiB a second.",
		pgpgout_ratio, RULES_RATE },
	[S_DIRTY] = { "dirty KiB", "KiB", "Memory in KiB that waits to be written to disk.",
		dirty_ratio, RULES_KIB },
	[S_WRITEBACK] = { "writeback KiB", "KiB", "Memory in KiB that is being written to disk.",
		writeback_ratio, RULES_KIB },
	[S_PSI_SOME] = { "psi-io-some %", "%", "Percentage of the time in which some task was stalled on I/O.",
		psi_some_ratio, RULES_PERCENT },
	[S_PSI_FULL] = { "psi-io-full %", "%", "Percentage of the time in which every task was stalled on I/O.",
		psi_full_ratio, RULES_PERCENT },
};

void system_delta_since_boot(struct system_delta *d, const struct system_counters *now, double uptime_s)
{
	struct system_counters nothing = { .has = now->has, .n_cpus = now->n_cpus };

	nothing.cpus = xcalloc(now->n_cpus, sizeof(*nothing.cpus));
	system_delta_compute(d, &nothing, now, uptime_s);
	free(nothing.cpus);
}

void system_delta_unavailable(struct system_delta *d, enum na why)
{
	for (size_t i = 0; i < SYSTEM_METRICS; i++)
		d->ratios[i] = no_ratio(why);
	d->busiest_cpu = -1;
	d->seconds = 0;
}

void system_delta_compute(struct system_delta *d, const struct system_counters *before,
			  const struct system_counters *now, double seconds)
{
	struct ratio share;

	if (!(seconds > 0)) {
		system_delta_unavailable(d, NA_FIRST);
		return;
	}
	for (size_t i = 0; i < SYSTEM_METRICS; i++)
		d->ratios[i] = system_metrics[i].ratio(before, now, seconds);
	d->busiest_cpu = busiest(before, now, &share);
	d->seconds = seconds;
}

/* An interval too short for the clock has nothing to add; any other reason holds for the sum. */
static void add_ratio(struct ratio *sum, const struct ratio *r)
{
	if (sum->why == NA_RESOLUTION)
		*sum = *r;
	else if (sum->why != NA_NONE || r->why == NA_RESOLUTION)
		return;
	else if (r->why != NA_NONE)
		*sum = *r;
	else
		*sum = (struct ratio){ sum->n + r->n, sum->d + r->d, NA_NONE };
}

void system_delta_append(struct system_delta *sum, const struct system_delta *d)
{
	if (!(sum->seconds > 0)) {
		*sum = *d;
		return;
	}
	for (size_t i = 0; i < SYSTEM_METRICS; i++)
		add_ratio(&sum->ratios[i], &d->ratios[i]);
	if (d->busiest_cpu >= 0)
		sum->busiest_cpu = d->busiest_cpu;
	sum->seconds += d->seconds;
}

struct value system_value(const struct system_delta *d, enum system_id id)
{
	const struct ratio *r = &d->ratios[id];

	if (r->why != NA_NONE || !(r->d > 0))
		return (struct value){ 0, r->why != NA_NONE ? r->why : NA_FIRST };
	return (struct value){ r->n / r->d, NA_NONE };
}
