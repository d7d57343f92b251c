/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sources that read /proc: the live system (one root, "/"), and trees taken in turn, sample n in the n-th tree,
 * its clock from that tree's proc/uptime. With `rounds` of N the trees are gone through N times; the return to the
 * first one is a restart. A single tree is a stepped source of one sample. The roots stay the caller's.
 */
#ifndef IODELTA_KERNEL_LIVE_H
#define IODELTA_KERNEL_LIVE_H

#include "kernel/root.h"
#include "model/source.h"

/* NULL with a message when proc/diskstats cannot be opened in the first root. */
struct source *live_source(const struct root *roots, size_t n, unsigned int rounds)
	__attribute__((nonnull, warn_unused_result));

#endif
