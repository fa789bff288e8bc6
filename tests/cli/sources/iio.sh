#!/bin/bash
# SPDX-License-Identifier: MIT
# Monitors of supply rails: joules of a counter and of a power, and one chip that two classes show counts once.
. "$(dirname "$0")/../lib.sh"

cp -r "$source/tests/trees/board-iio" tree
chmod -R u+w tree
input=tree/sys/bus/iio/devices/iio:device1/in_energy1_raw
domain() { json "$1" "[d for d in r['domains'] if d['name'] == '$2'][0]$3"; }

# 1.192100 µJ a step
"$carbon" measure -v --root tree --baseline 0 --zone FR --json a.json -- \
    bash -c "sleep 0.4; printf '1005000000\n' 1<> $input; sleep 0.4" 2> a.err
check 'joules of a counter' 5.9605 "$(domain a.json machine '["gross_j"]["mean"]')"
check 'they are the total' '5.9605 True iio' "$(json a.json '"%s %s %s" % (r["gross_j"]["mean"], r["stands_in"], " ".join(r["sources"]))')"
check 'a rail is listed' True "$(json a.json "abs([d for d in r['domains'] if d['name'] == 'ina226-vdd_cpu'][0]['gross_j']['mean'] / r['duration_s']['mean'] - 2.1) < 0.05")"
check 'and not counted' False "$(domain a.json ina226-vdd_cpu '["counted"]')"

# The same input through hwmon: that one counts, and the other is no part of it.
mkdir -p tree/sys/class/hwmon/hwmon0
echo ina3221 > tree/sys/class/hwmon/hwmon0/name
echo VDD_IN > tree/sys/class/hwmon/hwmon0/in1_label
echo 5000 > tree/sys/class/hwmon/hwmon0/in1_input
echo 1200 > tree/sys/class/hwmon/hwmon0/curr1_input
"$carbon" measure -v --root tree --baseline 0 --zone FR --json b.json -- sleep 0.5 2> b.err
check 'counted once' 'hwmon' "$(json b.json '" ".join(d["source"] for d in r["domains"] if d["counted"])')"
check 'the other says why' "covers the same as hwmon's machine; never both" \
    "$(json b.json '[d for d in r["domains"] if d["name"] == "machine" and d["source"] == "iio"][0]["reason"]')"
"$carbon" measure -v --root tree --source iio --baseline 0 --zone FR --json c.json -- sleep 0.2 2> c.err
check 'by hand the other counts' iio "$(json c.json '" ".join(d["source"] for d in r["domains"] if d["counted"])')"
"$carbon" sources --root tree --source iio > said
check_match 'sources knows it' '^iio +ready ' "$(cat said)"

# A Jetson AGX Xavier under NVIDIA's own driver: rails, and nothing that feeds them all. The true reason comes first.
cp -r "$source/tests/trees/jetson-tx2-l4t" rails
chmod -R u+w rails
rm -r rails/sys/bus/iio/devices/iio:device2
for place in 0/0:GPU 0/1:CPU 0/2:SOC 1/0:CV 1/1:VDDRQ 1/2:SYS5V; do
    channel=${place%:*}
    echo "${place#*:}" > "rails/sys/bus/iio/devices/iio:device${channel%/*}/rail_name_${channel#*/}"
done
"$carbon" measure -v --root rails --require-measured --baseline 0 -- touch ran 2> refused.err
check 'rails alone: refused' '125 no' "$? $([ -e ran ] && echo yes || echo no)"
check_match 'with the true reason' '^ +why: ina3221x-gpu and 5 more: one rail of the board, and no input of the board by its name; ' \
    "$(cat refused.err)"

finish
