#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The command knobs, on trees.

load lib

own_setup() {
	tree multipath4
	top=multipath4/1
}

knobs() {
	timeout 60 "$IODELTA" knobs --root "$top" "$@"
}

# value DEVICE ATTRIBUTE
value() {
	cat "$top/sys/block/$1/$2"
}

# ends STATUS COMMAND…: it must end so
ends() {
	local want=$1
	shift
	run --separate-stderr "$@"
	[ "$status" = "$want" ] || fail "ended with $status, not $want: $*" "$output" "$stderr"
}

everything() {
	(cd "$top" && find sys proc -type f -exec grep -H . {} + | sort)
}

@test "set writes, says what was, and ends with 0" {
	ends 0 knobs set dm-0 nr_requests=64 read_ahead_kb=256
	[ "${lines[0]}" = 'dm-0 nr_requests 256 -> 64' ]
	[ "${lines[1]}" = 'dm-0 read_ahead_kb 128 -> 256' ]
	[ "$(value dm-0 queue/nr_requests)" = 64 ]
	[ "$(value dm-0 queue/read_ahead_kb)" = 256 ]
	ends 0 knobs get dm-0 nr_requests
	[ "$output" = 64 ]
}

@test "nothing else is written" {
	everything >before
	knobs set dm-0 nr_requests=64
	everything >after
	diff before after >changes || true
	[ "$(grep -c '^[<>]' changes)" = 2 ]
	knobs undo
	everything >after
	cmp before after
}

@test "all is checked before the first write" {
	everything >before
	ends 1 knobs set dm-0 nr_requests=64 read_ahead_kb=many
	[[ $stderr == *'dm-0: queue/read_ahead_kb=many: it takes a whole number'* ]]
	ends 1 knobs set dm-0 nr_requests=64 nosuch=1
	[[ $stderr == *'has no knob nosuch'* ]]
	ends 1 knobs set dm-0 nr_requests=64 scheduler=cfq
	[[ $stderr == *mq-deadline* ]]
	ends 1 knobs set dm-0 nr_requests=64 hw_sector_size=4096
	ends 1 knobs set dm-0 nosuch nr_requests=64
	ends 1 knobs set dm-0 "nr_requests=6$(printf '\001')4"
	ends 1 knobs set dm-0 nr_requests=64 "scheduler=$(head -c 9000 /dev/zero | tr '\0' x)"
	everything >after
	cmp before after
	[ ! -e state/journal ]
}

@test "usage errors end with 2" {
	ends 2 knobs
	ends 2 knobs turn dm-0
	ends 2 knobs set dm-0
	ends 2 knobs set nr_requests=64
	ends 2 knobs get dm-0
	ends 2 knobs undo --pid none
	ends 2 knobs undo --since yesterday
	ends 2 knobs diff dm-0
}

@test "--dry-run shows and writes nothing" {
	everything >before
	ends 0 knobs set --dry-run dm-0 nr_requests=64
	[ "$output" = 'dm-0 queue/nr_requests 256 -> 64' ]
	everything >after
	cmp before after
	[ ! -e state/journal ]
	knobs set dm-0 nr_requests=64
	ends 0 knobs undo --dry-run
	[ "$output" = 'dm-0 queue/nr_requests 64 -> 256' ]
	[ "$(value dm-0 queue/nr_requests)" = 64 ]
}

@test "--read-only refuses with the reason" {
	ends 1 knobs set --read-only dm-0 nr_requests=64
	[[ $stderr == *--read-only* ]]
	[ "$(value dm-0 queue/nr_requests)" = 256 ]
	knobs set dm-0 nr_requests=64
	ends 1 knobs undo --read-only
	[[ $stderr == *--read-only* ]]
	[ "$(value dm-0 queue/nr_requests)" = 64 ]
}

@test "--slaves: the paths and not the map; --stack: all" {
	knobs set --slaves dm-0 read_ahead_kb=256
	[ "$(value dm-0 queue/read_ahead_kb)" = 128 ]
	for path in sda sdb sdc sdd; do
		[ "$(value $path queue/read_ahead_kb)" = 256 ]
	done
	[ "$(value sde queue/read_ahead_kb)" = 128 ]
	knobs set --stack sda nr_requests=100
	for device in dm-0 sda sdb sdc sdd; do
		[ "$(value $device queue/nr_requests)" = 100 ]
	done
	# one action is undone as one
	knobs undo
	for device in dm-0 sda sdb sdc sdd; do
		[ "$(value $device queue/nr_requests)" = 256 ]
	done
	[ "$(value sda queue/read_ahead_kb)" = 256 ]
}

@test "what can lose data is written with --force only" {
	ends 1 knobs set dm-0 'write_cache=write through'
	[[ $stderr == *'can lose data'* ]]
	[ "$(value dm-0 queue/write_cache)" = 'write back' ]
	ends 0 knobs set --force dm-0 'write_cache=write through'
	[ "$(value dm-0 queue/write_cache)" = 'write through' ]
}

@test "limits of a map and its paths: warned of, in the order that is safe at every moment" {
	ends 0 knobs set dm-0 max_sectors_kb=2048
	[[ $stderr == *'requests of 2048 KiB'* ]]
	knobs undo
	knobs set --stack dm-0 max_sectors_kb=512
	# lowered: the map first
	[ "$(sed -n 's/.*"k":"write".*"device":"\([^"]*\)".*/\1/p' state/journal | tail -n 5 | head -n 1)" = dm-0 ]
	knobs set --stack dm-0 max_sectors_kb=1024
	# raised: the map last
	[ "$(sed -n 's/.*"k":"write".*"device":"\([^"]*\)".*/\1/p' state/journal | tail -n 1)" = dm-0 ]
}

@test "a partition's knobs are its disk's, and that is said" {
	tree field
	top=field/1
	ends 0 knobs set nvme0n1p2 read_ahead_kb=256
	[[ $stderr == *'nvme0n1p2: is a partition: its knobs are those of nvme0n1'* ]]
	[ "$(value nvme0n1 queue/read_ahead_kb)" = 256 ]
}

@test "undo: the last action, then the one before; --all; --pid; --since" {
	knobs set dm-0 nr_requests=64
	knobs set dm-0 read_ahead_kb=256
	knobs set sda nr_requests=32
	ends 0 knobs undo
	[ "$output" = 'sda set back: nr_requests 32 -> 256' ]
	ends 0 knobs undo
	[ "$output" = 'dm-0 set back: read_ahead_kb 256 -> 128' ]
	ends 0 knobs undo --all
	[ "$output" = 'dm-0 set back: nr_requests 64 -> 256' ]
	ends 0 knobs undo --all
	[ "$output" = 'nothing to undo' ]
	knobs set dm-0 nr_requests=64
	pid=$(sed -n 's/.*"k":"write".*"pid":\([0-9]*\),.*/\1/p' state/journal | tail -n 1)
	knobs set sda nr_requests=32
	knobs undo --all --pid "$pid"
	[ "$(value dm-0 queue/nr_requests)" = 256 ]
	[ "$(value sda queue/nr_requests)" = 32 ]
	ends 0 knobs undo --all --since 0.000001
	[ "$(value sda queue/nr_requests)" = 32 ]
	ends 0 knobs undo --all --since 1h
	[ "$(value sda queue/nr_requests)" = 256 ]
}

@test "what somebody else changed since is named and let alone, unless --force" {
	knobs set dm-0 nr_requests=64 read_ahead_kb=256
	echo 100 >"$top/sys/block/dm-0/queue/nr_requests"
	ends 1 knobs undo --all
	[[ $stderr == *'set back: read_ahead_kb 256 -> 128; NOT as it was: nr_requests (changed by somebody else'* ]]
	[ "$(value dm-0 queue/nr_requests)" = 100 ]
	ends 1 knobs undo --all
	[ "$(value dm-0 queue/nr_requests)" = 100 ]
	ends 0 knobs undo --all --force
	[ "$(value dm-0 queue/nr_requests)" = 256 ]
}

@test "another root's writes are not touched" {
	cp -a multipath4/1 multipath4/copy
	knobs set dm-0 nr_requests=64
	top=multipath4/copy
	ends 0 knobs journal
	[ -z "$output" ]
	ends 0 knobs undo --all
	[ "$output" = 'nothing to undo' ]
	top=multipath4/1
	[ "$(value dm-0 queue/nr_requests)" = 64 ]
	# the same tree by another way
	ln -s multipath4/1 link
	top=link
	knobs undo --all
	[ "$(value dm-0 queue/nr_requests)" = 256 ]
}

@test "entries of a living process are left alone without --force" {
	mkfifo go
	printf '%s\n' 'size 100x30' 'step 1' 'wait idle' 'key e' 'key Down' 'key Enter' 'text 64' 'key Enter' 'wait idle' \
		'dump done' 'dump go' 'key Q' >lines
	timeout 60 "$IODELTA" --no-settings --root "$top" --script lines >out 2>err &
	screen=$!
	for _ in $(seq 200); do
		[ -s done ] && break
		sleep 0.05
	done
	[ "$(value dm-0 queue/nr_requests)" = 64 ]
	ends 0 knobs undo --all
	[[ $stderr == *"was written by process $(pgrep -P "$screen" iodelta)"* || $stderr == *'which is running'* ]]
	[ "$(value dm-0 queue/nr_requests)" = 64 ]
	ends 0 knobs undo --all --force
	[ "$(value dm-0 queue/nr_requests)" = 256 ]
	timeout 30 cat go >/dev/null
	wait "$screen"
}

@test "a journal that cannot be written: nothing is" {
	touch state
	ends 1 knobs set dm-0 nr_requests=64
	[[ $stderr$output == *journal* ]]
	[ "$(value dm-0 queue/nr_requests)" = 256 ]
}

@test "a held lock delays the write and spoils nothing" {
	mkdir state
	touch state/journal
	exec 7<>state/journal
	flock 7
	timeout 60 "$IODELTA" knobs --root "$top" set dm-0 nr_requests=64 >out 2>err 7>&- &
	writer=$!
	# the lock is waited for: seen in the kernel's list
	inode=$(stat -c %i state/journal)
	for _ in $(seq 200); do
		grep -q -e "-> FLOCK.*:$inode " /proc/locks && break
		sleep 0.05
	done
	[ "$(value dm-0 queue/nr_requests)" = 256 ]
	flock -u 7
	exec 7>&-
	wait "$writer" || true
	for _ in $(seq 100); do
		[ "$(value dm-0 queue/nr_requests)" = 64 ] && break
		sleep 0.05
	done
	[ "$(value dm-0 queue/nr_requests)" = 64 ]
	knobs undo --all
	[ "$(value dm-0 queue/nr_requests)" = 256 ]
}

@test "a full disk: nothing is written, and it is said" {
	mkdir state
	ln -s /dev/full state/journal
	ends 1 knobs set dm-0 nr_requests=64
	[ "$(value dm-0 queue/nr_requests)" = 256 ]
}

@test "a write that was cut off: the journal says that it is not known, undo --all mends it" {
	knobs set dm-0 nr_requests=64
	# as it is when the process was killed before it could say what came of it
	sed -i '$d' state/journal
	grep -q '"k":"write"' state/journal
	refute grep -q '"k":"result"' state/journal
	ends 0 knobs journal
	[[ $output == *'dm-0 queue/nr_requests 256 -> 64  cut off: not known what it did'* ]]
	# whatever stands there is taken for what it left
	echo 32 >"$top/sys/block/dm-0/queue/nr_requests"
	knobs undo --all
	[ "$(value dm-0 queue/nr_requests)" = 256 ]
}

@test "two processes at once" {
	for i in 1 2 3 4; do
		timeout 60 "$IODELTA" knobs --root "$top" set sd$(printf %b "\\x6$i") nr_requests=$((16 * i)) >"out$i" 2>&1 &
	done
	wait
	for i in 1 2 3 4; do
		[ "$(value sd$(printf %b "\\x6$i") queue/nr_requests)" = $((16 * i)) ]
	done
	ends 0 knobs journal
	[ "${#lines[@]}" = 4 ]
	knobs undo --all
	for i in 1 2 3 4; do
		[ "$(value sd$(printf %b "\\x6$i") queue/nr_requests)" = 256 ]
	done
}

@test "the journal as JSON has what was written, and whether it stands" {
	knobs set dm-0 nr_requests=64
	knobs set sda nr_requests=32
	knobs undo
	knobs journal -f json >j
	[ "$("$JSONQ" j entries 0 attr)" = queue/nr_requests ]
	[ "$("$JSONQ" j entries 0 before)" = 256 ]
	[ "$("$JSONQ" j entries 0 after)" = 64 ]
	[ "$("$JSONQ" j entries 0 undone)" = false ]
	[ "$("$JSONQ" j entries 1 undone)" = true ]
}

@test "the system's knobs" {
	mkdir -p "$top/proc/sys/vm"
	echo 20 >"$top/proc/sys/vm/dirty_ratio"
	echo 100 >"$top/proc/sys/vm/swappiness"
	ends 0 knobs set vm dirty_ratio=10
	[ "$output" = 'vm dirty_ratio 20 -> 10' ]
	ends 1 knobs set vm swappiness=10
	[ "$(cat "$top/proc/sys/vm/swappiness")" = 100 ]
	knobs undo
	[ "$(cat "$top/proc/sys/vm/dirty_ratio")" = 20 ]
}

@test "diff: of two devices, of two trees" {
	knobs set sda nr_requests=32
	ends 0 knobs diff sda sdb
	[ "$output" = 'queue/nr_requests                32 | 256' ] || [[ $output == *nr_requests*32*256* ]]
	cp -a multipath4/1 copy
	echo 8 >copy/sys/block/dm-0/queue/iosched/async_depth
	run timeout 60 "$IODELTA" knobs diff --root multipath4/1 --root copy
	[[ $output == *dm-0*async_depth*256*8* ]]
}

@test "export: a script that sets and sets back, a udev rule, a tuned profile" {
	knobs set dm-0 nr_requests=64 read_ahead_kb=256
	knobs set sda nr_requests=32
	knobs undo
	knobs export >script
	sh -n script
	grep -q "put '64' '/sys/block/dm-0/queue/nr_requests'" script
	grep -q "put '256' '/sys/block/dm-0/queue/nr_requests'" script
	# a kernel moves it with nr_requests, and a script does not look
	[ "$(grep -c "put '256' '/sys/block/dm-0/queue/iosched/async_depth'" script)" = 2 ]
	refute grep -q sda script
	sed "s|/sys/block|$top/sys/block|" script >here
	knobs undo --all
	sh here set
	[ "$(value dm-0 queue/nr_requests)" = 64 ]
	sh here restore
	[ "$(value dm-0 queue/nr_requests)" = 256 ]
	[ "$(value dm-0 queue/read_ahead_kb)" = 128 ]
	knobs set dm-0 nr_requests=64
	knobs export --udev >90-knobs.rules
	grep -q 'ATTR{queue/nr_requests}="64"' 90-knobs.rules
	if udevadm verify --help >/dev/null 2>&1; then udevadm verify ./90-knobs.rules; fi
	knobs export --tuned >tuned.conf
	grep -q '^/sys/block/dm-0/queue/nr_requests=64' tuned.conf
}

@test "hostile names and values come out clean, and nothing outside is written" {
	tree hostile
	top=hostile/1
	find . -newer roots -type f >/dev/null
	everything >before
	knobs list >out 2>err
	refute grep -q "$(printf '\033')" out
	refute grep -q "$(printf '\001')" out
	for name in ../../secret 'queue/../../secret' '..' '/etc/passwd' queue 'queue/'; do
		ends 1 knobs set -D "$(ls "$top/sys/block" | head -n 1)" "$name=1"
	done
	everything >after
	cmp before after
}

# What would be writable in each of these, against a file: what appears or goes is a decision.
@test "what can be written is what the list says" {
	for fixture in multipath4 nvme-multipath crypt-lvm-md stripe field; do
		tree "$fixture"
		timeout 60 "$IODELTA" knobs --root "$fixture/1" list 2>/dev/null |
			awk -v fixture="$fixture" '/^[^ ]/ { device = $1; next } !/read-only/ { print fixture, device, $1 }'
	done | sort >writable
	diff "$FIXTURES/writable" writable
}
