/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cmd/command.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/quit.h"

#define SURE_BYTES 4096         /* a pipe that can be written to takes so many without waiting (POSIX: PIPE_BUF) */
#define LAST_WAIT_MS 1000       /* for the reader, once a signal has asked to end */

/*
 * Signals are blocked but in a ppoll, so a write must not wait: not for the reader of a full pipe, nor for a terminal
 * that was stopped. What does not know of RWF_NOWAIT (terminals, pipes of older kernels) is asked first; a file has no
 * reader to wait for.
 */
static ssize_t write_now(const char *at, size_t left)
{
	struct iovec whole = { .iov_base = (void *)(uintptr_t)at, .iov_len = left };

	return pwritev2(STDOUT_FILENO, &whole, 1, -1, RWF_NOWAIT);
}

/* 0, or -EINTR when a signal asks to end and the reader does not read. */
static int wait_for_reader(void)
{
	const struct timespec last = { LAST_WAIT_MS / 1000, LAST_WAIT_MS % 1000 * 1000000L };
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	for (;;) {
		bool ends = quit_signal() != 0;
		int got = ppoll(&p, 1, ends ? &last : NULL, quit_mask());

		if (got > 0)
			return 0;
		if (ends || (got < 0 && errno != EINTR))
			return -EINTR;
	}
}

static bool is_file(void)
{
	struct stat st;

	return !fstat(STDOUT_FILENO, &st) && S_ISREG(st.st_mode);
}

/* Some of it; like write, but -errno. */
static ssize_t write_some(const char *at, size_t left)
{
	ssize_t n = write_now(at, left);
	int err;

	if (n >= 0)
		return n;
	if (errno != EAGAIN && errno != EOPNOTSUPP && errno != EINVAL && errno != ENOSYS && errno != ESPIPE)
		return -errno;
	if (!is_file()) {
		err = wait_for_reader();
		if (err)
			return err;
		left = left < SURE_BYTES ? left : SURE_BYTES;
	}
	n = write(STDOUT_FILENO, at, left);
	return n < 0 && errno != EAGAIN && errno != EINTR ? -errno : n < 0 ? 0 : n;
}

int write_out(const struct text *t)
{
	const char *at = text_str(t);
	size_t left = t->len;

	while (left) {
		ssize_t n = write_some(at, left);

		if (n < 0) {
			if (n != -EPIPE && n != -EINTR)
				msg_errno("standard output", (int)n);
			return (int)n;
		}
		at += n;
		left -= (size_t)n;
	}
	return 0;
}

int write_status(int err)
{
	return !err || err == -EPIPE || err == -EINTR ? EXIT_DONE : EXIT_FAILED;
}
