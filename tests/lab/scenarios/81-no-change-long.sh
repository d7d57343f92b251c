# SPDX-License-Identifier: GPL-2.0-or-later
# The same as 80-no-change, long enough to count: four runs under one steady load, each with a BEFORE of 60 s and five
# minutes of AFTER. Of the frames, one a second, at most 5 % show any mark; of the cells judged at the ends at most 1 %,
# or two, are clear. Then the same load without a limit, where nothing is promised: the shares are only printed.
tests=5
limit=2700
alone=1
long=1
kernels=6.12

set_up() { null_disk disk size=1024 irqmode=2 completion_nsec=500000; }

# verdicts WORD: how often the comparison that is left in the terminal says it
verdicts() { tm capture-pane -p -S - | grep -o -w -e "$1" | wc -l; }

# one_run SECONDS: adds to frames, marked, judged, clear
one_run()
{
	local i
	screen_start 160x30 disk
	wait_for 20 on_screen 'w/s [1-9]'
	sleep 3
	keys r
	sleep 60
	keys b
	for i in $(seq "$1"); do
		sleep 1
		frames=$((frames + 1))
		[ "$(marks)" = 0 ] || marked=$((marked + 1))
	done
	keys q
	wait_for 10 on_screen 'ended with 0'
	clear=$((clear + $(verdicts clear)))
	judged=$((judged + $(verdicts clear) + $(verdicts noise) + $(verdicts drift)))
	tm kill-server
}

# runs COUNT SECONDS FIO-OPTION...
runs()
{
	local count=$1 seconds=$2
	shift 2
	frames=0 marked=0 judged=0 clear=0
	load_ready steady --filename="/dev/$disk" --rw=randwrite --bs=4k --size=512m --iodepth=8 "$@" \
		--time_based --runtime=3600
	load_go
	for _ in $(seq "$count"); do
		one_run "$seconds"
	done
	load_kill
	echo "# $(uname -r): $count runs of $seconds s${1:+, $1}: $marked of $frames frames marked," \
		"$clear of $judged cells clear"
}

run()
{
	runs 4 300 --rate_iops=1000
	within 'frames were looked at' "$frames" 1200 1200
	within 'frames with a mark' "$marked" 0 $((frames * 5 / 100))
	within 'cells were judged' "$judged" 8 100000
	within 'clear at the ends' "$clear" 0 $((judged / 100 > 2 ? judged / 100 : 2))
	runs 1 300
	ok 'without a limit: see above' true
}

tear_down()
{
	killall -9 fio 2>/dev/null
	remove_devices
}
