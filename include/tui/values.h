/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of lines of the list, and how changes, lengths and clocks are written. */
#ifndef IODELTA_TUI_VALUES_H
#define IODELTA_TUI_VALUES_H

#include "tui/rows.h"

enum side { SIDE_LAST, SIDE_BEFORE, SIDE_AFTER };

/* A value with its noise; why is NA_NONE when it is there. */
struct reading {
	struct estimate e;
	enum na why;
};

void reading_take(struct reading *r, const struct engine *e, const struct rows *rows, const struct line *line,
		  enum side side, enum metric_id m) __attribute__((nonnull));

/* Everything a device did on a side, false when nothing is known. */
bool side_total(const struct engine *e, uint32_t slot, enum side side, struct delta *d) __attribute__((nonnull));

/* "-66%", "+4.2" (points), ">999%", "new"; at most CHANGE_CELLS; "" when there is no change to speak of. */
void change_text(struct text *out, const struct comparison *c, const struct metric_rules *rules)
	__attribute__((nonnull));
/* The larger relative noise of two sides, as a percentage of each side's value (points for percent): "5.2%". */
void spread_text(struct text *out, const struct metric *m, const struct estimate *a, const struct estimate *b)
	__attribute__((nonnull));
/* "30s", "12m05s", "2h03m". */
void length_text(struct text *out, double seconds) __attribute__((nonnull));
/* "0.1s", "1.0s", "10s". */
void interval_text(struct text *out, double seconds) __attribute__((nonnull));
/* h:mm:ss of a time since boot. */
void uptime_text(struct text *out, int64_t ns) __attribute__((nonnull));
/* The time of a sample, of the wall clock; of trees the time since boot. */
void clock_text(struct text *out, const struct engine *e, int64_t t_ns) __attribute__((nonnull));

/* "pending 12s": what does not answer, by topology index, and for how long. */
void pending_text(struct text *out, const struct engine *e, uint32_t device, const char *attribute)
	__attribute__((nonnull));

#endif
