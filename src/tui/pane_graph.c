/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/pane_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "tui/key.h"
#include "tui/pane.h"
#include "tui/values.h"
#include "tui/view.h"

#define MOST_LEGS 16            /* of more nothing could be told apart */
#define LABEL_CELLS 7
#define REST_CELLS 5            /* "  +12" */
#define LEAST_PLOT 8
#define DOTS 4                  /* of a braille character, one above the other; two side by side */

static const int column_s[] = { 1, 2, 5, 10, 30 };

/* What is drawn: the device first, then those below it. */
struct plot {
	struct view *v;
	struct area area;       /* without labels, heading and axis */
	size_t n;               /* columns: two a cell with braille, else one */
	size_t per_cell;
	int64_t end_ns, column_ns;
	uint32_t devices[1 + MOST_LEGS];
	size_t n_devices;
	size_t not_drawn;       /* legs beyond MOST_LEGS */
	enum metric_id metric;
};

void graph_pane_release(struct graph_pane *g)
{
	free(g->cells);
	free(g->values);
	*g = (struct graph_pane){ 0 };
}

enum metric_id graph_metric(const struct view *v)
{
	return v->graph.chosen ? v->graph.metric : v->sorted ? v->sort_by : M_AWAIT;
}

/* --- what there is to draw --- */

static void find_devices(struct plot *p, uint32_t device)
{
	const struct topology *t = engine_topology(p->v->engine);
	const struct device *d = &t->devices[device];

	p->devices[p->n_devices++] = device;
	for (size_t i = 0; i < d->slaves.n; i++) {
		const struct device *lower = topology_find(t, d->slaves.v[i]);

		if (lower && p->n_devices < ARRAY_SIZE(p->devices))
			p->devices[p->n_devices++] = (uint32_t)(lower - t->devices);
		else if (lower)
			p->not_drawn++;
	}
}

static void take_series(struct plot *p)
{
	struct graph_pane *g = &p->v->graph;

	ARRAY_GROW(g->values, g->values_capacity, p->n_devices * p->n);
	for (size_t i = 0; i < p->n_devices; i++)
		series_take(engine_history(p->v->engine), engine_slot(p->v->engine, p->devices[i]), p->metric,
			    p->end_ns, p->column_ns, g->values + i * p->n, p->n);
}

static void update_scale(struct plot *p)
{
	struct graph_pane *g = &p->v->graph;
	double most = 0;

	for (size_t i = 0; i < p->n_devices * p->n; i++) {
		if (g->values[i].why == NA_NONE)
			most = fmax(most, g->values[i].v);
	}
	if (g->scaled != p->metric || g->scaled_slot != p->devices[0])
		g->scale = (struct scale){ 0 };
	g->scaled = p->metric;
	g->scaled_slot = p->devices[0];
	scale_update(&g->scale, most, (metrics[p->metric].rules.flags & METRIC_PERCENT) != 0);
}

/* --- cells: for each one byte of dots and one letter --- */

static unsigned char *cell_at(const struct plot *p, int row, int col)
{
	return p->v->graph.cells + 2 * ((size_t)row * (size_t)p->area.w + (size_t)col);
}

/* From the top, in `steps` of the whole height. */
static int height_of(const struct plot *p, double v, int steps)
{
	double part = v / p->v->graph.scale.top;
	int up = (int)(part * (steps - 1) + 0.5);

	return steps - 1 - (up < 0 ? 0 : up >= steps ? steps - 1 : up);
}

static void set_dot(const struct plot *p, size_t column, int y)
{
	static const unsigned char bits[2][DOTS] = { { 0x01, 0x02, 0x04, 0x40 }, { 0x08, 0x10, 0x20, 0x80 } };
	int col = (int)(column / p->per_cell);

	if (p->per_cell == 1)
		*cell_at(p, y, col) = 1;
	else
		*cell_at(p, y / DOTS, col) |= bits[column % 2][(unsigned int)y % DOTS];
}

/* The device's line: each value, and the way to it from the one before. */
static void plot_line(const struct plot *p)
{
	int steps = p->per_cell == 1 ? p->area.h : p->area.h * DOTS;
	int last = -1;

	for (size_t c = 0; c < p->n; c++) {
		const struct value *value = &p->v->graph.values[c];
		int y, step;

		if (value->why != NA_NONE) {
			last = -1;
			continue;
		}
		y = height_of(p, value->v, steps);
		step = last < 0 ? y : last;
		for (; step != y; step += step < y ? 1 : -1)
			set_dot(p, c, step);
		set_dot(p, c, y);
		last = y;
	}
}

static void plot_letters(const struct plot *p, size_t i)
{
	for (size_t c = 0; c < p->n; c++) {
		const struct value *value = &p->v->graph.values[i * p->n + c];
		unsigned char *cell;

		if (value->why != NA_NONE)
			continue;
		cell = cell_at(p, height_of(p, value->v, p->area.h), (int)(c / p->per_cell));
		cell[1] = (unsigned char)('a' + i - 1);
	}
}

static enum role cell_words(const struct plot *p, const unsigned char *cell, struct text *out)
{
	char utf8[5];

	if (cell[0]) {
		if (p->per_cell == 1)
			text_add_char(out, '*');
		else
			text_add_n(out, utf8, key_to_utf8(0x2800 + cell[0], utf8));
		return ROLE_ACCENT;
	}
	text_add_char(out, cell[1] ? (char)cell[1] : ' ');
	return ROLE_DIM;
}

static void draw_cells(const struct plot *p, struct text *run)
{
	for (int row = 0; row < p->area.h; row++) {
		struct pen pen = pen_at(&p->v->screen, p->area.y + row, p->area.x, p->area.w);
		enum role role = ROLE_TEXT;

		text_clear(run);
		for (int col = 0; col < p->area.w; col++) {
			const unsigned char *cell = cell_at(p, row, col);
			enum role next = cell[0] ? ROLE_ACCENT : ROLE_DIM;

			if (next != role) {
				pen_put(&pen, role, text_str(run));
				text_clear(run);
			}
			role = cell_words(p, cell, run);
		}
		pen_put(&pen, role, text_str(run));
	}
}

/* --- around the plot --- */

static size_t cursor_column(const struct plot *p)
{
	size_t back = p->v->graph.cursor;

	return back < p->n ? p->n - 1 - back : 0;
}

/* A device with its sign, and its value at the cursor. */
static void device_words(const struct plot *p, size_t i, bool with_value, struct text *words)
{
	const struct view *v = p->v;
	const struct value *value = &v->graph.values[i * p->n + cursor_column(p)];
	const char *name = engine_topology(v->engine)->devices[p->devices[i]].name;

	text_clear(words);
	text_add(words, "  ");
	if (i)
		text_addf(words, "%c ", (char)('a' + i - 1));
	text_add_safe(words, name, strlen(name));
	if (!with_value)
		return;
	text_add_char(words, ' ');
	if (value->why == NA_NONE)
		text_add_short(words, value->v, metrics[p->metric].decimals);
	else
		text_add_char(words, '-');
}

/* As many of them as there is room for; the rest is counted. */
static void draw_devices(const struct plot *p, struct pen *pen, struct text *words)
{
	size_t rest = p->n_devices + p->not_drawn;

	for (size_t i = 0; i < p->n_devices; i++) {
		int room = pen_room(pen) - (rest > 1 ? REST_CELLS : 0);

		device_words(p, i, true, words);
		if (i && (int)text_cells(text_str(words)) > room)
			device_words(p, i, false, words);
		if (i && (int)text_cells(text_str(words)) > room)
			break;
		pen_put(pen, i ? ROLE_DIM : ROLE_ACCENT, text_str(words));
		rest--;
	}
	text_clear(words);
	text_addf(words, "  +%zu", rest);
	if (rest)
		pen_put(pen, ROLE_DIM, text_str(words));
}

/* Metric, and the devices. */
static void draw_heading(const struct plot *p, const struct area *area, struct text *words)
{
	const struct view *v = p->v;
	bool here = v->place == IN_GRAPH;
	struct pen pen = pen_at(&p->v->screen, area->y, area->x, area->w);

	text_clear(words);
	text_addf(words, "%s%s", here ? ">" : " ", metric_heading(&metrics[p->metric], v->options->legacy));
	if (!strchr(metrics[p->metric].name, '/') && !strchr(metrics[p->metric].name, '%'))
		text_addf(words, " %s", metrics[p->metric].unit);
	if (v->graph.cursor) {
		text_add(words, " at ");
		clock_text(words, v->engine, series_end_ns(cursor_column(p), p->end_ns, p->column_ns, p->n));
	}
	pen_put(&pen, here ? ROLE_ACCENT : ROLE_HEAD, text_str(words));
	draw_devices(p, &pen, words);
}

static void draw_label(const struct plot *p, int row, double value, struct text *words)
{
	struct pen pen = pen_at(&p->v->screen, p->area.y + row, p->area.x - LABEL_CELLS, LABEL_CELLS);

	text_clear(words);
	text_add_short(words, value, metrics[p->metric].decimals);
	pen_right(&pen, ROLE_DIM, text_str(words), LABEL_CELLS - 1);
	pen_glyph(&pen, ROLE_DIM, GLYPH_BAR);
}

static void draw_scale(const struct plot *p, struct text *words)
{
	for (int row = 1; row + 1 < p->area.h; row++) {
		struct pen pen = pen_at(&p->v->screen, p->area.y + row, p->area.x - 1, 1);

		pen_glyph(&pen, ROLE_DIM, GLYPH_BAR);
	}
	draw_label(p, p->area.h - 1, 0, words);
	draw_label(p, 0, p->v->graph.scale.top, words);
}

static void put_sign(const struct plot *p, int64_t t_ns, const char *sign)
{
	size_t column = series_column(t_ns, p->end_ns, p->column_ns, p->n);
	struct pen pen;

	if (column == p->n)
		return;
	pen = pen_at(&p->v->screen, p->area.y + p->area.h, p->area.x + (int)(column / p->per_cell), 1);
	pen_put(&pen, ROLE_KEY, sign);
}

/*
 * Where BEFORE began ([) and ended (b), where AFTER began (r); where knobs were turned, the letter of the stretch that
 * began there.
 */
static void put_bounds(const struct plot *p, struct text *words)
{
	size_t n = engine_stretches(p->v->engine);
	struct stretch_view one;

	for (size_t i = 0; i < n; i++) {
		engine_stretch(p->v->engine, i, &one);
		text_clear(words);
		stretch_letter(one.number, words);
		if (one.is_after || one.number)
			put_sign(p, one.from_ns, one.is_after ? "r" : text_str(words));
	}
	for (size_t i = 0; i < n; i++) {
		engine_stretch(p->v->engine, i, &one);
		if (one.is_before && one.from_ns)
			put_sign(p, one.from_ns, "[");
		if (one.is_before)
			put_sign(p, one.to_ns, "b");
	}
	for (size_t i = 0; i < n; i++) {
		engine_stretch(p->v->engine, i, &one);
		text_clear(words);
		stretch_letter(one.number, words);
		if (one.n_changes)
			put_sign(p, one.from_ns, text_str(words));
	}
}

/* The time axis: how long it is, the stretches' bounds, marks. */
static void draw_axis(const struct plot *p, struct text *words)
{
	const struct view *v = p->v;
	int y = p->area.y + p->area.h;
	struct pen pen = pen_at(&p->v->screen, y, p->area.x - LABEL_CELLS, p->area.w + LABEL_CELLS);
	size_t n;
	const struct mark *marks = engine_marks(v->engine, &n);

	text_clear(words);
	text_add_char(words, '-');
	length_text(words, (double)p->n * (double)p->column_ns / 1e9);
	pen_right(&pen, ROLE_DIM, text_str(words), LABEL_CELLS);
	while (pen_room(&pen) > 0)
		pen_glyph(&pen, ROLE_DIM, GLYPH_BOX_H);
	put_bounds(p, words);
	for (size_t i = 0; i < n; i++) {
		char digit[2] = { (char)('0' + marks[i].number % 10), '\0' };

		put_sign(p, marks[i].t_ns, digit);
	}
	if (v->graph.cursor) {
		pen = pen_at(&p->v->screen, y, p->area.x + (int)(cursor_column(p) / p->per_cell), 1);
		pen.selected = true;
		pen_put(&pen, ROLE_KEY, "^");
	}
}

static void clear_cells(const struct plot *p)
{
	struct graph_pane *g = &p->v->graph;
	size_t n = 2 * (size_t)p->area.w * (size_t)p->area.h;

	if (n > g->cells_capacity) {
		free(g->cells);
		g->cells = xcalloc(n, sizeof(*g->cells));
		g->cells_capacity = n;
		return;
	}
	memset(g->cells, 0, n);
}

void pane_graph_draw(struct view *v, struct area area)
{
	const struct line *line = rows_selected(&v->rows);
	const struct sample *sample = engine_sample(v->engine);
	struct plot p = {
		.v = v, .per_cell = v->screen.theme.glyphs ? 2 : 1, .metric = graph_metric(v),
		.area = { area.y + 1, area.x + LABEL_CELLS, area.h - 2, area.w - LABEL_CELLS },
		.column_ns = column_s[v->graph.zoom] * NS_PER_S,
	};
	struct text words = TEXT_INIT;

	if (!line || !sample || p.area.h < 1 || p.area.w < LEAST_PLOT)
		return;
	p.end_ns = sample->t_ns;
	p.n = (size_t)p.area.w * p.per_cell;
	find_devices(&p, line->device);
	take_series(&p);
	update_scale(&p);
	clear_cells(&p);
	for (size_t i = 1; i < p.n_devices; i++)
		plot_letters(&p, i);
	plot_line(&p);
	draw_heading(&p, &area, &words);
	draw_cells(&p, &words);
	draw_scale(&p, &words);
	draw_axis(&p, &words);
	text_release(&words);
}

/* --- keys --- */

void act_graph_metric(struct view *v, int key)
{
	size_t n;
	const enum metric_id *all = metric_set_extended(&n);
	enum metric_id now = graph_metric(v);
	size_t at = 0;

	while (at + 1 < n && all[at] != now)
		at++;
	v->graph.metric = all[(at + (key == ']' ? 1 : n - 1)) % n];
	v->graph.chosen = true;
	view_say(v, "graph: %s, %s", metrics[v->graph.metric].name, metrics[v->graph.metric].help);
}

void act_graph_cursor(struct view *v, int key)
{
	struct graph_pane *g = &v->graph;
	size_t most = (size_t)(v->screen.cols > LABEL_CELLS ? v->screen.cols : LABEL_CELLS) * 2;

	if (key == K_HOME)
		g->cursor = most;
	else if (key == K_END)
		g->cursor = 0;
	else if (key == K_LEFT)
		g->cursor++;
	else if (g->cursor)
		g->cursor--;
	if (g->cursor > most)
		g->cursor = most;
}

void act_graph_zoom(struct view *v, int key)
{
	struct graph_pane *g = &v->graph;

	if (key == '+' && g->zoom)
		g->zoom--;
	else if (key == '-' && g->zoom + 1 < ARRAY_SIZE(column_s))
		g->zoom++;
	view_say(v, "a column of the graph is %d s", column_s[g->zoom]);
}
