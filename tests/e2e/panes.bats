#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The lower panes and the pages, driven by --script: the knob matrix, a device's page, the system's, the columns.
load lib

# drive FIXTURE [ARG…]: runs the script on standard input over the fixture's trees
drive() {
	local fixture=$1
	shift
	cat >lines
	shared_tree "$fixture"
	timeout 120 "$IODELTA" "${ROOTS[@]}" "$@" --script lines >out 2>err || fail "ended with $?" "$(cat err)"
}

# each line of a dump is at most so wide
fits() {
	local cells
	cells=$(wc -L <"$1")
	[ "$cells" -le "$2" ] || fail "$1 is $cells cells wide"
}

@test "knobs: the map and its paths side by side, what changed since BEFORE is marked" {
	drive field <<-'END'
	size 80x24
	step 29
	key b
	step 20
	wait idle
	dump -
	END
	fits out 80
	grep -Eq '^ KNOBS +dm-0 +sda +sdb ' out
	grep -Eq '^ scheduler +mq-…ine +none +none ' out
	grep -Eq '^ async_depth +256→8\* +· +· ' out
	grep -Eq '^ queue_depth +· +32 +32 ' out
}

@test "knobs: ASCII, without colours" {
	drive field --ascii --no-color <<-'END'
	size 120x40
	step 29
	key b
	step 20
	wait idle
	dump -
	END
	grep -Eq '^ async_depth +256->8\*' out
	refute grep -P '[^\x00-\x7f]' out
}

@test "knobs: Tab goes there, arrows move by cell, the status line has the whole value" {
	drive field <<-'END'
	size 80x24
	step 29
	key b
	step 20
	wait idle
	key Tab
	dump focus
	dump-style style
	key Down
	key Down
	dump at
	key Right
	key End
	dump end
	key Esc
	dump back
	END
	grep -q '^>KNOBS' focus
	# it is larger than it was
	grep -q '^ nomerges ' focus
	refute grep -q '^ nomerges ' back
	grep -q '^dm-0 queue/scheduler: \[mq-deadline\] none' focus
	grep -q '^dm-0 queue/iosched/async_depth: 8, BEFORE 256' at
	# the cell under the cursor alone is drawn as selected (capitals)
	[ "$(sed -n '15,21p' style | grep -c '[A-Z]')" -eq 1 ]
	grep -Eq '^sda [a-z/_]+: ' end
	grep -q '^dm-0  r/s' back
}

@test "knobs: all attributes, and only those that matter" {
	drive field <<-'END'
	size 120x40
	step 1
	wait idle
	key Tab
	key a
	dump all
	key a
	dump some
	END
	grep -q '^>KNOBS all' all
	grep -q '^>KNOBS ' some
	refute grep -q '^>KNOBS all' some
}

@test "knobs: a partition has its disk's, and says so" {
	drive field <<-'END'
	size 80x24
	step 1
	wait idle
	key End
	wait idle
	dump -
	END
	grep -Eq '^ KNOBS +nvme0n1 \(of nvme0n1p2\)' out
}

@test "knobs: a hanging attribute is pending, with its age; the other devices' are there" {
	tree fifo
	printf '%s\n' 'size 100x30' 'step 1' 'wait pending' 'dump -' >lines
	timeout 60 "$IODELTA" "${ROOTS[@]}" --script lines >out 2>err
	grep -Eq 'pending [0-9]+s' out
}

@test "a low terminal has the pane in the list's place" {
	drive field <<-'END'
	size 40x10
	step 1
	wait idle
	dump list
	key Tab
	dump knobs
	key Tab
	dump graph
	key Tab
	dump again
	END
	fits knobs 40
	refute grep -q KNOBS list
	grep -q '^>KNOBS' knobs
	refute grep -q DEVICE knobs
	grep -q '^>await' graph
	cmp list again
}

@test "a device's page: every metric with BEFORE, AFTER and verdict, identity, place, attributes" {
	drive field <<-'END'
	size 120x200
	step 29
	key b
	step 20
	wait idle
	key Enter
	dump page
	key Right
	dump next
	key q
	dump back
	END
	head -3 page | tail -1 | grep -q '^dm-0  mpatha'
	grep -Eq '^w/s +895 +321 +±7\.6 +898 +±18\.3 +\+180% .* clear$' page || fail "$(grep ^w/s page)"
	# not available, with the reason in words
	grep -Eq "^%rrqm +- nothing issued or merged" page
	grep -Eq '^split +1\.00 → 1\.00$' page
	grep -Eq '^uuid +mpath-' page
	grep -Eq '^below it +sda sdb$' page
	grep -Eq '^queue/iosched/async_depth +8  BEFORE 256$' page
	head -3 next | tail -1 | grep -q '^sda '
	grep -q '^sda .*w/s' back
}

@test "a page scrolls to its end and not beyond, at every size" {
	for size in 40x10 80x24 120x40 200x60; do
		drive field <<-END
		size $size
		step 3
		wait idle
		key m
		text the last line
		key Enter
		key Enter
		key PgDn
		key End
		key PgDn
		dump end
		key Up
		dump up
		key Home
		dump top
		END
		fits end "${size%x*}"
		fits top "${size%x*}"
		grep -q 'the last line' end
		refute cmp -s end up
		grep -q '^dm-0  mpatha' top
	done
}

@test "the system's page has every row of the table, judged like a device" {
	drive field <<-'END'
	size 100x30
	step 29
	key b
	step 20
	key S
	dump page
	key Esc
	dump back
	END
	for name in 'iowait %' 'blocked tasks' 'ctxt/s' 'psi-io-full %'; do
		grep -Eq "^$name .* noise$" page || fail "$name"
	done
	# libproc2 is not asked below another root
	grep -Eq "^dirty KiB +- not available" page
	grep -q '^DEVICE' back
}

@test "columns are chosen from all metrics, moved, taken, and dropped again" {
	drive field <<-'END'
	size 80x24
	step 3
	dump sets
	key c
	dump menu
	key Space
	key Down
	key >
	key Enter
	dump own
	key c
	key Home
	key Esc
	dump same
	END
	# those that are shown are ticked, and come first
	first=$(sed -n 4p sets | awk '{ print $2 }')
	grep -Eq "^\[x\] $first " menu
	[ "$(sed -n 4p own | awk '{ print $2 }')" != "$first" ]
	grep -q '^own columns' own
	cmp own same
}

@test "tags: one device, shown alone with what it hangs from" {
	drive field <<-'END'
	size 80x24
	step 3
	key T
	dump nothing
	key Down
	key Space
	dump tagged
	key T
	dump only
	key T
	dump all
	END
	grep -q 'nothing is tagged' nothing
	grep -q '═\*sda' tagged
	grep -q '═\*sda' only
	grep -q 'dm-0' only
	refute grep -q '═sdb' only
	grep -q '═sdb' all
}

@test "the interval is asked for; what is no interval is said" {
	drive field <<-'END'
	size 80x24
	step 2
	key d
	dump ask
	key ^U
	text 0.25
	key Enter
	dump said
	key s
	key ^U
	text 0,5
	key Enter
	dump wrong
	key s
	key ^U
	text 99999
	key Enter
	dump large
	END
	tail -1 ask | grep -q '^interval in seconds: 1'
	grep -q 'interval 0.25 s' said
	grep -q '0,5: an interval is 0.01 to 3600 seconds' wrong
	grep -q '99999: an interval is' large
}

@test "hostile names and values do nothing to the knobs and the pages" {
	for keys in Tab Enter S c; do
		drive hostile <<-END
		size 80x24
		step 1
		wait idle
		key $keys
		key a
		key End
		dump -
		END
		refute grep -qP '[\x00-\x08\x0b-\x1f\x7f]' out
		fits out 80
	done
}

@test "graph: the device as a line, its legs as letters, bounds and marks on the axis" {
	drive field <<-'END'
	size 80x24
	step 29
	key b
	step 20
	key m
	text tuned
	key Enter
	step 5
	wait idle
	dump -
	END
	fits out 80
	grep -Eq ' await ms  dm-0 270  a sda 4\.07  b sdb' out
	grep -q '500│' out
	# pinned 25 s before the end, the mark 5 s: two columns a cell
	grep -Eq -- '-64s─+b─{9}1─{2}$' out || fail "$(sed -n 21p out)"
	grep -q 'b\{12\}$' out
}

@test "graph: ASCII has a column a cell" {
	drive field --ascii --no-color <<-'END'
	size 80x24
	step 29
	key b
	step 25
	dump -
	END
	grep -Eq '\*b{24}$' out || fail "$(cat out)"
	refute grep -P '[^\x00-\x7f]' out
}

@test "graph: the cursor reads values and goes with Esc's list, metrics and zoom are chosen" {
	drive field <<-'END'
	size 120x40
	step 29
	key b
	step 25
	key S-Tab
	dump graph
	key Home
	dump oldest
	key End
	dump newest
	key Left
	dump one
	key ]
	dump metric
	key [
	key -
	dump zoomed
	END
	grep -q '>await ms  dm-0 270' graph
	grep -q '>await ms at .* dm-0 -  ' oldest
	cmp graph newest
	grep -Eq '>await ms at 1:24:1[0-9]  dm-0 2[0-9][0-9]  a sda' one
	grep -q 'graph: await-all' metric
	grep -q '>await-all' metric
	grep -q 'a column of the graph is 2 s' zoomed
}

@test "graph: a map of twenty paths counts those that it does not name" {
	local cols named rest
	{
		for i in {1..20}; do
			printf 'device sd%02d disk 8:%d\n' "$i" "$((16 * i))"
			echo 'count 100 0 800 50 0 0 0 0 0 50 50 0 0 0 0 0 0'
			echo 'grow rd_ios=10 rd_sectors=80 rd_ticks=50 io_ticks=5 time_in_queue=50'
		done
		echo 'device dm-0 dmrq 253:0'
		echo 'dm mpatha mpath-3333333000001388'
		printf 'over'; printf ' sd%02d' {1..20}; echo
		echo 'count 100 0 800 50 0 0 0 0 0 50 50 0 0 0 0 0 0'
		echo 'grow rd_ios=200 rd_sectors=1600 rd_ticks=1000 io_ticks=50 time_in_queue=1000'
		echo 'steps 6'
	} >twenty.tree
	FIXTURES=$PWD tree twenty
	for cols in 80 120 200 500; do
		printf 'size %sx40\nstep 5\nwait idle\ndump -\n' "$cols" >lines
		timeout 60 "$IODELTA" "${ROOTS[@]}" --no-settings --script lines >out
		fits out "$cols"
		named=$(grep -oE '[a-p] sd[0-9]{2}\b' out | sort -u | wc -l)
		rest=$(grep -oE ' \+[0-9]+$' out)
		[ "$((named + rest))" -eq 20 ] || fail "$cols: $named named, $rest more" "$(grep KNOBS out)"
	done
	# letters a to p at most
	[ "$named" -eq 16 ]
	grep -q 'a sd01 5\.00' out
}

@test "graph: its place alone on a low terminal, all sizes hold" {
	for size in 40x10 79x23 80x24 120x40 200x60; do
		drive field <<-END
		size $size
		step 9
		key S-Tab
		dump -
		END
		fits out "${size%x*}"
		grep -q '>await' out
	done
}

@test "errors of a path are beside it when they grow, and count from the start of AFTER" {
	cat >errors.tree <<-'END'
	device sda disk 8:0
	hctl 2:0:0:1
	@1 attr device/ioerr_cnt 0xa
	@2 attr device/ioerr_cnt 0xc
	@3- attr device/ioerr_cnt 0x11
	attr device/iotmo_cnt 0x1
	@3- attr device/iotmo_cnt 0x2
	count 0 0 0 0 1000 0 8000 500 0 500 500 0 0 0 0 0 0
	grow wr_ios=600 wr_sectors=64000 wr_ticks=2400 io_ticks=900 time_in_queue=2400
	device sdb disk 8:16
	hctl 3:0:0:1
	attr device/ioerr_cnt 0x7
	count 0 0 0 0 1000 0 8000 500 0 500 500 0 0 0 0 0 0
	grow wr_ios=600 wr_sectors=64000 wr_ticks=2400 io_ticks=900 time_in_queue=2400
	device dm-0 dmrq 253:0
	dm mpatha mpath-3333333000001388
	over sda sdb
	count 0 0 0 0 1000 0 8000 500 0 500 500 0 0 0 0 0 0
	grow wr_ios=1200 wr_sectors=128000 wr_ticks=12000 io_ticks=1000 time_in_queue=12000
	steps 6
	END
	printf '%s\n' 'size 100x30' 'wait idle' 'step 1' 'wait idle' 'dump two' 'step 1' 'wait idle' 'dump three' 'key r' 'step 1' \
		'wait idle' 'dump after' >lines
	# shellcheck disable=SC2046 # one word each
	timeout 60 "$IODELTA" $("$MKTREE" errors.tree errors) --script lines 2>err || fail "$(cat err)"
	grep -q 'sda err +2' two
	# 7 failed and 1 timed out since the first reading
	grep -q 'sda err +8' three
	refute grep -q 'sdb err' three
	refute grep -q 'err +' after
}

@test "ten thousand random keys in every pane and size: it lives, and leaves by q" {
	awk 'BEGIN {
		srand(20)
		n = split("F1 F2 F3 F4 F5 F6 h ? b B r a Tab S-Tab [ ] Left Right Home End + - / n N \\ x t v z Up Down k j " \
			"PgUp PgDn Enter S c Space < > I * T H G m y d s Z A C W ^L Esc Backspace ^U F12 e u U J k j 1 8", keys, " ")
		split("40x10 80x24 120x40 200x60 41x13 79x23 39x9 160x50", sizes, " ")
		for (i = 0; i < 10000; i++) {
			print "key " keys[int(rand() * n) + 1]
			if (i % 7 == 0) print "dump /dev/null"
			print "size " sizes[int(rand() * 8) + 1]
			if (i % 300 == 0) print "step"
			if (i % 50 == 0) print "text s*"
			if (i % 40 == 0) print "click " int(rand() * 200) " " int(rand() * 60)
		}
		print "size 80x24"; print "key Esc"; print "key Esc"; print "key Esc"; print "dump last"; print "key q"
		print "key k"; print "dump never"
	}' >lines
	tree hostile
	timeout 300 "$IODELTA" "${ROOTS[@]}" --loop 100 --script lines >out 2>err || fail "ended with $?" "$(tail -5 err)"
	[ -s last ]
	[ ! -e never ]
}

@test "every pane and page at every size, in characters, ASCII and without colours: full, and inside" {
	for size in 40x10 80x24 120x40 200x60; do
		for mode in '' --ascii '--theme mono'; do
			# shellcheck disable=SC2086 # words
			drive field $mode <<-END
			size $size
			step 29
			key b
			step 9
			wait idle
			dump list
			key S-Tab
			dump graph
			key S-Tab
			dump knobs
			key Esc
			key Enter
			dump detail
			key q
			key S
			dump system
			key q
			key c
			dump columns
			key q
			key J
			dump journal
			key q
			key e
			key Enter
			dump edit
			key Esc
			key F1
			dump help
			END
			for pane in list:dm-0 knobs:scheduler graph:await detail:METRICS system:SYSTEM columns:COLUMNS \
				journal:JOURNAL edit:EDIT help:WHAT; do
				fits "${pane%:*}" "${size%x*}"
				[ "$(wc -l <"${pane%:*}")" -eq "${size#*x}" ] || fail "$pane $size: $(wc -l <"${pane%:*}") lines"
				grep -q "${pane#*:}" "${pane%:*}" || fail "$pane at $size $mode" "$(cat "${pane%:*}")"
				# all that can be read at once is written once: the last line has its keys, or the device
				[ -n "$(tail -1 "${pane%:*}" | tr -d ' ')" ] || fail "$pane at $size $mode has no last line"
				if [ "$mode" = --ascii ]; then refute grep -P '[^\x00-\x7f]' "${pane%:*}"; fi
			done
		done
	done
}

@test "README shows what the program shows" {
	drive field <<-'END'
	size 80x24
	step 29
	key b
	step 29
	wait idle
	dump -
	END
	head -24 out >screen
	sed -n '/^    lab Linux/,/^    F1help/p' "$srcdir/README" | sed 's/^    //' | diff - screen
}

# disks FIRST LAST ROUND: diskstats of these, all of them busy
disks() {
	awk -v a="$1" -v b="$2" -v k="$3" 'BEGIN {
		for (i = a; i <= b; i++)
			printf "259 %d disk%d %d 0 %d 5 0 0 0 0 0 9 9\n", i, i, 100 * k + i, 8 * (100 * k + i)
	}'
}

@test "514 and 4000 devices: scrolled, found, filtered; the selected one stays while others come and go" {
	for n in 514 4000; do
		for step in 1 2 3; do
			mkdir -p "n$n/$step/proc"
			echo "$((100 + step)).00 1.00" >"n$n/$step/proc/uptime"
		done
		disks 1 "$n" 1 >"n$n/1/proc/diskstats"
		disks 1 "$n" 2 >"n$n/2/proc/diskstats"
		# the first forty have gone, ten new ones came
		disks 41 $((n + 10)) 3 >"n$n/3/proc/diskstats"
		printf '%s\n' 'size 80x24' 'step 1' 'key End' 'dump end' 'key Home' 'key /' 'text disk77' 'key Enter' \
			'dump found' 'step 1' 'dump stays' 'key \' 'text *7' 'key Enter' 'dump filtered' >lines
		timeout 120 "$IODELTA" --root "n$n/1" --root "n$n/2" --root "n$n/3" --script lines 2>err || fail "$(cat err)"
		grep -q "^ *disk$n " end
		tail -3 found | head -1 | grep -q '^disk77 '
		tail -3 stays | head -1 | grep -q '^disk77 '
		tail -3 filtered | head -1 | grep -q '^disk77 '
		refute grep -q '^ *disk78 ' filtered
		grep -q '^ *disk87 ' filtered
	done
}

@test "a device's page tells what happened to it, with the marks between" {
	drive vanish <<-'END'
	size 100x150
	step 1
	key m
	text away
	key Enter
	step 2
	key /
	text sdb
	key Enter
	key Enter
	dump sdb
	key q
	key Home
	key Enter
	dump sda
	END
	sed -n '/^EVENTS/,/^dm\|^sd/p' sdb >events
	[ "$(sed -E '1d; s/^[0-9:]+ +//; /^ *$/d' events | head -3)" = 'gone
mark 1 away
came' ] || fail "$(cat events)"
	refute grep -q ' gone' sda
	grep -q 'mark 1 away' sda
	drive reset <<-'END'
	size 100x150
	step 1
	key Enter
	dump -
	END
	grep -Eq '^[0-9:]+ +its counters were reset$' out
	grep -Eq '^AFTER [0-9]+s n [0-9]+$' out
}
