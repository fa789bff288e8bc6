#!/bin/bash
# SPDX-License-Identifier: MIT
# The folder that the image is built of: program, libraries, tables, as this build has them.
#
#   image.sh BUILD OUT       then: podman build -t carbon OUT   (or docker build)
#
# Left out: libcurl with its thirty libraries, so that live grid intensities and ledgers on a server are not there; gnuplot.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:?a build folder}" && pwd)
mkdir -p "${2:?a folder for the image}"
out=$(cd "$2" && pwd)
root=$out/root
[ -x "$build/carbon" ] || { echo "image: no carbon in '$build'" >&2; exit 1; }

rm -rf "$root"
mkdir -p "$root/usr/bin" "$root/usr/share/carbon" "$root/etc" "$root/host" "$root/proc" "$root/sys"
mkdir -m 1777 "$root/tmp"
strip -o "$root/usr/bin/carbon" "$build/carbon"
cp -r "$source/data/emission_factors" "$source/data/recipes" "$root/usr/share/carbon/"
cp "$source/LICENSE" "$root/usr/share/carbon/"

# with FILE...: it and all that it needs, by the paths where the loader looks
with() {
    local library
    for library in "$@" $(ldd "$@" | grep -o '/[^ :]*' | sort -u); do
        [ "$library" != "$build/carbon" ] || continue
        mkdir -p "$root$(dirname "$library")"
        cp -Ln "$library" "$root$library"
    done
}
with "$build/carbon"
# what it opens: the ledger, descriptions of pipelines, the exporter, its sandbox, names of perf events
for name in libsqlite3.so.0 libz.so.1 libyaml-0.so.2 libmicrohttpd.so.12 libseccomp.so.2 libpfm.so.4; do
    file=$(ldconfig -p | awk -v name="$name" '$1 == name { print $NF; exit }')
    [ -z "$file" ] || with "$file"
done
# which of these are links to folders differs between systems: the loader finds all in its own places
cp "$source/packaging/container/Containerfile" "$out/"
find "$root" -exec touch -h -d "@${SOURCE_DATE_EPOCH:-315532800}" {} +
