/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growable string, and the number writers that everything printed goes through.
 *
 * Ownership: the struct owns its buffer; text_release frees it and leaves an empty text that can be used again.
 * The buffer is kept NUL-terminated once something was added; text_str is always a valid string.
 * No function depends on the locale's LC_NUMERIC: the decimal sign is a point.
 */
#ifndef IODELTA_BASE_TEXT_H
#define IODELTA_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
	char *buf;
	size_t len;
	size_t size;
};

#define TEXT_INIT { NULL, 0, 0 }

void text_release(struct text *t) __attribute__((nonnull));
void text_clear(struct text *t) __attribute__((nonnull));
const char *text_str(const struct text *t) __attribute__((nonnull, returns_nonnull));

/* Make room for `extra` more bytes and the terminator. */
void text_reserve(struct text *t, size_t extra) __attribute__((nonnull));

void text_add(struct text *t, const char *s) __attribute__((nonnull));
void text_add_n(struct text *t, const char *s, size_t len) __attribute__((nonnull(1)));
void text_add_char(struct text *t, char c) __attribute__((nonnull));
void text_add_fill(struct text *t, char c, size_t count) __attribute__((nonnull));
void text_addf(struct text *t, const char *format, ...) __attribute__((nonnull, format(printf, 2, 3)));

/* Add text that came from the kernel or a file: control characters and bytes that are no valid UTF-8 become '?'. */
void text_add_safe(struct text *t, const char *s, size_t len) __attribute__((nonnull(1)));

/* Add a quoted JSON string; what is not valid UTF-8 becomes U+FFFD. */
void text_add_json(struct text *t, const char *s, size_t len) __attribute__((nonnull(1)));

void text_add_u64(struct text *t, uint64_t v) __attribute__((nonnull));

/* As printf's %.*f would (0 to 9 decimals), several times faster; not finite numbers are written as 0. */
void text_add_fixed(struct text *t, double v, int decimals) __attribute__((nonnull));

/* The same, right-aligned in `width` cells; a number that is wider is written whole. */
void text_add_fixed_in(struct text *t, double v, int decimals, int width) __attribute__((nonnull));

/*
 * The screen's number: `decimals` (0 to 2) below 10, at most one below 100, none up to 9999, above that three digits
 * and a unit letter of 1000 (k M G T P): 0 0.62 11.6 269 5341 37.2k 1.56M. An exact zero is "0". At most 6 cells.
 */
void text_add_short(struct text *t, double v, int decimals) __attribute__((nonnull));

/* Cells that a UTF-8 string takes on a terminal, by wcwidth in the present LC_CTYPE; unprintable counts as one. */
size_t text_cells(const char *s) __attribute__((nonnull));

/* The next of strings that stand one after the other, with their NULs; moves *at behind it. NULL: none is whole. */
const char *text_take_string(const char **at, const char *end) __attribute__((nonnull));

/* Bytes of the valid UTF-8 sequence at s (1 to 4), 0 when it is not one. */
size_t text_utf8_len(const char *s, size_t len) __attribute__((nonnull));

/*
 * Add at most `cells` cells of a clean UTF-8 string; a longer one loses its middle, which `mark` (one cell, such as
 * "~" or "…") stands for, so that both ends of a name stay. Not padded.
 */
void text_add_middle_cut(struct text *t, const char *s, size_t cells, const char *mark) __attribute__((nonnull));

#endif
