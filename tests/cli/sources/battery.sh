#!/bin/bash
# SPDX-License-Identifier: MIT
# A laptop on its batteries: they are the whole machine, beside the package; once the mains come in, that is unknown.
. "$(dirname "$0")/../lib.sh"

burn="$helpers/burn"
cp -r "$source/tests/trees/laptop-two-batteries" tree
chmod -R u+w tree
supplies=tree/sys/class/power_supply
measure() { "$carbon" measure -v --root tree --baseline 0 --zone FR "$@"; }
domain() { json "$1" "[d for d in r['domains'] if d['name'] == '$2'][0]$3"; }
near() { check "$1" True "$(json "$4" "abs(($5) - ($2)) <= $3 or '%s is not %s' % ($5, $2)")"; }
duration="r['windows']['runs'][0]['duration_s']"

# Beside the package, and never added to it.
measure --json a.json -- "$burn" tree intel-rapl:0 5000000 700 2> a.err
check 'the package is the total' 5 "$(json a.json 'r["gross_j"]["mean"]')"
check 'both batteries lie beside' 'battery-BAT0 + battery-BAT1' "$(json a.json 'r["whole_machine"]["name"]')"
near 'one gives all the power' "11.25 * $duration" 0.1 a.json "$(domain a.json battery-BAT0 '["gross_j"]["mean"]')"
check 'the other rests: that is 0, not unknown' 0 "$(domain a.json battery-BAT1 '["gross_j"]["mean"]')"
check_match 'sources says so' '^not included, never added: battery-BAT0 \+ battery-BAT1$' "$("$carbon" sources --root tree)"

# The whole machine, and its power rises: the second battery takes over.
measure --scope machine --json b.json -- bash -c "sleep 1.6; printf '13750000\n' 1<> $supplies/BAT1/power_now" 2> b.err
check 'what counts' 'battery-BAT0 battery-BAT1' "$(json b.json '" ".join(d["name"] for d in r["domains"] if d["counted"])')"
check 'nothing is missing' 0 "$(json b.json 'r["counted_unknown"]')"
# read each second: it rose somewhere after the last reading but one
check 'joules of both' True "$(json b.json "11.25 * $duration <= r['gross_j']['mean'] <= 11.25 * $duration + 13.75")"
check_match 'sampled once a second' 'battery-BAT0 is a power sensor sampled every 1.0 s' "$(cat b.err)"

# The mains come in while the job runs.
measure --scope machine --json c.json -- bash -c "sleep 1.2; printf '1\n' 1<> $supplies/AC/online" 2> c.err
check 'not known from then on, not 0' 'True failed True' "$(json c.json '(lambda w: "%s %s %s" % (r["at_least"], w["holes"][0]["reason"],
    r["gross_j"]["mean"] <= 25 * (w["duration_s"] - w["holes"][0]["unknown_s"]) + 0.1))(r["windows"]["runs"][0])')"
check_match 'and said' 'readings of battery-BAT0 failed' "$(cat c.err)"

# On mains.
measure --scope machine -- touch "$work/ran" 2> d.err
check 'no whole machine on mains' 125 $?
check_match 'and says so' 'no whole-machine energy can be read' "$(cat d.err)"
check 'nothing was run' no "$([ -e "$work/ran" ] && echo yes || echo no)"
check_match 'sources knows why' 'battery-BAT0 .*not counted +on mains a battery says nothing' "$("$carbon" sources --root tree)"

# What a hypervisor shows is no meter, by whatever it is asked for.
virtual=$source/tests/trees/guest-virtual-battery
check_match 'a virtual battery' 'battery-BAT1 .*not counted +a virtual battery' "$("$carbon" sources --root "$virtual")"
for how in '--scope machine --require-measured' '--source battery'; do
    # shellcheck disable=SC2086
    "$carbon" measure -v --root "$virtual" --baseline 0 $how -- touch "$work/ran" 2> v.err
    check "$how: a virtual battery is no meter" 125 $?
    check_match "$how: and says so" 'battery-BAT1: a virtual battery' "$(cat v.err)"
done
check 'nothing was run' no "$([ -e "$work/ran" ] && echo yes || echo no)"

# Without RAPL the batteries stand in; the server's own meter would come first.
echo 0 > $supplies/AC/online
rm -r tree/sys/class/powercap
measure --json e.json -- sleep 0.5 2> e.err
check 'they stand in' 'True battery' "$(json e.json '"%s %s" % (r["stands_in"], " ".join(r["sources"]))')"
mkdir -p tree/sys/class/hwmon/hwmon0
echo macsmc_hwmon > tree/sys/class/hwmon/hwmon0/name
echo 24000000 > tree/sys/class/hwmon/hwmon0/power1_input
echo 'Total System Power' > tree/sys/class/hwmon/hwmon0/power1_label
measure --json f.json -- sleep 0.5 2> f.err
check 'a meter of the machine comes first' 'hwmon' "$(json f.json '" ".join(d["source"] for d in r["domains"] if d["counted"])')"

finish
