/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/label.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define MOST_HOLDERS 4          /* devices that hold what is stuck: more are counted */

static bool hangs_as_leg(const struct stack_row *row)
{
	return row->shape == ROW_LEG || row->shape == ROW_SUM;
}

/* The ancestor (or the row itself) at a depth. */
static const struct stack_row *at_depth(const struct stack *s, uint32_t row, unsigned int depth)
{
	while (s->rows[row].depth > depth && s->rows[row].parent < row)
		row = s->rows[row].parent;
	return &s->rows[row];
}

static void add_line_past(struct text *out, const struct theme *theme, const struct stack *s, uint32_t row,
			  unsigned int depth)
{
	bool leg = hangs_as_leg(at_depth(s, row, depth));
	bool open = s->rows[row].open & (1U << depth);

	if (!leg)
		text_add_char(out, ' ');
	text_add(out, !open ? " " : theme_glyph(theme, leg ? GLYPH_LEG_LINE : GLYPH_CHILD_LINE));
	text_add_char(out, ' ');
}

/* The arm to the name, on which the fold sign sits. */
static enum glyph arm_glyph(const struct stack_row *row, bool folded)
{
	if (row->has_children && row->shape != ROW_SUM && !row->reference)
		return folded ? GLYPH_FOLD_SHUT : GLYPH_FOLD_OPEN;
	return hangs_as_leg(row) ? GLYPH_LEG_ARM : GLYPH_CHILD_ARM;
}

void label_prefix(struct text *out, const struct theme *theme, const struct stack *s, uint32_t at, bool folded)
{
	const struct stack_row *row = &s->rows[at];
	enum glyph arm = arm_glyph(row, folded);

	if (!row->depth) {
		text_add(out, arm == GLYPH_CHILD_ARM ? " " : theme_glyph(theme, arm));
		return;
	}
	for (unsigned int depth = 1; depth < row->depth; depth++)
		add_line_past(out, theme, s, at, depth);
	if (hangs_as_leg(row)) {
		text_add(out, theme_glyph(theme, row->last ? GLYPH_LEG_LAST : GLYPH_LEG));
	} else {
		text_add_char(out, ' ');
		text_add(out, theme_glyph(theme, row->last ? GLYPH_CHILD_LAST : GLYPH_CHILD));
	}
	text_add(out, theme_glyph(theme, arm));
}

/* --- what must be known of a device --- */

void note_release(struct note *n)
{
	text_release(&n->brief);
	text_release(&n->words);
}

static void add_note(struct note *n, bool warn, const char *brief, const char *words)
{
	if (n->brief.len)
		text_add(&n->brief, ", ");
	if (n->words.len)
		text_add(&n->words, ", ");
	text_add(&n->brief, brief);
	text_add(&n->words, words);
	n->warn |= warn;
}

static bool is_path(const struct topology *t, const struct device *d)
{
	if (d->kind == KIND_NVME_PATH)
		return true;
	for (size_t i = 0; i < d->holders.n; i++) {
		const struct device *holder = topology_find(t, d->holders.v[i]);

		if (holder && holder->kind == KIND_MULTIPATH)
			return true;
	}
	return false;
}

static uint64_t in_flight(const struct engine *e, uint32_t slot)
{
	const struct sample *sample = engine_sample(e);
	const struct sample_row *row = sample && slot != SLOT_NONE ? sample_row(sample, slot) : NULL;

	return row ? row->counters.v[IN_FLIGHT] : 0;
}

/* The lowest devices of a stack that have I/O in flight. */
struct holders {
	const struct engine *e;
	const struct topology *t;
	bool *seen;
	struct text names;
	size_t n;
};

static void find_holders(struct holders *h, const struct device *d)
{
	uint32_t index = (uint32_t)(d - h->t->devices);
	uint64_t held;

	if (h->seen[index])
		return;
	h->seen[index] = true;
	for (size_t i = 0; i < d->slaves.n; i++) {
		const struct device *lower = topology_find(h->t, d->slaves.v[i]);

		if (lower)
			find_holders(h, lower);
	}
	held = d->slaves.n ? 0 : in_flight(h->e, engine_slot(h->e, index));
	if (!held || ++h->n > MOST_HOLDERS)
		return;
	text_add(&h->names, h->names.len ? ", " : "");
	text_add_safe(&h->names, d->name, strlen(d->name));
	text_addf(&h->names, " %llu", (unsigned long long)held);
}

/* " (sda 5, sdb 4)": where below the I/O of a stuck device is. */
static void add_holders(struct text *out, const struct engine *e, const struct topology *t, uint32_t device)
{
	struct holders h = { .e = e, .t = t, .names = TEXT_INIT };

	if (!t->devices[device].slaves.n)
		return;
	h.seen = xcalloc(t->n, sizeof(*h.seen));
	find_holders(&h, &t->devices[device]);
	text_addf(out, " (%s", h.n ? text_str(&h.names) : "nothing below");
	if (h.n > MOST_HOLDERS)
		text_addf(out, " and %zu more", h.n - MOST_HOLDERS);
	text_add_char(out, ')');
	text_release(&h.names);
	free(h.seen);
}

static void note_stuck(struct note *n, const struct engine *e, uint32_t device)
{
	uint32_t slot = engine_slot(e, device);
	double seconds = engine_stuck_s(e, slot);
	struct text brief = TEXT_INIT, words = TEXT_INIT;

	if (seconds <= 0)
		return;
	text_addf(&brief, "stuck: %llu, ", (unsigned long long)in_flight(e, slot));
	text_add_fixed(&brief, seconds, 0);
	text_add(&brief, " s");
	text_add(&words, text_str(&brief));
	add_holders(&words, e, engine_topology(e), device);
	add_note(n, true, text_str(&brief), text_str(&words));
	text_release(&brief);
	text_release(&words);
}

/* A path gets the flushes of its map as empty reads. */
static bool carries_flushes(const struct view *v, uint32_t slot)
{
	field_set both = FIELD(RD_IOS) | FIELD(RD_SECTORS);
	struct delta d;

	return side_total(v->engine, slot, view_shows_segment(v) ? SIDE_AFTER : SIDE_LAST, &d) &&
		(d.valid & both) == both && d.v[RD_IOS] && !d.v[RD_SECTORS];
}

/* What tells a path's state, and the values with which it carries I/O: those need no word, or a short one. */
struct ordinary_state {
	const char *attribute, *value;
	const char *brief;      /* NULL: not worth one */
};

static const struct ordinary_state ordinary_states[] = {
	{ "device/state", "running", "run" },
	{ "device/state", "live", "live" },
	{ "device/access_state", "active/optimized", "active" },
	{ "device/access_state", "optimal", "active" },
	{ "device/dh_state", "alua", NULL },
	{ "device/dh_state", "rdac", NULL },
	{ "device/dh_state", "hp_sw", NULL },
	{ "device/dh_state", "emc", NULL },
	{ "device/dh_state", "detached", NULL },
	{ "ana_state", "optimized", "active" },
};

/* The row of an ordinary value; *is_state tells an attribute that is none of a path's states from an odd value. */
static const struct ordinary_state *find_ordinary(const struct attribute *a, bool *is_state)
{
	*is_state = false;
	for (size_t i = 0; i < ARRAY_SIZE(ordinary_states); i++) {
		if (strcmp(a->name, ordinary_states[i].attribute) != 0)
			continue;
		*is_state = true;
		if (!strcmp(a->value, ordinary_states[i].value))
			return &ordinary_states[i];
	}
	return NULL;
}

static void note_state(struct note *n, const struct attribute *a)
{
	struct text clean = TEXT_INIT;
	const struct ordinary_state *ordinary;
	bool is_state;

	if (!a->value || !*a->value)
		return;
	ordinary = find_ordinary(a, &is_state);
	if (ordinary && ordinary->brief)
		n->ordinary = ordinary->brief;
	if (!is_state || ordinary)
		return;
	text_add_safe(&clean, a->value, strlen(a->value));
	add_note(n, true, text_str(&clean), text_str(&clean));
	text_release(&clean);
}

static void note_states(struct note *n, const struct engine *e, uint32_t slot)
{
	const struct attributes *all = engine_attributes(e, slot);
	size_t before = n->words.len;

	for (size_t i = 0; all && i < all->n; i++)
		note_state(n, &all->v[i]);
	if (n->words.len != before)
		n->ordinary = NULL;
}

static bool note_presence(struct note *n, const struct engine *e, uint32_t slot)
{
	const struct roster *roster = engine_roster(e);
	const struct delta *d = engine_delta(e, slot);

	if (slot < roster->n && roster->entries[slot].name && !roster->entries[slot].present) {
		add_note(n, true, "gone", "gone");
		return false;
	}
	if (d && d->state == DELTA_NEW)
		add_note(n, true, "new", "new: another device stands behind the name");
	if (d && d->state == DELTA_RESET)
		add_note(n, true, "reset", "its counters were reset");
	return true;
}

/* Only when they grow: what they were at boot says nothing of now. */
static void note_errors(struct note *n, const struct engine *e, uint32_t slot)
{
	unsigned long long errors = engine_path_errors(e, slot);
	struct text brief = TEXT_INIT, words = TEXT_INIT;

	if (!errors)
		return;
	text_addf(&brief, "err +%llu", errors);
	text_addf(&words, "err +%llu: commands that failed or timed out since AFTER began", errors);
	add_note(n, true, text_str(&brief), text_str(&words));
	text_release(&brief);
	text_release(&words);
}

void note_take(struct note *n, const struct view *v, uint32_t device)
{
	const struct engine *e = v->engine;
	const struct topology *t = engine_topology(e);
	const struct device *d = &t->devices[device];
	uint32_t slot = engine_slot(e, device);
	const struct delta *delta;

	if (slot == SLOT_NONE || !note_presence(n, e, slot))
		return;
	delta = engine_delta(e, slot);
	if (engine_iostats(e, slot) == 0)
		add_note(n, true, "iostats off", "iostats off: the kernel does not count its I/O");
	note_stuck(n, e, device);
	if (delta && delta->derived)
		add_note(n, false, "sum of paths", "not accounted: sum of paths");
	if (is_path(t, d)) {
		if (carries_flushes(v, slot))
			add_note(n, false, "flushes", "flushes: its reads have no sectors");
		note_states(n, e, slot);
		note_errors(n, e, slot);
	}
}

/* --- beside the name --- */

static void add_word(struct text *out, const char *word)
{
	if (!word || !*word)
		return;
	if (out->len)
		text_add_char(out, ' ');
	text_add_safe(out, word, strlen(word));
}

static const char *kind_word(const struct topology *t, const struct device *d)
{
	if (is_path(t, d))
		return "path";
	if (d->kind == KIND_MD && d->md_level)
		return d->md_level;
	if (d->kind == KIND_DISK || d->kind == KIND_PARTITION || d->kind == KIND_NVME_HEAD || d->kind == KIND_UNKNOWN)
		return NULL;
	return device_kind_short(d->kind);
}

void label_detail(struct text *out, const struct view *v, uint32_t device)
{
	const struct topology *t = engine_topology(v->engine);
	const struct device *d = &t->devices[device];
	const char *file = d->backing_file ? strrchr(d->backing_file, '/') : NULL;

	add_word(out, d->dm_name ? d->dm_name : kind_word(t, d));
	add_word(out, file ? file + 1 : d->backing_file);
	add_word(out, d->mount);
}

static uint64_t leg_ios(const struct view *v, uint32_t slot, enum side side)
{
	struct delta d;

	return side_total(v->engine, slot, side, &d) ? delta_ios(&d) : 0;
}

/* The legs are also used by somebody else, so their I/O is not the map's alone. */
static bool legs_are_shared(const struct view *v, uint32_t device)
{
	const struct stack *s = engine_stack(v->engine, v->shape);
	uint32_t group = s->group_below ? s->group_below[device] : GROUP_NONE;

	return group != GROUP_NONE && s->groups[group].shared;
}

void label_shares(struct text *out, const struct view *v, const struct line *sum, enum side side)
{
	const uint32_t *legs = v->rows.legs + sum->legs_at;
	uint64_t all = 0;

	for (size_t i = 0; i < sum->legs_n; i++)
		all += leg_ios(v, legs[i], side);
	if (!all || legs_are_shared(v, sum->device))
		return;
	for (size_t i = 0; i < sum->legs_n; i++) {
		if (i)
			text_add_char(out, '/');
		text_add_fixed(out, 100.0 * (double)leg_ios(v, legs[i], side) / (double)all, 0);
	}
}
