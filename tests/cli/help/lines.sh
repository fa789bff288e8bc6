#!/bin/bash
# SPDX-License-Identifier: MIT
# What stands on the screen stays short: the answers of the commands, the help of measure, the README. Each line has 100 columns
# at most, and where a command's help names fewer options than it has, all of them are behind --all.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000
burn=$helpers/burn
# short NAME MOST FILE: not empty, no more lines, and none of more columns
short() {
    check "$1: something is said" yes "$([ -s "$3" ] && echo yes)"
    check "$1: at most $2 lines" '' "$(tail -n +$(($2 + 1)) "$3")" || cat "$3"
    check "$1: 100 columns" '' "$(LC_ALL=C.UTF-8 grep -E '.{101}' "$3")"
}

"$carbon" measure --root tree --baseline 0.1 --zone FR --no-ledger -- "$burn" tree intel-rapl:0 5000000 60 > out 2> err
short 'measure, one run' 8 err
"$carbon" measure --root tree --baseline 0.1 --settle 0 --runs 3 --zone FR --no-ledger --json r.json -- "$burn" tree intel-rapl:0 5000000 60 > out 2> err
short 'measure, several runs' 8 err
"$carbon" measure --root tree --baseline 0 --no-ledger -- "$burn" tree intel-rapl:0 5000000 60 > out 2> err
short 'measure, no baseline and no zone' 8 err
"$carbon" measure --source model --baseline 0.1 --no-ledger -- "$helpers/act" sleep 0.2 > out 2> err
short 'measure, modelled' 12 err
"$carbon" measure --source model --baseline 0.1 --settle 0 --runs 2 --no-ledger -- "$helpers/act" sleep 0.2 > out 2> err
short 'measure, modelled, several runs' 12 err
"$carbon" measure --source model --baseline 0.1 --no-ledger -- false > out 2> err
short 'measure, modelled, of what fails' 12 err
"$carbon" compare --root tree --baseline 0.1 --settle 0 --runs 2 --zone FR --no-ledger -- "$burn tree intel-rapl:0 5000000 60" \
    -- "$burn tree intel-rapl:0 4000000 60" > out 2> err
short 'compare' 8 err
"$carbon" compare --source model --runs 2 --no-ledger -- "$helpers/act sleep 0.1" -- "$helpers/act sleep 0.2" > out 2> err
short 'compare, modelled' 8 err
"$carbon" batch --root tree --loops 2 --no-ledger --zone FR --module "one=$burn tree intel-rapl:0 5000000 60" \
    --module "two=$burn tree intel-rapl:0 4000000 60" > out 2> err
short 'batch of two modules' 8 err
printf 'name: two\nsteps:\n- name: one\n  run: ["%s", sleep, "0.1"]\n- name: two\n  run: ["%s", sleep, "0.1"]\n' "$helpers/act" "$helpers/act" > two.yaml
"$carbon" pipeline --root tree --baseline 0 --no-ledger two.yaml > out 2> err
short 'pipeline of two steps' 8 err
"$carbon" probe --anyway --source model --loads idle,cpu --threads 1 --runs 1 --time 0.2 --baseline 0.2 --settle 0 > out 2> err
short 'probe, modelled' 12 out
minutes_of_grid 90 1 > grid.csv
"$carbon" when --intensities grid.csv --duration 10m > out 2> err
short 'when' 8 out
"$carbon" estimate --ledger year.db --keep --at 2026-03-01 --power 100 --hours 40 --zone FR > /dev/null 2>&1
"$carbon" report --ledger year.db --year 2026 > out 2> err
short 'report' 8 out

# One line for scripts.
for command in "measure --root tree --baseline 0 --no-ledger --quiet -- true" \
    "batch --root tree --baseline 0 --loops 1 --no-ledger --quiet --module a=true" \
    "pipeline --root tree --baseline 0 --no-ledger --quiet two.yaml" "report --ledger year.db --year 2026 --quiet"; do
    # shellcheck disable=SC2086 # words of the command
    check "$command: one line" 1 "$("$carbon" $command 2>&1 | wc -l)"
done

# Nothing is said where nobody reads on.
for command in "report --ledger year.db --year 2026" "report --ledger year.db --year 2026 --verbose" "when --intensities grid.csv --duration 10m"; do
    # shellcheck disable=SC2086 # words of the command
    check "$command | true" '' "$({ "$carbon" $command | true; } 2>&1 | grep -v '^  \(note\|hint\): ')"
done

"$carbon" help measure > out
short 'help measure' 45 out
check 'README' '' "$(tail -n +121 "$source/README.md")"

finish
