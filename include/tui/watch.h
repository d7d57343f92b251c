/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen. tui knows the engine's header and the model; what it needs from out is handed in as a function.
 */
#ifndef IODELTA_TUI_WATCH_H
#define IODELTA_TUI_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/text.h"
#include "engine/engine.h"
#include "tui/palette.h"

struct watch_options {
	struct engine *engine;
	const char *const *words;       /* DEVICE arguments */
	size_t n_words;
	const enum metric_id *columns;  /* --columns, replaces the column sets; NULL: the sets */
	size_t n_columns;
	bool legacy;
	bool ascii;
	bool no_color;
	bool has_interval;              /* -i was given: no setting changes it */
	bool has_palette;
	enum palette palette;           /* --theme, if has_palette */
	bool no_settings;
	bool mouse;
	bool restore_on_exit;           /* the engine sets knobs back on leaving */
	const char *script;             /* --script FILE, NULL: the terminal */
	/* the comparison of the devices that are `shown` (by slot) as text: for `y` and on leaving */
	void (*comparison)(struct engine *e, const bool *shown, size_t n, struct text *out);
};

/* Run until the user leaves or a signal ends it. Returns the exit status. */
int watch_run(const struct watch_options *options) __attribute__((nonnull, warn_unused_result));

/* The keys as "keys<TAB>what they do" lines, one an action, for --help and the man page's check. */
void watch_keys(struct text *out) __attribute__((nonnull));

#endif
