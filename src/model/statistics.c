/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/statistics.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Spread below this share of the mean square is what rounding leaves of constant data. */
#define ROUNDING 1e-12
/* More autocorrelation than this cannot be told from a slope. */
#define R_MOST 0.97
/*
 * The ratio and its autocorrelation are made from the same bins, so the residuals are smaller than the noise: each
 * takes one independent bin. With one only, simulated false alarms are over the limit where BEFORE is short.
 */
#define ESTIMATED_FROM_BINS 2
/* Bucket k of the histogram begins at 2^(k - HISTOGRAM_LOW). */
#define HISTOGRAM_LOW 8

static int bucket_of(double value)
{
	int exponent;

	if (!(value > 0))
		return 0;
	frexp(value, &exponent);
	exponent += HISTOGRAM_LOW - 1;
	if (exponent < 0)
		return 0;
	return exponent < TALLY_HISTOGRAM ? exponent : TALLY_HISTOGRAM - 1;
}

/* A full bucket halves them all, and from then on only every second bin is counted: the shape stays. */
static void count_in(struct tally *t, int bucket, uint64_t bins)
{
	while (t->histogram[bucket] + (bins >> t->halved) > UINT16_MAX) {
		for (int i = 0; i < TALLY_HISTOGRAM; i++)
			t->histogram[i] = (uint16_t)(t->histogram[i] / 2);
		t->halved++;
	}
	t->histogram[bucket] = (uint16_t)(t->histogram[bucket] + (bins >> t->halved));
}

static void note_value(struct tally *t, double value)
{
	float v = (float)value;

	if (!t->n || v < t->least)
		t->least = v;
	if (!t->n || v > t->most)
		t->most = v;
	if (!(t->n & ((1U << t->halved) - 1)))
		count_in(t, bucket_of(value), UINT64_C(1) << t->halved);
}

void tally_skip(struct tally *t)
{
	t->joined = false;
}

void tally_add(struct tally *t, double n, double d)
{
	if (!(d > 0) || !isfinite(d) || !isfinite(n)) {
		tally_skip(t);
		return;
	}
	note_value(t, n / d);
	if (t->joined) {
		t->lnn += t->last_n * n;
		t->lnd += t->last_n * d + t->last_d * n;
		t->ldd += t->last_d * d;
	}
	t->n++;
	t->sn += n;
	t->sd += d;
	t->snn += n * n;
	t->snd += n * d;
	t->sdd += d * d;
	t->last_n = n;
	t->last_d = d;
	t->joined = true;
}

void tally_zeros(struct tally *t, uint32_t n, const struct tally_weights *w)
{
	memset(t, 0, sizeof(*t));
	if (!n)
		return;
	count_in(t, 0, n);
	t->n = n;
	t->sd = w->sum;
	t->sdd = w->squares;
	t->ldd = w->lag;
	t->last_d = w->last;
	t->joined = true;
}

static double clamp(double v, double low, double high)
{
	return v < low ? low : v > high ? high : v;
}

/* The sum of the squared residuals, exactly 0 where only rounding is left of it. */
static double residual_squares(const struct tally *t, double ratio)
{
	double squares = t->snn - 2 * ratio * t->snd + ratio * ratio * t->sdd;

	return squares > ROUNDING * t->snn ? squares : 0;
}

/*
 * The lag-1 autocorrelation of the residuals, corrected for what estimating the ratio from the same n bins takes off
 * it. Negative values are not used: they would make the noise smaller than white.
 */
static double autocorrelation(const struct tally *t, double ratio, double squares)
{
	double products = t->lnn - ratio * t->lnd + ratio * ratio * t->ldd;
	double r1;

	if (!(squares > 0))
		return 0;
	r1 = clamp(products / squares, -1, 1);
	return clamp(r1 + (1 + 3 * r1) / t->n, 0, R_MOST);
}

/* The standard error from a spread whose mean square was taken over all bins, when only `free` of them were free. */
static double standard_error(double sd, double free)
{
	return free > 1 ? sd / sqrt(free) : sd;
}

static void estimate_clear(struct estimate *e)
{
	*e = (struct estimate){ .kind = ESTIMATE_NONE, .half = { NAN, NAN }, .ios = UINT64_MAX };
}

void tally_estimate(const struct tally *t, struct estimate *e)
{
	double squares;

	estimate_clear(e);
	if (!t->n || !(t->sd > 0))
		return;
	e->kind = ESTIMATE_BINS;
	e->n = t->n;
	e->value = t->sn / t->sd;
	squares = residual_squares(t, e->value);
	e->sd = sqrt(squares / t->n) / (t->sd / t->n);
	/* without residuals nothing speaks against independent bins */
	e->r = autocorrelation(t, e->value, squares);
	e->n_eff = t->n * (1 - e->r) / (1 + e->r);
	e->se = standard_error(e->sd, e->n_eff - ESTIMATED_FROM_BINS);
}

void values_estimate(const double *values, uint32_t n, struct estimate *e)
{
	double sum = 0, squares = 0, mean_square = 0;

	estimate_clear(e);
	if (!n)
		return;
	for (uint32_t i = 0; i < n; i++)
		sum += values[i];
	e->value = sum / n;
	for (uint32_t i = 0; i < n; i++) {
		squares += (values[i] - e->value) * (values[i] - e->value);
		mean_square += values[i] * values[i];
	}
	e->kind = n == 1 ? ESTIMATE_SINGLE : ESTIMATE_VALUES;
	e->n = n;
	e->n_eff = n;
	/* the square of the rounding of a mean */
	e->sd = squares > ROUNDING * ROUNDING * mean_square ? sqrt(squares / n) : 0;
	e->se = standard_error(e->sd, n - 1.0);
}

static double bucket_start(const struct tally *t, int bucket)
{
	double start = bucket ? ldexp(1, bucket - HISTOGRAM_LOW) : (double)t->least;

	return clamp(start, t->least, t->most);
}

double tally_quantile(const struct tally *t, double share)
{
	uint64_t all = 0, below = 0;
	double wanted;

	if (!t->n)
		return 0;
	for (int i = 0; i < TALLY_HISTOGRAM; i++)
		all += t->histogram[i];
	wanted = clamp(share, 0, 1) * (double)all;
	for (int i = 0; i < TALLY_HISTOGRAM; i++) {
		double from, to;

		if (!t->histogram[i] || (double)(below + t->histogram[i]) < wanted) {
			below += t->histogram[i];
			continue;
		}
		from = bucket_start(t, i);
		to = i + 1 < TALLY_HISTOGRAM ? bucket_start(t, i + 1) : (double)t->most;
		return from + (to - from) * (wanted - (double)below) / t->histogram[i];
	}
	return t->most;
}

/* ln(gamma(a + 1/2) / gamma(a)); for large a the difference of two lgamma would lose digits. */
static double half_step_gamma(double a)
{
	if (a > 200)
		return 0.5 * log(a) - 1 / (8 * a) + 1 / (192 * a * a * a);
	return lgamma(a + 0.5) - lgamma(a);
}

static double not_zero(double v)
{
	return fabs(v) < DBL_MIN / DBL_EPSILON ? DBL_MIN / DBL_EPSILON : v;
}

/*
 * The continued fraction of the incomplete beta function, 1/(1 + d1/(1 + d2/(1 + ...))), by forward evaluation of
 * the ratios of successive numerators and denominators.
 */
static double beta_fraction(double a, double b, double x)
{
	double numerator = 1, denominator = 0, value = 1;

	for (int i = 0; i < 100000; i++) {
		int half = i / 2;
		double m = half, d, step;

		if (!i)
			d = 1;
		else if (i % 2)
			d = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		else
			d = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		denominator = 1 / not_zero(1 + d * denominator);
		numerator = not_zero(1 + d / numerator);
		step = numerator * denominator;
		value *= step;
		if (fabs(step - 1) < 4 * DBL_EPSILON && i > 2)
			break;
	}
	return value - 1;
}

/*
 * P(|T| > t) = I_x(df/2, 1/2) with x = df/(df + t^2). Both x and 1 - x are made from t^2/df, so that neither loses
 * its digits where it is small.
 */
double student_tail(double t, double df)
{
	double a = df / 2, q = t / df * t, x = 1 / (1 + q), y = q / (1 + q), front;

	if (!(df > 0) || isnan(t))
		return 1;
	if (t == 0)
		return 1;
	if (isinf(q))
		return exp(half_step_gamma(a) - 0.5 * log(M_PI) - log(a) - a * (2 * log(fabs(t)) - log(df)));
	/* x^a y^(1/2) / B(a, 1/2) */
	front = exp(half_step_gamma(a) - 0.5 * log(M_PI) - a * log1p(q)) * sqrt(y);
	if (x < (a + 1) / (a + 2.5))
		return clamp(front * beta_fraction(a, 0.5, x) / a, 0, 1);
	return clamp(1 - front * beta_fraction(0.5, a, y) / 0.5, 0, 1);
}

/* The density of t. */
static double student_density(double t, double df)
{
	return exp(half_step_gamma(df / 2) - 0.5 * log(df * M_PI) - (df + 1) / 2 * log1p(t / df * t));
}

/*
 * Newton on ln(tail) over ln(t), which is nearly a straight line where the tail is heavy, kept inside the bracket
 * that the tails seen so far give.
 */
double student_critical(double confidence, double df)
{
	double p = 1 - confidence, low = -700, high = 700, at = 0;

	if (!(p > 0) || !(df > 0))
		return INFINITY;
	if (p >= 1)
		return 0;
	for (int i = 0; i < 200; i++) {
		double t = exp(at), tail = student_tail(t, df), slope, next;

		if (tail > p)
			low = at;
		else
			high = at;
		if (fabs(tail - p) <= 1e-13 * p)
			break;
		slope = -2 * student_density(t, df) * t / tail;
		next = at - log(tail / p) / slope;
		if (!(next > low && next < high))
			next = (low + high) / 2;
		if (fabs(next - at) < 2e-16 * (1 + fabs(at)))
			break;
		at = next;
	}
	return exp(at);
}

struct welch welch(const struct estimate *a, const struct estimate *b)
{
	double va = a->se * a->se, vb = b->se * b->se, fa = fmax(a->n_eff - 1, DBL_EPSILON);
	double fb = fmax(b->n_eff - 1, DBL_EPSILON), both = va + vb;
	struct welch w = { .se = sqrt(both), .df = fa + fb };
	double sa, sb;

	if (!(both > 0))
		return w;
	sa = va / both;
	sb = vb / both;
	w.df = 1 / (sa * sa / fa + sb * sb / fb);
	return w;
}
