/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is known of tunables and other attributes by their path below a device's directory. One row, one attribute. */
#ifndef IODELTA_MODEL_KNOB_H
#define IODELTA_MODEL_KNOB_H

#include <stdbool.h>
#include <stddef.h>

struct knob {
	const char *path;       /* "queue/iosched/async_depth" */
	const char *name;       /* short, for headings of rows: "async_depth" */
};

/* Those that matter for how I/O is merged, ordered and queued, in the order in which they are shown. */
extern const struct knob knobs[];
extern const size_t knobs_n;

/* The row's index, knobs_n when the attribute has none. */
size_t knob_rank(const char *path) __attribute__((nonnull));
/* The short name of any attribute: the row's, or the last part of the path. */
const char *knob_name(const char *path) __attribute__((nonnull, returns_nonnull));
/* The chosen one of "none [mq-deadline] kyber", any other value as it is. *len: its bytes. */
const char *knob_chosen(const char *value, size_t *len) __attribute__((nonnull, returns_nonnull));

/* Two values that make the same choice, whatever else there was to choose. */
bool knob_same(const char *a, const char *b) __attribute__((nonnull));

#endif
