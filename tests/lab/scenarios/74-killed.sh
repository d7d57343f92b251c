# SPDX-License-Identifier: GPL-2.0-or-later
# Killed with a knob turned: what is left is told and undone by the next one; with --restore-on-exit the spawner does it.
tests=12
limit=90

set_up()
{
	lun_over_two_paths && multipath mpatha mq "$path0" "$path1" &&
		echo mq-deadline >"/sys/block/$dm/queue/scheduler"
}

value() { cat "/sys/block/$dm/queue/$1"; }
value_is() { [ "$(value "$1")" = "$2" ]; }
snapshot() { grep -H . "/sys/block/$dm/queue/"* "/sys/block/$dm/queue/iosched/"* 2>/dev/null; }

# turn: nr_requests to 64 by keys
turn()
{
	screen_start 100x30 "$@" "$dm"
	shows "the screen is there ($1)" 20 'mpatha'
	keys e Down Enter
	wait_for 5 on_page
	keys 6 4 Enter
	ok "the knob is turned ($1)" wait_for 10 value_is nr_requests 64
	# the answer has come: it is read back, and in the journal
	wait_for 10 is_told
	# the screen alone: its helpers have the same name for killall
	kill -9 "$(sed -n 's/.*"pid":\([0-9]*\),.*/\1/p' /run/iodelta/journal | tail -n 1)"
}

on_page() { screen | grep -q '^EDIT'; }
is_told() { screen | grep -q 'nr_requests 256 → 64'; }

run()
{
	snapshot >before.txt
	turn --no-settings
	is 'after kill -9 it stays' "$(value nr_requests)" 64
	iodelta knobs journal --root / >journal.txt 2>&1
	like 'the journal has it' "$(cat journal.txt)" "$dm queue/nr_requests 256 -> 64"
	iodelta knobs undo --all >undo.txt 2>&1
	note <undo.txt
	snapshot >after.txt
	ok 'undo --all: every attribute is as it was' cmp before.txt after.txt
	diff before.txt after.txt | note

	screen_end
	turn --restore-on-exit
	ok 'with --restore-on-exit kill -9 sets back' wait_for 10 value_is nr_requests 256
	snapshot >after.txt
	ok 'every attribute is as it was' cmp before.txt after.txt
	diff before.txt after.txt | note

	# the kernel's own mind
	iodelta knobs set "$dm" nr_requests=3 >set.txt 2>&1
	is 'the kernel kept another value: 3' $? 3
	like 'and it is said which' "$(cat set.txt)" 'asked 3, the kernel kept 4'
	iodelta knobs undo >undo.txt 2>&1
	snapshot >after.txt
	ok 'undone' cmp before.txt after.txt
	diff before.txt after.txt | note
}

screen_end() { tm kill-server 2>/dev/null; }

tear_down()
{
	screen_end
	killall -9 iodelta 2>/dev/null
	remove_devices
}
