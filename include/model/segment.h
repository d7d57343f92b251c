/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A segment: a stretch of time as sums, for every device and metric and for the system, one bin of 1 s (or a longer
 * interval) at a time. A device that does nothing costs nothing: what it would have added is known from the lengths
 * of the bins.
 *
 * Ownership: opaque; segment_free. A segment that is frozen is just one that is no longer added to.
 */
#ifndef IODELTA_MODEL_SEGMENT_H
#define IODELTA_MODEL_SEGMENT_H

#include "model/delta.h"
#include "model/metric.h"
#include "model/statistics.h"
#include "model/system.h"

struct segment;

struct segment *segment_new(void) __attribute__((returns_nonnull, warn_unused_result));
void segment_free(struct segment *s);

/*
 * Add one bin: open it, give the deltas of the devices that are there and of the system, close it. Devices that are
 * known to have been idle may be given with segment_add_idle, which is cheap. A device given neither way was not
 * there in that bin. A delta that is not DELTA_OK counts as a bin without a value. `instance` (roster.h): when it is
 * another than that of the slot's data, the data is dropped and the slot starts anew: another device stands there.
 * `has` of an idle bin: the fields whose growth of 0 is known; a field that is there but not accounted is none of them
 * (give such a bin with segment_add, so that the reason is kept).
 */
void segment_open_bin(struct segment *s, double seconds) __attribute__((nonnull));
void segment_add(struct segment *s, uint32_t slot, uint32_t instance, const struct delta *bin)
	__attribute__((nonnull));
void segment_add_idle(struct segment *s, uint32_t slot, uint32_t instance, field_set has) __attribute__((nonnull));
void segment_add_system(struct segment *s, const struct system_delta *bin) __attribute__((nonnull));
void segment_close_bin(struct segment *s) __attribute__((nonnull));

/* The slot's name is given to another device: drop what is held of it. */
void segment_forget(struct segment *s, uint32_t slot) __attribute__((nonnull));

uint32_t segment_bins(const struct segment *s) __attribute__((nonnull));
double segment_seconds(const struct segment *s) __attribute__((nonnull));

/* The slot has data (idle or not), and which instance's. */
bool segment_has(const struct segment *s, uint32_t slot, uint32_t *instance) __attribute__((nonnull(1)));

/* The device did I/O, or had some in flight, in this segment. */
bool segment_active(const struct segment *s, uint32_t slot) __attribute__((nonnull));

/*
 * All counters of the device over the segment, as one delta. Bins that are not DELTA_OK are left out; a field is valid
 * only where it was so in every other bin. Not DELTA_OK when there is no such bin.
 */
void segment_total(const struct segment *s, uint32_t slot, struct delta *total) __attribute__((nonnull));

/*
 * The estimate of a metric of a device, with halves and I/Os. Returns NA_NONE, or why there is no value (then kind
 * is ESTIMATE_NONE): the reason of the most recent bin without one.
 */
enum na segment_estimate(const struct segment *s, uint32_t slot, enum metric_id m, struct estimate *e)
	__attribute__((nonnull));
enum na segment_estimate_system(const struct segment *s, enum system_id m, struct estimate *e)
	__attribute__((nonnull));

/*
 * The sum of several slots as one: counters add up, awaits weigh by I/Os, %util is the maximum (delta_sum). Value
 * only, for Σ rows; no noise (kind ESTIMATE_SINGLE).
 */
enum na segment_estimate_sum(const struct segment *s, const uint32_t *slots, size_t n, enum metric_id m,
			     struct estimate *e) __attribute__((nonnull(1, 5)));

#endif
