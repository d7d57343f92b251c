/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/segment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/activity.h"

/* Lengths of a row of bins: their sum, that of the squares and of the products of neighbours. */
struct lengths {
	double sum, squares, lag;
};

/*
 * A slot without activity is a row of idle bins [first, next). All that these would have added to sums follows from
 * the lengths of the bins, which the segment keeps for all devices together: `before` is what they were when the row
 * began, `ended` what the row had when a bin came without the device.
 */
struct slot {
	struct activity *activity;
	uint32_t instance;
	bool known;
	bool has_ended;
	uint8_t state, why;     /* of the last bin without a delta: enum delta_state, enum na */
	field_set has;
	uint32_t first, next;
	struct lengths before, ended;
};

/* The system is always there and always busy. */
struct system_sums {
	struct tally tallies[SYSTEM_METRICS];
	uint8_t why[SYSTEM_METRICS];
	struct { double n, d; uint32_t bins; } blocks[BLOCKS][SYSTEM_METRICS];
	uint32_t next;
};

struct segment {
	uint32_t bins;          /* closed ones; the number of the open one */
	uint32_t stride;        /* bins in a block */
	double bin_s, last_s;   /* length of the open bin, and of the one before it */
	struct lengths lengths; /* of the closed bins */
	double block_s[BLOCKS];
	struct slot *slots;
	size_t n, capacity;
	struct system_sums system;
};

struct segment *segment_new(void)
{
	struct segment *s = xcalloc(1, sizeof(*s));

	s->stride = 1;
	memset(s->system.why, NA_SYSTEM, sizeof(s->system.why));
	return s;
}

void segment_free(struct segment *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++)
		free(s->slots[i].activity);
	free(s->slots);
	free(s);
}

void segment_forget(struct segment *s, uint32_t slot)
{
	if (slot >= s->n)
		return;
	free(s->slots[slot].activity);
	s->slots[slot] = (struct slot){ .known = false };
}

static const struct slot *known_slot(const struct segment *s, uint32_t slot)
{
	return slot < s->n && s->slots[slot].known ? &s->slots[slot] : NULL;
}

/* The slot to add to, begun anew when it is another instance's. */
static struct slot *slot_of(struct segment *s, uint32_t slot, uint32_t instance)
{
	struct slot *sl;

	if (slot >= s->n) {
		size_t need = (size_t)slot + 1;

		ARRAY_GROW(s->slots, s->capacity, need);
		memset(s->slots + s->n, 0, (need - s->n) * sizeof(*s->slots));
		s->n = need;
	}
	sl = &s->slots[slot];
	if (sl->known && sl->instance != instance)
		segment_forget(s, slot);
	if (!sl->known)
		*sl = (struct slot){ .known = true, .instance = instance, .state = DELTA_FIRST, .why = NA_FIRST };
	return sl;
}

static void merge_system(struct system_sums *sys)
{
	for (int i = 0; i < BLOCKS / 2; i++) {
		for (int m = 0; m < SYSTEM_METRICS; m++) {
			sys->blocks[i][m].n = sys->blocks[2 * i][m].n + sys->blocks[2 * i + 1][m].n;
			sys->blocks[i][m].d = sys->blocks[2 * i][m].d + sys->blocks[2 * i + 1][m].d;
			sys->blocks[i][m].bins = sys->blocks[2 * i][m].bins + sys->blocks[2 * i + 1][m].bins;
		}
	}
	memset(sys->blocks + BLOCKS / 2, 0, BLOCKS / 2 * sizeof(sys->blocks[0]));
}

/* All blocks are in use: make each cover twice as many bins. */
static void widen_blocks(struct segment *s)
{
	s->stride *= 2;
	for (int i = 0; i < BLOCKS / 2; i++)
		s->block_s[i] = s->block_s[2 * i] + s->block_s[2 * i + 1];
	memset(s->block_s + BLOCKS / 2, 0, BLOCKS / 2 * sizeof(s->block_s[0]));
	merge_system(&s->system);
	for (size_t i = 0; i < s->n; i++) {
		if (s->slots[i].activity)
			activity_widen(s->slots[i].activity);
	}
}

void segment_open_bin(struct segment *s, double seconds)
{
	s->bin_s = seconds;
	if (s->bins / s->stride >= BLOCKS)
		widen_blocks(s);
}

static struct lengths lengths_of_row(const struct segment *s, const struct slot *sl)
{
	if (sl->has_ended)
		return sl->ended;
	if (sl->first == sl->next)
		return (struct lengths){ 0, 0, 0 };
	return (struct lengths){
		s->lengths.sum - sl->before.sum,
		s->lengths.squares - sl->before.squares,
		s->lengths.lag - sl->before.lag,
	};
}

static void begin_row(const struct segment *s, struct slot *sl, field_set has)
{
	sl->has = has;
	sl->first = s->bins;
	sl->next = s->bins + 1;
	sl->before = s->lengths;
	/* the product of this bin and the one before it is not the row's */
	sl->before.lag += s->last_s * s->bin_s;
}

/* The bin that is being closed did not have this device. */
static void end_row(const struct segment *s, struct slot *sl)
{
	sl->ended = lengths_of_row(s, sl);
	sl->has_ended = true;
}

void segment_close_bin(struct segment *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct slot *sl = &s->slots[i];

		if (!sl->activity && !sl->has_ended && sl->first < sl->next && sl->next == s->bins)
			end_row(s, sl);
	}
	s->lengths.sum += s->bin_s;
	s->lengths.squares += s->bin_s * s->bin_s;
	s->lengths.lag += s->last_s * s->bin_s;
	s->block_s[s->bins / s->stride] += s->bin_s;
	s->last_s = s->bin_s;
	s->bins++;
}

/* The tally of a row of idle bins, or why a metric has no value in them. `idle`: what such a bin is. */
static enum na row_tally(const struct segment *s, const struct slot *sl, const struct metric *m,
			 const struct delta *idle, struct tally *t)
{
	struct ratio r = metric_ratio(m, idle);
	struct lengths row = lengths_of_row(s, sl);
	uint32_t bins = sl->next - sl->first;
	struct tally_weights w = { row.sum, row.squares, row.lag, s->last_s };

	memset(t, 0, sizeof(*t));
	if (!bins)
		return sl->why;
	if (r.why != NA_NONE)
		return r.why;
	if (m->per == PER_SAMPLE)
		w = (struct tally_weights){ bins, bins, bins - 1, 1 };
	tally_zeros(t, bins, &w);
	return NA_NONE;
}

static double overlap(double from, double to, double other_from, double other_to)
{
	return fmax(0, fmin(to, other_to) - fmax(from, other_from));
}

static void row_blocks(const struct segment *s, const struct slot *sl, struct activity *a)
{
	double begin = sl->before.sum, end = begin + lengths_of_row(s, sl).sum, from = 0;

	for (uint32_t i = 0; i < BLOCKS; i++) {
		double to = from + s->block_s[i];
		uint64_t first = (uint64_t)i * s->stride;
		struct block *b = &a->blocks[i];

		b->bins = (uint32_t)overlap((double)first, (double)(first + s->stride), sl->first, sl->next);
		if (b->bins) {
			b->seconds = overlap(from, to, begin, end);
			b->invalid = FIELDS_ALL & ~sl->has;
		}
		from = to;
	}
}

/* From now on the slot has sums of its own, begun with those of its row of idle bins. */
static struct activity *activate(const struct segment *s, struct slot *sl)
{
	struct activity *a;
	struct delta idle;

	if (sl->activity)
		return sl->activity;
	a = sl->activity = xcalloc(1, sizeof(*a));
	delta_idle(&idle, sl->has, 1);
	for (int m = 0; m < METRICS; m++)
		a->why[m] = (uint8_t)row_tally(s, sl, &metrics[m], &idle, &a->tallies[m]);
	if (sl->first < sl->next) {
		row_blocks(s, sl, a);
		memcpy(a->field_why, idle.why, sizeof(a->field_why));
	}
	a->next = sl->next;
	return a;
}

/* Nothing happened, and every field that the kernel has is known to be 0. */
static bool is_plain_idle(const struct delta *d)
{
	if (delta_active(d) || d->derived)
		return false;
	for (int f = 0; f < FIELDS; f++) {
		if (d->v[f] || (d->why[f] != NA_NONE && d->why[f] != NA_NO_FIELD))
			return false;
	}
	return true;
}

void segment_add_idle(struct segment *s, uint32_t slot, uint32_t instance, field_set has)
{
	struct slot *sl = slot_of(s, slot, instance);
	struct delta idle;

	if (!sl->activity && sl->first == sl->next) {
		begin_row(s, sl, has);
		return;
	}
	if (!sl->activity && !sl->has_ended && sl->next == s->bins && sl->has == has) {
		sl->next++;
		return;
	}
	if (!sl->activity && sl->next > s->bins)
		return;
	delta_idle(&idle, has, s->bin_s);
	activity_add(activate(s, sl), s->bins, s->bins / s->stride, &idle);
}

void segment_add(struct segment *s, uint32_t slot, uint32_t instance, const struct delta *bin)
{
	struct slot *sl = slot_of(s, slot, instance);

	if (bin->state != DELTA_OK) {
		sl->state = (uint8_t)bin->state;
		sl->why = bin->why[RD_IOS];
		if (!sl->activity && sl->first == sl->next)
			return;
	} else if (!sl->activity && is_plain_idle(bin)) {
		segment_add_idle(s, slot, instance, bin->valid);
		return;
	}
	if (!sl->activity && sl->next > s->bins)
		return;
	activity_add(activate(s, sl), s->bins, s->bins / s->stride, bin);
}

void segment_add_system(struct segment *s, const struct system_delta *bin)
{
	struct system_sums *sys = &s->system;
	bool neighbour = sys->next == s->bins;

	for (int m = 0; m < SYSTEM_METRICS; m++) {
		const struct ratio *r = &bin->ratios[m];

		if (r->why != NA_NONE || !neighbour)
			tally_skip(&sys->tallies[m]);
		if (r->why != NA_NONE) {
			sys->why[m] = (uint8_t)r->why;
			continue;
		}
		tally_add(&sys->tallies[m], r->n, r->d);
		sys->blocks[s->bins / s->stride][m].n += r->n;
		sys->blocks[s->bins / s->stride][m].d += r->d;
		sys->blocks[s->bins / s->stride][m].bins++;
	}
	sys->next = s->bins + 1;
}

uint32_t segment_bins(const struct segment *s)
{
	return s->bins;
}

double segment_seconds(const struct segment *s)
{
	return s->lengths.sum;
}

bool segment_has(const struct segment *s, uint32_t slot, uint32_t *instance)
{
	const struct slot *sl = known_slot(s, slot);

	if (sl && instance)
		*instance = sl->instance;
	return sl != NULL;
}

bool segment_active(const struct segment *s, uint32_t slot)
{
	const struct slot *sl = known_slot(s, slot);

	return sl && sl->activity && sl->activity->active;
}

void segment_total(const struct segment *s, uint32_t slot, struct delta *total)
{
	const struct slot *sl = known_slot(s, slot);
	uint32_t idle_bins = sl ? sl->next - sl->first : 0;

	if (!sl) {
		delta_unavailable(total, s->bins ? DELTA_GONE : DELTA_FIRST, s->lengths.sum);
	} else if (sl->activity) {
		activity_total(sl->activity, total);
		if (!(total->samples > 0))
			delta_unavailable(total, sl->state, s->lengths.sum);
	} else if (!idle_bins) {
		delta_unavailable(total, sl->state, s->lengths.sum);
	} else {
		delta_idle(total, sl->has, lengths_of_row(s, sl).sum);
		total->samples = idle_bins;
	}
}

static enum na no_value(struct estimate *e, enum na why)
{
	struct tally none = { .n = 0 };

	tally_estimate(&none, e);
	return why != NA_NONE ? why : NA_FIRST;
}

static enum na estimate_row(const struct segment *s, const struct slot *sl, const struct metric *m, struct estimate *e)
{
	struct delta idle;
	struct tally t;
	enum na why;

	delta_idle(&idle, sl->has, 1);
	why = row_tally(s, sl, m, &idle, &t);
	if (!t.n)
		return no_value(e, why);
	tally_estimate(&t, e);
	e->ios = 0;
	if (e->n >= BINS_FOR_HALVES)
		e->half[0] = e->half[1] = 0;
	return NA_NONE;
}

enum na segment_estimate(const struct segment *s, uint32_t slot, enum metric_id m, struct estimate *e)
{
	const struct slot *sl = known_slot(s, slot);

	if (!sl)
		return no_value(e, s->bins ? NA_GONE : NA_FIRST);
	if (!sl->activity)
		return estimate_row(s, sl, &metrics[m], e);
	return activity_estimate(sl->activity, m, e);
}

static double system_half(const struct system_sums *sys, uint32_t bins, bool second, int m)
{
	double n = 0, d = 0;
	uint32_t seen = 0;

	for (int i = 0; i < BLOCKS; i++) {
		uint32_t here = sys->blocks[i][m].bins;
		/* a block belongs to the half in which its middle lies */
		bool late = (uint64_t)seen * 2 + here > bins;

		seen += here;
		if (late != second)
			continue;
		n += sys->blocks[i][m].n;
		d += sys->blocks[i][m].d;
	}
	return d > 0 ? n / d : NAN;
}

enum na segment_estimate_system(const struct segment *s, enum system_id m, struct estimate *e)
{
	const struct tally *t = &s->system.tallies[m];

	if (!t->n)
		return no_value(e, s->system.why[m]);
	tally_estimate(t, e);
	if (e->n >= BINS_FOR_HALVES) {
		e->half[0] = system_half(&s->system, t->n, false, m);
		e->half[1] = system_half(&s->system, t->n, true, m);
	}
	return NA_NONE;
}

enum na segment_estimate_sum(const struct segment *s, const uint32_t *slots, size_t n, enum metric_id m,
			     struct estimate *e)
{
	struct delta sum, part, both;
	struct value v;

	no_value(e, NA_NONE);
	if (!n)
		return NA_NO_LOWER;
	segment_total(s, slots[0], &sum);
	for (size_t i = 1; i < n; i++) {
		segment_total(s, slots[i], &part);
		delta_sum(&both, (const struct delta *const []){ &sum, &part }, 2);
		sum = both;
	}
	v = metric_value(&metrics[m], &sum);
	if (v.why != NA_NONE)
		return v.why;
	e->kind = ESTIMATE_SINGLE;
	e->n = 1;
	e->n_eff = 1;
	e->value = v.v;
	e->ios = delta_ios(&sum);
	return NA_NONE;
}
