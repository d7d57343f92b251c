/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A metric over time, for a graph: columns of equal length taken from the history, and a scale that does not jump. */
#ifndef IODELTA_MODEL_SERIES_H
#define IODELTA_MODEL_SERIES_H

#include "model/history.h"
#include "model/metric.h"

/*
 * The values of `n` columns of `column_ns` each, the last of which holds `end_ns`. Columns lie on whole multiples of
 * their length, so that a bin stays in its column as time goes on. A column is sum(N)/sum(D) over the bins that end in
 * it; where bins are longer than columns each has the value of the bin over it. NA_FIRST where there is none.
 */
void series_take(const struct history *h, uint32_t slot, enum metric_id m, int64_t end_ns, int64_t column_ns,
		 struct value *out, size_t n) __attribute__((nonnull));
/* The column of an instant in such a series; n when it is not in it. */
size_t series_column(int64_t t_ns, int64_t end_ns, int64_t column_ns, size_t n);
/* The instant at which a column ends. */
int64_t series_end_ns(size_t column, int64_t end_ns, int64_t column_ns, size_t n);

/* The top of the y axis: 1, 2 or 5 times a power of ten, at least `least`. */
struct scale {
	double top;
	unsigned int low;       /* frames in a row in which a smaller top would have done */
};

/* Grows at once; shrinks when the maximum has long stayed below 40% of it. Percent end at 100 if nothing is above. */
void scale_update(struct scale *s, double most, bool percent) __attribute__((nonnull));

#endif
