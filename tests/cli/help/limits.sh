#!/bin/bash
# SPDX-License-Identifier: MIT
# Every limit that a user can reach is told, or there is none: tests/limits.tsv names this test for those that it reaches.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

tree=$source/tests/trees/intel-denied
config=$HOME/.config/carbon/config
mkdir -p "$HOME/.config/carbon"
table='zone,year,kgco2eq_per_kwh,basis,source_id'

# times N TEXT...: so many copies of it, '%' in it being the number.
times() {
    local i count=$1
    shift
    for ((i = 1; i <= count; i++)); do printf '%s\n' "${@//%/$i}"; done
}
# told NAME PATTERN COMMAND...: carbon refuses, and this is what it says.
told() {
    local name=$1 pattern=$2 said
    shift 2
    said=$(timeout 60 "$carbon" "$@" 2>&1 < /dev/null)
    check "$name: status" 125 $?
    check_match "$name: is told" "$pattern" "$said"
}
# data NAME: a copy of carbon's tables, of which table NAME may be changed.
data() {
    rm -rf copy
    mkdir -p copy
    cp -r "$source/data/emission_factors" copy
    chmod -R u+w copy
}

# Arguments.
told CANDIDATES_MAX 'a scan is of 2 to 100 commands' compare --no-ledger --root "$tree" \
    --parameter "p=$(seq -s , 101)" -- 'echo {p}'
mapfile -t list < <(times 101 r%.json)
told 'CANDIDATES_MAX, files' 'more than 100 files' compare "${list[@]}"
mapfile -t list < <(times 9 --parameter p%=1,2)
told PARAMETER_SCAN_MAX 'more than 8 parameters' compare --no-ledger "${list[@]}" -- 'echo {p1}'
told WHEN_ZONES_MAX 'has more than 8 zones' when --zones FR,DE,GB,ES,IT,NL,BE,AT,CH --duration 1h
told MAX_THREAD_COUNTS 'more than 8 numbers of threads' probe --threads 1,2,3,4,5,6,7,8,9
told PROBE_MAX_RUNS 'from 1 to 1000' probe --runs 1001
told LOAD_MAX_THREADS 'not a number of threads from 1 to 4096' probe --threads 4097
mapfile -t list < <(times 33 --meta k%=v)
told REPORT_META_MAX 'was given more than 32 times' measure --root "$tree" "${list[@]}" -- true
told PATTERN_MAX 'it has more than 1000 bytes' measure --root "$tree" --phase "$(printf 'a%.0s' {1..1001})" -- true
told PATTERN_STEPS_MAX 'it comes to more than 4000 steps' measure --root "$tree" --phase 'a{1000}b{1000}c{1000}d{1000}e{1000}' -- true
told RING_KIB_MAX 'from 4 to 65536' profile --ring 131072 -- true
told RING_KIB_MIN 'from 4 to 65536' profile --ring 2 -- true
told MODEL_MAX_SIZES 'as in --sizes .*; at most 64' model --sizes "$(seq -s , 65)" model
told MAX_INPUTS 'from 1 to 1000000000' model --samples 1000000001 model
told PIPELINE_MAX_ROUNDS 'from 1 to 1000' pipeline --repeat 1001 p.yaml
told ANNUAL_MONTHS_MAX 'the period is too long' report --ledger none.db --from 2000-01-01 --to 2026-01-01
told STEP_MAX_S 'from 1 to 3600' report --from-prometheus http://127.0.0.1:1 --step 3601
told STEP_MIN_S 'from 1 to 3600' report --from-prometheus http://127.0.0.1:1 --step 0
told MAX_INTERVAL_S 'from 0.1 to 60' sources --watch --interval 61
told MIN_INTERVAL_S 'from 0.1 to 60' sources --watch --interval 0.01
told MAX_S 'from 0.001 to 604800' when --zone GB --duration 8d
told MIN_J 'of 0.001 or more' when --zone GB --duration 2h --energy 0.1mJ
told MAX_WALL_W 'wall-full' calibrate --wall-idle 38 --wall-full 2MW

# Files.
mkdir own
for ((i = 1; i <= 65; i++)); do printf '%s\nFR,2020,0.5,lifecycle,OWN\n' "$table" > own/t$i.csv; done
told TABLES_MAX 'more than 64 tables of factors' estimate --energy 1kWh --zone FR --factors own
head -c 65537 /dev/zero | tr '\0' '#' > "$config"
told CONFIG_MAX_BYTES 'is larger than 65536 bytes' estimate --energy 1kWh
times 33 '[meter m%]' 'file = /dev/null' 'unit = W' > "$config"
told NAMED_METERS_MAX 'meters' sources
printf '[meter a]\nfile = /dev/null\nunit = W\nevery = 2h\n' > "$config"
told MAX_EVERY_S 'a time from 0.1 s to 1 h' sources
printf '[meter a]\nfile = /dev/null\nunit = W\nevery = 0.01s\n' > "$config"
told MIN_EVERY_S 'a time from 0.1 s to 1 h' sources
rm "$config"
times 17 '[c%]' 'share = 0.01' 'g_per_kwh = 10' 'from = 2024-01-01' 'until = 2024-12-31' > contract
told CONTRACTS_MAX 'there are too many contracts' estimate --energy 1kWh --zone FR --contract contract
head -c 65537 /dev/zero | tr '\0' '#' > contract
told FILE_MAX_BYTES 'is larger than 65536 bytes' estimate --energy 1kWh --zone FR --contract contract
head -c 1048577 /dev/zero | tr '\0' '#' > modules
told 'FILE_MAX_BYTES, a batch' 'is larger than 1048576 bytes' batch modules
truncate -s 65M large.json
told JSON_READ_MAX 'larger than 64 MiB' verify large.json
head -c 9000 /dev/zero | tr '\0' 'k' > key
chmod 600 key
told SECRET_MAX "'key' holds no key" prometheus energy --url http://127.0.0.1:1 --pod a --from 1764000000 --to 1764000600 --bearer-file key
times 65 'u%: $2y$10$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZabcde' | sed 's/^/  /' > users
{ echo 'basic_auth_users:'; cat users; } > web.yaml
chmod 600 web.yaml
told WEB_USERS_MAX 'there are more than 64 users' serve --root "$tree" --web-config web.yaml --listen 127.0.0.1:0

# A pipeline.
name=$(printf 'n%.0s' {1..256})
printf 'name: p\nsteps:\n- name: %s\n  command: [true]\n' "$name" > long.yaml
told PIPELINE_NAME_MAX '1 to 255 letters' pipeline --no-ledger --root "$tree" long.yaml
{ printf 'name: p\nsteps:\n'; times 1001 '- name: s%' '  command: ["true"]'; } > many.yaml
told PIPELINE_MAX_STEPS 'there are more than 1000 steps' pipeline --no-ledger --root "$tree" many.yaml
{ printf 'name: p\nsteps:\n'; times 105 '- name: s%' '  command: ["true"]' '  comand: x'; } > keys.yaml
"$carbon" pipeline --details --no-ledger --root "$tree" --baseline 0 --json p.json keys.yaml > out 2>&1
check_match 'PIPELINE_MAX_WARNINGS: is told' 'of keys that carbon does not know, 5 more are in the description' "$(cat out)"

# Slurm: columns, and the energy of every step.
{ printf 'JobID|ConsumedEnergyRaw'; printf '|c%d' {1..255}; echo; } > sacct
told MAX_COLUMNS "'sacct' has more than 256 columns" slurm --sacct sacct --intensity 100
{
    echo 'JobID|State|Start|End|ElapsedRaw|NNodes|NodeList|NCPUS|ConsumedEnergyRaw'
    echo '9|COMPLETED|2026-01-01T00:00:00|2026-01-01T10:00:00|36000|1|n1|4|'
    for ((i = 0; i < 300; i++)); do
        printf '9.%d|COMPLETED|2026-01-01T%02d:%02d:00|2026-01-01T%02d:%02d:00|60|1|n1|4|100\n' $i $((i / 60)) $((i % 60)) \
            $(((i + 1) / 60)) $(((i + 1) % 60))
    done
} > steps
TZ=UTC "$carbon" slurm --sacct steps --intensity 100 --json s.json > out 2>&1
check 'the energy of 300 steps' 30000 "$(json s.json "'%g' % r['jobs'][0]['energy_j']")"

# Tables.
data
CARBON_DATA=$work/in/copy
awk -F, -v OFS=, 'NR > 1 && $1 == "AD" { $5 = "ES" } NR > 1 && $1 == "ES" { $5 = "AD" } { print }' \
    "$source/data/emission_factors/zones.csv" > copy/emission_factors/zones.csv
sed -i '/^\(AD\|ES\),.*,direct,/d' copy/emission_factors/grid_intensity.csv
told CHAIN_MAX "the fallbacks of zone 'AD' do not end" estimate --energy 1kWh --zone AD --basis direct
for ((i = 0; i < 40; i++)); do printf 'CHAIN-%d,Chain,country,CHN,CHAIN-%d,1,0,\n' $i $((i + 1)); done \
    | sed 's/CHAIN-20,1,0/FR,1,0/' > zones
{ cat "$source/data/emission_factors/zones.csv"; head -n 20 zones; } > copy/emission_factors/zones.csv
check_match 'a chain of 20 zones is followed to its end' 'CHAIN-0, CHAIN-1, .*, CHAIN-19, FR' \
    "$("$carbon" estimate --energy 1kWh --zone CHAIN-0 2>&1)"
data
times 70 "$(sed -n 2p copy/emission_factors/equivalents.csv | sed 's/^[^,]*/car%/')" >> copy/emission_factors/equivalents.csv
told EQUIVALENTS_MAX 'there are more than 48 rows' measure --root "$tree" --baseline 0 --no-ledger --equivalents -- true
data
tail -n +2 copy/emission_factors/power_rules.csv > rules
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do cat rules; done >> copy/emission_factors/power_rules.csv
told POWER_MAX_RULES 'power_rules.csv. line 66, column 1 .*malformed' estimate --cpu 'AMD EPYC 7763' --load 0.5 --hours 1
CARBON_DATA=$source/data

# Meters: more sensors than there is room for.
mkdir -p many/proc many/sys/class/hwmon
cp -r "$tree/proc/." many/proc/
for ((i = 0; i < 130; i++)); do
    mkdir "many/sys/class/hwmon/hwmon$i"
    echo "chip$i" > "many/sys/class/hwmon/hwmon$i/name"
    echo 1000000 > "many/sys/class/hwmon/hwmon$i/power1_input"
done
said=$("$carbon" sources --root many 2>&1)
check_match 'ENERGY_MAX_DOMAINS: of one source' 'the total may be incomplete: there are more sensors than carbon has room for' \
    "$(tr -s ' \n' ' ' <<< "$said")"
rm -r many/sys/class/hwmon/hwmon1??
mkdir -p many/sys/class/powercap
for ((i = 0; i < 40; i++)); do
    zone=many/sys/class/powercap/intel-rapl:$i
    mkdir "$zone"
    echo "package-$i" > "$zone/name"
    echo 1000 > "$zone/energy_uj"
    echo 262143328850 > "$zone/max_energy_range_uj"
done
said=$("$carbon" sources --root many 2>&1)
check_match 'ENERGY_MAX_DOMAINS: of all sources' 'the total may be incomplete: all sources together have more domains' \
    "$(tr -s ' \n' ' ' <<< "$said")"

# A record of a machine has all that could not be read.
chmod 400 many/sys/class/powercap/*/energy_uj
for ((i = 40; i < 300; i++)); do
    mkdir "many/sys/class/powercap/intel-rapl:$i"
    echo 1 > "many/sys/class/powercap/intel-rapl:$i/energy_uj"
    chmod 400 "many/sys/class/powercap/intel-rapl:$i/energy_uj"
done
"$carbon" record --root many recorded > /dev/null
check 'each of 300 closed files is noted' 300 "$(grep -c 'energy_uj' recorded/modes.tsv)"

finish
