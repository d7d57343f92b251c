# SPDX-License-Identifier: GPL-2.0-or-later
# The tool that expands fixtures: the trees have sysfs' shape, errors name their line.

load lib

expand() {
	cat >f.tree
	"$MKTREE" f.tree t
}

@test "links have the shape of sysfs" {
	tree lvs
	[ "$(readlink lvs/1/sys/block/dm-0)" = ../devices/virtual/block/dm-0 ]
	[ "$(readlink lvs/1/sys/block/dm-0/slaves/sda2)" = \
		../../../../pci0000:00/0000:00:1f.2/host0/target0:0:0/0:0:0:0/block/sda/sda2 ]
	[ "$(cat lvs/1/sys/block/sda/sda2/holders/dm-0/dm/name)" = tank-a ]
	[ "$(cat lvs/2/sys/class/block/sda2/partition)" = 2 ]
	[ ! -e lvs/1/sys/block/sda2 ]
	[ -d lvs/1/sys/block/sda/mq ]
	[ ! -e lvs/1/sys/block/dm-0/mq ]
	[ -z "$(find lvs -xtype l)" ]
}

@test "counters: start, growth, an absolute line, in_flight as it is, 32 bits of milliseconds" {
	expand <<-'END'
	device sda disk 8:0
	count 1 2 3 4294967290 5 6 7 8 9 10 11
	grow rd_ios=10 rd_ticks=10 in_flight=3
	@3 count 9 9 9 9 9 9 9 9 9 9 9
	END
	[ "$(cat t/1/proc/diskstats)" = '   8       0 sda 1 2 3 4294967290 5 6 7 8 9 10 11' ]
	[ "$(cat t/2/proc/diskstats)" = '   8       0 sda 11 2 3 4 5 6 7 8 3 10 11' ]
	[ "$(cat t/3/proc/diskstats)" = '   8       0 sda 9 9 9 9 9 9 9 9 9 9 9' ]
	[ "$(cat roots 2>/dev/null || "$MKTREE" f.tree t)" = '--root t/1 --root t/2 --root t/3' ]
}

@test "growth with unrest is the same each time, and near what was asked for" {
	expand <<-'END'
	device sda disk 8:0
	grow ~10 rd_ios=1000
	steps 3
	END
	cp t/3/proc/diskstats first
	"$MKTREE" f.tree again
	cmp first again/3/proc/diskstats
	near "$(awk '{ print $4 }' first)" 2000 10
	[ "$(awk '{ print $4 }' first)" != 2000 ]
}

@test "errors name the line" {
	run -1 expand <<<'device sda disc 8:0'
	[ "$output" = 'mktree: f.tree:1: disc: unknown kind' ]
	run -1 expand <<<$'device sda disk 8:0\n\nnonsense 1'
	[ "$output" = 'mktree: f.tree:3: nonsense: unknown directive' ]
	run -1 expand <<<$'device sda disk 8:0\ncount 1 x'
	[ "$output" = 'mktree: f.tree:2: x: no number' ]
	run -1 expand <<<$'# \nrepeat 1-2\ndevice sda disk 8:0'
	[[ $output == 'mktree: f.tree:2: '* ]]
	run -1 expand <<<'attr ro 1'
	[ "$output" = 'mktree: f.tree:1: attr: belongs to a device' ]
	run -1 expand <<<$'device sda disk 8:0\nover sdz'
	[ "$output" = 'mktree: f.tree:2: sdz: no such device' ]
	run -1 "$MKTREE" nothing t
	[ "$output" = 'mktree: nothing: No such file or directory' ]
	run -2 "$MKTREE"
}
