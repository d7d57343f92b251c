/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sample: the raw counters of all devices, and of the system, at one instant. Nothing in it is a rate.
 *
 * Ownership: a sample owns its text and rows and reuses them, so a steady tick allocates nothing. Two samples are
 * used in turn, the older one as `before` of the next sample_parse.
 */
#ifndef IODELTA_MODEL_SAMPLE_H
#define IODELTA_MODEL_SAMPLE_H

#include "base/text.h"
#include "model/counters.h"
#include "model/roster.h"
#include "model/system.h"

struct sample_row {
	uint32_t slot;
	bool changed;           /* the line differs from that of the sample before (or there was none) */
	uint32_t at, len;       /* the verbatim line in `raw` */
	struct counters counters;
};

struct sample {
	int64_t t_ns;           /* monotonic, the middle of the readings before and after the read */
	int64_t wall_ns;
	int64_t boot_ns;        /* boottime - monotonic; grows during suspend */
	int64_t read_ns;        /* how long the read took */
	struct text raw;        /* /proc/diskstats as it was read */
	struct sample_row *rows;        /* in the file's order */
	size_t n, capacity;
	uint32_t *row_of_slot;  /* index into rows, or ROW_NONE */
	uint32_t slots;         /* room in row_of_slot, at least the roster's n */
	unsigned int malformed; /* lines that were skipped, names that stood there twice included */
	uint32_t malformed_at, malformed_len;   /* the first of them in `raw` */
	struct system_counters system;
};

#define ROW_NONE UINT32_MAX
#define SAMPLE_INIT { .raw = TEXT_INIT }

void sample_release(struct sample *s) __attribute__((nonnull));

/*
 * Take s->raw apart into rows. `before` (may be NULL) is the previous sample: a line that has not changed is copied
 * instead of parsed. Names come into the roster; of the roster only names and numbers of present devices are touched.
 */
void sample_parse(struct sample *s, const struct sample *before, struct roster *roster) __attribute__((nonnull(1, 3)));

/* The row of a slot, NULL when the device is not in the sample. */
const struct sample_row *sample_row(const struct sample *s, uint32_t slot) __attribute__((nonnull));

#endif
