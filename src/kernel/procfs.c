/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/number.h"
#include "kernel/procps.h"

#define STEP 4096
#define STAT_LIMIT (8 << 20)

struct procfs {
	int stat_fd, pressure_fd;
	bool psi_off;
	struct procps *procps;
	struct text text;       /* reused */
};

/* A regular file that never makes the reader wait, or -errno. */
static int open_regular(const struct root *root, const char *path)
{
	int fd = root_open_file(root, path, true);
	struct stat st;

	if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)))
		return fd;
	close(fd);
	return -EINVAL;
}

struct procfs *procfs_new(const struct root *root)
{
	struct procfs *p = xcalloc(1, sizeof(*p));

	p->stat_fd = open_regular(root, "proc/stat");
	p->pressure_fd = open_regular(root, "proc/pressure/io");
	/* a tree without the file says nothing; a kernel without it has it switched off, or says so */
	p->psi_off = p->pressure_fd < 0 && (root->system || p->pressure_fd == -EOPNOTSUPP);
	p->procps = root->system ? procps_new() : NULL;
	text_reserve(&p->text, STEP);
	return p;
}

void procfs_free(struct procfs *p)
{
	if (!p)
		return;
	if (p->stat_fd >= 0)
		close(p->stat_fd);
	if (p->pressure_fd >= 0)
		close(p->pressure_fd);
	procps_free(p->procps);
	text_release(&p->text);
	free(p);
}

/* The file from its start into `out`, as a string. Returns 0 or -errno. */
static int read_again(int fd, struct text *out)
{
	text_clear(out);
	while (out->len < STAT_LIMIT) {
		ssize_t got;

		text_reserve(out, STEP - 1);
		got = pread(fd, out->buf + out->len, out->size - out->len - 1, (off_t)out->len);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			out->buf[out->len] = '\0';
			return got < 0 ? -errno : 0;
		}
		out->len += (size_t)got;
	}
	out->buf[out->len] = '\0';
	return 0;
}

void procfs_read(struct procfs *p, struct system_counters *s)
{
	s->has = 0;
	if (p->stat_fd >= 0 && !read_again(p->stat_fd, &p->text))
		system_parse_stat(s, text_str(&p->text));
	if (p->pressure_fd >= 0) {
		int error = read_again(p->pressure_fd, &p->text);

		if (!error)
			system_parse_pressure(s, text_str(&p->text));
		else if (error == -EOPNOTSUPP)
			s->has |= SYS_PSI_OFF;
	}
	if (p->psi_off)
		s->has |= SYS_PSI_OFF;
	procps_read(p->procps, s);
}

/* The first word of a small file in /proc, without waiting. 0 or -errno. */
static int read_word(const struct root *root, const char *path, struct text *out)
{
	int fd = open_regular(root, path);
	int error;

	if (fd < 0)
		return fd;
	error = read_again(fd, out);
	close(fd);
	if (error)
		return error;
	out->len = strcspn(out->buf, " \t\n");
	out->buf[out->len] = '\0';
	return out->len ? 0 : -ENODATA;
}

double procfs_uptime(const struct root *root)
{
	struct text word = TEXT_INIT;
	double uptime;
	int error = read_word(root, "proc/uptime", &word);

	if (error)
		uptime = error;
	else if (!number_double(text_str(&word), &uptime) || uptime < 0 || uptime > 1e9)
		uptime = -EINVAL;
	text_release(&word);
	return uptime;
}

unsigned int procfs_word_bits(const struct root *root)
{
	static const char *const short_words[] = {
		"i386", "i486", "i586", "i686", "armv5", "armv6", "armv7", "armv8l", "ppc", "mips", "parisc", "s390",
		"sh4", "m68k", "riscv32", "arceb", "arc", "microblaze", "nios2", "openrisc", "csky", "xtensa", "sparc",
	};
	static const char *const long_words[] = {
		"ppc64", "mips64", "parisc64", "s390x", "sparc64",
	};
	struct text arch = TEXT_INIT;
	struct utsname names;
	unsigned int bits = 64;

	if (root->system && uname(&names) == 0)
		text_add(&arch, names.machine);
	else if (!root->system && read_word(root, "proc/sys/kernel/arch", &arch))
		text_clear(&arch);
	for (size_t i = 0; i < ARRAY_SIZE(short_words); i++) {
		if (!strncmp(text_str(&arch), short_words[i], strlen(short_words[i])))
			bits = 32;
	}
	for (size_t i = 0; i < ARRAY_SIZE(long_words); i++) {
		if (!strncmp(text_str(&arch), long_words[i], strlen(long_words[i])))
			bits = 64;
	}
	text_release(&arch);
	return bits;
}

/* "Linux version 6.1.0-13-amd64 (debian-kernel@…) …" */
static void release_of_version(const struct root *root, struct text *out)
{
	struct text line = TEXT_INIT;
	int fd = open_regular(root, "proc/version");
	static const char start[] = "Linux version ";

	if (fd < 0)
		return;
	if (!read_again(fd, &line) && !strncmp(line.buf, start, sizeof(start) - 1)) {
		const char *release = line.buf + sizeof(start) - 1;

		text_add_n(out, release, strcspn(release, " \t\n"));
	}
	close(fd);
	text_release(&line);
}

void procfs_release_name(const struct root *root, struct text *out)
{
	struct text word = TEXT_INIT;
	struct utsname names;

	if (root->system && uname(&names) == 0)
		text_add(out, names.release);
	else if (!read_word(root, "proc/sys/kernel/osrelease", &word))
		text_add(out, text_str(&word));
	else
		release_of_version(root, out);
	text_release(&word);
}

void procfs_host_name(const struct root *root, struct text *out)
{
	struct text word = TEXT_INIT;
	struct utsname names;

	if (root->system && uname(&names) == 0)
		text_add(out, names.nodename);
	else if (!read_word(root, "proc/sys/kernel/hostname", &word))
		text_add(out, text_str(&word));
	text_release(&word);
}
