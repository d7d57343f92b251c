/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/counters.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

/* What the numbers of a line are, by how many there are; the longest form first. */
static const struct form {
	unsigned int numbers;
	field_set has;
} forms[] = {
	{ FIELDS, FIELDS_ALL },
	{ FL_IOS, FIELD(FL_IOS) - 1 },
	{ DC_IOS, FIELD(DC_IOS) - 1 },
};

/* A partition of Linux before 2.6.25. */
#define OLD_NUMBERS 4
#define OLD_HAS (FIELD(RD_IOS) | FIELD(RD_SECTORS) | FIELD(WR_IOS) | FIELD(WR_SECTORS))

/* in_flight is an int that the kernel prints as unsigned. */
#define IN_FLIGHT_MAX (UINT64_C(1) << 31)

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	return p;
}

/* The number at p, up to a blank or the end. Returns what follows it, NULL when it is none or too large. */
static const char *parse_number(const char *p, const char *end, uint64_t *value)
{
	const char *start = p;
	uint64_t v = 0;

	for (; p < end; p++) {
		unsigned int digit = (unsigned int)(unsigned char)*p - '0';

		if (digit > 9)
			break;
		if (v >= UINT64_MAX / 10 && (v > UINT64_MAX / 10 || digit > UINT64_MAX % 10))
			return NULL;
		v = v * 10 + digit;
	}
	if (p == start || (p < end && !is_blank(*p)))
		return NULL;
	*value = v;
	return p;
}

/* The same for major and minor, which lead the line. */
static const char *parse_head(const char *p, const char *end, unsigned int *value)
{
	uint64_t v;

	p = parse_number(skip_blanks(p, end), end, &v);
	if (!p || v > UINT_MAX)
		return NULL;
	*value = (unsigned int)v;
	return p;
}

/* A name is whatever stands between blanks, but a string in all that follows: no zero byte. */
static const char *parse_name(const char *p, const char *end, struct diskline *out)
{
	p = skip_blanks(p, end);
	out->name = p;
	while (p < end && !is_blank(*p)) {
		if (!*p)
			return NULL;
		p++;
	}
	out->name_len = (size_t)(p - out->name);
	return out->name_len ? p : NULL;
}

/* The first four numbers are those of an old partition: put them where they belong. */
static void spread_old(struct counters *c)
{
	const uint64_t old[OLD_NUMBERS] = { c->v[0], c->v[1], c->v[2], c->v[3] };

	memset(c->v, 0, sizeof(c->v));
	c->v[RD_IOS] = old[0];
	c->v[RD_SECTORS] = old[1];
	c->v[WR_IOS] = old[2];
	c->v[WR_SECTORS] = old[3];
	c->has = OLD_HAS;
}

/* `n` numbers stand in c->v: keep the whole groups. */
static bool keep_groups(struct counters *c, unsigned int n)
{
	const struct form *form = forms;

	if (n == OLD_NUMBERS) {
		spread_old(c);
		return true;
	}
	while (n < form->numbers) {
		if (++form == forms + ARRAY_SIZE(forms))
			return false;
	}
	c->has = form->has;
	for (unsigned int f = form->numbers; f < FIELDS; f++)
		c->v[f] = 0;
	if (c->v[IN_FLIGHT] > IN_FLIGHT_MAX)
		c->v[IN_FLIGHT] = 0;
	return true;
}

bool diskline_parse(const char *line, size_t len, struct diskline *out)
{
	const char *end = line + len;
	const char *p = line;
	unsigned int n;

	p = parse_head(p, end, &out->major);
	if (p)
		p = parse_head(p, end, &out->minor);
	if (p)
		p = parse_name(p, end, out);
	if (!p)
		return false;
	for (n = 0; n < FIELDS; n++) {
		p = skip_blanks(p, end);
		if (p == end)
			break;
		p = parse_number(p, end, &out->counters.v[n]);
		if (!p)
			return false;
	}
	return keep_groups(&out->counters, n);
}

void diskline_write(struct text *t, unsigned int major, unsigned int minor, const char *name,
		    const struct counters *c)
{
	text_add_fixed_in(t, major, 0, 4);
	text_add_char(t, ' ');
	text_add_fixed_in(t, minor, 0, 7);
	text_add_char(t, ' ');
	text_add(t, name);
	for (unsigned int f = 0; f < FIELDS; f++) {
		if (!(c->has & FIELD(f)))
			continue;
		text_add_char(t, ' ');
		text_add_u64(t, c->v[f]);
	}
	text_add_char(t, '\n');
}

uint64_t counters_ios(const struct counters *c)
{
	return c->v[RD_IOS] + c->v[WR_IOS] + c->v[DC_IOS] + c->v[FL_IOS];
}

bool counters_all_zero(const struct counters *c)
{
	for (unsigned int f = 0; f < FIELDS; f++) {
		if (c->v[f])
			return false;
	}
	return true;
}
