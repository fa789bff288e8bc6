#!/bin/bash
# SPDX-License-Identifier: MIT
# Zones, years and bases against an independent reading of the tables, and what stands beside the location-based figure:
# market-based, grid losses, fuel supply, water, and whose PUE it is.
. "$(dirname "$0")/../lib.sh"

factors=$CARBON_DATA/emission_factors
estimate() { "$carbon" estimate --energy 1kWh "$@"; }

# Every zone of 25, of each kind, over five years and both bases: the factor, where it comes from and what stands beside
# it, by a program that knows nothing of carbon's.
cat > spot.py << 'END'
import csv, json, math, subprocess, sys
carbon, factors = sys.argv[1:]
def table(name):
    return list(csv.DictReader(open(f'{factors}/{name}', newline='', encoding='utf-8')))
zones = {row['zone']: row for row in table('zones.csv')}
grid, residual = table('grid_intensity.csv'), table('residual_mix.csv')
def nearest(rows, year):
    earlier = [row for row in rows if int(row['year']) <= year]
    return max(earlier, key=lambda row: int(row['year'])) if earlier else min(rows, key=lambda row: int(row['year']), default=None)
asked = {'FR': 'FR', 'FRA': 'FR', 'France': 'FR', 'Great Britain': 'GB', 'DEU': 'DE', 'PL': 'PL', 'Sweden': 'SE', 'NO': 'NO',
         'USA': 'US', 'US-CA': 'US-CA', 'Texas': 'US-TX', 'EGRID:CAMX': 'EGRID:CAMX', 'egrid:erct': 'EGRID:ERCT',
         'CA-QC': 'CA-QC', 'CA-AB': 'CA-AB', 'AU-NSW': 'AU-NSW', 'CN': 'CN', 'GRID:CN-EAST': 'GRID:CN-EAST', 'JPN': 'JP',
         'IN': 'IN', 'EU27': 'EU27', 'WORLD': 'WORLD', 'AT': 'AT', 'AD': 'AD', 'ovhcloud:eu-west-gra': 'FR'}
assert len(asked) == 25
done = nothing = 0
for typed, code in asked.items():
    for year in (2010, 2018, 2022, 2024, 2026):
        for basis in ('lifecycle', 'direct'):
            chain, row = code, None
            while chain and not row:
                row = nearest([r for r in grid if (r['zone'], r['basis'], r['rank']) == (chain, basis, '1')], year)
                used, chain = chain, zones[chain]['fallback_zone']
            run = subprocess.run([carbon, 'estimate', '--energy', '1kWh', '--zone', typed, '--year', str(year), '--basis', basis,
                                  '--json', '-'], capture_output=True, text=True)
            done += 1
            where = (typed, year, basis)
            if not row:
                nothing += 1
                assert run.returncode == 125 and f'no {basis} factor for {code}' in run.stderr, where
                continue
            assert run.returncode == 0, (where, run.stderr)
            record = json.loads(run.stdout)
            factor, emissions = record['factor'], record['emissions']
            told = ' '.join(notice['what'] + ' ' + (notice['why'] or '') for notice in record['notices'])
            assert factor['kgco2eq_per_kwh'] == float(row['kgco2eq_per_kwh']), (where, factor, row)
            assert (factor['zone'], factor['year'], factor['basis'], factor['source_id']) == (
                used, int(row['year']), basis, row['source_id']), (where, factor)
            assert factor['year'] == year or f'using {factor["year"]}' in told, (where, told)
            assert used == code or ('using ' + used in told and 'fallback order in zones.csv: ' + code in told), (where, told)
            with_losses = [float(r['kgco2eq_per_kwh']) for r in grid if r['td_losses'] == 'included' and all(
                r[k] == row[k] for k in ('zone', 'year', 'basis', 'source_id', 'gases'))]
            if with_losses and row['td_losses'] == 'excluded':
                assert math.isclose(emissions['td_losses_kgco2eq'], with_losses[0] - float(row['kgco2eq_per_kwh'])), where
            else:
                assert emissions['td_losses_kgco2eq'] is None, where
            assert emissions['upstream_kgco2eq'] is None, where
            mix = nearest([r for r in residual if r['zone'] == used and r['applicable'] == '1'], year)
            if mix:
                assert emissions['market_kgco2eq'] == emissions['facility_kwh'] * float(mix['residual_kgco2_per_kwh']), (where, emissions)
                assert record['market_factor']['year'] == int(mix['year']), where
                assert record['market_factor']['method'] == 'market' and record['market_factor']['basis'] == 'direct', where
            else:
                assert emissions['market_kgco2eq'] is None and record['market_factor'] is None, where
            assert emissions['kgco2eq'] == emissions['facility_kwh'] * factor['kgco2eq_per_kwh'], where
print(done, nothing)
END
check 'spot values' '250 10' "$(/usr/bin/python3 spot.py "$carbon" "$factors" 2>&1)"

# PUE: once, with its publisher; doubling it doubles what it must, and not the water.
estimate --zone GB --year 2024 --basis direct --wue 1.8 --pue 1.5 --json one.json 2> /dev/null > /dev/null
estimate --zone GB --year 2024 --basis direct --wue 1.8 --pue 3 --json two.json 2> /dev/null > /dev/null
check 'doubled once' '2.0 2.0 2.0 1.8 1.8' "$(/usr/bin/python3 -c '
import json
a, b = (json.load(open(f))["emissions"] for f in ("one.json", "two.json"))
print(*(round(b[k] / a[k], 12) for k in ("kgco2eq", "market_kgco2eq", "td_losses_kgco2eq")), a["water_l"], b["water_l"])')"
check 'whole output' 'estimate, nothing was measured

  energy    3.60 MJ (given)
  emits     238.1 gCO2eq
            1.000 kWh × PUE 1.15 × 207.05 gCO2eq/kWh
  factors   PUE 1.15 (given: aws, fleet, 2024; AWS data centre PUE (Amazon Web Services)); 207.05
            gCO2eq/kWh (given): GB (United Kingdom), 2024, direct, location-based, production, grid
            losses excluded, co2eq; Government conversion factors for company reporting 2024 (UK
            DESNZ), grid_intensity.csv
  market    483.9 gCO2eq, market-based, reported separately
            1.000 kWh × PUE 1.15 × 420.757 gCO2eq/kWh
            420.757 gCO2eq/kWh (given): GB (United Kingdom), 2024, direct, market-based, co2;
            residual mix: European Residual Mixes 2024, residual_mix.csv
  losses    21.0 gCO2eq in the grid, not included
  water     1.800 L; WUE 1.8 L/kWh of IT energy (given)' \
    "$(estimate --zone GB --year 2024 --basis direct --pue-of aws --wue 1.8 2>&1)"
estimate --zone aws:af-south-1 --year 2022 --json region.json > /dev/null 2> note
check 'PUE of the region' \
    '1.36 given aws:af-south-1, Africa (Cape Town), 2022; Real Time Cloud: cloud region metadata (Green Software Foundation)' \
    "$(json region.json "'%s %s %s' % (r['pue']['value'], r['pue']['quality'], r['pue']['source'])")"
check_match 'it is said' 'the PUE of cloud region aws:af-south-1 is included: 1\.36' "$(cat note)"
check_match 'and can be left out' 'PUE 1 \(given\)' "$(estimate --zone aws:af-south-1 --year 2022 --pue 1 2> /dev/null)"
mkdir -p "$HOME/.config/carbon"
printf 'pue-of = aws\nmarket-factor = 12.5\n' > "$HOME/.config/carbon/config"
check_match 'from the configuration' 'PUE 1\.15 \(given: aws' "$(estimate --zone FR 2> /dev/null)"
check_match 'a factor from the configuration' '12\.5 gCO2eq/kWh' "$(estimate --zone FR 2> /dev/null)"
check_match 'the command line is stronger' 'PUE 1\.7 \(given\)' "$(estimate --zone FR --pue 1.7 2> /dev/null)"
rm "$HOME/.config/carbon/config"

# One basis in one view: beside what was bought stands the direct location-based figure, or none, never the lifecycle one.
check 'France by both methods on one basis' True "$("$carbon" estimate --energy 100MWh --zone FR --year 2024 --json - 2> /dev/null | /usr/bin/python3 -c '
import json, sys
r = json.load(sys.stdin)
e, f = r["emissions"], r["market_location_factor"]
print(f["basis"] == r["market_factor"]["basis"] == "direct" and f["zone"] == "FR" and f["year"] == 2024 and
      abs(e["market_kgco2eq"] - 2352) < 1e-6 and abs(e["market_location_kgco2eq"] - 1806.8) < 1e-6 and abs(e["kgco2eq"] - 4048) < 1e-6)')"
check_match 'in the text' 'market +2\.352 tCO2eq, market-based, direct .*location +1\.807 tCO2eq, location-based, for comparison with the market-based one' \
    "$("$carbon" estimate --energy 100MWh --zone FR --year 2024 2> /dev/null | tr -s ' \n' ' ')"
check_match 'or none' 'no comparable figure \(direct\) is known' \
    "$(estimate --energy 1kWh --intensity 300 --market-factor 10 2> /dev/null)"
"$carbon" measure -v --source model --baseline 0.2 --zone FR --year 2024 --json one.json --csv one.csv --html one.html -- \
    "$helpers/burn" --spin 100 > out 2>&1
check 'measured, in each form' True "$(/usr/bin/python3 -c '
import csv, json, xml.etree.ElementTree as ET
r, row = json.load(open("one.json")), next(csv.DictReader(open("one.csv", newline="")))
e, close = r["emissions"], lambda a, b: abs(a / b - 1) < 1e-12
kwh = e["gross"]["facility_kwh"]
assert close(e["gross_market_location"]["kgco2eq"], kwh * .018068) and close(e["gross_market"]["kgco2eq"], kwh * .02352)
assert float(row["gross_market_location_kgco2eq"]) == e["gross_market_location"]["kgco2eq"]
assert float(row["market_location_kgco2eq_per_kwh"]) == .018068 and row["market_location_year"] == "2024"
page = "".join(ET.parse("one.html").getroot().itertext())
for name in ("gross, location-based, lifecycle", "gross, market-based, direct", "gross, location-based, direct"):
    assert name in page, name
assert close(e["gross"]["facility_kwh_per_h"], kwh / r["duration_s"]["mean"] * 3600)
assert close(e["gross"]["facility_kwh_per_year"], e["gross"]["facility_kwh_per_h"] * 8760) and r["hours_per_year"]["quality"] == "default"
assert float(row["gross_facility_kwh_per_year"]) == e["gross"]["facility_kwh_per_year"]
assert "per year" not in page
print(True)' 2>&1)"
check_match 'measured, in the text' 'market-based, direct \(the above is lifecycle' "$(cat out)"
check_match 'and beside it' '^  location-based, direct \(reported separately\):$' "$(cat out)"
check_absent 'no year that nobody asked for' '/year' "$(cat out)"
"$carbon" restate one.json --duty 8h/d --html duty.html > out 2>&1
check_match 'one that was' '/year at 2920 h a year; FR 2024' "$(cat out)"
check_match 'on the page' '>per year<' "$(cat duty.html)"

# A table of one's own may say what stands beside.
printf 'zone,year,kgco2eq_per_kwh,basis,source_id,td_losses_kgco2eq_per_kwh,upstream_kgco2eq_per_kwh\nFR,2026,0.05,direct,own,0.004,0.011\n' > own.csv
estimate --zone FR --year 2026 --basis direct --factors own.csv --json own.json > /dev/null 2>&1
check 'losses and supply of an own table' '0.05 0.004 0.011' \
    "$(json own.json "' '.join(str(r['emissions'][k]) for k in ('kgco2eq', 'td_losses_kgco2eq', 'upstream_kgco2eq'))")"

# The day on which a figure was taken from its source: in a table of one's own, never in carbon's; verified and restated.
sed '1 s/$/,retrieved/; 2 s/$/,2026-03-01/' own.csv > dated.csv
days() { json "$1" "' '.join(sorted({str(p['version']) + '/' + str(p['retrieved_at']) for p in r['provenance'] if p['source_id'] == 'own'})) + ' ' + str(sum(p['source_id'] == 'own' for p in r['provenance']))"; }
measured() { "$carbon" measure -v --source model --baseline 0 --zone FR --year 2026 --basis direct "$@" -- true > out 2>&1; }
measured --factors dated.csv --json dated.json
check 'a day of retrieval' 'None/2026-03-01 17' "$(days dated.json)"
measured --factors own.csv --json dateless.json
check 'an own table without one' 'None/None 17' "$(days dateless.json)"
measured --json shipped.json
check 'a shipped table' True "$(json shipped.json "all(p['retrieved_at'] is None and (p['version'] is None) == (not p['source_id']) and (p['figure'][:6] != 'factor' or 2000 < int(p['version']) < 2100) for p in r['provenance'])")"
"$carbon" verify dated.json > out 2>&1
check 'verified' 0 $? || cat out
"$carbon" restate --json again.json --pue 1.5 dated.json > out 2>&1
check 'restated' 'None/2026-03-01 17' "$(days again.json)" || cat out
"$carbon" factors FR --factors dated.csv --basis direct --year 2026 --json f.json
check 'carbon factors shows it' '2026-03-01' "$(json f.json "' '.join(f['retrieved_at'] for f in r['factors'] if f['table'] == 'dated.csv')")"
"$source/tests/check-schema.sh" dated.json dateless.json shipped.json again.json > held 2>&1
case $? in 77) ;; *) check 'dates: the schema holds' 0 $? || cat held ;; esac

# Contracts.
printf '[GO-1]\nshare = 0.6\ng_per_kwh = 10\nfrom = 2024-01-01\nuntil = 2024-12-31\n' > good.ini
estimate --zone DE --year 2024 --contract good.ini --json c.json > /dev/null 2> err
check 'nothing to say' '' "$(cat err)"
check 'market-based' True "$(json c.json "abs(r['emissions']['market_kgco2eq'] - (0.6 * 0.01 + 0.4 * 0.724564)) < 1e-12")"
check 'location-based is as before' 0.33638 "$(json c.json "r['emissions']['kgco2eq']")"
check 'in words' '0.6 at 10 g/kWh (GO-1), 0.4 at 724.564 g/kWh (residual mix)' "$(json c.json "r['market_factor']['source']")"
printf '[A]\nshare = 0.1\ng_per_kwh = 84.879\nfrom = 2024-01-01\nuntil = 2026-12-31\n[B]\nshare = 0.2\ng_per_kwh = 12.34\nfrom = 2024-01-01\nuntil = 2026-12-31\n[C]\nshare = 0.3\ng_per_kwh = 0.1\nfrom = 2024-01-01\nuntil = 2026-12-31\n' > three.ini
said=$(estimate --zone DE --year 2024 --contract three.ini 2>&1; "$carbon" measure -v --source model --baseline 0 --zone DE --contract three.ini -- true 2>&1)
check 'a mix for people' 2 "$(tr -s ' \n' ' ' <<< "$said" | grep -o '300\.8115 gCO2eq/kWh (given): DE (Germany), 2024, direct, market-based, co2; 0\.1 at 84\.879 g/kWh (A), 0\.2 at 12\.34 g/kWh (B), 0\.3 at 0\.1 g/kWh (C), 0\.4 at 724\.564 g/kWh (residual mix)' | wc -l)"
check_absent 'without digits of the arithmetic' '[0-9]\.[0-9]{13}' "$said"
estimate --zone DE --contract good.ini > /dev/null 2> err
check_match 'its period is over' "contract 'GO-1' of 'good.ini' is left out: its period does not cover" "$(cat err)"

# A record: keys, columns and lines of its own; the schema holds.
"$carbon" measure -v --source model --baseline 0 --zone GB --year 2024 --basis direct --pue-of gcp --wue-of aws:eu-west-3 \
    --contract good.ini --json m.json --csv m.csv -- "$helpers/burn" --spin 300 > out 2>&1
status=$?
check 'measure' 0 $status
if [ $status -eq 0 ] && [ "$(json m.json "r['emissions']['gross']['kgco2eq'] is not None")" = True ]; then
    check 'the record holds together' True "$(/usr/bin/python3 -c '
import csv, json, math
r, row = json.load(open("m.json")), next(csv.DictReader(open("m.csv", newline="")))
e, market = r["emissions"], r["market_factor"]["kgco2eq_per_kwh"]
close = lambda a, b: math.isclose(a, b, rel_tol=1e-12)
assert close(market, 0.6 * 0.01 + 0.4 * 0.420757), market
assert close(e["gross_market"]["kgco2eq"], e["gross"]["facility_kwh"] * market)
assert close(e["gross"]["kgco2eq"], e["gross"]["it_kwh"] * r["pue"]["value"] * 0.20705)
assert close(e["td_losses"]["gross_kgco2eq"], e["gross"]["facility_kwh"] * (0.22535 - 0.20705))
assert close(e["gross_water_l"], e["gross"]["it_kwh"] * 0.18) and e["upstream"] is None
assert e["net_market"]["kgco2eq"] is None and e["net_water_l"] is None, "there was no baseline"
assert float(row["gross_market_kgco2eq"]) == e["gross_market"]["kgco2eq"]
assert float(row["market_kgco2eq_per_kwh"]) == market and row["market_basis"] == "direct"
assert float(row["gross_water_l"]) == e["gross_water_l"] and row["gross_upstream_kgco2eq"] == "" == row["net_water_l"]
assert row["pue_source"] == r["pue"]["source"] and row["pue_source"].startswith("gcp, fleet, 2023")
print(True)' 2>&1)"
    check_match 'in the table' '^  market-based \(reported separately\):$' "$(cat out)"
    check_match 'losses in the table' '^  grid losses, not included above: gross .*; 18\.30 gCO2eq/kWh$' "$(cat out)"
    check_match 'water in the table' '^  water  gross ' "$(cat out)"
    srcdir=$source bash "$source/tests/check-schema.sh" m.json > out 2>&1
    status=$?
    [ $status -eq 77 ] || check 'the schema' 0 $status
fi

# Refusals.
refuse() {
    local name=$1 expected=$2 status
    shift 2
    estimate "$@" > out 2> err
    status=$?
    check "$name: status" 125 $status
    check "$name: message" "$expected" "$(cat err)"
    check "$name: standard output" '' "$(cat out)"
}
refuse 'two PUE' 'carbon: --pue and --pue-of cannot be combined
   why: only one of the two can apply
   fix: carbon estimate --energy 1kWh --pue 1.2' --pue 1.2 --pue-of aws
refuse 'two WUE' 'carbon: --wue and --wue-of cannot be combined
   why: only one of the two can apply
   fix: carbon estimate --energy 1kWh --wue 1' --wue 1 --wue-of aws:eu-west-3
refuse 'two market factors' 'carbon: --market-factor and --contract cannot be combined
   why: only one of the two can apply
   fix: carbon estimate --energy 1kWh --zone FR --year 2024 --market-factor 1' --zone FR --year 2024 --market-factor 1 --contract good.ini
refuse 'unknown provider' "carbon: no PUE is known of 'awz'
   why: it is neither in pue.csv nor, with a figure, in cloud_regions.csv
   fix: close ones are 'aws'" --pue-of awz
refuse 'a provider has no WUE' "carbon: no WUE is known of 'aws'
   why: it has no figure in cloud_regions.csv
   fix: name a cloud region as aws:eu-west-3, or give it with --wue" --wue-of aws
bad() { # bad NAME MESSAGE CONTENT
    printf "$3" > bad.ini
    refuse "$1" "$2" --zone FR --year 2024 --contract bad.ini
}
bad 'a share of nothing' "carbon: 'bad.ini' line 2: this cannot be: '0'
   why: share is a part of the energy used, above 0 and up to 1
   try: carbon estimate --help" '[GO-1]\nshare = 0\n'
bad 'no such day' "carbon: 'bad.ini' line 2: this cannot be: '2023-02-29'
   why: from is a day, as 2026-12-31
   try: carbon estimate --help" '[GO-1]\nfrom = 2023-02-29\n'
bad 'a key that is none' "carbon: 'bad.ini' line 2: a contract has no 'shares'
   fix: did you mean 'share'?" '[GO-1]\nshares = 0.5\n'
bad 'no section' "carbon: 'bad.ini' line 1: not in any section: 'share'
   fix: write [CERTIFICATE], its id, above what a contract has" 'share = 0.5\n'
bad 'not complete' "carbon: 'bad.ini' line 1: no value of 'until'
   fix: write 'until = ...' below '[GO-1]'" '[GO-1]\nshare = 1\ng_per_kwh = 0\nfrom = 2024-01-01\n'
bad 'more than all' "carbon: 'bad.ini' line 6: more than all is covered from the first day of 'GO-2'
   why: the shares of that day add up to 1.2
   try: carbon estimate --help" \
    '[GO-1]\nshare=0.6\ng_per_kwh=0\nfrom=2024-01-01\nuntil=2024-12-31\n[GO-2]\nshare=0.6\ng_per_kwh=0\nfrom=2024-06-01\nuntil=2025-12-31\n'
bad 'twice' "carbon: 'bad.ini' line 6: a certificate counts once: 'GO-1'
   try: carbon estimate --help" \
    '[GO-1]\nshare=0.6\ng_per_kwh=0\nfrom=2024-01-01\nuntil=2024-12-31\n[GO-1]\nshare=0.1\n'
bad 'no contract' "carbon: 'bad.ini' names no contract
   fix: write '[CERTIFICATE]' and below it share, g_per_kwh, from and until; see carbon-measure(1)" ''

# Comparison of sources.
check 'compare: whole output' 'GB  United Kingdom (country, GBR)

year        A        B        C                   D
2024   216.50   207.05   225.35 (+8.8 %)     148.50 (-28.3 %)

year        E
2024   420.76

A  OWID_EMBER: lifecycle, location-based, production, grid losses excluded,
   co2eq; grid_intensity.csv
B  UK_DESNZ: direct, location-based, production, grid losses excluded, co2eq;
   grid_intensity.csv
C  UK_DESNZ: direct, location-based, consumption, grid losses included, co2eq;
   grid_intensity.csv; against B; it counts imports or delivered energy; it has
   grid losses in it
D  AIB_RM: direct, location-based, production, grid losses excluded, co2;
   grid_intensity.csv; against B; it is of CO2 alone; another publisher, with
   plant data and methods of its own
E  AIB_RM: direct, market-based, co2; residual_mix.csv

gCO2eq/kWh; in brackets the difference to the first column of the same basis
and method. lifecycle and direct, location-based and market-based figures count
different things and are never held against each other.' "$("$carbon" factors --compare GB --year 2024)"
"$carbon" factors --compare GB --year 2024 --csv compare.csv --json compare.json
check 'compare: CSV' "AIB_RM_2024 UK_DESNZ_2024 -0.058549" "$(/usr/bin/python3 -c '
import csv
row = [r for r in csv.DictReader(open("compare.csv", newline="")) if r["rank"] == "3"][0]
print(row["source_id"], row["against_source_id"], round(float(row["difference_kgco2eq_per_kwh"]), 9))')"
check 'compare: JSON' "2 5" "$(json compare.json "'%d %d' % (sum(f['difference_kgco2eq_per_kwh'] is not None for f in r['factors']), len(r['factors']))")"
check_match 'compare: share-alike' '^A  EM_YEARLY_CO2JS: lifecycle' "$("$carbon" factors --compare FR --share-alike)"
check 'compare: no zone' "carbon: --compare needs a zone
   fix: carbon factors --compare FR" "$("$carbon" factors --compare 2>&1)"

# Lists.
check 'the states and subregions' 79 "$("$carbon" factors --within US --basis direct --csv - | tail -n +2 | wc -l)"
check 'a type' 'aggregate' "$("$carbon" factors --type aggregate --csv - | tail -n +2 | cut -d , -f 3 | sort -u)"
check_match 'search' '^GB +United Kingdom' "$("$carbon" factors --search GB)"
check 'nothing found' "carbon: no zone matches
   fix: 'carbon factors' lists all zones" "$("$carbon" factors --search zzzz 2>&1)"
check 'both' "carbon: a zone is shown or zones are listed, not both
   fix: leave 'FR' out, or --search, --type and --within" "$("$carbon" factors FR --type country 2>&1)"
finish
