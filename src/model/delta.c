/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/delta.h"

#include <math.h>
#include <string.h>

/* A ms field that goes down by no more than this has stepped back; by more it has wrapped, or it is a reset. */
#define STEP_BACK_MS 1000

/* Faster than any device: growth that may lie behind the wrap of an unsigned long, per second. */
#define MOST_SECTORS 1e8
#define MOST_OTHERS 2e7

/* A device without time in any counter after this many I/Os is not accounted. */
#define ACCOUNTED_IOS 1000
/* Or after this many, whose intervals add up to this many seconds. */
#define ACCOUNTED_SAMPLED_IOS 100
#define ACCOUNTED_SAMPLED_S 1.0

/* The counters that show whether time is accounted. */
#define FIELDS_EVIDENCE (FIELD(RD_TICKS) | FIELD(WR_TICKS) | FIELD(IO_TICKS) | FIELD(TIME_IN_QUEUE))

static const enum na state_reasons[] = {
	[DELTA_OK] = NA_NONE,
	[DELTA_FIRST] = NA_FIRST,
	[DELTA_NEW] = NA_NEW,
	[DELTA_RESET] = NA_RESET,
	[DELTA_GONE] = NA_GONE,
};

static uint64_t add_capped(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static void set_reasons(struct delta *d, field_set fields, enum na why)
{
	for (unsigned int f = 0; f < FIELDS; f++) {
		if (fields & FIELD(f)) {
			d->v[f] = 0;
			d->why[f] = (uint8_t)why;
		}
	}
	d->valid &= ~fields;
}

/* An empty delta in which the fields of `has` count and the others do not exist. */
static void start(struct delta *d, field_set has, double seconds)
{
	*d = (struct delta){ .state = DELTA_OK, .valid = has, .seconds = seconds, .samples = 1 };
	if (has != FIELDS_ALL)
		set_reasons(d, FIELDS_ALL & ~has, NA_NO_FIELD);
}

void delta_unavailable(struct delta *d, enum delta_state state, double seconds)
{
	*d = (struct delta){ .state = state, .seconds = seconds, .samples = 1 };
	set_reasons(d, FIELDS_ALL, state_reasons[state]);
}

void delta_idle(struct delta *d, field_set has, double seconds)
{
	start(d, has & FIELDS_ALL, seconds);
}

void delta_hide(struct delta *d, field_set fields, enum na why)
{
	fields &= d->valid;
	if (fields)
		set_reasons(d, fields, why);
}

uint64_t delta_ios(const struct delta *d)
{
	uint64_t ios = add_capped(d->v[RD_IOS], d->v[WR_IOS]);

	return add_capped(ios, add_capped(d->v[DC_IOS], d->v[FL_IOS]));
}

bool delta_active(const struct delta *d)
{
	return d->state == DELTA_OK && (delta_ios(d) || d->v[IN_FLIGHT]);
}

static uint64_t word_mask(unsigned int word_bits)
{
	return word_bits == 32 ? UINT32_MAX : UINT64_MAX;
}

/* Growth of every valid field, modulo its width; returns the fields that went down. in_flight is taken as it is. */
static field_set subtract(struct delta *d, const struct counters *before, const struct counters *now, uint64_t mask)
{
	field_set down = 0;

	for (unsigned int f = 0; f < FIELDS; f++) {
		uint64_t width = (FIELDS_TICKS & FIELD(f)) ? UINT32_MAX : mask;
		uint64_t b = before->v[f], n = now->v[f];

		if (!(d->valid & FIELD(f)))
			continue;
		if (FIELDS_TICKS & FIELD(f)) {
			b &= UINT32_MAX;
			n &= UINT32_MAX;
		}
		d->v[f] = n >= b ? n - b : (n - b) & width;
		if (n < b)
			down |= FIELD(f);
	}
	d->v[IN_FLIGHT] = (d->valid & FIELD(IN_FLIGHT)) ? now->v[IN_FLIGHT] : 0;
	return down & ~FIELD(IN_FLIGHT);
}

/* An unsigned long that went down: it wrapped if it was in its upper half and what it grew by can have happened. */
static bool word_wrapped(unsigned int f, uint64_t before, uint64_t growth, const struct delta_interval *in)
{
	uint64_t mask = word_mask(in->word_bits);
	double most = (FIELDS_SECTORS & FIELD(f)) ? MOST_SECTORS : MOST_OTHERS;

	return before > mask / 2 && before <= mask && (double)growth <= most * fmax(in->seconds, 1);
}

/* What a ms field can have grown by: the old I/Os waited since registration at most, each other one an interval. */
static double most_ms(const struct delta *d, const struct counters *before, double age_s)
{
	return (double)before->v[IN_FLIGHT] * age_s * 1e3
		+ ((double)delta_ios(d) + (double)d->v[IN_FLIGHT] + 1) * d->seconds * 1e3;
}

/* Judge the fields that went down. False: the counters were reset. */
static bool explain(struct delta *d, field_set down, const struct counters *before, const struct counters *now,
		    const struct delta_interval *in, double age_s)
{
	field_set stepped = 0;
	double most;

	for (unsigned int f = 0; f < FIELDS; f++) {
		if (down & ~FIELDS_TICKS & FIELD(f) && !word_wrapped(f, before->v[f], d->v[f], in))
			return false;
	}
	most = most_ms(d, before, age_s);
	for (unsigned int f = 0; f < FIELDS; f++) {
		if (!(down & FIELDS_TICKS & FIELD(f)))
			continue;
		if ((uint32_t)before->v[f] - (uint32_t)now->v[f] <= STEP_BACK_MS)
			stepped |= FIELD(f);
		else if ((double)d->v[f] > most)
			return false;
	}
	delta_hide(d, stepped, NA_STEPPED_BACK);
	return true;
}

static bool any_nonzero(const struct counters *c, field_set fields)
{
	for (unsigned int f = 0; f < FIELDS; f++) {
		if (fields & FIELD(f) && c->v[f])
			return true;
	}
	return false;
}

/* Take away what the source does not count: time (`sure` says that enough I/O was seen to tell), sectors. */
static void judge_source(struct delta *d, const struct counters *now, bool sure)
{
	const field_set sectors = FIELD(RD_SECTORS) | FIELD(WR_SECTORS);
	uint64_t ios = counters_ios(now);

	if (!any_nonzero(now, FIELDS_EVIDENCE)) {
		if (sure || ios >= ACCOUNTED_IOS)
			delta_hide(d, FIELDS_TICKS, NA_NOT_ACCOUNTED);
		else if (ios && delta_ios(d))
			delta_hide(d, FIELDS_TICKS, NA_RESOLUTION);
	}
	if (!any_nonzero(now, sectors) && any_nonzero(now, FIELD(RD_IOS) | FIELD(WR_IOS)))
		delta_hide(d, sectors, NA_NO_SECTORS);
}

/* Remember the interval; returns whether enough I/O was sampled to judge time accounting. */
static bool remember(struct delta_track *track, const struct delta *d)
{
	uint64_t ios = delta_ios(d);

	if (ios) {
		track->sampled_s += d->seconds;
		track->sampled_ios = add_capped(track->sampled_ios, ios);
	}
	return track->sampled_ios >= ACCOUNTED_SAMPLED_IOS && track->sampled_s >= ACCOUNTED_SAMPLED_S;
}

enum delta_state delta_compute(struct delta *d, const struct counters *before, const struct counters *now,
			       const struct delta_interval *interval, struct delta_track *track)
{
	field_set down;

	if (!(interval->seconds > 0)) {
		delta_unavailable(d, DELTA_FIRST, 0);
		return d->state;
	}
	if (track->age_s > 0)
		track->age_s += interval->seconds;
	start(d, before->has & now->has & FIELDS_ALL, interval->seconds);
	down = subtract(d, before, now, word_mask(interval->word_bits));
	if (down && !explain(d, down, before, now, interval, track->age_s > 0 ? track->age_s : interval->uptime_s)) {
		delta_unavailable(d, DELTA_RESET, interval->seconds);
		*track = (struct delta_track){ .age_s = interval->seconds };
		return d->state;
	}
	judge_source(d, now, remember(track, d));
	return d->state;
}

void delta_since_boot(struct delta *d, const struct counters *now, double uptime_s)
{
	if (!(uptime_s > 0)) {
		delta_unavailable(d, DELTA_FIRST, 0);
		return;
	}
	start(d, now->has & FIELDS_ALL, uptime_s);
	for (unsigned int f = 0; f < FIELDS; f++)
		d->v[f] = (d->valid & FIELD(f)) ? now->v[f] : 0;
	judge_source(d, now, false);
}

/* The fields that one of two has and the other has not are lost, with the other's reason. */
static void lose_fields(struct delta *sum, const struct delta *d)
{
	for (unsigned int f = 0; f < FIELDS; f++) {
		if (sum->valid & ~d->valid & FIELD(f))
			set_reasons(sum, FIELD(f), d->why[f]);
	}
}

void delta_append(struct delta *sum, const struct delta *d)
{
	double seconds = sum->seconds + d->seconds;
	double samples = sum->samples + d->samples;

	if (!(sum->seconds > 0) && !(sum->samples > 0)) {
		*sum = *d;
		return;
	}
	sum->derived |= d->derived;
	if (d->state > sum->state) {
		sum->state = d->state;
		sum->valid = 0;
		memset(sum->v, 0, sizeof(sum->v));
		memcpy(sum->why, d->why, sizeof(sum->why));
	}
	lose_fields(sum, d);
	for (unsigned int f = 0; f < FIELDS; f++) {
		if (sum->valid & FIELD(f))
			sum->v[f] = add_capped(sum->v[f], d->v[f]);
	}
	sum->seconds = seconds;
	sum->samples = samples;
}

static void add_part(struct delta *sum, const struct delta *part)
{
	uint64_t io_ticks = sum->v[IO_TICKS] > part->v[IO_TICKS] ? sum->v[IO_TICKS] : part->v[IO_TICKS];

	lose_fields(sum, part);
	for (unsigned int f = 0; f < FIELDS; f++) {
		if (sum->valid & FIELD(f))
			sum->v[f] = add_capped(sum->v[f], part->v[f]);
	}
	if (sum->valid & FIELD(IO_TICKS))
		sum->v[IO_TICKS] = io_ticks;
}

void delta_sum(struct delta *sum, const struct delta *const *parts, size_t n)
{
	bool empty = true;

	if (n) {
		*sum = *parts[0];
	} else {
		delta_unavailable(sum, DELTA_FIRST, 0);
		set_reasons(sum, FIELDS_ALL, NA_NO_LOWER);
	}
	for (size_t i = 0; i < n; i++) {
		if (parts[i]->state != DELTA_OK)
			continue;
		if (empty)
			*sum = *parts[i];
		else
			add_part(sum, parts[i]);
		empty = false;
	}
	sum->derived = 1;
}
