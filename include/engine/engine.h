/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine: the loop, and the one owner of source, roster, samples, deltas, topology, history, segments and the
 * requests to the helper processes. Whoever shows something calls engine_next (or engine_step), acts on the event and
 * reads const views, which hold until the next call of either. tui and out know this header and the model only.
 *
 * Path of the data: source -> sample -> delta (per slot) -> bin of 1 s -> history and segments -> comparison.
 */
#ifndef IODELTA_ENGINE_ENGINE_H
#define IODELTA_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/knobs.h"
#include "engine/stretches.h"
#include "model/compare.h"
#include "model/delta.h"
#include "model/device.h"
#include "model/history.h"
#include "model/metric.h"
#include "model/roster.h"
#include "model/sample.h"
#include "model/segment.h"
#include "model/stack.h"

#define INTERVAL_LEAST_S 0.01
#define INTERVAL_MOST_S 3600.0

struct engine_options {
	const char *const *roots;       /* directories; n_roots 0: "/" */
	size_t n_roots;
	unsigned int rounds;            /* --loop: how often the trees are gone through, at least 1 */
	double interval_s;
	bool with_system;               /* read the system's numbers */
	bool with_segments;             /* keep history, BEFORE and AFTER */
	bool read_only;                 /* write no knob */
	bool restore_on_exit;           /* the spawner takes back what this process wrote, however it ends */
	double settle_s;                /* after a write: left out of AFTER */
};

enum engine_event {
	ENGINE_NONE,            /* nothing to show has changed */
	ENGINE_SAMPLE,          /* a sample was published: deltas (from the second one on), bins, segments are new */
	ENGINE_STACKS,          /* the topology changed: devices, stacks and indices are new */
	ENGINE_ATTRIBUTES,      /* attributes came, or one became pending or answered */
	ENGINE_INPUT,           /* the caller's descriptor can be read, or has hung up */
	ENGINE_SIGNAL,          /* a signal came: quit_signal() says whether to end */
	ENGINE_END,             /* the source has no more samples (comes once; then only input and answers come) */
	ENGINE_FAILED,          /* the source cannot be read any more; a message was given */
};

struct engine;

/* Opens the roots, forks the spawner, opens the source. NULL with a message when there is nothing to read. */
struct engine *engine_new(const struct engine_options *options) __attribute__((nonnull, warn_unused_result));
/* Returns at once, whatever hangs. */
void engine_free(struct engine *e);

/*
 * Wait for the next event. input_fd: a descriptor to wait for as well, or -1. Live sources are sampled every interval;
 * a stepped source likewise, from the second sample on. The first sample comes at once. timeout_ms: at most so long,
 * then ENGINE_NONE; -1: for ever.
 */
enum engine_event engine_next(struct engine *e, int input_fd, int timeout_ms) __attribute__((nonnull));

/* Take the next sample now; with a stepped source the tree's topology is read with it (a hanging one waits 1 s). */
enum engine_event engine_step(struct engine *e) __attribute__((nonnull));

/* Wait until the helpers have answered all that was asked (quarantined requests apart), at most timeout_ms. */
bool engine_wait_idle(struct engine *e, int timeout_ms) __attribute__((nonnull));
/* Wait until an attribute is pending; false when there is none within timeout_ms. */
bool engine_wait_pending(struct engine *e, int timeout_ms) __attribute__((nonnull));

/* --- the system and its devices --- */

bool engine_is_stepped(const struct engine *e) __attribute__((nonnull));
const char *engine_release(const struct engine *e) __attribute__((nonnull));
const char *engine_host(const struct engine *e) __attribute__((nonnull));
/* What the reader must know and no value says: "identity by name only", "2 malformed lines"; "" when there is none. */
const char *engine_warning(const struct engine *e) __attribute__((nonnull));

const struct roster *engine_roster(const struct engine *e) __attribute__((nonnull));
/* Covers every present device, even before sysfs was read, and gone ones that BEFORE holds. */
const struct topology *engine_topology(const struct engine *e) __attribute__((nonnull));
/* Why sysfs could not be read (-errno; a message was given), 0: it could, or there is none. */
int engine_topology_error(const struct engine *e) __attribute__((nonnull));
const struct stack *engine_stack(struct engine *e, enum stack_view view) __attribute__((nonnull));
/* Between the two numberings; SLOT_NONE / UINT32_MAX where there is none. */
uint32_t engine_slot(const struct engine *e, uint32_t device) __attribute__((nonnull));
uint32_t engine_device(const struct engine *e, uint32_t slot) __attribute__((nonnull));
/* The kernel's queue/iostats of a device: 1, 0, or -1 when not known. */
int engine_iostats(const struct engine *e, uint32_t slot) __attribute__((nonnull));

/* --- the last interval --- */

uint64_t engine_samples(const struct engine *e) __attribute__((nonnull));      /* how many were published */
const struct sample *engine_sample(const struct engine *e) __attribute__((nonnull));   /* the last; NULL: none yet */
double engine_interval_s(const struct engine *e) __attribute__((nonnull));     /* of the last delta, measured */
/* NULL when the device was in neither of the last two samples. Heads that do not account are derived already. */
const struct delta *engine_delta(const struct engine *e, uint32_t slot) __attribute__((nonnull));
/* The same since boot, from the last sample alone. */
void engine_delta_since_boot(struct engine *e, uint32_t slot, struct delta *d) __attribute__((nonnull));
/* "sum of nvme0c0n1, nvme0c1n1" for a derived delta (metric %util: "maximum of …"); appended. */
void engine_derived_text(const struct engine *e, uint32_t slot, enum metric_id m, struct text *out)
	__attribute__((nonnull));
/*
 * The last interval of all leaves as one: no device with slaves, no partition, no hidden path whose head accounts, no
 * loop, zram or ram device. Returns how many there are.
 */
size_t engine_total(const struct engine *e, struct delta *total) __attribute__((nonnull));
const struct system_delta *engine_system(const struct engine *e) __attribute__((nonnull));
/* In flight without any completion for so many seconds; 0: it is not stuck. */
double engine_stuck_s(const struct engine *e, uint32_t slot) __attribute__((nonnull));

/* --- segments (with_segments) --- */

enum engine_hold { HOLD_NONE, HOLD_BY_HAND, HOLD_IDLE };

const struct segment *engine_before(const struct engine *e) __attribute__((nonnull));  /* NULL: there is none */
const struct segment *engine_after(const struct engine *e) __attribute__((nonnull));
const struct history *engine_history(const struct engine *e) __attribute__((nonnull));
enum engine_hold engine_hold_state(const struct engine *e) __attribute__((nonnull));
bool engine_auto_hold(const struct engine *e) __attribute__((nonnull));

/* `b`: what AFTER gathered becomes BEFORE, pinned; AFTER starts anew. False when AFTER has no bin yet. */
bool engine_pin_before(struct engine *e) __attribute__((nonnull));
void engine_drop_before(struct engine *e) __attribute__((nonnull));     /* B */
void engine_restart_after(struct engine *e) __attribute__((nonnull));   /* r */
void engine_toggle_hold(struct engine *e) __attribute__((nonnull));     /* H */
void engine_toggle_auto_hold(struct engine *e) __attribute__((nonnull));        /* G */

/* BEFORE against AFTER of one metric, at 99.7%. False when there is no BEFORE. */
bool engine_compare(const struct engine *e, uint32_t slot, enum metric_id m, struct comparison *c)
	__attribute__((nonnull));
bool engine_compare_system(const struct engine *e, enum system_id m, struct comparison *c) __attribute__((nonnull));
/* The live mark: +1 or -1 (the value rose, fell) when clear at 99.9% for 5 bins; else 0. */
int engine_mark(const struct engine *e, uint32_t slot, enum metric_id m) __attribute__((nonnull));

/* The kernel that BEFORE was measured under; "" without BEFORE. */
const char *engine_before_release(const struct engine *e) __attribute__((nonnull));
/*
 * How the device in BEFORE was found to be this one, when it is not the same instance: the kind of identity that
 * matched ("wwid", "dm uuid"); NULL when it is the same instance, or there is nothing to compare with.
 */
const char *engine_matched_by(const struct engine *e, uint32_t slot) __attribute__((nonnull));

/*
 * The slot in BEFORE of the device that stands in this one now: usually the same, another when it was found by its
 * identity, its own for a device that has gone; SLOT_NONE when BEFORE has nothing of it.
 */
uint32_t engine_before_slot(const struct engine *e, uint32_t slot) __attribute__((nonnull));

/* What BEFORE has of the device in this slot: segment_estimate and segment_active, of that slot in BEFORE. */
enum na engine_estimate_before(const struct engine *e, uint32_t slot, enum metric_id m, struct estimate *estimate)
	__attribute__((nonnull));
bool engine_active_before(const struct engine *e, uint32_t slot) __attribute__((nonnull));
/* What AFTER has of it, likewise. Of settings that repeat both give what their stretches have together. */
enum na engine_estimate_after(const struct engine *e, uint32_t slot, enum metric_id m, struct estimate *estimate)
	__attribute__((nonnull));

/* A queue attribute that is not what it was when BEFORE was pinned. */
struct setup_change {
	const char *device;     /* kernel name */
	const char *attribute;  /* "queue/iosched/async_depth" */
	char *before, *after;   /* values; of a scheduler the chosen one. NULL: not there on that side */
};
/* All of them, by device and attribute; *changes is to be released with engine_setup_free. */
size_t engine_setup(const struct engine *e, struct setup_change **changes) __attribute__((nonnull));
void engine_setup_free(struct setup_change *changes, size_t n);

/* A mark in time (m) with a text, which may be empty; returns its number, from 1. */
unsigned int engine_add_mark(struct engine *e, const char *words) __attribute__((nonnull));
struct mark {
	unsigned int number;
	char *words;            /* cleaned; "" for none */
	int64_t t_ns, wall_ns;  /* of the sample it follows */
};
const struct mark *engine_marks(const struct engine *e, size_t *n) __attribute__((nonnull));

/* What has happened to devices since the start, oldest first; of much only the latest is kept. */
struct happening {
	int64_t t_ns;           /* of the sample that showed it */
	char *device;           /* kernel name */
	char *what;             /* "gone" */
	uint64_t number;        /* counted from 1 since the start */
	bool drift;             /* a knob that somebody else changed */
};
const struct happening *engine_happenings(const struct engine *e, size_t *n) __attribute__((nonnull));

/* --- what the user does to the loop --- */

void engine_set_interval(struct engine *e, double seconds) __attribute__((nonnull));    /* clamped to the limits */
double engine_nominal_interval_s(const struct engine *e) __attribute__((nonnull));
void engine_set_paused(struct engine *e, bool paused) __attribute__((nonnull));         /* Z */
bool engine_paused(const struct engine *e) __attribute__((nonnull));
/* The device that matters now: its stack's idleness holds AFTER, its attributes are re-read every 2 s. */
void engine_select(struct engine *e, uint32_t slot) __attribute__((nonnull));

/* --- attributes --- */

struct attribute {
	char *name;             /* "queue/scheduler" */
	size_t rank;            /* knob_rank(name) */
	char *value;            /* NULL with error set */
	int error;              /* 0 or -errno */
	int64_t read_ns;        /* monotonic, when it came */
	bool writable;          /* the file has a write bit */
	bool pending;           /* being read and not answering; value may be an old one */
};

struct attributes {
	struct attribute *v;
	size_t n, capacity;
	int64_t read_ns;        /* when the whole was last complete; 0: never */
};

/* NULL: never asked for. SLOT_SYSTEM: the system's. */
const struct attributes *engine_attributes(const struct engine *e, uint32_t slot) __attribute__((nonnull));
/* One of them; NULL: it is not there, or was never asked for. */
const struct attribute *engine_attribute(const struct engine *e, uint32_t slot, const char *name)
	__attribute__((nonnull));
/*
 * A queue attribute, the depth or the timeout of the device in this slot as it was when BEFORE was pinned; NULL: there
 * is no BEFORE, or it was not there or not known then.
 */
const struct attribute *engine_attribute_before(const struct engine *e, uint32_t slot, const char *name)
	__attribute__((nonnull));
/* Commands of a SCSI disk that failed or timed out since AFTER began, as far as its counters have been re-read. */
uint64_t engine_path_errors(const struct engine *e, uint32_t slot) __attribute__((nonnull));
/* Ask for a device's attributes now (list; the selected stack's are asked for anyway). */
void engine_ask_attributes(struct engine *e, uint32_t slot) __attribute__((nonnull));

/* What does not answer: device name, attribute ("" for the topology), monotonic start. */
struct pending {
	char *name, *what;
	int64_t since_ns;
};
const struct pending *engine_pending(const struct engine *e, size_t *n) __attribute__((nonnull));

#endif
