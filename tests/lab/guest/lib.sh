# SPDX-License-Identifier: GPL-2.0-or-later
# What every scenario may use: results, waiting, devices, the program, its screen. Sourced, for busybox sh.
# shellcheck shell=dash disable=SC3043,SC2034,SC2010,SC2013,SC2045
work=/tmp/work
failures=/tmp/failures
gate=

# --- results: one planned test each, as TAP without numbers ---

not_ok()
{
	echo "not ok - $1"
	: >$failures
}

# ok WHAT COMMAND...: the command must succeed
ok()
{
	local what=$1
	shift
	if "$@"; then echo "ok - $what"; else not_ok "$what"; fi
}

# is WHAT GOT WANTED: two texts must be equal
is()
{
	if [ "$2" = "$3" ]; then echo "ok - $1"; return; fi
	not_ok "$1"
	printf '%s\n' "$2" | sed 's/^/# got:    /'
	printf '%s\n' "$3" | sed 's/^/# wanted: /'
}

# like WHAT TEXT REGEX: one line of the text must match the extended regular expression
like()
{
	if printf '%s\n' "$2" | grep -Eq -e "$3"; then echo "ok - $1"; return; fi
	not_ok "$1"
	printf '%s\n' "$2" | sed 's/^/# got:    /'
	printf '# wanted: %s\n' "$3"
}

# within WHAT NUMBER LOW HIGH
within()
{
	if awk -v x="$2" -v a="$3" -v b="$4" 'BEGIN { exit !(x ~ /^[-+0-9.eE]+$/ && x + 0 >= a + 0 && x + 0 <= b + 0) }'; then
		echo "ok - $1"
		return
	fi
	not_ok "$1"
	printf '# got:    %s\n# wanted: %s to %s\n' "$2" "$3" "$4"
}

# skip WHAT WHY: said, and counted as skipped
skip() { echo "skip - $1 # SKIP $2"; }

# note: what is on stdin becomes a comment
note() { sed 's/^/# /'; }

# calc EXPRESSION: one number, by awk
calc() { awk "BEGIN { printf \"%.10g\", $1 }"; }

# --- waiting: for conditions, with a deadline ---

now() { cut -d ' ' -f 1 /proc/uptime; }

# wait_for SECONDS COMMAND...: until the command succeeds
wait_for()
{
	local seconds=$1 end
	shift
	end=$(calc "$(now) + $seconds")
	until "$@" >/dev/null 2>&1; do
		[ "$(calc "$(now) < $end")" = 1 ] || return 1
		sleep 0.1
	done
}

# --- devices: found by what they are, never by a name that changes from boot to boot ---

number_of() { cat "/sys/class/block/$1/dev"; }

# scsi_disks: the disks of scsi_debug in the order of their hosts
scsi_disks()
{
	local dir
	for dir in /sys/bus/pseudo/drivers/scsi_debug/adapter*/host*/target*/*/block/*; do
		[ -e "$dir" ] && echo "${dir##*/host}"
	done | sort -n | sed 's|.*/||'
}

scsi_count_is() { [ "$(scsi_disks | wc -l)" = "$1" ] && [ -z "$(missing_nodes)" ]; }
missing_nodes() { scsi_disks | while read -r name; do [ -b "/dev/$name" ] || echo "$name"; done; }

# scsi_debug COUNT PARAMETER...: COUNT disks, each on a host of its own, over one store. Sets path0 and path1.
scsi_debug()
{
	local count=$1
	shift
	modprobe scsi_debug add_host="$count" "$@" && modprobe sd_mod && wait_for 20 scsi_count_is "$count" || return 1
	path0=$(scsi_disks | sed -n 1p)
	path1=$(scsi_disks | sed -n 2p)
}

# lun_over_two_paths: as a storage array gives it: path0 and path1 are one LUN of 256 MiB, of 32 commands each. The
# depth is set here and not by scsi_debug's max_queue: on 6.1 that makes it abort what comes beyond it, and a map takes
# that for a dead path.
lun_over_two_paths()
{
	scsi_debug 2 vpd_use_hostno=0 dev_size_mb=256 delay=1 fake_rw=1 || return 1
	echo 32 >"/sys/block/$path0/device/queue_depth"
	echo 32 >"/sys/block/$path1/device/queue_depth"
}

# null_disk NAME ATTRIBUTE=VALUE...: a null_blk disk; sets `disk`
null_disk()
{
	local dir=/sys/kernel/config/nullb/$1 pair
	shift
	mkdir "$dir" || return 1
	echo 0 >"$dir/irqmode"
	for pair in "$@"; do
		echo "${pair#*=}" >"$dir/${pair%%=*}" || return 1
	done
	echo 1 >"$dir/power" || return 1
	disk=nullb$(cat "$dir/index")
	# from 6.12 on a disk may carry the folder's name
	[ -e "/sys/block/$disk" ] || disk=${dir##*/}
	wait_for 5 test -b "/dev/$disk"
}

# nvme_disk SERIAL: prints the disk of that serial, the one that has a node in /dev
nvme_disk()
{
	local dir
	for dir in /sys/block/nvme*; do
		[ "$(cat "$dir/hidden")" = 0 ] || continue
		grep -qs "^$1 *\$" "$dir/device/serial" && echo "${dir##*/}" && return
	done
	return 1
}

# partitions DISK MIB...: partitions of these sizes, told to the kernel without a table on the disk
partitions()
{
	local disk=$1 start=2048 number=1 size
	shift
	for size in "$@"; do
		addpart "/dev/$disk" $number $start $((size * 2048)) || return 1
		wait_for 5 test -b "/dev/$(part_of "$disk" $number)" || return 1
		start=$((start + size * 2048)) number=$((number + 1))
	done
}

part_of()
{
	case $1 in
	*[0-9]) echo "${1}p$2" ;;
	*) echo "$1$2" ;;
	esac
}

# dm NAME TABLE [OPTION...]: a device-mapper device; sets `dm` to its kernel name
dm()
{
	local name=$1 table=$2
	shift 2
	dmsetup create "$name" --table "$table" "$@" || return 1
	dm=$(dm_name "$name")
	wait_for 5 test -b "/dev/$dm"
}

dm_name()
{
	local dir
	for dir in /sys/block/dm-*; do
		[ "$(cat "$dir/dm/name" 2>/dev/null)" = "$1" ] && echo "${dir##*/}" && return
	done
	return 1
}

# multipath NAME MODE PATH...: one path group, round-robin, which waits for a path when all are gone; sets dm
multipath()
{
	local name=$1 mode=$2 paths='' path
	shift 2
	for path in "$@"; do
		paths="$paths $(number_of "$path") 1"
	done
	dm "$name" "0 524288 multipath 3 queue_mode $mode queue_if_no_path 0 1 1 round-robin 0 $# 1$paths" \
		--uuid "mpath-lab-$name"
}

# md LEVEL DISK...: md0 over them
md()
{
	local level=$1
	shift
	# shellcheck disable=SC2046 # one word each
	mdadm --create /dev/md0 --run --level="$level" --raid-devices=$# --metadata=1.2 --assume-clean \
		$(printf '/dev/%s ' "$@") 2>&1 | note
	wait_for 5 test -b /dev/md0
}

# reinstate NAME: every path of it that has failed; there is no multipathd to do it
reinstate()
{
	local path
	for path in "$path0" "$path1"; do
		dmsetup message "$1" 0 "reinstate_path $(number_of "$path")"
	done
}

sectors_of() { cat "/sys/class/block/$1/size"; }

# unload MODULE: somebody may still be closing a device of it
unload() { [ ! -e "/sys/module/$1" ] || wait_for 10 modprobe -r "$1"; }

remove_null_disks()
{
	local dir
	for dir in /sys/kernel/config/nullb/*/; do
		rmdir "$dir"
	done 2>/dev/null
}

# remove_devices: everything that the functions above, mdadm, losetup and mount made
remove_devices()
{
	local dir
	for dir in $(awk '$1 ~ "^/dev/" { print $2 }' /proc/mounts); do
		umount "$dir"
	done
	for dir in $(seq 8); do
		dmsetup remove_all --force >/dev/null 2>&1
		[ -n "$(ls -d /sys/block/md* 2>/dev/null)" ] && mdadm --stop --scan 2>/dev/null
		[ -n "$(ls -d /sys/block/dm-* /sys/block/md* 2>/dev/null)" ] || break
	done
	for dir in /sys/block/loop*; do
		[ ! -e "$dir/loop/backing_file" ] || losetup -d "/dev/${dir##*/}"
	done
	remove_null_disks
	for dir in $(ls -d /sys/block/nvme*/nvme*p[0-9] 2>/dev/null); do
		delpart "/dev/$(basename "$(dirname "$dir")")" "$(cat "$dir/partition")"
	done
	unload scsi_debug
	unload zram
}

# left_devices: what is there that was not at boot. A loop device stays, without a file.
left_devices() { ls /sys/block | grep -v '^loop' | grep -vxF -f /tmp/at-boot; }

# --- the program ---

# q FILE WORD...: a value from its JSON (see jsonq.c)
q()
{
	jsonq "$@" 2>/dev/null || echo absent
}

# dev FILE NAME WORD...: a value of one device in `list -f json`, or in the first report of `stat -f json`
dev()
{
	local file=$1 name=$2
	shift 2
	jsonq -l 1 "$file" devices "[name=$name]" "$@" 2>/dev/null || echo absent
}

# names FILE NAME slaves|holders: the list without JSON's signs, in order of the alphabet
names() { dev "$1" "$2" "$3" | tr -d '[]" ' | tr , '\n' | sort | paste -s -d ' ' -; }

# tree [DEVICE...]: the lines of `list`, name and kind only
tree() { iodelta list "$@" | sed -E '1d; s/^([^a-z]*[^ ]+ +[^ ]+).*/\1/; s/ +([^ ]+)$/ \1/'; }

# Attributes that move while nobody does anything. bdi's bytes are parts of a limit that follows the free memory.
moving='^device/io(done|request)_cnt|^md/(last_sync_action|sync_|reshape|stripe)|^bdi/(min|max)_bytes'

# listed_attributes FILE DEVICE: what `list -f json` says, a line "PATH value|error TEXT" each
listed_attributes()
{
	dev "$1" "$2" attributes | sed -E 's/^\{//; s/\}$//; s/\}, "/}\n"/g' |
		sed -nE 's/^"([^"]+)": \{"(value|error)": "(.*)"(, "age": [-+0-9.e]+)?\}$/\1 \2 \3/p' | sort
}

# real_attributes DEVICE PATH...: the same by reading the files, these and all that must be listed. One awk for all,
# as a process for each would take seconds; only what cannot be read is asked once more, for the reason.
real_attributes()
{
	local dir=/sys/class/block/$1/ name
	shift
	{
		find "$dir" -type f -perm -0400 -path "${dir}[qdm]*" -maxdepth 3 2>/dev/null |
			grep -E "^$dir(queue|queue/iosched|dm|md)/[^/]*\$"
		for name in "$@"; do
			echo "$dir$name"
		done
	} | sort -u | awk -v dir="$dir" '
	{
		text = ""
		count = 0
		while ((status = getline line < $0) > 0)
			text = text (count++ ? "\\n" : "") line
		close($0)
		if (status < 0) {
			command = "cat " $0 " 2>&1"
			command | getline text
			close(command)
			sub(/.*: /, "", text)
		}
		sub(/[ \t]+$/, "", text)
		print substr($0, length(dir) + 1), status < 0 ? "error" : "value", text
	}'
}

# attributes_as_cat DEVICE...: every attribute of every one of them; one test
attributes_as_cat()
{
	local name
	iodelta list -f json "$@" >attributes.json
	for name in "$@"; do
		listed_attributes attributes.json "$name" | grep -Ev "$moving" >listed.txt
		# shellcheck disable=SC2046 # one word each
		real_attributes "$name" $(cut -d ' ' -f 1 listed.txt) | grep -Ev "$moving" >real.txt
		[ "$(wc -l <listed.txt)" -gt 20 ] || echo "$name: only $(wc -l <listed.txt) attributes"
		diff listed.txt real.txt | grep '^[-+][a-z]' | sed "s/^/$name: /"
	done >differ.txt
	ok "every attribute of $# devices is what cat shows" test ! -s differ.txt
	note <differ.txt
}

# --- loads and what they must have counted ---

# load NAME [OPTION...]: fio on a device, direct; its result goes to NAME.json. A --name among the options begins one
# more job.
load()
{
	local name=$1
	shift
	fio --direct=1 --ioengine=libaio --output-format=json --output="$name.json" ${gate:+--exec_prerun="$gate"} \
		--name="$name" "$@" >"$name.err" 2>&1
}

# load_ready NAME [OPTION...]: the same, but it waits, ready to begin, until load_go; load_end waits for its end. So the
# seconds that fio takes to start are not in what is measured.
load_ready()
{
	rm -f ready go
	gate='touch ready; until [ -e go ]; do sleep 0.1; done'
	load "$@" &
	fio=$!
	gate=
	wait_for 60 test -e ready && return
	note <"$1.err"
	return 1
}

load_go() { touch go; }
load_end() { wait "$fio"; }
# load_kill: a load that is not to end by itself. With SIGTERM fio may wait for ever for events that it had already.
load_kill()
{
	killall -9 fio
	wait "$fio" 2>/dev/null
}

# measured FILE SECONDS: all of a load that is ready, in one report; copies of the counters around it
measured()
{
	report_start "$1" $(($2 * ${SLOWER:-1}))
	cp /proc/diskstats before
	load_go
	load_end
	cp /proc/diskstats after
	kill -0 "$report" 2>/dev/null || echo "# the load was not over in $2 s"
	report_end
}

# amount DEVICE METRIC: of stat.json, the rate times the interval, as a whole number
amount() { awk "BEGIN { printf \"%.0f\", $(dev stat.json "$1" "$2") * $(q stat.json interval) }"; }

fio_value() { q "$1.json" jobs 0 "$2" "$3"; }

# grown BEFORE AFTER DEVICE: the growth of the counters between two copies of /proc/diskstats
grown()
{
	awk -v name="$3" '
	$3 == name && NR == FNR { for (i = 4; i <= NF; i++) old[i] = $i; next }
	$3 == name { for (i = 4; i <= NF; i++) printf "%.0f%s", $i - old[i], i < NF ? " " : "\n" }' "$1" "$2"
}

# flat FILE DEVICE: a device of a one-line JSON report as lines "KEY VALUE"; the report's own keys too
flat()
{
	{ jsonq "$1" devices "[name=$2]"; printf '{"interval": %s}\n' "$(q "$1" interval)"; } |
		sed -E 's/"na": .*//; s/[{}]//g; s/, "/\n"/g' | sed -nE 's/^"([^"]+)": (.*[^,]),?$/\1 \2/p'
}

# counted WHAT REPORT DEVICE BEFORE AFTER: does a report over all of a load give back what the kernel counted in it?
# Rates give counts back to a millionth; a ratio must be exact to the digits printed.
counted()
{
	grown "$4" "$5" "$3" >grown.txt
	flat "$2" "$3" >flat.txt
	awk '
	function close_to(key, want, slack,   got)
	{
		got = v[key]
		# so fast that the clock saw nothing: not known, and not 0
		if (got == "null" && want == 0 && !($4 + $8 + $10 + $11))
			return
		if (got == "null" || got == "" || got - want > slack || want - got > slack) {
			printf "%s is %s, by the counters %.6f\n", key, got == "" ? "absent" : got, want
			bad = 1
		}
	}
	function ratio(key, n, d) { if (d > 0) close_to(key, n / d, 0.001) }
	FILENAME == "flat.txt" { key = $0; sub(/ [^ ]*$/, "", key); v[key] = $NF; next }
	{
		t = v["interval"]
		close_to("r/s", $1 / t, 0.01); close_to("rrqm/s", $2 / t, 0.01); close_to("rkB/s", $3 / 2 / t, 0.1)
		close_to("w/s", $5 / t, 0.01); close_to("wrqm/s", $6 / t, 0.01); close_to("wkB/s", $7 / 2 / t, 0.1)
		ratio("r_await", $4, $1); ratio("w_await", $8, $5); ratio("await", $4 + $8, $1 + $5)
		ratio("rareq-sz", $3 / 2, $1); ratio("wareq-sz", $7 / 2, $5); ratio("%wrqm", 100 * $6, $5 + $6)
		close_to("%util", $10 / 10 / t, 0.01); close_to("aqu-sz", $11 / 1000 / t, 0.001)
	}
	END { exit bad || !t }' flat.txt grown.txt >counted.txt
	ok "$1: $3 is what the kernel counted" test ! -s counted.txt -a -s grown.txt
	note <counted.txt
}

# as_iostat REPORT IOSTAT DEVICE: two reports that both hold all of a load: ratios agree to iostat's two digits,
# rates but for the lengths of the two intervals
as_iostat()
{
	flat "$1" "$3" >flat.txt
	jsonq "$2" sysstat hosts 0 statistics -1 disk "[disk_device=$3]" | tr -d '{}' | sed 's/, "/\n"/g' |
		sed -nE 's/^"([^"]+)": (.*)$/\1 \2/p' >iostat.txt
	awk '
	function check(key, theirs, slack,   a, b)
	{
		a = v[key] == "null" ? 0 : v[key]
		b = w[theirs]
		if (b == "" || v[key] == "" || a - b > slack + slack * b || b - a > slack + slack * b) {
			printf "%s %s, iostat %s %s\n", key, v[key], theirs, b
			bad = 1
		}
	}
	FILENAME == "flat.txt" { key = $0; sub(/ [^ ]*$/, "", key); v[key] = $NF; next }
	{ w[$1] = $2 }
	END {
		split("r_await w_await rareq-sz wareq-sz", same)
		for (i in same)
			check(same[i], same[i], 0.006)
		check("%wrqm", "wrqm", 0.006)
		split("r/s w/s rkB/s wkB/s rrqm/s wrqm/s aqu-sz", near)
		for (i in near)
			check(near[i], near[i], 0.06)
		check("%util", "util", 0.06)
		exit bad
	}' flat.txt iostat.txt >differ.txt
	ok "$3 is what iostat -x says" test ! -s differ.txt
	note <differ.txt
}

# as_fio FILE BEFORE AFTER DEVICE: fio's Disk stats of the load against the counters' growth around it. fio begins later
# and ends sooner, so its numbers are never more; what it misses are the last blocks.
as_fio()
{
	grown "$2" "$3" "$4" >grown.txt
	jsonq "$1" disk_util "[name=$4]" | tr -d '{}' | sed 's/, "/\n"/g' | sed -nE 's/^ *"([^"]+)": ([^,]+),?$/\1 \2/p' >fio.txt
	awk '
	function check(key, most)
	{
		if (!(key in v) || v[key] > most || v[key] < most * 0.9 - 16) {
			printf "%s is %s, by the counters %s\n", key, key in v ? v[key] : "absent", most
			bad = 1
		}
	}
	FILENAME == "fio.txt" { v[$1] = $2; next }
	{
		check("read_ios", $1); check("read_merges", $2); check("read_ticks", $4)
		check("write_ios", $5); check("write_merges", $6); check("write_ticks", $8)
		any = 1
	}
	END { exit bad || !any }' fio.txt grown.txt >differ.txt
	ok "$4 is what fio's Disk stats say" test ! -s differ.txt
	note <differ.txt
}

# sum FILE DEVICE METRIC: rates times intervals over all reports, which gives back what was counted, as a whole number
sum()
{
	awk -v device="$2" -v metric="$3" '
	function number(text, key)
	{
		key = "\"" key "\":"
		if (!index(text, key))
			return 0
		text = substr(text, index(text, key) + length(key))
		return text + 0
	}
	{
		gsub(/": /, "\":")
		t = number($0, "interval")
		start = index($0, "\"name\":\"" device "\"")
		if (!start)
			next
		rest = substr($0, start + 8)
		end = index(rest, "\"name\":\"")
		if (end)
			rest = substr(rest, 1, end)
		total += t * number(rest, metric)
	}
	END { printf "%.0f\n", total }' "$1"
}

# watch_start FILE [ARGUMENT...]: reports of one second as JSON, until watch_end
watch_start()
{
	local file=$1
	shift
	iodelta stat -f json "$@" 1 >"$file" 2>"$file.err" &
	watch=$!
	wait_for 20 test -s "$file"
}

# watch_end FILE: after one more whole interval, so that what was counted is all there
watch_end()
{
	local lines
	lines=$(wc -l <"$1")
	wait_for 20 more_lines "$1" $((lines + 1))
	kill "$watch"
	wait "$watch" 2>/dev/null
}

more_lines() { [ "$(wc -l <"$1")" -gt "$2" ]; }

# report_start FILE SECONDS [ARGUMENT...]: one report over so long, as JSON; the first sample has been taken
report_start()
{
	local file=$1 seconds=$2
	shift 2
	iodelta stat -f json "$@" "$seconds" 1 >"$file" 2>"$file.err" &
	report=$!
	wait_for 10 diskstats_open "$report" && sleep 0.3
}

diskstats_open() { ls -l "/proc/$1/fd" | grep -q diskstats; }

report_end() { wait "$report"; }

# --- the screen, in a terminal that tmux gives ---

tm() { tmux -L lab -f /dev/null "$@"; }

# screen_start COLUMNSxROWS [ARGUMENT...]
screen_start()
{
	local size=$1
	shift
	tm new-session -d -x "${size%x*}" -y "${size#*x}" "iodelta $*; echo ended with \$?; sleep 1000"
}

screen() { tm capture-pane -p; }
keys() { tm send-keys "$@"; }
on_screen() { screen | grep -Eq -e "$1"; }

# pane N PATTERN: of the row that matches, what stands in the N-th pane (they are parted by │)
pane() { screen | awk -F '│' -v n="$1" -v pattern="$2" '$1 ~ pattern { print $n; exit }'; }

# marks: how many cells are marked as clearly changed
marks() { screen | awk '{ n += gsub(/▲|▼/, "") } END { print n + 0 }'; }

# shows WHAT SECONDS REGEX: the screen must come to show it
shows()
{
	if wait_for "$2" on_screen "$3"; then echo "ok - $1"; return; fi
	not_ok "$1"
	screen | sed 's/^/# screen: /'
	printf '# wanted: %s\n' "$3"
}

end_screens() { tm kill-server 2>/dev/null; wait_for 5 no_program; }
no_program() { ! pidof iodelta; }

# --- at the end of each scenario ---

# The kernel's complaints, and what ended by a signal, are in its log.
check_kernel()
{
	local bad
	bad=$(dmesg | grep -E 'BUG:|Oops|WARNING:|Call Trace|segfault|general protection|traps:|Out of memory|core dumped')
	[ -z "$bad" ] || { not_ok 'the kernel has nothing to say'; dmesg | tail -n 40 | note; }
	bad=$(left_devices)
	[ -z "$bad" ] || not_ok "left behind: $bad"
}
