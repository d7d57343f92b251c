/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/news.h"

#include "base/alloc.h"
#include "tui/view.h"

static void say_action(struct view *v, const struct knob_action *action)
{
	struct text words = TEXT_INIT;
	size_t failed = 0, shown = 0;

	for (size_t i = 0; i < action->n; i++)
		failed += knob_write_failed(&action->writes[i]);
	/* of several those that went wrong are told first */
	for (size_t i = 0; i < action->n && failed; i++) {
		if (knob_write_failed(&action->writes[i])) {
			shown = i;
			break;
		}
	}
	if (action->n)
		knob_write_words(&action->writes[shown], theme_glyph(&v->screen.theme, GLYPH_TO), &words);
	if (action->n > 1)
		text_addf(&words, " (and %zu more%s)", action->n - 1, failed ? "; J tells" : "");
	else if (!action->undo && !failed)
		text_add(&words, "; u sets it back");
	view_say(v, "%s", text_str(&words));
	text_release(&words);
}

static void say_left_behind(struct view *v)
{
	struct undo_choice choice = { .others = true };
	struct undo_line *lines;
	size_t n;

	if (v->told_left || !engine_journal(v->engine))
		return;
	v->told_left = true;
	n = engine_undo_plan(v->engine, &choice, &lines);
	engine_undo_lines_free(lines, n);
	if (n)
		view_say(v, "an earlier run left %zu knob%s changed: U lists them and sets them back", n,
			 n == 1 ? "" : "s");
}

static void tell_actions(struct view *v)
{
	size_t n;
	const struct knob_action *actions = engine_actions(v->engine, &n);

	ARRAY_GROW(v->told, v->told_capacity, n + 1);
	while (v->n_told < n)
		v->told[v->n_told++] = false;
	for (size_t i = 0; i < n; i++) {
		if (!actions[i].done || v->told[i])
			continue;
		v->told[i] = true;
		say_action(v, &actions[i]);
	}
}

/* Somebody else turns knobs: the running stretch is spoilt by it. */
static void tell_drift(struct view *v)
{
	size_t n;
	const struct happening *h = engine_happenings(v->engine, &n);

	for (size_t i = 0; i < n; i++) {
		if (h[i].number > v->told_happening && h[i].drift)
			view_say(v, "%s: %s", h[i].device, h[i].what);
	}
	if (n)
		v->told_happening = h[n - 1].number;
}

void news_tell(struct view *v)
{
	tell_drift(v);
	tell_actions(v);
	say_left_behind(v);
	undo_news(v);
}
