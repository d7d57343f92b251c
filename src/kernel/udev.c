/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/udev.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

#ifdef HAVE_LIBUDEV

#include <libudev.h>

struct udev_source {
	struct udev *udev;
};

struct udev_source *udev_source_new(void)
{
	struct udev_source *u;
	struct udev *udev;

	/* without the daemon there is no database, and asking for each device would be in vain */
	if (access("/run/udev/data", R_OK | X_OK) < 0)
		return NULL;
	udev = udev_new();
	if (!udev)
		return NULL;
	u = xcalloc(1, sizeof(*u));
	u->udev = udev;
	return u;
}

void udev_source_free(struct udev_source *u)
{
	if (!u)
		return;
	udev_unref(u->udev);
	free(u);
}

/* The first of the properties that is there; what sysfs said stays. The string is the device's: copied. */
static void fill(struct udev_device *device, const char *const *keys, size_t n, char **member)
{
	for (size_t i = 0; i < n && !*member; i++) {
		const char *value = udev_device_get_property_value(device, keys[i]);

		if (value && *value)
			*member = xstrndup(value, strnlen(value, 256));
	}
}

void udev_fill(struct udev_source *u, struct device *d)
{
	static const char *const partuuids[] = { "ID_PART_ENTRY_UUID" };
	static const char *const serials[] = { "ID_SCSI_SERIAL", "ID_SERIAL_SHORT" };
	static const char *const wwids[] = { "ID_WWN_WITH_EXTENSION", "ID_WWN" };
	struct udev_device *device;
	char *name;

	if (!u)
		return;
	name = xstrdup(d->name);
	for (char *slash = strchr(name, '/'); slash; slash = strchr(slash, '/'))
		*slash = '!';
	device = udev_device_new_from_subsystem_sysname(u->udev, "block", name);
	free(name);
	if (!device)
		return;
	if (d->kind == KIND_PARTITION) {
		fill(device, partuuids, ARRAY_SIZE(partuuids), &d->partuuid);
	} else if (d->kind == KIND_DISK || d->kind == KIND_CDROM) {
		fill(device, serials, ARRAY_SIZE(serials), &d->serial);
		fill(device, wwids, ARRAY_SIZE(wwids), &d->wwid);
	}
	udev_device_unref(device);
}

#else

struct udev_source *udev_source_new(void)
{
	return NULL;
}

void udev_source_free(struct udev_source *u)
{
	free(u);
}

void udev_fill(struct udev_source *u, struct device *d)
{
	(void)u;
	(void)d;
}

#endif
