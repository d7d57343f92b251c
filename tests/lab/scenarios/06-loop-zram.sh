# SPDX-License-Identifier: GPL-2.0-or-later
# A loop device on a file, and zram as swap.
tests=7
limit=30

set_up()
{
	truncate -s 64M "$work/disk image" && loop=$(losetup -f) && losetup "$loop" "$work/disk image" || return 1
	loop=${loop#/dev/}
	modprobe zram && echo 64M >/sys/block/zram0/disksize && mkswap /dev/zram0 >/dev/null && swapon /dev/zram0
}

run()
{
	iodelta list -f json >list.json
	is 'loop: kind' "$(dev list.json "$loop" kind)" loop
	is 'loop: its file' "$(dev list.json "$loop" backing_file)" "$work/disk image"
	is 'loop: size' "$(dev list.json "$loop" size)" 67108864
	is 'zram: kind' "$(dev list.json zram0 kind)" zram
	is 'zram: used as swap' "$(dev list.json zram0 mount)" '[SWAP]'
	attributes_as_cat "$loop" zram0
	screen_start 80x24
	shows 'hidden on the screen' 20 'devices hidden \(z\)'
	keys q
}

tear_down()
{
	swapoff /dev/zram0
	remove_devices
}
