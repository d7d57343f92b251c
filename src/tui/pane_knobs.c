/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/pane_knobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "model/knob.h"
#include "tui/pane.h"
#include "tui/values.h"
#include "tui/key.h"
#include "tui/view.h"

#define NAME_CELLS 15
#define LEAST_CELLS 6
#define MOST_CELLS 24
#define GAP 2
#define NO_DEVICE UINT32_MAX

void knobs_release(struct knobs_state *k)
{
	free(k->rows);
	free(k->columns);
	text_release(&k->path);
	*k = (struct knobs_state){ .path = TEXT_INIT };
}

/* --- columns --- */

static void add_column(struct view *v, const struct device *d)
{
	struct knobs_state *k = &v->knobs;
	const struct topology *t = engine_topology(v->engine);
	const struct device *disk = topology_disk(t, d);
	struct knob_column column = {
		.x = -1, .device = (uint32_t)(disk - t->devices), .part = (uint32_t)(d - t->devices),
	};

	column.slot = engine_slot(v->engine, column.device);
	for (size_t i = 0; i < k->n_columns; i++) {
		if (k->columns[i].device == column.device)
			return;
	}
	ARRAY_GROW(k->columns, k->columns_capacity, k->n_columns + 1);
	k->columns[k->n_columns++] = column;
	for (size_t i = 0; i < d->slaves.n; i++) {
		const struct device *lower = topology_find(t, d->slaves.v[i]);

		if (lower)
			add_column(v, lower);
	}
}

/* The system's own, beside all others. */
static void add_system(struct knobs_state *k)
{
	ARRAY_GROW(k->columns, k->columns_capacity, k->n_columns + 1);
	k->columns[k->n_columns++] = (struct knob_column){
		.x = -1, .slot = SLOT_SYSTEM, .device = NO_DEVICE, .part = NO_DEVICE,
	};
}

/* A leg is seen beside the others: from the device that has it. */
static const struct device *upper_of(const struct topology *t, const struct device *d)
{
	const struct device *holder = d->holders.n ? topology_find(t, d->holders.v[0]) : NULL;

	return !d->slaves.n && holder && holder->slaves.n > 1 ? holder : d;
}

static void make_columns(struct view *v)
{
	const struct line *line = rows_selected(&v->rows);
	const struct topology *t = engine_topology(v->engine);
	struct knobs_state *k = &v->knobs;

	k->n_columns = 0;
	if (line)
		add_column(v, upper_of(t, &t->devices[line->device]));
	if (k->all)
		add_system(k);
	if (k->column >= k->n_columns)
		k->column = k->n_columns ? k->n_columns - 1 : 0;
}

/* --- rows --- */

static const struct attribute *cell_of(const struct view *v, const struct knob_column *c, const char *path)
{
	return engine_attribute(v->engine, c->slot, path);
}

/* What it was at BEFORE, if that is known and another value. */
static const struct attribute *changed_from(const struct view *v, const struct knob_column *c,
					    const struct attribute *now)
{
	const struct attribute *was = engine_attribute_before(v->engine, c->slot, now->name);

	return was && was->value && now->value && !knob_same(was->value, now->value) ? was : NULL;
}

/* The attributes of devices of one kind come in one order: the next is mostly where the last one was. */
static struct knob_row *row_of(struct knobs_state *k, const struct attribute *a, size_t *hint)
{
	for (size_t n = 0; n < k->n; n++) {
		size_t i = (*hint + n) % k->n;

		if (!strcmp(k->rows[i].path, a->name)) {
			*hint = i + 1;
			return &k->rows[i];
		}
	}
	ARRAY_GROW(k->rows, k->capacity, k->n + 1);
	k->rows[k->n] = (struct knob_row){ .path = a->name, .rank = a->rank, .found = k->n };
	return &k->rows[k->n++];
}

static int by_rank(const void *a, const void *b)
{
	const struct knob_row *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return x->found < y->found ? -1 : x->found > y->found;
}

/* Whether the lower devices differ among themselves; the upper one is of another kind mostly. */
static bool lowers_differ(const struct view *v, const char *path)
{
	const struct knobs_state *k = &v->knobs;
	const struct attribute *first = NULL;

	for (size_t c = 1; c < k->n_columns; c++) {
		const struct attribute *a = cell_of(v, &k->columns[c], path);

		if (!a || !a->value)
			continue;
		if (first && !knob_same(first->value, a->value))
			return true;
		first = a;
	}
	return false;
}

static bool matters(const struct knob_row *row)
{
	return row->rank < knobs_n && knobs[row->rank].matters;
}

/* Only what is to be seen is kept. */
static void choose_rows(struct view *v)
{
	struct knobs_state *k = &v->knobs;
	size_t kept = 0;

	for (size_t i = 0; i < k->n; i++) {
		struct knob_row *row = &k->rows[i];

		if (!k->all && !matters(row) && !row->changed)
			continue;
		row->differs = lowers_differ(v, row->path);
		k->rows[kept++] = *row;
	}
	k->n = kept;
}

/* The cursor stays on its attribute, whatever comes and goes around it. */
static void find_cursor(struct knobs_state *k)
{
	for (size_t i = 0; i < k->n; i++) {
		if (!strcmp(k->rows[i].path, text_str(&k->path)))
			k->row = i;
	}
	if (k->row >= k->n)
		k->row = k->n ? k->n - 1 : 0;
}

static void keep_cursor(struct knobs_state *k)
{
	text_clear(&k->path);
	if (k->row < k->n)
		text_add(&k->path, k->rows[k->row].path);
}

static void make_matrix(struct view *v)
{
	struct knobs_state *k = &v->knobs;

	make_columns(v);
	k->n = 0;
	for (size_t c = 0; c < k->n_columns; c++) {
		const struct attributes *a = engine_attributes(v->engine, k->columns[c].slot);
		size_t hint = 0;

		for (size_t i = 0; a && i < a->n; i++) {
			struct knob_row *row = row_of(k, &a->v[i], &hint);

			row->changed |= changed_from(v, &k->columns[c], &a->v[i]) != NULL;
		}
	}
	if (k->n)
		qsort(k->rows, k->n, sizeof(*k->rows), by_rank);
	choose_rows(v);
	find_cursor(k);
}

/* --- cells --- */

static const struct {
	int error;
	const char *brief;
} errors[] = {
	{ EINVAL, "invalid" }, { EACCES, "no access" }, { EPERM, "not permitted" }, { EIO, "I/O error" },
	{ ENODEV, "no device" }, { ENXIO, "no device" }, { EAGAIN, "try again" }, { EOPNOTSUPP, "unsupported" },
	{ EBUSY, "busy" },
};

static const char *error_brief(int error)
{
	for (size_t i = 0; i < ARRAY_SIZE(errors); i++) {
		if (errors[i].error == -error)
			return errors[i].brief;
	}
	return strerror(-error);
}

static void add_chosen(struct text *out, const char *value)
{
	size_t len;

	value = knob_chosen(value, &len);
	text_add_safe(out, value, len);
}

static enum role cell_text(struct text *out, const struct view *v, const struct knob_column *c, const char *path)
{
	const struct theme *theme = &v->screen.theme;
	const struct attributes *all = engine_attributes(v->engine, c->slot);
	const struct attribute *a = cell_of(v, c, path);
	const struct attribute *was;

	text_clear(out);
	if (!a) {
		text_add(out, all && all->read_ns ? theme_glyph(theme, GLYPH_DOT) : "?");
		return ROLE_DIM;
	}
	if (a->pending && c->device != NO_DEVICE) {
		pending_text(out, v->engine, c->device, path);
		return ROLE_WARN;
	}
	if (!a->value) {
		text_add(out, error_brief(a->error));
		return ROLE_DIM;
	}
	was = changed_from(v, c, a);
	if (was) {
		add_chosen(out, was->value);
		text_add(out, theme_glyph(theme, GLYPH_TO));
	}
	add_chosen(out, a->value);
	text_add(out, was ? "*" : "");
	return was ? ROLE_CHANGED : ROLE_TEXT;
}

static void column_heading_text(struct text *out, const struct view *v, const struct knob_column *c)
{
	const struct device *devices = engine_topology(v->engine)->devices;

	text_clear(out);
	if (c->device == NO_DEVICE) {
		text_add(out, engine_knob_device(v->engine, c->slot));
		return;
	}
	text_add_safe(out, devices[c->device].name, strlen(devices[c->device].name));
	if (c->part != c->device) {
		text_add(out, " (of ");
		text_add_safe(out, devices[c->part].name, strlen(devices[c->part].name));
		text_add_char(out, ')');
	}
}

/* As wide as its widest cell, of all rows, so that scrolling moves nothing. */
static int own_cells(const struct view *v, const struct knob_column *c, struct text *scratch)
{
	int widest;

	column_heading_text(scratch, v, c);
	widest = (int)text_cells(text_str(scratch));
	for (size_t i = 0; i < v->knobs.n; i++) {
		int cells;

		cell_text(scratch, v, c, v->knobs.rows[i].path);
		cells = (int)text_cells(text_str(scratch));
		widest = cells > widest ? cells : widest;
	}
	return widest < LEAST_CELLS ? LEAST_CELLS : widest > MOST_CELLS ? MOST_CELLS : widest;
}

static int name_cells(const struct area *area)
{
	return area->w < 3 * NAME_CELLS ? area->w / 3 : NAME_CELLS;
}

/* Where not all have room side by side they are cut, as long as something is left of each. */
static void widen_columns(struct view *v, const struct area *area, struct text *scratch)
{
	struct knobs_state *k = &v->knobs;
	int room = area->w - name_cells(area);
	int sum = 0, share = k->n_columns ? room / (int)k->n_columns - 1 : 0;

	for (size_t i = 0; i < k->n_columns; i++) {
		k->columns[i].cells = own_cells(v, &k->columns[i], scratch);
		sum += GAP + k->columns[i].cells;
	}
	k->gap = sum > room ? 1 : GAP;
	for (size_t i = 0; sum > room && share >= LEAST_CELLS && i < k->n_columns; i++) {
		if (k->columns[i].cells > share)
			k->columns[i].cells = share;
	}
}

/* --- drawing --- */

static void put_cut(struct pen *p, enum role role, const struct text *words, int cells)
{
	struct text cut = TEXT_INIT;

	text_add_middle_cut(&cut, text_str(words), (size_t)cells, theme_glyph(&p->screen->theme, GLYPH_CUT));
	pen_right(p, role, text_str(&cut), cells);
	text_release(&cut);
}

/* One column from its heading to the last row; returns the cells that it took. */
static int draw_column(struct view *v, const struct area *area, size_t c, int x, struct text *scratch)
{
	struct knobs_state *k = &v->knobs;
	const struct knob_column *column = &k->columns[c];
	int room = area->w - x - k->gap;
	int cells = column->cells < room ? column->cells : room;
	struct pen p;

	if (room < LEAST_CELLS)
		return 0;
	k->columns[c].x = x;
	p = pen_at(&v->screen, area->y, area->x + x + k->gap, cells);
	column_heading_text(scratch, v, column);
	put_cut(&p, ROLE_HEAD, scratch, cells);
	for (int y = 1; y < area->h && k->top + (size_t)y - 1 < k->n; y++) {
		size_t row = k->top + (size_t)y - 1;
		enum role role = cell_text(scratch, v, column, k->rows[row].path);

		p = pen_at(&v->screen, area->y + y, area->x + x + k->gap, cells);
		p.selected = v->place == IN_KNOBS && row == k->row && c == k->column;
		put_cut(&p, role, scratch, cells);
	}
	return k->gap + cells;
}

static void draw_names(struct view *v, const struct area *area)
{
	struct knobs_state *k = &v->knobs;
	int w = name_cells(area);
	struct pen p = pen_at(&v->screen, area->y, area->x, w);

	pen_put(&p, v->place == IN_KNOBS ? ROLE_ACCENT : ROLE_DIM, v->place == IN_KNOBS ? ">" : " ");
	pen_put(&p, v->place == IN_KNOBS ? ROLE_ACCENT : ROLE_HEAD, k->all ? "KNOBS all" : "KNOBS");
	for (int y = 1; y < area->h && k->top + (size_t)y - 1 < k->n; y++) {
		const struct knob_row *row = &k->rows[k->top + (size_t)y - 1];
		const char *name = knob_name(row->path);
		struct text clean = TEXT_INIT;

		p = pen_at(&v->screen, area->y + y, area->x, w);
		pen_put(&p, row->differs ? ROLE_WARN : ROLE_DIM, row->differs ? "!" : " ");
		text_add_safe(&clean, name, strlen(name));
		pen_put(&p, row->differs ? ROLE_WARN : ROLE_TEXT, text_str(&clean));
		text_release(&clean);
	}
}

static void scroll_rows(struct knobs_state *k, int h)
{
	size_t rows = h > 1 ? (size_t)h - 1 : 1;

	if (k->row < k->top)
		k->top = k->row;
	if (k->row >= k->top + rows)
		k->top = k->row - rows + 1;
	if (k->top + rows > k->n)
		k->top = k->n > rows ? k->n - rows : 0;
}

/* From which column on, so that the cursor's is seen whole. */
static void scroll_sideways(struct view *v, const struct area *area)
{
	struct knobs_state *k = &v->knobs;
	int room = area->w - name_cells(area);
	int used = 0;
	size_t first = k->column;

	if (k->left > k->column)
		k->left = k->column;
	for (size_t c = k->column + 1; c-- > k->left;) {
		used += k->gap + k->columns[c].cells;
		if (used > room && c < k->column)
			break;
		first = c;
	}
	k->left = first;
}

void pane_knobs_draw(struct view *v, struct area area)
{
	struct knobs_state *k = &v->knobs;
	struct text scratch = TEXT_INIT;
	int x = name_cells(&area);

	make_matrix(v);
	scroll_rows(k, area.h);
	draw_names(v, &area);
	widen_columns(v, &area, &scratch);
	if (k->n_columns)
		scroll_sideways(v, &area);
	for (size_t c = k->left; c < k->n_columns && x < area.w; c++) {
		int cells = draw_column(v, &area, c, x, &scratch);

		if (!cells)
			break;
		x += cells;
	}
	text_release(&scratch);
}

static void add_pending(const struct view *v, const struct knob_column *c, const struct attribute *a, struct text *out)
{
	pending_text(out, v->engine, c->device, a->name);
	if (!strncmp(a->name, "queue/", 6))
		text_add(out, ", queue frozen");
}

void knobs_words(struct view *v, struct text *out)
{
	struct knobs_state *k = &v->knobs;
	const struct knob_column *c;
	const struct attribute *a;

	if (!k->n || !k->n_columns)
		return;
	c = &k->columns[k->column];
	a = cell_of(v, c, k->rows[k->row].path);
	column_heading_text(out, v, c);
	text_add_char(out, ' ');
	text_add_safe(out, k->rows[k->row].path, strlen(k->rows[k->row].path));
	text_add(out, ": ");
	if (!a)
		text_add(out, "not there");
	else if (a->pending && c->device != NO_DEVICE)
		add_pending(v, c, a, out);
	else if (a->value)
		text_add_safe(out, a->value, strlen(a->value));
	else
		text_add(out, strerror(-a->error));
	if (a && changed_from(v, c, a)) {
		text_add(out, ", BEFORE ");
		add_chosen(out, changed_from(v, c, a)->value);
	}
	if (k->rows[k->row].differs)
		text_add(out, "; the devices below differ (!)");
}

const char *knobs_cell(struct view *v, uint32_t *slot)
{
	struct knobs_state *k = &v->knobs;

	make_matrix(v);
	if (!k->n || !k->n_columns)
		return NULL;
	keep_cursor(k);
	*slot = k->columns[k->column].slot;
	return k->rows[k->row].path;
}

void knobs_click(struct view *v, int y, int x)
{
	struct knobs_state *k = &v->knobs;
	size_t row = y > 0 ? k->top + (size_t)y - 1 : k->row;

	for (size_t c = 0; c < k->n_columns; c++) {
		if (k->columns[c].x >= 0 && x >= k->columns[c].x && x < k->columns[c].x + k->gap + k->columns[c].cells)
			k->column = c;
	}
	/* since the frame that was clicked on attributes may have come and gone */
	make_matrix(v);
	if (row < k->n)
		k->row = row;
	keep_cursor(k);
}

/* --- keys --- */

void act_knob_move(struct view *v, int key)
{
	struct knobs_state *k = &v->knobs;
	long row;

	make_matrix(v);
	if (key == K_LEFT && k->column)
		k->column--;
	if (key == K_RIGHT && k->column + 1 < k->n_columns)
		k->column++;
	row = (long)k->row + key_step(key, v->layout.lower.h - 2);
	k->row = row < 0 ? 0 : (size_t)row;
	if (k->row >= k->n)
		k->row = k->n ? k->n - 1 : 0;
	keep_cursor(k);
}

void act_knob_all(struct view *v, int key)
{
	(void)key;
	v->knobs.all = !v->knobs.all;
	if (v->knobs.all)
		engine_ask_attributes(v->engine, SLOT_SYSTEM);
}
