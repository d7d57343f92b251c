/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <string.h>

#include "out/report.h"

#define NAME_HEADING "Device"
#define NAME_LEAST 8
#define DECIMALS 2

static void text_label(const char *name, struct label *label)
{
	text_add_safe(&label->name, name, strlen(name));
	label->cells = text_cells(text_str(&label->name));
}

static void text_begin(const struct report *r, struct text *out)
{
	(void)r;
	(void)out;
}

/* The column of names grows with the longest one and never shrinks, so that numbers stay where they are. */
static void text_open(struct report *r, const struct report_moment *m, struct text *out)
{
	(void)m;
	if (r->name_cells < NAME_LEAST)
		r->name_cells = NAME_LEAST;
	for (size_t i = 0; i < r->n_rows; i++) {
		if (r->rows[i].label->cells > r->name_cells)
			r->name_cells = r->rows[i].label->cells;
	}
	text_add(out, NAME_HEADING);
	text_add_fill(out, ' ', r->name_cells - strlen(NAME_HEADING));
	for (size_t i = 0; i < r->n_columns; i++) {
		const struct report_column *c = &r->columns[i];

		text_add_fill(out, ' ', (size_t)c->width - strlen(c->heading));
		text_add(out, c->heading);
	}
	text_add_char(out, '\n');
}

/* A gap always stays before a number, however wide it is. */
static void text_values(const struct report *r, const struct delta *d, struct text *out, struct text *na)
{
	(void)na;
	for (size_t i = 0; i < r->n_columns; i++) {
		const struct report_column *c = &r->columns[i];
		struct value v = metric_value(c->metric, d);

		text_add_n(out, " ", 1);
		if (v.why == NA_NONE) {
			text_add_fixed_in(out, v.v, DECIMALS, c->width - 1);
		} else {
			text_add_fill(out, ' ', (size_t)c->width - 2);
			text_add_n(out, "-", 1);
		}
	}
}

static void text_row(struct report *r, const struct report_moment *m, const struct report_row *row, struct text *out)
{
	(void)m;
	text_add_n(out, text_str(&row->label->name), row->label->name.len);
	text_add_fill(out, ' ', r->name_cells - row->label->cells);
	report_values(r, row->delta, out, &r->na);
	text_add_n(out, "\n", 1);
}

static void text_close(struct text *out)
{
	text_add_char(out, '\n');
}

const struct report_format report_text = {
	.label = text_label, .begin = text_begin, .open = text_open, .values = text_values, .row = text_row,
	.close = text_close,
};
