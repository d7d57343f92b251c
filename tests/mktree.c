/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mktree FIXTURE DIR: expands one fixture, a small text file, into DIR/1, DIR/2, … — one tree with proc/ and sys/ a
 * step — and prints the --root options that serve them. The format is described in tests/fixtures/README.
 *
 * The trees have the shape of the real thing, links included, so that the shipped binary cannot tell the difference.
 */
#include "config.h"
#include "config.h"

#include "mktree.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

/* --- files; the working directory is the tree that is being written --- */

static void make_parents(const char *path)
{
	char *copy = xstrdup(path);

	for (char *slash = strchr(copy + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(copy, 0755) && errno != EEXIST)
			fail_path(copy);
		*slash = '/';
	}
	free(copy);
}

static void make_directory(const char *path)
{
	if (!mkdir(path, 0755) || errno == EEXIST)
		return;
	make_parents(path);
	if (mkdir(path, 0755) && errno != EEXIST)
		fail_path(path);
}

/* Of queue/, what the kernel lets nobody write. */
static bool is_read_only(const char *path)
{
	static const char *const names[] = {
		"chunk_sectors", "dax", "discard_granularity", "discard_max_hw_bytes", "discard_zeroes_data",
		"dma_alignment", "fua", "hw_sector_size", "logical_block_size", "max_discard_segments",
		"max_hw_sectors_kb", "max_integrity_segments", "max_segment_size", "max_segments", "minimum_io_size",
		"nr_zones", "optimal_io_size", "physical_block_size", "virt_boundary_mask", "write_same_max_bytes",
		"write_zeroes_max_bytes", "zoned",
	};
	const char *queue = strstr(path, "/queue/");

	for (size_t i = 0; queue && i < ARRAY_SIZE(names); i++) {
		if (!strcmp(queue + strlen("/queue/"), names[i]))
			return true;
	}
	return false;
}

static void write_bytes(const char *path, const char *bytes, size_t len)
{
	FILE *out = fopen(path, "w");

	if (!out && errno == ENOENT) {
		make_parents(path);
		out = fopen(path, "w");
	}
	if (!out || fwrite(bytes, 1, len, out) != len || fclose(out)
	    || (is_read_only(path) && chmod(path, 0444)))
		fail_path(path);
}

static void make_link(const char *path, const char *target)
{
	if (symlink(target, path) && errno == ENOENT) {
		make_parents(path);
		if (symlink(target, path))
			fail_path(path);
	}
}

/* A link at `path` to the directory `target`, both from the top of the tree, spelled with ".." as sysfs does. */
static void link_to(const char *path, const char *target)
{
	struct text t = TEXT_INIT;
	size_t common = 0;

	for (size_t i = 0; path[i] && path[i] == target[i]; i++)
		if (path[i] == '/')
			common = i + 1;
	for (const char *c = path + common; *c; c++)
		if (*c == '/')
			text_add(&t, "../");
	text_add(&t, target + common);
	make_link(path, text_str(&t));
	text_release(&t);
}

static const char *path_in(struct text *t, const char *directory, const char *name)
{
	text_clear(t);
	text_addf(t, "%s%s%s", directory, *directory ? "/" : "", name);
	return text_str(t);
}
static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void remove_tree(const char *path)
{
	if (nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) && errno != ENOENT)
		fail_path(path);
}

/* "PATH REST": the path into t, the rest returned. */
static const char *split(struct text *t, const char *s)
{
	size_t len = strcspn(s, " \t");

	text_clear(t);
	text_add_n(t, s, len);
	return s + len + strspn(s + len, " \t");
}

/* --- directives that write below a device, or below the tree --- */

typedef void (*put_fn)(struct fixture *f, const struct item *item, const struct directive *d, const char *path,
		       const char *rest);

static void put_file(struct fixture *f, const struct item *item, const struct directive *d, const char *path,
		     const char *rest)
{
	struct text t = TEXT_INIT;

	(void)item;
	expand(f, &t, rest, d->number);
	write_bytes(path, text_str(&t), t.len);
	text_release(&t);
}

static void put_fifo(struct fixture *f, const struct item *item, const struct directive *d, const char *path,
		     const char *rest)
{
	(void)f;
	(void)item;
	(void)d;
	(void)rest;
	make_parents(path);
	remove_tree(path);
	if (mkfifo(path, 0644))
		fail_path(path);
}

static void put_link(struct fixture *f, const struct item *item, const struct directive *d, const char *path,
		     const char *rest)
{
	(void)item;
	if (!*rest)
		fail(f, d->number, "a link needs a target");
	make_link(path, rest);
}

static void put_directory(struct fixture *f, const struct item *item, const struct directive *d, const char *path,
			  const char *rest)
{
	(void)f;
	(void)item;
	(void)d;
	(void)rest;
	make_directory(path);
}

static void put_nothing(struct fixture *f, const struct item *item, const struct directive *d, const char *path,
			const char *rest)
{
	(void)f;
	(void)item;
	(void)d;
	(void)rest;
	remove_tree(path);
}

/* dm NAME [UUID] */
static void put_dm(struct fixture *f, const struct item *item, const struct directive *d, const char *path,
		   const char *rest)
{
	struct text t = TEXT_INIT, name = TEXT_INIT;

	(void)path;
	split(&name, d->rest);
	put_file(f, item, d, path_in(&t, item->directory, "dm/name"), text_str(&name));
	put_file(f, item, d, path_in(&t, item->directory, "dm/uuid"), rest);
	text_release(&name);
	text_release(&t);
}

static void put_over_one(struct fixture *f, const struct item *item, const struct directive *d, const char *name)
{
	const struct item *lower = find_item(f, name);
	struct text t = TEXT_INIT;

	if (!lower)
		fail(f, d->number, "%s: no such device", name);
	path_in(&t, item->directory, "slaves/");
	text_add(&t, lower->sysname);
	link_to(text_str(&t), lower->directory);
	if (!in_force(f, lower, "gone") && !in_force(f, lower, "nosys")) {
		path_in(&t, lower->directory, "holders/");
		text_add(&t, item->sysname);
		link_to(text_str(&t), item->directory);
	}
	text_release(&t);
}

/* over LOWER…: slaves here, holders there */
static void put_over(struct fixture *f, const struct item *item, const struct directive *d, const char *path,
		     const char *rest)
{
	char *copy = xstrdup(d->rest), *s = copy;

	(void)path;
	(void)rest;
	for (char *name; (name = word(&s));)
		put_over_one(f, item, d, name);
	free(copy);
}

static const struct {
	const char *verb;
	put_fn put;
} writers[] = {
	{ "attr", put_file }, { "file", put_file }, { "fifo", put_fifo }, { "link", put_link },
	{ "dir", put_directory },
	{ "drop", put_nothing }, { "without", put_nothing }, { "dm", put_dm }, { "over", put_over },
};

static void put_directives(struct fixture *f, const struct item *item)
{
	struct text first = TEXT_INIT, path = TEXT_INIT;

	for (size_t i = 0; i < item->n; i++) {
		const struct directive *d = &item->v[i];

		if (f->step < d->from || f->step > d->to)
			continue;
		for (size_t w = 0; w < ARRAY_SIZE(writers); w++)
			if (!strcmp(writers[w].verb, d->verb)) {
				const char *rest = split(&first, d->rest);

				writers[w].put(f, item, d, path_in(&path, item->directory, text_str(&first)), rest);
			}
	}
	text_release(&first);
	text_release(&path);
}

/* --- a device in sysfs --- */

static void find_directory(struct fixture *f, struct item *item)
{
	const struct directive *in = in_force(f, item, "in");
	const struct item *parent = item->parent ? find_item(f, item->parent) : NULL;
	struct text t = TEXT_INIT;

	if ((item->kind->groups & G_PART) && (!parent || !parent->directory))
		fail(f, item->number, "%s: its disk must come first", item->name);
	if (in)
		text_addf(&t, "%s/%s", in->rest, item->sysname);
	else if (item->kind->groups & G_PART)
		text_addf(&t, "%s/%s", parent->directory, item->sysname);
	else
		add_pattern(f, &t, item, item->kind->directory);
	free(item->directory);
	item->directory = xstrdup(text_str(&t));
	text_release(&t);
}

static void put_value(const struct item *item, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static void put_value(const struct item *item, const char *name, const char *format, ...)
{
	struct text path = TEXT_INIT;
	char buf[256];
	va_list ap;
	int len;

	va_start(ap, format);
	len = vsnprintf(buf, sizeof(buf), format, ap);
	va_end(ap);
	write_bytes(path_in(&path, item->directory, name), buf, len < 0 ? 0 : strnlen(buf, sizeof(buf)));
	text_release(&path);
}

static void put_class_links(const struct item *item)
{
	bool part = item->kind->groups & G_PART;
	struct text path = TEXT_INIT;

	text_addf(&path, "sys/class/block/%s", item->sysname);
	link_to(text_str(&path), item->directory);
	text_clear(&path);
	text_addf(&path, "sys/block/%s", item->sysname);
	if (!part)
		link_to(text_str(&path), item->directory);
	text_clear(&path);
	text_addf(&path, "sys/dev/block/%u:%u", item->major, item->minor);
	if (item->major || item->minor)
		link_to(text_str(&path), item->directory);
	text_release(&path);
}

/* The controller's and the subsystem's links, by which heads and paths find each other. */
static void put_nvme_links(struct fixture *f, const struct item *item)
{
	struct text path = TEXT_INIT, target = TEXT_INIT;

	if (item->kind->groups & G_NVME) {
		add_pattern(f, &target, item, "sys/devices/pci0000:00/0000:00:%b.0/nvme/nvme%c");
		add_pattern(f, &path, item, "sys/class/nvme/nvme%c");
		link_to(text_str(&path), text_str(&target));
		text_clear(&path);
		add_pattern(f, &path, item, "sys/devices/virtual/nvme-subsystem/nvme-subsys%s/nvme%c");
		link_to(text_str(&path), text_str(&target));
	}
	text_clear(&path);
	text_clear(&target);
	add_pattern(f, &target, item, "sys/devices/virtual/nvme-subsystem/nvme-subsys%s");
	add_pattern(f, &path, item, "sys/class/nvme-subsystem/nvme-subsys%s");
	link_to(text_str(&path), text_str(&target));
	text_release(&path);
	text_release(&target);
}

/* The scheduler's own directory is there with the scheduler only. */
static unsigned int groups_of(const struct fixture *f, const struct item *item)
{
	const char *scheduler = item->kind->scheduler ? item->kind->scheduler : "";
	struct text path = TEXT_INIT;

	for (size_t i = 0; i < item->n; i++) {
		const struct directive *d = &item->v[i];
		const char *value = split(&path, d->rest);

		if (!strcmp(d->verb, "attr") && f->step >= d->from && f->step <= d->to &&
		    !strcmp(text_str(&path), "queue/scheduler"))
			scheduler = value;
	}
	text_release(&path);
	return item->kind->groups | (strstr(scheduler, "[mq-deadline]") ? G_DEADLINE : 0);
}

static void put_presets(struct fixture *f, const struct item *item)
{
	unsigned int groups = groups_of(f, item);
	struct text value = TEXT_INIT;

	for (size_t i = 0; preset_at(i); i++) {
		const struct preset *p = preset_at(i);

		if ((p->groups & groups) != p->groups)
			continue;
		text_clear(&value);
		add_pattern(f, &value, item, p->value);
		put_value(item, p->path, "%s\n", text_str(&value));
	}
	if (item->kind->scheduler) {
		put_value(item, "queue/scheduler", "%s\n", item->kind->scheduler);
		put_value(item, "queue/nr_requests", "%s\n", item->kind->nr_requests);
	}
	text_release(&value);
}

static void put_shape(struct fixture *f, const struct item *item)
{
	bool part = item->kind->groups & G_PART;
	struct text path = TEXT_INIT, target = TEXT_INIT;

	make_directory(path_in(&path, item->directory, "holders"));
	if (!part)
		make_directory(path_in(&path, item->directory, "slaves"));
	link_to(path_in(&path, item->directory, "subsystem"), "sys/class/block");
	if (item->kind->device) {
		add_pattern(f, &target, item, item->kind->device);
		make_link(path_in(&path, item->directory, "device"), text_str(&target));
	}
	put_value(item, "uevent", "MAJOR=%u\nMINOR=%u\nDEVNAME=%s\nDEVTYPE=%s\n", item->major, item->minor, item->name,
		  part ? "partition" : "disk");
	text_release(&path);
	text_release(&target);
}

static const char *trailing_number(const char *name)
{
	const char *c = name + strlen(name);

	while (c > name && c[-1] >= '0' && c[-1] <= '9')
		c--;
	return *c ? c : "1";
}

static void put_device(struct fixture *f, const struct item *item)
{
	bool part = item->kind->groups & G_PART, hidden = item->kind->groups & G_HIDDEN;

	make_directory(item->directory);
	put_class_links(item);
	if (!hidden)
		put_value(item, "dev", "%u:%u\n", item->major, item->minor);
	if (part)
		put_value(item, "partition", "%s\n", trailing_number(item->name));
	else
		put_value(item, "diskseq", "%u\n", item->ordinal);
	if (in_force(f, item, "bare")) {
		put_value(item, "size", "2097152\n");
	} else {
		put_shape(f, item);
		if (!part)
			put_value(item, "hidden", "%d\n", hidden);
		if (item->kind->groups & (G_NVME | G_HEAD))
			put_nvme_links(f, item);
		put_presets(f, item);
	}
	put_directives(f, item);
}

/* --- a whole tree --- */

static void add_mounts(struct fixture *f, const struct item *item)
{
	const struct directive *mount = in_force(f, item, "mount");

	if (mount)
		text_addf(&f->mountinfo, "%u 1 %u:%u / %s rw,relatime shared:1 - xfs /dev/%s rw\n", item->ordinal + 20,
			  item->major, item->minor, mount->rest, item->name);
	if (in_force(f, item, "swap"))
		text_addf(&f->swaps, "/dev/%s%*spartition\t1048572\t0\t-2\n", item->name,
			  (int)(strlen(item->name) < 34 ? 35 - strlen(item->name) : 1), "");
}

static void add_item_to_tree(struct fixture *f, struct item *item)
{
	const struct directive *raw = in_force(f, item, "raw");

	if (raw)
		expand(f, &f->diskstats, raw->rest, raw->number);
	if (!item->kind)
		return;
	step_counters(f, item);
	if (in_force(f, item, "gone"))
		return;
	if (!in_force(f, item, "nosys"))
		put_device(f, item);
	if (!in_force(f, item, "nostat"))
		add_counters(&f->diskstats, item);
	add_mounts(f, item);
}

static void put_proc(struct fixture *f)
{
	unsigned int last = f->n_uptimes - 1, more = f->step > f->n_uptimes ? f->step - f->n_uptimes : 0;
	double by = last ? f->uptime[last] - f->uptime[last - 1] : 1;
	double up = more ? f->uptime[last] + by * more : f->uptime[f->step - 1];
	struct text t = TEXT_INIT;

	text_addf(&t, "%.2f %.2f\n", up, up * 2);
	write_bytes("proc/uptime", text_str(&t), t.len);
	write_bytes("proc/diskstats", text_str(&f->diskstats), f->diskstats.len);
	write_bytes("proc/self/mountinfo", text_str(&f->mountinfo), f->mountinfo.len);
	write_bytes("proc/swaps", text_str(&f->swaps), f->swaps.len);
	write_bytes("proc/sys/kernel/arch", "x86_64\n", 7);
	write_bytes("proc/sys/kernel/osrelease", "6.12.0-test\n", 12);
	write_bytes("proc/sys/kernel/hostname", "lab\n", 4);
	make_directory("sys/block");
	make_directory("sys/class/block");
	text_release(&t);
}

static void put_tree(struct fixture *f)
{
	text_clear(&f->diskstats);
	text_clear(&f->mountinfo);
	text_clear(&f->swaps);
	text_add(&f->swaps, "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n");
	for (size_t i = 1; i < f->n; i++)
		if (f->items[i].kind)
			find_directory(f, &f->items[i]);
	for (size_t i = 1; i < f->n; i++)
		add_item_to_tree(f, &f->items[i]);
	put_proc(f);
	put_directives(f, &f->items[0]);
}

static void release_fixture(struct fixture *f)
{
	for (size_t i = 0; i < f->n; i++) {
		struct item *item = &f->items[i];

		for (size_t d = 0; d < item->n; d++) {
			free(item->v[d].verb);
			free(item->v[d].rest);
		}
		free(item->v);
		free(item->name);
		free(item->sysname);
		free(item->parent);
		free(item->directory);
	}
	for (size_t i = 0; i < f->n_lines; i++)
		free(f->lines[i].text);
	free(f->lines);
	free(f->items);
	text_release(&f->diskstats);
	text_release(&f->mountinfo);
	text_release(&f->swaps);
}

int main(int argc, char **argv)
{
	struct fixture f = { .steps = 1 };
	struct text dir = TEXT_INIT;
	int home = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (argc != 3 || home < 0) {
		fputs("usage: mktree FIXTURE DIR\n", stderr);
		return 2;
	}
	f.path = argv[1];
	read_fixture(&f);
	for (f.step = 1; f.step <= f.steps; f.step++) {
		text_clear(&dir);
		text_addf(&dir, "%s/%u", argv[2], f.step);
		remove_tree(text_str(&dir));
		make_directory(text_str(&dir));
		if (chdir(text_str(&dir)))
			fail_path(text_str(&dir));
		put_tree(&f);
		if (fchdir(home))
			fail_path(".");
		printf("%s--root %s", f.step > 1 ? " " : "", text_str(&dir));
	}
	putchar('\n');
	close(home);
	text_release(&dir);
	release_fixture(&f);
	return 0;
}
