/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/edge.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

const char *const edge_names[EDGES] = {
	[EDGE_SPLIT] = "split",
	[EDGE_MERGE_SHARE] = "merge_share",
	[EDGE_SIZE_RATIO] = "size_ratio",
	[EDGE_ADDED_LATENCY] = "added_latency",
};

static uint32_t index_of(const struct topology *t, const char *name)
{
	const struct device *d = topology_find(t, name);

	return d ? (uint32_t)(d - t->devices) : GROUP_NONE;
}

static uint32_t chief_of(uint32_t *chiefs, uint32_t device)
{
	while (chiefs[device] != device) {
		chiefs[device] = chiefs[chiefs[device]];
		device = chiefs[device];
	}
	return device;
}

/* Join the uppers that share a lower; chiefs[i] leads to the same number for all of a group. */
static void join_uppers(const struct topology *t, uint32_t *chiefs)
{
	uint32_t *upper_of = xcalloc(t->n, sizeof(*upper_of));

	for (uint32_t i = 0; i < t->n; i++) {
		chiefs[i] = i;
		upper_of[i] = GROUP_NONE;
	}
	for (uint32_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k < t->devices[i].slaves.n; k++) {
			uint32_t lower = index_of(t, t->devices[i].slaves.v[k]);

			if (lower == GROUP_NONE || lower == i)
				continue;
			if (upper_of[lower] == GROUP_NONE)
				upper_of[lower] = i;
			else
				chiefs[chief_of(chiefs, i)] = chief_of(chiefs, upper_of[lower]);
		}
	}
	free(upper_of);
}

static uint32_t add_group(struct stack *s, size_t *capacity)
{
	ARRAY_GROW(s->groups, *capacity, s->n_groups + 1);
	s->groups[s->n_groups] = (struct edge_group){ 0 };
	return (uint32_t)s->n_groups++;
}

static void add_member(uint32_t **members, size_t *n, uint32_t device)
{
	/* grown by powers of two, so that no capacity needs to be kept */
	if (!(*n & (*n - 1)))
		*members = xreallocarray(*members, *n ? *n * 2 : 1, sizeof(**members));
	(*members)[(*n)++] = device;
}

static void add_lowers(struct stack *s, const struct topology *t, uint32_t group, uint32_t upper)
{
	const struct names *slaves = &t->devices[upper].slaves;

	for (size_t k = 0; k < slaves->n; k++) {
		uint32_t lower = index_of(t, slaves->v[k]);

		if (lower == GROUP_NONE || lower == upper || s->group_above[lower] != GROUP_NONE)
			continue;
		s->group_above[lower] = group;
		add_member(&s->groups[group].lowers, &s->groups[group].n_lowers, lower);
	}
}

static bool has_lower(const struct topology *t, uint32_t device)
{
	const struct names *slaves = &t->devices[device].slaves;

	for (size_t k = 0; k < slaves->n; k++) {
		uint32_t lower = index_of(t, slaves->v[k]);

		if (lower != GROUP_NONE && lower != device)
			return true;
	}
	return false;
}

static void share(struct edge_group *g, const char *with)
{
	if (!g->shared)
		g->shared_with = xstrdup(with);
	g->shared = true;
}

/* A mounted lower, or one that the system swaps on, has I/O of its own. */
static void check_mounts(struct edge_group *g, const struct topology *t)
{
	for (size_t i = 0; i < g->n_lowers; i++) {
		const char *mount = t->devices[g->lowers[i]].mount;

		if (mount)
			share(g, mount);
	}
}

/* So has a disk one of whose partitions is in use. */
static void check_partition(struct stack *s, const struct topology *t, const struct device *partition)
{
	uint32_t disk = partition->kind == KIND_PARTITION && partition->parent ? index_of(t, partition->parent)
		: GROUP_NONE;
	uint32_t group = disk == GROUP_NONE ? GROUP_NONE : s->group_above[disk];

	if (group == GROUP_NONE)
		return;
	if (partition->mount)
		share(&s->groups[group], partition->mount);
	else if (partition->holders.n)
		share(&s->groups[group], partition->holders.v[0]);
}

void edge_groups_build(struct stack *s, const struct topology *t)
{
	uint32_t *chiefs = xcalloc(t->n, sizeof(*chiefs));
	size_t capacity = 0;

	s->group_above = xcalloc(t->n, sizeof(*s->group_above));
	s->group_below = xcalloc(t->n, sizeof(*s->group_below));
	for (size_t i = 0; i < t->n; i++)
		s->group_above[i] = s->group_below[i] = GROUP_NONE;
	join_uppers(t, chiefs);
	/* a chief is met first or later, its group is made by whoever comes first */
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t chief = chief_of(chiefs, i);

		if (!has_lower(t, i))
			continue;
		if (s->group_below[chief] == GROUP_NONE)
			s->group_below[chief] = add_group(s, &capacity);
		s->group_below[i] = s->group_below[chief];
		add_member(&s->groups[s->group_below[i]].uppers, &s->groups[s->group_below[i]].n_uppers, i);
		add_lowers(s, t, s->group_below[i], i);
	}
	for (size_t i = 0; i < s->n_groups; i++)
		check_mounts(&s->groups[i], t);
	for (size_t i = 0; i < t->n; i++)
		check_partition(s, t, &t->devices[i]);
	free(chiefs);
}

/* Why a delta has no value for a field. */
static enum na why_not(const struct delta *d, enum field f)
{
	static const enum na by_state[] = {
		[DELTA_FIRST] = NA_FIRST, [DELTA_NEW] = NA_NEW, [DELTA_RESET] = NA_RESET, [DELTA_GONE] = NA_GONE,
	};

	if (!d)
		return NA_GONE;
	if (d->valid & FIELD(f))
		return NA_NONE;
	if (d->why[f])
		return (enum na)d->why[f];
	return d->state == DELTA_OK ? NA_NO_FIELD : by_state[d->state];
}

/* One layer of a group: the sum over its devices of what is asked for. */
struct layer {
	const struct delta *const *deltas;
	const uint32_t *devices;
	size_t n;
};

static struct value layer_sum(const struct layer *l, field_set fields)
{
	struct value sum = { 0, l->n ? NA_NONE : NA_NO_LOWER };

	for (size_t i = 0; i < l->n; i++) {
		const struct delta *d = l->deltas[l->devices[i]];

		for (int f = 0; f < FIELDS; f++) {
			enum na why = fields & FIELD(f) ? why_not(d, f) : NA_NONE;

			if (why)
				return (struct value){ 0, why };
			if (fields & FIELD(f))
				sum.v += (double)d->v[f];
		}
	}
	return sum;
}

/* Those of `fields` that every device of the layer has. */
static field_set layer_has(const struct layer *l, field_set fields)
{
	for (size_t i = 0; i < l->n; i++)
		fields &= l->deltas[l->devices[i]] ? l->deltas[l->devices[i]]->valid : 0;
	return fields;
}

static struct value quotient(struct value n, struct value d, enum na empty)
{
	if (n.why || d.why)
		return (struct value){ 0, n.why ? n.why : d.why };
	if (d.v == 0)
		return (struct value){ 0, empty };
	return (struct value){ n.v / d.v, NA_NONE };
}

static struct value difference(struct value a, struct value b)
{
	if (a.why || b.why)
		return (struct value){ 0, a.why ? a.why : b.why };
	return (struct value){ a.v - b.v, NA_NONE };
}

struct ios {
	field_set upper, lower;
};

/*
 * The I/Os that are compared. Discards where both layers have them. A request-based map counts flushes and its paths
 * see them as empty reads; a bio-based map counts none, so those of its disks are left out.
 */
static struct ios comparable_ios(const struct layer *u, const struct layer *l)
{
	field_set both = FIELD(RD_IOS) | FIELD(WR_IOS);

	both |= layer_has(l, layer_has(u, FIELD(DC_IOS)));
	if (!layer_has(u, FIELD(FL_IOS)))
		return (struct ios){ both, both };
	return (struct ios){ both | FIELD(FL_IOS), both | layer_has(l, FIELD(FL_IOS)) };
}

static struct value split(const struct layer *u, const struct layer *l)
{
	struct ios ios = comparable_ios(u, l);

	return quotient(layer_sum(l, ios.lower), layer_sum(u, ios.upper), NA_NO_IO);
}

static struct value merge_share(const struct layer *u, const struct layer *l)
{
	field_set merges = FIELD(RD_MERGES) | FIELD(WR_MERGES);
	struct value upper, all;

	merges |= layer_has(l, layer_has(u, FIELD(DC_MERGES)));
	upper = layer_sum(u, merges);
	all = layer_sum(l, merges);
	all.v += upper.v;
	return quotient(upper, all, NA_NOTHING);
}

static struct value size_of(const struct layer *l)
{
	return quotient(layer_sum(l, FIELD(RD_SECTORS) | FIELD(WR_SECTORS)),
			layer_sum(l, FIELD(RD_IOS) | FIELD(WR_IOS)), NA_NO_IO);
}

static struct value await_of(const struct layer *l)
{
	return quotient(layer_sum(l, FIELD(RD_TICKS) | FIELD(WR_TICKS)),
			layer_sum(l, FIELD(RD_IOS) | FIELD(WR_IOS)), NA_NO_IO);
}

static bool is_mirror(const struct device *d)
{
	return d->md_level && (!strcmp(d->md_level, "raid1") || !strcmp(d->md_level, "raid10"));
}

/* A mirrored write is done when its slowest leg is. */
static struct value slowest_write(const struct layer *l)
{
	struct value slowest = { 0, NA_NO_IO };

	for (size_t i = 0; i < l->n; i++) {
		struct layer leg = { l->deltas, l->devices + i, 1 };
		struct value await = quotient(layer_sum(&leg, FIELD(WR_TICKS)), layer_sum(&leg, FIELD(WR_IOS)),
					      NA_NO_IO);

		if (await.why && await.why != NA_NO_IO)
			return await;
		if (!await.why && (slowest.why || await.v > slowest.v))
			slowest = await;
	}
	return slowest;
}

/* What the upper's I/O would take if the layer added nothing, for mirrors: weighted by what the upper was asked. */
static struct value mirrored_await(const struct layer *u, const struct layer *l)
{
	struct value reads = layer_sum(u, FIELD(RD_IOS));
	struct value writes = layer_sum(u, FIELD(WR_IOS));
	struct value read = quotient(layer_sum(l, FIELD(RD_TICKS)), layer_sum(l, FIELD(RD_IOS)), NA_NO_IO);
	struct value write = slowest_write(l);
	struct value sum = { 0, NA_NONE };

	if (reads.why || writes.why)
		return reads.why ? reads : writes;
	if (reads.v > 0 && read.why)
		return read;
	if (writes.v > 0 && write.why)
		return write;
	sum.v += reads.v > 0 ? reads.v * read.v : 0;
	sum.v += writes.v > 0 ? writes.v * write.v : 0;
	return quotient(sum, (struct value){ reads.v + writes.v, NA_NONE }, NA_NO_IO);
}

static struct value added_latency(const struct layer *u, const struct layer *l, bool mirror)
{
	return difference(await_of(u), mirror ? mirrored_await(u, l) : await_of(l));
}

static void path_shares(const struct layer *u, const struct layer *l, struct value *share_of)
{
	field_set ios = comparable_ios(u, l).lower;
	struct value all = layer_sum(l, ios);

	for (size_t i = 0; i < l->n; i++) {
		struct layer leg = { l->deltas, l->devices + i, 1 };

		share_of[i] = quotient(layer_sum(&leg, ios), all, NA_NO_IO);
	}
}

void edge_values(const struct edge_group *g, const struct topology *t, const struct delta *const *deltas,
		 struct value out[EDGES], struct value *path_share)
{
	const struct layer u = { deltas, g->uppers, g->n_uppers };
	const struct layer l = { deltas, g->lowers, g->n_lowers };
	bool mirror = false;

	for (int i = 0; g->shared && i < EDGES; i++)
		out[i] = (struct value){ 0, NA_SHARED };
	for (size_t i = 0; g->shared && path_share && i < g->n_lowers; i++)
		path_share[i] = (struct value){ 0, NA_SHARED };
	if (g->shared)
		return;
	for (size_t i = 0; i < g->n_uppers; i++)
		mirror = mirror || is_mirror(&t->devices[g->uppers[i]]);
	out[EDGE_SPLIT] = split(&u, &l);
	out[EDGE_MERGE_SHARE] = merge_share(&u, &l);
	out[EDGE_SIZE_RATIO] = quotient(size_of(&u), size_of(&l), NA_NO_IO);
	out[EDGE_ADDED_LATENCY] = added_latency(&u, &l, mirror);
	if (path_share)
		path_shares(&u, &l, path_share);
}
