/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/msg.h"
#include "engine/state.h"
#include "kernel/uevent.h"

/* How long a tree's topology may take before the step goes on without the rest of it. */
#define TREE_WAIT_MS 3000

/* --- between slots and devices --- */

uint32_t engine_slot(const struct engine *e, uint32_t device)
{
	return device < e->inventory.n_slots ? e->inventory.slots[device] : SLOT_NONE;
}

uint32_t engine_device(const struct engine *e, uint32_t slot)
{
	return slot < e->n_units ? e->units[slot].device : DEVICE_NONE;
}

const struct topology *engine_topology(const struct engine *e)
{
	return &e->inventory.topology;
}

int engine_topology_error(const struct engine *e)
{
	return e->inventory.error;
}

const struct stack *engine_stack(struct engine *e, enum stack_view view)
{
	struct inventory *inv = &e->inventory;

	if (!inv->built[view]) {
		stack_build(&inv->stacks[view], &inv->topology, view);
		inv->built[view] = true;
	}
	return &inv->stacks[view];
}

/* --- a topology becomes the one in use --- */

/* A device that sysfs did not tell of: in diskstats only, or gone but still in BEFORE. */
static void add_bare(struct topology *t, const struct roster_entry *entry, const struct topology *old)
{
	const struct device *was = topology_find(old, entry->name);
	enum device_kind kind = was && !entry->present ? was->kind : device_kind_by_name(entry->name);
	struct device *d;

	if (topology_find(t, entry->name))
		return;
	d = topology_add(t, entry->name);
	d->major = entry->major;
	d->minor = entry->minor;
	d->kind = kind;
}

static void add_missing(struct engine *e, struct topology *t)
{
	for (uint32_t slot = 0; slot < e->roster.n; slot++) {
		const struct roster_entry *entry = &e->roster.entries[slot];

		if (entry->name && (entry->present || before_holds(e, slot)))
			add_bare(t, entry, &e->inventory.topology);
	}
}

/* The instance that sysfs sees; another one than was known makes the next interval new. */
static void note_diskseq(struct engine *e, uint32_t slot, uint64_t diskseq)
{
	struct roster_entry *entry = &e->roster.entries[slot];

	if (!diskseq || diskseq == entry->diskseq)
		return;
	if (entry->diskseq) {
		e->units[slot].renewed = 1;
		e->units[slot].listed_ns = 0;
	}
	entry->diskseq = diskseq;
}

/* Names that went a while ago and that nothing shows any more give their slot back. */
static void forget_gone(struct engine *e)
{
	int64_t now = e->samples[e->current].t_ns;

	for (uint32_t slot = 0; slot < e->n_units; slot++) {
		struct unit *unit = &e->units[slot];

		if (!unit->gone_ns || now - unit->gone_ns < FORGET_NS || before_holds(e, slot))
			continue;
		if (slot >= e->roster.n || !e->roster.entries[slot].name || e->roster.entries[slot].present)
			continue;
		segments_forget(e, slot);
		roster_forget(&e->roster, slot);
		attributes_clear(&unit->attributes);
		attributes_clear(&unit->older);
		*unit = (struct unit){ .iostats = -1, .device = DEVICE_NONE };
	}
}

static void number_devices(struct engine *e)
{
	struct inventory *inv = &e->inventory;
	const struct topology *t = &inv->topology;

	for (uint32_t slot = 0; slot < e->n_units; slot++)
		e->units[slot].device = DEVICE_NONE;
	inv->slots = xreallocarray(inv->slots, t->n, sizeof(*inv->slots));
	inv->n_slots = t->n;
	for (size_t i = 0; i < t->n; i++) {
		const char *name = t->devices[i].name;
		uint32_t slot = roster_add(&e->roster, name, strlen(name));
		struct unit *unit = engine_unit(e, slot);

		inv->slots[i] = slot;
		unit->device = (uint32_t)i;
		unit->missing = topology_missing_fields(t, &t->devices[i]);
		note_diskseq(e, slot, t->devices[i].diskseq);
	}
}

static void mark_selected_stack(struct engine *e)
{
	struct inventory *inv = &e->inventory;
	uint32_t device = engine_device(e, e->selected);

	inv->in_selected = xreallocarray(inv->in_selected, inv->topology.n, sizeof(*inv->in_selected));
	memset(inv->in_selected, 0, inv->topology.n * sizeof(*inv->in_selected));
	if (device != DEVICE_NONE)
		stack_members(&inv->topology, device, inv->in_selected);
}

/* The topology in use has changed: all that was derived from it follows. */
static void renumber(struct engine *e)
{
	struct inventory *inv = &e->inventory;

	topology_link(&inv->topology);
	memset(inv->built, 0, sizeof(inv->built));
	number_devices(e);
	mark_selected_stack(e);
	before_match(e);
	engine_news(e, ENGINE_STACKS);
}

/* Takes over *t. */
static void install_topology(struct engine *e, struct topology *t)
{
	struct inventory *inv = &e->inventory;

	forget_gone(e);
	add_missing(e, t);
	topology_release(&inv->topology);
	inv->topology = *t;
	*t = (struct topology)TOPOLOGY_INIT;
	for (uint32_t slot = 0; slot < e->n_units; slot++)
		e->units[slot].stale = false;
	renumber(e);
}

void inventory_devices_changed(struct engine *e)
{
	e->inventory.wanted = true;
	e->inventory.stale = true;
}

/* Show devices that have come before sysfs tells of them; those that went stay until it does. */
void inventory_adopt(struct engine *e)
{
	struct inventory *inv = &e->inventory;

	if (!inv->stale)
		return;
	inv->stale = false;
	add_missing(e, &inv->topology);
	renumber(e);
}

/* --- the selected device --- */

void inventory_select(struct engine *e)
{
	e->inventory.selected_ns = 0;
	mark_selected_stack(e);
	if (e->published)
		ask_selected(e, clock_mono_ns());
}

/* --- answers --- */

static uint32_t slot_named(const struct engine *e, const char *name)
{
	return roster_find(&e->roster, name, strlen(name));
}

static void set_iostats(struct engine *e, uint32_t slot, const struct helper_event *event)
{
	int8_t iostats = -1;

	if (!event->error && event->value_len)
		iostats = event->value[0] != '0';
	e->units[slot].iostats = iostats;
}

/* Partitions have their disk's, once all are read. */
static void share_iostats(struct engine *e)
{
	const struct inventory *inv = &e->inventory;

	for (size_t i = 0; i < inv->topology.n; i++) {
		const struct device *d = &inv->topology.devices[i];
		uint32_t disk = d->kind == KIND_PARTITION && d->parent ? slot_named(e, d->parent) : SLOT_NONE;

		if (disk != SLOT_NONE && disk < e->n_units)
			e->units[inv->slots[i]].iostats = e->units[disk].iostats;
	}
}

static void take_act(struct engine *e, const struct helper_event *event)
{
	pending_remove(e, event->name, NULL);
	if (event->id == e->knobs.journal_request)
		undo_take_journal(e, event);
	else
		actions_take(e, event);
}

static void take_value(struct engine *e, const struct helper_event *event)
{
	uint32_t slot = slot_named(e, event->name);

	if (event->op == HELPER_ACT) {
		take_act(e, event);
		return;
	}
	if (event->op == HELPER_ATTRIBUTES && event->id == e->system_unit.asked) {
		attributes_take(e, &e->system_unit, event);
		return;
	}
	pending_remove(e, event->name, event->what);
	if (slot == SLOT_NONE || slot >= e->n_units || event->root != e->inventory.root)
		return;
	if (!strcmp(event->what, "queue/iostats"))
		set_iostats(e, slot, event);
	if (!strcmp(event->what, "diskseq") && !event->error)
		note_diskseq(e, slot, strtoull(event->value, NULL, 10));
	if (event->op != HELPER_ATTRIBUTES)
		return;
	attributes_take(e, &e->units[slot], event);
}

static void take_device(struct engine *e, struct helper_event *event)
{
	struct device *d;

	pending_remove(e, event->device.name, "");
	if (event->id != e->inventory.request) {
		/* it did not answer in time, and does now: read the whole again */
		e->inventory.wanted |= event->root == e->inventory.root;
		device_release(&event->device);
		return;
	}
	d = topology_add(&e->inventory.incoming, event->device.name);
	device_release(d);
	*d = event->device;
}

/* A tree, or a kernel, without sysfs is in order; one that cannot be read is said once. */
static void note_error(struct engine *e, int error)
{
	struct inventory *inv = &e->inventory;
	struct text path = TEXT_INIT;

	if (error == -ENOENT)
		error = 0;
	if (error && error != inv->error)
		msg_errno(root_message_path(&e->roots[inv->root], "sys/block", &path), error);
	inv->error = error;
	text_release(&path);
}

static void take_done(struct engine *e, const struct helper_event *event)
{
	struct inventory *inv = &e->inventory;

	if (event->op == HELPER_ACT)
		take_act(e, event);
	if (event->op == HELPER_TOPOLOGY && event->id == inv->request) {
		inv->request = 0;
		if (event->error == -EIO && !e->source->stepped && inv->retries++ < TOPOLOGY_RETRIES) {
			/* the worker died on the way: what is known stays, and is asked for again */
			inv->wanted = true;
			return;
		}
		inv->retries = 0;
		note_error(e, event->error);
		inv->known = true;
		msg_debug("topology complete: %zu devices", inv->incoming.n);
		install_topology(e, &inv->incoming);
		inv->slow_ns = 0;
	} else if (event->op == HELPER_ATTRIBUTES) {
		attributes_done(e, event);
	} else if (event->id == inv->iostats_request) {
		inv->iostats_request = 0;
		share_iostats(e);
	} else if (event->id == inv->diskseq_request) {
		inv->diskseq_request = 0;
	}
}

static void take_lost(struct engine *e)
{
	struct inventory *inv = &e->inventory;

	inv->lost = true;
	inv->request = inv->iostats_request = inv->diskseq_request = 0;
	for (uint32_t slot = 0; slot < e->n_units; slot++)
		e->units[slot].asked = 0;
	e->system_unit.asked = e->knobs.journal_request = 0;
	actions_lost(e);
	msg("helper", "the process that reads /sys is gone");
	engine_news(e, ENGINE_ATTRIBUTES);
}

void inventory_answers(struct engine *e)
{
	struct helper_event event;

	while (helper_next(e->helper, &event)) {
		switch (event.kind) {
		case HELPER_DEVICE:
			take_device(e, &event);
			break;
		case HELPER_VALUE:
			take_value(e, &event);
			break;
		case HELPER_PENDING:
			attributes_take_pending(e, &event);
			break;
		case HELPER_DONE:
			take_done(e, &event);
			break;
		case HELPER_LOST:
			take_lost(e);
			break;
		}
	}
}

/* --- one tree --- */

/* A tree stands still while its sample is current, so all of it is read at once, whatever was asked before. */
void inventory_read_tree(struct engine *e)
{
	struct inventory *inv = &e->inventory;

	inv->root = e->source->root;
	inv->request = 0;
	inv->wanted = true;
	attributes_void(e);
	ask_topology(e, clock_mono_ns());
	engine_wait_idle(e, TREE_WAIT_MS);
	if (inv->request || inv->lost)
		install_topology(e, &inv->incoming);
	inv->request = 0;
	inv->stale = false;
	inv->slow_ns = inv->selected_ns = 0;
	ask_slow(e, clock_mono_ns());
	ask_selected(e, clock_mono_ns());
	if (inv->iostats_request || inv->diskseq_request)
		engine_wait_idle(e, HELPER_SILENT_MS + 500);
}

void inventory_read_tree_attributes(struct engine *e)
{
	ask_watched(e);
	if (e->options.with_segments)
		engine_wait_idle(e, HELPER_SILENT_MS + 500);
}

void inventory_mounts_changed(struct engine *e)
{
	e->inventory.mounts_changed = true;
}

/* --- uevents --- */

static void take_uevent(struct engine *e, const struct uevent *event, uint8_t intervals)
{
	uint32_t slot = slot_named(e, event->name);
	struct roster_entry *entry;

	e->inventory.wanted = true;
	if (slot == SLOT_NONE || slot >= e->n_units)
		return;
	entry = &e->roster.entries[slot];
	if (event->action == UEVENT_REMOVE || (event->diskseq && entry->diskseq && event->diskseq != entry->diskseq)
	    || (event->action == UEVENT_ADD && !(event->diskseq && event->diskseq == entry->diskseq))) {
		e->units[slot].renewed = intervals;
		e->units[slot].listed_ns = 0;
	}
	if (event->diskseq)
		entry->diskseq = event->diskseq;
}

void inventory_uevents(struct engine *e, uint8_t intervals)
{
	struct uevent event;
	int got;

	if (e->uevent_fd < 0)
		return;
	while ((got = uevent_next(e->uevent_fd, &event)) == 1 || got == -ENOBUFS) {
		/* some were lost: any device may be another one now, which its diskseq tells when it is read again */
		if (got == -ENOBUFS)
			e->inventory.wanted = true;
		else
			take_uevent(e, &event, intervals);
	}
}

void inventory_forget_unit(struct engine *e, uint32_t slot)
{
	struct unit *unit = &e->units[slot];

	pending_remove(e, e->roster.entries[slot].name, NULL);
	attributes_clear(&unit->attributes);
	attributes_clear(&unit->older);
	unit->errors = (struct path_errors){ 0 };
	unit->iostats = -1;
	unit->missing = 0;
}

/* --- life --- */

void inventory_init(struct engine *e)
{
	static const char *const files[] = { "proc/self/mountinfo", "proc/swaps" };

	e->inventory.wanted = true;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		e->inventory.watch_fds[i] = -1;
		if (!e->source->stepped)
			e->inventory.watch_fds[i] = root_open_file(&e->roots[0], files[i], true);
	}
}

void inventory_release(struct engine *e)
{
	struct inventory *inv = &e->inventory;

	topology_release(&inv->topology);
	topology_release(&inv->incoming);
	for (size_t i = 0; i < VIEWS; i++)
		stack_release(&inv->stacks[i]);
	pending_release(inv);
	free(inv->slots);
	free(inv->in_selected);
	for (size_t i = 0; i < ARRAY_SIZE(inv->watch_fds); i++) {
		if (inv->watch_fds[i] > 0)
			close(inv->watch_fds[i]);
	}
}
