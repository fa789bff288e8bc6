#!/bin/bash
# SPDX-License-Identifier: MIT
# The Software Carbon Intensity and the equivalents: the example of the standard, what is not declared, and errors.
. "${srcdir:-$(dirname "$0")/../../..}/tests/cli/lib.sh"

# 1000 kg over 4 years for one hour: 1000 / 35040 kg. 100 Wh at 500 g/kWh: 50 g. Of 10 units: (50 + 28.5) / 10 g.
out=$("$carbon" estimate --power 100 --hours 1 --intensity 500 --sci 10:jobs --embodied 1000 --json r.json)
check 'the example' 0 $?
check_match 'the sum' 'SCI +7\.85 gCO2eq per jobs = \(50\.00 gCO2eq gross \+ M 28\.54 gCO2eq\) / 10; M 28\.54 gCO2eq = 1000' "$out"
check_match 'and its terms' '1000 kgCO2eq \(given\) × 1 h / 4 years of 8760 h \(default\) × share 1 \(default\)' \
    "$(printf '%s' "$out" | tr -s '\n ' ' ')"
check 'M of the standard' 28.5 "$(json r.json "round(r['sci']['embodied_kgco2eq'] * 1000, 1)")"
check 'the score' True "$(json r.json "(r['sci']['kgco2eq_per_unit'] ==
    (r['sci']['operational_kgco2eq'] + r['sci']['embodied_kgco2eq']) / 10 and
    r['sci']['operational_kgco2eq'] == r['emissions']['kgco2eq'] and r['sci']['unit'] == 'jobs')")"
# PUE is part of the operation, and not of M
"$carbon" estimate --power 100 --hours 1 --intensity 500 --pue 1.5 --sci 10 --embodied 1000 --reserved-share 0.25 --lifetime 8 \
    --json p.json > /dev/null
check 'with PUE, share and lifetime' '75.0 3.567' \
    "$(json p.json "str(round(r['sci']['operational_kgco2eq'] * 1000, 9)) + ' ' + str(round(r['sci']['embodied_kgco2eq'] * 1000, 3))")"
check 'each with its quality' "['given', 'given', 'given']" "$(json p.json "[r['sci']['machine']['quality'],
    r['sci']['lifetime_years']['quality'], r['sci']['reserved_share']['quality']]")"

# Nothing is made up.
"$carbon" estimate --power 100 --hours 1 --intensity 500 --embodied 1000 --json n.json > out
check 'without R no score' None "$(json n.json "r['sci']")"
check_absent 'nor a line' 'SCI' "$(cat out)"
"$carbon" estimate --power 100 --hours 1 --intensity 500 --sci 10:jobs --json n.json > out
check 'without M no score, and no 0' 'None None None' \
    "$(json n.json "' '.join(str(r['sci'][k]) for k in ('kgco2eq_per_unit', 'embodied_kgco2eq')) + ' ' + str(r['sci']['machine']['kgco2eq'])")"
check_match 'which is told' 'SCI +unknown: M, embodied emissions, is not declared' "$(cat out)"
"$carbon" estimate --energy 1kWh --intensity 500 --sci 10 --embodied 10 --json n.json > out
check 'without a time no score' None "$(json n.json "r['sci']['kgco2eq_per_unit']")"

# Machines of the table.
"$carbon" estimate --power 100 --hours 1 --intensity 500 --sci 1 --embodied-of 'laptop pro' --json m.json > /dev/null
check 'a machine of embodied.csv' '181 laptop pro ADEME_BASE_IMPACTS 4 given' "$(json m.json "' '.join(str(x) for x in (
    r['sci']['machine']['kgco2eq'], r['sci']['machine']['name'], r['sci']['machine']['source_id'],
    r['sci']['lifetime_years']['value'], r['sci']['lifetime_years']['quality']))")"

# Equivalents, on request alone, each with its source.
check 'none unasked' None "$(json m.json "r['equivalents']")"
out=$("$carbon" estimate --energy 1kWh --intensity 166.64 --equivalents --json e.json)
check_match 'a kilometre' '1\.00 km, car average: 0\.16664 kgCO2eq each \(GB 2023, Government conversion' "$out"
check 'all have a source' True "$(json e.json "len(r['equivalents']) > 20 and all(e['source_id'] and e['source'] and
    e['amount'] == r['emissions']['kgco2eq'] / e['kgco2eq_per_unit'] for e in r['equivalents'])")"

# Errors.
while IFS='|' read -r options message; do
    # shellcheck disable=SC2086
    out=$("$carbon" estimate --power 1 --hours 1 --intensity 1 $options 2>&1)
    check "$options" 125 $?
    check_match "$options is told" "$message" "$out"
done << 'END'
--sci 0|a number of units above 0
--sci x|a number of units above 0
--sci 1 --embodied 1 --embodied-of server|--embodied and --embodied-of cannot be combined
--sci 1 --embodied-of servr|the nearest is 'server'
--sci 1 --embodied -1|--embodied
--sci 1 --embodied 1 --lifetime 0|--lifetime
--sci 1 --embodied 1 --reserved-share 2|--reserved-share
END

# In a measurement: the job's CPUs of the machine's, the table, the row.
if "$carbon" measure -v --baseline 0.3 --zone FR --sci 2 --embodied 1000 --json s.json --csv s.csv -- sleep 0.2 2> said; then
    check 'the share is attributed' 'attributed True' "$(json s.json "(r['sci']['reserved_share']['quality'] + ' ' +
        str(r['sci']['reserved_share']['value'] == min(1, r['cpus']['count'] / r['machine']['cpus_online'])))")"
    check 'M' True "$(json s.json "abs(r['sci']['embodied_kgco2eq'] / (1000 * r['duration_s']['mean'] / 3600 / 35040 *
        r['sci']['reserved_share']['value']) - 1) < 1e-12")"
    check 'gross, idle included' True "$(json s.json "r['sci']['operational_kgco2eq'] == r['emissions']['gross']['kgco2eq']")"
    check 'the row has the same score' "$(json s.json "r['sci']['kgco2eq_per_unit']")" "$(/usr/bin/python3 -c '
import csv
print(float(next(csv.DictReader(open("s.csv")))["sci_kgco2eq_per_unit"]))')"
    check_match 'and the table has the line' '^  SCI ' "$(cat said)"
    check 'the list of sources has it' True "$(json s.json "'sci.machine.kgco2eq' in [p['figure'] for p in r['provenance']]")"
fi
finish
