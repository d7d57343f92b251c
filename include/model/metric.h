/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metric table: one row is all there is to know of a metric. Columns, CSV, JSON, help, man page, segments and
 * comparisons walk it; adding a metric is adding a row.
 *
 * Every metric is a ratio N/D: N and D are sums of fields of a delta, or D is time, or a count of samples. That makes
 * a value over any stretch of time sum(N)/sum(D), and its noise computable (segment.h).
 */
#ifndef IODELTA_MODEL_METRIC_H
#define IODELTA_MODEL_METRIC_H

#include "model/delta.h"

/* What the fields of the denominator mean. */
enum metric_per { PER_SECOND, PER_SAMPLE, PER_FIELDS };

enum metric_flag {
	METRIC_LEGACY = 1,      /* a row for old habits only: in --legacy and JSON, not in -x */
	METRIC_PERCENT = 2,     /* percent: changes are in points, the floor is in points */
	METRIC_LATENCY_FLOOR = 4,       /* floor_abs is 10 times as high below 50 I/Os in a side */
	METRIC_OPTIONAL_DISCARD = 8,    /* where there are no discard fields, the others alone make the value */
};

/* How a change is to be judged. Shared by device and system metrics. */
struct metric_rules {
	double floor_rel;       /* fraction of BEFORE that a change must pass */
	double floor_abs;       /* and this much in the metric's unit (points for percent) */
	int direction;          /* +1 more is better, -1 less is better, 0 neither */
	unsigned int flags;
};

struct metric {
	const char *name;       /* the field's name, iostat's: "wrqm/s" */
	const char *legacy;     /* what --legacy calls it, NULL: the same */
	const char *unit;       /* "1/s", "KiB/s", "ms", … */
	const char *help;       /* one sentence */
	field_set num;          /* N: the sum of these fields times scale */
	field_set den;          /* D: the sum of these fields, if per is PER_FIELDS */
	double scale;
	enum metric_per per;
	enum na empty;          /* why there is no value when D is 0 */
	int width;              /* cells on the screen, heading and number alike */
	int decimals;           /* on the screen below 10 (text_add_short) */
	struct metric_rules rules;
};

enum metric_id {
	M_R_S, M_W_S, M_D_S, M_F_S,
	M_RKB_S, M_WKB_S, M_DKB_S, M_KB_S,
	M_RRQM_S, M_WRQM_S, M_DRQM_S, M_RQM_S,
	M_PCT_RRQM, M_PCT_WRQM, M_PCT_DRQM, M_PCT_READ,
	M_R_AWAIT, M_W_AWAIT, M_D_AWAIT, M_F_AWAIT, M_AWAIT, M_AWAIT_ALL,
	M_RAREQ_SZ, M_WAREQ_SZ, M_DAREQ_SZ, M_AREQ_SZ, M_AVGRQ_SZ,
	M_AQU_SZ, M_BUSY_DEPTH, M_PCT_UTIL, M_INFLIGHT, M_AWAIT_KIB, M_TPS,
	M_RSEC_S, M_WSEC_S, M_SVCTM,
	METRICS
};

extern const struct metric metrics[METRICS];

/* N and D of one metric in one delta; why != NA_NONE: there is no value. */
struct ratio {
	double n, d;
	enum na why;
};

struct ratio metric_ratio(const struct metric *m, const struct delta *d) __attribute__((nonnull));

/* A value with its validity. */
struct value {
	double v;
	enum na why;
};

struct value metric_value(const struct metric *m, const struct delta *d) __attribute__((nonnull));

/* The row of that name or legacy name ("avgqu-sz"), NULL if there is none. */
const struct metric *metric_find(const char *name) __attribute__((nonnull));

/* One of these. */
bool metric_among(const enum metric_id *ids, size_t n, enum metric_id m) __attribute__((nonnull));

/* The name to show in headings. */
const char *metric_heading(const struct metric *m, bool legacy) __attribute__((nonnull));

/* Named sets of columns; `n` is their number. text: stat's default; extended: -x, every row that is not legacy. */
const enum metric_id *metric_set_text(size_t *n) __attribute__((nonnull));
const enum metric_id *metric_set_extended(size_t *n) __attribute__((nonnull));
const enum metric_id *metric_set_legacy(size_t *n) __attribute__((nonnull));
const enum metric_id *metric_set_all(size_t *n) __attribute__((nonnull));

#endif
