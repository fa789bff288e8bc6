#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon serve --by: a graphics card's energy on the control groups of the processes that NVML tells of; on the running
# machine, with a library that stands in for NVML. The exporter is held while the card's numbers change.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"

[ -e "$helpers/.libs/nvml.so" ] || skip "no shared library '$helpers/.libs/nvml.so'"
[ "$(readlink /proc/self/ns/pid)" = 'pid:[4026531836]' ] || skip 'these are not all processes of the machine'
group=carbon-test-gpu-$$
folders=()
for root in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/cpuacct /sys/fs/cgroup/cpu,cpuacct; do
    { [ -e "$root/cgroup.controllers" ] || [ -e "$root/cpuacct.usage" ]; } && mkdir "$root/$group" 2> /dev/null &&
        folders+=("$root/$group")
done
[ ${#folders[@]} -gt 0 ] || skip 'no control group may be made here'
sleep 1000 &
job=$!
leave() {
    [ -z "$pid" ] || kill -KILL "$pid" 2> /dev/null
    kill "$job" 2> /dev/null
    wait
    rmdir "${folders[@]}"
    rm -rf "$work"
}
trap leave EXIT
for folder in "${folders[@]}"; do echo "$job" > "$folder/cgroup.procs"; done

mkdir lib
ln -s "$helpers/.libs/nvml.so" lib/libnvidia-ml.so.1
NVML_NUMBERS=$work/in/numbers
LD_LIBRARY_PATH=$work/in/lib
export NVML_NUMBERS LD_LIBRARY_PATH
say() { printf '%s %s\n' gpus 1 0.uuid GPU-1 "$@" > numbers.new && mv numbers.new numbers; }
serve_live() {
    : > err
    # the numbers lie where it may read after its start, beside a web configuration
    "$carbon" serve --listen 127.0.0.1:0 --resolution 1.2 --source nvml --by cgroup --intensity 360 --web-config web.yml > out 2> err &
    pid=$!
    listening of the running machine
    url=$(sed -n 's/^carbon: listening at \(127[^ ,]*\).*/http:\/\/\1/p' err)
}
of_group() { value "cgroup_$1" "cgroup=\"/$group\",quality=\"attributed\",component=\"gpu\""; }

echo 'basic_auth_users: {}' > web.yml
say 0.energy_mj 5000 0.use "$job:60@1000"
serve_live
collected
check 'what was used before is nobody'"'"'s' 0 "$(of_group energy_joules_total)"
hold
say 0.energy_mj 105000 0.use "$job:60@2000 1:20@2000"
go_on
check '60 % of 100 J' 60 "$(of_group energy_joules_total)"
check 'and since then nothing' 0 "$(of_group power_watts)"
# Not told from here on: what it uses now is unknown.
hold
say 0.energy_mj 205000
go_on
check 'what was told stays' 60 "$(of_group energy_joules_total)"
check 'unknown is absent' '' "$(of_group power_watts)"
stop
check 'ended' 0 "$status"

# A driver that never tells.
serve_live
hold
say 0.energy_mj 305000
go_on
check 'never told, absent' '' "$(value cgroup_energy_joules_total)"
stop
finish
