/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/acts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/file.h"
#include "tui/key.h"

/* --- moving --- */

void act_move(struct view *v, int key)
{
	rows_move(&v->rows, key_step(key, v->layout.body.h - 1));
}

void act_search(struct view *v, int key)
{
	(void)key;
	prompt_open(&v->prompt, PROMPT_SEARCH, "");
}

void act_search_again(struct view *v, int key)
{
	view_find(v, key == 'N' ? -1 : 1);
}

void act_filter(struct view *v, int key)
{
	(void)key;
	prompt_open(&v->prompt, PROMPT_FILTER, text_str(&v->filter));
}

bool can_search_again(const struct view *v)
{
	return v->search.len > 0;
}

/* --- what is seen --- */

void act_help(struct view *v, int key)
{
	(void)key;
	v->help_top = 0;
	pane_help_open(v);
}

void act_shape(struct view *v, int key)
{
	(void)key;
	v->shape = (enum stack_view)((v->shape + 1) % VIEWS);
	view_rows(v);
}

void act_set(struct view *v, int key)
{
	(void)key;
	if (v->n_own) {
		v->first_own += v->layout.n_columns ? v->layout.n_columns : 1;
		if (v->first_own >= v->n_own)
			v->first_own = 0;
	} else {
		v->set = (v->set + 1) % columns_sets();
	}
	view_layout(v);
}

void act_value(struct view *v, int key)
{
	(void)key;
	if (engine_before(v->engine))
		v->two_interval = !v->two_interval;
	else
		v->one_segment = !v->one_segment;
	view_rows(v);
}

void act_hidden(struct view *v, int key)
{
	(void)key;
	v->show_hidden = !v->show_hidden;
	rows_forget_shown(&v->rows);
	view_rows(v);
	view_say(v, v->show_hidden ? "all devices are shown" : "loop, ram and idle devices are hidden");
}

void act_ascii(struct view *v, int key)
{
	struct theme *theme = &v->screen.theme;

	(void)key;
	if (!theme->glyphs && !v->screen.utf8) {
		view_say(v, "this locale has ASCII only");
		return;
	}
	theme->glyphs = !theme->glyphs;
	v->ascii = !theme->glyphs;
	view_say(v, theme->glyphs ? "lines and marks are characters" : "lines and marks are ASCII");
}

void act_theme(struct view *v, int key)
{
	(void)key;
	v->palette = (enum palette)((v->palette + 1) % PALETTES);
	theme_use(&v->screen.theme, v->palette);
	view_say(v, "theme: %s", palette_name(v->palette));
}

void act_redraw(struct view *v, int key)
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

void act_sort(struct view *v, int key)
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

void act_fold(struct view *v, int key)
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

/* --- tags --- */

void act_tag(struct view *v, int key)
{
	const struct line *line = rows_selected(&v->rows);

	(void)key;
	if (!line || line->slot == SLOT_NONE)
		return;
	rows_set_tagged(&v->rows, line->slot, !rows_is_tagged(&v->rows, line->slot));
	rows_move(&v->rows, 1);
	view_rows(v);
}

bool can_tagged(const struct view *v)
{
	return v->tagged_only || rows_any_tagged(&v->rows);
}

void act_tagged(struct view *v, int key)
{
	(void)key;
	if (!can_tagged(v)) {
		view_say(v, "nothing is tagged: Space tags a device");
		return;
	}
	v->tagged_only = !v->tagged_only;
	view_rows(v);
	view_say(v, v->tagged_only ? "only tagged devices are shown" : "all devices are shown");
}

/* --- segments --- */

bool can_drop(const struct view *v)
{
	return engine_before(v->engine) != NULL;
}

bool can_pin(const struct view *v)
{
	return segment_bins(engine_after(v->engine)) > 0;
}

void act_before(struct view *v, int key)
{
	(void)key;
	if (!engine_pin_before(v->engine)) {
		view_say(v, "AFTER has gathered nothing yet");
		return;
	}
	v->before_in_front = false;
	view_rows(v);
}

void act_drop(struct view *v, int key)
{
	(void)key;
	engine_drop_before(v->engine);
	rows_forget_shown(&v->rows);
	view_rows(v);
}

void act_restart(struct view *v, int key)
{
	(void)key;
	engine_restart_after(v->engine);
	rows_forget_shown(&v->rows);
	view_rows(v);
	view_say(v, "AFTER starts anew");
}

void act_hold(struct view *v, int key)
{
	(void)key;
	engine_toggle_hold(v->engine);
	view_say(v, engine_hold_state(v->engine) == HOLD_NONE ? "AFTER goes on" : "AFTER is held until H");
}

void act_auto_hold(struct view *v, int key)
{
	(void)key;
	engine_toggle_auto_hold(v->engine);
	view_say(v, engine_auto_hold(v->engine) ? "AFTER is held by itself while the stack is idle"
		: "AFTER goes on while the stack is idle");
}

void act_mark(struct view *v, int key)
{
	(void)key;
	prompt_open(&v->prompt, PROMPT_MARK, "");
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
	int error;

	if (fd < 0)
		return -errno;
	error = file_write(fd, what);
	if (close(fd) < 0 && !error)
		error = -errno;
	return error;
}

void act_save(struct view *v, int key)
{
	struct text name = TEXT_INIT;
	struct text what = TEXT_INIT;
	int error;

	(void)key;
	if (!can_drop(v)) {
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

void act_interval(struct view *v, int key)
{
	struct text now = TEXT_INIT;

	(void)key;
	text_addf(&now, "%g", engine_nominal_interval_s(v->engine));
	prompt_open(&v->prompt, PROMPT_INTERVAL, text_str(&now));
	text_release(&now);
}

void act_pause(struct view *v, int key)
{
	(void)key;
	engine_set_paused(v->engine, !engine_paused(v->engine));
}

/* --- pages --- */

void act_detail(struct view *v, int key)
{
	(void)key;
	if (rows_selected(&v->rows))
		panes_go(v, ON_DETAIL);
}

void act_system(struct view *v, int key)
{
	(void)key;
	panes_go(v, ON_SYSTEM);
}

void act_scroll(struct view *v, int key)
{
	v->page_top += key_step(key, v->layout.page.h - 1);
}

void act_neighbour(struct view *v, int key)
{
	size_t from;

	/* sums and references have no page of their own */
	do {
		from = v->rows.selected;
		rows_move(&v->rows, key == K_LEFT ? -1 : 1);
	} while (v->rows.selected != from && rows_selected(&v->rows)->kind != LINE_DEVICE);
	view_rows(v);
}
