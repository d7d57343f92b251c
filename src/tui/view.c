/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/view.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "tui/action.h"
#include "tui/mouse.h"
#include "tui/values.h"

void view_init(struct view *v, const struct watch_options *options)
{
	*v = (struct view){ .options = options, .engine = options->engine };
	v->sort_by = M_PCT_UTIL;
	v->place = v->came_from = IN_LIST;
	v->ascii = options->ascii;
	v->palette = options->palette;
	for (size_t i = 0; i < options->n_columns; i++)
		v->own[v->n_own++] = options->columns[i];
	v->messages.unseen = true;
}

void view_release(struct view *v)
{
	rows_release(&v->rows);
	knobs_release(&v->knobs);
	graph_pane_release(&v->graph);
	sheet_release(&v->sheet);
	edit_release(&v->edit);
	text_release(&v->farewell);
	free(v->told);
	text_release(&v->prompt.line);
	text_release(&v->messages.now);
	text_release(&v->filter);
	text_release(&v->search);
	for (size_t i = 0; i < v->messages.n; i++)
		free(v->messages.said[i]);
	v->messages.n = 0;
}

bool view_shows_segment(const struct view *v)
{
	return engine_before(v->engine) ? !v->two_interval : v->one_segment;
}

/* --- messages --- */

static void show_message(struct view *v, const char *words, bool unseen)
{
	const struct sample *sample = engine_sample(v->engine);
	struct messages *m = &v->messages;

	text_clear(&m->now);
	text_add_safe(&m->now, words, strlen(words));
	m->since_ns = sample ? sample->t_ns : 0;
	m->unseen = unseen || !sample;
}

void view_say(struct view *v, const char *format, ...)
{
	char words[512];
	va_list ap;

	va_start(ap, format);
	if (vsnprintf(words, sizeof(words), format, ap) < 0)
		words[0] = '\0';
	va_end(ap);
	show_message(v, words, false);
}

void view_hear(const char *line, void *arg)
{
	struct view *v = arg;
	struct messages *m = &v->messages;

	if (m->n == MESSAGES_KEPT) {
		free(m->said[0]);
		memmove(m->said, m->said + 1, (MESSAGES_KEPT - 1) * sizeof(m->said[0]));
		m->n--;
	}
	m->said[m->n++] = xstrdup(line);
	show_message(v, line, true);
}

void view_comparison(struct view *v, struct text *out)
{
	static const bool none = false;
	const struct slot_flags *shown = &v->rows.shown;

	v->options->comparison(v->engine, shown->v ? shown->v : &none, shown->v ? shown->n : 0, out);
}

/* --- places and lines --- */

void view_layout(struct view *v)
{
	enum metric_id ids[LAYOUT_COLUMNS];
	struct layout_column columns[LAYOUT_COLUMNS];
	bool has_before = engine_before(v->engine) != NULL;
	struct column_wish wish = {
		.set = v->set, .two = has_before, .cols = v->screen.cols, .legacy = v->options->legacy,
		.own = v->n_own ? v->own : NULL, .n_own = v->n_own, .first = v->first_own,
	};
	struct layout_input in = {
		.rows = v->screen.rows, .cols = v->screen.cols, .has_before = has_before,
		.before_in_front = v->before_in_front, .columns = columns,
		.lower_in_front = (v->place & LOWER_PANES) != 0,
		.list_lines = (v->rows.n ? v->rows.n : 1) + (v->rows.hidden > 0),
	};

	in.n_columns = columns_wanted(&wish, ids, columns);
	layout_make(&v->layout, &in);
	v->narrow = columns_narrow(&wish);
	for (size_t i = 0; i < v->layout.n_columns; i++)
		v->columns[i] = ids[v->layout.column[i]];
}

static bool sort_value(void *arg, const struct line *line, enum metric_id m, double *value)
{
	const struct view *v = arg;
	struct reading r;

	reading_take(&r, v->engine, &v->rows, line, view_shows_segment(v) ? SIDE_AFTER : SIDE_LAST, m);
	*value = r.e.value;
	return r.why == NA_NONE;
}

static void tell_selection(struct view *v)
{
	const struct line *line = rows_selected(&v->rows);

	if (line && line->slot != SLOT_NONE)
		engine_select(v->engine, line->slot);
}

void view_rows(struct view *v)
{
	struct rows_wish wish = {
		.shape = v->shape, .show_hidden = v->show_hidden, .tagged_only = v->tagged_only,
		.filter = text_str(&v->filter),
		.words = v->options->words, .n_words = v->options->n_words, .sorted = v->sorted,
		.ascending = v->ascending, .sort_by = v->sort_by, .sort_value = sort_value, .arg = v,
	};

	rows_build(&v->rows, v->engine, &wish);
	tell_selection(v);
	view_layout(v);
}

/* From the selection on, round the end. */
void view_find(struct view *v, int direction)
{
	const struct topology *t = engine_topology(v->engine);
	size_t n = v->rows.n;

	for (size_t i = 1; i <= n; i++) {
		size_t at = (v->rows.selected + (direction > 0 ? i : n - i)) % n;

		if (v->rows.v[at].kind == LINE_DEVICE &&
		    device_matches(&t->devices[v->rows.v[at].device], text_str(&v->search))) {
			rows_select(&v->rows, at);
			return;
		}
	}
	view_say(v, "no device here matches %s", text_str(&v->search));
}

/* --- frames --- */

static void draw_too_small(struct view *v)
{
	struct pen p = pen_at(&v->screen, 0, 0, v->screen.cols);
	struct text words = TEXT_INIT;

	text_addf(&words, "need %dx%d", SCREEN_LEAST_COLS, SCREEN_LEAST_ROWS);
	pen_put(&p, ROLE_WARN, text_str(&words));
	text_release(&words);
}

void view_draw(struct view *v)
{
	screen_begin(&v->screen);
	if (v->layout.too_small) {
		draw_too_small(v);
	} else {
		pane_header_draw(v);
		panes_draw(v);
		pane_status_draw(v);
		pane_help_draw(v);
	}
	screen_end(&v->screen);
}

/* --- keys --- */

static void take_search(struct view *v, const char *line)
{
	text_clear(&v->search);
	text_add(&v->search, line);
	if (v->search.len)
		view_find(v, 1);
}

static void take_filter(struct view *v, const char *line)
{
	text_clear(&v->filter);
	text_add(&v->filter, line);
	view_rows(v);
}

static void take_interval(struct view *v, const char *line)
{
	double seconds;

	if (!number_double(line, &seconds) || !(seconds >= INTERVAL_LEAST_S && seconds <= INTERVAL_MOST_S)) {
		view_say(v, "%s: an interval is %g to %g seconds", line, INTERVAL_LEAST_S, INTERVAL_MOST_S);
		return;
	}
	engine_set_interval(v->engine, seconds);
	view_say(v, "interval %g s", seconds);
}

static void take_mark(struct view *v, const char *line)
{
	unsigned int number = engine_add_mark(v->engine, line);

	view_say(v, *line ? "mark %u: %s" : "mark %u", number, line);
}

static void take_prompt(struct view *v, enum prompt_kind kind)
{
	static void (*const takers[])(struct view *v, const char *line) = {
		[PROMPT_SEARCH] = take_search, [PROMPT_FILTER] = take_filter, [PROMPT_INTERVAL] = take_interval,
		[PROMPT_MARK] = take_mark, [PROMPT_NAME] = edit_take_name,
	};

	takers[kind](v, text_str(&v->prompt.line));
}

static void resized(struct view *v)
{
	screen_resized(&v->screen);
	view_layout(v);
	if (v->help)
		pane_help_open(v);
}

void view_key(struct view *v, int key)
{
	enum prompt_kind kind = v->prompt.kind;
	const struct action *a;

	struct click click;

	if (key == K_RESIZE) {
		resized(v);
		return;
	}
	if (key == K_MOUSE) {
		if (screen_click(&v->screen, &click))
			mouse_act(v, &click);
		return;
	}
	if (kind != PROMPT_NONE) {
		if (prompt_key(&v->prompt, key) == PROMPT_TAKEN)
			take_prompt(v, kind);
		tell_selection(v);
		return;
	}
	if (v->help && pane_help_key(v, key))
		return;
	text_clear(&v->messages.now);
	a = action_find(key, v->place);
	if (a)
		a->run(v, key);
	else if (v->place == ON_EDIT)
		edit_type(v, key);
	tell_selection(v);
}
