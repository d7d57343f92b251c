/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel that is played: write(2) to a queue attribute of the tree does what a kernel would do, or fails as one
 * would, and the process can be ended at any write or read. For one program, linked with --wrap=write,--wrap=read.
 */
#ifndef IODELTA_TESTS_PLAYED_KERNEL_H
#define IODELTA_TESTS_PLAYED_KERNEL_H

#include <errno.h>
#include <stdbool.h>

#include "tree.h"

#define SYSFS "sys/devices/virtual/block/dm-0"

static char tree[200];

static struct {
	bool plays;             /* else files take what is written */
	int error;              /* of the next write to a knob */
	size_t part;            /* of it so many bytes are taken, then it ends */
	size_t read_most;       /* a read gives so many bytes at most; 0: as many as there are */
	long calls;             /* of wrapped functions so far */
	long end_at;            /* the process ends in this one; 0: it does not */
	enum { END_BEFORE, END_AFTER, END_WITHIN } when;
} kernel;

ssize_t __real_write(int fd, const void *buf, size_t n);
ssize_t __real_read(int fd, void *buf, size_t n);
ssize_t __wrap_write(int fd, const void *buf, size_t n);
ssize_t __wrap_read(int fd, void *buf, size_t n);

static const char *path_of(int fd, char *path, size_t size)
{
	char link[64];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, size - 1);
	path[len < 0 ? 0 : len] = '\0';
	return path;
}

static void put(const char *name, const char *value)
{
	char path[300];

	snprintf(path, sizeof(path), SYSFS "/%s", name);
	tree_file(tree, path, value);
}

static void get(const char *name, char *value, size_t size)
{
	char path[600];
	FILE *file;

	snprintf(path, sizeof(path), "%s/" SYSFS "/%s", tree, name);
	file = fopen(path, "r");
	value[0] = '\0';
	if (!file || !fgets(value, (int)size, file))
		value[0] = '\0';
	value[strcspn(value, "\n")] = '\0';
	if (file)
		fclose(file);
}

static void new_scheduler(const char *name)
{
	char iosched[400];

	snprintf(iosched, sizeof(iosched), "%s/" SYSFS "/queue/iosched", tree);
	tree_remove(iosched);
	put("queue/nr_requests", "256\n");
	if (!strcmp(name, "mq-deadline")) {
		put("queue/scheduler", "none [mq-deadline] kyber\n");
		put("queue/iosched/async_depth", "256\n");
		put("queue/iosched/read_expire", "500\n");
	} else if (!strcmp(name, "kyber")) {
		put("queue/scheduler", "none mq-deadline [kyber]\n");
		put("queue/iosched/read_lat_nsec", "2000000\n");
	} else {
		put("queue/scheduler", "[none] mq-deadline kyber\n");
	}
}

/* 0, or -1 with errno. The file has been emptied by then, as a tree's is. */
static int play(const char *path, const char *value)
{
	const char *name = strstr(path, "/queue/") + 1;
	char line[300];
	long n = strtol(value, NULL, 10);

	if (!strcmp(name, "queue/scheduler")) {
		new_scheduler(value);
	} else if (!strcmp(name, "queue/nr_requests")) {
		snprintf(line, sizeof(line), "%ld\n", n < 4 ? 4 : n);
		put(name, line);
		get("queue/iosched/async_depth", line, sizeof(line));
		if (*line) {
			snprintf(line, sizeof(line), "%ld\n", n < 4 ? 4 : n);
			put("queue/iosched/async_depth", line);
		}
	} else {
		snprintf(line, sizeof(line), "%s\n", value);
		put(name, line);
	}
	return 0;
}

static bool is_knob(const char *path)
{
	return !strncmp(path, tree, strlen(tree)) && strstr(path, "/queue/");
}

static void maybe_end(bool after)
{
	if (kernel.end_at && kernel.calls == kernel.end_at && (kernel.when == END_AFTER) == after)
		_exit(9);
}

static ssize_t write_knob(int fd, const char *path, const char *buf, size_t n)
{
	char value[256];

	if (kernel.error) {
		errno = kernel.error;
		kernel.error = 0;
		return -1;
	}
	if (kernel.part) {
		n = kernel.part;
		kernel.part = 0;
		return __real_write(fd, buf, n);
	}
	if (!kernel.plays)
		return __real_write(fd, buf, n);
	snprintf(value, sizeof(value), "%.*s", (int)n, buf);
	value[strcspn(value, "\n")] = '\0';
	return play(path, value) < 0 ? -1 : (ssize_t)n;
}

ssize_t __wrap_write(int fd, const void *buf, size_t n)
{
	char path[600];
	ssize_t sent;

	path_of(fd, path, sizeof(path));
	if (strncmp(path, tree, strlen(tree)) != 0 || !*tree)
		return __real_write(fd, buf, n);
	kernel.calls++;
	if (kernel.end_at == kernel.calls && kernel.when == END_WITHIN) {
		(void)!__real_write(fd, buf, n / 2);
		_exit(9);
	}
	maybe_end(false);
	sent = is_knob(path) ? write_knob(fd, path, buf, n) : __real_write(fd, buf, n);
	maybe_end(true);
	return sent;
}

ssize_t __wrap_read(int fd, void *buf, size_t n)
{
	ssize_t got;

	kernel.calls += *tree != '\0';
	maybe_end(false);
	got = __real_read(fd, buf, kernel.read_most && n > kernel.read_most ? kernel.read_most : n);
	maybe_end(true);
	return got;
}

#endif
