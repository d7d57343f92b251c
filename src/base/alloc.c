/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "base/msg.h"

static void *checked(void *memory)
{
	if (!memory)
		msg_die("out of memory");
	return memory;
}

void *xmalloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *xcalloc(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size ? size : 1));
}

void *xreallocarray(void *old, size_t count, size_t size)
{
	return checked(reallocarray(old, count ? count : 1, size ? size : 1));
}

char *xstrdup(const char *s)
{
	return checked(strdup(s));
}

char *xstrndup(const char *s, size_t len)
{
	return checked(strndup(s, len));
}

size_t grown_capacity(size_t capacity, size_t need)
{
	size_t grown = capacity + capacity / 2 + 8;

	return grown > need ? grown : need;
}
