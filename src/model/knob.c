/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/knob.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "base/text.h"

/* --- paths --- */

size_t knob_rank(const char *path)
{
	size_t i = 0;

	while (i < knobs_n && strcmp(knobs[i].path, path) != 0)
		i++;
	return i;
}

const struct knob *knob_find(const char *path)
{
	size_t i = knob_rank(path);

	return i < knobs_n ? &knobs[i] : NULL;
}

bool knob_derived(const char *path)
{
	/* kept as ratios of a limit that follows the free memory */
	return !strcmp(path, "bdi/min_bytes") || !strcmp(path, "bdi/max_bytes");
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *knob_name(const char *path)
{
	const struct knob *k = knob_find(path);

	return k ? k->name : last_part(path);
}

/* One part of a path, of the characters that the kernel's attributes are called by. */
static bool is_plain(const char *name)
{
	if (!*name || *name == '.' || strlen(name) > 255)
		return false;
	return !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.")];
}

bool knob_permitted(const char *path)
{
	static const char *const open[] = { "queue/iosched/", "queue/" };

	for (size_t i = 0; i < ARRAY_SIZE(open); i++) {
		size_t len = strlen(open[i]);

		if (!strncmp(path, open[i], len) && is_plain(path + len))
			return true;
	}
	return knob_find(path) != NULL;
}

static bool is_called(const char *path, const char *word)
{
	const struct knob *k = knob_find(path);

	return !strcmp(last_part(path), word) || (k && !strcmp(k->name, word));
}

/* bdi/read_ahead_kb is queue/read_ahead_kb over again: the queue's is meant. */
static const char *preferred(const char *a, const char *b)
{
	if (!strncmp(a, "queue/", 6) && !strncmp(b, "bdi/", 4))
		return a;
	return !strncmp(b, "queue/", 6) && !strncmp(a, "bdi/", 4) ? b : NULL;
}

const char *knob_named(const char *word, const struct names *paths)
{
	const char *found = NULL;

	for (size_t i = 0; i < paths->n; i++) {
		if (!strcmp(paths->v[i], word))
			return paths->v[i];
	}
	for (size_t i = 0; i < paths->n; i++) {
		if (!is_called(paths->v[i], word))
			continue;
		found = found ? preferred(found, paths->v[i]) : paths->v[i];
		if (!found)
			return NULL;
	}
	return found;
}

/* --- values --- */

const char *knob_chosen(const char *value, size_t *len)
{
	const char *open = strchr(value, '[');
	const char *close = open ? strchr(open, ']') : NULL;

	*len = close ? (size_t)(close - open - 1) : strlen(value);
	return close ? open + 1 : value;
}

bool knob_same(const char *a, const char *b)
{
	size_t len_a, len_b;

	a = knob_chosen(a, &len_a);
	b = knob_chosen(b, &len_b);
	return len_a == len_b && !memcmp(a, b, len_a);
}

bool knob_number(const char *value, int64_t *n)
{
	size_t len;
	const char *word = knob_chosen(value, &len);
	char copy[32];

	if (len >= sizeof(copy))
		return false;
	memcpy(copy, word, len);
	copy[len] = '\0';
	return number_i64(copy, n);
}

bool knob_near(const char *path, const char *a, const char *b)
{
	const struct knob *k = knob_find(path);
	int64_t x, y;

	if (knob_same(a, b))
		return true;
	if (!knob_number(a, &x) || !knob_number(b, &y))
		return false;
	return x == y || (k && x - k->granule < y && y - k->granule < x);
}

static bool ends_with(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n && !memcmp(s + len - n, end, n);
}

void knob_written(const char *value, struct text *out)
{
	size_t len;
	const char *word = knob_chosen(value, &len);

	if (ends_with(word, len, " (system)")) {
		text_add(out, "system");
		return;
	}
	if (ends_with(word, len, " (local)"))
		len -= strlen(" (local)");
	text_add_n(out, word, len);
}

static void split(const char *words, char separator, struct names *out)
{
	while (*words) {
		size_t len = strcspn(words, (const char[]){ separator, '\0' });
		char *word = xstrndup(words, len);

		if (len)
			names_add(out, word);
		free(word);
		words += len + (words[len] != '\0');
	}
}

/* "none [mq-deadline] kyber" without its brackets. */
static void split_listed(const char *value, struct names *out)
{
	char *bare = xstrdup(value);

	for (char *c = bare; *c; c++) {
		if (*c == '[' || *c == ']')
			*c = ' ';
	}
	split(bare, ' ', out);
	free(bare);
}

void knob_choices(const char *path, const char *value, struct names *out)
{
	const struct knob *k = knob_find(path);
	const char *open = strchr(value, '[');

	if (open && strchr(open, ']'))
		split_listed(value, out);
	else if (k && k->type == KNOB_SWITCH)
		split("0|1", '|', out);
	else if (k && k->type == KNOB_CHOICE)
		split(k->choices ? k->choices : value, '|', out);
}

static bool is_among(const struct names *names, const char *word)
{
	for (size_t i = 0; i < names->n; i++) {
		if (!strcmp(names->v[i], word))
			return true;
	}
	return false;
}

static void add_choices(struct text *out, const struct names *names)
{
	for (size_t i = 0; i < names->n; i++) {
		text_add(out, i == 0 ? "" : i + 1 == names->n ? " or " : ", ");
		text_add_safe(out, names->v[i], strlen(names->v[i]));
	}
}

static bool check_choice(const char *path, const char *now, const char *asked, struct text *why)
{
	struct names names = { NULL, 0, 0 };
	bool right;

	knob_choices(path, now, &names);
	right = is_among(&names, asked);
	if (!right && names.n == 1 && !strcmp(names.v[0], "none")) {
		text_add(why, "there is nothing to choose from but none");
	} else if (!right) {
		text_add(why, "it takes ");
		add_choices(why, &names);
	}
	names_release(&names);
	return right;
}

static bool has_controls(const char *s)
{
	for (; *s; s++) {
		if ((unsigned char)*s < ' ' || *s == 127)
			return true;
	}
	return false;
}

bool knob_check(const char *path, const char *now, const char *asked, struct text *why)
{
	const struct knob *k = knob_find(path);
	int64_t n;

	if (!*asked || strspn(asked, " ") == strlen(asked))
		text_add(why, "a value is missing");
	else if (strlen(asked) > KNOB_LONGEST)
		text_addf(why, "the value is longer than %d bytes", KNOB_LONGEST);
	else if (has_controls(asked))
		text_add(why, "the value has control characters");
	else if ((k && (k->type == KNOB_CHOICE || k->type == KNOB_SWITCH)) || strchr(now, '['))
		return check_choice(path, now, asked, why);
	else if (k && k->type == KNOB_NUMBER && !number_i64(asked, &n)
		 && !(!strcmp(path, "queue/wbt_lat_usec") && !strcmp(asked, "default")))
		text_add(why, "it takes a whole number");
	return !why->len;
}

static bool equal_values(const char *a, const char *b)
{
	struct text x = TEXT_INIT, y = TEXT_INIT;
	int64_t m, n;
	bool equal;

	knob_written(a, &x);
	knob_written(b, &y);
	equal = !strcmp(text_str(&x), text_str(&y))
		|| (knob_number(text_str(&x), &m) && knob_number(text_str(&y), &n) && m == n);
	text_release(&x);
	text_release(&y);
	return equal;
}

/* Stands for whatever it then is. */
static bool asks_default(const char *path, const char *asked)
{
	return !strcmp(path, "queue/wbt_lat_usec") && (!strcmp(asked, "default") || !strcmp(asked, "-1"));
}

enum knob_outcome knob_outcome(const char *path, const char *before, const char *asked, const char *after)
{
	if (equal_values(asked, after) || asks_default(path, asked))
		return KNOB_SET;
	return knob_same(before, after) ? KNOB_IGNORED : KNOB_KEPT_OTHER;
}

/* --- where it matters --- */

static bool is_below_rq_map(const struct topology *t, const struct device *d)
{
	for (size_t i = 0; i < d->holders.n; i++) {
		const struct device *holder = topology_find(t, d->holders.v[i]);

		if (holder && holder->kind == KIND_MULTIPATH && holder->has_mq)
			return true;
	}
	return false;
}

const char *knob_without_effect(const char *path, const struct topology *t, const struct device *d)
{
	static const char *const of_requests[] = {
		"queue/scheduler", "queue/nr_requests", "queue/async_depth", "queue/nomerges", "queue/rq_affinity",
		"queue/io_timeout", "queue/wbt_lat_usec",
	};
	bool scheduler = !strcmp(path, "queue/scheduler") || !strncmp(path, "queue/iosched/", 14);

	if (d->sysfs && !d->has_mq && strncmp(d->name, "sr", 2) != 0) {
		for (size_t i = 0; i < ARRAY_SIZE(of_requests); i++) {
			if (!strcmp(path, of_requests[i]))
				return "no effect here: this device passes bios on and has no requests of its own";
		}
	}
	if (scheduler && is_below_rq_map(t, d))
		return "no effect on the map's I/O: its requests pass by the scheduler of its paths";
	return NULL;
}

const char *knob_risk_words(enum knob_risk risk)
{
	static const char *const words[] = {
		[RISK_NONE] = "harmless",
		[RISK_FREEZES] = "freezes the queue: waits for the I/O in flight",
		[RISK_BLOCKS] = "freezes the queue: can be slow, or hang while I/O hangs",
		[RISK_ONE_WAY] = "one way: what is lowered may not go up again",
		[RISK_DATA] = "CAN LOSE DATA",
	};

	return words[risk];
}

static void add_range(const struct knob *k, struct text *out)
{
	text_addf(out, "%lld to %lld", (long long)k->least, (long long)k->most);
	if (k->unit)
		text_addf(out, " %s", k->unit);
}

/* What it takes, as far as that is known. */
static void add_takes(const char *path, const char *now, struct text *out)
{
	const struct knob *k = knob_find(path);
	struct names names = { NULL, 0, 0 };

	knob_choices(path, now ? now : "", &names);
	if (names.n) {
		text_add(out, "; it takes ");
		add_choices(out, &names);
	} else if (k && k->type == KNOB_NUMBER) {
		text_add(out, "; it takes ");
		if (k->most < INT32_MAX && k->most) {
			add_range(k, out);
			text_add(out, ", and what the device allows");
		} else {
			text_add(out, "whole numbers that the device allows");
		}
	}
	if (k && k->limit)
		text_addf(out, ", at most %s", last_part(k->limit));
	names_release(&names);
}

void knob_error_words(const char *path, const char *now, int error, struct text *out)
{
	static const struct {
		int error;
		const char *words;
	} table[] = {
		{ EACCES, "permission denied: run as root" },
		{ EPERM, "not permitted, even to root: locked down, or a container" },
		{ EROFS, "read-only: /sys is mounted so, as in most containers" },
		{ ENODEV, "the device is gone" },
		{ ENOENT, "this kernel or device does not have it" },
		{ EBUSY, "busy: something else is changing the device; try again" },
		{ EDEADLK, "the kernel refused because it could deadlock; try again, or stop the I/O first" },
		{ ETIMEDOUT, "the kernel gave up waiting for the I/O in flight" },
		{ EXDEV, "the file is not below the device's own directory" },
	};

	error = error < 0 ? -error : error;
	if (error == EINVAL || error == ERANGE) {
		text_add(out, error == EINVAL ? "the kernel does not take this value" : "the number is too large");
		add_takes(path, now, out);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		if (table[i].error == error) {
			text_add(out, table[i].words);
			return;
		}
	}
	text_add(out, strerror(error));
}
