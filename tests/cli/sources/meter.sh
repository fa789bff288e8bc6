#!/bin/bash
# SPDX-License-Identifier: MIT
# Meters that the configuration file names: a command, a file, an address; and every way in which they fail.
. "$(dirname "$0")/../lib.sh"

config=$HOME/.config/carbon/config
mkdir -p "$(dirname "$config")"
/usr/bin/python3 "$source/tests/helpers/plug.py" "$work/port" 2> server.txt &
server=$!
trap 'kill "$server"; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
served "$work/port" server.txt
plug=http://127.0.0.1:$(cat "$work/port")
# meter NAME LINE...: a section more.
meter() {
    printf '[meter %s]\n' "$1" >> "$config"
    shift
    printf '%s\n' "$@" >> "$config"
}
only() {
    : > "$config"
    meter "$@"
}
state() { "$carbon" sources --source meter > out 2>&1; awk '$1 == "meter" {print $2}' out; }
measure() { "$carbon" measure -v --source meter --scope machine --baseline 0 "$@"; }
times_asked() { /usr/bin/python3 -c 'import sys, urllib.request as r; print(r.build_opener(r.ProxyHandler({})).open(sys.argv[1] + "/asked").read().decode())' "$plug"; }
# The joules of a domain in a run, and what it would be at W watts for as long.
is_watts() { json "$1" "abs([d for d in r['domains'] if d['name'] == 'machine-$2'][0]['gross_j']['mean'] / ($3 * r['duration_s']['mean']) - 1) < 0.01"; }

# What there is.
check 'none is named' absent "$(state)"
check_match 'none is named' '^meter +absent +none is named in the configuration file' "$(cat out)"
only wall "url = $plug/plug" 'field = apower' 'unit = W' 'every = 20s'
check 'ready' ready "$(state)"
check_match 'by what it is called' '^  machine-wall +(measured|virtual) +(counted|not counted)' "$(cat out)"
check_match 'and how it is asked' "^ +$plug\$" "$(cat out)"
"$carbon" sources --source meter --json sources.json > /dev/null
check 'for machines' "('machine-wall', 'machine', 20000000000, True)" \
    "$(json sources.json '[(d["name"], d["component"], d["update_ns"], d["poll_ns"] == d["update_ns"]) for s in r["sources"] for d in s["domains"]][0]')"
check_match 'in the list of all' '^meter +ready' "$("$carbon" sources)"
check 'in the configuration' "meter wall $plug file $config:1" "$("$carbon" config | sed -nE 's/ +/ /g; s/^ (meter wall .*)/\1/p' | sort -u)"
check_match 'recorded' '^meter +absent +a recorded machine: ' "$("$carbon" sources --root "$source/tests/trees/guest" --source meter)"

# Power × time, of each way to ask: the plug tells 55 W.
measure --json a.json -- sleep 1 2> a.err
check 'an address: joules are watts × seconds' True "$(is_watts a.json wall 55)"
check 'it counts' "[('machine-wall', 'machine', True)]" "$(json a.json '[(d["name"], d["component"], d["counted"]) for d in r["domains"]]')"
only ha "url = $plug/state" 'field = state' 'unit = kW' 'every = 20s'
measure --json b.json -- sleep 1 2> b.err
check 'a number that is a text, in kW' True "$(is_watts b.json ha 55000)"
only list 'command = echo "{\"meters\": [{\"power\": 55000}]}"' 'field = meters.0.power' 'unit = mW' 'every = 20s'
measure --json c.json -- sleep 1 2> c.err
check 'a command that tells JSON, in mW' True "$(is_watts c.json list 55)"
echo 55 > watts
only sysfs "file = $work/in/watts" 'unit = W' 'every = 20s'
measure --json d.json -- sleep 1 2> d.err
check 'a file' True "$(is_watts d.json sysfs 55)"
check 'the status of the job' 7 "$(measure -- sh -c 'exit 7' 2> /dev/null; echo $?)"
only psu1 'command = echo 30' 'unit = W' 'part = yes' 'every = 20s'
meter psu2 'command = echo 25' 'unit = W' 'part = yes' 'every = 20s'
measure --json e.json -- sleep 1 2> e.err
check 'two parts are added' True "$(json e.json 'abs(r["gross_j"]["mean"] / (55 * r["duration_s"]["mean"]) - 1) < 0.01')"
only plug 'command = echo 55' 'unit = W' 'every = 20s'
meter pdu 'command = echo 57' 'unit = W' 'every = 20s'
measure --json f.json -- sleep 1 2> f.err
check 'two that are the same are not' "$(is_watts f.json plug 55) [True, False]" "True $(json f.json '[d["counted"] for d in r["domains"]]')"

# An energy is the difference of two answers: the counter tells 40 J a second, and each answer is kept.
only host "command = awk '{print \$1 * 40}' /proc/uptime | tee -a $work/in/told" 'unit = J' 'every = 0.1s'
measure --json g.json -- sh -c 'begun=$(wc -l < told); until [ "$(wc -l < told)" -ge $((begun + 5)) ]; do sleep 0.05; done' 2> g.err
check 'joules that were told' True "$(json g.json 'any(abs(float(b) - float(a) - r["gross_j"]["mean"]) < 1e-3
    for told in [open("told").read().split()] for i, a in enumerate(told) for b in told[i + 1:])')"

# Home Assistant's counter of kWh goes in steps of 36 kJ: a run of one step is doubted, and not by its cadence alone.
echo 1234.50 > kwh
only ha "command = cat $work/in/kwh | tee -a $work/in/said-kwh" 'unit = kWh' 'every = 0.1s'
measure --json k.json -- sh -c 'echo 1234.51 > kwh.new; mv kwh.new kwh; until [ "$(grep -c 1234.51 said-kwh)" -ge 3 ]; do sleep 0.05; done; sleep 0.8' 2> k.err
check 'one step' '36000 36000' "$(json k.json '"%g %g" % (r["gross_j"]["mean"], r["resolution_j"])')"
check_match 'is below the resolution' 'below the meter.s resolution \(72\.0 kJ\)' "$(cat k.err)"
check_match 'and said' 'machine-ha counts in steps of 36\.0 kJ' "$(cat k.err)"
check 'its kind' coarse "$(json k.json '[n["kind"] for n in r["notices"] if "in steps of" in n["what"]][0]')"

# What a killed measurement has left is a total of what the meter told.
only wall 'command = echo 55' 'unit = W' 'every = 20s'
measure --samples killed.csv --interval 0.1 -- sh -c 'echo $$ > job; echo $PPID > carbon; exec sleep 30' 2> killed.err &
killed=$!
until_true test -s carbon
has_rows() { [ "$(wc -l < killed.csv.partial)" -ge 10 ]; }
until_true has_rows
kill -9 "$(cat carbon)"
wait "$killed" 2> /dev/null
kill "$(cat job)"
check 'recovered' True "$("$carbon" recover killed.csv.partial --zone FR --json n.json 2> n.err > n.out; is_watts n.json wall 55)"

# What hangs, fails or tells nonsense delays nothing, is told, and is no 0.
hang=100.0$$
only steady 'command = echo 55' 'unit = W' 'every = 20s'
meter hangs "command = sleep $hang" 'unit = W'
meter silent "url = $plug/hang" 'unit = W'
meter broken "url = $plug/error" 'unit = W'
meter garbage "url = $plug/garbage" 'unit = W' 'field = apower'
meter text "url = $plug/garbage" 'unit = W'
meter missing 'file = /nonexistent/energy' 'unit = J'
meter failing 'command = echo no route; exit 3' 'unit = J'
measure --json h.json -- sleep 1 2> h.err
check 'the one that answers' True "$(is_watts h.json steady 55)"
for told in "meter 'hangs' gave no answer in 5 s" "meter 'silent' (gave no answer in 5 s|cannot be read: .* it took too long)" \
    "meter 'broken' cannot be read: .*it answered 500" "meter 'garbage' does not say a number of W: its answer is no JSON" \
    "meter 'text' does not say a number of W: it says '<html>hello</html>'" \
    "meter 'missing' cannot be read \(file /nonexistent/energy\): no such file or directory" \
    "meter 'failing' cannot be read: its exit status is 3: no route"; do
    check_match 'it is told' "$told" "$(tr -s ' \n' ' ' < h.err)"
done
check 'and no energy made up' "{None}" "$(json h.json '{d["gross_j"] and d["gross_j"]["mean"] for d in r["domains"] if d["name"] != "machine-steady"}')"
check 'no question is left' '' "$(processes_of "sleep $hang")"
check 'one answers: ready' ready "$(state)"

# It stops answering in the middle.
cat > once << END
#!/bin/sh
[ ! -e '$work/in/answered' ] || { : > '$work/in/asked'; exec sleep $hang; }
: > '$work/in/answered'
echo 55
END
chmod 755 once
only once "command = $work/in/once" 'unit = W' 'every = 0.1s'
"$carbon" measure -v --source meter --scope machine --baseline 0 --json i.json --samples i.csv --interval 0.1 -- \
    sh -c 'until [ -e asked ]; do sleep 0.05; done; sleep 1' 2> i.err
check_match 'a failed reading is told' 'readings of machine-once failed' "$(cat i.err)"
check 'nothing is left of it' '' "$(processes_of "sleep $hang")"

# Keys: from a file that is the user's alone, and in no output.
umask 077
echo key > key
echo carbon:watt > login
only bearer "url = $plug/locked" 'field = apower' 'unit = W' "token-file = $work/in/key" 'every = 20s'
check 'a bearer token' ready "$(state)"
only header "url = $plug/locked" 'field = apower' 'unit = W' "token-file = $work/in/key" 'token-header = X-Key' 'every = 20s'
check 'a header of its own' ready "$(state)"
only basic "url = $plug/locked" 'field = apower' 'unit = W' "login-file = $work/in/login" 'every = 20s'
check 'a name and a password' ready "$(state)"
measure --json j.json -- true 2> j.err
check_absent 'in no output' 'watt"|carbon:watt|Y2FyYm9u' "$(cat out j.json j.err)"
echo carbon:volt > login
check 'a wrong one' broken "$(state)"
check_match 'a wrong one' 'HTTP 401: API key rejected' "$(cat out)"
check_absent 'is not told' volt "$(cat out)"
chmod 644 login
check 'one that others can read' broken "$(state)"
check_match 'one that others can read' 'others may read or change that file' "$(tr -s ' \n' ' ' < out)"
umask 022

# A board's controller, through Redfish: its power is looked for once, and asked for where it was found.
echo carbon:watt > login
chmod 600 login
bmc=${plug%/}
only bmc "redfish = $bmc" "login-file = $work/in/login" 'every = 0.1s'
before=$(times_asked)
measure --json l.json -- sleep 1 2> l.err
check 'Redfish: joules are watts × seconds' True "$(is_watts l.json bmc 57)"
check 'how it is asked' "['Redfish at $bmc']" "$(json l.json '[d["path"] for d in r["domains"]]')"
check 'the list of chassis was asked for once' $((before + 1)) "$(times_asked)"
only bmc "redfish = $bmc/" 'chassis = New' "login-file = $work/in/login" 'every = 20s'
measure --json m.json -- sleep 1 2> m.err
check 'the newer resource first' True "$(is_watts m.json bmc 59)"
only bmc "redfish = $bmc" 'chassis = Off' "login-file = $work/in/login"
check 'a machine that is off' broken "$(state)"
check_match 'a machine that is off' 'no chassis of the controller reports its power' "$(tr -s ' \n' ' ' < out)"
only bmc "redfish = $bmc" 'chassis = Rear' "login-file = $work/in/login"
check 'a chassis that is not there' broken "$(state)"
check_match 'a chassis that is not there' "the controller has no chassis 'Rear'" "$(tr -s ' \n' ' ' < out)"
only bmc "redfish = $bmc"
check 'no key' broken "$(state)"
check_match 'no key' 'HTTP 401' "$(cat out)"

# A meter is asked with the rights of the user, and carbon's own descriptors are not there.
if [ "$(id -u)" = 0 ]; then
    open_to_all
    touch rights
    chmod 666 rights
    only user "command = id -u >> $work/in/rights && ls /proc/self/fd | wc -l >> $work/in/rights && echo 55" 'unit = W' 'every = 20s'
    SUDO_UID=65534 SUDO_GID=65534 measure -- true 2> k.err
    check 'as the user who called sudo' '65534 4' "$(head -2 rights | tr '\n' ' ' | sed 's/ $//')"
else
    echo 'not checked with sudo: this is no root'
fi

# Mistakes are told with their line, whichever command they are for, and nothing is run.
refused() { # WHAT FIX LINE...
    local what=$1 fix=$2
    shift 2
    only wall "$@"
    "$carbon" measure -v --baseline 0 -- touch "$work/ran" 2> err
    check "$what: nothing is run" '125 no' "$? $([ -e "$work/ran" ] && echo yes || echo no)"
    check_match 'what' "^carbon: '$config' line $what" "$(cat err)"
    check_match 'fix' "^ +fix: .*$fix" "$(cat err)"
}
refused "3: not a unit of a meter: 'Watt'" 'one of W, mW, kW' 'command = echo 55' 'unit = Watt'
refused "1: meter 'wall' has no unit" 'unit = W' 'command = echo 55'
refused "1: meter 'wall' cannot be asked" 'file = FILE, command = COMMAND, url = ADDRESS and redfish = ADDRESS' 'unit = W'
refused "4: a meter has no 'interval'" 'it has file, command, url or redfish' 'command = echo 55' 'unit = W' 'interval = 1'
refused "4: no meter covers a 'rack'" 'one of machine' 'command = echo 55' 'unit = W' 'covers = rack'
refused "1: meter 'wall' would get its key without TLS" 'insecure-http = yes' 'url = http://10.0.0.7/' 'unit = W' 'token-file = /k'
finish
