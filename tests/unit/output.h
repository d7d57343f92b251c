/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An engine over small trees, and what it says parsed back, for the tests of out/. */
#ifndef IODELTA_TESTS_OUTPUT_H
#define IODELTA_TESTS_OUTPUT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/text.h"
#include "engine/engine.h"
#include "out/output.h"
#include "tree.h"

#define TREES_MOST 16

struct trees {
	char dir[64];
	char *roots[TREES_MOST];
	size_t n;
	struct engine *engine;
};

static inline void trees_begin(struct trees *t)
{
	*t = (struct trees){ .n = 0 };
	assert_non_null(tree_new(t->dir, sizeof(t->dir)));
}

/* One more tree: its clock and its counters. Returns its path, for more to be put there. */
static inline const char *trees_add(struct trees *t, const char *uptime, const char *diskstats)
{
	struct text path = TEXT_INIT;

	assert_true(t->n < TREES_MOST);
	text_addf(&path, "%s/%zu", t->dir, t->n);
	assert_int_equal(mkdir(text_str(&path), 0777), 0);
	tree_file(text_str(&path), "proc/diskstats", diskstats);
	tree_file(text_str(&path), "proc/uptime", uptime);
	/* the text's buffer becomes the array's */
	t->roots[t->n++] = path.buf;
	return path.buf;
}

/* The engine over the trees, with the first `steps` of them taken. */
static inline struct engine *trees_run(struct trees *t, size_t steps, bool with_segments)
{
	struct engine_options options = {
		.roots = (const char *const *)t->roots, .n_roots = t->n, .rounds = 1, .interval_s = 1,
		.with_segments = with_segments,
	};

	t->engine = engine_new(&options);
	assert_non_null(t->engine);
	while (steps--)
		assert_int_equal(engine_step(t->engine), ENGINE_SAMPLE);
	return t->engine;
}

static inline void trees_end(struct trees *t)
{
	engine_free(t->engine);
	while (t->n)
		free(t->roots[--t->n]);
	tree_remove(t->dir);
}

/* One report as a string in `out`. */
static inline void one_report(struct engine *e, const struct report_options *options, bool since_boot, struct text *out)
{
	struct report *r = report_new(options);

	text_clear(out);
	report_begin(r, out);
	report_add(r, e, since_boot, out);
	report_free(r);
}

static inline json_t *parse(const struct text *t)
{
	json_error_t error;
	json_t *root = json_loadb(text_str(t), t->len, JSON_REJECT_DUPLICATES, &error);

	if (!root)
		fail_msg("%s at %d in %s", error.text, error.position, text_str(t));
	/* one line, ended */
	assert_ptr_equal(strchr(text_str(t), '\n'), text_str(t) + t->len - 1);
	return root;
}

static inline json_t *device_of(json_t *root, const char *name)
{
	json_t *device;
	size_t i;

	json_array_foreach(json_object_get(root, "devices"), i, device) {
		if (!strcmp(json_string_value(json_object_get(device, "name")), name))
			return device;
	}
	return NULL;
}

static inline double number_of(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);

	if (!json_is_number(value))
		fail_msg("%s is no number", key);
	return json_number_value(value);
}

static inline void assert_reason(json_t *object, const char *key, const char *reason)
{
	assert_string_equal(json_string_value(json_object_get(json_object_get(object, "na"), key)), reason);
}

#endif
