/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"

#define READ_STEP 4096

int root_open(struct root *root, const char *path)
{
	struct stat st, slash;
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	*root = (struct root)ROOT_INIT;
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0 || stat("/", &slash) < 0) {
		int error = -errno;

		close(fd);
		return error;
	}
	root->fd = fd;
	root->path = xstrdup(path);
	root->system = st.st_dev == slash.st_dev && st.st_ino == slash.st_ino;
	return 0;
}

void root_release(struct root *root)
{
	if (root->fd >= 0)
		close(root->fd);
	free(root->path);
	*root = (struct root)ROOT_INIT;
}

/*
 * One open below the root. The system's own /proc and /sys are opened as they are, on kernels before openat2 too (5.6);
 * in a tree the kernel is told to take every link as one below the root, and none of the magic ones.
 */
static int open_resolved(const struct root *root, const char *path, int flags, uint64_t resolve)
{
	struct open_how how = {
		.flags = (unsigned int)(flags | O_CLOEXEC),
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS | resolve,
	};
	long fd;

	while (*path == '/')
		path++;
	path = *path ? path : ".";
	do {
		if (root->system)
			fd = openat(root->fd, path, flags | O_CLOEXEC);
		else
			fd = syscall(SYS_openat2, root->fd, path, &how, sizeof(how));
	} while (fd < 0 && (errno == EINTR || (errno == EAGAIN && !root->system)));
	return fd < 0 ? -errno : (int)fd;
}

static int open_below(const struct root *root, const char *path, int flags)
{
	return open_resolved(root, path, flags, 0);
}

static bool is_kernel_path(const struct root *root, const char *path)
{
	return root->system && (!strncmp(path, "sys/", 4) || !strncmp(path, "proc/", 5));
}

/* What `fd` (O_PATH) stands for, opened for reading; never a device's node. */
static int reopen(int fd, int flags)
{
	char self[64];
	struct stat st;
	int opened;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
		return -EINVAL;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	do
		opened = open(self, flags | O_CLOEXEC);
	while (opened < 0 && errno == EINTR);
	return opened < 0 ? -errno : opened;
}

int root_open_file(const struct root *root, const char *path, bool nonblock)
{
	int flags = O_RDONLY | O_NOCTTY | (nonblock ? O_NONBLOCK : 0);
	int fd, opened;

	/* there are no device nodes in /proc and /sys, and looking first would double the calls */
	if (is_kernel_path(root, path))
		return open_below(root, path, flags);
	fd = open_below(root, path, O_PATH);
	if (fd < 0)
		return fd;
	opened = reopen(fd, flags);
	close(fd);
	return opened;
}

int root_open_write(const struct root *root, const char *real)
{
	int fd = open_resolved(root, real, O_PATH | O_NOFOLLOW, RESOLVE_NO_SYMLINKS);
	struct stat st;
	int opened;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		opened = -errno;
	else if (!S_ISREG(st.st_mode) && !(S_ISFIFO(st.st_mode) && !root->system))
		opened = S_ISLNK(st.st_mode) ? -ELOOP : -EINVAL;
	else
		opened = reopen(fd, O_WRONLY | O_TRUNC | O_NOCTTY);
	close(fd);
	return opened;
}

/* Read until `enough` says so, the end or the limit. 0 or -errno. */
static int read_some(int fd, struct text *out, bool (*enough)(const char *added, size_t len))
{
	size_t start = out->len;

	while (out->len - start < ROOT_READ_LIMIT) {
		ssize_t got;

		text_reserve(out, READ_STEP);
		got = read(fd, out->buf + out->len, READ_STEP);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			out->buf[out->len] = '\0';
			return got < 0 ? -errno : 0;
		}
		out->len += (size_t)got;
		out->buf[out->len] = '\0';
		if (enough(out->buf + out->len - got, (size_t)got))
			return 0;
	}
	return 0;
}

static bool never(const char *added, size_t len)
{
	(void)added;
	(void)len;
	return false;
}

static bool has_newline(const char *added, size_t len)
{
	return memchr(added, '\n', len);
}

/* An attribute of sysfs is one page at most, and comes whole: what is shorter than was asked for is its end. */
static bool is_short(const char *added, size_t len)
{
	(void)added;
	return len < READ_STEP;
}

static int read_file(const struct root *root, const char *path, struct text *out,
		     bool (*enough)(const char *added, size_t len))
{
	int fd = root_open_file(root, path, false);
	int error;

	if (fd < 0)
		return fd;
	error = read_some(fd, out, enough);
	close(fd);
	return error;
}

int root_read(const struct root *root, const char *path, struct text *out)
{
	return read_file(root, path, out, never);
}

int root_read_mode(const struct root *root, const char *path, struct text *out, int *mode)
{
	int fd = root_open_file(root, path, false);
	struct stat st;
	int error;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) == 0)
		*mode = (int)st.st_mode;
	error = read_some(fd, out, root->system && !strncmp(path, "sys/", 4) ? is_short : never);
	close(fd);
	return error;
}

int root_read_line(const struct root *root, const char *path, struct text *out)
{
	size_t start = out->len;
	int error = read_file(root, path, out, has_newline);
	char *newline;

	if (!out->buf)
		return error;
	newline = memchr(out->buf + start, '\n', out->len - start);
	if (newline)
		out->len = (size_t)(newline - out->buf);
	while (out->len > start && strchr(" \t\r", out->buf[out->len - 1]))
		out->len--;
	out->buf[out->len] = '\0';
	return error;
}

/* The absolute path of a descriptor; the length, or -errno. */
static ssize_t path_of(int fd, char *path, size_t size)
{
	char self[64];
	ssize_t len;

	snprintf(self, sizeof(self), "/proc/self/fd/%d", fd);
	len = readlink(self, path, size);
	return len < 0 ? -errno : len == (ssize_t)size ? -ENAMETOOLONG : len;
}

int root_realpath(const struct root *root, const char *path, struct text *out)
{
	char whole[PATH_MAX], top[PATH_MAX];
	ssize_t len, top_len;
	int fd = open_below(root, path, O_PATH);

	if (fd < 0)
		return fd;
	len = path_of(fd, whole, sizeof(whole));
	close(fd);
	if (len < 0)
		return (int)len;
	top_len = root->system ? 1 : path_of(root->fd, top, sizeof(top));
	if (top_len < 0)
		return (int)top_len;
	if (!root->system && (len < top_len || memcmp(whole, top, (size_t)top_len)))
		return -EXDEV;
	while (top_len < len && whole[top_len] == '/')
		top_len++;
	text_add_n(out, whole + top_len, (size_t)(len - top_len));
	return 0;
}

int root_real(const struct root *root, struct text *out)
{
	char path[PATH_MAX];
	ssize_t len = path_of(root->fd, path, sizeof(path));

	if (len < 0)
		return (int)len;
	text_add_n(out, path, (size_t)len);
	return 0;
}

bool root_is_directory(const struct root *root, const char *path)
{
	int fd = open_below(root, path, O_PATH | O_DIRECTORY);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

int root_mode(const struct root *root, const char *path)
{
	struct stat st;
	int fd, mode;

	if (is_kernel_path(root, path))
		return fstatat(root->fd, path, &st, 0) < 0 ? -errno : (int)st.st_mode;
	fd = open_below(root, path, O_PATH);
	if (fd < 0)
		return fd;
	mode = fstat(fd, &st) < 0 ? -errno : (int)st.st_mode;
	close(fd);
	return mode;
}

struct entries {
	char **v;
	size_t n, capacity;
};

static int compare_entries(const void *left, const void *right)
{
	return strverscmp(*(char *const *)left, *(char *const *)right);
}

/* One piece of a directory. */
static void take_entries(struct entries *entries, const char *bytes, size_t len)
{
	for (size_t at = 0; at < len;) {
		const struct dirent64 *entry = (const struct dirent64 *)(bytes + at);

		at += entry->d_reclen;
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		ARRAY_GROW(entries->v, entries->capacity, entries->n + 1);
		entries->v[entries->n++] = xstrdup(entry->d_name);
	}
}

/* Without readdir's stream, whose set-up costs as much as reading one of the many small directories of sysfs. */
static int read_entries(int fd, struct entries *entries)
{
	char bytes[16 << 10] __attribute__((aligned(8)));
	ssize_t len;

	while ((len = getdents64(fd, bytes, sizeof(bytes))) > 0)
		take_entries(entries, bytes, (size_t)len);
	return len < 0 ? -errno : 0;
}

int root_list(const struct root *root, const char *path, root_entry_fn each, void *arg)
{
	struct entries entries = { 0 };
	int fd = open_below(root, path, O_RDONLY | O_DIRECTORY);
	int error;

	if (fd < 0)
		return fd;
	error = read_entries(fd, &entries);
	close(fd);
	if (entries.n)
		qsort(entries.v, entries.n, sizeof(*entries.v), compare_entries);
	for (size_t i = 0; i < entries.n; i++) {
		each(entries.v[i], arg);
		free(entries.v[i]);
	}
	free(entries.v);
	return error;
}

const char *root_message_path(const struct root *root, const char *path, struct text *out)
{
	const char *top = root->path ? root->path : "";
	size_t len = strlen(top);

	text_clear(out);
	text_add(out, top);
	if (!len || top[len - 1] != '/')
		text_add_char(out, '/');
	text_add(out, path);
	return text_str(out);
}
