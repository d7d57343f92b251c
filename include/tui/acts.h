/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rows of the action table call: act_ does it, can_ says whether it would do something now. */
#ifndef IODELTA_TUI_ACTS_H
#define IODELTA_TUI_ACTS_H

#include "tui/view.h"

void act_move(struct view *v, int key) __attribute__((nonnull));
void act_search(struct view *v, int key) __attribute__((nonnull));
void act_search_again(struct view *v, int key) __attribute__((nonnull));
void act_filter(struct view *v, int key) __attribute__((nonnull));
void act_help(struct view *v, int key) __attribute__((nonnull));
void act_shape(struct view *v, int key) __attribute__((nonnull));
void act_set(struct view *v, int key) __attribute__((nonnull));
void act_value(struct view *v, int key) __attribute__((nonnull));
void act_hidden(struct view *v, int key) __attribute__((nonnull));
void act_ascii(struct view *v, int key) __attribute__((nonnull));
void act_theme(struct view *v, int key) __attribute__((nonnull));
void act_redraw(struct view *v, int key) __attribute__((nonnull));
void act_sort(struct view *v, int key) __attribute__((nonnull));
void act_fold(struct view *v, int key) __attribute__((nonnull));
void act_before(struct view *v, int key) __attribute__((nonnull));
void act_drop(struct view *v, int key) __attribute__((nonnull));
void act_restart(struct view *v, int key) __attribute__((nonnull));
void act_hold(struct view *v, int key) __attribute__((nonnull));
void act_auto_hold(struct view *v, int key) __attribute__((nonnull));
void act_mark(struct view *v, int key) __attribute__((nonnull));
void act_save(struct view *v, int key) __attribute__((nonnull));
void act_interval(struct view *v, int key) __attribute__((nonnull));
void act_pause(struct view *v, int key) __attribute__((nonnull));
void act_detail(struct view *v, int key) __attribute__((nonnull));
void act_system(struct view *v, int key) __attribute__((nonnull));
void act_scroll(struct view *v, int key) __attribute__((nonnull));
void act_neighbour(struct view *v, int key) __attribute__((nonnull));
void act_tag(struct view *v, int key) __attribute__((nonnull));
void act_tagged(struct view *v, int key) __attribute__((nonnull));

bool can_tagged(const struct view *v) __attribute__((nonnull));
bool can_search_again(const struct view *v) __attribute__((nonnull));
bool can_pin(const struct view *v) __attribute__((nonnull));
bool can_drop(const struct view *v) __attribute__((nonnull));

#endif
