# SPDX-License-Identifier: GPL-2.0-or-later
# NVMe native multipath: a head below the subsystem, two hidden paths below their controllers. 6.1 does not account the
# head (iostats 0, all counters 0), 6.12 does: here it is derived from the paths, there it is read.
tests=11
limit=60

set_up()
{
	head=$(nvme_disk lab-shared) || return 1
	# shellcheck disable=SC2010
	paths=$(ls /sys/block | grep -E "^${head%n*}c[0-9]+n" | sort | paste -s -d ' ' -)
	[ "$(echo "$paths" | wc -w)" = 2 ]
}

run()
{
	iodelta list -f json >list.json
	is 'kind of the head' "$(dev list.json "$head" kind)" nvme-head
	is 'slaves of the head' "$(names list.json "$head" slaves)" "$paths"
	is 'kind of a path' "$(dev list.json "${paths#* }" kind)" nvme-path
	is 'a path is hidden' "$(dev list.json "${paths#* }" hidden)" true
	is 'and belongs to the head' "$(names list.json "${paths% *}" holders)" "$head"
	is 'drawn' "$(tree "$head")" "$(cat <<END
$head nvme-head
╠═${paths% *} nvme-path
╚═${paths#* } nvme-path
END
)"
	# shellcheck disable=SC2086
	attributes_as_cat "$head" $paths

	load_ready head --filename="/dev/$head" --rw=write --bs=16k --size=8m
	measured stat.json 5
	# shellcheck disable=SC2086
	set -- $paths
	counted 'a path' stat.json "$1" before after
	counted 'the other path' stat.json "$2" before after
	is 'the head has counted 512 writes' "$(amount "$head" w/s)" 512
	if [ "$(cat "/sys/block/$head/queue/iostats")" = 0 ]; then
		like 'derived from its paths' "$(dev stat.json "$head" derived w/s)" "$1.*$2"
	else
		is 'by itself' "$(dev stat.json "$head" derived w/s)" absent
	fi
}

tear_down() { :; }
