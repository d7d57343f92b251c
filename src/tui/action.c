/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/action.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"

/* --- moving --- */

static void act_move(struct view *v, int key)
{
	long page = v->layout.body.h > 1 ? v->layout.body.h - 1 : 1;
	const struct {
		int key;
		long by;
	} moves[] = {
		{ K_UP, -1 }, { 'k', -1 }, { K_DOWN, 1 }, { 'j', 1 }, { K_PGUP, -page }, { K_PGDN, page },
		{ K_HOME, -(long)v->rows.n }, { K_END, (long)v->rows.n },
	};

	for (size_t i = 0; i < ARRAY_SIZE(moves); i++) {
		if (moves[i].key == key)
			rows_move(&v->rows, moves[i].by);
	}
}

static void act_search(struct view *v, int key)
{
	(void)key;
	prompt_open(&v->prompt, PROMPT_SEARCH, "");
}

static void act_search_again(struct view *v, int key)
{
	view_find(v, key == 'N' ? -1 : 1);
}

static void act_filter(struct view *v, int key)
{
	(void)key;
	prompt_open(&v->prompt, PROMPT_FILTER, text_str(&v->filter));
}

static bool has_search(const struct view *v)
{
	return v->search.len > 0;
}

/* --- what is seen --- */

static void act_help(struct view *v, int key)
{
	(void)key;
	v->help_top = 0;
	pane_help_open(v);
}

static void act_shape(struct view *v, int key)
{
	(void)key;
	v->shape = (enum stack_view)((v->shape + 1) % VIEWS);
	view_rows(v);
}

static void act_set(struct view *v, int key)
{
	(void)key;
	if (v->options->n_columns) {
		v->first_own += v->layout.n_columns ? v->layout.n_columns : 1;
		if (v->first_own >= v->options->n_columns)
			v->first_own = 0;
	} else {
		v->set = (v->set + 1) % columns_sets();
	}
	view_layout(v);
}

static void act_value(struct view *v, int key)
{
	(void)key;
	if (engine_before(v->engine))
		v->two_interval = !v->two_interval;
	else
		v->one_segment = !v->one_segment;
	view_rows(v);
}

static void act_hidden(struct view *v, int key)
{
	(void)key;
	v->show_hidden = !v->show_hidden;
	rows_forget_shown(&v->rows);
	view_rows(v);
	view_say(v, v->show_hidden ? "all devices are shown" : "loop, ram and idle devices are hidden");
}

static void act_pane(struct view *v, int key)
{
	(void)key;
	v->before_in_front = !v->before_in_front;
	view_layout(v);
}

static bool panes_turn(const struct view *v)
{
	return engine_before(v->engine) && v->screen.cols < LAYOUT_TWO_PANES;
}

static void act_ascii(struct view *v, int key)
{
	struct theme *theme = &v->screen.theme;

	(void)key;
	if (!theme->glyphs && !v->screen.utf8) {
		view_say(v, "this locale has ASCII only");
		return;
	}
	theme->glyphs = !theme->glyphs;
	view_say(v, theme->glyphs ? "lines and marks are characters" : "lines and marks are ASCII");
}

static void act_redraw(struct view *v, int key)
{
	(void)key;
	screen_repaint(&v->screen);
}

/* --- sort --- */

static size_t sort_place(const struct view *v)
{
	size_t i = 0;

	while (i < v->layout.n_columns && v->columns[i] != v->sort_by)
		i++;
	return i;
}

static void act_sort(struct view *v, int key)
{
	size_t n = v->layout.n_columns;
	size_t at = sort_place(v);

	if (!n)
		return;
	if (key == 'I')
		v->ascending = !v->ascending;
	else if (key == K_F6)
		v->sorted = !v->sorted;
	else if (v->sorted && at < n)
		at = (at + (key == '>' ? 1 : n - 1)) % n;
	if (key != K_F6)
		v->sorted = true;
	v->sort_by = v->columns[at < n ? at : 0];
	view_rows(v);
}

/* --- fold --- */

/* The row that can be folded: the selected one, or the one it hangs from. */
static uint32_t fold_slot(struct view *v, bool up)
{
	const struct line *line = rows_selected(&v->rows);
	const struct stack *s = engine_stack(v->engine, v->shape);

	if (!line)
		return SLOT_NONE;
	if (up && (!s->rows[line->row].has_children || line->kind != LINE_DEVICE ||
		   rows_is_folded(&v->rows, line->slot)))
		return line->parent_slot;
	return line->slot;
}

static void select_slot(struct view *v, uint32_t slot)
{
	for (size_t i = 0; i < v->rows.n; i++) {
		if (v->rows.v[i].slot == slot && v->rows.v[i].kind == LINE_DEVICE) {
			rows_select(&v->rows, i);
			return;
		}
	}
}

static void act_fold(struct view *v, int key)
{
	uint32_t slot = fold_slot(v, key == '-');

	if (key == '*') {
		rows_fold_all(&v->rows, v->engine, v->shape);
		view_rows(v);
		return;
	}
	if (slot == SLOT_NONE)
		return;
	rows_set_folded(&v->rows, slot, key == '-');
	view_rows(v);
	if (key == '-')
		select_slot(v, slot);
}

/* --- segments --- */

static bool has_before(const struct view *v)
{
	return engine_before(v->engine) != NULL;
}

static bool has_after(const struct view *v)
{
	return segment_bins(engine_after(v->engine)) > 0;
}

static void act_before(struct view *v, int key)
{
	(void)key;
	if (!engine_pin_before(v->engine)) {
		view_say(v, "AFTER has gathered nothing yet");
		return;
	}
	v->before_in_front = false;
	view_layout(v);
	view_rows(v);
}

static void act_drop(struct view *v, int key)
{
	(void)key;
	engine_drop_before(v->engine);
	rows_forget_shown(&v->rows);
	view_layout(v);
	view_rows(v);
}

static void act_restart(struct view *v, int key)
{
	(void)key;
	engine_restart_after(v->engine);
	rows_forget_shown(&v->rows);
	view_rows(v);
	view_say(v, "AFTER starts anew");
}

static void act_hold(struct view *v, int key)
{
	(void)key;
	engine_toggle_hold(v->engine);
	view_say(v, engine_hold_state(v->engine) == HOLD_NONE ? "AFTER goes on" : "AFTER is held until H");
}

static void act_auto_hold(struct view *v, int key)
{
	(void)key;
	engine_toggle_auto_hold(v->engine);
	view_say(v, engine_auto_hold(v->engine) ? "AFTER is held by itself while the stack is idle"
		: "AFTER goes on while the stack is idle");
}

static void act_mark(struct view *v, int key)
{
	(void)key;
	view_say(v, "mark %u", engine_add_mark(v->engine));
}

/* --- the comparison as a file --- */

static void comparison_name(const struct view *v, struct text *name)
{
	const struct sample *sample = engine_sample(v->engine);
	time_t now = (time_t)(clock_wall_ns() / NS_PER_S);
	char stamp[32];
	struct tm tm;

	text_add(name, "iodelta-comparison-");
	if (engine_is_stepped(v->engine) || !localtime_r(&now, &tm) ||
	    !strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm))
		text_addf(name, "%lld", (long long)(sample ? sample->t_ns / NS_PER_S : 0));
	else
		text_add(name, stamp);
	text_add(name, ".txt");
}

static int save_new(const char *name, const struct text *what)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
	size_t done = 0;
	int error = 0;

	if (fd < 0)
		return -errno;
	while (done < what->len && !error) {
		ssize_t n = write(fd, what->buf + done, what->len - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			error = -errno;
	}
	if (close(fd) < 0 && !error)
		error = -errno;
	return error;
}

static void act_save(struct view *v, int key)
{
	struct text name = TEXT_INIT;
	struct text what = TEXT_INIT;
	int error;

	(void)key;
	if (!has_before(v)) {
		view_say(v, "nothing to compare with: b makes a BEFORE");
		return;
	}
	comparison_name(v, &name);
	view_comparison(v, &what);
	error = save_new(text_str(&name), &what);
	if (error)
		view_say(v, "%s: %s", text_str(&name), strerror(-error));
	else
		view_say(v, "the comparison is in %s", text_str(&name));
	text_release(&name);
	text_release(&what);
}

/* --- the loop --- */

static void act_interval(struct view *v, int key)
{
	static const double turns[] = { 0.1, 0.5, 1, 2, 5, 10 };
	double now = engine_nominal_interval_s(v->engine);
	size_t i = 0;

	(void)key;
	while (i < ARRAY_SIZE(turns) && turns[i] <= now * 1.001)
		i++;
	engine_set_interval(v->engine, turns[i % ARRAY_SIZE(turns)]);
	view_say(v, "interval %g s", turns[i % ARRAY_SIZE(turns)]);
}

static void act_pause(struct view *v, int key)
{
	(void)key;
	engine_set_paused(v->engine, !engine_paused(v->engine));
}

static void act_quit(struct view *v, int key)
{
	(void)key;
	v->leave = true;
}

const struct action actions[] = {
	{ "help", { K_F1, 'h', '?' }, "F1 h ?", "this help", act_help, NULL, "F1", "help" },
	{ "before", { 'b' }, "b", "what AFTER has gathered becomes BEFORE, pinned; AFTER starts anew", act_before,
	  has_after, "b", "Before" },
	{ "drop", { 'B' }, "B", "drop BEFORE", act_drop, has_before, "B", "drop" },
	{ "restart", { 'r' }, "r", "start AFTER anew", act_restart, NULL, "r", "Restart" },
	{ "search", { K_F3, '/' }, "F3 /", "find a device by name, part of a name, glob or mount point", act_search,
	  NULL, "/", "find" },
	{ "search-again", { 'n', 'N' }, "n N", "find the next, the previous one", act_search_again, has_search,
	  NULL, NULL },
	{ "filter", { K_F4, '\\' }, "F4 \\",
	  "show only the devices that match, and what they hang from; empty shows all", act_filter, NULL, "\\",
	  "filt" },
	{ "columns", { 'x' }, "x", "next set of columns", act_set, NULL, "x", "set" },
	{ "tree", { K_F5, 't' }, "F5 t", "tree, inverse tree (what sits on top comes first), flat list", act_shape,
	  NULL, "t", "Tree" },
	{ "pane", { K_TAB, K_BACKTAB }, "Tab S-Tab", "the other pane, where there is room for one", act_pane,
	  panes_turn, "Tab", "pane" },
	{ "value", { 'v' }, "v", "the last interval, or all that AFTER has gathered", act_value, NULL, "v", "Int" },
	{ "hidden", { 'z' }, "z", "show or hide loop, ram and idle devices", act_hidden, NULL, "z", "Hidden" },
	{ "move", { K_UP, K_DOWN, 'k', 'j' }, "Up Down k j", "move the selection", act_move, NULL, NULL, NULL },
	{ "page", { K_PGUP, K_PGDN, K_HOME, K_END }, "PgUp PgDn Home End", "move it by pages, to the ends", act_move,
	  NULL, NULL, NULL },
	{ "sort", { K_F6, '<', '>', 'I' }, "F6 < > I",
	  "sort the stacks: on and off, by the column before, by the next, the other way round", act_sort, NULL,
	  NULL, NULL },
	{ "fold", { '+', '-', '*' }, "+ - *", "open, fold a stack; all of them", act_fold, NULL, NULL, NULL },
	{ "hold", { 'H' }, "H", "hold AFTER, let it go on", act_hold, NULL, NULL, NULL },
	{ "auto-hold", { 'G' }, "G", "let AFTER be held by itself while the selected stack is idle, or not",
	  act_auto_hold, NULL, NULL, NULL },
	{ "mark", { 'm' }, "m", "set a numbered mark", act_mark, NULL, NULL, NULL },
	{ "save", { 'y' }, "y", "write the comparison into a file here", act_save, has_before, "y", "save" },
	{ "interval", { 'd' }, "d", "next interval: 0.1 0.5 1 2 5 10 s", act_interval, NULL, NULL, NULL },
	{ "pause", { 'Z' }, "Z", "pause, go on", act_pause, NULL, NULL, NULL },
	{ "ascii", { 'A' }, "A", "draw with ASCII only, or not", act_ascii, NULL, NULL, NULL },
	{ "redraw", { K_CTRL_L }, "^L", "draw the screen anew", act_redraw, NULL, NULL, NULL },
	{ "quit", { 'q', K_F10, 'Q' }, "q F10 Q", "leave; with a BEFORE the comparison is printed", act_quit, NULL,
	  "q", "Quit" },
	{ .name = NULL }
};

const struct action *action_find(int key)
{
	for (const struct action *a = actions; a->name; a++) {
		for (size_t i = 0; i < ACTION_KEYS && a->keys[i]; i++) {
			if (a->keys[i] == key)
				return a;
		}
	}
	return NULL;
}
