# SPDX-License-Identifier: GPL-2.0-or-later
# What could be written, of a map, a path, an array and an NVMe disk: on each kernel what stands here, neither more nor
# less. What appears or goes is a decision.
tests=4
limit=60

set_up()
{
	lun_over_two_paths && multipath mpatha mq "$path0" "$path1" || return 1
	echo mq-deadline >"/sys/block/$dm/queue/scheduler"
	echo mq-deadline >"/sys/block/$path0/queue/scheduler"
	nvme=$(nvme_disk lab-a)
	null_disk a1 size=64 memory_backed=1 && null_disk a2 size=64 memory_backed=1 || return 1
	md 0 a1 a2
}

known_6_1()
{
	case $1 in
	map) echo "\
bdi/max_ratio bdi/min_ratio bdi/read_ahead_kb dm/rq_based_seq_io_merge_deadline queue/add_random
queue/discard_max_bytes queue/io_poll queue/io_poll_delay queue/iosched/async_depth
queue/iosched/fifo_batch queue/iosched/front_merges queue/iosched/prio_aging_expire
queue/iosched/read_expire queue/iosched/write_expire queue/iosched/writes_starved queue/iostats
queue/max_sectors_kb queue/nomerges queue/nr_requests queue/read_ahead_kb queue/rotational
queue/rq_affinity queue/scheduler queue/stable_writes queue/wbt_lat_usec queue/write_cache" ;;
	path) echo "\
bdi/max_ratio bdi/min_ratio bdi/read_ahead_kb device/queue_depth device/timeout queue/add_random
queue/discard_max_bytes queue/io_poll queue/io_poll_delay queue/io_timeout
queue/iosched/async_depth queue/iosched/fifo_batch queue/iosched/front_merges
queue/iosched/prio_aging_expire queue/iosched/read_expire queue/iosched/write_expire
queue/iosched/writes_starved queue/iostats queue/max_sectors_kb queue/nomerges queue/nr_requests
queue/read_ahead_kb queue/rotational queue/rq_affinity queue/scheduler queue/stable_writes
queue/wbt_lat_usec queue/write_cache" ;;
	array) echo "\
bdi/max_ratio bdi/min_ratio bdi/read_ahead_kb md/safe_mode_delay queue/add_random
queue/discard_max_bytes queue/io_poll queue/io_poll_delay queue/iostats queue/max_sectors_kb
queue/nomerges queue/nr_requests queue/read_ahead_kb queue/rotational queue/rq_affinity
queue/scheduler queue/stable_writes queue/wbt_lat_usec queue/write_cache" ;;
	nvme) echo "\
bdi/max_ratio bdi/min_ratio bdi/read_ahead_kb queue/add_random queue/discard_max_bytes
queue/io_poll queue/io_poll_delay queue/io_timeout queue/iostats queue/max_sectors_kb
queue/nomerges queue/nr_requests queue/read_ahead_kb queue/rotational queue/rq_affinity
queue/scheduler queue/stable_writes queue/wbt_lat_usec queue/write_cache" ;;
	esac
}

known_6_12()
{
	case $1 in
	map) echo "\
bdi/max_bytes bdi/max_ratio bdi/max_ratio_fine bdi/min_bytes bdi/min_ratio bdi/min_ratio_fine
bdi/read_ahead_kb bdi/strict_limit dm/rq_based_seq_io_merge_deadline queue/add_random
queue/discard_max_bytes queue/io_poll queue/io_poll_delay queue/iosched/async_depth
queue/iosched/fifo_batch queue/iosched/front_merges queue/iosched/prio_aging_expire
queue/iosched/read_expire queue/iosched/write_expire queue/iosched/writes_starved queue/iostats
queue/max_sectors_kb queue/nomerges queue/nr_requests queue/read_ahead_kb queue/rotational
queue/rq_affinity queue/scheduler queue/stable_writes queue/wbt_lat_usec queue/write_cache" ;;
	path) echo "\
bdi/max_bytes bdi/max_ratio bdi/max_ratio_fine bdi/min_bytes bdi/min_ratio bdi/min_ratio_fine
bdi/read_ahead_kb bdi/strict_limit device/queue_depth device/timeout queue/add_random
queue/discard_max_bytes queue/io_poll queue/io_poll_delay queue/io_timeout
queue/iosched/async_depth queue/iosched/fifo_batch queue/iosched/front_merges
queue/iosched/prio_aging_expire queue/iosched/read_expire queue/iosched/write_expire
queue/iosched/writes_starved queue/iostats queue/max_sectors_kb queue/nomerges queue/nr_requests
queue/read_ahead_kb queue/rotational queue/rq_affinity queue/scheduler queue/stable_writes
queue/wbt_lat_usec queue/write_cache" ;;
	array) echo "\
bdi/max_bytes bdi/max_ratio bdi/max_ratio_fine bdi/min_bytes bdi/min_ratio bdi/min_ratio_fine
bdi/read_ahead_kb bdi/strict_limit md/safe_mode_delay queue/add_random queue/discard_max_bytes
queue/io_poll queue/io_poll_delay queue/iostats queue/max_sectors_kb queue/nomerges
queue/read_ahead_kb queue/rotational queue/stable_writes queue/write_cache" ;;
	nvme) echo "\
bdi/max_bytes bdi/max_ratio bdi/max_ratio_fine bdi/min_bytes bdi/min_ratio bdi/min_ratio_fine
bdi/read_ahead_kb bdi/strict_limit queue/add_random queue/discard_max_bytes queue/io_poll
queue/io_poll_delay queue/io_timeout queue/iostats queue/max_sectors_kb queue/nomerges
queue/nr_requests queue/read_ahead_kb queue/rotational queue/rq_affinity queue/scheduler
queue/stable_writes queue/wbt_lat_usec queue/write_cache" ;;
	esac
}

# writable DEVICE: their names in order, in lines of at most 100 characters
writable()
{
	iodelta knobs list "$1" | awk '/^ / && !/read-only/ { print $1 }' | sort | tr '\n' ' ' | fold -s -w 100 | sed 's/ *$//'
}

known()
{
	case $(uname -r) in
	6.1.*) known_6_1 "$1" ;;
	*) known_6_12 "$1" ;;
	esac
}

run()
{
	is 'map' "$(writable "$dm")" "$(known map)"
	is 'path' "$(writable "$path0")" "$(known path)"
	is 'array' "$(writable md0)" "$(known array)"
	is 'nvme' "$(writable "$nvme")" "$(known nvme)"
}

tear_down() { remove_devices; }
