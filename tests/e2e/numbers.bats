# SPDX-License-Identifier: GPL-2.0-or-later
# Counters to values. Every number here is worked out by hand from the fixture's counters with the formulas of METRICS.

load lib

@test "rates and means of a plain second" {
	report basic
	[ "$(reports)" = 2 ]
	# 150 I/Os of 4000 sectors in 650 ms
	values 1 sda r/s=100 w/s=50 d/s=4 f/s=5 rkB/s=400 wkB/s=1600 dkB/s=32 kB/s=2000 rsec/s=800 wsec/s=3200
	values 1 sda rrqm/s=20 wrqm/s=150 drqm/s=0 rqm/s=170 tps=154
	# 100 x 20 / 120; 100 x 150 / 200; 100 x 100 / 150
	values 1 sda %rrqm=16.666667 %wrqm=75 %drqm=0 %read=66.666667
	values 1 sda r_await=2.5 w_await=8 d_await=2 f_await=3 await=4.333333
	# (650 + 8) / 154; 4064 / 2 / 154
	values 1 sda await-all=4.272727 areq-sz=13.194805 rareq-sz=4 wareq-sz=32 dareq-sz=8 avgrq-sz=26.666667
	# 650 / 320; 4.333333 / 13.333333; 320 / 150
	values 1 sda aqu-sz=0.65 busy-depth=2.03125 %util=32 inflight=2 await/KiB=0.325 svctm=2.133333
	values 1 sdb r/s=10
	values 2 sdb r/s=20
}

@test "an idle device has zero rates and no means" {
	report basic
	values 1 sdc r/s=0 w/s=0 kB/s=0 rqm/s=0 aqu-sz=0 %util=0 tps=0 inflight=0
	not_available 1 sdc 'no I/O' await r_await w_await avgrq-sz rareq-sz await/KiB %read
	not_available 1 sdc 'nothing issued or merged' %rrqm %wrqm
	not_available 1 sdc 'idle' busy-depth
}

@test "millisecond fields wrap at 2^32 when the I/O explains it" {
	report wrap
	# 1374146 ms in 2000 writes and one second
	values 1 sda w/s=2000 w_await=687.073 await=687.073 aqu-sz=1374.146 %util=100 wkB/s=8000
}

@test "a fall of a millisecond field that no I/O explains is a reset, and the next interval counts" {
	report wrap
	not_available 1 sdb 'counters reset' r/s w/s w_await await aqu-sz %util wkB/s
	values 2 sdb w/s=10 w_await=4 aqu-sz=0.04 %util=1
}

@test "a stuck path that returns after ten minutes counts" {
	report stuck
	# 300 s without an I/O, 22 in flight, always busy
	values 1 sda w/s=0 inflight=22 %util=100
	not_available 1 sda 'no I/O' w_await await
	values 2 sda w/s=0 inflight=22 %util=100
	# then 22 at once that took 600 s each
	values 3 sda w/s=22 w_await=600000 aqu-sz=13200 %util=100 inflight=0
}

@test "another disk under the same name is new, though its counters are higher" {
	report reregistered
	not_available 1 sdb 'new device' r/s r_await %util rkB/s
	values 1 sda r/s=10 r_await=0.5
	values 2 sdb r/s=20 r_await=1 %util=1 aqu-sz=0.02
}

@test "a device that vanishes and returns starts anew" {
	local got
	report vanish
	# gone: not in the report, or without values
	got=$(of 1 sdb r/s) || got=null
	[ "$got" = null ]
	not_available 2 sdb 'new device' r/s rkB/s
	not_available 2 sdc 'new device' r/s rkB/s
	values 3 sdb r/s=7 r_await=2 %util=1
	values 3 sdc r/s=1000 r_await=0.1
	values 1 sda r/s=10
	values 2 sda r/s=10
	values 3 sda r/s=10
}

@test "lower counters are a reset" {
	report reset
	not_available 1 sda 'counters reset' r/s w/s await %util aqu-sz
	values 2 sda r/s=30 w/s=0 r_await=1 %util=3
}

@test "a counter that steps back by a little takes only its own values with it" {
	report ticks-back
	values 1 sda r/s=20 w/s=10 r_await=2 %util=4 aqu-sz=0.04 wkB/s=40
	not_available 1 sda 'counter stepped back' w_await await await/KiB
	values 1 sdb w_await=3 await=2.333333 %util=4
	not_available 1 sdb 'counter stepped back' aqu-sz busy-depth
	values 1 sdc w_await=3 aqu-sz=0.07
	not_available 1 sdc 'counter stepped back' %util svctm busy-depth
}

@test "time that is not accounted is no zero" {
	report md-no-time
	values 1 md0 r/s=200 w/s=1000 wkB/s=4000 avgrq-sz=8
	not_available 1 md0 'time not accounted' await r_await w_await aqu-sz %util svctm
	not_available 1 md0 'no such field' d/s
	values 1 md1 r/s=20
	not_available 1 md1 "below the clock's resolution" await %util aqu-sz
	values 1 md2 r/s=0 %util=0 aqu-sz=0
	values 1 sda w/s=1000 w_await=0.5 %util=40
}

@test "iostats switched off is not an idle device" {
	report iostats-off
	not_available 1 sda 'queue/iostats is 0' r/s w/s rkB/s %util aqu-sz inflight
	values 1 sdb r/s=0 %util=0
	# growth is proof that it is counted; from then on standing still is idleness
	values 1 dm-0 r/s=10 %util=0.5
	values 2 dm-0 r/s=0 %util=0
	not_available 2 sda 'queue/iostats is 0' r/s %util
}

@test "all counts of numbers are read, the whole groups used" {
	report field-counts
	values 1 f4 r/s=10 w/s=0 rkB/s=40
	not_available 1 f4 'no such field' r_await %util aqu-sz rrqm/s d/s f/s
	for f in f11 f12 f13 f14; do
		values 1 $f r/s=10 r_await=0.5 tps=10 await-all=0.5
		not_available 1 $f 'no such field' d/s d_await dkB/s f/s f_await
	done
	for f in f15 f16; do
		values 1 $f r/s=10 d/s=4 d_await=0.5 dkB/s=32 tps=14 areq-sz=5.142857
		not_available 1 $f 'no such field' f/s f_await
	done
	for f in f17 f20; do
		values 1 $f d/s=4 f/s=3 f_await=2 await-all=0.5
	done
	for f in f5 f10; do
		refute of 1 $f r/s
	done
	[ "$(wc -l <err)" = 1 ]
}

@test "counters of a 32-bit machine wrap at 2^32" {
	report word32
	values 1 sda r/s=96 rkB/s=1008 r_await=0.5
}

@test "the same lines from a 64-bit machine are a reset" {
	tree word32
	for root in word32/*; do echo x86_64 >"$root/proc/sys/kernel/arch"; done
	"$IODELTA" stat "${ROOTS[@]}" -f json >out
	not_available 1 sda 'counters reset' r/s rkB/s r_await
}

@test "sectors are 512 bytes, also on a disk with sectors of 4096" {
	report native4k
	values 1 nvme0n1 rkB/s=400 rareq-sz=4 avgrq-sz=8 rsec/s=800
	listing native4k
	# 1953525168 x 512
	listed nvme0n1 size 1000204886016
}

@test "utilisation over 100 % is shown as it is" {
	report util226
	values 1 sda %util=226
	values 1 sdb %util=101
}

@test "flushes: a path has them as empty reads, and no field of its own" {
	report multipath4
	values 1 dm-1 f/s=50 f_await=0.5 w/s=100 r/s=0
	values 1 sde r/s=50 r_await=8 rkB/s=0 w/s=100
	not_available 1 sde 'no such field' f/s f_await
	values 1 dm-0 f/s=0
}

@test "a bio-based map and a partition have no flushes" {
	report stripe
	not_available 1 dm-0 'no such field' f/s f_await
	not_available 1 nvme0n1p1 'no such field' f/s
	values 1 nvme0n1 f/s=10 f_await=0.5
	values 1 dm-0 w/s=1000 w_await=1
}

@test "4000 devices" {
	report many
	[ "$("$JSONQ" out devices '#')" = 4000 ]
	values 1 many17 r/s=17
	values 1 many3999 r/s=3999 rkB/s=15996
	[ ! -s err ]
}
