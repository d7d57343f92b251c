# SPDX-License-Identifier: GPL-2.0-or-later
# The field regression by the program's own keys: async_depth 256, 8, undo, 8, undo. What each turn did is the same, so
# the verdict is `repeated`.
tests=13
limit=330
alone=1

# As in 70-regression: not the processor is what limits it.
path() { null_disk "$1" size=1024 irqmode=2 completion_nsec=20000000 submit_queues=1 hw_queue_depth=32; }

set_up()
{
	path p0 && path0=$disk && path p1 && path1=$disk || return 1
	multipath mpatha mq "$path0" "$path1" && echo mq-deadline >"/sys/block/$dm/queue/scheduler"
}

depth() { cat "/sys/block/$dm/queue/iosched/async_depth"; }
depth_is() { [ "$(depth)" = "$1" ]; }

run()
{
	echo none >"/sys/block/$path0/queue/scheduler"
	echo none >"/sys/block/$path1/queue/scheduler"
	echo 256 >"/sys/block/$dm/queue/iosched/async_depth"
	load_ready writes --filename="/dev/$dm" --rw=write --bs=16k --size=200m --numjobs=4 --iodepth=64 \
		--time_based --runtime=320
	load_go

	screen_start 120x36 --settle 3 "$dm"
	shows 'the load is seen' 20 'w/s [1-9]'
	sleep 3
	keys r
	sleep 30
	# to the knobs, past scheduler and nr_requests
	keys e Down Down
	shows 'the cursor is on async_depth' 5 "^$dm queue/iosched/async_depth: 256"
	keys Enter
	shows 'its page' 5 "^EDIT $dm queue/iosched/async_depth"
	keys 8
	shows 'the write that Enter will make' 5 "$dm async_depth 256 → 8"
	keys Enter
	ok 'it is written' wait_for 10 depth_is 8
	shows 'and BEFORE is what was measured until then' 10 'BEFORE [23][0-9]s n[23][0-9] segment A'
	sleep 34
	for turn in 1 2; do
		keys u
		shows "undo lists what it writes ($turn)" 5 "$dm async_depth 8 → 256"
		keys Enter
		ok "and sets it back ($turn)" wait_for 10 depth_is 256
		sleep 34
		[ $turn = 1 ] || break
		keys Enter
		wait_for 5 on_page
		keys 8 Enter
		ok 'it is turned again' wait_for 10 depth_is 8
		sleep 34
	done
	keys J
	for metric in $(seq 40); do
		! on_screen "^JOURNAL $dm w/s" || break
		keys [
		sleep 0.2
	done
	shows 'the journal says repeated' 20 'in turn: .*% repeated'
	screen | note
	keys Escape Q
	shows 'and so does the comparison' 15 "^$dm +w/s .*repeated"
	screen | note
	load_kill
}

on_page() { screen | grep -q '^EDIT'; }

tear_down() { remove_devices; }
