#!/bin/bash
# SPDX-License-Identifier: MIT
# Containers that carbon has started itself, by real Docker and podman: in a control group of carbon's own, which
# outlives them, and waited for where there is none.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-engine.sh"

engine_start docker podman
# left: what there still is of the group that was made
left() { find /sys/fs/cgroup -maxdepth 2 -name "$(sed -n 's|.* /\(carbon-.*\)|\1|p' said)" 2> /dev/null; }
# is NAME WORDS LOW HIGH: the figure behind these words of what was said lies between
is() {
    check "$1" yes "$(sed -n "s/.*$2 \([0-9.]*\) .*/\1/p" said |
        awk -v low="$3" -v high="$4" '{ print ($1 >= low && $1 <= high) ? "yes" : $1 }')" || cat said
}
contained() { timeout 60 "$helpers/contained" "$@" > said; }

for kind in docker podman; do
    contained $kind made /bin/act spin 1.5 exit 7
    check_match "$kind: status and end" '^status 7; .*ended 1 /carbon-' "$(cat said)"
    check "$kind: nothing is left" '' "$(left)"
    is "$kind: CPU time, with the engine's own work" cpu_s 1.5 2
    contained $kind made /bin/act touch 300
    is "$kind: the true peak" peak $((300 << 20)) $((306 << 20))
    contained $kind made /bin/sh -c exit
    is "$kind: of one that ends at once" cpu_s 0.0005 0.5
    contained $kind coming /bin/act spin 1.5
    is "$kind: one that is waited for" cpu_s 1.4 2
    contained $kind coming /bin/sh -c exit
    check_match "$kind: one that nobody has seen has ended, and nothing of it is made up" \
        '^status 0; cpu_s ([0-9.]+ (cgroup1?|docker stats|podman stats)|unknown); .*ended 1 ' "$(cat said)"
done
finish
