#!/bin/bash
# SPDX-License-Identifier: MIT
# docs/bug-cases.md has a row for each of the forty cases, and what a row names is there: the test's file, and in it the
# check.
set -u
cd "${1:-${srcdir:-.}}" || exit 99
page=docs/bug-cases.md
faults=0

fault() {
    echo "$page: $1"
    faults=$((faults + 1))
}

rows=$(grep -cE '^\| [0-9]{2} \|' "$page")
[ "$rows" = 40 ] || fault "$rows rows instead of 40"
for number in $(seq -w 40); do
    row=$(grep -E "^\| $number \|" "$page") || { fault "case $number is not there"; continue; }
    # Backticks: `tests/cli/measure/bugs.sh` or `tests/unit/meter/test_counter.c: name of a check`.
    named=$(grep -oE '`tests/[^`]+`' <<< "$row" | tr -d '\140')
    [ -n "$named" ] || grep -q 'not applicable: ' <<< "$row" || fault "case $number has neither test nor reason"
    while IFS= read -r name; do
        [ -n "$name" ] || continue
        file=${name%%: *}
        check=${name#"$file"}
        check=${check#: }
        if [ ! -f "$file" ]; then
            fault "case $number: there is no '$file'"
        elif [ -n "$check" ]; then
            grep -qF -- "$check" "$file" || fault "case $number: '$file' does not check '$check'"
        else
            case $file in
            */bugs*.sh)
                grep -qE "^ *(check[_a-z]*|near) ['\"]${number}[a-z \$]" "$file" ||
                    fault "case $number: '$file' has no check of it"
                ;;
            esac
        fi
    done <<< "$named"
done
echo "$rows cases: $faults faults"
[ $faults = 0 ]
