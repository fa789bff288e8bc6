#!/bin/bash
# SPDX-License-Identifier: MIT
# Whose energy it was: two jobs side by side, each measured by a carbon of its own, on the running machine.
. "$(dirname "$0")/../lib.sh"

[ "$(nproc)" -ge 2 ] || skip 'this machine has one CPU'
act="$helpers/act"
for cpu in 0 1; do
    "$carbon" measure -v --source model --cpus $cpu --baseline 1.5 --json $cpu.json -- "$act" spin 3 2> $cpu.err &
done
wait
check 'both were measured' '0.json 1.json' "$(echo ?.json)"
/usr/bin/python3 - > figures << 'END'
import json, math
a, b = (json.load(open(f"{i}.json")) for i in (0, 1))
run = [r["windows"]["runs"][0] for r in (a, b)]
cpu = [r["usage"]["cpu_s"]["value"] / w["duration_s"] for r, w in zip((a, b), run)]
before = max(b["machine_busy_s"] / b["duration_s"] for r in (a, b) for b in r["windows"]["baselines"])
def others(r, w, own):  # what the machine was busy with beyond the job and its baseline
    idle = [b["machine_busy_s"] / b["duration_s"] for b in r["windows"]["baselines"]]
    return [max(0, w["machine_busy_s"] / w["duration_s"] - own - i) for i in (max(idle), min(idle))]
print("others", all(low - 1e-6 <= w["others_cores"] <= high + 1e-6
                    for r, w, own in zip((a, b), run, cpu) for low, high in [others(r, w, own)]))
print("rule", all(math.isclose(w["share_j"], w["net_j"] * (own / (own + w["others_cores"]) if w["others_cores"] > 0.02 else 1),
                               rel_tol=1e-6) for w, own in zip(run, cpu)))
third = max(before, max(w["others_cores"] for w in run) - min(cpu), 1 - min(cpu))
apart = abs(run[0]["duration_s"] - run[1]["duration_s"])
print("third", third, apart)
share = [r["share_j"]["mean"] for r in (a, b)]
net = sum(r["net_j"]["mean"] for r in (a, b)) / 2
# What else ran has a part of its own; of the time in which one of the two was alone it has all.
doubt = third + apart / run[0]["duration_s"] + 0.02
print("sum", sum(share), "net", net, abs(sum(share) / net - 1) < doubt, all(abs(s / net - 0.5) < doubt / 2 for s in share))
print("noticed", all(any("other processes used" in n["what"] for n in r["notices"]) for r in (a, b)))
END
cat figures
check 'what the others used is what the machine was busy with beyond the job and its baseline' 'others True' "$(grep '^others' figures)"
check 'the share is by CPU time' 'rule True' "$(grep '^rule' figures)"
read -r _ third apart <<< "$(grep '^third' figures)"
if awk -v third="$third" -v apart="$apart" 'BEGIN { exit !(third > 0.1 || apart > 0.2) }'; then
    echo "not tested: half each: this machine is busy: $third of a core with other work, windows $apart s apart"
else
    check_match 'their shares add up to the net, half each' '^sum .* True True$' "$(grep '^sum' figures)"
    check 'and each is told of the other' 'noticed True' "$(grep '^noticed' figures)"
    check_match 'in the table' 'share [0-9.]+ .?J of net by CPU time: others kept [0-9.]+ cores busy' "$(cat 0.err)"
fi
finish
