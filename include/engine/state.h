/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's inside, shared by its own files only:
 *   engine.c      life, the loop, plain views
 *   tick.c        a sample becomes deltas: instances, heads from paths, what cannot be counted
 *   inventory.c   topology, slots and devices, uevents
 *   asking.c      what is asked of the helpers, and when
 *   attributes.c  what they answered, and what does not answer
 *   segments.c    bins, history, hold
 *   stretches.c   the row of segments, their boundaries, settings and turns
 *   before.c      what a stretch was measured under; BEFORE, comparisons with AFTER and their marks
 *   actions.c, wishes.c, undo.c, writer.c  knobs; see knobs.h
 */
#ifndef IODELTA_ENGINE_STATE_H
#define IODELTA_ENGINE_STATE_H

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/writer.h"
#include "kernel/helper.h"
#include "kernel/root.h"
#include "model/source.h"

#define DEVICE_NONE UINT32_MAX

/* Everything known of one slot beside the roster's entry. */
/* The SCSI disk's counters of failed and timed-out commands, together: at the last reading, and when AFTER began. */
struct path_errors {
	uint64_t now[2], base[2];
	bool known[2];
};

struct unit {
	struct delta delta;             /* of the last interval */
	bool has_delta;
	bool quiet;                     /* the delta is all zeros, and was so without looking */
	bool stale;                     /* the topology may still tell of the instance before */
	uint8_t renewed;                /* intervals to come (this one included) in which it counts as new */
	bool counts_anyway;             /* bio-based, and grew although queue/iostats is 0 */
	int8_t iostats;                 /* queue/iostats: 1, 0, -1 not known; a partition has its disk's */
	field_set missing;              /* what the kernel cannot count for it */
	struct delta_track track;
	uint32_t device;                /* in the topology */
	int64_t stuck_since_ns;         /* in flight without completions since; 0: no */
	int64_t gone_ns;                /* when it went; 0: it did not */

	struct delta bin;               /* the bin in the making; valid when bin_used */
	bool bin_used;                  /* something but idleness was added to it */

	struct attributes attributes;
	struct attributes older;        /* those of the tree before, until all have been read in this one */
	uint32_t asked;                 /* id of the outstanding request, 0: none */
	int64_t asked_ns;               /* when that was made */
	bool listing;                   /* it is for all attributes there are */
	int64_t listed_ns;              /* when the one was made that listed them last; 0: they are to be listed */
	int64_t acted_ns;               /* when the last write of ours to it was done; 0: never */
	struct path_errors errors;
};

/* Writing knobs. */
struct knobs {
	struct journal_owner owner;     /* this process */
	struct helper_acts acts;
	struct journal journal;         /* this process's writes, and what was found in the file */
	bool journal_known;
	uint32_t journal_request;
	struct knob_action *actions;
	size_t n, capacity;
	unsigned int last_action, last_number;
};

/* A closed bin on its way to AFTER. */
struct bin_entry {
	uint32_t slot, instance;
	bool idle;
	struct delta delta;             /* idle: only `valid` is used */
};

struct bin {
	struct bin_entry *entries;
	size_t n, capacity;
	double seconds;
	struct system_delta system;
};

#define HOLD_IDLE_S 3.0
#define WAITING_BINS 4                  /* idle bins that may yet count; more than HOLD_IDLE_S of 1 s bins */
#define MARK_BINS 5

/* BEFORE's estimates of one slot, and how long each metric of the device it is compared with has been clear. */
struct judged {
	struct estimate before[METRICS];
	uint8_t why[METRICS];
	int8_t held[METRICS];           /* bins in which it was clear, its sign the direction */
};

/* One slot as it was when a stretch ended. */
struct pinned {
	char *kind, *key;               /* its identity; NULL where only the name is known */
	struct attributes knobs;        /* the queue attributes that were known */
	struct judged *judged;          /* made when first needed */
};

/* One segment of the row, with what it was measured under; see stretches.h. */
struct stretch {
	unsigned int number, setting;
	struct segment *segment;
	char *release;                  /* of the kernel */
	struct pinned *pinned;          /* by slot; of the running one nothing */
	uint32_t n;
	struct attributes system_knobs; /* likewise */
	struct knob_change *changes;
	size_t n_changes, changes_capacity;
	bool undo;
	char *taint;
	int64_t from_ns, to_ns;
};

#define STRETCHES 24                    /* that are kept */

struct before {
	struct stretch *stretch;        /* NULL: there is none */
	bool by_hand;                   /* it stays until it is dropped */
	/* by slot of now, if it is another instance: the slot in BEFORE of the same device, or SLOT_NONE */
	uint32_t *match;
	uint32_t n_match;
};

struct segments {
	struct before before;
	struct stretch *v[STRETCHES];
	size_t n;
	struct stretch *live;           /* the last one, which is running */
	struct stretch *after;          /* that one, or another that was chosen */
	unsigned int next_number;
	bool setting_known;             /* of the running one: which have the same knobs */
	unsigned int acting;            /* actions on knobs under way */
	int64_t action_ns;              /* when the last one began, by the samples' clock */
	double settle_s;                /* to be left out from now on */
	struct history *history;
	struct bin waiting[WAITING_BINS];
	size_t n_waiting;
	double idle_s;                  /* how long the selected stack has been idle */
	enum engine_hold hold;
	bool auto_hold;
	double bin_s;                   /* the bin in the making */
	double bin_samples;
	bool bin_spoilt;                /* it is left out: a slow read, a pause, a suspend */
	struct system_delta bin_system;
};

/* Slow re-reads and their clock. */
#define SLOW_READ_NS (10 * NS_PER_S)
#define SELECTED_READ_NS (2 * NS_PER_S)
#define LISTED_NS (10 * NS_PER_S)       /* in between those known that can change are read, and no others looked for */
#define TOPOLOGY_GAP_NS (NS_PER_S / 2)  /* between two readings of it in a burst of hotplug */
#define MOUNTS_GAP_NS (5 * NS_PER_S)    /* and when only mounts changed, which containers do all the time */
#define TOPOLOGY_RETRIES 3
#define WATCHED_MOST 256                /* devices whose attributes are read in one slow re-read, at most */
#define FORGET_NS (60 * NS_PER_S)

struct inventory {
	struct topology topology;
	struct topology incoming;       /* being read */
	bool known;
	bool wanted;                    /* something changed: read it again */
	bool stale;                     /* the sample has devices that the topology in use has not, or lacks some */
	uint32_t request;               /* the outstanding topology request, 0: none */
	int error;                      /* why the last reading failed, 0: it did not */
	unsigned int retries;           /* readings in a row that a dying worker cut short */
	int64_t read_ns;                /* when it was last asked for */
	uint32_t iostats_request, diskseq_request;
	int64_t slow_ns, selected_ns;   /* when those were last asked for */
	int watch_fds[2];               /* mountinfo and swaps: POLLPRI when they change */
	bool mounts_changed;
	uint32_t *slots;                /* by topology index */
	bool *in_selected;              /* by topology index: in the selected device's stack */
	size_t n_slots;
	struct stack stacks[VIEWS];
	bool built[VIEWS];
	struct pending *pending;
	size_t n_pending, pending_capacity;
	unsigned int root;              /* the root that the topology is read below */
	bool lost;                      /* no helper any more */
};

#define HAPPENINGS_KEPT 200

struct happenings {
	struct happening v[HAPPENINGS_KEPT];
	size_t n;
	uint64_t last_number;
};

struct engine {
	struct engine_options options;
	struct root *roots;
	size_t n_roots;
	struct source *source;
	struct helper *helper;
	int uevent_fd;
	bool by_name_only;

	struct roster roster;
	bool instances_changed;         /* in the tick under way */
	struct unit *units;
	uint32_t n_units, units_capacity;

	struct sample samples[2];
	unsigned int current;           /* index of the last published one */
	uint64_t published;
	bool has_before;                /* the other one is its predecessor */
	double interval_s;              /* of the last delta */
	struct system_delta system;
	unsigned int malformed;         /* lines of the last sample */
	bool malformed_said;

	int64_t next_ns;                /* when the next sample is due */
	int64_t boot_gap_ns;            /* boottime - monotonic at the last sample */
	bool paused, resumed;
	bool ended, failed;
	bool said_end;
	unsigned int news;              /* events to be given, a bit each */
	uint32_t selected;
	struct mark *marks;
	size_t n_marks, marks_capacity;

	struct inventory inventory;
	struct segments segments;
	struct happenings happenings;
	struct knobs knobs;
	struct unit system_unit;        /* of SLOT_SYSTEM: attributes only */
	struct text warning;
};

/* tick.c: take a sample and publish it. The event: ENGINE_SAMPLE, ENGINE_END or ENGINE_FAILED. */
enum engine_event tick(struct engine *e);
void tick_since_boot(struct engine *e, uint32_t slot, struct delta *d);
/* A head whose own counters say nothing while its paths' do. */
bool tick_is_derived(const struct engine *e, uint32_t slot);

/* happenings.c */
/* The entry holds until the next one. */
struct happening *happenings_add(struct engine *e, uint32_t slot, const char *what);
void happenings_release(struct engine *e);

/* engine.c */
struct unit *engine_unit(struct engine *e, uint32_t slot);
void engine_news(struct engine *e, enum engine_event event);

/* inventory.c */
void inventory_init(struct engine *e);
void inventory_release(struct engine *e);
/* Drain the uevents; `intervals`: how many intervals a device that was replaced counts as new. */
void inventory_uevents(struct engine *e, uint8_t intervals);
/* After a sample was parsed: devices came or went. */
void inventory_devices_changed(struct engine *e);
/* Then, with a live source: take them into the topology in use, by what diskstats tells. */
void inventory_adopt(struct engine *e);
/* The same for one tree, at once and waiting; after it the topology is the tree's. */
void inventory_read_tree(struct engine *e);
/* And, when its deltas are known, the attributes of the stacks that did I/O. */
void inventory_read_tree_attributes(struct engine *e);
/* The descriptors of mountinfo and swaps, -1 where there is none, and that they have changed. */
void inventory_mounts_changed(struct engine *e);
/* Take what the helpers have answered. */
void inventory_answers(struct engine *e);
void inventory_select(struct engine *e);
/* The device has become another one, or has gone: what was known of it is void. */
void inventory_forget_unit(struct engine *e, uint32_t slot);

/* asking.c: what is due now, if it is not under way. */
void ask_due(struct engine *e, int64_t now);
void ask_topology(struct engine *e, int64_t now);
/* queue/iostats of all, the instances of devices that send no uevents, and, live, the watched. */
void ask_slow(struct engine *e, int64_t now);
/* The attributes of the selected stack. */
void ask_selected(struct engine *e, int64_t now);
/* Those of all stacks that did I/O: what the comparison says of differing knobs, and the states beside paths. */
void ask_watched(struct engine *e);

/* attributes.c */
void attributes_clear(struct attributes *a);
void attributes_take(struct engine *e, struct unit *unit, const struct helper_event *event);
void attributes_take_pending(struct engine *e, const struct helper_event *event);
void attributes_done(struct engine *e, const struct helper_event *event);
/* AFTER begins: errors of paths count from here on. */
void attributes_errors_from_now(struct engine *e);
/* What was read in another tree is void. */
void attributes_void(struct engine *e);
/* It answered, or is gone. `what` NULL: everything of that device. */
void pending_remove(struct engine *e, const char *name, const char *what);
void pending_release(struct inventory *inv);

/* Those of the device as a write has left them. */
void attributes_take_setup(struct engine *e, struct unit *unit, const struct setup *now);
const struct attribute *attribute_find(const struct attributes *a, const char *name);
/* The slot's, or the system's; NULL: the slot is none. */
struct unit *attributes_unit(struct engine *e, uint32_t slot);

/* actions.c */
void actions_init(struct engine *e);
void actions_release(struct engine *e);
/* Submit what can be done now. */
void actions_pump(struct engine *e);
void actions_take(struct engine *e, const struct helper_event *event);
/* No helper will answer any more. */
void actions_lost(struct engine *e);
/* An action with room for n writes, of which the caller fills in slot and device; runs at the next pump. */
struct knob_action *actions_add(struct engine *e, size_t n, bool undo);
bool actions_writing(const struct engine *e, uint32_t slot);

/* wishes.c: writes of an action wait for those with a smaller number. */
unsigned int wish_order(const struct engine *e, const struct knob_wish *wish);

/* undo.c */
void undo_take_journal(struct engine *e, const struct helper_event *event);
void undo_target_free(void *target);
/* The items of a restore. */
void undo_items(const struct engine *e, const struct knob_write *write, struct names *items);
/* It was done, all of it: its writes are no more to be undone. */
void undo_done(struct engine *e, const struct knob_write *write);
uint64_t undo_diskseq(const struct engine *e, uint32_t slot);

/* segments.c */
void segments_init(struct engine *e);
void segments_release(struct engine *e);
/* Take the deltas of the interval just computed; `spoilt`: the bin they fall into is left out. */
void segments_add(struct engine *e, bool spoilt);
/* The next sample has nothing to do with this one: drop the bin in the making. */
void segments_break(struct engine *e);
void segments_forget(struct engine *e, uint32_t slot);

/* stretches.c */
void stretches_init(struct engine *e);
void stretches_release(struct engine *e);
/* The running one ends, with what is known of the devices now, and another begins. Returns the one that ended. */
struct stretch *stretches_close(struct engine *e);
void stretches_restart(struct engine *e);
void stretches_forget(struct engine *e, uint32_t slot);
/* A write is under way, and does not hang: what is measured belongs to neither side. */
bool stretches_acting(const struct engine *e);
/* Find out which have the running one's knobs. */
void stretches_settle(struct engine *e);
enum na stretch_estimate(const struct engine *e, const struct stretch *st, uint32_t slot, enum metric_id m,
			 struct estimate *estimate);
/* BEFORE's and AFTER's settings were taken in turn, and repeat: the pooled estimates. */
bool stretches_repeated(const struct engine *e, uint32_t slot, enum metric_id m, struct comparison *c,
			struct estimate *before, struct estimate *after);
/* An action on knobs is submitted, is done; somebody else changed a knob. */
void segments_action_begins(struct engine *e);
void segments_action_ends(struct engine *e, const struct knob_action *action);
void segments_drift(struct engine *e, uint32_t slot, const char *words);

/* before.c */
/* One of the stretches becomes BEFORE; NULL: there is none any more. */
void before_set(struct engine *e, struct stretch *stretch);
/* Keep the present identities and knobs with it. */
void pinned_take(struct engine *e, struct stretch *stretch);
void pinned_forget(struct stretch *stretch, uint32_t slot);
void pinned_free(struct stretch *stretch);
/* The knobs of the slot (or SLOT_SYSTEM) in it, present ones of the running one; NULL: not known. */
const struct attributes *stretch_knobs(const struct engine *e, const struct stretch *stretch, uint32_t slot);
/* No knob that both have differs. NULL agrees with all. */
bool knobs_agree(const struct attributes *a, const struct attributes *b);
/* Devices or instances changed: find anew who is who. */
void before_match(struct engine *e);
/* BEFORE has data of the slot. */
bool before_holds(const struct engine *e, uint32_t slot);
/* AFTER has got a bin, or starts anew. */
void before_judge(struct engine *e);
void before_forget_marks(struct engine *e);

#endif
