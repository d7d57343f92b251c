/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a segment holds of one device that did something: a tally for each metric, and sums of the counters in blocks
 * of equally many bins, from which come the total and the two halves. Used by segment.c only.
 */
#ifndef IODELTA_MODEL_ACTIVITY_H
#define IODELTA_MODEL_ACTIVITY_H

#include "model/delta.h"
#include "model/metric.h"
#include "model/statistics.h"

#define BLOCKS 16
/* Halves of fewer bins than this say nothing. */
#define BINS_FOR_HALVES 4

struct block {
	uint64_t v[FIELDS];     /* in_flight is not among them: it is averaged, not added */
	double seconds;
	double in_flight;       /* the bins' means, added up */
	uint32_t bins;
	field_set invalid;      /* fields that had no value in one of the bins */
};

/* What is held of a device that did something. */
struct activity {
	struct tally tallies[METRICS];
	uint8_t why[METRICS];           /* of the most recent bin without a value */
	struct block blocks[BLOCKS];
	uint8_t field_why[FIELDS];
	uint32_t next;                  /* the bin after the last one given */
	bool active;
	bool derived;
};

/* Add bin number `bin` of the segment, which lies in block `block`. A second time for the same bin does nothing. */
void activity_add(struct activity *a, uint32_t bin, uint32_t block, const struct delta *d) __attribute__((nonnull));

/* Make each block cover twice as many bins; the upper half of them is free then. */
void activity_widen(struct activity *a) __attribute__((nonnull));

/* All counters of all bins with a delta; samples is the number of these, 0 without any. */
void activity_total(const struct activity *a, struct delta *total) __attribute__((nonnull));

/* As segment_estimate. */
enum na activity_estimate(const struct activity *a, enum metric_id m, struct estimate *e) __attribute__((nonnull));

#endif
