/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <string.h>

#include "out/json.h"
#include "out/report.h"

/* Quoted as RFC 4180 has it, where the name needs it. */
static void csv_label(const char *name, struct label *label)
{
	struct text safe = TEXT_INIT;

	text_add_safe(&safe, name, strlen(name));
	if (!strpbrk(text_str(&safe), ",\"")) {
		text_add(&label->name, text_str(&safe));
	} else {
		text_add_char(&label->name, '"');
		for (const char *c = text_str(&safe); *c; c++) {
			if (*c == '"')
				text_add_char(&label->name, '"');
			text_add_char(&label->name, *c);
		}
		text_add_char(&label->name, '"');
	}
	text_release(&safe);
}

static void csv_begin(const struct report *r, struct text *out)
{
	text_add(out, "time,interval,device");
	for (size_t i = 0; i < r->n_columns; i++) {
		text_add_char(out, ',');
		text_add(out, r->columns[i].heading);
	}
	text_add_char(out, '\n');
}

static void csv_open(struct report *r, const struct report_moment *m, struct text *out)
{
	(void)out;
	text_clear(&r->stamp);
	text_add_fixed(&r->stamp, m->time_s, 3);
	text_add_char(&r->stamp, ',');
	put_number(&r->stamp, m->interval_s);
	text_add_char(&r->stamp, ',');
}

static void csv_values(const struct report *r, const struct delta *d, struct text *out, struct text *na)
{
	(void)na;
	for (size_t i = 0; i < r->n_columns; i++) {
		struct value v = metric_value(r->columns[i].metric, d);

		text_add_n(out, ",", 1);
		if (v.why == NA_NONE)
			put_number(out, v.v);
	}
}

static void csv_row(struct report *r, const struct report_moment *m, const struct report_row *row, struct text *out)
{
	(void)m;
	text_add_n(out, text_str(&r->stamp), r->stamp.len);
	text_add_n(out, text_str(&row->label->name), row->label->name.len);
	report_values(r, row->delta, out, &r->na);
	text_add_n(out, "\n", 1);
}

static void csv_close(struct text *out)
{
	(void)out;
}

const struct report_format report_csv = {
	.label = csv_label, .begin = csv_begin, .open = csv_open, .values = csv_values, .row = csv_row,
	.close = csv_close,
};
