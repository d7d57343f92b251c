/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/alloc.h"

void text_release(struct text *t)
{
	free(t->buf);
	*t = (struct text)TEXT_INIT;
}

void text_clear(struct text *t)
{
	t->len = 0;
	if (t->buf)
		t->buf[0] = '\0';
}

const char *text_str(const struct text *t)
{
	return t->buf ? t->buf : "";
}

void text_reserve(struct text *t, size_t extra)
{
	ARRAY_GROW(t->buf, t->size, t->len + extra + 1);
}

void text_add_n(struct text *t, const char *s, size_t len)
{
	text_reserve(t, len);
	if (len)
		memcpy(t->buf + t->len, s, len);
	t->len += len;
	t->buf[t->len] = '\0';
}

void text_add(struct text *t, const char *s)
{
	text_add_n(t, s, strlen(s));
}

void text_add_char(struct text *t, char c)
{
	text_add_n(t, &c, 1);
}

void text_add_fill(struct text *t, char c, size_t count)
{
	text_reserve(t, count);
	memset(t->buf + t->len, c, count);
	t->len += count;
	t->buf[t->len] = '\0';
}

void text_addf(struct text *t, const char *format, ...)
{
	va_list ap;
	int len;

	va_start(ap, format);
	len = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	if (len <= 0)
		return;
	text_reserve(t, (size_t)len);
	va_start(ap, format);
	len = vsnprintf(t->buf + t->len, (size_t)len + 1, format, ap);
	va_end(ap);
	if (len > 0)
		t->len += (size_t)len;
}

/* Take one character: how many bytes it has, 0 where it is no UTF-8. */
static size_t take_utf8(const char *s, size_t len, uint32_t *code)
{
	const unsigned char *u = (const unsigned char *)s;
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t n;

	if (!len)
		return 0;
	*code = u[0];
	if (u[0] < 0x80)
		return 1;
	n = u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : u[0] >= 0xc2 ? 2 : 0;
	if (!n || u[0] > 0xf4 || n > len)
		return 0;
	*code = u[0] & (0x7fU >> n);
	for (size_t i = 1; i < n; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		*code = *code << 6 | (u[i] & 0x3f);
	}
	if (*code < least[n] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000))
		return 0;
	return n;
}

size_t text_utf8_len(const char *s, size_t len)
{
	uint32_t code;

	return take_utf8(s, len, &code);
}

/* What a terminal obeys, and what turns or hides the text around it. */
static bool harmful(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} ranges[] = {
		{ 0x0000, 0x001f }, { 0x007f, 0x009f },         /* C0, DEL, C1 */
		{ 0x00ad, 0x00ad }, { 0x180e, 0x180e }, { 0x200b, 0x200d }, { 0xfeff, 0xfeff },         /* unseen */
		{ 0x061c, 0x061c }, { 0x200e, 0x200f }, { 0x2028, 0x202e },     /* direction, lines */
		{ 0x2060, 0x206f }, { 0xe0000, 0xe007f },       /* unseen operators, direction isolates, tags */
	};

	for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
		if (code >= ranges[i].first && code <= ranges[i].last)
			return true;
	}
	return false;
}

void text_add_safe(struct text *t, const char *s, size_t len)
{
	while (len) {
		uint32_t code;
		size_t n = take_utf8(s, len, &code);

		if (n && !harmful(code))
			text_add_n(t, s, n);
		else
			text_add_char(t, '?');
		n = n ? n : 1;
		s += n;
		len -= n;
	}
}

static void add_json_char(struct text *t, unsigned char c)
{
	static const char named[] = "\"\"\\\\\nn\tt\rr\bb\ff";

	for (const char *p = named; *p; p += 2) {
		if (c == (unsigned char)*p) {
			text_add_char(t, '\\');
			text_add_char(t, p[1]);
			return;
		}
	}
	if (c < 0x20 || c == 0x7f)
		text_addf(t, "\\u%04x", c);
	else
		text_add_char(t, (char)c);
}

void text_add_json(struct text *t, const char *s, size_t len)
{
	text_add_char(t, '"');
	while (len) {
		size_t n = text_utf8_len(s, len);

		if (n == 1)
			add_json_char(t, (unsigned char)*s);
		else if (n)
			text_add_n(t, s, n);
		else
			text_add(t, "\xef\xbf\xbd");
		n = n ? n : 1;
		s += n;
		len -= n;
	}
	text_add_char(t, '"');
}

/* Digits of v, right to left, ending before `end`; returns where they begin. */
static char *digits_before(char *end, uint64_t v)
{
	do {
		*--end = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	return end;
}

void text_add_u64(struct text *t, uint64_t v)
{
	char room[24];
	char *end = room + sizeof(room);
	char *start = digits_before(end, v);

	text_add_n(t, start, (size_t)(end - start));
}

/*
 * v * scale rounded to the nearest integer, a tie decided by what the multiplication itself lost (the fused product
 * is exact), then to even: the same digit that printf prints.
 */
static uint64_t scaled_round(double v, double scale)
{
	double product = v * scale;
	double whole = floor(product);
	double part = product - whole;
	double lost;
	uint64_t n = (uint64_t)whole;

	if (part != 0.5)
		return n + (part > 0.5);
	lost = fma(v, scale, -product);
	if (lost != 0)
		return n + (lost > 0);
	return n + (n & 1);
}

/* Write a number into the end of `room`; the caller has checked that it is finite and below 1e15. */
static char *fixed_before(char *end, double v, int decimals)
{
	static const double scales[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
	double scale = scales[decimals];
	uint64_t n;
	char *start;

	n = scaled_round(fabs(v), scale);
	start = digits_before(end, n);
	if (decimals) {
		while (end - start <= decimals)
			*--start = '0';
		start--;
		memmove(start, start + 1, (size_t)(end - start - 1 - decimals));
		end[-decimals - 1] = '.';
	}
	if (v < 0 && n)
		*--start = '-';
	return start;
}

void text_add_fixed_in(struct text *t, double v, int decimals, int width)
{
	char room[64];
	char *end = room + sizeof(room);
	char *start;
	int len;

	decimals = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
	if (!isfinite(v))
		v = 0;
	if (fabs(v) >= 9e9) {
		text_addf(t, "%*.*f", width, decimals, v);
		return;
	}
	start = fixed_before(end, v, decimals);
	len = (int)(end - start);
	if (len < width)
		text_add_fill(t, ' ', (size_t)(width - len));
	text_add_n(t, start, (size_t)len);
}

void text_add_fixed(struct text *t, double v, int decimals)
{
	text_add_fixed_in(t, v, decimals, 0);
}

/* decimals that keep three digits of a value below 1000 */
static int three_digits(double v)
{
	return v < 9.995 ? 2 : v < 99.95 ? 1 : 0;
}

void text_add_short(struct text *t, double v, int decimals)
{
	static const char units[] = "kMGTPE";
	double size = fabs(v);
	int unit = -1;

	if (!isfinite(v) || size == 0) {
		text_add_char(t, '0');
		return;
	}
	if (size < 9999.5) {
		int most = three_digits(size);

		text_add_fixed(t, v, decimals < most ? decimals : most);
		return;
	}
	while (size >= 999.5 && units[unit + 1]) {
		size /= 1000;
		v /= 1000;
		unit++;
	}
	text_add_fixed(t, v, three_digits(size));
	text_add_char(t, units[unit < 0 ? 0 : unit]);
}

/* One character: its bytes in *bytes, its cells returned. */
static size_t one_char(const char *s, size_t len, size_t *bytes)
{
	mbstate_t state = { 0 };
	wchar_t wide;
	size_t n = mbrtowc(&wide, s, len, &state);
	int cells;

	if (n == 0 || n > len) {
		*bytes = 1;
		return 1;
	}
	*bytes = n;
	cells = wcwidth(wide);
	return cells < 0 ? 1 : (size_t)cells;
}

size_t text_cells(const char *s)
{
	size_t len = strlen(s);
	size_t cells = 0;

	while (len) {
		size_t bytes;

		cells += one_char(s, len, &bytes);
		s += bytes;
		len -= bytes;
	}
	return cells;
}

/* bytes at the start of s that fill at most `cells` cells */
static size_t head_bytes(const char *s, size_t cells)
{
	size_t len = strlen(s);
	size_t at = 0;

	while (at < len) {
		size_t bytes;
		size_t wide = one_char(s + at, len - at, &bytes);

		if (wide > cells)
			break;
		cells -= wide;
		at += bytes;
	}
	return at;
}

void text_add_middle_cut(struct text *t, const char *s, size_t cells, const char *mark)
{
	size_t have = text_cells(s);
	size_t head, skip;

	if (have <= cells) {
		text_add(t, s);
		return;
	}
	if (!cells)
		return;
	head = (cells - 1) / 2;
	text_add_n(t, s, head_bytes(s, head));
	text_add(t, mark);
	skip = head_bytes(s, have - (cells - 1 - head));
	/* a wide character on the cut leaves one cell less, never one more */
	while (text_cells(s + skip) > cells - 1 - head) {
		size_t bytes;

		one_char(s + skip, strlen(s + skip), &bytes);
		skip += bytes;
	}
	text_add(t, s + skip);
}

const char *text_take_string(const char **at, const char *end)
{
	const char *s = *at;
	const char *nul = s < end ? memchr(s, '\0', (size_t)(end - s)) : NULL;

	if (!nul)
		return NULL;
	*at = nul + 1;
	return s;
}
