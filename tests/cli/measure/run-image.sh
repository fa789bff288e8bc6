#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon measure --run: the command in a container of its own, with its output, its status and its counters.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-engine.sh"

engine_start docker podman
most=$(most_mib 100)
long=46.$$
zone tree 262143328850 1000000 intel-rapl:0=package-0
measure() { "$carbon" measure -v --root tree --zone FR --no-ledger --engine "$kind" --run bb:1 "$@"; }

for kind in docker podman; do
    measure --baseline 0.2 --json a.json -- sh -c 'echo out; echo err >&2; exec act forks-spin 3 2 exit 7' > a.out 2> a.err
    check "$kind: its status" 7 $? || cat a.err
    check "$kind: its output" 'out' "$(cat a.out)"
    check_match "$kind: its messages" '^err$' "$(cat a.err)"
    check "$kind: six seconds of CPU within 2 %" True "$(json a.json '(lambda s: 6 <= s <= 6.12 or s)(r["usage"]["cpu_s"]["value"])')"
    measure --baseline 0 --quiet --json t.json -- act touch 100 2> t.err
    check "$kind: a peak of 100 MiB" True "$(json t.json '(lambda mib: 100 <= mib <= '"$most"' or mib)(r["usage"]["memory_peak_bytes"]["value"] / 2**20)')"
    check "$kind: who says so" True "$(json a.json 'r["usage"]["cpu_s"]["from"].startswith("cgroup")')"
    check "$kind: the command" "$kind run bb:1 sh" "$(json a.json '" ".join(r["command"][:4])')"
    check "$kind: a baseline before it" True "$(json a.json 'r["baseline_s"] >= 0.2')"
    measure --baseline 0 --runs 3 --json b.json -- true 2> b.err
    check "$kind: three times" '0 3 True' "$? $(json b.json '"%d %s" % (len(r["windows"]["runs"]), all(x["usage"]["cpu_s"]["value"] > 0 for x in r["windows"]["runs"]))')" || cat b.err
    measure --baseline 0 -- no-such-program > c.out 2>&1
    check "$kind: no such command in it" 127 $?
    check_match "$kind: which is told" 'has no such command' "$(cat c.out)"
    "$carbon" measure -v --root tree --no-ledger --engine $kind --run bb:1 --baseline 0 -- sleep "$long" 2> d.err &
    pid=$!
    until_true runs "sleep $long"
    kill -TERM $pid
    wait $pid
    check "$kind: ended by a signal that its first process does not heed, with a result" '137 yes' "$? $(grep -q 'interrupted' d.err && echo yes)"
    check "$kind: nothing is left" '' "$(containers_of $kind)$(processes_of "sleep $long")"
done

refused() { # WHAT ARGUMENT...
    local what=$1
    shift
    "$carbon" measure -v --root tree "$@" > refused.out 2>&1
    check_match "$what" "^125 carbon: $what" "$? $(cat refused.out)"
}
refused '--run and --pid cannot be combined' --run bb:1 --pid 1 -- true
refused '--run and --container cannot be combined' --run bb:1 --container x -- true
refused '--run and --marks cannot be combined' --run bb:1 --marks -- true
refused '.*no/such:1' --run no/such:1 -- true
finish
