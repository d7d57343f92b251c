# SPDX-License-Identifier: GPL-2.0-or-later
# Devices that are out of the ordinary: iostats off, a partition of a map, 4 KiB blocks, read-only, without a size, and
# a counter beyond 2^32. (The millisecond fields cannot be driven there in less than an hour: fixtures do that.)
tests=17
limit=90

set_up() { null_disk four size=256 blocksize=4096 && null_disk plain size=256; }

reads() { dd if="/dev/$1" of=/dev/null bs=4k count="$2" iflag=direct 2>/dev/null; }

run()
{
	echo 0 >/sys/block/plain/queue/iostats
	report_start stat.json 3 plain four
	reads plain 100
	reads four 100
	report_end
	is 'iostats off: not available' "$(dev stat.json plain r/s)" null
	like 'and why' "$(dev stat.json plain na r/s)" 'iostats'
	# sectors are of 512 bytes, whatever the disk's are
	is '4 KiB blocks: reads' "$(amount four r/s)" 100
	is '4 KiB blocks: sectors' "$(amount four rsec/s)" 800
	is '4 KiB blocks: size of a read' "$(dev stat.json four rareq-sz)" 4
	echo 1 >/sys/block/plain/queue/iostats
	report_start stat.json 3 plain
	reads plain 100
	report_end
	is 'iostats on again: counts' "$(amount plain r/s)" 100

	blockdev --setro /dev/four
	iodelta list -f json four >list.json
	is 'read-only' "$(dev list.json four read_only)" true
	empty=$(basename "$(losetup -f)")
	iodelta list -f json >list.json
	is 'without a file: size' "$(dev list.json "$empty" size)" 0
	iodelta stat -f json "$empty" 0.2 1 >stat.json
	is 'without a file: no I/O, not nothing' "$(dev stat.json "$empty" r/s)" 0

	# what kpartx makes: a linear map over a map, with its uuid
	dm disk "0 262144 linear /dev/plain 0" --uuid mpath-lab-disk
	whole=$dm
	dm disk1 "0 131072 linear /dev/$whole 2048" --uuid part1-mpath-lab-disk
	iodelta list -f json >list.json
	is 'partition of a map: on the map' "$(names list.json "$dm" slaves)" "$whole"
	is 'partition of a map: name' "$(dev list.json "$dm" dm_name)" disk1
	report_start stat.json 3
	reads "$dm" 50
	report_end
	is 'counted at each layer' "$(amount "$dm" r/s) $(amount "$whole" r/s) $(amount plain r/s)" '50 50 50'
	is 'one for one' "$(dev stat.json "$dm" edges split)" 1
	# 6.1 says 0 in queue/iostats of every bio-based map, and counts all the same
	watch_start all.json "$dm"
	reads "$dm" 70
	watch_end all.json
	is 'and in every report after the first' "$(sum all.json "$dm" r/s)" 70
	dmsetup remove disk1
	dmsetup remove disk

	# 3 TiB discarded, which are 6442450944 sectors
	big=$(nvme_disk lab-b)
	report_start stat.json 6 "$big"
	cp /proc/diskstats before
	blkdiscard -o 0 -l 3298534883328 "/dev/$big" 2>&1 | note
	cp /proc/diskstats after
	report_end
	is 'more than 2^32 sectors discarded' "$(grown before after "$big" | cut -d ' ' -f 14)" 6442450944
	within 'as counted' "$(calc "$(dev stat.json "$big" dkB/s) * $(q stat.json interval) * 2 / 6442450944")" \
		0.99999 1.00001
	iodelta stat -f json --since-boot "$big" 0.2 1 >stat.json
	within 'and since boot' "$(calc "$(dev stat.json "$big" dkB/s) * $(q stat.json interval) * 2 / 6442450944")" \
		0.999 1.001
}

tear_down()
{
	remove_devices
}
