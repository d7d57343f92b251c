/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the verbs of `iodelta knobs` share. One row a verb in src/cmd/knobs.c. */
#ifndef IODELTA_CMD_KNOBS_H
#define IODELTA_CMD_KNOBS_H

#include "cmd/command.h"
#include "store/journal.h"

enum { EXIT_KEPT_OTHER = 3 };           /* the kernel kept another value than was asked for */

/* One verb under way: its words without the verb, and an engine that has seen the devices. */
struct knobs_run {
	const struct invocation *in;
	struct engine *engine;
	const char *const *words;
	size_t n_words;
	struct text out;
};

int knobs_list(struct knobs_run *run) __attribute__((nonnull));
int knobs_get(struct knobs_run *run) __attribute__((nonnull));
int knobs_set(struct knobs_run *run) __attribute__((nonnull));
int knobs_undo(struct knobs_run *run) __attribute__((nonnull));
int knobs_journal(struct knobs_run *run) __attribute__((nonnull));
int knobs_diff(struct knobs_run *run) __attribute__((nonnull));
int knobs_export(struct knobs_run *run) __attribute__((nonnull));

/* Start an engine on the i-th root and wait for its devices. NULL after a message. */
struct engine *knobs_engine(const struct invocation *in, size_t root) __attribute__((nonnull));

/*
 * The slots that a word names: devices (a partition by its disk, which is said), or "vm". False after a message. Their
 * attributes have been asked for and have come.
 */
struct slots {
	uint32_t *v;
	size_t n, capacity;
};
bool knobs_slots(struct engine *e, const char *word, struct slots *out) __attribute__((nonnull));
void knobs_ask(struct engine *e, const struct slots *slots) __attribute__((nonnull));
/* The path of the knob that a word names on a device; NULL after a message. */
const char *knobs_path(struct engine *e, uint32_t slot, const char *word) __attribute__((nonnull));
/* The journal, read; NULL after a message. */
const struct journal *knobs_read_journal(struct engine *e) __attribute__((nonnull));
/* Print what became of an action once it is done; the exit status. */
int knobs_finish(struct knobs_run *run, unsigned int action) __attribute__((nonnull));

#endif
