/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/stack.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/edge.h"
#include "model/graph.h"

/* Deeper nesting than any real one: what hangs below becomes a root of its own instead of using up the C stack. */
#define DEEPEST 200

struct drawing {
	struct stack *s;
	const struct topology *t;
	struct graph graph;
	bool *drawn;
	bool inverse;
};

static bool is_wide(const struct drawing *w, uint32_t device)
{
	enum device_kind kind = w->t->devices[device].kind;
	uint32_t lowers = graph_count(&w->graph.down, device);

	/* a map that lost all paths but one stays a map: that it lost them is what must be seen */
	return lowers > 1 || (lowers && (kind == KIND_MULTIPATH || kind == KIND_NVME_HEAD));
}

static bool is_leg(const struct drawing *w, uint32_t device)
{
	const struct graph_edges *up = &w->graph.up;

	for (uint32_t e = up->first[device]; e < up->first[device + 1]; e++) {
		if (is_wide(w, up->to[e]))
			return true;
	}
	return false;
}

/* 0: drawn first, 2: drawn last */
static int root_class(const struct drawing *w, uint32_t device)
{
	switch (w->t->devices[device].kind) {
	case KIND_LOOP: case KIND_ZRAM: case KIND_RAM: case KIND_CDROM: case KIND_FLOPPY:
		return 2;
	default:
		return is_wide(w, device) ? 0 : 1;
	}
}

static int compare_names(const void *left, const void *right, void *arg)
{
	const struct drawing *w = arg;

	return strverscmp(w->t->devices[*(const uint32_t *)left].name, w->t->devices[*(const uint32_t *)right].name);
}

static int compare_roots(const void *left, const void *right, void *arg)
{
	const struct drawing *w = arg;
	int difference = root_class(w, *(const uint32_t *)left) - root_class(w, *(const uint32_t *)right);

	return difference ? difference : compare_names(left, right, arg);
}

static uint32_t *ordered(const struct drawing *w, int (*compare)(const void *left, const void *right, void *arg))
{
	uint32_t *order = xcalloc(w->t->n, sizeof(*order));

	for (uint32_t i = 0; i < w->t->n; i++)
		order[i] = i;
	qsort_r(order, w->t->n, sizeof(*order), compare, (void *)w);
	return order;
}

static uint32_t add_row(struct drawing *w, uint32_t device, enum stack_shape shape, uint32_t parent)
{
	struct stack *s = w->s;
	uint32_t at = (uint32_t)s->n_rows;

	ARRAY_GROW(s->rows, s->capacity, s->n_rows + 1);
	s->n_rows++;
	s->rows[at] = (struct stack_row){ .shape = shape, .device = device, .parent = at, .root = at };
	if (shape != ROW_ROOT) {
		struct stack_row *above = &s->rows[parent];
		struct stack_row *row = &s->rows[at];

		row->parent = parent;
		row->root = above->root;
		row->depth = above->depth < STACK_DEPTH ? (uint8_t)(above->depth + 1) : STACK_DEPTH;
		row->open = above->open;
		/* the line that the row above hangs from goes on past its children unless it was the last there */
		if (above->shape != ROW_ROOT && !above->last && above->depth < STACK_DEPTH)
			row->open |= (uint8_t)(1U << above->depth);
		above->has_children = true;
	}
	return at;
}

static void draw_below(struct drawing *w, uint32_t row, unsigned int level);

static void draw_row(struct drawing *w, uint32_t device, enum stack_shape shape, uint32_t parent, bool last,
		     unsigned int level)
{
	uint32_t at = add_row(w, device, shape, parent);
	struct stack_row *row = &w->s->rows[at];

	row->last = last;
	if (w->inverse)
		row->reference = w->drawn[device];
	else
		row->reference = w->drawn[device] || is_wide(w, device) || (shape == ROW_CHILD && is_leg(w, device));
	if (row->reference)
		return;
	w->drawn[device] = true;
	draw_below(w, at, level);
}

static void draw_legs(struct drawing *w, uint32_t row, unsigned int level)
{
	const struct graph_edges *down = &w->graph.down;
	uint32_t device = w->s->rows[row].device;
	uint32_t n = graph_count(down, device);

	for (uint32_t e = down->first[device]; e < down->first[device + 1]; e++)
		draw_row(w, down->to[e], ROW_LEG, row, n == 1, level + 1);
	if (n > 1) {
		uint32_t sum = add_row(w, device, ROW_SUM, row);

		w->s->rows[sum].last = true;
	}
}

/* Those of `edges` that hang from the device by a single line. */
static void draw_children(struct drawing *w, const struct graph_edges *edges, uint32_t row, unsigned int level)
{
	uint32_t device = w->s->rows[row].device;
	uint32_t end = edges->first[device + 1];
	uint32_t final = end;

	for (uint32_t e = edges->first[device]; e < end; e++) {
		if (w->inverse || !is_wide(w, edges->to[e]))
			final = e;
	}
	for (uint32_t e = edges->first[device]; e < end; e++) {
		if (w->inverse || !is_wide(w, edges->to[e]))
			draw_row(w, edges->to[e], ROW_CHILD, row, e == final, level + 1);
	}
}

static void draw_below(struct drawing *w, uint32_t row, unsigned int level)
{
	if (level >= DEEPEST)
		return;
	if (w->inverse) {
		draw_children(w, &w->graph.down, row, level);
		return;
	}
	if (w->s->rows[row].shape == ROW_ROOT && is_wide(w, w->s->rows[row].device))
		draw_legs(w, row, level);
	draw_children(w, &w->graph.up, row, level);
}

static void draw_root(struct drawing *w, uint32_t device)
{
	if (w->drawn[device])
		return;
	w->drawn[device] = true;
	draw_below(w, add_row(w, device, ROW_ROOT, 0), 0);
}

static bool is_root(const struct drawing *w, uint32_t device)
{
	if (w->inverse)
		return !graph_count(&w->graph.up, device);
	return is_wide(w, device) || (!graph_count(&w->graph.down, device) && !is_leg(w, device));
}

static void draw_stacks(struct drawing *w)
{
	uint32_t *order = ordered(w, compare_roots);

	for (size_t i = 0; i < w->t->n; i++) {
		if (is_root(w, order[i]))
			draw_root(w, order[i]);
	}
	/* what hangs in a cycle hangs from no root */
	for (size_t i = 0; i < w->t->n; i++)
		draw_root(w, order[i]);
	free(order);
}

static void draw_flat(struct drawing *w)
{
	uint32_t *order = ordered(w, compare_names);

	for (size_t i = 0; i < w->t->n; i++)
		add_row(w, order[i], ROW_ROOT, 0);
	free(order);
}

void stack_build(struct stack *s, const struct topology *t, enum stack_view view)
{
	struct drawing w = { .s = s, .t = t, .inverse = view == VIEW_INVERSE };

	stack_release(s);
	graph_build(&w.graph, t, true);
	w.drawn = xcalloc(t->n, sizeof(*w.drawn));
	if (view == VIEW_FLAT)
		draw_flat(&w);
	else
		draw_stacks(&w);
	edge_groups_build(s, t);
	free(w.drawn);
	graph_release(&w.graph);
}

void stack_release(struct stack *s)
{
	for (size_t i = 0; i < s->n_groups; i++) {
		free(s->groups[i].uppers);
		free(s->groups[i].lowers);
		free(s->groups[i].shared_with);
	}
	free(s->groups);
	free(s->group_above);
	free(s->group_below);
	free(s->rows);
	*s = (struct stack)STACK_INIT;
}

static void mark_neighbours(const struct graph_edges *edges, uint32_t device, bool *hit, uint32_t *queue, size_t *n)
{
	for (uint32_t e = edges->first[device]; e < edges->first[device + 1]; e++) {
		if (hit[edges->to[e]])
			continue;
		hit[edges->to[e]] = true;
		queue[(*n)++] = edges->to[e];
	}
}

void stack_members(const struct topology *t, uint32_t device, bool *hit)
{
	uint32_t *queue = xcalloc(t->n, sizeof(*queue));
	bool *met = xcalloc(t->n, sizeof(*met));
	struct graph graph;
	size_t n = 0;

	graph_build(&graph, t, false);
	met[device] = true;
	queue[n++] = device;
	for (size_t i = 0; i < n; i++) {
		mark_neighbours(&graph.down, queue[i], met, queue, &n);
		mark_neighbours(&graph.up, queue[i], met, queue, &n);
	}
	for (size_t i = 0; i < t->n; i++)
		hit[i] = hit[i] || met[i];
	graph_release(&graph);
	free(met);
	free(queue);
}

bool stack_is_leaf(const struct topology *t, uint32_t device, bool head_accounts)
{
	const struct device *d = &t->devices[device];

	switch (d->kind) {
	case KIND_PARTITION: case KIND_LOOP: case KIND_ZRAM: case KIND_RAM:
		return false;
	/* layers, also where sysfs does not say what they lie on */
	case KIND_MULTIPATH: case KIND_LVM: case KIND_CRYPT: case KIND_DM: case KIND_MD: case KIND_BCACHE:
		return false;
	/* the same I/O is counted at the head and at a path: it is to enter once */
	case KIND_NVME_HEAD:
		return head_accounts || !d->slaves.n;
	case KIND_NVME_PATH:
		return !head_accounts;
	default:
		return !d->slaves.n;
	}
}
