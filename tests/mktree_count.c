/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counters of a fixture's devices: given step by step, or growing with a little unrest. */
#include "config.h"

#include "mktree.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define IN_FLIGHT 8

static const char *const counter_names[] = {
	"rd_ios", "rd_merges", "rd_sectors", "rd_ticks", "wr_ios", "wr_merges", "wr_sectors", "wr_ticks", "in_flight",
	"io_ticks", "time_in_queue", "dc_ios", "dc_merges", "dc_sectors", "dc_ticks", "fl_ios", "fl_ticks",
};

/* "rd_ios=5", or the next number in line: the index, and the value after the "=". */
static unsigned int counter_index(const struct fixture *f, const struct directive *d, char **w, unsigned int *next)
{
	char *equals = strchr(*w, '=');

	if (!equals) {
		if (*next == NUMBERS)
			fail(f, d->number, "more than %d numbers", NUMBERS);
		return (*next)++;
	}
	*equals = '\0';
	for (unsigned int i = 0; i < ARRAY_SIZE(counter_names); i++)
		if (!strcmp(counter_names[i], *w)) {
			*w = equals + 1;
			return i;
		}
	fail(f, d->number, "%s: no counter", *w);
}

static void set_counters(struct fixture *f, struct item *item, const struct directive *d)
{
	char *copy = xstrdup(d->rest), *s = copy;
	unsigned int next = 0;

	for (char *w; (w = word(&s));) {
		unsigned int i = counter_index(f, d, &w, &next);

		if (!number_of(w, &item->counters[i]))
			fail(f, d->number, "%s: no number", w);
	}
	if (next)
		item->fields = next;
	free(copy);
}

/* From -1 to 1, the same in every run: splitmix64's mixing of where it is used. */
static double jitter(const struct fixture *f, const struct item *item, unsigned int field)
{
	uint64_t x = ((uint64_t)item->ordinal << 40) + ((uint64_t)field << 32) + f->step;

	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	x ^= x >> 31;
	return (double)(x >> 11) / 4503599627370496.0 - 1;
}

static bool is_milliseconds(unsigned int field)
{
	return field == 3 || field == 7 || field == 9 || field == 10 || field == 14 || field == 16;
}

/* grow [~PERCENT] NUMBERS: in_flight is set, all others are added to; the kernel cuts milliseconds to 32 bits */
static void grow_counters(struct fixture *f, struct item *item, const struct directive *d)
{
	char *copy = xstrdup(d->rest), *s = copy;
	unsigned int next = 0;
	double percent = 0;

	for (char *w; (w = word(&s));) {
		unsigned int i;
		uint64_t v;

		if (*w == '~') {
			percent = strtod(w + 1, NULL);
			continue;
		}
		i = counter_index(f, d, &w, &next);
		if (!number_of(w, &v))
			fail(f, d->number, "%s: no number", w);
		v = (uint64_t)((double)v * (1 + percent / 100 * jitter(f, item, i)) + 0.5);
		item->counters[i] = i == IN_FLIGHT ? v : item->counters[i] + v;
		if (is_milliseconds(i) && item->fields > 4)
			item->counters[i] &= UINT32_MAX;
	}
	free(copy);
}

void step_counters(struct fixture *f, struct item *item)
{
	const struct directive *count = in_force(f, item, "count"), *grow = in_force(f, item, "grow");
	const struct directive *fields = in_force(f, item, "fields");
	uint64_t n;

	if (count && (count->to != ALWAYS || count->from == f->step))
		set_counters(f, item, count);
	else if (grow && f->step > 1)
		grow_counters(f, item, grow);
	if (fields && (!number_of(fields->rest, &n) || n > NUMBERS))
		fail(f, fields->number, "fields: from 0 to %d", NUMBERS);
	if (fields)
		item->fields = (unsigned int)n;
}

void add_counters(struct text *out, const struct item *item)
{
	text_addf(out, "%4u %7u %s", item->major, item->minor, item->name);
	for (unsigned int i = 0; i < item->fields; i++) {
		text_add_char(out, ' ');
		text_add_u64(out, item->counters[i]);
	}
	text_add_char(out, '\n');
}
