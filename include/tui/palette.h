/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sets of colours by name: for dark terminals, for bright ones, none. The colours themselves are in theme.c. */
#ifndef IODELTA_TUI_PALETTE_H
#define IODELTA_TUI_PALETTE_H

#include <stdbool.h>

enum palette { PALETTE_DEFAULT, PALETTE_LIGHT, PALETTE_MONO, PALETTES };

const char *palette_name(enum palette palette) __attribute__((returns_nonnull));
bool palette_named(const char *name, enum palette *palette) __attribute__((nonnull, warn_unused_result));

#endif
