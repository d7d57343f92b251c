/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cost [-t SECONDS] COMMAND...: run it with its output thrown away and print "CPU START BYTES RSS": seconds of CPU of
 * the command and of everything it started, also of what outlived it; the monotonic clock just before the start; bytes
 * it wrote to its terminal; KiB that the largest of its processes ever held. With -t it runs on a terminal of its own
 * (120x40) and gets a `q` after so many seconds.
 */
#include "config.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds_of(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void run_command(char **command)
{
	execvp(command[0], command);
	_exit(127);
}

static pid_t start_plain(char **command)
{
	pid_t pid = fork();
	int fd;

	if (pid)
		return pid;
	fd = open("/dev/null", O_RDWR);
	if (fd < 0 || dup2(fd, STDIN_FILENO) < 0 || dup2(fd, STDOUT_FILENO) < 0)
		_exit(126);
	run_command(command);
	return -1;
}

static pid_t start_on_terminal(char **command, int *terminal)
{
	struct winsize size = { .ws_row = 40, .ws_col = 120 };
	pid_t pid = forkpty(terminal, NULL, NULL, &size);

	if (pid == 0)
		run_command(command);
	return pid;
}

/* Take what the command writes until it closes the terminal; type `q` when its time is over. Returns the bytes. */
static long long serve_terminal(int terminal, double seconds)
{
	struct pollfd p = { .fd = terminal, .events = POLLIN };
	double end = now() + seconds;
	int told = 0;
	char buffer[65536];
	long long bytes = 0;

	for (;;) {
		int wait_ms = told ? 5000 : (int)((end - now()) * 1000);

		if (poll(&p, 1, wait_ms > 0 ? wait_ms : 0) == 0) {
			if (told || write(terminal, "q", 1) != 1)
				return bytes;
			told = 1;
		} else {
			ssize_t n = read(terminal, buffer, sizeof(buffer));

			if (n <= 0)
				return bytes;
			bytes += n;
		}
	}
}

int main(int argc, char **argv)
{
	double terminal_s = 0, start;
	struct rusage used;
	int terminal = -1, status, code = 1;
	long long bytes = 0;
	pid_t pid, child;

	if (argc > 3 && !strcmp(argv[1], "-t")) {
		terminal_s = strtod(argv[2], NULL);
		argv += 2;
		argc -= 2;
	}
	if (argc < 2) {
		fprintf(stderr, "usage: cost [-t SECONDS] COMMAND...\n");
		return 2;
	}
	/* what the command leaves behind is waited for here, so that its time counts */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	start = now();
	pid = terminal_s > 0 ? start_on_terminal(argv + 1, &terminal) : start_plain(argv + 1);
	if (pid < 0) {
		perror("cost");
		return 1;
	}
	if (terminal >= 0) {
		bytes = serve_terminal(terminal, terminal_s);
		close(terminal);        /* hangs up on whoever has not left by now */
	}
	while ((child = wait(&status)) > 0)
		if (child == pid)
			code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	getrusage(RUSAGE_CHILDREN, &used);
	printf("%.6f %.6f %lld %ld\n", seconds_of(used.ru_utime) + seconds_of(used.ru_stime), start, bytes,
	       used.ru_maxrss);
	return code;
}
