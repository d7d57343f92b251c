/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory below which everything is read: "/" or a tree given with --root. Every path is relative to it (no
 * leading slash). In a tree no link leads out, magic links are never followed, and only regular files and FIFOs are
 * opened; in no case is a block or character device's node opened.
 *
 * Errors: 0 or -errno. Absent (-ENOENT) is normal.
 */
#ifndef IODELTA_KERNEL_ROOT_H
#define IODELTA_KERNEL_ROOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct root {
	int fd;
	char *path;     /* as the user gave it, for messages */
	bool system;    /* it is "/" */
};

#define ROOT_INIT { -1, NULL, false }
#define ROOT_READ_LIMIT (16 << 20)

int root_open(struct root *root, const char *path) __attribute__((nonnull, warn_unused_result));
void root_release(struct root *root) __attribute__((nonnull));

/* A read-only descriptor. `nonblock`: never wait, not even for a FIFO's writer. */
int root_open_file(const struct root *root, const char *path, bool nonblock)
	__attribute__((nonnull, warn_unused_result));

/*
 * For writing, emptied first (sysfs takes no notice; a tree's file would keep its tail). `real` is the file's own path
 * as root_realpath gave it: no link on the way is followed any more (-ELOOP). Regular files, and in a tree FIFOs, only.
 */
int root_open_write(const struct root *root, const char *real) __attribute__((nonnull, warn_unused_result));

/* The whole file, appended to `out`, at most ROOT_READ_LIMIT bytes. May block where the file does. */
int root_read(const struct root *root, const char *path, struct text *out)
	__attribute__((nonnull, warn_unused_result));

/* The same, and the file's mode, as soon as it could be opened. */
int root_read_mode(const struct root *root, const char *path, struct text *out, int *mode)
	__attribute__((nonnull, warn_unused_result));

/* The first line of a file without its newline and trailing blanks, appended. */
int root_read_line(const struct root *root, const char *path, struct text *out)
	__attribute__((nonnull, warn_unused_result));

/* The path after following all links, relative to the root, appended ("sys/devices/virtual/block/dm-0"). */
int root_realpath(const struct root *root, const char *path, struct text *out)
	__attribute__((nonnull, warn_unused_result));

/* The root's own real path in the system, appended ("/" for the system's). */
int root_real(const struct root *root, struct text *out) __attribute__((nonnull, warn_unused_result));

bool root_is_directory(const struct root *root, const char *path) __attribute__((nonnull));

/* The mode of a file after following all links (S_ISREG and so on), or -errno. */
int root_mode(const struct root *root, const char *path) __attribute__((nonnull, warn_unused_result));

/* Call `each` for every entry of a directory, sorted by name as strverscmp does, without "." and "..". */
typedef void (*root_entry_fn)(const char *name, void *arg);
int root_list(const struct root *root, const char *path, root_entry_fn each, void *arg)
	__attribute__((nonnull(1, 2, 3)));

/* A path for a message: the root's path and this one, as one string in `out`. */
const char *root_message_path(const struct root *root, const char *path, struct text *out) __attribute__((nonnull));

#endif
