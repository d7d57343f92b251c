# SPDX-License-Identifier: GPL-2.0-or-later
# What all end-to-end tests share: the pinned surroundings, trees from fixtures, questions to JSON, waiting.
# The harness gives IODELTA, MKTREE, JSONQ and srcdir; by hand, `IODELTA=build/iodelta bats tests/e2e` is enough when
# the tools lie beside the program as the build leaves them.

bats_require_minimum_version 1.5.0

: "${srcdir:=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}"
: "${IODELTA:=$srcdir/build/iodelta}"
IODELTA=$(realpath "$IODELTA")
: "${MKTREE:=${IODELTA%/*}/tests/mktree}"
: "${JSONQ:=${IODELTA%/*}/tests/jsonq}"
FIXTURES=$srcdir/tests/fixtures

export LC_ALL=C.UTF-8 TZ=UTC TERM=xterm-256color
unset COLUMNS LINES LANG LANGUAGE NO_COLOR ESCDELAY XDG_CONFIG_HOME

setup() {
	export HOME=$BATS_TEST_TMPDIR IODELTA_STATE=$BATS_TEST_TMPDIR/state
	cd "$BATS_TEST_TMPDIR" || return 1
	if declare -F own_setup >/dev/null; then own_setup; fi
}

fail() {
	printf '%s\n' "$@" >&2
	return 1
}

# refute COMMAND…: it must fail. (A bare `!` in the middle of a test is never noticed.)
refute() {
	! "$@" || fail "this should have failed: $*"
}

# tree FIXTURE: expands it below the test's directory; ROOTS has the options that serve all its steps.
tree() {
	"$MKTREE" "$FIXTURES/$1.tree" "$1" >roots || return 1
	read -r -a ROOTS <roots
}

# shared_tree FIXTURE: likewise, but once for the whole file; only to be read from.
shared_tree() {
	local dir=$BATS_FILE_TMPDIR/$1

	[ -s "$dir.roots" ] || "$MKTREE" "$FIXTURES/$1.tree" "$dir" >"$dir.roots" || return 1
	read -r -a ROOTS <"$dir.roots"
}

# report FIXTURE [ARG…]: `stat -f json` over all steps of a fixture into out and err.
report() {
	tree "$1" || return 1
	shift
	timeout 120 "$IODELTA" stat "${ROOTS[@]}" -f json "$@" >out 2>err ||
		fail "stat failed with $?:" "$(cat err)"
}

# listing FIXTURE [ARG…]: `list -f json` of its first step into out and err.
listing() {
	tree "$1" || return 1
	shift
	timeout 60 "$IODELTA" list "${ROOTS[@]:0:2}" -f json "$@" >out 2>err ||
		fail "list failed with $?:" "$(cat err)"
}

# same A B: equal as text, or as numbers up to rounding in the sixth place.
same() {
	[ "$1" = "$2" ] && return 0
	awk -v a="$1" -v b="$2" 'BEGIN {
		if (a !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ || b !~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/)
			exit 1
		d = a - b
		exit !(d * d <= 1e-12 + b * b * 1e-12)
	}'
}

# near A B PERCENT [ABSOLUTE]: within a tolerance.
near() {
	awk -v a="$1" -v b="$2" -v p="$3" -v x="${4:-0}" 'BEGIN {
		d = a > b ? a - b : b - a
		m = (b < 0 ? -b : b) * p / 100
		exit !(d <= (m > x ? m : x))
	}' || fail "$1 is not near $2"
}

# of LINE DEVICE WORD…: a value of one device in the LINEth report of out.
of() {
	local line=$1 device=$2
	shift 2
	"$JSONQ" -l "$line" out devices "[name=$device]" "$@"
}

# values LINE DEVICE METRIC=VALUE…: what a device has in a report; null is a value too.
values() {
	local line=$1 device=$2 pair got
	shift 2
	for pair; do
		got=$(of "$line" "$device" "${pair%%=*}") || got=absent
		same "$got" "${pair#*=}" ||
			fail "report $line, $device: ${pair%%=*} is $got, not ${pair#*=}" || return 1
	done
}

# edges LINE DEVICE NAME=VALUE…: likewise for its edges; path_share/sda is a member of path_share.
edges() {
	local line=$1 device=$2 pair got path
	shift 2
	for pair; do
		IFS=/ read -r -a path <<<"${pair%%=*}"
		got=$(of "$line" "$device" edges "${path[@]}") || got=absent
		same "$got" "${pair#*=}" ||
			fail "report $line, edges of $device: ${pair%%=*} is $got, not ${pair#*=}" || return 1
	done
}

# not_available LINE DEVICE REASON METRIC…: each is null for that reason (a pattern).
not_available() {
	local line=$1 device=$2 reason=$3 metric got
	shift 3
	for metric; do
		values "$line" "$device" "$metric=null" || return 1
		got=$(of "$line" "$device" na "$metric") || got=absent
		# shellcheck disable=SC2053
		[[ $got == $reason ]] ||
			fail "report $line, $device: $metric is n/a because of \"$got\", not \"$reason\"" || return 1
	done
}

# listed DEVICE WORD… VALUE: a member of a device in the list in out.
listed() {
	local device=$1 want=${*: -1} got
	got=$("$JSONQ" out devices "[name=$device]" "${@:2:$#-2}") || got=absent
	same "$got" "$want" || fail "$device: ${*:2:$#-2} is $got, not $want"
}

reports() {
	wc -l <out
}

# printable FILE: nothing in it that a terminal would obey.
printable() {
	! LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$1" || fail "$1 has control characters:" "$(cat -v "$1")"
}

# --- the screen by script ---

# screen [ARG…] with the script on standard input, over the noisy fixture; what it says on leaving is in bye.
screen() {
	shared_tree field
	cat >script
	timeout 60 "$IODELTA" "${ROOTS[@]}" --script script "$@" >bye 2>err || fail "exit $?:" "$(cat err)"
}

# fits FILE COLUMNS ROWS
fits() {
	[ -s "$1" ] || fail "$1 is empty"
	[ "$(wc -L <"$1")" -le "$2" ] || fail "$1 is wider than $2:" "$(cat "$1")"
	[ "$(wc -l <"$1")" -le "$3" ] || fail "$1 is higher than $3:" "$(cat "$1")"
	printable "$1"
}

shows() {
	grep -qE -- "$2" "$1" || fail "$1 does not show $2:" "$(cat "$1")"
}

hides() {
	! grep -qE -- "$2" "$1" || fail "$1 shows $2:" "$(cat "$1")"
}

# The number of the line that matches.
line_no() {
	grep -nE -- "$2" "$1" | head -1 | cut -d: -f1
}

# in_order FILE PATTERN…: the lines that match come in this order.
in_order() {
	local file=$1 last=0 n
	shift
	for p; do
		n=$(line_no "$file" "$p")
		[ -n "$n" ] || fail "$file does not show $p:" "$(cat "$file")" || return 1
		[ "$n" -gt "$last" ] || fail "$p comes too early:" "$(cat "$file")" || return 1
		last=$n
	done
}

# The cells in front of the first bar are as many in every row of a device: the panes are straight.
straight() {
	local line cells seen=
	while IFS= read -r line; do
		[[ $line =~ (dm-0|sda|sdb|nvme0n1).*[│|] ]] || continue
		cells=${line%%[│|]*}
		[ "${seen:=${#cells}}" = "${#cells}" ] || fail "the bar wanders:" "$(cat "$1")" || return 1
	done <"$1"
	[ -n "$seen" ] || fail "no bar in:" "$(cat "$1")"
}

# other FIXTURE [ARG…]: a script over another fixture
other() {
	tree "$1"
	shift
	cat >script
	timeout 60 "$IODELTA" "${ROOTS[@]}" --script script "$@" >bye 2>err || fail "exit $?:" "$(cat err)"
}

# one_kernel DIR…: the trees of all steps get the first one's sysfs, as if it were one machine whose knobs keep.
one_kernel() {
	local first=$1 dir

	shift
	for dir; do
		rm -rf "$dir/sys"
		cp -al "$first/sys" "$dir/sys" || return 1
	done
}

# reap: end what still runs in the test's directory, such as a process that hangs in a FIFO.
reap() {
	local process

	for process in /proc/[0-9]*; do
		if [ "$(readlink "$process/cwd" 2>/dev/null)" = "$BATS_TEST_TMPDIR" ] &&
			[[ $(cat "$process/comm" 2>/dev/null) == iodelta* ]]; then
			kill -9 "${process#/proc/}" 2>/dev/null || true
		fi
	done
}
