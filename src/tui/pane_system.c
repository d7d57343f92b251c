/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/pane_system.h"

#include "base/alloc.h"
#include "tui/judged.h"
#include "tui/view.h"

/* The decimals that a system value is worth, by its unit's size. */
static int decimals_of(enum system_id m)
{
	return system_metrics[m].rules.flags & METRIC_PERCENT ? 1 : 0;
}

static void put_metric(struct view *v, struct sheet *s, int w, enum system_id m)
{
	const struct segment *before_segment = engine_before(v->engine);
	struct value now = system_value(engine_system(v->engine), m);
	struct reading last = { .e = { .value = now.v, .kind = ESTIMATE_SINGLE }, .why = now.why };
	struct reading before, after;
	struct comparison c;
	struct judged_line line = {
		.name = system_metrics[m].name, .unit = system_metrics[m].unit, .rules = &system_metrics[m].rules,
		.decimals = decimals_of(m), .last = &last, .after = &after,
	};

	after.why = segment_estimate_system(engine_after(v->engine), m, &after.e);
	if (before_segment && engine_compare_system(v->engine, m, &c)) {
		before.why = segment_estimate_system(before_segment, m, &before.e);
		line.before = &before;
		line.comparison = &c;
	}
	judged_put(s, &v->screen.theme, w, &line);
}

void pane_system_draw(struct view *v, struct area area)
{
	struct sheet *s = &v->sheet;

	sheet_clear(s);
	sheet_put(s, ROLE_ACCENT, "SYSTEM");
	sheet_put(s, ROLE_DIM, "  all of it, whatever device is selected; Esc goes back");
	sheet_end_line(s);
	judged_heading(s, &v->screen.theme, area.w, engine_before(v->engine) != NULL);
	for (enum system_id m = 0; m < SYSTEM_METRICS; m++)
		put_metric(v, s, area.w, m);
	sheet_draw(s, &v->screen, area, &v->page_top);
}
