/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of the list: from the stacks, what is hidden, folded, filtered and sorted away; and the selection, which
 * stays with its device whatever comes and goes around it.
 *
 * Ownership: the struct owns its arrays; rows_release. Lines hold until the next rows_build.
 */
#ifndef IODELTA_TUI_ROWS_H
#define IODELTA_TUI_ROWS_H

#include "engine/engine.h"

enum line_kind { LINE_DEVICE, LINE_SUM, LINE_REFERENCE };

struct line {
	enum line_kind kind;
	uint32_t row;           /* in the stack */
	uint32_t device, slot;  /* slot may be SLOT_NONE */
	uint32_t parent_slot;   /* of the row it hangs from */
	size_t legs_at, legs_n; /* LINE_SUM: in rows.legs */
};

/* A bit for each slot, remembered from build to build. */
struct slot_flags {
	bool *v;
	size_t n;
};

struct rows {
	struct line *v;
	size_t n, capacity;
	uint32_t *legs;         /* slots */
	size_t n_legs, legs_capacity;
	size_t hidden;          /* devices that are there and not shown */
	struct slot_flags shown;        /* in the list now, folded or not */
	struct slot_flags sticky;       /* was shown once, so it stays */
	struct slot_flags folded;
	struct slot_flags tagged;
	size_t selected;        /* index into v; meaningless when n is 0 */
	size_t top;             /* the first line on the screen */
	struct line kept;       /* what is selected, to find it again */
	bool has_kept;
};

#define ROWS_INIT { .v = NULL }

/* What decides about the list. */
struct rows_wish {
	enum stack_view shape;
	bool show_hidden;
	bool tagged_only;       /* besides: what the tagged hang from, and what hangs from them */
	const char *filter;     /* "" for none */
	const char *const *words;
	size_t n_words;
	bool sorted, ascending;
	enum metric_id sort_by;
	/* the value to sort by; false when there is none */
	bool (*sort_value)(void *arg, const struct line *line, enum metric_id m, double *value);
	void *arg;
};

void rows_release(struct rows *r) __attribute__((nonnull));
void rows_build(struct rows *r, struct engine *e, const struct rows_wish *wish) __attribute__((nonnull));

/* Forget what was shown once. */
void rows_forget_shown(struct rows *r) __attribute__((nonnull));

/* NULL when the list is empty. */
const struct line *rows_selected(const struct rows *r) __attribute__((nonnull));
void rows_select(struct rows *r, size_t index) __attribute__((nonnull));
void rows_move(struct rows *r, long by) __attribute__((nonnull));
/* Move the part that is seen so that the selection is in it, `height` lines high. */
void rows_scroll(struct rows *r, size_t height) __attribute__((nonnull));

/* Fold or open a device's line; all of them. */
void rows_set_folded(struct rows *r, uint32_t slot, bool folded) __attribute__((nonnull));
bool rows_is_folded(const struct rows *r, uint32_t slot) __attribute__((nonnull));
void rows_fold_all(struct rows *r, struct engine *e, enum stack_view shape) __attribute__((nonnull));

void rows_set_tagged(struct rows *r, uint32_t slot, bool tagged) __attribute__((nonnull));
bool rows_is_tagged(const struct rows *r, uint32_t slot) __attribute__((nonnull));
bool rows_any_tagged(const struct rows *r) __attribute__((nonnull));

/* A device's names and mount against a user's word: a glob, or part of a name. */
bool device_matches(const struct device *d, const char *word) __attribute__((nonnull));

#endif
