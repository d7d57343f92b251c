/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ratio estimator and Student's t. Pure arithmetic, no knowledge of disks.
 *
 * A tally collects pairs (N_i, D_i), one per bin, as sums only; from them come the ratio R = sum(N)/sum(D), the
 * residuals e_i = N_i - R*D_i, their spread and their lag-1 autocorrelation. A bin with D = 0 has no weight.
 */
#ifndef IODELTA_MODEL_STATISTICS_H
#define IODELTA_MODEL_STATISTICS_H

#include <stdbool.h>
#include <stdint.h>

#define TALLY_HISTOGRAM 24

struct tally {
	uint32_t n;             /* bins with weight */
	bool joined;            /* the last bin had weight, so the next one is its neighbour */
	uint8_t halved;         /* one in 2^halved bins is in the histogram */
	double sn, sd;          /* sums of N and D */
	double snn, snd, sdd;   /* of their squares and product */
	double lnn, lnd, ldd;   /* of N_i N_i+1, N_i D_i+1 + D_i N_i+1, D_i D_i+1 */
	double last_n, last_d;
	float least, most;      /* extremes of N_i/D_i */
	uint16_t histogram[TALLY_HISTOGRAM];    /* of N_i/D_i by powers of two: bucket k holds [2^(k-8), 2^(k-7)) */
};

void tally_add(struct tally *t, double n, double d) __attribute__((nonnull));
/* A bin without a value: the next one is nobody's neighbour. */
void tally_skip(struct tally *t) __attribute__((nonnull));

/* The weights of a row of bins: the sums of D_i, D_i^2 and D_i D_i+1, and the last D. */
struct tally_weights {
	double sum, squares, lag, last;
};

/* Begin a tally as if n neighbouring bins with N = 0 and these weights had been added one by one. */
void tally_zeros(struct tally *t, uint32_t n, const struct tally_weights *w) __attribute__((nonnull));

/* What a stretch says of one metric. */
enum estimate_kind {
	ESTIMATE_NONE,          /* no value: `why` of the owner says it */
	ESTIMATE_BINS,          /* a segment: n bins, judged by n_eff */
	ESTIMATE_VALUES,        /* n independent values (files): Welch on n */
	ESTIMATE_SINGLE,        /* one value of unknown noise (a fio run) */
	ESTIMATE_SPREAD,        /* a value and its sd, n unknown (a printed table) */
};

struct estimate {
	enum estimate_kind kind;
	double value;
	double sd;              /* between bins (values): the root of the mean square, over n */
	double se;              /* of the value: sd / sqrt(n_eff - 2), for values n - 1 */
	double n_eff;           /* bins that count after autocorrelation; n for values */
	uint32_t n;
	double r;               /* the autocorrelation used */
	double half[2];         /* value of the first and second half; NaN when not known */
	uint64_t ios;           /* I/Os in the stretch, for floors that depend on them; UINT64_MAX: not known */
};

/* From a tally: kind is ESTIMATE_NONE when no bin had weight. half and ios are left to the caller. */
void tally_estimate(const struct tally *t, struct estimate *e) __attribute__((nonnull));

/* From independent values; n of 1 is ESTIMATE_SINGLE. */
void values_estimate(const double *values, uint32_t n, struct estimate *e) __attribute__((nonnull(3)));

/* The value below which `share` of the bins lie (0..1), from the histogram, within a factor of two. */
double tally_quantile(const struct tally *t, double share) __attribute__((nonnull));

/* Two-sided Student t: the critical value for confidence (0.997) and real degrees of freedom (> 0). */
double student_critical(double confidence, double df);
/* Two-sided tail probability of |t|. */
double student_tail(double t, double df);

/* Welch: standard error and degrees of freedom of b - a. */
struct welch {
	double se, df;
};
struct welch welch(const struct estimate *a, const struct estimate *b) __attribute__((nonnull));

#endif
