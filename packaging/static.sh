#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon as one program without shared libraries, with its tables, for `make static`: an archive that runs wherever it is unpacked.
#
#   static.sh OUT    prints the archive's path
#
# Linked with glibc (static-pie): no distribution has musl's static builds of all that carbon is linked with. What is opened elsewhere is
# left out: the exporter, live grid data, NVIDIA's GPUs, ledgers on a server, names of functions in a profile. SQLite and zlib
# are linked. Debian has no static cJSON: it is built of Debian's source package, or taken from where CJSON_SOURCE says.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "${1:?a folder for the archive}"
out=$(cd "$1" && pwd)
cc=${CC:-gcc}
stage=$(mktemp -d) || exit 1
trap 'rm -rf "$stage"' EXIT

# fail WHAT WHY FIX
fail() {
    printf 'static: %s\n   why: %s\n   fix: %s\n' "$@" >&2
    exit 1
}

# found LIBRARY...: archives that the compiler finds
found() {
    local library path
    for library in "$@"; do
        path=$($cc -print-file-name="lib$library.a")
        [ "$path" != "lib$library.a" ] ||
            fail 'no static program is made' "lib$library.a is missing" 'apt-get install the packages of build-aux/packages'
    done
}

# debian_source PACKAGE FOLDER: by a state of apt's own, from where this machine has its packages
debian_source() {
    local apt=$stage/apt
    mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$2" && : > "$apt/status"
    # shellcheck disable=SC2016 # apt's
    apt-get indextargets --format 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(CODENAME) main' |
        grep -v -e -security -e -updates | sort -u | head -n 1 > "$apt/sources.list"
    local options=(-q -o "Dir::State=$apt" -o "Dir::State::lists=$apt/lists" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt"
        -o "Dir::Cache::archives=$apt/archives" -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=-
        -o Debug::NoLocking=1 -o "APT::Sandbox::User=$(id -un)")
    apt-get "${options[@]}" update && (cd "$2" && apt-get "${options[@]}" source --download-only "$1") &&
        dpkg-source -x "$2"/*.dsc "$2/tree"
}

found inih csv yaml gsl gslcblas md sqlite3 z m c
mkdir "$stage/lib"
if [ "$($cc -print-file-name=libcjson.a)" = libcjson.a ]; then
    if [ -z "${CJSON_SOURCE-}" ]; then
        debian_source cjson "$stage/cjson" > "$stage/log" 2>&1 || { tail -n 5 "$stage/log" >&2
            fail 'no static program is made' 'there is no libcjson.a, and the source of cJSON cannot be fetched' \
                'CJSON_SOURCE=FOLDER with cJSON.c'; }
        CJSON_SOURCE=$stage/cjson/tree
    fi
    (cd "$stage/lib" && $cc -O2 -fPIC -ffile-prefix-map="$CJSON_SOURCE"=. -c "$CJSON_SOURCE/cJSON.c" && ar crD libcjson.a cJSON.o)
fi

# where it was built is nowhere in it
[ -e "$source/configure" ] || (cd "$source" && autoreconf -i) > "$stage/log" 2>&1 || { cat "$stage/log" >&2; exit 1; }
mkdir "$stage/build"
(
    cd "$stage/build"
    "$source/configure" -q --prefix=/usr --enable-static-program --without-python CC="$cc" LDFLAGS="-L$stage/lib" \
        CFLAGS="-O2 -ffile-prefix-map=$source=. -ffile-prefix-map=$stage=."
    make -s ${MAKEFLAGS+"$MAKEFLAGS"} carbon data/emission_factors/tables.index
) > "$stage/log" 2>&1 || { tail -n 20 "$stage/log" >&2; exit 1; }

version=$(echo @VERSION@ | "$source/packaging/recipe.sh" -)
name=carbon-$version-$(uname -m)-static
mkdir -p "$stage/$name/bin" "$stage/$name/share/carbon"
strip -o "$stage/$name/bin/carbon" "$stage/build/carbon"
cp -r "$source/data/emission_factors" "$source/data/recipes" "$source/LICENSE" "$stage/$name/share/carbon/"
cp "$stage/build/data/emission_factors/tables.index" "$stage/$name/share/carbon/emission_factors/"
find "$stage/$name" -exec touch -h -d "@${SOURCE_DATE_EPOCH:-315532800}" {} +
tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mode=go=rX,u+rw -c "$name" | xz -T1 > "$out/$name.tar.xz"
echo "$out/$name.tar.xz"
