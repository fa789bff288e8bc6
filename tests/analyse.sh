#!/bin/bash
# SPDX-License-Identifier: MIT
# Faults that show in the code alone, by programs that look for them, and by valgrind; `make analyse` runs it in the build folder.
#
#   analyse.sh [gcc] [tidy] [cppcheck] [valgrind]     all four, or these
#
# A finding is explained where tests/analyse.tsv has a row for it: tool, kind, file (* for all), why it is none. What is not
# explained is printed, and the end is 1; rows that nothing was found for are told, for another version may find it.
set -u
LC_ALL=C.UTF-8
export LC_ALL
source=$(cd "${srcdir:-..}" && pwd)
table=$source/tests/analyse.tsv
carbon=$PWD/carbon
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
failures=0

# made VARIABLE: as the Makefile has it
made() { sed -n "s/^$1 = *//p" Makefile; }
# shellcheck disable=SC2089 # the quotes are C's
FLAGS="-std=gnu11 -D_GNU_SOURCE -DHAVE_CONFIG_H -DCARBON_PKGDATADIR=\"/\" -I. -I$source/src -I$source/include $(made CJSON_CFLAGS) $(made INIH_CFLAGS) $(made LIBPQ_CFLAGS)"
# shellcheck disable=SC2090
export FLAGS
# each COMMAND: of bash, over all sources, some at a time
each() { find "$source/src" -name '*.c' -print0 | sort -z | xargs -0 -n 4 -P "$(nproc)" bash -c "$1" each; }
# findings: "KIND<tab>FILE<tab>LINE<tab>WORDS" of compilers' lines
findings() {
    sed -nE 's/^([^: ]+):([0-9]+):[0-9]+: (warning|error): (.*) \[(-W)?([A-Za-z0-9.-]+)[^]]*\]$/\6\t\1\t\2\t\4/p; t
             s/^([^: ]+):([0-9]+):[0-9]+: (fatal )?error: (.*)$/error\t\1\t\2\t\4/p'
}

# shellcheck disable=SC2016 # they are for the shell of each()
by_gcc() {
    each 'for file; do gcc $FLAGS -O1 -fanalyzer -fdiagnostics-plain-output -c -o /dev/null "$file" 2>&1; done' |
        sed -E 's/ \[CWE-[0-9]+\]//' | findings
}
# shellcheck disable=SC2016
by_tidy() {
    each 'clang-tidy --quiet --checks="-*,bugprone-*,cert-*" "$@" -- $FLAGS 2> /dev/null' | findings
}
by_cppcheck() {
    # shellcheck disable=SC2086,SC2090 # words; the quotes are C's
    cppcheck --quiet --std=c11 --enable=warning,performance,portability -j "$(nproc)" \
        --template='{id}\t{file}\t{line}\t{message}' ${FLAGS#-std=gnu11 } "$source/src" 2>&1 | grep -v '^nofile\|^missingInclude'
}

# explained TOOL: what it found, against the table
explained() {
    sort -u "$scratch/$1" | sed "s,$source/,," | awk -F '\t' -v tool="$1" -v table="$table" '
        BEGIN {
            while ((getline line < table) > 0) {
                split(line, part, "\t")
                if (part[1] == tool)
                    why[part[2] SUBSEP part[3]] = part[4]
            }
        }
        {
            all++
            if (($1, "*") in why) used[$1, "*"]++
            else if (($1, $2) in why) used[$1, $2]++
            else { print "  " $2 ":" $3 ": " $4 " (" $1 ")"; open++ }
        }
        END {
            for (key in why)
                if (!(key in used)) { split(key, part, SUBSEP); print "  found no more: " part[1] " in " part[2] }
            print tool ": " all + 0 " findings, " open + 0 " of them unexplained"
            exit open > 0
        }' || failures=$((failures + 1))
}

# Commands without an error of memory: what is read before it was written, beyond its end or after its release, and what is lost.
# checked STATUS ARGUMENT...
checked() {
    local status=$1 got
    shift
    valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --show-leak-kinds=definite \
        --child-silent-after-fork=yes "$carbon" "$@" > out 2> err
    got=$?
    [ $got = "$status" ] || { echo "  carbon $*: $got"; head -n 20 err; failures=$((failures + 1)); }
}
by_valgrind() (
    export HOME=$scratch CARBON_DATA=$source/data CARBON_ZONE=FR
    mkdir "$scratch/in" && cd "$scratch/in" || exit 99
    failures=0
    checked 0 measure --source model --baseline 0.1 --runs 2 --json r.json --csv r.csv --html r.html --samples s.csv -- true
    checked 0 compare --source model --baseline 0.1 --runs 2 --json c.json -- true -- sleep 0.1
    checked 0 batch --source model --baseline 0 --loops 2 --json b.json --module one=true
    checked 0 estimate --power 100 --hours 2 --json e.json
    checked 0 factors FR
    checked 0 sources
    checked 0 restate r.json --zone DE --json restated.json
    checked 0 verify r.json
    checked 0 history --json h.json
    checked 0 report --year "$(date +%Y)" --html year.html
    checked 0 plot s.csv
    checked 125 prometheus scrape "$source/README.md"
    exit $failures
)

[ $# -gt 0 ] || set -- gcc tidy cppcheck valgrind
for tool; do
    program=$tool
    [ "$tool" != tidy ] || program=clang-tidy
    command -v "$program" > /dev/null || { echo "$tool: not installed ($program)"; failures=$((failures + 1)); continue; }
    if [ "$tool" = valgrind ]; then
        by_valgrind && echo 'valgrind: 12 commands without an error' || failures=$((failures + 1))
    else
        "by_$tool" > "$scratch/$tool"
        explained "$tool"
    fi
done
[ $failures = 0 ]
