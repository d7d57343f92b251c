/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The attributes of one device: every readable file of queue/ and queue/iosched/, chosen ones of device/, bdi/ and of
 * an NVMe head or path, dm/ and md/. With `sysfs` "proc/sys": the system's own, vm/dirty_*. Found by listing. Runs in a
 * helper process: reading one can block while a queue is frozen, so those of queue/ itself come last. Names are
 * relative to the device: "queue/scheduler", "device/queue_depth".
 */
#ifndef IODELTA_KERNEL_ATTRIBUTES_H
#define IODELTA_KERNEL_ATTRIBUTES_H

#include "kernel/root.h"
#include "model/device.h"

/* The names there are, in reading order. sysfs: the device's real directory below the root. */
void attributes_list(const struct root *root, const char *sysfs, struct names *out) __attribute__((nonnull));

/*
 * One of them: the value without trailing newline in `value`, or -errno. Values of several lines are kept. *writable:
 * the file has a write bit (also known of one that cannot be read).
 */
int attributes_read(const struct root *root, const char *sysfs, const char *name, struct text *value, bool *writable)
	__attribute__((nonnull, warn_unused_result));

#endif
