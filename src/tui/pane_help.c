/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The help: what is seen, and the tables of actions, of verdicts and of the columns that are shown. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <panel.h>

#include "base/alloc.h"
#include "tui/action.h"
#include "tui/view.h"

#define KEY_CELLS 19
#define MOST_COLS 100
#define LEAST_TEXT 16

/* One entry: what it is about, a tab, the sentence; an entry without a tab is a heading. */
static void add_entry(struct text *out, const char *about, const char *sentence)
{
	text_add(out, about);
	text_add_char(out, '\t');
	text_add(out, sentence);
	text_add_char(out, '\n');
}

/* What stands on the stacks' page, for who sees it for the first time. */
static void add_sight(struct text *out, const struct theme *theme)
{
	struct text words = TEXT_INIT;

	text_add(out, "WHAT YOU SEE\n");
	add_entry(out, "LAST",
		  "what each device did in the last interval; below a device what it sits on, or what sits on it");
	add_entry(out, "BEFORE  AFTER",
		  "from b on: what was measured until then, and what is measured since, side by side");
	add_entry(out, "30s n30", "how long that is, and of how many bins of a second");
	text_addf(&words, "%s 51/49", theme_glyph(theme, GLYPH_SUM));
	add_entry(out, text_str(&words), "the paths or legs above it together, and the part of the I/O that each gets");
	text_clear(&words);
	text_addf(&words, "KNOBS  256%s8*", theme_glyph(theme, GLYPH_TO));
	add_entry(out, text_str(&words),
		  "attributes of the selected stack: 256 at BEFORE, 8 now; !: the devices below differ");
	add_entry(out, "last lines", "the selected device in words, and what its change amounts to");
	text_release(&words);
}

/* Keys by where they count; those of the place that the help was called from come first. */
static const struct {
	enum place place;
	const char *heading;
} chapters[] = {
	{ IN_LIST, "KEYS" },
	{ IN_KNOBS, "KEYS IN THE KNOBS" },
	{ IN_GRAPH, "KEYS IN THE GRAPH" },
	{ ON_EDIT, "KEYS WHILE A KNOB IS EDITED" },
	{ ON_JOURNAL, "KEYS IN THE JOURNAL" },
	{ ON_UNDO, "KEYS AMONG WHAT CAN BE SET BACK" },
	{ ON_QUIT, "KEYS WHEN ASKED ON LEAVING" },
	{ ON_COLUMNS, "KEYS AMONG THE COLUMNS" },
	{ ON_DETAIL, "KEYS ON A DEVICE'S PAGE" },
	{ ON_SYSTEM, "KEYS ON THE SYSTEM'S PAGE" },
};

/* The actions of a place that were not told already. */
static void add_chapter(struct text *out, size_t chapter, unsigned int told)
{
	bool any = false;

	for (const struct action *a = actions; a->name; a++) {
		if (!(a->places & chapters[chapter].place) || (a->places & told))
			continue;
		if (!any) {
			text_add(out, chapters[chapter].heading);
			text_add_char(out, '\n');
		}
		any = true;
		add_entry(out, a->keys_text, a->help);
	}
}

static void add_actions_here(struct text *out, enum place here)
{
	for (size_t i = 0; i < ARRAY_SIZE(chapters); i++) {
		if (chapters[i].place == here)
			add_chapter(out, i, 0);
	}
}

static void add_actions_elsewhere(struct text *out, enum place here)
{
	unsigned int told = here;

	for (size_t i = 0; i < ARRAY_SIZE(chapters); i++) {
		add_chapter(out, i, told);
		told |= chapters[i].place;
	}
}

static void add_marks(struct text *out, const struct theme *theme)
{
	struct text both = TEXT_INIT;

	text_addf(&both, "%s %s", theme_glyph(theme, GLYPH_ROSE), theme_glyph(theme, GLYPH_FELL));
	text_add(out, "MARKS AND VERDICTS\n");
	add_entry(out, text_str(&both), "the AFTER value rose or fell beyond the noise, and has done so for 5 seconds");
	add_entry(out, "-", "the value is not available");
	text_release(&both);
	for (enum verdict v = VERDICT_NA; v < VERDICTS; v++)
		add_entry(out, verdict_name(v), verdict_help(v));
}

static void add_columns(struct text *out, const struct view *v)
{
	text_add(out, "COLUMNS NOW SHOWN\n");
	for (size_t i = 0; i < v->layout.n_columns; i++)
		add_entry(out, metric_heading(&metrics[v->columns[i]], v->options->legacy),
			  metrics[v->columns[i]].help);
}

/* Bytes of the sentence that fit into `cells`, broken at a blank where there is one. */
static size_t break_at(const char *s, size_t cells)
{
	size_t len = strlen(s);
	size_t at = 0;
	size_t blank = 0;
	size_t used = 0;

	while (at < len && used < cells) {
		size_t n = text_utf8_len(s + at, len - at);

		if (s[at] == ' ')
			blank = at;
		at += n ? n : 1;
		used++;
	}
	if (at >= len || s[at] == ' ')
		return at;
	return blank ? blank : at;
}

/* Lines go by; those between top and top + height are drawn. */
struct pager {
	struct view *v;
	int line, top, height, width;
};

static struct pen pager_pen(const struct pager *p)
{
	struct pen pen = pen_at(&p->v->screen, 0, 2, p->width);

	pen.win = p->v->help;
	pen.y = 1 + p->line - p->top;
	pen.end = 2 + p->width;
	return pen;
}

static bool pager_shows(const struct pager *p)
{
	return p->line >= p->top && p->line < p->top + p->height;
}

static void page_heading(struct pager *p, const char *heading)
{
	struct pen pen = pager_pen(p);

	if (pager_shows(p))
		pen_put(&pen, ROLE_HEAD, heading);
	p->line++;
}

static void page_entry(struct pager *p, const char *about, const char *sentence)
{
	int text_cells_n = p->width - KEY_CELLS > LEAST_TEXT ? p->width - KEY_CELLS : LEAST_TEXT;
	bool first = true;
	bool above = (int)text_cells(about) >= KEY_CELLS;       /* it has a line of its own */

	if (above) {
		struct pen pen = pager_pen(p);

		if (pager_shows(p))
			pen_put(&pen, ROLE_KEY, about);
		p->line++;
	}
	do {
		size_t bytes = break_at(sentence, (size_t)text_cells_n);
		char *part = xstrndup(sentence, bytes);
		struct pen pen = pager_pen(p);

		if (pager_shows(p)) {
			if (first && !above)
				pen_put(&pen, ROLE_KEY, about);
			pen_to(&pen, 2 + KEY_CELLS);
			pen_put(&pen, ROLE_TEXT, part);
		}
		free(part);
		first = false;
		sentence += bytes;
		sentence += strspn(sentence, " ");
		p->line++;
	} while (*sentence);
}

static void page_all(struct pager *p, char *lines)
{
	char *next;

	for (char *line = lines; *line; line = next) {
		char *tab;

		next = strchr(line, '\n');
		*next++ = '\0';
		tab = strchr(line, '\t');
		if (!tab) {
			if (p->line)
				p->line++;      /* an empty line between chapters */
			page_heading(p, line);
			continue;
		}
		*tab = '\0';
		page_entry(p, line, tab + 1);
	}
}

static void draw_frame(struct view *v)
{
	const struct theme *theme = &v->screen.theme;
	int rows = getmaxy(v->help);
	int cols = getmaxx(v->help);

	for (int y = 0; y < rows; y++) {
		struct pen p = pen_at(&v->screen, 0, 0, cols);
		bool edge = y == 0 || y == rows - 1;

		p.win = v->help;
		p.y = y;
		p.end = cols;
		pen_glyph(&p, ROLE_DIM, y == 0 ? GLYPH_BOX_TL : edge ? GLYPH_BOX_BL : GLYPH_BOX_V);
		for (int x = 1; x < cols - 1; x++)
			pen_put(&p, ROLE_DIM, edge ? theme_glyph(theme, GLYPH_BOX_H) : " ");
		pen_glyph(&p, ROLE_DIM, y == 0 ? GLYPH_BOX_TR : edge ? GLYPH_BOX_BR : GLYPH_BOX_V);
	}
}

static void draw_hint(struct view *v, const struct pager *pager)
{
	struct pen p = pen_at(&v->screen, 0, 2, v->screen.cols);

	p.win = v->help;
	p.y = getmaxy(v->help) - 1;
	p.end = getmaxx(v->help) - 2;
	pen_put(&p, ROLE_DIM, pager->line > pager->top + pager->height ? " more: Down PgDn " : " end ");
	pen_put(&p, ROLE_DIM, " other keys close ");
}

void pane_help_close(struct view *v)
{
	if (!v->help)
		return;
	del_panel(v->help_panel);
	delwin(v->help);
	v->help = NULL;
	v->help_panel = NULL;
}

void pane_help_open(struct view *v)
{
	int cols = v->screen.cols < MOST_COLS ? v->screen.cols : MOST_COLS;

	pane_help_close(v);
	if (v->layout.too_small)
		return;
	v->help = newwin(v->screen.rows, cols, 0, (v->screen.cols - cols) / 2);
	v->help_panel = v->help ? new_panel(v->help) : NULL;
	if (v->help && !v->help_panel) {
		delwin(v->help);
		v->help = NULL;
	}
}

void pane_help_draw(struct view *v)
{
	struct text lines = TEXT_INIT;
	struct pager pager = { .v = v, .top = v->help_top };

	if (!v->help)
		return;
	pager.height = getmaxy(v->help) - 2;
	pager.width = getmaxx(v->help) - 4;
	if (v->place & STACKS_PAGE)
		add_sight(&lines, &v->screen.theme);
	add_actions_here(&lines, v->place);
	add_marks(&lines, &v->screen.theme);
	add_columns(&lines, v);
	add_actions_elsewhere(&lines, v->place);
	werase(v->help);
	draw_frame(v);
	page_all(&pager, lines.buf);
	draw_hint(v, &pager);
	/* never scroll past the end; the next frame draws it right */
	if (v->help_top > 0 && v->help_top > pager.line - pager.height) {
		v->help_top = pager.line > pager.height ? pager.line - pager.height : 0;
		if (v->help_top != pager.top) {
			text_release(&lines);
			pane_help_draw(v);
			return;
		}
	}
	text_release(&lines);
}

bool pane_help_key(struct view *v, int key)
{
	int step = key_step(key == ' ' ? K_PGDN : key, v->help ? getmaxy(v->help) - 3 : 1);

	if (step) {
		v->help_top = v->help_top + step > 0 ? v->help_top + step : 0;
		return true;
	}
	pane_help_close(v);
	/* leaving is meant when it is asked for; anything else only closes the help */
	return key != 'Q' && key != K_F10 && key != K_RESIZE;
}
