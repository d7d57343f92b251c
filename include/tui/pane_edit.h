/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page on which a knob is edited: its value, choices, range and meaning, for which devices, the writes that Enter
 * makes with what must be known before.
 */
#ifndef IODELTA_TUI_PANE_EDIT_H
#define IODELTA_TUI_PANE_EDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/knobs.h"
#include "tui/layout.h"

struct view;

struct edit {
	uint32_t slot, instance;        /* whose knob it is */
	struct text path;
	struct text value;      /* what is asked for */
	bool fresh;             /* nothing has been typed: the first character takes its place */
	enum knob_scope scope;
};

void edit_release(struct edit *edit) __attribute__((nonnull));

void pane_edit_draw(struct view *v, struct area area) __attribute__((nonnull));
/* A character for the value. */
void edit_type(struct view *v, int key) __attribute__((nonnull));
/* What was typed where a device's name had to be. */
void edit_take_name(struct view *v, const char *line) __attribute__((nonnull));

void act_edit(struct view *v, int key) __attribute__((nonnull));
void act_edit_step(struct view *v, int key) __attribute__((nonnull));
void act_edit_scope(struct view *v, int key) __attribute__((nonnull));
void act_edit_write(struct view *v, int key) __attribute__((nonnull));
/* + and - in the knob pane. */
void act_knob_step(struct view *v, int key) __attribute__((nonnull));

#endif
