/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walkers over the metric table that turn what the engine holds into text: reports (text table, CSV, JSON Lines),
 * the list of stacks, and the comparison. They append to a text; whoever called writes it, in one write.
 * Nothing here knows a file or a terminal.
 */
#ifndef IODELTA_OUT_OUTPUT_H
#define IODELTA_OUT_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "engine/engine.h"

enum output_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };

/* What a report shows. */
struct report_options {
	enum output_format format;
	const enum metric_id *columns;
	size_t n_columns;
	bool legacy;            /* legacy headings (text and CSV; JSON keys stay) */
	bool skip_idle;         /* -z */
	const bool *wanted;     /* by slot, of n_wanted; NULL: every device */
	size_t n_wanted;
};

/* What a series of reports keeps from one to the next (widths, the rows of idle devices ready made). */
struct report;
struct report *report_new(const struct report_options *options)
	__attribute__((nonnull, returns_nonnull, warn_unused_result));
void report_free(struct report *r);
/* `wanted` may change between reports (a device came). */
void report_set_wanted(struct report *r, const bool *wanted, size_t n) __attribute__((nonnull(1)));
/* Once, before the first: the CSV heading. */
void report_begin(struct report *r, struct text *out) __attribute__((nonnull));
/* One report of the engine's last interval (or since boot). */
void report_add(struct report *r, struct engine *e, bool since_boot, struct text *out) __attribute__((nonnull));

/*
 * `list`: the stacks as text (with ASCII glyphs if asked for), or the devices with their attributes as one JSON object.
 * wanted by topology index; NULL: every device.
 */
void list_text(struct engine *e, const bool *wanted, bool ascii, struct text *out) __attribute__((nonnull(1, 4)));
void list_json(struct engine *e, const bool *wanted, struct text *out) __attribute__((nonnull(1, 3)));

/* The knobs of these devices (SLOT_SYSTEM: the system's) with value, choices and whether they can be written. */
void knobs_text(struct engine *e, const uint32_t *slots, size_t n, struct text *out) __attribute__((nonnull(1, 4)));
void knobs_json(struct engine *e, const uint32_t *slots, size_t n, struct text *out) __attribute__((nonnull(1, 4)));

/*
 * BEFORE against AFTER for a mail: kernel, lengths and n, then a row a device and metric with change and verdict.
 * `shown` by slot (NULL: all). Nothing is added when there is no BEFORE.
 */
void comparison_text(struct engine *e, const bool *shown, size_t n, struct text *out) __attribute__((nonnull(1, 4)));
/* The object of `compare -f json` for BEFORE and AFTER, one line. */
void comparison_json(struct engine *e, const bool *shown, size_t n, struct text *out) __attribute__((nonnull(1, 4)));

#endif
