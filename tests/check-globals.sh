#!/bin/sh
# SPDX-License-Identifier: MIT
# What no object may hold: a variable that can be written; and, but for main.c, the terminal, the cmd_*.c and the watch,
# a call that prints or ends the program (_exit, which ends a child, is anybody's); and, but for base/c_locale.c, a function
# whose answer depends on the locale.
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
                # colour, and whether a line of progress stands on it, is the same for all; so is what --debug asks for,
                # which is set once, at the start; and what page the terminal shows
                allowed["src/app/pending_signals.c first"] = allowed["src/app/terminal.c terminal"] = 1
                allowed["src/form/paragraph.c page"] = 1
                allowed["src/base/debug.c debug_wanted"] = allowed["src/base/debug.c take"] = 1
                # the characters of the terminal; and what is called in AUTO_C_LOCALE; and width in a locale of UTF-8
                local["src/form/text_columns.c wcwidth"] = 1
                local["src/app/terminal.c newlocale"] = local["src/app/terminal.c nl_langinfo_l"] = 1
                local["src/run/mark_line.c regcomp"] = local["src/run/mark_line.c regexec"] = 1
                local["src/run/mark_line.c regerror"] = local["src/commands/sources/capture_tree.c fnmatch"] = 1
                depends = "strto(d|f|ld)|atof|v[a-z]*printf|v[a-z]*scanf|tolower|toupper|strn?case(cmp|str)|strcoll|strxfrm"
                depends = depends "|is(alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)|isw[a-z]+"
                depends = depends "|ctype_(b|tolower|toupper)|(xpg_)?strerror|perror|strsignal|strptime|strfmon|localeconv"
                depends = depends "|(set|new|use)locale|nl_langinfo|mb[a-z]*to[a-z]+|wc[a-z]*to[a-z]+|mbr?len|wcs?width"
                depends = depends "|(alpha|version)sort|glob|fnmatch|reg(comp|exec|error)"
                depends = "^(__)?(isoc[0-9]+_)?(" depends ")(_[rl]|_loc|_chk)*$"
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
            section == "*UND*" && file != "src/base/c_locale.c" && !((file " " name) in local) && name ~ depends {
                print file ": uses \"" name "\"; what depends on the locale is asked of base/c_locale.h"
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
    for file in main app/pending_signals app/terminal base/a commands/plot/cmd_plot commands/plot/plot \
        commands/sources/watch_view; do
        mkdir -p "$tree/src/${file%/*}"
        printf '#include <stdio.h>\nint first;\nvoid show(void);\nvoid show(void) { printf("%%d\\n", first++); }\n' \
            > "$tree/src/$file.c"
        ${CC:-cc} -O0 -fno-builtin -c "$tree/src/$file.c" -o "$tree/src/$file.o" || return 1
    done
    # what depends on the locale, in the one file that may and in another
    for file in base/b base/c_locale; do
        cat > "$tree/src/$file.c" << 'END'
#define _GNU_SOURCE
#include <ctype.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
void show(char *text, size_t size, va_list arguments);
void show(char *text, size_t size, va_list arguments)
{
    setlocale(LC_ALL, "");
    vsnprintf(text, size, text, arguments);
    if (isalpha(tolower(text[0])) && strcasecmp(text, strcasestr(text, "i")) == strcoll(text, strerror(isatty(0))))
        sscanf(text, "%*d");
    snprintf(text, size, "%d", (int)strtod(text, NULL) + (int)strtol(text, NULL, 10));
}
END
        ${CC:-cc} -O0 -fno-builtin -c "$tree/src/$file.c" -o "$tree/src/$file.o" || return 1
    done
    found=$(breaches "$tree" "$tree" | sed 's/;.*//; s/ is a variable.*//; s/"isalpha"/"__ctype_b_loc"/')
    rm -r "$tree"
    [ "$found" = 'src/app/pending_signals.c: uses "printf"
src/app/terminal.c: "first"
src/base/a.c: "first"
src/base/a.c: uses "printf"
src/base/b.c: uses "__ctype_b_loc"
src/base/b.c: uses "setlocale"
src/base/b.c: uses "strcasecmp"
src/base/b.c: uses "strcasestr"
src/base/b.c: uses "strcoll"
src/base/b.c: uses "strerror"
src/base/b.c: uses "strtod"
src/base/b.c: uses "tolower"
src/base/b.c: uses "vsnprintf"
src/commands/plot/cmd_plot.c: "first"
src/commands/plot/plot.c: "first"
src/commands/plot/plot.c: uses "printf"
src/commands/sources/watch_view.c: "first"
src/main.c: "first"
9' ] || { echo "of what was planted this was found:"; echo "$found"; return 1; }
}

source=${1:-${srcdir:-.}}
build=${2:-${abs_builddir:-.}}
command -v objdump > /dev/null || { echo "SKIPPED: no 'objdump'"; exit 77; }
planted_are_found || exit 1
found=$(breaches "$source" "$build")
objects=$(echo "$found" | tail -n 1)
[ "$objects" -gt 0 ] || { echo "no objects found under '$build/src'"; exit 1; }
[ "$found" = "$objects" ] || { echo "$found" | sed '$d'; exit 1; }
echo "$objects objects hold no variable that can be written, print and exit where they may, and know no locale"
