/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a fixture: lines, repetitions, spans of steps. */
#include "config.h"

#include "mktree.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void fail(const struct fixture *f, unsigned int number, const char *format, ...)
{
	va_list ap;

	fprintf(stderr, "mktree: %s:%u: ", f->path, number);
	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

void fail_path(const char *path)
{
	fprintf(stderr, "mktree: %s: %s\n", path, strerror(errno));
	exit(1);
}

char *word(char **s)
{
	char *start = *s + strspn(*s, " \t"), *end = start + strcspn(start, " \t");

	if (start == end)
		return NULL;
	*s = *end ? end + 1 : end;
	*end = '\0';
	return start;
}

bool number_of(const char *s, uint64_t *value)
{
	char *end;

	if (!s || !isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*value = strtoull(s, &end, 10);
	return !errno && !*end;
}

const struct directive *in_force(const struct fixture *f, const struct item *item, const char *verb)
{
	const struct directive *found = NULL;

	for (size_t i = 0; i < item->n; i++)
		if (!strcmp(item->v[i].verb, verb) && f->step >= item->v[i].from && f->step <= item->v[i].to)
			found = &item->v[i];
	return found;
}

struct item *find_item(struct fixture *f, const char *name)
{
	for (size_t i = 1; i < f->n; i++)
		if (f->items[i].kind && !strcmp(f->items[i].name, name))
			return &f->items[i];
	return NULL;
}

static void read_lines(struct fixture *f)
{
	FILE *in = fopen(f->path, "r");
	char *buf = NULL;
	size_t size = 0;
	unsigned int number = 0;
	ssize_t len;

	if (!in)
		fail_path(f->path);
	while ((len = getline(&buf, &size, in)) >= 0) {
		number++;
		if (len && buf[len - 1] == '\n')
			buf[len - 1] = '\0';
		if (strchr("#", buf[strspn(buf, " \t")]))
			continue;
		ARRAY_GROW(f->lines, f->lines_capacity, f->n_lines + 1);
		f->lines[f->n_lines++] = (struct line){ xstrdup(buf + strspn(buf, " \t")), number };
	}
	free(buf);
	fclose(in);
}

/* Put the index of a repetition in: {} is it, {*16} a multiple, {+1} a sum. */
static char *with_index(const char *s, uint64_t index)
{
	struct text t = TEXT_INIT;

	for (; *s; s++) {
		size_t len = *s == '{' ? strcspn(s, "}") : 0;

		if (len && s[len] && (len == 1 || strchr("*+", s[1]))) {
			uint64_t v = strtoull(s + 2, NULL, 10);

			text_add_u64(&t, len == 1 ? index : s[1] == '*' ? index * v : index + v);
			s += len;
		} else {
			text_add_char(&t, *s);
		}
	}
	return t.buf ? t.buf : xstrdup("");
}

/* "@3 ", "@3- ", "@-3 " or "@3-5 " before a directive. */
static void read_span(struct fixture *f, char **s, struct directive *d)
{
	char *end;

	d->from = 1;
	d->to = ALWAYS;
	if (**s != '@')
		return;
	(*s)++;
	if (isdigit((unsigned char)**s)) {
		d->from = d->to = (unsigned int)strtoul(*s, &end, 10);
		*s = end;
	}
	if (**s == '-') {
		d->to = (unsigned int)strtoul(*s + 1, &end, 10);
		d->to = d->to ? d->to : ALWAYS;
		*s = end;
	}
	if (!d->from || d->to < d->from || !strchr(" \t", **s))
		fail(f, d->number, "bad span of steps");
	if (f->steps < (d->to == ALWAYS ? d->from : d->to))
		f->steps = d->to == ALWAYS ? d->from : d->to;
	*s += strspn(*s, " \t");
}

static struct item *add_item(struct fixture *f, const char *name, unsigned int number)
{
	struct item *item;

	ARRAY_GROW(f->items, f->capacity, f->n + 1);
	item = &f->items[f->n];
	*item = (struct item){ .name = xstrdup(name), .sysname = xstrdup(name), .number = number,
			       .ordinal = (unsigned int)f->n, .fields = 17 };
	for (char *c = item->sysname; *c; c++)
		if (*c == '/')
			*c = '!';
	f->n++;
	return item;
}

/* Scan "a<sep>b" of two numbers. */
static bool pair_of(const char *s, char separator, uint64_t *a, uint64_t *b)
{
	char *copy = xstrdup(s), *second = strchr(copy, separator);
	bool ok = second != NULL;

	if (ok) {
		*second++ = '\0';
		ok = number_of(copy, a) && number_of(second, b);
	}
	free(copy);
	return ok;
}

/* device NAME KIND MAJOR:MINOR [of PARENT] */
static void read_device(struct fixture *f, char *rest, unsigned int number)
{
	char *name = word(&rest), *kind = word(&rest), *node = word(&rest), *of = word(&rest), *parent = word(&rest);
	uint64_t major, minor;
	struct item *item;

	if (!node || !pair_of(node, ':', &major, &minor) || (of && (strcmp(of, "of") || !parent)))
		fail(f, number, "not `device NAME KIND MAJOR:MINOR [of PARENT]'");
	item = add_item(f, name, number);
	item->major = (unsigned int)major;
	item->minor = (unsigned int)minor;
	item->parent = parent ? xstrdup(parent) : NULL;
	item->kind = find_kind(kind);
	if (!item->kind)
		fail(f, number, "%s: unknown kind", kind);
	if ((item->kind->groups & G_PART) && !parent)
		fail(f, number, "%s: a partition needs `of DISK'", name);
	f->current = f->n - 1;
	for (size_t i = 0; i + 1 < f->n; i++)
		item->host += f->items[i].kind && (f->items[i].kind->groups & G_SCSI);
}

static void read_uptimes(struct fixture *f, char *rest, unsigned int number)
{
	for (char *w; (w = word(&rest)); f->n_uptimes++) {
		char *end;

		if (f->n_uptimes == ARRAY_SIZE(f->uptime))
			fail(f, number, "too many times");
		f->uptime[f->n_uptimes] = strtod(w, &end);
		if (*end)
			fail(f, number, "%s: no time", w);
	}
	if (!f->n_uptimes)
		fail(f, number, "no time");
}

/* Where a directive may stand: at the tree, at a device; needs_rest: something must follow it. */
static const struct verb {
	const char *name;
	bool tree, device, needs_rest;
} verbs[] = {
	{ "attr", false, true, true }, { "bare", false, true, false }, { "count", false, true, true },
	{ "dir", true, true, true }, { "dm", false, true, true }, { "drop", false, true, true },
	{ "fields", false, true, true }, { "fifo", true, true, true }, { "file", true, false, true },
	{ "gone", false, true, false }, { "grow", false, true, true }, { "hctl", false, true, true },
	{ "in", false, true, true }, { "link", true, true, true }, { "mount", false, true, true },
	{ "nostat", false, true, false }, { "nosys", false, true, false }, { "over", false, true, true },
	{ "swap", false, true, false }, { "without", true, false, true },
};

static void append_directive(struct item *item, const struct directive *d)
{
	ARRAY_GROW(item->v, item->capacity, item->n + 1);
	item->v[item->n] = *d;
	item->v[item->n].verb = xstrdup(d->verb);
	item->v[item->n++].rest = xstrdup(d->rest);
}

/* What only a tree has goes to the tree wherever it stands. */
static void add_directive(struct fixture *f, const struct directive *d)
{
	const struct verb *verb = NULL;
	bool at_tree = f->current == 0;

	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(verbs[i].name, d->verb))
			verb = &verbs[i];
	if (!verb)
		fail(f, d->number, "%s: unknown directive", d->verb);
	if (verb->needs_rest != (*d->rest != '\0'))
		fail(f, d->number, "%s: %s", d->verb, verb->needs_rest ? "needs more" : "stands alone");
	if (at_tree && !verb->tree)
		fail(f, d->number, "%s: belongs to a device", d->verb);
	append_directive(&f->items[verb->device && !at_tree ? f->current : 0], d);
}

static void read_raw(struct fixture *f, const struct directive *d)
{
	append_directive(add_item(f, "", d->number), d);
}

static void read_line(struct fixture *f, char *s, unsigned int number)
{
	struct directive d = { .number = number };
	uint64_t steps;

	read_span(f, &s, &d);
	d.verb = word(&s);
	d.rest = s + strspn(s, " \t");
	if (!d.verb) {
		fail(f, number, "a span of steps and nothing behind it");
	} else if (!strcmp(d.verb, "device")) {
		read_device(f, d.rest, number);
	} else if (!strcmp(d.verb, "tree")) {
		f->current = 0;
	} else if (!strcmp(d.verb, "raw")) {
		read_raw(f, &d);
	} else if (!strcmp(d.verb, "steps")) {
		if (!number_of(word(&d.rest), &steps) || !steps || steps > 10000)
			fail(f, number, "steps: from 1 to 10000");
		f->steps = (unsigned int)steps;
	} else if (!strcmp(d.verb, "uptime")) {
		read_uptimes(f, d.rest, number);
	} else {
		add_directive(f, &d);
	}
}

/* repeat A-B … end: the lines between, once for each index */
static void read_all(struct fixture *f, size_t from, size_t to, uint64_t index, bool repeated)
{
	for (size_t i = from; i < to; i++) {
		char *s = repeated ? with_index(f->lines[i].text, index) : xstrdup(f->lines[i].text);
		unsigned int number = f->lines[i].number;

		if (!strncmp(s, "repeat ", 7)) {
			uint64_t first, last;
			size_t end = i;

			while (end < to && strcmp(f->lines[end].text, "end"))
				end++;
			if (repeated || end == to || !pair_of(s + 7, '-', &first, &last) || last - first > 100000)
				fail(f, number, "not `repeat FIRST-LAST' with its `end', not inside another");
			for (uint64_t n = first; n <= last; n++)
				read_all(f, i + 1, end, n, true);
			i = end;
		} else {
			read_line(f, s, number);
		}
		free(s);
	}
}

void read_fixture(struct fixture *f)
{
	read_lines(f);
	add_item(f, "", 0)->directory = xstrdup("");
	read_all(f, 0, f->n_lines, 0, false);
	if (!f->n_uptimes)
		f->uptime[f->n_uptimes++] = 1000;
}
