/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line that the user types. */
#ifndef IODELTA_TUI_PROMPT_H
#define IODELTA_TUI_PROMPT_H

#include <stdbool.h>

#include "base/text.h"

enum prompt_kind { PROMPT_NONE, PROMPT_SEARCH, PROMPT_FILTER, PROMPT_INTERVAL, PROMPT_MARK, PROMPT_NAME };
enum prompt_result { PROMPT_GOES_ON, PROMPT_TAKEN, PROMPT_GIVEN_UP };

struct prompt {
	enum prompt_kind kind;
	struct text line;
};

void prompt_open(struct prompt *p, enum prompt_kind kind, const char *start) __attribute__((nonnull));
/* The question before the line: "filter: ". */
const char *prompt_label(const struct prompt *p) __attribute__((nonnull, returns_nonnull));
/* Take a key. With PROMPT_TAKEN and PROMPT_GIVEN_UP the prompt is closed, the line still there. */
enum prompt_result prompt_key(struct prompt *p, int key) __attribute__((nonnull));

#endif
