#!/bin/bash
# SPDX-License-Identifier: MIT
# The BMC's power reading: a script stands in for ipmitool, everything else is real.
. "$(dirname "$0")/../lib.sh"

chmod 755 "$work" "$work/in"
mkdir bin bin-free
# It prints the file `reply` after the seconds in `delay`, and leaves a mark that it was called.
cat > bin/ipmitool << END
#!/bin/sh
[ "\$*" = 'dcmi power reading' ] || { echo "Invalid command: \$*"; exit 1; }
echo >> '$work/in/called'
[ ! -e '$work/in/burn' ] || timeout 0.3 sh -c 'while :; do :; done'
sleep "\$(cat '$work/in/delay')"
cat '$work/in/reply'
END
cat > bin-free/ipmi-dcmi << END
#!/bin/sh
[ "\$*" = --get-system-power-statistics ] || exit 1
cat '$work/in/reply-free'
END
# asked N: waits until it has been asked N more times.
cat > asked << END
#!/bin/sh
until=\$((\$(wc -l < '$work/in/called') + \$1))
until [ "\$(wc -l < '$work/in/called')" -ge "\$until" ]; do sleep 0.05; done
END
chmod 755 bin/ipmitool bin-free/ipmi-dcmi asked
plain=$PATH
PATH=$work/in/bin:$PATH
write() { cat > "$1.new" && mv "$1.new" "$1"; }
watts() { # W [STATE]
    write reply << END

    Instantaneous power reading:                   $(printf %4d "$1") Watts
    Minimum during sampling period:                  2 Watts
    Maximum during sampling period:                468 Watts
    Average power reading over sample period:      296 Watts
    IPMI timestamp:                           Thu Sep 26 09:36:07 2024
    Sampling period:                          00000005 Seconds.
    Power reading state is:                   ${2:-activated}

END
}
delay() { echo "$1" | write delay; }
ipmi() { "$carbon" measure -v --source ipmi --baseline 0 "$@"; }
state() { "$carbon" sources --source ipmi > out 2>&1; awk '$1 == "ipmi" {print $2}' out; }
# How many processes have this text in their command line.
# shellcheck disable=SC2062 # the words after the options are files: the pattern must be in no command line
running() { grep -l -F --file=- /proc/[0-9]*/cmdline <<< "$1" 2> /dev/null | wc -l; }
none_running() { [ "$(running "$1")" = 0 ]; }
some_running() { ! none_running "$1"; }
delay 0
watts 250

# What there is; only asked when it is wanted.
check 'ready' ready "$(state)"
check_match 'the whole machine' '^  machine +measured' "$(cat out)"
check_match 'by which command' '^ +ipmitool dcmi power reading$' "$(cat out)"
"$carbon" sources --source ipmi --json sources.json > /dev/null
check 'for machines' "('machine', 5000000000, True)" \
    "$(json sources.json '[(d["component"], d["update_ns"], d["poll_ns"] >= 1e9) for s in r["sources"] for d in s["domains"]][0]')"
check_match 'in the list of all' '^ipmi +ready' "$("$carbon" sources)"
rm -f called
"$carbon" measure -v --baseline 0 -- true 2> /dev/null
check 'not asked where it is not needed' no "$([ -e called ] && echo yes || echo no)"
"$carbon" measure -v --scope machine --baseline 0 -- sleep 0.2 2> /dev/null # a virtual machine has none that is its own
check 'asked for the whole machine' yes "$([ -e called ] && echo yes || echo no)"

# Power × time, and the command as it would be without: its status, its CPU time, its processes.
: > burn
ipmi --json a.json --samples a.csv --interval 0.1 -- sh -c 'sleep 3; exit 7' 2> a.err
check 'exit status of the job' 7 $?
rm burn
check 'joules are watts × seconds' True "$(json a.json 'abs(r["gross_j"]["mean"] / (250 * r["duration_s"]["mean"]) - 1) < 0.01')"
check 'they are measured' "('machine', True, 'measured')" "$(json a.json '[(d["name"], d["counted"], d["quality"]) for d in r["domains"]][0]')"
check "the BMC's questions are not the job's CPU time" True "$(json a.json 'r["windows"]["runs"][0]["usage"]["cpu_s"]["value"] < 0.1')"
check_absent 'nor its processes' 'still alive' "$(cat a.err)"
check_match 'a sensor of power is said to be one' 'machine is a power sensor sampled every' "$(cat a.err)"
check 'energy never goes back' '' "$(awk -F, 'NR > 2 && $5 < last {print} {last = $5}' a.csv)"
check 'no process is left' 0 "$(running "$work/in/bin/ipmitool")"

# The power changes from 100 W to 300 W.
watts 100
ipmi --json b.json --samples b.csv --interval 0.1 -- \
    sh -c "sleep 1; sed s/100/300/ reply > next; mv next reply; ./asked 2; sleep 0.5" 2> b.err
check 'each power for its time' True "$(/usr/bin/python3 -c 'import csv
e = [(float(r["time_s"]), int(r["machine_uj"]) / 1e6) for r in csv.DictReader(open("b.csv")) if r["phase"] == "run"]
watts = lambda a, b: (b[1] - a[1]) / (b[0] - a[0])
first, last = watts(e[0], next(r for r in e if r[0] > e[0][0] + 0.3)), watts([r for r in e if r[0] < e[-1][0] - 0.3][-1], e[-1])
# A row stands where it was asked for; its power is good to what the machine lets pass between two clocks.
print(abs(first / 100 - 1) < 0.1 and abs(last / 300 - 1) < 0.1 and 100 < watts(e[0], e[-1]) < 300 or (first, last))')"

# A BMC that takes 3 s for an answer holds nothing up: rows go on as asked for.
watts 250
delay 3
ipmi --json c.json --samples c.csv --interval 0.1 -- sleep 2 2> c.err
check 'joules from slow answers' True "$(json c.json 'abs(r["gross_j"]["mean"] / (250 * r["duration_s"]["mean"]) - 1) < 0.01')"
check 'rows all the while' True "$(/usr/bin/python3 -c 'import csv
t = [float(r["time_s"]) for r in csv.DictReader(open("c.csv")) if r["phase"] == "run"]
print(len(t) >= 8 and max(b - a for a, b in zip(t, t[1:])) < 1.5)')"
check_match 'the rest between two questions' 'sampled every (1[5-9]|[2-9].)\.[0-9] s' "$(cat c.err)"
delay 0

# A terminal's Ctrl-C goes to the whole group; the question goes on as long as the job does.
setsid "$carbon" measure -v --source ipmi --baseline 0 --json d.json -- sh -c 'trap "" INT; : > "$0"; sleep 2.5' "$work/in/begun" 2> d.err &
group=$!
until_true test -e begun
kill -INT -- "-$group"
wait "$group"
check_absent 'Ctrl-C does not end the readings' 'readings of machine failed' "$(cat d.err)"
check 'and the energy is whole' True "$(json d.json 'abs(r["gross_j"]["mean"] / (250 * r["duration_s"]["mean"]) - 1) < 0.01')"

# Nothing waits to be waited for.
ipmi -- sh -c './asked 2; for pid in $(cat /proc/$PPID/task/$PPID/children); do cat /proc/$pid/stat /proc/$pid/task/$pid/children; done' > e.out 2> /dev/null
check_match 'a process beside carbon' '\(carbon\) [RSD] ' "$(cat e.out)"
check_absent 'no zombie' '\) Z ' "$(cat e.out)"

# A duration that no other process has.
hang=100.0$$
# carbon is killed while a question hangs: the process beside it, the program and what that started end, too.
delay 0
"$carbon" measure -v --source ipmi --baseline 0 --json "$work/killed" -- \
    sh -c 'echo $$ > "$0"; exec sleep 60' "$work/in/job" 2> /dev/null &
killed=$!
until_true test -s job
delay "$hang"
until_true some_running "$hang"
check 'a question hangs' 1 "$(running "$hang")"
check 'carbon, and the process beside it' 2 "$(running "$work/killed")"
kill -9 "$killed"
wait "$killed" 2> /dev/null
until_true none_running "$work/killed"
check 'no carbon is left' 0 "$(running "$work/killed")"
until_true none_running "$hang"
check 'no question is left' 0 "$(running "$hang")"
tried 1 'A program that is asked'
kill "$(cat job)"

# It hangs from the beginning: a refusal after 10 s, and nothing left.
begun_s=$SECONDS
check 'hangs' broken "$(state)"
tried 1 'A program that is asked'
check_match 'hangs' "'ipmitool dcmi power reading' gave no answer in 10 s" "$(cat out)"
check 'in time' True "$([ $((SECONDS - begun_s)) -le 60 ] && echo True)"
until_true none_running "$hang"
check 'nothing is left of it' 0 "$(running "$hang")"
delay 0

# It stops answering in the middle: an error, not 0 W.
ipmi --json f.json -- sh -c "echo 'DCMI request failed because: Node busy (c0)' > reply; ./asked 2" 2> f.err
check_match 'a failed reading is told' 'readings of machine failed' "$(cat f.err)"
check 'and no energy made up' 'failed True True' "$(json f.json '(lambda w: "%s %s %s" % (w["holes"][0]["reason"], r["at_least"],
    w["holes"][0]["unknown_s"] > 0))(r["windows"]["runs"][0])')"

# What makes no sense.
refused() { # NAME STATE REGEX
    check "$1" "$2" "$(state)"
    check_match "$1" "$3" "$(cat out)"
    ipmi -- touch "$work/ran" 2> err
    check "$1: nothing is run" '125 no' "$? $([ -e "$work/ran" ] && echo yes || echo no)"
}
watts 0
refused '0 W' broken 'the BMC says 0 W'
watts 0 deactivated
refused 'switched off' absent 'the BMC does not measure power'
watts 70000
refused 'more than DCMI can tell' broken 'makes no sense'
watts 235 deactivated
check 'off, and yet telling' ready "$(state)"
check_match 'with a doubt' 'reports that it does not measure power, but also 235 W' "$(cat out)"

# Nothing to ask, nothing to ask with, not for this user, no DCMI. The devices only explain a failure.
has_program() { PATH=$plain:/usr/sbin:/sbin:/usr/local/sbin command -v ipmitool ipmi-dcmi > /dev/null; }
if ls /dev/ipmi* > /dev/null 2>&1; then
    echo 'not checked without a BMC: this machine has one'
else
    printf 'Could not open device at /dev/ipmi0 or /dev/ipmi/0 or /dev/ipmidev/0: No such file or directory\n' | write reply
    refused 'no BMC' absent 'no board controller \(BMC\)'
    has_program || PATH=$plain refused 'no BMC and no program' absent 'no board controller \(BMC\)'
fi
cat > with-device << END
#!/bin/sh
mkdir -p '$work/in/dev' && cd '$work/in/dev' && touch null ipmi0 && chmod 600 ipmi0 &&
    mount --bind /dev/null null && mount --rbind '$work/in/dev' /dev && exec "\$@"
END
chmod 755 with-device
if unshare -m ./with-device true 2> /dev/null; then
    printf '\n    DCMI request failed because: Invalid command (c1)\n' | write reply
    out=$(unshare -m ./with-device "$carbon" sources --source ipmi)
    check_match 'no DCMI' '^ipmi +absent +the BMC reports no power \(DCMI\)' "$out"
    check_match 'with its words' 'why: ipmitool says: DCMI request failed because: Invalid command \(c1\)' "$out"
    has_program || check_match 'no program' '^ipmi +absent +neither ipmitool nor ipmi-dcmi is on PATH' \
        "$(PATH=$plain unshare -m ./with-device "$carbon" sources --source ipmi)"
    open_to_all
    user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    if "${user[@]}" "$carbon" --version > /dev/null 2>&1; then
        out=$(unshare -m ./with-device "${user[@]}" "$carbon" sources --source ipmi)
        check_match 'denied' "^ipmi +denied +cannot use '/dev/ipmi0'" "$out"
        check_match 'with its risk' 'may also switch the machine off' "$out"
        check_absent 'never chmod' chmod "$out"
    else
        echo 'not checked as an ordinary user: setpriv does not allow it'
    fi
else
    echo 'not checked with a device: no file system may be mounted here'
fi

# freeipmi where there is no ipmitool.
if PATH=$plain command -v ipmitool > /dev/null; then
    echo 'not checked with freeipmi: this machine has ipmitool'
else
    printf 'Current Power                        : 164 Watts\nPower Measurement                    : Active\n' > reply-free
    PATH=$work/in/bin-free:$plain ipmi --json g.json -- sleep 1 2> /dev/null
    check 'freeipmi' True "$(json g.json 'abs(r["gross_j"]["mean"] / (164 * r["duration_s"]["mean"]) - 1) < 0.01')"
fi

check_match 'recorded' '^ipmi +absent +recorded: ' "$("$carbon" sources --root "$source/tests/trees/guest" --source ipmi)"
finish
