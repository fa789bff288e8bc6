#!/bin/bash
# SPDX-License-Identifier: MIT
# The forms of a profile say the same joules; what cannot be sampled is said; two profiles are compared.
. "$(dirname "$0")/../lib.sh"

functions=$helpers/functions
profile() { "$carbon" profile --no-ledger --baseline 0 "$@"; }

check_match 'refused: an error that says why' '^carbon: cannot sample stacks with perf_event_open$' "$("$helpers/refuse" stacks -- "$carbon" profile --no-ledger --baseline 0 -- true 2>&1)"
check_match 'refused: and what helps' '^   fix: .*(perf_event_paranoid=2|PERFMON)' "$("$helpers/refuse" stacks -- "$carbon" profile --no-ledger --baseline 0 -- true 2>&1)"
ran=$("$helpers/refuse" stacks -- "$carbon" profile --no-ledger --baseline 0 --json no.json -- echo ran 2> /dev/null)
check 'refused: nothing is run' '125 ' "$? $ran"
check 'refused: nothing is left' '' "$(ls)"

profile --frequency 999 --json p.json --flamegraph p.svg --folded p.folded --speedscope p.speedscope --pprof p.pb.gz --html p.html \
    --annotate sixty -- "$functions" shares 1 > truth 2> table
grep -q 'perf_event_open' table && skip "the kernel lets nobody sample: $(cat table)"
check 'the document keeps to its schema' 0 "$(srcdir=$source "$source/tests/check-schema.sh" p.json > schema; echo $?)"
grep -v 'keep to their schemas' schema

cat > forms.py << 'END'
import gzip, json, struct, xml.etree.ElementTree as xml
r = json.load(open("p.json"))
own_j, tiny = r["energy"]["own_j"], 3e-6

def close(what, got, want, tolerance=tiny):
    if abs(got - want) > tolerance:
        print(f"{what}: {got}, not {want}")

folded = [line.rsplit(" ", 1) for line in open("p.folded")]
close("folded", sum(int(weight) for _, weight in folded) / 1e6, own_j)
close("folded sixty", sum(int(w) for stack, w in folded if stack.endswith(";sixty")) / 1e6,
      sum(f["own_j"] for f in r["functions"] if f["name"] == "sixty"), 1e-4)

s = json.load(open("p.speedscope"))
one, frames = s["profiles"][0], s["shared"]["frames"]
close("speedscope", sum(one["weights"]), own_j)
close("speedscope's end", one["endValue"], own_j)
if s["$schema"] != "https://www.speedscope.app/file-format-schema.json" or one["type"] != "sampled":
    print("speedscope: no such file")
if len(one["samples"]) != len(one["weights"]) or max(max(x) for x in one["samples"]) >= len(frames):
    print("speedscope: frames")
close("speedscope sixty", sum(w for x, w in zip(one["samples"], one["weights"]) if frames[x[-1]]["name"] == "sixty"),
      sum(f["own_j"] for f in r["functions"] if f["name"] == "sixty"))

def fields(data):
    at = 0
    def varint():
        nonlocal at
        value = shift = 0
        while True:
            value |= (data[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if data[at - 1] < 128:
                return value
    while at < len(data):
        key = varint()
        value = varint()
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        yield key >> 3, value
def packed(data):
    out, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            out.append(value - (1 << 64) if value >> 63 else value)
            value = shift = 0
    return out
p = list(fields(gzip.open("p.pb.gz").read()))
strings = [v.decode() for k, v in p if k == 6]
types = [strings[dict(fields(v))[1]] + "/" + strings[dict(fields(v))[2]] for k, v in p if k == 1]
if types != ["samples/count", "energy/microjoules"] or strings[0]:
    print("pprof:", types)
names = {dict(fields(v))[1]: strings[dict(fields(v))[2]] for k, v in p if k == 5}
samples = [{k: packed(v) for k, v in fields(v)} for k, v in p if k == 2]
close("pprof", sum(x[2][1] for x in samples) / 1e6, own_j)
close("pprof's samples", sum(x[2][0] for x in samples), r["sampling"]["samples"])
close("pprof sixty", sum(x[2][1] for x in samples if names[x[1][0]] == "sixty") / 1e6,
      sum(f["own_j"] for f in r["functions"] if f["name"] == "sixty"), 1e-4)

svg = xml.parse("p.svg").getroot()
groups = [g for g in svg.iter("{http://www.w3.org/2000/svg}g") if g.get("class") == "f"]
title = lambda g: g.find("{http://www.w3.org/2000/svg}title").text
close("the flame graph's threads", sum(float(g.get("data-w")) for g in groups if g.get("data-d") == "1"), 1, 0.003)
close("the flame graph's sixty", sum(float(g.get("data-w")) for g in groups if title(g).startswith("sixty ")),
      sum(f["total_j"] for f in r["functions"] if f["name"] == "sixty") / own_j, 0.003)
page = xml.parse("p.html")
at = lambda part, key: part[int(key)] if key.isdigit() else part[key]
figures = 0
for data in page.iter("{http://www.w3.org/1999/xhtml}data"):
    want = r
    for key in data.get("data-place").split("."):
        want = at(want, key)
    if data.get("value") not in ("", None):
        close(f"the page's {data.get('title')}", float(data.get("value")), want, 1e-9 * abs(want))
        figures += 1
if figures < 20:
    print(f"the page has {figures} figures")
if any("script" in e.tag or "http" in (e.get("src") or e.get("href") or "") for e in page.iter() if isinstance(e.tag, str)):
    print("the page has a script, or loads something")
if any("http" in value for e in svg.iter() for value in e.attrib.values()):
    print("the flame graph loads something")
END
check 'all forms' '' "$(/usr/bin/python3 forms.py 2>&1)"
line=$(grep -n '^FUNCTION(sixty)' "$source/tests/helpers/functions.c" | cut -d: -f1)
check_match 'a function by line of source' 'functions\.c$' "$(cat table)"
[ -n "$line" ] && check_match 'each with its joules' '^ +[0-9.]+ m?J +[0-9.]+ +[0-9]+  line [0-9]+$' "$(cat table)"
check_match 'one that has no samples' "^carbon: function 'nothing' has no samples of its own" "$(profile --annotate nothing -- "$functions" shares 0.1 2>&1)"
check_match 'by thread' '  functions \(process [0-9]+, thread [0-9]+\)$' "$(profile --by thread -- "$functions" shares 0.2 2>&1)"
check_match 'by library' '  functions$' "$(profile --by library -- "$functions" shares 0.2 2>&1)"

# By phase: what the job does in each is known.
# shellcheck disable=SC2016 # the inner shell's
profile --frequency 999 --json phases.json --phase '^phase (.*)' --by phase -- sh -c 'echo phase one >&2; "$0" shares 0.5; echo phase two >&2; "$0" deep 1' \
    "$functions" > truth 2> table
cat > phases.py << 'END'
import json, math
r = json.load(open("phases.json"))
truth = {n: float(s) for n, s in (line.split() for line in open("truth"))}
seconds = {"one": sum(truth[n] for n in ("sixty", "thirty", "ten")), "two": truth["deepest"]}
got = {p["name"]: p for p in r["phases"]}
n = sum(p["own_samples"] for p in r["phases"])
nj = lambda j: round(j * 1e9)
if n != r["sampling"]["samples"]:
    print(f"{n} samples of {r['sampling']['samples']}")
if sum(nj(p["own_j"]) for p in r["phases"]) + nj(r["energy"]["unseen_j"]) + nj(r["energy"]["gpu_j"]) != nj(r["energy"]["own_j"]):
    print("the sum is not the job's own")
for name, s in seconds.items():
    p = s / sum(seconds.values())
    if abs(got[name]["own_samples"] / n - p) > 5 * math.sqrt(p * (1 - p) / n) + 0.03:
        print(f"{name}: {got[name]['own_samples']} of {n} samples, {s} s of {seconds}")
    if {x["name"] for x in r["record"]["phases"]} < set(got):
        print("the record has other phases")
END
check 'by phase' '' "$(/usr/bin/python3 phases.py 2>&1)"
check_match 'in the table' '^ +[0-9.]+ m?J .*  two$' "$(cat table)"
check_match 'without marks' '^carbon: --by phase needs --marks or --phase' "$(profile --by phase -- true 2>&1)"

check_match 'few rows' '  [0-9]+ more \(--top 0: all\)$' "$(profile --top 1 -- "$functions" shares 0.2 2>&1)"
check 'quiet' '' "$(profile --quiet --json q.json -- true 2>&1)"

# The same job again, and one that does half of it.
profile --frequency 999 --json again.json -- "$functions" shares 1 > /dev/null 2>&1
profile --frequency 999 --json other.json -- "$functions" deep 1 > /dev/null 2>&1
"$carbon" profile diff p.json other.json --json diff.json 2> diff.err
check 'what is gone differs beyond chance' True "$(json diff.json '[f for f in r["functions"] if f["name"] == "sixty"][0]["significant"]')"
check 'and what came' True "$(json diff.json '(lambda f: f["significant"] and f["before_samples"] == 0 and f["difference_j"] > 0)([f for f in r["functions"] if f["name"] == "deepest"][0])')"
check 'the difference keeps to its schema' 0 "$(srcdir=$source "$source/tests/check-schema.sh" diff.json > schema; echo $?)"
grep -v 'keep to their schemas' schema
"$carbon" profile diff p.json p.json > /dev/null 2> same
check_match 'nothing differs from itself' '^0 of [0-9]+ functions differ' "$(cat same)"
for i in 1 2 3; do
    profile --quiet --frequency 999 --json "a$i.json" -- "$functions" shares 0.3 > /dev/null 2>&1
    profile --quiet --frequency 999 --json "b$i.json" -- "$functions" deep 0.3 > /dev/null 2>&1
done
"$carbon" profile diff a1.json,a2.json,a3.json b1.json,b2.json,b3.json --json several.json > /dev/null 2> several.err
check 'three profiles of each' '3 3' "$(json several.json '"%d %d" % (r["before_profiles"], r["after_profiles"])')"
check 'the mean of three' True "$(json several.json '(lambda f: f["before_j"] > 0 and f["after_j"] == 0)([f for f in r["functions"] if f["name"] == "sixty"][0])')"
check_match 'by how runs scatter' 'differ beyond the chance of runs' "$(cat several.err)"
check 'they keep to the schema' 0 "$(srcdir=$source "$source/tests/check-schema.sh" several.json > schema; echo $?)"
check 'quiet' '' "$("$carbon" profile diff a1.json b1.json --quiet 2>&1)"
check_match 'one of several is missing' "^carbon: .*'none.json'" "$("$carbon" profile diff a1.json,none.json b1.json 2>&1)"
check_match 'one profile' 'needs two profiles' "$("$carbon" profile diff p.json 2>&1)"
check_match 'an option of no use' '^carbon: --frequency cannot be used' "$("$carbon" profile --frequency 9 diff p.json again.json 2>&1)"
echo '{}' > empty.json
"$carbon" profile diff p.json empty.json > /dev/null 2>&1
check 'another document' 125 $?

# It is a record like any other: compared, drawn and kept.
"$carbon" compare --json compared.json p.json again.json > /dev/null 2> err
check 'the records of two profiles are compared' 2 "$(json compared.json 'len(r["results"])')"
if command -v gnuplot > /dev/null; then
    "$carbon" plot p.json again.json --output bars.svg > /dev/null 2> err
    check_match 'and drawn' 'functions shares 1' "$(cat bars.svg)"
fi
"$carbon" profile --baseline 0 --ledger ledger --label kept -- "$functions" shares 0.1 > /dev/null 2>&1
check_match 'in the ledger' ' kept' "$("$carbon" history --ledger ledger 2>&1)"
finish
