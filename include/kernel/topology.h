/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what sysfs tells of devices: kinds, who sits on whom, names, identity, mounts. Runs in a helper process, since
 * a read below /sys can block. No queue/ attribute is read here. Hostile trees do no harm: every link is resolved below
 * the root, cycles and dangling links end in "not known".
 */
#ifndef IODELTA_KERNEL_TOPOLOGY_H
#define IODELTA_KERNEL_TOPOLOGY_H

#include "kernel/root.h"
#include "model/device.h"

/* The names of all block devices: sys/block and the partitions below; sys/class/block where that has more. */
int topology_names(const struct root *root, struct names *out) __attribute__((nonnull, warn_unused_result));

/* Mounts and swaps of this root, to be given to topology_read_device. Opaque. */
struct mounts;
struct mounts *mounts_read(const struct root *root) __attribute__((nonnull, returns_nonnull));
void mounts_free(struct mounts *m);

/* Fill a device whose name is set. -errno when it is not there (any more). */
int topology_read_device(const struct root *root, const struct mounts *mounts, struct device *d)
	__attribute__((nonnull, warn_unused_result));

/* A device as bytes for the helper's socket, and back; decode returns false on bytes that are no device. */
void device_encode(const struct device *d, struct text *out) __attribute__((nonnull));
bool device_decode(struct device *d, const char *bytes, size_t len) __attribute__((nonnull, warn_unused_result));

#endif
