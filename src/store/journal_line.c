/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The journal's lines, to and from JSON. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/alloc.h"
#include "store/journal.h"

/* --- writing --- */

/* What the kernel gives need not be UTF-8, which JSON must be: such bytes become U+FFFD. */
static json_t *string_of(const char *s)
{
	json_t *string = json_string(s);
	struct text clean = TEXT_INIT;

	if (string)
		return string;
	text_add_safe(&clean, s, strlen(s));
	string = json_string(text_str(&clean));
	text_release(&clean);
	return string;
}

static json_t *setup_of(const struct setup *s)
{
	json_t *object = json_object();

	for (size_t i = 0; i < s->n; i++)
		json_object_set_new_nocheck(object, s->v[i].path, string_of(s->v[i].value));
	return object;
}

static void set_string(json_t *object, const char *key, const char *value)
{
	json_object_set_new(object, key, string_of(value));
}

static void set_number(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_integer((json_int_t)value));
}

/* Takes over the object. */
static void add_line(json_t *object, struct text *out)
{
	char *line = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER);

	if (line) {
		text_add(out, line);
		text_add_char(out, '\n');
	}
	free(line);
	json_decref(object);
}

static json_t *line_of(const char *kind, int64_t t_ns)
{
	json_t *object = json_object();

	set_string(object, "k", kind);
	set_number(object, "t", (uint64_t)t_ns);
	return object;
}

void journal_write_line(const struct journal_entry *entry, struct text *out)
{
	json_t *object = line_of("write", entry->t_ns);

	set_string(object, "id", entry->id);
	set_string(object, "root", entry->root);
	set_string(object, "boot", entry->boot);
	set_number(object, "pid", (uint64_t)entry->owner.pid);
	set_number(object, "start", entry->owner.start);
	set_number(object, "worker", (uint64_t)entry->worker);
	set_number(object, "action", entry->action);
	json_object_set_new(object, "undo", json_boolean(entry->undo));
	set_string(object, "device", entry->device);
	set_string(object, "sysfs", entry->sysfs);
	set_number(object, "diskseq", entry->diskseq);
	set_string(object, "attr", entry->path);
	set_string(object, "asked", entry->asked);
	if (entry->alive)
		json_object_set_new(object, "alive", json_true());
	json_object_set_new(object, "knobs", setup_of(&entry->before));
	add_line(object, out);
}

void journal_result_line(const struct journal_entry *entry, int64_t t_ns, struct text *out)
{
	json_t *object = line_of("result", t_ns);

	set_string(object, "id", entry->id);
	set_number(object, "error", (uint64_t)-entry->error);
	json_object_set_new(object, "knobs", setup_of(&entry->after));
	add_line(object, out);
}

void journal_undone_line(const struct names *ids, int64_t t_ns, struct text *out)
{
	json_t *object = line_of("undone", t_ns);
	json_t *list = json_array();

	for (size_t i = 0; i < ids->n; i++)
		json_array_append_new(list, string_of(ids->v[i]));
	json_object_set_new(object, "ids", list);
	add_line(object, out);
}

/* --- reading --- */

static char *take_string(const json_t *object, const char *key)
{
	const char *value = json_string_value(json_object_get(object, key));

	return xstrdup(value ? value : "");
}

static uint64_t take_number(const json_t *object, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(object, key));
}

static void take_setup(json_t *object, const char *key, struct setup *out)
{
	const char *path;
	json_t *value;

	json_object_foreach(json_object_get(object, key), path, value) {
		if (json_is_string(value))
			setup_set(out, path, json_string_value(value));
	}
}

static struct journal_entry *entry_of(const struct journal *j, const char *id)
{
	for (size_t i = j->n; i-- > 0;) {
		if (!strcmp(j->v[i].id, id))
			return &j->v[i];
	}
	return NULL;
}

static bool take_write(struct journal *j, json_t *object)
{
	struct journal_entry entry = {
		.id = take_string(object, "id"), .root = take_string(object, "root"),
		.boot = take_string(object, "boot"), .device = take_string(object, "device"),
		.sysfs = take_string(object, "sysfs"), .path = take_string(object, "attr"),
		.asked = take_string(object, "asked"), .t_ns = (int64_t)take_number(object, "t"),
		.owner = { (int)take_number(object, "pid"), take_number(object, "start") },
		.worker = (int)take_number(object, "worker"), .action = (unsigned int)take_number(object, "action"),
		.diskseq = take_number(object, "diskseq"), .undo = json_is_true(json_object_get(object, "undo")),
		.alive = json_is_true(json_object_get(object, "alive")),
	};

	take_setup(object, "knobs", &entry.before);
	if (!*entry.id || !*entry.device || !*entry.path || entry_of(j, entry.id)) {
		journal_entry_release(&entry);
		return false;
	}
	ARRAY_GROW(j->v, j->capacity, j->n + 1);
	j->v[j->n++] = entry;
	return true;
}

static bool take_result(struct journal *j, json_t *object)
{
	const char *id = json_string_value(json_object_get(object, "id"));
	struct journal_entry *entry = id ? entry_of(j, id) : NULL;

	if (!entry)
		return false;
	entry->has_result = true;
	entry->error = -(int)take_number(object, "error");
	setup_release(&entry->after);
	take_setup(object, "knobs", &entry->after);
	return true;
}

static bool take_undone(struct journal *j, json_t *object)
{
	json_t *id;
	size_t i;

	json_array_foreach(json_object_get(object, "ids"), i, id) {
		const char *name = json_string_value(id);
		struct journal_entry *entry = name ? entry_of(j, name) : NULL;

		if (entry)
			entry->undone = true;
	}
	return true;
}

void journal_take_line(struct journal *j, const char *line, size_t len)
{
	static const struct {
		const char *kind;
		bool (*take)(struct journal *j, json_t *object);
	} kinds[] = { { "write", take_write }, { "result", take_result }, { "undone", take_undone } };
	json_t *object = json_loadb(line, len, 0, NULL);
	const char *kind = object ? json_string_value(json_object_get(object, "k")) : NULL;
	bool right = kind != NULL || !len;

	for (size_t i = 0; kind && i < ARRAY_SIZE(kinds); i++) {
		if (!strcmp(kinds[i].kind, kind))
			right = kinds[i].take(j, object);
	}
	j->malformed += !right;
	json_decref(object);
}
