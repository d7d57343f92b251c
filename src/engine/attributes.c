/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the helpers tell of attributes, and what does not answer. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/msg.h"
#include "base/number.h"
#include "engine/state.h"
#include "model/knob.h"

/* --- what does not answer --- */

static void pending_remove_at(struct inventory *inv, size_t at)
{
	free(inv->pending[at].name);
	free(inv->pending[at].what);
	memmove(&inv->pending[at], &inv->pending[at + 1], (inv->n_pending - at - 1) * sizeof(*inv->pending));
	inv->n_pending--;
}

void pending_remove(struct engine *e, const char *name, const char *what)
{
	struct inventory *inv = &e->inventory;

	for (size_t i = inv->n_pending; i-- > 0;) {
		if (!strcmp(inv->pending[i].name, name) && (!what || !strcmp(inv->pending[i].what, what))) {
			pending_remove_at(inv, i);
			engine_news(e, ENGINE_ATTRIBUTES);
		}
	}
}

static void pending_add(struct engine *e, const char *name, const char *what, int64_t since_ns)
{
	struct inventory *inv = &e->inventory;

	pending_remove(e, name, what);
	ARRAY_GROW(inv->pending, inv->pending_capacity, inv->n_pending + 1);
	inv->pending[inv->n_pending++] = (struct pending){ xstrdup(name), xstrdup(what), since_ns };
	engine_news(e, ENGINE_ATTRIBUTES);
}

void pending_release(struct inventory *inv)
{
	while (inv->n_pending)
		pending_remove_at(inv, inv->n_pending - 1);
	free(inv->pending);
}

const struct pending *engine_pending(const struct engine *e, size_t *n)
{
	*n = e->inventory.n_pending;
	return e->inventory.pending;
}

/* --- attributes --- */

const struct attribute *attribute_find(const struct attributes *a, const char *name)
{
	for (size_t i = 0; i < a->n; i++) {
		if (!strcmp(a->v[i].name, name))
			return &a->v[i];
	}
	return NULL;
}

struct unit *attributes_unit(struct engine *e, uint32_t slot)
{
	if (slot == SLOT_SYSTEM)
		return &e->system_unit;
	return slot < e->n_units ? &e->units[slot] : NULL;
}

static const struct unit *unit_of(const struct engine *e, uint32_t slot)
{
	if (slot == SLOT_SYSTEM)
		return &e->system_unit;
	return slot < e->n_units ? &e->units[slot] : NULL;
}

static struct attribute *attribute_named(struct attributes *a, const char *name)
{
	for (size_t i = 0; i < a->n; i++) {
		if (!strcmp(a->v[i].name, name))
			return &a->v[i];
	}
	ARRAY_GROW(a->v, a->capacity, a->n + 1);
	a->v[a->n] = (struct attribute){ .name = xstrdup(name), .rank = knob_rank(name) };
	return &a->v[a->n++];
}

static void attribute_release(struct attribute *a)
{
	free(a->name);
	free(a->value);
}

void attributes_clear(struct attributes *a)
{
	for (size_t i = 0; i < a->n; i++)
		attribute_release(&a->v[i]);
	free(a->v);
	*a = (struct attributes){ 0 };
}

/* Those that a complete reading did not bring have gone (a scheduler was switched). Whether there were any. */
static bool drop_older(struct attributes *a, int64_t since_ns)
{
	size_t kept = 0, had = a->n;

	for (size_t i = 0; i < a->n; i++) {
		if (a->v[i].read_ns < since_ns)
			attribute_release(&a->v[i]);
		else
			a->v[kept++] = a->v[i];
	}
	a->n = kept;
	return kept < had;
}

/* --- errors of paths --- */

static void take_errors(struct path_errors *errors, const struct helper_event *event)
{
	static const char *const counters[] = { "device/ioerr_cnt", "device/iotmo_cnt" };

	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		uint64_t n;
		char *value;

		if (strcmp(counters[i], event->what) != 0 || event->error)
			continue;
		value = xstrndup(event->value, event->value_len);
		if (number_hex(value, &n)) {
			if (!errors->known[i] || n < errors->now[i])
				errors->base[i] = n;
			errors->now[i] = n;
			errors->known[i] = true;
		}
		free(value);
	}
}

void attributes_errors_from_now(struct engine *e)
{
	for (uint32_t slot = 0; slot < e->n_units; slot++)
		memcpy(e->units[slot].errors.base, e->units[slot].errors.now, sizeof(e->units[slot].errors.base));
}

uint64_t engine_path_errors(const struct engine *e, uint32_t slot)
{
	const struct path_errors *errors;

	if (slot >= e->n_units)
		return 0;
	errors = &e->units[slot].errors;
	return errors->now[0] - errors->base[0] + errors->now[1] - errors->base[1];
}

/* --- taking them --- */

static uint32_t slot_of_unit(const struct engine *e, const struct unit *unit)
{
	return unit == &e->system_unit ? SLOT_SYSTEM : (uint32_t)(unit - e->units);
}

/* Somebody else changed a knob: seen when neither this value nor the last can come from a write of ours under way. */
static void note_drift(struct engine *e, struct unit *unit, const struct helper_event *event)
{
	const struct attribute *was = attribute_find(&unit->attributes, event->what);
	struct text words = TEXT_INIT;
	uint32_t slot = slot_of_unit(e, unit);
	char *now;

	if ((!was || !was->value) && !unit->renewed)
		was = attribute_find(&unit->older, event->what);
	if (!was || !was->value || event->error || !event->writable || !knob_permitted(event->what)
	    || knob_derived(event->what) || unit->acted_ns >= unit->asked_ns || actions_writing(e, slot))
		return;
	now = xstrndup(event->value, event->value_len);
	if (!knob_same(was->value, now)) {
		text_addf(&words, "%s ", knob_name(event->what));
		knob_written(was->value, &words);
		text_add(&words, " -> ");
		knob_written(now, &words);
		text_add(&words, ", changed by somebody else");
		if (slot != SLOT_SYSTEM)
			happenings_add(e, slot, text_str(&words))->drift = true;
		segments_drift(e, slot, text_str(&words));
	}
	free(now);
	text_release(&words);
}

static bool is_as_it_was(const struct attribute *one, const struct helper_event *event)
{
	if (one->pending || one->error != event->error || one->writable != event->writable)
		return false;
	if (event->error)
		return true;
	return one->value && strlen(one->value) == event->value_len
		&& !memcmp(one->value, event->value, event->value_len);
}

/* It is gone, since it was listed. */
static void take_absence(struct engine *e, struct unit *unit, const char *name)
{
	struct attributes *a = &unit->attributes;
	const struct attribute *one = attribute_find(a, name);
	size_t at = one ? (size_t)(one - a->v) : a->n;

	unit->listed_ns = 0;
	if (at == a->n)
		return;
	attribute_release(&a->v[at]);
	memmove(&a->v[at], &a->v[at + 1], (a->n - at - 1) * sizeof(*a->v));
	a->n--;
	e->segments.setting_known = false;
	engine_news(e, ENGINE_ATTRIBUTES);
}

void attributes_take(struct engine *e, struct unit *unit, const struct helper_event *event)
{
	struct attribute *one;

	if (event->error == -ENOENT) {
		take_absence(e, unit, event->what);
		return;
	}
	one = attribute_named(&unit->attributes, event->what);
	one->read_ns = clock_mono_ns();
	if (is_as_it_was(one, event))
		return;
	if (knob_permitted(event->what))
		e->segments.setting_known = false;
	/* another scheduler has attributes of its own */
	if (!strcmp(event->what, "queue/scheduler"))
		unit->listed_ns = 0;
	take_errors(&unit->errors, event);
	note_drift(e, unit, event);
	free(one->value);
	one->value = event->error ? NULL : xstrndup(event->value, event->value_len);
	one->error = event->error;
	one->writable = event->writable;
	one->pending = false;
	engine_news(e, ENGINE_ATTRIBUTES);
}

static bool is_of_scheduler(const char *name)
{
	return !strncmp(name, "queue/iosched/", strlen("queue/iosched/"));
}

/* What the scheduler that was switched away had is no more. */
static void drop_absent(struct attributes *a, const struct setup *now)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->n; i++) {
		if (a->v[i].writable && is_of_scheduler(a->v[i].name) && !setup_get(now, a->v[i].name))
			attribute_release(&a->v[i]);
		else
			a->v[kept++] = a->v[i];
	}
	a->n = kept;
}

void attributes_take_setup(struct engine *e, struct unit *unit, const struct setup *now)
{
	drop_absent(&unit->attributes, now);
	unit->listed_ns = 0;
	e->segments.setting_known = false;
	for (size_t i = 0; i < now->n; i++) {
		struct attribute *one = attribute_named(&unit->attributes, now->v[i].path);

		free(one->value);
		one->value = xstrdup(now->v[i].value);
		one->error = 0;
		one->writable = true;
		one->read_ns = clock_mono_ns();
	}
	engine_news(e, ENGINE_ATTRIBUTES);
}

const struct attributes *engine_attributes(const struct engine *e, uint32_t slot)
{
	const struct unit *unit = unit_of(e, slot);
	const struct attributes *a = unit ? &unit->attributes : NULL;

	return a && (a->n || a->read_ns || unit->asked) ? a : NULL;
}

const struct attribute *engine_attribute(const struct engine *e, uint32_t slot, const char *name)
{
	const struct attributes *a = engine_attributes(e, slot);

	return a ? attribute_find(a, name) : NULL;
}

/* What the driver and the device say of a queue, nobody can change; knobs and the states of paths and arrays can. */
static bool is_fixed(const struct attribute *a)
{
	return !a->writable && !a->error && !strncmp(a->name, "queue/", strlen("queue/"));
}

/* Looking for attributes costs as much as reading them, and they seldom come or go: most times those known will do. */
static void ask_unit(struct engine *e, struct unit *unit, const char *name, const char *sysfs)
{
	const struct attributes *a = &unit->attributes;
	int64_t now = clock_mono_ns();
	struct names known = { 0 };

	if (unit->asked || e->inventory.lost)
		return;
	unit->asked_ns = now;
	for (size_t i = 0; i < a->n; i++) {
		if (!is_fixed(&a->v[i]))
			names_add(&known, a->v[i].name);
	}
	unit->listing = !known.n || !a->read_ns || !unit->listed_ns || now - unit->listed_ns >= LISTED_NS;
	if (unit->listing) {
		unit->asked = helper_attributes(e->helper, e->inventory.root, name, sysfs);
		/* refused while a write to the device is under way: then the next time */
		unit->listed_ns = unit->asked ? now : 0;
	} else {
		unit->asked = helper_attributes_known(e->helper, e->inventory.root, name, sysfs, &known);
	}
	names_release(&known);
}

void engine_ask_attributes(struct engine *e, uint32_t slot)
{
	uint32_t device = slot == SLOT_SYSTEM ? DEVICE_NONE : engine_device(e, slot);
	const struct device *d = device == DEVICE_NONE ? NULL : &e->inventory.topology.devices[device];

	if (slot == SLOT_SYSTEM)
		ask_unit(e, &e->system_unit, SYSTEM_DEVICE, SYSTEM_SYSFS);
	else if (d && d->sysfs && d->kind != KIND_PARTITION)
		ask_unit(e, &e->units[slot], d->name, d->sysfs);
}

void attributes_take_pending(struct engine *e, const struct helper_event *event)
{
	uint32_t slot = roster_find(&e->roster, event->name, strlen(event->name));

	pending_add(e, event->name, event->what, event->since_ns);
	/* of a deed's words only those that are attributes */
	if (slot != SLOT_NONE && slot < e->n_units && (event->op == HELPER_ATTRIBUTES || event->op == HELPER_ACT)
	    && (event->op == HELPER_ATTRIBUTES || attribute_find(&e->units[slot].attributes, event->what)))
		attribute_named(&e->units[slot].attributes, event->what)->pending = true;
}

static void unit_done(struct engine *e, struct unit *unit, const struct helper_event *event)
{
	bool first = !unit->attributes.read_ns;

	unit->asked = 0;
	if (event->error) {
		unit->listed_ns = 0;
		return;
	}
	if ((unit->listing && drop_older(&unit->attributes, unit->attributes.read_ns)) || first)
		engine_news(e, ENGINE_ATTRIBUTES);
	attributes_clear(&unit->older);
	unit->attributes.read_ns = clock_mono_ns();
}

void attributes_done(struct engine *e, const struct helper_event *event)
{
	if (e->system_unit.asked == event->id) {
		unit_done(e, &e->system_unit, event);
		return;
	}
	for (uint32_t slot = 0; slot < e->n_units; slot++) {
		struct unit *unit = &e->units[slot];

		if (unit->asked != event->id)
			continue;
		unit_done(e, unit, event);
		msg_debug("attributes of slot %u after %.1f ms", slot,
			  (double)(clock_mono_ns() - unit->asked_ns) / 1e6);
		if (e->roster.entries[slot].name)
			pending_remove(e, e->roster.entries[slot].name, NULL);
		return;
	}
}

/* What was never read in a tree that was passed is still that of the one before. */
static void void_unit(struct unit *unit)
{
	if (!unit->attributes.n)
		return;
	attributes_clear(&unit->older);
	unit->older = unit->attributes;
	unit->attributes = (struct attributes){ 0 };
}

void attributes_void(struct engine *e)
{
	for (uint32_t slot = 0; slot < e->n_units; slot++) {
		void_unit(&e->units[slot]);
		e->units[slot].iostats = -1;
	}
	void_unit(&e->system_unit);
}
