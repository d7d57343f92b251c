/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Bins of half a second or less, merged to 10 s, would still fit. */
#define COARSE_MOST (HISTORY_S / HISTORY_COARSE_S + 10)
#define ROWS (COARSE_MOST + HISTORY_FINE)

/* The kernel cuts these to 32 bits, so their growth and their absolutes are taken modulo 2^32. */
#define FIELDS_NARROW FIELDS_TICKS

/* The bins that came in are numbered for good; a kept one covers from..to of these, more than one when merged. */
struct bin {
	uint64_t from, to;
	int64_t end_ns;
	double seconds;
};

/* What a device did in a bin. */
struct row {
	uint32_t v[FIELDS];     /* growth; in_flight as it was at the end */
	field_set invalid;      /* fields of the line whose growth is not known */
};

/* Rows of a device that did something: by place in the rings of bins, the coarse ones first. Unused ones are 0. */
struct rows {
	struct row row[ROWS];
};

/*
 * A slot is known for the bins [first, next) in one piece. Without rows its counters have not changed in them.
 */
struct slot {
	bool known;
	uint8_t state;          /* of the bin `first`: enum delta_state */
	field_set invalid;      /* a lasting lack of values, as of the last bin that said so */
	field_set wrapping;     /* fields that are taken modulo 2^32 */
	uint64_t first, next;
	struct counters base;   /* at the beginning of `first`; at its end when `state` is not DELTA_OK */
	struct counters last;   /* at the end of the last bin */
	uint8_t why[FIELDS];
	struct rows *rows;
};

struct history {
	struct bin bins[ROWS];  /* two rings: COARSE_MOST coarse bins, then HISTORY_FINE fine ones */
	size_t coarse_at, coarse_n;
	size_t fine_at, fine_n;
	uint64_t next;          /* number of the bin that is open, or will be */
	struct bin open;
	double seconds;         /* of all kept bins */
	struct slot *slots;
	size_t n, capacity;
};

struct history *history_new(void)
{
	return xcalloc(1, sizeof(struct history));
}

void history_free(struct history *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->n; i++)
		free(h->slots[i].rows);
	free(h->slots);
	free(h);
}

void history_forget(struct history *h, uint32_t slot)
{
	if (slot >= h->n)
		return;
	free(h->slots[slot].rows);
	h->slots[slot] = (struct slot){ .known = false };
}

/* Places in `bins` and in a device's rows. */
static size_t coarse_place(const struct history *h, size_t i)
{
	return (h->coarse_at + i) % COARSE_MOST;
}

static size_t fine_place(const struct history *h, size_t i)
{
	return COARSE_MOST + (h->fine_at + i) % HISTORY_FINE;
}

static size_t place_of(const struct history *h, size_t bin)
{
	return bin < h->coarse_n ? coarse_place(h, bin) : fine_place(h, bin - h->coarse_n);
}

static uint64_t cut(const struct slot *sl, int field, uint64_t v)
{
	return sl->wrapping & FIELD(field) ? (uint32_t)v : v;
}

/* Let a row's growth pass into absolute counters. */
static void advance(const struct slot *sl, struct counters *c, const struct row *row)
{
	for (int f = 0; f < FIELDS; f++) {
		if (!(c->has & FIELD(f)))
			continue;
		c->v[f] = f == IN_FLIGHT ? row->v[f] : cut(sl, f, c->v[f] + row->v[f]);
	}
}

/* The oldest bin is let go: what it held becomes part of the base. */
static void drop_from_slot(struct slot *sl, const struct bin *bin, size_t place)
{
	if (!sl->known || sl->first > bin->to)
		return;
	if (sl->rows) {
		advance(sl, &sl->base, &sl->rows->row[place]);
		sl->rows->row[place] = (struct row){ .invalid = 0 };
	}
	sl->first = bin->to + 1;
	sl->state = DELTA_OK;
	if (sl->next <= sl->first) {
		free(sl->rows);
		*sl = (struct slot){ .known = false };
	}
}

static void drop_oldest(struct history *h)
{
	size_t place = place_of(h, 0);

	for (size_t i = 0; i < h->n; i++)
		drop_from_slot(&h->slots[i], &h->bins[place], place);
	h->seconds -= h->bins[place].seconds;
	if (h->coarse_n) {
		h->coarse_at = (h->coarse_at + 1) % COARSE_MOST;
		h->coarse_n--;
	} else {
		h->fine_at = (h->fine_at + 1) % HISTORY_FINE;
		h->fine_n--;
	}
}

/* The slot's knowledge begins anew in the open bin, with `now` at its end. */
static void begin_anew(struct history *h, struct slot *sl, enum delta_state state, const struct counters *now)
{
	if (sl->rows)
		memset(sl->rows, 0, sizeof(*sl->rows));
	sl->known = true;
	sl->state = (uint8_t)state;
	sl->invalid = 0;
	sl->wrapping = FIELDS_NARROW;
	sl->first = h->next;
	sl->next = h->next + 1;
	sl->base = sl->last = *now;
	memset(sl->why, 0, sizeof(sl->why));
	if (sl->rows)
		sl->rows->row[fine_place(h, h->fine_n)].v[IN_FLIGHT] = (uint32_t)now->v[IN_FLIGHT];
}

/* Add a row to an older one; false when a growth would not fit. */
static bool add_row(struct row *to, const struct row *more)
{
	struct row sum = *more;

	for (int f = 0; f < FIELDS; f++) {
		uint64_t v = (uint64_t)to->v[f] + more->v[f];

		if (f == IN_FLIGHT)
			continue;
		if (v > UINT32_MAX && !(FIELDS_NARROW & FIELD(f)))
			return false;
		sum.v[f] = (uint32_t)v;
	}
	sum.invalid |= to->invalid;
	*to = sum;
	return true;
}

/* A merged bin's growth is too large to be kept: the slot is known from its end on only. */
static void rebase(struct history *h, struct slot *sl, const struct bin *bin, size_t coarse, size_t fine)
{
	for (size_t i = 0; i < h->coarse_n; i++) {
		struct row *row = &sl->rows->row[coarse_place(h, i)];

		advance(sl, &sl->base, row);
		*row = (struct row){ .invalid = 0 };
	}
	advance(sl, &sl->base, &sl->rows->row[fine]);
	sl->rows->row[coarse].v[IN_FLIGHT] = sl->rows->row[fine].v[IN_FLIGHT];
	sl->first = bin->to;
	sl->state = DELTA_RESET;
}

static void move_rows(struct history *h, const struct bin *bin, size_t coarse, size_t fine, bool merge)
{
	for (size_t i = 0; i < h->n; i++) {
		struct slot *sl = &h->slots[i];

		if (!sl->rows)
			continue;
		if (!merge)
			sl->rows->row[coarse] = sl->rows->row[fine];
		else if (!add_row(&sl->rows->row[coarse], &sl->rows->row[fine]))
			rebase(h, sl, bin, coarse, fine);
		sl->rows->row[fine] = (struct row){ .invalid = 0 };
	}
}

/* Whether the oldest fine bin goes into the newest coarse one: when that comes nearer to 10 s by it. */
static bool belongs_to(const struct bin *coarse, const struct bin *fine)
{
	return fine->seconds < HISTORY_COARSE_S && coarse->seconds + fine->seconds / 2 <= HISTORY_COARSE_S;
}

/* Make room for a fine bin. */
static void coarsen_oldest(struct history *h)
{
	size_t fine = fine_place(h, 0), coarse = 0;
	const struct bin *bin = &h->bins[fine];
	bool merge = false;

	if (h->coarse_n) {
		coarse = coarse_place(h, h->coarse_n - 1);
		merge = belongs_to(&h->bins[coarse], bin);
	}
	if (!merge) {
		if (h->coarse_n == COARSE_MOST)
			drop_oldest(h);
		coarse = coarse_place(h, h->coarse_n++);
	}
	move_rows(h, bin, coarse, fine, merge);
	if (merge) {
		h->bins[coarse].to = bin->to;
		h->bins[coarse].end_ns = bin->end_ns;
		h->bins[coarse].seconds += bin->seconds;
	} else {
		h->bins[coarse] = *bin;
	}
	h->fine_at = (h->fine_at + 1) % HISTORY_FINE;
	h->fine_n--;
}

void history_open_bin(struct history *h, int64_t end_ns, double seconds)
{
	if (h->fine_n == HISTORY_FINE)
		coarsen_oldest(h);
	h->open = (struct bin){ h->next, h->next, end_ns, seconds };
}

void history_close_bin(struct history *h)
{
	h->bins[fine_place(h, h->fine_n)] = h->open;
	h->fine_n++;
	h->next++;
	h->seconds += h->open.seconds;
	while (history_bins(h) > 1 && h->seconds - h->bins[place_of(h, 0)].seconds >= HISTORY_S)
		drop_oldest(h);
}

static struct slot *slot_of(struct history *h, uint32_t slot)
{
	size_t need = (size_t)slot + 1;

	if (need > h->n) {
		ARRAY_GROW(h->slots, h->capacity, need);
		memset(h->slots + h->n, 0, (need - h->n) * sizeof(*h->slots));
		h->n = need;
	}
	return &h->slots[slot];
}

static bool joins(const struct history *h, const struct slot *sl, const struct counters *now)
{
	return sl->known && sl->next == h->next && sl->last.has == now->has;
}

/* The growth since the last bin; false when a field's cannot be kept in 32 bits. */
static bool growth(struct slot *sl, const struct counters *now, struct row *row)
{
	for (int f = 0; f < FIELDS; f++) {
		uint64_t before = sl->last.v[f], v = now->v[f], grown = v - before;

		if (f == IN_FLIGHT) {
			row->v[f] = (uint32_t)v;
			continue;
		}
		/* an unsigned long of 32 bits went round */
		if (v < before && before <= UINT32_MAX)
			sl->wrapping |= FIELD(f);
		if (sl->wrapping & FIELD(f))
			grown = (uint32_t)grown;
		if (grown > UINT32_MAX)
			return false;
		row->v[f] = (uint32_t)grown;
	}
	return true;
}

static bool nothing_happened(const struct slot *sl, const struct counters *now)
{
	return !memcmp(sl->last.v, now->v, sizeof(now->v));
}

/* Give the slot rows: until now nothing has changed, and `invalid` fields had no value. */
static void make_rows(const struct history *h, struct slot *sl, field_set invalid)
{
	sl->rows = xcalloc(1, sizeof(*sl->rows));
	for (size_t i = 0; i < history_bins(h); i++) {
		size_t place = place_of(h, i);

		if (h->bins[place].to < sl->first || h->bins[place].from >= sl->next)
			continue;
		sl->rows->row[place].v[IN_FLIGHT] = (uint32_t)sl->base.v[IN_FLIGHT];
		sl->rows->row[place].invalid = invalid;
	}
}

static void put_row(struct history *h, struct slot *sl, const struct counters *now, const struct row *row)
{
	sl->rows->row[fine_place(h, h->fine_n)] = *row;
	sl->last = *now;
	sl->next = h->next + 1;
}

/* Remember why fields have no value. A single step back is no lasting lack. */
static field_set note_reasons(struct slot *sl, const struct delta *d)
{
	field_set invalid = sl->last.has & ~d->valid, lasting = 0;

	for (int f = 0; f < FIELDS; f++) {
		if (!(invalid & FIELD(f)))
			continue;
		sl->why[f] = d->why[f];
		if (d->why[f] != NA_STEPPED_BACK)
			lasting |= FIELD(f);
	}
	sl->invalid = lasting;
	return invalid;
}

/* The first that is known of a slot: it grew by `bin` to `now`. */
static void begin_with(struct history *h, struct slot *sl, const struct delta *bin, const struct counters *now)
{
	begin_anew(h, sl, DELTA_OK, now);
	for (int f = 0; f < FIELDS; f++) {
		if (f == IN_FLIGHT || !(bin->valid & now->has & FIELD(f)))
			continue;
		sl->base.v[f] = cut(sl, f, now->v[f] - bin->v[f]);
	}
	sl->last = sl->base;
	sl->next = h->next;
}

void history_add(struct history *h, uint32_t slot, const struct delta *bin, const struct counters *now)
{
	struct slot *sl = slot_of(h, slot);
	field_set lasting, invalid;
	struct row row;

	if (bin->state != DELTA_OK) {
		begin_anew(h, sl, bin->state, now);
		return;
	}
	if (!joins(h, sl, now))
		begin_with(h, sl, bin, now);
	if (!growth(sl, now, &row)) {
		begin_anew(h, sl, DELTA_RESET, now);
		return;
	}
	lasting = sl->invalid;
	invalid = note_reasons(sl, bin);
	if (!sl->rows && nothing_happened(sl, now) && (invalid == lasting || sl->first == h->next)) {
		sl->next = h->next + 1;
		return;
	}
	if (!sl->rows)
		make_rows(h, sl, lasting);
	row.invalid = invalid;
	put_row(h, sl, now, &row);
}

void history_add_idle(struct history *h, uint32_t slot, const struct counters *now)
{
	struct slot *sl = slot_of(h, slot);
	struct row row = { .invalid = sl->invalid };

	if (!joins(h, sl, now)) {
		begin_anew(h, sl, DELTA_OK, now);
		return;
	}
	if (!sl->rows) {
		sl->next = h->next + 1;
		return;
	}
	row.v[IN_FLIGHT] = (uint32_t)now->v[IN_FLIGHT];
	put_row(h, sl, now, &row);
}

size_t history_bins(const struct history *h)
{
	return h->coarse_n + h->fine_n;
}

int64_t history_bin_end_ns(const struct history *h, size_t bin)
{
	return bin < history_bins(h) ? h->bins[place_of(h, bin)].end_ns : 0;
}

double history_bin_seconds(const struct history *h, size_t bin)
{
	return bin < history_bins(h) ? h->bins[place_of(h, bin)].seconds : 0;
}

/* The slot, if it was there in some of the bin. */
static const struct slot *slot_in(const struct history *h, uint32_t slot, size_t bin)
{
	const struct slot *sl = slot < h->n ? &h->slots[slot] : NULL;
	const struct bin *b;

	if (!sl || !sl->known || bin >= history_bins(h))
		return NULL;
	b = &h->bins[place_of(h, bin)];
	return sl->first <= b->to && sl->next > b->from ? sl : NULL;
}

static void row_delta(const struct slot *sl, const struct row *row, struct delta *d)
{
	field_set invalid = sl->rows ? row->invalid : sl->invalid;

	d->valid &= ~invalid;
	for (int f = 0; f < FIELDS; f++) {
		if (d->valid & FIELD(f))
			d->v[f] = sl->rows ? row->v[f] : f == IN_FLIGHT ? sl->base.v[f] : 0;
		else if (invalid & FIELD(f))
			d->why[f] = sl->why[f];
	}
}

bool history_delta(const struct history *h, uint32_t slot, size_t bin, struct delta *d)
{
	const struct slot *sl = slot_in(h, slot, bin);
	const struct bin *b;

	if (!sl)
		return false;
	b = &h->bins[place_of(h, bin)];
	if (sl->next <= b->to) {
		delta_unavailable(d, DELTA_GONE, b->seconds);
	} else if (sl->first > b->from) {
		delta_unavailable(d, sl->state == DELTA_OK ? DELTA_NEW : sl->state, b->seconds);
	} else if (sl->first == b->from && sl->state != DELTA_OK) {
		delta_unavailable(d, sl->state, b->seconds);
	} else {
		delta_idle(d, sl->base.has, b->seconds);
		row_delta(sl, sl->rows ? &sl->rows->row[place_of(h, bin)] : NULL, d);
	}
	return true;
}

bool history_counters(const struct history *h, uint32_t slot, size_t bin, struct counters *c)
{
	const struct slot *sl = slot_in(h, slot, bin);

	if (!sl || sl->next <= h->bins[place_of(h, bin)].to)
		return false;
	*c = sl->base;
	for (size_t i = 0; sl->rows && i <= bin; i++) {
		size_t place = place_of(h, i);

		if (h->bins[place].to >= sl->first)
			advance(sl, c, &sl->rows->row[place]);
	}
	return true;
}

void history_write(const struct history *h, const struct roster *roster, size_t bin, struct text *out)
{
	struct counters c;

	for (uint32_t slot = 0; slot < roster->n && slot < h->n; slot++) {
		const struct roster_entry *e = &roster->entries[slot];

		if (e->name && history_counters(h, slot, bin, &c))
			diskline_write(out, e->major, e->minor, e->name, &c);
	}
}

size_t history_size(const struct history *h)
{
	size_t bytes = sizeof(*h) + h->capacity * sizeof(*h->slots);

	for (size_t i = 0; i < h->n; i++)
		bytes += h->slots[i].rows ? sizeof(*h->slots[i].rows) : 0;
	return bytes;
}
