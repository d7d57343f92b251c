/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/topology.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/number.h"
#include "kernel/mounts.h"

/* Longer strings are cut: no identity needs more, and no tree shall fill the memory. */
#define STRING_LIMIT 256

/* sysfs writes the '/' of a name as '!'. */
static void add_sysfs_name(struct text *t, const char *name)
{
	for (; *name; name++)
		text_add_char(t, *name == '/' ? '!' : *name);
}

static void add_kernel_name(struct text *t, const char *name)
{
	for (; *name; name++)
		text_add_char(t, *name == '!' ? '/' : *name);
}

struct listing {
	const struct root *root;
	struct names *out;
	struct map seen;
	struct text path;
	const char *disk;       /* whose directory is listed, as sysfs spells it */
	struct names disks;
};

static void offer_name(struct listing *l, const char *entry)
{
	struct text name = TEXT_INIT;

	add_kernel_name(&name, entry);
	if (map_get(&l->seen, name.buf, name.len) == MAP_NONE) {
		map_set(&l->seen, name.buf, name.len, 0);
		names_add(l->out, name.buf);
	}
	text_release(&name);
}

static void each_disk(const char *entry, void *arg)
{
	struct listing *l = arg;

	names_add(&l->disks, entry);
	offer_name(l, entry);
}

/* A partition is a directory in its disk's, whose name begins with the disk's and which has I/O statistics. */
static void each_entry(const char *entry, void *arg)
{
	struct listing *l = arg;
	size_t len = strlen(l->disk);
	static const char *const signs[] = { "partition", "stat" };

	if (strncmp(entry, l->disk, len) || !entry[len])
		return;
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++) {
		int fd;

		text_clear(&l->path);
		text_addf(&l->path, "sys/block/%s/%s/%s", l->disk, entry, signs[i]);
		fd = root_open_file(l->root, l->path.buf, true);
		if (fd < 0)
			continue;
		close(fd);
		offer_name(l, entry);
		return;
	}
}

static void each_of_class(const char *entry, void *arg)
{
	offer_name(arg, entry);
}

static void list_partitions(struct listing *l)
{
	for (size_t i = 0; i < l->disks.n; i++) {
		l->disk = l->disks.v[i];
		text_clear(&l->path);
		text_addf(&l->path, "sys/block/%s", l->disk);
		/* a dangling link, or a disk that has just gone, has no partitions */
		if (root_list(l->root, l->path.buf, each_entry, l) < 0)
			continue;
	}
}

int topology_names(const struct root *root, struct names *out)
{
	struct listing l = { .root = root, .out = out, .seen = MAP_INIT, .path = TEXT_INIT };
	int error = root_list(root, "sys/block", each_disk, &l);
	int class_error = root_list(root, "sys/class/block", each_of_class, &l);

	/* the running kernel's class is complete, a tree's need not be */
	if (!root->system || class_error)
		list_partitions(&l);
	names_release(&l.disks);
	map_release(&l.seen);
	text_release(&l.path);
	return error && class_error ? error : 0;
}

/* A device that is being read: where its files are. */
struct reading {
	const struct root *root;
	struct device *d;
	const char *base;       /* its real directory */
	const char *other;      /* a second one with files of it, or NULL: trees of some archivers */
	struct text path, value;
};

static const char *path_in(struct reading *r, const char *base, const char *name)
{
	text_clear(&r->path);
	text_add(&r->path, base);
	text_add_char(&r->path, '/');
	text_add(&r->path, name);
	return r->path.buf;
}

/* One value, trimmed and cut, in r->value; "" counts as none. */
static bool read_value(struct reading *r, const char *name)
{
	const char *bases[] = { r->base, r->other };
	size_t blanks;

	for (size_t i = 0; i < ARRAY_SIZE(bases); i++) {
		text_clear(&r->value);
		if (!bases[i] || root_read_line(r->root, path_in(r, bases[i], name), &r->value) || !r->value.len)
			continue;
		/* a NUL in the middle of a page of padding ends the string */
		r->value.len = strlen(r->value.buf);
		blanks = strspn(r->value.buf, " \t");
		memmove(r->value.buf, r->value.buf + blanks, r->value.len - blanks + 1);
		r->value.len -= blanks;
		if (r->value.len > STRING_LIMIT)
			r->value.len = STRING_LIMIT;
		while (r->value.len && strchr(" \t", r->value.buf[r->value.len - 1]))
			r->value.len--;
		r->value.buf[r->value.len] = '\0';
		if (r->value.len)
			return true;
	}
	return false;
}

/* The first of the files that says something. */
static char *read_string(struct reading *r, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (read_value(r, names[i]))
			return xstrdup(r->value.buf);
	}
	return NULL;
}

static bool read_number(struct reading *r, const char *name, uint64_t *value)
{
	return read_value(r, name) && number_u64(r->value.buf, value);
}

static bool read_flag(struct reading *r, const char *name)
{
	uint64_t value;

	return read_number(r, name, &value) && value;
}

static bool has_directory(struct reading *r, const char *name)
{
	return root_is_directory(r->root, path_in(r, r->base, name));
}

/* The links of slaves/, holders/ or multipath/ are the names of devices, wherever they lead. */
struct links {
	struct names *names;
};

static void each_link(const char *entry, void *arg)
{
	struct links *links = arg;
	struct text name = TEXT_INIT;

	add_kernel_name(&name, entry);
	names_add(links->names, text_str(&name));
	text_release(&name);
}

static void read_links(struct reading *r, const char *directory, struct names *names)
{
	struct links links = { names };

	if (root_list(r->root, path_in(r, r->base, directory), each_link, &links) < 0)
		return;
}

static void read_numbers(struct reading *r)
{
	struct device *d = r->d;
	uint64_t partition;
	unsigned int major, minor;
	char end;

	if (read_value(r, "dev") && sscanf(r->value.buf, "%9u:%9u%c", &major, &minor, &end) == 2) {
		d->major = major;
		d->minor = minor;
	}
	d->has_size = read_number(r, "size", &d->size_sectors);
	if (!read_number(r, "diskseq", &d->diskseq))
		d->diskseq = 0;
	d->read_only = read_flag(r, "ro");
	d->removable = read_flag(r, "removable");
	d->hidden = read_flag(r, "hidden");
	if (read_number(r, "partition", &partition) && partition <= UINT32_MAX)
		d->partition = (unsigned int)partition;
}

static enum device_kind dm_kind(const char *uuid)
{
	static const struct {
		const char *prefix;
		enum device_kind kind;
	} kinds[] = {
		{ "mpath-", KIND_MULTIPATH }, { "LVM-", KIND_LVM }, { "CRYPT-", KIND_CRYPT },
	};

	for (size_t i = 0; uuid && i < ARRAY_SIZE(kinds); i++) {
		if (!strncmp(uuid, kinds[i].prefix, strlen(kinds[i].prefix)))
			return kinds[i].kind;
	}
	return KIND_DM;
}

static bool below_nvme_subsystem(const char *sysfs)
{
	return strstr(sysfs, "/nvme-subsystem/");
}

/* The disk whose directory the device's lies in, "" when the directory above is no disk's. */
static void disk_around(struct reading *r, struct text *disk)
{
	const struct device *d = r->d;
	const char *slash = strrchr(d->sysfs, '/');
	const char *start = slash;

	text_clear(disk);
	while (start && start > d->sysfs && start[-1] != '/')
		start--;
	for (const char *p = start; p < slash; p++)
		text_add_char(disk, *p == '!' ? '/' : *p);
	if (d->partition || !disk->len)
		return;
	/* bare trees have no file that says so; mmcblk0boot0 lies in mmcblk0 but is a disk, nvme0 is none */
	if (strncmp(d->name, disk->buf, disk->len) || !d->name[disk->len])
		text_clear(disk);
	else if (!root_is_directory(r->root, path_in(r, "sys/block", disk->buf)))
		text_clear(disk);
	else if (root_is_directory(r->root, path_in(r, "sys/block", strrchr(d->sysfs, '/') + 1)))
		text_clear(disk);
}

static void read_partition(struct reading *r, const char *disk)
{
	struct text up = TEXT_INIT;

	r->d->kind = KIND_PARTITION;
	r->d->parent = xstrdup(disk);
	text_add_n(&up, r->d->sysfs, (size_t)(strrchr(r->d->sysfs, '/') - r->d->sysfs));
	text_add(&up, "/mq");
	r->d->has_mq = root_is_directory(r->root, up.buf);
	text_release(&up);
}

static void read_dm(struct reading *r)
{
	static const char *const names[] = { "dm/name" };
	static const char *const uuids[] = { "dm/uuid" };

	r->d->dm_name = read_string(r, names, 1);
	r->d->uuid = read_string(r, uuids, 1);
	r->d->kind = dm_kind(r->d->uuid);
}

static void read_md(struct reading *r)
{
	static const char *const levels[] = { "md/level" };
	static const char *const uuids[] = { "md/uuid" };

	r->d->md_level = read_string(r, levels, 1);
	r->d->uuid = read_string(r, uuids, 1);
	r->d->kind = KIND_MD;
}

static void read_loop(struct reading *r)
{
	static const char *const files[] = { "loop/backing_file" };

	r->d->backing_file = read_string(r, files, 1);
}

/* "nvme0c1n1" is a path of "nvme0n1": the first number is the subsystem's, the second the controller's. */
static void read_nvme_path(struct reading *r)
{
	const char *name = r->d->name;
	const char *c = strchr(name, 'c');
	const char *n = c ? strchr(c, 'n') : NULL;
	struct text head = TEXT_INIT;

	if (!n)
		return;
	text_add_n(&head, name, (size_t)(c - name));
	text_add(&head, n);
	r->d->parent = xstrdup(head.buf);
	names_add(&r->d->holders, head.buf);
	text_release(&head);
}

static void read_kind(struct reading *r)
{
	struct device *d = r->d;
	struct text disk = TEXT_INIT;

	d->kind = device_kind_by_name(d->name);
	/* a name that looks like a partition's counts for nothing here: sysfs says what is one */
	if (d->kind == KIND_PARTITION)
		d->kind = KIND_DISK;
	d->has_mq = has_directory(r, "mq");
	disk_around(r, &disk);
	if (disk.len) {
		read_partition(r, disk.buf);
	} else if (d->kind == KIND_DM || (d->kind == KIND_DISK && has_directory(r, "dm"))) {
		read_dm(r);
	} else if (d->kind == KIND_MD || (d->kind == KIND_DISK && has_directory(r, "md"))) {
		read_md(r);
	} else if (d->kind == KIND_LOOP) {
		read_loop(r);
	} else if (d->kind == KIND_NVME_PATH) {
		read_nvme_path(r);
	} else if (below_nvme_subsystem(d->sysfs)) {
		d->kind = KIND_NVME_HEAD;
		read_links(r, "multipath", &d->slaves);
	}
	text_release(&disk);
}

/* The last part of the SCSI device's directory, "0:0:0:1"; for NVMe the transport's address and the controller. */
static void read_place(struct reading *r)
{
	struct text place = TEXT_INIT;
	const char *last;

	if (r->d->kind == KIND_NVME_PATH || !strncmp(r->d->name, "nvme", 4)) {
		if (read_value(r, "device/address"))
			text_add(&place, r->value.buf);
		if (read_value(r, "device/cntlid"))
			text_addf(&place, "%scntlid %s", place.len ? " " : "", r->value.buf);
	} else if (!root_realpath(r->root, path_in(r, r->base, "device"), &place)) {
		unsigned int host, channel, target;
		unsigned long long lun;
		char end;

		last = strrchr(text_str(&place), '/');
		last = last ? last + 1 : "";
		if (sscanf(last, "%9u:%9u:%9u:%19llu%c", &host, &channel, &target, &lun, &end) == 4)
			r->d->place = xstrdup(last);
		text_clear(&place);
	}
	if (place.len)
		r->d->place = xstrdup(place.buf);
	text_release(&place);
}

static void read_identity(struct reading *r)
{
	static const char *const models[] = { "device/model" };
	static const char *const vendors[] = { "device/vendor" };
	static const char *const serials[] = { "serial", "device/serial" };
	static const char *const wwids[] = { "wwid", "device/wwid" };
	static const char *const uuids[] = { "uuid" };
	struct device *d = r->d;

	d->wwid = read_string(r, wwids, ARRAY_SIZE(wwids));
	d->serial = read_string(r, serials, ARRAY_SIZE(serials));
	if (!strncmp(d->name, "nvme", 4) && !d->uuid)
		d->uuid = read_string(r, uuids, ARRAY_SIZE(uuids));
	if (!has_directory(r, "device"))
		return;
	d->model = read_string(r, models, ARRAY_SIZE(models));
	d->vendor = read_string(r, vendors, ARRAY_SIZE(vendors));
	read_place(r);
}

static bool has_hardware(enum device_kind kind)
{
	return kind == KIND_DISK || kind == KIND_CDROM || kind == KIND_NVME_HEAD || kind == KIND_NVME_PATH
		|| kind == KIND_NBD || kind == KIND_RBD;
}

/* sys/block/DISK/NAME, for trees without sys/class: the disk is whichever beginning of the name has that directory. */
static int locate_below_disk(const struct root *root, const char *name, struct text *real)
{
	struct text path = TEXT_INIT;
	int error = -ENOENT;

	for (size_t len = strlen(name) - 1; len && error; len--) {
		text_clear(&path);
		text_addf(&path, "sys/block/%.*s/%s", (int)len, name, name);
		error = root_is_directory(root, path.buf) ? root_realpath(root, path.buf, real) : -ENOENT;
	}
	text_release(&path);
	return error;
}

/* The device's real directory below the root. */
static int locate(const struct root *root, const char *name, struct text *real)
{
	static const char *const places[] = { "sys/class/block/", "sys/block/" };
	struct text path = TEXT_INIT;
	int error = -ENOENT;

	if (!*name || !strcmp(name, ".") || !strcmp(name, "..") || strchr(name, '/'))
		return -ENOENT;
	for (size_t i = 0; i < ARRAY_SIZE(places) && error; i++) {
		text_clear(&path);
		text_add(&path, places[i]);
		text_add(&path, name);
		error = root_realpath(root, path.buf, real);
		if (!error && !root->system && !root_is_directory(root, text_str(real))) {
			text_clear(real);
			error = -ENOTDIR;
		}
	}
	text_release(&path);
	return error ? locate_below_disk(root, name, real) : 0;
}

/* Some archived trees have sys/block/sda as a directory with a link sda to the real one in it. */
static void look_inside(struct reading *r, const char *name, struct text *real, struct text *outer)
{
	struct text inner = TEXT_INIT;

	if (r->root->system || strncmp(real->buf, "sys/block/", 10))
		return;
	if (!root_realpath(r->root, path_in(r, real->buf, name), &inner)
	    && root_is_directory(r->root, text_str(&inner))) {
		text_add(outer, real->buf);
		text_clear(real);
		text_add(real, text_str(&inner));
		r->other = outer->buf;
	}
	text_release(&inner);
}

static void read_all(struct reading *r, const struct mounts *mounts)
{
	struct device *d = r->d;
	const char *place;

	read_numbers(r);
	read_kind(r);
	read_links(r, "slaves", &d->slaves);
	read_links(r, "holders", &d->holders);
	if (has_hardware(d->kind))
		read_identity(r);
	place = mounts_find(mounts, d);
	if (place)
		d->mount = xstrndup(place, strnlen(place, STRING_LIMIT));
}

int topology_read_device(const struct root *root, const struct mounts *mounts, struct device *d)
{
	struct reading r = { .root = root, .d = d, .path = TEXT_INIT, .value = TEXT_INIT };
	struct text name = TEXT_INIT, real = TEXT_INIT, outer = TEXT_INIT;
	int error;

	add_sysfs_name(&name, d->name);
	error = locate(root, text_str(&name), &real);
	if (!error) {
		look_inside(&r, text_str(&name), &real, &outer);
		r.base = real.buf;
		d->sysfs = xstrdup(real.buf);
		read_all(&r, mounts);
	}
	text_release(&name);
	text_release(&real);
	text_release(&outer);
	text_release(&r.path);
	text_release(&r.value);
	return error;
}
