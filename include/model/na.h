/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a value is not available. A value that cannot be known is never 0: it is one of these. */
#ifndef IODELTA_MODEL_NA_H
#define IODELTA_MODEL_NA_H

enum na {
	NA_NONE = 0,            /* the value is there */
	NA_NO_IO,               /* no such I/O in the interval */
	NA_NOTHING,             /* nothing issued or merged */
	NA_IDLE,                /* the device did nothing, so a depth while busy has no meaning */
	NA_NO_FIELD,            /* the kernel has no such field for this device */
	NA_NO_SECTORS,          /* the source counts no sectors */
	NA_NOT_ACCOUNTED,       /* this kernel does not account time for this device */
	NA_RESOLUTION,          /* too little I/O yet for a clock of a millisecond */
	NA_IOSTATS_OFF,         /* queue/iostats is 0 */
	NA_FIRST,               /* the first sample */
	NA_NEW,                 /* the device, or another one under its name, has come in this interval */
	NA_GONE,                /* the device is not there any more */
	NA_RESET,               /* the counters were reset */
	NA_STEPPED_BACK,        /* the counter stepped back by a little */
	NA_SHARED,              /* a lower device is used from elsewhere too */
	NA_NO_LOWER,            /* nothing below, or the lower devices have no value */
	NA_SYSTEM,              /* the system has no such number (no file, no libproc2, another root) */
	NA_ERA,                 /* the two kernels account time differently */
	NA_PSI_OFF,             /* pressure stall information is off */
	NA_COUNT
};

/* The reason in words, as in JSON's "na". */
const char *na_text(enum na why);

#endif
