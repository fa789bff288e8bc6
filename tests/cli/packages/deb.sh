#!/bin/bash
# SPDX-License-Identifier: MIT
# Debian's packages: built, looked at by lintian, installed into a bare system, used, removed without trace.
. "$(dirname "$0")/../lib.sh"

for program in dpkg-buildpackage dh dh_python3; do
    command -v $program > /dev/null || skip "no $program"
done
. "$source/tests/debian.sh"
unset CARBON_DATA MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES DESTDIR

[ ! -d /usr/lib/ccache ] || PATH=/usr/lib/ccache:$PATH
DEB_BUILD_OPTIONS="nocheck parallel=$(nproc)" "$source/packaging/build-deb.sh" debs > said 2>&1
check 'built' 0 $? || { cat said; finish; }
version=$("$carbon" --version | sed -n '1s/^carbon //p')
check 'the packages' 'carbon carbon-data carbon-exporter libcarbon-dev libcarbon1 python3-libcarbon' \
    "$(cd debs && for file in *.deb; do echo "${file%%_*}"; done | grep -v dbgsym | sort | paste -sd ' ')"
if command -v lintian > /dev/null; then
    # No address and no number of a request are in the tree: who publishes the packages gives them.
    check 'lintian' '' "$(lintian --allow-root --suppress-tags malformed-contact,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs \
        debs/*.changes 2>&1)"
else
    echo 'lintian is not here: not looked at by it'
fi

debian_system bookworm "$PWD/system" log
mkdir system/debs
cp debs/*.deb system/debs/
rm -f system/debs/*dbgsym*
cat > system/try <<'END'
exec 2>&1
export DEBIAN_FRONTEND=noninteractive HOME=/root LC_ALL=C.UTF-8
{
    apt-get update -q
    # dependencies first, so that what is removed afterwards is carbon's alone
    apt-get install -y -q python3-minimal
    traces() { find / -xdev -name '*carbon*' | grep -vE '^/(debs|proc|sys)/|^/var/(log|cache)/' | sort; }
    traces > /before
    apt-get install -y -q /debs/*.deb
} > /install.log 2>&1 || { tail -n 20 /install.log; echo 'not installed'; exit 1; }
echo "version: $(carbon --version | head -n 1)"
carbon measure --zone FR --json /record.json -- true > /measure.log 2>&1 || cat /measure.log
echo "record: $(grep -c '"schema"' /record.json) $(carbon history 2> /dev/null | grep -c true)"
echo "python: $(cd / && python3 -c 'import libcarbon; print(libcarbon.__version__, libcarbon.Meter("FR").facts["zone"])')"
carbon serve --listen 127.0.0.1:28283 --state /root/state > /serve.log 2>&1 &
serving=$!
until (: < /dev/tcp/127.0.0.1/28283) 2> /dev/null || ! kill -0 $serving 2> /dev/null; do sleep 0.1; done
echo "scrape: $(python3 -c 'import urllib.request; print(urllib.request.urlopen("http://127.0.0.1:28283/metrics").read().decode().count("# TYPE carbon_") > 3)')"
kill $serving
wait $serving
rm -rf /root/state /root/.local /record.json
man=$(find /usr/share/man -name 'carbon*' | wc -l)
echo "pages: $((man > 0)), example: $(ls /usr/share/doc/libcarbon-dev/examples/piece.c*)"
apt-get purge -y -q carbon carbon-data carbon-exporter libcarbon1 libcarbon-dev python3-libcarbon > /remove.log 2>&1 || tail -n 20 /remove.log
traces | diff /before - && echo 'no trace'
END
in_system "$PWD/system" /try > out
check 'installed, used, removed' "version: carbon $version
record: 1 1
python: $version FR
scrape: True
pages: 1, example: /usr/share/doc/libcarbon-dev/examples/piece.c
no trace" "$(cat out)"
finish
