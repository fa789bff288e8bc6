#!/bin/bash
# SPDX-License-Identifier: MIT
# --debug and CARBON_DEBUG: off unless asked for, each area says what happened, no line holds a secret.
. "$(dirname "$0")/../lib.sh"

unset http_proxy https_proxy HTTPS_PROXY ALL_PROXY all_proxy XDG_CACHE_HOME CARBON_DEBUG
tree=$source/tests/trees/intel-denied
debug='^carbon-debug: [0-9]+\.[0-9]{3} ms'
estimate=("$carbon" estimate --energy 1kWh)

# Off, and what is printed is the same with it.
plain=$("${estimate[@]}" --zone FR 2> said)
check_absent 'off by default' 'carbon-debug' "$(cat said)"
check 'an empty variable is none' "$(cat said)" "$(CARBON_DEBUG='' "${estimate[@]}" --zone FR 2>&1 > /dev/null)"
check 'standard output stays' "$plain" "$("${estimate[@]}" --zone FR --debug all 2> debugged)"
check 'so do the notices' "$(cat said)" "$(grep -v '^carbon-debug: ' debugged)"
check 'each line has its time and area' '' "$(grep '^carbon-debug: ' debugged |
    grep -vE "$debug (settings|files|libraries|factors|sources|http|ledger|target|run): ")"
check 'the time goes on' "$(sed -n 's/^carbon-debug: \([0-9.]*\) .*/\1/p' debugged | sort -n)" \
    "$(sed -n 's/^carbon-debug: \([0-9.]*\) .*/\1/p' debugged)"

# Which areas.
one=$("${estimate[@]}" --zone FR --debug factors 2>&1 > /dev/null)
check 'one area alone' factors "$(sed -n 's/^carbon-debug: [0-9.]* ms \([a-z]*\): .*/\1/p' <<< "$one" | sort -u)"
check 'two of them' 'factors files' "$("${estimate[@]}" --zone FR --debug factors,files 2>&1 > /dev/null |
    sed -n 's/^carbon-debug: [0-9.]* ms \([a-z]*\): .*/\1/p' | sort -u | tr '\n' ' ' | sed 's/ $//')"
check_match 'the variable' "$debug factors: " "$(CARBON_DEBUG=factors "${estimate[@]}" 2>&1 > /dev/null)"
check_absent 'the line is stronger' "$debug factors: " \
    "$(CARBON_DEBUG=factors "${estimate[@]}" --debug files 2>&1 > /dev/null)"
mkdir -p "$HOME/.config/carbon"
echo 'debug = factors' > "$HOME/.config/carbon/config"
check_match 'the configuration file' "$debug factors: " "$("${estimate[@]}" 2>&1 > /dev/null)"
rm "$HOME/.config/carbon/config"
for areas in nonsense 'factors,nonsense' ',' 'factors,' '' 'all,x'; do
    said=$("${estimate[@]}" --debug "$areas" 2>&1)
    check "an area that is none: '$areas'" 125 $?
    [ -z "$areas" ] || check_match "'$areas': the list" \
        'fix: areas are settings, files, libraries, sources, factors, http, ledger, target, run, all;' "$said"
done
said=$(CARBON_DEBUG=nonsense "${estimate[@]}" 2>&1)
check 'in the variable' 125 $?
check_match 'which it was' "no area is called 'nonsense'" "$said"
for command in $("$carbon" help --list-options | cut -f 1 | uniq); do
    check_match "$command has it" '^     --debug <area,' "$("$carbon" help --all "$command")"
done

# The factor: the row of the table that awk takes by the same rule, and those before it.
table=$CARBON_DATA/emission_factors/grid_intensity.csv
wanted=$(awk -F, -v year="$(date -u +%Y)" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $column["zone"] == "FR" && $column["basis"] == "lifecycle" && $column["rank"] == 1 && $column["year"] <= year &&
    $column["year"] > best { best = $column["year"]; line = NR } END { print line, best }' "$table")
check_match 'the row that was taken' "factors:   takes grid_intensity.csv line ${wanted% *}: FR ${wanted#* } lifecycle, " "$one"
check_match 'one that was left, and why' "factors:   leaves grid_intensity.csv line [0-9]+: FR $((${wanted#* } - 1)) lifecycle, .*: its year is nearer" "$one"
printf 'zone,year,kgco2eq_per_kwh,basis,source_id\nFR,2020,0.5,lifecycle,OWN\n' > own.csv
said=$("${estimate[@]}" --zone FR --factors own.csv --debug factors 2>&1)
check_match 'a table of the user goes first' 'takes own.csv line 2: FR 2020 lifecycle, 0.5 kgCO2eq/kWh' "$said"
check_match 'and why' "leaves grid_intensity.csv .*FR ${wanted#* } lifecycle.*: its table goes first" "$said"
said=$("${estimate[@]}" --zone AD --basis direct --debug factors 2>&1)
check_match 'a zone that has none' 'factors: AD, direct, .*: nothing' "$said"
check_match 'the one that stands in' 'factors: ES, direct, .*: found' "$said"

# Settings, files, sources, run, ledger, target.
said=$(CARBON_ZONE=FR "$carbon" measure --root "$tree" -b 0 --debug all --ledger "$work/l.db" -- true 2>&1)
check_match 'a setting and its origin' 'settings: zone = FR \(environment CARBON_ZONE\)' "$said"
check_match 'of the line' 'settings: baseline = 0 \(line\)' "$said"
check_match 'a file of the machine' "files: read '$tree/proc/cpuinfo'" "$said"
check_match 'one that is not there' "files: cannot read '/nonexistent': No such file" \
    "$("${estimate[@]}" --factors /nonexistent --debug files 2>&1)"
check_match 'a table' "files: read '$CARBON_DATA/emission_factors/zones.csv'" "$said"
check_match 'a driver that is absent' 'sources: hwmon: absent: ' "$said"
check_match 'a driver that answers' 'sources: powercap: ready, 3 domains, ' "$said"
check_match 'a domain' "sources: powercap: package-0 \('sys/class/powercap/intel-rapl:0'\): measured" "$said"
if [ "$(id -u)" != 0 ]; then
    cp -r "$tree" denied
    chmod 000 denied/sys/class/powercap/*/energy_uj
    check_match 'one that may not' 'sources: powercap: denied: ' "$("$carbon" sources --root denied --debug sources 2>&1)"
fi
check_match 'the job' "run: process [0-9]+ runs 'true'" "$said"
check_match 'the ledger' "ledger: opened '$work/l.db' to write" "$said"
check_match 'a statement without its values' 'ledger: INSERT INTO carbon_run .*\$1' "$said"
check_match 'a record' 'ledger: has record [0-9a-f-]{36}' "$said"
sleep 300 &
sleeper=$!
said=$("$carbon" measure --no-ledger --pid $sleeper --for 0.1s -b 0 --debug target 2>&1)
kill $sleeper
check_match 'a target' "target: process $sleeper is 'sleep'" "$said"

# What is asked of whom, and no secret in any line.
exec 9> >(exec /usr/bin/python3 "$source/tests/helpers/grid.py" log ports > server.txt 2>&1)
served ports server.txt
read -r port other < ports
secret=SECRET-9f3a-of-test
export CARBON_ELECTRICITY_MAPS_KEY=$secret-maps CARBON_PROMETHEUS_TOKEN=$secret-token
printf '%s\n' "$secret-file" > bearer
chmod 600 bearer
say() { CARBON_DEBUG=all "$carbon" "$@" >> all 2>&1; }
: > all
say factors --live electricity-maps --zone FR --live-url "http://127.0.0.1:$port/good" --from 2026-01-20 --to 2026-01-21 --live-timeout 300
check_match 'what was asked' "http: GET http://127.0.0.1:$port/good/[^ ]*, with a key: status [0-9]+, [0-9]+ bytes, [0-9.]+ ms" "$(cat all)"
say prometheus energy --from 1764000000 --to 1764000600 --zone FR --pod web-1 --timeout 5 --url "http://127.0.0.1:$port/good"
say prometheus energy --from 1764000000 --to 1764000600 --zone FR --pod web-1 --timeout 5 --bearer-file bearer --url "http://127.0.0.1:$port/good"
CARBON_PROMETHEUS_PASSWORD=$secret-password say prometheus energy --from 1764000000 --to 1764000600 --zone FR --pod web-1 \
    --timeout 5 --user me --url "http://127.0.0.1:$port/good"
say prometheus energy --from 1764000000 --to 1764000600 --zone FR --pod web-1 --timeout 5 --url "http://me:$secret-url@127.0.0.1:$port/x"
say history --ledger "postgresql://me:$secret-postgres@127.0.0.1:1/carbon?connect_timeout=1&password=$secret-parameter"
say measure --no-ledger -b 0 --root "$tree" --meta "api_token=$secret-meta" --meta "note=https://me:$secret-note@example.org/x" -- \
    sh -c ": $secret-argument"
check_match 'the token was used' 'key=' "$(cat log)"
check_match 'without the password of a URL' 'settings: url = http://\.\.\.@127' "$(cat all)"
check_match 'nor that of a value' 'meta = note=https://\.\.\.@example.org/x' "$(cat all)"
check 'nor in an error' '' "$(grep -E '^carbon: |^   (why|fix): ' all | grep -F "$secret")"
check 'no secret in any line' '' "$(grep '^carbon-debug: ' all | grep -F "$secret")"

# A name that would be a line of its own, or move the cursor.
said=$("$carbon" estimate --energy 1kWh --factors $'no\ncarbon: such\e[31m.csv' --debug files 2>&1 | grep '^carbon-debug: ')
check_match 'nothing in a line is a command' "cannot read 'no\?carbon: such\?\[31m.csv'" "$said"

# Completion offers the areas.
check_match 'completion' '^--debug' "$("$carbon" help --complete -- measure --deb)"
check_match 'an area' '^factors' "$("$carbon" help --complete -- measure --debug fac)"
check_match 'a second one' '^files,http' "$("$carbon" help --complete -- measure --debug files,h)"

finish
