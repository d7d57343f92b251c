# SPDX-License-Identifier: GPL-2.0-or-later
# Devices come and go while a load runs and two instances watch: hosts, maps, loop devices, the same name again within
# one interval, 200 disks at once. There is no udevd here. No crash, no ghost, no wrong number, memory returns.
tests=12
limit=150

set_up() { scsi_debug 1 dev_size_mb=16 delay=0 && null_disk busy size=1024 irqmode=2 completion_nsec=1000000; }

hosts() { echo "$1" >/sys/bus/pseudo/drivers/scsi_debug/add_host; }

rss() { awk '/^VmRSS/ { print $2 }' "/proc/$1/status"; }

# coming_and_going ROUNDS: hosts, maps and loop devices
coming_and_going()
{
	local i
	for i in $(seq "$1"); do
		hosts 3
		dmsetup create "map$i" --table "0 2048 linear /dev/$disk $((i * 2048))"
		losetup -f "$work/file"
		hosts -3
		dmsetup remove "map$i"
		losetup -d "$(losetup -a | sed -n 's/:.*//p')"
	done
}

# bad_numbers FILE: rates that no device here can reach, negative ones, values that are no numbers
bad_numbers()
{
	sed -E 's/"(na|derived)": ?\{[^}]*\}//g; s/[,{]/\n/g' "$1" |
		sed -nE 's/^"(r\/s|w\/s|d\/s|f\/s|r_await|w_await|%util)": ?(.*)/\1 \2/p' |
		awk '$2 != "null" && !($2 ~ /^[0-9.e-]+$/ && $2 >= 0 && $2 < 100000)'
}

# same_devices: those of one fresh report are those of the kernel
same_devices()
{
	iodelta stat -f csv 0.2 1 | awk -F , '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /^(device|name)$/) c = i; next }
		{ print $c }' | sort >shown.txt
	awk '{ print $3 }' /proc/diskstats | sort >real.txt
	diff shown.txt real.txt
}

run()
{
	truncate -s 16M file
	load_ready busy --filename="/dev/$disk" --rw=randread --bs=4k --size=512m --iodepth=4 --time_based --runtime=90
	load_go
	screen_start 100x40
	shows 'the screen is there' 20 'busy'
	iodelta stat -f json 0.5 >all.json 2>all.err &
	watch=$!
	pid=$(pidof iodelta | tr ' ' '\n' | grep -vx $watch | head -n 1)
	coming_and_going 2
	memory=$(rss $watch)
	coming_and_going 3
	ok 'stat has lived through it' kill -0 $watch
	within 'and holds what it held, KiB' "$(rss $watch)" 100 $((memory + 1024))

	# the same name again, with another diskseq, within one interval of a second watcher
	dm again "0 2048 linear /dev/$disk 0"
	dd if="/dev/$dm" of=/dev/null bs=4k count=9 iflag=direct 2>/dev/null
	report_start again.json 4
	dmsetup remove again
	dm again "0 2048 linear /dev/$disk 0"
	dd if="/dev/$dm" of=/dev/null bs=4k count=100 iflag=direct 2>/dev/null
	report_end
	is 'the same name again is a new device' "$(dev again.json "$dm" r/s)" null
	like 'and it says so' "$(dev again.json "$dm" na r/s)" 'new|first'
	dmsetup remove again

	modprobe brd rd_nr=200
	ok '200 disks at once: all are seen' wait_for 20 same_devices
	iodelta list >list.txt
	is 'and listed' "$(grep -c '^ram.* ram ' list.txt)" 200
	modprobe -r brd
	ok 'and gone again' wait_for 20 same_devices
	keys z
	sleep 2
	is 'no ghost on the screen' "$(screen | grep -cE ' sd[b-z]+ | ram[0-9]|map[0-9]')" 0
	kill $watch
	wait $watch 2>/dev/null
	bad_numbers all.json >bad.txt
	ok 'no wrong number' test ! -s bad.txt
	head -n 5 bad.txt | note
	is 'every report is JSON' "$(json_lines all.json)" "$(wc -l <all.json) of $(wc -l <all.json)"
	keys q
	shows 'the screen has lived through it' 10 'ended with 0'
	load_kill
}

# json_lines FILE: how many of its lines are JSON (one is tried in ten, as each takes a process)
json_lines()
{
	local n=0 total i
	total=$(wc -l <"$1")
	for i in $(seq 1 10 "$total"); do
		jsonq -l "$i" "$1" interval >/dev/null || n=$((n + 1))
	done
	echo "$((total - n)) of $total"
}

tear_down()
{
	killall -9 fio iodelta 2>/dev/null
	remove_devices
}
