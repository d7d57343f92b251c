/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/topology.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/*
 * The fixed members first, then the strings of device_texts in order, then slaves and holders. A string is its length
 * plus 1 (0: not known) and its bytes. Both ends are the same program, so numbers go as they are in memory.
 */
struct fixed {
	uint64_t diskseq, size_sectors;
	uint32_t major, minor, kind, partition, flags;
	uint32_t slaves, holders;
	uint32_t zero;          /* instead of padding, whose bytes would be anything */
};

enum { HAS_SIZE = 1, HIDDEN = 2, READ_ONLY = 4, REMOVABLE = 8, HAS_MQ = 16 };

static void put_string(struct text *out, const char *s)
{
	uint32_t len = s ? (uint32_t)strlen(s) + 1 : 0;

	text_add_n(out, (const char *)&len, sizeof(len));
	if (s)
		text_add_n(out, s, len - 1);
}

static void put_names(struct text *out, const struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		put_string(out, names->v[i]);
}

void device_encode(const struct device *d, struct text *out)
{
	struct fixed fixed = {
		.diskseq = d->diskseq, .size_sectors = d->size_sectors, .major = d->major, .minor = d->minor,
		.kind = d->kind, .partition = d->partition,
		.flags = (d->has_size ? HAS_SIZE : 0) | (d->hidden ? HIDDEN : 0) | (d->read_only ? READ_ONLY : 0)
			| (d->removable ? REMOVABLE : 0) | (d->has_mq ? HAS_MQ : 0),
		.slaves = (uint32_t)d->slaves.n, .holders = (uint32_t)d->holders.n,
	};

	text_add_n(out, (const char *)&fixed, sizeof(fixed));
	for (size_t i = 0; i < device_texts_n; i++)
		put_string(out, *(char *const *)((const char *)d + device_texts[i].offset));
	put_names(out, &d->slaves);
	put_names(out, &d->holders);
}

struct input {
	const char *at;
	size_t left;
};

static bool take(struct input *in, void *to, size_t len)
{
	if (in->left < len)
		return false;
	if (len)
		memcpy(to, in->at, len);
	in->at += len;
	in->left -= len;
	return true;
}

static bool take_string(struct input *in, char **s)
{
	uint32_t len;

	*s = NULL;
	if (!take(in, &len, sizeof(len)))
		return false;
	if (!len)
		return true;
	if (in->left < len - 1 || memchr(in->at, '\0', len - 1))
		return false;
	*s = xstrndup(in->at, len - 1);
	in->at += len - 1;
	in->left -= len - 1;
	return true;
}

static bool take_names(struct input *in, struct names *names, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		char *name;

		if (!take_string(in, &name) || !name)
			return false;
		names_add(names, name);
		free(name);
	}
	return true;
}

static bool take_device(struct input *in, struct device *d)
{
	struct fixed fixed;

	if (!take(in, &fixed, sizeof(fixed)) || fixed.kind >= KINDS)
		return false;
	d->diskseq = fixed.diskseq;
	d->size_sectors = fixed.size_sectors;
	d->major = fixed.major;
	d->minor = fixed.minor;
	d->kind = fixed.kind;
	d->partition = fixed.partition;
	d->has_size = fixed.flags & HAS_SIZE;
	d->hidden = fixed.flags & HIDDEN;
	d->read_only = fixed.flags & READ_ONLY;
	d->removable = fixed.flags & REMOVABLE;
	d->has_mq = fixed.flags & HAS_MQ;
	for (size_t i = 0; i < device_texts_n; i++) {
		if (!take_string(in, (char **)((char *)d + device_texts[i].offset)))
			return false;
	}
	return take_names(in, &d->slaves, fixed.slaves) && take_names(in, &d->holders, fixed.holders) && !in->left
		&& d->name;
}

bool device_decode(struct device *d, const char *bytes, size_t len)
{
	struct input in = { bytes, len };

	*d = (struct device){ 0 };
	if (take_device(&in, d))
		return true;
	device_release(d);
	return false;
}
