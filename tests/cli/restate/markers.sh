#!/bin/bash
# SPDX-License-Identifier: MIT
# What comes from outside is escaped where it is shown: a marker (terminal escapes, markup, ends of cells and rows, a
# formula) planted in every string of a record, and of other files that carbon reads, shows in no form as it is.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"

"$carbon" measure -b 0.1 -r 2 -q --ledger own.db --json record.json --label l --project p --meta k=v --zone FR \
    --market-factor 20 --wue 1.2 --sci 10:requests --embodied 100 --phase '^phase (.*)' --cpus 0 --equivalents \
    -- sh -c 'echo phase one >&2; sleep 0.1; echo phase two >&2; sleep 0.1' 2> err || cat err
out=$(python3 "$source/tests/helpers/markers.py" "$carbon" record.json \
    'text restate {r} --zone DE --no-ledger' \
    'html restate {r} --zone DE --no-ledger --html {o}' \
    'json restate {r} --zone DE --no-ledger --json {o}' \
    'text verify {r}' \
    'text compare {r} record.json' \
    'json compare {r} record.json --json {o}' \
    'csv compare {r} record.json --csv {o}' \
    'text merge {r}' \
    'csv merge {r} --csv {o}' \
    'text plot {r}' \
    'text when --like {r} --intensities nothing.csv' \
    'text indicator --compare {r} record.json' \
    'text history --ledger {l}' \
    'csv history --ledger {l} --csv -' \
    'json history --ledger {l} --json -' \
    'text history show {id} --ledger {l}' \
    'html history show {id} --ledger {l} --html {o}' \
    'text report --ledger {l}' \
    'html report --ledger {l} --html {o}' \
    'markdown report --ledger {l} --markdown {o}' \
    'csv report --ledger {l} --csv {o}' \
    'sheet compare {r} record.json --csv {o} --csv-safe' \
    'sheet merge {r} --csv {o} --csv-safe' \
    'sheet history --ledger {l} --csv - --csv-safe' \
    'sheet report --ledger {l} --csv {o} --csv-safe' \
    'json report --ledger {l} --json {o}' \
    'text ledger check --ledger {l}' 2>&1)
check 'a record' 0 $? || echo "$out"
check_match 'many strings' '^1[0-9][0-9] strings, ' "$out"

# Other files that carbon reads: what is said of them on a terminal holds nothing raw.
marker=$'mk\e]0;mk\a\xc2\x9b2J\xe2\x80\xae'
clean() {
    check_absent "$1" $'\e|\a|\xc2\x9b|\xe2\x80\xae' "$2"
    check_match "$1: it is shown" 'mk' "$2"
}
printf 'timestamp,run_id,duration,emissions,%s\n2026-01-01,a,1,1,%s\n' "$marker" "$marker" > columns.csv
clean 'names of columns' "$("$carbon" import --ledger own.db columns.csv 2>&1; "$carbon" recover -v columns.csv --no-ledger 2>&1; echo mk)"
printf 'a,b\n1,%s\n' "$marker" > table.csv
for line in '--factors table.csv' '--contract table.csv' '--intensities table.csv' "--zone $marker" "--label $marker" \
    "--cpu $marker" "--pue-of $marker" "--source $marker" "--$marker" "--runs $marker" "--basis $marker"; do
    clean "measure $line" "$("$carbon" measure -b 0 --no-ledger -q --zone mk $line -- true 2>&1; echo mk)"
done
mkdir bin
printf '#!/bin/sh\nprintf "%%s\\n" "%s" >&2\nexit 1\n' "$marker" > bin/sacct; chmod +x bin/sacct
clean "sacct's messages" "$(PATH=$work/in/bin:$PATH "$carbon" slurm 1 2>&1)"
printf 'JobID|State|%s\n1|%s|%s\n' "$marker" "$marker" "$marker" > jobs.txt
clean "sacct's rows" "$("$carbon" slurm --sacct jobs.txt 2>&1; echo mk)"
printf '[%s]\ncommand = true\n%s = 1\n' "$marker" "$marker" > modules
clean 'a file of modules' "$("$carbon" batch -b 0 --no-ledger modules 2>&1; echo mk)"
printf 'name: "%s"\nsteps:\n  - name: "%s"\n    command: ["true"]\n' 'mk\e]0;mk\a' 'mk\e]0;' > steps.yaml
clean 'a pipeline' "$("$carbon" pipeline -b 0 --no-ledger --runner process steps.yaml 2>&1)"
printf '%s = 1\n' "$marker" > config; mkdir -p etc/carbon; cp config etc/carbon/config
clean 'a configuration' "$(XDG_CONFIG_HOME=$work/in/etc "$carbon" config 2>&1; echo mk)"
printf 'project = %s\n' "$marker" > etc/carbon/config
clean 'a value of it' "$(XDG_CONFIG_HOME=$work/in/etc "$carbon" config 2>&1; echo mk)"
printf '# TYPE kepler_container_joules_total counter\nkepler_container_joules_total{container_name="%s",pod_name="%s"} 1\n' \
    "$marker" "$marker" > scrape
clean 'an exposition' "$("$carbon" prometheus scrape scrape scrape 2>&1; echo mk)"

# What serve tells under names that others chose: no line is forged, and no label is left by one.
label=$'mk"} 1\nmk_forged{a="b\\'
lay_serve_tree
printf '%s\n' "mk\"} 1 $marker\\" > tree/sys/class/powercap/intel-rapl:0:1/name
use_cpu "$label" 1000
use_cpu "$marker" 1000
uid=1a2b3c4d-0000-4000-8000-000000000001
container=$(printf 'ab%062d' 8)
mkdir -p "tree/var/log/pods/sp${label}_po${label}_$uid" tree/var/log/containers
: > "tree/var/log/containers/x_y_co$label-$container.log"
use_cpu "kubepods/pod$uid" 1000
use_cpu "kubepods/pod$uid/$container" 1000
printf 'zone,year,kgco2eq_per_kwh,basis,source_id\nMK,2020,0.05,lifecycle,"%s"\n' "${label//\"/\"\"}" > own.csv
serve --by cgroup,container,pod --factors own.csv --zone MK --year 2020
hold
for group in "$label" "$marker" "kubepods/pod$uid/$container" "kubepods/pod$uid" kubepods; do use_cpu "$group" 1000; done
add tree/sys/class/powercap/intel-rapl:0 1000000
go_on
scrape > metrics.prom
check 'what serve tells' '' "$(python3 "$source/tests/helpers/markers.py" --metrics metrics.prom)"
clean 'messages of serve' "$(cat err; echo mk)"
stop

finish
