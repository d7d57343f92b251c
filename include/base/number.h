/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading numbers from text that may hold anything. Nothing but the number may stand there; no locale. */
#ifndef IODELTA_BASE_NUMBER_H
#define IODELTA_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* A whole decimal number without sign. False when it is none, or too large. */
bool number_u64(const char *s, uint64_t *value) __attribute__((nonnull, warn_unused_result));

/* A whole number as the kernel writes flags and counters in hexadecimal: "0x1f". */
bool number_hex(const char *s, uint64_t *value) __attribute__((nonnull, warn_unused_result));

/* A whole number with or without sign, decimal or hexadecimal (0x10), as the kernel takes it. */
bool number_i64(const char *s, int64_t *value) __attribute__((nonnull, warn_unused_result));

/* A finite decimal number such as 0.5, -3 or 1e3, always with a point. False when it is none. */
bool number_double(const char *s, double *value) __attribute__((nonnull, warn_unused_result));

#endif
