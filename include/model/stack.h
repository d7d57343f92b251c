/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who sits on whom: the order and shape in which the stacks are drawn, and the edge groups (an upper layer over the
 * lower devices it shares) with what can be said of them. Made from a topology; devices are indices into it.
 *
 * Drawing rule: roots are whole disks, maps over several devices and NVMe heads. A device over several lowers is a
 * root with these legs first (double line) and a Σ row after them; what sits on a single lower hangs below it (single
 * line). A device is drawn in full once; further places are a reference.
 */
#ifndef IODELTA_MODEL_STACK_H
#define IODELTA_MODEL_STACK_H

#include "model/delta.h"
#include "model/device.h"
#include "model/metric.h"

enum stack_shape {
	ROW_ROOT,
	ROW_LEG,                /* a lower of the device above it in the list */
	ROW_SUM,                /* Σ of the legs before it; `device` is the map's */
	ROW_CHILD,              /* sits on the device it hangs from (in inverse: the other way round) */
};

enum stack_view { VIEW_TREE, VIEW_INVERSE, VIEW_FLAT, VIEWS };

#define STACK_DEPTH 8           /* deeper nesting is drawn at this depth */

struct stack_row {
	enum stack_shape shape;
	uint32_t device;        /* index into the topology */
	uint32_t parent;        /* row it hangs from, its own index for a root */
	uint32_t root;          /* row of its root */
	uint8_t depth;          /* 0 for a root */
	bool reference;         /* drawn in full elsewhere: name only, `↑ name` */
	bool last;              /* the last one on its line */
	uint8_t open;           /* bit d: an ancestor's line at depth d goes on past this row */
	bool has_children;
};

/* An upper layer over shared lowers. */
struct edge_group {
	uint32_t *uppers, *lowers;
	size_t n_uppers, n_lowers;
	bool shared;            /* a lower is also used from outside the group */
	char *shared_with;      /* by whom: a mount point, "swap", a device's name */
};

struct stack {
	struct stack_row *rows;
	size_t n_rows, capacity;
	struct edge_group *groups;
	size_t n_groups;
	uint32_t *group_above;  /* by device: the group in which it is a lower, or GROUP_NONE */
	uint32_t *group_below;  /* by device: the group in which it is an upper, or GROUP_NONE */
};

#define GROUP_NONE UINT32_MAX
#define STACK_INIT { NULL, 0, 0, NULL, 0, NULL, NULL }

void stack_build(struct stack *s, const struct topology *t, enum stack_view view) __attribute__((nonnull));
void stack_release(struct stack *s) __attribute__((nonnull));

/* Mark every device of the stack (connected by slaves, holders, partitions) that `device` is in; hit has t->n. */
void stack_members(const struct topology *t, uint32_t device, bool *hit) __attribute__((nonnull));

/* What enters a total: no device with slaves, no partition, no hidden path whose head accounts, no loop, zram, ram. */
bool stack_is_leaf(const struct topology *t, uint32_t device, bool head_accounts) __attribute__((nonnull));

/* The edge metrics. Keys in JSON: split, merge_share, size_ratio, added_latency; path_share beside them. */
enum edge_id { EDGE_SPLIT, EDGE_MERGE_SHARE, EDGE_SIZE_RATIO, EDGE_ADDED_LATENCY, EDGES };
extern const char *const edge_names[EDGES];

/*
 * Values of one group. `deltas` is indexed like the topology (NULL: no delta). path_share may be NULL, else it has
 * n_lowers places. The kind of the uppers matters: writes of mirrors (md raid1, raid10, dm mirror/raid1) take the
 * slowest leg's latency.
 */
void edge_values(const struct edge_group *g, const struct topology *t, const struct delta *const *deltas,
		 struct value out[EDGES], struct value *path_share) __attribute__((nonnull(1, 2, 3, 4)));

#endif
