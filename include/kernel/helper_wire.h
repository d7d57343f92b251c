/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What goes over the sockets between helper.c and its processes. Both ends are the same program, so structs go as they
 * lie in memory; lengths, counts and numbers are checked on arrival all the same.
 *
 * A job lists names, or reads items: devices, attributes of one device, one attribute of many devices. A worker answers
 * a job by packets of names or of items, in order, and a last packet WIRE_DONE. Before it starts on an item it stores
 * the item's number in a page that is shared with the engine's side, so that a silent worker can be asked where it is.
 */
#ifndef IODELTA_KERNEL_HELPER_WIRE_H
#define IODELTA_KERNEL_HELPER_WIRE_H

#include <stdatomic.h>
#include <stdint.h>

#include "kernel/helper.h"

#define WIRE_SLOTS (HELPER_WORKERS + HELPER_QUARANTINED)
#define WIRE_NOT_YET UINT32_MAX         /* at no item: listing, or not started */
#define WIRE_BATCH 64                   /* items in one packet, if they fit and nobody waits for the first of them */
#define WIRE_VALUE_LIMIT (1 << 20)      /* longest answer to one item */

enum wire_job {
	WIRE_LIST_DEVICES, WIRE_LIST_ATTRIBUTES, WIRE_DEVICES, WIRE_ATTRIBUTES, WIRE_ONE,
	WIRE_ACT,               /* one answer, to item 0, whatever number of items there is */
	WIRE_JOBS
};
enum wire_reply { WIRE_NAMES, WIRE_ITEMS, WIRE_DONE };

/*
 * In front of every packet. Of a job: `what` is an enum wire_job, count the number of items, and the body is strings
 * with their NULs: the device's name and sysfs path, the attribute, the items. Of a reply: an enum wire_reply; the body
 * is the names, or items.
 */
struct wire_header {
	uint32_t job;
	uint32_t what;
	uint32_t root;
	uint32_t count;
	uint32_t batch;         /* of a job: so many items are sent in one packet */
	uint32_t length;        /* of the body */
	int32_t error;          /* of the whole job, in WIRE_DONE */
};

struct wire_item {
	uint32_t index;
	int32_t error;
	uint32_t length;        /* bytes that follow */
	uint32_t more;          /* the value goes on in the next packet */
	uint32_t writable;
};

#define WIRE_BODY (HELPER_PACKET - sizeof(struct wire_header))

struct wire_progress {
	_Atomic uint32_t at[WIRE_SLOTS];
};

/* What the spawner is sent with a worker's socket: the worker's place in the shared page. */
struct wire_spawn {
	uint32_t slot;
};

/* The spawner's life, in the forked process. */
void helper_spawner(int control, const struct root *roots, size_t n, struct wire_progress *progress,
		    const struct helper_acts *acts) __attribute__((nonnull(2, 4), noreturn));

#endif
