/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/watch.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/quit.h"
#include "tui/action.h"
#include "tui/script.h"
#include "tui/settings.h"
#include "tui/news.h"
#include "tui/view.h"

#define EMPTY_READS 20          /* of input that is there and gives no key: nobody is at the other end */
#define OWED_MS 100             /* until a terminal that took no frame is asked again */

static void take_keys(struct view *v, unsigned int *empty_reads, bool input)
{
	bool any = false;
	int key;

	while (!v->leave && (key = screen_key(&v->screen)) != 0) {
		any |= key != K_RESIZE;
		view_key(v, key);
	}
	*empty_reads = input && !any ? *empty_reads + 1 : 0;
	if (input && (screen_lost(&v->screen) || *empty_reads > EMPTY_READS))
		quit_ask(SIGHUP);
}

static void take_event(struct view *v, enum engine_event event)
{
	switch (event) {
	case ENGINE_SAMPLE:
	case ENGINE_STACKS:
	case ENGINE_ATTRIBUTES:
		view_rows(v);
		news_tell(v);
		break;
	case ENGINE_END:
		v->ended = true;
		break;
	case ENGINE_FAILED:
		v->leave = true;
		v->status = 1;
		break;
	case ENGINE_NONE:
	case ENGINE_INPUT:
	case ENGINE_SIGNAL:
		break;
	}
}

static void loop(struct view *v)
{
	unsigned int empty_reads = 0;
	bool drawn = false, owed = false;

	view_layout(v);
	while (!v->leave && !quit_signal()) {
		enum engine_event event = engine_next(v->engine, STDIN_FILENO, owed ? OWED_MS : -1);

		screen_signalled(&v->screen);
		take_event(v, event);
		take_keys(v, &empty_reads, event == ENGINE_INPUT);
		/* a frame that is left out is better than a measuring that waits for it */
		owed = !screen_takes(&v->screen);
		if (owed || v->leave || quit_signal())
			continue;
		view_draw(v);
		if (!drawn)
			msg_debug("first frame");
		drawn = true;
	}
}

/* The finding outlives the screen. A reader that has gone away needs no message. Returns the exit status. */
static int print_comparison(struct view *v)
{
	struct text out = TEXT_INIT;
	int error;

	if (quit_signal() == SIGHUP || !engine_before(v->engine))
		return 0;
	if (v->farewell.len)
		text_add_n(&out, v->farewell.buf, v->farewell.len);
	else
		view_comparison(v, &out);
	error = file_write(STDOUT_FILENO, &out);
	text_release(&out);
	if (!error || error == -EPIPE || error == -EIO)
		return 0;
	msg_errno("standard output", error);
	return 1;
}

static void repeat_messages(const struct view *v)
{
	for (size_t i = 0; i < v->messages.n; i++)
		msg(NULL, "%s", v->messages.said[i]);
}

int watch_run(const struct watch_options *options)
{
	struct view v;
	int status;

	view_init(&v, options);
	msg_set_sink(view_hear, &v);
	if (!options->no_settings)
		settings_read(&v);
	status = screen_open(&v.screen, options->script != NULL, v.ascii || options->ascii, options->no_color);
	if (status) {
		msg_set_sink(NULL, NULL);
		repeat_messages(&v);
		view_release(&v);
		return status;
	}
	theme_use(&v.screen.theme, v.palette);
	engine_read_journal(options->engine);
	if (options->mouse)
		screen_take_mouse(&v.screen);
	if (options->script) {
		screen_resize(&v.screen, 24, 80);
		status = script_run(&v, options->script);
	} else {
		loop(&v);
		status = v.status;
	}
	pane_help_close(&v);
	screen_close(&v.screen);
	msg_set_sink(NULL, NULL);
	if (!status)
		status = print_comparison(&v);
	repeat_messages(&v);
	undo_say_kept(&v);
	view_release(&v);
	return status;
}

void watch_keys(struct text *out)
{
	for (const struct action *a = actions; a->name; a++) {
		text_add(out, a->keys_text);
		text_add_char(out, '\t');
		text_add(out, a->help);
		text_add_char(out, '\n');
	}
}
