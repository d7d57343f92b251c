/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/helper_state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"

/* How often a busy worker's progress is looked at; that, not only its packets, shows that it is alive. */
#define LOOK_NS (200 * NS_PER_MS)
#define RETRY_MS 50

static size_t count_workers(const struct helper *h, bool quarantined)
{
	size_t n = 0;

	for (size_t i = 0; i < WIRE_SLOTS; i++)
		n += h->workers[i].fd >= 0 && h->workers[i].quarantined == quarantined;
	return n;
}

void pool_close(struct helper *h, struct helper_worker *w)
{
	if (w->job)
		job_free(w->job);
	if (w->fd >= 0)
		close(w->fd);
	if (h->from == w)
		h->items_left = 0;
	*w = (struct helper_worker){ .fd = -1 };
}

static void lose_spawner(struct helper *h)
{
	h->lost = true;
}

/* The worker is gone: what it was at fails. */
void pool_lose(struct helper *h, struct helper_worker *w)
{
	struct job *job = w->job;
	bool wanted = job && !job->detached;
	uint32_t request = job ? job->request : 0;

	pool_close(h, w);
	if (wanted)
		request_job_done(h, request, -EIO);
}

void pool_job_done(struct helper *h, struct helper_worker *w, int error)
{
	struct job *job = w->job;
	uint32_t request = job->request;
	bool wanted = !job->detached;

	w->job = NULL;
	w->reported = false;
	job_free(job);
	if (w->quarantined && count_workers(h, false) >= HELPER_WORKERS)
		pool_close(h, w);
	w->quarantined = false;
	if (wanted)
		request_job_done(h, request, error);
}

/* Hand one end of a new pair to the spawner. 0 or -errno. */
static int send_socket(const struct helper *h, uint32_t slot, int fd)
{
	char room[CMSG_SPACE(sizeof(int))] __attribute__((aligned(8))) = { 0 };
	struct wire_spawn spawn = { slot };
	struct iovec part = { &spawn, sizeof(spawn) };
	struct msghdr header = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof(room),
	};
	struct cmsghdr *c = CMSG_FIRSTHDR(&header);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(fd));
	memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	return sendmsg(h->control, &header, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

static int new_worker(struct helper *h, struct helper_worker *w)
{
	int pair[2];
	int error;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	error = send_socket(h, (uint32_t)(w - h->workers), pair[1]);
	close(pair[1]);
	if (error) {
		close(pair[0]);
		return error;
	}
	*w = (struct helper_worker){ .fd = pair[0] };
	return 0;
}

/* An idle worker, or one more; NULL with *error 0 when all are busy. */
static struct helper_worker *free_worker(struct helper *h, int *error)
{
	struct helper_worker *empty = NULL;

	*error = 0;
	for (size_t i = 0; i < WIRE_SLOTS; i++) {
		struct helper_worker *w = &h->workers[i];

		if (w->fd >= 0 && !w->job && !w->quarantined)
			return w;
		if (w->fd < 0 && !empty)
			empty = w;
	}
	if (!empty || count_workers(h, false) >= HELPER_WORKERS)
		return NULL;
	*error = new_worker(h, empty);
	return *error ? NULL : empty;
}

static void add_string(struct text *packet, const char *s)
{
	text_add_n(packet, s, strlen(s) + 1);
}

static int send_job(struct helper *h, struct helper_worker *w, const struct job *job)
{
	struct wire_header header = {
		.job = job->number, .what = job->what, .root = job->root, .batch = job->batch,
	};
	struct text packet = TEXT_INIT;
	int error;

	text_add_n(&packet, (const char *)&header, sizeof(header));
	add_string(&packet, job->name);
	add_string(&packet, job->sysfs);
	add_string(&packet, job->attribute);
	for (size_t i = 0; i < job->items.n; i++)
		add_string(&packet, job->items.v[i]);
	header.count = (uint32_t)job->items.n;
	header.length = (uint32_t)(packet.len - sizeof(header));
	memcpy(packet.buf, &header, sizeof(header));
	atomic_store(&h->progress->at[w - h->workers], WIRE_NOT_YET);
	error = send(w->fd, packet.buf, packet.len, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
	text_release(&packet);
	return error;
}

/* False when it has to wait. */
static bool start_job(struct helper *h, struct job *job)
{
	struct helper_worker *w;
	int error;

	while ((w = free_worker(h, &error))) {
		error = send_job(h, w, job);
		if (!error) {
			w->job = job;
			w->seen = WIRE_NOT_YET;
			w->since_ns = w->looked_ns = clock_mono_ns();
			return true;
		}
		/* it died while it was idle: the next one */
		pool_close(h, w);
		if (error != -EPIPE && error != -ECONNRESET)
			break;
	}
	if (error == -EPIPE || error == -ECONNRESET)
		lose_spawner(h);
	if (!error || error == -EAGAIN || h->lost)
		return false;
	request_job_done(h, job->request, error);
	job_free(job);
	return true;
}

void pool_start_jobs(struct helper *h)
{
	while (h->queue && !h->lost) {
		struct job *job = h->queue;

		h->queue = job->next;
		job->next = NULL;
		if (start_job(h, job))
			continue;
		job->next = h->queue;
		h->queue = job;
		return;
	}
}

/* Packets come from this program's own processes, and are checked like any input. */
static bool is_reply(const struct helper_worker *w, const struct wire_header *header, ssize_t len)
{
	return (size_t)len == sizeof(*header) + header->length && header->job == w->job->number
		&& header->what <= WIRE_DONE && header->count <= header->length;
}

static bool receive_from(struct helper *h, struct helper_worker *w)
{
	struct wire_header header;
	ssize_t len = recv(w->fd, h->packet, HELPER_PACKET, MSG_DONTWAIT);

	if (len < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
		return false;
	if (len >= (ssize_t)sizeof(header))
		memcpy(&header, h->packet, sizeof(header));
	if (len < (ssize_t)sizeof(header) || !is_reply(w, &header, len)) {
		pool_lose(h, w);
		return false;
	}
	h->from = w;
	h->at = h->packet + sizeof(header);
	h->end = h->packet + len;
	w->since_ns = w->looked_ns = clock_mono_ns();
	w->reported = w->reported && w->job->detached;
	return true;
}

static void check_spawner(struct helper *h)
{
	char byte;
	ssize_t len = recv(h->control, &byte, sizeof(byte), MSG_DONTWAIT);

	if (len == 0 || (len < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
		lose_spawner(h);
}

bool pool_receive(struct helper *h)
{
	for (size_t i = 0; i < WIRE_SLOTS; i++) {
		if (h->workers[i].job && receive_from(h, &h->workers[i]))
			return true;
	}
	if (!h->lost)
		check_spawner(h);
	return false;
}

/* Everything of the job but the item it hangs at goes to others. */
static void detach(struct helper *h, struct job *job)
{
	if (job->op == HELPER_TOPOLOGY)
		notice_add(h, job, HELPER_DEVICE, job->items.v[job->stuck], "");
	request_read_items(h, job->request, job->what, job->sysfs, &job->items, job->answered, job->stuck);
	job->detached = true;
	request_job_done(h, job->request, 0);
}

static void report(struct helper *h, struct helper_worker *w)
{
	struct job *job = w->job;
	bool of_device = job_is_of_device(job);
	const char *item = w->seen < job->items.n ? job->items.v[w->seen] : "";

	job->hangs = true;
	job->stuck = w->seen;
	job->since_ns = w->since_ns;
	w->reported = true;
	notice_add(h, job, HELPER_PENDING, of_device ? job->name : item, of_device ? item : job->attribute);
}

static void quarantine(struct helper *h, struct helper_worker *w)
{
	struct job *job = w->job;
	struct request *r = request_find(h, job->request);

	w->quarantined = true;
	if ((job->what == WIRE_DEVICES || job->what == WIRE_ONE) && job->stuck < job->items.n)
		detach(h, job);
	else if (r)
		r->quarantined = true;
}

static void look_at(struct helper *h, struct helper_worker *w, int64_t now)
{
	uint32_t at = atomic_load(&h->progress->at[w - h->workers]);

	w->looked_ns = now;
	if (at != w->seen) {
		w->seen = at;
		w->since_ns = now;
		w->reported = w->reported && w->job->detached;
		return;
	}
	if (now - w->since_ns < HELPER_SILENT_MS * NS_PER_MS)
		return;
	if (!w->reported)
		report(h, w);
	/* with the quarantine full it stays where it is, and keeps others waiting */
	if (!w->quarantined && count_workers(h, true) < HELPER_QUARANTINED)
		quarantine(h, w);
}

static bool watched(const struct helper_worker *w)
{
	return w->job && !w->job->detached;
}

void pool_look(struct helper *h)
{
	int64_t now = 0;

	for (size_t i = 0; i < WIRE_SLOTS; i++) {
		struct helper_worker *w = &h->workers[i];

		if (!watched(w))
			continue;
		now = now ? now : clock_mono_ns();
		if (now - w->looked_ns >= LOOK_NS)
			look_at(h, w, now);
	}
}

int pool_timeout_ms(const struct helper *h)
{
	int64_t now = 0, least = INT64_MAX;

	for (size_t i = 0; i < WIRE_SLOTS; i++) {
		const struct helper_worker *w = &h->workers[i];
		int64_t due;

		if (!watched(w) || (w->reported && w->quarantined))
			continue;
		now = now ? now : clock_mono_ns();
		due = w->looked_ns + LOOK_NS - now;
		least = due < least ? due : least;
	}
	if (h->queue && !h->lost && count_workers(h, false) < HELPER_WORKERS && least > RETRY_MS * NS_PER_MS)
		least = RETRY_MS * NS_PER_MS;
	if (least == INT64_MAX)
		return -1;
	return least <= 0 ? 0 : (int)((least + NS_PER_MS - 1) / NS_PER_MS);
}
