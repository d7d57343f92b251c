# SPDX-License-Identifier: GPL-2.0-or-later
# Several LVs on one disk, beside a mounted partition of the same disk.
tests=8
limit=40

set_up()
{
	null_disk pv size=1024 memory_backed=1 && partitions "$disk" 64 512 || return 1
	mounted=$(part_of "$disk" 1) pv=$(part_of "$disk" 2)
	mkfs.ext4 -q "/dev/$mounted" && mount -t ext4 "/dev/$mounted" /mnt || return 1
	dm vg-a "0 131072 linear /dev/$pv 0" --uuid LVM-lab-a && a=$dm
	dm vg-b "0 131072 linear /dev/$pv 131072" --uuid LVM-lab-b && b=$dm
	dm vg-c "0 131072 linear /dev/$pv 262144" --uuid LVM-lab-c && c=$dm
}

run()
{
	iodelta list -f json >list.json
	is 'kind' "$(dev list.json "$a" kind)" lvm
	is 'name' "$(dev list.json "$c" dm_name)" vg-c
	is 'slave' "$(names list.json "$b" slaves)" "$pv"
	is 'holders of the physical volume' "$(names list.json "$pv" holders)" "$a $b $c"
	is 'mounted' "$(dev list.json "$mounted" mount)" /mnt
	is 'drawn as a tree' "$(tree "$disk")" "$(cat <<END
$disk disk
├─$mounted partition
└─$pv partition
  ├─$a lvm
  ├─$b lvm
  └─$c lvm
END
)"
	is 'below one of them' "$(tree "$b" | grep -c "$a")" 0
	attributes_as_cat "$a" "$disk"
}

tear_down() { remove_devices; }
