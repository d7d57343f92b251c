/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What only udev's database knows of a device: partuuid, serial and wwid where sysfs has none. The only file that
 * includes <libudev.h>. Called in a helper process, for root "/" only; without libudev or udevd it changes nothing.
 */
#ifndef IODELTA_KERNEL_UDEV_H
#define IODELTA_KERNEL_UDEV_H

#include "model/device.h"

struct udev_source;

struct udev_source *udev_source_new(void);      /* NULL: not available */
void udev_source_free(struct udev_source *u);
void udev_fill(struct udev_source *u, struct device *d) __attribute__((nonnull(2)));

#endif
