/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "model/roster.h"

static uint32_t add(struct roster *r, const char *name)
{
	return roster_add(r, name, strlen(name));
}

static uint32_t find(const struct roster *r, const char *name)
{
	return roster_find(r, name, strlen(name));
}

static void a_name_keeps_its_slot(void **state)
{
	struct roster r = ROSTER_INIT;

	(void)state;
	assert_true(find(&r, "sda") == SLOT_NONE);
	assert_int_equal(add(&r, "sda"), 0);
	assert_int_equal(add(&r, "cciss/c0d0"), 1);
	assert_int_equal(add(&r, "sda"), 0);
	/* only the given length counts */
	assert_int_equal(roster_find(&r, "sdax", 3), 0);
	assert_true(roster_find(&r, "sda", 2) == SLOT_NONE);
	assert_int_equal(r.n, 2);
	roster_release(&r);
	assert_int_equal(r.n, 0);
}

static void a_new_entry_is_not_yet_present(void **state)
{
	struct roster r = ROSTER_INIT;
	const struct roster_entry *e;

	(void)state;
	add(&r, "sda");
	e = &r.entries[0];
	assert_string_equal(e->name, "sda");
	assert_false(e->present);
	assert_int_equal(e->instance, 1);
	assert_int_equal(e->since_ns, -1);
	assert_int_equal(e->diskseq, 0);
	roster_release(&r);
}

static void forgotten_slots_are_used_again_as_another_instance(void **state)
{
	struct roster r = ROSTER_INIT;

	(void)state;
	add(&r, "sda");
	add(&r, "sdb");
	add(&r, "sdc");
	r.entries[0].diskseq = 7;
	roster_forget(&r, 2);
	roster_forget(&r, 0);
	assert_true(find(&r, "sda") == SLOT_NONE);
	assert_int_equal(find(&r, "sdb"), 1);
	assert_int_equal(r.free_slots, 2);
	assert_int_equal(add(&r, "sdd"), 0);
	assert_int_equal(r.entries[0].instance, 2);
	assert_int_equal(r.entries[0].diskseq, 0);
	assert_int_equal(add(&r, "sde"), 2);
	assert_int_equal(add(&r, "sdf"), 3);
	assert_int_equal(r.entries[3].instance, 1);
	assert_int_equal(r.free_slots, 0);
	roster_forget(&r, 1);
	assert_int_equal(add(&r, "sdg"), 1);
	roster_release(&r);
}

static void forgetting_what_is_not_there_does_nothing(void **state)
{
	struct roster r = ROSTER_INIT;

	(void)state;
	roster_forget(&r, 0);
	roster_forget(&r, SLOT_NONE);
	add(&r, "sda");
	roster_forget(&r, 0);
	roster_forget(&r, 0);
	assert_int_equal(r.free_slots, 1);
	assert_int_equal(add(&r, "sdb"), 0);
	assert_int_equal(r.n, 1);
	roster_release(&r);
}

static void ten_thousand_come_go_and_come(void **state)
{
	struct roster r = ROSTER_INIT;
	char name[32];

	(void)state;
	for (uint32_t i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "dm-%u", i);
		assert_int_equal(add(&r, name), i);
	}
	for (uint32_t i = 10000; i-- > 0;)
		roster_forget(&r, i);
	for (uint32_t i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "sd%u", i);
		assert_int_equal(add(&r, name), i);
	}
	assert_int_equal(r.n, 10000);
	assert_int_equal(find(&r, "sd9999"), 9999);
	assert_true(find(&r, "dm-9999") == SLOT_NONE);
	roster_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_keeps_its_slot),
		cmocka_unit_test(a_new_entry_is_not_yet_present),
		cmocka_unit_test(forgotten_slots_are_used_again_as_another_instance),
		cmocka_unit_test(forgetting_what_is_not_there_does_nothing),
		cmocka_unit_test(ten_thousand_come_go_and_come),
	};

	return cmocka_run_group_tests_name("roster", tests, NULL, NULL);
}
