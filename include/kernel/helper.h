/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Helper processes: everything below /sys, mounts and udev is read by them, because such a read can block in the
 * kernel, unkillably, while a queue is frozen, and a process cannot exit while one of its threads sits there.
 *
 * A spawner is forked first thing (own session, default signals, standard descriptors on /dev/null); it forks workers,
 * each on a SOCK_SEQPACKET pair of which this process gets the other end. One request a worker at a time, one a device
 * outstanding. A worker that is silent for more than HELPER_SILENT_MS is quarantined with the device it is at: that is
 * reported as HELPER_PENDING, other workers serve the rest, and when it answers after all its answers come as usual.
 * TOPOLOGY and READ are done (HELPER_DONE) without the device that hangs; its answer may come later under the same id.
 * ATTRIBUTES is done when it is complete. A device that is known to hang is not asked again: what TOPOLOGY and READ
 * want of it is answered by HELPER_PENDING at once (TOPOLOGY: after the device by its name alone).
 *
 * Nothing here blocks. Use: submit; poll the descriptors with the time-out given; then next until it returns false.
 */
#ifndef IODELTA_KERNEL_HELPER_H
#define IODELTA_KERNEL_HELPER_H

#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/root.h"
#include "model/device.h"

#define HELPER_SILENT_MS 1000
#define HELPER_PACKET (64 << 10)
#define HELPER_WORKERS 4                /* that are not quarantined, at most */
#define HELPER_QUARANTINED 64           /* at most; beyond, requests wait */
#define HELPER_FDS (1 + HELPER_WORKERS + HELPER_QUARANTINED)

enum helper_op {
	HELPER_TOPOLOGY,        /* all devices; a device on which it hangs is answered by its name alone */
	HELPER_ATTRIBUTES,      /* all attributes of one device, or those that were known */
	HELPER_READ,            /* one attribute (`what`) of many devices (`names`, kernel names), small values */
	HELPER_ACT,             /* what struct helper_acts does with one device; `what` says which */
	HELPER_OPS
};

enum helper_event_kind {
	HELPER_DEVICE,          /* TOPOLOGY: one device in `device` (owned by the receiver) */
	HELPER_VALUE,           /* ATTRIBUTES, READ: attribute `what` of `name` is `value`, or `error`; ACT: answer */
	HELPER_PENDING,         /* `what` of `name` does not answer (what is "" while the topology is read) */
	HELPER_DONE,            /* the request is complete; error: 0, or why it failed as a whole */
	HELPER_LOST,            /* the spawner is gone: nothing will be answered any more */
};

struct helper_event {
	enum helper_event_kind kind;
	uint32_t id;            /* of the request */
	enum helper_op op;
	unsigned int root;
	struct device device;
	const char *name, *what, *value;        /* valid until the next call */
	size_t value_len;
	int error;              /* 0 or -errno */
	bool writable;          /* ATTRIBUTES: the file has a write bit */
	int64_t since_ns;       /* PENDING: monotonic, since when */
};

struct helper;

/* A deed, in a worker process. Strings hold until the function returns. */
struct helper_deed {
	const struct root *root;
	const char *name, *sysfs, *what;
	const char *const *items;
	size_t n;
	_Atomic uint32_t *at;   /* to be set to the item that is being worked on: what is pending when it hangs */
};

/*
 * What is done in the processes by somebody else's code; handed over at the fork. A worker that is in act() is not
 * ended when the program ends: what has been begun is finished.
 */
struct helper_acts {
	/* 0 with the answer's bytes, or -errno. */
	int (*act)(const struct helper_deed *deed, struct text *answer);
	/* In the spawner, when the program's end of its socket closes, however that came. NULL: nothing. */
	void (*closed)(const struct root *roots, size_t n, const void *arg);
	const void *arg;        /* for closed; what it points to is as it was at the fork */
};

/* Fork the spawner. `roots` stay open and the caller's. `acts` may be NULL. NULL with a message when that fails. */
struct helper *helper_new(const struct root *roots, size_t n, const struct helper_acts *acts)
	__attribute__((nonnull(1), warn_unused_result));
/* Close the sockets; returns at once whatever hangs. */
void helper_free(struct helper *h);

/*
 * Ask for something; the id is in its answers. 0: refused, because the spawner is gone, or because the device already
 * has such a request outstanding or hangs. `name` is the kernel's, `sysfs` struct device's.
 */
uint32_t helper_topology(struct helper *h, unsigned int root) __attribute__((nonnull));
uint32_t helper_attributes(struct helper *h, unsigned int root, const char *name, const char *sysfs)
	__attribute__((nonnull));
/* Without listing them anew: those in `known`, which is not empty. What has gone since is answered by -ENOENT. */
uint32_t helper_attributes_known(struct helper *h, unsigned int root, const char *name, const char *sysfs,
				 const struct names *known) __attribute__((nonnull));
uint32_t helper_read(struct helper *h, unsigned int root, const char *what, const struct names *names)
	__attribute__((nonnull));

/* As for attributes; refused also while the device has another deed outstanding, or when it is too long to be sent. */
uint32_t helper_act(struct helper *h, unsigned int root, const char *name, const char *sysfs, const char *what,
		    const struct names *items) __attribute__((nonnull));

/* Descriptors to poll for POLLIN, at most HELPER_FDS, and how long at most until something is to do (-1: never). */
size_t helper_poll(const struct helper *h, struct pollfd *fds, int *timeout_ms) __attribute__((nonnull));

/* The next thing that has come, false when there is none now. */
bool helper_next(struct helper *h, struct helper_event *event) __attribute__((nonnull));

/* Requests that are neither done nor quarantined. */
size_t helper_outstanding(const struct helper *h) __attribute__((nonnull));
/* Requests in quarantine. */
size_t helper_quarantined(const struct helper *h) __attribute__((nonnull));

#endif
