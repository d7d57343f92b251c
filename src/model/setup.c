/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/setup.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "model/knob.h"

void setup_release(struct setup *s)
{
	for (size_t i = 0; i < s->n; i++) {
		free(s->v[i].path);
		free(s->v[i].value);
	}
	free(s->v);
	*s = (struct setup){ 0 };
}

static struct setup_value *find(const struct setup *s, const char *path)
{
	for (size_t i = 0; i < s->n; i++) {
		if (!strcmp(s->v[i].path, path))
			return &s->v[i];
	}
	return NULL;
}

void setup_set(struct setup *s, const char *path, const char *value)
{
	struct setup_value *one = find(s, path);

	if (one) {
		char *copy = xstrdup(value);

		free(one->value);
		one->value = copy;
		return;
	}
	ARRAY_GROW(s->v, s->capacity, s->n + 1);
	s->v[s->n++] = (struct setup_value){ xstrdup(path), xstrdup(value) };
}

void setup_drop(struct setup *s, const char *path)
{
	struct setup_value *one = find(s, path);

	if (!one)
		return;
	free(one->path);
	free(one->value);
	*one = s->v[--s->n];
}

const char *setup_get(const struct setup *s, const char *path)
{
	const struct setup_value *one = find(s, path);

	return one ? one->value : NULL;
}

void setup_copy(struct setup *to, const struct setup *from)
{
	struct setup copy = { 0 };

	for (size_t i = 0; i < from->n; i++)
		setup_set(&copy, from->v[i].path, from->v[i].value);
	setup_release(to);
	*to = copy;
}

/* --- as bytes --- */

static void put_string(struct text *out, const char *s)
{
	text_add_n(out, s, strlen(s) + 1);
}

void setup_put(const struct setup *s, struct text *out)
{
	text_add_u64(out, s->n);
	text_add_n(out, "", 1);
	for (size_t i = 0; i < s->n; i++) {
		put_string(out, s->v[i].path);
		put_string(out, s->v[i].value);
	}
}

bool setup_take(struct setup *s, const char **at, const char *end)
{
	const char *count = text_take_string(at, end);
	uint64_t n;

	if (!count || !number_u64(count, &n))
		return false;
	while (n--) {
		const char *path = text_take_string(at, end);
		const char *value = path ? text_take_string(at, end) : NULL;

		if (!value)
			return false;
		setup_set(s, path, value);
	}
	return true;
}

/* --- from one state to another --- */

static void add_step(struct restore *r, enum restore_kind kind, const struct setup_value *to, const char *from)
{
	ARRAY_GROW(r->v, r->capacity, r->n + 1);
	r->v[r->n++] = (struct restore_step){ .kind = kind, .path = to->path, .from = from, .to = to->value };
}

static void plan_one(struct restore *r, const struct setup_value *to, const struct setup *left,
		     const struct setup *now, bool force)
{
	const char *is = setup_get(now, to->path);
	const char *was = left ? setup_get(left, to->path) : NULL;

	if (knob_derived(to->path) || (is && knob_near(to->path, is, to->value)))
		return;
	if (!is)
		add_step(r, RESTORE_ABSENT, to, NULL);
	else if (was && !force && !knob_near(to->path, is, was))
		add_step(r, RESTORE_CHANGED_ELSEWHERE, to, is);
	else
		add_step(r, RESTORE_WRITE, to, is);
}

/* nr_requests is the scheduler's, async_depth is made from nr_requests. */
static int stage(const char *path)
{
	static const char *const first[] = { "queue/scheduler", "queue/nr_requests" };

	for (int i = 0; i < (int)ARRAY_SIZE(first); i++) {
		if (!strcmp(path, first[i]))
			return i;
	}
	return (int)ARRAY_SIZE(first);
}

size_t restore_plan(struct restore *r, const struct setup *target, const struct setup *left,
		    const struct setup *now, bool force)
{
	size_t writes = 0;

	r->n = 0;
	for (int s = 0; s <= 2; s++) {
		for (size_t i = 0; i < target->n; i++) {
			if (stage(target->v[i].path) == s)
				plan_one(r, &target->v[i], left, now, force);
		}
	}
	for (size_t i = 0; i < r->n; i++)
		writes += r->v[i].kind == RESTORE_WRITE;
	return writes;
}

void restore_release(struct restore *r)
{
	free(r->v);
	*r = (struct restore){ 0 };
}

void setup_differ(const struct setup *a, const struct setup *b,
		     void (*each)(void *arg, const char *path, const char *a, const char *b), void *arg)
{
	for (size_t i = 0; i < a->n; i++) {
		const char *other = setup_get(b, a->v[i].path);

		if (!knob_derived(a->v[i].path) && (!other || !knob_same(a->v[i].value, other)))
			each(arg, a->v[i].path, a->v[i].value, other);
	}
	for (size_t i = 0; i < b->n; i++) {
		if (!knob_derived(b->v[i].path) && !setup_get(a, b->v[i].path))
			each(arg, b->v[i].path, NULL, b->v[i].value);
	}
}

static void note_difference(void *arg, const char *path, const char *a, const char *b)
{
	(void)path;
	(void)a;
	(void)b;
	*(bool *)arg = false;
}

bool setup_equal(const struct setup *a, const struct setup *b)
{
	bool equal = true;

	setup_differ(a, b, note_difference, &equal);
	return equal;
}
