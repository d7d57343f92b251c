# SPDX-License-Identifier: GPL-2.0-or-later
# What the keys do, by script over the noisy fixture.

load lib

@test "x turns the column sets, back to the first one" {
	screen <<-'END'
	step 3
	dump 0
	key x
	dump 1
	key x
	dump 2
	key x
	dump 3
	key x
	dump 4
	key x
	dump 5
	END
	[ "$(for i in 0 1 2; do grep DEVICE $i; done | sort -u | wc -l)" = 3 ]
	[ "$(for i in 1 2 3 4 5; do grep DEVICE $i; done | grep -cxF "$(grep DEVICE 0)")" -ge 1 ]
}

@test "v turns between the last interval and the segment" {
	screen <<-'END'
	step 9
	dump last
	key v
	dump segment
	END
	refute cmp -s last segment
	shows segment 'AFTER.*n9'
}

@test "z shows and hides the idle" {
	screen <<-'END'
	size 80x40
	step 3
	key z
	dump all
	key z
	dump few
	END
	for d in loop0 loop7 ram3 sr0; do shows all "$d"; done
	hides few 'loop0'
	shows few '13 .*hidden'
}

@test "filter: a glob, with what it hangs from; empty shows all again" {
	screen <<-'END'
	step 3
	key \
	text nvme*
	key Enter
	dump filtered
	key F4
	key Backspace
	key Backspace
	key Backspace
	key Backspace
	key Backspace
	key Enter
	dump all
	END
	shows filtered nvme0n1
	refute grep -qE '^(▾|╠═|╚═)(dm-0|sd)' filtered
	shows all 'dm-0 mpatha'
}

@test "search moves the selection, which the status line follows" {
	screen <<-'END'
	step 3
	key /
	text nvme
	key Enter
	dump found
	key n
	dump next
	key /
	text nothinghere
	key Enter
	dump lost
	END
	shows found '^nvme0n1 .*w/s'
	shows next '^nvme0n1p2 .*w/s'
	shows lost 'nothinghere'
}

@test "the selection moves and stays with its device" {
	screen <<-'END'
	step 3
	key Down
	key Down
	dump down
	key z
	dump still
	key End
	dump end
	key Home
	dump home
	key Down
	key k
	key j
	key PgDn
	key PgUp
	step 1
	dump last
	END
	shows down '^sdb .*w/s'
	shows still '^sdb .*w/s'
	shows home '^dm-0 .*w/s'
}

@test "fold: the legs go, and come back" {
	screen <<-'END'
	step 3
	key -
	dump folded
	key +
	dump open
	END
	shows folded '▸dm-0'
	hides folded '═sda'
	shows folded 'nvme0n1p2'
	shows open '▾dm-0'
	shows open '═sda'
}

@test "tree, inverse, flat" {
	screen <<-'END'
	step 3
	key t
	dump inverse
	key F5
	dump flat
	key t
	dump tree
	END
	in_order inverse 'nvme0n1p2' 'nvme0n1( |$)'
	hides flat '═|─nvme|Σ'
	for d in dm-0 sda sdb nvme0n1p2; do shows flat "$d"; done
	shows tree '╠═sda'
}

@test "sort by a column, and the other way round" {
	screen <<-'END'
	step 3
	key t
	key t
	key F6
	dump on
	key I
	dump other
	key F6
	dump off
	END
	# %util: 100 99.5 98.3 and twice 0.9; equal ones keep their order
	in_order on 'DEVICE.*▼%util' dm-0 sdb sda 'nvme0n1 ' nvme0n1p2
	in_order other 'DEVICE.*▲%util' 'nvme0n1 ' nvme0n1p2 sda sdb dm-0
	in_order off dm-0 'nvme0n1 ' nvme0n1p2 'sda ' 'sdb '
}

@test "hold: AFTER stands still, and goes on" {
	screen <<-'END'
	step 9
	key v
	key H
	step 5
	dump held
	key H
	step 2
	dump on
	END
	shows held 'n9'
	shows held '[Hh]eld'
	shows on 'n11'
	hides on '[Hh]eld'
}

@test "restart and drop" {
	screen <<-'END'
	step 9
	key v
	key r
	step 3
	dump again
	key b
	step 2
	dump two
	key B
	dump one
	END
	shows again 'n3'
	shows two 'BEFORE.*n3.*AFTER.*n2'
	hides one 'BEFORE'
}

@test "pause is said" {
	screen <<-'END'
	step 2
	key Z
	dump paused
	key Z
	dump on
	END
	shows paused '[Pp]aused'
	hides on '[Pp]aused'
}

# help_of PLACE KEYS…: the help, called there, on a screen that has it whole, as one line without its frame
help_of() {
	local place=$1
	shift
	{
		printf 'size 100x250\nstep 5\nwait idle\n'
		printf 'key %s\n' "$@" F1
		echo 'dump -'
	} >lines
	timeout 60 "$IODELTA" "${ROOTS[@]}" --no-settings --script lines >"$place.screen"
	sed -n 's/^ *│ \(.*[^ ]\) *│ *$/\1/p' "$place.screen" >"$place.lines"
	tr -s ' \n' ' ' <"$place.lines" >"$place"
}

@test "help: every key once, those of the place where it was called from first" {
	local place sentence n
	shared_tree field
	help_of list Home
	help_of knobs Tab
	help_of graph Tab Tab
	help_of detail Enter
	help_of system S
	help_of columns c
	help_of journal J
	help_of edit Tab e
	"$IODELTA" --help | sed -n '/^Keys:/,/^$/p' | sed '1d' >table
	# one sentence a line, continuations joined
	sed -E 's/^  [^ ]+( [^ ]+)*  +//; t; s/^ +/+/' table | sed -e ':a' -e 'N' -e '$!ba' -e 's/\n+/ /g' | grep . >sentences
	[ "$(wc -l <sentences)" -gt 50 ]
	for place in list knobs graph detail system columns journal edit; do
		while IFS= read -r sentence; do
			n=$(grep -oF -- "$sentence" "$place" | wc -l)
			[ "$n" -ge 1 ] || fail "$place: not in the help: $sentence" "$(cat "$place.lines")"
		done <sentences
		# as many rows with keys as the table has
		n=$(awk '/^[A-Z][A-Z]+ [A-Z]|^KEYS$/ { keys = /^KEYS/; next } keys && /^[^ ]/' "$place.lines" | wc -l)
		[ "$n" -eq "$(grep -cE '^  [^ ]' table)" ] || fail "$place: $n rows" "$(cat "$place.lines")"
	done
	grep -m1 '^KEYS' list.lines | grep -qx 'KEYS'
	grep -m1 '^KEYS' knobs.lines | grep -qx 'KEYS IN THE KNOBS'
	grep -m1 '^KEYS' graph.lines | grep -qx 'KEYS IN THE GRAPH'
	grep -m1 '^KEYS' detail.lines | grep -qx "KEYS ON A DEVICE'S PAGE"
	grep -m1 '^KEYS' edit.lines | grep -qx 'KEYS WHILE A KNOB IS EDITED'
	head -1 list.lines | grep -qx 'WHAT YOU SEE'
}

@test "help lists every key of --help" {
	screen <<-'END'
	size 120x90
	step 1
	key F1
	dump help
	key Esc
	dump gone
	END
	for k in 'F1 h' 'PgUp PgDn' 'F4' 'S-Tab'; do shows help "$k"; done
	for w in BEFORE AFTER sort hold interval pause clear drift noise; do shows help "$w"; done
	hides gone 'F1 h'
}

@test "A turns between ASCII and line characters" {
	screen <<-'END'
	step 2
	key A
	step 7
	dump ascii
	key A
	step 7
	dump glyphs
	END
	refute env LC_ALL=C grep -q '[^ -~]' ascii
	shows ascii '^\|=sda'
	shows glyphs '^╠═sda'
	LC_ALL=C screen <<-'END'
	step 2
	key A
	dump c
	END
	refute env LC_ALL=C grep -q '[^ -~]' c
	shows c 'ASCII only'
}

@test "leaving under a filter that matches nothing says that no device is shown" {
	screen <<-'END'
	step 29
	key b
	step 29
	key \
	text nothinghere
	key Enter
	dump filtered
	key q
	END
	shows filtered 'nothing matches nothinghere'
	shows bye 'no device is shown'
	hides bye 'no I/O'
}

@test "y writes the comparison as text, never over a file" {
	screen <<-'END'
	step 29
	key b
	step 29
	key y
	dump saved
	key Q
	END
	set -- iodelta-comparison-*.txt
	[ -s "$1" ]
	grep -qE 'dm-0 +w/s .*clear' "$1"
	grep -qxF 'dm-0 async_depth 256 -> 8' "$1"
	shows saved 'iodelta-comparison-'
}

@test "q ends; without a BEFORE nothing is said on leaving" {
	screen <<-'END'
	step 2
	key q
	dump never
	END
	[ ! -e never ]
	[ ! -s bye ]
}
