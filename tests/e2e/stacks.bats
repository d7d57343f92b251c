# SPDX-License-Identifier: GPL-2.0-or-later
# Who sits on whom, and what can be said of the edges between.

load lib

@test "names with a slash" {
	report cciss
	values 1 cciss/c0d0 w/s=20 w_await=2
	values 1 cciss/c0d0p1 w/s=20
	listing cciss
	listed cciss/c0d0p1 parent cciss/c0d0
	listed cciss/c0d0p1 mount /boot
	listed cciss/c0d0p1 kind partition
	listed cciss/c0d0 attributes queue/nr_requests value 128
}

@test "multipath: kinds, names, identity" {
	listing multipath4
	listed dm-0 kind multipath
	listed dm-0 dm_name mpatha
	listed dm-0 uuid mpath-3333333000001388
	listed dm-0 slaves '#' 4
	listed dm-0 slaves 3 sdd
	listed sda holders 0 dm-0
	listed sda kind disk
	listed sda parent null
	listed sda size 1073741824
	listed dm-0 attributes queue/scheduler value '[mq-deadline] none'
	listed dm-0 attributes queue/iosched/async_depth value 256
	listed sda attributes device/queue_depth value 32
	listed dm-0 identity key mpath-3333333000001388
}

@test "multipath: edges of one map over four paths" {
	report multipath4
	# 1200 over 1000; 3000 of 4000 merges above; 128 sectors over 106.67; 12 ms - 4 ms
	edges 1 dm-0 split=1.2 merge_share=0.75 size_ratio=1.2 added_latency=8
	edges 1 dm-0 path_share/sda=0.5 path_share/sdb=0.25 path_share/sdc=0.25 path_share/sdd=0
	# 100 writes and 50 flushes over 100 writes and 50 empty reads
	edges 1 dm-1 split=1 path_share/sde=1
	edges 1 sda split=absent
}

@test "under fsync no layer seems to split what it does not, as measured" {
	report flush
	edges 1 dm-0 split=1
	edges 1 dm-1 split=1
	edges 1 md0 split=1.99
}

@test "an LVM stripe over NVMe partitions reaches the disks through them" {
	report stripe
	edges 1 dm-0 split=2 size_ratio=2 added_latency=0.5 path_share/nvme2n1p1=0.25 merge_share=null
	[ -n "$(of 1 dm-0 na edges.merge_share)" ]
	listing stripe
	listed dm-0 kind lvm
	listed dm-0 dm_name tank-lvm
	listed dm-0 mount /srv
	listed dm-0 slaves 0 nvme0n1p1
	listed nvme0n1p1 parent nvme0n1
	listed nvme0n1p1 holders 0 dm-0
}

@test "several volumes on one partition are one group; a mounted neighbour does not share it" {
	report lvs
	# both volumes together: 200 writes of 16 sectors in 500 ms over 400 of 8 in 400 ms
	edges 1 dm-0 split=2 size_ratio=2 added_latency=1.5
	edges 1 dm-1 split=2 size_ratio=2 added_latency=1.5
}

@test "a lower device that is used from elsewhere: its edges are not available" {
	report lvs
	edges 1 dm-2 split=null size_ratio=null added_latency=null
	[[ $(of 1 dm-2 na edges.split) == shared* ]]
	values 1 dm-2 w/s=5
}

@test "crypt on LVM on a mirror: each edge by itself, the mirror against its slowest leg" {
	report crypt-lvm-md
	edges 1 md0 split=2 added_latency=1 path_share/sda1=0.5
	edges 1 dm-0 split=1 added_latency=0
	edges 1 dm-1 split=1 added_latency=3
	listing crypt-lvm-md
	listed dm-1 kind crypt
	listed dm-1 slaves 0 dm-0
	listed dm-1 mount /secret
	listed dm-0 slaves 0 md0
	listed md0 kind md
	listed md0 slaves '#' 2
	listed md0 identity key 01234567-89ab-cdef-0123-456789abcdef
}

@test "NVMe multipath: nodes 0:0, a head that accounts" {
	report nvme-multipath
	values 1 nvme0n1 r/s=300 r_await=2
	values 1 nvme0c0n1 r/s=200 r_await=1
	values 1 nvme0c1n1 r/s=100
	edges 1 nvme0n1 split=1 size_ratio=1 added_latency=1 path_share/nvme0c0n1=0.666667
	refute of 1 nvme0n1 derived
	listing nvme-multipath
	listed nvme0c1n1 parent nvme0n1
	listed nvme0n1 slaves '#' 2
	listed nvme0c0n1 attributes ana_state value optimized
}

@test "NVMe multipath: a head that does not account is the sum of its paths" {
	report nvme-multipath-off
	values 1 nvme0n1 r/s=300 rkB/s=1200 r_await=1 %util=30
	[ "$(of 1 nvme0n1 derived r/s)" = 'sum of nvme0c0n1, nvme0c1n1' ]
	[[ $(of 1 nvme0n1 derived %util) == 'maximum of nvme0c0n1, nvme0c1n1' ]]
	# zero counters are enough, whatever queue/iostats says
	values 1 nvme1n1 r/s=10 r_await=2
	[ "$(of 1 nvme1n1 derived r/s)" = 'sum of nvme1c2n1' ]
}

@test "list as text draws the stack: a map with its legs, a volume below its partition" {
	tree multipath4
	run -0 "$IODELTA" list "${ROOTS[@]:0:2}"
	[[ $output == *dm-0*mpatha*sda*sdb*sdc*sdd* ]]
	tree lvs
	run -0 "$IODELTA" list "${ROOTS[@]:0:2}"
	[[ $output == *sda2*dm-0*tank-a*/a* ]]
}

@test "list of one DEVICE: it and all above and below it" {
	listing lvs tank-a
	for d in dm-0 sda2 sda; do listed $d name $d; done
	for d in sdb sdb2 dm-2; do refute "$JSONQ" out devices "[name=$d]"; done
}
