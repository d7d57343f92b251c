/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "out/comparison.h"

bool judge_device(struct engine *e, uint32_t slot, enum metric_id m, struct judged *j)
{
	const struct segment *before = engine_before(e);

	if (!before || !engine_compare(e, slot, m, &j->c))
		return false;
	j->before.why = segment_estimate(before, slot, m, &j->before.e);
	j->after.why = segment_estimate(engine_after(e), slot, m, &j->after.e);
	return true;
}

bool judge_system(struct engine *e, enum system_id m, struct judged *j)
{
	const struct segment *before = engine_before(e);

	if (!before || !engine_compare_system(e, m, &j->c))
		return false;
	j->before.why = segment_estimate_system(before, m, &j->before.e);
	j->after.why = segment_estimate_system(engine_after(e), m, &j->after.e);
	return true;
}

bool is_active(struct engine *e, uint32_t slot)
{
	return segment_active(engine_before(e), slot) || segment_active(engine_after(e), slot);
}

static bool is_known(struct engine *e, uint32_t slot)
{
	uint32_t instance;

	return segment_has(engine_before(e), slot, &instance) || segment_has(engine_after(e), slot, &instance);
}

bool is_compared(struct engine *e, const bool *shown, size_t n, uint32_t slot)
{
	if (!engine_roster(e)->entries[slot].name)
		return false;
	if (shown)
		return slot < n && shown[slot] && is_known(e, slot);
	return is_active(e, slot);
}
