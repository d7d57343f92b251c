/* SPDX-License-Identifier: GPL-2.0-or-later */
/* set_up and tear_down of a test that reads below a root: an empty temporary tree, opened. */
#ifndef IODELTA_TESTS_PLACE_H
#define IODELTA_TESTS_PLACE_H

#include "kernel/root.h"
#include "tree.h"

struct place {
	char path[256];
	struct root root;
};

static inline int set_up(void **state)
{
	static struct place place;

	if (!tree_new(place.path, sizeof(place.path)) || root_open(&place.root, place.path))
		return -1;
	*state = &place;
	return 0;
}

static inline int tear_down(void **state)
{
	struct place *place = *state;

	root_release(&place->root);
	tree_remove(place->path);
	return 0;
}

#endif
