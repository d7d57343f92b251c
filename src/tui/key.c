/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/key.h"

#include <stdio.h>
#include <string.h>

#include <curses.h>

#include "base/alloc.h"
#include "base/text.h"

struct key_row {
	const char *name;       /* as scripts write it; NULL: a second number for the key above */
	int key;
	unsigned int curses;    /* 0: curses has no number for it */
};

static const struct key_row keys[] = {
	{ "Up", K_UP, KEY_UP },
	{ "Down", K_DOWN, KEY_DOWN },
	{ "Left", K_LEFT, KEY_LEFT },
	{ "Right", K_RIGHT, KEY_RIGHT },
	{ "PgUp", K_PGUP, KEY_PPAGE },
	{ "PgDn", K_PGDN, KEY_NPAGE },
	{ "Home", K_HOME, KEY_HOME },
	{ "End", K_END, KEY_END },
	{ "Tab", K_TAB, 0 },
	{ "S-Tab", K_BACKTAB, KEY_BTAB },
	{ "Enter", K_ENTER, KEY_ENTER },
	{ "Esc", K_ESC, 0 },
	{ "Space", ' ', 0 },
	{ "Backspace", K_BACKSPACE, KEY_BACKSPACE },
	{ NULL, K_BACKSPACE, KEY_DC },
	{ NULL, K_RESIZE, KEY_RESIZE },
	{ NULL, K_MOUSE, KEY_MOUSE },
};

static int function_key_from_name(const char *name)
{
	int n = 0;

	if (name[0] != 'F' || !name[1])
		return 0;
	for (const char *p = name + 1; *p; p++) {
		if (*p < '0' || *p > '9' || n > 12)
			return 0;
		n = n * 10 + (*p - '0');
	}
	return n >= 1 && n <= 12 ? K_F1 + n - 1 : 0;
}

int key_from_name(const char *name)
{
	size_t bytes;
	int key;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (keys[i].name && !strcmp(keys[i].name, name))
			return keys[i].key;
	}
	if (name[0] == '^' && name[1] >= 'A' && name[1] <= 'Z' && !name[2])
		return name[1] - '@';
	key = function_key_from_name(name);
	if (key)
		return key;
	key = key_from_text(name, &bytes);
	return key && !name[bytes] ? key : 0;
}

int key_from_curses(unsigned int code, bool function)
{
	if (!function) {
		if (code == '\r')
			return K_ENTER;
		return code == 127 || code == 8 ? K_BACKSPACE : (int)code;
	}
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (keys[i].curses && keys[i].curses == code)
			return keys[i].key;
	}
	if (code >= KEY_F(1) && code <= KEY_F(12))
		return K_F1 + (int)(code - KEY_F(1));
	return K_OTHER;
}

bool key_is_text(int key)
{
	return (key >= ' ' && key < 127) || (key >= 0xa0 && key < K_UP);
}

int key_step(int key, int page)
{
	page = page > 1 ? page : 1;
	switch (key) {
	case K_UP:
	case 'k':
		return -1;
	case K_DOWN:
	case 'j':
		return 1;
	case K_PGUP:
		return -page;
	case K_PGDN:
		return page;
	case K_HOME:
		return -KEY_FAR;
	case K_END:
		return KEY_FAR;
	default:
		return 0;
	}
}

int key_from_text(const char *s, size_t *bytes)
{
	const unsigned char *u = (const unsigned char *)s;
	size_t n = text_utf8_len(s, strlen(s));
	int key;

	*bytes = n;
	if (!n)
		return 0;
	if (n == 1)
		return u[0];
	key = u[0] & (0x7f >> n);
	for (size_t i = 1; i < n; i++)
		key = key << 6 | (u[i] & 0x3f);
	return key;
}

size_t key_to_utf8(int key, char out[5])
{
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t n = key < 0x80 ? 1 : key < 0x800 ? 2 : key < 0x10000 ? 3 : 4;

	out[n] = '\0';
	for (size_t i = n; i-- > 1; key >>= 6)
		out[i] = (char)(0x80 | (key & 0x3f));
	out[0] = (char)(lead[n] | key);
	return n;
}
