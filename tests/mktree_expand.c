/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fixtures leave to be filled in: the kinds of devices with their presets, escapes and series. */
#include "config.h"

#include "mktree.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define SCSI_DIR "sys/devices/pci0000:00/0000:00:1f.2/host%H/target%T/%L/block/%n"
#define NVME_DIR "sys/devices/pci0000:00/0000:00:%b.0/nvme/nvme%c/%n"
#define VIRTUAL_DIR "sys/devices/virtual/block/%n"

static const struct kind kinds[] = {
	{ "disk", SCSI_DIR, "../../../%L", G_QUEUE | G_MQ | G_SCSI, "[mq-deadline] none", "256" },
	{ "sr", SCSI_DIR, "../../../%L", G_QUEUE | G_MQ | G_SCSI, "[mq-deadline] none", "2" },
	{ "nvme", NVME_DIR, "../../nvme%c", G_QUEUE | G_MQ | G_NVME, "[none] mq-deadline", "1023" },
	{ "path", NVME_DIR, "../../nvme%c", G_QUEUE | G_MQ | G_NVME | G_HIDDEN, "[none] mq-deadline", "1023" },
	{ "head", "sys/devices/virtual/nvme-subsystem/nvme-subsys%s/%n", "../../nvme-subsys%s", G_QUEUE | G_HEAD,
	  NULL, NULL },
	{ "virtio", "sys/devices/pci0000:00/0000:00:05.0/virtio%i/block/%n", "../../../virtio%i", G_QUEUE | G_MQ,
	  "[none] mq-deadline", "256" },
	{ "part", NULL, NULL, G_PART, NULL, NULL },
	{ "dmrq", VIRTUAL_DIR, NULL, G_QUEUE | G_MQ, "[mq-deadline] none", "256" },
	{ "dm", VIRTUAL_DIR, NULL, G_QUEUE, "none", "128" },
	{ "md", VIRTUAL_DIR, NULL, G_QUEUE, "none", "128" },
	{ "loop", VIRTUAL_DIR, NULL, G_QUEUE | G_MQ, "[none] mq-deadline", "128" },
	{ "nbd", VIRTUAL_DIR, NULL, G_QUEUE | G_MQ, "[none] mq-deadline", "128" },
	{ "virtual", VIRTUAL_DIR, NULL, G_QUEUE, "none", "128" },
};


static const struct preset presets[] = {
	{ 0, "ro", "0" },
	{ 0, "size", "2097152" },
	{ G_PART, "start", "2048" },
	{ G_QUEUE, "removable", "0" },
	{ G_QUEUE, "range", "16" },
	{ G_QUEUE, "queue/iostats", "1" },
	{ G_QUEUE, "queue/read_ahead_kb", "128" },
	{ G_QUEUE, "queue/rotational", "0" },
	{ G_QUEUE, "queue/logical_block_size", "512" },
	{ G_QUEUE, "queue/physical_block_size", "512" },
	{ G_QUEUE, "queue/hw_sector_size", "512" },
	{ G_QUEUE, "queue/max_sectors_kb", "1280" },
	{ G_QUEUE, "queue/max_hw_sectors_kb", "32767" },
	{ G_QUEUE, "queue/nomerges", "0" },
	{ G_QUEUE, "queue/write_cache", "write back" },
	{ G_MQ, "queue/rq_affinity", "1" },
	{ G_MQ, "queue/wbt_lat_usec", "2000" },
	{ G_MQ, "mq/0/nr_tags", "32" },
	{ G_DEADLINE, "queue/iosched/read_expire", "500" },
	{ G_DEADLINE, "queue/iosched/write_expire", "5000" },
	{ G_DEADLINE, "queue/iosched/fifo_batch", "16" },
	{ G_DEADLINE, "queue/iosched/writes_starved", "2" },
	{ G_DEADLINE, "queue/iosched/front_merges", "1" },
	{ G_DEADLINE, "queue/iosched/async_depth", "256" },
	{ G_SCSI, "device/vendor", "Linux   " },
	{ G_SCSI, "device/model", "scsi_debug      " },
	{ G_SCSI, "device/queue_depth", "32" },
	{ G_SCSI, "device/timeout", "30" },
	{ G_SCSI, "device/state", "running" },
	{ G_SCSI, "device/ioerr_cnt", "0x0" },
	{ G_SCSI, "device/iotmo_cnt", "0x0" },
	{ G_NVME, "device/model", "QEMU NVMe Ctrl                          " },
	{ G_NVME, "device/serial", "SN%s                " },
	{ G_NVME, "device/transport", "pcie" },
	{ G_NVME, "device/address", "0000:00:%b.0" },
	{ G_NVME, "device/cntlid", "%c" },
	{ G_NVME, "device/state", "live" },
	{ G_NVME, "device/subsysnqn", "nqn.2019-08.org.qemu:sub%s" },
	{ G_NVME | G_HIDDEN, "ana_state", "optimized" },
	{ G_HEAD, "device/subsysnqn", "nqn.2019-08.org.qemu:sub%s" },
	{ G_HEAD, "device/iopolicy", "numa" },
};

const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

const struct preset *preset_at(size_t i)
{
	return i < ARRAY_SIZE(presets) ? &presets[i] : NULL;
}

/* {A+Bn}: A at the first step, B more at each further one. Returns what was read. */
static size_t expand_series(struct text *t, const char *s, unsigned int step)
{
	unsigned long long a, b;
	int len = 0;

	if (sscanf(s, "{%llu+%llun}%n", &a, &b, &len) != 2 || !len)
		return 0;
	text_add_u64(t, a + b * (step - 1));
	return (size_t)len;
}

/* \n \t \r \e \\, \xNN, \{300x} for 300 times x, and \c: no newline at the end. Returns what was read. */
static size_t expand_escape(struct text *t, const char *s, bool *newline)
{
	static const char plain[] = "n\nt\tr\re\033\\\\";
	unsigned int v;
	int len = 0;
	char c;

	for (const char *p = plain; *p; p += 2)
		if (*p == s[1]) {
			text_add_char(t, p[1]);
			return 2;
		}
	if (s[1] == 'x' && sscanf(s + 2, "%2x%n", &v, &len) == 1) {
		text_add_char(t, (char)v);
		return 2 + (size_t)len;
	}
	if (sscanf(s + 1, "{%u%c}%n", &v, &c, &len) == 2 && len && v < 1000000) {
		text_add_fill(t, c, v);
		return 1 + (size_t)len;
	}
	if (s[1] == 'c')
		*newline = false;
	return s[1] == 'c' ? 2 : 0;
}

void expand(struct fixture *f, struct text *t, const char *s, unsigned int number)
{
	bool newline = true;

	while (*s) {
		size_t len = *s == '\\' ? expand_escape(t, s, &newline) : *s == '{' ? expand_series(t, s, f->step) : 0;

		if (!len && *s == '\\')
			fail(f, number, "%.3s: unknown escape", s);
		if (!len)
			text_add_char(t, *s);
		s += len ? len : 1;
	}
	if (newline)
		text_add_char(t, '\n');
}

/* The number behind the last such letter that a digit follows: 'c' of nvme0c1n1, 'e' of nvme0n1. */
static unsigned long number_behind(const char *name, char letter)
{
	unsigned long v = 0;

	for (const char *c = name; *c; c++)
		if (*c == letter && isdigit((unsigned char)c[1]))
			v = strtoul(c + 1, NULL, 10);
	return v;
}

void add_pattern(struct fixture *f, struct text *t, const struct item *item, const char *pattern)
{
	const struct directive *place = in_force(f, item, "hctl");
	unsigned long subsystem = number_behind(item->name, 'e'), controller = subsystem;
	struct text hctl = TEXT_INIT;

	if (item->kind->groups & G_HIDDEN)
		controller = number_behind(item->name, 'c');
	text_addf(&hctl, "%s", place ? place->rest : "");
	if (!place)
		text_addf(&hctl, "%u:0:0:0", item->host);
	for (const char *c = pattern; *c; c++) {
		const char *colon = strrchr(text_str(&hctl), ':');

		if (*c != '%') {
			text_add_char(t, *c);
			continue;
		}
		switch (*++c) {
		case 'n': text_add(t, item->sysname); break;
		case 'L': text_add(t, text_str(&hctl)); break;
		case 'T': text_add_n(t, text_str(&hctl), colon ? (size_t)(colon - text_str(&hctl)) : 0); break;
		case 'H': text_add_n(t, text_str(&hctl), strcspn(text_str(&hctl), ":")); break;
		case 'c': text_add_u64(t, controller); break;
		case 'b': text_addf(t, "%02lx", controller + 0x10); break;
		case 's': text_add_u64(t, subsystem); break;
		default: text_add_u64(t, item->ordinal); break;
		}
	}
	text_release(&hctl);
}
