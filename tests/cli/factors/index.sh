#!/bin/bash
# SPDX-License-Identifier: MIT
# The index of the shipped tables: all that is said comes out byte for byte as from the CSV; a table that was changed, or an index that
# is damaged, is not taken for what it was; and what is installed has it.
. "$(dirname "$0")/../lib.sh"

index=$builddir/data/emission_factors/tables.index
[ -e "$index" ] || skip 'this build has no index'

# A program elsewhere finds no index beside itself, and the source tree has none.
mkdir "$work/bin"
cp "$carbon" "$work/bin/carbon"
parsing=$work/bin/carbon

tables() { sed -n 's/^ tables: //p'; }
check 'the build has one' 'read by their index' "$("$carbon" --version | tables)"
check 'a copy of the program has none' 'parsed at each start: no index' "$("$parsing" --version | tables)"

settled() { sed '/"created_at":/d' "$1"; }

# both WORDS...: by either way the same, and something
both() {
    "$parsing" "$@" > parsed 2>&1
    local status=$?
    "$carbon" "$@" > indexed 2>&1
    check "the status of: $*" $status $?
    [ -s parsed ] && [ "$(settled parsed)" = "$(settled indexed)" ]
    check "the words of: $*" 0 $?
}
both factors
both factors --basis direct --share-alike
both factors --csv -
both factors --clouds
for zone in FR DE GB US-CA AD AQ XX 'EGRID:CAMX' 'korea, republic of' 'South Korea' uk aws:eu-west-3 WORLD 2 '' 'no such zone'; do
    both factors "$zone"
    both factors --compare --zone "$zone"
    both estimate --energy 1kWh --zone "$zone" --equivalents --json -
done
for set in epa desnz official; do
    both factors --factor-set $set US
    both factors --factor-set $set GB
done
for cpu in 'AMD EPYC 7763' 'Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz' 'intel core i5-8350u' 'Apple M1' 'ARM Neoverse-N1' \
    'AMD Ryzen 7 5800X 8-Core Processor' 'Intel Xeon Processor (Skylake, IBRS)' '7763' 'no such processor'; do
    both estimate --cpu "$cpu" --load 0.5 --hours 24 --zone FR --json -
done
for instance in m6i.large n2-standard-8 Standard_D2s_v3 m9z.huge; do
    both estimate --instance $instance --load 0.5 --hours 24 --json -
done
both estimate --gpu 'NVIDIA A100' --load 1 --hours 1 --zone SE
for tree in "$source"/tests/trees/guest "$source"/tests/trees/intel-2-dies; do
    "$parsing" sources --root "$tree" > parsed
    check "the sources of $tree" "$(cat parsed)" "$("$carbon" sources --root "$tree")"
done

# No table is parsed where all have an index.
said=$("$carbon" measure --no-ledger --baseline 0 --zone FR --debug files -- true 2>&1)
check_match 'it is mapped' "files: read '$index'" "$said"
check_match 'and the zones are read by it' "zones.csv' by its index" "$said"
check_absent 'none is parsed' 'is parsed: ' "$said"

# As it is installed, beside the tables. A table that somebody has changed is what counts, as soon as it is changed.
installed=$work/share
mkdir "$installed"
cp -r "$source/data/emission_factors" "$installed/emission_factors"
chmod -R u+w "$installed" # a copy of a source that cannot be written to
cp "$index" "$installed/emission_factors/tables.index"
export CARBON_DATA=$installed
grid=$installed/emission_factors/grid_intensity.csv
check 'beside the tables' 'read by their index' "$("$parsing" --version | tables)"
check_match 'as shipped' '^2024 lifecycle      40\.48 ' "$("$parsing" factors FR)"
sed -i '/^FR,France,country,FRA,2024,0.04048,/s/0.04048/0.04049/' "$grid"
check_match 'as it was changed' '^2024 lifecycle      40\.49 ' "$("$parsing" factors FR)"
check_match 'and it is said' "grid_intensity.csv' is parsed: the index is not of this table as it is now" \
    "$("$parsing" factors FR --debug files 2>&1)"
sed -i '/^FR,France,country,FRA,2024,0.04049,/s/0.04049/0.04048/' "$grid"
check_absent 'as it was once more: its bytes tell' 'is parsed: ' "$("$parsing" factors FR --debug files 2>&1)"

# Cut short, or of something else, it is not used; what is in it is not believed.
truncate -s -1 "$installed/emission_factors/tables.index"
check 'cut short' 'parsed at each start: no index' "$("$parsing" --version | tables)"
check_match 'all the same' '^2024 lifecycle      40\.48 ' "$("$parsing" factors FR)"
python3 - "$index" "$installed/emission_factors/tables.index" << 'END'
import struct, sys
whole = bytearray(open(sys.argv[1], "rb").read())
count = struct.unpack_from("<I", whole, 20)[0]
for table in range(count):  # no row is in the file
    struct.pack_into("<I", whole, 24 + 40 * table + 20, len(whole))
open(sys.argv[2], "wb").write(whole)
END
said=$("$parsing" factors FR 2>&1)
check 'damaged: it fails' 125 $?
check_match 'and says so' "the index of '$installed/emission_factors/[a-z_]*.csv' is damaged" "$said"
check_match 'and what to do' 'fix: .*remove tables.index' "$said"
rm "$installed/emission_factors/tables.index"
check_match 'which helps' '^2024 lifecycle      40\.48 ' "$("$parsing" factors FR)"

finish
