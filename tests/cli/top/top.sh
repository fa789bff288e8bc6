#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon top: who draws the power of a machine whose powers are known; all lines add up to it, in every form; what an ordinary user
# sees of the real one.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"

lay_serve_tree
mover=
trap '[ -z "$mover" ] || kill "$mover"; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
echo 0.8 > tree/busy
/usr/bin/python3 -B "$source/tests/helpers/groups.py" tree 20 30 &
mover=$!
until_true test -e tree/moving
top() { "$carbon" top --root tree --source powercap --intensity 360 --pue 1.5 "$@"; }

# of FILE EXPRESSION: over the update `u`, the last of a file of them; rows by their names: r
of() {
    /usr/bin/python3 -c 'import json, sys
us = [json.loads(line, parse_constant=lambda word: 1 / 0) for line in open(sys.argv[1])]
u = us[-1]
r = {row["name"]: row for row in u["rows"]}
def known(x): return 0 if x is None else x
def total(u, key, idle=None):
    return (sum(known(row[key]) for row in u["rows"]) + known(u["others"][key]) + known(u["ended"][key]) + known(u["not_attributed"][key])
            + known(u["idle"][idle or key]))
def near(a, b, share=1e-9): return abs(a - b) <= share * abs(b)
def adds_up(u):
    return (near(total(u, "power_w"), u["machine"]["power_w"]) and near(total(u, "energy_j"), u["machine"]["energy_j"])
            and near(total(u, "kgco2eq"), u["machine"]["kgco2eq"]) and near(total(u, "cpu_share"), 1)
            and near(total(u, "own_w", "idle_w"), u["machine"]["power_w"]) and near(total(u, "own_j", "idle_j"), u["machine"]["energy_j"]))
print(eval(sys.argv[2]))' "$1" "$2"
}

# Processes
top --once --for 3s --json - > once.json
check 'it succeeds' 0 $?
check 'one update' 'carbon.top/1 1' "$(of once.json 'u["schema"] + " " + str(len(us))')"
check_match 'it keeps to its schema' '^SKIPPED|^1 document' "$(srcdir=$source "$source/tests/check-schema.sh" once.json)"
check 'all lines add up to the machine' True "$(of once.json 'adds_up(u)')"
check 'both processes, the larger first' "['worker', 'a) b'] [11, 12]" "$(of once.json 'str([row["name"] for row in u["rows"]]) + " " + str([row["pid"] for row in u["rows"]])')"
check 'watts of a process: power × its part of the CPU' True "$(of once.json 'near(r["worker"]["power_w"], u["machine"]["power_w"] * r["worker"]["cpu_share"], 1e-6)')"
check 'its part of the CPU' True "$(of once.json 'near(r["worker"]["cpu_share"], 0.4, 0.05) and near(r["a) b"]["cpu_share"], 0.2, 0.05)')"
check 'the machine draws 20 W + 0.8 × 30 W' True "$(of once.json 'near(u["machine"]["power_w"], 44, 0.05)')"
check 'idle is the time that nobody used' True "$(of once.json 'near(u["idle"]["power_w"], u["machine"]["power_w"] * (1 - u["machine"]["cpu_share"]), 1e-6)')"
check 'what is in no row is not attributed' True "$(of once.json 'near(u["not_attributed"]["cpu_share"], 0.2, 0.15)')"
check 'grams of an hour: W × 3600 s × PUE × factor' True "$(of once.json 'near(r["worker"]["kgco2eq_per_h"], r["worker"]["power_w"] / 1000 * 1.5 * 0.36)')"
check 'quality' 'attributed measured' "$(of once.json 'r["worker"]["quality"] + " " + u["quality"]')"
check 'no name of a user of another machine' "$(stat -c %u tree/proc/11)" "$(of once.json 'r["worker"]["user"]')"

# Energy since the start is that of the counter, whatever the number of updates
top --for 2s --interval 0.3 --json all.jsonl > all.out
check 'an update an interval' True "$(of all.jsonl '5 <= len(us) <= 7')"
check 'each of them adds up' True "$(of all.jsonl 'all(adds_up(u) for u in us)')"
check 'joules are watts × time' True "$(of all.jsonl 'near(u["machine"]["energy_j"], sum(x["machine"]["power_w"] * x["interval_s"] for x in us), 1e-6)')"
check 'nothing goes back' True "$(of all.jsonl 'all(b["energy_j"] >= a["energy_j"] for x, y in zip(us, us[1:]) for a in x["rows"] for b in y["rows"] if a["id"] == b["id"])')"
check 'a block an update' "$(wc -l < all.jsonl)" "$(grep -c '^carbon top' all.out)"
check 'no escape codes into a file' '' "$(grep $'\033' all.out)"
check_match 'the table' '^ +11  [^ ]+ +worker +[0-9.]+ W +[0-9.]+ (m|µ)?W +[0-9.]+ (m|k)?J +[0-9.]+ % +[0-9.]+ m?gCO2eq/h  attributed$' "$(cat all.out)"
check_match 'the machine in the last line' '^ +machine +[0-9.]+ W +[0-9.]+ W +[0-9.]+ k?J +[0-9.]+ %' "$(cat all.out)"

# Who, filters, order, and how many
top --once --by cgroup --json cgroup.json > /dev/null
check 'control groups' "['/a'] True" "$(of cgroup.json 'str([row["name"] for row in u["rows"]]) + " " + str(adds_up(u))')"
top --once --by user --json user.json > /dev/null
check 'users' True "$(of user.json 'len(u["rows"]) == 1 and near(u["rows"][0]["cpu_share"], 0.6, 0.1) and adds_up(u)')"
top --once --filter WORK --json filter.json > filter.out
check 'a filter, whatever the case' "['worker'] 1 True" "$(of filter.json 'str([row["name"] for row in u["rows"]]) + " " + str(u["others"]["count"]) + " " + str(adds_up(u))')"
check_match 'the rest in one line' '^ +1 others +[0-9.]+ W' "$(cat filter.out)"
top --once --rows 1 --sort name --json - > rows.json
check 'by name, one row' "['a) b'] 1 True" "$(of rows.json 'str([row["name"] for row in u["rows"]]) + " " + str(u["others"]["count"]) + " " + str(adds_up(u))')"

# CSV
top --once --csv - > top.csv
check 'a line each' "row row others ended not-attributed idle machine" "$(/usr/bin/python3 -c 'import csv, sys; print(*(row["line"] for row in csv.DictReader(open("top.csv"))))')"
check 'they add up' True "$(/usr/bin/python3 -c 'import csv
w = [(row["line"], float(row["power_w"] or 0)) for row in csv.DictReader(open("top.csv"))]
print(abs(sum(x for line, x in w if line != "machine") - dict(w)["machine"]) < 1e-9)')"
refuses 'an unknown kind' "'nobody'" "$carbon" top --root tree --by nobody
: > tree/still
wait "$mover"
mover=

# An ordinary user, on this machine: his own processes at least, and no arguments
"$helpers/burn" --spin 600000 &
burns=$!
as_user() { "$@"; }
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
    open_to_all
    as_user() { setpriv --reuid 65534 --regid 65534 --clear-groups env HOME=/nonexistent "$@"; }
fi
as_user "$carbon" top --once --intensity 360 --source model --json - > user.json
check 'it works for an ordinary user' 0 $?
check 'all lines add up' True "$(of user.json 'near(total(u, "power_w"), u["machine"]["power_w"]) and near(total(u, "energy_j"), u["machine"]["energy_j"])')"
check 'a process that runs is there, by its program alone' "True burn" "$(of user.json "str(any(row['pid'] == $burns for row in u['rows'])) + ' ' + ''.join(row['name'] for row in u['rows'] if row['pid'] == $burns)")"
check_absent 'never its arguments' spin "$(cat user.json)"

# An engine that never answers: a container is known by its id, and nothing waits. Another user's /proc that hides who is not his.
group=carbon-test-top-$$/docker-$(printf 'ab%062d' $$).scope
folders=()
for mount in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/cpuacct /sys/fs/cgroup/cpu,cpuacct; do
    { [ -e "$mount/cgroup.controllers" ] || [ -e "$mount/cpuacct.usage" ]; } && mkdir -p "$mount/$group" 2> /dev/null &&
        folders+=("$mount/$group")
done
if [ ${#folders[@]} -gt 0 ] && [ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ]; then
    for folder in "${folders[@]}"; do echo "$burns" > "$folder/cgroup.procs"; done
    /usr/bin/python3 -B -c 'import os, socket, sys
s = socket.socket(socket.AF_UNIX); s.bind("mute"); s.listen(5); open("listens", "w").close(); sys.stdin.read()' < <(exec sleep 1000) &
    mute=$!
    until_true test -e listens
    began=$(date +%s)
    DOCKER_HOST=unix://$PWD/mute CONTAINER_HOST=unix://$PWD/mute "$carbon" top --once --for 2s --by container --source model --json - > mute.json
    check 'an engine that never answers' "0 True" "$? $([ $(($(date +%s) - began)) -lt 15 ] && echo True)"
    check 'a container without a name by its id' True "$(of mute.json "'$(printf 'ab%010d' 0)' in r")"
    kill "$mute"
    for folder in "${folders[@]}"; do echo "$burns" > "${folder%/carbon-test-top*}/cgroup.procs"; done
    until_true rmdir "${folders[@]}"
    rmdir "${folders[@]%/*}"
else
    echo 'not tested: an engine that never answers (no control group may be made here)'
fi
if [ "$(id -u)" = 0 ] && unshare --mount true 2> /dev/null && command -v setpriv > /dev/null; then
    # shellcheck disable=SC2016 # the inner shell's
    hides() { unshare --mount sh -c 'mount -t proc -o "hidepid=$1" none /proc && shift && exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"' \
        - "$1" env HOME=/nonexistent "$carbon" top --once --intensity 360 --source model --json - > "hidden$1.json"; }
    until_true grep -q '^burn$' "/proc/$burns/comm"
    for how in 2 1; do
        hides $how
        check "hidepid=$how: it goes on" 0 $?
        check 'all lines add up all the same' True "$(of hidden$how.json 'near(total(u, "power_w"), u["machine"]["power_w"])')"
    done
    check 'who is hidden has no row, and power that nobody has' 'True True' \
        "$(of hidden2.json "str(all(row['user'] != 'root' for row in u['rows'])) + ' ' + str(u['not_attributed']['cpu_share'] > 0.2)")"
    check 'which is the first that is said' 'the processes of other users are hidden: their power is not attributed' "$(of hidden2.json 'u["notices"][0]["what"]')"
    check 'who is nameless has a row' "True " "$(of hidden1.json "' '.join(str(row['user'] == 'root') + ' ' + row['name'] for row in u['rows'] if row['pid'] == $burns)")"
    check 'which is said' "the names of other users' processes are hidden" "$(of hidden1.json 'u["notices"][0]["what"]')"
else
    echo 'not tested: a /proc that hides others (no mount namespace here)'
fi
kill "$burns"
wait "$burns" 2> /dev/null
finish
