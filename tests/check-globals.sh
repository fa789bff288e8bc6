#!/bin/sh
# SPDX-License-Identifier: MIT
# What no object below src/cli may hold: a variable that can be written, or a call that prints or ends the program.
#
#   check-globals.sh SOURCE BUILD
set -u
source=${1:-${srcdir:-.}}
build=${2:-${abs_builddir:-.}}
command -v objdump > /dev/null || { echo "SKIPPED: no 'objdump'"; exit 77; }

violations=$(mktemp) || exit 99
trap 'rm -f "$violations"' EXIT
objects=0
for object in $(cd "$build" && find src -name '*.o' ! -path 'src/cli/*' | sort); do
    # src/base/.libs/libcore_la-error.o comes from src/base/error.c
    file=$(echo "$object" | sed 's,/\.libs/,/,; s,/lib[a-z]*_la-,/,; s,\.o$,.c,')
    [ -e "$source/$file" ] || continue
    objects=$((objects + 1))
    # "0000000000000000 l     O .bss<TAB>0000000000000004 name"; .data.rel.ro is read-only once its addresses are filled
    # in; names in .L and __ are the compiler's and the sanitizers' own.
    objdump -t "$build/$object" | awk -F '\t' -v file="$file" '
        NF < 2 { next }
        {
            section = $1
            sub(/^.* /, "", section)
            name = $2
            sub(/^[^ ]* +(\.hidden )?/, "", name)
        }
        section == "*UND*" &&
        name ~ /^(__)?(v?printf|puts|putchar|perror|stderr|v?warnx?|v?errx?|exit|abort|assert_fail)(_chk)?$/ {
            print file ": uses \"" name "\"; only src/cli prints or ends the program"
        }
        section == "*UND*" && name == "stdout" && file != "src/form/output.c" {
            print file ": uses \"stdout\"; only src/cli and the output that is called \"-\" do"
        }
        (($1 ~ / O / && section ~ /^(\.(data|bss)|\*COM\*)/ && section !~ /^\.data\.rel\.ro/) ||
        section ~ /^\.t(data|bss)/) && name !~ /^(__|\.)/ {
            print file ": \"" name "\" is a variable that can be written (" section ")"
        }' >> "$violations"
done
[ $objects -gt 0 ] || { echo "no objects found under '$build/src'"; exit 1; }
[ ! -s "$violations" ] || { sort -u "$violations"; exit 1; }
echo "$objects objects hold no writable variable and neither print nor exit"
