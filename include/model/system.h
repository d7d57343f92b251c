/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system's own numbers beside the devices': CPU, tasks, interrupts, paging, pressure. Counters are read by
 * kernel/, rates are made here, by a table like the devices'.
 */
#ifndef IODELTA_MODEL_SYSTEM_H
#define IODELTA_MODEL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/metric.h"

/* Values of /proc/stat in USER_HZ ticks. guest time is inside user time. */
struct cpu_ticks {
	uint64_t busy;          /* everything but idle and iowait */
	uint64_t idle;
	uint64_t iowait;
};

enum system_value {         /* what can be missing, one bit each in `has` */
	SYS_CPU = 1, SYS_RUNNING = 2, SYS_BLOCKED = 4, SYS_CTXT = 8, SYS_INTR = 16, SYS_SOFTIRQ = 32,
	SYS_PAGING = 64, SYS_DIRTY = 128, SYS_PSI = 256, SYS_PSI_OFF = 512
};

struct system_counters {
	unsigned int has;
	struct cpu_ticks all;
	struct cpu_ticks *cpus; /* by CPU number; owned; all zero: not there, or offline */
	size_t n_cpus, capacity;
	uint64_t running, blocked;      /* tasks now */
	uint64_t ctxt, intr, softirq_block;
	uint64_t pgpgin_kib, pgpgout_kib;
	uint64_t dirty_kib, writeback_kib;      /* now */
	uint64_t psi_some_us, psi_full_us;
};

enum system_id {
	S_IOWAIT, S_BUSIEST_CPU, S_RUNNING, S_BLOCKED, S_CTXT, S_INTR, S_SOFTIRQ_BLOCK,
	S_PGPGIN, S_PGPGOUT, S_DIRTY, S_WRITEBACK, S_PSI_SOME, S_PSI_FULL,
	SYSTEM_METRICS
};

struct system_metric {
	const char *name;       /* the key in JSON: "iowait %" */
	const char *unit;
	const char *help;
	struct ratio (*ratio)(const struct system_counters *before, const struct system_counters *now, double seconds);
	struct metric_rules rules;
};

extern const struct system_metric system_metrics[SYSTEM_METRICS];

/* One interval of all of them; which CPU was the busiest, or -1. */
struct system_delta {
	struct ratio ratios[SYSTEM_METRICS];
	int busiest_cpu;
	double seconds;
};

void system_delta_compute(struct system_delta *d, const struct system_counters *before,
			  const struct system_counters *now, double seconds) __attribute__((nonnull));
/* Everything since boot: the counters themselves. */
void system_delta_since_boot(struct system_delta *d, const struct system_counters *now, double uptime_s)
	__attribute__((nonnull));
/* All of them not available for this reason. */
void system_delta_unavailable(struct system_delta *d, enum na why) __attribute__((nonnull));
/*
 * Add a later interval: rates add N and D, present values are averaged over samples. A zeroed struct is the empty
 * sum. A value that one interval lacks is lost, except to the clock's resolution.
 */
void system_delta_append(struct system_delta *sum, const struct system_delta *d) __attribute__((nonnull));
struct value system_value(const struct system_delta *d, enum system_id id) __attribute__((nonnull));

void system_counters_release(struct system_counters *s) __attribute__((nonnull));

/* Parse the text of /proc/stat and of /proc/pressure/io (may be empty or hostile) into `s`, adding to `has`.
 * CPUs that the text does not name are not there any more. */
void system_parse_stat(struct system_counters *s, const char *text) __attribute__((nonnull));
void system_parse_pressure(struct system_counters *s, const char *text) __attribute__((nonnull));

#endif
