/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writing to a descriptor, whole. */
#ifndef IODELTA_BASE_FILE_H
#define IODELTA_BASE_FILE_H

#include "base/text.h"

/* 0, or -errno: then some of it may have been written. */
int file_write(int fd, const struct text *what) __attribute__((nonnull, warn_unused_result));

#endif
