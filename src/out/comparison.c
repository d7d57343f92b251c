/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "out/comparison.h"

#include <string.h>

bool judge_device(struct engine *e, uint32_t slot, enum metric_id m, struct judged *j)
{
	if (!engine_compare(e, slot, m, &j->c))
		return false;
	j->before.why = engine_estimate_before(e, slot, m, &j->before.e);
	j->after.why = engine_estimate_after(e, slot, m, &j->after.e);
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
	return engine_active_before(e, slot) || segment_active(engine_after(e), slot);
}

static bool is_known(struct engine *e, uint32_t slot)
{
	uint32_t instance;

	return engine_before_slot(e, slot) != SLOT_NONE || segment_has(engine_after(e), slot, &instance);
}

bool is_compared(struct engine *e, const bool *shown, size_t n, uint32_t slot)
{
	if (!engine_roster(e)->entries[slot].name)
		return false;
	if (shown)
		return slot < n && shown[slot] && is_known(e, slot);
	return is_active(e, slot);
}

const char *attribute_short(const char *attribute)
{
	const char *slash = strrchr(attribute, '/');

	return slash ? slash + 1 : attribute;
}

const char *judged_reason(const struct comparison *c)
{
	if (c->verdict != VERDICT_NA)
		return "";
	return na_text(c->why_after != NA_NONE ? c->why_after : c->why_before);
}
