#!/bin/bash
# SPDX-License-Identifier: MIT
# The own energy of each phase of a job, beside others that keep every CPU busy: its CPU time by the watts of a busy CPU.
. "$(dirname "$0")/../lib.sh"

# CPU time by wait4 of what each phase runs, and what the job has used itself in it
cat > steps.py << 'END'
import os, resource, sys
marks, act = int(os.environ["CARBON_MARK_FD"]), sys.argv[1]
used = {}
def so_far():
    return sum(u.ru_utime + u.ru_stime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN) for u in [resource.getrusage(who)])
for name, seconds in ("long", "0.6"), ("short", "0.2"), ("long", "0.4"):
    os.write(marks, f"{name}\n".encode())
    before = so_far()
    os.waitpid(os.spawnv(os.P_NOWAIT, act, [act, "spin", seconds]), 0)
    used[name] = used.get(name, 0) + so_far() - before
open("used", "w").write(f"{used['long']} {used['short']}\n")
END
within() { awk "BEGIN { print ($1 > $2 * (1 - $3) && $1 < $2 * (1 + $3)) ? \"yes\" : $1 \" is not \" $2 }"; }
own() { json p.json "[p['own_j']['mean'] for p in r['phases'] if p['name'] == '$1'][0]"; }

full
# 10 to 110 W: each busy CPU draws its part of 100 W, at any load
"$carbon" measure -v --source model --cpu-power 10:110 --baseline 0.3 --marks --json p.json --html p.html -- \
    /usr/bin/python3 -B steps.py "$helpers/act" > out 2> table
check 'it ran' 0 $?
read -r long_s short_s < used
check 'a phase that is entered twice: CPU time × slope' yes "$(within "$(own long)" "$long_s * 100 / $(nproc)" 0.1)"
check 'a short one likewise' yes "$(within "$(own short)" "$short_s * 100 / $(nproc)" 0.1)"
check 'by CPU time' '{'"'cpu-time'"'}' "$(json p.json '{p["own_method"] for p in r["phases"]}')"
check 'CPU times add up to the run'"'"'s' True "$(json p.json 'abs(sum(p["cpu_s"] for p in r["windows"]["runs"][0]["phases"]) - r["usage"]["cpu_s"]["value"]) < 1e-9')"
check 'own energies as well' True "$(json p.json 'abs(sum(p["own_j"] for p in r["windows"]["runs"][0]["phases"]) / r["own_j"]["mean"] - 1) < 1e-9')"
check 'within their range' True "$(json p.json 'all(p["own_low_j"] <= p["own_j"]["mean"] <= p["own_high_j"] for p in r["phases"] if p["own_j"]["mean"])')"
check_match 'in the table' '^  phase +times +duration +gross +idle +own +gross +of own' "$(cat table)"
check_match 'in the page' 'phases.1.own_j' "$(cat p.html)"
check_match 'the record comes out again' 'recalculated, all identical' "$("$carbon" verify p.json)"
if "$source/tests/check-schema.sh" p.json > schema || [ $? = 77 ]; then schema=kept; else schema=$(cat schema); fi
check 'the schema' kept "$schema"

# Without a group of its own, as of an ordinary user: by its processes in ticks, and at the end by what was waited for
ordinary=()
[ "$(id -u)" != 0 ] || ordinary=(setpriv --reuid=65534 --regid=65534 --clear-groups)
open_to_all
cp "$helpers/act" "$work/open/act"
mkdir -m 777 "$work/open/in"
cp steps.py "$work/open/in"
(cd "$work/open/in" && HOME=$work/open/in "${ordinary[@]}" "$carbon" measure -v --source model --cpu-power 10:110 --baseline 0.3 --marks \
    --json p.json -- /usr/bin/python3 -B steps.py "$work/open/act" > out 2> table)
check 'it ran' 0 $?
cp "$work/open/in/p.json" .
read -r long_s short_s < "$work/open/in/used"
check 'of an ordinary user: the long phase' yes "$(within "$(own long)" "$long_s * 100 / $(nproc)" 0.1)"
check 'the short one, in ticks' yes "$(within "$(own short)" "$short_s * 100 / $(nproc)" 0.25)"
check_match 'that record comes out again' 'recalculated, all identical' "$("$carbon" verify p.json)"
not_full
finish
