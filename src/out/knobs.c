/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The knobs of devices, as text and as JSON. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "out/json.h"
#include "out/output.h"

#define NAME_CELLS 38
#define VALUE_CELLS 16

static const char *type_name(enum knob_type type)
{
	static const char *const names[] = {
		[KNOB_NUMBER] = "number", [KNOB_SWITCH] = "switch", [KNOB_CHOICE] = "choice", [KNOB_TEXT] = "text",
	};

	return names[type];
}

static const char *risk_name(enum knob_risk risk)
{
	static const char *const names[] = {
		[RISK_NONE] = "none", [RISK_FREEZES] = "freezes", [RISK_BLOCKS] = "blocks",
		[RISK_ONE_WAY] = "one-way", [RISK_DATA] = "data",
	};

	return names[risk];
}

static const char *error_of(const struct attribute *a)
{
	if (a->error)
		return strerror(-a->error);
	return a->pending ? "pending" : "not read";
}

/* --- text --- */

static void pad(struct text *out, size_t start, size_t cells)
{
	size_t used = text_cells(text_str(out) + start);

	text_add_fill(out, ' ', used < cells ? cells - used : 1);
}

static void add_choices(struct text *out, const struct attribute *a)
{
	struct names names = { NULL, 0, 0 };

	knob_choices(a->name, a->value, &names);
	for (size_t i = 0; names.n > 1 && i < names.n; i++) {
		text_add(out, i ? "|" : "");
		text_add_safe(out, names.v[i], strlen(names.v[i]));
	}
	names_release(&names);
}

static void add_line(struct text *out, const struct attribute *a)
{
	const struct knob *k = knob_find(a->name);
	size_t start = out->len, len;
	const char *value;

	text_add(out, "  ");
	text_add_safe(out, a->name, strlen(a->name));
	pad(out, start, NAME_CELLS);
	start = out->len;
	if (!a->value) {
		text_add(out, error_of(a));
	} else {
		value = knob_chosen(a->value, &len);
		text_add_safe(out, value, len);
		pad(out, start, VALUE_CELLS);
		if (k && k->unit)
			text_addf(out, "%s ", k->unit);
		add_choices(out, a);
		if (!a->writable)
			text_add(out, "(read-only)");
		else if (!k)
			text_add(out, "(not described)");
	}
	while (out->len && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
	text_add_char(out, '\n');
}

void knobs_text(struct engine *e, const uint32_t *slots, size_t n, struct text *out)
{
	for (size_t i = 0; i < n; i++) {
		const struct attributes *a = engine_attributes(e, slots[i]);

		text_add_safe(out, engine_knob_device(e, slots[i]), strlen(engine_knob_device(e, slots[i])));
		text_add_char(out, '\n');
		for (size_t j = 0; a && j < a->n; j++) {
			if (knob_permitted(a->v[j].name))
				add_line(out, &a->v[j]);
		}
	}
}

/* --- JSON --- */

static void add_described(struct text *out, const struct knob *k)
{
	put_key(out, "type");
	put_string(out, type_name(k->type));
	put_key(out, "unit");
	put_string(out, k->unit);
	if (k->type == KNOB_NUMBER) {
		put_key(out, "least");
		text_addf(out, "%lld", (long long)k->least);
		put_key(out, "most");
		text_addf(out, "%lld", (long long)k->most);
	}
	put_key(out, "risk");
	put_string(out, risk_name(k->risk));
	put_key(out, "help");
	put_string(out, k->help);
}

static void add_value(struct text *out, const struct attribute *a)
{
	struct names names = { NULL, 0, 0 };
	size_t len;
	const char *chosen = knob_chosen(a->value, &len);
	char *value = xstrndup(chosen, len);

	put_key(out, "value");
	put_string(out, value);
	knob_choices(a->name, a->value, &names);
	if (names.n) {
		put_key(out, "choices");
		text_add_char(out, '[');
		for (size_t i = 0; i < names.n; i++) {
			put_next(out);
			put_string(out, names.v[i]);
		}
		text_add_char(out, ']');
	}
	names_release(&names);
	free(value);
}

static void add_knob(struct text *out, const struct attribute *a)
{
	const struct knob *k = knob_find(a->name);
	const char *slash = strrchr(a->name, '/');

	put_next(out);
	text_add_char(out, '{');
	put_key(out, "knob");
	put_string(out, slash ? slash + 1 : a->name);
	put_key(out, "attr");
	put_string(out, a->name);
	if (a->value) {
		add_value(out, a);
	} else {
		put_key(out, "error");
		put_string(out, error_of(a));
	}
	put_key(out, "writable");
	put_bool(out, a->writable);
	put_key(out, "described");
	put_bool(out, k != NULL);
	if (k)
		add_described(out, k);
	text_add_char(out, '}');
}

void knobs_json(struct engine *e, const uint32_t *slots, size_t n, struct text *out)
{
	text_add(out, "{\"devices\":[");
	for (size_t i = 0; i < n; i++) {
		const struct attributes *a = engine_attributes(e, slots[i]);

		put_next(out);
		text_add_char(out, '{');
		put_key(out, "name");
		put_string(out, engine_knob_device(e, slots[i]));
		put_key(out, "knobs");
		text_add_char(out, '[');
		for (size_t j = 0; a && j < a->n; j++) {
			if (knob_permitted(a->v[j].name))
				add_knob(out, &a->v[j]);
		}
		text_add(out, "]}");
	}
	text_add(out, "]}\n");
}
