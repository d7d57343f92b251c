/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pages that list what would be set back: before an undo, and before leaving while knobs are changed. */
#ifndef IODELTA_TUI_PANE_UNDO_H
#define IODELTA_TUI_PANE_UNDO_H

#include <stdbool.h>

#include "engine/knobs.h"
#include "tui/layout.h"

struct view;

void pane_undo_draw(struct view *v, struct area area) __attribute__((nonnull));
void pane_quit_draw(struct view *v, struct area area) __attribute__((nonnull));

/* u, U */
void act_undo(struct view *v, int key) __attribute__((nonnull));
void act_undo_do(struct view *v, int key) __attribute__((nonnull));
/* q: at once, or by way of the question. */
void act_quit(struct view *v, int key) __attribute__((nonnull));
void act_quit_now(struct view *v, int key) __attribute__((nonnull));
void act_quit_restore(struct view *v, int key) __attribute__((nonnull));

/* Once what was to be set back on leaving has been, the view leaves. */
void undo_news(struct view *v) __attribute__((nonnull));
/* After the screen: what stays changed, and what is still being written. */
void undo_say_kept(struct view *v) __attribute__((nonnull));

#endif
