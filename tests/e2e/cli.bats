# SPDX-License-Identifier: GPL-2.0-or-later
# The command line: options, exit codes, messages, formats, and an output that cannot be written.

load lib

usage() {
	run -2 --separate-stderr "$IODELTA" "$@"
	[[ $stderr == iodelta:* ]] || fail "no message for $*:" "$stderr"
	[ -z "$output" ] || fail "$* wrote to standard output:" "$output"
}

text() {
	tree basic
	"$IODELTA" stat "${ROOTS[@]}" "$@" >out 2>err || fail "stat $* failed:" "$(cat err)"
}

# The rows of the LINEth report of text, without heading.
heading() {
	head -1 out | tr -s ' '
}

@test "help and version go to standard output" {
	run -0 --separate-stderr "$IODELTA" --help
	[[ $output == *list*stat* && -z $stderr ]]
	run -0 --separate-stderr "$IODELTA" stat --help
	[[ $output == *--columns* && $output == *wrqm/s* ]]
	run -0 --separate-stderr "$IODELTA" --version
	[[ $output == iodelta\ * ]]
}

@test "unknown options and bad values: exit 2, and what was wrong" {
	usage --foo
	[[ $stderr == *--foo:*unknown\ option* ]]
	usage stat -y
	usage stat -f xml
	[[ $stderr == *xml* ]]
	usage stat --columns r/s,nonsense
	[[ $stderr == *nonsense* && $stderr == *wrqm/s* ]]
	usage stat --split 1 -f csv
	usage stat --split x
	usage stat -n 0
	usage stat -n -1
	usage stat --loop 0
	usage stat --root
}

@test "intervals: 0.01 to 3600 seconds" {
	for i in 0 -1 0.001 4000 x 1x nan inf 0x1 ''; do
		usage stat -i "$i"
	done
	usage stat 0
	[[ $stderr == *interval* ]]
	usage stat 1 0
	usage -i 0
	tree basic
	for i in 0.01 3600 0.5; do
		run -0 "$IODELTA" stat "${ROOTS[@]}" -i $i
	done
	run -0 "$IODELTA" stat "${ROOTS[@]}" -i2
	run -0 "$IODELTA" stat --root=basic/1 --root=basic/2
}

@test "text: iostat's columns, two decimals" {
	text
	[ "$(heading)" = 'Device r/s w/s rkB/s wkB/s rrqm/s wrqm/s avgrq-sz await r_await w_await aqu-sz %util' ]
	# 4000 sectors in 150 I/Os: 26.67; 650 ms in 150: 4.33
	[ "$(awk '$1 == "sda" { $1 = $1; print; exit }' out)" = \
		'sda 100.00 50.00 400.00 1600.00 20.00 150.00 26.67 4.33 2.50 8.00 0.65 32.00' ]
	[ "$(awk '$1 == "sdc" { $1 = $1; print; exit }' out)" = \
		'sdc 0.00 0.00 0.00 0.00 0.00 0.00 - - - - 0.00 0.00' ]
	# two reports of four devices, idle ones and loop too
	[ "$(grep -c '^loop0 ' out)" = 2 ]
	[ "$(grep -c '^Device' out)" = 2 ]
	# columns are straight
	[ "$(grep -v '^$' out | awk '{ print length }' | sort -u | wc -l)" = 1 ]
}

@test "-z leaves idle devices out" {
	text -z
	[ "$(awk '/^[a-z]/ { print $1 }' out | sort -u | tr '\n' ' ')" = 'sda sdb ' ]
	report basic -z
	refute of 1 sdc r/s
	values 1 sda r/s=100
}

@test "-x shows every row that is not legacy" {
	text -x
	[ "$(heading | wc -w)" = 34 ]
	for m in d_await f/s kB/s busy-depth await/KiB tps; do heading | grep -qF " $m"; done
	refute grep -q svctm out
}

@test "--legacy shows the old set under the old names" {
	text --legacy
	[ "$(heading)" = \
		'Device rrqm/s wrqm/s r/s w/s rsec/s wsec/s avgrq-sz avgqu-sz await r_await w_await svctm %util' ]
	[ "$(awk '$1 == "sda" { $1 = $1; print; exit }' out)" = \
		'sda 20.00 150.00 100.00 50.00 800.00 3200.00 26.67 0.65 4.33 2.50 8.00 2.13 32.00' ]
	report basic --legacy
	# the keys of JSON stay
	values 1 sda aqu-sz=0.65 rkB/s=400
}

@test "--columns chooses, in that order, also by legacy names" {
	text --columns %util,r/s,avgqu-sz
	[[ $(heading) == 'Device %util r/s '* ]]
	[ "$(awk '$1 == "sda" { print $2, $3, $4; exit }' out)" = '32.00 100.00 0.65' ]
	report basic --columns w_await
	values 1 sda w_await=8
	refute of 1 sda r/s
}

@test "csv" {
	text -f csv
	[ "$(head -1 out)" = \
		'time,interval,device,r/s,w/s,rkB/s,wkB/s,rrqm/s,wrqm/s,avgrq-sz,await,r_await,w_await,aqu-sz,%util' ]
	[ "$(grep -c ^time out)" = 1 ]
	[ "$(grep -c ,sda, out)" = 2 ]
	# not available is empty
	grep -Eq '^1001[.0-9]*,1[.0]*,sdc,0[.0]*,0[.0]*,0[.0]*,0[.0]*,0[.0]*,0[.0]*,,,,,0[.0]*,0[.0]*$' out
}

@test "json: a line a report, time and interval, the system's values by their names" {
	report basic
	[ "$("$JSONQ" -l 1 out interval)" = 1 ] || [ "$("$JSONQ" -l 1 out interval)" = 1.0 ]
	same "$("$JSONQ" -l 2 out time)" 1002
	[ "$("$JSONQ" -l 1 out system iowait\ %)" = null ]
	[ -n "$("$JSONQ" -l 1 out system na iowait\ %)" ]
	[ "$("$JSONQ" -l 1 out devices '#')" = 4 ]
	# name and 36 metrics at least
	[ "$("$JSONQ" -l 1 out devices 0 '#')" -ge 37 ]
}

@test "the system's values" {
	shared_tree field
	"$IODELTA" stat "${ROOTS[@]:0:4}" -f json >out
	# cpu: 20 + 10 + 60 busy and idle and 100 waiting in 190; cpu1: 18 + 7 of 90 busy, cpu0 2 + 3 of 100
	near "$("$JSONQ" -l 1 out system iowait\ %)" 52.6316 0.01
	near "$("$JSONQ" -l 1 out system busiest\ CPU\ %)" 27.7778 0.01
	same "$("$JSONQ" -l 1 out system busiest\ CPU)" 1
	same "$("$JSONQ" -l 1 out system blocked)" 41
	same "$("$JSONQ" -l 1 out system running)" 3
	same "$("$JSONQ" -l 1 out system ctxt/s)" 9000
	same "$("$JSONQ" -l 1 out system intr/s)" 5000
	same "$("$JSONQ" -l 1 out system softirq-block/s)" 400
	same "$("$JSONQ" -l 1 out system psi-io-some\ %)" 38
	same "$("$JSONQ" -l 1 out system psi-io-full\ %)" 21
	# only libproc2 knows, and it is not asked about a tree
	[ "$("$JSONQ" -l 1 out system pgpgin/s)" = null ]
}

@test "--since-boot begins with the report since boot" {
	report basic --since-boot
	[ "$(reports)" = 3 ]
	# 1000 reads in 1000 s, 500 ms
	values 1 sda r/s=1 r_await=0.5
	values 2 sda r/s=100
	report basic --since-boot -n 1
	[ "$(reports)" = 1 ]
	"$IODELTA" stat --root basic/1 --since-boot -f json >out
	values 1 sda r/s=1
}

@test "one tree gives no interval" {
	tree basic
	run -1 --separate-stderr "$IODELTA" stat --root basic/1
	[[ $stderr == iodelta:* ]]
	[ -z "$output" ]
}

@test "-n and COUNT count reports" {
	tree stuck
	run -0 "$IODELTA" stat "${ROOTS[@]}" -f json -n 2
	[ "${#lines[@]}" = 2 ]
	run -0 "$IODELTA" stat "${ROOTS[@]}" -f json 1 1
	[ "${#lines[@]}" = 1 ]
	run -0 "$IODELTA" stat "${ROOTS[@]}" -f json sda 1 2
	[ "${#lines[@]}" = 2 ]
	# more than there are trees: what there is
	run -0 "$IODELTA" stat "${ROOTS[@]}" -f json -n 50
	[ "${#lines[@]}" = 3 ]
}

@test "--loop goes round; the return to the first tree is no report" {
	tree basic
	run -0 "$IODELTA" stat --root basic/1 --root basic/2 --loop 5 -f json
	[ "${#lines[@]}" = 5 ]
	printf '%s\n' "${lines[@]}" >out
	values 5 sda r/s=100 w_await=8
	run -0 "$IODELTA" stat "${ROOTS[@]}" --loop 3 -f json
	[ "${#lines[@]}" = 6 ]
}

@test "DEVICE: names, globs, dm names, paths below /dev" {
	report basic sda
	[ "$("$JSONQ" -l 1 out devices '#')" = 1 ]
	report basic 'sd[ab]' loop0
	[ "$("$JSONQ" -l 1 out devices '#')" = 3 ]
	report basic /dev/sdb
	values 1 sdb r/s=10
	report multipath4 mpatha /dev/mapper/mpathb
	[ "$("$JSONQ" -l 1 out devices '#')" = 2 ]
	values 1 dm-1 w/s=100
	report stripe /dev/tank/lvm
	values 1 dm-0 w/s=1000
}

@test "DEVICE that matches nothing: the nearest names" {
	tree basic
	run -1 --separate-stderr "$IODELTA" stat "${ROOTS[@]}" sdaa
	[[ $stderr == iodelta:*sdaa:*sda* ]]
	[ -z "$output" ]
	run -1 --separate-stderr "$IODELTA" list --root basic/1 lop0
	[[ $stderr == iodelta:*lop0:*loop0* ]]
	run -1 --separate-stderr "$IODELTA" stat "${ROOTS[@]}" sda 'nvme*'
	[[ $stderr == *nvme* ]]
}

@test "-- and -D take a command's name or a number for a device" {
	tree basic
	run -1 --separate-stderr "$IODELTA" stat "${ROOTS[@]}" -D list
	[[ $stderr == *list:* ]]
	run -1 --separate-stderr "$IODELTA" stat "${ROOTS[@]}" -- 7
	[[ $stderr == *7:* ]]
	run -0 "$IODELTA" stat "${ROOTS[@]}" -D sda -f json
}

@test "--split: the first N reports against the rest" {
	shared_tree field
	"$IODELTA" stat "${ROOTS[@]}" --split 29 -f json mpatha >out
	cmp() { "$JSONQ" -l -1 out metrics "[metric=$1]" "$2"; }
	[ "$(wc -l <out)" = 60 ]
	"$JSONQ" -l -1 out before
	"$JSONQ" -l -1 out after
	# 320 writes a second before and 900 after, 37000 merges and 1
	near "$(cmp w/s before)" 320 2
	near "$(cmp w/s after)" 900 2
	[ "$(cmp w/s verdict)" = clear ]
	[ "$(cmp w/s better)" = true ]
	[ "$(cmp wrqm/s verdict)" = clear ]
	[ "$(cmp wrqm/s better)" = null ]
	near "$(cmp wrqm/s change_pct)" -100 1
	[ "$(cmp wkB/s verdict)" = clear ]
	[ "$(cmp wkB/s better)" = false ]
	near "$(cmp wkB/s change_pct)" -64 3
	[ "$(cmp w_await better)" = false ]
	same "$(cmp w/s before_n)" 29
	# a metric in percent has points, no percentage
	[ "$(cmp %util change_pct)" = null ]
	[ "$(cmp %util verdict)" = noise ]
	[ "$(cmp r/s verdict)" != clear ]
	[ "$(cmp svctm verdict 2>/dev/null)" = '' ]
	"$IODELTA" stat "${ROOTS[@]}" --split 29 mpatha nvme0n1 >out
	grep -E 'dm-0 +.*wrqm/s.*clear' out || grep -E 'wrqm/s .*clear' out
}

@test "a split of the same load is no change" {
	shared_tree field
	"$IODELTA" stat "${ROOTS[@]}" --split 29 -f json nvme0n1 >out
	for m in r/s w/s rkB/s wkB/s wrqm/s await aqu-sz avgrq-sz; do
		refute test "$("$JSONQ" -l -1 out metrics "[metric=$m]" verdict)" = clear
	done
}

@test "standard output closed: a message and 1" {
	tree basic
	run -1 bash -c '"$0" stat "$@" >&-' "$IODELTA" "${ROOTS[@]}"
	[[ $output == iodelta:* ]]
	run -1 bash -c '"$0" list "$@" >&-' "$IODELTA" "${ROOTS[@]}"
}

@test "no room left: a message and 1" {
	tree basic
	run -1 bash -c '"$0" stat "$@" >/dev/full' "$IODELTA" "${ROOTS[@]}"
	[[ $output == iodelta:*No\ space\ left* ]]
	run -1 bash -c '"$0" list "$@" -f json >/dev/full' "$IODELTA" "${ROOTS[@]}"
	# the comparison that the screen leaves behind
	printf '%s\n' 'step 1' 'key b' 'step 1' >lines
	run -1 bash -c '"$0" "$@" --script lines >/dev/full' "$IODELTA" "${ROOTS[@]}" --loop 9
	[[ $output == *No\ space\ left* ]]
}

@test "nobody reads any more: quiet" {
	shared_tree many
	"$IODELTA" stat "${ROOTS[@]}" --loop 50 2>err | head -1 >/dev/null
	[ ! -s err ]
	"$IODELTA" stat "${ROOTS[@]}" --loop 50 -f json 2>err | head -c 100 >/dev/null
	[ ! -s err ]
}

@test "a locale with decimal commas changes no number" {
	tree basic
	"$IODELTA" stat "${ROOTS[@]}" -f json >plain
	"$IODELTA" stat "${ROOTS[@]}" >plain.txt
	[ "$(LC_ALL=de_DE.UTF-8 bash -c 'printf %.1f 1,5' 2>/dev/null)" = 1,5 ] || skip 'no locale de_DE.UTF-8 here'
	LC_ALL=de_DE.UTF-8 "$IODELTA" stat "${ROOTS[@]}" -f json -i 0.5 >comma
	LC_ALL=de_DE.UTF-8 "$IODELTA" stat "${ROOTS[@]}" -i 0.5 >comma.txt
	cmp plain comma
	cmp plain.txt comma.txt
}

@test "LC_ALL=C: plain ASCII" {
	tree basic
	"$IODELTA" stat "${ROOTS[@]}" >plain
	LC_ALL=C "$IODELTA" stat "${ROOTS[@]}" >c
	cmp plain c
	tree multipath4
	LC_ALL=C "$IODELTA" list "${ROOTS[@]:0:2}" >c
	refute env LC_ALL=C grep -q '[^ -~]' c
	"$IODELTA" list --ascii "${ROOTS[@]:0:2}" >ascii
	cmp c ascii
	"$IODELTA" list "${ROOTS[@]:0:2}" >wide
	refute cmp -s c wide
}

@test "--debug writes a file, never the output" {
	tree basic
	run -0 --separate-stderr "$IODELTA" stat "${ROOTS[@]}" --debug log -f json
	[ -z "$stderr" ]
	[ -e log ]
	run -1 --separate-stderr "$IODELTA" stat "${ROOTS[@]}" --debug no/such/dir
	[[ $stderr == iodelta:*no/such/dir:* ]]
}

@test "live: one report, without reading anything that needs rights" {
	run -0 --separate-stderr timeout 20 "$IODELTA" stat -i 0.1 -f json
	printf '%s\n' "$output" >out
	"$JSONQ" out devices >/dev/null
	near "$("$JSONQ" -l 1 out interval)" 0.1 100
	[ "$("$JSONQ" -l 1 out time)" != null ]
	run -0 timeout 20 "$IODELTA" list -f json
	printf '%s\n' "$output" >out
	"$JSONQ" out devices >/dev/null
}

@test "a reader that does not read keeps nobody from ending it" {
	tree basic
	mkfifo pipe
	exec 8<>pipe
	"$IODELTA" stat -f json --root basic/1 --root basic/2 --loop 100000 >pipe 8>&- &
	pid=$!
	# a pipe holds 64 KiB: now it waits
	for _ in $(seq 200); do
		[ "$(awk '/^wchar/ { print $2 }' /proc/$pid/io)" -lt 60000 ] || break
		sleep 0.05
	done
	kill -TERM $pid
	timeout 20 tail --pid=$pid -f /dev/null
	wait $pid
	exec 8>&-
}

@test "live: an interval alone runs until a signal, and ends with 0" {
	"$IODELTA" stat -f json 0.05 >out &
	pid=$!
	for _ in $(seq 200); do
		[ "$(reports)" -ge 3 ] && break
		sleep 0.05
	done
	kill -TERM $pid
	wait $pid
	[ "$(reports)" -ge 3 ]
	"$JSONQ" -l -1 out devices >/dev/null
}
