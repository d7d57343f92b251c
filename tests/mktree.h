/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mktree's inside: a fixture as it was read, and what its three files give each other. Errors in a fixture end the
 * program, so nothing here returns one.
 */
#ifndef IODELTA_TESTS_MKTREE_H
#define IODELTA_TESTS_MKTREE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define NUMBERS 24              /* most counters a line can have */
#define ALWAYS UINT_MAX

enum group { G_QUEUE = 1, G_MQ = 2, G_SCSI = 4, G_NVME = 8, G_HEAD = 16, G_PART = 32, G_HIDDEN = 64, G_DEADLINE = 128 };

/* %n name, %L H:C:T:L, %T H:C:T, %H host, %c NVMe controller, %b its PCI slot, %s NVMe subsystem, %i ordinal */
struct kind {
	const char *name, *directory, *device;
	unsigned int groups;
	const char *scheduler, *nr_requests;
};

/* What is there unless the fixture says otherwise. */
struct preset {
	unsigned int groups;    /* all of them needed */
	const char *path, *value;
};

struct line {
	char *text;
	unsigned int number;
};

/* One line of a device: `verb rest`, in force from step `from` to step `to`. */
struct directive {
	char *verb, *rest;
	unsigned int number, from, to;
};

/* A device; a raw diskstats line (kind NULL, directive raw); or, as the first item, the tree itself. */
struct item {
	char *name, *sysname, *parent;
	const struct kind *kind;
	unsigned int major, minor, ordinal, host, number;
	struct directive *v;
	size_t n, capacity;
	uint64_t counters[NUMBERS];
	unsigned int fields;
	char *directory;        /* of this step */
};

struct fixture {
	const char *path;
	struct line *lines;
	size_t n_lines, lines_capacity;
	struct item *items;
	size_t n, capacity;
	size_t current;         /* the item that directives go to; 0: the tree */
	double uptime[64];
	unsigned int n_uptimes, steps;
	unsigned int step;      /* the one being written */
	struct text diskstats, mountinfo, swaps;
};

/* mktree_read.c */
void read_fixture(struct fixture *f);
void fail(const struct fixture *f, unsigned int number, const char *format, ...)
	__attribute__((format(printf, 3, 4), noreturn));
void fail_path(const char *path) __attribute__((noreturn));
/* The next word of *s, cut off there; NULL at the end. */
char *word(char **s);
bool number_of(const char *s, uint64_t *value);
/* The last directive of that verb that is in force at this step. */
const struct directive *in_force(const struct fixture *f, const struct item *item, const char *verb);
struct item *find_item(struct fixture *f, const char *name);

/* mktree_expand.c */
const struct kind *find_kind(const char *name);
const struct preset *preset_at(size_t i);       /* NULL past the end */
/* A fixture's text with its escapes and series, and a newline. */
void expand(struct fixture *f, struct text *t, const char *s, unsigned int number);
/* A pattern of a kind or preset with its % letters filled in. */
void add_pattern(struct fixture *f, struct text *t, const struct item *item, const char *pattern);

/* mktree_count.c */
/* Take a device's counters to this step. A `count` without a span is where they start. */
void step_counters(struct fixture *f, struct item *item);
/* Its diskstats line. */
void add_counters(struct text *out, const struct item *item);

#endif
