/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cmd/command.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/msg.h"
#include "base/number.h"

static const struct command screen = {
	.name = "", .synopsis = "[OPTIONS] [DEVICE...]", .run = cmd_watch, .bit = ON_WATCH, .shows_metrics = true,
	.summary = "The screen; DEVICE limits it to these and all above and below them.",
};
static const struct command list = {
	.name = "list", .synopsis = "[-f text|json] [DEVICE...]", .run = cmd_list, .bit = ON_LIST,
	.summary = "The stacks that the devices form, with their attributes.",
};
static const struct command stat_command = {
	.name = "stat", .run = cmd_stat, .bit = ON_STAT, .shows_metrics = true,
	.synopsis = "[-f text|csv|json] [-z] [-x] [--since-boot] [--split N] [DEVICE...] [INTERVAL [COUNT]]",
	.summary = "Reports of what the devices do, one an interval.",
};

static const struct command knobs_command = {
	.name = "knobs", .run = cmd_knobs, .bit = ON_KNOBS,
	.synopsis = "list [DEVICE...] | get DEVICE KNOB... | set DEVICE... KNOB=VALUE... | undo | journal"
		    " | diff DEVICE DEVICE | export",
	.summary = "Queue and scheduler tunables: what there is, writing it, taking it back. vm is the system's.",
};

const struct command *const commands[] = { &screen, &list, &stat_command, &knobs_command, NULL };

static int parse_interval(struct invocation *in, const char *word)
{
	if (number_double(word, &in->interval_s) && in->interval_s >= INTERVAL_LEAST_S
	    && in->interval_s <= INTERVAL_MOST_S)
		return EXIT_DONE;
	msg(*word ? word : NULL, "interval must be 0.01 to 3600 seconds");
	return EXIT_USAGE;
}

/* A whole number from 1 to most. */
static int parse_positive(unsigned long *value, unsigned long most, const char *what, const char *word)
{
	uint64_t n;

	if (!number_u64(word, &n) || !n || n > most) {
		msg(*word ? word : NULL, "%s must be a whole number above 0", what);
		return EXIT_USAGE;
	}
	*value = (unsigned long)n;
	return EXIT_DONE;
}

static int parse_count(struct invocation *in, const char *word)
{
	in->has_count = true;
	return parse_positive(&in->count, ULONG_MAX, "count", word);
}

static int set_root(struct invocation *in, const char *word)
{
	if (!*word) {
		msg("--root", "the name of a directory is missing");
		return EXIT_USAGE;
	}
	ARRAY_GROW(in->roots, in->roots_capacity, in->n_roots + 1);
	in->roots[in->n_roots++] = word;
	return EXIT_DONE;
}

static int set_rounds(struct invocation *in, const char *word)
{
	unsigned long n = 1;
	int status = parse_positive(&n, UINT_MAX, "rounds", word);

	in->rounds = (unsigned int)n;
	return status;
}

static int set_split(struct invocation *in, const char *word)
{
	return parse_positive(&in->split, ULONG_MAX, "split", word);
}

static void say_unknown_metric(const char *name)
{
	struct text names = TEXT_INIT;
	size_t n;
	const enum metric_id *all = metric_set_all(&n);

	for (size_t i = 0; i < n; i++) {
		text_add(&names, i ? " " : "");
		text_add(&names, metrics[all[i]].name);
	}
	msg(name, "unknown metric; there are %s", text_str(&names));
	text_release(&names);
}

/* Twice the same column would be twice the same key: the first one stands. */
static void add_column(struct invocation *in, enum metric_id id)
{
	if (in->n_columns && metric_among(in->columns, in->n_columns, id))
		return;
	ARRAY_GROW(in->columns, in->columns_capacity, in->n_columns + 1);
	in->columns[in->n_columns++] = id;
}

static int set_columns(struct invocation *in, const char *word)
{
	int status = EXIT_DONE;

	in->n_columns = 0;
	for (const char *at = word, *end; status == EXIT_DONE; at = end + 1) {
		const struct metric *m;
		char *name;

		end = strchrnul(at, ',');
		name = xstrndup(at, (size_t)(end - at));
		m = metric_find(name);
		if (m) {
			add_column(in, (enum metric_id)(m - metrics));
		} else {
			say_unknown_metric(name);
			status = EXIT_USAGE;
		}
		free(name);
		if (!*end)
			break;
	}
	return status;
}

static int set_format(struct invocation *in, const char *word)
{
	static const char *const names[] = { [FORMAT_TEXT] = "text", [FORMAT_CSV] = "csv", [FORMAT_JSON] = "json" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(names[i], word)) {
			in->format = (enum output_format)i;
			return EXIT_DONE;
		}
	}
	msg(word, "unknown format; there are text, csv and json");
	return EXIT_USAGE;
}

static int add_word(struct invocation *in, const char *word)
{
	ARRAY_GROW(in->words, in->words_capacity, in->n_words + 1);
	in->words[in->n_words++] = word;
	return EXIT_DONE;
}

static int set_debug(struct invocation *in, const char *word)
{
	int err = msg_debug_open(word);

	(void)in;
	if (err)
		msg_errno(word, err);
	return err ? EXIT_FAILED : EXIT_DONE;
}

static int set_script(struct invocation *in, const char *word)
{
	in->script = word;
	return EXIT_DONE;
}

static int set_theme(struct invocation *in, const char *word)
{
	if (!palette_named(word, &in->palette)) {
		msg(word, "unknown theme; there are default, light, mono");
		return EXIT_USAGE;
	}
	in->has_palette = true;
	return EXIT_DONE;
}

static int set_settle(struct invocation *in, const char *word)
{
	if (number_double(word, &in->settle_s) && in->settle_s >= 0 && in->settle_s <= INTERVAL_MOST_S)
		return EXIT_DONE;
	msg(*word ? word : NULL, "the time to settle must be 0 to 3600 seconds");
	return EXIT_USAGE;
}

static int set_pid(struct invocation *in, const char *word)
{
	return parse_positive(&in->pid, INT_MAX, "a process number", word);
}

/* 90, 90s, 5m, 2h */
static int set_since(struct invocation *in, const char *word)
{
	static const struct {
		char letter;
		double seconds;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	size_t len = strlen(word);
	double unit = 1;
	char *number;
	bool right;

	for (size_t i = 0; len && i < ARRAY_SIZE(units); i++) {
		if (word[len - 1] == units[i].letter) {
			unit = units[i].seconds;
			len--;
			break;
		}
	}
	number = xstrndup(word, len);
	right = number_double(number, &in->since_s) && in->since_s > 0 && in->since_s < 1e9;
	free(number);
	if (!right)
		msg(*word ? word : NULL, "must be a time such as 90, 5m or 2h");
	in->since_s *= unit;
	return right ? EXIT_DONE : EXIT_USAGE;
}

static int set_sh(struct invocation *in, const char *word)
{
	(void)word;
	in->export = EXPORT_SH;
	return EXIT_DONE;
}

static int set_udev(struct invocation *in, const char *word)
{
	(void)word;
	in->export = EXPORT_UDEV;
	return EXIT_DONE;
}

static int set_tuned(struct invocation *in, const char *word)
{
	(void)word;
	in->export = EXPORT_TUNED;
	return EXIT_DONE;
}

#define FLAG_SETTER(name, member)                                       \
	static int name(struct invocation *in, const char *word)        \
	{                                                               \
		(void)word;                                             \
		in->member = true;                                      \
		return EXIT_DONE;                                       \
	}

FLAG_SETTER(set_legacy, legacy)
FLAG_SETTER(set_extended, extended)
FLAG_SETTER(set_skip_idle, skip_idle)
FLAG_SETTER(set_since_boot, since_boot)
FLAG_SETTER(set_ascii, ascii)
FLAG_SETTER(set_no_color, no_color)
FLAG_SETTER(set_no_settings, no_settings)
FLAG_SETTER(set_mouse, mouse)
FLAG_SETTER(set_read_only, read_only)
FLAG_SETTER(set_restore_on_exit, restore_on_exit)
FLAG_SETTER(set_slaves, slaves)
FLAG_SETTER(set_stack, stack)
FLAG_SETTER(set_dry_run, dry_run)
FLAG_SETTER(set_force, force)
FLAG_SETTER(set_all, all)
FLAG_SETTER(set_help, help)
FLAG_SETTER(set_version, version)

const struct option_row option_rows[] = {
	{ 'i', NULL, "SEC", ON_WATCH | ON_STAT, "interval, 0.01 to 3600 seconds (1)", parse_interval },
	{ 'n', NULL, "COUNT", ON_STAT, "end after so many reports", parse_count },
	{ 'f', NULL, "FORMAT", ON_LIST | ON_STAT | ON_KNOBS, "text, json, or (stat) csv", set_format },
	{ 'x', NULL, NULL, ON_STAT, "every metric that is not a legacy one", set_extended },
	{ 'z', NULL, NULL, ON_STAT, "leave out devices without I/O", set_skip_idle },
	{ 'D', NULL, "NAME", ON_ALL, "a DEVICE, even if a command or a number is called so", add_word },
	{ 0, "--columns", "LIST", ON_WATCH | ON_STAT, "these metrics, separated by commas", set_columns },
	{ 0, "--legacy", NULL, ON_WATCH | ON_STAT, "the names and columns of old iostat versions", set_legacy },
	{ 0, "--since-boot", NULL, ON_STAT, "the first report covers the time since boot", set_since_boot },
	{ 0, "--split", "N", ON_STAT, "at the end, compare the first N reports with the rest", set_split },
	{ 0, "--root", "DIR", ON_ALL, "read DIR/proc and DIR/sys; again: the next sample's tree", set_root },
	{ 0, "--loop", "N", ON_WATCH | ON_STAT, "go through the trees of --root N times", set_rounds },
	{ 0, "--ascii", NULL, ON_WATCH | ON_LIST, "draw with ASCII only", set_ascii },
	{ 0, "--no-color", NULL, ON_WATCH, "no colours (NO_COLOR does the same)", set_no_color },
	{ 0, "--theme", "NAME", ON_WATCH, "colours: default, light, mono", set_theme },
	{ 0, "--mouse", NULL, ON_WATCH, "clicks and the wheel are taken", set_mouse },
	{ 0, "--no-settings", NULL, ON_WATCH, "leave the saved settings unread", set_no_settings },
	{ 0, "--script", "FILE", ON_WATCH, "run the screen without a terminal, by the lines of FILE", set_script },
	{ 0, "--read-only", NULL, ON_WATCH | ON_KNOBS, "write no knob", set_read_only },
	{ 0, "--restore-on-exit", NULL, ON_WATCH, "set back on leaving, however that comes, what was written",
	  set_restore_on_exit },
	{ 0, "--settle", "SEC", ON_WATCH, "leave so much out of AFTER after a write (0)", set_settle },
	{ 0, "--slaves", NULL, ON_KNOBS, "set: the devices below DEVICE instead of DEVICE itself", set_slaves },
	{ 0, "--stack", NULL, ON_KNOBS, "set: every device of DEVICE's stack that has the knob", set_stack },
	{ 0, "--dry-run", NULL, ON_KNOBS, "set, undo: check and show, write nothing", set_dry_run },
	{ 0, "--force", NULL, ON_KNOBS, "set: what can lose data; undo: what somebody else changed, or still runs",
	  set_force },
	{ 0, "--all", NULL, ON_KNOBS, "undo: all that was left, not only the last action", set_all },
	{ 0, "--pid", "N", ON_KNOBS, "undo: what this process wrote", set_pid },
	{ 0, "--since", "TIME", ON_KNOBS, "undo: what was written in the last TIME (90, 5m, 2h)", set_since },
	{ 0, "--sh", NULL, ON_KNOBS, "export: a shell script that sets or restores (as without)", set_sh },
	{ 0, "--udev", NULL, ON_KNOBS, "export: a udev rule", set_udev },
	{ 0, "--tuned", NULL, ON_KNOBS, "export: a tuned profile", set_tuned },
	{ 0, "--debug", "FILE", ON_ALL, "append messages for debugging to FILE", set_debug },
	{ 0, "--help", NULL, ON_ALL, "this text; COMMAND --help: that command's", set_help },
	{ 0, "--version", NULL, ON_ALL, "the version and what is built in", set_version },
};
const size_t option_rows_n = ARRAY_SIZE(option_rows);

/* The state of one parse. */
struct parser {
	struct invocation *in;
	char **argv;
	int argc, at;                   /* the argument that comes next */
	bool words_only;                /* after -- */
	size_t plain_words;             /* words at the end that may be INTERVAL and COUNT */
	bool used[ARRAY_SIZE(option_rows)];
};

static const char *spelling(const struct option_row *row, char room[3])
{
	if (row->name)
		return row->name;
	room[0] = '-';
	room[1] = row->letter;
	room[2] = '\0';
	return room;
}

/* Give the option its argument (the attached one, or the next word) and do what it says. */
static int apply(struct parser *p, const struct option_row *row, const char *attached)
{
	char room[3];

	p->used[row - option_rows] = true;
	if (!row->argument && attached) {
		msg(spelling(row, room), "takes no argument");
		return EXIT_USAGE;
	}
	if (row->argument && !attached) {
		if (p->at >= p->argc) {
			msg(spelling(row, room), "needs %s", row->argument);
			return EXIT_USAGE;
		}
		attached = p->argv[p->at++];
	}
	if (row->set == add_word)
		p->plain_words = 0;
	return row->set(p->in, attached);
}

static int unknown_option(const char *word, size_t len)
{
	char *name = xstrndup(word, len);

	msg(name, "unknown option");
	free(name);
	return EXIT_USAGE;
}

static int parse_long(struct parser *p, const char *word)
{
	size_t len = strcspn(word, "=");

	for (size_t i = 0; i < option_rows_n; i++) {
		const char *name = option_rows[i].name;

		if (name && strlen(name) == len && !strncmp(name, word, len))
			return apply(p, &option_rows[i], word[len] ? word + len + 1 : NULL);
	}
	return unknown_option(word, len);
}

static const struct option_row *find_letter(char letter)
{
	for (size_t i = 0; i < option_rows_n; i++) {
		if (option_rows[i].letter == letter)
			return &option_rows[i];
	}
	return NULL;
}

/* -z, -zx, -i2, -i 2 */
static int parse_short(struct parser *p, const char *word)
{
	int status = EXIT_DONE;

	for (const char *c = word + 1; *c && status == EXIT_DONE; c++) {
		const struct option_row *row = find_letter(*c);

		if (!row) {
			const char unknown[] = { '-', *c };

			return unknown_option(unknown, sizeof(unknown));
		}
		if (row->argument)
			return apply(p, row, c[1] ? c + 1 : NULL);
		status = apply(p, row, NULL);
	}
	return status;
}

/* "-5" is a number out of place, not an option. */
static bool is_option(const char *word)
{
	return word[0] == '-' && word[1] && !strchr("0123456789.", word[1]);
}

static bool take_command(struct invocation *in, const char *word)
{
	for (size_t i = 1; commands[i]; i++) {
		if (!strcmp(commands[i]->name, word)) {
			in->command = commands[i];
			return true;
		}
	}
	return false;
}

static int parse_word(struct parser *p, const char *word)
{
	if (!p->words_only) {
		if (!strcmp(word, "--")) {
			p->words_only = true;
			return EXIT_DONE;
		}
		if (is_option(word))
			return word[1] == '-' ? parse_long(p, word) : parse_short(p, word);
		if (!p->in->command && take_command(p->in, word))
			return EXIT_DONE;
	}
	p->plain_words = p->words_only ? 0 : p->plain_words + 1;
	return add_word(p->in, word);
}

/* Words at the end that are numbers: INTERVAL, or INTERVAL COUNT. */
static int take_numbers(struct parser *p)
{
	struct invocation *in = p->in;
	size_t numbers = 0;
	int status;
	double v;

	while (numbers < 2 && numbers < p->plain_words && number_double(in->words[in->n_words - 1 - numbers], &v))
		numbers++;
	if (!numbers)
		return EXIT_DONE;
	in->n_words -= numbers;
	in->has_interval = true;
	status = parse_interval(in, in->words[in->n_words]);
	if (status == EXIT_DONE && numbers == 2)
		status = parse_count(in, in->words[in->n_words + 1]);
	return status;
}

/* What only shows when the whole line is known: options of another command, and those that exclude each other. */
static int check(struct parser *p)
{
	const struct invocation *in = p->in;
	char room[3];

	for (size_t i = 0; i < option_rows_n; i++) {
		if (p->used[i] && !(option_rows[i].commands & in->command->bit)) {
			msg(spelling(&option_rows[i], room), "not an option of %s",
			    *in->command->name ? in->command->name : "the screen");
			return EXIT_USAGE;
		}
	}
	if (in->format == FORMAT_CSV && in->command->bit != ON_STAT) {
		msg("csv", "%s has no such format", in->command->name);
		return EXIT_USAGE;
	}
	if (in->format == FORMAT_CSV && in->split) {
		msg("--split", "a comparison cannot be written as csv");
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

static int parse_all(struct parser *p)
{
	int status = EXIT_DONE;

	while (p->at < p->argc && status == EXIT_DONE)
		status = parse_word(p, p->argv[p->at++]);
	if (!p->in->command)
		p->in->command = commands[0];
	if (status != EXIT_DONE || p->in->help || p->in->version)
		return status;
	if (p->in->command->bit == ON_STAT)
		status = take_numbers(p);
	return status == EXIT_DONE ? check(p) : status;
}

static int print_about(const struct invocation *in)
{
	struct text out = TEXT_INIT;
	int status;

	if (in->help)
		help_text(in->command, &out);
	else
		version_text(&out);
	status = write_status(write_out(&out));
	text_release(&out);
	return status;
}

bool options_parse(struct invocation *in, int argc, char **argv, int *status)
{
	struct parser p = { .in = in, .argv = argv, .argc = argc, .at = 1 };

	*in = (struct invocation){ .interval_s = 1, .rounds = 1 };
	*status = parse_all(&p);
	if (*status == EXIT_USAGE)
		msg(NULL, "see 'iodelta %s%s--help'", in->command->name, *in->command->name ? " " : "");
	if (*status != EXIT_DONE)
		return false;
	if (in->help || in->version) {
		*status = print_about(in);
		return false;
	}
	return true;
}

void invocation_release(struct invocation *in)
{
	free(in->roots);
	free(in->columns);
	free(in->words);
	*in = (struct invocation){ .interval_s = 1 };
}

void invocation_engine(const struct invocation *in, struct engine_options *out)
{
	*out = (struct engine_options){
		.roots = in->roots, .n_roots = in->n_roots, .rounds = in->rounds, .interval_s = in->interval_s,
		.read_only = in->read_only, .restore_on_exit = in->restore_on_exit, .settle_s = in->settle_s,
	};
}
