# SPDX-License-Identifier: GPL-2.0-or-later
# All paths of a map are gone, it queues, and I/O hangs in flight. A scheduler write then hangs, and so does every read
# of the map's queue attributes: the screen must keep its rhythm, other devices answer, and q return at once. When a
# path comes back, the interval counts.
tests=12
limit=90

set_up()
{
	lun_over_two_paths && null_disk other size=256 memory_backed=1 || return 1
	multipath mpatha mq "$path0" "$path1"
}

fail() { dmsetup message mpatha 0 "fail_path $(number_of "$1")"; }

# clock: the seconds that the screen's first line shows
clock() { screen | sed -nE '1s/.* ([0-9]+:[0-9]+:[0-9]+) .*/\1/p'; }

clock_moved() { [ "$(clock)" != "$1" ]; }

run()
{
	screen_start 100x30 "$dm" other
	shows 'the screen is there' 20 'mpatha'
	iodelta stat -f json 1 >all.json 2>all.err &
	watch=$!
	wait_for 10 test -s all.json
	cp /proc/diskstats before
	fail "$path0" && fail "$path1"
	dd if=/dev/zero of="/dev/$dm" bs=4k count=4 oflag=direct 2>dd.err &
	stuck=$!
	sleep 1
	echo none >"/sys/block/$dm/queue/scheduler" &
	sleep 1
	# this one hangs too, and must not be waited for
	cat "/sys/block/$dm/queue/nr_requests" >/dev/null &
	reader=$!
	sleep 1
	ok 'reading an attribute really hangs here' kill -0 $reader

	shows 'the map is shown as pending' 25 "$dm .*pending|pending .*$dm|$dm.*(queue/|scheduler|nr_req)"
	screen | note
	for beat in 1 2 3; do
		before=$(clock)
		ok "the screen goes on ($beat)" wait_for 3 clock_moved "$before"
	done
	before=$(now)
	dd if=/dev/zero of=/dev/other bs=4k count=50 oflag=direct 2>/dev/null
	iodelta list -f json other >list.json
	like 'another device answers' "$(dev list.json other attributes queue/scheduler value)" 'none'
	ok 'stat goes on' kill -0 $watch

	before=$(now)
	keys q
	shows 'q returns' 5 'ended with 0'
	within 'at once' "$(calc "$(now) - $before")" 0 2

	reinstate mpatha
	wait_for 20 not_there $stuck
	ok 'the I/O has come through' not_there $stuck
	lines=$(wc -l <all.json)
	wait_for 20 more_lines all.json $((lines + 1))
	kill $watch
	cp /proc/diskstats after
	wrote=$(grown before after "$dm" | cut -d ' ' -f 5)
	is 'and its interval counts' "$(sum all.json "$dm" w/s)" "$wrote"
	grown before after "$dm" | note
}

not_there() { ! kill -0 "$1" 2>/dev/null; }

tear_down()
{
	reinstate mpatha
	killall iodelta 2>/dev/null
	remove_devices
}
