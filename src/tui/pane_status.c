/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lower lines: the selected device in words, messages and prompts, the keys. */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "tui/action.h"
#include "tui/label.h"
#include "tui/layer.h"
#include "tui/values.h"
#include "tui/view.h"

#define KIB_TO_MB (1024.0 / 1e6)
#define LEAST_WORDS 12
#define MESSAGE_S 6             /* a message stays so long, by the samples' clock */

/* --- the facts: as much of them as a line takes --- */

/* What the status line says of a device. */
struct fact {
	enum metric_id metric;
	const char *before, *after;     /* the number */
	const char *brief;              /* instead of both where there is little room */
	double scale;
	bool alone;                     /* with a BEFORE only where there is much room */
};

static const struct fact facts[] = {
	{ M_R_S, "r/s ", "", "r ", 1, false },
	{ M_W_S, "w/s ", "", "w ", 1, false },
	{ M_KB_S, "", " MB/s", "MB/s ", KIB_TO_MB, false },
	{ M_AWAIT, "await ", " ms", "await ", 1, true },
	{ M_PCT_UTIL, "%util ", "", "%util ", 1, true },
};

/* How much is said, from everything to the bare numbers; the first that fits is taken. */
struct wording {
	bool alone;             /* the facts that stand alone */
	bool alone_with_before; /* and with a BEFORE too */
	bool spelled;           /* units, blanks and dots */
	bool all_changes;       /* percentages where the change is not clear */
	bool verdicts;
};

static const struct wording wordings[] = {
	{ true, true, true, true, true },
	{ true, false, true, true, true },
	{ true, false, true, false, true },
	{ true, false, false, false, true },
	{ true, false, false, false, false },
	{ false, false, false, false, false },
};

/* A line before it is drawn: pieces of one style each. */
#define MOST_PIECES 32

struct strip {
	struct text text;       /* the pieces, one after the other */
	struct {
		enum role role;
		size_t end;
	} pieces[MOST_PIECES];
	size_t n;
};

static void strip_end_piece(struct strip *s, enum role role)
{
	if (s->n == MOST_PIECES)
		return;
	s->pieces[s->n].role = role;
	s->pieces[s->n].end = s->text.len;
	s->n++;
}

static void strip_draw(const struct strip *s, struct pen *p)
{
	size_t at = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct text piece = TEXT_INIT;

		text_add_n(&piece, text_str(&s->text) + at, s->pieces[i].end - at);
		pen_put(p, s->pieces[i].role, text_str(&piece));
		text_release(&piece);
		at = s->pieces[i].end;
	}
}

static void add_value(struct text *out, const struct reading *r, const struct fact *f)
{
	if (r->why != NA_NONE)
		text_add_char(out, '-');
	else
		text_add_short(out, r->e.value * f->scale, f->scale < 1 ? 2 : metrics[f->metric].decimals);
}

static void add_fact_change(struct strip *s, const struct view *v, const struct line *line, const struct fact *f,
			    const struct wording *w)
{
	struct comparison c;
	enum role role = ROLE_DIM;
	bool one_sided;

	if (!w->verdicts || !engine_compare(v->engine, line->slot, f->metric, &c) || c.verdict == VERDICT_NA)
		return;
	text_add_char(&s->text, ' ');
	one_sided = c.verdict == VERDICT_NEW || c.verdict == VERDICT_GONE;
	if (!one_sided && (c.verdict == VERDICT_CLEAR || w->all_changes)) {
		change_text(&s->text, &c, &metrics[f->metric].rules);
		text_add_char(&s->text, ' ');
	}
	text_add(&s->text, verdict_name(c.verdict));
	if (c.verdict == VERDICT_CLEAR)
		role = c.better > 0 ? ROLE_BETTER : c.better < 0 ? ROLE_WORSE : ROLE_CHANGED;
	strip_end_piece(s, role);
}

/* BEFORE to AFTER, or the present value. */
static void add_fact(struct strip *s, const struct view *v, const struct line *line, const struct fact *f,
		     const struct wording *w)
{
	bool two = engine_before(v->engine) != NULL;
	struct reading before, after;

	reading_take(&after, v->engine, &v->rows, line, two || v->one_segment ? SIDE_AFTER : SIDE_LAST, f->metric);
	text_add(&s->text, w->spelled ? f->before : f->brief);
	if (two) {
		reading_take(&before, v->engine, &v->rows, line, SIDE_BEFORE, f->metric);
		add_value(&s->text, &before, f);
		text_add(&s->text, w->spelled ? " " : "");
		text_add(&s->text, theme_glyph(&v->screen.theme, GLYPH_TO));
		text_add(&s->text, w->spelled ? " " : "");
	}
	add_value(&s->text, &after, f);
	text_add(&s->text, w->spelled ? f->after : "");
	strip_end_piece(s, ROLE_TEXT);
	if (two && line->kind == LINE_DEVICE && (before.e.value > 0 || after.e.value > 0))
		add_fact_change(s, v, line, f, w);
}

static void add_name(struct strip *s, const struct view *v, const struct line *line, size_t cells)
{
	const struct theme *theme = &v->screen.theme;
	const char *raw = engine_topology(v->engine)->devices[line->device].name;
	struct text name = TEXT_INIT;

	text_add_safe(&name, raw, strlen(raw));
	text_add_middle_cut(&s->text, text_str(&name), cells, theme_glyph(theme, GLYPH_CUT));
	if (line->kind == LINE_SUM)
		text_addf(&s->text, " %s", theme_glyph(theme, GLYPH_SUM));
	strip_end_piece(s, ROLE_HEAD);
	text_release(&name);
}

static void make_facts(struct strip *s, const struct view *v, const struct line *line, const struct wording *w)
{
	bool two = engine_before(v->engine) != NULL;
	bool first = true;

	add_name(s, v, line, w->spelled ? 20 : 10);
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		if (facts[i].alone && !(two ? w->alone_with_before : w->alone))
			continue;
		text_add_char(&s->text, ' ');
		if (w->spelled)
			text_addf(&s->text, "%s ", first ? "" : theme_glyph(&v->screen.theme, GLYPH_DOT));
		strip_end_piece(s, ROLE_DIM);
		add_fact(s, v, line, &facts[i], w);
		first = false;
	}
}

static void draw_facts(struct view *v, const struct line *line, int y)
{
	struct pen p = pen_at(&v->screen, y, 0, v->screen.cols);

	for (size_t i = 0; i < ARRAY_SIZE(wordings); i++) {
		struct strip strip = { .text = TEXT_INIT };
		bool fits;

		make_facts(&strip, v, line, &wordings[i]);
		fits = (int)text_cells(text_str(&strip.text)) <= v->screen.cols || i + 1 == ARRAY_SIZE(wordings);
		if (fits)
			strip_draw(&strip, &p);
		text_release(&strip.text);
		if (fits)
			return;
	}
}

/* --- the words --- */

static void add_with_blank(struct text *out, const char *s)
{
	if (!s || !*s)
		return;
	if (out->len)
		text_add(out, ", ");
	text_add_safe(out, s, strlen(s));
}

static void add_size(struct text *out, const struct device *d)
{
	struct text size = TEXT_INIT;

	if (!d->has_size || !d->size_sectors)
		return;
	text_add_short(&size, (double)d->size_sectors * 512, 0);
	text_add_char(&size, 'B');
	add_with_blank(out, text_str(&size));
	text_release(&size);
}

static void add_names(struct text *out, const struct device *d)
{
	add_with_blank(out, device_kind_name(d->kind));
	add_with_blank(out, d->md_level);
	add_with_blank(out, d->dm_name);
	add_with_blank(out, d->mount);
	add_with_blank(out, d->backing_file);
}

static void add_hardware(struct text *out, const struct device *d)
{
	add_size(out, d);
	add_with_blank(out, d->vendor);
	add_with_blank(out, d->model);
	add_with_blank(out, d->place);
}

/* A few cells of a longer text would say something else than it does. */
static void put_words(struct pen *p, enum role role, const struct text *words)
{
	struct text cut = TEXT_INIT;
	int room = pen_room(p) - (p->x ? 2 : 0);

	if (!words->len || (room < LEAST_WORDS && (int)text_cells(text_str(words)) > room))
		return;
	if (p->x)
		pen_put(p, ROLE_DIM, "  ");
	text_add_middle_cut(&cut, text_str(words), (size_t)room, theme_glyph(&p->screen->theme, GLYPH_CUT));
	pen_put(p, role, text_str(&cut));
	text_release(&cut);
}

/* What must be known, names in full which the list may have cut, and what is below. */
static void draw_words(struct view *v, const struct line *line, int y)
{
	const struct device *d = &engine_topology(v->engine)->devices[line->device];
	bool segment = engine_before(v->engine) || v->one_segment;
	struct pen p = pen_at(&v->screen, y, 0, v->screen.cols);
	struct note note = NOTE_INIT;
	struct text names = TEXT_INIT, layer = TEXT_INIT, hardware = TEXT_INIT;

	note_take(&note, v, line->device);
	layer_words(&layer, v, line->device, segment ? SIDE_AFTER : SIDE_LAST);
	if (line->kind != LINE_SUM)
		add_names(&names, d);
	add_hardware(&hardware, d);
	put_words(&p, note.warn ? ROLE_WARN : ROLE_TEXT, &note.words);
	put_words(&p, ROLE_DIM, &names);
	put_words(&p, ROLE_TEXT, &layer);
	put_words(&p, ROLE_DIM, &hardware);
	note_release(&note);
	text_release(&names);
	text_release(&layer);
	text_release(&hardware);
}

/* The cell of the knob matrix under the cursor. */
static void draw_knob(struct view *v, int y)
{
	struct pen p = pen_at(&v->screen, y, 0, v->screen.cols);
	struct text words = TEXT_INIT;

	knobs_words(v, &words);
	put_words(&p, ROLE_TEXT, &words);
	text_release(&words);
}

/* --- the last line --- */

static bool draw_prompt(struct view *v, int y)
{
	struct pen p = pen_at(&v->screen, y, 0, v->screen.cols);
	struct text line = TEXT_INIT;
	size_t room;

	if (v->prompt.kind == PROMPT_NONE)
		return false;
	pen_put(&p, ROLE_KEY, prompt_label(&v->prompt));
	room = pen_room(&p) > 2 ? (size_t)pen_room(&p) - 1 : 0;
	text_add_middle_cut(&line, text_str(&v->prompt.line), room, theme_glyph(&v->screen.theme, GLYPH_CUT));
	pen_put(&p, ROLE_TEXT, text_str(&line));
	p.selected = true;
	pen_put(&p, ROLE_TEXT, " ");
	text_release(&line);
	return true;
}

/* Where the line is the status line's, it is given back with the next sample. */
static bool draw_message(struct view *v, int y)
{
	const struct sample *sample = engine_sample(v->engine);
	int64_t shown_ns = v->layout.keys.h ? MESSAGE_S * NS_PER_S : 1;
	struct messages *m = &v->messages;
	struct pen p = pen_at(&v->screen, y, 0, v->screen.cols);

	if (sample && m->unseen) {
		m->unseen = false;
		m->since_ns = sample->t_ns;
	}
	if (!m->now.len || (sample && sample->t_ns - m->since_ns >= shown_ns))
		return false;
	pen_put(&p, ROLE_MESSAGE, text_str(&m->now));
	return true;
}

static int bar_cells(const struct action *a)
{
	return (int)(strlen(a->bar_key) + strlen(a->bar)) + 1;
}

/* Those that do something now, as far as there is room; how to leave is always among them. */
static void draw_keys(struct view *v, int y)
{
	struct pen p = pen_at(&v->screen, y, 0, v->screen.cols);
	const struct action *quit = action_find('q', v->place);

	quit = quit ? quit : action_find(K_ESC, v->place);
	for (const struct action *a = actions; a->name; a++) {
		if (!a->bar || action_find(a->keys[0], v->place) != a || (a->usable && !a->usable(v)))
			continue;
		if (bar_cells(a) + (a == quit ? 0 : bar_cells(quit)) > pen_room(&p) + 1)
			continue;
		if (v->n_bar < MOST_BAR)
			v->bar[v->n_bar++] = (struct bar_span){ p.x, p.x + bar_cells(a) - 1, a->keys[0] };
		pen_put(&p, ROLE_KEY, a->bar_key);
		pen_put(&p, ROLE_DIM, a->bar);
		pen_put(&p, ROLE_DIM, " ");
	}
}

void pane_status_draw(struct view *v)
{
	const struct layout *l = &v->layout;
	const struct line *line = rows_selected(&v->rows);
	int last = l->keys.h ? l->keys.y : l->status.y + l->status.h - 1;
	bool taken = draw_prompt(v, last) || draw_message(v, last);

	v->n_bar = 0;
	if (!taken && l->keys.h)
		draw_keys(v, last);
	if (!line || (taken && !l->keys.h))
		return;
	if (v->place == IN_KNOBS)
		draw_knob(v, l->status.y);
	else
		draw_facts(v, line, l->status.y);
	if (l->status.h > 1)
		draw_words(v, line, l->status.y + 1);
}
