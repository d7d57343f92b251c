/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "base/quit.h"

#include "base/alloc.h"

static volatile sig_atomic_t asked;
static sigset_t waiting;

static void on_signal(int signal)
{
	asked = signal;
}

void quit_install(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction action = { .sa_handler = on_signal };
	sigset_t block;

	sigemptyset(&action.sa_mask);
	sigemptyset(&block);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++) {
		sigaction(signals[i], &action, NULL);
		sigaddset(&block, signals[i]);
	}
	sigprocmask(SIG_BLOCK, &block, &waiting);
	for (size_t i = 0; i < ARRAY_SIZE(signals); i++)
		sigdelset(&waiting, signals[i]);
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, NULL);
}

int quit_signal(void)
{
	return asked;
}

void quit_ask(int signal)
{
	asked = signal;
}

const sigset_t *quit_mask(void)
{
	return &waiting;
}
