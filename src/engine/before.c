/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/state.h"
#include "model/knob.h"

/* --- pinning --- */

static void pinned_release(struct pinned *p)
{
	free(p->kind);
	free(p->key);
	free(p->judged);
	attributes_clear(&p->knobs);
}

void pinned_free(struct stretch *stretch)
{
	for (uint32_t slot = 0; slot < stretch->n; slot++)
		pinned_release(&stretch->pinned[slot]);
	free(stretch->pinned);
	stretch->pinned = NULL;
	stretch->n = 0;
	attributes_clear(&stretch->system_knobs);
}

void pinned_forget(struct stretch *stretch, uint32_t slot)
{
	if (slot >= stretch->n)
		return;
	pinned_release(&stretch->pinned[slot]);
	stretch->pinned[slot] = (struct pinned){ 0 };
}

/* A name tells nothing of who it is. */
static bool is_identity(const char *kind, const char *key)
{
	return strcmp(kind, "name") != 0 && strncmp(key, "name ", 5) != 0;
}

/* The identity of the device that stands in the slot now; false when only its name is known. */
static bool identity_of(const struct engine *e, uint32_t slot, struct text *kind, struct text *key)
{
	uint32_t device = engine_device(e, slot);
	const struct topology *t = &e->inventory.topology;

	text_clear(kind);
	text_clear(key);
	if (device == DEVICE_NONE || !t->devices[device].sysfs || e->units[slot].stale)
		return false;
	device_identity(t, &t->devices[device], kind, key);
	return is_identity(text_str(kind), text_str(key));
}

static bool is_knob(const char *name)
{
	return (!strncmp(name, "queue/", 6) || knob_find(name)) && !knob_derived(name);
}

static void copy_knobs(struct attributes *to, const struct attributes *from)
{
	for (size_t i = 0; i < from->n; i++) {
		const struct attribute *a = &from->v[i];

		if (!a->value || !is_knob(a->name))
			continue;
		ARRAY_GROW(to->v, to->capacity, to->n + 1);
		to->v[to->n++] = (struct attribute){
			.name = xstrdup(a->name), .rank = a->rank, .value = xstrdup(a->value),
			.read_ns = a->read_ns, .writable = a->writable,
		};
	}
	to->read_ns = from->read_ns;
}

void pinned_take(struct engine *e, struct stretch *stretch)
{
	struct text kind = TEXT_INIT, key = TEXT_INIT;

	stretch->n = e->n_units;
	stretch->pinned = xcalloc(stretch->n, sizeof(*stretch->pinned));
	for (uint32_t slot = 0; slot < stretch->n; slot++) {
		struct pinned *pinned = &stretch->pinned[slot];

		if (!segment_has(stretch->segment, slot, NULL))
			continue;
		if (identity_of(e, slot, &kind, &key)) {
			pinned->kind = xstrdup(text_str(&kind));
			pinned->key = xstrdup(text_str(&key));
		}
		copy_knobs(&pinned->knobs, &e->units[slot].attributes);
	}
	copy_knobs(&stretch->system_knobs, &e->system_unit.attributes);
	text_release(&kind);
	text_release(&key);
}

void before_set(struct engine *e, struct stretch *stretch)
{
	struct before *b = &e->segments.before;

	free(b->match);
	*b = (struct before){ .stretch = stretch };
	before_forget_marks(e);
	before_match(e);
}

void engine_drop_before(struct engine *e)
{
	before_set(e, NULL);
}

static struct segment *before_segment(const struct engine *e)
{
	const struct before *b = &e->segments.before;

	return b->stretch ? b->stretch->segment : NULL;
}

const struct segment *engine_before(const struct engine *e)
{
	return before_segment(e);
}

const char *engine_before_release(const struct engine *e)
{
	return e->segments.before.stretch ? e->segments.before.stretch->release : "";
}

bool before_holds(const struct engine *e, uint32_t slot)
{
	return before_segment(e) && segment_has(before_segment(e), slot, NULL);
}

/* --- who is who --- */

static bool same_instance(const struct engine *e, uint32_t slot)
{
	uint32_t instance;

	return segment_has(before_segment(e), slot, &instance)
		&& e->roster.entries[slot].instance == instance;
}

/* The one slot in BEFORE with that identity; SLOT_NONE when there is none, more than one, or it is still there. */
static uint32_t pinned_with(const struct engine *e, const char *kind, const char *key)
{
	const struct stretch *before = e->segments.before.stretch;
	uint32_t found = SLOT_NONE;

	for (uint32_t slot = 0; slot < before->n; slot++) {
		const struct pinned *p = &before->pinned[slot];

		if (!p->key || strcmp(p->key, key) || strcmp(p->kind, kind))
			continue;
		if (found != SLOT_NONE || (e->roster.entries[slot].present && same_instance(e, slot)))
			return SLOT_NONE;
		found = slot;
	}
	return found;
}

/* Two devices of now that match one of then are no match. */
static void drop_doubles(struct before *b)
{
	for (uint32_t i = 0; i < b->n_match; i++) {
		bool twice = false;

		for (uint32_t j = i + 1; b->match[i] != SLOT_NONE && j < b->n_match; j++) {
			if (b->match[j] == b->match[i]) {
				b->match[j] = SLOT_NONE;
				twice = true;
			}
		}
		if (twice)
			b->match[i] = SLOT_NONE;
	}
}

/* Those that are the same instance need no search; only devices that came since BEFORE do. */
void before_match(struct engine *e)
{
	struct before *b = &e->segments.before;
	struct text kind = TEXT_INIT, key = TEXT_INIT;
	bool searched = false;

	if (!b->stretch)
		return;
	b->n_match = e->n_units < e->roster.n ? e->n_units : e->roster.n;
	b->match = xreallocarray(b->match, b->n_match, sizeof(*b->match));
	for (uint32_t slot = 0; slot < b->n_match; slot++) {
		b->match[slot] = SLOT_NONE;
		if (same_instance(e, slot) || !e->roster.entries[slot].present || !identity_of(e, slot, &kind, &key))
			continue;
		b->match[slot] = pinned_with(e, text_str(&kind), text_str(&key));
		searched = true;
	}
	if (searched)
		drop_doubles(b);
	text_release(&kind);
	text_release(&key);
}

/* The slot in BEFORE that the device is compared with. */
static uint32_t matched(const struct engine *e, uint32_t slot)
{
	const struct before *b = &e->segments.before;

	if (!b->stretch || slot >= e->roster.n)
		return SLOT_NONE;
	if (same_instance(e, slot))
		return slot;
	return slot < b->n_match ? b->match[slot] : SLOT_NONE;
}

uint32_t engine_before_slot(const struct engine *e, uint32_t slot)
{
	uint32_t was = matched(e, slot);

	if (was == SLOT_NONE && slot < e->roster.n && !e->roster.entries[slot].present && before_holds(e, slot))
		return slot;
	return was;
}

enum na engine_estimate_before(const struct engine *e, uint32_t slot, enum metric_id m, struct estimate *estimate)
{
	uint32_t was = engine_before_slot(e, slot);

	struct comparison c;
	struct estimate after;

	if (was != SLOT_NONE && stretches_repeated(e, slot, m, &c, estimate, &after))
		return NA_NONE;
	*estimate = (struct estimate){ .kind = ESTIMATE_NONE };
	return was == SLOT_NONE ? NA_NEW : segment_estimate(before_segment(e), was, m, estimate);
}

enum na engine_estimate_after(const struct engine *e, uint32_t slot, enum metric_id m, struct estimate *estimate)
{
	struct comparison c;
	struct estimate before;

	if (stretches_repeated(e, slot, m, &c, &before, estimate))
		return NA_NONE;
	*estimate = (struct estimate){ .kind = ESTIMATE_NONE };
	return segment_estimate(e->segments.after->segment, slot, m, estimate);
}

bool engine_active_before(const struct engine *e, uint32_t slot)
{
	uint32_t was = engine_before_slot(e, slot);

	return was != SLOT_NONE && segment_active(before_segment(e), was);
}

const char *engine_matched_by(const struct engine *e, uint32_t slot)
{
	const struct before *b = &e->segments.before;
	uint32_t was;

	if (!b->stretch || slot >= e->roster.n || same_instance(e, slot) || slot >= b->n_match)
		return NULL;
	was = b->match[slot];
	return was == SLOT_NONE ? NULL : b->stretch->pinned[was].kind;
}

/* --- marks --- */

static struct judged *judged_of(struct stretch *before, uint32_t slot)
{
	struct judged *j = before->pinned[slot].judged;

	if (j)
		return j;
	j = before->pinned[slot].judged = xcalloc(1, sizeof(*j));
	for (int m = 0; m < METRICS; m++)
		j->why[m] = (uint8_t)segment_estimate(before->segment, slot, (enum metric_id)m,
							&j->before[m]);
	return j;
}

void before_forget_marks(struct engine *e)
{
	struct stretch *before = e->segments.before.stretch;

	for (uint32_t slot = 0; before && slot < before->n; slot++) {
		struct judged *j = before->pinned[slot].judged;

		if (j)
			memset(j->held, 0, sizeof(j->held));
	}
}

static int8_t held_longer(int8_t held, int direction)
{
	if (!direction || (held && (held > 0) != (direction > 0)))
		return (int8_t)direction;
	if (held == MARK_BINS || held == -MARK_BINS)
		return held;
	return (int8_t)(held + direction);
}

static int live_direction(const struct metric_rules *rules, const struct estimate *before,
			  const struct estimate *after)
{
	int direction = 0;

	if (compare_is_clear(rules, CONFIDENCE_LIVE, before, after, &direction))
		return direction;
	return compare_rises_from_0(rules, CONFIDENCE_LIVE, before, after) ? 1 : 0;
}

static bool eras_differ(const struct engine *e, enum metric_id m)
{
	const char *before = e->segments.before.stretch->release, *after = e->segments.after->release;

	/* the same kernel accounts as it does, whatever era it is of */
	if (!strcmp(before, after))
		return false;
	return !eras_comparable(m, accounting_era(before), accounting_era(after));
}

static void judge_device(struct engine *e, struct judged *j, uint32_t slot)
{
	for (int m = 0; m < METRICS; m++) {
		struct estimate now;
		int direction = 0;

		if (j->why[m] == NA_NONE && !eras_differ(e, (enum metric_id)m)
		    && segment_estimate(e->segments.after->segment, slot, (enum metric_id)m, &now) == NA_NONE)
			direction = live_direction(&metrics[m].rules, &j->before[m], &now);
		j->held[m] = held_longer(j->held[m], direction);
	}
}

void before_judge(struct engine *e)
{
	struct stretch *before = e->segments.before.stretch;
	const struct segment *after = e->segments.after->segment;

	for (uint32_t slot = 0; before && slot < e->n_units; slot++) {
		uint32_t was = matched(e, slot), instance;

		if (was == SLOT_NONE || !segment_has(after, slot, &instance)
		    || instance != e->roster.entries[slot].instance)
			continue;
		if (segment_active(before->segment, was) || segment_active(after, slot))
			judge_device(e, judged_of(before, was), slot);
	}
}

int engine_mark(const struct engine *e, uint32_t slot, enum metric_id m)
{
	uint32_t was = matched(e, slot);
	const struct judged *j = was == SLOT_NONE ? NULL : e->segments.before.stretch->pinned[was].judged;

	return !j ? 0 : j->held[m] == MARK_BINS ? 1 : j->held[m] == -MARK_BINS ? -1 : 0;
}

/* --- comparisons --- */

bool engine_compare(const struct engine *e, uint32_t slot, enum metric_id m, struct comparison *c)
{
	const struct before *b = &e->segments.before;
	struct estimate before, after;
	struct comparison turns;
	enum na why_before, why_after;
	uint32_t was = matched(e, slot);

	if (!b->stretch || slot >= e->roster.n)
		return false;
	if (was == SLOT_NONE || !e->roster.entries[slot].present) {
		compare_one_sided(c, !e->roster.entries[slot].present && before_holds(e, slot));
		return true;
	}
	why_before = segment_estimate(b->stretch->segment, was, m, &before);
	why_after = stretch_estimate(e, e->segments.after, slot, m, &after);
	if (why_before == NA_NONE && why_after == NA_NONE && eras_differ(e, m))
		why_after = NA_ERA;
	compare(c, &metrics[m].rules, CONFIDENCE_FINISHED, &before, why_before, &after, why_after);
	if (c->verdict > VERDICT_REPEATED && stretches_repeated(e, slot, m, &turns, &before, &after))
		*c = turns;
	return true;
}

bool engine_compare_system(const struct engine *e, enum system_id m, struct comparison *c)
{
	struct estimate before, after;
	enum na why_before, why_after;

	if (!before_segment(e))
		return false;
	why_before = segment_estimate_system(before_segment(e), m, &before);
	why_after = segment_estimate_system(e->segments.after->segment, m, &after);
	compare(c, &system_metrics[m].rules, CONFIDENCE_FINISHED, &before, why_before, &after, why_after);
	return true;
}

/* --- knobs --- */

/* To be freed. */
static char *chosen(const char *value)
{
	size_t len;
	const char *word = knob_chosen(value, &len);

	return xstrndup(word, len);
}

struct changes {
	struct setup_change *v;
	size_t n, capacity;
};

static void add_change(struct changes *changes, const char *device, const char *attribute, const char *before,
		       const char *after)
{
	struct setup_change change = { .device = device, .attribute = attribute };

	change.before = before ? chosen(before) : NULL;
	change.after = after ? chosen(after) : NULL;
	if (change.before && change.after && !strcmp(change.before, change.after)) {
		free(change.before);
		free(change.after);
		return;
	}
	ARRAY_GROW(changes->v, changes->capacity, changes->n + 1);
	changes->v[changes->n++] = change;
}

static void add_changes(struct changes *changes, const char *device, const struct attributes *before,
			const struct attributes *after)
{
	for (size_t i = 0; i < before->n; i++) {
		const struct attribute *now = attribute_find(after, before->v[i].name);

		/* one that cannot be read now may be what it was */
		if (now && !now->value)
			continue;
		add_change(changes, device, before->v[i].name, before->v[i].value, now ? now->value : NULL);
	}
	for (size_t i = 0; i < after->n; i++) {
		const struct attribute *now = &after->v[i];

		if (now->value && is_knob(now->name) && !attribute_find(before, now->name))
			add_change(changes, device, now->name, NULL, now->value);
	}
}

const struct attributes *stretch_knobs(const struct engine *e, const struct stretch *stretch, uint32_t slot)
{
	if (stretch == e->segments.live)
		return slot == SLOT_SYSTEM ? &e->system_unit.attributes :
			slot < e->n_units ? &e->units[slot].attributes : NULL;
	return slot == SLOT_SYSTEM ? &stretch->system_knobs :
		slot < stretch->n ? &stretch->pinned[slot].knobs : NULL;
}

bool knobs_agree(const struct attributes *a, const struct attributes *b)
{
	for (size_t i = 0; a && b && i < a->n; i++) {
		const struct attribute *one = &a->v[i], *other;

		if (!one->value || !one->writable || !knob_permitted(one->name) || knob_derived(one->name))
			continue;
		other = attribute_find(b, one->name);
		if (other && other->value && !knob_near(one->name, one->value, other->value))
			return false;
	}
	return true;
}

/* Both must have been read to the end. */
static void add_both(struct changes *changes, const char *device, const struct attributes *before,
		     const struct attributes *now)
{
	if (before && now && before->read_ns && now->read_ns)
		add_changes(changes, device, before, now);
}

size_t engine_setup(const struct engine *e, struct setup_change **out)
{
	const struct segments *s = &e->segments;
	struct changes changes = { NULL, 0, 0 };

	for (uint32_t slot = 0; s->before.stretch && slot < e->n_units; slot++) {
		uint32_t was = matched(e, slot);

		if (was != SLOT_NONE)
			add_both(&changes, e->roster.entries[slot].name, stretch_knobs(e, s->before.stretch, was),
				 stretch_knobs(e, s->after, slot));
	}
	if (s->before.stretch)
		add_both(&changes, SYSTEM_DEVICE, &s->before.stretch->system_knobs,
			 stretch_knobs(e, s->after, SLOT_SYSTEM));
	*out = changes.v;
	return changes.n;
}

const struct attribute *engine_attribute_before(const struct engine *e, uint32_t slot, const char *name)
{
	const struct stretch *before = e->segments.before.stretch;
	uint32_t was = slot == SLOT_SYSTEM ? slot : matched(e, slot);

	return !before || was == SLOT_NONE ? NULL : attribute_find(stretch_knobs(e, before, was), name);
}

void engine_setup_free(struct setup_change *changes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(changes[i].before);
		free(changes[i].after);
	}
	free(changes);
}
