/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "kernel/uevent.h"

/* sizeof counts the last NUL, as the kernel does */
#define MESSAGE(s) s, sizeof(s)

static void test_change(void **state)
{
	struct uevent e;

	(void)state;
	assert_true(uevent_parse(MESSAGE("change@/devices/virtual/block/dm-0\0ACTION=change\0"
				 "DEVPATH=/devices/virtual/block/dm-0\0SUBSYSTEM=block\0MAJOR=253\0MINOR=0\0"
				 "DEVNAME=dm-0\0DEVTYPE=disk\0DISKSEQ=42\0SEQNUM=1234"), &e));
	assert_int_equal(e.action, UEVENT_CHANGE);
	assert_string_equal(e.name, "dm-0");
	assert_int_equal(e.diskseq, 42);
}

/* Old kernels say no DISKSEQ; a name only in the path is spelled as sysfs does, DEVNAME is not. */
static void test_names(void **state)
{
	struct uevent e;

	(void)state;
	assert_true(uevent_parse(MESSAGE("ACTION=add\0SUBSYSTEM=block\0DEVPATH=/devices/x/block/cciss!c0d0"), &e));
	assert_int_equal(e.action, UEVENT_ADD);
	assert_string_equal(e.name, "cciss/c0d0");
	assert_int_equal(e.diskseq, 0);
	assert_true(uevent_parse(MESSAGE("ACTION=remove\0SUBSYSTEM=block\0DEVNAME=cciss/c0d0\0DISKSEQ=x"), &e));
	assert_string_equal(e.name, "cciss/c0d0");
	assert_int_equal(e.action, UEVENT_REMOVE);
	assert_int_equal(e.diskseq, 0);
	assert_true(uevent_parse(MESSAGE("ACTION=bind\0SUBSYSTEM=block\0DEVNAME=/dev/sda"), &e));
	assert_string_equal(e.name, "sda");
	assert_int_equal(e.action, UEVENT_OTHER);
}

static void test_refused(void **state)
{
	struct uevent e;
	static const char cut[] = "ACTION=add\0SUBSYSTEM=block\0DEVNAME=sda\0DISKSEQ=42";

	(void)state;
	assert_false(uevent_parse(MESSAGE("ACTION=add\0SUBSYSTEM=net\0DEVNAME=eth0"), &e));
	assert_false(uevent_parse(MESSAGE("ACTION=add\0DEVNAME=sda"), &e));
	assert_false(uevent_parse(MESSAGE("SUBSYSTEM=block\0DEVNAME=sda"), &e));
	assert_false(uevent_parse(MESSAGE("ACTION=add\0SUBSYSTEM=block"), &e));
	assert_false(uevent_parse(MESSAGE("ACTION=add\0SUBSYSTEM=block\0DEVNAME="), &e));
	assert_false(uevent_parse(MESSAGE("ACTION=add\0SUBSYSTEM=block\0DEVPATH=/a/"), &e));
	/* longer than any kernel name */
	assert_false(uevent_parse(MESSAGE("ACTION=add\0SUBSYSTEM=block\0DEVNAME="
				  "0123456789012345678901234567890123456789012345678901234567890123"), &e));
	assert_false(uevent_parse("", 0, &e));
	/* without its last NUL it was cut off somewhere */
	for (size_t len = 0; len < sizeof(cut) - 1; len++)
		assert_true(!uevent_parse(cut, len, &e) || !cut[len - 1]);
	assert_true(uevent_parse(cut, sizeof(cut), &e));
}

static void test_socket(void **state)
{
	struct uevent e;
	int pair[2];
	int fd = uevent_open();

	(void)state;
	/* a container may forbid it; what is opened must not wait */
	if (fd >= 0) {
		assert_true(uevent_next(fd, &e) >= 0);
		close(fd);
	}
	assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair), 0);
	assert_true(send(pair[0], MESSAGE("ACTION=add\0SUBSYSTEM=net\0DEVNAME=eth0"), 0) > 0);
	assert_true(send(pair[0], MESSAGE("ACTION=add\0SUBSYSTEM=block\0DEVNAME=sda"), 0) > 0);
	assert_int_equal(uevent_next(pair[1], &e), 1);
	assert_string_equal(e.name, "sda");
	assert_int_equal(uevent_next(pair[1], &e), 0);
	close(pair[0]);
	close(pair[1]);
	assert_int_equal(uevent_next(pair[1], &e), -EBADF);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_change), cmocka_unit_test(test_names), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_socket),
	};

	return cmocka_run_group_tests_name("uevent", tests, NULL, NULL);
}
