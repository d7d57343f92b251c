/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Where the parser stands: a line of the sample, and the row of the sample before that is likely the same device. */
struct cursor {
	struct sample *s;
	const struct sample *before;
	struct roster *roster;
	size_t hint;
};

void sample_release(struct sample *s)
{
	text_release(&s->raw);
	free(s->rows);
	free(s->row_of_slot);
	system_counters_release(&s->system);
	*s = (struct sample)SAMPLE_INIT;
}

const struct sample_row *sample_row(const struct sample *s, uint32_t slot)
{
	if (slot >= s->slots || s->row_of_slot[slot] == ROW_NONE)
		return NULL;
	return &s->rows[s->row_of_slot[slot]];
}

static void reserve_slots(struct sample *s, uint32_t need)
{
	size_t grown;

	if (need <= s->slots)
		return;
	grown = grown_capacity(s->slots, need);
	s->row_of_slot = xreallocarray(s->row_of_slot, grown, sizeof(*s->row_of_slot));
	for (size_t i = s->slots; i < grown; i++)
		s->row_of_slot[i] = ROW_NONE;
	s->slots = (uint32_t)grown;
}

static void clear(struct sample *s, const struct roster *roster)
{
	for (uint32_t i = 0; i < s->slots; i++)
		s->row_of_slot[i] = ROW_NONE;
	reserve_slots(s, roster->n);
	s->n = 0;
	s->malformed = s->malformed_at = s->malformed_len = 0;
}

static void count_malformed(struct sample *s, uint32_t at, uint32_t len)
{
	if (!s->malformed++) {
		s->malformed_at = at;
		s->malformed_len = len;
	}
}

/* A new row for the slot, NULL when the sample has one already. */
static struct sample_row *add_row(struct sample *s, uint32_t slot, uint32_t at, uint32_t len)
{
	struct sample_row *row;

	if (s->row_of_slot[slot] != ROW_NONE)
		return NULL;
	ARRAY_GROW(s->rows, s->capacity, s->n + 1);
	row = &s->rows[s->n];
	row->slot = slot;
	row->at = at;
	row->len = len;
	s->row_of_slot[slot] = (uint32_t)s->n++;
	return row;
}

/* Whether the line at `at` is, byte for byte and to its end, the one of that row of the sample before. */
static bool is_line_of(const struct cursor *c, uint32_t at, const struct sample_row *old)
{
	const struct text *raw = &c->s->raw;
	size_t left = raw->len - at;

	if (old->len > left || (old->len < left && raw->buf[at + old->len] != '\n'))
		return false;
	return !memcmp(raw->buf + at, c->before->raw.buf + old->at, old->len);
}

/*
 * The row at the hint when the line is the same; NULL else. The roster still says who was present in the sample
 * before: a slot that has been given to another name since then is not trusted.
 */
static const struct sample_row *same_as_before(const struct cursor *c, uint32_t at)
{
	const struct sample_row *old;

	if (!c->before || c->hint >= c->before->n)
		return NULL;
	old = &c->before->rows[c->hint];
	if (old->slot >= c->roster->n || !c->roster->entries[old->slot].present)
		return NULL;
	return is_line_of(c, at, old) ? old : NULL;
}

static void copy_row(struct cursor *c, const struct sample_row *old, uint32_t at)
{
	struct sample_row *row = add_row(c->s, old->slot, at, old->len);

	c->hint++;
	if (!row) {
		count_malformed(c->s, at, old->len);
		return;
	}
	row->changed = false;
	row->counters = old->counters;
}

/* Find the slot's row in the sample before, and look behind it for the next line. */
static bool has_changed(struct cursor *c, const struct sample_row *row)
{
	const struct sample_row *old = c->before ? sample_row(c->before, row->slot) : NULL;

	if (!old)
		return true;
	c->hint = (size_t)(old - c->before->rows) + 1;
	return !is_line_of(c, row->at, old);
}

static void parse_line(struct cursor *c, uint32_t at, uint32_t len)
{
	struct diskline line;
	struct roster_entry *entry;
	struct sample_row *row;
	uint32_t slot;

	if (!diskline_parse(c->s->raw.buf + at, len, &line)) {
		count_malformed(c->s, at, len);
		return;
	}
	slot = roster_add(c->roster, line.name, line.name_len);
	reserve_slots(c->s, c->roster->n);
	row = add_row(c->s, slot, at, len);
	if (!row) {
		count_malformed(c->s, at, len);
		return;
	}
	entry = &c->roster->entries[slot];
	entry->major = line.major;
	entry->minor = line.minor;
	row->counters = line.counters;
	row->changed = has_changed(c, row);
}

static bool is_blank_line(const char *s, size_t len)
{
	while (len && (s[len - 1] == ' ' || s[len - 1] == '\t' || s[len - 1] == '\r'))
		len--;
	return !len;
}

/* One line, whole or cut by the end of the text; returns where the next one begins. */
static uint32_t take_line(struct cursor *c, uint32_t at, uint32_t end)
{
	const struct sample_row *old = same_as_before(c, at);
	const char *line = c->s->raw.buf + at;
	const char *newline;
	uint32_t len;

	if (old) {
		copy_row(c, old, at);
		len = old->len;
	} else {
		newline = memchr(line, '\n', end - at);
		len = newline ? (uint32_t)(newline - line) : end - at;
		if (!is_blank_line(line, len))
			parse_line(c, at, len);
	}
	return len < end - at ? at + len + 1 : end;
}

void sample_parse(struct sample *s, const struct sample *before, struct roster *roster)
{
	struct cursor c = { .s = s, .before = before, .roster = roster };
	uint32_t end = s->raw.len < UINT32_MAX ? (uint32_t)s->raw.len : UINT32_MAX;
	uint32_t at = 0;

	clear(s, roster);
	while (at < end)
		at = take_line(&c, at, end);
	for (uint32_t slot = 0; slot < roster->n; slot++)
		roster->entries[slot].present = s->row_of_slot[slot] != ROW_NONE;
}
