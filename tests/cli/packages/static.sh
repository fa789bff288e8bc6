#!/bin/bash
# SPDX-License-Identifier: MIT
# The static program: built twice alike in different places, without a shared library; unpacked, used, and what it has not is said.
. "$(dirname "$0")/../lib.sh"
unset CARBON_DATA

make_static() {
    mkdir -p "$1/tmp"
    TMPDIR=$PWD/$1/tmp CC=${STATIC_CC:-gcc} MAKEFLAGS="-j$(nproc)" "$source/packaging/static.sh" "$1/out" 2> "$1/said"
}
archive=$(make_static first) || {
    ! grep -qE 'is missing|cannot be fetched' first/said || skip "$(sed -n 's/^ *why: //p' first/said)"
    check 'built' 0 1
    cat first/said
    finish
}
again=$(make_static second/elsewhere) || cat second/elsewhere/said
check 'built twice alike' "$(sha256sum < "$archive")" "$(sha256sum < "$again")"
size=$(stat -c %s "$archive")
check "below 15 MB ($size bytes)" yes "$([ "$size" -lt 15000000 ] && echo yes)"
version=$("$carbon" --version | sed -n '1s/^carbon //p')
folder=carbon-$version-$(uname -m)-static
check 'its name' "$folder.tar.xz" "${archive##*/}"
tar -xJf "$archive"
program=$PWD/$folder/bin/carbon
check 'no shared library, no loader' '' "$(readelf -d "$program" | grep NEEDED; readelf -l "$program" | grep INTERP)"
check 'nothing of where it was built' '' "$(grep -caF -e "$PWD" -e "$(cd "$source" && pwd)/src" "$program" | grep -v '^0$')"
check 'it runs' "carbon $version" "$("$program" --version | head -n 1)"
check_match 'its own tables, by their index' 'tables: read by their index' "$("$program" --version)"

"$program" measure --zone FR --source model --baseline 0.1 --json r.json -- "$helpers/act" spin 0.1 > said 2>&1
check 'measured' 0 $? || cat said
check 'the factor' FR "$(json r.json 'r["factor"]["zone"]')"
check 'kept in a ledger: one record' 1 "$("$program" history --json - 2> /dev/null | grep -c '"gross')"
check 'the ledger is whole' 0 "$("$program" ledger check > said 2>&1; echo $?)"
check "the same record by this build's carbon" 0 "$(CARBON_DATA=$source/data "$carbon" verify r.json > said 2>&1; echo $?)"
refuses 'no exporter' 'a static carbon opens no libraries' "$program" serve --listen 127.0.0.1:0
check_match 'NVIDIA' 'this carbon is static and opens no libraries' "$("$program" sources)"
if [ "$(id -u)" = 0 ]; then
    mkdir -p empty
    cp -r "$folder" empty/carbon
    check 'in a system with nothing else in it' "carbon $version" "$(PATH=$PATH:/usr/sbin chroot empty /carbon/bin/carbon --version | head -n 1)"
fi
finish
