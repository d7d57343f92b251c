/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "tui/screen.h"

#include <errno.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include <curses.h>
#include <panel.h>
#include <term.h>

#include "base/alloc.h"
#include "base/msg.h"
#include "tui/key.h"

/*
 * What the handler of a crash needs to leave the terminal sane, with nothing but tcsetattr and write. A signal
 * handler has no argument of its own, so this is one of the few variables of the program; it is set once.
 */
static struct {
	struct termios modes;
	char leave[128];
	size_t leave_len;
	volatile sig_atomic_t armed;
	volatile sig_atomic_t continued;        /* after a stop that curses knew nothing of */
} emergency;

static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

static void leave_in_haste(void)
{
	if (!emergency.armed)
		return;
	emergency.armed = 0;
	tcsetattr(STDIN_FILENO, TCSANOW, &emergency.modes);
	if (write(STDOUT_FILENO, emergency.leave, emergency.leave_len) < 0)
		emergency.leave_len = 0;
}

static void on_crash(int signal)
{
	leave_in_haste();
	raise(signal);          /* the default action is back: SA_RESETHAND */
}

static void on_continue(int signal)
{
	(void)signal;
	emergency.continued = 1;
}

/* The strings are asked for now; a capability with padding marks is cut there, terminals today need none. */
static void emergency_add(const char *s)
{
	size_t len;

	if (!s || s == (char *)-1)
		return;
	len = strcspn(s, "$");
	if (len > sizeof(emergency.leave) - emergency.leave_len)
		return;
	memcpy(emergency.leave + emergency.leave_len, s, len);
	emergency.leave_len += len;
}

static void emergency_modes(void)
{
	if (tcgetattr(STDIN_FILENO, &emergency.modes) < 0)
		memset(&emergency.modes, 0, sizeof(emergency.modes));
}

static void emergency_arm(void)
{
	static const char *const strings[] = { "sgr0", "rmkx", "cnorm", "rmcup" };
	struct sigaction action = { .sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND };

	emergency.leave_len = 0;
	for (size_t i = 0; i < ARRAY_SIZE(strings); i++)
		emergency_add(tigetstr(strings[i]));
	emergency.armed = 1;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < ARRAY_SIZE(crashes); i++)
		sigaction(crashes[i], &action, NULL);
	action = (struct sigaction){ .sa_handler = on_continue };
	sigemptyset(&action.sa_mask);
	sigaction(SIGCONT, &action, NULL);
	msg_set_die_hook(leave_in_haste);
}

static void emergency_disarm(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	emergency.armed = 0;
	msg_set_die_hook(NULL);
	sigemptyset(&action.sa_mask);
	sigaction(SIGCONT, &action, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(crashes); i++)
		sigaction(crashes[i], &action, NULL);
}

static int no_screen(const char *what, const char *why)
{
	msg(what, "%s; use 'iodelta stat' for plain text", why);
	return 1;
}

/* Why this terminal will not do, NULL if it will. Asked before curses starts, which would leave things behind. */
static const char *terminal_fault(void)
{
	const char *cup;
	const char *why = NULL;
	int error;

	if (setupterm(NULL, STDOUT_FILENO, &error) == ERR)
		return "unknown terminal type";
	cup = tigetstr("cup");
	if (!cup || cup == (char *)-1)
		why = "the terminal cannot move its cursor";
	del_curterm(cur_term);
	return why;
}

static int open_terminal(struct screen *s)
{
	const char *name = getenv("TERM");
	const char *why;
	struct text about = TEXT_INIT;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return no_screen(isatty(STDIN_FILENO) ? "standard output" : "standard input", "not a terminal");
	why = terminal_fault();
	if (!why) {
		emergency_modes();
		if (!getenv("ESCDELAY"))
			set_escdelay(25);
		s->terminal = newterm(NULL, stdout, stdin);
		if (s->terminal)
			return 0;
		why = "the terminal cannot be opened";
	}
	text_addf(&about, "TERM=%s", name ? name : "");
	no_screen(text_str(&about), why);
	text_release(&about);
	return 1;
}

static int open_nothing(struct screen *s)
{
	static const char *const types[] = { "xterm-256color", "vt100", "dumb" };

	s->in = fopen("/dev/null", "re");
	s->out = fopen("/dev/null", "we");
	if (!s->in || !s->out) {
		msg_errno("/dev/null", -errno);
		return 1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(types) && !s->terminal; i++)
		s->terminal = newterm(types[i], s->out, s->in);
	if (s->terminal)
		return 0;
	return no_screen("terminfo", "no terminal type is known");
}

static void close_files(struct screen *s)
{
	if (s->in)
		fclose(s->in);
	if (s->out)
		fclose(s->out);
	s->in = s->out = NULL;
}

static bool can_draw_glyphs(const struct screen *s, bool ascii)
{
	const char *name = getenv("TERM");

	if (ascii || !s->utf8)
		return false;
	/* the console's font has few of them; a script has no terminal */
	return s->in || !name || (strcmp(name, "linux") && strcmp(name, "dumb") && strncmp(name, "vt", 2));
}

int screen_open(struct screen *s, bool script, bool ascii, bool no_color)
{
	int status;

	*s = (struct screen){ .terminal = NULL };
	/* the size comes from the terminal: variables do not follow it, and use_env(FALSE) stops asking it too */
	unsetenv("LINES");
	unsetenv("COLUMNS");
	status = script ? open_nothing(s) : open_terminal(s);
	if (status) {
		close_files(s);
		return status;
	}
	s->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	if (!script)
		emergency_arm();
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	s->input = newpad(1, 1);
	if (s->input) {
		keypad(s->input, TRUE);
		nodelay(s->input, TRUE);
	}
	theme_start(&s->theme, can_draw_glyphs(s, ascii), no_color);
	screen_resized(s);
	return 0;
}

bool screen_takes(const struct screen *s)
{
	struct pollfd fd = { .fd = STDOUT_FILENO, .events = POLLOUT };

	return s->in || poll(&fd, 1, 0) != 0;
}

void screen_close(struct screen *s)
{
	if (!s->terminal)
		return;
	/* a ^S would keep the program from ending; Linux lets go on only what was stopped in the same way */
	if (!screen_takes(s) && !tcflow(STDOUT_FILENO, TCOOFF))
		tcflow(STDOUT_FILENO, TCOON);
	if (s->input)
		delwin(s->input);
	endwin();
	emergency_disarm();
	/* no delscreen: it loses the pseudo panel that libpanel has hung on the screen; the program ends now anyway */
	close_files(s);
	free(s->roles);
	*s = (struct screen){ .terminal = NULL };
}

void screen_resized(struct screen *s)
{
	s->rows = getmaxy(stdscr);
	s->cols = getmaxx(stdscr);
	free(s->roles);
	s->roles = xcalloc((size_t)s->rows, (size_t)s->cols);
}

void screen_resize(struct screen *s, int rows, int cols)
{
	resizeterm(rows, cols);
	screen_resized(s);
}

int screen_key(struct screen *s)
{
	wint_t code;
	int kind = s->input ? wget_wch(s->input, &code) : ERR;

	return kind == ERR ? 0 : key_from_curses(code, kind == KEY_CODE_YES);
}

void screen_take_mouse(struct screen *s)
{
	(void)s;
	mouseinterval(0);
	/* curses turns it off at its end; after a crash that is done in the ways that terminals know */
	if (mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL))
		emergency_add("\033[?1006l\033[?1000l");
}

bool screen_click(struct screen *s, struct click *click)
{
	MEVENT event;

	(void)s;
	if (getmouse(&event) != OK)
		return false;
	*click = (struct click){ .y = event.y, .x = event.x };
	click->wheel = event.bstate & BUTTON4_PRESSED ? -1 : event.bstate & BUTTON5_PRESSED ? 1 : 0;
	return true;
}

bool screen_lost(const struct screen *s)
{
	struct pollfd fd = { .fd = STDIN_FILENO, .events = POLLIN };

	if (s->in)
		return false;
	return poll(&fd, 1, 0) > 0 && (fd.revents & (POLLHUP | POLLERR | POLLNVAL));
}

void screen_begin(struct screen *s)
{
	werase(stdscr);
	memset(s->roles, 0, (size_t)s->rows * (size_t)s->cols);
}

void screen_end(struct screen *s)
{
	(void)s;
	wnoutrefresh(stdscr);
	update_panels();        /* what lies above was drawn anew too, so it covers the screen again */
	doupdate();
}

void screen_signalled(struct screen *s)
{
	if (!emergency.continued)
		return;
	emergency.continued = 0;
	/* whoever had the terminal meanwhile left his own modes and text */
	reset_prog_mode();
	screen_repaint(s);
}

void screen_repaint(struct screen *s)
{
	(void)s;
	clearok(curscr, TRUE);
}

static void add_code(struct text *out, wchar_t code)
{
	char utf8[5];

	if (code < ' ' || code > 0x10ffff)
		code = ' ';
	text_add_n(out, utf8, key_to_utf8((int)code, utf8));
}

static void trim_line(struct text *out, size_t start)
{
	while (out->len > start && out->buf[out->len - 1] == ' ')
		out->buf[--out->len] = '\0';
	text_add_char(out, '\n');
}

void screen_dump(const struct screen *s, struct text *out)
{
	for (int y = 0; y < s->rows; y++) {
		size_t start = out->len;

		for (int x = 0; x < s->cols; x++) {
			cchar_t cell;

			if (mvwin_wch(newscr, y, x, &cell) == ERR)
				break;
			for (size_t i = 0; i < CCHARW_MAX && (!i || cell.chars[i]); i++)
				add_code(out, cell.chars[i]);
			if (wcwidth(cell.chars[0]) == 2)
				x++;    /* the next cell is the same character's other half */
		}
		trim_line(out, start);
	}
}

void screen_dump_style(const struct screen *s, struct text *out)
{
	for (int y = 0; y < s->rows; y++) {
		size_t start = out->len;

		for (int x = 0; x < s->cols; x++) {
			unsigned char cell = s->roles[y * s->cols + x];
			enum role role = (enum role)((cell & ~ROLE_SELECTED) - 1);

			text_add_char(out, cell ? theme_letter(role, cell & ROLE_SELECTED) : ' ');
		}
		trim_line(out, start);
	}
}

struct pen pen_at(struct screen *s, int y, int x, int w)
{
	int end = x + w < s->cols ? x + w : s->cols;

	return (struct pen){ .screen = s, .win = stdscr, .y = y, .x = x, .end = y >= 0 && y < s->rows ? end : x };
}

/* The bytes of s, up to `room`, that are one plain cell each: nearly all that is ever drawn. */
static size_t plain_bytes(const char *s, int room)
{
	size_t n = 0;

	while (room > 0 && n < (size_t)room && s[n] >= ' ' && s[n] <= '~')
		n++;
	return n;
}

/* Bytes of s that take at most `room` cells; the cells in *cells. */
static size_t fitting(const char *s, int room, int *cells)
{
	size_t at = plain_bytes(s, room);
	size_t len;

	*cells = (int)at;
	if (!s[at])
		return at;
	len = strlen(s);
	while (at < len) {
		mbstate_t state = { 0 };
		wchar_t wide;
		size_t n = mbrtowc(&wide, s + at, len - at, &state);
		int w = n && n <= len - at ? wcwidth(wide) : 1;

		n = n && n <= len - at ? n : 1;
		w = w < 0 ? 1 : w;
		if (*cells + w > room)
			break;
		*cells += w;
		at += n;
	}
	return at;
}

static void note_roles(const struct pen *p, int cells, enum role role)
{
	struct screen *s = p->screen;
	int y = p->y + getbegy(p->win);
	int x = p->x + getbegx(p->win);

	for (int i = 0; i < cells && y < s->rows && x + i < s->cols; i++)
		s->roles[y * s->cols + x + i] = (unsigned char)((role + 1) | (p->selected ? ROLE_SELECTED : 0));
}

/* Where the locale cannot spell it, a character becomes a question mark. */
static void add_plain(WINDOW *win, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		waddch(win, (chtype)((unsigned char)s[i] < 0x80 ? (unsigned char)s[i] : '?'));
}

void pen_put(struct pen *p, enum role role, const char *s)
{
	const struct theme *theme = &p->screen->theme;
	int cells;
	size_t bytes = fitting(s, p->end - p->x, &cells);

	if (!bytes)
		return;
	wattr_set(p->win, theme_attributes(theme, role) | (p->selected ? A_REVERSE : A_NORMAL),
		  theme_pair(theme, role), NULL);
	if (wmove(p->win, p->y, p->x) == OK) {
		if (p->screen->utf8)
			waddnstr(p->win, s, (int)bytes);
		else
			add_plain(p->win, s, bytes);
	}
	wattr_set(p->win, A_NORMAL, 0, NULL);
	note_roles(p, cells, role);
	p->x += cells;
}

void pen_glyph(struct pen *p, enum role role, enum glyph g)
{
	pen_put(p, role, theme_glyph(&p->screen->theme, g));
}

void pen_to(struct pen *p, int x)
{
	static const char blanks[] = "                                ";

	while (p->x < x && p->x < p->end) {
		int n = x - p->x < (int)sizeof(blanks) - 1 ? x - p->x : (int)sizeof(blanks) - 1;

		pen_put(p, ROLE_TEXT, blanks + sizeof(blanks) - 1 - n);
	}
}

void pen_right(struct pen *p, enum role role, const char *s, int w)
{
	int cells = (int)text_cells(s);

	if (cells < w)
		pen_to(p, p->x + w - cells);
	pen_put(p, role, s);
}

int pen_room(const struct pen *p)
{
	return p->end - p->x;
}
