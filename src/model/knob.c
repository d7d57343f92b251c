/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "model/knob.h"

#include <string.h>

#include "base/alloc.h"

const struct knob knobs[] = {
	{ "queue/scheduler", "scheduler" },
	{ "queue/nr_requests", "nr_requests" },
	{ "queue/iosched/async_depth", "async_depth" },
	{ "queue/async_depth", "async_depth" },
	{ "device/queue_depth", "queue_depth" },
	{ "queue/nomerges", "nomerges" },
	{ "queue/max_sectors_kb", "max_sectors_kb" },
	{ "queue/read_ahead_kb", "read_ahead_kb" },
	{ "queue/rq_affinity", "rq_affinity" },
	{ "queue/wbt_lat_usec", "wbt_lat_usec" },
	{ "queue/write_cache", "write_cache" },
	{ "queue/io_timeout", "io_timeout" },
	{ "queue/iostats", "iostats" },
	{ "queue/rotational", "rotational" },
	{ "queue/iosched/read_expire", "read_expire" },
	{ "queue/iosched/write_expire", "write_expire" },
	{ "queue/iosched/fifo_batch", "fifo_batch" },
	{ "queue/iosched/writes_starved", "writes_starved" },
	{ "queue/iosched/front_merges", "front_merges" },
	{ "queue/iosched/prio_aging_expire", "prio_aging" },
	{ "queue/iosched/read_lat_nsec", "read_lat_nsec" },
	{ "queue/iosched/write_lat_nsec", "write_lat_nsec" },
	{ "queue/iosched/low_latency", "low_latency" },
	{ "queue/iosched/slice_idle", "slice_idle" },
	{ "queue/iosched/slice_idle_us", "slice_idle_us" },
	{ "queue/iosched/strict_guarantees", "strict_guarant" },
	{ "queue/iosched/max_budget", "max_budget" },
	{ "dm/rq_based_seq_io_merge_deadline", "seq_merge_dl" },
	{ "md/stripe_cache_size", "stripe_cache" },
	{ "md/group_thread_cnt", "group_threads" },
	{ "md/preread_bypass_threshold", "preread_bypass" },
};

const size_t knobs_n = ARRAY_SIZE(knobs);

size_t knob_rank(const char *path)
{
	size_t i = 0;

	while (i < knobs_n && strcmp(knobs[i].path, path) != 0)
		i++;
	return i;
}

const char *knob_name(const char *path)
{
	size_t i = knob_rank(path);
	const char *slash = strrchr(path, '/');

	return i < knobs_n ? knobs[i].name : slash ? slash + 1 : path;
}

const char *knob_chosen(const char *value, size_t *len)
{
	const char *open = strchr(value, '[');
	const char *close = open ? strchr(open, ']') : NULL;

	*len = close ? (size_t)(close - open - 1) : strlen(value);
	return close ? open + 1 : value;
}

bool knob_same(const char *a, const char *b)
{
	size_t len_a, len_b;

	a = knob_chosen(a, &len_a);
	b = knob_chosen(b, &len_b);
	return len_a == len_b && !memcmp(a, b, len_a);
}
