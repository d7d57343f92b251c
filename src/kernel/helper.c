/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/helper.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/msg.h"
#include "kernel/helper_state.h"
#include "kernel/topology.h"

/* sysfs path and attribute of a request, so that a job always fits a packet */
#define STRING_LIMIT (8 << 10)

static struct wire_progress *share_page(void)
{
	void *page = mmap(NULL, sizeof(struct wire_progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
			  0);

	return page == MAP_FAILED ? NULL : page;
}

/* Fork the spawner. 0 or -errno. */
static int start_spawner(struct helper *h, const struct root *roots, size_t n, const struct helper_acts *acts)
{
	int pair[2];

	h->progress = share_page();
	if (!h->progress)
		return -errno;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	h->spawner = fork();
	if (h->spawner == 0) {
		close(pair[0]);
		helper_spawner(pair[1], roots, n, h->progress, acts);
	}
	close(pair[1]);
	h->control = pair[0];
	return h->spawner < 0 ? -EAGAIN : 0;
}

struct helper *helper_new(const struct root *roots, size_t n, const struct helper_acts *acts)
{
	struct helper *h = xcalloc(1, sizeof(*h));
	int error;

	h->control = -1;
	h->spawner = -1;
	h->n_roots = n;
	for (size_t i = 0; i < WIRE_SLOTS; i++)
		h->workers[i].fd = -1;
	error = start_spawner(h, roots, n, acts);
	if (error) {
		msg("helper process", "%s", strerror(-error));
		helper_free(h);
		return NULL;
	}
	h->packet = xmalloc(HELPER_PACKET);
	return h;
}

/* Drop all that is under way. */
static void abandon(struct helper *h)
{
	for (size_t i = 0; i < WIRE_SLOTS; i++)
		pool_close(h, &h->workers[i]);
	while (h->queue) {
		struct job *job = h->queue;

		h->queue = job->next;
		job_free(job);
	}
	while (h->notices) {
		struct notice *notice = h->notices;

		h->notices = notice->next;
		notice_free(notice);
	}
	while (h->n_requests)
		request_drop(h, h->n_requests - 1);
	h->items_left = 0;
}

void helper_free(struct helper *h)
{
	if (!h)
		return;
	abandon(h);
	if (h->control >= 0)
		close(h->control);
	if (h->progress)
		munmap(h->progress, sizeof(*h->progress));
	/* it ends by itself; if it has not yet, it is left to do so */
	if (h->spawner > 0)
		waitpid(h->spawner, NULL, WNOHANG);
	text_release(&h->name);
	text_release(&h->what);
	text_release(&h->whole);
	free(h->requests);
	free(h->packet);
	free(h);
}

static bool acceptable(const struct helper *h, unsigned int root)
{
	return !h->lost && root < h->n_roots;
}

uint32_t helper_topology(struct helper *h, unsigned int root)
{
	uint32_t id;

	if (!acceptable(h, root))
		return 0;
	id = request_add(h, HELPER_TOPOLOGY, root, "", "");
	job_enqueue(h, job_new(h, request_find(h, id), WIRE_LIST_DEVICES, ""));
	pool_start_jobs(h);
	return id;
}

static bool has_request(const struct helper *h, enum helper_op op, unsigned int root, const char *name)
{
	for (size_t i = 0; i < h->n_requests; i++) {
		const struct request *r = &h->requests[i];

		if (r->op == op && r->root == root && !strcmp(r->name, name))
			return true;
	}
	return false;
}

static bool can_ask_attributes(const struct helper *h, unsigned int root, const char *name, const char *sysfs)
{
	return acceptable(h, root) && strlen(sysfs) <= STRING_LIMIT && !stuck_at(h, HELPER_ATTRIBUTES, root, name)
		&& !has_request(h, HELPER_ATTRIBUTES, root, name) && !has_request(h, HELPER_ACT, root, name);
}

uint32_t helper_attributes(struct helper *h, unsigned int root, const char *name, const char *sysfs)
{
	uint32_t id;

	if (!can_ask_attributes(h, root, name, sysfs))
		return 0;
	id = request_add(h, HELPER_ATTRIBUTES, root, name, "");
	job_enqueue(h, job_new(h, request_find(h, id), WIRE_LIST_ATTRIBUTES, sysfs));
	pool_start_jobs(h);
	return id;
}

uint32_t helper_attributes_known(struct helper *h, unsigned int root, const char *name, const char *sysfs,
				 const struct names *known)
{
	uint32_t id;

	if (!known->n || !can_ask_attributes(h, root, name, sysfs))
		return 0;
	id = request_add(h, HELPER_ATTRIBUTES, root, name, "");
	request_find(h, id)->known = true;
	request_read_items(h, id, WIRE_ATTRIBUTES, sysfs, known, 0, SIZE_MAX);
	pool_start_jobs(h);
	return id;
}

uint32_t helper_read(struct helper *h, unsigned int root, const char *what, const struct names *names)
{
	uint32_t id;

	if (!acceptable(h, root) || strlen(what) > STRING_LIMIT)
		return 0;
	id = request_add(h, HELPER_READ, root, "", what);
	/* counted as a job itself, so that a request of which nothing is left ends as well */
	request_find(h, id)->jobs = 1;
	request_read_items(h, id, WIRE_ONE, "", names, 0, SIZE_MAX);
	request_job_done(h, id, 0);
	pool_start_jobs(h);
	return id;
}

static size_t bytes_of(const struct names *names)
{
	size_t bytes = 0;

	for (size_t i = 0; i < names->n; i++)
		bytes += strlen(names->v[i]) + 1;
	return bytes;
}

uint32_t helper_act(struct helper *h, unsigned int root, const char *name, const char *sysfs, const char *what,
		    const struct names *items)
{
	struct job *job;
	uint32_t id;

	if (!acceptable(h, root) || !items->n || strlen(sysfs) + strlen(what) > STRING_LIMIT
	    || bytes_of(items) > WIRE_BODY - 2 * STRING_LIMIT || stuck_at(h, HELPER_ACT, root, name)
	    || has_request(h, HELPER_ACT, root, name))
		return 0;
	id = request_add(h, HELPER_ACT, root, name, what);
	job = job_new(h, request_find(h, id), WIRE_ACT, sysfs);
	for (size_t i = 0; i < items->n; i++)
		names_add(&job->items, items->v[i]);
	job_enqueue(h, job);
	pool_start_jobs(h);
	return id;
}

size_t helper_poll(const struct helper *h, struct pollfd *fds, int *timeout_ms)
{
	size_t n = 0;

	if (!h->lost)
		fds[n++] = (struct pollfd){ .fd = h->control, .events = POLLIN };
	for (size_t i = 0; i < WIRE_SLOTS; i++) {
		/* an idle one has nothing to say; if it died, that shows when it is needed */
		if (h->workers[i].job)
			fds[n++] = (struct pollfd){ .fd = h->workers[i].fd, .events = POLLIN };
	}
	*timeout_ms = h->notices || h->items_left || (h->lost && !h->told_lost) ? 0 : pool_timeout_ms(h);
	return n;
}

static const char *copied(struct text *t, const char *s)
{
	text_clear(t);
	text_add(t, s);
	return text_str(t);
}

static void take_notice(struct helper *h, struct helper_event *event)
{
	struct notice *notice = h->notices;

	h->notices = notice->next;
	*event = (struct helper_event){
		.kind = notice->kind, .id = notice->id, .op = notice->op, .root = notice->root, .value = "",
		.error = notice->error, .since_ns = notice->since_ns,
		.name = copied(&h->name, notice->name), .what = copied(&h->what, notice->what),
	};
	if (notice->kind == HELPER_DEVICE) {
		event->device.name = xstrdup(notice->name);
		event->device.kind = device_kind_by_name(notice->name);
	}
	notice_free(notice);
}

/* The names that a worker listed are kept in its job until it says that these were all. */
static bool take_names(struct helper *h, struct job *job, uint32_t count)
{
	if (job->what != WIRE_LIST_DEVICES && job->what != WIRE_LIST_ATTRIBUTES)
		return false;
	while (count--) {
		const char *nul = memchr(h->at, '\0', (size_t)(h->end - h->at));

		if (!nul)
			return false;
		names_add(&job->items, h->at);
		h->at = nul + 1;
	}
	return h->at == h->end;
}

static void finish_listing(struct helper *h, const struct job *job)
{
	request_read_items(h, job->request, job->what == WIRE_LIST_DEVICES ? WIRE_DEVICES : WIRE_ATTRIBUTES,
			   job->sysfs, &job->items, 0, SIZE_MAX);
}

/* A packet is there: false when it is not what it should be. */
static bool take_packet(struct helper *h)
{
	struct job *job = h->from->job;
	struct wire_header header;

	memcpy(&header, h->packet, sizeof(header));
	switch ((enum wire_reply)header.what) {
	case WIRE_NAMES:
		return take_names(h, job, header.count);
	case WIRE_ITEMS:
		h->items_left = header.count;
		return true;
	case WIRE_DONE:
		if (job->what == WIRE_LIST_DEVICES || job->what == WIRE_LIST_ATTRIBUTES)
			finish_listing(h, job);
		else if (!job->detached && job->answered != (job->what == WIRE_ACT ? 1 : job->items.n))
			return false;
		pool_job_done(h, h->from, header.error);
		return true;
	}
	return false;
}

/* One item's bytes out of the packet; false when the packet is bad. */
static bool take_item(struct helper *h, struct wire_item *item, const char **bytes)
{
	const struct job *job = h->from->job;

	if ((size_t)(h->end - h->at) < sizeof(*item))
		return false;
	memcpy(item, h->at, sizeof(*item));
	h->at += sizeof(*item);
	*bytes = h->at;
	if (item->length > (size_t)(h->end - h->at) || item->index >= job->items.n
	    || job->partial.len + item->length > WIRE_VALUE_LIMIT)
		return false;
	h->at += item->length;
	return job->detached || item->index == job->answered;
}

static bool fill_event(struct helper *h, const struct job *job, const struct wire_item *item, const char *value,
		       size_t len, struct helper_event *event)
{
	const char *name = job->items.v[item->index];
	bool of_device = job->what == WIRE_ATTRIBUTES || job->what == WIRE_ACT;

	*event = (struct helper_event){
		.kind = job->op == HELPER_TOPOLOGY ? HELPER_DEVICE : HELPER_VALUE, .id = job->request, .op = job->op,
		.root = job->root, .error = item->error, .value = value, .value_len = len,
		.name = copied(&h->name, of_device ? job->name : name),
		.what = copied(&h->what, job->what == WIRE_ATTRIBUTES ? name : job->attribute),
		.writable = item->writable,
	};
	if (job->op != HELPER_TOPOLOGY)
		return true;
	event->value = "";
	event->value_len = 0;
	/* a device that went away between the listing and the reading is none */
	return !item->error && device_decode(&event->device, value, len);
}

/* The value as a string that outlives packet and job. */
static const char *keep_value(struct helper *h, struct job *job, const char *bytes, size_t len, size_t *whole)
{
	text_clear(&h->whole);
	text_add_n(&h->whole, text_str(&job->partial), job->partial.len);
	text_add_n(&h->whole, bytes, len);
	text_clear(&job->partial);
	*whole = h->whole.len;
	return text_str(&h->whole);
}

/* The next item of the packet: true when it makes an event. */
static bool next_item(struct helper *h, struct helper_event *event)
{
	struct helper_worker *w = h->from;
	struct job *job = w->job;
	struct wire_item item;
	const char *bytes, *value;
	size_t len;
	bool told = false;

	h->items_left--;
	if (!take_item(h, &item, &bytes)) {
		pool_lose(h, w);
		return false;
	}
	if (item.more) {
		text_add_n(&job->partial, bytes, item.length);
		return false;
	}
	value = keep_value(h, job, bytes, item.length, &len);
	if (!job->detached || item.index == job->stuck)
		told = fill_event(h, job, &item, value, len, event);
	job->answered++;
	job->hangs = job->hangs && item.index != job->stuck;
	/* the others of its items have long been read by somebody else */
	if (job->detached && !job->hangs)
		pool_close(h, w);
	return told;
}

static bool tell_lost(struct helper *h, struct helper_event *event)
{
	if (h->told_lost)
		return false;
	h->told_lost = true;
	abandon(h);
	waitpid(h->spawner, NULL, WNOHANG);
	*event = (struct helper_event){ .kind = HELPER_LOST, .name = "", .what = "", .value = "" };
	return true;
}

bool helper_next(struct helper *h, struct helper_event *event)
{
	for (;;) {
		if (h->lost)
			return tell_lost(h, event);
		if (h->notices) {
			take_notice(h, event);
			return true;
		}
		if (h->items_left) {
			if (next_item(h, event))
				return true;
			continue;
		}
		if (pool_receive(h)) {
			if (!take_packet(h))
				pool_lose(h, h->from);
			continue;
		}
		pool_look(h);
		pool_start_jobs(h);
		if (!h->notices && !h->lost)
			return false;
	}
}

size_t helper_outstanding(const struct helper *h)
{
	size_t n = 0;

	for (size_t i = 0; i < h->n_requests; i++)
		n += !h->requests[i].quarantined;
	return n;
}

size_t helper_quarantined(const struct helper *h)
{
	size_t n = 0;

	for (size_t i = 0; i < WIRE_SLOTS; i++)
		n += h->workers[i].job && h->workers[i].quarantined;
	return n;
}
