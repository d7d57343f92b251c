/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalogue: what is known of tunables by their path below a device's directory ("queue/nr_requests",
 * "device/queue_depth", "bdi/max_ratio"; "vm/dirty_ratio" for the system's own). One row, one attribute. A test asks
 * that every row is complete. Which attributes there are is read from the tree, never from here.
 *
 * Sources: the kernel's Documentation/ABI/stable/sysfs-block, Documentation/block, Documentation/admin-guide/sysctl/vm
 * and Documentation/admin-guide/md, and what the lab and tests/lab/README measured.
 */
#ifndef IODELTA_MODEL_KNOB_H
#define IODELTA_MODEL_KNOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/device.h"

enum knob_type { KNOB_NUMBER, KNOB_SWITCH, KNOB_CHOICE, KNOB_TEXT };

/* What a write can do beside setting the value, the worse the later. */
enum knob_risk {
	RISK_NONE,
	RISK_FREEZES,           /* waits until the I/O in flight is done */
	RISK_BLOCKS,            /* likewise, and can be slow or never come back */
	RISK_ONE_WAY,           /* cannot always be set back */
	RISK_DATA,              /* data can be lost */
};

struct knob {
	const char *path;       /* "queue/iosched/async_depth" */
	const char *name;       /* short, for headings of rows: "async_depth" */
	bool matters;           /* shown without being asked for */
	enum knob_type type;
	const char *unit;       /* NULL: a count, or none */
	int64_t least, most;    /* of a number, as far as known; the kernel decides */
	int64_t granule;        /* the kernel rounds to multiples of about this */
	const char *choices;    /* of a choice that the file does not list, separated by '|' */
	const char *limit;      /* the attribute beside it that holds the largest value */
	enum knob_risk risk;
	const char *help;       /* one or two sentences */
	const char *kernels;    /* which have it */
	const char *moved;      /* NULL, or where it was and what its unit meant in other kernels */
	const char *effects;    /* NULL, or what else changes with it */
	const char *where;      /* NULL, or where it has an effect */
};

/* Those that matter for how I/O is merged, ordered and queued come first, in the order in which they are shown. */
extern const struct knob knobs[];
extern const size_t knobs_n;

/* NULL when the attribute is not described. */
const struct knob *knob_find(const char *path) __attribute__((nonnull));
/* The row's index, knobs_n when the attribute has none. */
size_t knob_rank(const char *path) __attribute__((nonnull));
/* It reads back what the kernel makes of others and moves by itself: no part of a device's state. */
bool knob_derived(const char *path) __attribute__((nonnull));
/* The short name of any attribute: the row's, or the last part of the path. */
const char *knob_name(const char *path) __attribute__((nonnull, returns_nonnull));

/*
 * An attribute of that path may be written, if its file can be: NAME directly in queue/ or queue/iosched/, and the rows
 * of the catalogue elsewhere. Never anything that leads out of the device's directory.
 */
bool knob_permitted(const char *path) __attribute__((nonnull));

/* The path of what a user calls a knob: a path, its last part ("async_depth"), among `paths`. NULL: none, or two. */
const char *knob_named(const char *word, const struct names *paths) __attribute__((nonnull));

/* --- values, as they stand in the files --- */

#define KNOB_LONGEST 4000               /* bytes that a value may have; a page less a newline, at least */

/* The chosen one of "none [mq-deadline] kyber", any other value as it is. *len: its bytes. */
const char *knob_chosen(const char *value, size_t *len) __attribute__((nonnull, returns_nonnull));
/* Two values that make the same choice, whatever else there was to choose. */
bool knob_same(const char *a, const char *b) __attribute__((nonnull));
/* The same, or as near as the kernel's own rounding of this attribute. */
bool knob_near(const char *path, const char *a, const char *b) __attribute__((nonnull));
/* What is to be written to get a value that was read: the choice without brackets, "system" for "1000 (system)". */
void knob_written(const char *value, struct text *out) __attribute__((nonnull));
/* A whole number, decimal or 0x; false when the (chosen) value is none. */
bool knob_number(const char *value, int64_t *n) __attribute__((nonnull));

/* What there is to choose: from the value ("none [mq-deadline]"), else from the row; none for numbers and text. */
void knob_choices(const char *path, const char *value, struct names *out) __attribute__((nonnull));

/*
 * Whether a value can be asked for at all: false with the reason in `why`. Ranges are the kernel's business; what no
 * kernel takes (no number for a number, a name that is not among the choices, control characters) is refused here.
 */
bool knob_check(const char *path, const char *now, const char *asked, struct text *why) __attribute__((nonnull));

enum knob_outcome { KNOB_SET, KNOB_KEPT_OTHER, KNOB_IGNORED };
/* What a write that succeeded has done. */
enum knob_outcome knob_outcome(const char *path, const char *before, const char *asked, const char *after)
	__attribute__((nonnull));

/* --- where it matters --- */

/* Why this attribute of this device has no effect there; NULL: it has, or nothing is known. */
const char *knob_without_effect(const char *path, const struct topology *t, const struct device *d)
	__attribute__((nonnull));

const char *knob_risk_words(enum knob_risk risk) __attribute__((returns_nonnull));

/* A sentence that helps for the errno of a write: what to do, or what it takes. `d` may be NULL. */
void knob_error_words(const char *path, const char *now, int error, struct text *out)
	__attribute__((nonnull(1, 4)));

#endif
