/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "base/clock.h"

#include <time.h>

static int64_t read_clock(clockid_t id)
{
	struct timespec now;

	if (clock_gettime(id, &now) < 0)
		return 0;
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t clock_mono_ns(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

int64_t clock_boot_ns(void)
{
	return read_clock(CLOCK_BOOTTIME);
}

int64_t clock_wall_ns(void)
{
	return read_clock(CLOCK_REALTIME);
}
