# SPDX-License-Identifier: GPL-2.0-or-later
# The real binary in a real terminal: resizing, stopping, being killed, and what is left behind. Everything is waited
# for by what the screen shows, with a deadline.

load lib

own_setup() {
	command -v tmux >/dev/null || skip 'tmux is not installed'
	SOCKET=$BATS_TEST_TMPDIR/tmux
	# under a name of its own, so that its processes can be told from all others
	ln -s "$IODELTA" iodelta
	PROGRAM=$BATS_TEST_TMPDIR/iodelta
}

teardown() {
	[ -z "${SOCKET:-}" ] || tm kill-server 2>/dev/null || true
	[ -z "${MADE:-}" ] || rmdir "$MADE"
}

tm() {
	tmux -S "$SOCKET" -f /dev/null "$@"
}

# start [COLUMNS ROWS]: a shell in a terminal. Its prompt is "$ ".
start() {
	echo "PS1='\$ '" >rc
	env -u TMUX tmux -S "$SOCKET" -f /dev/null new-session -d -x "${1:-80}" -y "${2:-24}" \
		'exec bash --noprofile --rcfile rc -i'
	tm set-option -g window-size manual >/dev/null 2>&1 || true
	wait_for '^\$'
}

type_line() {
	tm send-keys -l "$1"
	tm send-keys Enter
}

pane() {
	tm capture-pane -p
}

# until_true SECONDS COMMAND…
until_true() {
	local end=$((SECONDS + $1))
	shift
	until "$@"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.05
	done
}

on_screen() {
	pane | grep -qE -- "$1"
}

off_screen() {
	! on_screen "$1"
}

# wait_for PATTERN [SECONDS]
wait_for() {
	until_true "${2:-10}" on_screen "$1" || fail "never seen: $1" "$(pane)"
}

# run_program [ARG…]: iodelta in that shell, with the terminal's state and its exit code noted around it.
run_program() {
	local words
	printf -v words '%q ' "$PROGRAM" "$@"
	cat >go.sh <<-END
	stty -a >before
	$words 2>err
	echo "ended with \$?"
	stty -a >after
	END
	type_line "bash go.sh"
}

program() {
	pgrep -of "^$PROGRAM "
}

sane() {
	until_true 10 test -s after || fail "the shell did not go on:" "$(pane)"
	diff before after
}

ended() {
	wait_for "ended with $1"
	sane
}

no_helpers() {
	until_true 10 nothing_runs || fail "still there:" "$(pgrep -af "^$PROGRAM")"
}

nothing_runs() {
	! pgrep -f "^$PROGRAM" >/dev/null
}

# field with a step each 0.2 s
field() {
	shared_tree field
	ln -sfn "$BATS_FILE_TMPDIR/field" f
	ROOTS=("${ROOTS[@]/#$BATS_FILE_TMPDIR\/field/f}")
	run_program -i 0.2 "$@" "${ROOTS[@]}"
	wait_for 'dm-0 mpatha'
}

@test "starts, b gives both panes, q leaves the terminal as it was and prints the comparison" {
	start
	field
	wait_for 'F1help'
	# some seconds of AFTER: the first tree is from 1:23:20
	wait_for '1:23:2[4-9]'
	tm send-keys b
	wait_for 'BEFORE.*AFTER.*n[1-9]'
	tm send-keys q
	ended 0
	tm capture-pane -p -S - | grep -qE '^dm-0 +.*w/s'
	no_helpers
}

@test "live, without any root" {
	start
	run_program
	wait_for 'F1help'
	tm send-keys F1
	wait_for 'this help'
	tm send-keys Escape
	until_true 10 off_screen 'this help'
	tm send-keys q
	ended 0
}

@test "a storm of resizes" {
	local i w h
	start
	field
	for i in $(seq 60); do
		w=$((i * 37 % 190 + 3))
		h=$((i * 23 % 55 + 2))
		tm resize-window -x $w -y $h
	done
	tm resize-window -x 20 -y 5
	wait_for 'need 40x10'
	tm resize-window -x 120 -y 40
	wait_for 'dm-0 mpatha.*'
	wait_for 'F1help'
	tm resize-window -x 80 -y 24
	wait_for 'F1help'
	tm send-keys q
	ended 0
}

@test "stop and continue" {
	start
	field
	printf -v words '%q ' "$PROGRAM" "${ROOTS[@]}"
	tm send-keys q
	ended 0
	tm send-keys C-l
	echo "$words -i 0.2" >again.sh
	type_line 'stty -a >before; clear; . ./again.sh'
	wait_for 'F1help'
	tm send-keys C-z
	wait_for 'Stopped'
	type_line 'stty -a >stopped; echo stopped-noted'
	wait_for '^stopped-noted'
	diff before stopped
	type_line 'clear; fg'
	wait_for 'F1help'
	wait_for 'dm-0 mpatha'
	# a stop that curses does not see coming: the terminal is taken again all the same
	kill -STOP "$(program)"
	wait_for 'Stopped'
	type_line 'clear; fg'
	wait_for 'F1help'
	wait_for 'dm-0 mpatha'
	tm send-keys q
	until_true 10 off_screen 'F1help'
	type_line 'stty -a >after; echo noted'
	wait_for '^noted'
	sane
}

@test "signals end it, and leave the terminal sane and no helper behind" {
	local s
	start
	for s in TERM HUP INT; do
		rm -f before after
		type_line 'clear'
		field
		kill -$s "$(program)"
		wait_for 'ended with [0-9]+'
		sane
		no_helpers
	done
}

@test "stopped with ^S it can be ended by signal and by key, and goes on with ^Q" {
	start
	field
	tm send-keys C-s
	kill -TERM "$(program)"
	wait_for 'ended with [0-9]+'
	sane
	no_helpers
	rm before after
	type_line 'clear'
	field
	tm send-keys C-s q
	ended 0
	rm before after
	type_line 'clear'
	field
	tm send-keys C-s
	tm send-keys S
	tm send-keys C-q
	wait_for 'SYSTEM'
	tm send-keys Escape q
	ended 0
	no_helpers
}

@test "a crash leaves the terminal sane" {
	start
	field
	kill -SEGV "$(program)"
	wait_for 'ended with 139'
	sane
	no_helpers
}

@test "kill -9 leaves no helper behind" {
	start
	field
	kill -KILL "$(program)"
	wait_for 'ended with 137'
	no_helpers
}

@test "a lost terminal ends it" {
	start
	field
	pid=$(program)
	tm kill-server
	until_true 10 refute kill -0 "$pid" 2>/dev/null
	no_helpers
}

@test "an attribute that never answers: the screen keeps its rhythm, q returns at once" {
	local t
	tree fifo
	start
	run_program -i 0.3 "${ROOTS[@]}"
	wait_for 'sda'
	wait_for 'pending.*sda.*queue/scheduler'
	# the clock of the trees goes on: 1000 s up is 0:16:40, the twelfth tree 0:16:51
	wait_for '0:16:51'
	t=$(date +%s%N)
	tm send-keys q
	wait_for 'ended with 0' 3
	[ $((($(date +%s%N) - t) / 1000000)) -lt 2500 ]
	sane
	no_helpers
}

@test "a terminal of unknown type is named, and stat recommended" {
	start
	type_line "TERM=nonsense $IODELTA; echo \"ended with \$?\""
	wait_for 'iodelta: .*nonsense'
	wait_for 'stat'
	wait_for 'ended with 1'
}

@test "terminals with few abilities: vt100, linux, screen, dumb" {
	local t
	start
	for t in vt100 linux screen; do
		infocmp $t >/dev/null 2>&1 || continue
		type_line "clear; TERM=$t $IODELTA; echo \"ended with \$?\""
		wait_for 'F1help'
		tm send-keys q
		wait_for 'ended with 0'
		type_line clear
		until_true 10 off_screen 'ended'
	done
	type_line "TERM=dumb $IODELTA; echo \"ended with \$?\""
	wait_for 'ended with|F1help|h.*help'
	tm send-keys q
	wait_for 'ended with [01]'
}

@test "standard input or output that is no terminal" {
	run -1 timeout 20 "$IODELTA" </dev/null
	[[ $output == iodelta:*stat* ]]
	start
	type_line "$IODELTA >out; echo \"ended with \$?\""
	wait_for 'iodelta: '
	wait_for 'ended with 1'
}

@test "unknown DEVICE: the message comes before any screen" {
	start
	type_line "$IODELTA nosuchdevice; echo \"ended with \$?\""
	wait_for 'iodelta: .*nosuchdevice'
	wait_for 'ended with 1'
}

mouse_is() {
	[ "$(tm display-message -p '#{mouse_any_flag}')" = "$1" ]
}

@test "the mouse is taken only with --mouse, and given back at every end" {
	tree field
	start
	run_program "${ROOTS[@]:0:4}"
	wait_for 'F1help'
	mouse_is 0
	tm send-keys q
	wait_for 'ended with 0'
	for how in q TERM SEGV; do
		type_line clear
		until_true 10 off_screen 'ended'
		run_program --mouse "${ROOTS[@]:0:4}"
		wait_for 'F1help'
		until_true 10 mouse_is 1
		if [ $how = q ]; then tm send-keys q; else kill -$how "$(program)"; fi
		wait_for 'ended with'
		until_true 10 mouse_is 0 || fail "after $how"
	done
}

# A shell's words for `ssh -t` to this machine: the server is the client's own child, so no port is listened on.
ssh_words() {
	local sshd=/usr/sbin/sshd
	[ -x $sshd ] && command -v ssh >/dev/null || skip 'no ssh client and server'
	if [ "$(id -u)" -eq 0 ] && [ ! -e /run/sshd ]; then
		MADE=/run/sshd
		mkdir $MADE
	fi
	ssh-keygen -q -t ed25519 -N '' -f host
	ssh-keygen -q -t ed25519 -N '' -f user
	cp user.pub authorized
	cat >server <<-END
	HostKey $PWD/host
	AuthorizedKeysFile $PWD/authorized
	StrictModes no
	UsePAM no
	PermitRootLogin yes
	AcceptEnv LC_ALL
	PidFile none
	END
	echo "ssh -F none -i user -o ProxyCommand='$sshd -i -f server' -o StrictHostKeyChecking=no" \
		"-o UserKnownHostsFile=known -o LogLevel=ERROR -o SendEnv=LC_ALL -t iodelta-test"
	# the account may be one that nobody can log into
	ssh -F none -i user -o ProxyCommand="$sshd -i -f server" -o StrictHostKeyChecking=no -o BatchMode=yes \
		-o UserKnownHostsFile=known -o LogLevel=ERROR iodelta-test true 2>why </dev/null ||
		skip "ssh to this account: $(tail -1 why)"
}

@test "over ssh -t: keys, a change of size, the end, and a connection that is cut" {
	local words
	ssh_words >words
	words=$(cat words)
	start
	shared_tree field
	ln -sfn "$BATS_FILE_TMPDIR/field" f
	ROOTS=("${ROOTS[@]/#$BATS_FILE_TMPDIR\/field/$PWD/f}")
	cat >far.sh <<-END
	export IODELTA_STATE=$IODELTA_STATE
	exec $PROGRAM --no-settings -i 0.2 ${ROOTS[*]}
	END
	cat >go.sh <<-END
	stty -g >before
	$words "bash $PWD/far.sh"
	echo "ended with \$?"
	stty -g >after
	END
	type_line 'bash go.sh'
	wait_for '1:23:2[4-9]'
	tm send-keys b
	wait_for 'BEFORE .*pinned'
	tm resize-window -x 60 -y 20
	until_true 10 off_screen KNOBS || fail "the size did not arrive" "$(pane)"
	tm resize-window -x 110 -y 30
	wait_for KNOBS
	tm send-keys Down Enter
	wait_for METRICS
	tm send-keys Escape
	wait_for KNOBS
	tm send-keys q
	ended 0
	tm capture-pane -p -S - | grep -qE '^dm-0 +.*w/s'
	no_helpers
	# the line is cut
	rm after
	type_line 'clear; bash go.sh'
	wait_for KNOBS
	pkill -KILL -f '^ssh -F none -i user .*bash '"$PWD/far.sh"
	until_true 10 test -s after || fail "the shell did not go on" "$(pane)"
	no_helpers
}
