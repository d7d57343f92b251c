/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/msg.h"
#include "base/number.h"
#include "base/quit.h"
#include "tui/key.h"
#include "tui/news.h"
#include "tui/mouse.h"

#define MOST_CELLS 1000         /* of a size */
#define MOST_STEPS 100000
#define FIRST_WAIT_MS 1500      /* for the helpers' first answers */
#define WAIT_MS 5000

/* --- the lines --- */

/* "80x24", "3 5": two whole numbers with a sign between. */
static bool two_numbers(const char *s, const char *between, uint64_t *a, uint64_t *b)
{
	char word[32];
	char *second;

	if (strlen(s) >= sizeof(word))
		return false;
	memcpy(word, s, strlen(s) + 1);
	second = word + strcspn(word, between);
	if (!*second)
		return false;
	*second++ = '\0';
	return number_u64(word, a) && number_u64(second, b);
}

static const char *parse_size(struct script_line *out)
{
	uint64_t cols, rows;

	if (!two_numbers(out->rest, "x", &cols, &rows) || !cols || !rows || cols > MOST_CELLS || rows > MOST_CELLS)
		return "size: COLSxROWS is wanted, each from 1 to 1000";
	out->cols = (int)cols;
	out->rows = (int)rows;
	return NULL;
}

static const char *parse_key(struct script_line *out)
{
	out->key = key_from_name(out->rest);
	return out->key ? NULL : "no key of that name";
}

static const char *parse_step(struct script_line *out)
{
	uint64_t n = 1;

	if (*out->rest && (!number_u64(out->rest, &n) || !n || n > MOST_STEPS))
		return "step: a count from 1 on is wanted";
	out->count = (unsigned int)n;
	return NULL;
}

static const char *parse_wait(struct script_line *out)
{
	if (!strcmp(out->rest, "idle"))
		out->verb = SCRIPT_WAIT_IDLE;
	else if (strcmp(out->rest, "pending"))
		return "wait: pending or idle is wanted";
	return NULL;
}

static const char *parse_click(struct script_line *out)
{
	uint64_t x, y;

	if (!two_numbers(out->rest, " ", &x, &y) || x >= MOST_CELLS || y >= MOST_CELLS)
		return "click: X Y is wanted, from 0 on";
	out->x = (int)x;
	out->y = (int)y;
	return NULL;
}

static const char *parse_rest(struct script_line *out)
{
	return *out->rest ? NULL : "something must follow";
}

static const struct {
	const char *word;
	enum script_verb verb;
	const char *(*parse)(struct script_line *out);
} verbs[] = {
	{ "size", SCRIPT_SIZE, parse_size },
	{ "key", SCRIPT_KEY, parse_key },
	{ "click", SCRIPT_CLICK, parse_click },
	{ "text", SCRIPT_TEXT, parse_rest },
	{ "step", SCRIPT_STEP, parse_step },
	{ "wait", SCRIPT_WAIT_PENDING, parse_wait },
	{ "dump", SCRIPT_DUMP, parse_rest },
	{ "dump-style", SCRIPT_DUMP_STYLE, parse_rest },
};

const char *script_parse(const char *line, struct script_line *out)
{
	size_t word = strcspn(line, " \t");

	*out = (struct script_line){ .verb = SCRIPT_NOTHING, .rest = "" };
	if (!line[strspn(line, " \t")] || line[0] == '#')
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++) {
		if (strlen(verbs[i].word) != word || memcmp(verbs[i].word, line, word))
			continue;
		out->verb = verbs[i].verb;
		out->rest = line + word + strspn(line + word, " \t");
		return verbs[i].parse(out);
	}
	return "no such word; size, key, click, text, step, wait, dump and dump-style are known";
}

/* --- running them --- */

struct run {
	struct view *v;
	const char *path;
	unsigned int number;
	bool failed;
};

static void fail(struct run *run, const char *reason)
{
	struct text about = TEXT_INIT;

	text_addf(&about, "%s:%u", run->path, run->number);
	msg(text_str(&about), "%s", reason);
	text_release(&about);
	run->failed = true;
}

static void do_step(struct run *run, unsigned int count)
{
	while (count--) {
		enum engine_event event = engine_step(run->v->engine);

		if (event == ENGINE_END)
			run->v->ended = true;
		if (event == ENGINE_FAILED) {
			fail(run, "there is no sample");
			return;
		}
		view_rows(run->v);
		news_tell(run->v);
	}
}

static void do_text(struct run *run, const char *s)
{
	size_t bytes;
	int key;

	while ((key = key_from_text(s, &bytes)) != 0) {
		view_key(run->v, key);
		s += bytes;
	}
}

static void do_wait(struct run *run, enum script_verb verb)
{
	struct engine *e = run->v->engine;

	if (verb == SCRIPT_WAIT_IDLE ? !engine_wait_idle(e, WAIT_MS) : !engine_wait_pending(e, WAIT_MS))
		fail(run, verb == SCRIPT_WAIT_IDLE ? "the helpers have not answered" : "nothing is pending");
	view_rows(run->v);
	news_tell(run->v);
}

static void do_dump(struct run *run, const struct script_line *line)
{
	bool to_stdout = !strcmp(line->rest, "-");
	struct text out = TEXT_INIT;
	FILE *file;

	view_draw(run->v);
	if (line->verb == SCRIPT_DUMP)
		screen_dump(&run->v->screen, &out);
	else
		screen_dump_style(&run->v->screen, &out);
	file = to_stdout ? stdout : fopen(line->rest, "we");
	if (!file || fwrite(out.buf, 1, out.len, file) != out.len || fflush(file) ||
	    (!to_stdout && fclose(file)))
		fail(run, strerror(errno));
	text_release(&out);
}

static void do_size(struct run *run, const struct script_line *line)
{
	screen_resize(&run->v->screen, line->rows, line->cols);
	view_key(run->v, K_RESIZE);
}

static void do_line(struct run *run, const char *text)
{
	struct script_line line;
	const char *wrong = script_parse(text, &line);

	if (wrong) {
		fail(run, wrong);
		return;
	}
	switch (line.verb) {
	case SCRIPT_NOTHING:
		break;
	case SCRIPT_SIZE:
		do_size(run, &line);
		break;
	case SCRIPT_KEY:
		view_key(run->v, line.key);
		break;
	case SCRIPT_CLICK:
		mouse_act(run->v, &(struct click){ .y = line.y, .x = line.x });
		break;
	case SCRIPT_TEXT:
		do_text(run, line.rest);
		break;
	case SCRIPT_STEP:
		do_step(run, line.count);
		break;
	case SCRIPT_WAIT_PENDING:
	case SCRIPT_WAIT_IDLE:
		do_wait(run, line.verb);
		break;
	case SCRIPT_DUMP:
	case SCRIPT_DUMP_STYLE:
		do_dump(run, &line);
		break;
	}
}

/* The first sample and the helpers' first answers, so that a script begins with a full screen. */
static bool begin(struct view *v)
{
	enum engine_event event = engine_step(v->engine);

	v->ended = event == ENGINE_END;
	(void)engine_wait_idle(v->engine, FIRST_WAIT_MS);
	view_rows(v);
	return event != ENGINE_FAILED;
}

int script_run(struct view *v, const char *path)
{
	struct run run = { .v = v, .path = path };
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t len;

	/* a directory can be opened, and says what it is when it is read */
	if (!file || (ungetc(getc(file), file) == EOF && ferror(file))) {
		msg_errno(path, -errno);
		if (file)
			fclose(file);
		return 2;
	}
	if (!begin(v)) {
		fclose(file);
		return 1;
	}
	while (!run.failed && !v->leave && !quit_signal() && (len = getline(&line, &size, file)) >= 0) {
		run.number++;
		while (len && (line[len - 1] == '\n' || line[len - 1] == '\r'))
			line[--len] = '\0';
		do_line(&run, line);
	}
	free(line);
	fclose(file);
	return run.failed ? 2 : 0;
}
