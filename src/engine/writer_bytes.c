/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Orders and answers of the writer as strings. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "engine/writer.h"

static void add_number(struct names *items, uint64_t n)
{
	struct text t = TEXT_INIT;

	text_add_u64(&t, n);
	names_add(items, text_str(&t));
	text_release(&t);
}

static void add_order(const struct writer_order *order, struct names *items)
{
	add_number(items, (uint64_t)order->owner.pid);
	add_number(items, order->owner.start);
	add_number(items, order->action);
	add_number(items, order->number);
	add_number(items, order->diskseq);
}

/* The path comes first: it is what is pending when the first steps hang. */
void writer_set_items(const struct writer_order *order, const char *path, const char *value, struct names *items)
{
	names_add(items, path);
	names_add(items, value);
	add_order(order, items);
}

static void add_setup(const struct setup *s, struct names *items)
{
	add_number(items, s->n);
	for (size_t i = 0; i < s->n; i++) {
		names_add(items, s->v[i].path);
		names_add(items, s->v[i].value);
	}
}

void writer_restore_items(const struct writer_order *order, const struct setup *target, const struct setup *left,
			  bool force, const struct names *ids, struct names *items)
{
	static const struct setup nothing = { 0 };

	names_add(items, "all knobs");
	add_order(order, items);
	add_number(items, force);
	add_number(items, left != NULL);
	add_setup(target, items);
	add_setup(left ? left : &nothing, items);
	for (size_t i = 0; i < ids->n; i++)
		names_add(items, ids->v[i]);
}

/* --- answers --- */

static bool take_number(const char **at, const char *end, uint64_t *n)
{
	const char *s = text_take_string(at, end);

	return s && number_u64(s, n);
}

/* NULL goes as a string of its own, which no value of the kernel's is. */
static char *take_optional(const char **at, const char *end)
{
	const char *s = text_take_string(at, end);

	return !s || !strcmp(s, "\x01") ? NULL : xstrdup(s);
}

static bool take_line(struct writer_answer *answer, const char **at, const char *end)
{
	struct writer_line line = {
		.path = take_optional(at, end), .from = take_optional(at, end), .asked = take_optional(at, end),
		.now = take_optional(at, end),
	};
	uint64_t error, rest;
	bool right = take_number(at, end, &error) && take_number(at, end, &rest) && line.path && line.asked;

	line.error = right ? -(int)error : 0;
	line.rest = right ? (enum writer_rest)rest : WRITTEN;
	ARRAY_GROW(answer->lines, answer->capacity, answer->n + 1);
	answer->lines[answer->n++] = line;
	return right;
}

bool writer_take(struct writer_answer *answer, const char *bytes, size_t len)
{
	const char *at = bytes, *end = bytes + len;
	uint64_t error, used, lines;

	*answer = (struct writer_answer){ 0 };
	if (!take_number(&at, end, &error) || !(answer->stage = take_optional(&at, end))
	    || !take_number(&at, end, &used) || !setup_take(&answer->before, &at, end)
	    || !setup_take(&answer->after, &at, end) || !take_number(&at, end, &lines))
		return false;
	answer->error = -(int)error;
	answer->used = (unsigned int)used;
	while (lines--) {
		if (!take_line(answer, &at, end))
			return false;
	}
	return at == end;
}

void writer_answer_release(struct writer_answer *answer)
{
	for (size_t i = 0; i < answer->n; i++) {
		free(answer->lines[i].path);
		free(answer->lines[i].from);
		free(answer->lines[i].asked);
		free(answer->lines[i].now);
	}
	free(answer->lines);
	free(answer->stage);
	setup_release(&answer->before);
	setup_release(&answer->after);
	*answer = (struct writer_answer){ 0 };
}
