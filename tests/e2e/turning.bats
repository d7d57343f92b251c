#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Knobs on the screen: editing, undo, boundaries, the journal, leaving.

load lib

# turning FIXTURE [OPTION…]: the trees as one machine, lines from stdin, the dump in out.
turning() {
	tree "$1" || return 1
	# shellcheck disable=SC2046 # numbers
	one_kernel $(seq -f "$1/%.0f" 1 $((${#ROOTS[@]} / 2)))
	shift
	cat >lines
	timeout 120 "$IODELTA" --no-settings "${ROOTS[@]}" --script lines "$@" >out 2>err ||
		fail "ended with $?" "$(cat err)"
}

depth() {
	cat turns/1/sys/block/dm-0/queue/iosched/async_depth
}

@test "e leads to the knobs, Enter edits, the page says what it is and what Enter writes" {
	turning turns <<-'END'
	size 100x30
	step 2
	wait idle
	key e
	key Down
	key Down
	key Enter
	dump page
	text 8
	dump typed
	key Enter
	wait idle
	dump done
	END
	grep -q '^EDIT dm-0 queue/iosched/async_depth  is 256' page
	grep -q 'number from 1 to 2048' page
	grep -q 'what .*How many requests' page
	grep -q 'freezes the queue' page
	grep -q 'dm-0 async_depth 256 → 8$' typed
	grep -Eq '^ async_depth +8 ' done
	grep -q '^dm-0 async_depth 256 → 8; u sets it back' done
	[ "$(depth)" = 8 ]
}

@test "a page that is left writes nothing; what cannot be is said" {
	turning turns <<-'END'
	size 100x30
	step 2
	wait idle
	key e
	key Down
	key Down
	key Enter
	text many
	key Enter
	dump wrong
	key Esc
	key Enter
	text 8
	key Esc
	wait idle
	END
	grep -q 'dm-0: it takes a whole number' wrong
	[ "$(depth)" = 256 ]
	[ ! -e state/journal ]
}

@test "choices are a menu, for the paths too; the list of writes is what is written" {
	turning turns <<-'END'
	size 100x30
	step 2
	wait idle
	key e
	key Enter
	key Down
	key Tab
	dump page
	key Enter
	wait idle
	dump done
	END
	grep -q '( ) none  (\*) mq-deadline' page || grep -q '(\*) none' page
	grep -q '(\*) all below it' page
	[ "$(grep -cE '^   sd[ab] scheduler ' page)" = 2 ]
	grep -q 'pass by the scheduler' page
	refute grep -q '^   dm-0 scheduler' page
}

@test "+ and - write the next value; a burst is one boundary" {
	turning turns <<-'END'
	size 100x30
	step 8
	wait idle
	key e
	key Down
	key Down
	key -
	wait idle
	key -
	wait idle
	step 2
	key +
	wait idle
	step 3
	key J
	dump journal
	END
	[ "$(depth)" = 240 ]
	# one boundary, with the first value and the last
	grep -Eq '^ A +8 ' journal
	grep -Eq '^>B .*dm-0 async_depth 256 → 240' journal
	refute grep -Eq '^.C' journal
	[ "$(grep -c 'async_depth [0-9]* → [0-9]*$' journal)" -ge 3 ]
}

@test "u lists what it would write and wants Enter; U takes all back" {
	turning turns <<-'END'
	size 100x30
	step 2
	wait idle
	key e
	key Down
	key Enter
	text 128
	key Enter
	wait idle
	step 3
	key Down
	key Enter
	text 8
	key Enter
	wait idle
	key u
	dump undo
	key Esc
	wait idle
	dump stayed
	key u
	key Enter
	wait idle
	dump undone
	key U
	dump all
	key Enter
	wait idle
	dump clean
	key u
	dump nothing
	END
	grep -q 'UNDO the last action' undo
	grep -q '^   dm-0 async_depth 8 → 256' undo
	refute grep -q nr_requests undo
	grep -Eq '^ async_depth .*8' stayed
	grep -q 'dm-0 set back: async_depth 8 → 256' undone
	grep -q '^   dm-0 nr_requests 128 → 256' all
	grep -q 'dm-0 set back: nr_requests 128 → 256' clean
	grep -q 'nothing to undo' nothing
	[ "$(depth)" = 256 ]
	[ "$(cat turns/1/sys/block/dm-0/queue/nr_requests)" = 256 ]
}

# the field regression: the knob turned and back, twice
regression() {
	cat <<-'END'
	size 100x30
	step 11
	wait idle
	key e
	key Down
	key Down
	key Enter
	text 8
	key Enter
	wait idle
	dump after-write
	step 12
	wait idle
	dump b
	key u
	key Enter
	wait idle
	step 12
	key Enter
	text 8
	key Enter
	wait idle
	step 12
	key u
	key Enter
	wait idle
	step 11
	wait idle
	dump e
	key J
	dump journal
	END
}

@test "each action is a boundary, its bin belongs to neither side, BEFORE follows" {
	turning turns < <(regression)
	grep -q 'BEFORE 11s n11 segment A .*AFTER 0s n0' after-write
	grep -q 'BEFORE 11s n11 segment A .*AFTER 11s n11' b
	grep -q 'BEFORE 11s n11 segment D .*AFTER 10s n10' e
	# every boundary stands on the graph's axis
	grep -Eq '─B─+C─+D─+E─' e
}

@test "settings taken in turn are recognized, and the verdict is repeated" {
	turning turns < <(regression)
	grep -Eq '^ A +11 +11s +11\.[0-9] .* start' journal
	grep -Eq '^ B +11 .* dm-0 async_depth 256 → 8' journal
	grep -Eq '^ C=A +11 .* undo: dm-0 async_depth 8 → 256' journal
	grep -Eq '^ D=B +11 .* BEFORE dm-0 async_depth 256 → 8' journal
	grep -Eq '^>E=A +10 .* AFTER  undo: ' journal
	grep -Eq 'B → A in turn: -9[0-9](\.[0-9])?% repeated' journal
	grep -Eq '^dm-0 +await +27[0-9] .*-95\.[0-9]% +repeated' out
}

@test "any two segments go into BEFORE and AFTER" {
	turning turns < <(regression; cat <<-'END'
	key Home
	key b
	key Down
	key a
	dump chosen
	key Esc
	dump list
	key r
	step 1
	dump runs
	END
	)
	grep -Eq '^ A .* BEFORE start' chosen
	grep -Eq '^>B .* AFTER ' chosen
	grep -Eq '^ E=A .* runs' chosen
	grep -q 'BEFORE 11s n11 pinned .*AFTER 11s n11 chosen' list
	grep -Eq 'dm-0 mpatha +│ +3[12][0-9] .*│ +(89|90)[0-9]' list
	grep -q 'AFTER 1s n1 segment' runs
}

@test "a pinned BEFORE stays through actions" {
	turning turns <<-'END'
	size 100x30
	step 8
	wait idle
	key b
	step 4
	key e
	key Down
	key Down
	key Enter
	text 8
	key Enter
	wait idle
	step 9
	dump pinned
	END
	grep -q 'BEFORE 8s n8 pinned .*AFTER 8s n8' pinned
}

@test "--settle leaves the time after a write out" {
	turning turns --settle 3 <<-'END'
	size 100x30
	step 8
	wait idle
	key e
	key Down
	key Down
	key Enter
	text 8
	key Enter
	wait idle
	step 8
	dump settled
	END
	grep -q 'BEFORE 8s n8 segment A .*AFTER 5s n5' settled
}

@test "leaving with changed knobs asks: stay, keep, restore" {
	turning turns <<-'END'
	size 100x30
	step 2
	wait idle
	key e
	key Down
	key Down
	key Enter
	text 8
	key Enter
	wait idle
	key q
	dump asked
	key Esc
	dump stayed
	key q
	key r
	wait idle
	dump never
	END
	grep -q '^LEAVE  these knobs are not as they were' asked
	grep -q '^   dm-0 async_depth 8 → 256' asked
	grep -q 'KNOBS' stayed
	[ ! -e never ]
	[ "$(depth)" = 256 ]
	refute grep -q stays err
}

@test "the finding outlives the screen also when the knobs are set back on leaving" {
	turning turns <<-'END'
	size 100x30
	step 11
	wait idle
	key e
	key Down
	key Down
	key Enter
	text 8
	key Enter
	wait idle
	step 9
	wait idle
	key q
	key r
	wait idle
	END
	[ "$(depth)" = 256 ]
	grep -q '^BEFORE 11.0 s n 11, AFTER 8.0 s n 8' out
	grep -q '^dm-0 async_depth 256 -> 8' out
}

@test "kept changes are told on leaving, and the next start tells of them" {
	tree turns
	ROOTS=(--root turns/1)
	printf '%s\n' 'size 100x30' 'step 1' 'wait idle' 'key e' 'key Down' 'key Down' 'key Enter' 'text 8' 'key Enter' \
		'wait idle' 'key q' 'key k' >lines
	timeout 60 "$IODELTA" --no-settings "${ROOTS[@]}" --script lines >out 2>err
	grep -q 'iodelta: dm-0: async_depth stays 8; it was 256' err
	grep -q "knobs undo --all" err
	printf '%s\n' 'size 100x30' 'wait idle' 'step 1' 'dump start' 'key e' 'key u' 'dump u' 'key U' 'dump list' 'key Enter' \
		'wait idle' >lines
	timeout 60 "$IODELTA" --no-settings "${ROOTS[@]}" --script lines
	grep -q 'an earlier run left 1 knob changed: U lists' start
	grep -q 'U lists what earlier ones left' u
	grep -q '^   dm-0 async_depth 8 → 256' list
	[ "$(depth)" = 256 ]
}

@test "--restore-on-exit sets back without a question" {
	turning turns --restore-on-exit <<-'END'
	size 100x30
	step 2
	wait idle
	key e
	key Down
	key Down
	key Enter
	text 8
	key Enter
	wait idle
	dump done
	key q
	dump never
	END
	grep -q '256→8\*\|async_depth *8' done
	[ ! -e never ]
	# the process that does it lives on for a moment
	for _ in $(seq 100); do
		[ "$(depth)" = 256 ] && break
		sleep 0.05
	done
	[ "$(depth)" = 256 ]
}

@test "--read-only refuses with the reason, and writes nothing" {
	turning turns --read-only <<-'END'
	size 100x30
	step 2
	wait idle
	key e
	key Down
	key Down
	key Enter
	text 8
	key Enter
	dump refused
	key Esc
	key -
	dump stepped
	key u
	dump undo
	END
	grep -q -e '--read-only' refused
	grep -q -e '--read-only' stepped
	grep -q -e '--read-only' undo
	[ "$(depth)" = 256 ]
	[ ! -e state ]
}

@test "what can lose data wants the device's name" {
	turning turns <<-'END'
	size 100x40
	step 2
	wait idle
	key e
	key Down
	key Down
	key Down
	key Down
	key Down
	key Down
	key Down
	key Down
	key Down
	dump there
	key Enter
	key Down
	key Enter
	dump asked
	text sda
	key Enter
	dump wrong
	key Enter
	text dm-0
	key Enter
	wait idle
	END
	grep -q '^dm-0 queue/write_cache' there
	grep -q 'type the device.s name' asked
	grep -q 'nothing was written: sda is not dm-0' wrong
	[ "$(cat turns/1/sys/block/dm-0/queue/write_cache)" = 'write through' ]
}

@test "a write that hangs is pending, the screen lives, leaving says what is left" {
	tree turns
	rm turns/1/sys/block/sda/queue/nr_requests
	cat >lines <<-'END'
	size 100x30
	step 1
	wait idle
	dump ready
	key e
	key Down
	key Right
	key Enter
	text 64
	dump go
	key Enter
	wait pending
	dump pending
	key Left
	key Enter
	text 128
	key Enter
	step 1
	key q
	dump asked
	key k
	END
	mkfifo ready go
	printf '256\n' >turns/1/sys/block/sda/queue/nr_requests
	timeout 60 "$IODELTA" --no-settings --root turns/1 --loop 5 --script lines >out 2>err &
	pid=$!
	timeout 60 cat ready >/dev/null
	# from here on nothing reads what is written there
	queue=$(realpath turns/1/sys/block/sda/queue)
	rm "$queue/nr_requests"
	mkfifo "$queue/nr_requests"
	timeout 60 cat go >/dev/null
	wait "$pid" || fail "ended with $?" "$(cat err)"
	grep -q 'pending sda queue/nr_requests' pending
	grep -Eq '^ nr_requests .*pending' pending
	grep -q 'sda nr_requests: being written: 64 .*goes on after leaving' asked
	grep -q 'sda: queue/nr_requests: still being written' err
	reap
}

@test "tagged devices: one action for them" {
	turning turns <<-'END'
	size 100x30
	step 2
	wait idle
	key Down
	key Space
	key Space
	key Home
	key e
	key Down
	key Enter
	key S-Tab
	text 64
	dump page
	key Enter
	wait idle
	dump done
	END
	grep -q '(\*) the tagged devices' page
	[ "$(grep -cE '^   sd[ab] nr_requests 256 → 64' page)" = 2 ]
	[ "$(cat turns/1/sys/block/sda/queue/nr_requests)" = 64 ]
	[ "$(cat turns/1/sys/block/sdb/queue/nr_requests)" = 64 ]
	[ "$(cat turns/1/sys/block/dm-0/queue/nr_requests)" = 256 ]
	grep -q 'and 1 more' done
}

@test "the system's knobs stand beside the others with a" {
	turning turns <<-'END'
	size 120x40
	step 2
	wait idle
	key e
	key a
	wait idle
	dump all
	END
	grep -Eq 'KNOBS all.* vm' all
}

@test "the pages of undo, journal and leaving at every size" {
	tree turns
	ROOTS=("${ROOTS[@]:0:28}")
	# shellcheck disable=SC2046 # numbers
	one_kernel $(seq -f "turns/%.0f" 1 14)
	for size in 40x10 80x24 120x40 200x60; do
		for mode in '' --ascii '--theme mono'; do
			cat >lines <<-END
			size $size
			step 8
			wait idle
			key e
			key Down
			key Down
			key Enter
			text 8
			key Enter
			wait idle
			step 3
			key u
			dump undo
			key Esc
			key Esc
			key J
			dump journal
			key q
			key q
			dump leave
			key r
			wait idle
			END
			# shellcheck disable=SC2086 # words
			timeout 60 "$IODELTA" --no-settings "${ROOTS[@]}" --script lines $mode >out 2>err
			[ "$(depth)" = 256 ]
			for page in undo:'dm-0 async_depth 8' journal:'async_dep' leave:'dm-0 async_depth 8'; do
				[ "$(wc -L <"${page%%:*}")" -le "${size%x*}" ] || fail "$page is too wide at $size"
				[ "$(wc -l <"${page%%:*}")" -eq "${size#*x}" ] || fail "$page at $size: lines"
				grep -q "${page#*:}" "${page%%:*}" || fail "$page at $size $mode" "$(cat "${page%%:*}")"
				if [ "$mode" = --ascii ]; then refute grep -P '[^\x00-\x7f]' "${page%%:*}"; fi
			done
		done
	done
}

@test "a device that another one has replaced while its knob was edited is not written" {
	tree reregistered
	cat >lines <<-'END'
	size 100x30
	wait idle
	key z
	key Down
	wait idle
	key e
	key Down
	key Enter
	dump page
	text 64
	step 1
	wait idle
	key Enter
	wait idle
	dump said
	END
	timeout 60 "$IODELTA" --no-settings "${ROOTS[@]}" --script lines
	grep -q '^EDIT sdb queue/nr_requests' page
	grep -q 'not the same device any more' said
	[ "$(cat reregistered/2/sys/block/sdb/queue/nr_requests)" = 256 ]
	[ ! -e state/journal ]
}
