#!/bin/bash
# SPDX-License-Identifier: MIT
# Zones below the nation, islands, cloud regions without their provider and names as people type them: whose factor, and
# what is said of it.
. "$(dirname "$0")/../lib.sh"

# estimated ZONE OPTION...: "zone year kgco2eq_per_kwh quality pue" of 1 kWh; notices in notes.
estimated() {
    local zone=$1
    shift
    "$carbon" estimate --energy 1kWh --zone "$zone" "$@" --json place.json > /dev/null 2> notes || cat notes
    json place.json "'%s %s %s %s %s' % (r['factor']['zone'], r['factor']['year'], r['factor']['kgco2eq_per_kwh'], r['factor']['quality'], r['pue']['value'])"
}

# Each has its own figure, or that of an island on oil.
check 'Washington' 'US-WA 2022 0.124556 modelled 1' "$(estimated US-WA)"
check_match 'is modelled, which is said' 'US-WA \(Washington\) for 2022 is modelled, not published: direct 0\.0844 \+ upstream 0\.0402' "$(cat notes)"
check 'Washington, direct' 'US-WA 2022 0.084352 given 1' "$(estimated US-WA --basis direct)"
check 'Vermont' 'US-VT 2022 0.091523 modelled 1' "$(estimated US-VT)"
check 'West Virginia' 'US-WV 2022 0.955537 modelled 1' "$(estimated US-WV)"
check 'Tasmania' 'AU-TAS 2025 0.24 modelled 1' "$(estimated AU-TAS)"
check 'Mayotte' 'YT 2012 0.765 given 1' "$(estimated YT)"
check_match 'its age and kind are said' "using 2012: latest earlier year in 'grid_intensity.csv'; as consumed, by law" "$(cat notes)"
check 'Corsica' 'FR-20R 2012 0.583 given 1' "$(estimated FR-20R)"
check 'Corsica by name' 'FR-20R 2012 0.583 given 1' "$(estimated Corsica)"
check 'Curacao' 'ISLAND-DIESEL 2014 0.65 modelled 1' "$(estimated CW)"
check_match 'there is no wire' 'CW, ISLAND-DIESEL; no wire is known: own grid' "$(cat notes)"
check 'Oregon' 'US-OR 2022 0.194973 modelled 1.12' "$(estimated aws:us-west-2)"
check 'a subregion' 'EGRID:NWPP 2023 0.35849 modelled 1' "$(estimated EGRID:NWPP)"
check 'along a wire' 'FR 2025 0.04144 given 1' "$(estimated MC)"
check_match 'which is said' 'MC, FR; interconnection: enclave of the French grid' "$(cat notes)"
check 'never 0 kg' 'NO 2023 0.007178 modelled 1' "$(estimated NO --year 2023 --basis direct)"

# Cloud regions: the region's PUE, else its fleet's, else that of data centres; never 1 unsaid.
check 'a PUE of its own' 'ZA 2022 0.72902 given 1.36' "$(estimated aws:af-south-1 --year 2022)"
check 'of its fleet there' 'FR 2025 0.04144 given 1.11' "$(estimated aws:eu-west-3)"
check_match 'which is said' "no PUE published for cloud region aws:eu-west-3; using its fleet's: 1.11" "$(cat notes)"
check 'without the provider' 'FR 2025 0.04144 given 1.11' "$(estimated eu-west-3)"
check 'one code of two providers' 'US-VA 2022 0.352633 modelled 1.15' "$(estimated us-east-1)"
check_match 'which is said' "'us-east-1' is taken as cloud region aws:us-east-1: also alibaba:us-east-1" "$(cat notes)"
check 'of its fleet' 'FR 2025 0.04144 given 1.15' "$(estimated oracle:eu-paris-1)"
for region in fr-par ibm:eu-es alibaba:eu-central-1 digitalocean:ams3 hetzner:fsn1; do
    check "$region: of data centres" '1.56' "$(estimated "$region" | cut -d ' ' -f 5)"
    check_match "$region: which is said" 'using that of data centres in general \(none of its fleet\): 1\.56' "$(cat notes)"
done
check 'one that is given' '1.2' "$(estimated aws:eu-west-3 --pue 1.2 | cut -d ' ' -f 5)"

# Names.
while IFS='|' read -r typed zone; do
    check "$typed" "$zone" "$(estimated "$typed" --year 2023 | cut -d ' ' -f 1)"
done << 'END'
UK|GB
England|GB
UAE|AE
Holland|NL
EU-27|EU27
Deutschland|DE
Québec|CA-QC
Österreich|AT
日本|JP
SE3|SE
NO1|NO
DE-LU|DE
DK1|DK
END
check_match 'a bidding zone: whose factor it is' "'DK1' is taken as DK \(Denmark\), whose yearly factor it has: bidding zone" "$(cat notes)"

# Two sources of one figure are both named, and none is empty.
for zone in US-WA FR CW; do
    check_absent "$zone: no empty source" '\(\)' "$("$carbon" factors "$zone")"
done
finish
