# SPDX-License-Identifier: GPL-2.0-or-later
# What the program was made for: sequential writes over request-based multipath, and one knob that ends the merging.
tests=15
limit=110
alone=1

# Each path takes 32 requests at a time, and 20 ms for each: not the processor is what limits it, so the load is steady.
# (scsi_debug on 6.1 loses a command in one such run of three, and its disk goes offline 30 s later.)
path() { null_disk "$1" size=1024 irqmode=2 completion_nsec=20000000 submit_queues=1 hw_queue_depth=32; }

set_up()
{
	path p0 && path0=$disk && path p1 && path1=$disk || return 1
	multipath mpatha mq "$path0" "$path1" && scheduler "$dm" mq-deadline
}

scheduler() { echo "$2" >"/sys/block/$1/queue/scheduler"; }

# From Linux 7 on it is in queue/.
async_depth()
{
	local file=/sys/block/$dm/queue/iosched/async_depth
	[ -e "$file" ] || file=/sys/block/$dm/queue/async_depth
	echo "$1" >"$file"
}

knob() { iodelta list -f json "$dm" >list.json; dev list.json "$dm" attributes "$1" value; }

# MB/s written: of all disks in the last second, and of the map
heading_mb() { screen | sed -nE '2s|.* w ([0-9.]+) MB/s.*|\1|p'; }
map_mb() { screen | sed -nE "s|^$dm .* ([0-9.]+) MB/s.*|\1|p"; }

run()
{
	scheduler "$path0" none
	scheduler "$path1" none
	is 'scheduler' "$(knob queue/scheduler)" "$(sed 's/ *$//' "/sys/block/$dm/queue/scheduler")"
	is 'requests under a scheduler' "$(knob queue/nr_requests)" 256
	async_depth 256
	load_ready writes --filename="/dev/$dm" --rw=write --bs=16k --size=200m --numjobs=4 --iodepth=64 \
		--time_based --runtime=115
	load_go

	screen_start 160x30 "$dm"
	shows 'the load is seen' 20 'w/s [1-9]'
	# each side begins when the load has settled
	sleep 3
	keys r
	sleep 26
	screen | note
	# the paths carry what the map carries; the heading counts it once
	within 'the total counts it once' "$(calc "$(heading_mb) / $(map_mb)")" 0.5 1.6
	keys b
	shows 'BEFORE is there' 5 'BEFORE [123][0-9]s'
	async_depth 8
	sleep 2
	keys r
	shows 'clear at the map' 40 "$dm mpatha .*▼"
	shows 'merges collapsed' 30 "$dm mpatha .*│ *-(9[0-9]|100)% +±[0-9.]+% +clear"
	shows 'IOPS are down, in words' 30 "^$dm .*w/s [0-9.k]+ → [0-9.k]+ -[0-9]+% clear"
	screen | note

	async_depth 256
	sleep 2
	keys r
	sleep 6
	# wrqm/s, avgrq, await, %util of AFTER: merges are back, and neither they nor the sizes are marked
	like 'set back: it returns' "$(pane 3 "$dm mpatha")" '^ +[1-9][0-9.]*k? +[0-9.]+ '
	screen | note
	keys q
	shows 'the comparison stays in the terminal' 10 'ended with 0'
	load_kill

	scheduler "$dm" none
	like 'scheduler none' "$(knob queue/scheduler)" '\[none\]'
	within 'requests without a scheduler' "$(knob queue/nr_requests)" 257 100000
	is 'its tunables are gone' "$(dev list.json "$dm" attributes queue/iosched/async_depth)" absent
	scheduler "$dm" mq-deadline
	is 'and back with defaults' "$(knob queue/iosched/async_depth)" 256
	is 'requests' "$(knob queue/nr_requests)" 256
}

tear_down() { remove_devices; }
