/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "out/json.h"

#include <math.h>
#include <string.h>

#define DECIMALS 6
#define SCALE 1000000U
/* Outside these a plain number with six decimals would be wrong or say 0. */
#define LEAST 1e-3
#define MOST 1e9

static char *put_integer(char *p, uint32_t v)
{
	char digits[10];
	int n = 0;

	do {
		digits[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	while (n)
		*p++ = digits[--n];
	return p;
}

/* The decimals of a fraction of SCALE, without the zeros at their end. */
static char *put_fraction(char *p, uint32_t fraction)
{
	char *end = p + DECIMALS;

	for (char *q = end; q > p; fraction /= 10)
		*--q = (char)('0' + fraction % 10);
	while (end > p && end[-1] == '0')
		end--;
	return end;
}

void put_number(struct text *t, double v)
{
	double size = fabs(v);
	uint64_t n;
	char *p;

	if (!isfinite(v)) {
		text_add_n(t, "null", 4);
		return;
	}
	if (size >= MOST || (size > 0 && size < LEAST)) {
		text_addf(t, "%.*g", size < 1 ? 6 : 15, v);
		return;
	}
	n = (uint64_t)(size * SCALE + 0.5);
	text_reserve(t, 24);
	p = t->buf + t->len;
	if (v < 0)
		*p++ = '-';
	p = put_integer(p, (uint32_t)(n / SCALE));
	if (n % SCALE) {
		*p++ = '.';
		p = put_fraction(p, (uint32_t)(n % SCALE));
	}
	*p = '\0';
	t->len = (size_t)(p - t->buf);
}

void put_value(struct text *t, struct value v)
{
	if (v.why == NA_NONE)
		put_number(t, v.v);
	else
		text_add_n(t, "null", 4);
}

void put_string(struct text *t, const char *s)
{
	if (s)
		text_add_json(t, s, strlen(s));
	else
		text_add_n(t, "null", 4);
}

void put_next(struct text *t)
{
	if (t->len && !strchr("{[", t->buf[t->len - 1]))
		text_add_char(t, ',');
}

void put_key(struct text *t, const char *key)
{
	put_next(t);
	text_add_json(t, key, strlen(key));
	text_add_char(t, ':');
}

void put_bool(struct text *t, bool b)
{
	text_add(t, b ? "true" : "false");
}
