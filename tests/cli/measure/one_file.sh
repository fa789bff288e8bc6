#!/bin/bash
# SPDX-License-Identifier: MIT
# No output replaces another one, what is read, or the ledger: refused before anything runs, by every command.
. "${srcdir:-.}/tests/cli/lib.sh"

ran() { echo x >> "$work/ran"; }
# refused NAME WORDS COMMAND...: status 125, nothing was run, no new file is left
refused() {
    local name=$1 words=$2 before out
    shift 2
    before=$(ls -A)
    out=$("$carbon" "$@" 2>&1)
    check "$name: status" 125 $?
    check_match "$name" "$words" "$out"
    check "$name: nothing was run" '' "$(cat "$work/ran" 2> /dev/null)"
    check "$name: nothing is left" "$before" "$(ls -A)"
}
job=(-b 0 -q -- sh -c "echo x >> $work/ran")

refused 'two outputs' "^carbon: --csv and --json are one file: 'same'" \
    measure --no-ledger --json same --csv same "${job[@]}"
refused 'a partial name' "are one file: 'a.s' and 'a.s.partial'" \
    measure --no-ledger --samples a.s --json a.s.partial "${job[@]}"
refused 'two rows' "are one file: 'rows'" measure --no-ledger --csv rows --append --codecarbon rows "${job[@]}"
refused 'the ledger to come' "--json and the ledger are one file: 'l.db'" \
    measure --ledger l.db --json l.db "${job[@]}"
refused 'its log' "are one file: 'l.db-wal' and 'l.db'" measure --ledger l.db --json l.db-wal "${job[@]}"
refused 'one stream' "cannot both be standard output" \
    measure --no-ledger --json - --csv /dev/stdout "${job[@]}"

# a ledger that is there, by whatever name
"$carbon" measure -v -b 0 -q --ledger l.db --json r.json --samples s.csv -- true 2> err; check 'a record' 0 $?
cp r.json r.kept; cp s.csv s.kept
ln -s l.db soft; mkdir deep; ln l.db deep/hard
for name in l.db ./l.db deep/../l.db soft deep/hard; do
    refused "the ledger as $name" 'the ledger would be replaced' measure --ledger l.db --html "$name" "${job[@]}"
    refused "any ledger as $name" 'would replace the database' measure --no-ledger --html "$name" "${job[@]}"
done
for form in json csv html; do
    refused "report --$form" 'the ledger would be replaced' report --year 2026 --ledger l.db "--$form" l.db
done
refused 'history' 'the ledger would be replaced' history --ledger l.db --csv l.db
check 'the record is still there' 1 "$("$carbon" history --ledger l.db --csv - | tail -n +2 | wc -l)"

# what is read
refused 'samples' "--json and the input are one file: 's.csv'" recover s.csv --json s.csv --no-ledger
refused 'a record' "the input are one file: 'r.json'" restate r.json --zone DE --html r.json --no-ledger
printf 'name: p\nsteps:\n  - name: a\n    command: ["true"]\n' > p.yaml
cp p.yaml p.kept
for option in json csv write-requests; do
    refused "pipeline --$option" 'an input file would be replaced' \
        pipeline -b 0 --no-ledger --runner process "--$option" p.yaml p.yaml
done
refused 'a copy of itself' 'are one file' ledger --ledger l.db backup l.db
check 'all are as they were' '' "$(cmp r.json r.kept; cmp s.csv s.kept; cmp p.yaml p.kept)"

# below a folder of the command's own
refused 'a step and a form' "--metrics-dir and --json are one file" \
    pipeline -b 0 --no-ledger --runner process --metrics-dir deep --json deep/a.log p.yaml
mkdir -p results/1
refused 'a run and a form' "--amun and --flat are one file" \
    indicator -b 0 --no-ledger -r 2 --amun . --flat ./results/1/log -- sh -c "echo x >> $work/ran"
mkdir charts
refused 'a chart and a form' "--charts and --json are one file" \
    batch -b 0 --no-ledger --module "a=sh -c 'echo x >> $work/ran'" --charts charts --json charts/dif.svg

# the program that is run, by whatever way, and the tables that carbon reads
printf '#!/bin/sh\necho x >> %s/ran\n' "$work" > script
cp script script.kept
cp script plain; chmod +x script
for form in json csv html samples codecarbon; do
    refused "its own program as --$form" "the command are one file: 'script'" \
        measure -b 0 --no-ledger "--$form" script -- ./script
done
refused 'the script of another program' "a program of the command are one file: 'plain'" \
    measure -b 0 --no-ledger --json plain -- sh plain
refused 'in a shell command' "are one file: 'script'" compare -b 0 -r 1 --no-ledger --json script -- true -- 'cd . && ./script; true'
refused 'of an indicator' "are one file: 'script'" indicator -b 0 --no-ledger --flat script -- ./script
refused 'of a profile' "are one file: 'script'" profile --no-ledger --json script -- ./script
refused 'of a module' "are one file: 'script'" batch -b 0 --no-ledger --json script --module 'a=nice ./script'
printf '[m]\ncommand = ./script\n' > modules
refused 'of a module in a file' "are one file: 'script'" batch -b 0 --no-ledger --json script modules
printf 'name: p\nsteps:\n  - name: a\n    command: ["sh", "./script"]\n' > program.yaml
refused 'of a step' "are one file: 'script'" pipeline -b 0 --no-ledger --runner process --json script program.yaml
check 'it is as it was' '' "$(cmp script script.kept; cmp plain script.kept)"
cp -r "$CARBON_DATA" tables; ln -s tables/emission_factors/grid_intensity.csv intensity
for name in tables/emission_factors/grid_intensity.csv intensity; do
    CARBON_DATA=$work/in/tables refused "a table as $name" "--csv would replace '$name'" \
        factors FR --csv "$name"
done
check 'the table is as it was' '' "$(cmp intensity "$CARBON_DATA/emission_factors/grid_intensity.csv")"
for path in /dev/stdin /dev/fd/3 /proc/self/fd/3; do
    "$carbon" restate r.json --zone DE --json $path --no-ledger 3<> r.json <> r.json > out 2> err
    check "the input as $path" 125 $?
done
mkdir there
if [ "$(id -u)" = 0 ] && mount --bind . there 2> /dev/null; then
    refused 'by a bind mount' 'an input file would be replaced' restate r.json --zone DE --json there/r.json --no-ledger
    refused 'the ledger by a bind mount' 'the ledger would be replaced' measure --ledger l.db --json there/l.db "${job[@]}"
    umount there
fi
check 'both are as they were' '' "$(cmp r.json r.kept)"

# the job's own output is nobody's to replace; what is sent nowhere may be the same
out=$("$carbon" measure -v --no-ledger --json out -b 0 -q -- sh -c "echo x >> $work/ran" 2>&1 > out)
check 'a redirected output' 125 $?
check_match 'is not replaced' "--json and standard output are one file: 'out'" "$out"
"$carbon" measure -v -b 0 -q --no-ledger --json /dev/null --csv /dev/null -- true 2> err; check 'nowhere, twice' 0 $?
"$carbon" measure -v -b 0 -q --no-ledger --csv rows --append -- true >> rows 2> err; check 'added to what is added to' 0 $?

finish
