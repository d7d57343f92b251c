#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The rooms of the source and the arrows between them, and habits that a search can check.

load lib

own_setup() {
	cd "$srcdir" || return 1
	sources=$(find src include tests -name '*.[ch]' | sort)
	[ "$(wc -l <<<"$sources")" -gt 50 ]
}

# nothing WHAT TEXT: fails with the text unless it is empty
nothing() {
	[ -z "$2" ] || fail "$1" "$2"
}

# code FILE: without comments and strings, as far as a search needs it; line numbers stay
code() {
	sed -E 's/"([^"\\]|\\.)*"/""/g; s|//.*||; s|/\*.*\*/||' "$1" |
		awk '/\/\*/ { sub(/\/\*.*/, ""); print; comment = 1; next } /\*\// { comment = 0; print ""; next }
			{ print comment ? "" : $0 }'
}

@test "includes go one way: cmd, tui and out, engine, kernel and store, model, base" {
	found=$(awk '
	BEGIN {
		allowed["base"] = "base"
		allowed["model"] = "model base"
		allowed["kernel"] = "kernel model base"
		allowed["store"] = "store model base"
		allowed["engine"] = "engine kernel store model base"
		allowed["out"] = "out engine model base"
		allowed["tui"] = "tui engine model base"
		allowed["cmd"] = "cmd tui out engine kernel store model base"
		allowed["main.c"] = "cmd base"
	}
	/^[ \t]*#[ \t]*include[ \t]*"/ {
		split(FILENAME, path, "/")
		split($0, quoted, "\"")
		room = quoted[2]
		if (room == "config.h")
			next
		if (!sub(/\/.*/, "", room)) {
			print FILENAME ": " quoted[2] " is named without its room"
			next
		}
		seen++
		if (!(path[2] in allowed))
			print FILENAME ": no such room"
		else if (index(" " allowed[path[2]] " ", " " room " ") == 0)
			print FILENAME " must not include " quoted[2]
	}
	END {
		if (seen < 100)
			print "only " seen + 0 " includes were seen"
	}' $(grep -E '^(src|include)/' <<<"$sources"))
	nothing "wrong arrows:" "$found"
}

@test "every included header of the project is there" {
	found=$(grep -hoE '^[ \t]*#[ \t]*include[ \t]*"[a-z]+/[^"]+"' $(grep -E '^(src|include)/' <<<"$sources") |
		cut -d '"' -f 2 | sort -u | while read -r header; do [ -f "include/$header" ] || echo "$header"; done)
	nothing "missing headers:" "$found"
}

@test "each library is known in one place only" {
	nothing "curses outside of tui:" "$(grep -lE '#[ \t]*include[ \t]*<(n?curses|ncursesw/.*|panel|term)\.h>' $sources |
		grep -v -E '^src/tui/|^include/tui/|^tests/' || true)"
	nothing "libudev outside of kernel/udev.c:" "$(grep -lE 'include[ \t]*<libudev' $sources |
		grep -vx src/kernel/udev.c || true)"
	nothing "libproc2 outside of kernel/procps.c:" "$(grep -lE 'include[ \t]*<libproc2' $sources |
		grep -vx src/kernel/procps.c || true)"
	nothing "jansson outside of store:" "$(grep -lE 'include[ \t]*<jansson' $sources |
		grep -v -E '^src/store/|^tests/' || true)"
	# they are where they should be, so the search sees them
	grep -q '<libudev.h>' src/kernel/udev.c
	grep -q '<libproc2/' src/kernel/procps.c
	grep -qE '<(n?curses|ncursesw/curses)\.h>' src/tui/*.c include/tui/*.h
}

@test "the model is pure: no files, no clock, no system calls" {
	found=$(grep -nE '#[ \t]*include[ \t]*<(fcntl|unistd|dirent|poll|time|sys/(socket|stat|time|wait|ioctl))\.h>' \
		src/model/*.c include/model/*.h || true)
	nothing "headers that a pure module does not need:" "$found"
}

@test "every source begins with its license, every .c then includes config.h first" {
	found=$(for file in $sources; do
		[ "$(head -n 1 "$file")" = "/* SPDX-License-Identifier: GPL-2.0-or-later */" ] || echo "$file: no SPDX line"
		case $file in
		*.c)
			[ "$(grep -m 1 -E '^#[ \t]*include' "$file")" = '#include "config.h"' ] ||
				echo "$file: config.h is not first" ;;
		esac
	done)
	nothing "beginnings:" "$found"
}

@test "no file above 600 lines, no line above 120 columns" {
	found=$(for file in $sources; do
		[ "$(wc -l <"$file")" -le 600 ] || echo "$file: $(wc -l <"$file") lines"
		[ "$(wc -L <"$file")" -le 120 ] || echo "$file: a line of $(wc -L <"$file") columns"
	done)
	nothing "too long:" "$found"
}

@test "no function that cannot be used safely" {
	words='strcpy|strcat|stpcpy|sprintf|vsprintf|strncpy|strncat|alloca|gets|atoi|atol|atoll|atof|system|popen|tmpnam|mktemp'
	found=$(for file in $sources; do
		code "$file" | grep -nE "(^|[^A-Za-z0-9_.>])($words)[ \t]*\(" | sed "s|^|$file:|"
	done)
	nothing "not to be used:" "$found"
}

@test "every source file has its header or is described in another one of its room" {
	found=$(find src -mindepth 2 -name '*.c' | while read -r file; do
		room=$(basename "$(dirname "$file")")
		own=include/$room/$(basename "$file" .c).h
		[ -f "$own" ] || grep -q "#include \"$room/" "$file" || echo "$file"
	done)
	nothing "no header:" "$found"
}
