/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands and their options: both are tables, which the parser, --help and the man page's check walk.
 * Exit: 0 done, 1 failed, 2 usage; knobs set: 3 when the kernel kept another value.
 */
#ifndef IODELTA_CMD_COMMAND_H
#define IODELTA_CMD_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "engine/engine.h"
#include "out/output.h"
#include "tui/palette.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* What the command line said. Arrays are owned, words point into argv. */
struct invocation {
	const struct command *command;
	const char **roots;
	size_t n_roots, roots_capacity;
	unsigned int rounds;
	double interval_s;
	bool has_interval;              /* the word INTERVAL was given: reports go on until COUNT or a signal */
	unsigned long count;            /* 0: no limit */
	bool has_count;
	enum output_format format;
	enum metric_id *columns;        /* --columns; NULL: the command's own */
	size_t n_columns, columns_capacity;
	bool legacy, extended, skip_idle, since_boot, ascii, no_color, no_settings, mouse, help, version;
	bool read_only, restore_on_exit;
	double settle_s;
	bool slaves, stack, dry_run, force, all;        /* knobs */
	unsigned long pid;                              /* knobs undo; 0: any */
	double since_s;                                 /* knobs undo; 0: all */
	enum export_form { EXPORT_SH, EXPORT_UDEV, EXPORT_TUNED } export;
	bool has_palette;
	enum palette palette;           /* --theme, if has_palette */
	unsigned long split;            /* 0: no */
	const char *script;
	const char **words;             /* DEVICE */
	size_t n_words, words_capacity;
};

struct command {
	const char *name;               /* "" for the screen */
	const char *synopsis;           /* "[-f text|json] [DEVICE...]" */
	const char *summary;            /* one sentence */
	int (*run)(const struct invocation *in);
	unsigned int bit;               /* in option_row.commands */
	bool shows_metrics;             /* --help lists the metrics */
};

enum command_bit { ON_WATCH = 1, ON_LIST = 2, ON_STAT = 4, ON_KNOBS = 8, ON_ALL = 15 };

/* One option: all that the parser and --help know of it. */
struct option_row {
	char letter;                    /* 'i' for -i, 0: none */
	const char *name;               /* "--root", NULL: none */
	const char *argument;           /* "DIR", NULL: takes none */
	unsigned int commands;          /* which ones take it */
	const char *help;
	int (*set)(struct invocation *in, const char *argument);        /* 0, or the exit status after a message */
};

extern const struct option_row option_rows[];
extern const size_t option_rows_n;

extern const struct command *const commands[];          /* NULL-terminated; the first is the screen */

int cmd_watch(const struct invocation *in) __attribute__((nonnull));
int cmd_list(const struct invocation *in) __attribute__((nonnull));
int cmd_stat(const struct invocation *in) __attribute__((nonnull));
int cmd_knobs(const struct invocation *in) __attribute__((nonnull));

/*
 * Parse the command line. Returns true to go on; false with *status set when --help, --version or an error ended it.
 */
bool options_parse(struct invocation *in, int argc, char **argv, int *status) __attribute__((nonnull));
void invocation_release(struct invocation *in) __attribute__((nonnull));

/* The engine's options as the command line says. */
void invocation_engine(const struct invocation *in, struct engine_options *out) __attribute__((nonnull));

/*
 * Resolve the DEVICE words against the topology: hit[i] by topology index. False after a message naming the word that
 * matched nothing and the nearest names.
 */
bool words_match(const struct invocation *in, const struct topology *t, bool *hit) __attribute__((nonnull));

/*
 * Write all to standard output. 0; in silence -EPIPE when nobody reads any more and -EINTR when a signal asks to end
 * and nobody reads now; another -errno after a message.
 */
int write_out(const struct text *t) __attribute__((nonnull, warn_unused_result));
/* The exit status for what write_out returned: a reader that went away is no failure. */
int write_status(int err);

/* The text of --help for the command, and of --version. */
void help_text(const struct command *command, struct text *out) __attribute__((nonnull));
void version_text(struct text *out) __attribute__((nonnull));

#endif
