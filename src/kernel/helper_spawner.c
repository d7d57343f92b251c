/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/helper_wire.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "kernel/helper_worker.h"

/* The terminal's signals go to its own session; whatever was caught or blocked before the fork is not here. */
static void leave_terminal(void)
{
	sigset_t none;

	setsid();
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	signal(SIGCHLD, SIG_IGN);       /* workers need no waiting for */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void use_dev_null(void)
{
	int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int standard = 0; standard < 3 && fd >= 0; standard++)
		dup2(fd, standard);
	if (fd > 2)
		close(fd);
}

static int compare_fds(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

static void close_between(int first, int last)
{
	if (first > last || close_range((unsigned int)first, (unsigned int)last, 0) == 0)
		return;
	/* kernels before 5.9 */
	for (int fd = first; fd <= last && fd < 65536; fd++)
		close(fd);
}

/* Whatever else the parent had open is none of this process's business, and would be kept alive by it. */
static void close_all_but(int control, const struct root *roots, size_t n)
{
	int *kept = xcalloc(n + 1, sizeof(*kept));
	int next = 3;

	for (size_t i = 0; i < n; i++)
		kept[i] = roots[i].fd;
	kept[n] = control;
	qsort(kept, n + 1, sizeof(*kept), compare_fds);
	for (size_t i = 0; i <= n; i++) {
		close_between(next, kept[i] - 1);
		next = kept[i] >= next ? kept[i] + 1 : next;
	}
	close_between(next, INT32_MAX);
	free(kept);
}

/* A request for one more worker: its socket, -1 at the end. */
static int receive_socket(int control, struct wire_spawn *spawn)
{
	char room[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8)));
	struct iovec part = { spawn, sizeof(*spawn) };
	struct msghdr header = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof(room),
	};
	ssize_t len;
	int fd = -1;

	do
		len = recvmsg(control, &header, MSG_CMSG_CLOEXEC);
	while (len < 0 && errno == EINTR);
	if (len != (ssize_t)sizeof(*spawn))
		return -1;
	for (struct cmsghdr *c = CMSG_FIRSTHDR(&header); c; c = CMSG_NXTHDR(&header, c)) {
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof(int)))
			memcpy(&fd, CMSG_DATA(c), sizeof(fd));
	}
	return fd;
}

static void spawn_worker(int control, int socket, const struct root *roots, size_t n, _Atomic uint32_t *at,
			 const struct helper_acts *acts)
{
	pid_t spawner = getpid();
	pid_t pid = fork();

	if (pid == 0) {
		close(control);
		prctl(PR_SET_NAME, "iodelta-work");
		/* one that hangs does not see its socket closed; what can be killed does not outlive the program */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != spawner)
			_exit(0);
		helper_worker(socket, roots, n, at, acts);
		_exit(0);
	}
	/* when the fork failed, the other end sees this one closed, and knows */
	close(socket);
}

void helper_spawner(int control, const struct root *roots, size_t n, struct wire_progress *progress,
		    const struct helper_acts *acts)
{
	struct wire_spawn spawn = { 0 };
	int socket;

	leave_terminal();
	prctl(PR_SET_NAME, "iodelta-spawn");
	use_dev_null();
	close_all_but(control, roots, n);
	while ((socket = receive_socket(control, &spawn)) >= 0) {
		if (spawn.slot < WIRE_SLOTS)
			spawn_worker(control, socket, roots, n, &progress->at[spawn.slot], acts);
		else
			close(socket);
	}
	if (acts && acts->closed)
		acts->closed(roots, n, acts->arg);
	_exit(0);
}
