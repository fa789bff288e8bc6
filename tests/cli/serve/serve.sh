#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon serve: exact joules from counters that this test moves, through wraps, resets and restarts; groups; both formats.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"

package=tree/sys/class/powercap/intel-rapl:0
memory=tree/sys/class/powercap/intel-rapl:0:0

lay_serve_tree
put_uj $package 260993328911 # near its end

python=/usr/bin/python3

# The forms.
serve --intensity 360 --pue 1.25
scrape > plain.txt
scrape -H 'Accept: application/openmetrics-text; version=1.0.0; charset=utf-8' > open.txt
check 'before anything is used' 0 "$(value energy_joules_total 'domain="package-0"')"
check 'a power that is not known is absent' '' "$(value power_watts 'domain="package-0"')"
check 'the plain format has no end' '' "$(grep '^# EOF' plain.txt)"
check 'OpenMetrics has one' '# EOF' "$(tail -1 open.txt)"
check 'families of OpenMetrics are without _total' '# TYPE carbon_energy_joules counter' \
    "$(grep '^# TYPE carbon_energy_joules' open.txt)"
check 'and have units' '# UNIT carbon_energy_joules joules' "$(grep '^# UNIT carbon_energy_joules' open.txt)"
check 'the same samples in both' "$(grep -v '^#' plain.txt | sed 's/ [^ ]*$//')" \
    "$(grep -v '^#' open.txt | sed 's/ [^ ]*$//')"
check_match 'the type of the plain one' '^content-type: text/plain; version=0.0.4' "$(scrape -i)"
check_match 'the type of the other' '^content-type: application/openmetrics-text; version=1.0.0' \
    "$(scrape -i -H 'Accept: text/plain;q=0.5,application/openmetrics-text;version=1.0.0')"
if command -v promtool > /dev/null; then
    # kilograms are the SI's base unit of mass, and what carbon tells everywhere
    check 'promtool check metrics' '' \
        "$(promtool check metrics < plain.txt 2>&1 | grep -v 'use base unit "grams" instead of "kilograms"')"
else
    echo 'promtool is not installed: it has not checked the metrics'
fi
check 'the factor' 0.36 "$(value factor_kilograms_per_kilowatthour)"
check 'the PUE' 1.25 "$(value pue_ratio)"
check 'its origin' 1 "$(value pue_info 'quality="given"')"
check 'one build' 1 "$(value build_info)"
check 'graphics do not count' 0 "$(value energy_joules_total 'counted="no"')"

# Exact joules: 1000 J of the package and 500 J of memory; 1500 / 3.6e6 x 1.25 x 0.36 kg.
add $package 1000000000
add $memory 500000000
wait_value 500 energy_joules_total 'domain="dram-0"'
wait_value 1000 energy_joules_total 'domain="package-0"'
check 'kilograms' 0.0001875 "$(value emissions_kilograms_total 'scope="compute",quality="measured"')"

# Its end, and from there around by 150 J: less than 2 kW in an interval.
put_uj $package 262093328911
wait_value 1100 energy_joules_total 'domain="package-0"'
put_uj $package 100000000
wait_value 1250 energy_joules_total 'domain="package-0"'
check 'a wrap is no gap' 0 "$(value energy_gaps_total 'domain="package-0"')"
# Back for no reason: a reset. What was used meanwhile is not known, and the total stays.
add $package 100000000
wait_value 1350 energy_joules_total 'domain="package-0"'
put_uj $package 7000000
wait_value 1 energy_gaps_total 'domain="package-0"'
check 'a reset adds nothing' 1350 "$(value energy_joules_total 'domain="package-0"')"
add $package 3000000
wait_value 1353 energy_joules_total 'domain="package-0"'
check_match 'of how much time nothing is known' '^[0-9.]*[1-9]' "$(value unknown_seconds_total 'domain="package-0",source="powercap",reason="reset"')"
check 'and for what other reason' '0 0' "$(value unknown_seconds_total 'domain="package-0",source="powercap",reason="suspend"') $(value unknown_seconds_total 'domain="package-0",source="powercap",reason="vanished"')"
check 'beside it all is known' 0 "$(value unknown_seconds_total 'domain="dram-0",source="powercap",reason="reset"')"

# A counter that cannot be read is an error, and its total stands.
chmod 000 $memory/energy_uj
printf '%20s\n' - 1<> $package/energy_uj
collected
check_match 'failed readings are counted' '^[1-9]' "$(value read_errors_total 'domain="package-0"')"
check 'the total stands' 1353 "$(value energy_joules_total 'domain="package-0"')"
chmod 644 $memory/energy_uj
put_uj $package 10000000

# Who asks.
check_match 'HEAD' '^content-length: [1-9]' "$(scrape -i -X HEAD)"
check 'HEAD has no body' '' "$(scrape -X HEAD)"
check_match 'a page' 'href="metrics"' "$(ask "$url/")"
check 'healthy' 'carbon is healthy.' "$(ask "$url/-/healthy")"
check 'another path' 404 "$(ask -i "$url/metrics/x" | sed -n 1p)"
for method in POST PUT DELETE OPTIONS TRACE; do
    check "$method" 405 "$(scrape -i -X $method | sed -n 1p)"
done
check_match 'what may be done' '^allow: get, head' "$(scrape -i -X POST)"
check_match 'who asks is counted' '^[1-9]' "$(value scrapes_total)"
stop
check 'SIGTERM is a good end' 0 $status

# Restarts with a state: what the counter tells of the time between is in, to the last microjoule.
lay_serve_tree
put_uj $memory 5000000000
serve --state state.json --intensity 360
put_uj $memory 7000000
wait_value 1 energy_gaps_total 'domain="dram-0"'
unknown_s() { value unknown_seconds_total 'domain="dram-0",source="powercap",reason="reset"'; }
memory_unknown_s=$(unknown_s)
add $package 1234567
wait_value 1.234567 energy_joules_total 'domain="package-0"'
stop
add $package 200000000
serve --state state.json --intensity 360
check 'the time between is in' 201.234567 "$(value energy_joules_total 'domain="package-0"')"
check 'no gap' 0 "$(value energy_gaps_total 'domain="package-0"')"
check 'nor is a gap of before forgotten' "1 $memory_unknown_s" "$(value energy_gaps_total 'domain="dram-0"') $(unknown_s)"
check 'kilograms, too' "$("$python" -c 'print(repr(201.234567 / 3.6e6 * 0.36))')" "$("$python" -c 'print(repr(float("'"$(value emissions_kilograms_total)"'")))')"
kilograms=$(value emissions_kilograms_total)
# A killed one begins where the last state was written; the counter tells what it had told itself. By another factor what was
# told stays, and what follows emits by it.
{ kill -KILL $pid && wait $pid; } 2> /dev/null
add $package 1000000
serve --state state.json --intensity 720
check 'after SIGKILL' 202.234567 "$(value energy_joules_total 'domain="package-0"')"
check 'what was told stays' yes "$("$python" -c "
print('yes' if abs($(value emissions_kilograms_total) - ($kilograms + 1 / 3.6e6 * 0.72)) < 1e-15 else 'no')")"
stop
# Longer than the counter needs to wrap at 2 kW: not certain any more.
"$python" -c 'import json
state = json.load(open("state.json"))
for domain in state["domains"]:
    domain["boottime_ns"] = str(int(domain["boottime_ns"]) - 200 * 10**9)
json.dump(state, open("state.json", "w"))'
add $package 5000000
serve --state state.json
check_match 'what is left out is said' 'energy of package-0 in a gap between readings is unknown.*wrapped unseen' "$(cat err)"
check 'and not guessed' 202.234567 "$(value energy_joules_total 'domain="package-0"')"
check 'but counted' 1 "$(value energy_gaps_total 'domain="package-0"')"
stop
# Another boot: the counter has begun anew.
echo 99999999-2222-4333-8444-555555555555 > tree/proc/sys/kernel/random/boot_id
put_uj $package 9000000
serve --state state.json
check_match 'another boot' 'the machine was restarted' "$(cat err)"
check 'nothing of it is added' 202.234567 "$(value energy_joules_total 'domain="package-0"')"
add $package 1000000
wait_value 203.234567 energy_joules_total 'domain="package-0"'
stop
check 'a state of its own alone' 1 "$("$python" -c 'import json; print(json.load(open("state.json"))["domains"][0]["source"] == "powercap" and 1)')"
# Anything else is not overwritten.
echo '{"schema": "other/1"}' > other.json
"$carbon" serve --root tree --listen 127.0.0.1:0 --state other.json > out 2> err
check 'another document is refused' 125 $?
check 'and left alone' '{"schema": "other/1"}' "$(cat other.json)"
"$carbon" serve --root tree --listen 127.0.0.1:0 --state no/such/folder > out 2> err
check 'a state that cannot be kept' 125 $?
check_match 'is said at once' 'cannot write the state file' "$(cat err)"
mkdir states
STATE_DIRECTORY=$PWD/states:/nowhere serve
stop
check "systemd's folder" 'serve.json serve.json.lock' "$(cd states && echo *)"
serve --state states/serve.json
"$carbon" serve --root tree --listen 127.0.0.1:0 --state states/serve.json > out 2> second.err
check 'a second one with the same state' 125 $?
check_match 'is told why' "another carbon serve keeps its state in 'states/serve.json'" "$(cat second.err)"
stop

# Nothing that can be counted.
rm -rf tree/sys/class/powercap
serve --source powercap
check 'no emissions' '' "$(value emissions_kilograms_total)"
check_match 'but a notice, with its kind' 'carbon_notice_info\{what="[^"]*powercap.*,kind="no-counter"\}' "$(scrape)"
stop
"$carbon" serve --root tree --listen 127.0.0.1:0 --require-measured > out 2> err
check 'a meter that is insisted on' 125 $?

# A guest without a counter is modelled by what its user says of it, whatever its load.
rm -rf tree
mkdir -p tree/proc
ln -s /proc/stat tree/proc/stat
printf 'processor\t: 0\nflags\t\t: fpu hypervisor\n' > tree/proc/cpuinfo
serve --cpu-power 12:12 --intensity 100
draws() { value power_watts 'domain="package"' | awk -v w="$1" '{ good = $1 > 0.99 * w && $1 < 1.01 * w } END { exit !good }'; }
until_true draws 12
stop
check_match 'and says so' 'is modelled, not measured: 12.0 W idle to 12.0 W busy' "$(cat err)"

# By the machine profile that the tree has: 12 W.
"$carbon" calibrate --root tree --wall-idle 12 --wall-full 12.01 > /dev/null
serve --intensity 100
draws() { value power_watts 'domain="machine"' | awk '{ good = $1 > 11.9 && $1 < 12.1 } END { exit !good }'; }
until_true draws
stop
check_match 'a machine profile is named' 'the power of the machine is modelled by the machine profile: 12.0 W idle to 12.0 W busy' "$(cat err)"
finish
