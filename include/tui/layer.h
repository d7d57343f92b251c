/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can be said of a device together with those right below it: the edges of its group, on one side. */
#ifndef IODELTA_TUI_LAYER_H
#define IODELTA_TUI_LAYER_H

#include "tui/values.h"
#include "tui/view.h"

/* Outside these a split is remarkable. */
#define SPLIT_LEAST 0.9
#define SPLIT_MOST 1.1

struct layer {
	struct value edges[EDGES];
	const char *shared_with;        /* with NA_SHARED: whose I/O the lower devices carry too; may be NULL */
	bool odd;                       /* the split is outside the limits, and nothing about the kind explains it */
};

/* False when nothing is below the device. */
bool layer_take(struct layer *l, const struct view *v, uint32_t device, enum side side) __attribute__((nonnull));

/* "split 6.0" when it is odd, else nothing. */
void layer_brief(struct text *out, const struct layer *l) __attribute__((nonnull));
/* "split 1.00 · merge share 98% · %util max 96.7 mean 96.5"; nothing when nothing is below. */
void layer_words(struct text *out, const struct view *v, uint32_t device, enum side side) __attribute__((nonnull));

#endif
