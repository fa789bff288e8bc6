#!/bin/bash
# SPDX-License-Identifier: MIT
# perf for real: the recorded PMU is the software one, so that perf_event_open itself runs. Its event is
# cpu-clock with 1 nJ a count: 1 W of wall time.
. "$(dirname "$0")/../lib.sh"

cp -r "$source/tests/trees/software-pmu" tree
chmod -R a+rX tree
tree=$PWD/tree
open_to_all

user=()
[ "$(id -u)" != 0 ] || user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
out=$("${user[@]}" "$carbon" sources --root "$tree" --source perf 2>&1)
if [[ $out == *'perf       denied'* ]]; then
    check_match 'an ordinary user is told why' 'why: kernel.perf_event_paranoid is .*CAP_PERFMON' "$out"
    check_match 'and both remedies' "fix: .*CAP_PERFMON.*every user: .carbon sources --grant. prints how" "$out"
else
    echo 'not checked as an ordinary user: perf events are not denied, or setpriv does not allow it'
fi
"$carbon" sources --root "$tree" --source perf --json - > sources.json
[ "$(json sources.json 'r["measurable"]')" = True ] || skip 'perf events are denied here'

"$carbon" measure -v --root "$tree" --source perf --baseline 0 --json r.json -- sleep 1 2> report
check 'exit status' 0 $?
check 'the source' "['perf']" "$(json r.json 'r["sources"]')"
check '1 W within 1 %' True "$(json r.json 'abs(r["gross_j"]["mean"] / r["duration_s"]["mean"] - 1) < 0.01')"
check 'for at least a second' True "$(json r.json '1 <= r["duration_s"]["mean"]')"

"$carbon" measure -v --root "$tree" --source perf --baseline 0.5 --json r.json -- sleep 0.5 2> report
check 'a clock draws as much at rest: net is 0 within 1 %' True \
    "$(json r.json 'abs(r["net_j"]["mean"]) < 0.01 * r["gross_j"]["mean"]')"
finish
