/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "store/journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"

#define READ_STEP (64 << 10)
#define READ_MOST (64 << 20)

void journal_entry_release(struct journal_entry *entry)
{
	free(entry->id);
	free(entry->root);
	free(entry->boot);
	free(entry->device);
	free(entry->sysfs);
	free(entry->path);
	free(entry->asked);
	setup_release(&entry->before);
	setup_release(&entry->after);
	*entry = (struct journal_entry){ 0 };
}

void journal_release(struct journal *j)
{
	for (size_t i = 0; i < j->n; i++)
		journal_entry_release(&j->v[i]);
	free(j->v);
	*j = (struct journal){ 0 };
}

int journal_path(struct text *out)
{
	const char *state = getenv("IODELTA_STATE");
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	if (state && *state)
		text_addf(out, "%s/journal", state);
	else if (geteuid() == 0)
		text_add(out, "/run/iodelta/journal");
	else if (runtime && *runtime == '/')
		text_addf(out, "%s/iodelta/journal", runtime);
	else
		return -ENOENT;
	return 0;
}

/* The directory that the file is in; the one above must be there. */
static int make_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *directory;
	int error = 0;

	if (!slash || slash == path)
		return 0;
	directory = xstrndup(path, (size_t)(slash - path));
	if (mkdir(directory, 0700) < 0 && errno != EEXIST)
		error = -errno;
	free(directory);
	return error;
}

static int lock(int fd)
{
	int got;

	do
		got = flock(fd, LOCK_EX);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : 0;
}

/* A line that somebody was stopped in is ended first, so that it spoils nothing but itself. */
static int end_cut_line(int fd)
{
	struct stat st;
	char last;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if (!st.st_size || pread(fd, &last, 1, st.st_size - 1) != 1 || last == '\n')
		return 0;
	return write(fd, "\n", 1) == 1 ? 0 : -errno;
}

static int append_locked(int fd, const struct text *line)
{
	struct stat st;
	int error = lock(fd);

	if (!error)
		error = end_cut_line(fd);
	if (!error && fstat(fd, &st) < 0)
		error = -errno;
	if (error)
		return error;
	error = file_write(fd, line);
	/* half a line would be taken for a write that was cut off */
	if (error && ftruncate(fd, st.st_size) < 0)
		return error;
	return error;
}

int journal_append(const char *path, const struct text *line)
{
	int error = make_directory(path);
	int fd;

	if (error)
		return error;
	fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	error = append_locked(fd, line);
	if (close(fd) < 0 && !error)
		error = -errno;
	return error;
}

static int read_whole(int fd, struct text *out)
{
	while (out->len < READ_MOST) {
		ssize_t got;

		text_reserve(out, READ_STEP);
		got = read(fd, out->buf + out->len, READ_STEP);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : 0;
		out->len += (size_t)got;
		out->buf[out->len] = '\0';
	}
	return -EFBIG;
}

int journal_read(const char *path, struct journal *j)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct text all = TEXT_INIT;
	int error;

	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
	error = read_whole(fd, &all);
	close(fd);
	for (const char *at = text_str(&all), *end = at + all.len; !error && at < end;) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)((newline ? newline : end) - at);

		journal_take_line(j, at, len);
		at += len + 1;
	}
	text_release(&all);
	return error;
}
