/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's own uevents of block devices (NETLINK_KOBJECT_UEVENT, group 1), so that instances are known without
 * udevd. Only messages from the kernel (port 0) count.
 */
#ifndef IODELTA_KERNEL_UEVENT_H
#define IODELTA_KERNEL_UEVENT_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>

enum uevent_action { UEVENT_ADD, UEVENT_REMOVE, UEVENT_CHANGE, UEVENT_MOVE, UEVENT_OTHER };

struct uevent {
	enum uevent_action action;
	char name[64];          /* as in /proc/diskstats: DEVNAME, or the last part of DEVPATH with '!' as '/' */
	uint64_t diskseq;       /* 0: not said */
};

/* A non-blocking descriptor, or -errno. */
int uevent_open(void) __attribute__((warn_unused_result));

/* The next block event: 1 with *event filled, 0 when there is none now, -ENOBUFS when some were lost, -errno. */
int uevent_next(int fd, struct uevent *event) __attribute__((nonnull, warn_unused_result));

/* Parse one message (for next and for tests): true when it is about a block device. */
bool uevent_parse(const char *bytes, size_t len, struct uevent *event) __attribute__((nonnull, warn_unused_result));

#endif
