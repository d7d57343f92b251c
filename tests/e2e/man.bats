#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The man page against the program's own tables: what one of them has, the other has too.

load lib

own_setup() {
	page=$srcdir/man/iodelta.1
	"$IODELTA" --help >help
}

# section NAME: the first line of each entry in that part of --help
section() {
	awk -v name="$1" '/^[A-Z]/ { inside = index($0, name) == 1; next } inside && /^  [^ ]/ { print substr($0, 3) }' help
}

# the metrics of --help: "name (alias)<TAB>unit"
metric_rows() {
	section Metrics | sed -E 's/^([^ ]+( \([^)]*\))?) +([^ ]+) .*/\1\t\3/'
}

# items NAME: the .It lines of that section of the page, as a reader sees them
items() {
	awk -v name="$1" '/^\.Sh / { inside = substr($0, 5) == name; next } inside && /^\.It / { print substr($0, 5) }' \
		"$page" | sed -e 's/\\e/\\/g' -e 's/\\&//g' -e 's/^Cm //'
}

# equal WHAT FILE FILE: the same lines in both, in any order
equal() {
	diff <(sort -u "$2") <(sort -u "$3") || fail "$1: < only in the program, > only in the man page"
	[ -s "$2" ] || fail "$1: the program names none"
}

@test "every option of --help has its entry with the same argument, and the page has no other" {
	section Options | awk '{
		argument = $0 ~ /^-[^ ]+ [A-Z]+ / ? " Ar " $2 : ""
		sub(/^-/, "", $1)
		print "Fl " $1 argument
	}' >program
	items OPTIONS >man
	equal options program man
}

@test "no option that the page mentions anywhere is unknown to the program" {
	section Options | awk '{ print $1 }' | sort -u >known
	{
		grep -oE 'Fl -?[A-Za-z][A-Za-z-]*' "$page" | sed 's/^Fl /-/'
		grep -E '^\.Dl ' "$page" | grep -oE ' --?[A-Za-z][A-Za-z-]*' | tr -d ' '
	} | sort -u >used
	[ "$(wc -l <used)" -ge 18 ]
	run comm -13 known used
	[ -z "$output" ] || fail "unknown options: $output"
}

@test "every command of --help is in the synopsis" {
	sed -n 's/^ *\(usage: \)\{0,1\}iodelta \([a-z][a-z]*\) .*/\2/p' help >program
	grep -qx stat program
	awk '/^\.Sh / { inside = $2 == "SYNOPSIS" } inside && /^\.Cm / { print $2 }' "$page" >man
	equal commands program man
}

@test "every metric has its entry, and the entry begins with its unit" {
	metric_rows | cut -f 1 >program
	[ "$(wc -l <program)" -ge 36 ]
	items METRICS >man
	run comm -23 <(sort program) <(sort man)
	[ -z "$output" ] || fail "not in the man page: $output"
	# "1/s." in the page for the unit 1/s
	metric_rows | awk -F '\t' '{ print $1 "\t" tolower($2) "." }' >units
	awk '/^\.It / { name = substr($0, 5); getline; print name "\t" tolower($0) }' "$page" >said
	run comm -23 <(sort units) <(sort said)
	[ -z "$output" ] || fail "another unit in the man page: $output"
}

@test "the page has no metric, system number or edge that the program lacks" {
	tree basic
	"$IODELTA" stat "${ROOTS[@]}" -f json >out
	head -n 1 out | sed 's/.*"system":{//; s/,"na":{.*//; s/}.*//' | grep -oE '"[^"]+":' | tr -d '":' >system
	# 13 numbers, and which CPU is the busiest
	[ "$(wc -l <system)" -eq 14 ]
	{
		metric_rows | cut -f 1
		cat system
		printf '%s\n' split merge_share size_ratio added_latency path_share
	} >program
	items METRICS >man
	equal metrics program man
}

@test "every key of --help has its entry, and the page has no other" {
	section Keys | sed 's/  .*//' >program
	items KEYS >man
	equal keys program man
}

@test "every verdict has its entry, and the page has no other" {
	awk '/^enum verdict/ { inside = 1 } /}/ { inside = 0 } inside' "$srcdir/include/model/compare.h" |
		grep -oE 'VERDICT_[A-Z]+' | sed 's/VERDICT_//' | tr '[:upper:]' '[:lower:]' >program
	items VERDICTS >man
	equal verdicts program man
}

@test "every reason for a value that is not available has its entry, and the page has no other" {
	sed -n 's/^\t\[NA_[A-Z_]*\] = "\(..*\)",$/\1/p' "$srcdir/src/model/na.c" >program
	items "VALUES THAT ARE NOT AVAILABLE" >man
	equal reasons program man
}

@test "every instruction of a script has its entry, and the page has no other" {
	sed -n 's/^\t{ "\([a-z-]*\)", SCRIPT_[A-Z_]*, .*/\1/p' "$srcdir/src/tui/script.c" >program
	items SCRIPTS | awk '{ print $1 }' >man
	equal instructions program man
}

@test "mandoc finds nothing to complain about" {
	command -v mandoc >/dev/null || skip "mandoc is not installed"
	run mandoc -T lint -W warning "$page"
	[ -z "$output" ] || fail "$output"
	[ "$status" -eq 0 ]
	# and it is rendered whole
	mandoc -T ascii "$page" | col -b | grep -q 'EXIT STATUS'
}
