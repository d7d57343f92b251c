/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/state.h"

/* --- bins on their way to AFTER --- */

static struct bin *bin_open(struct segments *s)
{
	struct bin *bin;

	if (s->n_waiting == WAITING_BINS) {
		/* cannot happen while HOLD_IDLE_S is below WAITING_BINS bins; the oldest gives way */
		struct bin oldest = s->waiting[0];

		memmove(&s->waiting[0], &s->waiting[1], (WAITING_BINS - 1) * sizeof(oldest));
		s->waiting[WAITING_BINS - 1] = oldest;
		s->n_waiting--;
	}
	bin = &s->waiting[s->n_waiting++];
	bin->n = 0;
	return bin;
}

/* `release`: of the kernel that it was measured under; AFTER has that of its first bin. */
static void bin_to_after(struct segments *s, const struct bin *bin, const char *release)
{
	struct segment *to = s->live->segment;

	if (!segment_bins(to) && strcmp(s->live->release, release)) {
		free(s->live->release);
		s->live->release = xstrdup(release);
	}
	segment_open_bin(to, bin->seconds);
	for (size_t i = 0; i < bin->n; i++) {
		const struct bin_entry *entry = &bin->entries[i];

		if (entry->idle)
			segment_add_idle(to, entry->slot, entry->instance, entry->delta.valid);
		else
			segment_add(to, entry->slot, entry->instance, &entry->delta);
	}
	segment_add_system(to, &bin->system);
	segment_close_bin(to);
}

static void waiting_to_after(struct engine *e)
{
	struct segments *s = &e->segments;

	for (size_t i = 0; i < s->n_waiting; i++) {
		bin_to_after(s, &s->waiting[i], e->source->release);
		before_judge(e);
	}
	s->n_waiting = 0;
}

/* --- hold --- */

/* It did something, or nothing is known of what it did: that is no idleness (queue/iostats is 0, a new device). */
static bool is_not_idle(const struct bin_entry *entry)
{
	return !entry->idle && (!(entry->delta.valid & FIELDS_IOS) || delta_active(&entry->delta));
}

static bool selected_stack_active(const struct engine *e, const struct bin *bin)
{
	for (size_t i = 0; i < bin->n; i++) {
		uint32_t device = engine_device(e, bin->entries[i].slot);

		if (device != DEVICE_NONE && e->inventory.in_selected[device] && is_not_idle(&bin->entries[i]))
			return true;
	}
	return false;
}

/* A bin is complete: it counts, it waits whether it will, or it is left out. */
static void route_bin(struct engine *e)
{
	struct segments *s = &e->segments;
	const struct bin *bin = &s->waiting[s->n_waiting - 1];

	if (s->hold == HOLD_BY_HAND) {
		s->n_waiting = 0;
		return;
	}
	if (!s->auto_hold || e->selected == SLOT_NONE || selected_stack_active(e, bin)) {
		if (s->hold == HOLD_IDLE)
			s->hold = HOLD_NONE;
		s->idle_s = 0;
		waiting_to_after(e);
		return;
	}
	s->idle_s += bin->seconds;
	if (s->idle_s >= HOLD_IDLE_S || s->hold == HOLD_IDLE) {
		s->hold = HOLD_IDLE;
		s->n_waiting = 0;
	}
}

enum engine_hold engine_hold_state(const struct engine *e)
{
	return e->segments.hold;
}

bool engine_auto_hold(const struct engine *e)
{
	return e->segments.auto_hold;
}

void engine_toggle_hold(struct engine *e)
{
	struct segments *s = &e->segments;

	s->hold = s->hold == HOLD_NONE ? HOLD_BY_HAND : HOLD_NONE;
	s->idle_s = 0;
	s->n_waiting = 0;
}

void engine_toggle_auto_hold(struct engine *e)
{
	struct segments *s = &e->segments;

	s->auto_hold = !s->auto_hold;
	if (s->hold == HOLD_IDLE)
		s->hold = HOLD_NONE;
	s->idle_s = 0;
	waiting_to_after(e);
}

/* --- the bin in the making --- */

static void bin_reset(struct engine *e)
{
	struct segments *s = &e->segments;

	s->bin_s = s->bin_samples = 0;
	s->bin_spoilt = false;
	s->bin_system = (struct system_delta){ 0 };
	for (uint32_t slot = 0; slot < e->n_units; slot++)
		e->units[slot].bin_used = false;
}

void segments_break(struct engine *e)
{
	if (e->options.with_segments)
		bin_reset(e);
}

/* `earlier_s`: what of this bin lies before the interval, in which the device was idle. */
static void unit_to_bin(struct unit *unit, double earlier_s, double earlier_samples)
{
	if (unit->quiet && !unit->bin_used)
		return;
	if (!unit->bin_used) {
		unit->bin = (struct delta){ 0 };
		if (earlier_samples > 0 && unit->delta.state == DELTA_OK) {
			delta_idle(&unit->bin, unit->delta.valid, earlier_s);
			unit->bin.samples = earlier_samples;
		}
		unit->bin_used = true;
	}
	delta_append(&unit->bin, &unit->delta);
}

static void entry_add(struct engine *e, struct bin *bin, const struct sample_row *row)
{
	struct unit *unit = &e->units[row->slot];
	struct bin_entry *entry;

	ARRAY_GROW(bin->entries, bin->capacity, bin->n + 1);
	entry = &bin->entries[bin->n++];
	entry->slot = row->slot;
	entry->instance = e->roster.entries[row->slot].instance;
	entry->idle = !unit->bin_used;
	if (entry->idle) {
		entry->delta.valid = unit->delta.valid;
		history_add_idle(e->segments.history, row->slot, &row->counters);
	} else {
		entry->delta = unit->bin;
		history_add(e->segments.history, row->slot, &unit->bin, &row->counters);
	}
}

static void bin_close(struct engine *e)
{
	struct segments *s = &e->segments;
	const struct sample *now = &e->samples[e->current];
	struct bin *bin = bin_open(s);

	bin->seconds = s->bin_s;
	bin->system = s->bin_system;
	history_open_bin(s->history, now->t_ns, s->bin_s);
	for (size_t i = 0; i < now->n; i++)
		entry_add(e, bin, &now->rows[i]);
	history_close_bin(s->history);
	if (s->bin_spoilt)
		s->n_waiting--;
	else
		route_bin(e);
	bin_reset(e);
	stretches_settle(e);
}

void segments_add(struct engine *e, bool spoilt)
{
	struct segments *s = &e->segments;
	const struct sample *now = &e->samples[e->current];

	if (!e->options.with_segments)
		return;
	for (size_t i = 0; i < now->n; i++)
		unit_to_bin(&e->units[now->rows[i].slot], s->bin_s, s->bin_samples);
	if (e->options.with_system)
		system_delta_append(&s->bin_system, &e->system);
	s->bin_s += e->interval_s;
	s->bin_samples++;
	s->bin_spoilt |= spoilt || stretches_acting(e) || s->settle_s > 0;
	s->settle_s -= s->settle_s > 0 ? e->interval_s : 0;
	/* as near to 1 s as whole intervals come */
	if (s->bin_s + e->interval_s / 2 >= 1)
		bin_close(e);
}

/* --- AFTER --- */

const struct segment *engine_after(const struct engine *e)
{
	return e->segments.after ? e->segments.after->segment : NULL;
}

const struct history *engine_history(const struct engine *e)
{
	return e->segments.history;
}

void engine_restart_after(struct engine *e)
{
	struct segments *s = &e->segments;

	stretches_restart(e);
	s->n_waiting = 0;
	s->idle_s = 0;
	if (s->hold == HOLD_IDLE)
		s->hold = HOLD_NONE;
	attributes_errors_from_now(e);
	before_forget_marks(e);
	bin_reset(e);
}

bool engine_pin_before(struct engine *e)
{
	struct segments *s = &e->segments;
	struct stretch *pinned = s->after;

	if (!segment_bins(pinned->segment))
		return false;
	if (pinned == s->live)
		stretches_close(e);
	before_set(e, pinned);
	s->before.by_hand = true;
	engine_restart_after(e);
	return true;
}

/* --- life --- */

void segments_forget(struct engine *e, uint32_t slot)
{
	struct segments *s = &e->segments;

	if (!e->options.with_segments)
		return;
	stretches_forget(e, slot);
	history_forget(s->history, slot);
	for (size_t i = 0; i < s->n_waiting; i++) {
		struct bin *bin = &s->waiting[i];

		for (size_t j = bin->n; j-- > 0;) {
			if (bin->entries[j].slot == slot)
				bin->entries[j] = bin->entries[--bin->n];
		}
	}
}

void segments_init(struct engine *e)
{
	struct segments *s = &e->segments;

	if (!e->options.with_segments)
		return;
	stretches_init(e);
	s->history = history_new();
	s->auto_hold = true;
}

void segments_release(struct engine *e)
{
	struct segments *s = &e->segments;

	stretches_release(e);
	free(s->before.match);
	history_free(s->history);
	for (size_t i = 0; i < WAITING_BINS; i++)
		free(s->waiting[i].entries);
}
