#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon serve --by: energy on control groups, containers, pods and jobs of Slurm, by CPU time that this test hands out; the
# exporter is held meanwhile, so that energy and CPU time come in one interval.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"

package=tree/sys/class/powercap/intel-rapl:0
docker=$(printf '%064d' 7)
other=$(printf 'ab%062d' 8)
uid=1a2b3c4d-0000-4000-8000-000000000001

lay_serve_tree
for group in system.slice system.slice/web.service "system.slice/docker-$docker.scope" \
    kubepods.slice "kubepods.slice/kubepods-pod${uid//-/_}.slice" \
    "kubepods.slice/kubepods-pod${uid//-/_}.slice/cri-containerd-$other.scope" \
    system.slice/slurmstepd.scope system.slice/slurmstepd.scope/job_42 system.slice/slurmstepd.scope/job_42/step_0; do
    use_cpu "$group" 5000000
done
pod="kubepods.slice/kubepods-pod${uid//-/_}.slice"
mkdir -p "tree/var/log/pods/shop_cart-0_$uid" tree/var/log/containers
: > "tree/var/log/containers/cart-0_shop_main-web-$other.log"

serve --by cgroup,container,pod,slurm --intensity 360 --linger 0.5 --state state.json
check 'what was used before is nobody'"'"'s' 0 "$(value container_energy_joules_total "$docker" | sort -u)"
check 'a group that does nothing is not told of' '' "$(value cgroup_cpu_seconds_total)"
# 600 J, and 1000 s of CPU time, of which there were less: all of it is laid on the groups, 1/10 to web, 2/10 to docker,
# 3/10 to the container in the pod, 4/10 to the job's step.
hold
use_cpu system.slice/web.service 100000000
use_cpu "system.slice/docker-$docker.scope" 200000000
use_cpu system.slice/slurmstepd.scope/job_42/step_0 400000000
use_cpu system.slice/slurmstepd.scope/job_42 400000000
use_cpu system.slice/slurmstepd.scope 400000000
use_cpu system.slice 700000000
use_cpu "$pod/cri-containerd-$other.scope" 300000000
use_cpu "$pod" 300000000
use_cpu kubepods.slice 300000000
add $package 600000000
go_on
# near NUMBERS WANTED: their sum
near() { /usr/bin/python3 -c 'import sys
got, wanted = sum(map(float, sys.argv[1].split())) if sys.argv[1] else None, float(sys.argv[2])
print("yes" if got is not None and abs(got - wanted) <= 1e-12 * abs(wanted) else got)' "$1" "$2"; }
of() { near "$(value "$1" "$2")" "$3"; }
check 'a tenth' yes "$(of cgroup_energy_joules_total '/web.service"' 60)"
check 'the step of the job' yes "$(of cgroup_energy_joules_total '/job_42/step_0"' 240)"
check 'nothing counts twice' '' "$(value cgroup_energy_joules_total 'cgroup="/system.slice"')"
check 'all of it' yes "$(near "$(value cgroup_energy_joules_total)" 600)"
# Of containers there are two: the machine's energy is theirs as their time is of all containers' time.
check 'a container' yes "$(of container_energy_joules_total "container_id=\"$docker\"" 240)"
check 'its engine' yes "$(of container_energy_joules_total 'engine="docker"' 240)"
check 'one with a name' yes "$(of container_energy_joules_total 'container_name="main-web"' 360)"
check 'the pod' yes "$(of pod_energy_joules_total "pod_uid=\"$uid\",pod_name=\"cart-0\",namespace=\"shop\"" 600)"
check 'the job' yes "$(of slurm_job_energy_joules_total 'job_id="42"' 600)"
check 'of attributed quality, by component' yes "$(of slurm_job_energy_joules_total 'quality="attributed",component="package"' 600)"
check 'its kilograms' yes "$(of slurm_job_emissions_kilograms_total 'job_id="42"' "$(/usr/bin/python3 -c 'print(600 / 3.6e6 * 0.36)')")"
check 'its CPU time' 400 "$(value slurm_job_cpu_seconds_total)"
collected
check 'while the counter stands still no power is known' '' "$(value container_power_watts "$docker")"

# Time that is left over is nobody's: with little CPU time the groups have less than the machine.
hold
use_cpu system.slice/web.service 1000
use_cpu system.slice 1000
add $package 100000000
go_on
web_j=$(value cgroup_energy_joules_total '/web.service",quality="attributed",component="package')
check 'idle is nobody'"'"'s' yes "$(/usr/bin/python3 -c "print('yes' if 60 <= $web_j < 110 else 'no')")"

# A group that is new counts from its beginning; one that has ended is told of for a while, and then goes.
before=$(value container_cpu_seconds_total "$docker")
rm -r "tree/sys/fs/cgroup/system.slice/docker-$docker.scope"
untold() { [ -z "$(value container_cpu_seconds_total "$docker")" ]; }
until_true untold
check_match 'one that has ended goes, and all else is told' '^carbon_build_info' "$(scrape)"
check 'its last value was what it had' 200 "$before"
use_cpu system.slice/new.service 1000
wait_value 0.001 cgroup_cpu_seconds_total '/new.service"'

# A restart with the state: totals of groups go on.
stop
serve --by slurm --intensity 360 --state state.json
check 'the job after a restart' yes "$(of slurm_job_energy_joules_total 'job_id="42"' 600)"
check 'only what is asked for' '' "$(value container_cpu_seconds_total)$(value cgroup_cpu_seconds_total)"
powered() { add $package 1000000 && [ "$(value slurm_job_power_watts 'job_id="42"')" = 0 ]; }
until_true powered # while it moves it is, of one that does nothing 0
stop

# More groups than are told of.
rm state.json
serve --by cgroup --most-groups 3
for i in 1 2 3 4 5; do use_cpu system.slice/many$i.service 1000; done
for ((us = 2000; ; us += 1000)); do # all of them in each interval
    for i in 1 2 3 4 5; do printf 'usage_usec %020d\n' $us 1<> tree/sys/fs/cgroup/system.slice/many$i.service/cpu.stat; done
    sleep 0.02
done &
using=$!
wait_value 2 groups_left_out 'by="cgroup"'
{ kill $using && wait $using; } 2> /dev/null
check 'so many are told of' 3 "$(value cgroup_cpu_seconds_total | wc -l)"
stop

# Version 1: jobs below uid_U tell whose they are.
rm -r tree/sys/fs/cgroup
mkdir -p tree/sys/fs/cgroup/cpuacct/slurm/uid_1000/job_7/step_0 "tree/sys/fs/cgroup/cpuacct/docker/$docker"
for group in slurm slurm/uid_1000 slurm/uid_1000/job_7 slurm/uid_1000/job_7/step_0 docker "docker/$docker"; do
    printf '%020d\n' 0 > "tree/sys/fs/cgroup/cpuacct/$group/cpuacct.usage"
done
serve --by slurm,container
hold
for group in slurm slurm/uid_1000 slurm/uid_1000/job_7 slurm/uid_1000/job_7/step_0; do
    printf '%020d\n' 50000000000 1<> "tree/sys/fs/cgroup/cpuacct/$group/cpuacct.usage"
done
add $package 30000000
go_on
check 'version 1' yes "$(of slurm_job_energy_joules_total 'job_id="7",user="1000"' 30)"
check 'a container of cgroupfs' 0 "$(value container_energy_joules_total 'engine="docker"' | sort -u)"
stop

rm -r tree/sys/fs/cgroup
"$carbon" serve --root tree --listen 127.0.0.1:0 --by pod > out 2> err
check 'no groups at all' 125 $?
check_match 'is said' 'no control groups' "$(cat err)"
"$carbon" serve --root tree --listen 127.0.0.1:0 --by pod,thread > out 2> err
check 'an unknown kind' 125 $?
check_match 'is named' "by 'thread'" "$(cat err)"
finish
