/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/sheet.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void sheet_release(struct sheet *s)
{
	text_release(&s->text);
	free(s->v);
	*s = (struct sheet){ .text = TEXT_INIT };
}

void sheet_clear(struct sheet *s)
{
	text_clear(&s->text);
	s->n = 0;
	s->lines = s->x = 0;
}

void sheet_put(struct sheet *s, enum role role, const char *words)
{
	size_t at = s->text.len;

	ARRAY_GROW(s->v, s->capacity, s->n + 1);
	s->v[s->n++] = (struct sheet_piece){ .line = s->lines, .x = s->x, .at = at, .role = role };
	text_add_safe(&s->text, words, strlen(words));
	s->x += (int)text_cells(text_str(&s->text) + at);
	text_add_n(&s->text, "", 1);
}

void sheet_to(struct sheet *s, int x)
{
	s->x = s->x < x ? x : s->x + 1;
}

void sheet_right(struct sheet *s, enum role role, const char *words, int w)
{
	int cells = (int)text_cells(words);

	if (cells < w)
		s->x += w - cells;
	sheet_put(s, role, words);
}

void sheet_end_line(struct sheet *s)
{
	s->lines++;
	s->x = 0;
}

void sheet_heading(struct sheet *s, const char *words)
{
	if (s->lines)
		sheet_end_line(s);
	sheet_put(s, ROLE_HEAD, words);
	sheet_end_line(s);
}

void sheet_draw(const struct sheet *s, struct screen *screen, struct area area, int *top)
{
	int most = s->lines > area.h ? s->lines - area.h : 0;

	*top = *top > most ? most : *top < 0 ? 0 : *top;
	for (size_t i = 0; i < s->n; i++) {
		const struct sheet_piece *piece = &s->v[i];
		int y = piece->line - *top;
		struct pen p;

		if (y < 0 || y >= area.h || piece->x >= area.w)
			continue;
		p = pen_at(screen, area.y + y, area.x + piece->x, area.w - piece->x);
		pen_put(&p, piece->role, text_str(&s->text) + piece->at);
	}
}
