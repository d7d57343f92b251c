/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "out/json.h"
#include "out/list.h"

/* Strings that are left out when they are not known. */
static const struct {
	const char *key;
	size_t offset;
} known_texts[] = {
	{ "vendor", offsetof(struct device, vendor) },
	{ "model", offsetof(struct device, model) },
	{ "serial", offsetof(struct device, serial) },
	{ "wwid", offsetof(struct device, wwid) },
	{ "place", offsetof(struct device, place) },
	{ "partuuid", offsetof(struct device, partuuid) },
	{ "md_level", offsetof(struct device, md_level) },
	{ "backing_file", offsetof(struct device, backing_file) },
};

static void add_member(struct text *out, const char *key, const char *value)
{
	put_key(out, key);
	put_string(out, value);
}

static void add_names(struct text *out, const char *key, const struct names *names)
{
	put_key(out, key);
	text_add_char(out, '[');
	for (size_t i = 0; i < names->n; i++) {
		put_next(out);
		put_string(out, names->v[i]);
	}
	text_add_char(out, ']');
}

static void add_u64(struct text *out, const char *key, uint64_t value)
{
	put_key(out, key);
	text_add_u64(out, value);
}

static void add_identity(struct text *out, const struct topology *t, const struct device *d)
{
	struct text by = TEXT_INIT, key = TEXT_INIT;

	device_identity(t, d, &by, &key);
	put_key(out, "identity");
	text_add_char(out, '{');
	add_member(out, "by", text_str(&by));
	add_member(out, "key", text_str(&key));
	text_add_char(out, '}');
	text_release(&by);
	text_release(&key);
}

static void add_size(struct text *out, const struct device *d)
{
	put_key(out, "size");
	if (d->has_size && d->size_sectors <= UINT64_MAX / 512)
		text_add_u64(out, d->size_sectors * 512);
	else
		text_add(out, "null");
	if (d->has_size)
		add_u64(out, "size_sectors", d->size_sectors);
}

static void add_known(struct text *out, const struct device *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(known_texts); i++) {
		const char *value;

		memcpy(&value, (const char *)d + known_texts[i].offset, sizeof(value));
		if (value)
			add_member(out, known_texts[i].key, value);
	}
	add_u64(out, "major", d->major);
	add_u64(out, "minor", d->minor);
	if (d->diskseq)
		add_u64(out, "diskseq", d->diskseq);
	put_key(out, "hidden");
	put_bool(out, d->hidden);
	put_key(out, "read_only");
	put_bool(out, d->read_only);
}

/* --- attributes --- */

static void add_pending(struct text *out, const struct pending *p, int64_t now_ns)
{
	struct text words = TEXT_INIT;

	text_add(&words, "pending ");
	text_add_fixed(&words, (double)(now_ns - p->since_ns) / 1e9, 1);
	text_add(&words, " s");
	text_add_char(out, '{');
	add_member(out, "error", text_str(&words));
	text_add_char(out, '}');
	text_release(&words);
}

static void add_attribute(struct text *out, const struct attribute *a, int64_t now_ns)
{
	text_add_char(out, '{');
	if (a->value) {
		add_member(out, "value", a->value);
		put_key(out, "age");
		put_number(out, now_ns > a->read_ns ? (double)(now_ns - a->read_ns) / 1e9 : 0);
	} else {
		add_member(out, "error", a->error ? strerror(-a->error) : "not read");
	}
	text_add_char(out, '}');
}

static bool has_attribute(const struct attributes *a, const char *name)
{
	for (size_t i = 0; a && i < a->n; i++) {
		if (!strcmp(a->v[i].name, name))
			return true;
	}
	return false;
}

/* An attribute that has not answered even once is only known as pending. */
static void add_attributes(struct text *out, struct engine *e, const struct device *d, uint32_t slot)
{
	const struct attributes *a = slot == SLOT_NONE ? NULL : engine_attributes(e, slot);
	const struct pending *p;
	int64_t now_ns = clock_mono_ns();
	size_t n;

	put_key(out, "attributes");
	text_add_char(out, '{');
	for (size_t i = 0; a && i < a->n; i++) {
		p = a->v[i].value ? NULL : list_pending(e, d->name, a->v[i].name);
		put_key(out, a->v[i].name);
		if (p)
			add_pending(out, p, now_ns);
		else
			add_attribute(out, &a->v[i], now_ns);
	}
	p = engine_pending(e, &n);
	for (size_t i = 0; i < n; i++) {
		if (!*p[i].what || strcmp(p[i].name, d->name) || has_attribute(a, p[i].what))
			continue;
		put_key(out, p[i].what);
		add_pending(out, &p[i], now_ns);
	}
	text_add_char(out, '}');
}

static void add_device(struct text *out, struct engine *e, uint32_t index)
{
	const struct topology *t = engine_topology(e);
	const struct device *d = &t->devices[index];

	put_next(out);
	text_add_char(out, '{');
	add_member(out, "name", d->name);
	add_member(out, "kind", device_kind_name(d->kind));
	add_member(out, "dm_name", d->dm_name);
	add_member(out, "uuid", d->uuid);
	add_identity(out, t, d);
	add_member(out, "parent", d->parent);
	add_names(out, "slaves", &d->slaves);
	add_names(out, "holders", &d->holders);
	add_member(out, "mount", d->mount);
	add_size(out, d);
	add_known(out, d);
	add_attributes(out, e, d, engine_slot(e, index));
	text_add_char(out, '}');
}

void list_json(struct engine *e, const bool *wanted, struct text *out)
{
	const struct topology *t = engine_topology(e);

	text_add(out, "{\"devices\":[");
	for (uint32_t i = 0; i < t->n; i++) {
		if (!wanted || wanted[i])
			add_device(out, e, i);
	}
	text_add(out, "]}\n");
}
