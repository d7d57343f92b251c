# SPDX-License-Identifier: GPL-2.0-or-later
# Bad input: it is named, and everything else goes on.

load lib

@test "malformed lines are skipped with one message" {
	report malformed
	values 1 sda r/s=10
	values 1 sdb r/s=10
	[ "$("$JSONQ" out devices '#')" = 2 ]
	[ "$(wc -l <err)" = 1 ]
	grep -q '^iodelta: .*diskstats: ' err
}

@test "hostile names: the text for a terminal is clean" {
	tree hostile
	"$IODELTA" stat "${ROOTS[@]}" >out 2>err
	printable out
	printable err
	grep -q '^sda ' out
	grep -q '^sdb ' out
	"$IODELTA" list "${ROOTS[@]:0:2}" >out 2>err
	printable out
	printable err
}

@test "hostile names: JSON stays JSON, CSV stays CSV" {
	report hostile
	"$JSONQ" out devices >/dev/null
	values 1 'quote",comma' r/s=0
	values 1 sdb r/s=10
	printable out
	listing hostile
	"$JSONQ" out devices >/dev/null
	"$IODELTA" stat "${ROOTS[@]}" -f csv >out
	grep -q ',"quote"",comma",' out
	# as many commas in every row, the quoted one left out
	[ "$(sed 's/"quote"",comma"/x/' out | tr -cd ',\n' | sort -u | wc -l)" = 1 ]
}

@test "no device at all" {
	report empty
	[ "$("$JSONQ" out devices '#')" = 0 ]
	run -0 "$IODELTA" stat "${ROOTS[@]}"
	run -0 "$IODELTA" list "${ROOTS[@]:0:2}" -f json
}

@test "no proc/diskstats: it is named" {
	tree no-diskstats
	run -1 --separate-stderr "$IODELTA" stat "${ROOTS[@]}"
	[[ $stderr == iodelta:*proc/diskstats:* ]]
	[ -z "$output" ]
}

@test "no sysfs: the counters alone do" {
	report no-sys
	values 1 sda r/s=10 r_await=0.5
	values 1 dm-0 r/s=10
	listing no-sys
	listed sda name sda
}

@test "a root that is not there, or is a file" {
	run -1 --separate-stderr "$IODELTA" stat --root nowhere --since-boot
	[[ $stderr == iodelta:*nowhere:* ]]
	: >file
	run -1 --separate-stderr "$IODELTA" stat --root file --since-boot
	[[ $stderr == iodelta:*file:* ]]
}

@test "links to nowhere and in circles" {
	report links
	values 1 sda r/s=10
	values 1 dm-0 r/s=10
	listing links
	listed dm-0 slaves '#' 1
	listed dm-0 slaves 0 sda
	for d in dm-1 dm-2 dm-3 sdb sdc; do listed $d name $d; done
	run -0 timeout 20 "$IODELTA" list "${ROOTS[@]:0:2}"
	# every device once in full
	for d in dm-1 dm-2 dm-3; do [[ $output == *$d* ]]; done
}

@test "links do not lead out of the tree" {
	tree links
	echo '[secret]' >secret
	mkdir -p links/1/sys/block/sda/queue
	ln -sf "$PWD/secret" links/1/sys/block/sda/queue/escape
	"$IODELTA" list "${ROOTS[@]:0:2}" -f json >out
	refute grep -q '\[secret\]' out
}

@test "an attribute that never answers: list ends and says so" {
	listing fifo
	[[ $("$JSONQ" out devices '[name=sda]' attributes queue/scheduler error) == pending* ]]
	listed sdb attributes queue/scheduler value '[mq-deadline] none'
	listed sda attributes device/queue_depth value 32
	run -0 timeout 60 "$IODELTA" list "${ROOTS[@]:0:2}"
	[[ $output == *sda*sdb* ]]
}

@test "an attribute that never answers leaves no process behind" {
	tree fifo
	ln -s "$IODELTA" iodelta
	"$PWD/iodelta" list --root fifo/1 >out
	for _ in $(seq 200); do
		pgrep -f "^$PWD/iodelta" >/dev/null || return 0
		sleep 0.05
	done
	fail "still there:" "$(pgrep -af "^$PWD/iodelta")"
}

@test "an attribute that never answers does not concern stat" {
	report fifo
	[ "$(reports)" = 11 ]
	values 11 sda r/s=10
}

@test "uptime that stands still or is missing" {
	tree basic
	cp basic/1/proc/uptime basic/2/proc/uptime
	run -0 timeout 20 "$IODELTA" stat "${ROOTS[@]}" -f json
	grep -q '"interval":' <<<"$output"
	refute grep -qiE '[:,-](nan|inf)' <<<"$output"
	rm basic/*/proc/uptime
	run -0 timeout 20 "$IODELTA" stat "${ROOTS[@]}" -f json
}

@test "diskstats without an end of line, with CR, with a NUL" {
	tree basic
	printf '   8       0 sda 9100 0 8800 750 1050 0 11200 900 2 820 1650 4 0 64 8 5 15' >basic/2/proc/diskstats
	"$IODELTA" stat --root basic/1 --root basic/2 -f json >out
	values 1 sda r/s=8100
	printf '   8       0 sda 1 0 8\0800 750\r\n' >basic/2/proc/diskstats
	run -0 timeout 20 "$IODELTA" stat --root basic/1 --root basic/2 -f json
}

@test "sysfs that cannot be read is said, and list fails" {
	tree basic
	# a file in place of the directory: no user can list it
	rm -r basic/1/sys/block basic/1/sys/class
	mkdir basic/1/sys/class
	touch basic/1/sys/block basic/1/sys/class/block
	run -1 sh -c "'$IODELTA' list --root basic/1 >out 2>err"
	grep -q '^iodelta: basic/1/sys/block: Not a directory$' err
	# what diskstats alone tells is there all the same
	grep -q '^sda ' out
}
