#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon and libcarbon find their tables by where they are themselves, also where nothing may be written.
. "$(dirname "$0")/../lib.sh"
unset CARBON_DATA


mkdir -p alone here/bin here/share/carbon tree/build "tree/data"
cp "$carbon" alone/carbon
if env ./alone/carbon factors FR > /dev/null 2> said; then
    skip 'a carbon is installed where this one would be'
fi
check_match 'no tables at all: what, why, a fix' 'cannot read .*emission_factors.*CARBON_DATA' "$(tr '\n' ' ' < said)"

cp "$carbon" here/bin/
cp -r "$source/data/emission_factors" here/share/carbon/
cp "$carbon" tree/build/
cp -r "$source/data/emission_factors" tree/data/
chmod -R a-w here tree
for place in here/bin tree/build; do
    data=$([ $place = here/bin ] && echo "$PWD/here/share/carbon" || echo "$PWD/tree/data")
    "$place/carbon" factors FR > out 2> said
    check "$place: status" 0 $?
    check_match "$place: a factor" 'FR .*France' "$(tr -s ' \n' ' ' < out)"
    check "$place: its tables" "$data/emission_factors" "$(realpath "$("$place/carbon" --version | sed -n 's/^ data: //p')")"
    (PATH=$PWD/$place:$PATH && cd / && carbon factors FR) > by-path 2> said
    check "$place: by PATH, from elsewhere" "$(cat out)" "$(cat by-path)"
done
check 'CARBON_DATA is first' 125 "$(CARBON_DATA=/nowhere here/bin/carbon factors FR > out 2>&1; echo $?)"

# The library beside its tables, as in a wheel of Python.
if [ -e "$builddir/.libs/libcarbon.so.1" ] && ! grep -qE '__(asan|tsan)_init' "$builddir/.libs/libcarbon.so.1"; then
    mkdir wheel wheel/data
    cp -L "$builddir/.libs/libcarbon.so.1" wheel/
    cp -r "$source/data/emission_factors" wheel/data/
    check 'libcarbon by its own place' "FR" "$(CARBON_LIBRARY=$PWD/wheel/libcarbon.so.1 PYTHONPATH=$source/python PYTHONDONTWRITEBYTECODE=1 \
        /usr/bin/python3 -c 'import libcarbon; print(libcarbon.Meter("FR", source="model").facts["zone"])' 2>&1)"
fi
chmod -R u+w here tree
finish
