/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "base/map.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* An empty cell has no key; a removed one has none either, but this value, so that probing goes on past it. */
#define GRAVE (MAP_NONE - 1)

/* FNV-1a, 32 bits */
static uint32_t hash_of(const char *key, size_t len)
{
	uint32_t hash = 2166136261U;

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)key[i]) * 16777619U;
	return hash;
}

static bool is_key(const struct map_cell *cell, uint32_t hash, const char *key, size_t len)
{
	return cell->key && cell->hash == hash && !strncmp(cell->key, key, len) && !cell->key[len];
}

static struct map_cell *find(const struct map *m, uint32_t hash, const char *key, size_t len)
{
	for (size_t i = 0; i < m->size; i++) {
		struct map_cell *cell = &m->cells[(hash + i) & (m->size - 1)];

		if (is_key(cell, hash, key, len))
			return cell;
		if (!cell->key && cell->value != GRAVE)
			return NULL;
	}
	return NULL;
}

static void put(struct map *m, struct map_cell moved)
{
	size_t at = moved.hash & (m->size - 1);

	while (m->cells[at].key)
		at = (at + 1) & (m->size - 1);
	if (m->cells[at].value != GRAVE)
		m->filled++;
	m->cells[at] = moved;
	m->used++;
}

static void resize(struct map *m)
{
	struct map old = *m;

	m->size = 16;
	while (m->size < old.used * 3)
		m->size *= 2;
	m->cells = xcalloc(m->size, sizeof(*m->cells));
	m->used = m->filled = 0;
	for (size_t i = 0; i < old.size; i++) {
		if (old.cells[i].key)
			put(m, old.cells[i]);
	}
	free(old.cells);
}

void map_clear(struct map *m)
{
	for (size_t i = 0; i < m->size; i++)
		free(m->cells[i].key);
	if (m->size)
		memset(m->cells, 0, m->size * sizeof(*m->cells));
	m->used = m->filled = 0;
}

void map_release(struct map *m)
{
	map_clear(m);
	free(m->cells);
	*m = (struct map)MAP_INIT;
}

uint32_t map_get(const struct map *m, const char *key, size_t len)
{
	const struct map_cell *cell = find(m, hash_of(key, len), key, len);

	return cell ? cell->value : MAP_NONE;
}

void map_set(struct map *m, const char *key, size_t len, uint32_t value)
{
	uint32_t hash = hash_of(key, len);
	struct map_cell *cell = find(m, hash, key, len);

	if (cell) {
		cell->value = value;
		return;
	}
	if ((m->filled + 1) * 3 > m->size * 2)
		resize(m);
	put(m, (struct map_cell){ .key = xstrndup(key, len), .hash = hash, .value = value });
}

void map_remove(struct map *m, const char *key, size_t len)
{
	struct map_cell *cell = find(m, hash_of(key, len), key, len);

	if (!cell)
		return;
	free(cell->key);
	*cell = (struct map_cell){ .value = GRAVE };
	m->used--;
}
