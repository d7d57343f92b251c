/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Knobs: what can be written, writing it, and taking it back. Everything is submitted and done by helper processes
 * (writer.h); what became of it is seen in the actions, after ENGINE_ATTRIBUTES. Part of engine.h.
 *
 * An action is what the user does at once: one write, one for each of several devices, an undo. Writes of one device
 * are done one after the other, those of several side by side, except where one must wait for another (max_sectors_kb
 * of a map and its paths).
 */
#ifndef IODELTA_ENGINE_KNOBS_H
#define IODELTA_ENGINE_KNOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/knob.h"
#include "model/setup.h"

struct engine;
struct attributes;

/* The system's own knobs (vm/dirty_*), where a slot is asked for; its name is "vm". */
#define SLOT_SYSTEM (UINT32_MAX - 1)

/* --- wishes --- */

struct knob_wish {
	uint32_t slot;
	char *path, *value;
};
struct knob_wishes {
	struct knob_wish *v;
	size_t n, capacity;
};
void knob_wishes_add(struct knob_wishes *w, uint32_t slot, const char *path, const char *value)
	__attribute__((nonnull));
void knob_wishes_release(struct knob_wishes *w) __attribute__((nonnull));

/* Which devices a wish goes to. */
enum knob_scope { SCOPE_DEVICE, SCOPE_SLAVES, SCOPE_STACK, SCOPE_TAGGED, KNOB_SCOPES };
const char *knob_scope_words(enum knob_scope scope) __attribute__((returns_nonnull));

/* The slot whose queue/ a device's I/O goes through: a partition's disk, else its own. SLOT_SYSTEM is itself. */
uint32_t engine_knob_slot(const struct engine *e, uint32_t slot) __attribute__((nonnull));
/* "dm-0", "vm"; "" when the slot is empty. */
const char *engine_knob_device(const struct engine *e, uint32_t slot) __attribute__((nonnull, returns_nonnull));
/*
 * One wish for each device of the scope (SCOPE_TAGGED is the caller's) that has the attribute. Returns how many devices
 * of the scope do not have it.
 */
size_t engine_knob_spread(const struct engine *e, uint32_t slot, enum knob_scope scope, const char *path,
			  const char *value, struct knob_wishes *out) __attribute__((nonnull));

/* Why nothing can be written at all ("--read-only"), NULL: it can. */
const char *engine_knobs_refused(const struct engine *e) __attribute__((nonnull));
/* Whether this wish can be tried; false with the reason. The device's attributes must have been read. */
bool engine_knob_check(const struct engine *e, const struct knob_wish *wish, struct text *why)
	__attribute__((nonnull));
/* What the user must know before: limits that no longer agree, no effect here. A line each; "" for nothing. */
void engine_knob_warnings(const struct engine *e, const struct knob_wishes *wishes, struct text *out)
	__attribute__((nonnull));
enum knob_risk engine_knob_risk(const struct knob_wishes *wishes) __attribute__((nonnull));
/* In the order in which they are written: the scheduler first, and so that limits agree at every moment. */
void engine_knob_order(const struct engine *e, struct knob_wishes *wishes) __attribute__((nonnull));

/* --- actions --- */

struct knob_line {                      /* one attribute as it was and is; NULL: not there */
	char *path, *from, *to;
};

struct knob_write {
	uint32_t slot;
	char *device;
	enum { WRITE_WAITS, WRITE_RUNS, WRITE_DONE } state;
	bool undo;                      /* a restore: `lines` have what was written; else the members below */
	char *path, *before, *asked, *after;
	int error;                      /* 0 or -errno */
	char *stage;                    /* where it failed: "check", "journal", "write", "result", "helper" */
	enum knob_outcome outcome;
	struct knob_line *lines;        /* side effects; of an undo what was written back */
	size_t n_lines;
	struct knob_line *rest;         /* undo: what is not as it was; `path` with the reason behind a blank */
	size_t n_rest;
	int64_t started_ns;             /* monotonic */
	/* the engine's */
	unsigned int order;             /* after all writes of the action with a smaller one */
	uint32_t request;
	bool answered;
	unsigned int number;
	void *target;
};

struct knob_action {
	unsigned int number;            /* from 1 */
	bool undo, done;
	int64_t t_ns, wall_ns;          /* of the sample it came after */
	struct knob_write *writes;
	size_t n;
};

/* Write; the wishes are put in order first. The action's number, 0: refused. */
unsigned int engine_knob_set(struct engine *e, struct knob_wishes *wishes) __attribute__((nonnull));
const struct knob_action *engine_actions(const struct engine *e, size_t *n) __attribute__((nonnull));
/* Writes that are not done yet, of all actions. */
size_t engine_knobs_busy(const struct engine *e) __attribute__((nonnull));
/* Wait until all are done or hang (are pending); false when the time is over before. */
bool engine_wait_knobs(struct engine *e, int timeout_ms) __attribute__((nonnull));

/* "dm-0 async_depth 256 -> 8"; "asked 3, the kernel kept 4"; an error in a sentence that helps. */
void knob_write_words(const struct knob_write *w, const char *arrow, struct text *out) __attribute__((nonnull));
/* True when it did not do what was asked: failed, kept another value, ignored, or left something over. */
bool knob_write_failed(const struct knob_write *w) __attribute__((nonnull));

/* --- undo --- */

/* Whose writes. */
struct undo_choice {
	bool own;               /* this process's */
	bool last_only;         /* of all these only the latest action's */
	bool others;            /* those of processes that have ended */
	bool living;            /* also those of processes that run */
	int pid;                /* 0: of any of these */
	int64_t since_ns;       /* wall clock; 0: all */
	bool force;             /* also what somebody else has changed since */
};

struct undo_line {
	enum restore_kind kind;
	char *device, *path, *from, *to;
};
/* What it would write, by what is known of the devices; release with engine_undo_lines_free. */
size_t engine_undo_plan(struct engine *e, const struct undo_choice *choice, struct undo_line **lines)
	__attribute__((nonnull));
void engine_undo_lines_free(struct undo_line *lines, size_t n);
/* Do it. The action's number, 0: there is nothing to undo. */
unsigned int engine_undo(struct engine *e, const struct undo_choice *choice) __attribute__((nonnull));

/* The journal of this root and boot is read at the start, and anew when asked for. */
void engine_read_journal(struct engine *e) __attribute__((nonnull));
struct journal;
/* With this process's own writes; NULL: it has not been read. */
const struct journal *engine_journal(const struct engine *e) __attribute__((nonnull));
/* Devices that the choice would write to have their attributes read, so that the plan is true. */
void engine_undo_ask(struct engine *e, const struct undo_choice *choice) __attribute__((nonnull));

#endif
