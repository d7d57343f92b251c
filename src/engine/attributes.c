/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the helpers tell of attributes, and what does not answer. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/number.h"
#include "engine/state.h"

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

static struct attribute *attribute_named(struct attributes *a, const char *name)
{
	for (size_t i = 0; i < a->n; i++) {
		if (!strcmp(a->v[i].name, name))
			return &a->v[i];
	}
	ARRAY_GROW(a->v, a->capacity, a->n + 1);
	a->v[a->n] = (struct attribute){ .name = xstrdup(name) };
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

/* Those that a complete reading did not bring have gone (a scheduler was switched). */
static void attributes_drop_older(struct attributes *a, int64_t since_ns)
{
	size_t kept = 0;

	for (size_t i = 0; i < a->n; i++) {
		if (a->v[i].read_ns < since_ns)
			attribute_release(&a->v[i]);
		else
			a->v[kept++] = a->v[i];
	}
	a->n = kept;
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

void attributes_take(struct engine *e, uint32_t slot, const struct helper_event *event)
{
	struct attribute *one = attribute_named(&e->units[slot].attributes, event->what);

	take_errors(&e->units[slot].errors, event);
	free(one->value);
	one->value = event->error ? NULL : xstrndup(event->value, event->value_len);
	one->error = event->error;
	one->read_ns = clock_mono_ns();
	one->pending = false;
	engine_news(e, ENGINE_ATTRIBUTES);
}

const struct attributes *engine_attributes(const struct engine *e, uint32_t slot)
{
	const struct attributes *a = slot < e->n_units ? &e->units[slot].attributes : NULL;

	return a && (a->n || a->read_ns || e->units[slot].asked) ? a : NULL;
}

void engine_ask_attributes(struct engine *e, uint32_t slot)
{
	uint32_t device = engine_device(e, slot);
	const struct device *d = device == DEVICE_NONE ? NULL : &e->inventory.topology.devices[device];

	if (!d || !d->sysfs || e->units[slot].asked || e->inventory.lost || d->kind == KIND_PARTITION)
		return;
	e->units[slot].asked = helper_attributes(e->helper, e->inventory.root, d->name, d->sysfs);
}

void attributes_take_pending(struct engine *e, const struct helper_event *event)
{
	uint32_t slot = roster_find(&e->roster, event->name, strlen(event->name));

	pending_add(e, event->name, event->what, event->since_ns);
	if (slot != SLOT_NONE && slot < e->n_units && event->op == HELPER_ATTRIBUTES)
		attribute_named(&e->units[slot].attributes, event->what)->pending = true;
}

void attributes_done(struct engine *e, const struct helper_event *event)
{
	for (uint32_t slot = 0; slot < e->n_units; slot++) {
		struct unit *unit = &e->units[slot];

		if (unit->asked != event->id)
			continue;
		unit->asked = 0;
		if (!event->error) {
			attributes_drop_older(&unit->attributes, unit->attributes.read_ns);
			unit->attributes.read_ns = clock_mono_ns();
		}
		if (e->roster.entries[slot].name)
			pending_remove(e, e->roster.entries[slot].name, NULL);
		engine_news(e, ENGINE_ATTRIBUTES);
		return;
	}
}

void attributes_void(struct engine *e)
{
	for (uint32_t slot = 0; slot < e->n_units; slot++) {
		attributes_clear(&e->units[slot].attributes);
		e->units[slot].iostats = -1;
	}
}
