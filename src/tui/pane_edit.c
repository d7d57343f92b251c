/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/pane_edit.h"

#include <limits.h>
#include <string.h>

#include "base/alloc.h"
#include "tui/key.h"
#include "tui/pane.h"
#include "tui/view.h"

#define LABEL_W 12
#define LEAST_TEXT_W 20

void edit_release(struct edit *edit)
{
	text_release(&edit->path);
	text_release(&edit->value);
}

/* --- the knob --- */

/* What the last write of it asks for while it is under way, else what it is. */
static const char *value_of(const struct view *v, uint32_t slot, const char *path)
{
	const struct attribute *a = engine_attribute(v->engine, slot, path);
	size_t n;
	const struct knob_action *actions = engine_actions(v->engine, &n);

	for (size_t i = n; i-- > 0;) {
		for (size_t j = actions[i].n; j-- > 0;) {
			const struct knob_write *w = &actions[i].writes[j];

			if (w->state != WRITE_DONE && !w->undo && w->slot == slot && !strcmp(w->path, path))
				return w->asked;
		}
	}
	return a && a->value ? a->value : "";
}

static enum knob_type type_of(const char *path, const char *value)
{
	const struct knob *k = knob_find(path);
	int64_t n;

	if (k)
		return k->type;
	return strchr(value, '[') ? KNOB_CHOICE : knob_number(value, &n) ? KNOB_NUMBER : KNOB_TEXT;
}

/* The largest value, as far as the catalogue or the attribute beside it tells. */
static int64_t most_of(const struct view *v, uint32_t slot, const char *path)
{
	const struct knob *k = knob_find(path);
	const struct attribute *limit = k && k->limit ? engine_attribute(v->engine, slot, k->limit) : NULL;
	int64_t n;

	if (limit && limit->value && knob_number(limit->value, &n))
		return n;
	return k && k->type == KNOB_NUMBER ? k->most : INT64_MAX;
}

/* --- steps --- */

/* An eighth of the power of two below, so that 32 steps lead from 256 to 16. */
static int64_t step_size(const char *path, int64_t n)
{
	const struct knob *k = knob_find(path);
	int64_t size = 1;

	while (size <= n / 16)
		size *= 2;
	return k && k->granule > size ? k->granule : size;
}

static void step_number(const struct view *v, uint32_t slot, const char *path, int way, struct text *value)
{
	const struct knob *k = knob_find(path);
	int64_t n, most = most_of(v, slot, path), least = k && k->type == KNOB_NUMBER ? k->least : 0;

	if (!knob_number(text_str(value), &n))
		return;
	if (way > 0)
		n = n > INT64_MAX - step_size(path, n) ? INT64_MAX : n + step_size(path, n);
	else
		n -= step_size(path, n - 1);
	n = n < least ? least : n > most ? most : n;
	text_clear(value);
	text_addf(value, "%lld", (long long)n);
}

static void step_choice(const char *path, const char *now, int way, struct text *value)
{
	struct names choices = { NULL, 0, 0 };
	size_t at = 0;

	knob_choices(path, now, &choices);
	for (size_t i = 0; i < choices.n; i++) {
		if (!strcmp(choices.v[i], text_str(value)))
			at = i;
	}
	if (choices.n) {
		at = way > 0 ? (at + 1) % choices.n : (at + choices.n - 1) % choices.n;
		text_clear(value);
		text_add(value, choices.v[at]);
	}
	names_release(&choices);
}

static void step(const struct view *v, uint32_t slot, const char *path, int way, struct text *value)
{
	const char *now = value_of(v, slot, path);
	enum knob_type type = type_of(path, now);

	if (type == KNOB_NUMBER)
		step_number(v, slot, path, way, value);
	else if (type == KNOB_CHOICE)
		step_choice(path, now, way, value);
	if (type == KNOB_SWITCH) {
		text_clear(value);
		text_add(value, way > 0 ? "1" : "0");
	}
}

/* --- wishes --- */

static void wishes_of(struct view *v, struct knob_wishes *wishes, size_t *without)
{
	const struct edit *edit = &v->edit;
	const char *path = text_str(&edit->path), *value = text_str(&edit->value);

	*without = 0;
	if (edit->scope != SCOPE_TAGGED) {
		*without = engine_knob_spread(v->engine, edit->slot, edit->scope, path, value, wishes);
	} else {
		for (uint32_t slot = 0; slot < engine_roster(v->engine)->n; slot++) {
			if (rows_is_tagged(&v->rows, slot))
				*without += engine_knob_spread(v->engine, slot, SCOPE_DEVICE, path, value, wishes);
		}
	}
	engine_knob_order(v->engine, wishes);
}

static bool all_can(const struct view *v, const struct knob_wishes *wishes, struct text *why)
{
	struct text reason = TEXT_INIT;
	bool can = true;

	for (size_t i = 0; can && i < wishes->n; i++) {
		can = engine_knob_check(v->engine, &wishes->v[i], &reason);
		if (!can)
			text_addf(why, "%s: %s", engine_knob_device(v->engine, wishes->v[i].slot), text_str(&reason));
	}
	text_release(&reason);
	return can;
}

static uint32_t instance_of(const struct view *v, uint32_t slot)
{
	return slot == SLOT_SYSTEM ? 0 : engine_roster(v->engine)->entries[slot].instance;
}

static void write_them(struct view *v, struct knob_wishes *wishes)
{
	struct text why = TEXT_INIT;

	if (!wishes->n)
		view_say(v, "none of these devices has this attribute");
	else if (!all_can(v, wishes, &why))
		view_say(v, "%s", text_str(&why));
	else if (engine_knob_set(v->engine, wishes))
		view_say(v, "being written");
	text_release(&why);
}

/* --- keys --- */

static void ask_all(struct view *v)
{
	const struct topology *t = engine_topology(v->engine);

	/* what the scope may reach; those of the selected stack are known already */
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t slot = engine_slot(v->engine, i);

		if (slot != SLOT_NONE && rows_is_tagged(&v->rows, slot) && !engine_attributes(v->engine, slot))
			engine_ask_attributes(v->engine, slot);
	}
}

void act_edit(struct view *v, int key)
{
	struct edit *edit = &v->edit;
	const char *path;
	uint32_t slot;

	(void)key;
	if (v->place == IN_LIST) {
		v->place = IN_KNOBS;
		view_layout(v);
		view_say(v, "choose a knob with the arrows, Enter edits it");
		return;
	}
	path = knobs_cell(v, &slot);
	if (!path || !engine_attribute(v->engine, slot, path)) {
		view_say(v, "this device does not have this knob");
		return;
	}
	if (!knob_permitted(path)) {
		view_say(v, "%s is no knob: only what is known to be one can be written here", path);
		return;
	}
	text_clear(&edit->path);
	text_add(&edit->path, path);
	text_clear(&edit->value);
	knob_written(value_of(v, slot, path), &edit->value);
	edit->slot = slot;
	edit->instance = instance_of(v, slot);
	edit->scope = SCOPE_DEVICE;
	edit->fresh = true;
	ask_all(v);
	panes_go(v, ON_EDIT);
}

void act_edit_step(struct view *v, int key)
{
	v->edit.fresh = false;
	step(v, v->edit.slot, text_str(&v->edit.path), key == K_UP || key == '+' || key == K_RIGHT ? 1 : -1,
	     &v->edit.value);
}

static bool scope_there(const struct view *v, enum knob_scope scope)
{
	const struct topology *t = engine_topology(v->engine);
	uint32_t device = v->edit.slot == SLOT_SYSTEM ? UINT32_MAX : engine_device(v->engine, v->edit.slot);
	const struct device *d = device < t->n ? &t->devices[device] : NULL;

	switch (scope) {
	case SCOPE_SLAVES:
		return d && d->slaves.n;
	case SCOPE_STACK:
		return d && (d->slaves.n || d->holders.n);
	case SCOPE_TAGGED:
		return rows_any_tagged(&v->rows);
	default:
		return true;
	}
}

void act_edit_scope(struct view *v, int key)
{
	struct edit *edit = &v->edit;

	do {
		edit->scope = (enum knob_scope)((edit->scope + (key == K_BACKTAB ? KNOB_SCOPES - 1 : 1)) % KNOB_SCOPES);
	} while (!scope_there(v, edit->scope));
}

/* While the page was open the device may have gone and another one come in its place. */
static bool is_another(struct view *v)
{
	if (instance_of(v, v->edit.slot) == v->edit.instance)
		return false;
	view_say(v, "nothing was written: it is not the same device any more");
	return true;
}

void act_edit_write(struct view *v, int key)
{
	struct knob_wishes wishes = { 0 };
	struct text why = TEXT_INIT;
	size_t without;

	if (is_another(v)) {
		act_back(v, key);
		return;
	}
	wishes_of(v, &wishes, &without);
	if (engine_knob_risk(&wishes) == RISK_DATA && all_can(v, &wishes, &why)) {
		prompt_open(&v->prompt, PROMPT_NAME, "");
	} else {
		write_them(v, &wishes);
		if (engine_knobs_busy(v->engine))
			act_back(v, key);
	}
	knob_wishes_release(&wishes);
	text_release(&why);
}

void edit_take_name(struct view *v, const char *line)
{
	const char *device = engine_knob_device(v->engine, v->edit.slot);
	struct knob_wishes wishes = { 0 };
	size_t without;

	if (strcmp(line, device) != 0) {
		view_say(v, "nothing was written: %s is not %s", *line ? line : "an empty name", device);
		return;
	}
	if (is_another(v))
		return;
	wishes_of(v, &wishes, &without);
	write_them(v, &wishes);
	if (engine_knobs_busy(v->engine))
		act_back(v, K_ESC);
	knob_wishes_release(&wishes);
}

void edit_type(struct view *v, int key)
{
	struct edit *edit = &v->edit;
	char utf8[5];

	if (key == K_BACKSPACE && edit->value.len && !edit->fresh)
		edit->value.buf[--edit->value.len] = '\0';
	else if (key == K_BACKSPACE || key == K_CTRL_U)
		text_clear(&edit->value);
	if (key_is_text(key)) {
		if (edit->fresh)
			text_clear(&edit->value);
		if (edit->value.len < KNOB_LONGEST)
			text_add_n(&edit->value, utf8, key_to_utf8(key, utf8));
	}
	if (key_is_text(key) || key == K_BACKSPACE || key == K_CTRL_U)
		edit->fresh = false;
}

/* Only what does no harm is written without a look at its page. */
void act_knob_step(struct view *v, int key)
{
	struct knob_wishes wishes = { 0 };
	struct text value = TEXT_INIT;
	uint32_t slot;
	const char *path = knobs_cell(v, &slot);
	const struct knob *k = path ? knob_find(path) : NULL;

	if (!path || !engine_attribute(v->engine, slot, path) || !k || k->risk > RISK_FREEZES || k->type == KNOB_TEXT) {
		act_edit(v, key);
		return;
	}
	knob_written(value_of(v, slot, path), &value);
	step(v, slot, path, key == '+' ? 1 : -1, &value);
	if (!knob_same(text_str(&value), value_of(v, slot, path))) {
		knob_wishes_add(&wishes, slot, path, text_str(&value));
		write_them(v, &wishes);
	}
	knob_wishes_release(&wishes);
	text_release(&value);
}

/* --- the page --- */

/* Words in lines of `w` cells from column x on. */
static void put_wrapped(struct sheet *s, enum role role, const char *words, int x, int w)
{
	while (*words) {
		struct text line = TEXT_INIT;
		size_t take = strlen(words);

		if ((int)take > w) {
			take = (size_t)w;
			while (take && words[take] != ' ')
				take--;
			take = take ? take : (size_t)w;
		}
		text_add_n(&line, words, take);
		sheet_to(s, x);
		sheet_put(s, role, text_str(&line));
		sheet_end_line(s);
		text_release(&line);
		words += take;
		words += strspn(words, " ");
	}
}

static void put_fact(struct sheet *s, const char *label, const char *words, int w)
{
	int room = w - LABEL_W - 2;

	if (!words)
		return;
	sheet_put(s, ROLE_DIM, " ");
	sheet_put(s, ROLE_DIM, label);
	put_wrapped(s, ROLE_TEXT, words, LABEL_W, room < LEAST_TEXT_W ? LEAST_TEXT_W : room);
}

static void add_range(const struct view *v, const struct knob *k, struct text *out)
{
	int64_t most = most_of(v, v->edit.slot, text_str(&v->edit.path));

	text_addf(out, "number from %lld", (long long)(k ? k->least : 0));
	if (most < INT_MAX)
		text_addf(out, " to %lld", (long long)most);
	text_addf(out, "%s%s; + and - change it", k && k->unit ? " " : "", k && k->unit ? k->unit : "");
}

static void put_value(struct view *v, struct sheet *s, const struct knob *k)
{
	const struct edit *edit = &v->edit;
	const char *now = value_of(v, edit->slot, text_str(&edit->path));
	struct names choices = { NULL, 0, 0 };
	struct text words = TEXT_INIT;

	knob_choices(text_str(&edit->path), now, &choices);
	sheet_put(s, ROLE_DIM, " new value");
	sheet_to(s, LABEL_W);
	for (size_t i = 0; i < choices.n; i++) {
		bool chosen = !strcmp(choices.v[i], text_str(&edit->value));

		sheet_put(s, chosen ? ROLE_ACCENT : ROLE_DIM, chosen ? "(*) " : "( ) ");
		sheet_put(s, chosen ? ROLE_ACCENT : ROLE_TEXT, choices.v[i]);
		sheet_put(s, ROLE_DIM, "  ");
	}
	if (!choices.n) {
		sheet_put(s, ROLE_ACCENT, text_str(&edit->value));
		sheet_put(s, ROLE_ACCENT, "_");
	}
	sheet_end_line(s);
	if (choices.n)
		text_add(&words, "up and down choose");
	else if (type_of(text_str(&edit->path), now) == KNOB_SWITCH)
		text_add(&words, "0 or 1");
	else if (type_of(text_str(&edit->path), now) == KNOB_NUMBER)
		add_range(v, k, &words);
	else
		text_addf(&words, "text%s%s", k && k->unit ? ", " : "", k && k->unit ? k->unit : "");
	sheet_to(s, LABEL_W);
	sheet_put(s, ROLE_DIM, text_str(&words));
	sheet_end_line(s);
	names_release(&choices);
	text_release(&words);
}

static void put_scopes(const struct view *v, struct sheet *s)
{
	sheet_put(s, ROLE_DIM, " for");
	sheet_to(s, LABEL_W);
	for (enum knob_scope scope = 0; scope < KNOB_SCOPES; scope++) {
		bool chosen = scope == v->edit.scope;

		if (!scope_there(v, scope))
			continue;
		sheet_put(s, chosen ? ROLE_ACCENT : ROLE_DIM, chosen ? "(*) " : "( ) ");
		sheet_put(s, chosen ? ROLE_ACCENT : ROLE_TEXT, knob_scope_words(scope));
		sheet_put(s, ROLE_DIM, "  ");
	}
	sheet_put(s, ROLE_DIM, "Tab");
	sheet_end_line(s);
}

static void put_write(struct view *v, struct sheet *s, const struct knob_wish *wish)
{
	struct text words = TEXT_INIT;
	bool can;

	text_addf(&words, "%s %s ", engine_knob_device(v->engine, wish->slot), knob_name(wish->path));
	knob_written(value_of(v, wish->slot, wish->path), &words);
	text_addf(&words, " %s %s", theme_glyph(&v->screen.theme, GLYPH_TO), wish->value);
	sheet_to(s, 3);
	sheet_put(s, ROLE_TEXT, text_str(&words));
	text_clear(&words);
	can = engine_knob_check(v->engine, wish, &words);
	if (!can) {
		sheet_put(s, ROLE_DIM, "  ");
		sheet_put(s, ROLE_WARN, text_str(&words));
	}
	sheet_end_line(s);
	text_release(&words);
}

static void put_warnings(const struct view *v, struct sheet *s, const struct knob_wishes *wishes, int w)
{
	enum knob_risk risk = engine_knob_risk(wishes);
	struct text words = TEXT_INIT;
	const char *line;

	if (risk != RISK_NONE) {
		text_addf(&words, "! %s", knob_risk_words(risk));
		put_wrapped(s, risk == RISK_DATA ? ROLE_WORSE : ROLE_WARN, text_str(&words), 1, w - 4);
		text_clear(&words);
	}
	engine_knob_warnings(v->engine, wishes, &words);
	for (line = text_str(&words); *line;) {
		size_t len = strcspn(line, "\n");
		struct text one = TEXT_INIT;

		text_add(&one, "! ");
		text_add_n(&one, line, len);
		put_wrapped(s, ROLE_WARN, text_str(&one), 1, w - 4);
		text_release(&one);
		line += len + (line[len] == '\n');
	}
	text_release(&words);
}

static void put_writes(struct view *v, struct sheet *s, int w)
{
	struct knob_wishes wishes = { 0 };
	struct text words = TEXT_INIT;
	size_t without;

	wishes_of(v, &wishes, &without);
	sheet_put(s, ROLE_HEAD, " Enter writes");
	sheet_end_line(s);
	for (size_t i = 0; i < wishes.n; i++)
		put_write(v, s, &wishes.v[i]);
	if (without && v->edit.scope != SCOPE_DEVICE) {
		text_addf(&words, "%zu of these devices ha%s no such attribute", without, without == 1 ? "s" : "ve");
		sheet_to(s, 3);
		sheet_put(s, ROLE_DIM, text_str(&words));
		sheet_end_line(s);
	}
	put_warnings(v, s, &wishes, w);
	knob_wishes_release(&wishes);
	text_release(&words);
}

static void put_title(const struct view *v, struct sheet *s)
{
	const struct edit *edit = &v->edit;
	struct text words = TEXT_INIT;

	sheet_put(s, ROLE_ACCENT, "EDIT ");
	text_addf(&words, "%s %s", engine_knob_device(v->engine, edit->slot), text_str(&edit->path));
	sheet_put(s, ROLE_HEAD, text_str(&words));
	text_clear(&words);
	text_add(&words, "  is ");
	text_add(&words, value_of(v, edit->slot, text_str(&edit->path)));
	sheet_put(s, ROLE_TEXT, text_str(&words));
	sheet_end_line(s);
	text_release(&words);
}

void pane_edit_draw(struct view *v, struct area area)
{
	const struct knob *k = knob_find(text_str(&v->edit.path));
	struct sheet *s = &v->sheet;

	sheet_clear(s);
	put_title(v, s);
	put_value(v, s, k);
	put_scopes(v, s);
	put_writes(v, s, area.w);
	sheet_end_line(s);
	put_fact(s, "what", k ? k->help : "not described: what it does is not known here", area.w);
	if (k) {
		put_fact(s, "with it", k->effects, area.w);
		put_fact(s, "counts for", k->where, area.w);
		put_fact(s, "kernels", k->kernels, area.w);
		put_fact(s, "moved", k->moved, area.w);
	}
	sheet_draw(s, &v->screen, area, &v->page_top);
}
