/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page of the journal: the stretches A, B, C ... with what began them, and the writes of this run. */
#ifndef IODELTA_TUI_PANE_JOURNAL_H
#define IODELTA_TUI_PANE_JOURNAL_H

#include "tui/layout.h"

struct view;

void pane_journal_draw(struct view *v, struct area area) __attribute__((nonnull));
void act_journal(struct view *v, int key) __attribute__((nonnull));
void act_journal_move(struct view *v, int key) __attribute__((nonnull));
/* b: into BEFORE; a: into AFTER. */
void act_journal_choose(struct view *v, int key) __attribute__((nonnull));

#endif
