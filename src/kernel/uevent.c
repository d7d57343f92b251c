/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "kernel/uevent.h"

#include <errno.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/number.h"

#define KERNEL_GROUP 1
#define MESSAGE_SIZE (16 << 10)
#define RECEIVE_BUFFER (4 << 20)

int uevent_open(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = KERNEL_GROUP };
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
	int size = RECEIVE_BUFFER;

	if (fd < 0)
		return -errno;
	/* a burst of thousands of devices should fit; without the privilege the usual limit holds */
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) < 0)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		int error = -errno;

		close(fd);
		return error;
	}
	return fd;
}

static enum uevent_action action_of(const char *word)
{
	static const struct {
		const char *word;
		enum uevent_action action;
	} actions[] = {
		{ "add", UEVENT_ADD }, { "remove", UEVENT_REMOVE }, { "change", UEVENT_CHANGE },
		{ "move", UEVENT_MOVE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		if (!strcmp(word, actions[i].word))
			return actions[i].action;
	}
	return UEVENT_OTHER;
}

struct message {
	const char *action, *subsystem, *devname, *devpath, *diskseq;
};

/* "KEY=value" of the message into the member that wants it. */
static void take_property(struct message *m, const char *line)
{
	const struct {
		const char *key;
		const char **member;
	} wanted[] = {
		{ "ACTION=", &m->action }, { "SUBSYSTEM=", &m->subsystem }, { "DEVNAME=", &m->devname },
		{ "DEVPATH=", &m->devpath }, { "DISKSEQ=", &m->diskseq },
	};

	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		size_t len = strlen(wanted[i].key);

		if (!strncmp(line, wanted[i].key, len))
			*wanted[i].member = line + len;
	}
}

/* False when there is none that fits. */
static bool take_name(const struct message *m, char *name, size_t size)
{
	const char *slash = m->devpath ? strrchr(m->devpath, '/') : NULL;
	const char *from = m->devname ? m->devname : slash ? slash + 1 : "";
	size_t len = strlen(from);

	if (!strncmp(from, "/dev/", 5)) {
		from += 5;
		len -= 5;
	}
	if (!len || len >= size)
		return false;
	memcpy(name, from, len + 1);
	/* a name from the path is spelled as sysfs does */
	for (char *p = name; !m->devname && *p; p++)
		*p = *p == '!' ? '/' : *p;
	return true;
}

bool uevent_parse(const char *bytes, size_t len, struct uevent *event)
{
	struct message m = { 0 };
	const char *at = bytes;
	const char *end = bytes + len;

	*event = (struct uevent){ .action = UEVENT_OTHER };
	/* strings, each ended by a NUL: what has none at the end is cut off */
	for (const char *nul; at < end && (nul = memchr(at, '\0', (size_t)(end - at))); at = nul + 1)
		take_property(&m, at);
	if (at != end || !m.action || !m.subsystem || strcmp(m.subsystem, "block"))
		return false;
	event->action = action_of(m.action);
	if (!m.diskseq || !number_u64(m.diskseq, &event->diskseq))
		event->diskseq = 0;
	return take_name(&m, event->name, sizeof(event->name));
}

int uevent_next(int fd, struct uevent *event)
{
	char bytes[MESSAGE_SIZE];

	for (;;) {
		struct sockaddr_nl from = { 0 };
		struct iovec part = { bytes, sizeof(bytes) };
		struct msghdr header = {
			.msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &part, .msg_iovlen = 1,
		};
		ssize_t len = recvmsg(fd, &header, MSG_DONTWAIT);

		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0)
			return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -errno;
		/* anybody may send to the group; the kernel's port is 0 */
		if (from.nl_pid || (header.msg_flags & MSG_TRUNC))
			continue;
		if (uevent_parse(bytes, (size_t)len, event))
			return 1;
	}
}
