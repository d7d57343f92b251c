/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/msg.h"
#include "cmd/command.h"

#define MOST_ARGUMENTS 12

/* The first message of a parse. */
struct said {
	char line[400];
};

static void keep_first(const char *line, void *arg)
{
	struct said *said = arg;
	size_t len = strlen(line);

	if (said->line[0])
		return;
	if (len >= sizeof(said->line))
		len = sizeof(said->line) - 1;
	memcpy(said->line, line, len);
	said->line[len] = '\0';
}

/* Parse words separated by single blanks; "~" stands for an empty word. */
static bool parse(struct invocation *in, const char *line, int *status, struct said *said, char room[512])
{
	char *argv[MOST_ARGUMENTS + 1] = { NULL };
	int argc = 0;
	bool ok;

	assert_true(strlen(line) < 512);
	memcpy(room, line, strlen(line) + 1);
	for (char *word = strtok(room, " "); word; word = strtok(NULL, " ")) {
		assert_true(argc < MOST_ARGUMENTS);
		argv[argc++] = strcmp(word, "~") ? word : word + 1;
	}
	said->line[0] = '\0';
	msg_set_sink(keep_first, said);
	ok = options_parse(in, argc, argv, status);
	msg_set_sink(NULL, NULL);
	return ok;
}

/* What a good line means: the command, then everything that is not as when nothing is said. */
struct good {
	const char *line, *command;
	double interval_s;              /* 0: 1 */
	bool has_interval;
	unsigned long count;            /* 0: none */
	size_t n_words;
	const char *words[3];
};

static const struct good goods[] = {
	{ "iodelta", "", 0, false, 0, 0, { NULL } },
	{ "iodelta sda", "", 0, false, 0, 1, { "sda" } },
	/* the screen has no INTERVAL */
	{ "iodelta sda 2", "", 0, false, 0, 2, { "sda", "2" } },
	{ "iodelta -i2", "", 2, false, 0, 0, { NULL } },
	{ "iodelta -i 0.01", "", 0.01, false, 0, 0, { NULL } },
	{ "iodelta -i 3600 stat", "stat", 3600, false, 0, 0, { NULL } },
	{ "iodelta stat", "stat", 0, false, 0, 0, { NULL } },
	{ "iodelta stat 2", "stat", 2, true, 0, 0, { NULL } },
	{ "iodelta stat 2 5", "stat", 2, true, 5, 0, { NULL } },
	{ "iodelta stat sda 0.5 5", "stat", 0.5, true, 5, 1, { "sda" } },
	{ "iodelta stat 7 2 5", "stat", 2, true, 5, 1, { "7" } },
	{ "iodelta stat 2 sda", "stat", 0, false, 0, 2, { "2", "sda" } },
	/* after -- and -D a number is a device */
	{ "iodelta stat -- 2", "stat", 0, false, 0, 1, { "2" } },
	{ "iodelta stat 2 -- 5", "stat", 0, false, 0, 2, { "2", "5" } },
	{ "iodelta stat 2 --", "stat", 2, true, 0, 0, { NULL } },
	{ "iodelta stat -D 2", "stat", 0, false, 0, 1, { "2" } },
	{ "iodelta stat -D 2 3", "stat", 3, true, 0, 1, { "2" } },
	{ "iodelta stat 3 -D 2", "stat", 0, false, 0, 2, { "3", "2" } },
	{ "iodelta stat -n 3 sda", "stat", 0, false, 3, 1, { "sda" } },
	/* options anywhere, the command's name after them */
	{ "iodelta -n3 -z stat -x sda", "stat", 0, false, 3, 1, { "sda" } },
	/* the first word that names a command is one, a second one is a device */
	{ "iodelta stat list", "stat", 0, false, 0, 1, { "list" } },
	{ "iodelta sda list", "list", 0, false, 0, 1, { "sda" } },
	{ "iodelta -D list", "", 0, false, 0, 1, { "list" } },
	{ "iodelta -- list -z", "", 0, false, 0, 2, { "list", "-z" } },
	{ "iodelta --ascii list", "list", 0, false, 0, 0, { NULL } },
	/* a single dash is a word */
	{ "iodelta list -", "list", 0, false, 0, 1, { "-" } },
};

static void good_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(goods); i++) {
		const struct good *g = &goods[i];
		struct invocation in;
		struct said said;
		char room[512];
		int status = -1;
		bool ok = parse(&in, g->line, &status, &said, room);

		if (!ok)
			fail_msg("%s: %s", g->line, said.line);
		assert_string_equal(in.command->name, g->command);
		assert_true(in.interval_s == (g->interval_s > 0 ? g->interval_s : 1));
		assert_int_equal(in.has_interval, g->has_interval);
		assert_int_equal(in.count, g->count);
		assert_int_equal(in.has_count, g->count != 0);
		assert_int_equal(in.n_words, g->n_words);
		for (size_t w = 0; w < g->n_words; w++)
			assert_string_equal(in.words[w], g->words[w]);
		invocation_release(&in);
	}
}

static const struct {
	const char *line, *said;
} bads[] = {
	{ "iodelta --foo", "--foo: unknown option" },
	{ "iodelta --foo=1", "--foo: unknown option" },
	{ "iodelta --legac", "--legac: unknown option" },
	{ "iodelta stat -q", "-q: unknown option" },
	{ "iodelta stat -zq", "-q: unknown option" },
	{ "iodelta -i 0", "0: interval must be 0.01 to 3600 seconds" },
	{ "iodelta -i -1", "-1: interval must be 0.01 to 3600 seconds" },
	{ "iodelta -i 0.009", "0.009: interval must be 0.01 to 3600 seconds" },
	{ "iodelta -i 3600.1", "3600.1: interval must be 0.01 to 3600 seconds" },
	{ "iodelta -i nan", "nan: interval must be 0.01 to 3600 seconds" },
	{ "iodelta -i 1s", "1s: interval must be 0.01 to 3600 seconds" },
	{ "iodelta -i ~", "interval must be 0.01 to 3600 seconds" },
	{ "iodelta -i", "-i: needs SEC" },
	{ "iodelta --root", "--root: needs DIR" },
	{ "iodelta stat 0", "0: interval must be 0.01 to 3600 seconds" },
	{ "iodelta stat -5", "-5: interval must be 0.01 to 3600 seconds" },
	{ "iodelta stat sda 0 3", "0: interval must be 0.01 to 3600 seconds" },
	{ "iodelta stat 1 0", "0: count must be a whole number above 0" },
	{ "iodelta stat 1 2.5", "2.5: count must be a whole number above 0" },
	{ "iodelta stat 1 -2", "-2: count must be a whole number above 0" },
	{ "iodelta stat -n 0", "0: count must be a whole number above 0" },
	{ "iodelta stat -n 99999999999999999999", "99999999999999999999: count must be a whole number above 0" },
	{ "iodelta --loop 0", "0: rounds must be a whole number above 0" },
	{ "iodelta --loop 4294967296", "4294967296: rounds must be a whole number above 0" },
	{ "iodelta stat --split x", "x: split must be a whole number above 0" },
	{ "iodelta stat -f yaml", "yaml: unknown format; there are text, csv and json" },
	{ "iodelta list -f csv", "csv: list has no such format" },
	{ "iodelta stat -f csv --split 2", "--split: a comparison cannot be written as csv" },
	{ "iodelta -i 3600 list", "-i: not an option of list" },
	{ "iodelta -z", "-z: not an option of the screen" },
	{ "iodelta --split 3 list", "--split: not an option of list" },
	{ "iodelta stat --script f", "--script: not an option of stat" },
	{ "iodelta --ascii=yes", "--ascii: takes no argument" },
};

static void bad_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bads); i++) {
		struct invocation in;
		struct said said;
		char room[512];
		int status = -1;

		if (parse(&in, bads[i].line, &status, &said, room))
			fail_msg("%s: taken", bads[i].line);
		assert_string_equal(said.line, bads[i].said);
		assert_int_equal(status, EXIT_USAGE);
		invocation_release(&in);
	}
}

static void columns_by_both_names_once(void **state)
{
	struct invocation in;
	struct said said;
	char room[512];
	int status;

	(void)state;
	/* avgqu-sz is aqu-sz by its old name, so it is there already */
	assert_true(parse(&in, "iodelta stat --columns r/s,aqu-sz,avgqu-sz,%util", &status, &said, room));
	assert_int_equal(in.n_columns, 3);
	assert_int_equal(in.columns[0], M_R_S);
	assert_int_equal(in.columns[1], M_AQU_SZ);
	assert_int_equal(in.columns[2], M_PCT_UTIL);
	invocation_release(&in);
	/* said twice, the later list counts */
	assert_true(parse(&in, "iodelta --columns=r/s,w/s --columns=svctm", &status, &said, room));
	assert_int_equal(in.n_columns, 1);
	assert_int_equal(in.columns[0], M_SVCTM);
	invocation_release(&in);
}

static void unknown_columns_name_the_known(void **state)
{
	static const char *const lines[] = {
		"iodelta stat --columns r/s,foo,w/s", "iodelta stat --columns foo", "iodelta stat --columns=r/s,foo",
	};
	struct invocation in;
	struct said said;
	char room[512];
	int status;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		assert_false(parse(&in, lines[i], &status, &said, room));
		assert_int_equal(status, EXIT_USAGE);
		assert_non_null(strstr(said.line, "foo: unknown metric; there are r/s w/s "));
		assert_non_null(strstr(said.line, " svctm"));
		invocation_release(&in);
	}
	/* an empty place in the list is no metric either */
	assert_false(parse(&in, "iodelta stat --columns r/s,", &status, &said, room));
	assert_int_equal(status, EXIT_USAGE);
	invocation_release(&in);
}

static void roots_add_up(void **state)
{
	struct engine_options options;
	struct invocation in;
	struct said said;
	char room[512];
	int status;

	(void)state;
	assert_true(parse(&in, "iodelta stat --root a --root=b --loop 500 -f json -i5", &status, &said, room));
	invocation_engine(&in, &options);
	assert_int_equal(options.n_roots, 2);
	assert_string_equal(options.roots[0], "a");
	assert_string_equal(options.roots[1], "b");
	assert_int_equal(options.rounds, 500);
	assert_true(options.interval_s == 5);
	assert_int_equal(in.format, FORMAT_JSON);
	invocation_release(&in);
}

static void flags(void **state)
{
	struct invocation in;
	struct said said;
	char room[512];
	int status;

	(void)state;
	assert_true(parse(&in, "iodelta stat -zx --legacy --since-boot --split 4", &status, &said, room));
	assert_true(in.skip_idle && in.extended && in.legacy && in.since_boot);
	assert_false(in.ascii || in.no_color);
	assert_int_equal(in.split, 4);
	invocation_release(&in);
	assert_true(parse(&in, "iodelta --ascii --no-color --script f", &status, &said, room));
	assert_true(in.ascii && in.no_color);
	assert_string_equal(in.script, "f");
	invocation_release(&in);
}

/* Line breaks and indents as single blanks, so that folded text can be looked for. */
static void squeeze(struct text *t, const char *s)
{
	text_clear(t);
	for (; *s; s++) {
		if (*s != ' ' && *s != '\n')
			text_add_char(t, *s);
		else if (t->len && t->buf[t->len - 1] != ' ')
			text_add_char(t, ' ');
	}
}

/* Every option, and for the screen and stat every metric, is in the help text; no line is wider than 80. */
static void help_has_every_row(void **state)
{
	struct text out = TEXT_INIT, flat = TEXT_INIT;

	(void)state;
	for (size_t c = 0; commands[c]; c++) {
		text_clear(&out);
		help_text(commands[c], &out);
		squeeze(&flat, text_str(&out));
		for (size_t i = 0; i < option_rows_n; i++) {
			bool own = c == 0 || (option_rows[i].commands & commands[c]->bit);

			if (own != (strstr(text_str(&flat), option_rows[i].help) != NULL))
				fail_msg("%s: %s", commands[c]->name, option_rows[i].help);
		}
		for (size_t i = 0; i < METRICS && commands[c]->shows_metrics; i++)
			assert_non_null(strstr(text_str(&flat), metrics[i].help));
		for (const char *line = text_str(&out); *line; line += strcspn(line, "\n") + 1)
			assert_in_range(strcspn(line, "\n"), 0, 80);
	}
	text_release(&out);
	text_release(&flat);
}

/* Letters and names are each given once. */
static void options_are_unique(void **state)
{
	(void)state;
	for (size_t i = 0; i < option_rows_n; i++) {
		assert_true(option_rows[i].letter || option_rows[i].name);
		assert_int_equal(option_rows[i].commands & ~ON_ALL, 0);
		for (size_t j = 0; j < i; j++) {
			if (option_rows[i].letter)
				assert_int_not_equal(option_rows[i].letter, option_rows[j].letter);
			if (option_rows[i].name && option_rows[j].name)
				assert_string_not_equal(option_rows[i].name, option_rows[j].name);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_lines),
		cmocka_unit_test(bad_lines),
		cmocka_unit_test(columns_by_both_names_once),
		cmocka_unit_test(unknown_columns_name_the_known),
		cmocka_unit_test(roots_add_up),
		cmocka_unit_test(flags),
		cmocka_unit_test(help_has_every_row),
		cmocka_unit_test(options_are_unique),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
