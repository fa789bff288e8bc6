#!/bin/bash
# SPDX-License-Identifier: MIT
# 40 zones and years against a second publisher's figure, as carbon shows both; what differs by more than 25 % is explained
# in METHOD.md, and nothing else is.
. "$(dirname "$0")/../lib.sh"

cat > second.py << 'END'
import csv, io, re, subprocess, sys
carbon, method = sys.argv[1:]
EMBER, MAPS = 'OWID_EMBER_2026', 'EM_YEARLY_CO2JS_2026'
countries = 'FR DE GB ES IT PL SE NO DK NL BE AT CH CZ PT IE FI GR RO HU US CA BR IN CN JP KR AU ZA MX TR ID CR'.split()
pairs = [(zone, 'lifecycle', 2024, EMBER, 2024, MAPS) for zone in countries]
pairs += [('US-' + state, 'lifecycle', 2022, 'DERIVED_EGRID2022_UPSTREAM', 2024, 'EMBER_US_2026') for state in 'WA IN TX CA WV'.split()]
pairs += [('GB', 'direct', 2024, 'UK_DESNZ_2024', 2024, 'AIB_RM_2024'), ('DE', 'direct', 2024, 'AIB_RM_2024', 2024, 'DE_UBA_2025')]
explained = dict(re.findall(r'^\| ([A-Z-]+), (?:lifecycle|direct) \| .*? \| .*? \| ([+-]\d+) % \| [^|]{40,} \|$', open(method, encoding='utf-8').read(), re.M))
far = {}
for zone, basis, year, source, second_year, second in pairs:
    text = subprocess.run([carbon, 'factors', '--compare', zone, '--share-alike', '--csv', '-'], capture_output=True, text=True, check=True).stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    def figure(year, source):
        found = [float(row['kgco2eq_per_kwh']) for row in rows if (row['basis'], row['year'], row['source_id']) == (basis, str(year), source)]
        assert found, (zone, basis, year, source)
        return found[0]
    difference = (figure(second_year, second) / figure(year, source) - 1) * 100
    if abs(difference) > 25:
        far[zone] = f'{difference:+.0f}'
assert far == explained, (set(far.items()) ^ set(explained.items()))
print(len(pairs), len(far))
END
check 'a second publisher' '40 7' "$(/usr/bin/python3 second.py "$carbon" "$source/docs/METHOD.md" 2>&1)"
check_match 'side by side' '^A  DERIVED_EGRID2022_UPSTREAM: .*' "$("$carbon" factors --compare US-WA)"
check 'all sources' 'DERIVED_EGRID2021_AR5 DERIVED_EGRID2022_UPSTREAM EMBER_US_2026 EPA_EGRID_2016 EPA_EGRID_2022' \
    "$("$carbon" factors --compare US-WA --csv - | /usr/bin/python3 -c 'import csv, sys
print(*sorted({row["source_id"] for row in csv.DictReader(sys.stdin)}))')"
finish
