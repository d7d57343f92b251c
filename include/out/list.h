/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two forms of `list` share. */
#ifndef IODELTA_OUT_LIST_H
#define IODELTA_OUT_LIST_H

#include "out/output.h"

/* What does not answer for a device: the first such request that names `what` (NULL: any), or NULL. */
const struct pending *list_pending(struct engine *e, const char *device, const char *what)
	__attribute__((nonnull(1, 2)));

/* A size as 931.5G, in units of 1024. */
void list_size(struct text *out, uint64_t sectors) __attribute__((nonnull));

#endif
