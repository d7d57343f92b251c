/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The heading: machine, clock and system line, what must not be overlooked, and the titles of the panes. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "tui/values.h"
#include "tui/view.h"

#define HOST_CELLS 20

/* A part is there whole or not at all. */
static void put_part(struct pen *p, enum role role, const char *part)
{
	int gap = p->x ? 2 : 0;

	if (!*part || (int)text_cells(part) + gap > pen_room(p))
		return;
	pen_to(p, p->x + gap);
	pen_put(p, role, part);
}

static void put_clock(struct view *v, struct pen *p)
{
	const struct sample *sample = engine_sample(v->engine);
	struct text part = TEXT_INIT;

	interval_text(&part, engine_nominal_interval_s(v->engine));
	text_add_char(&part, ' ');
	if (sample)
		clock_text(&part, v->engine, sample->t_ns);
	put_part(p, ROLE_TEXT, text_str(&part));
	text_release(&part);
}

static void put_machine(struct view *v, struct pen *p)
{
	const char *host = engine_host(v->engine);
	const char *release = engine_release(v->engine);
	struct text clean = TEXT_INIT;
	struct text part = TEXT_INIT;

	text_add_safe(&clean, host, strlen(host));
	text_add_middle_cut(&part, text_str(&clean), HOST_CELLS, theme_glyph(&v->screen.theme, GLYPH_CUT));
	if (*release) {
		text_add(&part, part.len ? " Linux " : "Linux ");
		text_add_safe(&part, release, strlen(release));
	}
	put_part(p, ROLE_HEAD, text_str(&part));
	text_release(&clean);
	text_release(&part);
}

/* A system number as it stands in the line. */
struct figure {
	enum system_id id;
	const char *before, *after;
	double scale;
};

static const struct figure first_figures[] = {
	{ S_BLOCKED, "blocked ", "", 1 },
	{ S_IOWAIT, "iowait ", "%", 1 },
};

static const struct figure more_figures[] = {
	{ S_RUNNING, "running ", "", 1 },
	{ S_DIRTY, "dirty ", "B", 1024 },
	{ S_WRITEBACK, "writeback ", "B", 1024 },
	{ S_PGPGIN, "in ", "B/s", 1024 },
	{ S_PGPGOUT, "out ", "B/s", 1024 },
	{ S_CTXT, "ctxt/s ", "", 1 },
	{ S_INTR, "intr/s ", "", 1 },
	{ S_SOFTIRQ_BLOCK, "block softirq/s ", "", 1 },
};

static void put_figure(struct pen *p, const struct system_delta *system, const struct figure *f)
{
	struct value value = system_value(system, f->id);
	struct text part = TEXT_INIT;

	if (value.why != NA_NONE)
		return;
	text_add(&part, f->before);
	text_add_short(&part, value.v * f->scale, 0);
	text_add(&part, f->after);
	put_part(p, ROLE_TEXT, text_str(&part));
	text_release(&part);
}

static void put_pressure(struct pen *p, const struct system_delta *system)
{
	struct value some = system_value(system, S_PSI_SOME);
	struct value full = system_value(system, S_PSI_FULL);
	struct text part = TEXT_INIT;

	if (some.why != NA_NONE)
		return;
	text_add(&part, "io ");
	text_add_fixed(&part, some.v, 0);
	text_add_char(&part, '%');
	if (full.why == NA_NONE) {
		text_add_char(&part, '/');
		text_add_fixed(&part, full.v, 0);
		text_add_char(&part, '%');
	}
	put_part(p, ROLE_TEXT, text_str(&part));
	text_release(&part);
}

static void put_cpu(struct pen *p, const struct system_delta *system)
{
	struct value busiest = system_value(system, S_BUSIEST_CPU);
	struct text part = TEXT_INIT;

	if (busiest.why != NA_NONE || system->busiest_cpu < 0)
		return;
	text_addf(&part, "cpu%d ", system->busiest_cpu);
	text_add_fixed(&part, busiest.v, 0);
	text_add_char(&part, '%');
	put_part(p, ROLE_TEXT, text_str(&part));
	text_release(&part);
}

static void put_system(struct view *v, struct pen *p)
{
	const struct system_delta *system = engine_system(v->engine);

	if (!system)
		return;
	put_pressure(p, system);
	for (size_t i = 0; i < ARRAY_SIZE(first_figures); i++)
		put_figure(p, system, &first_figures[i]);
	put_cpu(p, system);
}

static void put_more_figures(struct view *v, struct pen *p)
{
	const struct system_delta *system = engine_system(v->engine);

	for (size_t i = 0; system && i < ARRAY_SIZE(more_figures); i++)
		put_figure(p, system, &more_figures[i]);
}

/* What all disks together did in the last interval: leaves only, so that nothing counts twice. */
static void put_total(struct view *v, struct pen *p)
{
	static const double kib_to_mb = 1024.0 / 1e6;
	struct text part = TEXT_INIT;
	struct delta total;
	struct value r, w;
	size_t n;

	if (engine_samples(v->engine) < 2)
		return;
	n = engine_total(v->engine, &total);
	if (!n)
		return;
	r = metric_value(&metrics[M_RKB_S], &total);
	w = metric_value(&metrics[M_WKB_S], &total);
	if (r.why != NA_NONE || w.why != NA_NONE)
		return;
	text_addf(&part, "%zu disk%s r ", n, n == 1 ? "" : "s");
	text_add_short(&part, r.v * kib_to_mb, 2);
	text_add(&part, " w ");
	text_add_short(&part, w.v * kib_to_mb, 2);
	text_add(&part, " MB/s");
	put_part(p, ROLE_TEXT, text_str(&part));
	text_release(&part);
}

/* --- what must not be overlooked: cut rather than left out --- */

static void put_notice(struct pen *p, enum role role, const char *notice)
{
	if (!*notice)
		return;
	if (p->x)
		pen_to(p, p->x + 2);
	pen_put(p, role, notice);
}

/* Since when is said only where time is the machine's: trees have their own. */
static void put_pending(struct view *v, struct pen *p)
{
	struct text part = TEXT_INIT;
	const struct pending *pending;
	size_t n;

	pending = engine_pending(v->engine, &n);
	if (!n)
		return;
	text_add(&part, "pending ");
	text_add_safe(&part, pending[0].name, strlen(pending[0].name));
	text_add_char(&part, ' ');
	text_add_safe(&part, pending[0].what, strlen(pending[0].what));
	if (!engine_is_stepped(v->engine))
		text_addf(&part, " %lld s", (long long)((clock_mono_ns() - pending[0].since_ns) / NS_PER_S));
	if (n > 1)
		text_addf(&part, " and %zu more", n - 1);
	put_notice(p, ROLE_WARN, text_str(&part));
	text_release(&part);
}

static const char *hold_words(const struct view *v)
{
	static const char *const words[] = {
		[HOLD_NONE] = "", [HOLD_BY_HAND] = "AFTER held", [HOLD_IDLE] = "AFTER held: idle",
	};

	return words[engine_hold_state(v->engine)];
}

static void put_notices(struct view *v, struct pen *p)
{
	put_notice(p, ROLE_ACCENT, engine_paused(v->engine) ? "paused (Z)" : "");
	put_pending(v, p);
	put_notice(p, ROLE_WARN, engine_warning(v->engine));
	put_notice(p, ROLE_ACCENT, v->ended ? "end of the trees" : "");
	put_notice(p, ROLE_DIM, hold_words(v));
	put_notice(p, ROLE_DIM, engine_auto_hold(v->engine) ? "" : "no automatic hold (G)");
}

static void draw_top(struct view *v)
{
	const struct band *band = &v->layout.header;
	struct pen p = pen_at(&v->screen, band->y, 0, v->screen.cols);

	if (band->h == 1)
		put_notices(v, &p);
	put_machine(v, &p);
	put_clock(v, &p);
	put_system(v, &p);
	if (band->h == 1)
		return;
	p = pen_at(&v->screen, band->y + 1, 0, v->screen.cols);
	put_notices(v, &p);
	put_total(v, &p);
	put_more_figures(v, &p);
}

/* --- titles --- */

static void add_segment_length(struct text *out, const struct segment *s)
{
	text_add_char(out, ' ');
	length_text(out, s ? segment_seconds(s) : 0);
	text_addf(out, " n%u", s ? segment_bins(s) : 0);
}

static void add_after_title(struct text *out, const struct view *v)
{
	static const char *const states[] = {
		[HOLD_NONE] = " segment", [HOLD_BY_HAND] = " held", [HOLD_IDLE] = " held: idle",
	};

	if (!view_shows_segment(v)) {
		text_add_char(out, ' ');
		interval_text(out, engine_interval_s(v->engine));
		text_add(out, " interval");
		return;
	}
	add_segment_length(out, engine_after(v->engine));
	text_add(out, engine_after_runs(v->engine) ? states[engine_hold_state(v->engine)] : " chosen: r runs");
}

/* Which one it is, where it came there by itself. */
static void add_before_state(struct text *out, const struct view *v)
{
	struct stretch_view one;

	if (engine_before_by_hand(v->engine)) {
		text_add(out, " pinned");
		return;
	}
	for (size_t i = 0; i < engine_stretches(v->engine); i++) {
		engine_stretch(v->engine, i, &one);
		if (!one.is_before)
			continue;
		text_add(out, " segment ");
		stretch_letter(one.number, out);
	}
}

static void add_last_title(struct text *out, const struct view *v)
{
	if (view_shows_segment(v)) {
		text_add(out, "AFTER");
		add_after_title(out, v);
		return;
	}
	text_add(out, "LAST");
	if (engine_samples(v->engine) > 1) {
		text_add_char(out, ' ');
		interval_text(out, engine_interval_s(v->engine));
	}
}

static void add_title(struct text *out, const struct view *v, enum block_kind kind)
{
	switch (kind) {
	case BLOCK_LAST:
		add_last_title(out, v);
		break;
	case BLOCK_BEFORE:
		text_add(out, "BEFORE");
		add_segment_length(out, engine_before(v->engine));
		add_before_state(out, v);
		break;
	case BLOCK_AFTER:
		text_add(out, "AFTER");
		add_after_title(out, v);
		break;
	case BLOCK_CHANGE:
		text_addf(out, "CHANGE, %ssd of a bin, verdict", theme_glyph(&v->screen.theme, GLYPH_PLUS_MINUS));
		break;
	}
}

static void draw_titles(struct view *v)
{
	const struct layout *l = &v->layout;
	struct pen p = pen_at(&v->screen, l->titles.y, 0, l->name_w);

	pen_put(&p, ROLE_DIM, v->n_own ? "own columns" : columns_set_name(v->set));
	for (size_t b = 0; b < l->n_blocks; b++) {
		const struct layout_block *block = &l->blocks[b];
		struct text title = TEXT_INIT;

		add_title(&title, v, block->kind);
		p = pen_at(&v->screen, l->titles.y, block->x, block->w);
		if (l->n_blocks > 1)
			pen_glyph(&p, ROLE_DIM, GLYPH_BAR);
		pen_to(&p, p.x + 1);
		pen_put(&p, block->kind == BLOCK_BEFORE ? ROLE_HEAD : ROLE_ACCENT, text_str(&title));
		text_release(&title);
	}
}

static void put_names_heading(struct view *v, struct pen *p)
{
	static const char *const shapes[VIEWS] = {
		[VIEW_TREE] = "DEVICE", [VIEW_INVERSE] = "DEVICE inverse", [VIEW_FLAT] = "DEVICE flat",
	};

	pen_put(p, ROLE_HEAD, shapes[v->shape]);
	if (v->filter.len) {
		pen_put(p, ROLE_ACCENT, " \\");
		pen_put(p, ROLE_ACCENT, text_str(&v->filter));
	}
	if (v->sorted) {
		pen_put(p, ROLE_ACCENT, " ");
		pen_glyph(p, ROLE_ACCENT, v->ascending ? GLYPH_ROSE : GLYPH_FELL);
		pen_put(p, ROLE_ACCENT, column_heading(v->sort_by, v->options->legacy, true));
	}
}

static void draw_headings(struct view *v)
{
	const struct layout *l = &v->layout;
	int y = l->titles.y + 1;
	struct pen p = pen_at(&v->screen, y, 0, l->name_w);

	put_names_heading(v, &p);
	for (size_t b = 0; b < l->n_blocks; b++) {
		const struct layout_block *block = &l->blocks[b];

		p = pen_at(&v->screen, y, block->x, v->screen.cols);
		if (l->n_blocks > 1)
			pen_glyph(&p, ROLE_DIM, GLYPH_BAR);
		for (size_t i = 0; i < l->n_columns; i++) {
			enum metric_id m = v->columns[i];

			pen_to(&p, block->cell_x[i]);
			pen_right(&p, v->sorted && v->sort_by == m ? ROLE_ACCENT : ROLE_HEAD,
				  column_heading(m, v->options->legacy, v->narrow), block->cell_w[i]);
		}
	}
}

void pane_header_draw(struct view *v)
{
	draw_top(v);
}

void pane_titles_draw(struct view *v)
{
	draw_titles(v);
	draw_headings(v);
}
