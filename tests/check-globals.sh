#!/bin/sh
# SPDX-License-Identifier: MIT
# What no object may hold: a variable that can be written; and, but for main.c, the terminal, the cmd_*.c and the watch,
# a call that prints or ends the program (_exit, which ends a child, is anybody's).
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
        src/main.c | src/app/terminal.c | src/commands/*/cmd_*.c | src/commands/sources/watch*.c) prints=1 ;;
        *) prints=0 ;;
        esac
        # "0000000000000000 l     O .bss<TAB>0000000000000004 name"; .data.rel.ro is read-only once its addresses are
        # filled in; names in .L and __ are the compiler's and the sanitizers' own.
        objdump -t "$2/$object" | awk -F '\t' -v file="$file" -v prints=$prints '
            BEGIN {
                # a signal handler is handed nothing: what it notes lies where it knows; and there is one terminal: its
                # colour, and whether a line of progress stands on it, is the same for all
                allowed["src/app/caught.c first"] = allowed["src/app/terminal.c terminal"] = 1
            }
            NF < 2 { next }
            {
                section = $1
                sub(/^.* /, "", section)
                name = $2
                sub(/^[^ ]* +(\.hidden )?/, "", name)
            }
            !prints && section == "*UND*" &&
            name ~ /^(__)?(v?printf|puts|putchar|perror|stderr|v?warnx?|v?errx?|exit|abort|assert_fail)(_chk)?$/ {
                print file ": uses \"" name "\"; only main.c, terminal.c, cmd_*.c and the watch print or exit"
            }
            !prints && section == "*UND*" && name == "stdout" && file != "src/form/output.c" {
                print file ": uses \"stdout\"; only main.c, terminal.c, cmd_*.c, the watch and the output \"-\" do"
            }
            (($1 ~ / O / && section ~ /^(\.(data|bss)|\*COM\*)/ && section !~ /^\.data\.rel\.ro/) ||
            section ~ /^\.t(data|bss)/) && name !~ /^(__|\.)/ && !((file " " name) in allowed) {
                print file ": \"" name "\" is a variable that can be written (" section ")"
            }' | LC_ALL=C sort -u
    done
    echo "$objects"
}

# The rules have teeth: what is planted in a tree of its own is found.
planted_are_found() {
    tree=$(mktemp -d) || return 1
    for file in main app/caught app/terminal base/a commands/plot/cmd_plot commands/plot/plot \
        commands/sources/watch_view; do
        mkdir -p "$tree/src/${file%/*}"
        printf '#include <stdio.h>\nint first;\nvoid show(void);\nvoid show(void) { printf("%%d\\n", first++); }\n' \
            > "$tree/src/$file.c"
        ${CC:-cc} -O0 -fno-builtin -c "$tree/src/$file.c" -o "$tree/src/$file.o" || return 1
    done
    found=$(breaches "$tree" "$tree" | sed 's/;.*//; s/ is a variable.*//')
    rm -r "$tree"
    [ "$found" = 'src/app/caught.c: uses "printf"
src/app/terminal.c: "first"
src/base/a.c: "first"
src/base/a.c: uses "printf"
src/commands/plot/cmd_plot.c: "first"
src/commands/plot/plot.c: "first"
src/commands/plot/plot.c: uses "printf"
src/commands/sources/watch_view.c: "first"
src/main.c: "first"
7' ] || { echo "of what was planted this was found:"; echo "$found"; return 1; }
}

source=${1:-${srcdir:-.}}
build=${2:-${abs_builddir:-.}}
command -v objdump > /dev/null || { echo "SKIPPED: no 'objdump'"; exit 77; }
planted_are_found || exit 1
found=$(breaches "$source" "$build")
objects=$(echo "$found" | tail -n 1)
[ "$objects" -gt 0 ] || { echo "no objects found under '$build/src'"; exit 1; }
[ "$found" = "$objects" ] || { echo "$found" | sed '$d'; exit 1; }
echo "$objects objects hold no variable that can be written, and print and exit where they may"
