# SPDX-License-Identifier: GPL-2.0-or-later
# Captures of other people's machines, where the folder with them is there (IODELTA_CASES, or shared/cases beside the
# source): all of them are parsed. They are no part of this project.

load lib

own_setup() {
	CASES=${IODELTA_CASES:-$srcdir/../shared/cases}
	[ -d "$CASES" ] || skip "no captures in $CASES"
}

# one_tree DISKSTATS: a root r with it, up for 1000 s.
one_tree() {
	rm -rf r
	mkdir -p r/proc r/sys
	cp "$1" r/proc/diskstats
	chmod u+w r/proc/diskstats
	echo '1000.00 2000.00' >r/proc/uptime
}

# The devices of a file: names of lines with 4 or at least 11 numbers, each once.
devices_in() {
	awk '(NF == 7 || NF >= 14) && !seen[$3]++' "$1" | wc -l
}

# The samples of a series as part.1, part.2, …: some other line stands between two, or the names begin again.
split_series() {
	rm -f part.*
	awk '
		BEGIN { n = 1 }
		function next_part() { close("part." n); n++; written = 0; split("", seen) }
		!/^[ \t]*[0-9]+[ \t]+[0-9]+[ \t]/ { if (written) next_part(); next }
		seen[$3] { next_part() }
		{ print >"part." n; written = 1; seen[$3] = 1 }' "$1"
}

@test "every diskstats capture is parsed, every line of it" {
	local f part want got count=0
	for f in "$CASES"/diskstats/*.txt; do
		split_series "$f"
		for part in part.*; do
			[ -s "$part" ] || continue
			one_tree "$part"
			want=$(devices_in "$part")
			timeout 20 "$IODELTA" stat --root r --since-boot -f json >out 2>err ||
				fail "$f, $part:" "$(cat err)"
			got=$("$JSONQ" out devices '#') || fail "$f, $part: no JSON"
			[ "$got" = "$want" ] || fail "$f, $part: $got devices, not $want" "$(cat err)"
			count=$((count + 1))
		done
	done
	[ "$count" -gt 20 ]
}

@test "the series give an interval between each two samples, none with a nonsensical number" {
	local f part roots i
	for f in "$CASES"/diskstats/*samples.txt; do
		split_series "$f"
		roots=() i=0
		for part in $(ls part.* | sort -t. -k2n); do
			i=$((i + 1))
			mkdir -p "s/$i/proc"
			cp "$part" "s/$i/proc/diskstats"
			echo "$((1000 + i)).00 1.00" >"s/$i/proc/uptime"
			roots+=(--root "s/$i")
		done
		[ "$i" -ge 2 ] || fail "$f: $i samples"
		timeout 60 "$IODELTA" stat "${roots[@]}" -f json >out || fail "$f"
		[ "$(reports)" = $((i - 1)) ] || fail "$f: $(reports) reports of $i samples"
		for i in $(seq "$(reports)"); do
			"$JSONQ" -l "$i" out devices >/dev/null || fail "$f, report $i: no JSON"
		done
		# nothing negative, nothing of the size of a wrap
		refute grep -qE '":(-[0-9]|[0-9]{13})' out
		rm -rf s
	done
}

@test "sysstat's own series: a disk that comes again with lower counters, one that goes, two that come" {
	local n
	mkdir s
	for n in 1 2 3 4 5; do
		mkdir -p s/$n/proc
		cp "$CASES/diskstats/sysstat-seq-root$n.txt" s/$n/proc/diskstats
		cp "$CASES/diskstats/sysstat-seq-root$n.uptime" s/$n/proc/uptime
	done
	"$IODELTA" stat --root s/1 --root s/2 --root s/3 --root s/4 --root s/5 -f json >out
	[ "$(reports)" = 4 ]
	for n in 1 2 3 4; do "$JSONQ" -l $n out devices >/dev/null; done
	refute grep -qE '":(-[0-9]|[0-9]{13})' out
}

@test "every capture of a sysfs is listed" {
	local f root count=0
	command -v xz >/dev/null || skip 'xz is not installed'
	for f in "$CASES"/sys/*.tar.xz; do
		rm -rf unpacked
		mkdir unpacked
		tar -xJf "$f" -C unpacked --no-same-owner
		chmod -R u+rwX unpacked
		root=$(find unpacked -type d -name block -path '*/sys/*' -prune -printf '%P\n' | head -1)
		root=unpacked/${root%%sys/*}
		[ -s "$root/proc/diskstats" ] || {
			mkdir -p "$root/proc"
			ls "$root"/sys/block "$root"/sys/class/block 2>/dev/null |
				awk 'NF == 1 && !/:$/ && !seen[$1]++ { print 8, NR, $1 " 0 0 0 0 0 0 0 0 0 0 0" }' \
					>"$root/proc/diskstats"
		}
		echo '1000.00 2000.00' >"$root/proc/uptime"
		timeout 60 "$IODELTA" list --root "$root" -f json >out 2>err || fail "$f:" "$(cat err)"
		[ "$("$JSONQ" out devices '#')" -ge 1 ] || fail "$f: no device"
		timeout 60 "$IODELTA" list --root "$root" >out.txt || fail "$f as text"
		printable out.txt
		cp out "list.$(basename "$f" .tar.xz).json"
		count=$((count + 1))
	done
	[ "$count" -ge 1 ]
	# 4.16: a volume over loop devices, a scheduler without brackets
	if [ -e list.sys-utillinux-simple-lvm.json ]; then
		cp list.sys-utillinux-simple-lvm.json out
		listed dm-0 kind lvm
		listed dm-0 attributes queue/scheduler value none
		[ "$("$JSONQ" out devices '[name=dm-0]' slaves '#')" -ge 1 ]
	fi
}
