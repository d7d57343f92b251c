# SPDX-License-Identifier: GPL-2.0-or-later
# All paths of a map are gone and it queues: a write to its scheduler hangs. The screen lives, another device is edited,
# leaving says what is pending, and the write comes to its end when a path is back.
tests=10
limit=90

set_up()
{
	lun_over_two_paths && null_disk other size=256 memory_backed=1 || return 1
	multipath mpatha mq "$path0" "$path1" && echo mq-deadline >"/sys/block/$dm/queue/scheduler"
}

fail() { dmsetup message mpatha 0 "fail_path $(number_of "$1")"; }
other_is() { [ "$(cat /sys/block/other/queue/read_ahead_kb)" = "$1" ]; }
on_page() { screen | grep -q '^EDIT'; }
clock() { screen | sed -nE '1s/.* ([0-9]+:[0-9]+:[0-9]+) .*/\1/p'; }
clock_moved() { [ "$(clock)" != "$1" ]; }
scheduler_is() { grep -q "\[$1\]" "/sys/block/$dm/queue/scheduler"; }

run()
{
	screen_start 100x30 "$dm" other
	shows 'the screen is there' 20 'mpatha'
	keys z Home e
	shows 'its scheduler' 10 "^$dm queue/scheduler: "
	keys Enter
	wait_for 5 on_page
	fail "$path0" && fail "$path1"
	dd if=/dev/zero of="/dev/$dm" bs=4k count=4 oflag=direct 2>dd.err &
	stuck=$!
	sleep 1
	# from mq-deadline to another one
	keys Down Enter
	shows 'the write is pending' 25 "pending $dm"
	screen | note
	for beat in 1 2; do
		before=$(clock)
		ok "the screen goes on ($beat)" wait_for 3 clock_moved "$before"
	done
	like 'another device can be written' "$(iodelta knobs set other read_ahead_kb=256 2>&1)" 'read_ahead_kb [0-9]+ -> 256'

	keys Escape q
	shows 'leaving tells of it' 10 "$dm scheduler: being written: .*goes on after leaving"
	before=$(now)
	keys k
	shows 'q returns' 5 'still being written'
	within 'at once' "$(calc "$(now) - $before")" 0 3

	reinstate mpatha
	wait_for 20 not_there $stuck
	ok 'the write comes to its end' wait_for 20 scheduler_is "$(iodelta knobs journal | sed -nE 's/.*-> ([a-z-]+) .*/\1/p' | tail -n 1)"
}

not_there() { ! kill -0 "$1" 2>/dev/null; }

tear_down()
{
	reinstate mpatha
	killall -9 iodelta 2>/dev/null
	remove_devices
}
