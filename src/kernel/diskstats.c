/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/diskstats.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"

/* The kernel hands out whole lines, a page at a time at most unless the buffer is larger. */
#define FIRST_GUESS (64 << 10)
#define READ_LIMIT (64 << 20)

int diskstats_open(struct diskstats *d, const struct root *root)
{
	struct stat st;

	*d = (struct diskstats)DISKSTATS_INIT;
	d->fd = root_open_file(root, "proc/diskstats", true);
	if (d->fd < 0)
		return d->fd;
	if (fstat(d->fd, &st) == 0 && S_ISREG(st.st_mode))
		return 0;
	diskstats_release(d);
	return -EINVAL;
}

void diskstats_release(struct diskstats *d)
{
	if (d->fd >= 0)
		close(d->fd);
	*d = (struct diskstats)DISKSTATS_INIT;
}

static int read_whole(int fd, struct text *out)
{
	while (out->len < READ_LIMIT) {
		size_t room = out->size - out->len - 1;
		ssize_t got = pread(fd, out->buf + out->len, room, (off_t)out->len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : 0;
		out->len += (size_t)got;
		text_reserve(out, FIRST_GUESS / 4);
	}
	return 0;
}

int diskstats_read(struct diskstats *d, struct sample *s)
{
	size_t expect = d->expect ? d->expect + d->expect / 8 : FIRST_GUESS;
	int64_t before, after, boot;
	int error;

	text_clear(&s->raw);
	text_reserve(&s->raw, expect + FIRST_GUESS / 4);
	before = clock_mono_ns();
	error = read_whole(d->fd, &s->raw);
	after = clock_mono_ns();
	boot = clock_boot_ns();
	s->raw.buf[s->raw.len] = '\0';
	s->t_ns = before + (after - before) / 2;
	s->read_ns = after - before;
	s->boot_ns = boot - after;
	s->wall_ns = clock_wall_ns() - (after - s->t_ns);
	d->expect = s->raw.len;
	return error;
}
