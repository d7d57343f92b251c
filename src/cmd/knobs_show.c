/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knobs list, get, diff: what there is. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/msg.h"
#include "cmd/knobs.h"

static void add_all(struct engine *e, struct slots *slots)
{
	const struct topology *t = engine_topology(e);

	for (uint32_t i = 0; i < t->n; i++) {
		if (t->devices[i].kind == KIND_PARTITION)
			continue;
		ARRAY_GROW(slots->v, slots->capacity, slots->n + 1);
		slots->v[slots->n++] = engine_slot(e, i);
	}
	ARRAY_GROW(slots->v, slots->capacity, slots->n + 1);
	slots->v[slots->n++] = SLOT_SYSTEM;
}

static bool take_words(struct knobs_run *run, struct slots *slots)
{
	bool found = true;

	for (size_t i = 0; i < run->n_words; i++)
		found &= knobs_slots(run->engine, run->words[i], slots);
	if (!run->n_words)
		add_all(run->engine, slots);
	if (found)
		knobs_ask(run->engine, slots);
	return found;
}

int knobs_list(struct knobs_run *run)
{
	struct slots slots = { NULL, 0, 0 };
	int status = EXIT_FAILED;

	if (take_words(run, &slots)) {
		if (run->in->format == FORMAT_JSON)
			knobs_json(run->engine, slots.v, slots.n, &run->out);
		else
			knobs_text(run->engine, slots.v, slots.n, &run->out);
		status = engine_topology_error(run->engine) ? EXIT_FAILED : EXIT_DONE;
	}
	free(slots.v);
	return status;
}

static bool get_one(struct knobs_run *run, uint32_t slot, const char *word, bool with_name)
{
	const char *path = knobs_path(run->engine, slot, word);
	const struct attribute *a = path ? engine_attribute(run->engine, slot, path) : NULL;
	const char *chosen;
	size_t len;

	if (!a)
		return false;
	if (!a->value) {
		msg(engine_knob_device(run->engine, slot), "%s: %s", path,
		    a->error ? strerror(-a->error) : "does not answer");
		return false;
	}
	if (with_name)
		text_addf(&run->out, "%s %s ", engine_knob_device(run->engine, slot), path);
	chosen = knob_chosen(a->value, &len);
	text_add_safe(&run->out, chosen, len);
	text_add_char(&run->out, '\n');
	return true;
}

/* Of words that mix devices and knobs the first is the device. */
int knobs_get(struct knobs_run *run)
{
	struct slots slots = { NULL, 0, 0 };
	bool all = true;

	if (run->n_words < 2) {
		msg("knobs get", "needs a DEVICE and a KNOB");
		return EXIT_USAGE;
	}
	if (!knobs_slots(run->engine, run->words[0], &slots)) {
		free(slots.v);
		return EXIT_FAILED;
	}
	knobs_ask(run->engine, &slots);
	for (size_t i = 0; i < slots.n; i++) {
		for (size_t j = 1; j < run->n_words; j++)
			all &= get_one(run, slots.v[i], run->words[j], slots.n > 1 || run->n_words > 2);
	}
	free(slots.v);
	return all ? EXIT_DONE : EXIT_FAILED;
}

/* --- diff --- */

static void setup_of(struct engine *e, uint32_t slot, struct setup *out)
{
	const struct attributes *a = engine_attributes(e, slot);

	for (size_t i = 0; a && i < a->n; i++) {
		size_t len;
		const char *chosen;
		char *value;

		if (!a->v[i].value || !knob_permitted(a->v[i].name))
			continue;
		chosen = knob_chosen(a->v[i].value, &len);
		value = xstrndup(chosen, len);
		setup_set(out, a->v[i].name, value);
		free(value);
	}
}

struct difference {
	struct text *out;
	const char *left, *right;       /* devices */
	bool json;
	size_t n;
};

static void add_value(struct text *out, const char *value, bool json)
{
	if (json && !value)
		text_add(out, "null");
	else if (json)
		text_add_json(out, value, strlen(value));
	else if (value)
		text_add_safe(out, value, strlen(value));
	else
		text_add_char(out, '-');
}

static void add_difference(void *arg, const char *path, const char *a, const char *b)
{
	struct difference *d = arg;

	if (d->json) {
		text_add(d->out, d->n ? "," : "");
		text_add(d->out, "{\"a\":");
		add_value(d->out, d->left, true);
		text_add(d->out, ",\"b\":");
		add_value(d->out, d->right, true);
		text_add(d->out, ",\"attr\":");
		add_value(d->out, path, true);
		text_add(d->out, ",\"value_a\":");
		add_value(d->out, a, true);
		text_add(d->out, ",\"value_b\":");
		add_value(d->out, b, true);
		text_add_char(d->out, '}');
	} else {
		text_addf(d->out, "%-16s %-32s ", d->left, path);
		add_value(d->out, a, false);
		text_add(d->out, " | ");
		add_value(d->out, b, false);
		text_add_char(d->out, '\n');
	}
	d->n++;
}

static void compare_slots(struct difference *d, struct engine *a, uint32_t slot_a, struct engine *b, uint32_t slot_b)
{
	struct setup left = { 0 }, right = { 0 };

	setup_of(a, slot_a, &left);
	setup_of(b, slot_b, &right);
	d->left = engine_knob_device(a, slot_a);
	d->right = engine_knob_device(b, slot_b);
	setup_differ(&left, &right, add_difference, d);
	setup_release(&left);
	setup_release(&right);
}

static uint32_t slot_named(struct engine *e, const char *name)
{
	const struct roster *r = engine_roster(e);

	return !strcmp(name, engine_knob_device(e, SLOT_SYSTEM)) ? SLOT_SYSTEM : roster_find(r, name, strlen(name));
}

/* Devices of one name; one that is only in one tree is said. */
static int diff_trees(struct knobs_run *run, struct difference *d)
{
	struct engine *other = knobs_engine(run->in, 1);
	struct slots here = { NULL, 0, 0 }, there = { NULL, 0, 0 };
	int status = EXIT_FAILED;

	if (!other)
		return EXIT_FAILED;
	if (take_words(run, &here)) {
		add_all(other, &there);
		knobs_ask(other, &there);
		for (size_t i = 0; i < here.n; i++) {
			const char *name = engine_knob_device(run->engine, here.v[i]);
			uint32_t slot = slot_named(other, name);

			if (slot == SLOT_NONE)
				msg(name, "is only in %s", run->in->roots[0]);
			else
				compare_slots(d, run->engine, here.v[i], other, slot);
		}
		status = EXIT_DONE;
	}
	free(here.v);
	free(there.v);
	engine_free(other);
	return status;
}

static int diff_devices(struct knobs_run *run, struct difference *d)
{
	struct slots slots = { NULL, 0, 0 };
	int status = EXIT_FAILED;

	if (run->n_words != 2) {
		msg("knobs diff", "needs two DEVICEs, or two --root trees");
		return EXIT_USAGE;
	}
	if (take_words(run, &slots) && slots.n == 2) {
		compare_slots(d, run->engine, slots.v[0], run->engine, slots.v[1]);
		status = EXIT_DONE;
	} else if (slots.n) {
		msg("knobs diff", "these words name %zu device%s, not two", slots.n, slots.n == 1 ? "" : "s");
	}
	free(slots.v);
	return status;
}

int knobs_diff(struct knobs_run *run)
{
	struct difference d = { .out = &run->out, .json = run->in->format == FORMAT_JSON };
	int status;

	text_add(&run->out, d.json ? "{\"differences\":[" : "");
	if (run->in->n_roots > 1)
		status = diff_trees(run, &d);
	else
		status = diff_devices(run, &d);
	text_add(&run->out, d.json ? "]}\n" : "");
	return status;
}
