/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/roster.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

void roster_release(struct roster *r)
{
	for (uint32_t i = 0; i < r->n; i++)
		free(r->entries[i].name);
	free(r->entries);
	map_release(&r->by_name);
	*r = (struct roster)ROSTER_INIT;
}

uint32_t roster_find(const struct roster *r, const char *name, size_t len)
{
	return map_get(&r->by_name, name, len);
}

/* The lowest free slot: slots stay dense, and the search as a whole linear. */
static uint32_t reuse_slot(struct roster *r)
{
	while (r->entries[r->free_from].name)
		r->free_from++;
	r->free_slots--;
	return r->free_from++;
}

static uint32_t append_slot(struct roster *r)
{
	if (r->n == r->capacity) {
		r->capacity = (uint32_t)grown_capacity(r->capacity, (size_t)r->n + 1);
		r->entries = xreallocarray(r->entries, r->capacity, sizeof(*r->entries));
	}
	r->entries[r->n] = (struct roster_entry){ .instance = 0 };
	return r->n++;
}

uint32_t roster_add(struct roster *r, const char *name, size_t len)
{
	uint32_t slot = roster_find(r, name, len);
	struct roster_entry *entry;

	if (slot != SLOT_NONE)
		return slot;
	slot = r->free_slots ? reuse_slot(r) : append_slot(r);
	entry = &r->entries[slot];
	/* a slot used again goes on counting, so that data kept by slot and instance is never taken for another's */
	*entry = (struct roster_entry){
		.name = xstrndup(name, len), .instance = entry->instance + 1, .since_ns = -1,
	};
	map_set(&r->by_name, name, len, slot);
	return slot;
}

void roster_forget(struct roster *r, uint32_t slot)
{
	struct roster_entry *entry;

	if (slot >= r->n || !r->entries[slot].name)
		return;
	entry = &r->entries[slot];
	map_remove(&r->by_name, entry->name, strlen(entry->name));
	free(entry->name);
	*entry = (struct roster_entry){ .instance = entry->instance, .since_ns = -1 };
	r->free_slots++;
	if (slot < r->free_from)
		r->free_from = slot;
}
