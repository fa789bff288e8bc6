#!/bin/bash
# SPDX-License-Identifier: MIT
# Every table that carbon writes, with --csv-safe: what begins as a formula, in names from the command line and from every
# kind of file that is read, is text; without it the field is as it was.
. "${srcdir:-.}/tests/cli/lib.sh"
. "$source/tests/cli/lib-trees.sh"

formula='=mk|calc'
zone tree 262143328850 5000000000 intel-rapl:0=package-0
zone named 262143328850 5000000000 intel-rapl:0=package-0
written=()
# sheet NAME COMMAND...: of which {o} is the table
sheet() {
    local name=$1 status
    shift
    written+=("$name.csv")
    set -- "${@//\{o\}/$name.csv}"
    "$carbon" "$1" --csv-safe "${@:2}" > "$name.out" 2> "$name.err"
    status=$?
    check "$name" yes "$([ $status -le 1 ] && [ -s "$name.csv" ] && echo yes)" || { echo "status $status"; cat "$name.err"; }
}
own=(--root tree -b 0 --no-ledger -q)
named=(--label "$formula" --project '@mk' --meta "k=-mk")

sheet measure measure "${own[@]}" "${named[@]}" --csv '{o}' -- true
sheet appended measure "${own[@]}" "${named[@]}" --csv '{o}' --append -- true
"$carbon" measure "${own[@]}" "${named[@]}" --csv appended.csv --append --csv-safe -- true 2> err
check 'a row for spreadsheets is added to others' 3 "$(wc -l < appended.csv)"
sheet codecarbon measure "${own[@]}" "${named[@]}" --codecarbon '{o}' -- true
sheet samples measure --root named -b 0 --no-ledger -q --samples '{o}' -- "$helpers/burn" named intel-rapl:0 1000000
printf '#!/bin/sh\nprintf "%%s\\n" '"'"'{"name": "=mk", "unit": "+mk", "score": 1, "=mk|a": "@mk", "x": {"-mk": ["\\t=mk"]}, "component": "=mk", "@parameters": {"a": "=mk"}, "@result": {"b": "-mk"}}'"'"'\n' > script
chmod +x script
sheet flat indicator --root tree -b 0 --no-ledger -q --flat '{o}' -- ./script
sheet compare compare --root tree -b 0 -r 2 --no-ledger -q --name "$formula" --name "+mk" --csv '{o}' -- true -- 'true two'
sheet batch batch --root tree -b 0 --no-ledger -q --loops 1 --csv '{o}' --module "+mk=true" --module "@mk=true"
sheet estimate estimate --power 5 --hours 1 --label "$formula" --csv '{o}'
printf 'zone,year,kgco2eq_per_kwh,basis,source_id\nMK,2020,0.05,lifecycle,"%s"\n' "$formula" > own.csv
sheet factors factors MK --factors own.csv --csv '{o}'
printf 'JobID|JobName|User|State|ElapsedRaw|ConsumedEnergyRaw|AllocCPUS|NodeList|Start|End\n1|%s|@mk|COMPLETED|60|6000|4|-mk|2026-01-01T00:00:00|2026-01-01T00:01:00\n' \
    "${formula%|*}" > jobs.txt
sheet slurm slurm --sacct jobs.txt --csv '{o}'
printf 'operators:\n- {name: first, command: ["true", "%s"]}\n' "$formula" > steps.yaml
sheet pipeline pipeline --root tree -b 0 --no-ledger --runner process --csv '{o}' steps.yaml
printf '# TYPE kepler_container_joules_total counter\nkepler_container_joules_total{container_name="%s",pod_name="@mk",container_namespace="+mk"} %s\n' \
    "$formula" 1 > before
sed 's/} 1$/} 100/' before > after
sheet prometheus prometheus scrape before after --csv '{o}'
"$carbon" measure --source model -b 0 -q --ledger l.db "${named[@]}" --json record.json -- "$helpers/act" spin 0.3 2> err
sheet history history --ledger l.db --csv '{o}'
sheet report report --year "$(date -u +%Y)" --ledger l.db --csv '{o}'
sheet merge merge record.json record.json --csv '{o}'
check 'none of them holds a formula' '' "$(python3 -B "$source/tests/helpers/markers.py" --sheets "${written[@]}" 2>&1)"

"$carbon" measure "${own[@]}" "${named[@]}" --csv plain.csv --codecarbon plain.codecarbon -- true 2> err
check 'without the option names are as they were' yes "$(grep -q ",$formula," plain.csv && grep -q ',@mk,' plain.codecarbon && echo yes)"
# What is read again means the same.
check 'carbon reads its own series' yes "$("$carbon" recover samples.csv --no-ledger > out 2> err && echo yes || cat err)"
# Every option that writes a table is above.
declared=$(grep -rhA2 'OPTION(FILE, ' "$source/src" | sed 's/ .alias = "[a-z]*",//' | grep -oE '"(csv|flat|codecarbon|samples|[a-z]*table[a-z]*)", .file' | sort -u | tr -d '\n')
check 'no other option writes one' '"codecarbon", .file"csv", .file"flat", .file"samples", .file' "$declared"
finish
