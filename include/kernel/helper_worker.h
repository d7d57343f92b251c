/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A worker: does the jobs that come over its socket, one after the other, and returns when the socket is closed. */
#ifndef IODELTA_KERNEL_HELPER_WORKER_H
#define IODELTA_KERNEL_HELPER_WORKER_H

#include <stdatomic.h>
#include <stdint.h>

#include "kernel/helper.h"

/* `at`: where to store the number of the item that is being read. */
void helper_worker(int socket, const struct root *roots, size_t n, _Atomic uint32_t *at,
		   const struct helper_acts *acts) __attribute__((nonnull(2, 4)));

#endif
