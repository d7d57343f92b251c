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

# writable DEVICE: their names in order, in lines of at most 100 characters
writable()
{
	iodelta knobs list "$1" | awk '/^ / && !/read-only/ { print $1 }' | sort | tr '\n' ' ' | fold -s -w 100 | sed 's/ *$//'
}

run()
{
	case $(uname -r) in
	6.1.*) is_as 'map' "$dm" MAP_61; is_as 'path' "$path0" PATH_61; is_as 'array' md0 MD_61; is_as 'nvme' "$nvme" NVME_61 ;;
	*) is_as 'map' "$dm" MAP_612; is_as 'path' "$path0" PATH_612; is_as 'array' md0 MD_612; is_as 'nvme' "$nvme" NVME_612 ;;
	esac
}

is_as() { is "$1" "$(writable "$2")" "$(eval "printf %s \"\$$3\"")"; }

tear_down() { remove_devices; }
