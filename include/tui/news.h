/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the engine did meanwhile, told in the message line. */
#ifndef IODELTA_TUI_NEWS_H
#define IODELTA_TUI_NEWS_H

struct view;

/* After an event: say what became of writes, and what earlier runs left behind; may end the run. */
void news_tell(struct view *v) __attribute__((nonnull));

#endif
