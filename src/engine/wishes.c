/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is to be written, before it is: which devices, whether it can be, what to warn of, in which order. */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "engine/state.h"

#define MAX_SECTORS "queue/max_sectors_kb"
#define DEEPEST 32              /* devices one above the other; a cycle in a tree ends here */

void knob_wishes_add(struct knob_wishes *w, uint32_t slot, const char *path, const char *value)
{
	ARRAY_GROW(w->v, w->capacity, w->n + 1);
	w->v[w->n++] = (struct knob_wish){ slot, xstrdup(path), xstrdup(value) };
}

void knob_wishes_release(struct knob_wishes *w)
{
	for (size_t i = 0; i < w->n; i++) {
		free(w->v[i].path);
		free(w->v[i].value);
	}
	free(w->v);
	*w = (struct knob_wishes){ 0 };
}

const char *knob_scope_words(enum knob_scope scope)
{
	static const char *const words[] = {
		[SCOPE_DEVICE] = "this device", [SCOPE_SLAVES] = "all below it", [SCOPE_STACK] = "the whole stack",
		[SCOPE_TAGGED] = "the tagged devices",
	};

	return words[scope];
}

/* --- devices --- */

static const struct device *device_of(const struct engine *e, uint32_t slot)
{
	uint32_t device = engine_device(e, slot);

	return device == DEVICE_NONE ? NULL : &e->inventory.topology.devices[device];
}

uint32_t engine_knob_slot(const struct engine *e, uint32_t slot)
{
	const struct topology *t = &e->inventory.topology;
	const struct device *d = slot == SLOT_SYSTEM ? NULL : device_of(e, slot);

	return d ? engine_slot(e, (uint32_t)(topology_disk(t, d) - t->devices)) : slot;
}

const char *engine_knob_device(const struct engine *e, uint32_t slot)
{
	if (slot == SLOT_SYSTEM)
		return SYSTEM_DEVICE;
	return slot < e->roster.n && e->roster.entries[slot].name ? e->roster.entries[slot].name : "";
}

static bool is_wished(const struct knob_wishes *w, uint32_t slot, const char *path)
{
	for (size_t i = 0; i < w->n; i++) {
		if (w->v[i].slot == slot && !strcmp(w->v[i].path, path))
			return true;
	}
	return false;
}

/* Returns 1 when the device does not have it. */
static size_t spread_to(const struct engine *e, uint32_t slot, const char *path, const char *value,
			struct knob_wishes *out)
{
	slot = engine_knob_slot(e, slot);
	if (!engine_attribute(e, slot, path))
		return 1;
	if (!is_wished(out, slot, path))
		knob_wishes_add(out, slot, path, value);
	return 0;
}

static void mark_below(const struct topology *t, const struct device *d, bool *hit, int depth)
{
	for (size_t i = 0; i < d->slaves.n && depth < DEEPEST; i++) {
		const struct device *lower = topology_find(t, d->slaves.v[i]);

		if (lower && !hit[lower - t->devices]) {
			hit[lower - t->devices] = true;
			mark_below(t, lower, hit, depth + 1);
		}
	}
}

size_t engine_knob_spread(const struct engine *e, uint32_t slot, enum knob_scope scope, const char *path,
			  const char *value, struct knob_wishes *out)
{
	const struct topology *t = &e->inventory.topology;
	const struct device *d = slot == SLOT_SYSTEM ? NULL : device_of(e, slot);
	size_t without = 0;
	bool *hit;

	if (!d || scope == SCOPE_DEVICE || scope == SCOPE_TAGGED)
		return spread_to(e, slot, path, value, out);
	hit = xcalloc(t->n, sizeof(*hit));
	if (scope == SCOPE_STACK)
		stack_members(t, engine_device(e, slot), hit);
	else
		mark_below(t, d, hit, 0);
	for (uint32_t i = 0; i < t->n; i++) {
		/* a partition's queue is its disk's, which is a member too */
		if (hit[i] && t->devices[i].kind != KIND_PARTITION)
			without += spread_to(e, engine_slot(e, i), path, value, out);
		else if (hit[i] && scope == SCOPE_SLAVES)
			without += spread_to(e, engine_knob_slot(e, engine_slot(e, i)), path, value, out);
	}
	free(hit);
	return without;
}

/* --- checks --- */

const char *engine_knobs_refused(const struct engine *e)
{
	return e->options.read_only ? "--read-only: knobs are not written" : NULL;
}

bool engine_knob_check(const struct engine *e, const struct knob_wish *wish, struct text *why)
{
	const char *refused = engine_knobs_refused(e);
	const struct attribute *a = engine_attribute(e, wish->slot, wish->path);

	if (refused)
		text_add(why, refused);
	else if (!a)
		text_add(why, "it does not have this attribute");
	else if (a->pending)
		text_add(why, "it does not answer; nothing is written to a device that hangs");
	else if (!knob_permitted(wish->path))
		text_add(why, "not a knob: only what is known to be one can be written here");
	else if (!a->writable)
		text_add(why, "the kernel lets nobody write it");
	else
		return knob_check(wish->path, a->value ? a->value : "", wish->value, why);
	return false;
}

enum knob_risk engine_knob_risk(const struct knob_wishes *wishes)
{
	enum knob_risk worst = RISK_NONE;

	for (size_t i = 0; i < wishes->n; i++) {
		const struct knob *k = knob_find(wishes->v[i].path);

		if (k && k->risk > worst)
			worst = k->risk;
	}
	return worst;
}

/* --- warnings --- */

/* What the attribute will be when all wishes are granted; false: not known, or no number. */
static bool number_then(const struct engine *e, const struct knob_wishes *wishes, uint32_t slot, const char *path,
			int64_t *n)
{
	const struct attribute *a = engine_attribute(e, slot, path);

	for (size_t i = wishes->n; i-- > 0;) {
		if (wishes->v[i].slot == slot && !strcmp(wishes->v[i].path, path))
			return knob_number(wishes->v[i].value, n);
	}
	return a && a->value && knob_number(a->value, n);
}

static void warn_pair(const struct engine *e, const struct knob_wishes *wishes, uint32_t upper, uint32_t lower,
		      struct text *out)
{
	int64_t above, below;

	if (!number_then(e, wishes, upper, MAX_SECTORS, &above) || !number_then(e, wishes, lower, MAX_SECTORS, &below)
	    || above <= below)
		return;
	text_addf(out, "%s would send requests of %lld KiB, %s takes %lld: its path would fail\n",
		  engine_knob_device(e, upper), (long long)above, engine_knob_device(e, lower), (long long)below);
}

static void warn_limits(const struct engine *e, const struct knob_wishes *wishes, const struct knob_wish *wish,
			struct text *out)
{
	const struct topology *t = &e->inventory.topology;
	const struct device *d = device_of(e, wish->slot);

	if (!d || strcmp(wish->path, MAX_SECTORS) != 0)
		return;
	for (size_t i = 0; d->kind == KIND_MULTIPATH && i < d->slaves.n; i++) {
		const struct device *lower = topology_find(t, d->slaves.v[i]);

		if (lower)
			warn_pair(e, wishes, wish->slot, engine_slot(e, (uint32_t)(lower - t->devices)), out);
	}
	for (size_t i = 0; i < d->holders.n; i++) {
		const struct device *upper = topology_find(t, d->holders.v[i]);
		uint32_t slot = upper ? engine_slot(e, (uint32_t)(upper - t->devices)) : SLOT_NONE;

		/* when the map is changed as well it has been said there */
		if (upper && upper->kind == KIND_MULTIPATH && !is_wished(wishes, slot, MAX_SECTORS))
			warn_pair(e, wishes, slot, wish->slot, out);
	}
}

static void warn_no_effect(const struct engine *e, const struct knob_wish *wish, struct text *out)
{
	const struct device *d = wish->slot == SLOT_SYSTEM ? NULL : device_of(e, wish->slot);
	const char *words = d ? knob_without_effect(wish->path, &e->inventory.topology, d) : NULL;

	if (words)
		text_addf(out, "%s: %s\n", d->name, words);
}

void engine_knob_warnings(const struct engine *e, const struct knob_wishes *wishes, struct text *out)
{
	for (size_t i = 0; i < wishes->n; i++) {
		warn_no_effect(e, &wishes->v[i], out);
		warn_limits(e, wishes, &wishes->v[i], out);
	}
}

/* --- order --- */

static unsigned int depth_of(const struct topology *t, const struct device *d, unsigned int limit)
{
	unsigned int deepest = 0;

	for (size_t i = 0; limit && i < d->slaves.n; i++) {
		const struct device *lower = topology_find(t, d->slaves.v[i]);
		unsigned int depth = lower ? 1 + depth_of(t, lower, limit - 1) : 0;

		deepest = depth > deepest ? depth : deepest;
	}
	return deepest;
}

/* Of max_sectors_kb: what is raised goes from the paths up, what is lowered from the map down. */
unsigned int wish_order(const struct engine *e, const struct knob_wish *wish)
{
	const struct attribute *a = engine_attribute(e, wish->slot, wish->path);
	const struct device *d = device_of(e, wish->slot);
	int64_t now, then;
	unsigned int depth;

	if (!d || strcmp(wish->path, MAX_SECTORS) != 0 || !a || !a->value || !knob_number(a->value, &now)
	    || !knob_number(wish->value, &then))
		return 0;
	depth = depth_of(&e->inventory.topology, d, DEEPEST);
	return then > now ? depth : DEEPEST - depth;
}

static int kind_order(const char *path)
{
	if (!strcmp(path, "queue/scheduler"))
		return 0;
	return strcmp(path, "queue/nr_requests") ? 2 : 1;
}

static bool goes_before(const struct engine *e, const struct knob_wish *a, const struct knob_wish *b)
{
	int x = kind_order(a->path), y = kind_order(b->path);

	return x != y ? x < y : wish_order(e, a) < wish_order(e, b);
}

/* Stable: what is said first is done first. */
void engine_knob_order(const struct engine *e, struct knob_wishes *wishes)
{
	for (size_t i = 1; i < wishes->n; i++) {
		struct knob_wish wish = wishes->v[i];
		size_t at = i;

		while (at && goes_before(e, &wish, &wishes->v[at - 1])) {
			wishes->v[at] = wishes->v[at - 1];
			at--;
		}
		wishes->v[at] = wish;
	}
}
