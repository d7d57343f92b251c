/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cost [-t SECONDS [-w SECONDS]] COMMAND...: run it with its output thrown away and print "CPU START BYTES RSS":
 * seconds of CPU of the command and of everything it started, also of what outlived it; the monotonic clock just before
 * the start; bytes it wrote to its terminal; KiB that the largest of its processes ever held. With -t it runs on a
 * terminal of its own (120x40) and gets a `q` after so many seconds. With -w, CPU and BYTES are of what lies between
 * the first so many seconds and the `q`, from the scheduler's own count (/proc/PID/schedstat) of the processes that
 * live at both ends: what starting and ending cost, and how that varies, is not in them.
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

/* Nanoseconds on a processor so far, of a process and of all below it. */
static long long ns_of_tree(pid_t pid)
{
	char path[64];
	long long ns = 0;
	int child;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", pid);
	f = fopen(path, "r");
	if (!f)
		return 0;
	if (fscanf(f, "%lld", &ns) != 1)
		ns = 0;
	fclose(f);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	f = fopen(path, "r");
	if (!f)
		return ns;
	while (fscanf(f, "%d", &child) == 1)
		ns += ns_of_tree(child);
	fclose(f);
	return ns;
}

/* What a command on a terminal did. */
struct served {
	pid_t pid;
	int terminal;
	long long bytes, ns;
};

/* Take what it writes for so many seconds; -1 when it has closed its terminal. */
static int serve_for(struct served *s, double seconds)
{
	struct pollfd p = { .fd = s->terminal, .events = POLLIN };
	double end = now() + seconds;
	char buffer[65536];

	for (;;) {
		int wait_ms = (int)((end - now()) * 1000);
		ssize_t n;

		if (poll(&p, 1, wait_ms > 0 ? wait_ms : 0) == 0)
			return 0;
		n = read(s->terminal, buffer, sizeof(buffer));
		if (n <= 0)
			return -1;
		s->bytes += n;
	}
}

/* Serve it until its time is over, then type `q`; bytes and ns are those after the first warm_s seconds. */
static void serve_terminal(struct served *s, double seconds, double warm_s)
{
	long long bytes;

	if (serve_for(s, warm_s) == 0) {
		s->bytes = 0;
		s->ns = -ns_of_tree(s->pid);
		if (serve_for(s, seconds - warm_s) == 0) {
			bytes = s->bytes;
			s->ns += ns_of_tree(s->pid);
			if (write(s->terminal, "q", 1) == 1)
				serve_for(s, 5);
			if (warm_s > 0)
				s->bytes = bytes;
		}
	}
	close(s->terminal);             /* hangs up on whoever has not left by now */
}

int main(int argc, char **argv)
{
	double terminal_s = 0, warm_s = 0, start, cpu_s;
	struct served served = { .terminal = -1 };
	struct rusage used;
	int status, code = 1, option;
	pid_t child;

	while ((option = getopt(argc, argv, "+t:w:")) != -1) {
		if (option == 't')
			terminal_s = strtod(optarg, NULL);
		else if (option == 'w')
			warm_s = strtod(optarg, NULL);
		else
			return 2;
	}
	if (optind == argc || warm_s > terminal_s) {
		fprintf(stderr, "usage: cost [-t SECONDS [-w SECONDS]] COMMAND...\n");
		return 2;
	}
	argv += optind;
	/* what the command leaves behind is waited for here, so that its time counts */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	start = now();
	served.pid = terminal_s > 0 ? start_on_terminal(argv, &served.terminal) : start_plain(argv);
	if (served.pid < 0) {
		perror("cost");
		return 1;
	}
	if (served.terminal >= 0)
		serve_terminal(&served, terminal_s, warm_s);
	while ((child = wait(&status)) > 0)
		if (child == served.pid)
			code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	getrusage(RUSAGE_CHILDREN, &used);
	cpu_s = warm_s > 0 ? (double)served.ns / 1e9 : seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
	printf("%.6f %.6f %lld %ld\n", cpu_s, start, served.bytes, used.ru_maxrss);
	return code;
}
