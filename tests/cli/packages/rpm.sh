#!/bin/bash
# SPDX-License-Identifier: MIT
# RPM packages: built, looked at by rpmlint, installed into a root of their own, used, removed without trace.
. "$(dirname "$0")/../lib.sh"

command -v rpmbuild > /dev/null || skip 'no rpmbuild'
unset CARBON_DATA CARBON_LIBRARY PYTHONPATH MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES DESTDIR
[ ! -d /usr/lib/ccache ] || PATH=/usr/lib/ccache:$PATH
version=$("$carbon" --version | sed -n '1s/^carbon //p')

# What is installed here is not in rpm's own list.
RPM_OPTIONS=--nodeps XZ_OPT=-0 "$source/packaging/build-rpm.sh" rpms > said 2>&1
check 'built' 0 $? || { cat said; finish; }
check 'the packages' 'carbon carbon-exporter libcarbon libcarbon-devel python3-libcarbon' \
    "$(cd rpms && for file in *.rpm; do echo "${file%-"$version"*}"; done | grep -v debug | sort | paste -sd ' ')"
if command -v rpmlint > /dev/null; then
    # Who publishes packages gives a name, a changelog and a signature; groups, scripts for ldconfig and the old kind of hash
    # are of older systems; names and places of libraries are those of SUSE's policy; the tables are the library's on purpose.
    check 'rpmlint' '' "$(rpmlint rpms/*.rpm 2>&1 | grep ': E: ' |
        grep -vE -e 'no-(packager|group|changelogname)-tag|no-signature|library-without-ldconfig-post|missing-hash-section' \
            -e 'non-versioned-file-in-library|outside-libdir-files|shlib-policy-name|static-library-without-debuginfo')"
else
    echo 'rpmlint is not here: not looked at by it'
fi

root=$PWD/root
rpm_there() { rpm --root "$root" --dbpath /var/lib/rpm "$@"; }
mkdir -p root/var/lib/rpm
rpm_there --initdb
if ! rpm_there -i --nodeps --noscripts --ignoreos rpms/*.rpm > said 2>&1; then
    # an ordinary user may not change roots
    grep -q 'chroot' said && { echo 'not installed: no root may be changed here'; finish; }
fi
check 'installed' '' "$(grep -vE 'should not be used directly|assuming you know' said)"
libraries=$(dirname "$(find root -name 'libcarbon.so.1')")
check 'used' "carbon $version" "$(root/usr/bin/carbon --version | head -n 1)"
root/usr/bin/carbon measure --no-ledger --zone FR --source model --json record.json -- true > said 2>&1
check 'measured' 'FR' "$(json record.json 'r["factor"]["zone"]' 2> /dev/null || cat said)"
check 'from Python' "$version FR" "$(CARBON_LIBRARY=$libraries/libcarbon.so.1 PYTHONDONTWRITEBYTECODE=1 \
    PYTHONPATH=$(dirname "$(find root -type d -name libcarbon -path '*python3*')") \
    /usr/bin/python3 -c 'import libcarbon; print(libcarbon.__version__, libcarbon.Meter("FR", source="model").facts["zone"])' 2>&1)"
rpm_there -e --noscripts carbon carbon-exporter libcarbon libcarbon-devel python3-libcarbon > said 2>&1
check 'removed' 0 $? || cat said
check 'without trace' '' "$(find root -path root/var -prune -o -type f -print)"
finish
