/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/live.h"

#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/msg.h"
#include "kernel/diskstats.h"
#include "kernel/procfs.h"

/* The running system: descriptors stay open. */
struct live {
	struct source source;
	struct diskstats diskstats;
	struct procfs *procfs;
	struct text release, host;
};

/* Trees, one a sample, each opened anew. */
struct trees {
	struct source source;
	const struct root *roots;
	size_t n, next;
	unsigned int rounds_left;
	bool no_clock;          /* said that a tree has no uptime */
	double last_s;          /* the clock of the sample before */
	struct text release, host;
};

static void complain(const struct root *root, const char *path, int error)
{
	struct text about = TEXT_INIT;

	msg_errno(root_message_path(root, path, &about), error);
	text_release(&about);
}

static void name_machine(struct source *source, const struct root *root, struct text *release, struct text *host)
{
	text_clear(release);
	text_clear(host);
	procfs_release_name(root, release);
	procfs_host_name(root, host);
	source->word_bits = procfs_word_bits(root);
	source->release = text_str(release);
	source->host = text_str(host);
}

static int live_read(struct source *source, struct sample *s, bool with_system)
{
	struct live *live = (struct live *)source;
	int error = diskstats_read(&live->diskstats, s);

	if (error)
		return error;
	if (with_system)
		procfs_read(live->procfs, &s->system);
	else
		s->system.has = 0;
	source->uptime_s = (double)(s->t_ns + s->boot_ns) / 1e9;
	return 0;
}

static void live_free(struct source *source)
{
	struct live *live = (struct live *)source;

	diskstats_release(&live->diskstats);
	procfs_free(live->procfs);
	text_release(&live->release);
	text_release(&live->host);
	free(live);
}

static const struct source_ops live_ops = { live_read, live_free };

static struct source *live_new(const struct root *root)
{
	struct live *live = xcalloc(1, sizeof(*live));
	int error = diskstats_open(&live->diskstats, root);

	if (error) {
		complain(root, "proc/diskstats", error);
		free(live);
		return NULL;
	}
	live->procfs = procfs_new(root);
	live->source.ops = &live_ops;
	name_machine(&live->source, root, &live->release, &live->host);
	return &live->source;
}

static int read_tree_counters(const struct root *root, struct sample *s)
{
	struct diskstats file;
	int error = diskstats_open(&file, root);

	if (error)
		return error;
	error = diskstats_read(&file, s);
	diskstats_release(&file);
	return error;
}

/* The tree's clock stands for all three; without one its samples are taken to be a second apart. */
static void stamp(struct trees *trees, const struct root *root, struct sample *s)
{
	double uptime = procfs_uptime(root);

	if (uptime < 0) {
		if (!trees->no_clock)
			complain(root, "proc/uptime", (int)uptime);
		trees->no_clock = true;
		uptime = trees->last_s + 1;
	}
	trees->last_s = uptime;
	s->t_ns = (int64_t)(uptime * 1e9 + 0.5);
	s->wall_ns = s->t_ns;
	s->boot_ns = 0;
	s->read_ns = 0;
	trees->source.uptime_s = uptime;
}

static void read_tree_system(const struct root *root, struct sample *s)
{
	struct procfs *procfs = procfs_new(root);

	procfs_read(procfs, &s->system);
	procfs_free(procfs);
}

static int trees_read(struct source *source, struct sample *s, bool with_system)
{
	struct trees *trees = (struct trees *)source;
	const struct root *root;
	int error;

	source->restarted = trees->next == trees->n && trees->rounds_left > 1;
	if (source->restarted) {
		trees->rounds_left--;
		trees->next = 0;
	}
	if (trees->next == trees->n)
		return -ENODATA;
	root = &trees->roots[trees->next];
	error = read_tree_counters(root, s);
	if (error) {
		complain(root, "proc/diskstats", error);
		return error;
	}
	stamp(trees, root, s);
	s->system.has = 0;
	if (with_system)
		read_tree_system(root, s);
	if (source->root != trees->next)
		name_machine(source, root, &trees->release, &trees->host);
	source->root = (unsigned int)trees->next++;
	return 0;
}

static void trees_free(struct source *source)
{
	struct trees *trees = (struct trees *)source;

	text_release(&trees->release);
	text_release(&trees->host);
	free(trees);
}

static const struct source_ops trees_ops = { trees_read, trees_free };

static struct source *trees_new(const struct root *roots, size_t n, unsigned int rounds)
{
	struct diskstats file;
	struct trees *trees;
	int error = diskstats_open(&file, &roots[0]);

	if (error) {
		complain(&roots[0], "proc/diskstats", error);
		return NULL;
	}
	diskstats_release(&file);
	trees = xcalloc(1, sizeof(*trees));
	trees->source.ops = &trees_ops;
	trees->source.stepped = true;
	trees->roots = roots;
	trees->n = n;
	trees->rounds_left = rounds;
	name_machine(&trees->source, &roots[0], &trees->release, &trees->host);
	return &trees->source;
}

struct source *live_source(const struct root *roots, size_t n, unsigned int rounds)
{
	if (n == 1 && roots[0].system)
		return live_new(&roots[0]);
	return trees_new(roots, n, rounds);
}
