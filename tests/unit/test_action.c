/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of actions, keys and their names, the prompt's line, and how values are worded. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <curses.h>

#include "base/alloc.h"
#include "tui/action.h"
#include "tui/prompt.h"
#include "tui/values.h"

/* Where a row counts, its keys mean nothing else; but for q, which leaves a page first. */
static void check_keys(const struct action *a, enum place place)
{
	for (size_t i = 0; a->places & place && i < ACTION_KEYS && a->keys[i]; i++) {
		if (strcmp(a->name, "quit") != 0 || a->keys[i] != 'q')
			assert_ptr_equal(action_find(a->keys[i], place), a);
	}
}

/* The least of a row's places, in which to ask for its keys. */
static enum place first_place(const struct action *a)
{
	return (enum place)(a->places & -a->places);
}

static void a_key_has_one_action(void **state)
{
	(void)state;
	for (const struct action *a = actions; a->name; a++) {
		assert_true(a->keys[0] != 0);
		for (unsigned int place = 1; place < ALL_PLACES; place *= 2)
			check_keys(a, (enum place)place);
	}
	assert_non_null(action_find('A', IN_LIST));
	assert_null(action_find('A', ON_COLUMNS));
	assert_null(action_find('e', ON_SYSTEM));
	assert_null(action_find('Q', ON_EDIT));
	assert_null(action_find('q', ON_EDIT));
	assert_null(action_find(K_OTHER, IN_LIST));
	assert_string_equal(action_find(K_UP, IN_LIST)->name, "move");
	assert_string_equal(action_find(K_UP, IN_KNOBS)->name, "knob-move");
	assert_string_equal(action_find(K_UP, ON_SYSTEM)->name, "scroll");
	assert_string_equal(action_find(' ', ON_COLUMNS)->name, "columns-tick");
	/* on a page q goes back; Q leaves from everywhere */
	assert_string_equal(action_find('q', ON_DETAIL)->name, "leave-page");
	assert_string_equal(action_find('q', IN_KNOBS)->name, "quit");
	assert_string_equal(action_find('Q', ON_COLUMNS)->name, "quit-now");
}

/* What the help calls the keys is what scripts call them, and all of them are named. */
static void keys_are_named_as_they_are(void **state)
{
	(void)state;
	for (const struct action *a = actions; a->name; a++) {
		char *words = xstrdup(a->keys_text);
		char *save = NULL;
		size_t n = 0;

		for (char *word = strtok_r(words, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
			assert_ptr_equal(action_find(key_from_name(word), first_place(a)), a);
			n++;
		}
		free(words);
		for (size_t i = 0; i < ACTION_KEYS && a->keys[i]; i++)
			n--;
		assert_int_equal(n, 0);
	}
}

static void the_list_of_keys_has_a_line_each(void **state)
{
	struct text out = TEXT_INIT;
	size_t lines = 0, rows = 0;

	(void)state;
	watch_keys(&out);
	for (const char *p = text_str(&out); *p; p++)
		lines += *p == '\n';
	for (const struct action *a = actions; a->name; a++)
		rows++;
	assert_int_equal(lines, rows);
	assert_non_null(strstr(text_str(&out), "q F10\tleave"));
	text_release(&out);
}

static void key_names(void **state)
{
	(void)state;
	assert_int_equal(key_from_name("F1"), K_F1);
	assert_int_equal(key_from_name("F12"), K_F12);
	assert_int_equal(key_from_name("F13"), 0);
	assert_int_equal(key_from_name("F0"), 0);
	assert_int_equal(key_from_name("F"), 'F');
	assert_int_equal(key_from_name("F99999999999"), 0);
	assert_int_equal(key_from_name("PgDn"), K_PGDN);
	assert_int_equal(key_from_name("Space"), ' ');
	assert_int_equal(key_from_name("^L"), 12);
	assert_int_equal(key_from_name("^"), '^');
	assert_int_equal(key_from_name("\\"), '\\');
	assert_int_equal(key_from_name("ä"), 0xe4);
	assert_int_equal(key_from_name("bb"), 0);
	assert_int_equal(key_from_name(""), 0);
	assert_int_equal(key_from_name("\xff"), 0);
}

static void keys_move(void **state)
{
	(void)state;
	assert_int_equal(key_step('j', 9), 1);
	assert_int_equal(key_step(K_UP, 9), -1);
	assert_int_equal(key_step(K_PGDN, 9), 9);
	assert_int_equal(key_step(K_PGUP, 0), -1);      /* a page is a line at least */
	assert_int_equal(key_step(K_END, 9), KEY_FAR);
	assert_int_equal(key_step('x', 9), 0);
	assert_int_equal(key_step(K_LEFT, 9), 0);
}

static void keys_of_curses(void **state)
{
	(void)state;
	assert_int_equal(key_from_curses(KEY_F(10), true), K_F10);
	assert_int_equal(key_from_curses(KEY_PPAGE, true), K_PGUP);
	assert_int_equal(key_from_curses(KEY_RESIZE, true), K_RESIZE);
	assert_int_equal(key_from_curses(KEY_MOUSE, true), K_MOUSE);
	assert_int_equal(key_from_curses(KEY_SUSPEND, true), K_OTHER);
	assert_int_equal(key_from_curses('\r', false), K_ENTER);
	assert_int_equal(key_from_curses(127, false), K_BACKSPACE);
	/* a character that has a function key's number stays a character */
	assert_int_equal(key_from_curses(KEY_UP, false), KEY_UP);
}

static void characters_round_trip(void **state)
{
	static const int keys[] = { 'a', 0x7ff, 0x800, 0x20ac, 0xffff, 0x10000, 0x10ffff };
	char utf8[5];
	size_t bytes;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		size_t n = key_to_utf8(keys[i], utf8);

		assert_int_equal(n, strlen(utf8));
		assert_int_equal(key_from_text(utf8, &bytes), keys[i]);
		assert_int_equal(bytes, n);
	}
}

static enum prompt_result type(struct prompt *p, const char *keys)
{
	enum prompt_result result = PROMPT_GOES_ON;
	size_t bytes;
	int key;

	while ((key = key_from_text(keys, &bytes)) != 0) {
		result = prompt_key(p, key);
		keys += bytes;
	}
	return result;
}

static void prompt_edits_a_line(void **state)
{
	struct prompt p = { .kind = PROMPT_NONE };

	(void)state;
	prompt_open(&p, PROMPT_FILTER, "sd");
	assert_int_equal(type(&p, "aü"), PROMPT_GOES_ON);
	assert_string_equal(text_str(&p.line), "sdaü");
	prompt_key(&p, K_BACKSPACE);
	assert_string_equal(text_str(&p.line), "sda");
	for (int i = 0; i < 5; i++)
		prompt_key(&p, K_BACKSPACE);
	assert_string_equal(text_str(&p.line), "");
	prompt_key(&p, K_UP);
	prompt_key(&p, K_F1);
	prompt_key(&p, 1);
	assert_string_equal(text_str(&p.line), "");
	type(&p, "dm-*");
	assert_int_equal(prompt_key(&p, K_ENTER), PROMPT_TAKEN);
	assert_int_equal(p.kind, PROMPT_NONE);
	assert_string_equal(text_str(&p.line), "dm-*");
	prompt_open(&p, PROMPT_SEARCH, "");
	for (int i = 0; i < 1000; i++)
		prompt_key(&p, 'x');
	assert_true(p.line.len <= 200);
	assert_int_equal(prompt_key(&p, K_ESC), PROMPT_GIVEN_UP);
	text_release(&p.line);
}

static void devices_match_words(void **state)
{
	char name[] = "dm-0";
	char dm_name[] = "tank-lv";
	char mount[] = "/home";
	struct device d = { .name = name, .dm_name = dm_name, .mount = mount };

	(void)state;
	assert_true(device_matches(&d, "dm-0"));
	assert_true(device_matches(&d, "dm-?"));
	assert_true(device_matches(&d, "TANK"));
	assert_true(device_matches(&d, "*lv"));
	assert_true(device_matches(&d, "/ho"));
	assert_false(device_matches(&d, "dm"
				    "-1"));
	assert_false(device_matches(&d, "t*x"));
	d.dm_name = d.mount = NULL;
	assert_false(device_matches(&d, "tank"));
}

static void check_change(struct comparison c, enum metric_id m, const char *want)
{
	struct text out = TEXT_INIT;

	change_text(&out, &c, &metrics[m].rules);
	assert_string_equal(text_str(&out), want);
	assert_true(text_cells(text_str(&out)) <= CHANGE_CELLS);
	text_release(&out);
}

static void changes_in_words(void **state)
{
	struct comparison c = { .verdict = VERDICT_CLEAR, .has_pct = true };

	(void)state;
	c.change_pct = -65.73;
	check_change(c, M_W_S, "-66%");
	c.change_pct = -100;
	check_change(c, M_W_S, "-100%");
	c.change_pct = 9.94;
	check_change(c, M_W_S, "+9.9%");
	c.change_pct = 9.96;
	check_change(c, M_W_S, "+10%");
	c.change_pct = 3291;
	check_change(c, M_W_S, ">999%");
	/* what rounds to nothing has no sign */
	c.change_pct = -0.04;
	check_change(c, M_W_S, "0.0%");
	/* percent metrics change by points */
	c.change = 4.2;
	check_change(c, M_PCT_UTIL, "+4.2");
	c.verdict = VERDICT_NEW;
	check_change(c, M_W_S, "new");
	c.verdict = VERDICT_NA;
	check_change(c, M_W_S, "");
	c.verdict = VERDICT_NOISE;
	c.has_pct = false;
	check_change(c, M_W_S, "");
}

static void check_length(double seconds, const char *want)
{
	struct text out = TEXT_INIT;

	length_text(&out, seconds);
	assert_string_equal(text_str(&out), want);
	text_release(&out);
}

static void lengths_and_clocks(void **state)
{
	struct text out = TEXT_INIT;

	(void)state;
	check_length(0, "0s");
	check_length(30, "30s");
	check_length(1.5, "1.5s");
	check_length(119.6, "2m00s");
	check_length(725, "12m05s");
	check_length(7380, "2h03m");
	check_length(-5, "0s");
	check_length(1e300, "0s");
	uptime_text(&out, INT64_C(3661) * 1000000000);
	assert_string_equal(text_str(&out), "1:01:01");
	text_clear(&out);
	interval_text(&out, 0.1);
	assert_string_equal(text_str(&out), "0.1s");
	text_clear(&out);
	interval_text(&out, 0.01);
	assert_string_equal(text_str(&out), "0.01s");
	text_clear(&out);
	interval_text(&out, 10);
	assert_string_equal(text_str(&out), "10s");
	text_release(&out);
}

static void the_noisier_side_is_told(void **state)
{
	struct estimate a = { .value = 100, .sd = 5 };
	struct estimate b = { .value = 10, .sd = 2 };
	struct text out = TEXT_INIT;

	(void)state;
	spread_text(&out, &metrics[M_W_S], &a, &b);
	assert_string_equal(text_str(&out), "20%");
	text_clear(&out);
	spread_text(&out, &metrics[M_PCT_UTIL], &a, &b);
	assert_string_equal(text_str(&out), "5.0");
	text_clear(&out);
	a.value = b.value = 0;
	spread_text(&out, &metrics[M_W_S], &a, &b);
	assert_string_equal(text_str(&out), "0.0%");
	text_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_key_has_one_action),
		cmocka_unit_test(keys_are_named_as_they_are),
		cmocka_unit_test(the_list_of_keys_has_a_line_each),
		cmocka_unit_test(key_names),
		cmocka_unit_test(keys_move),
		cmocka_unit_test(keys_of_curses),
		cmocka_unit_test(characters_round_trip),
		cmocka_unit_test(prompt_edits_a_line),
		cmocka_unit_test(devices_match_words),
		cmocka_unit_test(changes_in_words),
		cmocka_unit_test(lengths_and_clocks),
		cmocka_unit_test(the_noisier_side_is_told),
	};

	return cmocka_run_group_tests_name("action", tests, NULL, NULL);
}
