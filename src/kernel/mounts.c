/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/mounts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"

/* Where something is mounted or swapped on, under "8:1" and under the name of the node it was mounted from. */
struct mounts {
	struct map by_key;
	char **places;
	size_t n, capacity;
};

/* The kernel writes blanks and the like in these files as \040: put the bytes back, in place. */
static void unescape(char *s)
{
	char *to = s;

	while (*s) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' && s[3] >= '0'
		    && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

static void remember(struct mounts *m, const char *key, uint32_t place)
{
	/* the first place counts: later ones are bind mounts and the like */
	if (*key && map_get(&m->by_key, key, strlen(key)) == MAP_NONE)
		map_set(&m->by_key, key, strlen(key), place);
}

static uint32_t add_place(struct mounts *m, const char *place)
{
	ARRAY_GROW(m->places, m->capacity, m->n + 1);
	m->places[m->n] = xstrdup(place);
	return (uint32_t)m->n++;
}

/* A node's path as a key: "/dev/sda1" and "/dev/mapper/home" without "/dev/"; "" for what is no node. */
static const char *node_key(const char *path)
{
	return strncmp(path, "/dev/", 5) ? "" : path + 5;
}

#define MOUNT_WORDS 64

static size_t split_words(char *line, char **words, size_t most)
{
	char *save = NULL;
	size_t n = 0;

	for (char *word = strtok_r(line, " \t", &save); word && n < most; word = strtok_r(NULL, " \t", &save))
		words[n++] = word;
	return n;
}

/* "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue" */
static void mount_line(struct mounts *m, char *line)
{
	char *words[MOUNT_WORDS];
	size_t n = split_words(line, words, MOUNT_WORDS);
	size_t dash = 6;
	uint32_t place;

	while (dash < n && strcmp(words[dash], "-"))
		dash++;
	if (dash + 2 >= n)
		return;
	unescape(words[4]);
	unescape(words[dash + 2]);
	place = add_place(m, words[4]);
	/* "0:NN" is a file system of its own kind (btrfs and others), known by its source only */
	if (strncmp(words[2], "0:", 2))
		remember(m, words[2], place);
	remember(m, node_key(words[dash + 2]), place);
}

/* "/dev/sda2    partition    8388604 0 -2" */
static void swap_line(struct mounts *m, char *line)
{
	char *words[2];

	if (split_words(line, words, 2) < 2 || strcmp(words[1], "partition"))
		return;
	unescape(words[0]);
	remember(m, node_key(words[0]), add_place(m, "[SWAP]"));
}

static void each_line(struct mounts *m, struct text *text, void (*take)(struct mounts *m, char *line))
{
	char *save = NULL;

	if (!text->buf)
		return;
	for (char *line = strtok_r(text->buf, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		take(m, line);
}

struct mounts *mounts_read(const struct root *root)
{
	struct mounts *m = xcalloc(1, sizeof(*m));
	struct text text = TEXT_INIT;

	if (!root_read(root, "proc/self/mountinfo", &text))
		each_line(m, &text, mount_line);
	text_clear(&text);
	if (!root_read(root, "proc/swaps", &text))
		each_line(m, &text, swap_line);
	text_release(&text);
	return m;
}

void mounts_free(struct mounts *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->n; i++)
		free(m->places[i]);
	free(m->places);
	map_release(&m->by_key);
	free(m);
}

static const char *place_of(const struct mounts *m, const char *key)
{
	uint32_t at = map_get(&m->by_key, key, strlen(key));

	return at == MAP_NONE ? NULL : m->places[at];
}

const char *mounts_find(const struct mounts *m, const struct device *d)
{
	char key[300];
	const char *place = NULL;

	if (d->major || d->minor) {
		snprintf(key, sizeof(key), "%u:%u", d->major, d->minor);
		place = place_of(m, key);
	}
	if (!place)
		place = place_of(m, d->name);
	if (!place && d->dm_name) {
		snprintf(key, sizeof(key), "mapper/%s", d->dm_name);
		place = place_of(m, key);
	}
	return place;
}
