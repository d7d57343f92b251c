/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cmd/command.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

#include "base/msg.h"

/* A descriptor shared with somebody who made it non-blocking is waited for. */
static bool worth_another_try(int err)
{
	struct pollfd p = { .fd = STDOUT_FILENO, .events = POLLOUT };

	if (err == EAGAIN)
		return poll(&p, 1, -1) >= 0 || errno == EINTR;
	return err == EINTR;
}

int write_out(const struct text *t)
{
	const char *at = text_str(t);
	size_t left = t->len;

	while (left) {
		ssize_t n = write(STDOUT_FILENO, at, left);

		if (n < 0) {
			int err = errno;

			if (worth_another_try(err))
				continue;
			if (err != EPIPE)
				msg_errno("standard output", -err);
			return -err;
		}
		at += n;
		left -= (size_t)n;
	}
	return 0;
}

int write_status(int err)
{
	return !err || err == -EPIPE ? EXIT_DONE : EXIT_FAILED;
}
