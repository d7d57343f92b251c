/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/knob_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "model/knob.h"

#define SYSTEM_SYSFS "proc/sys"

static bool begins(const char *s, const char *start)
{
	return !strncmp(s, start, strlen(start));
}

/* The real path of DIRECTORY/NAME must be REAL_DIRECTORY/NAME: no link in the last part, none that leads elsewhere. */
static int expect(const struct root *root, const char *path, const char *real_directory, const char *name,
		  struct text *real)
{
	struct text right = TEXT_INIT;
	int error = root_realpath(root, path, real);

	text_addf(&right, "%s/%s", real_directory, name);
	if (!error && strcmp(text_str(real), text_str(&right)) != 0)
		error = -EXDEV;
	text_release(&right);
	return error;
}

/* Where the link D/device leads. */
static int device_directory(const struct root *root, const char *sysfs, struct text *out)
{
	struct text link = TEXT_INIT;
	int error;

	text_addf(&link, "%s/device", sysfs);
	error = root_realpath(root, text_str(&link), out);
	if (!error && !begins(text_str(out), "sys/devices/"))
		error = -EXDEV;
	text_release(&link);
	return error;
}

static int bdi_directory(const struct root *root, const char *sysfs, struct text *out)
{
	struct text file = TEXT_INIT, number = TEXT_INIT;
	int error;

	text_addf(&file, "%s/dev", sysfs);
	error = root_read_line(root, text_str(&file), &number);
	if (!error && (!number.len || text_str(&number)[strspn(text_str(&number), "0123456789:")]))
		error = -EXDEV;
	text_addf(out, "sys/devices/virtual/bdi/%s", text_str(&number));
	text_release(&file);
	text_release(&number);
	return error;
}

static int resolve_in_device(const struct root *root, const char *sysfs, const char *path, struct text *real)
{
	struct text directory = TEXT_INIT, whole = TEXT_INIT;
	const char *name = path;
	int error = root_realpath(root, sysfs, &directory);

	if (!error && !begins(text_str(&directory), "sys/devices/"))
		error = -EXDEV;
	text_addf(&whole, "%s/%s", sysfs, path);
	if (begins(path, "device/")) {
		name = path + strlen("device/");
		text_clear(&directory);
		error = error ? error : device_directory(root, sysfs, &directory);
	} else if (begins(path, "bdi/")) {
		name = path + strlen("bdi/");
		text_clear(&directory);
		error = error ? error : bdi_directory(root, sysfs, &directory);
	}
	if (!error)
		error = expect(root, text_str(&whole), text_str(&directory), name, real);
	text_release(&directory);
	text_release(&whole);
	return error;
}

static int resolve_in_system(const struct root *root, const char *path, struct text *real)
{
	struct text whole = TEXT_INIT;
	int error;

	text_addf(&whole, "%s/%s", SYSTEM_SYSFS, path);
	error = expect(root, text_str(&whole), SYSTEM_SYSFS, path, real);
	text_release(&whole);
	return error;
}

int knob_file_resolve(const struct root *root, const char *sysfs, const char *path, struct text *real)
{
	bool of_system = !strcmp(sysfs, SYSTEM_SYSFS);

	text_clear(real);
	if (!knob_permitted(path) || of_system != begins(path, "vm/"))
		return -EPERM;
	return of_system ? resolve_in_system(root, path, real) : resolve_in_device(root, sysfs, path, real);
}

int knob_file_write(const struct root *root, const char *real, const char *value)
{
	struct text bytes = TEXT_INIT;
	int fd = root_open_write(root, real);
	ssize_t sent;
	int error = 0;

	if (fd < 0)
		return fd;
	text_addf(&bytes, "%s\n", value);
	do
		sent = write(fd, text_str(&bytes), bytes.len);
	while (sent < 0 && errno == EINTR);
	if (sent < 0)
		error = -errno;
	else if ((size_t)sent < bytes.len)
		error = -EIO;
	close(fd);
	text_release(&bytes);
	return error;
}
