/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "base/msg.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

static struct {
	msg_sink_fn sink;
	void *arg;
	int debug_fd_plus_1;
	void (*die_hook)(void);
} out;

/* One write per message, so that lines of several processes do not mix. Nothing can be done when it fails. */
static void write_line(int fd, struct text *line)
{
	text_add_char(line, '\n');
	if (write(fd, line->buf, line->len) < 0)
		return;
}

__attribute__((format(printf, 2, 0)))
static void emit(const char *about, const char *format, va_list ap)
{
	char reason[1024];
	struct text line = TEXT_INIT;

	if (vsnprintf(reason, sizeof(reason), format, ap) < 0)
		reason[0] = '\0';
	if (!out.sink)
		text_add(&line, "iodelta: ");
	if (about) {
		text_add_safe(&line, about, strlen(about));
		text_add(&line, ": ");
	}
	text_add_safe(&line, reason, strlen(reason));
	if (out.sink)
		out.sink(text_str(&line), out.arg);
	else
		write_line(STDERR_FILENO, &line);
	text_release(&line);
}

void msg(const char *about, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	emit(about, format, ap);
	va_end(ap);
}

void msg_errno(const char *about, int negative_errno)
{
	msg(about, "%s", strerror(-negative_errno));
}

void msg_die(const char *format, ...)
{
	char reason[256];
	va_list ap;
	int len;

	va_start(ap, format);
	len = vsnprintf(reason, sizeof(reason), format, ap);
	va_end(ap);
	if (out.die_hook)
		out.die_hook();
	if (len > 0)
		dprintf(STDERR_FILENO, "iodelta: %s\n", reason);
	exit(1);
}

void msg_set_die_hook(void (*hook)(void))
{
	out.die_hook = hook;
}

void msg_set_sink(msg_sink_fn sink, void *arg)
{
	out.sink = sink;
	out.arg = arg;
}

int msg_debug_open(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600);

	if (fd < 0)
		return -errno;
	out.debug_fd_plus_1 = fd + 1;
	return 0;
}

void msg_debug(const char *format, ...)
{
	char words[1024];
	struct text line = TEXT_INIT;
	va_list ap;
	int len;

	if (!out.debug_fd_plus_1)
		return;
	va_start(ap, format);
	len = vsnprintf(words, sizeof(words), format, ap);
	va_end(ap);
	if (len < 0)
		return;
	text_add_fixed(&line, (double)clock_mono_ns() / 1e9, 6);
	text_add_char(&line, ' ');
	text_add_safe(&line, words, strlen(words));
	write_line(out.debug_fd_plus_1 - 1, &line);
	text_release(&line);
}
