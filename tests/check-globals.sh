#!/bin/sh
# SPDX-License-Identifier: MIT
# What no object below src/app and the commands may hold: a variable that can be written, or a call that prints or ends
# the program.
#
#   check-globals.sh SOURCE BUILD
set -u

# breaches SOURCE BUILD: of every object of BUILD/src, a line each; the number of objects is in the last one.
breaches() {
    objects=0
    for object in $(cd "$2" && find src -name '*.o' | LC_ALL=C sort); do
        file=$(echo "$object" | sed 's,/\.libs/,/,; s,\.o$,.c,')
        [ -e "$1/$file" ] || continue
        objects=$((objects + 1))
        case $file in
        src/main.c | src/commands/* | src/app/*) continue ;;
        esac
        # "0000000000000000 l     O .bss<TAB>0000000000000004 name"; .data.rel.ro is read-only once its addresses are
        # filled in; names in .L and __ are the compiler's and the sanitizers' own.
        objdump -t "$2/$object" | awk -F '\t' -v file="$file" '
            NF < 2 { next }
            {
                section = $1
                sub(/^.* /, "", section)
                name = $2
                sub(/^[^ ]* +(\.hidden )?/, "", name)
            }
            section == "*UND*" &&
            name ~ /^(__)?(v?printf|puts|putchar|perror|stderr|v?warnx?|v?errx?|exit|abort|assert_fail)(_chk)?$/ {
                print file ": uses \"" name "\"; only the commands and src/app print or end the program"
            }
            section == "*UND*" && name == "stdout" && file != "src/form/output.c" {
                print file ": uses \"stdout\"; only the commands, src/app and the output that is called \"-\" do"
            }
            (($1 ~ / O / && section ~ /^(\.(data|bss)|\*COM\*)/ && section !~ /^\.data\.rel\.ro/) ||
            section ~ /^\.t(data|bss)/) && name !~ /^(__|\.)/ {
                print file ": \"" name "\" is a variable that can be written (" section ")"
            }' | LC_ALL=C sort -u
    done
    echo "$objects"
}

# The rules have teeth: what is planted in a tree of its own is found.
planted_are_found() {
    tree=$(mktemp -d) || return 1
    mkdir -p "$tree/src/base" "$tree/src/meter" "$tree/src/commands/plot"
    for file in src/base/a.c src/meter/b.c src/commands/plot/cmd_plot.c; do
        printf '#include <stdio.h>\nint count;\nvoid show(void);\nvoid show(void) { printf("%%d\\n", count++); }\n' > "$tree/$file"
        ${CC:-cc} -O0 -fno-builtin -c "$tree/$file" -o "$tree/${file%.c}.o" || return 1
    done
    found=$(breaches "$tree" "$tree" | grep -cE '^src/(base/a|meter/b)\.c: (uses "printf"|"count" is a variable)')
    others=$(breaches "$tree" "$tree" | grep -c '^src/commands/plot/cmd_plot.c')
    rm -r "$tree"
    [ "$found $others" = '4 0' ] || { echo "of 4 planted breaches $found were found"; return 1; }
}

source=${1:-${srcdir:-.}}
build=${2:-${abs_builddir:-.}}
command -v objdump > /dev/null || { echo "SKIPPED: no 'objdump'"; exit 77; }
planted_are_found || exit 1
found=$(breaches "$source" "$build")
objects=$(echo "$found" | tail -n 1)
[ "$objects" -gt 0 ] || { echo "no objects found under '$build/src'"; exit 1; }
[ "$found" = "$objects" ] || { echo "$found" | sed '$d'; exit 1; }
echo "$objects objects hold no writable variable and neither print nor exit"
