#!/bin/bash
# SPDX-License-Identifier: MIT
# RPM packages of this tree, in a folder. On a system without an RPM database of what is installed: RPM_OPTIONS=--nodeps.
#
#   build-rpm.sh OUT
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:?a folder for the packages}"
out=$(cd "$1" && pwd)
stage=$(mktemp -d) || exit 1
trap 'rm -rf "$stage"' EXIT
version=$(echo @VERSION@ | "$source/packaging/recipe.sh" -)
mkdir -p "$stage/top/SOURCES" "$stage/carbon-$version"
"$source/build-aux/copy-tree.sh" "$stage/carbon-$version"
tar -C "$stage" -cJf "$stage/top/SOURCES/carbon-$version.tar.xz" "carbon-$version"
"$source/packaging/recipe.sh" "$source/packaging/rpm/carbon.spec" > "$stage/carbon.spec"
# shellcheck disable=SC2086 # several options
rpmbuild -bb ${RPM_OPTIONS-} --define "_topdir $stage/top" --define "_build_id_links none" "$stage/carbon.spec" > "$out/build.log" 2>&1 ||
    { tail -n 30 "$out/build.log" >&2; exit 1; }
find "$stage/top/RPMS" -name '*.rpm' -exec mv {} "$out/" \;
