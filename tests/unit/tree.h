/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Temporary trees for unit tests: made below mkdtemp, removed with all that is in them. */
#ifndef IODELTA_TESTS_TREE_H
#define IODELTA_TESTS_TREE_H

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline char *tree_new(char *path, size_t size)
{
	const char *top = getenv("TMPDIR");

	snprintf(path, size, "%s/iodelta-test-XXXXXX", top ? top : "/tmp");
	return mkdtemp(path);
}

static inline int tree_remove_entry(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

static inline void tree_remove(const char *path)
{
	nftw(path, tree_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* The path of something in the tree, with the directories above it made. */
static inline void tree_path(const char *tree, const char *name, char *path, size_t size)
{
	snprintf(path, size, "%s/%s", tree, name);
	for (char *slash = strchr(path + strlen(tree) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
}

static inline void tree_directory(const char *tree, const char *name)
{
	char path[4096];

	tree_path(tree, name, path, sizeof(path));
	mkdir(path, 0777);
}

static inline void tree_file(const char *tree, const char *name, const char *contents)
{
	char path[4096];
	FILE *file;

	tree_path(tree, name, path, sizeof(path));
	file = fopen(path, "w");
	if (!file)
		abort();
	fputs(contents, file);
	fclose(file);
}

static inline void tree_link(const char *tree, const char *name, const char *target)
{
	char path[4096];

	tree_path(tree, name, path, sizeof(path));
	if (symlink(target, path) < 0)
		abort();
}

static inline void tree_fifo(const char *tree, const char *name)
{
	char path[4096];

	tree_path(tree, name, path, sizeof(path));
	if (mkfifo(path, 0666) < 0)
		abort();
}

#endif
