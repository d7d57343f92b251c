/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the user has chosen, kept in $XDG_CONFIG_HOME/iodelta/settings (else ~/.config/iodelta/settings): lines
 * "key = value", # begins a comment. One row of a table is a key. Read at the start, written by W alone. A line that
 * cannot be used is said and never fatal; lines that are not known here are kept when the file is written again.
 */
#ifndef IODELTA_TUI_SETTINGS_H
#define IODELTA_TUI_SETTINGS_H

struct view;

/* Before the screen is opened. What the command line gave stands. A file that is not there is in order. */
void settings_read(struct view *v) __attribute__((nonnull));

void act_settings(struct view *v, int key) __attribute__((nonnull));

#endif
