/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A map from strings to 32-bit numbers (a device's name to its slot). The map owns copies of its keys.
 * Lookups do not allocate.
 */
#ifndef IODELTA_BASE_MAP_H
#define IODELTA_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

#define MAP_NONE UINT32_MAX

struct map_cell {
	char *key;
	uint32_t hash;
	uint32_t value;
};

struct map {
	struct map_cell *cells;
	size_t size;    /* a power of two, or 0 */
	size_t used;    /* keys */
	size_t filled;  /* keys and graves */
};

#define MAP_INIT { NULL, 0, 0, 0 }

void map_release(struct map *m) __attribute__((nonnull));
void map_clear(struct map *m) __attribute__((nonnull));

/* The value under the key, or MAP_NONE. */
uint32_t map_get(const struct map *m, const char *key, size_t len) __attribute__((nonnull));
void map_set(struct map *m, const char *key, size_t len, uint32_t value) __attribute__((nonnull));
void map_remove(struct map *m, const char *key, size_t len) __attribute__((nonnull));

#endif
