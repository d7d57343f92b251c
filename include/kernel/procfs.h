/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system's files in /proc that the main process reads itself: stat, pressure/io, uptime, and what libproc2 knows
 * (paging, dirty pages) where it is built in and the root is "/". Descriptors stay open. What is missing is not in
 * `has`; nothing here is an error.
 */
#ifndef IODELTA_KERNEL_PROCFS_H
#define IODELTA_KERNEL_PROCFS_H

#include "kernel/root.h"
#include "model/system.h"

struct procfs;

struct procfs *procfs_new(const struct root *root) __attribute__((nonnull, returns_nonnull, warn_unused_result));
void procfs_free(struct procfs *p);
void procfs_read(struct procfs *p, struct system_counters *s) __attribute__((nonnull));

/* Seconds since boot by proc/uptime below the root, or -errno as a negative number. */
double procfs_uptime(const struct root *root) __attribute__((nonnull));

/* The bits of the kernel's unsigned long: uname's machine for "/", proc/sys/kernel/arch in a tree; 64 if not known. */
unsigned int procfs_word_bits(const struct root *root) __attribute__((nonnull));

/* Kernel release and host name, appended: of uname for "/", proc/sys/kernel/ or proc/version in a tree. */
void procfs_release_name(const struct root *root, struct text *out) __attribute__((nonnull));
void procfs_host_name(const struct root *root, struct text *out) __attribute__((nonnull));

#endif
