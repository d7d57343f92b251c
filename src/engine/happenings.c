/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What has happened to devices, the latest of it; see engine.h. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "engine/state.h"

static void happening_release(struct happening *h)
{
	free(h->device);
	free(h->what);
}

struct happening *happenings_add(struct engine *e, uint32_t slot, const char *what)
{
	struct happenings *h = &e->happenings;
	struct happening *added;

	if (h->n == ARRAY_SIZE(h->v)) {
		happening_release(&h->v[0]);
		memmove(h->v, h->v + 1, (h->n - 1) * sizeof(h->v[0]));
		h->n--;
	}
	added = &h->v[h->n++];
	*added = (struct happening){
		.t_ns = e->samples[e->current].t_ns, .device = xstrdup(e->roster.entries[slot].name),
		.what = xstrdup(what), .number = ++h->last_number,
	};
	return added;
}

void happenings_release(struct engine *e)
{
	for (size_t i = 0; i < e->happenings.n; i++)
		happening_release(&e->happenings.v[i]);
	e->happenings.n = 0;
}

const struct happening *engine_happenings(const struct engine *e, size_t *n)
{
	*n = e->happenings.n;
	return e->happenings.v;
}
