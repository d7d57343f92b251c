/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/action.h"

#include "tui/acts.h"
#include "tui/settings.h"

/* In the order of the help; of two rows with one key the first whose place it is counts. */
const struct action actions[] = {
	{ "help", EVERYWHERE | ON_COLUMNS, { K_F1, 'h', '?' }, "F1 h ?", "this help", act_help, NULL, "F1", "help" },
	{ "before", EVERYWHERE, { 'b' }, "b", "what AFTER has gathered becomes BEFORE, pinned; AFTER starts anew",
	  act_before, can_pin, "b", "Before" },
	{ "drop", EVERYWHERE, { 'B' }, "B", "drop BEFORE", act_drop, can_drop, "B", "drop" },
	{ "restart", EVERYWHERE, { 'r' }, "r", "start AFTER anew", act_restart, NULL, "r", "Restart" },
	{ "knob-rows", IN_KNOBS, { 'a' }, "a", "in the knobs: all attributes, or those that matter", act_knob_all, NULL,
	  "a", "all" },
	{ "pane", STACKS_PAGE, { K_TAB, K_BACKTAB }, "Tab S-Tab",
	  "the next pane, the one before: stacks (BEFORE and AFTER where there is room for one), knobs, graph",
	  act_pane, NULL, "Tab", "pane" },
	{ "graph-metric", STACKS_PAGE, { '[', ']' }, "[ ]", "the graph's metric: the one before, the next",
	  act_graph_metric, NULL, NULL, NULL },
	{ "graph-cursor", IN_GRAPH, { K_LEFT, K_RIGHT, K_HOME, K_END }, "Left Right Home End",
	  "in the graph: move its cursor, which reads values; to the oldest, away", act_graph_cursor, NULL, NULL,
	  NULL },
	{ "graph-zoom", IN_GRAPH, { '+', '-' }, "+ -", "in the graph: less, more time in a column", act_graph_zoom,
	  NULL, "+-", "zoom" },
	{ "search", STACKS_PAGE, { K_F3, '/' }, "F3 /", "find a device by name, part of a name, glob or mount point",
	  act_search, NULL, "/", "find" },
	{ "search-again", STACKS_PAGE, { 'n', 'N' }, "n N", "find the next, the previous one", act_search_again,
	  can_search_again, NULL, NULL },
	{ "filter", STACKS_PAGE, { K_F4, '\\' }, "F4 \\",
	  "show only the devices that match, and what they hang from; empty shows all", act_filter, NULL, "\\",
	  "filt" },
	{ "set", STACKS_PAGE, { 'x' }, "x", "next set of columns", act_set, NULL, "x", "set" },
	{ "tree", STACKS_PAGE, { K_F5, 't' }, "F5 t",
	  "tree, inverse tree (what sits on top comes first), flat list", act_shape, NULL, "t", "Tree" },
	{ "value", EVERYWHERE, { 'v' }, "v", "the last interval, or all that AFTER has gathered", act_value, NULL, "v",
	  "Int" },
	{ "hidden", STACKS_PAGE, { 'z' }, "z", "show or hide loop, ram and idle devices", act_hidden, NULL, "z",
	  "Hidden" },
	{ "move", IN_LIST | IN_GRAPH, { K_UP, K_DOWN, 'k', 'j' }, "Up Down k j", "move the selection", act_move,
	  NULL, NULL, NULL },
	{ "page", IN_LIST | IN_GRAPH, { K_PGUP, K_PGDN }, "PgUp PgDn", "move it by pages", act_move, NULL, NULL, NULL },
	{ "ends", IN_LIST, { K_HOME, K_END }, "Home End", "move it to the ends", act_move, NULL, NULL, NULL },
	{ "knob-move", IN_KNOBS, { K_UP, K_DOWN, 'k', 'j', K_LEFT, K_RIGHT }, "Up Down k j Left Right",
	  "in the knobs: move by cell; the line below has the whole value", act_knob_move, NULL, NULL, NULL },
	{ "knob-page", IN_KNOBS, { K_PGUP, K_PGDN, K_HOME, K_END }, "PgUp PgDn Home End",
	  "in the knobs: by pages, to the ends", act_knob_move, NULL, NULL, NULL },
	{ "detail", IN_LIST | IN_GRAPH, { K_ENTER }, "Enter",
	  "everything about the selected device, on a page of its own", act_detail, NULL, NULL, NULL },
	{ "system", STACKS_PAGE, { 'S' }, "S", "the system's numbers, BEFORE and AFTER", act_system, NULL, NULL, NULL },
	{ "columns", STACKS_PAGE, { K_F2, 'c' }, "F2 c", "choose columns from all metrics", act_columns_open, NULL, "c",
	  "Cols" },
	{ "scroll", SCROLLED_PAGES, { K_UP, K_DOWN, 'k', 'j', K_PGUP, K_PGDN, K_HOME, K_END },
	  "Up Down k j PgUp PgDn Home End", "on a page: move it", act_scroll, NULL, NULL, NULL },
	{ "neighbour", ON_DETAIL, { K_LEFT, K_RIGHT }, "Left Right", "on a device's page: the device before, the next",
	  act_neighbour, NULL, NULL, NULL },
	{ "columns-move", ON_COLUMNS, { K_UP, K_DOWN, 'k', 'j', K_PGUP, K_PGDN, K_HOME, K_END },
	  "Up Down k j PgUp PgDn Home End", "among the columns: move", act_columns_move, NULL, NULL, NULL },
	{ "columns-tick", ON_COLUMNS, { ' ' }, "Space", "among the columns: show this one, or not", act_columns_tick,
	  NULL, "Space", "tick" },
	{ "columns-shift", ON_COLUMNS, { '<', '>' }, "< >", "among the columns: move this one up, down",
	  act_columns_shift, NULL, "<>", "move" },
	{ "columns-take", ON_COLUMNS, { K_ENTER }, "Enter", "among the columns: show those that are ticked",
	  act_columns_take, NULL, "Enter", "show" },
	{ "sort", STACKS_PAGE, { K_F6, '<', '>', 'I' }, "F6 < > I",
	  "sort the stacks: on and off, by the column before, by the next, the other way round", act_sort, NULL,
	  NULL, NULL },
	{ "fold", IN_LIST, { '+', '-', '*' }, "+ - *", "open, fold a stack; all of them", act_fold, NULL, NULL, NULL },
	{ "tag", IN_LIST, { ' ' }, "Space", "tag the device, or not", act_tag, NULL, NULL, NULL },
	{ "tagged", STACKS_PAGE, { 'T' }, "T", "show only the tagged devices, and what they hang from; or all again",
	  act_tagged, can_tagged, NULL, NULL },
	{ "hold", EVERYWHERE, { 'H' }, "H", "hold AFTER, let it go on", act_hold, NULL, NULL, NULL },
	{ "auto-hold", EVERYWHERE, { 'G' }, "G", "let AFTER be held by itself while the selected stack is idle, or not",
	  act_auto_hold, NULL, NULL, NULL },
	{ "mark", EVERYWHERE, { 'm' }, "m", "set a mark, with a text if you like", act_mark, NULL, NULL, NULL },
	{ "save", EVERYWHERE, { 'y' }, "y", "write the comparison into a file here", act_save, can_drop, "y", "save" },
	{ "interval", EVERYWHERE, { 'd', 's' }, "d s", "set the interval in seconds, 0.01 to 3600", act_interval, NULL,
	  NULL, NULL },
	{ "pause", EVERYWHERE, { 'Z' }, "Z", "pause, go on", act_pause, NULL, NULL, NULL },
	{ "ascii", EVERYWHERE, { 'A' }, "A", "draw with ASCII only, or not", act_ascii, NULL, NULL, NULL },
	{ "theme", EVERYWHERE, { 'C' }, "C", "the next set of colours: default, light, mono", act_theme, NULL, NULL,
	  NULL },
	{ "settings", EVERYWHERE, { 'W' }, "W", "save columns, order, interval and looks for the next time",
	  act_settings, NULL, NULL, NULL },
	{ "redraw", EVERYWHERE | ON_COLUMNS, { K_CTRL_L }, "^L", "draw the screen anew", act_redraw, NULL, NULL, NULL },
	{ "back", LOWER_PANES | SCROLLED_PAGES | ON_COLUMNS, { K_ESC }, "Esc",
	  "from a page or pane back to the stacks", act_back, NULL, NULL, NULL },
	{ "leave-page", SCROLLED_PAGES | ON_COLUMNS, { 'q' }, "q", "on a page: back to the stacks", act_back, NULL, "q",
	  "back" },
	{ "quit", EVERYWHERE | ON_COLUMNS, { 'q', K_F10, 'Q' }, "q F10 Q",
	  "leave; with a BEFORE the comparison is printed", act_quit, NULL, "q", "Quit" },
	{ .name = NULL }
};

const struct action *action_find(int key, enum place place)
{
	for (const struct action *a = actions; a->name; a++) {
		for (size_t i = 0; a->places & place && i < ACTION_KEYS && a->keys[i]; i++) {
			if (a->keys[i] == key)
				return a;
		}
	}
	return NULL;
}
