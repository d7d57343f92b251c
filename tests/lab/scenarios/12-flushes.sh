# SPDX-License-Identifier: GPL-2.0-or-later
# 60 writes, each followed by fsync: where flushes are counted, and where they cannot be known. An fsync is also an
# empty write; the paths of a request-based map get their flushes as empty reads.
tests=16
limit=90

set_up() { lun_over_two_paths; }

# fsyncs DEVICE OPTION...: one report over 60 writes with fsync
fsyncs()
{
	load_ready sync --filename="/dev/$1" --rw=write --bs=4k --size=240k --fsync=1 --ioengine=psync
	measured stat.json 2
}

run()
{
	fsyncs "$path0"
	within 'disk: flushes' "$(amount "$path0" f/s)" 59 60
	within 'disk: writes, with those of the flushes' "$(amount "$path0" w/s)" 119 120

	multipath mpatha mq "$path0" "$path1" || return
	fsyncs "$dm"
	within 'request-based: flushes' "$(amount "$dm" f/s)" 59 60
	within 'request-based: writes' "$(amount "$dm" w/s)" 119 120
	like 'its paths: no flushes' "$(dev stat.json "$path0" na f/s)" 'no such field'
	within 'but empty reads' "$(calc "$(amount "$path0" r/s) + $(amount "$path1" r/s)")" 59 60
	is 'without sectors' "$(dev stat.json "$path0" rkB/s)" 0
	screen_start 120x30 "$dm"
	shows 'the screen is there' 20 mpatha
	load sync --filename="/dev/$dm" --rw=write --bs=4k --size=8m --fsync=1 --ioengine=psync --time_based --runtime=5 &
	shows 'the paths are marked' 15 "flushes path"
	wait $!
	keys q
	dmsetup remove mpatha

	null_disk m0 size=64 memory_backed=1 cache_size=8 && m0=$disk
	null_disk m1 size=64 memory_backed=1 cache_size=8 && m1=$disk
	# a stripe: every flush goes to all its legs
	dm vg-stripe "0 131072 striped 2 128 /dev/$m0 0 /dev/$m1 0" --uuid LVM-lab-stripe || return
	fsyncs "$dm"
	is 'bio-based: flushes' "$(dev stat.json "$dm" f/s)" null
	like 'bio-based: why' "$(dev stat.json "$dm" na f/s)" 'no such field'
	within 'bio-based: writes' "$(amount "$dm" w/s)" 119 120
	within 'its legs are disks: flushes' "$(calc "$(amount "$m0" f/s) + $(amount "$m1" f/s)")" 118 122
	dmsetup remove vg-stripe
	md 0 "$m0" "$m1" || return
	fsyncs md0
	is 'md: flushes' "$(dev stat.json md0 f/s)" null
	within 'md: writes' "$(amount md0 w/s)" 60 60
	within 'its members: flushes' "$(calc "$(amount "$m0" f/s) + $(amount "$m1" f/s)")" 59 122
}

tear_down() { remove_devices; }
