/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The edge groups of a topology, for stack.c: see stack.h for what they are. */
#ifndef IODELTA_MODEL_EDGE_H
#define IODELTA_MODEL_EDGE_H

#include "model/stack.h"

/* Fill s->groups, group_above and group_below. They are released with the stack. */
void edge_groups_build(struct stack *s, const struct topology *t) __attribute__((nonnull));

#endif
