/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The three clocks, in nanoseconds. Monotonic stops during suspend, boot does not, wall can jump. */
#ifndef IODELTA_BASE_CLOCK_H
#define IODELTA_BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

int64_t clock_mono_ns(void);
int64_t clock_boot_ns(void);
int64_t clock_wall_ns(void);

#endif
