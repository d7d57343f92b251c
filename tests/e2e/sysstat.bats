# SPDX-License-Identifier: GPL-2.0-or-later
# Against sysstat: a loop device on a file, real writes at a steady rate, `iostat -x` and `stat` over the same seconds.
# Both read the counters for themselves, so they may differ by what happens between two readings.

load lib

own_setup() {
	command -v iostat >/dev/null || skip 'iostat (sysstat) is not installed'
	command -v fio >/dev/null || skip 'fio is not installed'
	[ "$(id -u)" = 0 ] || skip 'only root may set a loop device up'
	truncate -s 64M image
	LOOP=$(losetup -f --show image 2>losetup.err) || skip "no loop device: $(cat losetup.err)"
	NAME=${LOOP#/dev/}
}

teardown() {
	[ -z "${FIO:-}" ] || { kill "$FIO"; wait "$FIO"; } 2>/dev/null || true
	[ -z "${LOOP:-}" ] || losetup -d "$LOOP"
}

# load RW SECONDS: 100 I/Os of 16 KiB a second of each kind
load_device() {
	fio --name=load --filename="$LOOP" --rw="$1" --bs=16k --ioengine=psync --direct=1 --rate_iops=100 --size=64M \
		--time_based --runtime="$2" >fio.out 2>&1 &
	FIO=$!
	until grep -Eq " $NAME [0-9]+ [0-9]+ [0-9]+ [0-9]+ [0-9]{2}" /proc/diskstats; do
		kill -0 $FIO || fail "fio ended:" "$(cat fio.out)" || return 1
		sleep 0.1
	done
}

# Column METRIC of the device's row in iostat's last report.
iostat_value() {
	awk -v name="$NAME" -v metric="$1" '
		/^Device/ { for (i = 1; i <= NF; i++) if ($i == metric) column = i }
		$1 == name && column { value = $column }
		END { print value }' iostat.out
}

measure() {
	LC_ALL=C iostat -d -x -y "$NAME" 4 1 >iostat.out &
	local pid=$!
	"$IODELTA" stat -f json "$NAME" 4 1 >out
	wait $pid
}

@test "writes: rates, sizes, waiting and utilisation agree" {
	load_device randwrite 30
	measure
	near "$(of 1 "$NAME" w/s)" "$(iostat_value w/s)" 5 3
	near "$(of 1 "$NAME" wkB/s)" "$(iostat_value wkB/s)" 5 48
	near "$(of 1 "$NAME" wrqm/s)" "$(iostat_value wrqm/s)" 5 1
	near "$(of 1 "$NAME" wareq-sz)" "$(iostat_value wareq-sz)" 2 0.1
	near "$(of 1 "$NAME" w_await)" "$(iostat_value w_await)" 25 0.1
	near "$(of 1 "$NAME" aqu-sz)" "$(iostat_value aqu-sz)" 25 0.03
	near "$(of 1 "$NAME" %util)" "$(iostat_value %util)" 25 3
	near "$(of 1 "$NAME" r/s)" "$(iostat_value r/s)" 5 1
	# and it was the load that was asked for
	near "$(of 1 "$NAME" w/s)" 100 15
	near "$(of 1 "$NAME" wareq-sz)" 16 2
}

@test "reads and writes mixed agree" {
	load_device randrw 30
	measure
	for m in r/s w/s; do near "$(of 1 "$NAME" $m)" "$(iostat_value $m)" 5 3; done
	for m in rkB/s wkB/s; do near "$(of 1 "$NAME" $m)" "$(iostat_value $m)" 5 48; done
	for m in rareq-sz wareq-sz; do near "$(of 1 "$NAME" $m)" "$(iostat_value $m)" 5 0.2; done
	for m in r_await w_await; do near "$(of 1 "$NAME" $m)" "$(iostat_value $m)" 30 0.1; done
}

@test "since boot: the same numbers from the same counters" {
	load_device randwrite 2
	wait $FIO
	FIO=
	LC_ALL=C iostat -d -x "$NAME" 1 1 >iostat.out
	"$IODELTA" stat --since-boot -n 1 -f json "$NAME" >out
	# iostat rounds to two digits
	near "$(of 1 "$NAME" w/s)" "$(iostat_value w/s)" 1 0.0051
	near "$(of 1 "$NAME" wkB/s)" "$(iostat_value wkB/s)" 1 0.0051
	near "$(of 1 "$NAME" w_await)" "$(iostat_value w_await)" 1 0.0051
	near "$(of 1 "$NAME" wareq-sz)" "$(iostat_value wareq-sz)" 1 0.0051
}

@test "list knows the loop device and its file" {
	run -0 "$IODELTA" list -f json "$NAME"
	printf '%s\n' "$output" >out
	listed "$NAME" kind loop
	listed "$NAME" size 67108864
}
