/* SPDX-License-Identifier: GPL-2.0-or-later */
/* knobs journal, export: what was written. */
#include "config.h"

#include <stdint.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/msg.h"
#include "cmd/knobs.h"

/* --- journal --- */

static void add_time(struct text *out, int64_t t_ns)
{
	time_t t = (time_t)(t_ns / NS_PER_S);
	char stamp[32];
	struct tm tm;

	if (localtime_r(&t, &tm) && strftime(stamp, sizeof(stamp), "%Y-%m-%d %H:%M:%S", &tm))
		text_add(out, stamp);
}

static const char *state_of(const struct journal_entry *entry)
{
	if (entry->undo)
		return "set back";
	if (entry->undone)
		return "undone";
	if (!entry->has_result)
		return "cut off: not known what it did";
	if (entry->error)
		return strerror(-entry->error);
	return entry->alive ? "stands, its process runs" : "stands";
}

static void add_value(struct text *out, const char *value)
{
	struct text bare = TEXT_INIT;

	knob_written(value ? value : "?", &bare);
	text_add_safe(out, text_str(&bare), bare.len);
	text_release(&bare);
}

static void add_entry(struct text *out, const struct journal_entry *entry)
{
	add_time(out, entry->t_ns);
	text_addf(out, " %7d ", entry->owner.pid);
	text_add_safe(out, entry->device, strlen(entry->device));
	text_add_char(out, ' ');
	text_add_safe(out, entry->path, strlen(entry->path));
	text_add_char(out, ' ');
	add_value(out, setup_get(&entry->before, entry->path));
	text_add(out, " -> ");
	text_add_safe(out, entry->asked, strlen(entry->asked));
	if (entry->has_result && setup_get(&entry->after, entry->path)
	    && knob_outcome(entry->path, "", entry->asked, setup_get(&entry->after, entry->path)) != KNOB_SET) {
		text_add(out, " (reads ");
		add_value(out, setup_get(&entry->after, entry->path));
		text_add_char(out, ')');
	}
	text_addf(out, "  %s\n", state_of(entry));
}

static void add_string(struct text *out, const char *key, const char *value)
{
	text_addf(out, "\"%s\":", key);
	if (value)
		text_add_json(out, value, strlen(value));
	else
		text_add(out, "null");
}

static void add_entry_json(struct text *out, const struct journal_entry *entry, bool first)
{
	text_add(out, first ? "{" : ",{");
	add_string(out, "id", entry->id);
	text_add(out, ",\"time\":");
	text_add_fixed(out, (double)entry->t_ns / 1e9, 3);
	text_addf(out, ",\"pid\":%d,\"alive\":%s,", entry->owner.pid, entry->alive ? "true" : "false");
	add_string(out, "device", entry->device);
	text_add_char(out, ',');
	add_string(out, "attr", entry->path);
	text_add_char(out, ',');
	add_string(out, "before", setup_get(&entry->before, entry->path));
	text_add_char(out, ',');
	add_string(out, "asked", entry->asked);
	text_add_char(out, ',');
	add_string(out, "after", entry->has_result ? setup_get(&entry->after, entry->path) : NULL);
	text_add_char(out, ',');
	add_string(out, "error", entry->error ? strerror(-entry->error) : NULL);
	text_addf(out, ",\"undo\":%s,\"undone\":%s,\"known\":%s}", entry->undo ? "true" : "false",
		  entry->undone ? "true" : "false", entry->has_result ? "true" : "false");
}

int knobs_journal(struct knobs_run *run)
{
	const struct journal *j = knobs_read_journal(run->engine);
	bool json = run->in->format == FORMAT_JSON;

	if (!j)
		return EXIT_FAILED;
	text_add(&run->out, json ? "{\"entries\":[" : "");
	for (size_t i = 0; i < j->n; i++) {
		if (json)
			add_entry_json(&run->out, &j->v[i], !i);
		else
			add_entry(&run->out, &j->v[i]);
	}
	text_add(&run->out, json ? "]}\n" : "");
	if (j->malformed)
		msg("journal", "%zu line%s that cannot be read %s left out", j->malformed,
		    j->malformed == 1 ? "" : "s", j->malformed == 1 ? "is" : "are");
	return EXIT_DONE;
}

/* --- export --- */

/* What is changed and not undone, a device at a time. */
struct change {
	const struct journal_target *target;
	const struct device *device;            /* NULL: the system, or not there now */
	const char *path, *was, *is;
};

typedef void (*change_fn)(struct text *out, const struct change *change);

static bool is_in(const struct restore *plan, const char *path)
{
	for (size_t i = 0; i < plan->n; i++) {
		if (!strcmp(plan->v[i].path, path))
			return true;
	}
	return false;
}

/*
 * From one state to another, in the order in which it must be written. A script does not look at what the kernel makes
 * of it: a write to nr_requests moves async_depth (mq-deadline of 6.1 and 6.12 takes the number from before it), so
 * that is written as well, whatever it was.
 */
static void plan_blindly(struct restore *plan, const struct setup *to, const struct setup *from)
{
	static const char *const depths[] = { "queue/iosched/async_depth", "queue/async_depth" };

	restore_plan(plan, to, NULL, from, true);
	if (!is_in(plan, "queue/nr_requests") && !is_in(plan, "queue/scheduler"))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(depths); i++) {
		const char *value = setup_get(to, depths[i]);

		if (!value || is_in(plan, depths[i]))
			continue;
		ARRAY_GROW(plan->v, plan->capacity, plan->n + 1);
		plan->v[plan->n++] = (struct restore_step){ RESTORE_WRITE, depths[i], value, value };
	}
}

/* A switch of the scheduler makes the rest anew. */
static void each_change(struct engine *e, const struct journal_targets *targets, change_fn each, struct text *out)
{
	for (size_t i = 0; i < targets->n; i++) {
		const struct journal_target *t = &targets->v[i];
		struct restore plan = { 0 };

		/* from what was to what was left, so that the order is that of setting it */
		plan_blindly(&plan, &t->left, &t->target);
		for (size_t k = 0; k < plan.n; k++) {
			struct change change = {
				.target = t, .device = topology_find(engine_topology(e), t->device),
				.path = plan.v[k].path, .was = plan.v[k].from, .is = plan.v[k].to,
			};

			each(out, &change);
		}
		restore_release(&plan);
	}
}

/* 'it'\''s' */
static void add_quoted(struct text *out, const char *value)
{
	struct text bare = TEXT_INIT;

	knob_written(value, &bare);
	text_add_char(out, '\'');
	for (const char *c = text_str(&bare); *c; c++) {
		if (*c == '\'')
			text_add(out, "'\\''");
		else
			text_add_char(out, *c);
	}
	text_add_char(out, '\'');
	text_release(&bare);
}

static void add_file(struct text *out, const struct change *c)
{
	struct text path = TEXT_INIT;

	if (!strncmp(c->path, "vm/", 3)) {
		text_addf(&path, "/proc/sys/%s", c->path);
	} else {
		text_add(&path, "/sys/block/");
		for (const char *p = c->target->device; *p; p++)
			text_add_char(&path, *p == '/' ? '!' : *p);
		text_addf(&path, "/%s", c->path);
	}
	add_quoted(out, text_str(&path));
	text_release(&path);
}

static void add_shell_line(struct text *out, const struct change *c, const char *value)
{
	text_add(out, "\tput ");
	add_quoted(out, value);
	text_add_char(out, ' ');
	add_file(out, c);
	text_add_char(out, '\n');
}

static void shell_set(struct text *out, const struct change *c)
{
	add_shell_line(out, c, c->is);
}

/* What was not there before is made by the scheduler, and what is not there now cannot be written. */
static void shell_restore(struct text *out, const struct change *c)
{
	if (c->was)
		add_shell_line(out, c, c->was);
}

static void export_shell(struct engine *e, const struct journal_targets *targets, struct text *out)
{
	text_add(out, "#!/bin/sh\n# Knobs as iodelta left them. Usage: sh FILE set, or sh FILE restore.\n"
		 "failed=0\n"
		 "put() {\n\tprintf '%s\\n' \"$1\" > \"$2\" || failed=1\n}\n"
		 "set_knobs() {\n\t:\n");
	each_change(e, targets, shell_set, out);
	text_add(out, "}\nrestore_knobs() {\n\t:\n");
	for (size_t i = 0; i < targets->n; i++) {
		const struct journal_target *t = &targets->v[i];
		struct restore plan = { 0 };

		plan_blindly(&plan, &t->target, &t->left);
		for (size_t k = 0; k < plan.n; k++) {
			struct change change = { .target = t, .path = plan.v[k].path, .was = plan.v[k].to };

			shell_restore(out, &change);
		}
		restore_release(&plan);
	}
	text_add(out, "}\ncase ${1-} in\nset) set_knobs ;;\nrestore) restore_knobs ;;\n"
		 "*) echo \"usage: sh $0 set|restore\" >&2; exit 2 ;;\nesac\nexit $failed\n");
}

/* udev has no way to write a quote inside a value. */
static bool fits_rule(const char *s)
{
	return !s[strcspn(s, "\"\\\n$%")];
}

static void udev_match(struct text *out, const struct change *c)
{
	const struct device *d = c->device;

	text_add(out, "ACTION==\"add|change\", SUBSYSTEM==\"block\", ");
	if (d && d->uuid && !strncmp(d->name, "dm-", 3) && fits_rule(d->uuid))
		text_addf(out, "ATTR{dm/uuid}==\"%s\"", d->uuid);
	else if (d && d->wwid && d->place && fits_rule(d->wwid) && fits_rule(d->place) && !strncmp(d->name, "sd", 2))
		/* all paths to a LUN have its wwid */
		text_addf(out, "ENV{DEVTYPE}==\"disk\", ATTR{device/wwid}==\"%s\", KERNELS==\"%s\"", d->wwid, d->place);
	else
		text_addf(out, "KERNEL==\"%s\"", c->target->device);
}

static void udev_rule(struct text *out, const struct change *c)
{
	struct text value = TEXT_INIT;

	knob_written(c->is, &value);
	if (!strncmp(c->path, "vm/", 3)) {
		text_addf(out, "# %s is the system's: vm.%s = %s in /etc/sysctl.d\n", c->path, c->path + 3,
			  text_str(&value));
	} else if (!fits_rule(text_str(&value)) || !fits_rule(c->target->device)) {
		text_addf(out, "# %s cannot be written in a rule\n", c->path);
	} else {
		udev_match(out, c);
		text_addf(out, ", ATTR{%s}=\"%s\"\n", c->path, text_str(&value));
	}
	text_release(&value);
}

static void export_udev(struct engine *e, const struct journal_targets *targets, struct text *out)
{
	text_add(out, "# Knobs as iodelta left them: a file for /etc/udev/rules.d, read after the system's own.\n");
	each_change(e, targets, udev_rule, out);
}

static void tuned_sysfs(struct text *out, const struct change *c)
{
	struct text value = TEXT_INIT;

	if (!strncmp(c->path, "vm/", 3))
		return;
	knob_written(c->is, &value);
	text_addf(out, "/sys/block/%s/%s=%s\n", c->target->device, c->path, text_str(&value));
	text_release(&value);
}

static void tuned_sysctl(struct text *out, const struct change *c)
{
	struct text value = TEXT_INIT;

	if (strncmp(c->path, "vm/", 3) != 0)
		return;
	knob_written(c->is, &value);
	text_addf(out, "vm.%s=%s\n", c->path + 3, text_str(&value));
	text_release(&value);
}

static void export_tuned(struct engine *e, const struct journal_targets *targets, struct text *out)
{
	text_add(out, "# Knobs as iodelta left them: tuned.conf of a profile in /etc/tuned.\n"
		 "[main]\nsummary=knobs as iodelta left them\n\n[sysfs]\n");
	each_change(e, targets, tuned_sysfs, out);
	text_add(out, "\n[sysctl]\n");
	each_change(e, targets, tuned_sysctl, out);
}

/* Everything that stands, whoever wrote it. */
static void take_targets(const struct journal *read, struct journal_targets *targets)
{
	struct journal *j = (struct journal *)(uintptr_t)read;

	for (size_t i = 0; i < j->n; i++)
		j->v[i].chosen = true;
	journal_targets(j, targets);
}

int knobs_export(struct knobs_run *run)
{
	static void (*const writers[])(struct engine *e, const struct journal_targets *targets, struct text *out) = {
		[EXPORT_SH] = export_shell, [EXPORT_UDEV] = export_udev, [EXPORT_TUNED] = export_tuned,
	};
	const struct journal *j = knobs_read_journal(run->engine);
	struct journal_targets targets = { 0 };

	if (!j)
		return EXIT_FAILED;
	take_targets(j, &targets);
	if (!targets.n)
		msg("knobs export", "nothing is changed: the journal has no write that stands");
	writers[run->in->export](run->engine, &targets, &run->out);
	journal_targets_release(&targets);
	return EXIT_DONE;
}
