/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/activity.h"

#include <math.h>
#include <string.h>

void activity_widen(struct activity *a)
{
	struct block *blocks = a->blocks;

	for (int i = 0; i < BLOCKS / 2; i++) {
		struct block sum = blocks[2 * i];
		const struct block *more = &blocks[2 * i + 1];

		for (int f = 0; f < FIELDS; f++)
			sum.v[f] += more->v[f];
		sum.seconds += more->seconds;
		sum.in_flight += more->in_flight;
		sum.bins += more->bins;
		sum.invalid |= more->invalid;
		blocks[i] = sum;
	}
	memset(blocks + BLOCKS / 2, 0, BLOCKS / 2 * sizeof(*blocks));
}

static void add_to_block(struct activity *a, struct block *b, const struct delta *d)
{
	field_set invalid = FIELDS_ALL & ~d->valid;

	for (int f = 0; f < FIELDS; f++) {
		b->v[f] += d->v[f];
		if (invalid & FIELD(f))
			a->field_why[f] = d->why[f];
	}
	b->v[IN_FLIGHT] = 0;
	if (d->samples > 0)
		b->in_flight += (double)d->v[IN_FLIGHT] / d->samples;
	b->seconds += d->seconds;
	b->bins++;
	b->invalid |= invalid;
}

/* Present values are averaged in the bin first: a bin of ten samples weighs no more than one of a single sample. */
static void add_to_tally(struct activity *a, int m, const struct delta *d)
{
	struct ratio r = metric_ratio(&metrics[m], d);

	if (r.why != NA_NONE) {
		a->why[m] = (uint8_t)r.why;
		tally_skip(&a->tallies[m]);
	} else if (metrics[m].per == PER_SAMPLE) {
		tally_add(&a->tallies[m], r.n / r.d, 1);
	} else {
		tally_add(&a->tallies[m], r.n, r.d);
	}
}

static void skip_all(struct activity *a)
{
	for (int m = 0; m < METRICS; m++)
		tally_skip(&a->tallies[m]);
}

void activity_add(struct activity *a, uint32_t bin, uint32_t block, const struct delta *d)
{
	if (a->next > bin)
		return;
	if (a->next < bin)
		skip_all(a);
	a->next = bin + 1;
	if (d->state != DELTA_OK) {
		skip_all(a);
		memset(a->why, d->why[RD_IOS], sizeof(a->why));
		return;
	}
	a->active |= delta_active(d);
	a->derived |= d->derived != 0;
	add_to_block(a, &a->blocks[block], d);
	for (int m = 0; m < METRICS; m++)
		add_to_tally(a, m, d);
}

static uint32_t bins_in(const struct activity *a, int from, int to)
{
	uint32_t bins = 0;

	for (int i = from; i < to; i++)
		bins += a->blocks[i].bins;
	return bins;
}

/* The blocks from..to-1 as one delta; of the counters only `fields` are added up. */
static void sum_blocks(const struct activity *a, int from, int to, field_set fields, struct delta *d)
{
	double in_flight = 0;

	memset(d, 0, sizeof(*d));
	d->valid = FIELDS_ALL;
	for (int i = from; i < to; i++) {
		const struct block *b = &a->blocks[i];

		for (int f = 0; f < FIELDS; f++) {
			if (fields & FIELD(f))
				d->v[f] += b->v[f];
		}
		in_flight += b->in_flight;
		d->seconds += b->seconds;
		d->samples += b->bins;
		d->valid &= ~b->invalid;
	}
	d->v[IN_FLIGHT] = (uint64_t)llround(in_flight);
	d->derived = a->derived;
	for (int f = 0; f < FIELDS; f++) {
		if (d->valid & FIELD(f))
			continue;
		d->v[f] = 0;
		d->why[f] = a->field_why[f];
	}
}

void activity_total(const struct activity *a, struct delta *total)
{
	sum_blocks(a, 0, BLOCKS, FIELDS_ALL, total);
}

/* The number of blocks that makes the two sides of it as equal in bins as can be. */
static int middle_block(const struct activity *a)
{
	uint32_t all = bins_in(a, 0, BLOCKS), left = 0, least = UINT32_MAX;
	int middle = 0;

	for (int i = 0; i < BLOCKS; i++) {
		uint32_t right, apart;

		left += a->blocks[i].bins;
		right = all - left;
		apart = left > right ? left - right : right - left;
		if (apart < least) {
			least = apart;
			middle = i + 1;
		}
	}
	return middle;
}

static double half_value(const struct activity *a, int from, int to, const struct metric *m)
{
	struct delta d;
	struct value v;

	sum_blocks(a, from, to, m->num | m->den, &d);
	if (!(d.samples > 0))
		return NAN;
	v = metric_value(m, &d);
	return v.why == NA_NONE ? v.v : NAN;
}

static void put_halves(const struct activity *a, const struct metric *m, struct estimate *e)
{
	int middle;

	if (e->n < BINS_FOR_HALVES)
		return;
	middle = middle_block(a);
	e->half[0] = half_value(a, 0, middle, m);
	e->half[1] = half_value(a, middle, BLOCKS, m);
}

/* I/Os behind a value: for latencies those that they are the mean of, else all. */
static uint64_t ios_behind(const struct activity *a, const struct metric *m, const struct tally *t)
{
	struct delta d;

	if (m->rules.flags & METRIC_LATENCY_FLOOR)
		return (uint64_t)t->sd;
	sum_blocks(a, 0, BLOCKS, FIELDS_IOS, &d);
	return delta_ios(&d);
}

enum na activity_estimate(const struct activity *a, enum metric_id m, struct estimate *e)
{
	const struct tally *t = &a->tallies[m];

	tally_estimate(t, e);
	if (!t->n)
		return a->why[m] != NA_NONE ? a->why[m] : NA_FIRST;
	e->ios = ios_behind(a, &metrics[m], t);
	put_halves(a, &metrics[m], e);
	return NA_NONE;
}
