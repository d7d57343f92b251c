# SPDX-License-Identifier: GPL-2.0-or-later
# Every writable knob of a multipath map and of a path: set to another value, to one that no kernel takes, read back,
# undone. What the kernels did is the table in README.
tests=6
limit=240
long=1

set_up()
{
	lun_over_two_paths && multipath mpatha mq "$path0" "$path1" || return 1
	echo mq-deadline >"/sys/block/$dm/queue/scheduler"
	echo mq-deadline >"/sys/block/$path0/queue/scheduler"
}

snapshot() { iodelta knobs list "$dm" "$path0" | grep -v -e read-only -e bytes; }

# another VALUE: one that differs and should be taken
another()
{
	case $1 in
	*\[*) printf '%s\n' "$1" | tr ' ' '\n' | grep -v '\[' | head -n 1 ;;
	'write back') echo 'write through' ;;
	'write through') echo 'write back' ;;
	0) echo 1 ;;
	1) echo 0 ;;
	-1) echo 75000 ;;
	[0-9]*) echo $(($1 / 2)) ;;
	*) echo 1 ;;
	esac
}

# invalid DEVICE KNOB VALUE: what comes of a number that is too large, past the program's own check; then back to VALUE
invalid()
{
	if (echo 99999999999999999999 >"/sys/block/$1/$2") 2>/dev/null; then
		echo "taken, reads $(cat "/sys/block/$1/$2" 2>&1)"
		(echo "$3" >"/sys/block/$1/$2") 2>/dev/null
	else
		echo refused
	fi
}

# every DEVICE ROLE: a line of the table for each knob
every()
{
	local knob value other said status again
	iodelta knobs list -f json "$1" >knobs.json
	iodelta knobs list "$1" | awk '/^ / && !/read-only/ { print $1 }' >names.txt
	while read -r knob; do
		value=$(cat "/sys/block/$1/$knob" 2>/dev/null) || value=$(iodelta knobs get "$1" "$knob")
		other=$(another "$value")
		# what no kernel takes
		again=$(invalid "$1" "$knob" "$value")
		iodelta knobs set --force "$1" "$knob=$other" >said.txt 2>&1
		status=$?
		said=$(grep -v -e warning -e pending said.txt | tail -n 1 | sed "s/^iodelta: //; s/^$1 //")
		iodelta knobs undo --all >/dev/null 2>undo.txt || cat undo.txt >>failed.txt
		printf '%-4s %-32s %s %s | %s\n' "$2" "$knob" $status "$said" "$again"
	done <names.txt
}

run()
{
	: >failed.txt
	snapshot >before.txt
	every "$dm" map >table.txt
	snapshot >after.txt
	ok 'all of the map are as before' cmp before.txt after.txt
	diff before.txt after.txt | note
	every "$path0" path >>table.txt
	snapshot >after.txt
	ok 'all of the path are as before' cmp before.txt after.txt
	diff before.txt after.txt | note
	note <table.txt
	ok 'no undo left anything' test ! -s failed.txt
	note <failed.txt
	within 'knobs tried' "$(grep -c . table.txt)" 30 120

	# what is exported does the same
	iodelta knobs set "$dm" nr_requests=64 read_ahead_kb=256 >/dev/null
	iodelta knobs set "$path0" queue_depth=16 >/dev/null
	iodelta knobs export >script.sh
	snapshot >changed.txt
	sh script.sh restore 2>&1 | note
	snapshot >after.txt
	ok 'the exported script sets back' cmp before.txt after.txt
	diff before.txt after.txt | note
	sh script.sh set
	snapshot >after.txt
	ok 'and sets' cmp changed.txt after.txt
	iodelta knobs undo --all >/dev/null
}

tear_down() { remove_devices; }
