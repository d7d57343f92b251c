/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define FEW_IOS 50      /* fewer below say nothing: what is in flight counts below and not yet above */

static const struct edge_group *group_below(const struct view *v, uint32_t device)
{
	const struct stack *s = engine_stack(v->engine, v->shape);

	if (!s->group_below || s->group_below[device] == GROUP_NONE)
		return NULL;
	return &s->groups[s->group_below[device]];
}

/* --- the deltas of a group, indexed like the topology as edge_values wants them --- */

struct gathered {
	const struct delta **by_device;
	struct delta *deltas;
	size_t n;
};

static void gather(struct gathered *g, const struct view *v, const uint32_t *devices, size_t n, enum side side)
{
	for (size_t i = 0; i < n; i++) {
		struct delta *d = &g->deltas[g->n];

		if (!side_total(v->engine, engine_slot(v->engine, devices[i]), side, d))
			continue;
		g->by_device[devices[i]] = d;
		g->n++;
	}
}

static void gather_group(struct gathered *g, const struct view *v, const struct edge_group *group, enum side side)
{
	g->n = 0;
	g->by_device = xcalloc(engine_topology(v->engine)->n + 1, sizeof(*g->by_device));
	g->deltas = xcalloc(group->n_uppers + group->n_lowers + 1, sizeof(*g->deltas));
	gather(g, v, group->uppers, group->n_uppers, side);
	gather(g, v, group->lowers, group->n_lowers, side);
}

static void gathered_release(struct gathered *g)
{
	free(g->by_device);
	free(g->deltas);
}

/* --- is the split one to be remarked on? --- */

/* Redundancy means more I/O below than above. */
static bool is_redundant(const struct device *d)
{
	return d->md_level && !strncmp(d->md_level, "raid", 4) && strcmp(d->md_level, "raid0") != 0;
}

static double writes_of(const struct gathered *g, const uint32_t *devices, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		const struct delta *d = g->by_device[devices[i]];

		if (d && d->valid & FIELD(WR_IOS))
			sum += (double)d->v[WR_IOS];
	}
	return sum;
}

/* Each lower device got all the writes: a mirror, whatever it calls itself. */
static bool writes_go_everywhere(const struct gathered *g, const struct edge_group *group)
{
	double above = writes_of(g, group->uppers, group->n_uppers);

	for (size_t i = 0; i < group->n_lowers; i++) {
		double below = writes_of(g, &group->lowers[i], 1);

		if (below < SPLIT_LEAST * above || below > SPLIT_MOST * above)
			return false;
	}
	return group->n_lowers > 1 && above > 0;
}

static bool is_odd(const struct view *v, const struct edge_group *group, const struct gathered *g, struct value split)
{
	const struct topology *t = engine_topology(v->engine);
	uint64_t ios = 0;

	if (split.why != NA_NONE || (split.v >= SPLIT_LEAST && split.v <= SPLIT_MOST))
		return false;
	for (size_t i = 0; i < group->n_uppers; i++) {
		if (is_redundant(&t->devices[group->uppers[i]]))
			return false;
	}
	for (size_t i = 0; i < group->n_lowers; i++) {
		const struct delta *d = g->by_device[group->lowers[i]];

		ios += d ? delta_ios(d) : 0;
	}
	return ios >= FEW_IOS && !writes_go_everywhere(g, group);
}

bool layer_take(struct layer *l, const struct view *v, uint32_t device, enum side side)
{
	const struct edge_group *group = group_below(v, device);
	struct gathered g;

	if (!group)
		return false;
	gather_group(&g, v, group, side);
	edge_values(group, engine_topology(v->engine), g.by_device, l->edges, NULL);
	l->shared_with = group->shared ? group->shared_with : NULL;
	l->odd = is_odd(v, group, &g, l->edges[EDGE_SPLIT]);
	gathered_release(&g);
	return true;
}

/* --- in words --- */

void layer_brief(struct text *out, const struct layer *l)
{
	double split = l->edges[EDGE_SPLIT].v;

	if (!l->odd)
		return;
	text_add(out, "split ");
	text_add_fixed(out, split, split < 9.95 ? (split < 0.995 ? 2 : 1) : 0);
}

static void add_dot(struct text *out, const struct view *v)
{
	if (out->len)
		text_addf(out, " %s ", theme_glyph(&v->screen.theme, GLYPH_DOT));
}

static void add_edges(struct text *out, const struct view *v, const struct layer *l)
{
	struct value split = l->edges[EDGE_SPLIT], share = l->edges[EDGE_MERGE_SHARE];

	if (split.why == NA_SHARED && l->shared_with) {
		text_add(out, "shared with ");
		text_add_safe(out, l->shared_with, strlen(l->shared_with));
	}
	if (split.why == NA_NONE) {
		text_add(out, "split ");
		text_add_fixed(out, split.v, 2);
	}
	if (share.why == NA_NONE) {
		add_dot(out, v);
		text_add(out, "merge share ");
		text_add_fixed(out, 100 * share.v, 0);
		text_add_char(out, '%');
	}
}

static void add_util(struct text *out, const struct view *v, const struct edge_group *group, enum side side)
{
	double most = 0, sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < group->n_lowers; i++) {
		struct line line = { .kind = LINE_DEVICE, .device = group->lowers[i] };
		struct reading r;

		line.slot = engine_slot(v->engine, line.device);
		reading_take(&r, v->engine, &v->rows, &line, side, M_PCT_UTIL);
		if (r.why != NA_NONE)
			continue;
		most = fmax(most, r.e.value);
		sum += r.e.value;
		n++;
	}
	if (n < 2)
		return;
	add_dot(out, v);
	text_add(out, "%util max ");
	text_add_short(out, most, 1);
	text_add(out, " mean ");
	text_add_short(out, sum / (double)n, 1);
}

void layer_words(struct text *out, const struct view *v, uint32_t device, enum side side)
{
	struct layer l;

	if (!layer_take(&l, v, device, side))
		return;
	add_edges(out, v, &l);
	add_util(out, v, group_below(v, device), side);
}
