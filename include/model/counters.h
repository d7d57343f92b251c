/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counters of one device as the kernel prints them in a line of /proc/diskstats, and the one parser of such lines
 * (live, trees, recordings). Pure: no I/O. Units: sectors are always 512 bytes, ticks are milliseconds that the kernel
 * cuts to 32 bits. Source: Documentation/admin-guide/iostats.rst of the kernel.
 */
#ifndef IODELTA_MODEL_COUNTERS_H
#define IODELTA_MODEL_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order of the file. */
enum field {
	RD_IOS, RD_MERGES, RD_SECTORS, RD_TICKS,
	WR_IOS, WR_MERGES, WR_SECTORS, WR_TICKS,
	IN_FLIGHT, IO_TICKS, TIME_IN_QUEUE,
	DC_IOS, DC_MERGES, DC_SECTORS, DC_TICKS,
	FL_IOS, FL_TICKS,
	FIELDS
};

/* A set of fields, one bit each. */
typedef uint32_t field_set;

#define FIELD(f) ((field_set)1 << (f))
#define FIELDS_ALL (FIELD(FIELDS) - 1)
#define FIELDS_READ (FIELD(RD_IOS) | FIELD(RD_MERGES) | FIELD(RD_SECTORS) | FIELD(RD_TICKS))
#define FIELDS_WRITE (FIELD(WR_IOS) | FIELD(WR_MERGES) | FIELD(WR_SECTORS) | FIELD(WR_TICKS))
#define FIELDS_DISCARD (FIELD(DC_IOS) | FIELD(DC_MERGES) | FIELD(DC_SECTORS) | FIELD(DC_TICKS))
#define FIELDS_FLUSH (FIELD(FL_IOS) | FIELD(FL_TICKS))
#define FIELDS_IOS (FIELD(RD_IOS) | FIELD(WR_IOS) | FIELD(DC_IOS) | FIELD(FL_IOS))
#define FIELDS_SECTORS (FIELD(RD_SECTORS) | FIELD(WR_SECTORS) | FIELD(DC_SECTORS))
#define FIELDS_TICKS (FIELD(RD_TICKS) | FIELD(WR_TICKS) | FIELD(DC_TICKS) | FIELD(FL_TICKS) \
	| FIELD(IO_TICKS) | FIELD(TIME_IN_QUEUE))

struct counters {
	uint64_t v[FIELDS];     /* 0 where the field is not in `has` */
	field_set has;          /* the fields that the line had */
};

/* One line taken apart. `name` points into the line and is not terminated. */
struct diskline {
	unsigned int major, minor;
	const char *name;
	size_t name_len;
	struct counters counters;
};

/*
 * Parse one line (without its newline). Forms: 4 numbers after the name (partitions before 2.6.25: rd_ios rd_sectors
 * wr_ios wr_sectors), or 11 and more, of which the whole groups count: 11, 15 with discards, 17 with flushes; whatever
 * follows is left alone. False when it is anything else: too few numbers, a word among them, a number over 64 bits,
 * no name. An in_flight above 2^31 is a negative count of the kernel's and read as 0.
 */
bool diskline_parse(const char *line, size_t len, struct diskline *out) __attribute__((nonnull, warn_unused_result));

struct text;

/* Write a line as the kernel would, the fields in `has` only (a 4-number line stays one), with a newline. */
void diskline_write(struct text *t, unsigned int major, unsigned int minor, const char *name,
		    const struct counters *c) __attribute__((nonnull));

/* Sum of the I/Os completed since registration: reads, writes, discards, flushes. */
uint64_t counters_ios(const struct counters *c) __attribute__((nonnull));

bool counters_all_zero(const struct counters *c) __attribute__((nonnull));

#endif
