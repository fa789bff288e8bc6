#!/bin/bash
# SPDX-License-Identifier: MIT
# No reader without a fuzz target: every file of src/ that reads bytes stands in tests/fuzz/readers.tsv with the targets
# whose inputs go through it (`make fuzz` holds them to it: tests/fuzz/run.sh), or with the reason why none has to.
# And no key of carbon's own documents by hand: they are read by the tables of fields that write them (form/field.h).
#
#   check-readers.sh [SOURCE]
set -u

# What a file reads by: of the kernel and stdio, and of the rooms base, io and container.
calls='read|pread|recv|recvfrom|recvmsg|fread|fgets|getline|getdelim|fscanf|mmap|readlink|readlinkat'
calls+='|fd_read_[a-z0-9_]+|root_read_[a-z0-9_]+|root_open_file|csv_read[a-z_]*|json_read|json_read_text|json_parse|json_parse_next'
calls+='|yaml_read|yaml_parse|ini_load|ini_read|xml_to_json|loose_table_open|text_file_read|secret_of_file|http_get|http_call'

# readers_of TREE: the files that do, in order
readers_of() {
    (cd "$1" && grep -rlE "(^|[^A-Za-z0-9_>.])($calls)\(" --include='*.c' src | LC_ALL=C sort)
}

# breaches TREE: what the table does not hold, a line each
breaches() {
    local file targets why target
    local -A listed=()
    while IFS=$'\t' read -r file targets why; do
        case $file in '#'* | '') continue ;; esac
        listed[$file]=yes
        if [ "$targets" = - ]; then
            [ ${#why} -ge 20 ] || echo "$file: neither a target nor a reason"
            continue
        fi
        for target in $targets; do
            [ -f "$1/tests/fuzz/$target.c" ] || echo "$file: its target '$target' is not there"
        done
    done < "$1/tests/fuzz/readers.tsv"
    while IFS= read -r file; do
        [ -n "${listed[$file]-}" ] || echo "$file: is not in tests/fuzz/readers.tsv: which fuzz target goes through it?"
        unset "listed[$file]"
    done < <(readers_of "$1")
    for file in "${!listed[@]}"; do
        echo "$file: stands in tests/fuzz/readers.tsv, and reads nothing: strike it off"
    done
}

# Files and folders that read keys by hand, each with the reason: a form of others, or one that no table writes.
declare -A by_hand=(
    [src/benchmark/]='rows of benchmark tools'
    [src/commands/history/imported_text.c]='columns of CodeCarbon'
    [src/commands/indicator/indicator_spec.c]='a specification that a user writes'
    [src/commands/plot/plot.c]='a comparison: a command does not know the tables of another'
    [src/commands/plot/plot_batch.c]='a batch, likewise'
    [src/commands/serve/state.c]='the state of carbon serve, whose keys this file alone writes and reads'
    [src/container/]='answers of Docker and podman'
    [src/grid/]='answers of services of grid data'
    [src/io/json_read.c]='schema, version and identity: every document begins with them, and io knows no table'
    [src/otlp/]='answers of collectors'
    [src/outside/]='answers of meters'
    [src/series/]='answers of Prometheus'
)

# hand_reads TREE: reads of a key where there is no reason for it, and reasons that are not needed any more, a line each
hand_reads() {
    local file place
    local -A seen=()
    while IFS= read -r file; do
        place=$file
        [ -n "${by_hand[$place]-}" ] || place=${file%/*}/
        [ -n "${by_hand[$place]-}" ] || echo "$file: reads a key by hand: FIELD_ITEM of form/field.h finds it by its member"
        seen[$place]=yes
    done < <(cd "$1" && find src -name '*.c' -print0 | LC_ALL=C sort -z | xargs -0 grep -lzE \
        'json_(member|[a-z]+_of|text_or_null|is_true)\(([^"();]|\([^()]*\))*,[[:space:]]*"[^"]+"')
    for place in "${!by_hand[@]}"; do
        [ -n "${seen[$place]-}" ] || echo "$place: reads no key by hand: strike it off"
    done
}

# The rules have teeth: each breach that is planted in a tree of its own is found.
planted_are_found() {
    local tree expected found
    tree=$(mktemp -d) || return 1
    mkdir -p "$tree/src/io" "$tree/tests/fuzz"
    echo 'x = json_read(path, err);' > "$tree/src/io/a.c"
    echo 'got = read(fd, text, size);' > "$tree/src/io/b.c"
    echo 'good = kind->read(document) && thread(1) && a.read(2);' > "$tree/src/io/c.c"
    echo 'http_get(&request, &answer, err);' > "$tree/src/io/d.c"
    echo 'csv_read_ragged(path, on_row, NULL, err);' > "$tree/src/io/e.c"
    : > "$tree/tests/fuzz/fuzz_a.c"
    printf 'src/io/a.c\tfuzz_a\nsrc/io/b.c\t-\tshort\nsrc/io/c.c\tfuzz_a\nsrc/io/d.c\tfuzz_a fuzz_d\n' > "$tree/tests/fuzz/readers.tsv"
    found=$(breaches "$tree" | LC_ALL=C sort | sed 's/ stands.*//; s/ which.*//')
    expected="src/io/b.c: neither a target nor a reason
src/io/c.c:
src/io/d.c: its target 'fuzz_d' is not there
src/io/e.c: is not in tests/fuzz/readers.tsv:"
    [ "$found" = "$expected" ] || { echo 'of what was planted this was found:'; echo "$found"; rm -r "$tree"; return 1; }
    mkdir -p "$tree/src/grid"
    echo 'x = json_member(json_first(list), "key");' | tee "$tree/src/io/f.c" > "$tree/src/grid/f.c"
    printf 'x = json_number_of(document,\n  "key");\n' > "$tree/src/io/g.c"
    echo 'x = json_member(node, field->key), json_number(item); f(json_text(item), "text");' > "$tree/src/io/h.c"
    found=$(hand_reads "$tree" | grep -v 'strike it off' | sed 's/:.*//' | paste -sd ' ')
    expected='src/io/f.c src/io/g.c'
    rm -r "$tree"
    [ "$found" = "$expected" ] || { echo 'of what was planted this was found:'; echo "$found"; return 1; }
}

cd "${1:-${srcdir:-.}}" || exit 99
planted_are_found || exit 1
count=$(readers_of . | wc -l)
[ "$count" -gt 0 ] || { echo 'no readers found'; exit 1; }
found=$({ breaches . && hand_reads .; } | LC_ALL=C sort)
[ -z "$found" ] || { printf '%s\n' "$found"; exit 1; }
echo "$count readers are told of, and $(grep -c $'\tfuzz_' tests/fuzz/readers.tsv) of them are gone through by a fuzz target"
