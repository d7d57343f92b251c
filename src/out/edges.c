/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "out/json.h"
#include "out/report.h"

#define NA_PREFIX "edges."
#define SHARES "path_share"

/* The reason under the edge's key (of one leg, "": of the whole); for a shared lower, with whom it is shared. */
static void add_reason(struct report *r, const struct edge_group *g, const char *key, const char *leg, enum na why,
		       struct text *na)
{
	struct text *scratch = &r->scratch;

	text_clear(scratch);
	text_add(scratch, NA_PREFIX);
	text_add(scratch, key);
	text_add(scratch, *leg ? "." : "");
	text_add(scratch, leg);
	put_key(na, text_str(scratch));
	if (why == NA_SHARED && g->shared_with) {
		text_clear(scratch);
		text_add(scratch, "shared with ");
		text_add(scratch, g->shared_with);
		put_string(na, text_str(scratch));
	} else {
		text_add(na, text_str(&r->reasons[why]));
	}
}

static bool any_available(const struct value *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].why == NA_NONE)
			return true;
	}
	return false;
}

static void add_shares(struct report *r, const struct edge_group *g, const struct topology *t, struct edge_text *text)
{
	put_key(&text->edges, SHARES);
	if (!any_available(r->shares, g->n_lowers)) {
		text_add(&text->edges, "null");
		add_reason(r, g, SHARES, "", g->n_lowers ? r->shares[0].why : NA_NO_LOWER, &text->na);
		return;
	}
	text_add_char(&text->edges, '{');
	for (size_t i = 0; i < g->n_lowers; i++) {
		const char *name = t->devices[g->lowers[i]].name;

		put_key(&text->edges, name);
		put_value(&text->edges, r->shares[i]);
		if (r->shares[i].why != NA_NONE)
			add_reason(r, g, SHARES, name, r->shares[i].why, &text->na);
	}
	text_add_char(&text->edges, '}');
}

static void make_group(struct report *r, const struct edge_group *g, const struct topology *t, struct edge_text *text)
{
	struct value values[EDGES];

	text_clear(&text->edges);
	text_clear(&text->na);
	ARRAY_GROW(r->shares, r->shares_capacity, g->n_lowers);
	edge_values(g, t, r->edge_deltas, values, r->shares);
	text_add(&text->edges, ",\"edges\":{");
	for (unsigned int i = 0; i < EDGES; i++) {
		put_key(&text->edges, edge_names[i]);
		put_value(&text->edges, values[i]);
		if (values[i].why != NA_NONE)
			add_reason(r, g, edge_names[i], "", values[i].why, &text->na);
	}
	add_shares(r, g, t, text);
	text_add_char(&text->edges, '}');
}

void report_edges_make(struct report *r, const struct report_moment *m)
{
	const struct stack *stack = engine_stack(m->engine, VIEW_TREE);
	const struct topology *t = engine_topology(m->engine);

	if (!stack->n_groups)
		return;
	ARRAY_GROW(r->edge_deltas, r->edge_deltas_capacity, t->n);
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t slot = engine_slot(m->engine, i);

		r->edge_deltas[i] = slot == SLOT_NONE ? NULL : report_delta(r, m, slot);
	}
	ARRAY_GROW(r->edges, r->edges_capacity, stack->n_groups);
	while (r->n_edges < stack->n_groups)
		r->edges[r->n_edges++] = (struct edge_text){ TEXT_INIT, TEXT_INIT };
	for (size_t i = 0; i < stack->n_groups; i++)
		make_group(r, &stack->groups[i], t, &r->edges[i]);
}

const struct edge_text *report_edges_of(const struct report *r, const struct report_moment *m, uint32_t slot)
{
	const struct stack *stack = engine_stack(m->engine, VIEW_TREE);
	uint32_t device, group;

	if (!stack->n_groups)
		return NULL;
	device = engine_device(m->engine, slot);
	if (device == UINT32_MAX)
		return NULL;
	group = stack->group_below[device];
	return group == GROUP_NONE ? NULL : &r->edges[group];
}
