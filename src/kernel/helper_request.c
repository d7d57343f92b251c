/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/helper_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Items of one job: well below a packet, and enough of them that sending is not what takes the time. */
#define JOB_BYTES (32 << 10)
#define JOB_LEAST 64

uint32_t request_add(struct helper *h, enum helper_op op, unsigned int root, const char *name, const char *attribute)
{
	struct request *r;

	ARRAY_GROW(h->requests, h->requests_capacity, h->n_requests + 1);
	r = &h->requests[h->n_requests++];
	/* 0 means refused */
	h->last_id += h->last_id == UINT32_MAX ? 2 : 1;
	*r = (struct request){ .id = h->last_id, .op = op, .root = root, .name = xstrdup(name),
			       .attribute = xstrdup(attribute) };
	return r->id;
}

struct request *request_find(struct helper *h, uint32_t id)
{
	for (size_t i = 0; i < h->n_requests; i++) {
		if (h->requests[i].id == id)
			return &h->requests[i];
	}
	return NULL;
}

void request_drop(struct helper *h, size_t at)
{
	free(h->requests[at].name);
	free(h->requests[at].attribute);
	h->requests[at] = h->requests[--h->n_requests];
}

static void append_notice(struct helper *h, struct notice *notice)
{
	struct notice **end = &h->notices;

	while (*end)
		end = &(*end)->next;
	*end = notice;
}

void notice_free(struct notice *notice)
{
	free(notice->name);
	free(notice->what);
	free(notice);
}

void notice_add(struct helper *h, const struct job *job, enum helper_event_kind kind, const char *name,
		const char *what)
{
	struct notice *notice = xcalloc(1, sizeof(*notice));

	*notice = (struct notice){
		.kind = kind, .id = job->request, .op = job->op, .root = job->root, .name = xstrdup(name),
		.what = xstrdup(what), .since_ns = job->since_ns,
	};
	append_notice(h, notice);
}

static void end_request(struct helper *h, struct request *r)
{
	struct notice *notice = xcalloc(1, sizeof(*notice));

	*notice = (struct notice){
		.kind = HELPER_DONE, .id = r->id, .op = r->op, .root = r->root, .name = xstrdup(r->name),
		.what = xstrdup(r->attribute), .error = r->error,
	};
	append_notice(h, notice);
	request_drop(h, (size_t)(r - h->requests));
}

void request_job_done(struct helper *h, uint32_t id, int error)
{
	struct request *r = request_find(h, id);

	if (!r)
		return;
	if (error && !r->error)
		r->error = error;
	if (!--r->jobs)
		end_request(h, r);
}

struct job *job_new(struct helper *h, const struct request *r, enum wire_job what, const char *sysfs)
{
	struct job *job = xcalloc(1, sizeof(*job));

	*job = (struct job){
		.number = ++h->last_job, .request = r->id, .op = r->op, .root = r->root, .what = what,
		.name = xstrdup(r->name), .sysfs = xstrdup(sysfs), .attribute = xstrdup(r->attribute),
		.partial = TEXT_INIT,
		/* one device can hang after any of its attributes: what has never been seen is not held back */
		.batch = r->op == HELPER_ATTRIBUTES && !r->known ? 1 : WIRE_BATCH,
	};
	return job;
}

bool job_is_of_device(const struct job *job)
{
	return job->what == WIRE_ATTRIBUTES || job->what == WIRE_LIST_ATTRIBUTES || job->what == WIRE_ACT;
}

void job_free(struct job *job)
{
	free(job->name);
	free(job->sysfs);
	free(job->attribute);
	names_release(&job->items);
	text_release(&job->partial);
	free(job);
}

void job_enqueue(struct helper *h, struct job *job)
{
	struct job **end = &h->queue;
	struct request *r = request_find(h, job->request);

	if (r)
		r->jobs++;
	while (*end)
		end = &(*end)->next;
	*end = job;
}

/* The device at which a hanging job is. */
static const char *stuck_name(const struct job *job)
{
	if (job_is_of_device(job))
		return job->name;
	return job->stuck < job->items.n ? job->items.v[job->stuck] : "";
}

const struct job *stuck_at(const struct helper *h, enum helper_op op, unsigned int root, const char *name)
{
	for (size_t i = 0; i < WIRE_SLOTS; i++) {
		const struct job *job = h->workers[i].job;

		if (!job || !job->hangs || job->root != root || strcmp(stuck_name(job), name))
			continue;
		if (op != HELPER_TOPOLOGY || job->op == HELPER_TOPOLOGY)
			return job;
	}
	return NULL;
}

/* One item of a request that would hang again: what is known of it. */
static void report_stuck(struct helper *h, struct job *job, const struct job *stuck, const char *name)
{
	job->since_ns = stuck->since_ns;
	if (job->op == HELPER_TOPOLOGY)
		notice_add(h, job, HELPER_DEVICE, name, "");
	notice_add(h, job, HELPER_PENDING, name,
		   job_is_of_device(stuck) && stuck->stuck < stuck->items.n ? stuck->items.v[stuck->stuck]
		   : stuck->attribute);
}

/* How many items a job gets: topology is spread over the workers, values are not worth it. */
static size_t share_of(enum wire_job what, size_t n)
{
	size_t share = what == WIRE_DEVICES ? (n + HELPER_WORKERS - 1) / HELPER_WORKERS : n;

	return share < JOB_LEAST ? JOB_LEAST : share;
}

void request_read_items(struct helper *h, uint32_t id, enum wire_job what, const char *sysfs,
			const struct names *items, size_t first, size_t skip)
{
	size_t share = share_of(what, items->n - first);
	struct request *r = request_find(h, id);
	struct job *job;
	size_t bytes = 0;

	if (!r)
		return;
	job = job_new(h, r, what, sysfs);
	for (size_t i = first; i < items->n; i++) {
		const struct job *stuck = what == WIRE_ATTRIBUTES ? NULL
			: stuck_at(h, r->op, r->root, items->v[i]);

		if (i == skip)
			continue;
		if (stuck) {
			report_stuck(h, job, stuck, items->v[i]);
			continue;
		}
		if (job->items.n && (job->items.n == share || bytes + strlen(items->v[i]) > JOB_BYTES)) {
			job_enqueue(h, job);
			job = job_new(h, r, what, sysfs);
			bytes = 0;
		}
		names_add(&job->items, items->v[i]);
		bytes += strlen(items->v[i]) + 1;
	}
	if (job->items.n)
		job_enqueue(h, job);
	else
		job_free(job);
}
