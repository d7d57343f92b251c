/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "out/comparison.h"
#include "out/json.h"

static void add_number(struct text *out, const char *key, bool known, double v)
{
	put_key(out, key);
	put_value(out, (struct value){ v, known ? NA_NONE : NA_FIRST });
}

static void add_segment(struct text *out, const char *key, const struct segment *s, const char *release)
{
	put_key(out, key);
	text_add_char(out, '{');
	add_number(out, "seconds", true, segment_seconds(s));
	add_number(out, "n", true, segment_bins(s));
	put_key(out, "kernel");
	put_string(out, *release ? release : NULL);
	text_add_char(out, '}');
}

/* One bin has no spread; a printed one is taken as it is. */
static void add_side(struct text *out, const char *keys[3], const struct side *side)
{
	bool known = side->why == NA_NONE;
	bool spread = known && side->e.kind != ESTIMATE_SINGLE && (side->e.kind == ESTIMATE_SPREAD || side->e.n > 1);

	add_number(out, keys[0], known, side->e.value);
	add_number(out, keys[1], spread, side->e.sd);
	add_number(out, keys[2], known && side->e.kind != ESTIMATE_SPREAD, side->e.n);
}

static void add_judgement(struct text *out, const struct judged *j, bool percent)
{
	const struct comparison *c = &j->c;
	bool interval = c->has_change && c->has_ci && (c->has_pct || percent);

	add_number(out, "change", c->has_change, c->change);
	add_number(out, "change_pct", c->has_change && c->has_pct, c->change_pct);
	add_number(out, "ci_low", interval, c->ci_low);
	add_number(out, "ci_high", interval, c->ci_high);
	add_number(out, "mde_pct", interval, c->mde_pct);
	put_key(out, "verdict");
	put_string(out, verdict_name(c->verdict));
	put_key(out, "reason");
	put_string(out, c->verdict == VERDICT_NA ? judged_reason(c) : NULL);
	put_key(out, "better");
	if (c->better)
		put_bool(out, c->better > 0);
	else
		put_string(out, NULL);
}

/* What a row of "metrics" is about; device NULL: the system. */
struct subject {
	const char *device, *matched_by, *metric;
	bool percent;
};

static void add_metric(struct text *out, const struct subject *s, const struct judged *j)
{
	static const char *before[] = { "before", "before_sd", "before_n" };
	static const char *after[] = { "after", "after_sd", "after_n" };

	put_next(out);
	text_add_char(out, '{');
	put_key(out, "device");
	put_string(out, s->device);
	if (s->matched_by) {
		put_key(out, "matched_by");
		put_string(out, s->matched_by);
	}
	put_key(out, "metric");
	put_string(out, s->metric);
	add_side(out, before, &j->before);
	add_side(out, after, &j->after);
	add_judgement(out, j, s->percent);
	text_add_char(out, '}');
}

static void add_device(struct text *out, struct engine *e, uint32_t slot)
{
	struct subject s = {
		.device = engine_roster(e)->entries[slot].name, .matched_by = engine_matched_by(e, slot),
	};
	struct judged j;

	for (unsigned int m = 0; m < METRICS; m++) {
		unsigned int flags = metrics[m].rules.flags;

		s.metric = metrics[m].name;
		s.percent = flags & METRIC_PERCENT;
		if (!(flags & METRIC_LEGACY) && judge_device(e, slot, (enum metric_id)m, &j))
			add_metric(out, &s, &j);
	}
}

static void add_system(struct text *out, struct engine *e)
{
	struct judged j;

	for (unsigned int m = 0; m < SYSTEM_METRICS; m++) {
		const struct system_metric *row = &system_metrics[m];
		struct subject s = { .metric = row->name, .percent = row->rules.flags & METRIC_PERCENT };

		if (judge_system(e, (enum system_id)m, &j))
			add_metric(out, &s, &j);
	}
}

/* The attributes that differ: [{"what":"dm-0 async_depth","before":"256","after":"8"}] */
static void add_setup(struct text *out, const struct engine *e)
{
	struct setup_change *changes;
	size_t n = engine_setup(e, &changes);
	struct text what = TEXT_INIT;

	put_key(out, "setup");
	text_add_char(out, '[');
	for (size_t i = 0; i < n; i++) {
		put_next(out);
		text_add_char(out, '{');
		text_clear(&what);
		text_addf(&what, "%s %s", changes[i].device, attribute_short(changes[i].attribute));
		put_key(out, "what");
		put_string(out, text_str(&what));
		put_key(out, "before");
		put_string(out, changes[i].before);
		put_key(out, "after");
		put_string(out, changes[i].after);
		text_add_char(out, '}');
	}
	text_add_char(out, ']');
	engine_setup_free(changes, n);
	text_release(&what);
}

void comparison_json(struct engine *e, const bool *shown, size_t n, struct text *out)
{
	const struct segment *before = engine_before(e);

	if (!before)
		return;
	text_add_char(out, '{');
	add_segment(out, "before", before, engine_before_release(e));
	add_segment(out, "after", engine_after(e), engine_release(e));
	add_setup(out, e);
	put_key(out, "metrics");
	text_add_char(out, '[');
	for (uint32_t slot = 0; slot < engine_roster(e)->n; slot++) {
		if (is_compared(e, shown, n, slot))
			add_device(out, e, slot);
	}
	add_system(out, e);
	text_add_char(out, ']');
	put_key(out, "findings");
	text_add(out, "[]}\n");
}
