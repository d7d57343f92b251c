/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cmd/command.h"

#include <string.h>

#include "base/msg.h"

static void say_unmatched(const struct topology *t, const char *word)
{
	struct text nearest = TEXT_INIT;

	topology_nearest(t, word, &nearest);
	if (nearest.len)
		msg(word, "no such device; the nearest names are %s", text_str(&nearest));
	else
		msg(word, "no such device");
	text_release(&nearest);
}

bool words_match(const struct invocation *in, const struct topology *t, bool *hit)
{
	bool all = true;

	memset(hit, !in->n_words, t->n * sizeof(*hit));
	for (size_t i = 0; i < in->n_words; i++) {
		if (!topology_match(t, in->words[i], hit)) {
			say_unmatched(t, in->words[i]);
			all = false;
		}
	}
	return all;
}
