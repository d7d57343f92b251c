# SPDX-License-Identifier: GPL-2.0-or-later
# A stripe over NVMe *partitions*: it reaches the disks through them.
tests=7
limit=40

set_up()
{
	a=$(nvme_disk lab-a) b=$(nvme_disk lab-b)
	partitions "$a" 64 64 && partitions "$b" 64 || return 1
	a1=$(part_of "$a" 1) b1=$(part_of "$b" 1)
	dm vg-stripe "0 262144 striped 2 128 /dev/$a1 0 /dev/$b1 0" --uuid LVM-lab-stripe
}

run()
{
	iodelta list -f json >list.json
	is 'kind' "$(dev list.json "$dm" kind)" lvm
	is 'slaves are the partitions' "$(names list.json "$dm" slaves)" \
		"$(printf '%s\n' "$a1" "$b1" | sort | paste -s -d ' ' -)"
	is 'a partition belongs to its disk' "$(dev list.json "$a1" parent)" "$a"
	is 'and is held by the stripe' "$(names list.json "$a1" holders)" "$dm"
	is 'serial' "$(dev list.json "$b" serial)" lab-b
	# the legs stand in full below the stripe, and are only referred to below their disks; the other partition is
	# neither above nor below it
	is 'drawn once' "$(tree "$dm" | sort)" "$(sort <<END
$dm lvm
╠═$(printf '%s\n' "$a1" "$b1" | sort | sed -n 1p) partition
╚═$(printf '%s\n' "$a1" "$b1" | sort | sed -n 2p) partition
$a disk
└─↑ $a1 partition
$b disk
└─↑ $b1 partition
END
)"
	attributes_as_cat "$dm" "$a" "$b"
}

tear_down() { remove_devices; }
