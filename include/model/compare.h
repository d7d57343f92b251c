/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BEFORE against AFTER: change, noise, verdict. Formulas and limits: METRICS in HACKING. Percentages are of BEFORE;
 * for metrics in percent changes are points.
 */
#ifndef IODELTA_MODEL_COMPARE_H
#define IODELTA_MODEL_COMPARE_H

#include "model/metric.h"
#include "model/statistics.h"

/* In the order in which they are tried. */
enum verdict {
	VERDICT_NA, VERDICT_NEW, VERDICT_GONE, VERDICT_SINGLE, VERDICT_FEW, VERDICT_REPEATED, VERDICT_DRIFT,
	VERDICT_CLEAR, VERDICT_NOISE,
	VERDICTS
};

const char *verdict_name(enum verdict v);       /* "clear" */
const char *verdict_help(enum verdict v);       /* one sentence, for help and man page */

#define CONFIDENCE_FINISHED 0.997
#define CONFIDENCE_LIVE 0.999

struct comparison {
	enum verdict verdict;
	enum na why_before, why_after;  /* with VERDICT_NA: the side that has no value says why */
	bool has_change;        /* both sides have a value of the same device, so `change` means something */
	double change;          /* after - before, in the metric's unit */
	bool has_pct;           /* there is a base: the four below mean something */
	double change_pct;      /* for percent metrics not given (points are in change) */
	double ci_low, ci_high; /* percent of BEFORE, points for percent metrics */
	double mde_pct;         /* the smallest change this pair could have shown, likewise */
	bool has_ci;            /* noise is known, so ci and mde mean something */
	int better;             /* +1 better, -1 worse, 0 no direction or no clear change */
};

/*
 * Judge one metric. `why_*`: NA_NONE or the reason that there is no estimate on that side.
 * A base of 0 with a change past the floor is VERDICT_NEW.
 */
void compare(struct comparison *c, const struct metric_rules *rules, double confidence,
	     const struct estimate *before, enum na why_before,
	     const struct estimate *after, enum na why_after) __attribute__((nonnull));

/*
 * Whether compare() would say VERDICT_CLEAR of a pair that has values on both sides, without working out the
 * interval: cheap enough for every metric of every device in every bin. *direction: the sign of the change, when so.
 */
bool compare_is_clear(const struct metric_rules *rules, double confidence, const struct estimate *before,
		      const struct estimate *after, int *direction) __attribute__((nonnull));

/*
 * BEFORE was 0 and AFTER is not, past the floor and beyond the noise: VERDICT_NEW that is worth a mark. (A single
 * request on an idle device is VERDICT_NEW as well.)
 */
bool compare_rises_from_0(const struct metric_rules *rules, double confidence, const struct estimate *before,
			  const struct estimate *after) __attribute__((nonnull));

/* The device itself is only on one side: VERDICT_NEW or VERDICT_GONE. */
void compare_one_sided(struct comparison *c, bool has_before) __attribute__((nonnull));

/* One segment in a row of segments whose settings were taken in turn. */
struct turn {
	int setting;            /* 0 is A, the first one's setting; 1 is B */
	struct estimate e;
};

/*
 * Settings taken in turn (A B A B …), oldest first: VERDICT_REPEATED when the last three or more changes of setting
 * are each clear at 99.7% and all in the same direction seen from A to B. The pooled values of each setting come back
 * in *a and *b, their sd is the spread between the segments of that setting. Returns whether it is repeated.
 */
bool compare_turns(struct comparison *c, const struct metric_rules *rules, const struct turn *turns, size_t n,
		   struct estimate *a, struct estimate *b) __attribute__((nonnull));

/* The change that must be passed, in the metric's unit. */
double floor_of(const struct metric_rules *rules, const struct estimate *before, const struct estimate *after)
	__attribute__((nonnull));

/*
 * Eras of time accounting, guessed from the release (backports exist, so a guess is said to be one): A up to 4.20,
 * B 5.0 to 5.6, C 5.7 to 6.9, D from 6.10; '?' when the release cannot be read.
 */
char accounting_era(const char *release) __attribute__((nonnull));
/* Whether a metric can be judged between two eras. */
bool eras_comparable(enum metric_id m, char a, char b);

#endif
