/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

/* Fewer independent bins, or values, than this on a side are too few to judge by. */
#define FEW_BINS 5
#define FEW_VALUES 3
/* Below this many I/Os in a side a latency must change by ten times its floor. */
#define FEW_IOS 50
/* Changes of setting in a row that make a change `repeated`. */
#define TURNS 3

struct verdict_row {
	const char *name, *help;
};

static const struct verdict_row verdicts[VERDICTS] = {
	[VERDICT_NA] = { "na", "one side has no value, for the reason given" },
	[VERDICT_NEW] = { "new", "BEFORE was 0, or the device was not there" },
	[VERDICT_GONE] = { "gone", "the device is not there any more" },
	[VERDICT_SINGLE] = { "single", "one value on a side, so the noise is unknown" },
	[VERDICT_FEW] = { "few", "too few independent bins or values on a side to tell a change from noise" },
	[VERDICT_REPEATED] = { "repeated",
		"three or more changes of setting in turn were each clear and went the same way" },
	[VERDICT_DRIFT] = { "drift", "the halves of a side differ by more than the two sides do" },
	[VERDICT_CLEAR] = { "clear", "beyond the noise inside the two stretches and past the floor" },
	[VERDICT_NOISE] = { "noise", "not told apart from noise, or too small to matter" },
};

const char *verdict_name(enum verdict v)
{
	return (unsigned int)v < VERDICTS ? verdicts[v].name : "na";
}

const char *verdict_help(enum verdict v)
{
	return (unsigned int)v < VERDICTS ? verdicts[v].help : "";
}

double floor_of(const struct metric_rules *rules, const struct estimate *before, const struct estimate *after)
{
	double absolute = rules->floor_abs;

	if ((rules->flags & METRIC_LATENCY_FLOOR) && (before->ios < FEW_IOS || after->ios < FEW_IOS))
		absolute *= 10;
	return fmax(rules->floor_rel * fabs(before->value), absolute);
}

static bool is_kind(enum estimate_kind kind, const struct estimate *a, const struct estimate *b)
{
	return a->kind == kind || b->kind == kind;
}

static bool is_few(const struct estimate *e)
{
	if (e->kind == ESTIMATE_BINS)
		return e->n_eff < FEW_BINS;
	return e->kind == ESTIMATE_VALUES && e->n < FEW_VALUES;
}

/* A half that is not known is NaN and tells nothing. */
static bool drifts(const struct estimate *e, double change)
{
	return fabs(e->half[1] - e->half[0]) > fabs(change);
}

/*
 * Whether a change is beyond the noise. The normal tail is a lower bound of Student's, and much cheaper: most pairs
 * are settled by it.
 */
static bool beyond_noise(double change, double confidence, const struct estimate *before, const struct estimate *after)
{
	struct welch w = welch(before, after);
	double ratio = fabs(change) / w.se;

	if (!(w.se > 0))
		return change != 0;
	if (erfc(ratio / M_SQRT2) >= 1 - confidence)
		return false;
	return student_tail(ratio, w.df) < 1 - confidence;
}

/* A printed value and its spread, from nobody knows how many: the intervals of two sd must be apart. */
static bool spreads_apart(double change, const struct estimate *before, const struct estimate *after)
{
	return fabs(change) > 2 * (before->sd + after->sd);
}

/* The verdict of a pair that has values on both sides. */
static enum verdict judge(const struct metric_rules *rules, double confidence, const struct estimate *before,
			  const struct estimate *after)
{
	double change = after->value - before->value;
	bool past_floor = fabs(change) > floor_of(rules, before, after);

	if (before->value == 0 && past_floor)
		return VERDICT_NEW;
	if (is_kind(ESTIMATE_SINGLE, before, after))
		return VERDICT_SINGLE;
	if (is_few(before) || is_few(after))
		return VERDICT_FEW;
	if (!past_floor)
		return VERDICT_NOISE;
	if (is_kind(ESTIMATE_SPREAD, before, after)) {
		if (!spreads_apart(change, before, after))
			return VERDICT_NOISE;
	} else if (!beyond_noise(change, confidence, before, after)) {
		return VERDICT_NOISE;
	}
	return drifts(before, change) || drifts(after, change) ? VERDICT_DRIFT : VERDICT_CLEAR;
}

static bool has_value(const struct estimate *e, enum na why)
{
	return why == NA_NONE && e->kind != ESTIMATE_NONE && isfinite(e->value);
}

static enum na reason_of(const struct estimate *e, enum na why)
{
	return why == NA_NONE && !has_value(e, why) ? NA_NO_IO : why;
}

static bool noise_is_known(const struct estimate *before, const struct estimate *after)
{
	return !is_kind(ESTIMATE_SINGLE, before, after) && !is_kind(ESTIMATE_SPREAD, before, after)
		&& !is_few(before) && !is_few(after);
}

bool compare_rises_from_0(const struct metric_rules *rules, double confidence, const struct estimate *before,
			  const struct estimate *after)
{
	if (!has_value(before, NA_NONE) || !has_value(after, NA_NONE) || !noise_is_known(before, after))
		return false;
	return judge(rules, confidence, before, after) == VERDICT_NEW
		&& beyond_noise(after->value, confidence, before, after);
}

bool compare_is_clear(const struct metric_rules *rules, double confidence, const struct estimate *before,
		      const struct estimate *after, int *direction)
{
	double change = after->value - before->value;

	if (!has_value(before, NA_NONE) || !has_value(after, NA_NONE))
		return false;
	if (judge(rules, confidence, before, after) != VERDICT_CLEAR)
		return false;
	*direction = change > 0 ? 1 : -1;
	return true;
}

/* What is said as a share of BEFORE, or in points. */
static double in_percent(const struct metric_rules *rules, double base, double v)
{
	return rules->flags & METRIC_PERCENT ? v : 100 * v / fabs(base);
}

/* Without a base there is nothing to be a percentage of. */
static void put_interval(struct comparison *c, const struct metric_rules *rules, double confidence,
			 const struct estimate *before, const struct estimate *after)
{
	struct welch w = welch(before, after);
	double reach = w.se > 0 ? student_critical(confidence, w.df) * w.se : 0;

	if (before->value == 0 && !(rules->flags & METRIC_PERCENT))
		return;
	c->has_ci = true;
	c->ci_low = in_percent(rules, before->value, c->change - reach);
	c->ci_high = in_percent(rules, before->value, c->change + reach);
	c->mde_pct = in_percent(rules, before->value, fmax(floor_of(rules, before, after), reach));
}

static void put_change(struct comparison *c, const struct metric_rules *rules, const struct estimate *before,
		       const struct estimate *after)
{
	bool points = rules->flags & METRIC_PERCENT;

	c->has_change = true;
	c->change = after->value - before->value;
	c->has_pct = !points && before->value != 0;
	if (c->has_pct)
		c->change_pct = in_percent(rules, before->value, c->change);
}

static void put_better(struct comparison *c, const struct metric_rules *rules)
{
	if (c->verdict == VERDICT_CLEAR || c->verdict == VERDICT_REPEATED)
		c->better = c->change > 0 ? rules->direction : -rules->direction;
}

void compare(struct comparison *c, const struct metric_rules *rules, double confidence,
	     const struct estimate *before, enum na why_before,
	     const struct estimate *after, enum na why_after)
{
	*c = (struct comparison){ .verdict = VERDICT_NA };
	c->why_before = reason_of(before, why_before);
	c->why_after = reason_of(after, why_after);
	if (c->why_before != NA_NONE || c->why_after != NA_NONE)
		return;
	put_change(c, rules, before, after);
	if (noise_is_known(before, after))
		put_interval(c, rules, confidence, before, after);
	c->verdict = judge(rules, confidence, before, after);
	put_better(c, rules);
}

void compare_one_sided(struct comparison *c, bool has_before)
{
	*c = (struct comparison){ .verdict = has_before ? VERDICT_GONE : VERDICT_NEW };
	*(has_before ? &c->why_after : &c->why_before) = has_before ? NA_GONE : NA_NEW;
}

/* The direction from A to B of the change of setting between two neighbours, 0 when it is not clear. */
static int turn_direction(const struct metric_rules *rules, const struct turn *one, const struct turn *next)
{
	const struct turn *a = one->setting ? next : one, *b = one->setting ? one : next;
	int direction = 0;

	if (!compare_is_clear(rules, CONFIDENCE_FINISHED, &a->e, &b->e, &direction))
		return 0;
	return direction;
}

/*
 * Count from the newest backwards the changes of setting that are clear and go the same way. *first: the oldest
 * segment that takes part in them, with its neighbours of the same setting.
 */
static size_t turns_in_row(const struct metric_rules *rules, const struct turn *turns, size_t n, size_t *first)
{
	size_t count = 0;
	int way = 0;

	for (size_t i = n - 1; i > 0; i--) {
		int direction;

		if (!turns[i].setting == !turns[i - 1].setting)
			continue;
		direction = turn_direction(rules, &turns[i - 1], &turns[i]);
		if (!direction || (way && direction != way))
			break;
		way = direction;
		*first = i - 1;
		count++;
	}
	while (count && *first > 0 && !turns[*first - 1].setting == !turns[*first].setting)
		(*first)--;
	return count;
}

/*
 * The segments of one setting as one estimate: their mean, and the spread between them as sd. The error of that mean
 * is the larger of what the spread and what the noise inside the segments say; the bins behind it all count.
 */
static void pool(const struct turn *turns, size_t n, bool second, struct estimate *e)
{
	double *values = xcalloc(n, sizeof(*values)), inside = 0, n_eff = 0;
	uint64_t ios = 0;
	uint32_t count = 0;

	for (size_t i = 0; i < n; i++) {
		const struct estimate *one = &turns[i].e;

		if ((turns[i].setting != 0) != second || one->kind == ESTIMATE_NONE)
			continue;
		values[count++] = one->value;
		inside += one->se * one->se;
		n_eff += one->n_eff;
		ios = one->ios > UINT64_MAX - ios ? UINT64_MAX : ios + one->ios;
	}
	values_estimate(values, count, e);
	free(values);
	e->kind = ESTIMATE_VALUES;
	e->se = fmax(count > 1 ? e->se : 0, sqrt(inside) / count);
	e->n_eff = n_eff;
	e->ios = ios;
}

bool compare_turns(struct comparison *c, const struct metric_rules *rules, const struct turn *turns, size_t n,
		   struct estimate *a, struct estimate *b)
{
	size_t first = 0;

	if (n < TURNS + 1 || turns_in_row(rules, turns, n, &first) < TURNS)
		return false;
	pool(turns + first, n - first, false, a);
	pool(turns + first, n - first, true, b);
	*c = (struct comparison){ .verdict = VERDICT_REPEATED };
	put_change(c, rules, a, b);
	put_interval(c, rules, CONFIDENCE_FINISHED, a, b);
	put_better(c, rules);
	return true;
}

/* The number at *s, and *s moved past it; false when there is none. Large ones stay large. */
static bool take_number(const char **s, unsigned int *number)
{
	const char *at = *s;

	*number = 0;
	while (*at >= '0' && *at <= '9') {
		if (*number < 100000)
			*number = *number * 10 + (unsigned int)(*at - '0');
		at++;
	}
	if (at == *s)
		return false;
	*s = at;
	return true;
}

/* The first release of each era, newest first. */
static const struct {
	unsigned int major, minor;
	char era;
} eras[] = {
	{ 6, 10, 'D' }, { 5, 7, 'C' }, { 5, 0, 'B' }, { 0, 0, 'A' },
};

char accounting_era(const char *release)
{
	unsigned int major, minor;
	size_t i = 0;

	if (!take_number(&release, &major) || *release++ != '.' || !take_number(&release, &minor))
		return '?';
	while (major < eras[i].major || (major == eras[i].major && minor < eras[i].minor))
		i++;
	return eras[i].era;
}

bool eras_comparable(enum metric_id m, char a, char b)
{
	if (a == b)
		return true;
	switch (m) {
	case M_PCT_UTIL:
	case M_SVCTM:
	case M_BUSY_DEPTH:
		return false;
	case M_AQU_SZ:
		/* from era B on, time_in_queue is that of completed requests; an unknown era may be A */
		return a != 'A' && b != 'A' && a != '?' && b != '?';
	default:
		return true;
	}
}
