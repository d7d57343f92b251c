#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Settings that W saves and the screen reads, themes, the mouse.
load lib

own_setup() {
	export XDG_CONFIG_HOME=$BATS_TEST_TMPDIR/config
	settings=config/iodelta/settings
}

# drive [ARG…]: runs the script on standard input over the field fixture
drive() {
	cat >lines
	shared_tree field
	timeout 60 "$IODELTA" "${ROOTS[@]}" "$@" --script lines >out 2>err || fail "ended with $?" "$(cat err)"
}

save_some() {
	drive <<-'END'
	size 80x24
	step 2
	key ]
	key x
	key >
	key >
	key t
	key z
	key C
	key d
	key ^U
	text 0.5
	key Enter
	key W
	dump saved
	END
}

@test "W saves what was chosen, and the next start has it" {
	save_some
	tail -1 saved | grep -q "settings are in $XDG_CONFIG_HOME/iodelta/settings"
	grep -qx 'set = totals' $settings
	grep -qx 'shape = inverse' $settings
	grep -qx 'hidden-devices = yes' $settings
	grep -qx 'interval = 0.5' $settings
	grep -qx 'theme = light' $settings
	grep -qx 'graph = await-all' $settings
	drive <<-'END'
	size 80x24
	step 2
	dump -
	END
	[ ! -s err ]
	sed -n 3p out | grep -q '^totals'
	grep -q '^DEVICE inverse' out
	grep -q 'await-all ms' out
	# nothing is left beside it
	[ "$(ls config/iodelta)" = settings ]
}

@test "options win, and --no-settings leaves them unread" {
	save_some
	drive --columns r/s,w/s <<-'END'
	size 80x24
	step 2
	dump -
	END
	grep -q '^own columns' out
	drive --no-settings <<-'END'
	size 80x24
	step 2
	dump -
	END
	grep -q '^overview' out
	grep -q '^DEVICE ' out
	refute grep -q inverse out
}

@test "columns of one's own are saved by name" {
	drive <<-'END'
	size 80x24
	step 2
	key c
	key Space
	key Enter
	key W
	END
	grep -Eqx 'columns = [a-zB%/-]+(,[a-zB%/-]+)+' $settings
	cp $settings first
	drive <<-'END'
	size 80x24
	step 2
	key W
	END
	cmp first $settings
}

@test "a column twice is one column" {
	mkdir -p config/iodelta
	echo 'columns = r/s,w/s,r/s,r/s,await,w/s' >$settings
	drive <<-'END'
	size 80x60
	step 2
	dump list
	key c
	dump menu
	key W
	key Esc
	key W
	END
	[ ! -s err ]
	[ "$(grep -c '^\[x\]' menu)" -eq 3 ]
	[ "$(grep -c '\] r/s ' menu)" -eq 1 ]
	grep -qx 'columns = r/s,w/s,await' $settings
}

@test "a link to the settings stays a link" {
	mkdir -p config/iodelta
	echo 'set = reads' >elsewhere
	ln -s ../../elsewhere $settings
	drive <<-'END'
	size 80x24
	step 2
	key x
	key W
	END
	[ -L $settings ]
	grep -qx 'set = writes' elsewhere
}

@test "what cannot be used is said with its line, never fatal, and kept" {
	mkdir -p config/iodelta
	printf '%s\n' '# mine' 'future = 12' 'theme = pink' 'shape' 'interval = 0,5' '  set =  reads  ' 'hidden-devices = maybe' \
		>$settings
	drive <<-'END'
	size 80x24
	step 2
	key W
	dump -
	END
	grep -q "^iodelta: $XDG_CONFIG_HOME/iodelta/settings:2: future: unknown setting$" err
	grep -q 'settings:3: pink: no value of theme$' err
	grep -q 'settings:4: no "=" in this line$' err
	grep -q 'settings:5: 0,5: no value of interval$' err
	grep -q 'settings:7: maybe: no value of hidden-devices$' err
	sed -n 3p out | grep -q '^reads'
	# written again: comment and unknown lines are where they were, in order
	[ "$(sed -n 1,2p $settings)" = '# mine
future = 12' ]
	grep -qx 'set = reads' $settings
	grep -qx 'theme = default' $settings
	[ "$(grep -c '^set' $settings)" = 1 ]
}

@test "in a locale with a decimal comma numbers have a point all the same" {
	locale_there de_DE.UTF-8 || skip "no de_DE locale"
	LC_ALL=de_DE.UTF-8 save_some
	grep -qx 'interval = 0.5' $settings
	LC_ALL=de_DE.UTF-8 drive <<-'END'
	size 80x24
	step 2
	key d
	dump -
	END
	[ ! -s err ]
	tail -1 out | grep -q '^interval in seconds: 0\.5'
}

locale_there() { [ "$(LC_ALL=$1 locale charmap 2>/dev/null)" = UTF-8 ] && LC_ALL=$1 printf '%.1f' 1,5 2>/dev/null | grep -q ,; }

@test "files that are no settings are left alone, with a message" {
	mkdir -p $settings
	drive <<<'key W'
	grep -q 'settings: not a regular file' err
	[ -d $settings ]
	rmdir $settings
	mkfifo $settings
	drive <<<'step 1'
	grep -q 'settings: not a regular file' err
	rm $settings
	head -c 70000 /dev/zero | tr '\0' '#' >$settings
	drive <<<'key W'
	grep -q 'settings: larger than settings can be' err
	[ "$(wc -c <$settings)" = 70000 ]
	printf 'set = r\377ads\n' >$settings
	drive <<<'key W'
	grep -q 'settings: not UTF-8' err
	[ "$(wc -c <$settings)" = 12 ]
	printf 'set = reads' >$settings
	drive <<-'END'
	step 2
	dump -
	END
	grep -q '^reads' out
}

@test "a directory that cannot be made is said, and nothing is lost" {
	touch config
	drive <<-'END'
	size 80x24
	step 1
	key W
	dump -
	END
	tail -1 out | grep -q 'Not a directory'
	[ -f config ]
}

@test "themes: by name, by C; an unknown one is an error" {
	shared_tree field
	echo 'step 1' >lines
	run -2 "$IODELTA" "${ROOTS[@]:0:4}" --theme pink --script lines
	[[ $output == *'iodelta: pink: unknown theme'* ]]
	for theme in default light mono; do
		drive --theme $theme <<-'END'
		size 80x24
		step 2
		dump -
		END
		mv out $theme
	done
	cmp default light
	cmp default mono
	drive <<-'END'
	size 80x24
	step 1
	key C
	dump one
	key C
	dump two
	key C
	dump three
	END
	tail -1 one | grep -q 'theme: light'
	tail -1 two | grep -q 'theme: mono'
	tail -1 three | grep -q 'theme: default'
}

@test "a click on a knob after its attributes were read anew" {
	drive <<-'END'
	size 80x24
	step 29
	wait idle
	dump before
	step 3
	click 20 19
	dump -
	END
	grep -q '^>KNOBS' out
	tail -3 out | head -1 | grep -Eq ' queue/'
}

@test "clicks: a row, a heading, a key, a knob" {
	drive <<-'END'
	size 80x24
	step 29
	wait idle
	dump start
	click 3 5
	dump row
	click 46 3
	dump sorted
	click 46 3
	dump turned
	click 1 23
	dump help
	key Esc
	click 20 18
	dump knob
	click 79 0
	click 500 500
	dump nothing
	END
	tail -3 start | head -1 | grep -q '^dm-0'
	tail -3 row | head -1 | grep -q '^sda'
	grep -q '▼' <(sed -n 4p sorted)
	grep -q '▲' <(sed -n 4p turned)
	grep -q 'KEYS' help
	grep -q '^>KNOBS' knob
	tail -3 knob | head -1 | grep -Eq '^(dm-0|sda|sdb) queue/'
	cmp knob nothing
}
