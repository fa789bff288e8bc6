#!/bin/bash
# SPDX-License-Identifier: MIT
# The house rules that a script can hold: purpose and licence first, lengths, names, one place for each library.
set -u
cd "${1:-${srcdir:-.}}" || exit 99
LC_ALL=C.UTF-8
export LC_ALL

mapfile -t sources < <(find src include tests bench examples \( -name '*.[ch]' -o -name '*.cpp' \) 2> /dev/null | sort)
mapfile -t scripts < <(find quickstart .ci/run tests bench python -path tests/trees -prune -o \
    \( -name '*.sh' -o -name '*.py' -o -name quickstart -o -path .ci/run \) -print 2> /dev/null | sort)
mapfile -t texts < <(find README.md configure.ac build-aux/packages docs data/README* data/*/README* \
    data/completions -type f 2> /dev/null | sort)
mapfile -t lists < <(find Makefile.am src tests bench \( -name Makefile.am -o -name local.mk \) 2> /dev/null | sort)
mapfile -t program < <(find src include -name '*.[ch]' | sort)
mapfile -t headers < <(find src include -name '*.h' | sort)
violations=0

# broken RULE: reads "FILE: what" lines.
broken() {
    local line
    while IFS= read -r line; do
        printf '%s: %s\n' "$line" "$1"
        violations=$((violations + 1))
    done
}

first_lines() {
    local file first second third licence
    for file in "${sources[@]}"; do
        { read -r first; read -r second; } < "$file"
        case $file in tests/vm/raplmsr.c) licence=GPL-2.0 ;; *) licence=MIT ;; esac
        [[ $first == "/* SPDX-License-Identifier: $licence" && $second == "* "?* ]] || echo "$file:1"
    done
    for file in "${scripts[@]}"; do
        { read -r first; read -r second; read -r third; } < "$file"
        [[ $first == '#!'* ]] || { third=$second; second=$first; }
        [[ $second == '# SPDX-License-Identifier: MIT' && ($third == '# '?* || $third == '"""'?*) ]] || echo "$file:1"
    done
}

broken 'must begin with the licence (SPDX) and, in the next line, what the file is for' < <(first_lines)
broken 'what begins with #! is executable' < <(
    for file in "${scripts[@]}"; do [ -x "$file" ] || ! head -c 2 "$file" | grep -q '#!' || echo "$file"; done)
broken 'a file has fewer than 500 lines, one of the program 400 at most; split it' < <(
    wc -l "${sources[@]}" "${scripts[@]}" |
        awk '$2 != "total" && ($1 >= 500 || ($1 > 400 && $2 ~ /^(src|include)\//)) {print $2 ":" $1}')
broken 'a folder of the program has 60 files at most; make a room of some' < <(
    printf '%s\n' "${program[@]}" | sed 's,/[^/]*$,,' | sort | uniq -c | awk '$1 > 60 {print $2 ":" $1}')
broken 'is in no list of Makefile.am or a local.mk' < <(
    for file in tests/unit/*/test_*.c tests/fuzz/fuzz_*.c tests/cli/lib*.sh tests/cli/*/*.sh tests/helpers/*.py; do
        grep -qE "(^| )${file%.c}( |$)" "${lists[@]}" || echo "$file"
    done)
broken 'a room lists its files in its local.mk, all of them and sorted, and Makefile.am includes it' < <(
    while IFS= read -r room; do
        [ "$room" != src ] || continue # main.c is the program's, commands.c alone in a library
        listed=$(sed -n '/_SOURCES = /,/[^\\]$/p' "$room/local.mk" 2> /dev/null | grep -oE '%D%/[a-z0-9_]+\.[ch]' | cut -c5-)
        there=$(cd "$room" && printf '%s\n' *.[ch] | LC_ALL=C sort)
        [[ $listed == "$there" ]] && grep -qx "include $room/local.mk" Makefile.am || echo "$room"
    done < <(printf '%s\n' "${program[@]}" | sed -n 's,^\(src.*\)/.*,\1,p' | sort -u))
broken 'name a file for what it holds' < <(
    printf '%s\n' "${sources[@]}" "${scripts[@]}" | grep -E '(^|/)(utils?|common|misc)([./_-]|$)')
broken 'indent with spaces' < <(grep -nE $'^ *\t' "${sources[@]}" "${scripts[@]}" | cut -d: -f1,2)
broken 'nothing stands behind the last character' < <(
    grep -nE $'[ \t\r]$' "${sources[@]}" "${scripts[@]}" | cut -d: -f1,2)
broken 'a line has 120 columns at most' < <(grep -nE '.{121,}' "${program[@]}" | cut -d: -f1,2)
broken 'a page is written by html.h and by literals: nothing else is known to be escaped' < <(
    printf '%s\n' "${program[@]}" | grep -E '(^|/)[a-z_]*html_?[a-z_]*\.c$' | grep -v '^src/form/' |
        xargs grep -nE 'fprintf\(out|fputs\([^"]*, out|fputc\([^'"'"']|fwrite\(' | cut -d: -f1,2)
broken 'tables for users are opened by app/csv_file.h, which knows --csv-safe' < <(
    printf '%s\n' "${program[@]}" | grep '^src/.*\.c$' |
        xargs grep -nE '(output_open_sheet|sheet_text|output_append|(output|result_file)_open\([^)]*(csv|flat|samples|codecarbon))' |
        grep -vE '^src/(app/csv_file|form/(append|output|sheet)|result/samples[a-z_]*)\.c:|output_append_check' | cut -d: -f1,2)
broken 'a row of a table names tests that are there' < <(
    grep -HnE '^\| [^|]+ \|' docs/SECURITY.md docs/RELIABILITY.md | grep -vE ':\| (what|fault) \|' | while IFS= read -r row; do
        place=$(cut -d: -f1,2 <<< "$row") named=$(grep -oE 'tests/[a-z0-9_/.-]+' <<< "$row")
        [ -n "$named" ] || echo "$place"
        for file in $named; do [ -e "$file" ] && grep -qwF "${file%.c}" tests/local.mk || echo "$place"; done
    done)
broken 'a row of RELIABILITY.md says how many times it was tried' < <(
    grep -nE '^\| [^|]+ \|' docs/RELIABILITY.md | grep -vE '\| fault \||\| [1-9][0-9,]* \|$' | cut -d: -f1 |
        sed 's|^|docs/RELIABILITY.md:|')
broken 'a test reports its tries of a row of RELIABILITY.md that names it' < <(tests/reliability.py sources)
broken 'a folder comes before the name: "folder/file.h"' < <(
    grep -nE '^ *# *include *"[^/"]*"' "${program[@]}" | grep -vE '"(config|carbon)\.h"' | cut -d: -f1,2)
broken 'no header includes config.h' < <(
    grep -nE '^ *# *include *"config\.h"' "${headers[@]}" | cut -d: -f1,2)
broken 'finish it' < <(
    grep -nwE 'TO[D]O|FIXM[E]|XX[X]' "${sources[@]}" "${scripts[@]}" "${texts[@]}" "${lists[@]}" | cut -d: -f1,2)
broken 'a path of the machine that it was written on' < <(
    grep -nE '(^|[^[:alnum:]._-])/wor[k]/' "${sources[@]}" "${scripts[@]}" "${texts[@]}" "${lists[@]}" | cut -d: -f1,2)

# in_a_locale FILE...: the statements that print or read a number with a decimal point, or the name of a month, as the
# locale of the process has it. What goes through base/c_locale.h does not.
in_a_locale() {
    awk '
        FNR == 1 { statement = "" }
        { statement = statement " " $0 }
        /[;{}]$/ {
            gsub(/%%/, "", statement)
            if (statement ~ /(^|[^_a-z])((f|sn|d|as)?printf|[fs]?scanf) *\(.*"[^"]*%[-+#0-9.*]*[lL]?[aefgAEFG]/)
                print FILENAME ":" FNR
            if (statement ~ /(^|[^_a-z])strftime *\(/) {
                gsub(/%[YmdHMSz]/, "", statement)
                if (statement ~ /"[^"]*%/)
                    print FILENAME ":" FNR
            }
            statement = ""
        }' "$@"
}
in_the_locale='a number or a name in the locale of the process: base/c_locale.h has c_snprintf, c_fprintf, c_strtod'
broken "$in_the_locale" < <(in_a_locale "${program[@]}")
broken 'of what was planted, a breach of the rule about the locale is not found, or more than that is' < <(
    planted=$(mktemp)
    # shellcheck disable=SC2016 # it is C
    printf '%s\n' 'snprintf(out, size, "%u of %d;' ' %% easy", a,' 'b % f, 3 % e);' 'fprintf(out, "%s;"' \
        '" %5.1f %%", text, w);' 'c_fprintf(out, "%g", w);' 'error_why(err, "%g", w);' 'sscanf(text, "%lf", &w);' \
        'strftime(out, size, "%Y-%m-%d", &utc);' 'strftime(out, size, "%d %b", &utc);' > "$planted"
    [ "$(in_a_locale "$planted" | cut -d: -f2 | paste -sd ' ')" = '5 8 10' ] || echo tests/check-style.sh
    rm "$planted")

# What is neither the C library's nor Linux's is a third party's and named in two files at most.
system='assert|byteswap|cpuid|ctype|dirent|dlfcn|endian|errno|fcntl|fenv|float|fnmatch|getopt|glob|grp|inttypes'
system+='|langinfo|limits|locale|math|net/[a-z]+|netdb|netinet/[a-z]+|arpa/[a-z]+|poll|pthread|pwd|sched|search|setjmp'
system+='|signal|spawn|stdarg|stdatomic|stdbool|stddef|stdint|stdio|stdlib|string|strings|sys/[a-z]+|syslog|termios|time'
system+='|unistd|wchar|wctype|linux/[a-z_/]+|asm/[a-z_]+'
broken 'is a third-party header in more than two files' < <(
    grep -hoE '^ *# *include *<[^>]+>' "${program[@]}" | sed 's/.*<//; s/>//' |
        grep -vxE "($system)\.h" | sort | uniq -c | awk '$1 > 2 {print "<" $2 ">, in " $1}')

# scripts_checked OPTION...: those in standard input, some at once
scripts_checked() {
    xargs -r -d '\n' -n 8 -P "$(nproc)" shellcheck -S warning "$@" || violations=$((violations + 1))
}

if command -v shellcheck > /dev/null; then
    mapfile -t shell < <(printf '%s\n' "${scripts[@]}" | grep -v '\.py$')
    # Those of the tests are sourced, or stand on what is: lib.sh sets variables for others.
    scripts_checked -s bash -e SC1091,SC2034,SC2154 < <(printf '%s\n' "${shell[@]}" | grep -E '^(tests|bench)/')
    scripts_checked < <(printf '%s\n' "${shell[@]}" | grep -vE '^(tests|bench)/')
else
    echo 'scripts are not checked: no shellcheck'
fi
[ ${#sources[@]} -gt 0 ] || { echo 'no source files found'; exit 1; }
echo "${#sources[@]} sources, ${#scripts[@]} scripts: $violations rules broken"
[ $violations = 0 ]
