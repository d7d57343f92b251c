/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/attributes.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "model/knob.h"

struct listing {
	const struct root *root;
	const char *sysfs;
	const char *directory;  /* below sysfs */
	struct names *out;
	struct text path;
};

/* A file that somebody may read; a FIFO stands in test trees for one that does not answer. */
static bool is_attribute(struct listing *l, const char *name)
{
	int mode;

	text_clear(&l->path);
	text_addf(&l->path, "%s/%s", l->sysfs, name);
	mode = root_mode(l->root, l->path.buf);
	return mode >= 0 && (S_ISREG(mode) || S_ISFIFO(mode)) && (mode & 0444);
}

static void each_entry(const char *entry, void *arg)
{
	struct listing *l = arg;
	struct text name = TEXT_INIT;

	text_addf(&name, "%s/%s", l->directory, entry);
	if (is_attribute(l, name.buf))
		names_add(l->out, name.buf);
	text_release(&name);
}

static void list_directory(struct listing *l, const char *directory)
{
	struct text path = TEXT_INIT;

	l->directory = directory;
	text_addf(&path, "%s/%s", l->sysfs, directory);
	/* most devices lack most of these directories */
	if (root_list(l->root, path.buf, each_entry, l) < 0)
		l->directory = NULL;
	text_release(&path);
}

/* Directories of which only what the catalogue knows is of interest. */
static void list_catalogued(struct listing *l)
{
	for (size_t i = 0; i < knobs_n; i++) {
		const char *path = knobs[i].path;

		if ((!strncmp(path, "bdi/", 4) || !strncmp(path, "vm/", 3)) && is_attribute(l, path))
			names_add(l->out, path);
	}
}

void attributes_list(const struct root *root, const char *sysfs, struct names *out)
{
	static const char *const chosen[] = {
		"ana_grpid", "ana_state",
		"device/access_state", "device/dh_state", "device/iodone_cnt", "device/ioerr_cnt", "device/iopolicy",
		"device/iorequest_cnt", "device/iotmo_cnt", "device/queue_depth", "device/queue_type", "device/state",
		"device/timeout",
	};
	static const char *const directories[] = { "dm", "md", "queue/iosched", "queue" };
	struct listing l = { .root = root, .sysfs = sysfs, .out = out, .path = TEXT_INIT };

	for (size_t i = 0; i < ARRAY_SIZE(chosen); i++) {
		if (is_attribute(&l, chosen[i]))
			names_add(out, chosen[i]);
	}
	list_catalogued(&l);
	for (size_t i = 0; i < ARRAY_SIZE(directories); i++)
		list_directory(&l, directories[i]);
	text_release(&l.path);
}

/* No part of the name may lead out of the device's directory; its links (device) may. */
static bool is_inside(const char *name)
{
	if (!*name || *name == '/')
		return false;
	for (const char *part = name; part; part = strchr(part, '/')) {
		part += *part == '/';
		if (!strncmp(part, "..", 2) && (!part[2] || part[2] == '/'))
			return false;
	}
	return true;
}

int attributes_read(const struct root *root, const char *sysfs, const char *name, struct text *value, bool *writable)
{
	struct text path = TEXT_INIT;
	size_t start = value->len;
	int error, mode = 0;

	*writable = false;
	if (!is_inside(name))
		return -EINVAL;
	text_addf(&path, "%s/%s", sysfs, name);
	error = root_read_mode(root, path.buf, value, &mode);
	*writable = (mode & 0222) != 0;
	while (value->len > start && strchr("\n \t", value->buf[value->len - 1]))
		value->len--;
	if (value->buf)
		value->buf[value->len] = '\0';
	text_release(&path);
	return error;
}
