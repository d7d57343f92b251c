/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What sysfs tells of a device apart from its counters, and the set of all of them: the topology. Filled by kernel/,
 * plain data here. Names are the kernel's, as in /proc/diskstats ("cciss/c0d0" even though sysfs says "cciss!c0d0").
 *
 * Ownership: a topology owns its devices, a device its strings; NULL means not known.
 */
#ifndef IODELTA_MODEL_DEVICE_H
#define IODELTA_MODEL_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

enum device_kind {
	KIND_UNKNOWN, KIND_DISK, KIND_PARTITION, KIND_MULTIPATH, KIND_LVM, KIND_CRYPT, KIND_DM, KIND_MD, KIND_BCACHE,
	KIND_LOOP, KIND_ZRAM, KIND_RAM, KIND_NBD, KIND_RBD, KIND_CDROM, KIND_FLOPPY, KIND_NVME_HEAD, KIND_NVME_PATH,
	KINDS
};

/* "disk", "partition", "multipath", "lvm", … as in JSON. */
const char *device_kind_name(enum device_kind kind);
/* The shorter word beside a name on the screen: "part", "mpath". */
const char *device_kind_short(enum device_kind kind);
/* What a name alone tells: for devices that sysfs does not show. A disk where it tells nothing. */
enum device_kind device_kind_by_name(const char *name) __attribute__((nonnull));

struct names {
	char **v;
	size_t n, capacity;
};

void names_add(struct names *names, const char *name) __attribute__((nonnull));
void names_release(struct names *names) __attribute__((nonnull));

struct device {
	char *name;
	unsigned int major, minor;
	enum device_kind kind;
	char *parent;           /* a partition's disk, an NVMe path's head */
	struct names slaves;    /* the devices right below: sysfs slaves/, an NVMe head's paths */
	struct names holders;   /* the devices right above: sysfs holders/, an NVMe path's head */
	uint64_t diskseq;       /* 0: not known */
	uint64_t size_sectors;
	bool has_size;
	bool hidden;            /* has no node in /dev */
	bool read_only;
	bool removable;
	bool has_mq;            /* request-based: there is an mq/ directory (a partition's disk's) */
	char *sysfs;            /* its real directory below the root, "sys/devices/…" */
	char *dm_name, *uuid;   /* device-mapper's; an md array's uuid; */
	char *md_level;
	char *backing_file;     /* a loop device's */
	char *mount;            /* where it is mounted (the first place), or "[SWAP]" */
	char *vendor, *model, *serial, *wwid;
	char *place;            /* SCSI H:C:T:L, NVMe transport address and controller */
	char *partuuid;         /* from udev, where it runs */
	unsigned int partition; /* number, 0: none */
};

void device_release(struct device *d) __attribute__((nonnull));

/* The string members as a table, so that whoever copies, sends or prints a device walks it. */
struct device_text {
	const char *key;        /* "dm_name" */
	size_t offset;          /* of a char * in struct device */
};
extern const struct device_text device_texts[];
extern const size_t device_texts_n;

struct topology {
	struct device *devices;
	size_t n, capacity;
	struct map by_name;     /* index into devices */
};

#define TOPOLOGY_INIT { NULL, 0, 0, MAP_INIT }

void topology_release(struct topology *t) __attribute__((nonnull));
/* Add an empty device of that name, or return the one that is there. The pointer holds until the next addition. */
struct device *topology_add(struct topology *t, const char *name) __attribute__((nonnull, returns_nonnull));
const struct device *topology_find(const struct topology *t, const char *name) __attribute__((nonnull(1)));

/* Complete both directions (a slave without its holder and the other way round), drop names that are not there. */
void topology_link(struct topology *t) __attribute__((nonnull));

/* The whole disk whose queue/ a device's I/O goes through: a partition's disk, else the device itself. */
const struct device *topology_disk(const struct topology *t, const struct device *d) __attribute__((nonnull));

/*
 * Fields that this kernel cannot count for the device: flushes of partitions, bio-based devices and paths of a
 * request-based map. (METRICS)
 */
uint32_t topology_missing_fields(const struct topology *t, const struct device *d) __attribute__((nonnull));

/*
 * What a user's word names: a kernel name, a dm name, a path below /dev (by its last part; mapper/NAME), or a glob
 * over all of these. Sets hit[i] for each device that matches; returns how many.
 */
size_t topology_match(const struct topology *t, const char *word, bool *hit) __attribute__((nonnull));
/* The names nearest to a word that matched nothing, for an error message: at most three, comma separated. */
struct text;
void topology_nearest(const struct topology *t, const char *word, struct text *out) __attribute__((nonnull));

/* Widen a set of devices to all above and below each of them (partitions and disks included). */
void topology_widen(const struct topology *t, bool *hit) __attribute__((nonnull));

/* Identity across runs: the strongest key that is known, such as "dm-uuid mpath-3600…"; never empty. */
void device_identity(const struct topology *t, const struct device *d, struct text *kind, struct text *key)
	__attribute__((nonnull));

#endif
