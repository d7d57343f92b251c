/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal: opening, drawing, input, leaving it sane. With a script there is no terminal: curses draws on /dev/null
 * and its virtual screen is read back.
 *
 * Ownership: screen_open and screen_close; windows belong to the screen unless said otherwise.
 */
#ifndef IODELTA_TUI_SCREEN_H
#define IODELTA_TUI_SCREEN_H

#include "base/text.h"
#include "tui/theme.h"

#define SCREEN_LEAST_ROWS 10
#define SCREEN_LEAST_COLS 40

struct screen {
	SCREEN *terminal;
	FILE *in, *out;         /* with a script: /dev/null, else NULL */
	WINDOW *input;          /* keys are read through this pad, so that reading draws nothing */
	int rows, cols;
	unsigned char *roles;   /* what was drawn in each cell: role + 1, ROLE_SELECTED added on the selected row */
	bool utf8;              /* the locale's characters are UTF-8 */
	struct theme theme;
};

#define ROLE_SELECTED 0x80

/* Returns 0, or 1 after a message. */
int screen_open(struct screen *s, bool script, bool ascii, bool no_color) __attribute__((nonnull, warn_unused_result));
void screen_close(struct screen *s) __attribute__((nonnull));

/* Take the size that curses has now. */
void screen_resized(struct screen *s) __attribute__((nonnull));
/* Set the size (a script's). */
void screen_resize(struct screen *s, int rows, int cols) __attribute__((nonnull));

/* The next key, or 0 when there is none now. */
int screen_key(struct screen *s) __attribute__((nonnull));
/* A click, or the wheel: -1 up, 1 down. */
struct click {
	int y, x, wheel;
};

/* Have clicks given as K_MOUSE; then screen_click says where. */
void screen_take_mouse(struct screen *s) __attribute__((nonnull));
bool screen_click(struct screen *s, struct click *click) __attribute__((nonnull));

/* The terminal takes output now; with ^S, or at the end of a line that stands still, a frame would wait in write(2). */
bool screen_takes(const struct screen *s) __attribute__((nonnull));

/* The terminal is gone. */
bool screen_lost(const struct screen *s) __attribute__((nonnull));

/* After a stop that curses did not see (not by ^Z) the terminal is taken again; to be called now and then. */
void screen_signalled(struct screen *s) __attribute__((nonnull));
/* Start a frame with an empty screen, end it with one update. */
void screen_begin(struct screen *s) __attribute__((nonnull));
void screen_end(struct screen *s) __attribute__((nonnull));
/* Send everything anew with the next frame. */
void screen_repaint(struct screen *s) __attribute__((nonnull));

/* What is on the screen, as text: a line a row, trailing blanks cut; or the roles' letters. */
void screen_dump(const struct screen *s, struct text *out) __attribute__((nonnull));
void screen_dump_style(const struct screen *s, struct text *out) __attribute__((nonnull));

/* A place to write at, on one line, that never writes past its end. */
struct pen {
	struct screen *screen;
	WINDOW *win;
	int y, x, end;
	bool selected;
};

/* `w` cells of the screen's line y from x on. */
struct pen pen_at(struct screen *s, int y, int x, int w) __attribute__((nonnull));
void pen_put(struct pen *p, enum role role, const char *s) __attribute__((nonnull));
void pen_glyph(struct pen *p, enum role role, enum glyph g) __attribute__((nonnull));
/* Right-aligned in `w` cells. */
void pen_right(struct pen *p, enum role role, const char *s, int w) __attribute__((nonnull));
/* Blanks up to column x of the window. */
void pen_to(struct pen *p, int x) __attribute__((nonnull));
/* Cells that are left. */
int pen_room(const struct pen *p) __attribute__((nonnull));

#endif
