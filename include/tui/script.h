/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --script: the screen driven by lines of a file, for tests and for the pictures in the README. */
#ifndef IODELTA_TUI_SCRIPT_H
#define IODELTA_TUI_SCRIPT_H

#include "tui/view.h"

enum script_verb {
	SCRIPT_NOTHING, SCRIPT_SIZE, SCRIPT_KEY, SCRIPT_TEXT, SCRIPT_STEP, SCRIPT_WAIT_PENDING, SCRIPT_WAIT_IDLE,
	SCRIPT_DUMP, SCRIPT_DUMP_STYLE, SCRIPT_CLICK
};

/* One line taken apart. */
struct script_line {
	enum script_verb verb;
	int rows, cols;         /* size */
	int y, x;               /* click */
	int key;                /* key */
	unsigned int count;     /* step */
	const char *rest;       /* text, dump: points into the line */
};

/* NULL, or why the line is wrong. */
const char *script_parse(const char *line, struct script_line *out) __attribute__((nonnull, warn_unused_result));

/* Run a script on an open view. Returns 0, 2 after a message with file and line, 1 when there is no sample. */
int script_run(struct view *v, const char *path) __attribute__((nonnull, warn_unused_result));

#endif
