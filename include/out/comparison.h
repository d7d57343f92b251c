/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One metric of BEFORE against AFTER, as both forms of the comparison need it. */
#ifndef IODELTA_OUT_COMPARISON_H
#define IODELTA_OUT_COMPARISON_H

#include "out/output.h"

struct side {
	struct estimate e;
	enum na why;            /* NA_NONE: there is a value */
};

struct judged {
	struct side before, after;
	struct comparison c;
};

/* False when there is no BEFORE. */
bool judge_device(struct engine *e, uint32_t slot, enum metric_id m, struct judged *j) __attribute__((nonnull));
bool judge_system(struct engine *e, enum system_id m, struct judged *j) __attribute__((nonnull));

/* The device is to be compared: it is shown, and did I/O in either segment (or was asked for by name). */
bool is_compared(struct engine *e, const bool *shown, size_t n, uint32_t slot) __attribute__((nonnull(1)));
/* It did I/O in either segment. */
bool is_active(struct engine *e, uint32_t slot) __attribute__((nonnull));

/* The last part of an attribute's path: "async_depth" of "queue/iosched/async_depth". */
const char *attribute_short(const char *attribute) __attribute__((nonnull, returns_nonnull));
/* Why a metric has no verdict, in words; "" when it has one. */
const char *judged_reason(const struct comparison *c) __attribute__((nonnull, returns_nonnull));

#endif
