# SPDX-License-Identifier: GPL-2.0-or-later
# A path dies under load: by fail_path, and by its disk going offline. A stripe has one slow leg.
tests=10
limit=90

set_up() { lun_over_two_paths && multipath mpatha mq "$path0" "$path1"; }

share() { dev stat.json "$dm" edges path_share "$1"; }

run()
{
	local map=$dm
	load_ready map --filename="/dev/$map" --rw=randwrite --bs=16k --size=128m --iodepth=8 --time_based --runtime=60
	load_go
	iodelta stat -f json "$map" 2 1 >stat.json
	within 'both paths work' "$(calc "$(share "$path0") + $(share "$path1")")" 0.99 1.01
	dmsetup message mpatha 0 "fail_path $(number_of "$path0")"
	sleep 1
	iodelta stat -f json "$map" 2 1 >stat.json
	is 'failed path: its share' "$(share "$path0")" 0
	is 'the other has all' "$(share "$path1")" 1
	within 'and the map goes on' "$(dev stat.json "$map" w/s)" 10 100000
	dmsetup message mpatha 0 "reinstate_path $(number_of "$path0")"
	sleep 1
	iodelta stat -f json "$map" 2 1 >stat.json
	within 'it comes back' "$(share "$path0")" 0.001 0.999

	screen_start 100x30 "$map"
	shows 'the screen is there' 20 mpatha
	echo offline >"/sys/block/$path1/device/state"
	shows 'an offline path is shown as one' 20 "$path1 .*offline"
	echo running >"/sys/block/$path1/device/state"
	keys q
	load_kill
	dmsetup remove mpatha

	null_disk fast size=256 irqmode=2 completion_nsec=1000000 && fast=$disk
	null_disk under size=256 && under=$disk
	dm slow "0 262144 delay /dev/$under 0 30" && slow=$dm
	dm vg-stripe "0 262144 striped 2 128 /dev/$fast 0 /dev/$slow 0" --uuid LVM-lab-stripe || return
	load_ready legs --filename="/dev/$dm" --rw=randread --bs=64k --size=100m --iodepth=1 --number_ios=60
	measured stat.json 4
	within 'slow leg: latency' "$(dev stat.json "$slow" r_await)" 29 60
	within 'fast leg: latency' "$(dev stat.json "$fast" r_await)" 0.5 15
	within 'stripe: between them' "$(dev stat.json "$dm" r_await)" "$(dev stat.json "$fast" r_await)" \
		"$(dev stat.json "$slow" r_await)"
}

tear_down()
{
	killall -9 fio 2>/dev/null
	remove_devices
}
