#!/bin/bash
# SPDX-License-Identifier: MIT
# No silent limit: every constant called MAX or MIN stands in tests/limits.tsv with the test that reaches it, which
# names it, or with the reason why none has to.
#
#   check-limits.sh [SOURCE]
set -u

# limits_of TREE: "NAME<TAB>FILE" of each constant that is given a value below TREE/src and TREE/include, in order.
limits_of() {
    local name='[A-Z0-9_]*(MAX|MIN)[A-Z0-9_]*'
    (cd "$1" && find src include -name '*.[ch]' -print0 2> /dev/null | LC_ALL=C sort -z |
        xargs -0r grep -HoE "(^|[^]A-Za-z0-9_.])$name *=[^=]|^ *# *define +$name " |
        sed -nE "s/^([^:]*):(.*[^A-Z0-9_])?($name)[^A-Z0-9_].*/\3\t\1/p" |
        grep -E '^([A-Z0-9_]*_)?(MAX|MIN)(_[A-Z0-9_]*)?	' | LC_ALL=C sort -u)
}

# breaches TREE: what the table TREE/tests/limits.tsv does not hold, a line each.
breaches() {
    local name file how what
    local -A listed=()
    while IFS=$'\t' read -r name file how what; do
        case $name in '#'* | '') continue ;; esac
        listed["$name $file"]=yes
        if [ "$how" = test ]; then
            if [ ! -f "$1/$what" ]; then
                echo "$name ($file): its test '$what' is not there"
            elif ! grep -qw -- "$name" "$1/$what"; then
                echo "$name ($file): '$what' does not name it"
            fi
        elif [ "$how" != why ] || [ ${#what} -lt 20 ]; then
            echo "$name ($file): neither a test nor a reason"
        fi
    done < "$1/tests/limits.tsv"
    while IFS=$'\t' read -r name file; do
        [ -n "${listed["$name $file"]-}" ] || echo "$name ($file): is not in tests/limits.tsv: which test reaches it?"
        unset 'listed["$name $file"]'
    done < <(limits_of "$1")
    for name in "${!listed[@]}"; do
        echo "${name% *} (${name#* }): stands in tests/limits.tsv, and not in the source: strike it off"
    done
}

# The rule has teeth: each breach that is planted in a tree of its own is found.
planted_are_found() {
    local tree expected found
    tree=$(mktemp -d) || return 1
    mkdir -p "$tree/src/base" "$tree/tests/unit"
    printf 'enum { ONE_MAX = 3, THE_MAX_OF_IT = 1 << 2 };\n#define MIN_W 1.0\nenum { MAX = 5 };\n' > "$tree/src/base/a.h"
    printf '    if (a.max == TWO_MAX || b[ONE_MAX] == 1)\n        x = (struct y){ .max = ONE_MAX };\nint ALMOST = 1;\n' \
        > "$tree/src/base/a.c"
    echo 'ck_assert(ONE_MAX);' > "$tree/tests/unit/a.c"
    {
        printf 'ONE_MAX\tsrc/base/a.h\ttest\ttests/unit/a.c\n'
        printf 'MIN_W\tsrc/base/a.h\twhy\tno machine draws less than that\n'
        printf 'THE_MAX_OF_IT\tsrc/base/a.h\twhy\twhatever\n'
        printf 'GONE_MAX\tsrc/base/a.h\twhy\tit was there for a long time\n'
    } > "$tree/tests/limits.tsv"
    found=$(breaches "$tree" | LC_ALL=C sort | sed 's/:.*//')
    expected=$'GONE_MAX (src/base/a.h)\nMAX (src/base/a.h)\nTHE_MAX_OF_IT (src/base/a.h)'
    [ "$found" = "$expected" ] || { echo 'of what was planted this was found:'; echo "$found"; rm -r "$tree"; return 1; }
    printf 'ONE_MAX\tsrc/base/a.h\ttest\ttests/unit/b.c\n' > "$tree/tests/limits.tsv"
    breaches "$tree" | grep -q "^ONE_MAX .*its test 'tests/unit/b.c' is not there" || { echo 'a test that is not there is not found'; rm -r "$tree"; return 1; }
    echo 'ck_assert(1);' > "$tree/tests/unit/b.c"
    breaches "$tree" | grep -q "^ONE_MAX .*does not name it" || { echo 'a test of something else is not found'; rm -r "$tree"; return 1; }
    rm -r "$tree"
}

cd "${1:-${srcdir:-.}}" || exit 99
planted_are_found || exit 1
count=$(limits_of . | wc -l)
[ "$count" -gt 0 ] || { echo 'no limits found'; exit 1; }
found=$(breaches . | LC_ALL=C sort)
[ -z "$found" ] || { printf '%s\n' "$found"; exit 1; }
echo "$count limits are told of, and $(grep -c $'\ttest\t' tests/limits.tsv) of them reached by a test"
