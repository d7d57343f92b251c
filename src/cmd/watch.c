/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cmd/command.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "tui/watch.h"

/* How long the first look at /sys may take before the screen starts without it. */
#define FIRST_LOOK_MS 1000

/*
 * A DEVICE that is not there is told before the screen starts. The look is an engine's of its own: the screen's must
 * not find its first tree taken.
 */
static bool devices_exist(const struct invocation *in, const struct engine_options *options)
{
	struct engine_options look = *options;
	struct engine *e;
	bool found = false;

	if (!in->n_words)
		return true;
	look.with_system = false;
	look.with_segments = false;
	e = engine_new(&look);
	if (!e)
		return false;
	if (engine_step(e) != ENGINE_FAILED) {
		bool *hit;

		engine_wait_idle(e, FIRST_LOOK_MS);
		hit = xcalloc(engine_topology(e)->n + 1, sizeof(*hit));
		found = words_match(in, engine_topology(e), hit);
		free(hit);
	}
	engine_free(e);
	return found;
}

int cmd_watch(const struct invocation *in)
{
	struct watch_options watch = {
		.words = in->words, .n_words = in->n_words,
		.columns = in->n_columns ? in->columns : NULL, .n_columns = in->n_columns,
		.legacy = in->legacy, .ascii = in->ascii, .no_color = in->no_color, .script = in->script,
		.has_interval = in->has_interval, .no_settings = in->no_settings, .mouse = in->mouse,
		.restore_on_exit = in->restore_on_exit,
		.has_palette = in->has_palette, .palette = in->palette,
		.comparison = comparison_text,
	};
	struct engine_options options;
	int status;

	invocation_engine(in, &options);
	options.with_system = true;
	options.with_segments = true;
	if (!devices_exist(in, &options))
		return EXIT_FAILED;
	watch.engine = engine_new(&options);
	if (!watch.engine)
		return EXIT_FAILED;
	status = watch_run(&watch);
	engine_free(watch.engine);
	return status;
}
