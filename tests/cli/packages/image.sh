#!/bin/bash
# SPDX-License-Identifier: MIT
# The container image: below 15 MB as it is sent, run read-only, without root and without a network of its own.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-engine.sh"
unset CARBON_DATA

! grep -qE '__(asan|tsan)_init' "$carbon" || skip 'a program with sanitizers needs what is not in the image'
engine_start docker
"$source/packaging/container/image.sh" "$builddir" image > said 2>&1
check 'laid out' 0 $? || cat said
size=$(tar -C image/root -c . | gzip | wc -c)
check "below 15 MB as it is sent ($size bytes)" yes "$([ "$size" -lt 15000000 ] && echo yes)"
check 'nothing of who built it' '' "$(grep -rlF -e "$builddir" -e "$(cd "$source" && pwd)" image/root/usr/share image/Containerfile)"
DOCKER_BUILDKIT=0 engine docker build --quiet --tag carbon:1 --file image/Containerfile image > said 2>&1
check 'built' 0 $? || cat said
version=$("$carbon" --version | sed -n '1s/^carbon //p')

in_image() { engine docker run --rm --read-only --network none --cap-drop ALL --security-opt no-new-privileges "$@"; }
check 'it runs' "carbon $version" "$(in_image carbon:1 --version | head -n 1)"
check 'not as root' 65534 "$(engine docker image inspect --format '{{.Config.User}}' carbon:1 | cut -d : -f 1)"
in_image carbon:1 measure --no-ledger --zone FR --source model --json - -- carbon --version > record.json 2> said
check 'a measurement: status' 0 $? || cat said
check 'a measurement' FR "$(grep -o '"schema".*' record.json | /usr/bin/python3 -c '
import json, re
text = open("record.json").read()
print(json.loads(text[text.index("{\n"):])["factor"]["zone"])')"

# The exporter of the host: its counters, read-only. Without a network: by its own socket's port, looked at from within.
mkdir -p host/sys/class/powercap/intel-rapl:0 host/proc
printf '%s\n' package-0 > host/sys/class/powercap/intel-rapl:0/name
printf '%s\n' 1000000 > host/sys/class/powercap/intel-rapl:0/energy_uj
printf '%s\n' 262143328850 > host/sys/class/powercap/intel-rapl:0/max_energy_range_uj
cp /proc/stat /proc/cpuinfo /proc/meminfo host/proc/
chmod -R a+rX .
chmod a+x "$work"
in_image -v "$PWD/host/sys:/host/sys:ro" -v "$PWD/host/proc:/host/proc:ro" carbon:1 sources --root /host > sources 2>&1
check_match "the host's counter" 'package-0' "$(cat sources)"
in_image --name exporter --detach -v "$PWD/host/sys:/host/sys:ro" -v "$PWD/host/proc:/host/proc:ro" carbon:1 \
    serve --root /host --listen 127.0.0.1:28283 > said 2>&1
until_true sh -c "DOCKER_HOST=$DOCKER_HOST docker logs exporter 2>&1 | grep -q 'listening at'"
check_match 'the exporter serves' 'listening at 127.0.0.1:28283' "$(engine docker logs exporter 2>&1)"
engine docker kill exporter > /dev/null 2>&1
finish
