/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/prompt.h"

#include "tui/key.h"

#define LONGEST 200

void prompt_open(struct prompt *p, enum prompt_kind kind, const char *start)
{
	p->kind = kind;
	text_clear(&p->line);
	text_add(&p->line, start);
}

const char *prompt_label(const struct prompt *p)
{
	static const char *const labels[] = {
		[PROMPT_NONE] = "", [PROMPT_SEARCH] = "find: ",
		[PROMPT_FILTER] = "filter (glob or part of a name, empty shows all): ",
		[PROMPT_INTERVAL] = "interval in seconds: ", [PROMPT_MARK] = "text of the mark (may be empty): ",
		[PROMPT_NAME] = "data can be lost; to write it type the device's name: ",
	};

	return labels[p->kind];
}

static void drop_last(struct text *line)
{
	while (line->len) {
		unsigned char c = (unsigned char)line->buf[--line->len];

		line->buf[line->len] = '\0';
		if ((c & 0xc0) != 0x80)
			return;
	}
}

static enum prompt_result close_prompt(struct prompt *p, enum prompt_result result)
{
	p->kind = PROMPT_NONE;
	return result;
}

enum prompt_result prompt_key(struct prompt *p, int key)
{
	char utf8[5];

	switch (key) {
	case K_ENTER:
		return close_prompt(p, PROMPT_TAKEN);
	case K_ESC:
		return close_prompt(p, PROMPT_GIVEN_UP);
	case K_BACKSPACE:
		drop_last(&p->line);
		break;
	case K_CTRL_U:
		text_clear(&p->line);
		break;
	default:
		if (key_is_text(key) && p->line.len < LONGEST)
			text_add_n(&p->line, utf8, key_to_utf8(key, utf8));
	}
	return PROMPT_GOES_ON;
}
