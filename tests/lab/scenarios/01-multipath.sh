# SPDX-License-Identifier: GPL-2.0-or-later
# One LUN over two paths, as request-based and as bio-based multipath, and with two path groups.
tests=25
limit=90

set_up() { lun_over_two_paths; }

# map_is NAME: what must be seen of a map over both paths, however it was made
map_is()
{
	iodelta list -f json "$dm" >list.json
	is "$1: kind" "$(dev list.json "$dm" kind)" multipath
	is "$1: name" "$(dev list.json "$dm" dm_name)" "$1"
	is "$1: uuid" "$(dev list.json "$dm" uuid)" "mpath-lab-$1"
	is "$1: slaves" "$(names list.json "$dm" slaves)" "$(printf '%s\n' "$path0" "$path1" | sort | paste -s -d ' ' -)"
	is "$1: a path's holder" "$(names list.json "$path1" holders)" "$dm"
	is "$1: identity" "$(dev list.json "$dm" identity key)" "mpath-lab-$1"
	is "$1: drawn over its paths" "$(tree "$dm" | sort)" "$(sort <<END
$dm multipath
╠═$(printf '%s\n' "$path0" "$path1" | sort -V | sed -n 1p) disk
╚═$(printf '%s\n' "$path0" "$path1" | sort -V | sed -n 2p) disk
END
)"
	attributes_as_cat "$dm" "$path0" "$path1"
}

run()
{
	multipath requests mq "$path0" "$path1" || return
	map_is requests
	dmsetup remove requests
	multipath bios bio "$path0" "$path1" || return
	map_is bios
	iodelta stat -f json "$dm" 0.2 1 >stat.json
	like 'bios: flushes cannot be known' "$(dev stat.json "$dm" na f/s)" 'no such field'
	dmsetup remove bios
	dm groups "0 524288 multipath 0 0 2 1 round-robin 0 1 1 $(number_of "$path0") 1 round-robin 0 1 1 \
		$(number_of "$path1") 1" --uuid mpath-lab-groups || return
	map_is groups
}

tear_down() { remove_devices; }
