/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static bool is_edge(const struct topology *t, const struct device *d, const char *lower, uint32_t *to)
{
	const struct device *other = topology_find(t, lower);

	if (!other || other == d)
		return false;
	*to = (uint32_t)(other - t->devices);
	return true;
}

/* The lowers of one device into `to` (NULL: count them only); they may stand there twice, but are listed once. */
static uint32_t lowers_of(const struct topology *t, const struct device *d, uint32_t *seen_by, uint32_t *to)
{
	uint32_t self = (uint32_t)(d - t->devices);
	uint32_t n = 0, lower;

	for (size_t i = 0; i <= d->slaves.n; i++) {
		const char *name = i < d->slaves.n ? d->slaves.v[i] : d->kind == KIND_PARTITION ? d->parent : NULL;

		if (!is_edge(t, d, name, &lower) || seen_by[lower] == self)
			continue;
		seen_by[lower] = self;
		if (to)
			to[n] = lower;
		n++;
	}
	return n;
}

static void forget_seen(uint32_t *seen_by, size_t n)
{
	if (n)
		memset(seen_by, 0xff, n * sizeof(*seen_by));
}

static void build_down(struct graph_edges *down, const struct topology *t)
{
	uint32_t *seen_by = xcalloc(t->n, sizeof(*seen_by));

	down->first = xcalloc(t->n + 1, sizeof(*down->first));
	forget_seen(seen_by, t->n);
	for (size_t i = 0; i < t->n; i++)
		down->first[i + 1] = down->first[i] + lowers_of(t, &t->devices[i], seen_by, NULL);
	down->to = xcalloc(down->first[t->n], sizeof(*down->to));
	forget_seen(seen_by, t->n);
	for (size_t i = 0; i < t->n; i++)
		lowers_of(t, &t->devices[i], seen_by, down->to + down->first[i]);
	free(seen_by);
}

static void build_up(struct graph_edges *up, const struct graph_edges *down, size_t n)
{
	uint32_t *next = xcalloc(n, sizeof(*next));

	up->first = xcalloc(n + 1, sizeof(*up->first));
	up->to = xcalloc(down->first[n], sizeof(*up->to));
	for (uint32_t e = 0; e < down->first[n]; e++)
		up->first[down->to[e] + 1]++;
	for (size_t i = 0; i < n; i++)
		up->first[i + 1] += up->first[i];
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t e = down->first[i]; e < down->first[i + 1]; e++) {
			uint32_t lower = down->to[e];

			up->to[up->first[lower] + next[lower]++] = i;
		}
	}
	free(next);
}

static int compare_uppers(const void *left, const void *right, void *arg)
{
	const struct topology *t = arg;
	const struct device *a = &t->devices[*(const uint32_t *)left];
	const struct device *b = &t->devices[*(const uint32_t *)right];
	int others = (a->kind != KIND_PARTITION) - (b->kind != KIND_PARTITION);

	return others ? others : strverscmp(a->name, b->name);
}

void graph_build(struct graph *g, const struct topology *t, bool sorted)
{
	build_down(&g->down, t);
	build_up(&g->up, &g->down, t->n);
	for (uint32_t i = 0; sorted && i < t->n; i++)
		qsort_r(g->up.to + g->up.first[i], graph_count(&g->up, i), sizeof(*g->up.to), compare_uppers,
			(void *)t);
}

void graph_release(struct graph *g)
{
	free(g->down.first);
	free(g->down.to);
	free(g->up.first);
	free(g->up.to);
	*g = (struct graph){ 0 };
}
