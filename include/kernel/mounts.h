/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which devices are mounted or swapped on (mounts_read and mounts_free are in topology.h). */
#ifndef IODELTA_KERNEL_MOUNTS_H
#define IODELTA_KERNEL_MOUNTS_H

#include "kernel/topology.h"

/* The first place a device is mounted on, or "[SWAP]"; NULL when it is neither. Owned by `m`. */
const char *mounts_find(const struct mounts *m, const struct device *d) __attribute__((nonnull));

#endif
