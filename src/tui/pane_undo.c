/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/pane_undo.h"

#include <string.h>

#include "base/msg.h"
#include "tui/pane.h"
#include "tui/view.h"

static const struct undo_choice own = { .own = true };

/* --- lists --- */

static void add_value(struct text *out, const char *value)
{
	struct text bare = TEXT_INIT;

	knob_written(value ? value : "not there", &bare);
	text_add_safe(out, text_str(&bare), bare.len);
	text_release(&bare);
}

static void add_line(struct text *out, const struct undo_line *line, const char *arrow)
{
	text_addf(out, "%s %s ", line->device, knob_name(line->path));
	add_value(out, line->from);
	text_addf(out, " %s ", arrow);
	add_value(out, line->to);
}

/* Returns how many of them are to be written. */
static size_t put_lines(struct view *v, struct sheet *s, const struct undo_choice *choice)
{
	const char *arrow = theme_glyph(&v->screen.theme, GLYPH_TO);
	struct undo_line *lines;
	size_t n = engine_undo_plan(v->engine, choice, &lines), writes = 0;
	struct text words = TEXT_INIT;

	for (size_t i = 0; i < n; i++) {
		text_clear(&words);
		add_line(&words, &lines[i], arrow);
		sheet_to(s, 3);
		sheet_put(s, lines[i].kind == RESTORE_WRITE ? ROLE_TEXT : ROLE_DIM, text_str(&words));
		if (lines[i].kind == RESTORE_CHANGED_ELSEWHERE)
			sheet_put(s, ROLE_WARN, "  changed by somebody else since: let alone");
		else if (lines[i].kind == RESTORE_ABSENT)
			sheet_put(s, ROLE_WARN, "  not there now");
		else
			writes++;
		sheet_end_line(s);
	}
	engine_undo_lines_free(lines, n);
	text_release(&words);
	return writes;
}

static size_t count_lines(struct view *v, const struct undo_choice *choice)
{
	struct undo_line *lines;
	size_t n = engine_undo_plan(v->engine, choice, &lines);

	engine_undo_lines_free(lines, n);
	return n;
}

/* --- undo --- */

void pane_undo_draw(struct view *v, struct area area)
{
	struct sheet *s = &v->sheet;
	size_t writes;

	sheet_clear(s);
	sheet_put(s, ROLE_ACCENT, v->undo.last_only ? "UNDO the last action" : "UNDO all");
	sheet_put(s, ROLE_DIM, "  Enter sets these back, Esc leaves them");
	sheet_end_line(s);
	writes = put_lines(v, s, &v->undo);
	if (!writes) {
		sheet_put(s, ROLE_DIM, "   nothing to be written: it is as it was, or let alone");
		sheet_end_line(s);
	}
	sheet_draw(s, &v->screen, area, &v->page_top);
}

void act_undo(struct view *v, int key)
{
	struct undo_choice choice = { .own = true, .last_only = key == 'u', .others = key == 'U' };

	if (engine_knobs_refused(v->engine)) {
		view_say(v, "%s", engine_knobs_refused(v->engine));
		return;
	}
	if (!count_lines(v, &choice)) {
		choice.others = true;
		view_say(v, key == 'u' && count_lines(v, &choice) ?
			 "nothing of this run; U lists what earlier ones left" : "nothing to undo");
		return;
	}
	v->undo = choice;
	engine_undo_ask(v->engine, &choice);
	panes_go(v, ON_UNDO);
}

void act_undo_do(struct view *v, int key)
{
	act_back(v, key);
	view_say(v, engine_undo(v->engine, &v->undo) ? "being set back" : "nothing to undo");
}

/* --- leaving --- */

static void put_pending(struct view *v, struct sheet *s)
{
	size_t n;
	const struct knob_action *actions = engine_actions(v->engine, &n);
	struct text words = TEXT_INIT;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < actions[i].n; j++) {
			if (actions[i].writes[j].state == WRITE_DONE)
				continue;
			text_clear(&words);
			knob_write_words(&actions[i].writes[j], theme_glyph(&v->screen.theme, GLYPH_TO), &words);
			sheet_to(s, 3);
			sheet_put(s, ROLE_WARN, text_str(&words));
			sheet_put(s, ROLE_DIM, "  (goes on after leaving)");
			sheet_end_line(s);
		}
	}
	text_release(&words);
}

static void put_key(struct sheet *s, const char *key, const char *words)
{
	sheet_to(s, 3);
	sheet_put(s, ROLE_KEY, key);
	sheet_to(s, 8);
	sheet_put(s, ROLE_TEXT, words);
	sheet_end_line(s);
}

void pane_quit_draw(struct view *v, struct area area)
{
	struct sheet *s = &v->sheet;

	sheet_clear(s);
	sheet_put(s, ROLE_ACCENT, "LEAVE");
	sheet_put(s, ROLE_TEXT, "  these knobs are not as they were:");
	sheet_end_line(s);
	put_lines(v, s, &own);
	put_pending(v, s);
	sheet_end_line(s);
	put_key(s, "r", "restore: set them back, then leave");
	put_key(s, "k", "keep them as they are and leave");
	put_key(s, "Esc", "stay");
	sheet_draw(s, &v->screen, area, &v->page_top);
}

void act_quit(struct view *v, int key)
{
	(void)key;
	if (v->options->restore_on_exit || (!count_lines(v, &own) && !engine_knobs_busy(v->engine))) {
		v->leave = true;
		return;
	}
	engine_undo_ask(v->engine, &own);
	panes_go(v, ON_QUIT);
}

void act_quit_now(struct view *v, int key)
{
	(void)key;
	v->leave = true;
}

void act_quit_restore(struct view *v, int key)
{
	/* setting back is a boundary; what was found is what stands until then */
	text_clear(&v->farewell);
	if (engine_before(v->engine))
		view_comparison(v, &v->farewell);
	v->leave_after = engine_undo(v->engine, &own);
	if (!v->leave_after) {
		v->leave = true;
		return;
	}
	act_back(v, key);
	view_say(v, "being set back; Q leaves without waiting");
}

void undo_news(struct view *v)
{
	size_t n;
	const struct knob_action *actions = engine_actions(v->engine, &n);

	for (size_t i = 0; i < n; i++) {
		bool failed = false;

		if (!v->leave_after || actions[i].number != v->leave_after || !actions[i].done)
			continue;
		for (size_t j = 0; j < actions[i].n; j++)
			failed |= knob_write_failed(&actions[i].writes[j]);
		v->leave_after = 0;
		/* what could not be set back is said, and the user decides anew */
		v->leave = !failed;
		if (failed)
			text_clear(&v->farewell);
	}
}

void undo_say_kept(struct view *v)
{
	size_t n;
	const struct knob_action *actions = engine_actions(v->engine, &n);
	struct undo_line *lines;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < actions[i].n; j++) {
			const struct knob_write *w = &actions[i].writes[j];

			if (w->state != WRITE_DONE)
				msg(w->device, "%s: still being written; the process that does it goes on",
				    w->path ? w->path : "setting back");
		}
	}
	n = v->options->restore_on_exit ? 0 : engine_undo_plan(v->engine, &own, &lines);
	if (v->options->restore_on_exit)
		return;
	for (size_t i = 0; i < n; i++) {
		struct text words = TEXT_INIT;

		text_addf(&words, "%s stays ", knob_name(lines[i].path));
		add_value(&words, lines[i].from);
		text_add(&words, "; it was ");
		add_value(&words, lines[i].to);
		msg(lines[i].device, "%s", text_str(&words));
		text_release(&words);
	}
	if (n)
		msg(NULL, "'iodelta knobs undo --all' sets back what stays changed");
	engine_undo_lines_free(lines, n);
}
