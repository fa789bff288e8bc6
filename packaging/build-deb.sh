#!/bin/bash
# SPDX-License-Identifier: MIT
# Debian packages of this tree, in a folder; its build dependencies are to be there (debian/control).
#
#   build-deb.sh OUT    CARBON_MAINTAINER: "the carbon authors <address>"; no address by default
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:?a folder for the packages}"
out=$(cd "$1" && pwd)
maintainer=${CARBON_MAINTAINER:-the carbon authors <>}
version=$(echo @VERSION@ | "$source/packaging/recipe.sh" -)

stage=$(mktemp -d) || exit 1
trap 'rm -rf "$stage"' EXIT
tree=$stage/carbon-$version
mkdir "$tree"
"$source/build-aux/copy-tree.sh" "$tree"
cp -r "$source/packaging/debian" "$tree/debian"
rm -f "$tree/debian/changelog.in"
sed -i "s|@MAINTAINER@|$maintainer|" "$tree/debian/control"
# the same bytes from the same tree
when=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2> /dev/null || echo 315532800)}
sed -e "s|@MAINTAINER@|$maintainer|; s|@VERSION@|$version|" -e "s|@DATE@|$(date -R -u -d "@$when")|" \
    "$source/packaging/debian/changelog.in" > "$tree/debian/changelog"
(cd "$tree" && dpkg-buildpackage --build=binary --no-sign) > "$out/build.log" 2>&1 ||
    { tail -n 30 "$out/build.log" >&2; exit 1; }
mv "$stage"/*.deb "$stage"/*.changes "$stage"/*.buildinfo "$out/"
