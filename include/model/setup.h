/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The knobs of one device and their values at one time, and how to get from one such state to another. Pure: who reads
 * and writes is engine/writer.c.
 *
 * Ownership: a setup owns its strings; restore steps point into the setups they were planned from.
 */
#ifndef IODELTA_MODEL_SETUP_H
#define IODELTA_MODEL_SETUP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct setup_value {
	char *path, *value;
};

struct setup {
	struct setup_value *v;
	size_t n, capacity;
};

void setup_release(struct setup *s) __attribute__((nonnull));
/* Sets, or adds. */
void setup_set(struct setup *s, const char *path, const char *value) __attribute__((nonnull));
/* It is not there any more. */
void setup_drop(struct setup *s, const char *path) __attribute__((nonnull));
/* NULL: it has none. */
const char *setup_get(const struct setup *s, const char *path) __attribute__((nonnull));
void setup_copy(struct setup *to, const struct setup *from) __attribute__((nonnull));

/* As strings with their NULs: the number of pairs, then the pairs. _take moves *at behind them; false: it is cut. */
void setup_put(const struct setup *s, struct text *out) __attribute__((nonnull));
bool setup_take(struct setup *s, const char **at, const char *end) __attribute__((nonnull));

/*
 * From `now` back to `target`. `left`: what we left behind (NULL: not known): an attribute that is neither as we left
 * it nor as it is to be was changed by somebody else and is let alone, unless `force`.
 */
enum restore_kind { RESTORE_WRITE, RESTORE_CHANGED_ELSEWHERE, RESTORE_ABSENT };
struct restore_step {
	enum restore_kind kind;
	const char *path, *from, *to;   /* from: NULL when it is absent now */
};
struct restore {
	struct restore_step *v;
	size_t n, capacity;
};
/* In the order of writing: the scheduler, then nr_requests, then the rest. Returns how many are to be written. */
size_t restore_plan(struct restore *r, const struct setup *target, const struct setup *left,
		    const struct setup *now, bool force) __attribute__((nonnull(1, 2, 4)));
void restore_release(struct restore *r) __attribute__((nonnull));

bool setup_equal(const struct setup *a, const struct setup *b) __attribute__((nonnull));
/* Attributes that differ between two states, for "side effects": calls `each` with NULL for what a side lacks. */
void setup_differ(const struct setup *a, const struct setup *b,
		     void (*each)(void *arg, const char *path, const char *a, const char *b), void *arg)
	__attribute__((nonnull(1, 2, 3)));

#endif
