#!/bin/bash
# SPDX-License-Identifier: MIT
# Pages in a browser: nothing is asked of the network, nothing is said on the console, nothing sticks out on a phone or
# on paper, the keyboard reaches everything, and axe-core finds no fault. CARBON_BROWSER_OUT=DIR keeps the pictures,
# CARBON_AXE=FILE is an axe.min.js to use.
home=${HOME-}
. "$(dirname "$0")/../cli/lib.sh"
. "$source/tests/cli/lib-trees.sh"

command -v chromium > /dev/null || skip 'no browser (Debian: chromium)'
command -v chromedriver > /dev/null || skip 'the browser cannot be driven (Debian: chromium-driver)'
/usr/bin/python3 -c 'import selenium' 2> /dev/null || skip 'the browser cannot be driven (Debian: python3-selenium)'

# axe-core comes from where npm takes its packages.
axe=${CARBON_AXE:--}
if [ "$axe" = - ] && command -v npm > /dev/null; then
    HOME=$home timeout 60 npm install --prefix "$work/npm" --cache "$work/npm-cache" --no-audit --no-fund --silent \
        --fetch-retries=0 axe-core@4 > npm.log 2>&1
    [ ! -r "$work/npm/node_modules/axe-core/axe.min.js" ] || axe=$work/npm/node_modules/axe-core/axe.min.js
fi
[ "$axe" != - ] || echo 'not tested: what axe-core finds (it cannot be had by npm here)'

zone tree 262143328850 1000000 intel-rapl:0=package-0 intel-rapl:0:0=dram
burn="$helpers/burn"
measure() { "$carbon" measure --no-ledger --root tree "$@" > /dev/null 2>&1; }
minutes_of_grid 45 7 > grid.csv
mkdir pages
# Everything that a page can have, and next to nothing.
for _ in 1 2 3; do "$burn" tree intel-rapl:0:0 300000 400; done &
measure --baseline 0.4 --runs 3 --zone GB --intensities grid.csv --pue 1.2 --market-factor 30 --sci 10:jobs --embodied 1000 \
    --equivalents --label '<script>alert(1)</script> '"$(printf 'verylongword%.0s' {1..12})" --meta 'k=v & "w"' \
    --samples s.csv --interval 0.02 --phase '^phase (.*)' --html pages/full.html \
    -- sh -c "echo phase one >&2; '$burn' tree intel-rapl:0 4000000 120; echo phase two >&2; '$burn' tree intel-rapl:0 2000000 120"
check 'a full page' 0 $?
wait
measure --baseline 0 --html pages/bare.html -- "$burn" tree intel-rapl:0 1000 60
check 'a bare page' 0 $?

out=${CARBON_BROWSER_OUT:-$work/out}
mkdir -p "$out"
for month in 01 02 03 04; do
    "$carbon" estimate --ledger year.db --keep --at "2026-$month-10" --power 1"$month" --hours 400 --zone FR --pue 1.2 \
        --project "project <b>$month</b> & $(printf 'name%.0s' {1..12})" > /dev/null
done
"$carbon" estimate --ledger year.db --keep --at 2025-05-01 --energy 90kWh --zone DE > /dev/null
"$carbon" report --ledger year.db --year 2026 --duty 8h/d --html pages/year.html > /dev/null 2>&1 ||
    "$carbon" report --ledger year.db --year 2026 --html pages/year.html > /dev/null 2>&1
check 'the page of a year' 0 $?
# And a profile with a flame graph.
profiled=
if "$carbon" profile --no-ledger --baseline 0 --frequency 999 --flamegraph flame.svg --html pages/profile.html --speedscope p.speedscope.json --pprof profile.pb.gz --json profile.json -- "$helpers/functions" shares 1 \
    > /dev/null 2> err; then
    profiled=pages/profile.html
else
    echo "not tested: a profile ($(cat err))"
fi
"$carbon" compare --no-ledger --root tree --zone FR --baseline 0.1 --settle 0 --runs 2 --name '<b>first</b>' --name second --html pages/compare.html \
    -- "$burn tree intel-rapl:0 5000000 60" -- "$burn tree intel-rapl:0 2000000 60" > /dev/null 2>&1
check 'the page of a comparison' 0 $?
"$carbon" batch --no-ledger --root tree --zone FR --loops 2 --items 10 --reference 'survey=75' --html pages/batch.html \
    --module "early=$burn tree intel-rapl:0 2000000 60" --module "late=$burn tree intel-rapl:0 6000000 60" > /dev/null 2>&1
check 'the page of a batch' 0 $?
HOME=$work/home timeout 180 /usr/bin/python3 "$source/tests/browser/look.py" "$out" "$axe" pages/full.html pages/bare.html pages/year.html \
    pages/compare.html pages/batch.html $profiled > found 2>&1
check 'the browser was there to the end' 0 $?
check_match 'it looked' '^[0-9]{2,} looked at, ' "$(tail -n 1 found)"
check 'and found nothing' '' "$(sed '$d' found)"
for name in full bare year compare batch; do
    for picture in 390-light 390-dark 1280-light 1280-dark; do
        check "picture $name $picture" $'\x89PNG' "$(head -c 4 "$out/$name-$picture.png")"
    done
done

# A flame graph has a script of its own.
if [ "$profiled" ]; then
    check 'a flame graph' '' "$(HOME=$work/home timeout 180 /usr/bin/python3 -B "$source/tests/browser/flame.py" flame.svg thirty 2>&1)"
    # speedscope's own importer, as npm has it
    if command -v npm > /dev/null && HOME=$home timeout 90 npm install --prefix "$work/npm" --cache "$work/npm-cache" --no-audit --no-fund \
        --silent --fetch-retries=0 speedscope@1 > npm.log 2>&1; then
        check 'speedscope takes its file' '' "$(HOME=$work/home timeout 180 /usr/bin/python3 -B "$source/tests/browser/speedscope.py" \
            "$work/npm/node_modules/speedscope" p.speedscope.json sixty thirty ten 2>&1)"
    else
        echo 'not tested: speedscope (it cannot be had by npm here)'
    fi
    # Go's own reader of pprof's form (Debian: golang-go).
    go=$(PATH=$PATH:/usr/local/go/bin command -v go)
    if [ "$go" ] && HOME=$home GOTOOLCHAIN=local "$go" tool pprof -h 2>&1 | grep -q '^usage'; then
        HOME=$home GOTOOLCHAIN=local "$go" tool pprof -top -nodecount 1000 -nodefraction 0 -sample_index=energy -unit microjoules profile.pb.gz > top 2> top.err
        cat > top.py << 'END'
import json, re
r = json.load(open("profile.json"))
text = open("top").read()
total = re.search(r"Total samples = ([0-9.]+)microjoules", text)
if not total or abs(float(total.group(1)) / 1e6 - r["energy"]["own_j"]) > 2e-5:
    print("the sum:", total and total.group(0), r["energy"]["own_j"])
for name in "sixty", "thirty", "ten":
    row = re.search(rf"^ *([0-9.]+)microjoules .*  {name}$", text, re.M)
    own_j = sum(f["own_j"] for f in r["functions"] if f["name"] == name)
    if not row or abs(float(row.group(1)) / 1e6 - own_j) > 1e-4:
        print(name, row and row.group(0), own_j)
END
        check 'go tool pprof takes its file' '' "$(/usr/bin/python3 top.py 2>&1)"
    else
        echo 'not tested: go tool pprof (there is no go here)'
    fi
fi

finish
