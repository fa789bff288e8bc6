# SPDX-License-Identifier: MIT
# carbon serve in CLI tests: sourced after lib.sh and lib-trees.sh.
#
# lay_serve_tree              a machine with a package, memory and graphics, and control groups, that only the test moves
# move_serve_tree BUSY        the same, moved in the background by tests/helpers/groups.py, so much of it busy; $mover
# start ARGUMENT...           starts it on ./tree; $pid, err. Fails the test where it does not start
# serve ARGUMENT...           the same with a free port, and $url
# stop                        ends it with SIGTERM; $status
# ask ARGUMENT... URL         see tests/helpers/ask.py
# scrape [ARGUMENT...]        its metrics
# value NAME [LABELS]         of the sample of carbon_NAME whose labels hold this text, by a scrape
# wait_value VALUE NAME [LABELS]   scrapes until it is that
# collected                   waits for two more collections, so that what was moved before is in
# hold, go_on                 holds it between two collections, so that what is moved meanwhile comes in one; lets it go on,
#                             until all of that is in
# put_uj FOLDER UJ            a counter's new value; add FOLDER UJ: adds to it
# use_cpu GROUP US            a group of version 2 has used so much more
pid=
trap '[ -z "$pid" ] || kill -KILL "$pid" 2> /dev/null; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT

lay_serve_tree() {
    rm -rf tree
    zone tree 262143328850 0 intel-rapl:0=package-0 intel-rapl:0:0=dram intel-rapl:0:1=uncore
    mkdir -p tree/proc/sys/kernel/random tree/sys/fs/cgroup
    echo 11111111-2222-4333-8444-555555555555 > tree/proc/sys/kernel/random/boot_id
    echo cpu > tree/sys/fs/cgroup/cgroup.controllers
}

move_serve_tree() {
    lay_serve_tree
    echo "$1" > tree/busy
    /usr/bin/python3 -B "$source/tests/helpers/groups.py" tree 20 30 &
    mover=$!
}

started_or_not() { grep -q '^carbon: listening at ' err || ! kill -0 "$pid" 2> /dev/null; }
listening() {
    until_true started_or_not
    ! grep -q '^carbon: listening at ' err || return 0
    check "serve $* starts" started "$(cat err)"
    finish
}

start() {
    : > err
    "$carbon" serve --root tree "$@" > out 2> err &
    pid=$!
    listening "$@"
}

serve() {
    start --listen 127.0.0.1:0 --resolution 0.2 "$@"
    url=$(sed -n 's/^carbon: listening at \(127[^ ,]*\) with TLS.*/https:\/\/\1/p; s/^carbon: listening at \(127[^ ,]*\).*/http:\/\/\1/p' err)
}

stop() {
    kill "$pid"
    wait "$pid"
    status=$?
    pid=
}

ask() {
    /usr/bin/python3 -B -W ignore "$source/tests/helpers/ask.py" "$@"
}

scrape() {
    ask "$@" "$url/metrics"
}

value() {
    ask --value "$1" --labels "${2-}" "$url/metrics"
}

wait_value() {
    check "carbon_$2 ${3-}" "$1" "$(ask --value "$2" --labels "${3-}" --is "$1" "$url/metrics")"
}

collected() {
    ask --value collections_total --least $(($(value collections_total) + 2)) "$url/metrics" > /dev/null
}

# It waits in ppoll, 271 on x86-64, else 73; where that is not to be seen, anywhere.
hold() {
    local call
    while :; do
        kill -STOP "$pid"
        until_true stopped
        { read -r call _ < "/proc/$pid/syscall"; } 2> /dev/null || return 0
        case $call in 271 | 73) return ;; esac
        kill -CONT "$pid"
        sleep 0.02
    done
}
stopped() { [ "$(sed 's/.*) //; s/ .*//' "/proc/$pid/stat")" = T ]; }
go_on() { kill -CONT "$pid"; collected; }

put_uj() {
    printf '%020d\n' "$2" 1<> "$1/energy_uj"
}

add() {
    put_uj "$1" $((10#$(cat "$1/energy_uj") + $2))
}

use_cpu() {
    local file=tree/sys/fs/cgroup/$1/cpu.stat before=0
    [ ! -e "$file" ] || before=$(sed -n 's/usage_usec 0*\([0-9]\)/\1/p' "$file")
    mkdir -p "${file%/*}"
    printf 'usage_usec %020d\n' $((before + $2)) 1<> "$file"
}
