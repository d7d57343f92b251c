/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stretches: the segments that were measured one after the other, A, B, C ..., the last of which is running. One ends
 * and the next begins where the user turns knobs (one action is one boundary, and so is a burst of them within 2 s) and
 * where BEFORE is pinned. BEFORE and AFTER are two of them. Part of engine.h.
 */
#ifndef IODELTA_ENGINE_STRETCHES_H
#define IODELTA_ENGINE_STRETCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "model/compare.h"
#include "model/segment.h"

struct engine;

/* One attribute that an action changed. NULL: it was not there. */
struct knob_change {
	char *device, *path, *from, *to;
};

struct stretch_view {
	unsigned int number;            /* 0 is A */
	unsigned int setting;           /* the number of the first stretch with the same knobs */
	const struct segment *segment;
	const struct knob_change *changes;      /* it began with */
	size_t n_changes;
	bool undo;                      /* these took others back */
	const char *taint;              /* what somebody else changed in it; NULL: nothing */
	int64_t from_ns, to_ns;         /* by the samples' clock; to_ns 0: it is running */
	bool is_before, is_after;
};

/* Oldest first; of very many the oldest are dropped. There is always one, the running one, with segments. */
size_t engine_stretches(const struct engine *e) __attribute__((nonnull));
void engine_stretch(struct engine *e, size_t i, struct stretch_view *view) __attribute__((nonnull));
/* "A", "Z", "AA" */
void stretch_letter(unsigned int number, struct text *out) __attribute__((nonnull));
/* What began it: "dm-0 async_depth 256 -> 8"; "start". */
void stretch_words(const struct stretch_view *view, const char *arrow, struct text *out) __attribute__((nonnull));

/* Into BEFORE (pinned), into AFTER; the running one as AFTER is what it is by itself. False: it has no bin. */
bool engine_choose_before(struct engine *e, size_t i) __attribute__((nonnull));
bool engine_choose_after(struct engine *e, size_t i) __attribute__((nonnull));
/* BEFORE stands until it is dropped: it was pinned, or chosen. */
bool engine_before_by_hand(const struct engine *e) __attribute__((nonnull));
/* AFTER is the running one. */
bool engine_after_runs(const struct engine *e) __attribute__((nonnull));

/* A metric of the device that stands in the slot now, in that stretch. */
enum na engine_estimate_stretch(const struct engine *e, size_t i, uint32_t slot, enum metric_id m,
				struct estimate *estimate) __attribute__((nonnull));

/*
 * Whether the last two settings, taken in turn, differ by `repeated`; then *c is the change from setting *a to *b.
 */
bool engine_repeated(struct engine *e, uint32_t slot, enum metric_id m, struct comparison *c, unsigned int *a,
		     unsigned int *b) __attribute__((nonnull));

#endif
