/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The roster gives every device name of a run a number, its slot, by which samples, deltas, history and segments are
 * indexed. An instance is what stands behind a name for a while: it changes when the device is removed and another
 * one comes under the same name. The kernel's name is the key; major:minor is a hint (NVMe path disks all carry 0:0).
 *
 * Ownership: the roster owns the names. Slots are small and dense; a slot is given to another name only after
 * roster_forget.
 */
#ifndef IODELTA_MODEL_ROSTER_H
#define IODELTA_MODEL_ROSTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

#define SLOT_NONE MAP_NONE

struct roster_entry {
	char *name;             /* as in /proc/diskstats ("cciss/c0d0"); NULL: the slot is free */
	unsigned int major, minor;
	bool present;           /* it was in the last sample */
	uint64_t diskseq;       /* 0: not known */
	uint32_t instance;      /* counts up when another device stands behind the name or slot; from 1 */
	int64_t since_ns;       /* sample clock at which this instance was first seen; -1: it was there at the start */
};

struct roster {
	struct roster_entry *entries;
	uint32_t n;             /* slots in use or free, the size of whatever is indexed by slot */
	uint32_t capacity;
	uint32_t free_slots;
	uint32_t free_from;     /* no slot below is free */
	struct map by_name;
};

#define ROSTER_INIT { NULL, 0, 0, 0, 0, MAP_INIT }

void roster_release(struct roster *r) __attribute__((nonnull));
uint32_t roster_find(const struct roster *r, const char *name, size_t len) __attribute__((nonnull));
/* The slot of the name, a new one if need be (not present, no diskseq, since_ns -1). */
uint32_t roster_add(struct roster *r, const char *name, size_t len) __attribute__((nonnull));
/* Give the slot free. Not for a device that is present. */
void roster_forget(struct roster *r, uint32_t slot) __attribute__((nonnull));

#endif
