/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libproc2: paging and dirty memory. The only file that includes <libproc2/…>; without libproc2 procps_new returns
 * NULL, which the other two accept.
 */
#ifndef IODELTA_KERNEL_PROCPS_H
#define IODELTA_KERNEL_PROCPS_H

#include "model/system.h"

struct procps;

struct procps *procps_new(void);
void procps_free(struct procps *p);
/* Adds SYS_PAGING and SYS_DIRTY to s->has when they could be read. */
void procps_read(struct procps *p, struct system_counters *s) __attribute__((nonnull(2)));

#endif
