/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal of knob writes: the file `journal` in $IODELTA_STATE, else /run/iodelta (root), else
 * $XDG_RUNTIME_DIR/iodelta. JSON Lines, appended under flock and never rewritten; not synced, since after a reboot
 * there is nothing to undo. Three kinds of lines:
 *   write   before a write: whose, where, what is asked for, and all knobs of the device as they are
 *   result  after it: the errno, and all knobs as they are then; a write without one was cut off
 *   undone  the ids of writes that have been taken back
 * Unknown kinds and keys are skipped, lines that are cut or no JSON are counted.
 *
 * Ownership: a journal owns its entries, an entry its strings, a target its own.
 */
#ifndef IODELTA_STORE_JOURNAL_H
#define IODELTA_STORE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "model/device.h"
#include "model/setup.h"

/* Who writes: a process, told from later ones of the same number by its start. */
struct journal_owner {
	int pid;
	uint64_t start;         /* clock ticks after boot, as in /proc/PID/stat */
};

struct journal_entry {
	char *id;               /* PID.START.NUMBER */
	int64_t t_ns;           /* wall clock */
	char *root;             /* real path */
	char *boot;             /* boot id below that root, "": it has none */
	struct journal_owner owner;
	int worker;             /* the process that did it */
	unsigned int action;    /* numbers what one user action wrote */
	bool undo;              /* it takes back another one */
	char *device, *sysfs;   /* kernel name and real directory; "vm" and "proc/sys" for the system */
	uint64_t diskseq;       /* 0: not known */
	char *path, *asked;
	struct setup before, after;
	bool has_result;
	int error;              /* 0 or -errno */
	bool undone;
	bool alive;             /* its owner runs, as far as the process that told of it knows */
	bool chosen;            /* the caller's: see journal_targets */
};

struct journal {
	struct journal_entry *v;
	size_t n, capacity;
	size_t malformed;       /* lines */
};

void journal_entry_release(struct journal_entry *entry) __attribute__((nonnull));
void journal_release(struct journal *j) __attribute__((nonnull));

/* --- the file --- */

/* Where it is, appended. -ENOENT when no place is known: neither root nor one of the variables. */
int journal_path(struct text *out) __attribute__((nonnull, warn_unused_result));
/* One line, whole; makes the directory. May wait for another writer's lock. */
int journal_append(const char *path, const struct text *line) __attribute__((nonnull, warn_unused_result));
/* All of it; a file that is not there is an empty journal. */
int journal_read(const char *path, struct journal *j) __attribute__((nonnull, warn_unused_result));

/* --- lines, with their newline --- */

void journal_write_line(const struct journal_entry *entry, struct text *out) __attribute__((nonnull));
void journal_result_line(const struct journal_entry *entry, int64_t t_ns, struct text *out) __attribute__((nonnull));
void journal_undone_line(const struct names *ids, int64_t t_ns, struct text *out) __attribute__((nonnull));
void journal_take_line(struct journal *j, const char *line, size_t len) __attribute__((nonnull));

/* --- what there is to undo --- */

/* One device that is to get back a state. */
struct journal_target {
	const char *device, *sysfs;     /* of an entry */
	uint64_t diskseq;
	struct setup target;            /* before the first chosen write */
	struct setup left;              /* after the last one */
	bool knows_left;                /* false: that one was cut off */
	struct names ids;               /* of the chosen writes */
};
struct journal_targets {
	struct journal_target *v;
	size_t n, capacity;
};

/* An entry that is neither undone nor an undo, and that may have changed something. */
bool journal_is_open(const struct journal_entry *entry) __attribute__((nonnull));
bool journal_same_owner(struct journal_owner a, struct journal_owner b);
/* By device, from the entries that are `chosen` and open. */
void journal_targets(const struct journal *j, struct journal_targets *out) __attribute__((nonnull));
void journal_targets_release(struct journal_targets *targets) __attribute__((nonnull));

#endif
