# SPDX-License-Identifier: GPL-2.0-or-later
# md raid1 with an LV on it and crypt on that; md raid0 over the same disks.
tests=11
limit=60

set_up()
{
	null_disk m0 size=128 memory_backed=1 && m0=$disk
	null_disk m1 size=128 memory_backed=1 && m1=$disk
	[ -b "/dev/$m0" ] && [ -b "/dev/$m1" ]
}

run()
{
	local sectors
	md 1 "$m0" "$m1" || return
	sectors=$(sectors_of md0)
	dm vg-lv "0 $((sectors - 2048)) linear /dev/md0 2048" --uuid LVM-lab-lv || return
	lv=$dm
	dm secret "0 $((sectors - 2048)) crypt cipher_null-ecb-null - 0 /dev/$lv 0" --uuid CRYPT-PLAIN-secret || return
	iodelta list -f json >list.json
	is 'crypt: kind' "$(dev list.json "$dm" kind)" crypt
	is 'crypt: slave' "$(names list.json "$dm" slaves)" "$lv"
	is 'LV: slave' "$(names list.json "$lv" slaves)" md0
	is 'md: kind' "$(dev list.json md0 kind)" md
	is 'md: level' "$(dev list.json md0 attributes md/level value)" raid1
	is 'md: slaves' "$(names list.json md0 slaves)" "$m0 $m1"
	is 'drawn: legs first, then what sits on it' "$(tree md0)" "$(cat <<END
md0 md
╠═$m0 disk
╚═$m1 disk
└─$lv lvm
  └─$dm crypt
END
)"
	attributes_as_cat "$dm" "$lv" md0
	dmsetup remove secret
	dmsetup remove vg-lv
	mdadm --stop /dev/md0 2>&1 | note
	md 0 "$m0" "$m1" || return
	iodelta list -f json >list.json
	is 'raid0: level' "$(dev list.json md0 attributes md/level value)" raid0
	is 'raid0: slaves' "$(names list.json md0 slaves)" "$m0 $m1"
	attributes_as_cat md0 "$m0"
}

tear_down() { remove_devices; }
