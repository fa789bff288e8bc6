#!/bin/bash
# SPDX-License-Identifier: MIT
# Which room of src/ may include which: a command the trunk and no other command, the trunk no command and, of itself,
# what is listed here. docs/ARCHITECTURE.md draws it, this holds it.
#
#   check-layers.sh [SOURCE]
set -u

# Each room of the trunk with all rooms that it includes. One that it does not include any more is struck off.
declare -A trunk=(
    [app]='app/options base container emissions form gate groups io ledger measurement power result result/estimate result/page run series target'
    [app/options]='base emissions energy grid io otlp outside power result run'
    [base]=''
    [benchmark]='base io'
    [container]='base io'
    [emissions]='base'
    [energy]='base power'
    [form]='base io run'
    [gate]='base form io measurement result result/stored'
    [grid]='base emissions io'
    [groups]='base emissions energy measurement meter own power usage'
    [io]='base'
    [ledger]='base form io result result/estimate run'
    [lib]='base emissions meter power'
    [measurement]='base meter own run target usage'
    [meter]='base energy power'
    [otlp]='base io usage'
    [outside]='base energy io run'
    [own]='base meter usage'
    [power]='base'
    [profile]='base'
    [result]='base emissions form grid io measurement own run'
    [result/estimate]='base emissions form power result'
    [result/page]='base form measurement result'
    [result/stored]='base emissions form io measurement meter own result run'
    [run]='base'
    [series]='base energy io'
    [target]='base container usage'
    [usage]='base'
)

# breaches TREE: what breaks the rules below TREE/src, a line each.
breaches() {
    local -A seen=()
    local file header room other
    while IFS=: read -r file header; do
        room=${file#src/} other=${header%/*}
        # main.c and commands.c, which list the commands, are in no room
        [[ $room == */* ]] && room=${room%/*} || continue
        case $room/$header in */config.h | lib/carbon.h) continue ;; esac
        [[ $header == */* ]] || other=
        if [[ $room != commands/* && -z ${trunk[$room]+listed} ]]; then
            echo "$file: no rule says what src/$room may include"
        elif [[ $other == "$room" ]]; then
            continue
        elif [[ $room == commands/* ]]; then
            [[ -n ${trunk[$other]+listed} && $other != lib ]] ||
                echo "$file: includes \"$header\"; a command may use the trunk, and nothing of another command"
        elif [[ " ${trunk[$room]} " == *" $other "* ]]; then
            seen[$room,$other]=yes
        else
            echo "$file: includes \"$header\"; src/$room may include only: $room ${trunk[$room]}"
        fi
    done < <(cd "$1" && find src -name '*.[ch]' -print0 | LC_ALL=C sort -z |
        xargs -0 sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\(.*\)".*/\1/; T; F; p' | paste -d : - -)
    for room in "${!trunk[@]}"; do
        for other in ${trunk[$room]}; do
            [[ -n ${seen[$room,$other]-} ]] || echo "src/$room: includes nothing of src/$other any more: strike it off the list"
        done
    done
}

# The rules have teeth: each breach that is planted in a tree of its own is found.
planted_are_found() {
    local tree file line
    tree=$(mktemp -d) || return
    while read -r file line; do
        mkdir -p "$tree/$(dirname "$file")"
        echo "#include \"$line\"" > "$tree/$file"
        breaches "$tree" | grep -q "^$file: " || { echo "not found: '$line' in $file"; rm -r "$tree"; return 1; }
        rm "$tree/$file"
    done << 'PLANTED'
src/commands/plot/plot.c commands/measure/slurm_names.h
src/app/session.c commands/measure/slurm_names.h
src/base/text.c io/json_read.h
src/energy/perf.c run/job.h
src/attic/old.c base/text.h
src/meter/meter.h lib/meter_parts.h
PLANTED
    mkdir -p "$tree/src/base"
    breaches "$tree" | grep -q '^src/meter: includes nothing of src/energy any more' || { echo 'not found: what is listed in vain'; rm -r "$tree"; return 1; }
    rm -r "$tree"
}

cd "${1:-${srcdir:-.}}" || exit 99
planted_are_found || exit 1
files=$(find src -name '*.c' | wc -l)
[ "$files" -gt 0 ] || { echo 'no source files found'; exit 1; }
violations=$(breaches . | LC_ALL=C sort)
[ -z "$violations" ] || { printf '%s\n' "$violations"; exit 1; }
echo "$files files keep to the layers"
