#!/bin/bash
# SPDX-License-Identifier: MIT
# A wheel of the Python package with libcarbon and its tables inside: py3-none-manylinux_…, of the glibc that it needs.
#
#   wheel.sh BUILD OUT    BUILD: a build folder with a shared libcarbon; prints the wheel's path
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:?a build folder}" && pwd)
mkdir -p "${2:?a folder for the wheel}"
out=$(cd "$2" && pwd)
python=${PYTHON:-/usr/bin/python3}

fail() {
    printf 'wheel: %s\n   why: %s\n   fix: %s\n' "$@" >&2
    exit 1
}
[ -e "$build/.libs/libcarbon.so.1" ] || fail 'no wheel is made' "no libcarbon in '$build'" "make -C '$build' libcarbon.la"
"$python" -c 'import setuptools, wheel, pip' 2> /dev/null ||
    fail 'no wheel is made' "setuptools, wheel or pip of $python is missing" 'apt-get install python3-setuptools python3-wheel python3-pip'

stage=$(mktemp -d) || exit 1
trap 'rm -rf "$stage"' EXIT
cp "$source/packaging/python/pyproject.toml" "$source/packaging/python/README.md" "$source/LICENSE" "$stage/"
echo @VERSION@ | "$source/packaging/recipe.sh" - > "$stage/VERSION"
mkdir -p "$stage/libcarbon/data"
cp "$source"/python/libcarbon/*.py "$source"/python/libcarbon/*.pyi "$source/python/libcarbon/py.typed" "$stage/libcarbon/"
rm -f "$stage/libcarbon/_build.py"
cp -r "$source/data/emission_factors" "$stage/libcarbon/data/"
cp -L "$build/.libs/libcarbon.so.1" "$stage/libcarbon/"
strip --strip-unneeded "$stage/libcarbon/libcarbon.so.1"
[ ! -e "$build/data/emission_factors/tables.index" ] ||
    cp "$build/data/emission_factors/tables.index" "$stage/libcarbon/data/emission_factors/"

# The newest glibc whose functions it uses: PEP 600.
glibc=$(objdump -T "$stage/libcarbon/libcarbon.so.1" | grep -oE 'GLIBC_2\.[0-9]+' | sort -t . -k 2 -n | tail -n 1)
printf '[bdist_wheel]\npython_tag = py3\nplat_name = manylinux_%s_%s\n' "$(tr . _ <<< "${glibc#GLIBC_}")" "$(uname -m)" > "$stage/setup.cfg"
# the same bytes from the same tree
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$source" log -1 --format=%ct 2> /dev/null || echo 315532800)}
"$python" -m pip wheel --quiet --no-deps --no-build-isolation --no-index --wheel-dir "$stage/made" "$stage" > "$stage/log" 2>&1 ||
    { tail -n 20 "$stage/log" >&2; exit 1; }
mv "$stage"/made/*.whl "$out/"
ls -t "$out"/*.whl | head -n 1
