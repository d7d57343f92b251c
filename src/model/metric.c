/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/metric.h"

#include <string.h>

#include "base/alloc.h"

#define RD_WR(field) (FIELD(RD_##field) | FIELD(WR_##field))
#define RD_WR_DC(field) (RD_WR(field) | FIELD(DC_##field))

/* Rules that rows share: floor as a fraction, floor in the unit, direction, flags. */
#define RULES_RATE { 0.02, 1, +1, 0 }
#define RULES_KIB { 0.02, 64, +1, 0 }
#define RULES_SECTORS { 0.02, 0, +1, METRIC_LEGACY }
#define RULES_MERGES { 0.02, 1, 0, 0 }
#define RULES_PERCENT { 0, 2, 0, METRIC_PERCENT }
#define RULES_AWAIT { 0.02, 0.02, -1, METRIC_LATENCY_FLOOR }
#define RULES_SIZE_KIB { 0.02, 0.5, 0, 0 }
#define RULES_DEPTH { 0.05, 0.1, 0, 0 }

/* Kinds of rows: a rate, a share of something, a time or size for each I/O. */
#define RATE(n, u, fields, by, w, r, h) \
	{ .name = n, .unit = u, .help = h, .num = fields, .scale = by, .per = PER_SECOND, .empty = NA_FIRST, \
	  .width = w, .decimals = 1, .rules = r }
#define SHARE(n, part, all, none, w, h) \
	{ .name = n, .unit = "%", .help = h, .num = part, .den = all, .scale = 100, .per = PER_FIELDS, \
	  .empty = none, .width = w, .decimals = 1, .rules = RULES_PERCENT }
#define AWAIT(n, ticks, ios, w, h) \
	{ .name = n, .unit = "ms", .help = h, .num = ticks, .den = ios, .scale = 1, .per = PER_FIELDS, \
	  .empty = NA_NO_IO, .width = w, .decimals = 2, .rules = RULES_AWAIT }
#define SIZE_KIB(n, sectors, ios, w, h) \
	{ .name = n, .unit = "KiB", .help = h, .num = sectors, .den = ios, .scale = 0.5, .per = PER_FIELDS, \
	  .empty = NA_NO_IO, .width = w, .decimals = 1, .rules = RULES_SIZE_KIB }

const struct metric metrics[METRICS] = {
	[M_R_S] = RATE("r/s", "1/s", FIELD(RD_IOS), 1, 6, RULES_RATE,
		"Reads completed a second, counted after merging."),
	[M_W_S] = RATE("w/s", "1/s", FIELD(WR_IOS), 1, 6, RULES_RATE,
		"Writes completed a second, counted after merging."),
	[M_D_S] = RATE("d/s", "1/s", FIELD(DC_IOS), 1, 6, RULES_RATE,
		"Discards completed a second, counted after merging."),
	[M_F_S] = RATE("f/s", "1/s", FIELD(FL_IOS), 1, 6, RULES_RATE,
		"Flushes of the write cache completed a second; only request-based whole disks have them."),
	[M_RKB_S] = RATE("rkB/s", "KiB/s", FIELD(RD_SECTORS), 0.5, 6, RULES_KIB,
		"Data read, in KiB a second."),
	[M_WKB_S] = RATE("wkB/s", "KiB/s", FIELD(WR_SECTORS), 0.5, 6, RULES_KIB,
		"Data written, in KiB a second."),
	[M_DKB_S] = RATE("dkB/s", "KiB/s", FIELD(DC_SECTORS), 0.5, 6, RULES_KIB,
		"Space discarded, in KiB a second."),
	[M_KB_S] = RATE("kB/s", "KiB/s", RD_WR(SECTORS), 0.5, 6, RULES_KIB,
		"Data read and written, in KiB a second, without discards."),
	[M_RRQM_S] = RATE("rrqm/s", "1/s", FIELD(RD_MERGES), 1, 6, RULES_MERGES,
		"Reads a second that were merged into a queued request instead of becoming one."),
	[M_WRQM_S] = RATE("wrqm/s", "1/s", FIELD(WR_MERGES), 1, 6, RULES_MERGES,
		"Writes a second that were merged into a queued request instead of becoming one."),
	[M_DRQM_S] = RATE("drqm/s", "1/s", FIELD(DC_MERGES), 1, 6, RULES_MERGES,
		"Discards a second that were merged into a queued request instead of becoming one."),
	[M_RQM_S] = RATE("rqm/s", "1/s", RD_WR(MERGES), 1, 6, RULES_MERGES,
		"Reads and writes a second that were merged into a queued request, without discards."),
	[M_PCT_RRQM] = SHARE("%rrqm", FIELD(RD_MERGES), FIELD(RD_MERGES) | FIELD(RD_IOS), NA_NOTHING, 6,
		"Percentage of the reads sent to the device that were merged before it saw them."),
	[M_PCT_WRQM] = SHARE("%wrqm", FIELD(WR_MERGES), FIELD(WR_MERGES) | FIELD(WR_IOS), NA_NOTHING, 6,
		"Percentage of the writes sent to the device that were merged before it saw them."),
	[M_PCT_DRQM] = SHARE("%drqm", FIELD(DC_MERGES), FIELD(DC_MERGES) | FIELD(DC_IOS), NA_NOTHING, 6,
		"Percentage of the discards sent to the device that were merged before it saw them."),
	[M_PCT_READ] = SHARE("%read", FIELD(RD_IOS), RD_WR(IOS), NA_NO_IO, 6,
		"Percentage of reads among the reads and writes completed."),
	[M_R_AWAIT] = AWAIT("r_await", FIELD(RD_TICKS), FIELD(RD_IOS), 7,
		"Mean time of a read in ms, waiting in the queue included."),
	[M_W_AWAIT] = AWAIT("w_await", FIELD(WR_TICKS), FIELD(WR_IOS), 7,
		"Mean time of a write in ms, waiting in the queue included."),
	[M_D_AWAIT] = AWAIT("d_await", FIELD(DC_TICKS), FIELD(DC_IOS), 7,
		"Mean time of a discard in ms, waiting in the queue included."),
	[M_F_AWAIT] = AWAIT("f_await", FIELD(FL_TICKS), FIELD(FL_IOS), 7,
		"Mean time of a flush of the write cache in ms."),
	[M_AWAIT] = AWAIT("await", RD_WR(TICKS), RD_WR(IOS), 6,
		"Mean time of a read or write in ms, waiting in the queue included."),
	[M_AWAIT_ALL] = {
		.name = "await-all", .unit = "ms", .num = RD_WR_DC(TICKS), .den = RD_WR_DC(IOS), .scale = 1,
		.per = PER_FIELDS, .empty = NA_NO_IO, .width = 9, .decimals = 2,
		.rules = { 0.02, 0.02, -1, METRIC_LATENCY_FLOOR | METRIC_OPTIONAL_DISCARD },
		.help = "Mean time of a read, write or discard in ms, waiting in the queue included.",
	},
	[M_RAREQ_SZ] = SIZE_KIB("rareq-sz", FIELD(RD_SECTORS), FIELD(RD_IOS), 8,
		"Mean size of a read in KiB, as the device saw it after merging."),
	[M_WAREQ_SZ] = SIZE_KIB("wareq-sz", FIELD(WR_SECTORS), FIELD(WR_IOS), 8,
		"Mean size of a write in KiB, as the device saw it after merging."),
	[M_DAREQ_SZ] = SIZE_KIB("dareq-sz", FIELD(DC_SECTORS), FIELD(DC_IOS), 8,
		"Mean size of a discard in KiB, as the device saw it after merging."),
	[M_AREQ_SZ] = {
		.name = "areq-sz", .unit = "KiB", .num = RD_WR_DC(SECTORS), .den = RD_WR_DC(IOS), .scale = 0.5,
		.per = PER_FIELDS, .empty = NA_NO_IO, .width = 7, .decimals = 1,
		.rules = { 0.02, 0.5, 0, METRIC_OPTIONAL_DISCARD },
		.help = "Mean size of a read, write or discard in KiB, after merging.",
	},
	[M_AVGRQ_SZ] = {
		.name = "avgrq-sz", .unit = "sectors", .num = RD_WR(SECTORS), .den = RD_WR(IOS), .scale = 1,
		.per = PER_FIELDS, .empty = NA_NO_IO, .width = 8, .decimals = 1, .rules = { 0.02, 1, 0, 0 },
		.help = "Mean size of a read or write in sectors of 512 bytes, after merging.",
	},
	[M_AQU_SZ] = {
		.name = "aqu-sz", .legacy = "avgqu-sz", .unit = "requests", .num = FIELD(TIME_IN_QUEUE), .scale = 0.001,
		.per = PER_SECOND, .empty = NA_FIRST, .width = 8, .decimals = 2, .rules = RULES_DEPTH,
		.help = "Mean number of requests waiting or in service.",
	},
	[M_BUSY_DEPTH] = {
		.name = "busy-depth", .unit = "requests", .num = FIELD(TIME_IN_QUEUE), .den = FIELD(IO_TICKS),
		.scale = 1, .per = PER_FIELDS, .empty = NA_IDLE, .width = 10, .decimals = 2, .rules = RULES_DEPTH,
		.help = "Mean number of requests waiting or in service while there were any.",
	},
	[M_PCT_UTIL] = {
		.name = "%util", .unit = "%", .num = FIELD(IO_TICKS), .scale = 0.1,
		.per = PER_SECOND, .empty = NA_FIRST, .width = 6, .decimals = 1, .rules = RULES_PERCENT,
		.help = "Percentage of the time with I/O in the device; one that works in parallel has room at 100.",
	},
	[M_INFLIGHT] = {
		.name = "inflight", .unit = "requests", .num = FIELD(IN_FLIGHT), .scale = 1,
		.per = PER_SAMPLE, .empty = NA_FIRST, .width = 8, .decimals = 1, .rules = { 0.05, 1, 0, 0 },
		.help = "Requests in flight at the end of the interval; the mean of these over a longer stretch.",
	},
	[M_AWAIT_KIB] = {
		.name = "await/KiB", .unit = "ms", .num = RD_WR(TICKS), .den = RD_WR(SECTORS), .scale = 2,
		.per = PER_FIELDS, .empty = NA_NO_IO, .width = 9, .decimals = 2, .rules = { 0.02, 0, 0, 0 },
		.help = "Mean time of a read or write in ms for each KiB of its size; alone it proves nothing.",
	},
	[M_TPS] = {
		.name = "tps", .unit = "1/s", .num = RD_WR_DC(IOS), .scale = 1,
		.per = PER_SECOND, .empty = NA_FIRST, .width = 6, .decimals = 1,
		.rules = { 0.02, 1, +1, METRIC_OPTIONAL_DISCARD },
		.help = "Reads, writes and discards completed a second.",
	},
	[M_RSEC_S] = RATE("rsec/s", "sectors/s", FIELD(RD_SECTORS), 1, 6, RULES_SECTORS,
		"Data read, in sectors of 512 bytes a second."),
	[M_WSEC_S] = RATE("wsec/s", "sectors/s", FIELD(WR_SECTORS), 1, 6, RULES_SECTORS,
		"Data written, in sectors of 512 bytes a second."),
	[M_SVCTM] = {
		.name = "svctm", .unit = "ms", .num = FIELD(IO_TICKS), .den = RD_WR(IOS), .scale = 1,
		.per = PER_FIELDS, .empty = NA_NO_IO, .width = 6, .decimals = 2,
		.rules = { 0.05, 0, -1, METRIC_LEGACY },
		.help = "Busy time in ms for each read or write; it misleads on devices that work on several requests "
			"in parallel, as their service times overlap.",
	},
};

/* The rows in order; legacy rows are the last, so that the sets of -x and of JSON are the same list. */
static const enum metric_id all_rows[METRICS] = {
	M_R_S, M_W_S, M_D_S, M_F_S, M_RKB_S, M_WKB_S, M_DKB_S, M_KB_S, M_RRQM_S, M_WRQM_S, M_DRQM_S, M_RQM_S,
	M_PCT_RRQM, M_PCT_WRQM, M_PCT_DRQM, M_PCT_READ, M_R_AWAIT, M_W_AWAIT, M_D_AWAIT, M_F_AWAIT, M_AWAIT,
	M_AWAIT_ALL, M_RAREQ_SZ, M_WAREQ_SZ, M_DAREQ_SZ, M_AREQ_SZ, M_AVGRQ_SZ, M_AQU_SZ, M_BUSY_DEPTH, M_PCT_UTIL,
	M_INFLIGHT, M_AWAIT_KIB, M_TPS, M_RSEC_S, M_WSEC_S, M_SVCTM,
};

#define FIRST_LEGACY M_RSEC_S

static const enum metric_id text_rows[] = {
	M_R_S, M_W_S, M_RKB_S, M_WKB_S, M_RRQM_S, M_WRQM_S, M_AVGRQ_SZ, M_AWAIT, M_R_AWAIT, M_W_AWAIT, M_AQU_SZ,
	M_PCT_UTIL,
};

static const enum metric_id legacy_rows[] = {
	M_RRQM_S, M_WRQM_S, M_R_S, M_W_S, M_RSEC_S, M_WSEC_S, M_AVGRQ_SZ, M_AQU_SZ, M_AWAIT, M_R_AWAIT, M_W_AWAIT,
	M_SVCTM, M_PCT_UTIL,
};

static double sum_of(const struct delta *d, field_set fields)
{
	double sum = 0;

	for (; fields; fields &= fields - 1)
		sum += (double)d->v[__builtin_ctz(fields)];
	return sum;
}

/* The fields of `set` that the delta lacks, without those that the row can do without. */
static field_set missing(const struct metric *m, const struct delta *d, field_set set)
{
	field_set lost = set & ~d->valid;

	if (!(m->rules.flags & METRIC_OPTIONAL_DISCARD))
		return lost;
	for (unsigned int f = DC_IOS; f <= DC_TICKS; f++) {
		if (d->why[f] == NA_NO_FIELD)
			lost &= ~FIELD(f);
	}
	return lost;
}

/*
 * Why a ratio whose fields are not all there has no value, NA_NONE if it has one after all. That nothing was done at
 * all is said first: what the kernel does not count about it does not matter then.
 */
static enum na why_missing(const struct metric *m, const struct delta *d)
{
	field_set lost = missing(m, d, m->num | m->den);

	if (!lost)
		return NA_NONE;
	if (m->den && !missing(m, d, m->den) && !(sum_of(d, m->den & d->valid) > 0))
		return m->empty;
	if (lost & m->num)
		lost &= m->num;
	return d->why[__builtin_ctz(lost)];
}

struct ratio metric_ratio(const struct metric *m, const struct delta *d)
{
	struct ratio r = { 0, 0, NA_NONE };

	if ((m->num | m->den) & ~d->valid) {
		r.why = why_missing(m, d);
		if (r.why != NA_NONE)
			return r;
	}
	r.n = sum_of(d, m->num & d->valid) * m->scale;
	if (m->per == PER_FIELDS)
		r.d = sum_of(d, m->den & d->valid);
	else
		r.d = m->per == PER_SECOND ? d->seconds : d->samples;
	if (!(r.d > 0))
		r = (struct ratio){ 0, 0, m->empty };
	return r;
}

struct value metric_value(const struct metric *m, const struct delta *d)
{
	struct ratio r = metric_ratio(m, d);

	return (struct value){ r.why == NA_NONE ? r.n / r.d : 0, r.why };
}

const struct metric *metric_find(const char *name)
{
	for (size_t i = 0; i < METRICS; i++) {
		const struct metric *m = &metrics[i];

		if (!strcmp(m->name, name) || (m->legacy && !strcmp(m->legacy, name)))
			return m;
	}
	return NULL;
}

bool metric_among(const enum metric_id *ids, size_t n, enum metric_id m)
{
	for (size_t i = 0; i < n; i++) {
		if (ids[i] == m)
			return true;
	}
	return false;
}

const char *metric_heading(const struct metric *m, bool legacy)
{
	return legacy && m->legacy ? m->legacy : m->name;
}

const enum metric_id *metric_set_text(size_t *n)
{
	*n = ARRAY_SIZE(text_rows);
	return text_rows;
}

const enum metric_id *metric_set_extended(size_t *n)
{
	*n = FIRST_LEGACY;
	return all_rows;
}

const enum metric_id *metric_set_legacy(size_t *n)
{
	*n = ARRAY_SIZE(legacy_rows);
	return legacy_rows;
}

const enum metric_id *metric_set_all(size_t *n)
{
	*n = METRICS;
	return all_rows;
}
