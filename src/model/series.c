/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/series.h"

#include <math.h>

#define SHRINK_BELOW 0.4
#define SHRINK_AFTER 20
#define LEAST_TOP 0.1

static int64_t last_column(int64_t end_ns, int64_t column_ns)
{
	return end_ns > 0 ? (end_ns - 1) / column_ns : 0;
}

size_t series_column(int64_t t_ns, int64_t end_ns, int64_t column_ns, size_t n)
{
	int64_t back = last_column(end_ns, column_ns) - last_column(t_ns, column_ns);

	return t_ns > 0 && back >= 0 && (uint64_t)back < n ? n - 1 - (size_t)back : n;
}

int64_t series_end_ns(size_t column, int64_t end_ns, int64_t column_ns, size_t n)
{
	return (last_column(end_ns, column_ns) + 1 - (int64_t)(n - 1 - column)) * column_ns;
}

/* Columns from the bin's beginning on that no other bin ends in have its value. */
static void fill_back(struct value *out, size_t column, double bin_s, int64_t column_ns)
{
	double columns = bin_s * 1e9 / (double)column_ns;

	for (size_t i = 1; (double)i + 0.5 < columns && i <= column; i++)
		out[column - i] = out[column];
}

void series_take(const struct history *h, uint32_t slot, enum metric_id m, int64_t end_ns, int64_t column_ns,
		 struct value *out, size_t n)
{
	size_t bins = history_bins(h);
	struct delta sum = { 0 };
	size_t at = n;
	double longest = 0;

	for (size_t i = 0; i < n; i++)
		out[i] = (struct value){ .why = NA_FIRST };
	for (size_t bin = 0; bin < bins; bin++) {
		size_t column = series_column(history_bin_end_ns(h, bin), end_ns, column_ns, n);
		struct delta d;

		if (column == n || !history_delta(h, slot, bin, &d))
			continue;
		if (column != at) {
			sum = (struct delta){ 0 };
			longest = 0;
		}
		at = column;
		delta_append(&sum, &d);
		longest = fmax(longest, history_bin_seconds(h, bin));
		out[at] = metric_value(&metrics[m], &sum);
		fill_back(out, at, longest, column_ns);
	}
}

/* The smallest 1, 2 or 5 times a power of ten that is not below v. */
static double rounded_up(double v)
{
	static const double steps[] = { 1, 2, 5, 10 };
	double power = pow(10, floor(log10(v)));

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (steps[i] * power >= v * (1 - 1e-9))
			return steps[i] * power;
	}
	return 10 * power;
}

void scale_update(struct scale *s, double most, bool percent)
{
	double top = isfinite(most) && most > LEAST_TOP ? rounded_up(most) : LEAST_TOP;

	if (percent && top < 100)
		top = 100;
	s->low = most < SHRINK_BELOW * s->top ? s->low + 1 : 0;
	if (top > s->top || s->low > SHRINK_AFTER) {
		s->top = top;
		s->low = 0;
	}
}
