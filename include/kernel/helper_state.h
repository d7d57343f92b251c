/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The engine's side of the helper, shared by its three files: helper_request.c keeps requests and cuts them into jobs,
 * helper_pool.c gives jobs to workers and watches them, helper.c turns what they answer into events.
 */
#ifndef IODELTA_KERNEL_HELPER_STATE_H
#define IODELTA_KERNEL_HELPER_STATE_H

#include <sys/types.h>

#include "kernel/helper_wire.h"

/* A piece of a request, done by one worker. */
struct job {
	struct job *next;
	uint32_t number;
	uint32_t request;
	enum helper_op op;
	unsigned int root;
	enum wire_job what;
	uint32_t batch;         /* as in wire_header */
	char *name, *sysfs, *attribute; /* never NULL, "" where there is none */
	struct names items;     /* to be read; while listing, what was listed so far */
	uint32_t answered;
	/* It hung at `stuck`. `detached`: others do the rest, only that item's answer is still wanted. */
	bool hangs, detached;
	uint32_t stuck;
	int64_t since_ns;
	struct text partial;    /* the beginning of a long answer */
};

struct request {
	uint32_t id;
	enum helper_op op;
	unsigned int root;
	char *name;             /* the device of ATTRIBUTES, else "" */
	char *attribute;        /* of READ, else "" */
	uint32_t jobs;          /* not done and not detached */
	bool known;             /* ATTRIBUTES: older values of them are known */
	bool quarantined;
	int error;
};

/* An event that was made here. Owns its strings. */
struct notice {
	struct notice *next;
	enum helper_event_kind kind;
	uint32_t id;
	enum helper_op op;
	unsigned int root;
	char *name, *what;
	int error;
	int64_t since_ns;
};

struct helper_worker {
	int fd;                 /* -1: the slot is free */
	struct job *job;        /* NULL: idle */
	bool quarantined;
	bool reported;          /* that it is silent */
	uint32_t seen;          /* its progress at the last look */
	int64_t looked_ns, since_ns;
};

struct helper {
	pid_t spawner;
	int control;
	bool lost, told_lost;
	struct wire_progress *progress;
	size_t n_roots;
	uint32_t last_id, last_job;
	struct request *requests;
	size_t n_requests, requests_capacity;
	struct job *queue;      /* waiting for a worker */
	struct notice *notices;
	struct helper_worker workers[WIRE_SLOTS];

	char *packet;           /* the one being taken apart: what is left of its items */
	const char *at, *end;
	uint32_t items_left;
	struct helper_worker *from;
	struct text name, what, whole;  /* what the last event points to */
};

/* helper_request.c */
uint32_t request_add(struct helper *h, enum helper_op op, unsigned int root, const char *name, const char *attribute)
	__attribute__((nonnull));
struct request *request_find(struct helper *h, uint32_t id) __attribute__((nonnull));
/* A job of it has ended; the last one ends the request. */
void request_job_done(struct helper *h, uint32_t id, int error) __attribute__((nonnull));
void request_drop(struct helper *h, size_t at) __attribute__((nonnull));

struct job *job_new(struct helper *h, const struct request *r, enum wire_job what, const char *sysfs)
	__attribute__((nonnull, returns_nonnull));
/* It is about one device, and its items are attributes. */
bool job_is_of_device(const struct job *job) __attribute__((nonnull));
void job_free(struct job *job) __attribute__((nonnull));
void job_enqueue(struct helper *h, struct job *job) __attribute__((nonnull));
/* Read these items for the request, in as many jobs as it takes; those that are known to hang are reported instead. */
void request_read_items(struct helper *h, uint32_t id, enum wire_job what, const char *sysfs,
			const struct names *items, size_t first, size_t skip) __attribute__((nonnull));

void notice_add(struct helper *h, const struct job *job, enum helper_event_kind kind, const char *name,
		const char *what) __attribute__((nonnull));
void notice_free(struct notice *notice) __attribute__((nonnull));

/* The job that hangs at this device, NULL if none does. TOPOLOGY only meets what other topology readings met. */
const struct job *stuck_at(const struct helper *h, enum helper_op op, unsigned int root, const char *name)
	__attribute__((nonnull));

/* helper_pool.c */
void pool_start_jobs(struct helper *h) __attribute__((nonnull));
/* The next packet of any worker into h->packet, which is checked; false when there is none. */
bool pool_receive(struct helper *h) __attribute__((nonnull));
/* Look after the silent ones. */
void pool_look(struct helper *h) __attribute__((nonnull));
void pool_job_done(struct helper *h, struct helper_worker *w, int error) __attribute__((nonnull));
void pool_close(struct helper *h, struct helper_worker *w) __attribute__((nonnull));
/* The worker is dead or talks nonsense: close it, its job has failed. */
void pool_lose(struct helper *h, struct helper_worker *w) __attribute__((nonnull));
int pool_timeout_ms(const struct helper *h) __attribute__((nonnull));

#endif
