/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "kernel/helper.h"
#include "tree.h"

/* Far more than anything here takes; only a hang gets there. */
#define PATIENCE_NS (60 * NS_PER_S)

struct place {
	char path[256];
	struct root root;
	struct helper *h;
};

static int set_up(void **state)
{
	static struct place p;

	memset(&p, 0, sizeof(p));
	if (!tree_new(p.path, sizeof(p.path)) || root_open(&p.root, p.path))
		return -1;
	p.h = helper_new(&p.root, 1, NULL);
	*state = &p;
	return p.h ? 0 : -1;
}

static int tear_down(void **state)
{
	struct place *p = *state;
	int64_t start = clock_mono_ns();

	helper_free(p->h);
	/* whatever hangs, freeing does not wait for it */
	assert_true(clock_mono_ns() - start < NS_PER_S / 2);
	root_release(&p->root);
	tree_remove(p->path);
	return 0;
}

static void disk(const struct place *p, const char *name)
{
	char path[256], target[256];

	snprintf(path, sizeof(path), "sys/devices/virtual/block/%s/size", name);
	tree_file(p->path, path, "8\n");
	snprintf(path, sizeof(path), "sys/devices/virtual/block/%s/queue/iostats", name);
	tree_file(p->path, path, "1\n");
	snprintf(path, sizeof(path), "sys/block/%s", name);
	snprintf(target, sizeof(target), "../devices/virtual/block/%s", name);
	tree_link(p->path, path, target);
}

/* A file of the device becomes one that does not answer. */
static void block(const struct place *p, const char *name, const char *file)
{
	char path[600], inside[256];

	snprintf(inside, sizeof(inside), "sys/devices/virtual/block/%s/%s", name, file);
	snprintf(path, sizeof(path), "%s/%s", p->path, inside);
	unlink(path);
	tree_fifo(p->path, inside);
}

/* And now it answers. */
static void unblock(const struct place *p, const char *name, const char *file, const char *value)
{
	char path[600];
	int fd;

	snprintf(path, sizeof(path), "%s/sys/devices/virtual/block/%s/%s", p->path, name, file);
	fd = open(path, O_WRONLY | O_NONBLOCK);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, value, strlen(value)), strlen(value));
	close(fd);
}

static bool next(struct place *p, struct helper_event *e)
{
	int64_t start = clock_mono_ns();

	while (clock_mono_ns() - start < PATIENCE_NS) {
		struct pollfd fds[HELPER_FDS];
		int timeout_ms;
		size_t n;

		if (helper_next(p->h, e))
			return true;
		n = helper_poll(p->h, fds, &timeout_ms);
		assert_true(n <= HELPER_FDS);
		poll(fds, n, timeout_ms < 0 || timeout_ms > 10000 ? 10000 : timeout_ms);
	}
	fail_msg("nothing came");
	return false;
}

/* All events up to and with the first of `kind`, as lines; its id must be `id` unless that is 0. */
static char *events_until(struct place *p, enum helper_event_kind kind, uint32_t id)
{
	static const char *const kinds[] = { "device", "value", "pending", "done", "lost" };
	struct helper_event e;
	struct text out = TEXT_INIT;
	char *copy;

	while (next(p, &e)) {
		text_addf(&out, "%s %s %s=%s %d\n", kinds[e.kind],
			  e.kind == HELPER_DEVICE ? e.device.name : e.name, e.what, e.value, e.error);
		if (e.kind == HELPER_PENDING)
			assert_true(e.since_ns > 0 && e.since_ns <= clock_mono_ns());
		device_release(&e.device);
		if (e.kind == kind)
			break;
	}
	assert_true(!id || e.id == id);
	copy = xstrdup(text_str(&out));
	text_release(&out);
	return copy;
}

static void check_until(struct place *p, enum helper_event_kind kind, uint32_t id, const char *expected)
{
	char *got = events_until(p, kind, id);

	assert_string_equal(got, expected);
	free(got);
}

static void test_answers(void **state)
{
	struct place *p = *state;
	struct names names = { 0 };
	uint32_t id;

	disk(p, "vda");
	disk(p, "vdb");
	tree_file(p->path, "sys/devices/virtual/block/vda/queue/iosched/fifo_batch", "16\n");
	check_until(p, HELPER_DONE, helper_topology(p->h, 0),
		    "device vda = 0\ndevice vdb = 0\ndone  = 0\n");
	check_until(p, HELPER_DONE, helper_attributes(p->h, 0, "vda", "sys/devices/virtual/block/vda"),
		    "value vda queue/iosched/fifo_batch=16 0\nvalue vda queue/iostats=1 0\ndone vda = 0\n");
	names_add(&names, "vdb");
	names_add(&names, "gone");
	names_add(&names, "vda");
	id = helper_read(p->h, 0, "queue/iostats", &names);
	check_until(p, HELPER_DONE, id,
		    "value vdb queue/iostats=1 0\nvalue gone queue/iostats= -2\nvalue vda queue/iostats=1 0\n"
		    "done  queue/iostats= 0\n");
	names_release(&names);
	/* nothing to read is done as well */
	check_until(p, HELPER_DONE, helper_read(p->h, 0, "queue/iostats", &names), "done  queue/iostats= 0\n");
	assert_int_equal(helper_outstanding(p->h), 0);
	/* a root that is not there */
	assert_int_equal(helper_topology(p->h, 1), 0);
}

static void test_no_sysfs(void **state)
{
	struct place *p = *state;

	check_until(p, HELPER_DONE, helper_topology(p->h, 0), "done  = -2\n");
	check_until(p, HELPER_DONE, helper_attributes(p->h, 0, "vda", "sys/nowhere"), "done vda = 0\n");
}

/* More than a packet of names and of values, and a value of several packets. */
static void test_many_and_long(void **state)
{
	struct place *p = *state;
	struct names names = { 0 };
	struct helper_event e;
	size_t values = 0, devices = 0;
	char *big = xmalloc(200001);
	char name[32];

	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "vd%03d", i);
		disk(p, name);
	}
	for (int i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "vd%03d", i % 300);
		names_add(&names, name);
	}
	assert_int_not_equal(helper_read(p->h, 0, "queue/iostats", &names), 0);
	while (next(p, &e) && e.kind != HELPER_DONE) {
		assert_string_equal(e.value, "1");
		values++;
	}
	assert_int_equal(values, 20000);
	assert_int_not_equal(helper_topology(p->h, 0), 0);
	while (next(p, &e) && e.kind != HELPER_DONE) {
		assert_int_equal(e.device.size_sectors, 8);
		device_release(&e.device);
		devices++;
	}
	assert_int_equal(devices, 300);
	for (int i = 0; i < 200000; i++)
		big[i] = (char)('a' + i % 19);
	big[200000] = '\0';
	tree_file(p->path, "sys/devices/virtual/block/vd000/md/big", big);
	assert_int_not_equal(helper_attributes(p->h, 0, "vd000", "sys/devices/virtual/block/vd000"), 0);
	next(p, &e);
	assert_string_equal(e.what, "md/big");
	assert_int_equal(e.value_len, 200000);
	assert_string_equal(e.value, big);
	names_release(&names);
	free(big);
}

/* An attribute that hangs is named, others are served, and when it answers the rest comes. */
static void test_attribute_hangs(void **state)
{
	struct place *p = *state;
	struct names names = { 0 };
	uint32_t hung;

	disk(p, "vda");
	disk(p, "vdb");
	tree_file(p->path, "sys/devices/virtual/block/vda/queue/zoned", "none\n");
	block(p, "vda", "queue/nr_requests");
	hung = helper_attributes(p->h, 0, "vda", "sys/devices/virtual/block/vda");
	assert_int_equal(helper_outstanding(p->h), 1);
	/* one at a time of a device */
	assert_int_equal(helper_attributes(p->h, 0, "vda", "sys/devices/virtual/block/vda"), 0);
	check_until(p, HELPER_PENDING, hung, "value vda queue/iostats=1 0\npending vda queue/nr_requests= 0\n");
	assert_int_equal(helper_outstanding(p->h), 0);
	assert_int_equal(helper_quarantined(p->h), 1);
	assert_int_equal(helper_attributes(p->h, 0, "vda", "sys/devices/virtual/block/vda"), 0);
	check_until(p, HELPER_DONE, helper_attributes(p->h, 0, "vdb", "sys/devices/virtual/block/vdb"),
		    "value vdb queue/iostats=1 0\ndone vdb = 0\n");
	/* of the device that hangs nothing more is asked, and it is told so */
	names_add(&names, "vda");
	names_add(&names, "vdb");
	check_until(p, HELPER_DONE, helper_read(p->h, 0, "queue/iostats", &names),
		    "pending vda queue/nr_requests= 0\nvalue vdb queue/iostats=1 0\ndone  queue/iostats= 0\n");
	unblock(p, "vda", "queue/nr_requests", "32\n");
	check_until(p, HELPER_DONE, hung,
		    "value vda queue/nr_requests=32 0\nvalue vda queue/zoned=none 0\ndone vda = 0\n");
	assert_int_equal(helper_quarantined(p->h), 0);
	names_release(&names);
}

/* Known ones are read in the order given, without those that came since; what has gone is said to be. */
static void test_known_attributes(void **state)
{
	struct place *p = *state;
	struct names known = { 0 };
	uint32_t hung;

	disk(p, "vda");
	tree_file(p->path, "sys/devices/virtual/block/vda/queue/zoned", "none\n");
	assert_int_equal(helper_attributes_known(p->h, 0, "vda", "sys/devices/virtual/block/vda", &known), 0);
	names_add(&known, "queue/zoned");
	names_add(&known, "queue/gone");
	check_until(p, HELPER_DONE, helper_attributes_known(p->h, 0, "vda", "sys/devices/virtual/block/vda", &known),
		    "value vda queue/zoned=none 0\nvalue vda queue/gone= -2\ndone vda = 0\n");
	names_add(&known, "queue/nr_requests");
	block(p, "vda", "queue/nr_requests");
	hung = helper_attributes_known(p->h, 0, "vda", "sys/devices/virtual/block/vda", &known);
	assert_int_equal(helper_attributes(p->h, 0, "vda", "sys/devices/virtual/block/vda"), 0);
	/* new values of what is known may come late, but not what is in the way of them */
	check_until(p, HELPER_PENDING, hung, "pending vda queue/nr_requests= 0\n");
	unblock(p, "vda", "queue/nr_requests", "32\n");
	check_until(p, HELPER_DONE, hung, "value vda queue/zoned=none 0\nvalue vda queue/gone= -2\n"
		    "value vda queue/nr_requests=32 0\ndone vda = 0\n");
	names_release(&known);
}

/* The device that hangs is given by its name alone, all others are read; later its own answer comes. */
static void test_topology_hangs(void **state)
{
	struct place *p = *state;
	uint32_t first, second;
	char *got;

	disk(p, "vda");
	disk(p, "vdb");
	disk(p, "vdc");
	block(p, "vdb", "size");
	first = helper_topology(p->h, 0);
	got = events_until(p, HELPER_DONE, first);
	assert_non_null(strstr(got, "device vda"));
	assert_non_null(strstr(got, "device vdb"));
	assert_non_null(strstr(got, "device vdc"));
	assert_non_null(strstr(got, "pending vdb = 0"));
	free(got);
	assert_int_equal(helper_quarantined(p->h), 1);
	second = helper_topology(p->h, 0);
	got = events_until(p, HELPER_DONE, second);
	assert_non_null(strstr(got, "pending vdb"));
	assert_non_null(strstr(got, "device vdc"));
	free(got);
	/* it did not cost one more worker */
	assert_int_equal(helper_quarantined(p->h), 1);
	unblock(p, "vdb", "size", "77\n");
	check_until(p, HELPER_DEVICE, first, "device vdb = 0\n");
	assert_int_equal(helper_quarantined(p->h), 0);
}

static void test_read_hangs(void **state)
{
	struct place *p = *state;
	struct names names = { 0 };
	struct helper_event e;
	size_t values = 0, pending = 0;
	uint32_t id;

	for (int i = 0; i < 40; i++) {
		char name[32];

		snprintf(name, sizeof(name), "vd%d", i);
		disk(p, name);
		names_add(&names, name);
	}
	block(p, "vd7", "queue/iostats");
	block(p, "vd31", "queue/iostats");
	id = helper_read(p->h, 0, "queue/iostats", &names);
	while (next(p, &e) && e.kind != HELPER_DONE) {
		values += e.kind == HELPER_VALUE;
		pending += e.kind == HELPER_PENDING;
	}
	assert_int_equal(e.id, id);
	assert_int_equal(values, 38);
	assert_int_equal(pending, 2);
	assert_int_equal(helper_quarantined(p->h), 2);
	unblock(p, "vd31", "queue/iostats", "0\n");
	check_until(p, HELPER_VALUE, id, "value vd31 queue/iostats=0 0\n");
	names_release(&names);
}

/* Children of ours of that name, or children of `parent`. */
static pid_t find_process(pid_t parent, const char *name, bool busy)
{
	DIR *dir = opendir("/proc");
	const struct dirent *entry;
	pid_t found = 0;

	while (dir && (entry = readdir(dir))) {
		char path[300], line[512] = "", comm[64] = "", letter = 0;
		int pid = 0, ppid = 0;
		FILE *file;

		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		file = fopen(path, "r");
		if (!file)
			continue;
		if (fgets(line, sizeof(line), file)
		    && sscanf(line, "%d (%63[^)]) %c %d", &pid, comm, &letter, &ppid) == 4
		    && ppid == parent && !strcmp(comm, name) && (!busy || letter != 'Z'))
			found = pid;
		fclose(file);
	}
	if (dir)
		closedir(dir);
	return found;
}

static pid_t wait_for_process(pid_t parent, const char *name)
{
	int64_t start = clock_mono_ns();
	pid_t pid = 0;

	while (!pid && clock_mono_ns() - start < PATIENCE_NS)
		pid = find_process(parent, name, true);
	assert_true(pid > 0);
	return pid;
}

static bool is_alive(pid_t pid)
{
	char path[64], line[512] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (!fgets(line, sizeof(line), file))
		line[0] = '\0';
	fclose(file);
	return *line && !strstr(line, ") Z ");
}

static void wait_for_end(pid_t pid)
{
	int64_t start = clock_mono_ns();

	while (is_alive(pid) && clock_mono_ns() - start < PATIENCE_NS)
		;
	assert_false(is_alive(pid));
}

/* A worker that dies takes its request with it, and only that. */
static void test_worker_killed(void **state)
{
	struct place *p = *state;
	pid_t spawner = wait_for_process(getpid(), "iodelta-spawn");
	uint32_t id;

	disk(p, "vda");
	block(p, "vda", "queue/nr_requests");
	disk(p, "vdb");
	id = helper_attributes(p->h, 0, "vda", "sys/devices/virtual/block/vda");
	check_until(p, HELPER_PENDING, id, "value vda queue/iostats=1 0\npending vda queue/nr_requests= 0\n");
	kill(wait_for_process(spawner, "iodelta-work"), SIGKILL);
	check_until(p, HELPER_DONE, id, "done vda = -5\n");
	assert_int_equal(helper_quarantined(p->h), 0);
	check_until(p, HELPER_DONE, helper_attributes(p->h, 0, "vdb", "sys/devices/virtual/block/vdb"),
		    "value vdb queue/iostats=1 0\ndone vdb = 0\n");
	/* now that one is idle; that it dies is only seen by the next request, which does not suffer */
	kill(wait_for_process(spawner, "iodelta-work"), SIGKILL);
	while (find_process(spawner, "iodelta-work", false))
		;
	check_until(p, HELPER_DONE, helper_attributes(p->h, 0, "vdb", "sys/devices/virtual/block/vdb"),
		    "value vdb queue/iostats=1 0\ndone vdb = 0\n");
}

static void test_spawner_killed(void **state)
{
	struct place *p = *state;
	struct helper_event e;
	struct pollfd fds[HELPER_FDS];
	int timeout_ms;

	kill(wait_for_process(getpid(), "iodelta-spawn"), SIGKILL);
	check_until(p, HELPER_LOST, 0, "lost  = 0\n");
	assert_false(helper_next(p->h, &e));
	assert_int_equal(helper_topology(p->h, 0), 0);
	assert_int_equal(helper_poll(p->h, fds, &timeout_ms), 0);
	assert_int_equal(timeout_ms, -1);
}

/* A spawner that is gone when something is asked of it, and worse, while something hangs. */
static void test_spawner_killed_busy(void **state)
{
	struct place *p = *state;
	pid_t spawner = wait_for_process(getpid(), "iodelta-spawn");
	pid_t worker;
	uint32_t id;

	disk(p, "vda");
	block(p, "vda", "queue/nr_requests");
	id = helper_attributes(p->h, 0, "vda", "sys/devices/virtual/block/vda");
	check_until(p, HELPER_PENDING, id, "value vda queue/iostats=1 0\npending vda queue/nr_requests= 0\n");
	worker = wait_for_process(spawner, "iodelta-work");
	kill(spawner, SIGKILL);
	while (find_process(getpid(), "iodelta-spawn", true))
		;
	/* refused or not, the next thing that is heard is that it is lost */
	if (helper_topology(p->h, 0))
		assert_int_equal(helper_outstanding(p->h), 1);
	check_until(p, HELPER_LOST, 0, "lost  = 0\n");
	assert_int_equal(helper_outstanding(p->h) + helper_quarantined(p->h), 0);
	wait_for_end(worker);
}

/* Whoever leaves while something hangs leaves no process behind. */
static void test_nothing_left(void **state)
{
	struct place *p = *state;
	pid_t spawner = wait_for_process(getpid(), "iodelta-spawn");
	pid_t worker;
	uint32_t id;

	disk(p, "vda");
	block(p, "vda", "queue/nr_requests");
	id = helper_attributes(p->h, 0, "vda", "sys/devices/virtual/block/vda");
	check_until(p, HELPER_PENDING, id, "value vda queue/iostats=1 0\npending vda queue/nr_requests= 0\n");
	worker = wait_for_process(spawner, "iodelta-work");
	helper_free(p->h);
	p->h = NULL;
	wait_for_end(spawner);
	wait_for_end(worker);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_answers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_no_sysfs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_many_and_long, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_attribute_hangs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_known_attributes, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_topology_hangs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_read_hangs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_worker_killed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_spawner_killed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_spawner_killed_busy, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_nothing_left, set_up, tear_down),
	};

	return cmocka_run_group_tests_name("helper", tests, NULL, NULL);
}
