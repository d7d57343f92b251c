/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cmd/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "tui/watch.h"

#if defined(HAVE_LIBUDEV) && HAVE_LIBUDEV
#define WITH_LIBUDEV "yes"
#else
#define WITH_LIBUDEV "no"
#endif
#if defined(HAVE_LIBPROC2) && HAVE_LIBPROC2
#define WITH_LIBPROC2 "yes"
#else
#define WITH_LIBPROC2 "no"
#endif

void version_text(struct text *out)
{
	text_addf(out, "iodelta %s (libudev: %s, libproc2: %s)\n", PACKAGE_VERSION, WITH_LIBUDEV, WITH_LIBPROC2);
}

#define LINE_CELLS 80
#define USAGE_INDENT 10
#define OPTION_INDENT 18
#define UNIT_COLUMN 20
#define METRIC_INDENT 30
#define KEYS_INDENT 20

/*
 * Text from `cells` cells into a line on, broken at blanks before the line's end; further lines begin at `indent`.
 * All of it is ASCII.
 */
static void add_folded(struct text *out, size_t cells, size_t indent, const char *words)
{
	while (*words) {
		size_t len = strcspn(words, " ");

		if (cells > indent && cells + 1 + len > LINE_CELLS) {
			text_add_char(out, '\n');
			text_add_fill(out, ' ', indent);
			cells = indent;
		} else if (cells > indent) {
			text_add_char(out, ' ');
			cells++;
		}
		text_add_n(out, words, len);
		cells += len;
		words += len + (words[len] == ' ');
	}
	text_add_char(out, '\n');
}

/* Fill up the line begun at `start` to `column`, with a blank at least; returns where it is then. */
static size_t add_gap(struct text *out, size_t start, size_t column)
{
	size_t cells = out->len - start;

	text_add_fill(out, ' ', cells < column ? column - cells : 1);
	return out->len - start;
}

static void add_usage(const struct command *command, const char *prefix, struct text *out)
{
	size_t start = out->len;

	text_addf(out, "%s iodelta%s%s", prefix, *command->name ? " " : "", command->name);
	add_folded(out, out->len - start, USAGE_INDENT, command->synopsis);
}

static void add_command(const struct command *command, const char *prefix, struct text *out)
{
	add_usage(command, prefix, out);
	text_add_fill(out, ' ', USAGE_INDENT);
	add_folded(out, USAGE_INDENT, USAGE_INDENT, command->summary);
}

static void add_option(const struct option_row *row, struct text *out)
{
	size_t start = out->len;

	text_add(out, "  ");
	if (row->letter)
		text_addf(out, "-%c", row->letter);
	if (row->letter && row->name)
		text_add(out, ", ");
	if (row->name)
		text_add(out, row->name);
	if (row->argument)
		text_addf(out, " %s", row->argument);
	add_folded(out, add_gap(out, start, OPTION_INDENT), OPTION_INDENT, row->help);
}

static void add_options(unsigned int commands_bits, struct text *out)
{
	text_add(out, "\nOptions:\n");
	for (size_t i = 0; i < option_rows_n; i++) {
		if (option_rows[i].commands & commands_bits)
			add_option(&option_rows[i], out);
	}
	text_add(out, "\nDEVICE is a kernel name (dm-0), a dm name (mpatha), a path below /dev or a glob.\n"
		      "A word that names a command is one; put -- or -D before a device of that name.\n");
}

static void add_metrics(struct text *out)
{
	text_add(out, "\nMetrics (for --columns; another name in brackets):\n");
	for (size_t i = 0; i < METRICS; i++) {
		const struct metric *m = &metrics[i];
		size_t start = out->len;

		text_addf(out, "  %s", m->name);
		if (m->legacy)
			text_addf(out, " (%s)", m->legacy);
		add_gap(out, start, UNIT_COLUMN);
		text_add(out, m->unit);
		add_folded(out, add_gap(out, start, METRIC_INDENT), METRIC_INDENT, m->help);
	}
}

static void add_key(const char *line, size_t len, struct text *out)
{
	const char *tab = memchr(line, '\t', len);
	size_t start = out->len;
	char *help;

	if (!tab)
		return;
	help = xstrndup(tab + 1, len - (size_t)(tab + 1 - line));
	text_add(out, "  ");
	text_add_n(out, line, (size_t)(tab - line));
	add_folded(out, add_gap(out, start, KEYS_INDENT), KEYS_INDENT, help);
	free(help);
}

static void add_keys(struct text *out)
{
	struct text keys = TEXT_INIT;

	watch_keys(&keys);
	text_add(out, "\nKeys:\n");
	for (const char *line = text_str(&keys), *end; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		add_key(line, (size_t)(end - line), out);
	}
	text_release(&keys);
}

/* The screen's help is the whole: it names the other commands and has their options too. */
void help_text(const struct command *command, struct text *out)
{
	bool whole = command == commands[0];

	add_command(command, "usage:", out);
	for (size_t i = 1; whole && commands[i]; i++)
		add_command(commands[i], "      ", out);
	add_options(whole ? ON_ALL : command->bit, out);
	if (command->shows_metrics)
		add_metrics(out);
	if (whole)
		add_keys(out);
}
