#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon serve --by container, and carbon top, on this machine itself: a container of a real engine has its name, CPU time and joules, and goes
# after its end.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"
. "$source/tests/cli/lib-engine.sh"

[ "$(id -u)" = 0 ] || skip 'engines of a test want root'
engine_start docker
id=$(engine docker run -d --name busy-one --network none bb:1 sh -c 'while :; do :; done')
check_match 'a container runs' '^[0-9a-f]{64}$' "$id"
: > err
"$carbon" serve --listen 127.0.0.1:0 --resolution 0.2 --linger 1 --by container,cgroup > out 2> err &
pid=$!
listening
url=$(sed -n 's/^carbon: listening at \(127[^ ,]*\).*/http:\/\/\1/p' err)
# grows LABELS: until its CPU time is above 0.2 s
grows() {
    until_true has_used "$1"
}
has_used() { awk -v used="$(value container_cpu_seconds_total "$1")" 'BEGIN { exit !(used > 0.2) }'; }
grows "container_id=\"$id\",container_name=\"busy-one\",engine=\"docker\""
check_match 'it has joules' '^[0-9.]*[1-9]' "$(value container_energy_joules_total "container_id=\"$id\"")"
check_match 'attributed ones' '^[0-9.]*[1-9]' "$(value container_energy_joules_total 'quality="attributed"')"
# Groups of one kind never have more than the machine.
scrape > all.txt
check 'no series is there twice' '' "$(grep -v '^#' all.txt | sed 's/ [^ ]*$//' | sort | uniq -d)"
check 'no more than there is' yes "$(/usr/bin/python3 -c '
import re
text = open("all.txt").read()
def total(pattern): return sum(float(line.split()[-1]) for line in re.findall(pattern, text, re.M))
machine = total(r"^carbon_energy_joules_total\{.*counted=.yes.*")
groups = [total(rf"^carbon_{kind}_energy_joules_total.*") for kind in ("container", "cgroup")]
print("yes" if machine > 0 and all(0 < part <= machine * (1 + 1e-9) for part in groups) else (machine, groups))')"
# A new one is asked for by its own id.
other=$(engine docker run -d --name busy-two --network none bb:1 sh -c 'while :; do :; done')
grows "container_id=\"$other\",container_name=\"busy-two\""
# carbon top asks, too, and waits for nobody.
"$carbon" top --once --for 3s --by container --json top.json > top.out
check 'top has their names' "['busy-one', 'busy-two']" "$(json top.json 'sorted(row["name"] for row in r["rows"])')"
check_match 'and shows them' '^busy-two +[0-9.]+ m?W' "$(cat top.out)"
engine docker rm -f busy-one busy-two > /dev/null
untold() { [ -z "$(value container_cpu_seconds_total 'container_name="busy-')" ]; }
until_true untold
check_match 'what has ended goes, and all else is told' '^carbon_build_info' "$(scrape)"
check 'no rights are left' 'CapEff: 0000000000000000
NoNewPrivs: 1' "$(sed -nE 's/^(CapEff|NoNewPrivs):\t/\1: /p' "/proc/$pid/status")"
# filters PROCESS: of its system calls
filters() { sed -n 's/^Seccomp_filters:[[:space:]]*//p' "/proc/$1/status"; }
check 'what asks engines is shut off as well' "$(filters "$pid")" "$(filters "$(pgrep -P "$pid")")"
stop
check 'a good end' 0 $status
finish
