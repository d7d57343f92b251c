/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The quit flag: SIGINT, SIGTERM, SIGHUP and SIGQUIT set it, SIGPIPE is ignored (writes say EPIPE). They are blocked
 * except where quit_mask is used as the mask of ppoll, so none is lost between a check and a wait.
 */
#ifndef IODELTA_BASE_QUIT_H
#define IODELTA_BASE_QUIT_H

#include <signal.h>
#include <stdbool.h>

void quit_install(void);
/* The signal that asked to end, 0: none did. */
int quit_signal(void);
/* Ask to end as a signal would (a terminal that has gone away). */
void quit_ask(int signal);
/* The mask during a wait. */
const sigset_t *quit_mask(void);

#endif
