/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/sample.h"

#define A "8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n"
#define B "8 16 sdb 1 2 3 4 5 6 7 8 9 10 11\n"
#define B2 "8 16 sdb 2 2 3 4 5 6 7 8 9 10 11\n"
#define C "8 32 sdc 1 2 3 4 5 6 7 8 9 10 11\n"

/* Two samples in turn over one roster, as the engine uses them. */
struct run {
	struct sample samples[2];
	unsigned int tick;
	struct roster roster;
};

static const struct sample *feed(struct run *r, const char *text)
{
	struct sample *s = &r->samples[r->tick & 1];
	const struct sample *before = r->tick ? &r->samples[~r->tick & 1] : NULL;

	r->tick++;
	text_clear(&s->raw);
	text_add(&s->raw, text);
	sample_parse(s, before, &r->roster);
	return s;
}

static void release(struct run *r)
{
	sample_release(&r->samples[0]);
	sample_release(&r->samples[1]);
	roster_release(&r->roster);
}

static const struct sample_row *row_of(const struct run *r, const struct sample *s, const char *name)
{
	return sample_row(s, roster_find(&r->roster, name, strlen(name)));
}

static bool present(const struct run *r, const char *name)
{
	return r->roster.entries[roster_find(&r->roster, name, strlen(name))].present;
}

static void rows_stand_in_the_files_order(void **state)
{
	struct run r = { .tick = 0 };
	const struct sample *s = feed(&r, C A);

	(void)state;
	assert_int_equal(s->n, 2);
	assert_int_equal(s->malformed, 0);
	assert_string_equal(r.roster.entries[s->rows[0].slot].name, "sdc");
	assert_string_equal(r.roster.entries[s->rows[1].slot].name, "sda");
	assert_int_equal(r.roster.entries[s->rows[0].slot].minor, 32);
	assert_int_equal(r.roster.entries[s->rows[0].slot].instance, 1);
	assert_int_equal(r.roster.entries[s->rows[0].slot].since_ns, -1);
	assert_int_equal(s->rows[1].counters.v[TIME_IN_QUEUE], 11);
	assert_int_equal(s->rows[1].len, strlen(A) - 1);
	assert_memory_equal(s->raw.buf + s->rows[1].at, A, s->rows[1].len);
	assert_null(sample_row(s, 12345));
	assert_null(sample_row(s, SLOT_NONE));
	release(&r);
}

static void only_lines_that_differ_have_changed(void **state)
{
	struct run r = { .tick = 0 };
	const struct sample *s = feed(&r, A B C);

	(void)state;
	for (size_t i = 0; i < 3; i++)
		assert_true(s->rows[i].changed);
	s = feed(&r, A B2 C);
	assert_false(row_of(&r, s, "sda")->changed);
	assert_true(row_of(&r, s, "sdb")->changed);
	assert_int_equal(row_of(&r, s, "sdb")->counters.v[RD_IOS], 2);
	assert_false(row_of(&r, s, "sdc")->changed);
	assert_int_equal(row_of(&r, s, "sdc")->counters.v[WR_IOS], 5);
	s = feed(&r, A B2 C);
	assert_false(row_of(&r, s, "sdb")->changed);
	assert_int_equal(row_of(&r, s, "sdb")->counters.v[RD_IOS], 2);
	release(&r);
}

static void order_does_not_matter(void **state)
{
	struct run r = { .tick = 0 };
	const struct sample *s;

	(void)state;
	feed(&r, A B C);
	s = feed(&r, C B2 A);
	assert_false(row_of(&r, s, "sda")->changed);
	assert_true(row_of(&r, s, "sdb")->changed);
	assert_false(row_of(&r, s, "sdc")->changed);
	assert_int_equal(s->rows[0].slot, 2);
	release(&r);
}

static void devices_go_and_come(void **state)
{
	struct run r = { .tick = 0 };
	const struct sample *s;

	(void)state;
	feed(&r, A B);
	s = feed(&r, B C);
	assert_false(present(&r, "sda"));
	assert_null(row_of(&r, s, "sda"));
	assert_true(present(&r, "sdb"));
	assert_false(row_of(&r, s, "sdb")->changed);
	assert_true(present(&r, "sdc"));
	assert_true(row_of(&r, s, "sdc")->changed);
	/* the same line again, but it was not in the sample before */
	s = feed(&r, A B C);
	assert_true(row_of(&r, s, "sda")->changed);
	s = feed(&r, "");
	assert_int_equal(s->n, 0);
	assert_false(present(&r, "sda") || present(&r, "sdb") || present(&r, "sdc"));
	/* instances are the engine's business */
	assert_int_equal(r.roster.entries[0].instance, 1);
	release(&r);
}

/* A longer line that begins as an old one did, and a shorter one. */
static void equal_beginnings_are_no_equal_lines(void **state)
{
	struct run r = { .tick = 0 };
	const struct sample *s;

	(void)state;
	feed(&r, "8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n8 16 sdb 1 2 3 4 5 6 7 8 9 10 11");
	s = feed(&r, "8 0 sda 1 2 3 4 5 6 7 8 9 10 119\n8 16 sdb 1 2 3 4 5 6 7 8 9 10 1");
	assert_int_equal(s->rows[0].counters.v[TIME_IN_QUEUE], 119);
	assert_true(s->rows[0].changed);
	assert_int_equal(s->rows[1].counters.v[TIME_IN_QUEUE], 1);
	assert_true(s->rows[1].changed);
	release(&r);
}

static void malformed_lines_are_skipped_and_counted(void **state)
{
	struct run r = { .tick = 0 };
	const struct sample *s = feed(&r, A "\n  \nTS 12\n" B "8 32 sdc 1 2\n");

	(void)state;
	for (unsigned int again = 0; again < 2; again++) {
		assert_int_equal(s->n, 2);
		assert_int_equal(s->malformed, 2);
		assert_int_equal(s->malformed_len, strlen("TS 12"));
		assert_memory_equal(s->raw.buf + s->malformed_at, "TS 12", 5);
		assert_int_equal(r.roster.n, 2);
		s = feed(&r, A "\n  \nTS 12\n" B "8 32 sdc 1 2\n");
	}
	s = feed(&r, A B);
	assert_int_equal(s->malformed, 0);
	assert_int_equal(s->malformed_len, 0);
	release(&r);
}

/* The first of a name counts, also when the lines are those of the sample before. */
static void a_name_stands_once(void **state)
{
	struct run r = { .tick = 0 };
	const struct sample *s = feed(&r, A B A B2);

	(void)state;
	for (unsigned int again = 0; again < 2; again++) {
		assert_int_equal(s->n, 2);
		assert_int_equal(s->malformed, 2);
		assert_int_equal(row_of(&r, s, "sdb")->counters.v[RD_IOS], 1);
		s = feed(&r, A B A B2);
	}
	s = feed(&r, A A B);
	assert_int_equal(s->n, 2);
	assert_int_equal(s->malformed, 1);
	/* two lines of the same, where the second is the one that the sample before has next */
	feed(&r, A B);
	s = feed(&r, B A B);
	assert_int_equal(s->n, 2);
	assert_int_equal(s->malformed, 1);
	release(&r);
}

/* Hidden NVMe paths all carry 0:0: the name alone tells them apart. */
static void numbers_are_no_key(void **state)
{
	struct run r = { .tick = 0 };
	const struct sample *s;

	(void)state;
	s = feed(&r, "0 0 nvme0c0n1 1 2 3 4 5 6 7 8 9 10 11\n0 0 nvme0c1n1 2 2 3 4 5 6 7 8 9 10 11\n");
	assert_int_equal(s->n, 2);
	assert_int_equal(row_of(&r, s, "nvme0c0n1")->counters.v[RD_IOS], 1);
	assert_int_equal(row_of(&r, s, "nvme0c1n1")->counters.v[RD_IOS], 2);
	/* and a number that changes is the same device */
	s = feed(&r, "259 5 nvme0c0n1 1 2 3 4 5 6 7 8 9 10 11\n");
	assert_int_equal(r.roster.n, 2);
	assert_int_equal(r.roster.entries[row_of(&r, s, "nvme0c0n1")->slot].major, 259);
	assert_int_equal(r.roster.entries[row_of(&r, s, "nvme0c0n1")->slot].minor, 5);
	release(&r);
}

/* Cut at every byte: no line is read past the end, and whole lines before the cut count. */
static void a_cut_text_is_read_as_far_as_it_goes(void **state)
{
	static const char text[] = A B C;

	(void)state;
	for (size_t len = 0; len < sizeof(text); len++) {
		struct sample s = SAMPLE_INIT;
		struct roster roster = ROSTER_INIT;

		text_add_n(&s.raw, text, len);
		sample_parse(&s, NULL, &roster);
		assert_true(s.n >= (size_t)(len >= strlen(A)) + (len >= strlen(A B)) + (len >= strlen(A B C)));
		assert_true(s.n + s.malformed <= 3);
		if (len == strlen(A B) - 1)
			assert_int_equal(s.n, 2);
		sample_release(&s);
		roster_release(&roster);
	}
}

/* A slot given to another name between two samples: the old row's slot is not believed. */
static void a_reused_slot_is_not_mixed_up(void **state)
{
	struct run r = { .tick = 0 };
	const struct sample *s;

	(void)state;
	feed(&r, A B);
	roster_forget(&r.roster, 0);
	assert_int_equal(roster_add(&r.roster, "other", 5), 0);
	s = feed(&r, A B);
	assert_int_equal(s->n, 2);
	assert_null(row_of(&r, s, "other"));
	assert_int_equal(row_of(&r, s, "sda")->slot, 2);
	assert_int_equal(r.roster.entries[0].present, false);
	release(&r);
}

static void ten_thousand_lines(void **state)
{
	struct run r = { .tick = 0 };
	struct text t = TEXT_INIT;
	const struct sample *s;

	(void)state;
	for (unsigned int i = 0; i < 10000; i++)
		text_addf(&t, " 253 %7u dm-%u %u 0 8 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", i, i, i);
	feed(&r, text_str(&t));
	s = feed(&r, text_str(&t));
	assert_int_equal(s->n, 10000);
	for (size_t i = 0; i < s->n; i++) {
		assert_false(s->rows[i].changed);
		assert_int_equal(s->rows[i].counters.v[RD_IOS], i);
		assert_ptr_equal(sample_row(s, s->rows[i].slot), &s->rows[i]);
	}
	text_release(&t);
	release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_stand_in_the_files_order),
		cmocka_unit_test(only_lines_that_differ_have_changed),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(devices_go_and_come),
		cmocka_unit_test(equal_beginnings_are_no_equal_lines),
		cmocka_unit_test(malformed_lines_are_skipped_and_counted),
		cmocka_unit_test(a_name_stands_once),
		cmocka_unit_test(numbers_are_no_key),
		cmocka_unit_test(a_cut_text_is_read_as_far_as_it_goes),
		cmocka_unit_test(a_reused_slot_is_not_mixed_up),
		cmocka_unit_test(ten_thousand_lines),
	};

	return cmocka_run_group_tests_name("sample", tests, NULL, NULL);
}
