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
	run -2 --separate-stderr "$IODELTA" "${ROOTS[@]:0:4}" --script .
	[[ $stderr == 'iodelta: .: Is a directory' ]]
}

# own NAME with the fixture's lines on standard input, the script in the file lines
own() {
	cat >"$1.tree"
	FIXTURES=$PWD other "$1" <lines
}

@test "the heading has the total of the disks, each counted once" {
	# dm-0 and nvme0n1p2 are not in it: sda, sdb, nvme0n1, sr0; 14400 kB/s and 400 kB/s written are 15 MB/s
	screen <<-'END'
	size 80x24
	step 58
	dump out
	END
	shows out '^4 disks r 0\.[12][0-9] w 1[45]\.[0-9] MB/s'
	# sda alone, and no interval yet
	other stuck <<-'END'
	dump first
	step 1
	dump one
	END
	hides first 'disks? r '
	shows one '^1 disk r 0 w 0 MB/s'
}

@test "a split that is odd is marked at the sum; a mirror's is not" {
	other stripe <<-'END'
	size 90x24
	step 1
	dump out
	dump-style style
	key End
	END
	# 1000 requests of 16 KiB over chunks: 2000 below
	shows out '═Σ 25/25/25/25 split 2\.0'
	[[ $(sed -n "$(line_no out Σ)p" style) == *yyyyyyyyy* ]]
	shows out '^lvm, tank-lvm, /srv  split 2\.00 · %util max 25\.0 mean 25\.0'
	other crypt-lvm-md <<-'END'
	step 1
	dump mirror
	END
	shows mirror '═Σ 50/50 '
	hides mirror '═Σ.*split'
	screen <<-'END'
	size 80x24
	step 58
	key Down
	key Down
	key Down
	dump sum
	END
	# the selected sum in words; one in one is nothing to mark
	shows sum '^split [01]\.[0-9]+ · merge share [0-9]+% · %util max [0-9.]+ mean [0-9.]+'
	hides sum '═Σ.*split'
}

@test "a mirror that sysfs does not call one: all legs have all writes" {
	printf '%s\n' 'size 80x24' 'step 1' 'dump out' >lines
	own mirror <<-'END'
	steps 2
	device sda disk 8:0
	count 0 0 0 0 1000 0 8000 500 0 500 500
	grow wr_ios=100 wr_sectors=800 wr_ticks=100 io_ticks=100 time_in_queue=100
	device sdb disk 8:16
	count 0 0 0 0 1000 0 8000 500 0 500 500
	grow wr_ios=100 wr_sectors=800 wr_ticks=100 io_ticks=100 time_in_queue=100
	device dm-0 dm 253:0
	dm vg-mirror LVM-abc
	over sda sdb
	count 0 0 0 0 1000 0 8000 500 0 500 500
	grow wr_ios=100 wr_sectors=800 wr_ticks=100 io_ticks=100 time_in_queue=100
	END
	shows out '═Σ 50/50 '
	hides out '═Σ.*split'
	shows out 'split 2\.00'
}

@test "what is stuck, and the members that hold it" {
	printf '%s\n' 'size 80x24' 'step 2' 'dump out' 'size 120x24' 'dump wide' >lines
	own held <<-'END'
	uptime 1000 1007 1014
	steps 3
	device sda disk 8:0
	count 0 0 0 0 1000 0 8000 500 5 500 500
	@2- grow in_flight=5 io_ticks=7000
	device sdb disk 8:16
	count 0 0 0 0 1000 0 8000 500 4 500 500
	@2- grow in_flight=4 io_ticks=7000
	device sdc disk 8:32
	count 0 0 0 0 1000 0 8000 500 0 500 500
	device dm-0 dmrq 253:0
	dm mpatha mpath-3333
	over sda sdb sdc
	count 0 0 0 0 1000 0 8000 500 22 500 500
	@2- grow in_flight=22 io_ticks=7000
	END
	# in words below, and in the list where it has the room
	shows out '^stuck: 22, 14 s \(sda 5, sdb 4\)  multipath'
	shows wide 'dm-0 stuck: 22, 14 s'
	hides out 'sdc 0'
}

@test "a path that is offline says so; ordinary ones only where there is room" {
	printf '%s\n' 'size 80x24' 'step 1' 'wait idle' 'dump out' 'size 40x10' 'dump small' >lines
	own paths <<-'END'
	steps 2
	device sda disk 8:0
	attr device/state running
	attr device/dh_state alua
	count 0 0 0 0 1000 0 8000 500 0 500 500
	grow wr_ios=100 wr_sectors=800 wr_ticks=100 io_ticks=100 time_in_queue=100
	device sdb disk 8:16
	attr device/state offline
	count 0 0 0 0 1000 0 8000 500 0 500 500
	device sdc disk 8:32
	attr device/state running
	attr device/dh_state faulty
	count 0 0 0 0 1000 0 8000 500 0 500 500
	device dm-0 dmrq 253:0
	dm mpatha mpath-3333
	over sda sdb sdc
	count 0 0 0 0 1000 0 8000 500 0 500 500
	grow wr_ios=100 wr_sectors=800 wr_ticks=100 io_ticks=100 time_in_queue=100
	END
	shows out 'sdb offline path'
	shows out 'sdc faulty path'
	shows out 'sda path run '
	hides out 'alua'
	hides out 'sd[bc].* run '
	shows small 'sdb of.*ine'
	hides small 'sda.* run '
}

@test "40x10: a message gives the status line back at the next sample or key" {
	screen <<-'END'
	size 40x10
	step 9
	key m
	key Enter
	dump said
	step 1
	dump sample
	key m
	key Enter
	key Down
	dump key
	size 80x24
	key m
	key Enter
	step 1
	dump large
	END
	[[ $(tail -1 said) == 'mark 1'* ]]
	[[ $(tail -1 sample) == 'dm-0 '* ]]
	[[ $(tail -1 key) == 'sda '* ]]
	# with a line of its own it stays for a while
	[[ $(tail -1 large) == 'mark 3'* ]]
}

@test "a rise from 0 has its mark behind the AFTER value" {
	printf '%s\n' 'size 80x24' 'key x' 'key x' 'step 29' 'key b' 'step 29' 'dump out' 'size 120x24' 'dump wide' >lines
	own rise <<-'END'
	steps 60
	device sda disk 8:0
	count 0 0 0 0 1000 0 8000 500 0 500 500
	@-30 grow ~4 wr_ios=100 wr_sectors=800 wr_ticks=100 io_ticks=100 time_in_queue=100
	@31- grow ~4 rd_ios=500 rd_sectors=4000 rd_ticks=250 wr_ios=100 wr_sectors=800 wr_ticks=100 io_ticks=350
	END
	shows out 'sda .* 0 .*[0-9]▲'
	shows wide 'sda .*[0-9]▲ +new'
}

@test "ASCII: the sign before a spread is not that of a cut" {
	screen --ascii <<-'END'
	size 200x24
	step 29
	key b
	step 29
	dump out
	END
	shows out 'CHANGE, \+-sd of a bin'
	shows out ' \+-[0-9.]+% +(clear|noise)'
	hides out '~[0-9.]+%'
}

@test "a live text report waits for sysfs as the JSON report does" {
	[ -r /proc/diskstats ] && [ -d /sys/class/block ] || skip "no block devices here"
	"$IODELTA" stat --since-boot -n 1 -f json >out
	"$IODELTA" stat --since-boot -n 1 --columns f/s >text
	# what a device cannot count is a dash from the first report on, and not 0
	awk 'NR > 1 && NF == 2 { print $1, $2 == "-" ? "null" : "counted" }' text >said
	[ -s said ] || skip "no block devices here"
	while read -r device _; do
		[ "$(of 1 "$device" f/s)" = null ] && echo "$device null" || echo "$device counted"
	done <said >known
	grep -q null known || skip "all devices here count flushes"
	cmp said known
}

@test "a change by somebody else is told, and taints the segment" {
	cat >lines <<-'END'
	size 140x30
	step 33
	wait idle
	dump list
	key J
	dump journal
	key Esc
	key Enter
	key End
	dump detail
	step 20
	dump later
	END
	tree field
	timeout 60 "$IODELTA" --no-settings "${ROOTS[@]}" --script lines
	grep -q '^dm-0: async_depth 256 -> 8, changed by somebody else' list
	refute grep -q '^dm-0: async_depth' later
	grep -q '^>A .* start  ! dm-0 async_depth 256 -> 8, changed by somebody else' journal
	grep -q 'async_depth 256 -> 8, changed by somebody else' detail
}
