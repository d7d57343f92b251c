/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cmd/command.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* A device that does not answer is quarantined after a second; this is for many that answer slowly. */
#define MOST_WAIT_MS 10000

static bool terminal_is_ascii(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

static void ask_attributes(struct engine *e, const bool *wanted)
{
	const struct topology *t = engine_topology(e);

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t slot = engine_slot(e, i);

		if (wanted[i] && t->devices[i].kind != KIND_PARTITION && slot != SLOT_NONE)
			engine_ask_attributes(e, slot);
	}
	engine_wait_idle(e, MOST_WAIT_MS);
}

/* The names, because answers may renumber the topology while they come. */
static void keep_names(const struct topology *t, const bool *wanted, struct names *names)
{
	for (size_t i = 0; i < t->n; i++) {
		if (wanted[i])
			names_add(names, t->devices[i].name);
	}
}

static bool *wanted_again(const struct topology *t, const struct names *names)
{
	bool *wanted = xcalloc(t->n + 1, sizeof(*wanted));

	for (size_t i = 0; i < names->n; i++) {
		const struct device *d = topology_find(t, names->v[i]);

		if (d)
			wanted[d - t->devices] = true;
	}
	return wanted;
}

static int print_list(const struct invocation *in, struct engine *e)
{
	const struct topology *t = engine_topology(e);
	bool *wanted = xcalloc(t->n + 1, sizeof(*wanted));
	struct names names = { NULL, 0, 0 };
	struct text out = TEXT_INIT;
	int status = EXIT_FAILED;

	if (!words_match(in, t, wanted))
		goto out;
	topology_widen(t, wanted);
	keep_names(t, wanted, &names);
	ask_attributes(e, wanted);
	free(wanted);
	wanted = wanted_again(engine_topology(e), &names);
	if (in->format == FORMAT_JSON)
		list_json(e, wanted, &out);
	else
		list_text(e, wanted, in->ascii || terminal_is_ascii(), &out);
	status = write_status(write_out(&out));
	if (status == EXIT_DONE && engine_topology_error(e))
		status = EXIT_FAILED;
out:
	free(wanted);
	names_release(&names);
	text_release(&out);
	return status;
}

int cmd_list(const struct invocation *in)
{
	struct engine_options options;
	struct engine *e;
	int status = EXIT_FAILED;

	invocation_engine(in, &options);
	e = engine_new(&options);
	if (!e)
		return EXIT_FAILED;
	if (engine_step(e) != ENGINE_FAILED) {
		engine_wait_idle(e, MOST_WAIT_MS);
		status = print_list(in, e);
	}
	engine_free(e);
	return status;
}
