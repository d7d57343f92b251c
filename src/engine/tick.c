/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <errno.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/msg.h"
#include "engine/state.h"

/* A read that takes longer than this part of its bin is no instant. */
#define SLOW_READ_SHARE 0.05
#define HEAD_PATHS 64

static const struct sample *predecessor(const struct engine *e)
{
	return e->has_before ? &e->samples[!e->current] : NULL;
}

static const struct device *device_of(const struct engine *e, uint32_t slot)
{
	uint32_t device = e->units[slot].device;

	return device == DEVICE_NONE ? NULL : &e->inventory.topology.devices[device];
}

/* --- instances --- */

/* Another device stands behind the name from now on. */
static void renew(struct engine *e, uint32_t slot, double seconds)
{
	struct roster_entry *entry = &e->roster.entries[slot];
	struct unit *unit = &e->units[slot];

	entry->instance++;
	entry->since_ns = e->samples[e->current].t_ns;
	unit->track = (struct delta_track){ .age_s = seconds };
	unit->stuck_since_ns = 0;
	unit->counts_anyway = false;
	/* a tree's topology was read for this very sample */
	unit->stale = !e->source->stepped;
	e->instances_changed = true;
}

/* --- deltas --- */

/* Nothing happened and nothing has to be looked at: a delta of zeros. The time of such a device is accounted. */
static bool is_quiet(const struct sample_row *row)
{
	const uint64_t *v = row->counters.v;

	if (row->changed || v[IN_FLIGHT])
		return false;
	return (v[IO_TICKS] && (v[RD_SECTORS] || v[WR_SECTORS])) || counters_all_zero(&row->counters);
}

static void note_stuck(struct unit *unit, const struct sample *now, const struct sample *before)
{
	const struct delta *d = &unit->delta;

	if (d->state != DELTA_OK || !d->v[IN_FLIGHT] || delta_ios(d))
		unit->stuck_since_ns = 0;
	else if (!unit->stuck_since_ns)
		unit->stuck_since_ns = before->t_ns ? before->t_ns : now->t_ns;
}

static void row_delta(struct engine *e, const struct sample_row *row, const struct delta_interval *interval)
{
	const struct sample *before = predecessor(e);
	const struct sample_row *old = sample_row(before, row->slot);
	struct unit *unit = &e->units[row->slot];

	unit->has_delta = true;
	unit->quiet = false;
	unit->gone_ns = 0;
	if (!old || unit->renewed) {
		if (!old)
			happenings_add(e, row->slot, "came");
		else if (unit->delta.state != DELTA_NEW)
			happenings_add(e, row->slot, "another device came under this name");
		renew(e, row->slot, interval->seconds);
		delta_unavailable(&unit->delta, DELTA_NEW, interval->seconds);
		unit->renewed = unit->renewed ? (uint8_t)(unit->renewed - 1) : 0;
		return;
	}
	if (is_quiet(row)) {
		unit->quiet = true;
		delta_idle(&unit->delta, row->counters.has, interval->seconds);
		if (unit->track.age_s > 0)
			unit->track.age_s += interval->seconds;
		unit->stuck_since_ns = 0;
		return;
	}
	if (delta_compute(&unit->delta, &old->counters, &row->counters, interval, &unit->track) == DELTA_RESET)
		happenings_add(e, row->slot, "its counters were reset");
	note_stuck(unit, &e->samples[e->current], before);
}

static bool is_bio_based(const struct engine *e, uint32_t slot)
{
	const struct device *d = device_of(e, slot);

	return d && d->sysfs && !d->has_mq;
}

/* Its counters stand still whatever it does. Linux 6.1 reads 0 for bio-based maps and counts them: growth is proof. */
static bool is_off(struct engine *e, uint32_t slot)
{
	struct unit *unit = &e->units[slot];

	if (unit->iostats != 0)
		return false;
	if (is_bio_based(e, slot) && delta_ios(&unit->delta))
		unit->counts_anyway = true;
	return !unit->counts_anyway;
}

/* What this kernel cannot count, or is told not to count, for the device. */
static void hide_uncounted(struct engine *e, uint32_t slot)
{
	struct unit *unit = &e->units[slot];

	if (unit->missing & unit->delta.valid)
		delta_hide(&unit->delta, unit->missing, NA_NO_FIELD);
	if (is_off(e, slot) && !unit->delta.derived) {
		delta_hide(&unit->delta, FIELDS_ALL, NA_IOSTATS_OFF);
		unit->quiet = false;
	}
}

static void device_went(struct engine *e, const struct sample_row *old, double seconds)
{
	struct unit *unit = &e->units[old->slot];

	unit->has_delta = true;
	unit->quiet = false;
	unit->gone_ns = e->samples[e->current].t_ns;
	unit->stuck_since_ns = 0;
	happenings_add(e, old->slot, "gone");
	delta_unavailable(&unit->delta, DELTA_GONE, seconds);
	inventory_forget_unit(e, old->slot);
	inventory_devices_changed(e);
}

/* --- heads that do not account --- */

static bool is_path(const struct engine *e, uint32_t slot)
{
	const struct device *d = device_of(e, slot);

	return d && d->kind == KIND_NVME_PATH && sample_row(&e->samples[e->current], slot);
}

/* The slots of a head's paths that are in the last sample. */
static size_t paths_of(const struct engine *e, const struct device *head, uint32_t *slots)
{
	size_t n = 0;

	for (size_t i = 0; i < head->slaves.n && n < HEAD_PATHS; i++) {
		uint32_t slot = roster_find(&e->roster, head->slaves.v[i], strlen(head->slaves.v[i]));

		if (slot != SLOT_NONE && is_path(e, slot))
			slots[n++] = slot;
	}
	return n;
}

void engine_derived_text(const struct engine *e, uint32_t slot, enum metric_id m, struct text *out)
{
	const struct device *head = device_of(e, slot);

	if (!head)
		return;
	text_add(out, m == M_PCT_UTIL ? "maximum of " : "sum of ");
	for (size_t i = 0; i < head->slaves.n; i++) {
		text_add(out, i ? ", " : "");
		text_add(out, head->slaves.v[i]);
	}
}

bool tick_is_derived(const struct engine *e, uint32_t slot)
{
	const struct sample *now = &e->samples[e->current];
	const struct sample_row *row = sample_row(now, slot);
	const struct device *head = device_of(e, slot);
	uint32_t slots[HEAD_PATHS];
	size_t n;

	if (!row || !head || head->kind != KIND_NVME_HEAD)
		return false;
	if (e->units[slot].iostats != 0 && !counters_all_zero(&row->counters))
		return false;
	n = paths_of(e, head, slots);
	for (size_t i = 0; i < n; i++) {
		if (!counters_all_zero(&sample_row(now, slots[i])->counters))
			return true;
	}
	return false;
}

static void derive_head(struct engine *e, uint32_t slot)
{
	const struct delta *parts[HEAD_PATHS];
	uint32_t slots[HEAD_PATHS];
	size_t n, m = 0;

	if (e->units[slot].delta.state != DELTA_OK || !tick_is_derived(e, slot))
		return;
	n = paths_of(e, device_of(e, slot), slots);
	for (size_t i = 0; i < n; i++) {
		const struct delta *part = &e->units[slots[i]].delta;

		/* without one of its paths the sum would be too low */
		if (e->units[slots[i]].has_delta && part->state != DELTA_OK) {
			delta_unavailable(&e->units[slot].delta, part->state, part->seconds);
			e->units[slot].quiet = false;
			return;
		}
		if (e->units[slots[i]].has_delta)
			parts[m++] = part;
	}
	delta_sum(&e->units[slot].delta, parts, m);
	e->units[slot].quiet = false;
}

void tick_since_boot(struct engine *e, uint32_t slot, struct delta *d)
{
	const struct sample *now = engine_sample(e);
	const struct sample_row *row = now ? sample_row(now, slot) : NULL;
	struct delta paths[HEAD_PATHS];
	const struct delta *parts[HEAD_PATHS];
	uint32_t slots[HEAD_PATHS];
	size_t n;

	if (!row) {
		delta_unavailable(d, DELTA_GONE, 0);
		return;
	}
	delta_since_boot(d, &row->counters, e->source->uptime_s);
	if (tick_is_derived(e, slot)) {
		n = paths_of(e, device_of(e, slot), slots);
		for (size_t i = 0; i < n; i++) {
			tick_since_boot(e, slots[i], &paths[i]);
			parts[i] = &paths[i];
		}
		delta_sum(d, parts, n);
	} else if (e->units[slot].iostats == 0
		   && (!is_bio_based(e, slot) || counters_all_zero(&row->counters))) {
		delta_hide(d, FIELDS_ALL, NA_IOSTATS_OFF);
	}
	delta_hide(d, e->units[slot].missing, NA_NO_FIELD);
}

/* --- the tick --- */

static void say_malformed(struct engine *e, const struct sample *s)
{
	struct text path = TEXT_INIT;
	int len = s->malformed_len > 60 ? 60 : (int)s->malformed_len;

	e->malformed = s->malformed;
	if (e->malformed_said || !s->malformed)
		return;
	e->malformed_said = true;
	msg(root_message_path(&e->roots[e->source->root], "proc/diskstats", &path),
	    "malformed line skipped: %.*s", len, s->raw.buf + s->malformed_at);
	text_release(&path);
}

static void compose_warning(struct engine *e)
{
	text_clear(&e->warning);
	if (e->inventory.lost)
		text_add(&e->warning, "helper lost: nothing below /sys is read");
	if (e->by_name_only)
		text_addf(&e->warning, "%sidentity by name only", e->warning.len ? ", " : "");
	if (e->malformed)
		text_addf(&e->warning, "%s%u malformed line%s skipped", e->warning.len ? ", " : "", e->malformed,
			  e->malformed == 1 ? "" : "s");
}

/* New names get their unit; those that were not in the sample before make the topology stale. */
static void meet_devices(struct engine *e, const struct sample *before)
{
	const struct sample *now = &e->samples[e->current];

	for (size_t i = 0; i < now->n; i++) {
		uint32_t slot = now->rows[i].slot;

		engine_unit(e, slot);
		if (!before || !sample_row(before, slot))
			inventory_devices_changed(e);
	}
}

static void first_deltas(struct engine *e)
{
	const struct sample *now = &e->samples[e->current];

	for (uint32_t slot = 0; slot < e->n_units; slot++)
		e->units[slot].has_delta = false;
	for (size_t i = 0; i < now->n; i++) {
		struct unit *unit = &e->units[now->rows[i].slot];

		unit->has_delta = true;
		unit->quiet = false;
		unit->renewed = 0;
		unit->track = (struct delta_track){ 0 };
		unit->stuck_since_ns = 0;
		delta_unavailable(&unit->delta, DELTA_FIRST, 0);
	}
	system_delta_unavailable(&e->system, NA_FIRST);
	e->interval_s = 0;
}

static void all_deltas(struct engine *e, const struct sample *before)
{
	const struct sample *now = &e->samples[e->current];
	struct delta_interval interval = {
		.seconds = (double)(now->t_ns - before->t_ns) / 1e9,
		.uptime_s = e->source->uptime_s,
		.word_bits = e->source->word_bits,
	};

	e->interval_s = interval.seconds;
	for (size_t i = 0; i < before->n; i++) {
		if (!sample_row(now, before->rows[i].slot))
			device_went(e, &before->rows[i], interval.seconds);
	}
	for (size_t i = 0; i < now->n; i++)
		row_delta(e, &now->rows[i], &interval);
	for (size_t i = 0; i < now->n; i++)
		derive_head(e, now->rows[i].slot);
	for (size_t i = 0; i < now->n; i++)
		hide_uncounted(e, now->rows[i].slot);
	if (e->options.with_system)
		system_delta_compute(&e->system, &before->system, &now->system, interval.seconds);
}

/* The deltas of devices that went an interval ago are over; whatever comes back in their place is new anyway. */
static void drop_old_gone(struct engine *e)
{
	for (uint32_t slot = 0; slot < e->n_units; slot++) {
		if (e->units[slot].gone_ns)
			e->units[slot].has_delta = false;
		if (!sample_row(&e->samples[e->current], slot))
			e->units[slot].renewed = 0;
	}
}

static bool is_spoilt(struct engine *e, const struct sample *before)
{
	const struct sample *now = &e->samples[e->current];
	double bin_s = e->interval_s > 1 ? e->interval_s : 1;
	bool suspended = now->boot_ns - before->boot_ns > NS_PER_S;
	bool spoilt = (double)now->read_ns / 1e9 > SLOW_READ_SHARE * bin_s || suspended || e->resumed;

	if (suspended)
		msg(NULL, "suspended for %.0f s: that interval is left out",
		    (double)(now->boot_ns - before->boot_ns) / 1e9);
	e->resumed = false;
	return spoilt;
}

static int read_sample(struct engine *e, unsigned int into)
{
	struct text path = TEXT_INIT;
	int error = source_read(e->source, &e->samples[into], e->options.with_system);

	/* a stepped source has said which tree it is */
	if (error && error != -ENODATA && !e->source->stepped) {
		msg_errno(root_message_path(&e->roots[e->source->root], "proc/diskstats", &path), error);
		text_release(&path);
	}
	return error;
}

enum engine_event tick(struct engine *e)
{
	unsigned int into = e->published ? !e->current : 0;
	const struct sample *before = e->published ? &e->samples[e->current] : NULL;
	int error;

	if (!e->source->stepped)
		inventory_uevents(e, 1);
	error = read_sample(e, into);
	if (error)
		return error == -ENODATA ? ENGINE_END : ENGINE_FAILED;
	/* what came between that drain and the read cannot be told from what came after it */
	if (!e->source->stepped)
		inventory_uevents(e, 2);
	if (before && (e->source->restarted || e->samples[into].t_ns <= before->t_ns)) {
		segments_break(e);
		before = NULL;
	}
	sample_parse(&e->samples[into], before, &e->roster);
	e->current = into;
	e->has_before = before != NULL;
	say_malformed(e, &e->samples[into]);
	meet_devices(e, before);
	if (e->source->stepped)
		inventory_read_tree(e);
	else
		inventory_adopt(e);
	drop_old_gone(e);
	if (before) {
		e->instances_changed = false;
		all_deltas(e, before);
		if (e->instances_changed)
			before_match(e);
		segments_add(e, is_spoilt(e, before));
	} else {
		first_deltas(e);
	}
	if (e->source->stepped)
		inventory_read_tree_attributes(e);
	if (!e->published++)
		msg_debug("first sample: %zu devices", e->samples[into].n);
	compose_warning(e);
	return ENGINE_SAMPLE;
}
