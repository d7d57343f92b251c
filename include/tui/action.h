/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What keys do: one table, which dispatch, the key line, the help pane and the man page's check walk. */
#ifndef IODELTA_TUI_ACTION_H
#define IODELTA_TUI_ACTION_H

#include "tui/key.h"
#include "tui/view.h"

#define ACTION_KEYS 8

struct action {
	const char *name;
	unsigned int places;            /* where its keys mean this: enum place, a bit each */
	int keys[ACTION_KEYS];          /* 0 ends them */
	const char *keys_text;          /* as the help writes them */
	const char *help;
	void (*run)(struct view *v, int key);
	bool (*usable)(const struct view *v);   /* it does something now; NULL: always */
	const char *bar_key, *bar;      /* in the key line; NULL: not there */
};

/* Ends with a row whose name is NULL. */
extern const struct action actions[];

/* The action of a key in a place, NULL when it has none. */
const struct action *action_find(int key, enum place place);

#endif
