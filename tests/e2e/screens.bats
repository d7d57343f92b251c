# SPDX-License-Identifier: GPL-2.0-or-later
# The screen without a terminal: scripts drive the real program over trees and dump what it drew. Facts are checked,
# not whole pictures.

load lib

@test "40x10: heading, six devices and the status line, one pane at a time" {
	screen <<-'END'
	size 40x10
	step 29
	dump one
	key b
	step 29
	dump after
	key Tab
	dump before
	END
	for f in one after before; do fits $f 40 10; done
	shows one '^lab '
	in_order one dm-0 sda sdb Σ nvme0n1 p2
	tail -1 one | grep -q '^dm-0'
	shows after 'AFTER.*n29'
	shows before 'BEFORE.*n29'
	hides after BEFORE
	shows after 'dm-0.*▼'
}

@test "80x24 without a BEFORE: one pane with the last interval" {
	screen <<-'END'
	size 80x24
	step 5
	dump one
	END
	fits one 80 24
	shows one '^lab +Linux +6\.12\.0-test'
	# system line: pressure 38 % and 21 %, 41 blocked, 100 of 190 waiting
	shows one 'io 38%/21%'
	shows one 'blocked 41'
	shows one 'iowait 53%'
	for m in r/s w/s rkB/s wkB/s await aqu-sz %util; do shows one "DEVICE.* $m"; done
	hides one 'BEFORE'
	in_order one 'dm-0 mpatha' 'sda' 'sdb' 'Σ' 'nvme0n1 ' 'nvme0n1p2 /home' \
		'13 loop, ram and idle devices hidden' '^dm-0 .*w/s' F1
	shows one '^╠═sda'
	shows one '^╚═Σ'
	shows one ' └─nvme0n1p2'
	hides one 'loop0|ram0|sr0'
}

@test "80x24 with a BEFORE: both panes, marks on what changed clearly and nothing else" {
	screen <<-'END'
	size 80x24
	step 29
	key b
	step 29
	dump two
	END
	fits two 80 24
	shows two 'BEFORE.*n29.*AFTER.*n29'
	[ "$(grep DEVICE two | grep -o avgrq | wc -l)" = 2 ]
	[ "$(grep DEVICE two | grep -o %util | wc -l)" = 2 ]
	straight two
	# merges gone, requests small, latency up
	shows two 'dm-0 mpatha.*37\..k.*▼.*▼.*▲'
	# 0 merges in both: no mark in front of that
	shows two 'sda .* 0 .*▼'
	refute grep -E 'nvme0n1.*[▲▼]' two
	# w/s 320 → 900 in words, MB/s 41 → 15
	shows two '^dm-0 .*w/s 32. → 90. \+18.% clear.*→ 14\.. MB/s -64% clear'
	shows bye 'dm-0 +w/s .*clear'
	shows bye 'nvme0n1 .*noise'
}

@test "120x40: AFTER carries its change; 200x60: a block CHANGE with verdicts" {
	screen <<-'END'
	size 120x40
	step 29
	key b
	step 29
	dump wide
	size 200x60
	dump widest
	END
	fits wide 120 40
	straight wide
	shows wide 'dm-0 mpatha.*▼ *-100%'
	fits widest 200 60
	straight widest
	shows widest 'BEFORE.*AFTER.*CHANGE'
	shows widest 'dm-0 mpatha.*-100%.*clear'
	shows widest 'nvme0n1 .*noise'
	[ "$(wc -L <widest)" -gt 150 ]
	# the key line is at the bottom
	[ "$(line_no widest F1help)" -ge 59 ]
}

@test "numbers do not move sideways from one step to the next" {
	screen <<-'END'
	size 80x24
	step 3
	dump a
	step 1
	dump b
	step 1
	dump c
	END
	# where the last digit of each column ends in the row of sda
	for f in a b c; do
		grep sda $f | sed 's/[0-9.k]/9/g' | grep -oE '9 ' --byte-offset | cut -d: -f1 | tr '\n' ' ' >$f.ends
	done
	cmp a.ends b.ends
	cmp b.ends c.ends
}

@test "--ascii, and LC_ALL=C: plain ASCII at all sizes" {
	for size in 40x10 80x24 120x40 200x60; do
		screen --ascii <<-END
		size $size
		step 29
		key b
		step 29
		dump ascii
		key h
		dump help
		END
		fits ascii "${size%x*}" "${size#*x}"
		refute env LC_ALL=C grep -q '[^ -~]' ascii
		refute env LC_ALL=C grep -q '[^ -~]' help
		shows ascii 'dm-0.*v'
		shows ascii 'sda'
		cp ascii "ascii.$size"
	done
	LC_ALL=C screen <<-'END'
	size 80x24
	step 29
	key b
	step 29
	dump c
	END
	cmp c ascii.80x24
}

@test "--no-color and NO_COLOR change no cell" {
	cat >lines <<-'END'
	size 80x24
	step 29
	key b
	step 29
	dump plain
	dump-style style
	END
	screen <lines
	mv plain colour
	fits style 80 24
	screen --no-color <lines
	cmp plain colour
	NO_COLOR=1 screen <lines
	cmp plain colour
}

@test "--columns replaces the sets" {
	screen --columns w/s,%util <<-'END'
	step 3
	dump out
	END
	shows out 'DEVICE +w/s +%util'
	hides out 'DEVICE.*await'
}

@test "too small: a line says so, keys still work" {
	screen <<-'END'
	step 2
	size 20x4
	dump small
	size 1x1
	dump tiny
	key j
	size 39x9
	dump almost
	size 80x24
	dump big
	END
	fits small 20 4
	shows small 'need 40x10'
	shows almost 'need 40x10'
	[ "$(wc -L <tiny)" -le 1 ]
	shows big 'dm-0 mpatha'
}

@test "every size up to 200x60 is drawn within itself" {
	local w h
	{
		echo 'step 29'
		echo 'key b'
		echo 'step 29'
		for w in 1 2 5 12 25 39 40 41 50 63 79 80 81 100 119 120 121 159 160 161 200; do
			for h in 1 2 5 9 10 11 16 23 24 25 40 60; do
				printf 'size %sx%s\ndump s.%s.%s\n' $w $h $w $h
			done
		done
	} >lines
	screen <lines
	for f in s.*; do
		IFS=. read -r _ w h <<<"$f"
		[ "$(wc -L <"$f")" -le "$w" ] || fail "$w x $h is wider:" "$(cat "$f")"
		[ "$(wc -l <"$f")" -le "$h" ] || fail "$w x $h is higher:" "$(cat "$f")"
	done
}

@test "what a row has to say: iostats off, a head that is not accounted, new, flushes, stuck, over 100 %" {
	# it may be at work, so it is not hidden as the idle one is
	other iostats-off <<-'END'
	step 1
	dump out
	END
	shows out 'sda.*iostats off'
	hides out '^ *sdb'
	other nvme-multipath-off <<-'END'
	size 120x40
	step 1
	dump out
	END
	shows out 'nvme0n1.*(not accounted|sum of paths)'
	# new: what it did is not known, so it is not hidden as idle
	other reregistered <<-'END'
	step 1
	dump out
	END
	shows out 'sdb.*new'
	other multipath4 <<-'END'
	step 1
	dump out
	END
	shows out 'sde.*flushes'
	# an idle path of a shown map is not hidden
	shows out 'sdd'
	other stuck <<-'END'
	step 2
	dump out
	END
	shows out 'stuck: 22, [0-9]+ s'
	other util226 <<-'END'
	step 1
	dump out
	END
	shows out 'sda.* 226$'
}

@test "hostile names on the screen are clean" {
	other hostile <<-'END'
	step 1
	key z
	dump out
	size 40x10
	dump small
	END
	fits out 80 24
	fits small 40 10
}

@test "an attribute that does not answer: the screen says which, and goes on" {
	other fifo <<-'END'
	step 1
	wait pending
	dump out
	step 3
	dump later
	key q
	END
	shows out 'pending.*sda.*queue/scheduler'
	shows later 'sda'
	shows later 'pending'
	shows later '0:16:44'
}

@test "4000 devices, none at all, no sysfs" {
	other many <<-'END'
	step 1
	dump out
	key End
	dump end
	key PgUp
	key t
	key t
	key F6
	dump sorted
	END
	fits out 80 24
	fits end 80 24
	fits sorted 80 24
	other empty <<-'END'
	step 1
	dump out
	key Down
	key b
	key h
	END
	fits out 80 24
	other no-sys <<-'END'
	step 1
	dump out
	END
	shows out 'sda'
}

@test "cycles are drawn, each device once in full" {
	other links <<-'END'
	size 100x40
	step 1
	key z
	dump out
	key t
	dump inverse
	key t
	dump flat
	END
	for d in dm-0 dm-1 dm-2 dm-3 sda sdb sdc; do
		for f in out inverse flat; do shows $f "$d"; done
	done
}

@test "the interval and the clock are those of the trees" {
	other stuck <<-'END'
	step 2
	dump out
	END
	shows out '300'
	# 1600 s up
	shows out '0:26:40'
}

@test "errors in a script: file, line, reason, exit 2" {
	shared_tree field
	printf 'step 1\nkey Nonsense\n' >bad
	run -2 --separate-stderr "$IODELTA" "${ROOTS[@]:0:4}" --script bad
	[[ $stderr == *'iodelta: bad:2: '* ]]
	printf 'dance\n' >bad
	run -2 --separate-stderr "$IODELTA" "${ROOTS[@]:0:4}" --script bad
	[[ $stderr == *'iodelta: bad:1: '* ]]
	printf '# nothing\n\nsize 80\n' >bad
	run -2 --separate-stderr "$IODELTA" "${ROOTS[@]:0:4}" --script bad
	[[ $stderr == *'iodelta: bad:3: '* ]]
	run --separate-stderr "$IODELTA" "${ROOTS[@]:0:4}" --script nowhere
	[ "$status" != 0 ]
	[[ $stderr == iodelta:*nowhere* ]]
}
