/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One pass over /proc/diskstats through a descriptor that stays open, with its stamps. Errors: 0 or -errno. */
#ifndef IODELTA_KERNEL_DISKSTATS_H
#define IODELTA_KERNEL_DISKSTATS_H

#include "kernel/root.h"
#include "model/sample.h"

struct diskstats {
	int fd;
	size_t expect;  /* bytes the last read gave, so that the next needs no probing */
};

#define DISKSTATS_INIT { -1, 0 }

int diskstats_open(struct diskstats *d, const struct root *root) __attribute__((nonnull, warn_unused_result));
void diskstats_release(struct diskstats *d) __attribute__((nonnull));

/* Replace s->raw by the file's text; t_ns is the middle of the clock readings around it, read_ns their distance. */
int diskstats_read(struct diskstats *d, struct sample *s) __attribute__((nonnull, warn_unused_result));

#endif
