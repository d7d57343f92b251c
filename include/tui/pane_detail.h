/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of one device: identity, place in its stack, every metric, edges, attributes, events. */
#ifndef IODELTA_TUI_PANE_DETAIL_H
#define IODELTA_TUI_PANE_DETAIL_H

#include "tui/layout.h"

struct view;

void pane_detail_draw(struct view *v, struct area area) __attribute__((nonnull));

#endif
