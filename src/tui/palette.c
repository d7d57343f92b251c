/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/palette.h"

#include <string.h>

static const char *const names[PALETTES] = {
	[PALETTE_DEFAULT] = "default", [PALETTE_LIGHT] = "light", [PALETTE_MONO] = "mono",
};

const char *palette_name(enum palette palette)
{
	return names[palette];
}

bool palette_named(const char *name, enum palette *palette)
{
	for (enum palette p = 0; p < PALETTES; p++) {
		if (!strcmp(names[p], name)) {
			*palette = p;
			return true;
		}
	}
	return false;
}
