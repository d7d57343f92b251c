/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a device did between two samples: the growth of each counter, with a state for the whole and a reason for each
 * field that is not available. Deltas can be added, in time (a bin of 1 s from ten of 0.1 s) and over devices (the legs
 * of a map); the sum of an unavailable field is unavailable.
 *
 * in_flight is no counter: its value is the one at the end of the interval, and `samples` is what it is divided by.
 */
#ifndef IODELTA_MODEL_DELTA_H
#define IODELTA_MODEL_DELTA_H

#include "model/counters.h"
#include "model/na.h"

enum delta_state { DELTA_OK, DELTA_FIRST, DELTA_NEW, DELTA_RESET, DELTA_GONE };

struct delta {
	uint64_t v[FIELDS];     /* growth; 0 where not valid */
	field_set valid;        /* the fields whose growth is known; empty unless the state is DELTA_OK */
	enum delta_state state;
	uint8_t why[FIELDS];    /* enum na of each field that is not valid, NA_NONE for the others */
	uint8_t derived;        /* computed from other devices: a head from its paths */
	double seconds;         /* length of the interval */
	double samples;         /* 1; more in a sum over time */
};

/* What all devices share in one interval. */
struct delta_interval {
	double seconds;         /* by the samples' own stamps, > 0 */
	double uptime_s;        /* since boot, at its end */
	unsigned int word_bits; /* of the kernel's unsigned long: 64, or 32 */
};

/* What is remembered of an instance from one interval to the next. Zero it when the instance changes. */
struct delta_track {
	double age_s;           /* since it was registered, as far as known: seen to come; 0: since boot. Each
				   delta_compute adds its interval; intervals left out are the caller's to add */
	double sampled_s;       /* intervals in which it did I/O, added up */
	uint64_t sampled_ios;   /* and the I/Os in them */
};

/*
 * The growth from `before` to `now`, by the rules of arithmetic in HACKING (wrap, step back, reset, time not
 * accounted). Returns the state, which is DELTA_OK or DELTA_RESET, or DELTA_FIRST when the interval has no length.
 * Never gives a negative or a wild number. A reset begins the track anew.
 */
enum delta_state delta_compute(struct delta *d, const struct counters *before, const struct counters *now,
			       const struct delta_interval *interval, struct delta_track *track)
	__attribute__((nonnull));

/* Everything since boot: the counters themselves, over `uptime_s`. */
void delta_since_boot(struct delta *d, const struct counters *now, double uptime_s) __attribute__((nonnull));

/* A delta in which nothing is available because of its state (not DELTA_OK). */
void delta_unavailable(struct delta *d, enum delta_state state, double seconds) __attribute__((nonnull));

/* An interval without any I/O: all fields of `has` valid and 0. */
void delta_idle(struct delta *d, field_set has, double seconds) __attribute__((nonnull));

/* Take fields away: they are not available because of `why`. Fields that already have a reason keep it. */
void delta_hide(struct delta *d, field_set fields, enum na why) __attribute__((nonnull));

/*
 * Add a later interval of the same device. A zeroed struct is the empty sum. One interval that is not DELTA_OK makes
 * the sum so (of several, the last in the order of the states), one without a field takes the field away.
 */
void delta_append(struct delta *sum, const struct delta *d) __attribute__((nonnull));

/*
 * The sum over devices in the same interval: counters add up, io_ticks is the largest (so %util is the maximum).
 * Parts that are not DELTA_OK are left out; with none left the state is that of the first part, without any part it is
 * DELTA_FIRST with NA_NO_LOWER. Marks it derived.
 */
void delta_sum(struct delta *sum, const struct delta *const *parts, size_t n) __attribute__((nonnull(1)));

/* I/Os completed in the interval, of all kinds that are valid. */
uint64_t delta_ios(const struct delta *d) __attribute__((nonnull));

/* Something happened: I/O was completed or is in flight. */
bool delta_active(const struct delta *d) __attribute__((nonnull));

#endif
