/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The least that a monitor must do: read FILEs round after round, and nothing else. What it costs is what the reading
 * costs. `bare SECONDS COUNT FILE` keeps one file open and sleeps between the reads, `bare 0 COUNT FILE FILE...` opens
 * the files in turn, all of them a round, as the trees of --root are.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_SIZE = 256 * 1024 };

static int read_all(int fd, char *buffer)
{
	off_t at = 0;
	ssize_t got;

	while ((got = pread(fd, buffer, BUFFER_SIZE, at)) > 0)
		at += got;
	return got < 0 ? -1 : 0;
}

static int loop_open(const char *file, double seconds, unsigned long count, char *buffer)
{
	struct timespec pause = { .tv_sec = (time_t)seconds };
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	unsigned long i;

	pause.tv_nsec = (long)((seconds - (double)pause.tv_sec) * 1e9);
	if (fd < 0)
		return -1;
	for (i = 0; i < count; i++) {
		if (read_all(fd, buffer) < 0)
			return -1;
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	}
	return close(fd);
}

static int loop_files(char **files, size_t n, unsigned long count, char *buffer)
{
	unsigned long i;
	size_t k;
	int fd;

	for (i = 0; i < count; i++)
		for (k = 0; k < n; k++) {
			fd = open(files[k], O_RDONLY | O_CLOEXEC);
			if (fd < 0 || read_all(fd, buffer) < 0)
				return -1;
			close(fd);
		}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long count;
	char *buffer;
	double seconds;
	int rc;

	if (argc < 4) {
		fprintf(stderr, "usage: bare SECONDS COUNT FILE...\n");
		return 2;
	}
	buffer = malloc(BUFFER_SIZE);
	if (!buffer) {
		perror("bare");
		return 1;
	}
	seconds = strtod(argv[1], NULL);
	count = strtoul(argv[2], NULL, 10);
	if (seconds > 0)
		rc = loop_open(argv[3], seconds, count, buffer);
	else
		rc = loop_files(argv + 3, (size_t)argc - 3, count, buffer);
	free(buffer);
	if (rc < 0)
		perror("bare");
	return rc < 0;
}
