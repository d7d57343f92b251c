/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last 15 minutes of every device: 300 bins of 1 s (longer intervals are kept as they are), then bins of 10 s.
 * Kept as the absolute counters at the old end and 32-bit growth from there, in_flight as it was, so that any stretch
 * can be written out again as lines of /proc/diskstats. A device without I/O costs a few bytes.
 *
 * Ownership: opaque; history_free. All devices share one time line; bins are numbered from 0 (oldest kept) to
 * history_bins() - 1 (newest).
 */
#ifndef IODELTA_MODEL_HISTORY_H
#define IODELTA_MODEL_HISTORY_H

#include "base/text.h"
#include "model/delta.h"
#include "model/roster.h"

#define HISTORY_FINE 300
#define HISTORY_COARSE_S 10
#define HISTORY_S 900

struct history;

struct history *history_new(void) __attribute__((returns_nonnull, warn_unused_result));
void history_free(struct history *h);

/*
 * Add a bin that ended at `end_ns` (sample clock): open, one call per device that is there, close.
 * `now`: the absolute counters at the end of the bin. A delta that is not DELTA_OK ends what was known of the slot;
 * it begins anew with `now` as its base.
 */
void history_open_bin(struct history *h, int64_t end_ns, double seconds) __attribute__((nonnull));
void history_add(struct history *h, uint32_t slot, const struct delta *bin, const struct counters *now)
	__attribute__((nonnull));
/* The same for a device whose counters did not change in the bin; cheap. */
void history_add_idle(struct history *h, uint32_t slot, const struct counters *now) __attribute__((nonnull));
void history_close_bin(struct history *h) __attribute__((nonnull));
void history_forget(struct history *h, uint32_t slot) __attribute__((nonnull));

size_t history_bins(const struct history *h) __attribute__((nonnull));
int64_t history_bin_end_ns(const struct history *h, size_t bin) __attribute__((nonnull));
double history_bin_seconds(const struct history *h, size_t bin) __attribute__((nonnull));

/* The delta of a slot in a bin; false when the device was not there. An interval without a value is not DELTA_OK. */
bool history_delta(const struct history *h, uint32_t slot, size_t bin, struct delta *d) __attribute__((nonnull));

/* The absolute counters of a slot at the end of a bin; false when not known. */
bool history_counters(const struct history *h, uint32_t slot, size_t bin, struct counters *c)
	__attribute__((nonnull));

/* The devices' lines of /proc/diskstats as they stood at the end of a bin, in slot order. */
void history_write(const struct history *h, const struct roster *roster, size_t bin, struct text *out)
	__attribute__((nonnull));

/* Bytes held, for the bench and the tests. */
size_t history_size(const struct history *h) __attribute__((nonnull));

#endif
