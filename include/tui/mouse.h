/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a click or the wheel means, by what lies there; --mouse. A click does what a key does, nothing more. */
#ifndef IODELTA_TUI_MOUSE_H
#define IODELTA_TUI_MOUSE_H

#include "tui/screen.h"

struct view;

void mouse_act(struct view *v, const struct click *click) __attribute__((nonnull));

#endif
