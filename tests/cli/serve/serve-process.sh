#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon serve --by process, user: the largest programs have a series each, the rest has one; names alone, and totals that go on.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"

move_serve_tree 0.8
trap '[ -z "$pid" ] || kill -KILL "$pid" 2> /dev/null; kill "$mover" 2> /dev/null; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
until_true test -e tree/moving
used() { awk -v used="$(value process_cpu_seconds_total "process=\"$1\"" | sed -n 1p)" -v least="$2" 'BEGIN { exit !(used + 0 > least) }'; }
near() { awk "BEGIN { print ($1 > $2 * (1 - $3) && $1 < $2 * (1 + $3)) ? \"yes\" : $1 \" is not \" $2 }"; }

serve --source powercap --by process,user --most-processes 1 --intensity 360 --state state.json
until_true used worker 1
until_true used others 0.3
scrape > all
check 'the larger has a series, the rest another' '"others" "worker"' \
    "$(grep '^carbon_process_cpu_seconds_total{' all | sed 's/.*process=\("[^"]*"\).*/\1/' | sort | tr '\n' ' ' | sed 's/ $//')"
check 'a program of a user' "user=\"$(stat -c %u tree/proc/11)\"" "$(grep '^carbon_process_cpu_seconds_total{process="worker"' all | grep -o 'user="[^"]*"')"
check 'energy of the interval × CPU time / (CPUs × interval)' yes "$(awk '/^carbon_process_energy_joules_total\{process="worker".*"package"/ { e = $NF }
    /^carbon_process_cpu_seconds_total\{process="worker"/ { cpu = $NF } END { r = e / cpu / 44; print (r > 0.9 && r < 1.1) ? "yes" : r }' all)"
check 'a user has all that his processes have' yes "$(near "$(grep '^carbon_user_cpu_seconds_total{' all | awk '{ print $NF }')" \
    "$(grep '^carbon_process_cpu_seconds_total{' all | awk '{ sum += $NF } END { print sum }')" 0.000001)"
told=$(value process_energy_joules_total 'process="worker"' | sed -n 1p)
rest=$(value process_energy_joules_total 'process="others"' | sed -n 1p)
stop
serve --source powercap --by process --most-processes 1 --intensity 360 --state state.json
more() { awk "BEGIN { exit !($(value process_energy_joules_total "process=\"$1\"" | sed -n 1p | grep . || echo 0) >= $2) }"; }
check 'after a restart it goes on' 0 "$(more worker "$told"; echo $?)"
check 'and the rest, too' 0 "$(more others "$rest"; echo $?)"
stop

# This machine's own processes, from within the sandbox; never their arguments
"$helpers/burn" --spin 600000 &
burns=$!
"$carbon" serve --source model --by process --intensity 360 --listen 127.0.0.1:0 --resolution 0.2 > out 2> err &
pid=$!
listening
url=$(sed -n 's/^carbon: listening at \(127[^ ,]*\).*/http:\/\/\1/p' err)
seen() { [ -n "$(value process_cpu_seconds_total 'process="burn"')" ]; }
until_true seen
check_absent 'no arguments' spin "$(scrape)"
stop
kill "$burns"
wait "$burns" 2> /dev/null
: > tree/still
wait "$mover"
finish
