/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/msg.h"
#include "base/number.h"
#include "tui/view.h"

#define MOST_BYTES 65536

/* --- the table --- */

struct setting {
	const char *key;
	bool (*take)(struct view *v, const char *value);        /* false: it is no value of this key */
	void (*give)(const struct view *v, struct text *out);
};

static bool take_word(const char *value, const char *const *words, size_t n, size_t *at)
{
	for (*at = 0; *at < n; ++*at) {
		if (!strcmp(words[*at], value))
			return true;
	}
	return false;
}

static bool take_flag(const char *value, bool *flag)
{
	static const char *const words[] = { "no", "yes" };
	size_t at;

	if (!take_word(value, words, ARRAY_SIZE(words), &at))
		return false;
	*flag = at == 1;
	return true;
}

static void give_flag(struct text *out, bool flag)
{
	text_add(out, flag ? "yes" : "no");
}

#define FLAG_SETTING(name, member)                                              \
	static bool take_##name(struct view *v, const char *value)              \
	{                                                                       \
		return take_flag(value, &v->member);                            \
	}                                                                       \
	static void give_##name(const struct view *v, struct text *out)         \
	{                                                                       \
		give_flag(out, v->member);                                      \
	}

FLAG_SETTING(ascending, ascending)
FLAG_SETTING(hidden, show_hidden)
FLAG_SETTING(ascii, ascii)
FLAG_SETTING(all_knobs, knobs.all)

static bool take_metric(const char *name, enum metric_id *m)
{
	const struct metric *row = metric_find(name);

	if (row)
		*m = (enum metric_id)(row - metrics);
	return row != NULL;
}

/* Names separated by commas; none: the sets. Of two that are the same the first one stands. */
static bool take_columns(struct view *v, const char *value)
{
	enum metric_id own[METRICS], m;
	size_t n = 0;

	for (const char *at = value; *at; at += strspn(at, ", ")) {
		size_t len = strcspn(at, ", ");
		char *name = xstrndup(at, len);
		bool known = take_metric(name, &m);

		free(name);
		if (!known)
			return false;
		if (!metric_among(own, n, m))
			own[n++] = m;
		at += len;
	}
	if (!v->options->n_columns) {
		memcpy(v->own, own, n * sizeof(own[0]));
		v->n_own = n;
	}
	return true;
}

static void give_columns(const struct view *v, struct text *out)
{
	for (size_t i = 0; i < v->n_own; i++)
		text_addf(out, "%s%s", i ? "," : "", metrics[v->own[i]].name);
}

static bool take_set(struct view *v, const char *value)
{
	for (size_t i = 0; i < columns_sets(); i++) {
		if (!strcmp(columns_set_name(i), value)) {
			v->set = i;
			return true;
		}
	}
	return false;
}

static void give_set(const struct view *v, struct text *out)
{
	text_add(out, columns_set_name(v->set));
}

static bool take_sort(struct view *v, const char *value)
{
	v->sorted = strcmp(value, "none") != 0;
	return !v->sorted || take_metric(value, &v->sort_by);
}

static void give_sort(const struct view *v, struct text *out)
{
	text_add(out, v->sorted ? metrics[v->sort_by].name : "none");
}

static const char *const shapes[] = { [VIEW_TREE] = "tree", [VIEW_INVERSE] = "inverse", [VIEW_FLAT] = "flat" };

static bool take_shape(struct view *v, const char *value)
{
	size_t at;

	if (!take_word(value, shapes, ARRAY_SIZE(shapes), &at))
		return false;
	v->shape = (enum stack_view)at;
	return true;
}

static void give_shape(const struct view *v, struct text *out)
{
	text_add(out, shapes[v->shape]);
}

static bool take_interval(struct view *v, const char *value)
{
	double seconds;

	if (!number_double(value, &seconds) || !(seconds >= INTERVAL_LEAST_S && seconds <= INTERVAL_MOST_S))
		return false;
	if (!v->options->has_interval)
		engine_set_interval(v->engine, seconds);
	return true;
}

static void give_interval(const struct view *v, struct text *out)
{
	text_addf(out, "%g", engine_nominal_interval_s(v->engine));
}

static const char *const values[] = { "interval", "segment" };

static bool take_value(struct view *v, const char *value)
{
	size_t at;

	if (!take_word(value, values, ARRAY_SIZE(values), &at))
		return false;
	v->one_segment = at == 1;
	return true;
}

static void give_value(const struct view *v, struct text *out)
{
	text_add(out, values[v->one_segment]);
}

static bool take_theme(struct view *v, const char *value)
{
	enum palette palette;

	if (!palette_named(value, &palette))
		return false;
	if (!v->options->has_palette)
		v->palette = palette;
	return true;
}

static void give_theme(const struct view *v, struct text *out)
{
	text_add(out, palette_name(v->palette));
}

static bool take_graph(struct view *v, const char *value)
{
	v->graph.chosen = strcmp(value, "auto") != 0;
	return !v->graph.chosen || take_metric(value, &v->graph.metric);
}

static void give_graph(const struct view *v, struct text *out)
{
	text_add(out, v->graph.chosen ? metrics[v->graph.metric].name : "auto");
}

static const struct setting settings[] = {
	{ "columns", take_columns, give_columns },
	{ "set", take_set, give_set },
	{ "sort", take_sort, give_sort },
	{ "ascending", take_ascending, give_ascending },
	{ "shape", take_shape, give_shape },
	{ "hidden-devices", take_hidden, give_hidden },
	{ "interval", take_interval, give_interval },
	{ "value", take_value, give_value },
	{ "ascii", take_ascii, give_ascii },
	{ "theme", take_theme, give_theme },
	{ "graph", take_graph, give_graph },
	{ "all-knobs", take_all_knobs, give_all_knobs },
};

/* --- the file --- */

static bool settings_path(struct text *path)
{
	const char *base = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	text_clear(path);
	if (base && *base == '/')
		text_addf(path, "%s/iodelta/settings", base);
	else if (home && *home)
		text_addf(path, "%s/.config/iodelta/settings", home);
	return path->len > 0;
}

static bool is_utf8(const char *s, size_t len)
{
	for (size_t n; len; s += n, len -= n) {
		n = *s ? text_utf8_len(s, len) : 0;
		if (!n)
			return false;
	}
	return true;
}

/* 0 with all of it in `out`, or -errno; *reason is set where no errno says it. */
static int read_file(const char *path, struct text *out, const char **reason)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	ssize_t n = 1;

	*reason = NULL;
	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		*reason = "not a regular file";
	while (!*reason && n > 0 && out->len <= MOST_BYTES) {
		text_reserve(out, 4096);
		n = read(fd, out->buf + out->len, 4096);
		out->len += n > 0 ? (size_t)n : 0;
	}
	if (n < 0)
		n = -errno;
	close(fd);
	if (!*reason && n >= 0 && out->len > MOST_BYTES)
		*reason = "larger than settings can be";
	else if (!*reason && n >= 0 && !is_utf8(text_str(out), out->len))
		*reason = "not UTF-8";
	text_add(out, "");
	return *reason ? -EINVAL : n < 0 ? (int)n : 0;
}

/* Takes a line apart: "key = value" without blanks around. False: it is empty or a comment; *value NULL: no "=". */
static bool split_line(char *line, char **key, char **value)
{
	char *end, *equals;

	line += strspn(line, " \t\r");
	end = line + strlen(line);
	while (end > line && strchr(" \t\r", end[-1]))
		*--end = '\0';
	if (!*line || *line == '#')
		return false;
	equals = strchr(line, '=');
	*key = line;
	*value = equals ? equals + 1 + strspn(equals + 1, " \t") : NULL;
	if (equals) {
		*equals = '\0';
		for (end = equals; end > line && strchr(" \t", end[-1]);)
			*--end = '\0';
	}
	return true;
}

static const struct setting *setting_named(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		if (!strcmp(settings[i].key, key))
			return &settings[i];
	}
	return NULL;
}

static void take_line(struct view *v, const char *path, unsigned int number, char *line)
{
	const struct setting *row;
	struct text about = TEXT_INIT;
	char *key, *value;

	if (!split_line(line, &key, &value))
		return;
	text_addf(&about, "%s:%u", path, number);
	row = setting_named(key);
	if (!value)
		msg(text_str(&about), "no \"=\" in this line");
	else if (!row)
		msg(text_str(&about), "%s: unknown setting", key);
	else if (!row->take(v, value))
		msg(text_str(&about), "%s: no value of %s", value, key);
	text_release(&about);
}

void settings_read(struct view *v)
{
	struct text path = TEXT_INIT, all = TEXT_INIT;
	const char *reason;
	unsigned int number = 0;
	int error;

	if (!settings_path(&path))
		goto out;
	error = read_file(text_str(&path), &all, &reason);
	if (error) {
		if (reason)
			msg(text_str(&path), "%s", reason);
		else if (error != -ENOENT && error != -ENOTDIR)
			msg_errno(text_str(&path), error);
		goto out;
	}
	for (char *line = all.buf, *next; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		take_line(v, text_str(&path), ++number, line);
	}
out:
	text_release(&path);
	text_release(&all);
}

/* --- writing --- */

static void add_setting(struct text *out, const struct view *v, const struct setting *row)
{
	text_addf(out, "%s = ", row->key);
	row->give(v, out);
	while (out->len && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
	text_add_char(out, '\n');
}

/* The old lines, those that are known with the present values, and then the keys that were not among them. */
static void make_file(const struct view *v, const char *old, struct text *out)
{
	bool done[ARRAY_SIZE(settings)] = { false };

	for (const char *line = old; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n')) {
		char *copy = xstrndup(line, strcspn(line, "\n"));
		char *key, *value;
		const struct setting *row = split_line(copy, &key, &value) ? setting_named(key) : NULL;

		if (row && !done[row - settings]) {
			add_setting(out, v, row);
			done[row - settings] = true;
		} else if (!row) {
			text_add_n(out, line, strcspn(line, "\n"));
			text_add_char(out, '\n');
		}
		free(copy);
	}
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		if (!done[i])
			add_setting(out, v, &settings[i]);
	}
}

/* All directories above the file's name. */
static int make_directories(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		int error;

		*slash = '\0';
		error = mkdir(path, 0777) < 0 && errno != EEXIST ? -errno : 0;
		*slash = '/';
		if (error)
			return error;
	}
	return 0;
}

/*
 * In a file beside it first, so that the old one is there until the new one is whole. A link stays one: what it leads
 * to is replaced.
 */
static int replace_file(const char *name, const struct text *what)
{
	char *real = realpath(name, NULL);
	const char *path = real ? real : name;
	struct text beside = TEXT_INIT;
	mode_t mask = umask(0);
	int error = 0, fd;

	umask(mask);
	text_addf(&beside, "%s.XXXXXX", path);
	fd = mkostemp(beside.buf, O_CLOEXEC);
	if (fd < 0) {
		error = -errno;
		goto out;
	}
	error = file_write(fd, what);
	if (!error && (fchmod(fd, 0666 & ~mask) < 0 || fsync(fd) < 0))
		error = -errno;
	if (close(fd) < 0 && !error)
		error = -errno;
	if (!error && rename(beside.buf, path) < 0)
		error = -errno;
	if (error)
		unlink(beside.buf);
out:
	text_release(&beside);
	free(real);
	return error;
}

void act_settings(struct view *v, int key)
{
	struct text path = TEXT_INIT, old = TEXT_INIT, new = TEXT_INIT;
	const char *reason;
	int error;

	(void)key;
	if (!settings_path(&path)) {
		view_say(v, "no place for settings: neither XDG_CONFIG_HOME nor HOME is set");
		return;
	}
	error = read_file(text_str(&path), &old, &reason);
	if (error && error != -ENOENT && error != -ENOTDIR) {
		view_say(v, "%s: %s", text_str(&path), reason ? reason : strerror(-error));
	} else {
		make_file(v, error ? "" : text_str(&old), &new);
		error = make_directories(path.buf);
		if (!error)
			error = replace_file(text_str(&path), &new);
		if (error)
			view_say(v, "%s: %s", text_str(&path), strerror(-error));
		else
			view_say(v, "settings are in %s", text_str(&path));
	}
	text_release(&path);
	text_release(&old);
	text_release(&new);
}
