/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the helpers are asked, and when; their answers are inventory.c's and attributes.c's. */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "engine/state.h"

void ask_topology(struct engine *e, int64_t now)
{
	struct inventory *inv = &e->inventory;

	if (inv->mounts_changed && now - inv->read_ns >= MOUNTS_GAP_NS)
		inv->wanted = true;
	if (!inv->wanted || inv->request || inv->lost)
		return;
	if (inv->read_ns && now - inv->read_ns < TOPOLOGY_GAP_NS && !e->source->stepped)
		return;
	inv->wanted = inv->mounts_changed = false;
	inv->read_ns = now;
	topology_release(&inv->incoming);
	inv->request = helper_topology(e->helper, inv->root);
}

/* Without a file or a medium there is nothing to do I/O on; a box may have hundreds of such loop devices. */
static bool is_empty(const struct device *d)
{
	return d->has_size && !d->size_sectors;
}

/* The devices with a queue of their own that can do I/O, or the hidden ones only. */
static void names_of(const struct engine *e, bool hidden, struct names *out)
{
	const struct topology *t = &e->inventory.topology;

	for (size_t i = 0; i < t->n; i++) {
		const struct device *d = &t->devices[i];

		if (d->sysfs && d->kind != KIND_PARTITION && (hidden ? d->hidden : !is_empty(d)))
			names_add(out, d->name);
	}
}

static uint32_t ask_one(struct engine *e, const char *what, bool hidden)
{
	struct names names = { NULL, 0, 0 };
	uint32_t id = 0;

	names_of(e, hidden, &names);
	if (names.n)
		id = helper_read(e->helper, e->inventory.root, what, &names);
	names_release(&names);
	return id;
}

static bool did_io(const struct engine *e, uint32_t slot)
{
	const struct segment *before = engine_before(e), *after = engine_after(e);

	return (slot < e->n_units && e->units[slot].has_delta && delta_active(&e->units[slot].delta))
		|| (after && segment_active(after, slot)) || (before && segment_active(before, slot));
}

/* Mark the devices of all stacks in which something happened: their knobs and path states matter. */
static void mark_watched(const struct engine *e, bool *watched)
{
	const struct inventory *inv = &e->inventory;

	for (size_t i = 0; i < inv->topology.n; i++) {
		if (!watched[i] && did_io(e, inv->slots[i]))
			stack_members(&inv->topology, (uint32_t)i, watched);
	}
}

void ask_watched(struct engine *e)
{
	struct inventory *inv = &e->inventory;
	bool *watched;
	size_t asked = 0;

	if (!e->options.with_segments)
		return;
	watched = xcalloc(inv->topology.n, sizeof(*watched));
	mark_watched(e, watched);
	for (size_t i = 0; i < inv->topology.n && asked < WATCHED_MOST; i++) {
		if (watched[i]) {
			engine_ask_attributes(e, inv->slots[i]);
			asked++;
		}
	}
	free(watched);
}

void ask_slow(struct engine *e, int64_t now)
{
	struct inventory *inv = &e->inventory;

	if (!inv->known || inv->lost || (inv->slow_ns && now - inv->slow_ns < SLOW_READ_NS))
		return;
	inv->slow_ns = now;
	if (!inv->iostats_request)
		inv->iostats_request = ask_one(e, "queue/iostats", false);
	if (!inv->diskseq_request)
		inv->diskseq_request = ask_one(e, "diskseq", true);
	if (!e->source->stepped)
		ask_watched(e);
}

void ask_selected(struct engine *e, int64_t now)
{
	struct inventory *inv = &e->inventory;

	if (!inv->known || e->selected == SLOT_NONE || (inv->selected_ns && now - inv->selected_ns < SELECTED_READ_NS))
		return;
	inv->selected_ns = now;
	for (size_t i = 0; i < inv->topology.n; i++) {
		if (inv->in_selected[i])
			engine_ask_attributes(e, inv->slots[i]);
	}
}

void ask_due(struct engine *e, int64_t now)
{
	if (!e->published)
		return;
	ask_topology(e, now);
	if (e->source->stepped)
		return;
	ask_slow(e, now);
	ask_selected(e, now);
}
