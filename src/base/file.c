/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "base/file.h"

#include <errno.h>
#include <unistd.h>

int file_write(int fd, const struct text *what)
{
	for (size_t done = 0; done < what->len;) {
		ssize_t n = write(fd, what->buf + done, what->len - done);

		if (n < 0 && errno != EINTR)
			return -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	return 0;
}
