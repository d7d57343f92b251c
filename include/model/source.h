/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where samples come from: the live system, trees taken in turn, later a recording. The engine knows only this.
 * Ownership: source_free.
 */
#ifndef IODELTA_MODEL_SOURCE_H
#define IODELTA_MODEL_SOURCE_H

#include <stdbool.h>

#include "model/sample.h"

struct source;

struct source_ops {
	/* Fill raw, stamps and system counters of `s`. 0, -ENODATA when there are no more samples, or -errno. */
	int (*read)(struct source *source, struct sample *s, bool with_system);
	void (*free)(struct source *source);
};

/* What every source has; the rest is behind it. */
struct source {
	const struct source_ops *ops;
	bool stepped;           /* samples come when they are asked for; time is the source's own */
	bool restarted;         /* the sample just read has nothing to do with the one before (a loop went round) */
	unsigned int root;      /* which root the sample just read came from: its topology is read there */
	double uptime_s;        /* since boot, at the sample just read */
	unsigned int word_bits; /* of the kernel's unsigned long */
	const char *release;    /* the kernel's, "6.1.0-13-amd64"; "" when not known */
	const char *host;       /* the machine's name; "" when not known */
};

static inline int source_read(struct source *source, struct sample *s, bool with_system)
{
	return source->ops->read(source, s, with_system);
}

static inline void source_free(struct source *source)
{
	if (source)
		source->ops->free(source);
}

#endif
