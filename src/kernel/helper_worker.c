/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/helper_worker.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "kernel/attributes.h"
#include "kernel/helper_wire.h"
#include "kernel/topology.h"
#include "kernel/udev.h"

/* Values that are ready are not held back longer than this for the sake of a full packet. */
#define HOLD_NS (50 * NS_PER_MS)

struct worker {
	int socket;
	const struct root *roots;
	size_t n_roots;
	_Atomic uint32_t *at;
	const struct helper_acts *acts;
	struct udev_source *udev;
	bool udev_tried;

	struct wire_header job;         /* the one being done */
	const char *name, *sysfs, *attribute;
	const char **items;
	size_t items_capacity;
	const struct root *root;
	bool broken;                    /* the other end is gone */

	struct text packet;             /* the reply under way: header and body */
	uint32_t held;                  /* items in it */
	int64_t held_since;
	struct text value;
	bool writable;                  /* the attribute that was read last */
};

static void begin_packet(struct worker *w)
{
	text_clear(&w->packet);
	text_add_fill(&w->packet, '\0', sizeof(struct wire_header));
	w->held = 0;
}

static void send_packet(struct worker *w, enum wire_reply what, int error)
{
	struct wire_header header = {
		.job = w->job.job, .what = what, .count = w->held, .error = error,
		.length = (uint32_t)(w->packet.len - sizeof(header)),
	};
	ssize_t sent;

	memcpy(w->packet.buf, &header, sizeof(header));
	do
		sent = send(w->socket, w->packet.buf, w->packet.len, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	w->broken = w->broken || sent < 0;
	begin_packet(w);
}

static void flush(struct worker *w, enum wire_reply what)
{
	if (w->held)
		send_packet(w, what, 0);
}

static void add_name(struct worker *w, const char *name)
{
	size_t len = strlen(name) + 1;

	if (w->packet.len + len > HELPER_PACKET)
		flush(w, WIRE_NAMES);
	text_add_n(&w->packet, name, len);
	w->held++;
}

/* One answer, in pieces if it is long. */
static void add_item(struct worker *w, uint32_t index, int error, const struct text *value)
{
	size_t len = value->len < WIRE_VALUE_LIMIT ? value->len : WIRE_VALUE_LIMIT;
	const char *bytes = text_str(value);

	if (w->packet.len + sizeof(struct wire_item) + len > HELPER_PACKET)
		flush(w, WIRE_ITEMS);
	for (;;) {
		size_t room = HELPER_PACKET - w->packet.len - sizeof(struct wire_item);
		size_t piece = len < room ? len : room;
		struct wire_item item = {
			.index = index, .error = error, .length = (uint32_t)piece, .more = piece < len,
			.writable = w->writable,
		};

		if (!w->held++)
			w->held_since = clock_mono_ns();
		text_add_n(&w->packet, (const char *)&item, sizeof(item));
		text_add_n(&w->packet, bytes, piece);
		if (!item.more)
			return;
		flush(w, WIRE_ITEMS);
		bytes += piece;
		len -= piece;
	}
}

static int list_names(struct worker *w)
{
	struct names names = { 0 };
	int error = 0;

	if (w->job.what == WIRE_LIST_DEVICES)
		error = topology_names(w->root, &names);
	else
		attributes_list(w->root, w->sysfs, &names);
	for (size_t i = 0; i < names.n; i++)
		add_name(w, names.v[i]);
	names_release(&names);
	flush(w, WIRE_NAMES);
	return error;
}

static void start_udev(struct worker *w)
{
	if (w->root->system && !w->udev_tried)
		w->udev = udev_source_new();
	w->udev_tried = w->udev_tried || w->root->system;
}

static int read_device(struct worker *w, const struct mounts *mounts, const char *name)
{
	struct device d = { .name = xstrdup(name) };
	int error = topology_read_device(w->root, mounts, &d);

	if (!error && w->root->system)
		udev_fill(w->udev, &d);
	if (!error)
		device_encode(&d, &w->value);
	device_release(&d);
	return error;
}

/* The attribute of a device of that name: disks in sys/block, partitions in sys/class/block. */
static int read_one(struct worker *w, const char *name)
{
	static const char *const places[] = { "sys/block/", "sys/class/block/" };
	struct text directory = TEXT_INIT;
	int error = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(places) && error == -ENOENT; i++) {
		text_clear(&directory);
		text_add(&directory, places[i]);
		for (const char *p = name; *p; p++)
			text_add_char(&directory, *p == '/' ? '!' : *p);
		error = attributes_read(w->root, directory.buf, w->attribute, &w->value, &w->writable);
	}
	text_release(&directory);
	return error;
}

static int read_item(struct worker *w, const struct mounts *mounts, const char *item)
{
	if (mounts)
		return read_device(w, mounts, item);
	if (w->job.what == WIRE_ATTRIBUTES)
		return attributes_read(w->root, w->sysfs, item, &w->value, &w->writable);
	return read_one(w, item);
}

static void read_items(struct worker *w)
{
	struct mounts *mounts = w->job.what == WIRE_DEVICES ? mounts_read(w->root) : NULL;

	if (mounts)
		start_udev(w);
	for (uint32_t i = 0; i < w->job.count && !w->broken; i++) {
		int error;

		text_clear(&w->value);
		atomic_store(w->at, i);
		error = read_item(w, mounts, w->items[i]);
		if (error)
			text_clear(&w->value);
		add_item(w, i, error, &w->value);
		if (w->held >= w->job.batch || clock_mono_ns() - w->held_since > HOLD_NS)
			flush(w, WIRE_ITEMS);
	}
	flush(w, WIRE_ITEMS);
	mounts_free(mounts);
}

/* Begun is begun: the end of the program, which ends the spawner, must not cut it off in the middle. */
static void act(struct worker *w)
{
	struct helper_deed deed = {
		.root = w->root, .name = w->name, .sysfs = w->sysfs, .what = w->attribute, .items = w->items,
		.n = w->job.count, .at = w->at,
	};
	int error;

	text_clear(&w->value);
	atomic_store(w->at, 0);
	prctl(PR_SET_PDEATHSIG, 0);
	error = w->acts && w->acts->act ? w->acts->act(&deed, &w->value) : -ENOSYS;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	add_item(w, 0, error, &w->value);
	flush(w, WIRE_ITEMS);
}

/* Take a packet apart; false when it is no job. */
static bool take_job(struct worker *w, const char *bytes, size_t len)
{
	const char *at = bytes + sizeof(w->job);
	const char *end = bytes + len;

	if (len < sizeof(w->job))
		return false;
	memcpy(&w->job, bytes, sizeof(w->job));
	if (w->job.length != len - sizeof(w->job) || w->job.root >= w->n_roots || w->job.what >= WIRE_JOBS
	    || w->job.count > w->job.length)
		return false;
	w->root = &w->roots[w->job.root];
	w->name = text_take_string(&at, end);
	w->sysfs = text_take_string(&at, end);
	w->attribute = text_take_string(&at, end);
	ARRAY_GROW(w->items, w->items_capacity, w->job.count);
	for (uint32_t i = 0; i < w->job.count; i++) {
		w->items[i] = text_take_string(&at, end);
		if (!w->items[i])
			return false;
	}
	return w->name && w->sysfs && w->attribute && at == end;
}

static void do_job(struct worker *w)
{
	int error = 0;

	begin_packet(w);
	if (w->job.what == WIRE_LIST_DEVICES || w->job.what == WIRE_LIST_ATTRIBUTES)
		error = list_names(w);
	else if (w->job.what == WIRE_ACT)
		act(w);
	else
		read_items(w);
	send_packet(w, WIRE_DONE, error);
}

void helper_worker(int socket, const struct root *roots, size_t n, _Atomic uint32_t *at,
		   const struct helper_acts *acts)
{
	struct worker w = { .socket = socket, .roots = roots, .n_roots = n, .at = at, .acts = acts };
	char *packet = xmalloc(HELPER_PACKET);

	while (!w.broken) {
		ssize_t len = recv(socket, packet, HELPER_PACKET, 0);

		if (len < 0 && errno == EINTR)
			continue;
		if (len <= 0 || !take_job(&w, packet, (size_t)len))
			break;
		do_job(&w);
	}
	udev_source_free(w.udev);
	text_release(&w.packet);
	text_release(&w.value);
	free(w.items);
	free(packet);
}
