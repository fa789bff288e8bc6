#!/bin/sh
# SPDX-License-Identifier: MIT
# Which folder of src/ may include which: docs/ARCHITECTURE.md draws it, this holds it.
set -u
cd "${1:-${srcdir:-.}}" || exit 99

allowed() {
    case $1 in
    base) echo base ;;
    container) echo 'container base' ;;
    prometheus) echo 'prometheus base' ;;
    slurm) echo 'slurm base' ;;
    serve) echo 'serve prometheus measure energy usage run emissions base' ;;
    usage) echo 'usage container base' ;;
    energy | run | emissions | indicator) echo "$1 base" ;;
    measure) echo 'measure energy usage run base' ;;
    report) echo 'report prometheus slurm indicator measure energy usage run emissions base' ;;
    ledger) echo 'ledger report indicator measure energy usage run emissions base' ;;
    lib) echo 'lib measure emissions energy usage run base' ;;
    cli) echo 'cli serve ledger report prometheus slurm indicator measure energy usage container run emissions base' ;;
    esac
}

violations=$(
    for folder in src/*/; do
        name=$(basename "$folder")
        rule=" $(allowed "$name") "
        [ "$rule" != '  ' ] || echo "src/$name: no rule says what this folder may include"
        grep -rnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$folder" |
            while IFS= read -r line; do
                header=${line#*\"}
                header=${header%%\"*}
                case $header in
                config.h) continue ;;
                carbon.h) [ "$name" != lib ] || continue ;;
                */*) case $rule in *" ${header%%/*} "*) continue ;; esac ;;
                esac
                echo "${line%%\"*}\"$header\": $name may include only${rule% }"
            done
    done
)
files=$(find src -name '*.c' | wc -l)
[ "$files" -gt 0 ] || { echo 'no source files found'; exit 1; }
[ -z "$violations" ] || { printf '%s\n' "$violations"; exit 1; }
echo "$files files keep to the layers"
