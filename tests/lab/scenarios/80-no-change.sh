# SPDX-License-Identifier: GPL-2.0-or-later
# A steady load against itself must not show a change: 60 s, at most two marked cells at the end. Then nine tenths of
# that load: it must be found within 60 s. (81-no-change-long does the same for 20 minutes and counts.)
tests=5
limit=180
alone=1
kernels=6.12

set_up() { null_disk disk size=1024 irqmode=2 completion_nsec=500000; }

# steady IOPS SECONDS
steady()
{
	load_ready steady --filename="/dev/$disk" --rw=randwrite --bs=4k --size=512m --iodepth=8 --rate_iops="$1" \
		--time_based --runtime="$2"
}

run()
{
	steady 1000 72
	load_go
	screen_start 160x30 disk
	shows 'the load is seen' 20 'w/s [1-9]'
	sleep 5
	keys r
	sleep 30
	keys b
	shows 'BEFORE is there' 5 'BEFORE [23][0-9]s'
	sleep 30
	screen | note
	within 'no change: marks' "$(marks)" 0 2
	load_end
	steady 900 80
	load_go
	sleep 2
	keys r
	shows 'a tenth less is found' 60 'disk .*w/s [0-9.]+k? → [0-9.]+ -(9|1[0-3])[0-9.]*% clear'
	screen | note
	keys q
	shows 'the comparison stays in the terminal' 10 'ended with 0'
	load_kill
}

tear_down()
{
	killall -9 fio 2>/dev/null
	remove_devices
}
