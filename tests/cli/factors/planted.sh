#!/bin/bash
# SPDX-License-Identifier: MIT
# check-data finds each fault that is planted in a copy of the tables.
. "$(dirname "$0")/../lib.sh"

ln -s "$source/src" src
# planted NAME PATTERN TABLE SED [STATUS]: with the fault in it check-data fails, and says this.
planted() {
    local name=$1 pattern=$2 table=$3 change=$4
    rm -rf data
    mkdir data
    cp -r "$source/data/emission_factors" data
    chmod -R u+w data
    sed -E "$change" "$source/data/emission_factors/$table" > "data/emission_factors/$table"
    if [ -n "$change" ] && cmp -s "data/emission_factors/$table" "$source/data/emission_factors/$table"; then
        check "$name: is planted" yes no
        return
    fi
    srcdir=$PWD /usr/bin/python3 -B "$source/tests/check-data.py" > found 2>&1
    check "$name: status" "${5:-1}" $?
    check_match "$name: is found" "$pattern" "$(cat found)"
}

grid=grid_intensity.csv
planted 'nothing' ' 0 failed$' $grid '' 0
planted 'a 0' 'kg/kWh; a grid.s year is never 0' $grid 's/^(NO,.*,2023,)0\.007178,/\10,/'
planted 'a 0 of the lifecycle' 'a grid.s year is never 0' $grid 's/^(FR,.*,2024,)0\.04048,/\10,/'
planted 'a swapped basis' 'is above the lifecycle figure' $grid \
    '/^FR,.*,2024,/ { s/,direct,/,LIFE,/; s/,lifecycle,/,direct,/; s/,LIFE,/,lifecycle,/ }'
planted 'a source that is not there' 'unknown source NOBODY_2024' $grid 's/^(FR,.*,2024,.*)OWID_EMBER_2026/\1NOBODY_2024/'
planted 'a part of a joined source that is not there' 'unknown source .*NOBODY' memory_modules.csv 's/TACC_DRAM[|]GA_ISSUE_14/TACC_DRAM|NOBODY/'
planted 'an orphan source' 'nothing has this source' sources.csv '$ s/$/\nORPHAN_2020,A title,A publisher,2020,facts,yes,,,/'
planted 'a row of the future' 'is of 2031, and its source of 2026' $grid 's/^(FR,.*),2025,(.*lifecycle)/\1,2031,\2/'
planted 'a PUE of the future' 'is of 2031, and its source of' pue.csv 's/^(aws,provider,fleet),2024/\1,2031/'
planted 'an old row without a word' '13 years old, and does not say why|14 years old, and does not say why' $grid 's/^(YT,.*FR_ARRETE_2012),.*/\1,/'
planted 'a stand-in without a wire' 'zones.csv has another' zones.csv 's/^(CW,.*CUW),ISLAND-DIESEL/\1,NL/'
planted 'a wire to nowhere' 'a zone stands in without a wire' wires.csv 's/^CW,ISLAND-DIESEL,0/CW,ISLAND-DIESEL,1/'
planted 'a stand-in that is far off' 'times a better one' wires.csv '/^GB-ORK,/ s/--share-alike[^;"]*//'
planted 'a country for its province' 'stands in where there is a direct figure' $grid '/^CN-BJ,.*lifecycle/d'
planted 'a derived row that is not' 'is not 0\.7' $grid 's/^(CN-BJ,.*,2022,)[0-9.]*,lifecycle/\10.7,lifecycle/'
planted 'direct above lifecycle, unsaid' 'is above the lifecycle figure' $grid 's/^(CZ,.*,2024,.*); above the lifecycle.*/\1/'
planted 'a name of two zones' 'zones.csv takes it as DE' zone_aliases.csv 's/^Deutschland,DE,/DEU,AT,/'
planted 'a region that is not there' 'is no zone and no cloud region' zone_aliases.csv 's/^fr-par,scaleway:fr-par,/fr-par,scaleway:fr-nowhere,/'
rm -rf data
cp -r "$source/data" .
chmod -R u+w data
printf 'name,year,source_id\nx,2024,OWID_EMBER_2026\n' > data/emission_factors/unread.csv
srcdir=$PWD /usr/bin/python3 -B "$source/tests/check-data.py" > found 2>&1
check 'a table that nothing reads: status' 1 $?
check_match 'a table that nothing reads: is found' 'unread.csv: no code reads it' "$(cat found)"
finish
