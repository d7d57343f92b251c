/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "out/json.h"
#include "out/report.h"

static void json_label(const char *name, struct label *label)
{
	text_add(&label->name, "{\"name\":");
	text_add_json(&label->name, name, strlen(name));
}

static void json_begin(const struct report *r, struct text *out)
{
	(void)r;
	(void)out;
}

static void add_reason(struct text *na, const char *key, size_t len, const struct text *reason)
{
	if (na->len)
		text_add_n(na, ",", 1);
	text_add_n(na, key, len);
	text_add_n(na, text_str(reason), reason->len);
}

/* ,"na":{…} unless there is none */
static void add_na(struct text *out, const struct text *na)
{
	if (!na->len)
		return;
	text_add_n(out, ",\"na\":{", 7);
	text_add_n(out, text_str(na), na->len);
	text_add_n(out, "}", 1);
}

static void add_system(struct report *r, const struct report_moment *m, struct text *out)
{
	struct system_delta since_boot;
	const struct system_delta *d = engine_system(m->engine);

	text_clear(&r->na);
	if (m->since_boot) {
		system_delta_since_boot(&since_boot, &engine_sample(m->engine)->system, m->interval_s);
		d = &since_boot;
	}
	text_add(out, ",\"system\":{");
	for (unsigned int i = 0; i < SYSTEM_METRICS; i++) {
		struct value v = system_value(d, (enum system_id)i);

		put_key(out, system_metrics[i].name);
		put_value(out, v);
		if (v.why != NA_NONE) {
			put_key(&r->na, system_metrics[i].name);
			text_add(&r->na, text_str(&r->reasons[v.why]));
		}
	}
	put_key(out, "busiest CPU");
	put_value(out, (struct value){ d->busiest_cpu, d->busiest_cpu < 0 ? NA_SYSTEM : NA_NONE });
	add_na(out, &r->na);
	text_add_char(out, '}');
}

static void json_open(struct report *r, const struct report_moment *m, struct text *out)
{
	report_edges_make(r, m);
	text_add(out, "{\"time\":");
	text_add_fixed(out, m->time_s, 3);
	text_add(out, ",\"interval\":");
	put_number(out, m->interval_s);
	add_system(r, m, out);
	text_add(out, ",\"devices\":[");
}

static void json_values(const struct report *r, const struct delta *d, struct text *out, struct text *na)
{
	for (size_t i = 0; i < r->n_columns; i++) {
		const struct report_column *c = &r->columns[i];
		struct value v = metric_value(c->metric, d);

		text_add_n(out, c->key, c->key_len);
		put_value(out, v);
		if (v.why != NA_NONE)
			add_reason(na, c->key + 1, c->key_len - 1, &r->reasons[v.why]);
	}
}

/* Which values were computed from other devices, and from which. */
static void add_derived(struct report *r, const struct report_moment *m, const struct report_row *row,
			struct text *out)
{
	text_add(out, ",\"derived\":{");
	for (size_t i = 0; i < r->n_columns; i++) {
		const struct metric *metric = r->columns[i].metric;

		if (metric_value(metric, row->delta).why != NA_NONE)
			continue;
		text_clear(&r->scratch);
		engine_derived_text(m->engine, row->slot, (enum metric_id)(metric - metrics), &r->scratch);
		put_key(out, metric->name);
		put_string(out, text_str(&r->scratch));
	}
	text_add_char(out, '}');
}

static void json_row(struct report *r, const struct report_moment *m, const struct report_row *row, struct text *out)
{
	const struct edge_text *edges = report_edges_of(r, m, row->slot);

	if (row != r->rows)
		text_add_n(out, ",", 1);
	text_clear(&r->na);
	text_add_n(out, text_str(&row->label->name), row->label->name.len);
	report_values(r, row->delta, out, &r->na);
	if (edges && edges->na.len)
		add_reason(&r->na, "", 0, &edges->na);
	add_na(out, &r->na);
	if (row->delta->derived)
		add_derived(r, m, row, out);
	if (edges)
		text_add_n(out, text_str(&edges->edges), edges->edges.len);
	text_add_n(out, "}", 1);
}

static void json_close(struct text *out)
{
	text_add(out, "]}\n");
}

const struct report_format report_json = {
	.label = json_label, .begin = json_begin, .open = json_open, .values = json_values, .row = json_row,
	.close = json_close,
};
