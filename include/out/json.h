/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pieces of JSON, and the number that JSON and CSV share. They append; commas between members are the caller's. */
#ifndef IODELTA_OUT_JSON_H
#define IODELTA_OUT_JSON_H

#include "base/text.h"
#include "model/metric.h"

/*
 * A number, short and with a point: at most six decimals without trailing zeros, integers without a point, very small
 * and very large ones with 6 and 15 digits, so that no value but 0 is written as 0. Not finite: null.
 */
void put_number(struct text *t, double v) __attribute__((nonnull));

/* The number, or null when it is not available. */
void put_value(struct text *t, struct value v) __attribute__((nonnull));

/* A quoted string, or null for NULL. */
void put_string(struct text *t, const char *s) __attribute__((nonnull(1)));

/* "key": with the comma before it unless the object has just been opened. */
void put_key(struct text *t, const char *key) __attribute__((nonnull));
/* The comma before the next element of an array, unless it has just been opened. */
void put_next(struct text *t) __attribute__((nonnull));

void put_bool(struct text *t, bool b) __attribute__((nonnull));

#endif
