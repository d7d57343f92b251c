/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/device.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "model/counters.h"

static const struct {
	const char *name, *word;
} kinds[KINDS] = {
	[KIND_UNKNOWN] = { "unknown", "" },
	[KIND_DISK] = { "disk", "disk" },
	[KIND_PARTITION] = { "partition", "part" },
	[KIND_MULTIPATH] = { "multipath", "mpath" },
	[KIND_LVM] = { "lvm", "lvm" },
	[KIND_CRYPT] = { "crypt", "crypt" },
	[KIND_DM] = { "dm", "dm" },
	[KIND_MD] = { "md", "md" },
	[KIND_BCACHE] = { "bcache", "bcache" },
	[KIND_LOOP] = { "loop", "loop" },
	[KIND_ZRAM] = { "zram", "zram" },
	[KIND_RAM] = { "ram", "ram" },
	[KIND_NBD] = { "nbd", "nbd" },
	[KIND_RBD] = { "rbd", "rbd" },
	[KIND_CDROM] = { "cdrom", "cdrom" },
	[KIND_FLOPPY] = { "floppy", "floppy" },
	[KIND_NVME_HEAD] = { "nvme-head", "nvme" },
	[KIND_NVME_PATH] = { "nvme-path", "path" },
};

#define TEXT_MEMBER(member) { #member, offsetof(struct device, member) }

const struct device_text device_texts[] = {
	TEXT_MEMBER(name), TEXT_MEMBER(parent), TEXT_MEMBER(sysfs), TEXT_MEMBER(dm_name), TEXT_MEMBER(uuid),
	TEXT_MEMBER(md_level), TEXT_MEMBER(backing_file), TEXT_MEMBER(mount), TEXT_MEMBER(vendor),
	TEXT_MEMBER(model), TEXT_MEMBER(serial), TEXT_MEMBER(wwid), TEXT_MEMBER(place), TEXT_MEMBER(partuuid),
};
const size_t device_texts_n = ARRAY_SIZE(device_texts);

const char *device_kind_name(enum device_kind kind)
{
	return kinds[(unsigned int)kind < KINDS ? kind : KIND_UNKNOWN].name;
}

const char *device_kind_short(enum device_kind kind)
{
	return kinds[(unsigned int)kind < KINDS ? kind : KIND_UNKNOWN].word;
}

/* What follows `prefix` and at least one digit after it, NULL when the name is not of that form. */
static const char *after_number(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);

	if (strncmp(name, prefix, len) || !isdigit((unsigned char)name[len]))
		return NULL;
	return name + len + strspn(name + len, "0123456789");
}

static bool is_nvme_path_name(const char *name)
{
	const char *rest = after_number(name, "nvme");

	rest = rest ? after_number(rest, "c") : NULL;
	rest = rest ? after_number(rest, "n") : NULL;
	return rest && !*rest;
}

/* Disks whose name ends in a digit put a p before a partition's number; the others end in a letter. */
static bool is_partition_name(const char *name)
{
	static const char *const lettered[] = { "sd", "hd", "vd", "xvd" };
	size_t len = strlen(name);
	size_t digits = len;

	while (digits && isdigit((unsigned char)name[digits - 1]))
		digits--;
	if (digits == len)
		return false;
	if (digits > 1 && name[digits - 1] == 'p' && isdigit((unsigned char)name[digits - 2]))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(lettered); i++) {
		size_t prefix = strlen(lettered[i]);

		if (strncmp(name, lettered[i], prefix) || digits == prefix)
			continue;
		if (prefix + strspn(name + prefix, "abcdefghijklmnopqrstuvwxyz") == digits)
			return true;
	}
	return false;
}

enum device_kind device_kind_by_name(const char *name)
{
	static const struct {
		const char *prefix;
		enum device_kind kind;
	} by_prefix[] = {
		{ "dm-", KIND_DM }, { "md", KIND_MD }, { "bcache", KIND_BCACHE }, { "loop", KIND_LOOP },
		{ "zram", KIND_ZRAM }, { "ram", KIND_RAM }, { "nbd", KIND_NBD }, { "rbd", KIND_RBD },
		{ "sr", KIND_CDROM }, { "scd", KIND_CDROM }, { "fd", KIND_FLOPPY },
	};

	if (is_nvme_path_name(name))
		return KIND_NVME_PATH;
	if (is_partition_name(name))
		return KIND_PARTITION;
	for (size_t i = 0; i < ARRAY_SIZE(by_prefix); i++) {
		const char *rest = after_number(name, by_prefix[i].prefix);

		if (rest && !*rest)
			return by_prefix[i].kind;
	}
	/* an array that was given a name: /dev/md/NAME is md_NAME */
	return strncmp(name, "md_", 3) ? KIND_DISK : KIND_MD;
}

void names_add(struct names *names, const char *name)
{
	ARRAY_GROW(names->v, names->capacity, names->n + 1);
	names->v[names->n++] = xstrdup(name);
}

void names_release(struct names *names)
{
	for (size_t i = 0; i < names->n; i++)
		free(names->v[i]);
	free(names->v);
	*names = (struct names){ 0 };
}

void device_release(struct device *d)
{
	for (size_t i = 0; i < device_texts_n; i++)
		free(*(char **)((char *)d + device_texts[i].offset));
	names_release(&d->slaves);
	names_release(&d->holders);
	*d = (struct device){ 0 };
}

void topology_release(struct topology *t)
{
	for (size_t i = 0; i < t->n; i++)
		device_release(&t->devices[i]);
	free(t->devices);
	map_release(&t->by_name);
	*t = (struct topology)TOPOLOGY_INIT;
}

struct device *topology_add(struct topology *t, const char *name)
{
	size_t len = strlen(name);
	uint32_t at = map_get(&t->by_name, name, len);

	if (at != MAP_NONE)
		return &t->devices[at];
	ARRAY_GROW(t->devices, t->capacity, t->n + 1);
	t->devices[t->n] = (struct device){ .name = xstrdup(name) };
	map_set(&t->by_name, name, len, (uint32_t)t->n);
	return &t->devices[t->n++];
}

const struct device *topology_find(const struct topology *t, const char *name)
{
	uint32_t at = name ? map_get(&t->by_name, name, strlen(name)) : MAP_NONE;

	return at == MAP_NONE ? NULL : &t->devices[at];
}

static struct device *find(struct topology *t, const char *name)
{
	uint32_t at = map_get(&t->by_name, name, strlen(name));

	return at == MAP_NONE ? NULL : &t->devices[at];
}

/* Keep the names of devices that are there, each once, and not the device's own. */
static void prune(const struct topology *t, const struct device *d, struct names *names)
{
	struct map seen = MAP_INIT;
	size_t kept = 0;

	for (size_t i = 0; i < names->n; i++) {
		char *name = names->v[i];
		size_t len = strlen(name);

		if (!topology_find(t, name) || !strcmp(name, d->name) || map_get(&seen, name, len) != MAP_NONE) {
			free(name);
			continue;
		}
		map_set(&seen, name, len, 0);
		names->v[kept++] = name;
	}
	names->n = kept;
	map_release(&seen);
}

/* Tell the other end of every edge of `d`. Doubles are dropped afterwards, all at once. */
static void complete(struct topology *t, const struct device *d)
{
	for (size_t i = 0; i < d->slaves.n; i++) {
		struct device *lower = find(t, d->slaves.v[i]);

		if (lower && lower != d)
			names_add(&lower->holders, d->name);
	}
}

static void complete_back(struct topology *t, const struct device *d, const struct names *holders)
{
	for (size_t i = 0; i < holders->n; i++) {
		struct device *upper = find(t, holders->v[i]);

		if (upper && upper != d)
			names_add(&upper->slaves, d->name);
	}
}

static void link_parent(const struct topology *t, struct device *d)
{
	if (d->parent && (!topology_find(t, d->parent) || !strcmp(d->parent, d->name))) {
		free(d->parent);
		d->parent = NULL;
	}
}

/* A namespace that has hidden paths is a head, also in trees where its directory does not tell. */
static void link_head(const struct topology *t, struct device *d)
{
	for (size_t i = 0; d->kind == KIND_DISK && i < d->slaves.n; i++) {
		const struct device *lower = topology_find(t, d->slaves.v[i]);

		if (lower && lower->kind == KIND_NVME_PATH)
			d->kind = KIND_NVME_HEAD;
	}
}

void topology_link(struct topology *t)
{
	for (size_t i = 0; i < t->n; i++) {
		link_parent(t, &t->devices[i]);
		prune(t, &t->devices[i], &t->devices[i].slaves);
		prune(t, &t->devices[i], &t->devices[i].holders);
	}
	for (size_t i = 0; i < t->n; i++) {
		if (t->devices[i].kind == KIND_NVME_PATH && t->devices[i].parent)
			names_add(&t->devices[i].holders, t->devices[i].parent);
		complete_back(t, &t->devices[i], &t->devices[i].holders);
	}
	for (size_t i = 0; i < t->n; i++) {
		prune(t, &t->devices[i], &t->devices[i].slaves);
		complete(t, &t->devices[i]);
	}
	for (size_t i = 0; i < t->n; i++) {
		prune(t, &t->devices[i], &t->devices[i].holders);
		link_head(t, &t->devices[i]);
	}
}

const struct device *topology_disk(const struct topology *t, const struct device *d)
{
	const struct device *disk = d->kind == KIND_PARTITION ? topology_find(t, d->parent) : NULL;

	return disk ? disk : d;
}

static bool is_dm(const struct device *d)
{
	return d->kind == KIND_MULTIPATH || d->kind == KIND_LVM || d->kind == KIND_CRYPT || d->kind == KIND_DM;
}

uint32_t topology_missing_fields(const struct topology *t, const struct device *d)
{
	/* without a look at sysfs a missing mq/ directory says nothing */
	if (d->kind == KIND_PARTITION || (d->sysfs && !d->has_mq))
		return FIELDS_FLUSH;
	for (size_t i = 0; i < d->holders.n; i++) {
		const struct device *upper = topology_find(t, d->holders.v[i]);

		if (upper && is_dm(upper) && upper->has_mq)
			return FIELDS_FLUSH;
	}
	return 0;
}

/* "VG/LV" as device-mapper names it: "VG-LV", with each '-' of the two names doubled. */
static void lvm_name(struct text *out, const char *word)
{
	bool first = true;

	for (; *word; word++) {
		if (*word == '-')
			text_add(out, "--");
		else if (*word == '/' && first)
			text_add_char(out, '-');
		else
			text_add_char(out, *word);
		first = first && *word != '/';
	}
}

struct word {
	const char *kernel;     /* compared with kernel names; NULL: with none */
	const char *dm;
	struct text lvm;        /* compared with dm names, "" with none */
};

static void word_of(struct word *w, const char *s)
{
	*w = (struct word){ .kernel = s, .dm = s, .lvm = TEXT_INIT };
	if (strncmp(s, "/dev/", 5))
		return;
	s += 5;
	if (!strncmp(s, "mapper/", 7)) {
		w->kernel = NULL;
		w->dm = s + 7;
		return;
	}
	w->kernel = s;
	w->dm = NULL;
	if (strchr(s, '/'))
		lvm_name(&w->lvm, s);
}

static int compare_exactly(const char *pattern, const char *name, int flags)
{
	(void)flags;    /* the signature is fnmatch's */
	return strcmp(pattern, name);
}

static bool word_names(const struct word *w, const struct device *d,
		       int (*compare)(const char *pattern, const char *name, int flags))
{
	if (w->kernel && !compare(w->kernel, d->name, 0))
		return true;
	if (!d->dm_name)
		return false;
	return (w->dm && !compare(w->dm, d->dm_name, 0)) || (w->lvm.len && !compare(w->lvm.buf, d->dm_name, 0));
}

size_t topology_match(const struct topology *t, const char *word, bool *hit)
{
	int (*const compare[])(const char *pattern, const char *name, int flags) = { compare_exactly, fnmatch };
	struct word w;
	size_t found = 0;

	word_of(&w, word);
	/* a name that is spelled out wins over what it means as a glob */
	for (size_t way = 0; way < ARRAY_SIZE(compare) && !found; way++) {
		for (size_t i = 0; i < t->n; i++) {
			if (!word_names(&w, &t->devices[i], compare[way]))
				continue;
			hit[i] = true;
			found++;
		}
	}
	text_release(&w.lvm);
	return found;
}

#define NEAR_LEN 63

static size_t least(size_t a, size_t b, size_t c)
{
	size_t smaller = a < b ? a : b;

	return smaller < c ? smaller : c;
}

/* How many letters to insert, remove or replace; names are compared up to NEAR_LEN. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t row[NEAR_LEN + 1];
	size_t n = strnlen(b, NEAR_LEN);

	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 0; i < NEAR_LEN && a[i]; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 1; j <= n; j++) {
			size_t above = row[j];

			row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i] != b[j - 1]));
			diagonal = above;
		}
	}
	return row[n];
}

#define NEAREST 3

struct near {
	const char *name[NEAREST];
	size_t distance[NEAREST];
	size_t n;
};

/* Keep the best few in order; of equals the first one met stays first. */
static void near_offer(struct near *near, const char *name, size_t distance)
{
	size_t at = near->n;

	while (at && near->distance[at - 1] > distance)
		at--;
	if (at == NEAREST)
		return;
	if (near->n < NEAREST)
		near->n++;
	for (size_t i = near->n - 1; i > at; i--) {
		near->name[i] = near->name[i - 1];
		near->distance[i] = near->distance[i - 1];
	}
	near->name[at] = name;
	near->distance[at] = distance;
}

void topology_nearest(const struct topology *t, const char *word, struct text *out)
{
	const char *slash = strrchr(word, '/');
	const char *bare = slash && slash[1] ? slash + 1 : word;
	size_t far = strlen(bare) / 3 + 1;
	struct near near = { .n = 0 };

	for (size_t i = 0; i < t->n; i++) {
		const char *names[] = { t->devices[i].name, t->devices[i].dm_name };

		for (size_t k = 0; k < ARRAY_SIZE(names); k++) {
			size_t distance;

			if (!names[k])
				continue;
			distance = edit_distance(bare, names[k]);

			if (distance <= far)
				near_offer(&near, names[k], distance);
		}
	}
	for (size_t i = 0; i < near.n; i++) {
		text_add(out, i ? ", " : "");
		text_add_safe(out, near.name[i], strlen(near.name[i]));
	}
}

static bool any_marked(const struct topology *t, const struct names *names, const bool *marks)
{
	for (size_t i = 0; i < names->n; i++) {
		const struct device *other = topology_find(t, names->v[i]);

		if (other && marks[other - t->devices])
			return true;
	}
	return false;
}

static bool parent_marked(const struct topology *t, const struct device *d, const bool *marks)
{
	const struct device *parent = topology_find(t, d->parent);

	return parent && marks[parent - t->devices];
}

/* One more layer upwards; true when something was new. */
static bool climb(const struct topology *t, bool *marks)
{
	bool grown = false;

	for (size_t i = 0; i < t->n; i++) {
		const struct device *d = &t->devices[i];
		bool on_marked = any_marked(t, &d->slaves, marks)
			|| (d->kind == KIND_PARTITION && parent_marked(t, d, marks));

		if (!marks[i] && on_marked)
			grown = marks[i] = true;
	}
	return grown;
}

/* One more layer downwards. */
static bool descend(const struct topology *t, bool *marks)
{
	bool grown = false;

	for (size_t i = 0; i < t->n; i++) {
		if (!marks[i] && any_marked(t, &t->devices[i].holders, marks))
			grown = marks[i] = true;
	}
	for (size_t i = 0; i < t->n; i++) {
		const struct device *disk = topology_disk(t, &t->devices[i]);

		if (marks[i] && !marks[disk - t->devices])
			grown = marks[disk - t->devices] = true;
	}
	return grown;
}

void topology_widen(const struct topology *t, bool *hit)
{
	bool *up = xcalloc(t->n, sizeof(*up));
	bool *down = xcalloc(t->n, sizeof(*down));

	if (t->n) {
		memcpy(up, hit, t->n * sizeof(*up));
		memcpy(down, hit, t->n * sizeof(*down));
	}
	while (climb(t, up))
		;
	while (descend(t, down))
		;
	for (size_t i = 0; i < t->n; i++)
		hit[i] = up[i] || down[i];
	free(up);
	free(down);
}
