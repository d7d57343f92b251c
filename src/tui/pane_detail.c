/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/pane_detail.h"

#include <string.h>

#include "base/alloc.h"
#include "model/knob.h"
#include "tui/judged.h"
#include "tui/label.h"
#include "tui/layer.h"
#include "tui/view.h"

#define KEY_CELLS 14

/* --- identity and place --- */

static void put_pair(struct sheet *s, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	sheet_put(s, ROLE_DIM, key);
	sheet_to(s, KEY_CELLS);
	sheet_put(s, ROLE_TEXT, value);
	sheet_end_line(s);
}

static void put_names(struct sheet *s, const char *key, const struct names *names)
{
	struct text all = TEXT_INIT;

	for (size_t i = 0; i < names->n; i++) {
		text_add(&all, i ? " " : "");
		text_add(&all, names->v[i]);
	}
	put_pair(s, key, text_str(&all));
	text_release(&all);
}

static void put_size(struct sheet *s, const struct device *d)
{
	struct text words = TEXT_INIT;

	if (!d->has_size)
		return;
	text_addf(&words, "%llu sectors of 512 bytes, ", (unsigned long long)d->size_sectors);
	text_add_short(&words, (double)d->size_sectors * 512, 1);
	text_add(&words, "B");
	text_add(&words, d->read_only ? ", read-only" : "");
	text_add(&words, d->removable ? ", removable" : "");
	text_add(&words, d->hidden ? ", hidden: no node in /dev" : "");
	put_pair(s, "size", text_str(&words));
	text_release(&words);
}

static void put_identity(struct view *v, struct sheet *s, const struct device *d, uint32_t slot)
{
	const char *matched = engine_matched_by(v->engine, slot);
	struct text kind = TEXT_INIT, key = TEXT_INIT;

	sheet_heading(s, "IDENTITY");
	put_pair(s, "kind", device_kind_name(d->kind));
	text_addf(&key, "%u:%u", d->major, d->minor);
	put_pair(s, "major:minor", text_str(&key));
	for (size_t i = 0; i < device_texts_n; i++) {
		const char *const *text = (const char *const *)((const char *)d + device_texts[i].offset);

		put_pair(s, device_texts[i].key, *text);
	}
	put_size(s, d);
	text_clear(&key);
	if (d->diskseq)
		text_addf(&key, "%llu", (unsigned long long)d->diskseq);
	put_pair(s, "diskseq", text_str(&key));
	text_clear(&key);
	device_identity(engine_topology(v->engine), d, &kind, &key);
	put_pair(s, "known by", text_str(&key));
	if (matched) {
		text_clear(&key);
		text_addf(&key, "another instance, found by its %s", matched);
		put_pair(s, "in BEFORE", text_str(&key));
	}
	text_release(&kind);
	text_release(&key);
}

static void put_place(struct view *v, struct sheet *s, const struct device *d)
{
	struct note note = NOTE_INIT;

	sheet_heading(s, "PLACE");
	put_pair(s, "part of", d->parent);
	put_names(s, "below it", &d->slaves);
	put_names(s, "above it", &d->holders);
	note_take(&note, v, (uint32_t)(d - engine_topology(v->engine)->devices));
	put_pair(s, "state", note.words.len ? text_str(&note.words) : note.ordinary);
	note_release(&note);
}

/* --- numbers --- */

static void put_metric(struct view *v, struct sheet *s, int w, const struct line *row, enum metric_id m)
{
	struct reading last, before, after;
	struct comparison c;
	struct judged_line line = {
		.name = metric_heading(&metrics[m], v->options->legacy), .unit = metrics[m].unit,
		.rules = &metrics[m].rules, .decimals = metrics[m].decimals, .last = &last, .after = &after,
	};

	reading_take(&last, v->engine, &v->rows, row, SIDE_LAST, m);
	reading_take(&after, v->engine, &v->rows, row, SIDE_AFTER, m);
	if (engine_compare(v->engine, row->slot, m, &c)) {
		reading_take(&before, v->engine, &v->rows, row, SIDE_BEFORE, m);
		line.before = &before;
		line.comparison = &c;
	}
	judged_put(s, &v->screen.theme, w, &line);
}

static void add_length(struct text *out, const char *name, const struct segment *segment)
{
	text_addf(out, "%s%s ", out->len ? ", " : "", name);
	length_text(out, segment_seconds(segment));
	text_addf(out, " n %u", segment_bins(segment));
}

static void put_lengths(struct view *v, struct sheet *s)
{
	struct text words = TEXT_INIT;

	if (engine_before(v->engine))
		add_length(&words, "BEFORE", engine_before(v->engine));
	add_length(&words, "AFTER", engine_after(v->engine));
	sheet_put(s, ROLE_DIM, text_str(&words));
	sheet_end_line(s);
	text_release(&words);
}

static void put_metrics(struct view *v, struct sheet *s, int w, const struct line *row)
{
	const struct delta *d = engine_delta(v->engine, row->slot);
	struct text words = TEXT_INIT;

	sheet_heading(s, "METRICS");
	if (d && d->derived) {
		engine_derived_text(v->engine, row->slot, M_R_S, &words);
		put_pair(s, "derived", text_str(&words));
	}
	put_lengths(v, s);
	judged_heading(s, &v->screen.theme, w, engine_before(v->engine) != NULL);
	for (enum metric_id m = 0; m < METRICS; m++) {
		if (!(metrics[m].rules.flags & METRIC_LEGACY) || v->options->legacy)
			put_metric(v, s, w, row, m);
	}
	text_release(&words);
}

static void add_edge(struct text *out, const struct value *value)
{
	if (value->why == NA_NONE)
		text_add_fixed(out, value->v, 2);
	else
		text_addf(out, "- (%s)", na_text(value->why));
}

static void put_edges(struct view *v, struct sheet *s, uint32_t device)
{
	enum side after_side = view_shows_segment(v) ? SIDE_AFTER : SIDE_LAST;
	struct layer before, after;
	bool two;
	struct text words = TEXT_INIT;

	if (!layer_take(&after, v, device, after_side))
		return;
	two = engine_before(v->engine) && layer_take(&before, v, device, SIDE_BEFORE);
	sheet_heading(s, "TO THE DEVICES BELOW");
	for (enum edge_id edge = 0; edge < EDGES; edge++) {
		text_clear(&words);
		if (two) {
			add_edge(&words, &before.edges[edge]);
			text_addf(&words, " %s ", theme_glyph(&v->screen.theme, GLYPH_TO));
		}
		add_edge(&words, &after.edges[edge]);
		put_pair(s, edge_names[edge], text_str(&words));
	}
	text_release(&words);
}

/* --- attributes and events --- */

static void put_attribute(struct view *v, struct sheet *s, uint32_t slot, const struct attribute *a)
{
	const struct attribute *was = engine_attribute_before(v->engine, slot, a->name);
	bool changed = was && was->value && a->value && !knob_same(was->value, a->value);
	struct text words = TEXT_INIT;

	sheet_put(s, ROLE_DIM, a->name);
	sheet_to(s, 2 * KEY_CELLS + 6);
	if (a->pending) {
		pending_text(&words, v->engine, engine_device(v->engine, slot), a->name);
		sheet_put(s, ROLE_WARN, text_str(&words));
	} else if (a->value) {
		sheet_put(s, changed ? ROLE_CHANGED : ROLE_TEXT, a->value);
	} else {
		sheet_put(s, ROLE_DIM, strerror(-a->error));
	}
	if (changed) {
		sheet_put(s, ROLE_DIM, "  BEFORE ");
		sheet_put(s, ROLE_CHANGED, was->value);
	}
	sheet_end_line(s);
	text_release(&words);
}

static void put_attributes(struct view *v, struct sheet *s, const struct device *d)
{
	const struct topology *t = engine_topology(v->engine);
	const struct device *disk = topology_disk(t, d);
	uint32_t slot = engine_slot(v->engine, (uint32_t)(disk - t->devices));
	const struct attributes *a = engine_attributes(v->engine, slot);

	sheet_heading(s, "ATTRIBUTES");
	if (disk != d)
		put_pair(s, "of its disk", disk->name);
	if (!a) {
		sheet_put(s, ROLE_DIM, "not read yet");
		sheet_end_line(s);
	}
	for (size_t i = 0; a && i < a->n; i++)
		put_attribute(v, s, slot, &a->v[i]);
}

static void put_event(const struct view *v, struct sheet *s, int64_t t_ns, const char *about, const char *words)
{
	struct text when = TEXT_INIT;

	clock_text(&when, v->engine, t_ns);
	sheet_put(s, ROLE_DIM, text_str(&when));
	sheet_to(s, KEY_CELLS);
	sheet_put(s, ROLE_TEXT, about);
	sheet_put(s, ROLE_TEXT, words);
	sheet_end_line(s);
	text_release(&when);
}

/* What happened to the device, and the user's marks, each with its time. */
static void put_events(struct view *v, struct sheet *s, const struct device *d)
{
	size_t n_happenings, n_marks, m = 0;
	const struct happening *happenings = engine_happenings(v->engine, &n_happenings);
	const struct mark *marks = engine_marks(v->engine, &n_marks);
	struct text about = TEXT_INIT;

	sheet_heading(s, "EVENTS");
	for (size_t i = 0; i <= n_happenings; i++) {
		for (; m < n_marks && (i == n_happenings || marks[m].t_ns < happenings[i].t_ns); m++) {
			text_clear(&about);
			text_addf(&about, "mark %u ", marks[m].number);
			put_event(v, s, marks[m].t_ns, text_str(&about), marks[m].words);
		}
		if (i < n_happenings && !strcmp(happenings[i].device, d->name))
			put_event(v, s, happenings[i].t_ns, "", happenings[i].what);
	}
	text_release(&about);
}

static void put_title(struct view *v, struct sheet *s, const struct device *d)
{
	struct text detail = TEXT_INIT;

	sheet_put(s, ROLE_ACCENT, d->name);
	label_detail(&detail, v, (uint32_t)(d - engine_topology(v->engine)->devices));
	sheet_put(s, ROLE_TEXT, "  ");
	sheet_put(s, ROLE_TEXT, text_str(&detail));
	sheet_put(s, ROLE_DIM, "  Left Right: the device before, the next; Esc goes back");
	sheet_end_line(s);
	text_release(&detail);
}

void pane_detail_draw(struct view *v, struct area area)
{
	const struct line *selected = rows_selected(&v->rows);
	struct sheet *s = &v->sheet;
	struct line row;

	sheet_clear(s);
	if (selected) {
		const struct device *d = &engine_topology(v->engine)->devices[selected->device];

		row = *selected;
		row.kind = LINE_DEVICE;
		row.slot = engine_slot(v->engine, row.device);
		put_title(v, s, d);
		put_metrics(v, s, area.w, &row);
		put_edges(v, s, row.device);
		put_identity(v, s, d, row.slot);
		put_place(v, s, d);
		put_attributes(v, s, d);
		put_events(v, s, d);
	}
	sheet_draw(s, &v->screen, area, &v->page_top);
}
