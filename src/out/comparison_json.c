/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "out/comparison.h"
#include "out/json.h"

static void add_number(struct text *out, const char *key, bool known, double v)
{
	put_key(out, key);
	put_value(out, (struct value){ v, known ? NA_NONE : NA_FIRST });
}

static void add_segment(struct text *out, const char *key, struct engine *e, const struct segment *s)
{
	const char *release = engine_release(e);

	put_key(out, key);
	text_add_char(out, '{');
	add_number(out, "seconds", true, segment_seconds(s));
	add_number(out, "n", true, segment_bins(s));
	put_key(out, "kernel");
	put_string(out, *release ? release : NULL);
	text_add_char(out, '}');
}

static void add_side(struct text *out, const char *keys[3], const struct side *side)
{
	bool known = side->why == NA_NONE;
	bool spread = known && side->e.kind != ESTIMATE_SINGLE;

	add_number(out, keys[0], known, side->e.value);
	add_number(out, keys[1], spread, side->e.sd);
	add_number(out, keys[2], known && side->e.kind != ESTIMATE_SPREAD, side->e.n);
}

static void add_judgement(struct text *out, const struct judged *j, bool percent)
{
	const struct comparison *c = &j->c;
	bool both = j->before.why == NA_NONE && j->after.why == NA_NONE;
	bool interval = c->has_ci && (c->has_pct || percent);

	add_number(out, "change", both, c->change);
	add_number(out, "change_pct", both && c->has_pct, c->change_pct);
	add_number(out, "ci_low", interval, c->ci_low);
	add_number(out, "ci_high", interval, c->ci_high);
	add_number(out, "mde_pct", interval, c->mde_pct);
	put_key(out, "verdict");
	put_string(out, verdict_name(c->verdict));
	put_key(out, "reason");
	if (c->verdict == VERDICT_NA)
		put_string(out, na_text(c->why_after != NA_NONE ? c->why_after : c->why_before));
	else
		put_string(out, NULL);
	put_key(out, "better");
	if (c->better)
		put_bool(out, c->better > 0);
	else
		put_string(out, NULL);
}

static void add_metric(struct text *out, const char *device, const char *name, const struct judged *j, bool percent)
{
	static const char *before[] = { "before", "before_sd", "before_n" };
	static const char *after[] = { "after", "after_sd", "after_n" };

	put_next(out);
	text_add_char(out, '{');
	put_key(out, "device");
	put_string(out, device);
	put_key(out, "metric");
	put_string(out, name);
	add_side(out, before, &j->before);
	add_side(out, after, &j->after);
	add_judgement(out, j, percent);
	text_add_char(out, '}');
}

static void add_device(struct text *out, struct engine *e, uint32_t slot)
{
	const char *name = engine_roster(e)->entries[slot].name;
	struct judged j;

	for (unsigned int m = 0; m < METRICS; m++) {
		unsigned int flags = metrics[m].rules.flags;

		if (!(flags & METRIC_LEGACY) && judge_device(e, slot, (enum metric_id)m, &j))
			add_metric(out, name, metrics[m].name, &j, flags & METRIC_PERCENT);
	}
}

void comparison_json(struct engine *e, const bool *shown, size_t n, struct text *out)
{
	const struct segment *before = engine_before(e);
	struct judged j;

	if (!before)
		return;
	text_add_char(out, '{');
	add_segment(out, "before", e, before);
	add_segment(out, "after", e, engine_after(e));
	put_key(out, "setup");
	text_add(out, "[]");
	put_key(out, "metrics");
	text_add_char(out, '[');
	for (uint32_t slot = 0; slot < engine_roster(e)->n; slot++) {
		if (is_compared(e, shown, n, slot))
			add_device(out, e, slot);
	}
	for (unsigned int m = 0; m < SYSTEM_METRICS; m++) {
		const struct system_metric *row = &system_metrics[m];

		if (judge_system(e, (enum system_id)m, &j))
			add_metric(out, NULL, row->name, &j, row->rules.flags & METRIC_PERCENT);
	}
	text_add_char(out, ']');
	put_key(out, "findings");
	text_add(out, "[]}\n");
}
