/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/rows.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/text.h"

/* --- flags by slot --- */

static bool flag(const struct slot_flags *f, uint32_t slot)
{
	return slot < f->n && f->v[slot];
}

static void set_flag(struct slot_flags *f, uint32_t slot, bool value)
{
	if (slot == SLOT_NONE || (slot >= f->n && !value))
		return;
	if (slot >= f->n) {
		size_t n = grown_capacity(f->n, (size_t)slot + 1);

		f->v = xreallocarray(f->v, n, sizeof(*f->v));
		memset(f->v + f->n, 0, (n - f->n) * sizeof(*f->v));
		f->n = n;
	}
	f->v[slot] = value;
}

static void clear_flags(struct slot_flags *f)
{
	if (f->n)
		memset(f->v, 0, f->n * sizeof(*f->v));
}

void rows_release(struct rows *r)
{
	free(r->v);
	free(r->legs);
	free(r->shown.v);
	free(r->sticky.v);
	free(r->folded.v);
	free(r->tagged.v);
	*r = (struct rows)ROWS_INIT;
}

void rows_forget_shown(struct rows *r)
{
	clear_flags(&r->sticky);
}

/* --- which devices are shown: whole stacks, found by joining a device with its slaves and its parent --- */

/* Scratch of one build, by device. */
struct build {
	struct rows *rows;
	struct engine *e;
	const struct rows_wish *wish;
	const struct topology *t;
	const struct stack *s;
	uint32_t *joined;       /* a member of the same stack, itself for the first one */
	bool *wanted;           /* by DEVICE */
	bool *stack_shown;      /* by the first member */
	bool *row_taken;        /* by row: the filter lets it through */
};

static uint32_t first_member(const struct build *b, uint32_t d)
{
	while (b->joined[d] != d) {
		b->joined[d] = b->joined[b->joined[d]];
		d = b->joined[d];
	}
	return d;
}

static void join(struct build *b, uint32_t d, const char *name)
{
	const struct device *other = name ? topology_find(b->t, name) : NULL;
	uint32_t one, two;

	if (!other)
		return;
	one = first_member(b, d);
	two = first_member(b, (uint32_t)(other - b->t->devices));
	if (one != two)
		b->joined[two] = one;
}

static void join_stacks(struct build *b)
{
	for (uint32_t d = 0; d < b->t->n; d++)
		b->joined[d] = d;
	for (uint32_t d = 0; d < b->t->n; d++) {
		const struct device *device = &b->t->devices[d];

		join(b, d, device->parent);
		for (size_t i = 0; i < device->slaves.n; i++)
			join(b, d, device->slaves.v[i]);
	}
}

/* Kinds that are there in numbers and seldom what is looked for. */
static bool is_quiet_kind(const struct device *d)
{
	static const enum device_kind quiet[] = { KIND_LOOP, KIND_RAM, KIND_ZRAM, KIND_CDROM, KIND_FLOPPY };

	for (size_t i = 0; i < ARRAY_SIZE(quiet); i++) {
		if (d->kind == quiet[i])
			return true;
	}
	return false;
}

static bool is_present(const struct engine *e, uint32_t slot)
{
	const struct roster *roster = engine_roster(e);

	return slot < roster->n && roster->entries[slot].name && roster->entries[slot].present;
}

/* What it did in the last interval is not known, because it is new or its counters were reset. */
static bool is_unknown(const struct delta *d)
{
	return d && (d->state == DELTA_NEW || d->state == DELTA_RESET);
}

/* It did something, or what it does cannot be seen (its counters are off, so it only looks idle). */
static bool is_active(const struct build *b, uint32_t slot)
{
	const struct segment *after = engine_after(b->e);
	const struct delta *d = engine_delta(b->e, slot);

	return (d && d->state == DELTA_OK && delta_active(d)) || is_unknown(d) ||
		(after && segment_active(after, slot)) || engine_active_before(b->e, slot) ||
		(engine_iostats(b->e, slot) == 0 && is_present(b->e, slot));
}

static bool any_stack_shown(const struct build *b)
{
	for (size_t d = 0; d < b->t->n; d++) {
		if (b->stack_shown[d])
			return true;
	}
	return false;
}

static void mark_words(struct build *b)
{
	memset(b->wanted, b->wish->n_words == 0, b->t->n);
	for (size_t i = 0; i < b->wish->n_words; i++)
		topology_match(b->t, b->wish->words[i], b->wanted);
	if (b->wish->n_words)
		topology_widen(b->t, b->wanted);
}

/*
 * What was shown once stays, so that the list does not flicker with the load. As long as nothing did any I/O the
 * ordinary devices stand there instead of an empty screen; they are not remembered.
 */
static void mark_stacks(struct build *b)
{
	bool asked = b->wish->n_words > 0 || b->wish->show_hidden;

	for (uint32_t d = 0; d < b->t->n; d++) {
		uint32_t slot = engine_slot(b->e, d);

		if (flag(&b->rows->sticky, slot) ||
		    (slot != SLOT_NONE && !is_quiet_kind(&b->t->devices[d]) && is_active(b, slot)))
			b->stack_shown[first_member(b, d)] = true;
	}
	if (!asked && any_stack_shown(b)) {
		for (uint32_t d = 0; d < b->t->n; d++) {
			if (b->stack_shown[first_member(b, d)])
				set_flag(&b->rows->sticky, engine_slot(b->e, d), true);
		}
		return;
	}
	for (uint32_t d = 0; d < b->t->n; d++) {
		if (asked || !is_quiet_kind(&b->t->devices[d]))
			b->stack_shown[first_member(b, d)] = true;
	}
}

static bool is_shown(const struct build *b, uint32_t d)
{
	return b->wanted[d] && b->stack_shown[first_member(b, d)];
}

static size_t count_hidden(const struct build *b)
{
	size_t n = 0;

	for (uint32_t d = 0; d < b->t->n; d++)
		n += b->wanted[d] && !is_shown(b, d) && is_present(b->e, engine_slot(b->e, d));
	return n;
}

/* --- filter --- */

static bool text_matches(const char *text, const char *word, bool glob)
{
	if (!text)
		return false;
	return glob ? fnmatch(word, text, 0) == 0 : strcasestr(text, word) != NULL;
}

bool device_matches(const struct device *d, const char *word)
{
	bool glob = strpbrk(word, "*?[") != NULL;

	return text_matches(d->name, word, glob) || text_matches(d->dm_name, word, glob) ||
		text_matches(d->mount, word, glob);
}

static bool passes(const struct build *b, uint32_t device)
{
	if (b->wish->tagged_only && !rows_is_tagged(b->rows, engine_slot(b->e, device)))
		return false;
	return !*b->wish->filter || device_matches(&b->t->devices[device], b->wish->filter);
}

/* A device that matches is shown with what it hangs from and what hangs from it. Parents come before their rows. */
static void filter_rows(struct build *b)
{
	const struct stack *s = b->s;

	if (!*b->wish->filter && !b->wish->tagged_only) {
		memset(b->row_taken, true, s->n_rows);
		return;
	}
	for (uint32_t i = 0; i < s->n_rows; i++) {
		const struct stack_row *row = &s->rows[i];

		b->row_taken[i] = passes(b, row->device) ||
			(row->parent < i && b->row_taken[row->parent]);
	}
	for (uint32_t i = (uint32_t)s->n_rows; i-- > 0;) {
		if (b->row_taken[i])
			b->row_taken[s->rows[i].parent] = true;
	}
}

/* --- lines --- */

static bool inside_fold(const struct build *b, uint32_t row)
{
	const struct stack_row *rows = b->s->rows;

	while (rows[row].parent < row) {
		row = rows[row].parent;
		if (rows_is_folded(b->rows, engine_slot(b->e, rows[row].device)))
			return true;
	}
	return false;
}

static void take_legs(struct build *b, struct line *line)
{
	const struct stack_row *rows = b->s->rows;
	struct rows *r = b->rows;
	uint32_t parent = rows[line->row].parent;

	line->legs_at = r->n_legs;
	for (uint32_t i = parent + 1; i < line->row; i++) {
		if (rows[i].shape != ROW_LEG || rows[i].parent != parent)
			continue;
		ARRAY_GROW(r->legs, r->legs_capacity, r->n_legs + 1);
		r->legs[r->n_legs++] = engine_slot(b->e, rows[i].device);
	}
	line->legs_n = r->n_legs - line->legs_at;
}

static void add_line(struct build *b, uint32_t row)
{
	const struct stack_row *from = &b->s->rows[row];
	struct rows *r = b->rows;
	struct line line = { .row = row, .device = from->device, .slot = engine_slot(b->e, from->device) };

	line.kind = from->shape == ROW_SUM ? LINE_SUM : from->reference ? LINE_REFERENCE : LINE_DEVICE;
	line.parent_slot = engine_slot(b->e, b->s->rows[from->parent].device);
	if (line.kind == LINE_SUM)
		take_legs(b, &line);
	ARRAY_GROW(r->v, r->capacity, r->n + 1);
	r->v[r->n++] = line;
}

static void list_rows(struct build *b)
{
	struct rows *r = b->rows;

	r->n = r->n_legs = 0;
	clear_flags(&r->shown);
	for (uint32_t i = 0; i < b->s->n_rows; i++) {
		if (!b->row_taken[i] || !is_shown(b, b->s->rows[i].device))
			continue;
		set_flag(&r->shown, engine_slot(b->e, b->s->rows[i].device), true);
		if (!inside_fold(b, i))
			add_line(b, i);
	}
}

/* --- sort: whole trees by the value of their roots --- */

struct tree {
	size_t at, n;
	bool has;
	double value;
	bool ascending;
};

static int compare_trees(const void *a, const void *b)
{
	const struct tree *x = a;
	const struct tree *y = b;

	if (x->has != y->has)
		return x->has ? -1 : 1;
	if (x->has && x->value != y->value)
		return (x->value < y->value) == x->ascending ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

static size_t find_trees(const struct build *b, struct tree *trees)
{
	const struct rows *r = b->rows;
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		if (i && b->s->rows[r->v[i].row].root == b->s->rows[r->v[i - 1].row].root) {
			trees[n - 1].n++;
			continue;
		}
		trees[n] = (struct tree){ .at = i, .n = 1, .ascending = b->wish->ascending };
		trees[n].has = b->wish->sort_value(b->wish->arg, &r->v[i], b->wish->sort_by, &trees[n].value);
		n++;
	}
	return n;
}

static void sort_lines(struct build *b)
{
	struct rows *r = b->rows;
	struct tree *trees = xcalloc(r->n, sizeof(*trees));
	struct line *sorted = xcalloc(r->n, sizeof(*sorted));
	size_t n = find_trees(b, trees);
	size_t at = 0;

	qsort(trees, n, sizeof(*trees), compare_trees);
	for (size_t i = 0; i < n; i++) {
		memcpy(sorted + at, r->v + trees[i].at, trees[i].n * sizeof(*sorted));
		at += trees[i].n;
	}
	memcpy(r->v, sorted, r->n * sizeof(*sorted));
	free(sorted);
	free(trees);
}

/* --- selection --- */

static bool same_place(const struct line *a, const struct line *b)
{
	return a->slot == b->slot && a->kind == b->kind && a->parent_slot == b->parent_slot;
}

/* Its own line again, else another of the same device, else whatever stands there now. */
static void find_selection(struct rows *r)
{
	size_t same_device = SIZE_MAX;

	if (!r->n)
		return;
	for (size_t i = 0; r->has_kept && i < r->n; i++) {
		if (same_place(&r->v[i], &r->kept)) {
			r->selected = i;
			return;
		}
		if (r->v[i].slot == r->kept.slot && same_device == SIZE_MAX)
			same_device = i;
	}
	rows_select(r, same_device != SIZE_MAX ? same_device : r->selected);
}

const struct line *rows_selected(const struct rows *r)
{
	return r->n ? &r->v[r->selected] : NULL;
}

void rows_select(struct rows *r, size_t index)
{
	if (!r->n)
		return;
	r->selected = index < r->n ? index : r->n - 1;
	r->kept = r->v[r->selected];
	r->has_kept = true;
}

void rows_move(struct rows *r, long by)
{
	if (by < 0 && (size_t)-by > r->selected)
		rows_select(r, 0);
	else
		rows_select(r, r->selected + (size_t)by);
}

void rows_scroll(struct rows *r, size_t height)
{
	if (!height || r->n <= height)
		r->top = 0;
	else if (r->selected < r->top)
		r->top = r->selected;
	else if (r->selected >= r->top + height)
		r->top = r->selected - height + 1;
	if (height && r->n > height && r->top > r->n - height)
		r->top = r->n - height;
}

/* --- fold --- */

void rows_set_folded(struct rows *r, uint32_t slot, bool folded)
{
	set_flag(&r->folded, slot, folded);
}

bool rows_is_folded(const struct rows *r, uint32_t slot)
{
	return flag(&r->folded, slot);
}

void rows_set_tagged(struct rows *r, uint32_t slot, bool tagged)
{
	set_flag(&r->tagged, slot, tagged);
}

bool rows_is_tagged(const struct rows *r, uint32_t slot)
{
	return flag(&r->tagged, slot);
}

bool rows_any_tagged(const struct rows *r)
{
	for (size_t i = 0; i < r->tagged.n; i++) {
		if (r->tagged.v[i])
			return true;
	}
	return false;
}

void rows_fold_all(struct rows *r, struct engine *e, enum stack_view shape)
{
	const struct stack *s = engine_stack(e, shape);
	bool any = false;

	for (size_t i = 0; i < r->folded.n; i++)
		any |= r->folded.v[i];
	clear_flags(&r->folded);
	for (size_t i = 0; !any && i < s->n_rows; i++) {
		if (s->rows[i].shape == ROW_ROOT && s->rows[i].has_children)
			rows_set_folded(r, engine_slot(e, s->rows[i].device), true);
	}
}

void rows_build(struct rows *r, struct engine *e, const struct rows_wish *wish)
{
	struct build b = { .rows = r, .e = e, .wish = wish };

	b.t = engine_topology(e);
	b.s = engine_stack(e, wish->shape);
	b.joined = xcalloc(b.t->n + 1, sizeof(*b.joined));
	b.wanted = xcalloc(b.t->n + 1, sizeof(*b.wanted));
	b.stack_shown = xcalloc(b.t->n + 1, sizeof(*b.stack_shown));
	b.row_taken = xcalloc(b.s->n_rows + 1, sizeof(*b.row_taken));
	join_stacks(&b);
	mark_words(&b);
	mark_stacks(&b);
	filter_rows(&b);
	list_rows(&b);
	r->hidden = count_hidden(&b);
	if (wish->sorted && r->n)
		sort_lines(&b);
	find_selection(r);
	free(b.joined);
	free(b.wanted);
	free(b.stack_shown);
	free(b.row_taken);
}
