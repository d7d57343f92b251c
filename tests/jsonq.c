/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * jsonq [-l LINE] FILE|- [WORD…]: prints the value at a path in JSON, for tests. A word is an object's key, an array's
 * index (-1: the last), `[KEY=TEXT]` for the first element with that member, or `#` for the number of elements.
 * With -l the file is JSON Lines: LINE counts from 1, or from the end (-1). Strings are printed bare, null as `null`,
 * objects and arrays as JSON. Exit 1 when nothing is there, 2 when it is no JSON.
 */
#include "config.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether `text` is how this value would be printed. */
static int prints_as(const json_t *v, const char *text)
{
	char *s;
	int same;

	if (json_is_string(v))
		return !strcmp(json_string_value(v), text);
	s = json_dumps(v, JSON_ENCODE_ANY);
	same = s && !strcmp(s, text);
	free(s);
	return same;
}

static json_t *find_element(json_t *array, const char *word)
{
	const char *equals = strchr(word, '=');
	json_t *element;
	size_t i;

	if (!equals || word[strlen(word) - 1] != ']')
		return NULL;
	json_array_foreach(array, i, element) {
		char *key = strndup(word + 1, (size_t)(equals - word - 1));
		char *text = strndup(equals + 1, strlen(equals + 1) - 1);
		json_t *member = json_object_get(element, key);
		int found = member && prints_as(member, text);

		free(key);
		free(text);
		if (found)
			return element;
	}
	return NULL;
}

static json_t *step(json_t *at, const char *word)
{
	char *end;
	long index;

	if (json_is_object(at))
		return json_object_get(at, word);
	if (!json_is_array(at))
		return NULL;
	if (*word == '[')
		return find_element(at, word);
	index = strtol(word, &end, 10);
	if (*end || end == word)
		return NULL;
	if (index < 0)
		index += (long)json_array_size(at);
	return index < 0 ? NULL : json_array_get(at, (size_t)index);
}

static int print_value(const json_t *v)
{
	char *s;

	if (json_is_string(v))
		return printf("%s\n", json_string_value(v)) < 0;
	s = json_dumps(v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
	if (!s)
		return 2;
	printf("%s\n", s);
	free(s);
	return 0;
}

static char *read_file(const char *path)
{
	FILE *in = strcmp(path, "-") ? fopen(path, "r") : stdin;
	char *buf = NULL;
	size_t size = 0;

	if (!in)
		return NULL;
	if (getdelim(&buf, &size, '\0', in) < 0) {
		free(buf);
		buf = NULL;
	}
	if (in != stdin)
		fclose(in);
	return buf;
}

/* The numbered line of a text, cut out in place. */
static char *line_of(char *s, long number)
{
	long lines = 0;

	for (const char *c = s; *c; c++)
		lines += *c == '\n' || !c[1];
	if (number < 0)
		number += lines + 1;
	if (number < 1 || number > lines)
		return NULL;
	while (--number)
		s = strchr(s, '\n') + 1;
	s[strcspn(s, "\n")] = '\0';
	return s;
}

static int query(char *text, long line, char **words)
{
	json_error_t error;
	json_t *root, *at;
	int status;

	if (line)
		text = line_of(text, line);
	if (!text)
		return 1;
	root = at = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	if (!root) {
		fprintf(stderr, "jsonq: line %d, column %d: %s\n", error.line, error.column, error.text);
		return 2;
	}
	for (; *words && at && strcmp(*words, "#"); words++)
		at = step(at, *words);
	if (!at)
		status = 1;
	else if (*words)
		status = printf("%zu\n", json_is_array(at) ? json_array_size(at) : json_object_size(at)) < 0;
	else
		status = print_value(at);
	json_decref(root);
	return status;
}

int main(int argc, char **argv)
{
	long line = 0;
	char *text;
	int first = 1, status;

	if (argc > 2 && !strcmp(argv[1], "-l")) {
		line = strtol(argv[2], NULL, 10);
		first = 3;
	}
	if (first >= argc) {
		fputs("usage: jsonq [-l LINE] FILE|- [WORD...]\n", stderr);
		return 2;
	}
	text = read_file(argv[first]);
	if (!text) {
		fprintf(stderr, "jsonq: %s: nothing to read\n", argv[first]);
		return 2;
	}
	status = query(text, line, argv + first + 1);
	free(text);
	return status;
}
