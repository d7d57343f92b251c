/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/device.h"

#include <string.h>

#include "base/text.h"

/* What a device is known by across runs: the word for the kind of key, and the key. */
struct identity {
	const char *kind;
	const char *key, *more; /* two parts, `more` may be NULL */
};

static bool is_nvme(const struct device *d)
{
	return d->kind == KIND_NVME_HEAD || (d->kind == KIND_DISK && !strncmp(d->name, "nvme", 4));
}

/* The map that a device is one path of. */
static const struct device *map_above(const struct topology *t, const struct device *d)
{
	for (size_t i = 0; i < d->holders.n; i++) {
		const struct device *upper = topology_find(t, d->holders.v[i]);

		if (upper && (upper->kind == KIND_MULTIPATH || upper->kind == KIND_NVME_HEAD))
			return upper;
	}
	return NULL;
}

/* All paths to one disk show the same uuid or wwid; the place tells them apart. */
static bool path_identity(const struct topology *t, const struct device *d, struct identity *id)
{
	const struct device *map = map_above(t, d);
	const char *shared;

	if (!map && d->kind != KIND_NVME_PATH)
		return false;
	shared = map && map->uuid ? map->uuid : d->wwid ? d->wwid : map ? map->wwid : NULL;
	if (!shared)
		return false;
	*id = (struct identity){ "path", shared, d->place ? d->place : d->sysfs ? d->sysfs : d->name };
	return true;
}

static struct identity own_identity(const struct topology *t, const struct device *d)
{
	struct identity path;
	bool is_map = d->kind == KIND_DM || d->kind == KIND_LVM || d->kind == KIND_CRYPT || d->kind == KIND_MULTIPATH;

	if (is_map && d->uuid)
		return (struct identity){ "dm uuid", d->uuid, NULL };
	if (is_map)
		return (struct identity){ "name", d->dm_name ? d->dm_name : d->name, NULL };
	if (d->kind == KIND_MD && d->uuid)
		return (struct identity){ "md uuid", d->uuid, NULL };
	if (path_identity(t, d, &path))
		return path;
	/* the serial of an NVMe disk is its controller's, shared by all namespaces */
	if (is_nvme(d) && (d->uuid || d->wwid))
		return (struct identity){ "nvme uuid", d->uuid ? d->uuid : d->wwid, NULL };
	if (d->serial)
		return (struct identity){ "serial", d->serial, NULL };
	if (d->wwid)
		return (struct identity){ "wwid", d->wwid, NULL };
	return (struct identity){ "name", d->name, NULL };
}

static void add_key(struct text *key, const struct identity *id)
{
	text_add(key, id->key);
	if (!id->more)
		return;
	text_add_char(key, ' ');
	text_add(key, id->more);
}

static void partition_identity(const struct topology *t, const struct device *d, const struct device *disk,
			       struct text *kind, struct text *key)
{
	struct identity id = own_identity(t, disk);

	text_add(kind, "partition");
	if (d->partuuid && !strcmp(id.kind, "name")) {
		text_add(key, d->partuuid);
		return;
	}
	text_add(key, id.kind);
	text_add_char(key, ' ');
	add_key(key, &id);
	text_addf(key, " %u", d->partition);
}

void device_identity(const struct topology *t, const struct device *d, struct text *kind, struct text *key)
{
	const struct device *disk = topology_disk(t, d);
	struct identity id;

	if (d->kind == KIND_PARTITION && disk != d && d->partition) {
		partition_identity(t, d, disk, kind, key);
		return;
	}
	if (d->kind == KIND_PARTITION && d->partuuid)
		id = (struct identity){ "partition", d->partuuid, NULL };
	else
		id = own_identity(t, d);
	text_add(kind, id.kind);
	add_key(key, &id);
}
