/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "base/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool number_u64(const char *s, uint64_t *value)
{
	char *end;

	if (*s < '0' || *s > '9')
		return false;
	errno = 0;
	*value = strtoull(s, &end, 10);
	return !errno && !*end;
}

bool number_hex(const char *s, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef";
	uint64_t n = 0;

	if (s[0] != '0' || s[1] != 'x' || !s[2])
		return false;
	for (s += 2; *s; s++) {
		const char *digit = strchr(digits, *s);

		if (!digit || n >> 60)
			return false;
		n = n << 4 | (uint64_t)(digit - digits);
	}
	*value = n;
	return true;
}

bool number_i64(const char *s, int64_t *value)
{
	const char *digits = s + (*s == '-' || *s == '+');
	bool hex = digits[0] == '0' && digits[1] == 'x';
	char *end;

	/* strtoll also takes blanks before, and octal would read 010 as 8 */
	if (hex ? !digits[2] || digits[2] == '-' || digits[2] == '+' : *digits < '0' || *digits > '9')
		return false;
	errno = 0;
	*value = strtoll(s, &end, hex ? 16 : 10);
	return !errno && !*end;
}

bool number_double(const char *s, double *value)
{
	char *end;

	/* strtod also takes blanks, hexadecimal and words */
	if (!*s || strspn(s, "0123456789.eE+-") != strlen(s))
		return false;
	errno = 0;
	*value = strtod(s, &end);
	return !errno && end != s && !*end && isfinite(*value);
}
