#!/bin/bash
# SPDX-License-Identifier: MIT
# --html: the page of a result says what its JSON record says, needs nothing else, and its file is treated as every
# other result.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000 intel-rapl:0=package-0 intel-rapl:0:0=dram
burn="$helpers/burn"
measure() { "$carbon" measure -v --no-ledger --root tree --baseline 0 "$@" 2> err; }

# page PAGE RECORD: how many figures agree to the digit, then what does not, and whatever the page would load or run.
cat > page.py << 'PY'
import json, re, sys
import xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
record = json.load(open(sys.argv[2]), parse_float=str, parse_int=str)
good = 0
ids = set()
for node in root.iter():
    tag = node.tag.split("}")[1]
    assert tag not in ("script", "img", "iframe", "object", "embed", "form", "base", "video", "audio", "use", "image"), tag
    for name, value in node.attrib.items():
        assert not name.startswith("on"), name
        assert name not in ("src", "style", "srcset", "action"), name
        if name.endswith("href"):
            assert value == "data:," or value[0] == "#", value
        if name == "id":
            assert value not in ids, value
            ids.add(value)
    if tag == "data" and not node.get("data-place").startswith("hours."):
        at = record
        for key in node.get("data-place").split("."):
            at = at[int(key)] if isinstance(at, list) else at[key]
        if at == node.get("value"):
            good += 1
        else:
            print(node.get("data-place"), at, node.get("value"))
for node in root.iter():
    link = node.get("href", "")
    assert not link.startswith("#") or link[1:] in ids, link
style = root.find(".//{*}style").text
assert "url(" not in style and "@import" not in style
policy = [m.get("content") for m in root.iter("{http://www.w3.org/1999/xhtml}meta") if m.get("http-equiv")]
assert policy and policy[0].startswith("default-src 'none'"), policy
print("enough" if good >= int(sys.argv[3]) else "%d figures" % good)
PY
page() { /usr/bin/python3 page.py "$@" 2>&1; }
# text PAGE: all its words.
text() { /usr/bin/python3 -c 'import sys, xml.etree.ElementTree as tree
print(" ".join("".join(tree.parse(sys.argv[1]).getroot().find("{*}body").itertext()).split()))' "$1"; }

hostile='</title><script>alert("1")</script> & '"'q'"
"$carbon" measure -v --no-ledger --root tree --baseline 0.3 --runs 2 --zone FR --pue 1.25 --market-factor 20 --label "$hostile" \
    --sci 10:jobs --embodied 1000 --equivalents --html a.html --json a.json --csv a.csv --samples a-samples.csv \
    --interval 0.05 -- "$burn" tree intel-rapl:0 5000000 200 2> err
check 'measure: status' 0 $?
check 'the figures are those of the record' enough "$(page a.html a.json 120)"
check 'only the page' 'a.html' "$(ls a.html*)"
check_match 'the label as it stands' "^carbon: energy and emissions of one measurement </title><script>alert\(\"1\"\)</script> & 'q' " \
    "$(text a.html | sed 's/^to the content //')"
check_match 'the sum that can be redone' 'gross: .* × PUE 1.25 × [0-9.]+ gCO2eq/kWh = ' "$(text a.html)"
check_match 'the time series is drawn' 'class="faint"' "$(cat a.html)"
check_match 'the market-based figure stands beside' 'gross, market-based' "$(text a.html)"
check_match 'how to verify' "carbon history show $(json a.json 'r["id"]') --json record.json carbon verify record.json" "$(text a.html)"

measure --html b.html --json b.json -- sh -c "'$burn' tree intel-rapl:0 1000 60; exit 7"
check 'the status is the command'"'"'s' 7 $?
check 'without a baseline' enough "$(page b.html b.json 30)"
check_match 'net is not known' 'unknown: no baseline was taken' "$(text b.html)"
check_match 'the exit status' 'exit status 7' "$(text b.html)"
check_absent 'no series, no line of it' 'class="faint"' "$(cat b.html)"
measure --html - -- "$burn" tree intel-rapl:0 1000 60 > c.html
check 'on standard output' 1 "$(grep -c '^<!DOCTYPE html>' c.html)"

# By the hour: the rows add up to the runs times the record's figure.
minutes_of_grid 90 7 > grid.csv
measure --zone GB --intensities grid.csv --runs 2 --html h.html --json h.json -- "$burn" tree intel-rapl:0 5000000 100
check 'by the hour: the figures' enough "$(page h.html h.json 50)"
check 'by the hour: the rows add up' yes "$(/usr/bin/python3 -c 'import json, re
rows = re.findall(r"value=\"([^\"]*)\" data-place=\"hours\.\d+\.kgco2eq\"", open("h.html").read())
r = json.load(open("h.json"))
sum_ = r["runs"] * r["emissions"]["gross"]["kgco2eq"]
print("yes" if abs(sum(map(float, rows)) - sum_) <= 1e-12 * sum_ else f"{rows} {sum_}")')"

# A record read back.
"$carbon" restate --no-ledger a.json --zone DE --html r.html --json r.json > /dev/null 2> err
check 'restate: status' 0 $?
check 'restate: the figures' enough "$(page r.html r.json 120)"
check_match 'restate: its parent' "restated from record $(json a.json 'r["id"]')" "$(text r.html)"
check 'restate: not over the record' 125 "$("$carbon" restate --no-ledger a.json --html a.json > /dev/null 2>&1; echo $?)"
"$carbon" restate --no-ledger a.json --html - > r-out.html 2> /dev/null
check 'restate: standard output is the page alone' '<!DOCTYPE html> </html>' "$(head -1 r-out.html) $(tail -1 r-out.html)"
if "$carbon" measure -v --ledger l.db --root tree --baseline 0 --json l.json -- "$burn" tree intel-rapl:0 1000 60 2> /dev/null; then
    "$carbon" history --ledger l.db show "$(json l.json 'r["id"]')" --html l.html --json l-again.json > out 2> err
    check 'history show: status' 0 $?
    check 'history show: the figures' enough "$(page l.html l.json 30)"
    check 'history show: the record too, and no table' "$(cat l.json)" "$(cat l-again.json out)"
    check 'no page of a list' 125 "$("$carbon" history --ledger l.db --html x.html > /dev/null 2> err; echo $?)"
    check_match 'and what there is' 'history show ID --html FILE' "$(cat err)"
fi

# The file: opened before anything is run, complete or under another name.
"$carbon" measure -v --no-ledger --root tree --html /no/such/folder/x.html -- touch "$work/ran" 2> err
check 'no such folder' 125 $?
check_match 'says so' "cannot write '/no/such/folder/x.html'" "$(tr '\n' ' ' < err)"
check 'nothing was run' no "$([ -e "$work/ran" ] && echo yes || echo no)"
echo before > a-there.html
measure --html a-there.html -- sh -c 'cat a-there.html; ls a-there.html*; exec "$0" tree intel-rapl:0 1000 60' "$burn" > during
check 'what was there stays until the end' 'before a-there.html a-there.html.partial' "$(tr '\n' ' ' < during | sed 's/ $//')"
check 'and is replaced then' '<!DOCTYPE html>' "$(head -1 a-there.html)"
measure --html - -- "$burn" tree intel-rapl:0 1000 60 > /dev/full
check 'a full device' 125 $?
check_match 'is told' 'no space left on device' "$(tr '\n' ' ' < err)"
mkdir small
if mount -t tmpfs -o size=8k none small 2> /dev/null; then
    measure --html small/p.html --json d.json -- "$burn" tree intel-rapl:0 2000 60
    check 'a full disk' 125 $?
    check_match 'which file, and why' 'small/p.html.*no space left' "$(tr '\n' ' ' < err)"
    check 'no page that is none' 'p.html.partial' "$(ls small)"
    check 'the record is kept' 0.002 "$(json d.json 'r["gross_j"]["mean"]')"
    umount small
else
    echo 'not tested: a full disk (mounting a tmpfs takes root)'
fi

finish
