/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/na.h"

static const char *const texts[NA_COUNT] = {
	[NA_NONE] = "",
	[NA_NO_IO] = "no I/O",
	[NA_NOTHING] = "nothing issued or merged",
	[NA_IDLE] = "idle",
	[NA_NO_FIELD] = "no such field",
	[NA_NO_SECTORS] = "no sectors in the source",
	[NA_NOT_ACCOUNTED] = "time not accounted",
	[NA_RESOLUTION] = "below the clock's resolution",
	[NA_IOSTATS_OFF] = "queue/iostats is 0",
	[NA_FIRST] = "first sample",
	[NA_NEW] = "new device",
	[NA_GONE] = "device gone",
	[NA_RESET] = "counters reset",
	[NA_STEPPED_BACK] = "counter stepped back",
	[NA_SHARED] = "shared lower device",
	[NA_NO_LOWER] = "no lower device",
	[NA_SYSTEM] = "not available on this system",
	[NA_ERA] = "the kernels account time differently",
	[NA_PSI_OFF] = "psi is off",
};

const char *na_text(enum na why)
{
	return (unsigned int)why < NA_COUNT ? texts[why] : "not available";
}
