/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/theme.h"

#include <stdlib.h>

struct colour {
	short fg_256, fg_8;     /* -1: the terminal's own */
};

struct style {
	char letter;            /* in style dumps */
	struct colour colours[PALETTE_MONO];    /* by palette */
	attr_t colour_attributes;
	attr_t mono_attributes;
};

/* Grey is a colour of its own where there are enough; bold black and A_DIM are unreadable on many terminals. */
static const struct style styles[ROLES] = {
	[ROLE_TEXT] = { 't', { { -1, -1 }, { -1, -1 } }, A_NORMAL, A_NORMAL },
	[ROLE_HEAD] = { 'h', { { -1, -1 }, { -1, -1 } }, A_BOLD, A_BOLD },
	[ROLE_DIM] = { 'd', { { 245, -1 }, { 241, -1 } }, A_NORMAL, A_NORMAL },
	[ROLE_ACCENT] = { 'a', { { 80, COLOR_CYAN }, { 25, COLOR_BLUE } }, A_BOLD, A_UNDERLINE },
	[ROLE_BETTER] = { 'b', { { 78, COLOR_GREEN }, { 28, COLOR_GREEN } }, A_BOLD, A_BOLD },
	[ROLE_WORSE] = { 'w', { { 209, COLOR_RED }, { 160, COLOR_RED } }, A_BOLD, A_BOLD },
	[ROLE_CHANGED] = { 'c', { { -1, -1 }, { -1, -1 } }, A_BOLD, A_BOLD },
	[ROLE_WARN] = { 'y', { { 221, COLOR_YELLOW }, { 130, COLOR_MAGENTA } }, A_NORMAL, A_BOLD },
	[ROLE_KEY] = { 'k', { { 80, COLOR_CYAN }, { 25, COLOR_BLUE } }, A_NORMAL, A_BOLD },
	[ROLE_MESSAGE] = { 'm', { { 221, COLOR_YELLOW }, { 130, COLOR_MAGENTA } }, A_NORMAL, A_BOLD },
};

static const struct {
	const char *wide, *ascii;
} glyphs[GLYPHS] = {
	[GLYPH_FOLD_OPEN] = { "▾", "-" },
	[GLYPH_FOLD_SHUT] = { "▸", "+" },
	[GLYPH_LEG] = { "╠", "|" },
	[GLYPH_LEG_LAST] = { "╚", "`" },
	[GLYPH_LEG_LINE] = { "║", "|" },
	[GLYPH_LEG_ARM] = { "═", "=" },
	[GLYPH_CHILD] = { "├", "|" },
	[GLYPH_CHILD_LAST] = { "└", "`" },
	[GLYPH_CHILD_LINE] = { "│", "|" },
	[GLYPH_CHILD_ARM] = { "─", "-" },
	[GLYPH_SUM] = { "Σ", "sum" },
	[GLYPH_REFERENCE] = { "↑", "^" },
	[GLYPH_ROSE] = { "▲", "^" },
	[GLYPH_FELL] = { "▼", "v" },
	[GLYPH_TO] = { "→", "->" },
	[GLYPH_DOT] = { "·", "-" },
	[GLYPH_BAR] = { "│", "|" },
	[GLYPH_CUT] = { "…", "~" },
	[GLYPH_PLUS_MINUS] = { "±", "+-" },
	[GLYPH_BOX_H] = { "─", "-" },
	[GLYPH_BOX_V] = { "│", "|" },
	[GLYPH_BOX_TL] = { "┌", "+" },
	[GLYPH_BOX_TR] = { "┐", "+" },
	[GLYPH_BOX_BL] = { "└", "+" },
	[GLYPH_BOX_BR] = { "┘", "+" },
};

void theme_start(struct theme *theme, bool wide, bool no_color)
{
	const char *wish = getenv("NO_COLOR");

	theme->glyphs = wide;
	theme->colours = theme->able = COLOURS_NONE;
	if (no_color || (wish && *wish) || !has_colors() || start_color() == ERR)
		return;
	theme->able = COLORS >= 256 ? COLOURS_256 : COLOURS_8;
	theme_use(theme, PALETTE_DEFAULT);
}

void theme_use(struct theme *theme, enum palette palette)
{
	bool own_background;

	theme->colours = palette == PALETTE_MONO ? COLOURS_NONE : theme->able;
	if (theme->colours == COLOURS_NONE)
		return;
	own_background = use_default_colors() == OK;
	for (enum role role = 0; role < ROLES; role++) {
		const struct colour *colour = &styles[role].colours[palette];
		short fg = theme->colours == COLOURS_256 ? colour->fg_256 : colour->fg_8;

		if (fg < 0 && !own_background)
			fg = COLOR_WHITE;
		init_pair((short)(role + 1), fg, own_background ? -1 : COLOR_BLACK);
	}
}

const char *theme_glyph(const struct theme *theme, enum glyph g)
{
	return theme->glyphs ? glyphs[g].wide : glyphs[g].ascii;
}

attr_t theme_attributes(const struct theme *theme, enum role role)
{
	return theme->colours == COLOURS_NONE ? styles[role].mono_attributes : styles[role].colour_attributes;
}

short theme_pair(const struct theme *theme, enum role role)
{
	return theme->colours == COLOURS_NONE ? 0 : (short)(role + 1);
}

char theme_letter(enum role role, bool selected)
{
	char letter = styles[role].letter;

	return selected ? (char)(letter - 'a' + 'A') : letter;
}
