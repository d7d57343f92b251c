/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What helper processes do to knobs: the one way on which anything is written. check -> journal -> one write(2) -> read
 * all knobs of the device back -> journal. Both ends are this program; a deed's items and its answer are strings.
 */
#ifndef IODELTA_ENGINE_WRITER_H
#define IODELTA_ENGINE_WRITER_H

#include "kernel/helper.h"
#include "store/journal.h"

#define WRITER_PASSES 3         /* a restore tries so often to reach a state that changes under its hands */
#define SYSTEM_DEVICE "vm"      /* the system's own knobs, as if they were a device's */
#define SYSTEM_SYSFS "proc/sys"

/* What all writes of a process have in common. */
struct writer_order {
	struct journal_owner owner;
	unsigned int action;
	unsigned int number;    /* of the first write; ids are made of it */
	uint64_t diskseq;       /* of the device */
};

/* Items of a deed, and the deed's name. */
void writer_set_items(const struct writer_order *order, const char *path, const char *value, struct names *items)
	__attribute__((nonnull));
/* `left` may be NULL. `ids` are those that are undone by it. */
void writer_restore_items(const struct writer_order *order, const struct setup *target, const struct setup *left,
			  bool force, const struct names *ids, struct names *items)
	__attribute__((nonnull(1, 2, 5, 6)));
#define WRITER_SET "set"
#define WRITER_RESTORE "restore"
#define WRITER_JOURNAL "journal"        /* the journal's lines of this root and boot; one item, "" */

/* One write as it went. */
struct writer_line {
	char *path, *from, *asked, *now;        /* from, now: NULL when not there */
	int error;
	enum writer_rest { WRITTEN, REST_DIFFERS, REST_CHANGED_ELSEWHERE, REST_ABSENT } rest;
};

struct writer_answer {
	int error;              /* why nothing, or not all, was done */
	char *stage;            /* at which step: "check", "journal", "write", "result" */
	unsigned int used;      /* numbers of ids */
	struct setup before, after;
	struct writer_line *lines;
	size_t n, capacity;
};
/* False when it is none. */
bool writer_take(struct writer_answer *answer, const char *bytes, size_t len) __attribute__((nonnull));
void writer_answer_release(struct writer_answer *answer) __attribute__((nonnull));

/* For struct helper_acts. `arg` of writer_closed: the struct journal_owner whose writes are taken back. */
int writer_act(const struct helper_deed *deed, struct text *answer) __attribute__((nonnull));
void writer_closed(const struct root *roots, size_t n, const void *arg) __attribute__((nonnull));

#endif
