/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The topology's edges as numbers, for whoever walks them: below a device are its slaves, below a partition its disk.
 * Made once, each edge is in both directions, no doubles. Owner: the caller, graph_release.
 */
#ifndef IODELTA_MODEL_GRAPH_H
#define IODELTA_MODEL_GRAPH_H

#include "model/device.h"

struct graph_edges {
	uint32_t *first;        /* by device, n + 1 of them: its edges are `to` from first[i] up to first[i + 1] */
	uint32_t *to;
};

struct graph {
	struct graph_edges down, up;
};

/* `sorted`: what is above a device comes in the order of partitions first, then names; else as the topology has it. */
void graph_build(struct graph *g, const struct topology *t, bool sorted) __attribute__((nonnull));
void graph_release(struct graph *g) __attribute__((nonnull));

static inline uint32_t graph_count(const struct graph_edges *e, uint32_t device)
{
	return e->first[device + 1] - e->first[device];
}

#endif
