#!/bin/bash
# SPDX-License-Identifier: MIT
# Phases of a job: exact joules for each, marks of its own and marks in its standard error, and that the job finds its
# streams, its end and its pace as without carbon.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

burn="$helpers/burn tree intel-rapl:0"
zone tree 262143328850 1000000

# phases FILE [RUN]: "name=µJ" of each phase of a run that used any
phases() {
    json "$1" "' '.join(f\"{p['name']}={p['energy_uj'][0]}\" for p in r['windows']['runs'][${2:-0}]['phases']
        if p['energy_uj'][0])"
}

# adds_up FILE: every run is the sum of its phases
adds_up() {
    json "$1" "all(sum(p['energy_uj'][0] for p in w['phases']) == w['energy_uj'][0] and
        abs(sum(p['duration_s'] for p in w['phases']) - w['duration_s']) < 1e-9 for w in r['windows']['runs'])"
}

# Marks through the descriptor. A pause lets carbon read the mark before the counter moves, however busy the machine is.
cat > marked << END
echo load >&\$CARBON_MARK_FD; sleep 0.2
$burn 1000001 20
sleep 0.2; echo solve >&\$CARBON_MARK_FD; sleep 0.2
$burn 2000003 20
sleep 0.2; echo >&\$CARBON_MARK_FD; sleep 0.2
$burn 500000 20
sleep 0.2; echo load >&\$CARBON_MARK_FD; sleep 0.2
$burn 7 20
exit 3
END
measure tree --marks -- sh marked
check 'the status is the job'"'"'s' 3 "$status"
check 'each phase has its joules' 'load=1000008 solve=2000003 (no phase)=500000' "$(phases r.json)"
check 'they add up' True "$(adds_up r.json)"
check 'how often' '1 2 1 1' "$(record '" ".join(str(p["times"]) for p in r["windows"]["runs"][0]["phases"])')"
check 'marks, in order' 'load solve (no phase) load' "$(record '" ".join(m["name"] for m in r["windows"]["runs"][0]["marks"])')"
check 'marks have their time' True "$(record '(lambda t: t == sorted(t) and t[3] - t[0] >= 1.2)([m["at_s"] for m in r["windows"]["runs"][0]["marks"]])')"
check 'the sums by name' 'load 1.000008 solve 2.000003' "$(record '" ".join("%s %s" % (p["name"], p["gross_j"]["mean"]) for p in r["phases"][1:3])')"
check_match 'a row each' '^  solve +1 +[0-9]+ ms +2\.00 J +unknown +unknown +[0-9.]+ W +57\.1 %' "$(cat err)"
check_match 'and a head' '^  phase +times +duration +gross +idle +net +gross +of gross' "$(cat err)"

# Several runs and a warm-up: means over the counted ones; without the option nothing is there.
cat > twice << END
echo a >&\$CARBON_MARK_FD; sleep 0.1
$burn 1000000 20
sleep 0.1; echo b >&\$CARBON_MARK_FD; sleep 0.1
$burn 3000000 20
END
measure tree --marks --runs 3 --warmup 1 -- sh twice
check 'three runs' 'a 3 1 0 b 3 3 0' "$(record '" ".join("%s %d %g %g" % (p["name"], p["runs"], p["gross_j"]["mean"], p["gross_j"]["deviation"]) for p in r["phases"][1:])')"
check 'the warm-up has its own' 'a=1000000 b=3000000' "$(phases r.json 0)"
check 'they add up' True "$(adds_up r.json)"
check 'idle of a baseline in which nothing moved' '0 4' "$(
    "$carbon" measure -v --root tree --baseline 0.2 --marks --json i.json -- sh twice 2> /dev/null
    json i.json '"%g %g" % tuple(sum(p[k]["mean"] for p in r["phases"]) for k in ("idle_j", "net_j"))')"
measure tree -- sh -c 'echo "[$CARBON_MARK_FD]"' > out
check 'not asked for: no descriptor' '[]' "$(cat out)"
check 'not asked for: null' 'None None None' "$(record '" ".join(map(str, [r["phases"], *(r["windows"]["runs"][0][k] for k in ("phases", "marks"))]))')"

# Lines of standard error.
cat > talks << END
echo '== not on this stream'
echo '== load: data' >&2; sleep 0.2
$burn 1000000 20
sleep 0.2; printf ' 1 %%\r 2 %%\r== solve\r' >&2; sleep 0.2
$burn 2000000 20
echo out
END
measure tree --phase '^== ([a-z]+)' -- sh talks > out
check 'phases by lines' 'load=1000000 solve=2000000' "$(phases r.json)"
check 'standard output is the job'"'"'s' "$(printf '== not on this stream\nout')" "$(cat out)"
check 'and so is standard error' "$(printf '== load: data\n 1 %%\r 2 %%\r== solve\r' | head -c 33)" "$(head -c 33 err)"
measure tree --phase '^nothing like it$' -- sh talks > out
check_match 'no line matched' "no line of standard error matched '\^nothing like it\\$'" "$(tr -s '\n ' ' ' < err)"
check 'all of the run is before the first mark' '(before the first mark)=3000000' "$(phases r.json)"
measure tree --marks -- true
check_match 'no mark came' 'no mark came from the command' "$(cat err)"
measure tree --phase '(' -- touch ran
check 'a bad expression is refused' '125 no' "$status $(exists ran)"
check_match 'with its reason' "'\('.*not an extended regular expression: a group is open" "$(tr -s '\n ' ' ' < err | tr 'U' 'u')"

# Streams, byte for byte.
head -c 1048576 /dev/urandom > bytes
printf '\nlast\n' >> bytes
measure tree --phase '^last$' --quiet -- sh -c 'cat bytes; cat bytes >&2' > out
check 'a mebibyte of anything on standard error' same "$(head -c 1048582 err | cmp - bytes && echo same)"
check 'and on standard output' same "$(cmp out bytes && echo same)"
check 'marked at its end' last "$(record 'r["windows"]["runs"][0]["phases"][-1]["name"]')"
"$carbon" measure -v --root tree --baseline 0 --quiet --phase x -- sh -c 'seq 100000 >&2' 2>&1 |
    (sleep 0.3; cat) > slow
check 'a slow reader gets all of it' "$(seq 100000 | cksum)" "$(head -100000 slow | cksum)"

# Thousands of marks, long names, rubbish.
measure tree --marks --json r.json -- sh -c 'for i in $(seq 5000); do echo "step $((i % 3))" >&$CARBON_MARK_FD; done'
check 'five thousand marks' '1000 4000 5000' "$(record '(lambda w: " ".join(map(str, (len(w["marks"]), w["marks_left_out"], sum(p["times"] for p in w["phases"][1:])))))(r["windows"]["runs"][0])')"
check_match 'stays that are too short are told' '3 phases are below resolution, their stays under 10\.0 ms' "$(tr -s '\n ' ' ' < err)"
measure tree --marks --phase . -- sh -c 'head -c 300000 bytes >&$CARBON_MARK_FD; head -c 300000 bytes >&2' 2> /dev/null
check 'rubbish: names are few and short' '0 True' "$status $(record 'len(r["phases"]) <= 65 and all(0 < len(p["name"].encode()) <= 63 and not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in p["name"]) for p in r["phases"])')"
if "$source/tests/check-schema.sh" r.json > schema || [ $? = 77 ]; then schema=kept; else schema=$(cat schema); fi
check 'the schema' kept "$schema"

# Streams that end.
measure tree --marks --phase '^x' -- sh -c 'exec 2>&-; echo on >&$CARBON_MARK_FD; sleep 0.2; exit 5'
check 'a job that closes its standard error' '5 on' "$status $(record 'r["phases"][-1]["name"]')"
("$carbon" measure -v --root tree --baseline 0 --json p.json --phase y -- sh -c 'exec yes >&2' 2>&1; echo $? > status) | head -1 > /dev/null
check 'nobody reads standard error: the job ends by SIGPIPE' 13 "$(json p.json 'r["windows"]["runs"][0]["signal"]')"
begun=$SECONDS
measure tree --marks --phase '^x' -- sh -c 'sleep 60 & echo $! > left; echo x >&2; exit 6'
check 'what is left behind holds the pipes, and nobody waits' '6 yes 1' \
    "$status $([ $((SECONDS - begun)) -lt 30 ] && echo yes) $(record 'r["windows"]["runs"][0]["left_behind"]')"
kill "$(cat left)"
measure tree --marks --runs 3 -- sh -c 'echo a >&$CARBON_MARK_FD; exit 2'
check 'a run that fails has its phases' '2 1 a' "$status $(record 'r["phases"][-1]["runs"]') $(record 'r["phases"][-1]["name"]')"
measure tree --marks --phase x -- ./nothing-here
check 'a command that is not there' 127 "$status"

# Interrupted: the phases until then.
"$carbon" measure -v --root tree --baseline 0 --marks --phase '^x (.*)' --json z.json -- \
    sh -c 'echo a >&$CARBON_MARK_FD; echo "x b" >&2; exec sleep 30' 2> z.err &
until_true grep -sq '^x b$' z.err
kill -TERM $!
wait $!
check 'terminated in the run' '143 2' "$? $(json z.json 'len(r["windows"]["runs"][0]["marks"])')"

# carbon is killed: the job goes on, and a mark is no more than lost.
"$carbon" measure -v --root tree --baseline 0 --marks -- \
    sh -c ': > begun; until [ -e killed ]; do sleep 0.02; done
        echo a >&$CARBON_MARK_FD && echo b >&$CARBON_MARK_FD && echo lived > after' 2> /dev/null &
until_true test -e begun
kill -KILL $!
wait $! 2> /dev/null
: > killed
until_true test -s after
check 'a mark outlives carbon' lived "$(cat after)"

# One within the other: each has its own.
measure tree --marks -- "$carbon" measure -v --root tree --baseline 0 --marks --quiet --json inner.json -- \
    sh -c 'echo inner >&$CARBON_MARK_FD; echo outer >&3'
check 'nested' 'inner outer' "$(json inner.json 'r["phases"][-1]["name"]') $(record 'r["phases"][-1]["name"]')"
finish
