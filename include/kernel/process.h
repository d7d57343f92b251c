/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes of this machine (whatever --root says), told from later ones of the same number. */
#ifndef IODELTA_KERNEL_PROCESS_H
#define IODELTA_KERNEL_PROCESS_H

#include <stdint.h>

/* When it began, in clock ticks after boot; 0: there is none of that number. */
uint64_t process_start(int pid);

#endif
