/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages to the person who runs the program: `iodelta: PATH: reason`, lower case, no full stop, on standard error
 * unless a sink is set (the screen collects them while it owns the terminal). Bytes that a terminal would obey are
 * replaced, whatever part of the message they came in. The sink and the debug file are the only state.
 */
#ifndef IODELTA_BASE_MSG_H
#define IODELTA_BASE_MSG_H

#include <stdbool.h>

typedef void (*msg_sink_fn)(const char *line, void *arg);

/* Say that something is wrong with `about` (a path, an option, a device); NULL leaves it out. */
void msg(const char *about, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same with strerror's words for a negative errno as the reason. */
void msg_errno(const char *about, int negative_errno);

/* Say it and end the program with status 1. Only for what no input can cause, and for running out of memory. */
void msg_die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* What msg_die does first, NULL: nothing. The screen leaves the terminal as it found it. Must not allocate. */
void msg_set_die_hook(void (*hook)(void));

/* Send messages to `sink` (line without newline) from now on; NULL returns to standard error. */
void msg_set_sink(msg_sink_fn sink, void *arg);

/* Open FILE for debug lines (--debug). Returns 0 or -errno. Without it msg_debug does nothing. */
int msg_debug_open(const char *path) __attribute__((warn_unused_result));
void msg_debug(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
