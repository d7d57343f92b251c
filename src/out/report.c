/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "out/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define LEAST_COLUMN 8

static const struct report_format *const formats[] = {
	[FORMAT_TEXT] = &report_text, [FORMAT_CSV] = &report_csv, [FORMAT_JSON] = &report_json,
};

static void make_column(struct report_column *c, const struct metric *metric, bool legacy)
{
	struct text key = TEXT_INIT;
	size_t width;

	c->metric = metric;
	c->heading = metric_heading(metric, legacy);
	width = strlen(c->heading);
	c->width = 1 + (int)(width > LEAST_COLUMN ? width : LEAST_COLUMN);
	text_add_char(&key, ',');
	text_add_json(&key, metric->name, strlen(metric->name));
	text_add_char(&key, ':');
	c->key = key.buf;
	c->key_len = key.len;
}

struct report *report_new(const struct report_options *options)
{
	struct report *r = xcalloc(1, sizeof(*r));

	r->options = *options;
	r->format = formats[options->format];
	r->n_columns = options->n_columns;
	r->columns = xcalloc(r->n_columns + 1, sizeof(*r->columns));
	for (size_t i = 0; i < r->n_columns; i++)
		make_column(&r->columns[i], &metrics[options->columns[i]], options->legacy);
	for (unsigned int i = 0; i < NA_COUNT; i++) {
		const char *reason = na_text((enum na)i);

		text_add_json(&r->reasons[i], reason, strlen(reason));
	}
	return r;
}

void report_free(struct report *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->n_columns; i++)
		free(r->columns[i].key);
	for (size_t i = 0; i < IDLE_ROWS; i++) {
		text_release(&r->idle[i].values);
		text_release(&r->idle[i].na);
	}
	for (size_t i = 0; i < r->n_labels; i++)
		text_release(&r->labels[i].name);
	for (size_t i = 0; i < r->n_edges; i++) {
		text_release(&r->edges[i].edges);
		text_release(&r->edges[i].na);
	}
	for (size_t i = 0; i < NA_COUNT; i++)
		text_release(&r->reasons[i]);
	text_release(&r->stamp);
	text_release(&r->na);
	text_release(&r->scratch);
	free(r->columns);
	free(r->labels);
	free(r->rows);
	free(r->since_boot);
	free(r->edges);
	free(r->edge_deltas);
	free(r->shares);
	free(r);
}

void report_set_wanted(struct report *r, const bool *wanted, size_t n)
{
	r->options.wanted = wanted;
	r->options.n_wanted = n;
}

void report_begin(struct report *r, struct text *out)
{
	r->format->begin(r, out);
}

/* --- idle devices --- */

static bool all_zero(const struct delta *d)
{
	uint64_t any = 0;

	for (size_t f = 0; f < FIELDS; f++)
		any |= d->v[f];
	return !any;
}

static struct idle_row *find_idle(struct report *r, const struct delta *d)
{
	for (size_t i = 0; i < r->n_idle; i++) {
		if (r->idle[i].valid == d->valid && !memcmp(r->idle[i].why, d->why, sizeof(d->why)))
			return &r->idle[i];
	}
	return NULL;
}

/* The oldest one makes room when there are more kinds of idle devices than places. */
static struct idle_row *make_idle(struct report *r, const struct delta *d)
{
	struct idle_row *idle = &r->idle[r->next_idle];

	r->next_idle = (r->next_idle + 1) % IDLE_ROWS;
	if (r->n_idle < IDLE_ROWS)
		r->n_idle++;
	idle->valid = d->valid;
	memcpy(idle->why, d->why, sizeof(d->why));
	text_clear(&idle->values);
	text_clear(&idle->na);
	r->format->values(r, d, &idle->values, &idle->na);
	return idle;
}

void report_values(struct report *r, const struct delta *d, struct text *out, struct text *na)
{
	const struct idle_row *idle;

	/* an interval without length has values for nothing, whatever the fields are */
	if (!all_zero(d) || (d->state == DELTA_OK && !(d->seconds > 0 && d->samples > 0))) {
		r->format->values(r, d, out, na);
		return;
	}
	idle = find_idle(r, d);
	if (!idle)
		idle = make_idle(r, d);
	text_add_n(out, text_str(&idle->values), idle->values.len);
	text_add_n(na, text_str(&idle->na), idle->na.len);
}

/* --- the devices of a report --- */

const struct delta *report_delta(const struct report *r, const struct report_moment *m, uint32_t slot)
{
	if (!m->since_boot)
		return engine_delta(m->engine, slot);
	return sample_row(engine_sample(m->engine), slot) ? &r->since_boot[slot] : NULL;
}

static const struct label *label_of(struct report *r, const struct roster *roster, uint32_t slot)
{
	const struct roster_entry *entry = &roster->entries[slot];
	struct label *label = &r->labels[slot];

	if (label->instance != entry->instance) {
		text_clear(&label->name);
		r->format->label(entry->name, label);
		label->instance = entry->instance;
	}
	return label;
}

static bool is_wanted(const struct report_options *o, uint32_t slot)
{
	return !o->wanted || (slot < o->n_wanted && o->wanted[slot]);
}

/* Nothing happened, as far as is known; what cannot be known is not called idle. */
static bool is_idle(const struct delta *d)
{
	field_set needed = FIELD(RD_IOS) | FIELD(WR_IOS);

	return d->state == DELTA_OK && (d->valid & needed) == needed && !delta_active(d);
}

static void add_row(struct report *r, const struct report_moment *m, uint32_t slot)
{
	const struct delta *d;

	if (!is_wanted(&r->options, slot))
		return;
	d = report_delta(r, m, slot);
	if (!d || (r->options.skip_idle && is_idle(d)))
		return;
	r->rows[r->n_rows++] = (struct report_row){
		.slot = slot, .label = label_of(r, engine_roster(m->engine), slot), .delta = d,
	};
}

static void make_room(struct report *r, size_t slots, bool since_boot)
{
	ARRAY_GROW(r->rows, r->rows_capacity, slots);
	ARRAY_GROW(r->labels, r->labels_capacity, slots);
	while (r->n_labels < slots)
		r->labels[r->n_labels++] = (struct label){ .name = TEXT_INIT };
	if (since_boot)
		ARRAY_GROW(r->since_boot, r->since_boot_capacity, slots);
}

/* In the order of /proc/diskstats, after them those that went away in the interval. */
static void gather(struct report *r, const struct report_moment *m)
{
	const struct sample *s = engine_sample(m->engine);
	const struct roster *roster = engine_roster(m->engine);

	r->n_rows = 0;
	make_room(r, roster->n, m->since_boot);
	for (size_t i = 0; m->since_boot && i < s->n; i++)
		engine_delta_since_boot(m->engine, s->rows[i].slot, &r->since_boot[s->rows[i].slot]);
	for (size_t i = 0; i < s->n; i++)
		add_row(r, m, s->rows[i].slot);
	for (uint32_t slot = 0; !m->since_boot && slot < roster->n; slot++) {
		if (roster->entries[slot].name && !sample_row(s, slot))
			add_row(r, m, slot);
	}
}

/* Since boot the interval is the uptime, which every delta of it carries. */
static double interval_since_boot(struct engine *e, const struct sample *s)
{
	struct delta d;

	if (!s->n)
		return 0;
	engine_delta_since_boot(e, s->rows[0].slot, &d);
	return d.seconds;
}

void report_add(struct report *r, struct engine *e, bool since_boot, struct text *out)
{
	const struct sample *s = engine_sample(e);
	struct report_moment m = { .engine = e, .since_boot = since_boot };

	if (!s)
		return;
	m.time_s = (double)(engine_is_stepped(e) ? s->t_ns : s->wall_ns) / 1e9;
	m.interval_s = since_boot ? interval_since_boot(e, s) : engine_interval_s(e);
	gather(r, &m);
	r->format->open(r, &m, out);
	for (size_t i = 0; i < r->n_rows; i++)
		r->format->row(r, &m, &r->rows[i], out);
	r->format->close(out);
}
