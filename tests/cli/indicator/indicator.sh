#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon indicator: outputs passed on digit for digit, every fault of one by its name, known joules in every form, and
# scripts that print nothing, too much or for ever.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000 intel-rapl:0=package-0 intel-rapl:1=package-1
burn=$helpers/burn
indicator() { CARBON_BASELINE=0 "$carbon" indicator --root tree --no-ledger --quiet "$@"; }
python() { /usr/bin/python3 -c "$@"; }

# A script: burns so many µJ, tells something on standard error, and prints the file.
cat > script << END
#!/bin/sh
echo "REPS set to 7" >&2
"$burn" tree intel-rapl:0 \${UJ:-3000000} 60
cat "\$1"
exit \${STATUS:-0}
END
chmod +x script
printf '{"name": "PiMatmul", "component": "tensorflow",\n "@parameters": {"dtype": "float32", "reps": 7},\n "@result": {"rate": 6.00, "elapsed": 1.50e3}}\n' > good.json

# Known joules: in the object, whose own bytes stay as they are.
indicator --baseline 0.02 --pue 1.5 --intensity 100 --json one.json -- ./script good.json > out.json 2> err
check 'status' 0 $?
check 'its own bytes come first' "$(head -c -2 good.json)" "$(head -c "$(($(stat -c %s good.json) - 2))" out.json)"
check_match 'standard error is passed on' '^REPS set to 7$' "$(cat err)"
check 'keys, in their order' 'name component @parameters @result framework usage exit_code script_sha256 start_datetime end_datetime @energy @carbon' \
    "$(json out.json '" ".join(r)')"
check 'both names of the component' 'tensorflow tensorflow' "$(json out.json 'r["component"] + " " + r["framework"]')"
check 'joules' '3 0 3 measured compute True' "$(json out.json '(lambda e: "%g %g %g %s %s %s" % (e["energy_gross_j"], e["energy_idle_j"],
    e["energy_net_j"], e["energy_quality"], e["energy_scope"], math.isclose(e["energy_net_kwh"], 3 / 3.6e6)))(r["@energy"])')"
check 'each domain' 'package-0 3 3, package-1 0 0' "$(json out.json '", ".join("%s %g %g" % (d["name"], d["gross_j"] or 0, d["net_j"] or 0)
    for d in r["@energy"]["energy_domains"] if d["source"] == "powercap")')"
check 'kilograms by hand' True "$(json out.json '(lambda c: math.isclose(c["carbon_net_kgco2eq"], 3 / 3.6e6 * 1.5 * 0.1) and
    c["carbon_pue"] == 1.5 and c["carbon_kgco2eq_per_kwh"] == 0.1)(r["@carbon"])')"
check 'the 16 figures of getrusage, as Amun has them' True "$(json out.json '(list(r["usage"]) == ("ru_utime ru_stime ru_maxrss ru_ixrss ru_idrss "
    "ru_isrss ru_minflt ru_majflt ru_nswap ru_inblock ru_oublock ru_msgsnd ru_msgrcv ru_nsignals ru_nvcsw ru_nivcsw").split() and
    r["usage"]["ru_maxrss"] > 0 and r["usage"]["ru_minflt"] > 0)')"
check 'which script' "$(sha256sum < script | cut -d' ' -f1)" "$(json out.json 'r["script_sha256"]')"
# The file that is run, not what runs it: a shim of a manager of versions, env, taskset.
mkdir -p shims
printf '#!/bin/sh\nexec /usr/bin/python3 "$@"\n' > shims/python3
chmod +x shims/python3
echo 'import sys; print(open(sys.argv[1]).read())' > run.py
for by in 'python3' 'env A=1 python3' 'taskset -c 0 python3'; do
    # shellcheck disable=SC2086
    PATH=$PWD/shims:$PATH indicator --baseline 0 -- $by run.py good.json > by.json 2> by.err
    check "which script, run by $by" "$(sha256sum < run.py | cut -d' ' -f1)" "$(json by.json 'r["script_sha256"]')"
done
check 'how long' True "$(json out.json '(lambda t: abs((t(r["end_datetime"]) - t(r["start_datetime"])).total_seconds() -
    r["@energy"]["energy_duration_s"]) < 1e-5)(__import__("datetime").datetime.fromisoformat)')"
check 'the same in the result' 'True 3 None PiMatmul' "$(json one.json '" ".join(map(str, (json.load(open("out.json"))["@energy"] == r["runs"][0]["@energy"],
    r["summary"]["@energy"]["energy_net_j"]["mean"], r["gate"], r["runs"][0]["output"]["name"])))' | sed 's/3.0/3/')"
check 'the record is in it' 'carbon.record/1 3' "$(json one.json '"%s %g" % (r["record"]["schema"], r["record"]["gross_j"]["mean"])')"
check 'of a pretty object the new members stand below each other' 3 \
    "$(python 'import json; print(json.dumps({"a": 1, **json.load(open("good.json"))}, indent=4))' > pretty.json
    indicator -- ./script pretty.json 2> /dev/null | grep -cE '^    "(a|framework)"|^}$')"

# The ledger keeps it as any command's.
"$carbon" indicator --root tree --baseline 0 --ledger kept.db --quiet -- ./script good.json > /dev/null 2>&1
check 'in the ledger' '1 script' "$("$carbon" history --ledger kept.db --json - 2> /dev/null | python 'import json, sys
r = json.load(sys.stdin); k = [v for v in r.values() if isinstance(v, list) and v and isinstance(v[0], dict)][0]
print(len(k), k[0].get("label"))')"

# Several runs: an object a line, flat rows, Amun's layout, a score, everything in @result.
indicator --baseline 0.02 --runs 3 --json three.json --flat rows.csv --amun inspection --score rate --merge-into-result \
    -- ./script good.json > lines 2> err
check 'three runs' '0 3' "$? $(wc -l < lines)"
check_match 'a strict model refuses keys that are added' '@result has keys that were added' "$(cat err)"
check 'each an object' 'True' "$(python 'import json
rows = [json.loads(line) for line in open("lines")]
print(all(row["overall_score"] == 2 and row["@result"]["energy_net_j"] == 3 == row["@energy"]["energy_net_j"]
          and list(row["@result"])[:2] == ["rate", "elapsed"] for row in rows))')"
check 'digits are kept' 3 "$(grep -c '"rate":6.00,"elapsed":1.50e3,"energy_quality":"measured"' lines)"
check 'rows' 'True 3' "$(python 'import csv, json
rows = list(csv.DictReader(open("rows.csv")))
whole = json.load(open("three.json"))["runs"]
print(all(row["rate"] == "6.00" and row["elapsed"] == "1.50e3" and row["dtype"] == "float32" and row["reps"] == "7"
          and row["name"] == "PiMatmul" and row["component"] == "tensorflow" and row["run"] == str(i + 1)
          and float(row["energy_net_j"]) == 3 and float(row["overall_score"]) == 2 and row["exit_code"] == "0"
          and row["problem"] == "" and int(row["ru_maxrss"]) == run["usage"]["ru_maxrss"]
          and float(row["carbon_net_kgco2eq"]) == run["@carbon"]["carbon_net_kgco2eq"]
          for i, (row, run) in enumerate(zip(rows, whole))), len(rows))')"
check 'mean and interval' '3 0 3 3 more' "$(json three.json '(lambda e: "%g %g %g %g %s" % (e["energy_net_j"]["mean"], e["energy_net_j"]["deviation"],
    e["energy_net_interval_j"]["low"], e["energy_net_interval_j"]["high"], e["energy_verdict"]))(r["summary"]["@energy"])')"
check 'files of Amun' '0/hwinfo 0/log 0/result 1/hwinfo 1/log 1/result 2/hwinfo 2/log 2/result' \
    "$(cd inspection/results && find . -type f | sed 's,^./,,' | sort | xargs)"
check 'its report' 'REPS set to 7 | 0 PiMatmul 16 True' "$(json inspection/results/1/result '"%s| %d %s %d %s" % (r["stderr"].replace("\n", " "),
    r["exit_code"], r["stdout"]["name"], len(r["usage"]), "@energy" not in r["stdout"] and r["hostname"] == __import__("os").uname().nodename
    and all(k == k.lower() for k in r["os_release"]) and r["hwinfo"]["cpu_info"]["count"] > 0)')"
check 'sorted and indented as theirs' 'True True' "$(python 'import json
for name in "result", "hwinfo":
    text = open("inspection/results/0/" + name).read()
    again = json.dumps(json.loads(text), sort_keys=True, indent=2, ensure_ascii=False)
    print(text.replace("1.50e3", "1500.0").replace("6.00", "6.0").split() == again.split(), end=" ")' | sed 's/ $//')"
check 'digits are kept there, too' 1 "$(grep -c '"rate": 6.00$' inspection/results/0/result)"
check 'the log' 'REPS set to 7' "$(cat inspection/results/2/log)"
"$carbon" indicator --check inspection/results/*/result out.json good.json > checked 2>&1
check 'what it has written keeps to the contract' '0 3 2' "$? $(grep -c 'a report of Amun of PiMatmul (tensorflow), 2 parameters, 2 results$' checked) $(grep -c 'an output of PiMatmul' checked)"
check_schema 'as the schema has it' one.json three.json

# A specification of Amun: its script, variables and batch size, and the whole inspection as Amun leaves it.
specify() { # NAME SCRIPT MEMBERS
    python 'import json, sys
text = sys.argv[2].encode().decode("unicode_escape")
json.dump({"base": "ubi8", "identifier": "tf-matmul", "script": text, **json.loads(sys.argv[3])}, open(sys.argv[1], "w"), indent=2)' "$@"
}
specify spec.json '#!/bin/sh\necho "reps $REPS" >&2\nexec ./script good.json\n' \
    '{"batch_size": 2, "packages": ["which"], "environment": [{"name": "REPS", "value": "7 = x"}, {"name": "UJ", "value": "2000000"}],
      "run": {"requests": {"cpu": "2", "memory": "4Gi"}}}'
mkdir tmp
TMPDIR=$PWD/tmp indicator --baseline 0.02 --spec spec.json --amun whole --json spec-one.json > lines 2> err
check 'as often as batch_size says, with its variables' '0 2 2 2' "$? $(json spec-one.json '" ".join("%g" % run["@energy"]["energy_net_j"] for run in r["runs"])') $(wc -l < lines)"
check_match 'the variable' '^reps 7 = x$' "$(cat err)"
check 'the hash is that of the script in it' "$(python 'import hashlib, json; print(hashlib.sha256(json.load(open("spec.json"))["script"].encode()).hexdigest())') spec.json" \
    "$(head -1 lines | python 'import json, sys; print(json.load(sys.stdin)["script_sha256"])') $(json spec-one.json 'r["script"]["path"]')"
check 'its name is the identifier' tf-matmul "$(json spec-one.json 'r["record"]["label"]')"
check 'files of the inspection' 'build/specification results/0/hwinfo results/0/log results/0/result results/1/hwinfo results/1/log results/1/result' \
    "$(cd whole && find . -type f | sed 's,^./,,' | sort | xargs)"
check 'the specification is theirs, with the time' 'True True' "$(python 'import json
was, now = json.load(open("spec.json")), json.load(open("whole/build/specification"))
run = json.load(open("whole/results/0/result"))
print(list(now)[:-1] == list(was) and all(now[key] == was[key] for key in was), now["@created"] == run["start_datetime"])')"
check 'what was not done is told' "base and packages of 'spec.json' were not set up, run.requests of 'spec.json' were not applied: cpu 2, memory 4Gi" \
    "$(json spec-one.json '", ".join(n["what"] for n in r["record"]["notices"] if n["kind"] == "assumed" and "spec.json" in n["what"])')"
check 'nothing is left' '' "$(ls tmp)"
indicator --baseline 0.02 --runs 1 --label mine --spec spec.json --json spec-one.json -- ./script good.json > lines 2> err
check 'the command line is stronger' '0 1 mine 2' "$? $(json spec-one.json '"%d %s %g" % (len(r["runs"]), r["record"]["label"], r["runs"][0]["@energy"]["energy_net_j"])')"
mkdir specs
printf 'import json, os\nprint(json.dumps({"name": "P", "component": "c", "@parameters": {"reps": os.environ["REPS"]}, "@result": {}}))\n' > specs/beside.py
specify specs/file.json beside.py '{"environment": [{"name": "REPS", "value": ""}]}'
indicator --spec specs/file.json > out.json 2> err
check 'a file beside it, which is no program, is run by Python' "0  $(sha256sum < specs/beside.py | cut -d' ' -f1)" "$? $(json out.json 'r["@parameters"]["reps"] + " " + r["script_sha256"]')"
spec_refused() { # WHY SCRIPT MEMBERS
    specify faulty-spec.json "$2" "$3"
    indicator --json none.json --spec faulty-spec.json > out 2> err
    check "specification refused: $1" "125 carbon: 'faulty-spec.json'$1 no" "$? $(head -1 err) $(exists none.json)"
}
spec_refused ': its script is on the network' https://example.org/a/conv2d.py '{}'
check_match 'with the way out' '-- ./conv2d.py$' "$(cat err)"
spec_refused ": its script 'no-such.py' is not here" no-such.py '{}'
spec_refused ' has no script' '' '{}'
spec_refused ' has a batch_size that is not a number of runs' true '{"batch_size": 1.5}'
spec_refused ' has an environment that is not a list of names and values' true '{"environment": [{"name": "A"}]}'
echo '[]' > faulty-spec.json
indicator --spec faulty-spec.json > out 2> err
check_match 'a list' "125 carbon: 'faulty-spec.json' is not a specification" "$? $(cat err)"
"$carbon" indicator --spec spec.json good.json > out 2> err
check_match 'beside files' '125 carbon: --spec runs the script of its file' "$? $(cat err)"
"$carbon" indicator > out 2> err
check_match 'nothing to work on' "125 carbon: 'carbon indicator' needs an argument" "$? $(cat err)"
"$carbon" indicator --spec spec.json --amun whole --json whole/build/specification > out 2> err
check 'its own file is no other output' 125 $?

# Scores.
indicator --baseline 0.02 --score joules -- ./script good.json 2> /dev/null > out.json
check 'runs per joule' True "$(json out.json 'math.isclose(r["overall_score"], 1 / 3)')"
indicator --score joules -- ./script good.json 2> err > out.json
check 'no net, no score' 'None 1' "$(json out.json 'r["overall_score"]') $(grep -c 'note: overall_score of run 1 is null' err)"
indicator --score speed -- ./script good.json 2> err > out.json
check 'of nothing' "7 carbon: 'speed' is not a number in @result" "$? $(grep '^carbon:' err)"

# The table of its rows, of a script and of a file; SQLite takes it, and a row goes in.
indicator --schema -- ./script good.json 2> /dev/null > live.sql
"$carbon" indicator --schema good.json > file.sql
check 'the same table' 0 "$(cmp live.sql file.sql > /dev/null 2>&1; echo $?)"
check 'types' 'CREATE TABLE "PiMatmul" (,"dtype" TEXT,"reps" BIGINT,"rate" DOUBLE PRECISION,"elapsed" DOUBLE PRECISION' \
    "$(grep -E 'CREATE|"(dtype|reps|rate|elapsed)"' live.sql | sed 's/^ *//; s/,$//' | paste -sd,)"
check 'a row of it' '7 6.0 3.0' "$(python 'import csv, sqlite3
base = sqlite3.connect(":memory:")
base.executescript(open("live.sql").read())
rows = list(csv.reader(open("rows.csv")))
columns = [row[1] for row in base.execute("pragma table_info(PiMatmul)")]
assert columns == rows[0], (columns, rows[0])
base.execute("insert into PiMatmul values (%s)" % ",".join("?" * len(columns)), rows[1])
print(*base.execute("select reps, rate, energy_net_j from PiMatmul").fetchone())')"
indicator --schema -- true > out 2> /dev/null
check 'no output, no table' '7 0' "$? $(wc -c < out)"
printf '{"name":"P","component":"c","@parameters":{"run":1,"name":"x","big":123456789012345678901234567890,"list":[1, {"a": 2}]},"@result":{"ok":true,"none":null,"t":"a,\\"b\\"\\n\\u00e9"}}' > odd.json
indicator --flat odd.csv -- ./script odd.json > /dev/null 2>&1
check 'columns that carbon has, and values of every kind' '1|x|123456789012345678901234567890|[1,{"a":2}]|true||a,"b"/é' "$(python 'import csv
row = next(csv.DictReader(open("odd.csv", encoding="utf-8")))
print("|".join(row[k] for k in ("@parameters.run", "@parameters.name", "big", "list", "ok", "none", "t")).replace("\n", "/"))' | cat)"
check 'their types' '"@parameters.run" BIGINT,"big" NUMERIC,"list" JSONB,"ok" BOOLEAN,"none" TEXT' \
    "$("$carbon" indicator --schema odd.json | grep -E '"(@parameters.run|big|list|ok|none)"' | sed 's/^ *//; s/,$//' | paste -sd,)"

# Bad outputs: each named and placed; usage and energy are kept all the same.
bad() {
    local name=$1 place=$2 what=$3
    shift 3
    indicator --json bad.json --flat bad.csv --amun "amun-$name" "$@" > out 2> err
    check "$name: status" 7 $?
    check "$name: message" "$what" "$(grep '^carbon: ' err | sed 's/^carbon: //')"
    check "$name: nothing is printed" '' "$(cat out)"
    check "$name: name, place and energy" "$name $place None 3 0" "$(json bad.json '(lambda n: "%s %s:%s %s %g %d" % (n["problem"]["name"], n["problem"]["line"],
        n["problem"]["column"], n["output"], n["@energy"]["energy_gross_j"], n["exit_code"]))(r["runs"][0])')"
    check "$name: in the row" "$name 3.0" "$(python 'import csv
row = next(csv.DictReader(open("bad.csv")))
print(row["problem"], float(row["energy_gross_j"]))')"
    cp bad.json "bad-$name.json"
}
text() { printf "$2" > "$1"; }
text empty ' \n'
bad empty None:None 'the output is empty' -- ./script empty
check 'Amun has {}' '{}' "$(json amun-empty/results/0/result 'r["stdout"]')"
text two '{"a":1}\n{"b":2}\n'
bad two-objects 2:1 'the output holds two objects' -- ./script two
check 'Amun has the text' '{"a":1} {"b":2}' "$(json amun-two-objects/results/0/result '" ".join(r["stdout"].split())')"
text words 'all done\n'
bad not-json 1:1 'the output is no JSON' -- ./script words
text cut '{"name":"x",'
bad cut-short 1:13 'the output ends in the middle' -- ./script cut
text bytes '{"name":"\xff"}'
bad not-utf8 1:10 'the output is no UTF-8' -- ./script bytes
sed 's/6.00/NaN/' good.json > nan
bad nan 3:22 'the output holds NaN' --strict -- ./script nan
sed 's/"name"/"usage": 1, "name"/' good.json > reserved
bad reserved-key 1:2 "the output has 'usage', which carbon adds" -- ./script reserved
sed 's/"rate"/"energy_x"/' good.json > clash
bad collision 3:14 "the output has a key that begins with 'energy_'" --merge-into-result -- ./script clash
bad too-large None:None 'the script printed more than 1000000 bytes' --most-output 1 -- sh -c "./script good.json > /dev/null; trap 'exit 0' TERM
    head -c 100000000 /dev/zero & wait"
"$source/tests/check-schema.sh" bad-*.json > schema.out 2>&1
case $? in 77) ;; *) check 'all as the schema has it' 0 $? || cat schema.out ;; esac
check 'which is told how to mend' 1 "$(grep -c 'raise --most-output$' err)"

# NaN: null and a note, or passed on.
indicator -- ./script nan > out.json 2> err
check 'null' '0 None 1' "$? $(json out.json 'r["@result"]["rate"]') $(grep -c 'note: 1 of NaN or Infinity in the output became null' err)"
indicator --allow-nan -- ./script nan > out 2> err
check 'as it is' '0 1 0' "$? $(grep -c '"rate": NaN' out) $(grep -c 'note: 1 of NaN' err)"

# Endless output is ended, whatever the script thinks of SIGTERM; nothing of it is left.
indicator -- sh -c 'echo $$ > pid; yes' > out 2> err
check 'endless' '143 carbon: the script printed more than 16000000 bytes' "$? $(grep '^carbon:' err)"
check 'nothing is left of it' no "$(if kill -0 "$(cat pid)" 2> /dev/null; then echo yes; else echo no; fi)"
/usr/bin/python3 -c 'import resource, subprocess, sys
status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 200 * 1024)' "$carbon" indicator --root tree --baseline 0 --no-ledger --quiet \
    -- sh -c 'trap "" TERM; exec head -c 100000000 /dev/zero' > out
check 'in bounded memory' '137 True' "$(cat out)"

# Nobody waits for what was left behind with its standard output; long messages and outputs; and all runs together.
indicator --amun left -- sh -c 'sleep 1000 & echo $! > pid; exec ./script good.json' > out.json 2> err
check 'left behind' '0 PiMatmul REPS set to 7' "$? $(json out.json 'r["name"]') $(cat left/results/0/log)"
kill "$(cat pid)"
head -c 300000 /dev/zero | tr '\0' m > messages
indicator --amun told -- sh -c 'cat messages >&2; exec ./script good.json' 2> err > out.json
check 'long messages are passed on, and kept' '0 300000 300000' "$? $(tr -cd m < err | head -c 300000 | wc -c) $(tr -cd m < told/results/0/log | head -c 300000 | wc -c)"
head -c 3000000 /dev/zero | tr '\0' ' ' > blanks
indicator -- sh -c 'cat blanks good.json blanks' > out.json 2> err
check 'a long output' '0 PiMatmul' "$? $(json out.json 'r["name"]')"
indicator --runs 8 --most-output 100 --json s.json -- sh -c 'cat good.json; head -c 60000000 /dev/zero | tr "\0" " "' > out 2> err
check 'too long together' '7 False' "$? $(json s.json 'r["complete"]')"
check_match 'which is told' 'the outputs of all runs together are too long to be kept' "$(cat err)"
"$carbon" indicator --root tree --baseline 30 --no-ledger --quiet --ready-fd 5 -- ./script good.json > out 2> err 5> begun &
until_true grep -sqx baseline begun
kill -TERM $!
wait $!
check 'ended before it was run' '143 0' "$? $(wc -c < out)"

# Its exit status, also beside a bad output; a signal; no such script.
STATUS=9 indicator --json s.json -- ./script good.json > out.json 2> /dev/null
check 'its own status, and its object' '9 9 PiMatmul' "$? $(json out.json '"%d %s" % (r["exit_code"], r["name"])')"
STATUS=9 indicator -- ./script words > out 2> err
check 'before that of a bad output' 9 $?
indicator --json s.json -- sh -c 'kill -9 $$' > out 2> err
check 'killed' '137 137 empty' "$? $(json s.json '"%d %s" % (r["runs"][0]["exit_code"], r["runs"][0]["problem"]["name"])')"
indicator --json none.json -- ./no-such-script > out 2> err
check 'no such script' '127 no' "$? $(exists none.json)"
printf '#!/bin/sh\n[ -e once ] && exit 5\n: > once\ncat good.json\n' > second
chmod +x second
indicator --runs 3 --json s.json -- ./second > out 2> err
check 'the first that failed, and what was printed until then' '5 1 2 False' "$? $(wc -l < out) $(json s.json '"%d %s" % (len(r["runs"]), r["complete"])')"

# Command lines that make no sense.
refused() {
    local why=$1
    shift
    "$carbon" indicator "$@" > out 2> err
    check "refused: $why" "125 carbon: $why" "$? $(head -1 err)"
}
refused '--strict refuses what --allow-nan passes on' --strict --allow-nan -- true
refused '--check looks at files, and runs nothing' --check -- true
refused 'standard output holds the objects of the script' --root tree --json - -- true
refused "it is not said what is to be done with 'good.json'" good.json
"$carbon" indicator --check nowhere.json > out 2> err
check 'a file that is not there' 125 $?

# Real outputs and reports.
[ -d "$shared/cases/thoth" ] || { echo 'real outputs are not looked at: no cases/thoth'; finish; }
cases=$shared/cases/thoth
for file in "$cases/specification/tf-matmul.json" "$cases/amun-2020-08/specification.json"; do
    indicator --spec "$file" > out 2> err
    status=$?
    check_match "$(basename "$file"): its script is not fetched" '^125 .*its script is on the network.* -- ./(matmul|conv2d)[.]py' "$status $(tr '\n' ' ' < err)"
    indicator --runs 1 --amun real --spec "$file" -- ./script good.json > out.json 2> err
    status=$?
    check "$(basename "$file"): with one at hand" '0 True' "$status $(python 'import json, sys
was, now = json.load(open(sys.argv[1])), json.load(open("real/build/specification"))
print({key: now[key] for key in was} == was and "@created" in now)' "$file")"
done
for file in "$cases"/script-output/*.json "$cases"/constructed/{nested-result,unicode}.json; do
    indicator -- ./script "$file" > out.json 2> /dev/null
    check "$(basename "$file"): status" 0 $?
    check "$(basename "$file"): digit for digit" True "$(python 'import json, sys
def raw(text):
    return json.loads(text, parse_float=str, parse_int=str, object_pairs_hook=list)
before, after = raw(open(sys.argv[1], encoding="utf-8").read()), raw(open("out.json", encoding="utf-8").read())
was = open(sys.argv[1], "rb").read().strip()[:-1].rstrip()
print(after[:len(before)] == before and open("out.json", "rb").read().startswith(was))' "$file")"
done
constructed() {
    indicator --json bad.json -- ./script "$cases/constructed/$1" > out 2> err
    check "$1" "$2" "$? $(json bad.json '(lambda p: "%s %s:%s" % (p["name"], p["line"], p["column"]))(r["runs"][0]["problem"])')"
}
constructed array.json '7 no-object 1:1'
constructed collision.json '7 collision 1:67'
constructed duplicate-key.json '7 duplicate-key 1:31'
constructed empty.txt '7 empty None:None'
constructed missing-result.json '7 missing-key 1:1'
constructed not-json.txt '7 not-json 1:1'
constructed trailing.txt '7 trailing-text 2:1'
"$carbon" indicator --check "$cases"/script-output/*.json "$cases"/amun-*/result-*.json > checked 2>&1
check 'all of them keep to the contract' "0 $(find "$cases/script-output" "$cases"/amun-* -name '*-[0-9].json' ! -name 'hwinfo*' -o -name 'readme*.json' | wc -l)" \
    "$? $(wc -l < checked)"
for file in "$cases"/amun-*/result-0.json; do
    check "$file: the keys of a report are in ours" "$(python 'import json, sys
def keys(node, path=""):
    for key, value in node.items() if isinstance(node, dict) else ():
        yield path + key
        if key not in ("stdout", "hwinfo", "os_release"):
            yield from keys(value, path + key + "/")
theirs, ours = (set(keys(json.load(open(name)))) for name in (sys.argv[1], "inspection/results/0/result"))
print(theirs - ours)' "$file")" 'set()'
done
check 'the parts of hwinfo are theirs' True "$(python 'import json, sys
theirs, ours = json.load(open(sys.argv[1])), json.load(open("inspection/results/0/hwinfo"))
print(set(theirs) == set(ours) and all(set(ours[part]) == set(theirs[part]) for part in ours))' "$cases/amun-2020-08/hwinfo-0.json")"

finish
