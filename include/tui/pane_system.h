/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of the system's own numbers, judged like any device's. */
#ifndef IODELTA_TUI_PANE_SYSTEM_H
#define IODELTA_TUI_PANE_SYSTEM_H

#include "tui/layout.h"

struct view;

void pane_system_draw(struct view *v, struct area area) __attribute__((nonnull));

#endif
