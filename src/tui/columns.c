/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/columns.h"

#include "base/alloc.h"
#include "base/text.h"

#define LEAST_NUMBER 5          /* cells of the longest number text_add_short makes of a positive value */

struct choice {
	enum metric_id metric;
	unsigned int rank;      /* which gets a place first */
	int from;               /* the screen's width from which it is there at all */
};

struct set {
	const char *name;
	const struct choice *one, *two; /* `two` NULL: the same in two panes */
	size_t n_one, n_two;
};

static const struct choice overview_one[] = {
	{ M_R_S, 0, 0 }, { M_W_S, 1, 0 }, { M_RKB_S, 4, 0 }, { M_WKB_S, 5, 0 },
	{ M_RRQM_S, 9, 140 }, { M_WRQM_S, 7, 110 }, { M_AVGRQ_SZ, 8, 110 },
	{ M_R_AWAIT, 10, 130 }, { M_W_AWAIT, 11, 130 }, { M_AWAIT, 2, 0 }, { M_AQU_SZ, 6, 0 },
	{ M_PCT_UTIL, 3, 0 },
	{ M_F_S, 12, 150 }, { M_F_AWAIT, 13, 150 }, { M_D_S, 14, 160 }, { M_INFLIGHT, 15, 160 },
};

static const struct choice overview_two[] = {
	{ M_R_S, 5, 0 }, { M_W_S, 4, 0 }, { M_WRQM_S, 0, 0 }, { M_AVGRQ_SZ, 1, 0 }, { M_AWAIT, 2, 0 },
	{ M_PCT_UTIL, 3, 0 }, { M_KB_S, 6, 0 }, { M_AQU_SZ, 7, 0 },
};

static const struct choice totals[] = {
	{ M_TPS, 0, 0 }, { M_RQM_S, 1, 0 }, { M_KB_S, 2, 0 }, { M_AWAIT, 3, 0 }, { M_AQU_SZ, 4, 0 },
	{ M_INFLIGHT, 5, 0 }, { M_BUSY_DEPTH, 6, 0 }, { M_PCT_READ, 7, 0 },
};

static const struct choice reads[] = {
	{ M_R_S, 0, 0 }, { M_RKB_S, 1, 0 }, { M_RRQM_S, 2, 0 }, { M_R_AWAIT, 3, 0 }, { M_RAREQ_SZ, 4, 0 },
	{ M_PCT_RRQM, 5, 0 }, { M_PCT_READ, 6, 0 },
};

static const struct choice writes[] = {
	{ M_W_S, 0, 0 }, { M_WKB_S, 1, 0 }, { M_WRQM_S, 2, 0 }, { M_W_AWAIT, 3, 0 }, { M_WAREQ_SZ, 4, 0 },
	{ M_PCT_WRQM, 5, 0 },
};

static const struct choice flushes[] = {
	{ M_F_S, 0, 0 }, { M_F_AWAIT, 1, 0 }, { M_D_S, 2, 0 }, { M_D_AWAIT, 3, 0 }, { M_DKB_S, 4, 0 },
	{ M_DRQM_S, 5, 0 }, { M_DAREQ_SZ, 6, 0 },
};

static const struct set sets[] = {
	{ "overview", overview_one, overview_two, ARRAY_SIZE(overview_one), ARRAY_SIZE(overview_two) },
	{ "totals", totals, NULL, ARRAY_SIZE(totals), 0 },
	{ "reads", reads, NULL, ARRAY_SIZE(reads), 0 },
	{ "writes", writes, NULL, ARRAY_SIZE(writes), 0 },
	{ "flush, discard", flushes, NULL, ARRAY_SIZE(flushes), 0 },
};

/* Where cells are scarce: still only one metric each can be meant. */
static const struct {
	enum metric_id metric;
	const char *heading;
} short_headings[] = {
	{ M_AVGRQ_SZ, "avgrq" }, { M_RAREQ_SZ, "rareq" }, { M_WAREQ_SZ, "wareq" }, { M_DAREQ_SZ, "dareq" },
	{ M_AREQ_SZ, "areq" }, { M_BUSY_DEPTH, "depth" }, { M_INFLIGHT, "infl" }, { M_AWAIT_ALL, "aw-all" },
	{ M_AWAIT_KIB, "aw/KiB" }, { M_R_AWAIT, "r_awt" }, { M_W_AWAIT, "w_awt" }, { M_D_AWAIT, "d_awt" },
	{ M_F_AWAIT, "f_awt" },
};

size_t columns_sets(void)
{
	return ARRAY_SIZE(sets);
}

const char *columns_set_name(size_t set)
{
	return sets[set % ARRAY_SIZE(sets)].name;
}

bool columns_narrow(const struct column_wish *wish)
{
	return wish->two || wish->cols < LAYOUT_TWO_PANES;
}

const char *column_heading(enum metric_id m, bool legacy, bool narrow)
{
	for (size_t i = 0; narrow && i < ARRAY_SIZE(short_headings); i++) {
		if (short_headings[i].metric == m)
			return short_headings[i].heading;
	}
	return metric_heading(&metrics[m], legacy);
}

static struct layout_column column_of(const struct column_wish *wish, enum metric_id m, unsigned int rank)
{
	bool narrow = columns_narrow(wish);
	int width = (int)text_cells(column_heading(m, wish->legacy, narrow));

	if (!narrow && metrics[m].width > width)
		width = metrics[m].width;
	return (struct layout_column){ .width = width < LEAST_NUMBER ? LEAST_NUMBER : width, .rank = rank };
}

static size_t own_columns(const struct column_wish *wish, enum metric_id *ids, struct layout_column *columns)
{
	size_t n = 0;

	for (size_t i = wish->first < wish->n_own ? wish->first : 0; i < wish->n_own && n < LAYOUT_COLUMNS; i++) {
		ids[n] = wish->own[i];
		columns[n] = column_of(wish, ids[n], (unsigned int)n);
		n++;
	}
	return n;
}

size_t columns_wanted(const struct column_wish *wish, enum metric_id *ids, struct layout_column *columns)
{
	const struct set *set = &sets[wish->set % ARRAY_SIZE(sets)];
	const struct choice *row = wish->two && set->two ? set->two : set->one;
	size_t rows = wish->two && set->two ? set->n_two : set->n_one;
	size_t n = 0;

	if (wish->n_own)
		return own_columns(wish, ids, columns);
	for (size_t i = 0; i < rows && n < LAYOUT_COLUMNS; i++) {
		if (wish->cols < row[i].from)
			continue;
		ids[n] = row[i].metric;
		columns[n] = column_of(wish, ids[n], row[i].rank);
		n++;
	}
	return n;
}
