/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What became of a write, in words. */
#include "config.h"

#include <string.h>

#include "base/text.h"
#include "engine/state.h"

bool knob_write_failed(const struct knob_write *w)
{
	return w->error || w->n_rest || (!w->undo && w->outcome != KNOB_SET);
}

static void add_value(struct text *out, const char *value)
{
	struct text bare = TEXT_INIT;

	if (!value || !*value) {
		text_add(out, value ? "nothing" : "not there");
		return;
	}
	knob_written(value, &bare);
	text_add_safe(out, text_str(&bare), bare.len);
	text_release(&bare);
}

static void add_change(struct text *out, const struct knob_line *line, const char *arrow)
{
	text_add_safe(out, knob_name(line->path), strlen(knob_name(line->path)));
	text_add_char(out, ' ');
	add_value(out, line->from);
	text_addf(out, " %s ", arrow);
	add_value(out, line->to);
}

static void add_lines(struct text *out, const char *label, const struct knob_line *lines, size_t n,
		      const char *arrow)
{
	text_add(out, n ? label : "");
	for (size_t i = 0; i < n; i++) {
		text_add(out, i ? ", " : "");
		add_change(out, &lines[i], arrow);
	}
}

static void add_error(struct text *out, const struct knob_write *w)
{
	if (!strcmp(w->stage, "journal")) {
		text_addf(out, "not written, because the journal cannot be: %s", strerror(-w->error));
	} else if (!strcmp(w->stage, "helper")) {
		text_add(out, w->started_ns ?
			 "the process that wrote it is gone: iodelta knobs journal tells how far it came" :
			 "not written: the device does not answer");
	} else if (!strcmp(w->stage, "result")) {
		text_addf(out, "done, but the journal does not say so: %s", strerror(-w->error));
	} else {
		knob_error_words(w->path ? w->path : "", w->before, w->error, out);
	}
}

static void add_set(struct text *out, const struct knob_write *w, const char *arrow)
{
	text_add_char(out, ' ');
	text_add_safe(out, knob_name(w->path), strlen(knob_name(w->path)));
	if (w->state != WRITE_DONE) {
		text_addf(out, w->state == WRITE_RUNS ? ": being written: %s" : ": waits to be written: %s", w->asked);
		return;
	}
	if (w->error) {
		text_addf(out, " %s: ", w->asked);
		add_error(out, w);
		return;
	}
	if (w->outcome == KNOB_IGNORED) {
		text_addf(out, ": asked %s, ignored, still ", w->asked);
		add_value(out, w->after);
		return;
	}
	text_add_char(out, ' ');
	add_value(out, w->before);
	text_addf(out, " %s ", arrow);
	add_value(out, w->after);
	if (w->outcome == KNOB_KEPT_OTHER) {
		text_addf(out, ": asked %s, the kernel kept ", w->asked);
		add_value(out, w->after);
	}
}

void knob_write_words(const struct knob_write *w, const char *arrow, struct text *out)
{
	text_add_safe(out, w->device, strlen(w->device));
	if (!w->undo) {
		add_set(out, w, arrow);
		add_lines(out, "; with it ", w->lines, w->n_lines, arrow);
		return;
	}
	if (w->state != WRITE_DONE) {
		text_add(out, ": being set back");
		return;
	}
	add_lines(out, " set back: ", w->lines, w->n_lines, arrow);
	if (w->error && !w->n_rest) {
		text_add(out, ": ");
		add_error(out, w);
	} else if (!w->n_lines && !w->n_rest) {
		text_add(out, ": is as it was");
	}
	add_lines(out, "; NOT as it was: ", w->rest, w->n_rest, arrow);
}
