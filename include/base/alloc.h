/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocation that does not fail: running out of memory ends the program with a message, nothing else does.
 * What these return is released with free(3).
 */
#ifndef IODELTA_BASE_ALLOC_H
#define IODELTA_BASE_ALLOC_H

#include <stddef.h>

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull, warn_unused_result));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull, warn_unused_result));
void *xreallocarray(void *old, size_t count, size_t size) __attribute__((returns_nonnull, warn_unused_result));
char *xstrdup(const char *s) __attribute__((malloc, nonnull, returns_nonnull, warn_unused_result));
char *xstrndup(const char *s, size_t len) __attribute__((malloc, nonnull, returns_nonnull, warn_unused_result));

/* The capacity to allocate so that `need` elements fit and growth stays amortised. */
size_t grown_capacity(size_t capacity, size_t need);

/* Make room for `need` elements in `array`, whose capacity is kept in `capacity`; new elements are not initialised. */
#define ARRAY_GROW(array, capacity, need)                                                       \
	do {                                                                                    \
		if ((need) > (capacity)) {                                                      \
			(capacity) = (__typeof__(capacity))grown_capacity((capacity), (need));  \
			(array) = xreallocarray((array), (capacity), sizeof(*(array)));         \
		}                                                                               \
	} while (0)

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
