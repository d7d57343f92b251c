/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writing one knob. Only in a helper process: it can block while a queue is frozen. Nothing but the file asked for is
 * written, and only if its real path is where the knobs of that very device are:
 *   D/queue/NAME, D/queue/iosched/NAME, D/dm/NAME, D/md/NAME     D the device's real directory, below sys/devices
 *   E/NAME for device/NAME                                       E what D's link `device` leads to, below sys/devices
 *   sys/devices/virtual/bdi/M:m/NAME for bdi/NAME                M:m the device's own number
 *   proc/sys/vm/dirty_NAME for vm/dirty_NAME                     `sysfs` is "proc/sys" then
 */
#ifndef IODELTA_KERNEL_KNOB_FILE_H
#define IODELTA_KERNEL_KNOB_FILE_H

#include "kernel/root.h"

/* Check, and give the file's real path below the root. 0, -EPERM (not permitted), -EXDEV (elsewhere) or -errno. */
int knob_file_resolve(const struct root *root, const char *sysfs, const char *path, struct text *real)
	__attribute__((nonnull, warn_unused_result));

/* One write(2) of the value and a newline. 0 or -errno; -EIO when only a part was taken. */
int knob_file_write(const struct root *root, const char *real, const char *value)
	__attribute__((nonnull, warn_unused_result));

#endif
