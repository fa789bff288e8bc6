#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon sources --watch: watts from counters that move at a known rate, its forms, and every way in which it ends.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

python=/usr/bin/python3

# One Intel package with graphics and dram, and a platform. $1: where the counters begin.
make_tree() {
    rm -rf tree
    zone tree 262143328850 "${1:-1000000}" intel-rapl:0=package-0 intel-rapl:0:0=dram intel-rapl:0:1=uncore \
        intel-rapl:1=psys
}

# Moves counters by the clock: ZONE=WATTS, and where it breaks ZONE=WATTS@SECONDS.
cat > feed.py << 'END'
import os, sys, time
counters = []
for argument in sys.argv[1:]:
    zone, rate = argument.split("=")
    rate, _, breaks = rate.partition("@")
    fd = os.open(f"tree/sys/class/powercap/{zone}/energy_uj", os.O_RDWR)
    counters.append((fd, int(os.pread(fd, 64, 0)), float(rate), float(breaks or "inf")))
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))  # in time, whatever else runs
except OSError:
    pass
begun = time.monotonic()
while os.getppid() != 1:
    after = time.monotonic() - begun
    for fd, start, rate, breaks in counters:
        value = (start + int(rate * after * 1e6)) % 262143389886
        os.pwrite(fd, b"%020d\n" % value if after < breaks else b"%20s\n" % b"-", 0)
    if not os.path.exists("feeds"):
        open("feeds", "w").close()
    time.sleep(0.002)
END

feed() {
    rm -f feeds
    "$python" feed.py "$@" &
    feeder=$!
    until_true test -e feeds
}

stop_feed() {
    kill "$feeder"
    wait "$feeder" 2> /dev/null
}

watch() { "$carbon" sources --watch --root tree "$@"; }

# lines FILE EXPRESSION: over the list of sources `s` and the updates `u`.
lines() {
    "$python" -c 'import json, sys
s, *u = [json.loads(line, parse_constant=lambda word: 1 / 0) for line in open(sys.argv[1])]
def d(update, name): return [x for x in update["domains"] if x["name"] == name][0]
def near(a, b, share): return abs(a - b) <= share * b
print(eval(sys.argv[2]))' "$1" "$2"
}

# The watts, by the real time between the updates.
make_tree
feed intel-rapl:0=40 intel-rapl:0:0=5.5 intel-rapl:1=70
watch --count 4 --interval 0.3 --json a.jsonl > a.out 2> a.err
check 'the end of the count' 0 $?
check 'nothing on standard error' '' "$(cat a.err)"
check 'the list of sources, then the updates' "carbon.sources/1 ['carbon.watch/1'] 4" \
    "$(lines a.jsonl '"%s %s %s" % (s["schema"], sorted({x["schema"] for x in u}), len(u))')"
check 'complete, so the file has its name' a.jsonl "$(echo a.jsonl*)"
check 'watts of the package' True "$(lines a.jsonl 'all(near(d(x, "package-0")["w"], 40, 0.35) for x in u) and near(d(u[-1], "package-0")["mean_w"], 40, 0.1)')"
check 'watts of dram' True "$(lines a.jsonl 'all(near(d(x, "dram-0")["w"], 5.5, 0.35) for x in u) and near(d(u[-1], "dram-0")["mean_w"], 5.5, 0.1)')"
check 'energy by the real intervals' True "$(lines a.jsonl 'all(near(d(b, "package-0")["energy_j"] - d(a, "package-0")["energy_j"], d(b, "package-0")["w"] * b["interval_s"], 1e-6) for a, b in zip(u, u[1:]))')"
check 'mean by the real time' True "$(lines a.jsonl 'all(near(d(x, "package-0")["mean_w"] * x["elapsed_s"], d(x, "package-0")["energy_j"], 1e-6) for x in u)')"
check 'the intervals make up the time' True "$(lines a.jsonl 'near(sum(x["interval_s"] for x in u), u[-1]["elapsed_s"], 1e-6) and u[-1]["elapsed_s"] >= 1.15')"
check 'the total' True "$(lines a.jsonl 'all(near(x["total"]["w"], d(x, "package-0")["w"] + d(x, "dram-0")["w"], 1e-9) for x in u)')"
check 'what counts' "['package-0', 'dram-0']" "$(lines a.jsonl '[x["name"] for x in u[0]["domains"] if x["counted"]]')"
check 'whose total' 'compute measured 0' "$(lines a.jsonl '" ".join(str(u[0]["total"][k]) for k in ("scope", "quality", "counted_unknown"))')"
check 'the platform stands beside it' True "$(lines a.jsonl '[x["scope"] for x in u[0]["alternatives"]] == ["platform"] and near(u[-1]["alternatives"][0]["mean_w"], 70, 0.1)')"
check 'what never moved is unknown' 'None None None unknown' "$(lines a.jsonl '" ".join(str(d(u[-1], "uncore-0")[k]) for k in ("w", "mean_w", "energy_j", "quality"))')"
check 'the time of day' True "$(lines a.jsonl '__import__("datetime").datetime.fromisoformat(u[0]["time"].replace("Z", "+00:00")).utcoffset().total_seconds() == 0')"
check 'no doubt' '[]' "$(lines a.jsonl '[n for x in u for n in x["notices"]]')"
check 'no escape codes into a file' '' "$(grep $'\033' a.out)"
check 'a block for each update' 4 "$(grep -c '^  scope compute   total' a.out)"
check_match 'what counts is marked' '^\* package-0 +powercap +[2-5][0-9]\.[0-9] W +(3[5-9]|4[0-4])\.[0-9] W +[0-9.]+ J  measured$' "$(cat a.out)"
check_match 'and the rest is not' '^  psys +powercap +[0-9.]+ W +[67][0-9]\.[0-9] W' "$(cat a.out)"
check_match 'what is never added' '^  scope platform  never added +[0-9.]+ W +[67][0-9]\.[0-9] W' "$(cat a.out)"

# Standard output is JSON alone.
watch --count 2 --interval 0.2 --json - > b.jsonl
check 'JSON Lines on standard output' 'carbon.sources/1 2' "$(lines b.jsonl 's["schema"] + " " + str(len(u))')"
check 'colour when asked for' yes "$(watch --count 1 --interval 0.1 --color always | grep -q $'\033\[1m  scope' && echo yes)"

# On a terminal: the block is drawn over itself and stays; the cursor ends below it. Played back by the few codes that
# may occur; any other is an error.
cat > terminal.py << 'END'
import fcntl, os, pty, re, signal, struct, sys, termios, time
columns, rows, act, *command = sys.argv[1:]
pid, fd = pty.fork()
if pid == 0:
    sys.stdin.readline()
    os.execv(command[0], command)
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))
os.write(fd, b"\n")
out, acted = b"", False
while True:
    try:
        out += os.read(fd, 65536)
    except OSError:
        break
    if not acted and out.count(b"\033[J") == 2:
        acted = True
        if act == "interrupt":
            os.write(fd, b"\x03")
        if act == "stop":
            os.kill(pid, signal.SIGSTOP)
            os.waitpid(pid, os.WUNTRACED)
            out += b"<a shell was here>\r\n"
            os.kill(pid, signal.SIGCONT)
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
text = out.decode().split("\r\n", 1)[1]
screen, row, column = [""], 0, 0
for code in re.findall(r"\033\[[0-9;?]*[A-Za-z]|[^\033]", text):
    if code == "\r":
        column = 0
    elif code == "\n":
        row += 1
        screen += [""] * (row + 1 - len(screen))
    elif code == "\033[K":
        screen[row] = screen[row][:column]
    elif code == "\033[J":
        screen[row:] = [screen[row][:column]]
    elif re.fullmatch(r"\033\[\d+A", code):
        row -= int(code[2:-1])
        assert row >= 0
    elif len(code) == 1:
        screen[row] = screen[row][:column].ljust(column) + code + screen[row][column + 1:]
        column += 1
        assert column < int(columns), screen[row]
    else:
        assert re.fullmatch(r"\033\[[0-9;]*m", code), code
print("\n".join(screen))
print(f"status {status}, cursor in column {column}, {len(screen) - 1 - row} below, hidden {'?25' in text}")
END
TERM=xterm
export TERM
on_terminal() { timeout 30 "$python" terminal.py "$@"; }
out=$(on_terminal 80 24 none "$carbon" sources --watch --root tree --count 3 --interval 0.2)
check 'drawn over itself' 1 "$(grep -c '^  scope compute' <<< "$out")"
check_match 'and left there' '^\* package-0 +powercap +[2-5][0-9]\.[0-9] W' "$out"
check 'the cursor below it' 'status 0, cursor in column 0, 0 below, hidden False' "$(tail -1 <<< "$out")"
out=$(on_terminal 80 24 interrupt "$carbon" sources --watch --root tree --interval 0.2)
check 'Ctrl-C ends it' 'status 0, cursor in column 0, 0 below, hidden False' "$(tail -1 <<< "$out")"
check 'with the figures left' 1 "$(grep -c '^  scope compute   total  ' <<< "$out")"
check_absent 'and no trace of the key' '\^C' "$out"
out=$(on_terminal 80 24 stop "$carbon" sources --watch --root tree --count 4 --interval 0.2)
check_match 'stopped and continued, it draws below what others wrote' 'status 0' "$out"
check 'what others wrote is still there' 1 "$(grep -c 'a shell was here' <<< "$out")"
check 'between the block before and the one after' 2 "$(grep -c '^  scope compute' <<< "$out")"
out=$(on_terminal 50 40 none "$carbon" sources --watch --root tree --count 2 --interval 0.2)
check_match 'a narrow terminal: two lines a row' '^ +[2-5][0-9]\.[0-9] W +[2-5][0-9]\.[0-9] W +[0-9.]+ J  measured$' "$out"
check 'still over itself' 1 "$(grep -c '^  scope compute' <<< "$out")"
out=$(on_terminal 80 6 none "$carbon" sources --watch --root tree --count 2 --interval 0.2)
check 'a terminal too low: one below the other, nothing hidden' 3 "$(grep -c '^  psys' <<< "$out")"
out=$(TERM=dumb on_terminal 80 24 none "$carbon" sources --watch --root tree --count 2 --interval 0.2 2>&1)
check 'a dumb terminal is sent lines' 2 "$(grep -c '^  scope compute' <<< "$out")"

# Signals.
cat > interrupt.py << 'END'
import signal, subprocess, sys, time
number, *command = sys.argv[1:]
with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
    for line in child.stdout:
        if b"scope compute" in line or b"carbon.watch" in line:
            break
    child.send_signal(getattr(signal, number))
    child.stdout.read()
print(child.returncode)
END
check 'SIGINT' 0 "$(timeout 30 "$python" interrupt.py SIGINT "$carbon" sources --watch --root tree --interval 0.1)"
check 'SIGTERM' 0 "$(timeout 30 "$python" interrupt.py SIGTERM "$carbon" sources --watch --root tree --interval 0.1 --json c.jsonl)"
check 'what was written is complete' 'c.jsonl True' "$(echo c.jsonl*) $(lines c.jsonl 'len(u) >= 1')"

# A reader that goes away ends it at once and quietly.
SECONDS=0
watch --interval 60 2> d.err | head -1 > /dev/null
check 'nobody reads on' 0 "${PIPESTATUS[0]}"
watch --interval 0.1 --json - 2>> d.err | head -2 > d.jsonl
check 'nobody reads the JSON' '0 True' "${PIPESTATUS[0]} $(lines d.jsonl 'len(u) == 1')"
check 'quietly' '' "$(cat d.err)"
check 'and soon' yes "$([ $SECONDS -lt 20 ] && echo yes)"
stop_feed

# Through a wrap: 1 s before it, at 50 W.
make_tree 262093389886
feed intel-rapl:0=50 intel-rapl:0:0=50
watch --count 4 --interval 0.3 --json e.jsonl > /dev/null
stop_feed
check 'a wrap between two updates is no step' True "$(lines e.jsonl 'all(near(d(x, "package-0")["w"], 50, 0.35) for x in u) and near(d(u[-1], "dram-0")["mean_w"], 50, 0.1)')"
check 'the wrap has happened' yes "$([ "$(cat tree/sys/class/powercap/intel-rapl:0/energy_uj)" -lt 200000000 ] && echo yes)"

# A counter that breaks while it is watched.
make_tree
feed intel-rapl:0=40 intel-rapl:0:0=5@1.5
watch --count 6 --interval 0.3 --json f.jsonl > f.out
check 'it goes on' 0 $?
stop_feed
check 'first there is a figure' True "$(lines f.jsonl 'near(d(u[0], "dram-0")["w"], 5, 0.35)')"
check 'then none' None "$(lines f.jsonl 'd(u[-1], "dram-0")["w"]')"
check 'what it had used is kept' True "$(lines f.jsonl '0 < d(u[-1], "dram-0")["energy_j"] < 7.5')"
check 'the rest goes on' True "$(lines f.jsonl 'near(u[-1]["total"]["w"], 40, 0.35) and u[-1]["total"]["counted_unknown"] == 1')"
check 'and it is told' True "$(lines f.jsonl 'any("readings of dram-0 failed" in n["what"] for n in u[-1]["notices"])')"
check_match 'in the row too' '^\* dram-0 +powercap +broken' "$(cat f.out)"
check_match 'the total is incomplete' 'note: total incomplete: 1 of 2 domains have no figure' "$(cat f.out)"

# A counter that begins again: what is known is a lower bound, and how long is not known is told, and why.
make_tree 5000000000
put_uj() { printf '%020d\n' "$1" 1<> tree/sys/class/powercap/intel-rapl:0/energy_uj; }
now_says() { [ "$(lines r.jsonl.partial "$1" 2> /dev/null)" = True ]; }
"$carbon" sources --watch --root tree --interval 0.1 --json r.jsonl > r.out &
watching=$!
until_true now_says 'len(u) > 0'
put_uj 5010000000
until_true now_says 'd(u[-1], "package-0")["energy_j"] == 10'
check 'no hole so far' 'False 0 ' "$(lines r.jsonl.partial '"%s %s %s" % tuple(d(u[-1], "package-0")[k] for k in ("at_least", "unknown_s", "reason"))')"
put_uj 1000000
until_true now_says 'd(u[-1], "package-0")["at_least"]'
put_uj 8000000
until_true now_says 'd(u[-1], "package-0")["energy_j"] > 10'
kill "$watching"
wait "$watching"
check 'at least what was seen, and never more' '17 True reset' "$(lines r.jsonl '"%s %s %s" % tuple(d(u[-1], "package-0")[k] for k in ("energy_j", "at_least", "reason"))')"
check 'it costs what it lasted' True "$(lines r.jsonl '0 < d(u[-1], "package-0")["unknown_s"] < u[-1]["elapsed_s"] and u[-1]["total"]["unknown_s"] == d(u[-1], "package-0")["unknown_s"]')"
check_match 'in the row' '^\* package-0 +powercap .* 17.0 J  measured, at least$' "$(cat r.out)"
check_match 'and why' 'at least 17.0 J since the start: of package-0 [0-9.]+ m?s of [0-9.]+ m?s are not known: its counter began again' "$(tr -s ' ' < r.out | sed -n '/at least 17.0 J since/,$p' | head -2 | tr '\n' ' ')"

# Counters at rest are no 0.
make_tree
watch --count 1 --interval 0.2 --json g.jsonl > g.out
check 'a counter that stands still is unknown' 'None None unknown' "$(lines g.jsonl '" ".join(str(u[0]["total"][k]) for k in ("w", "energy_j", "quality"))')"
check_match 'and told' 'the counter of package-0 does not move' "$(cat g.out)"

# What cannot be read from the start says so in its row.
open_to_all
chmod 000 tree/sys/class/powercap/intel-rapl:0:0/energy_uj
user=()
[ "$(id -u)" != 0 ] || user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${user[@]}" "$carbon" --version > /dev/null 2>&1; then
    out=$("${user[@]}" "$carbon" sources --watch --root tree --count 1 --interval 0.1)
    check_match 'denied' '^  dram-0 +powercap +denied$' "$out"
    check_match 'and the total is incomplete' 'total incomplete: dram-0 cannot be read' "$out"
else
    echo 'not checked as an ordinary user: setpriv does not allow it'
fi
out=$(watch --scope machine --count 1 2>&1)
check 'a scope that has nothing' 125 $?
check_match 'a scope that has nothing' "scope 'machine' has no domain" "$out"

# Where nothing can be measured, the model, and it says so.
if "$carbon" sources --watch --source model --count 2 --interval 0.2 --json h.jsonl > h.out 2> h.err; then
    check 'modelled' 'modelled True' "$(lines h.jsonl 'u[-1]["total"]["quality"] + " " + str(u[-1]["total"]["w"] > 0)')"
    check_match 'modelled, in every row' '^\* .* J  modelled$' "$(cat h.out)"
else
    echo "not checked: the model ($(head -1 h.err))"
fi

# What cannot be.
watch --count 1 --interval 0.1 > /dev/full 2> i.err
check 'standard output is full' 125 $?
check_match 'standard output is full' 'no space left' "$(cat i.err)"
watch --count 1 --interval 0.1 --json /dev/full > /dev/null 2> i.err
check 'the file is full' 125 $?
check_match 'the file is full' "cannot write '/dev/full'" "$(cat i.err)"
for bad in '--watch --interval 0.05' '--watch --interval 61' '--count 3' '--interval 2' '--watch --count -1'; do
    # shellcheck disable=SC2086
    out=$("$carbon" sources --root tree $bad 2>&1)
    check "$bad is refused" 125 $?
    check_match "$bad has a reason" '^carbon: .*--' "$out"
done
CARBON_INTERVAL=0.01 "$carbon" sources --root tree > /dev/null
check "what is meant for measure does no harm" 0 $?
finish
