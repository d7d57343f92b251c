/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How things look: style roles and glyphs, one table each. Colour never says anything alone; reverse video is the
 * selection.
 */
#ifndef IODELTA_TUI_THEME_H
#define IODELTA_TUI_THEME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <curses.h>

#include "tui/palette.h"

enum role {
	ROLE_TEXT, ROLE_HEAD, ROLE_DIM, ROLE_ACCENT, ROLE_BETTER, ROLE_WORSE, ROLE_CHANGED, ROLE_WARN, ROLE_KEY,
	ROLE_MESSAGE,
	ROLES
};

enum glyph {
	GLYPH_FOLD_OPEN, GLYPH_FOLD_SHUT, GLYPH_LEG, GLYPH_LEG_LAST, GLYPH_LEG_LINE, GLYPH_LEG_ARM,
	GLYPH_CHILD, GLYPH_CHILD_LAST, GLYPH_CHILD_LINE, GLYPH_CHILD_ARM, GLYPH_SUM, GLYPH_REFERENCE, GLYPH_ROSE,
	GLYPH_FELL, GLYPH_TO, GLYPH_DOT, GLYPH_BAR, GLYPH_CUT, GLYPH_PLUS_MINUS, GLYPH_BOX_H, GLYPH_BOX_V,
	GLYPH_BOX_TL, GLYPH_BOX_TR, GLYPH_BOX_BL, GLYPH_BOX_BR,
	GLYPHS
};

enum colours { COLOURS_NONE, COLOURS_8, COLOURS_256 };

struct theme {
	bool glyphs;            /* more than ASCII can be drawn */
	enum colours colours;
	enum colours able;      /* what the terminal and the user allow */
};

/* Make the colour pairs; curses is up. */
void theme_start(struct theme *theme, bool glyphs, bool no_color) __attribute__((nonnull));
/* Take a palette, as far as the terminal can. */
void theme_use(struct theme *theme, enum palette palette) __attribute__((nonnull));
const char *theme_glyph(const struct theme *theme, enum glyph g) __attribute__((nonnull, returns_nonnull));
attr_t theme_attributes(const struct theme *theme, enum role role) __attribute__((nonnull));
short theme_pair(const struct theme *theme, enum role role) __attribute__((nonnull));
/* The letter of a role in a style dump; a capital on the selected row. */
char theme_letter(enum role role, bool selected);

#endif
