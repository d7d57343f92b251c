# SPDX-License-Identifier: GPL-2.0-or-later
# One I/O at a time with pauses between: a device that takes 3 ms for each is busy for a part of the time that fio can
# tell. What %util says of it depends on the kernel's way of counting; the program shows what the kernel says.
tests=5
limit=40

set_up() { null_disk slow size=1024 irqmode=2 completion_nsec=3000000; }

run()
{
	local busy ios
	load_ready pause --filename="/dev/$disk" --rw=randread --bs=4k --size=512m --number_ios=300 --thinktime=4ms
	measured stat.json 6
	counted 'with pauses' stat.json "$disk" before after
	ios=$(fio_value pause read total_ios)
	busy=$(calc "$ios * $(q pause.json jobs 0 read clat_ns mean) / 1e7 / $(q stat.json interval)")
	is 'reads' "$(amount "$disk" r/s)" "$ios"
	# counted from start to end in ns, shown in ms; fio's clock runs a little longer
	within 'await' "$(dev stat.json "$disk" await)" 2.9 "$(calc "$(q pause.json jobs 0 read clat_ns mean) / 1e6 + 0.1")"
	# the time is sampled in ticks of 4 ms: both kernels may be a tick off each time, and not more
	within '%util' "$(dev stat.json "$disk" %util)" "$(calc "$busy * 0.3")" "$(calc "$busy * 2.4")"
	within 'aqu-sz' "$(calc "$(dev stat.json "$disk" aqu-sz) * 100")" "$(calc "$busy * 0.6")" "$(calc "$busy * 1.1")"
	echo "# $(uname -r): by fio busy $busy %, %util $(dev stat.json "$disk" %util), aqu-sz $(dev stat.json "$disk" aqu-sz)"
}

tear_down() { remove_devices; }
