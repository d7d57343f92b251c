# SPDX-License-Identifier: GPL-2.0-or-later
# Loads of known size over three kinds of stack at once. One report over all of it must be, layer by layer, what the
# kernel counted in it, what fio did, and what iostat -x makes of it; fio's own Disk stats as far as they go.
tests=33
limit=90

set_up()
{
	lun_over_two_paths && multipath mpatha mq "$path0" "$path1" && map=$dm || return 1
	a=$(nvme_disk lab-a) b=$(nvme_disk lab-b)
	partitions "$a" 64 && partitions "$b" 64 && a1=$(part_of "$a" 1) b1=$(part_of "$b" 1) || return 1
	dm vg-stripe "0 262144 striped 2 128 /dev/$a1 0 /dev/$b1 0" --uuid LVM-lab-stripe && stripe=$dm || return 1
	null_disk m0 size=128 memory_backed=1 && m0=$disk && null_disk m1 size=128 memory_backed=1 && m1=$disk || return 1
	md 1 "$m0" "$m1" || return 1
	# else it writes its superblocks once more, a moment after the load
	echo 0 >/sys/block/md0/md/safe_mode_delay
	dm vg-lv "0 131072 linear /dev/md0 2048" --uuid LVM-lab-lv && lv=$dm
}

edge() { dev stat.json "$1" edges "$2" ${3:+"$3"}; }

run()
{
	# fio looks at its Disk stats every 250 ms and not at the end: a pause before the last blocks lets it see the rest
	load_ready all --rw=write --bs=16k --size=48m --iodepth=128 --iodepth_batch_submit=16 --filename="/dev/$map" \
		--thinktime=1s --thinktime_blocks=3056 --thinktime_blocks_type=issue \
		--name=stripe --filename="/dev/$stripe" --rw=randrw --bs=64k --size=32m --iodepth=8 --norandommap \
		--thinktime=1s --thinktime_blocks=500 \
		--name=lv --filename="/dev/$lv" --rw=randwrite --bs=4k --size=48m --io_size=2m --iodepth=4 \
		--thinktime=1s --thinktime_blocks=500 || return
	iostat -x -y -p ALL -o JSON $((10 * ${SLOWER:-1})) 1 >iostat.json &
	iostat=$!
	wait_for 5 diskstats_open $iostat
	measured stat.json 10
	wait $iostat

	for name in "$map" "$path0" "$path1" "$stripe" "$a1" "$b1" "$a" "$b" "$lv" md0 "$m0" "$m1"; do
		counted layers stat.json "$name" before after
	done
	for name in "$map" "$path0" "$stripe" "$a" "$lv" "$m0"; do
		as_iostat stat.json iostat.json "$name"
	done
	for name in "$map" "$path0" "$stripe" "$a" "$lv" md0 "$m0"; do
		as_fio all.json before after "$name"
	done

	# 48 MiB in 16 KiB, each either an I/O of the map or merged into one; no sector is lost on the way down
	is 'map: writes and merges are what fio wrote' "$(($(amount "$map" w/s) + $(amount "$map" wrqm/s)))" 3072
	is 'map: sectors' "$(amount "$map" wsec/s)" 98304
	is 'paths: sectors' "$(($(amount "$path0" wsec/s) + $(amount "$path1" wsec/s)))" 98304
	# chunks are 64 KiB and the requests lie on them: nothing is split
	is 'stripe: I/Os' "$(($(amount "$stripe" r/s) + $(amount "$stripe" w/s)))" 512
	is 'stripe: its edge says so' "$(edge "$stripe" split)" 1
	is 'LV: writes' "$(amount "$lv" w/s)" 512
	# a mirror writes everything twice
	within 'mirror: two I/Os for each' "$(edge md0 split)" 2 2.1
	within 'map: its share of the merges is all of them' "$(edge "$map" merge_share)" 0.95 1
	note <<END
$(uname -r): map $map split $(edge "$map" split), shares $(edge "$map" path_share "$path0") \
$(edge "$map" path_share "$path1"), added latency: stripe $(edge "$stripe" added_latency) ms,\
 LV $(edge "$lv" added_latency) ms
END
}

tear_down() { remove_devices; }
