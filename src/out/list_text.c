/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "out/list.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* --- the lines in front of a name --- */

struct glyphs {
	const char *leg, *last_leg, *leg_line;
	const char *child, *last_child, *child_line;
	const char *reference;
};

static const struct glyphs utf8_glyphs = {
	"\u2560\u2550", "\u255a\u2550", "\u2551 ", "\u251c\u2500", "\u2514\u2500", "\u2502 ", "\u2191 ",
};
static const struct glyphs ascii_glyphs = { "#=", "#=", "# ", "|-", "`-", "| ", "^ " };

/* The printed rows of the stacks. */
struct listing {
	struct engine *engine;
	const struct stack *stack;
	const struct topology *topology;
	const struct glyphs *glyphs;
	bool *shown;                    /* by row of the stack */
	bool *more;                     /* by row: another one follows on the same line */
};

/* Sums have nothing to list. */
static bool is_shown(const struct listing *l, size_t row, const bool *wanted)
{
	const struct stack_row *r = &l->stack->rows[row];

	return r->shape != ROW_SUM && (!wanted || wanted[r->device]);
}

/* From the end: a row whose parent has had one on the same line already is not the last there. */
static void find_lines(struct listing *l, const bool *wanted)
{
	size_t n = l->stack->n_rows;
	bool *had_leg = xcalloc(n + 1, sizeof(*had_leg));
	bool *had_child = xcalloc(n + 1, sizeof(*had_child));

	for (size_t i = n; i-- > 0;) {
		const struct stack_row *r = &l->stack->rows[i];
		bool *had = r->shape == ROW_LEG ? had_leg : had_child;

		l->shown[i] = is_shown(l, i, wanted);
		if (!l->shown[i] || r->parent == i)
			continue;
		l->more[i] = had[r->parent];
		had[r->parent] = true;
	}
	free(had_leg);
	free(had_child);
}

/* The ancestors' lines, outermost first. */
static void add_lines(const struct listing *l, size_t row, struct text *out)
{
	const struct stack_row *r = &l->stack->rows[row];

	if (r->parent == row)
		return;
	add_lines(l, r->parent, out);
	if (!l->more[row])
		text_add(out, "  ");
	else
		text_add(out, r->shape == ROW_LEG ? l->glyphs->leg_line : l->glyphs->child_line);
}

static void add_branch(const struct listing *l, size_t row, struct text *out)
{
	const struct stack_row *r = &l->stack->rows[row];
	const struct glyphs *g = l->glyphs;

	if (r->parent != row) {
		add_lines(l, r->parent, out);
		if (r->shape == ROW_LEG)
			text_add(out, l->more[row] ? g->leg : g->last_leg);
		else
			text_add(out, l->more[row] ? g->child : g->last_child);
	}
	if (r->reference)
		text_add(out, g->reference);
}

/* --- the cells --- */

struct list_cell {
	const struct listing *listing;
	size_t row;
	const struct device *device;
	const struct attributes *attributes;    /* NULL: none */
};

static void add_known(struct text *out, const char *s)
{
	if (s)
		text_add_safe(out, s, strlen(s));
}

static void cell_name(const struct list_cell *c, struct text *out)
{
	add_branch(c->listing, c->row, out);
	add_known(out, c->device->name);
}

static void cell_kind(const struct list_cell *c, struct text *out)
{
	text_add(out, device_kind_name(c->device->kind));
}

void list_size(struct text *out, uint64_t sectors)
{
	static const char units[] = "BKMGTPE";
	double size = (double)sectors * 512;
	int unit = 0;

	while (size >= 1023.5 && units[unit + 1]) {
		size /= 1024;
		unit++;
	}
	text_add_fixed(out, size, unit && size < 99.95 ? 1 : 0);
	text_add_char(out, units[unit]);
}

static void cell_size(const struct list_cell *c, struct text *out)
{
	if (c->device->has_size)
		list_size(out, c->device->size_sectors);
}

const struct pending *list_pending(struct engine *e, const char *device, const char *what)
{
	size_t n;
	const struct pending *p = engine_pending(e, &n);

	for (size_t i = 0; i < n; i++) {
		if (!strcmp(p[i].name, device) && (!what || !strcmp(p[i].what, what)))
			return &p[i];
	}
	return NULL;
}

/* Of "none [mq-deadline] kyber" the one in brackets; of several lines the first. */
static void add_choice(struct text *out, const char *value)
{
	const char *open = strchr(value, '[');
	const char *close = open ? strchr(open, ']') : NULL;

	if (close)
		text_add_safe(out, open + 1, (size_t)(close - open - 1));
	else
		text_add_safe(out, value, strcspn(value, "\n"));
}

static void add_attribute(const struct list_cell *c, const char *name, struct text *out)
{
	const struct attributes *a = c->attributes;

	for (size_t i = 0; a && i < a->n; i++) {
		if (strcmp(a->v[i].name, name))
			continue;
		if (a->v[i].value) {
			add_choice(out, a->v[i].value);
			return;
		}
	}
	if (list_pending(c->listing->engine, c->device->name, name))
		text_add(out, "pending");
}

static void cell_scheduler(const struct list_cell *c, struct text *out)
{
	add_attribute(c, "queue/scheduler", out);
}

static void cell_requests(const struct list_cell *c, struct text *out)
{
	add_attribute(c, "queue/nr_requests", out);
}

static void cell_read_ahead(const struct list_cell *c, struct text *out)
{
	add_attribute(c, "queue/read_ahead_kb", out);
}

static void cell_depth(const struct list_cell *c, struct text *out)
{
	add_attribute(c, "device/queue_depth", out);
}

/* What it is called, by whoever made it. */
static void cell_what(const struct list_cell *c, struct text *out)
{
	const struct device *d = c->device;
	const char *names[] = { d->dm_name, d->md_level, d->backing_file, d->model };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (names[i] && *names[i]) {
			text_add_safe(out, names[i], strlen(names[i]));
			return;
		}
	}
}

static void cell_mount(const struct list_cell *c, struct text *out)
{
	add_known(out, c->device->mount);
}

static const struct list_column {
	const char *heading;
	bool right;
	bool in_reference;      /* also where the device is only referred to */
	void (*cell)(const struct list_cell *c, struct text *out);
} columns[] = {
	{ "NAME", false, true, cell_name },
	{ "KIND", false, true, cell_kind },
	{ "SIZE", true, false, cell_size },
	{ "SCHEDULER", false, false, cell_scheduler },
	{ "NR_REQ", true, false, cell_requests },
	{ "RA_KIB", true, false, cell_read_ahead },
	{ "QDEPTH", true, false, cell_depth },
	{ "WHAT", false, false, cell_what },
	{ "MOUNT", false, false, cell_mount },
};

#define COLUMNS ARRAY_SIZE(columns)

struct printed_row {
	struct text cells[COLUMNS];
};

static void fill_row(const struct listing *l, size_t row, struct printed_row *printed, size_t *widths)
{
	const struct stack_row *r = &l->stack->rows[row];
	uint32_t slot = engine_slot(l->engine, r->device);
	struct list_cell c = {
		.listing = l, .row = row, .device = &l->topology->devices[r->device],
		.attributes = slot == SLOT_NONE ? NULL : engine_attributes(l->engine, slot),
	};

	for (size_t i = 0; i < COLUMNS; i++) {
		size_t cells;

		if (!r->reference || columns[i].in_reference) {
			columns[i].cell(&c, &printed->cells[i]);
			if (!printed->cells[i].len)
				text_add_char(&printed->cells[i], '-');
		}
		cells = text_cells(text_str(&printed->cells[i]));
		if (cells > widths[i])
			widths[i] = cells;
	}
}

static void add_cell(struct text *out, const char *s, size_t width, bool right)
{
	size_t cells = text_cells(s);

	if (right)
		text_add_fill(out, ' ', width - cells);
	text_add(out, s);
	if (!right)
		text_add_fill(out, ' ', width - cells);
}

static void end_line(struct text *out)
{
	while (out->len && out->buf[out->len - 1] == ' ')
		out->len--;
	text_add_char(out, '\n');
}

static void print_rows(const struct printed_row *rows, size_t n, const size_t *widths, struct text *out)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		text_add(out, i ? " " : "");
		add_cell(out, columns[i].heading, widths[i], columns[i].right);
	}
	end_line(out);
	for (size_t row = 0; row < n; row++) {
		for (size_t i = 0; i < COLUMNS; i++) {
			text_add(out, i ? " " : "");
			add_cell(out, text_str(&rows[row].cells[i]), widths[i], columns[i].right);
		}
		end_line(out);
	}
}

void list_text(struct engine *e, const bool *wanted, bool ascii, struct text *out)
{
	struct listing l = {
		.engine = e, .stack = engine_stack(e, VIEW_TREE), .topology = engine_topology(e),
		.glyphs = ascii ? &ascii_glyphs : &utf8_glyphs,
	};
	struct printed_row *rows = xcalloc(l.stack->n_rows + 1, sizeof(*rows));
	size_t widths[COLUMNS];
	size_t n = 0;

	l.shown = xcalloc(l.stack->n_rows + 1, sizeof(*l.shown));
	l.more = xcalloc(l.stack->n_rows + 1, sizeof(*l.more));
	for (size_t i = 0; i < COLUMNS; i++)
		widths[i] = strlen(columns[i].heading);
	find_lines(&l, wanted);
	for (size_t i = 0; i < l.stack->n_rows; i++) {
		if (l.shown[i])
			fill_row(&l, i, &rows[n++], widths);
	}
	print_rows(rows, n, widths, out);
	for (size_t i = 0; i < n; i++) {
		for (size_t c = 0; c < COLUMNS; c++)
			text_release(&rows[i].cells[c]);
	}
	free(rows);
	free(l.shown);
	free(l.more);
}
