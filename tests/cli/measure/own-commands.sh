#!/bin/bash
# SPDX-License-Identifier: MIT
# Own of each command that runs others, beside others that keep every CPU busy and by a model: CPU time by wait4 × the slope of the full
# machine. `measure` is tried in own.sh, `probe` in probe.sh, libcarbon in own.sh of `library`, `serve` in serve-own.sh.
. "$(dirname "$0")/../lib.sh"

within() { awk "BEGIN { print ($1 > ($2) * (1 - $3) && $1 < ($2) * (1 + $3)) ? \"yes\" : $1 \" is not \" $2 }"; }
# work NAME SECONDS: a program that spins so long; each time it adds its CPU time by wait4 to NAME.s
work() {
    cat > "$1" << END
#!/bin/sh
/usr/bin/python3 -B '$source/tests/helpers/waited.py' "waited-\$\$" '$helpers/act' spin $2
{ cat "waited-\$\$"; echo; } >> '$PWD/$1.s'
rm "waited-\$\$"
echo '{"name": "$1", "component": "c", "@parameters": {}, "@result": {"rate": 1}}'
END
    chmod +x "$1"
}
# is_by_slope NAME WORK OWN_J: of as many runs as there were, warm-up none
is_by_slope() {
    check "$1: CPU time by wait4 × the slope of the full machine" yes \
        "$(within "$3" "$slope * $(awk '{ s += $1 } END { print s / NR }' "$2.s")" 0.1)"
}
slow=0.8 quick=0.4

"$carbon" measure -v --quiet --source model --baseline 0 --json m.json -- true 2> /dev/null
slope=$(/usr/bin/python3 "$source/tests/helpers/slope.py" m.json)
full

work a $slow
work b $quick
"$carbon" compare --source model --baseline 0.3 --settle 0 --runs 2 --warmup 0 --json c.json -- ./a -- ./b > out 2>&1
check 'compare' 0 $?
is_by_slope 'compare, the first' a "$(json c.json 'r["results"][0]["own_j"]["mean"]')"
is_by_slope 'compare, the second' b "$(json c.json 'r["results"][1]["own_j"]["mean"]')"

work module $slow
printf '[one]\ncommand = ./module\nitems = 2\n' > batch.ini
"$carbon" batch --verbose --source model --baseline 0.3 --settle 0 --loops 2 --json batch.json batch.ini > out 2>&1
check 'batch' 0 $?
is_by_slope batch module "$(json batch.json 'r["modules"][0]["own_j"]["mean"]')"
check 'batch: the method' cpu-time "$(json batch.json 'r["modules"][0]["own_method"]')"

work step $slow
work last $quick
printf 'steps:\n- {name: one, run: [%s]}\n- {name: two, run: [%s], input: [{from: one}]}\n' "$PWD/step" "$PWD/last" > steps.yaml
"$carbon" pipeline --details --source model --baseline 0.3 --json p.json steps.yaml > out 2>&1
check 'pipeline' 0 $?
is_by_slope 'pipeline, a step' step "$(json p.json 'r["steps"][0]["own_j"]["mean"]')"
is_by_slope 'pipeline, another' last "$(json p.json 'r["steps"][1]["own_j"]["mean"]')"
check 'pipeline: the sum' True "$(json p.json 'abs(sum(s["own_j"]["mean"] for s in r["steps"]) / (r["own_j"]["mean"] if isinstance(r["own_j"], dict) else r["own_j"]) - 1) < 1e-9')"

work script $slow
work more $quick
indicator() { "$carbon" indicator --source model --baseline 0.3 --settle 0 --runs 3 --no-ledger --quiet "$@" > out 2> err; }
indicator --json i.json -- ./script
check 'indicator' 0 $?
is_by_slope indicator script "$(json i.json 'r["record"]["own_j"]["mean"]')"
indicator --compare i.json --json g.json -- ./more
check 'gate' '0 passed own cpu-time' "$? $(json g.json '"%s %s %s" % (r["gate"]["verdict"], r["gate"]["compared"], r["gate"]["own_method"])')"
is_by_slope 'gate, what is held' more "$(json g.json 'r["record"]["own_j"]["mean"]')"
is_by_slope 'gate, against what was' script "$(json g.json 'r["gate"]["base_j"]["mean"]')"
not_full
finish
