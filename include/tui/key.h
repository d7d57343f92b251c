/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys as the screen knows them: a character by its Unicode number, everything else by one of these, so that scripts,
 * the action table and tests need no curses. key.c has the table of names.
 */
#ifndef IODELTA_TUI_KEY_H
#define IODELTA_TUI_KEY_H

#include <stdbool.h>
#include <stddef.h>

enum key {
	K_NONE = 0,
	K_ENTER = '\n',
	K_TAB = '\t',
	K_ESC = 27,
	K_CTRL_L = 12,
	K_CTRL_U = 21,
	K_UP = 0x110000,        /* above every character */
	K_DOWN, K_LEFT, K_RIGHT, K_PGUP, K_PGDN, K_HOME, K_END, K_BACKTAB, K_BACKSPACE, K_RESIZE, K_MOUSE,
	K_F1, K_F2, K_F3, K_F4, K_F5, K_F6, K_F7, K_F8, K_F9, K_F10, K_F11, K_F12,
	K_OTHER                 /* a key that has no meaning here */
};

/* The key of a name as scripts write it ("PgUp", "^L", "b"); 0 when it names none. */
int key_from_name(const char *name) __attribute__((nonnull));

/* From what wget_wch gave: `function` when it was a function key's number rather than a character. */
int key_from_curses(unsigned int code, bool function);

/* A key that writes something into a prompt. */
bool key_is_text(int key);

/*
 * How far a key moves in a list: by one, by `page` lines (at least one), by KEY_FAR to the ends; 0: it does not.
 * Whoever moves keeps inside the list.
 */
#define KEY_FAR 100000
int key_step(int key, int page);

/* The character of the next key of a text, and how many bytes it took; 0 at the end or where it is no UTF-8. */
int key_from_text(const char *s, size_t *bytes) __attribute__((nonnull));

/* UTF-8 of a character; returns the bytes (1 to 4). */
size_t key_to_utf8(int key, char out[5]) __attribute__((nonnull));

#endif
