#!/bin/bash
# SPDX-License-Identifier: MIT
# A container that sees its own CPUs alone: modelled it is their share of the package; where the package is measured,
# nothing tells what the CPUs of others did.
. "$(dirname "$0")/../lib.sh"

cp -r "$source/tests/trees/container-masked" tree
chmod -R u+w tree
printf '0-11\n' > tree/sys/devices/system/cpu/online
printf '0-11\n' > tree/sys/devices/system/cpu/cpu0/topology/package_cpus_list
printf 'cpu  10 0 0 90 0 0 0 0 0 0\ncpu0 5 0 0 45 0 0 0 0 0 0\ncpu1 5 0 0 45 0 0 0 0 0 0\n' > tree/proc/stat
printf 'MemTotal:        8388608 kB\n' > tree/proc/meminfo
measure() { "$carbon" measure -v --root tree --baseline 0 --zone FR "$@" 2> err; }
notices() { json "$1" "sum($2 in (n['what'] + ' ' + n['why']) for n in r['notices'])"; }
run="r['windows']['runs'][0]"

measure --json model.json -- sleep 1.1
check 'modelled: its part of the package' 1 "$(notices model.json "'a container with 2 of 12 CPUs'")"
check 'the machine has them all' 12 "$(json model.json 'r["machine"]["cpus_online"]')"
check 'CPU time of what is modelled is known' 0 "$(json model.json "${run}['machine_busy_s']")"

check 'that is no doubt' 0 "$(notices model.json "'share by CPU time is unknown'")"

# A pod with a memory limit has that of the node's memory: 0.06 W/GB idle to 0.15 W/GB busy. FILE LIMIT EXPECTED.
limited() {
    rm -rf tree/sys/fs/cgroup
    mkdir -p "tree/sys/fs/cgroup/$(dirname "$1")"
    printf '%s\n' "$2" > "tree/sys/fs/cgroup/$1"
    "$carbon" measure -v --root tree --baseline 0 --zone FR --json memory.json -- true 2> err
    check "memory of $1 $2" 1 "$(json memory.json "sum(n['what'].endswith('not measured: $3') for n in r['notices'])")"
}
printf 'MemTotal:      791674880 kB\n' > tree/proc/meminfo
limited memory.max 17179869184 "16.0 GiB, this container\\'s limit of the node\\'s 755.0 GiB, 960 mW idle to 2.40 W busy"
limited memory/memory.limit_in_bytes 17179869184 "16.0 GiB, this container\\'s limit of the node\\'s 755.0 GiB, 960 mW idle to 2.40 W busy"
limited memory.max max '755.0 GiB, 45.3 W idle to 113 W busy'
limited memory/memory.limit_in_bytes 9223372036854771712 '755.0 GiB, 45.3 W idle to 113 W busy'
printf 'MemTotal:        8388608 kB\n' > tree/proc/meminfo

# The model of the whole package is six times that.
rm tree/run/.containerenv
measure --json whole.json -- sleep 1.1
busy() { json "$1" "[n['what'] for n in r['notices'] if 'the power of the package is modelled' in n['what']][0]" |
    sed 's/.* idle to \([0-9.]*\) \(m\?W\) busy.*/\1 \2/'; }
check 'six times as much' True "$(awk -v own="$(busy model.json)" -v all="$(busy whole.json)" 'BEGIN {
    split(own, a); split(all, b); r = b[1] / a[1]; print (r > 5.9 && r < 6.1 && a[2] == b[2]) ? "True" : own " of " all }')"

touch tree/run/.containerenv
mkdir tree/sys/class/powercap/intel-rapl:0
printf 'package-0\n' > tree/sys/class/powercap/intel-rapl:0/name
printf '5000000000\n' > tree/sys/class/powercap/intel-rapl:0/energy_uj
printf '262143328850\n' > tree/sys/class/powercap/intel-rapl:0/max_energy_range_uj
measure --json own.json -- "$helpers/burn" tree intel-rapl:0 5000000 1100
check 'measured: the whole package' 5 "$(json own.json 'r["gross_j"]["mean"]')"
check 'the CPU time of all is unknown' None "$(json own.json "${run}['machine_busy_s']")"
check 'and so is a part of it' 'None None' "$(json own.json "'%s %s' % (${run}['share_j'], ${run}['attributed_j'])")"
check 'which is said' 1 "$(notices own.json "'is this container\'s own (2 of 12 CPUs)'")"

rm tree/run/.containerenv
measure --json all.json -- "$helpers/burn" tree intel-rapl:0 5000000 1100
check 'no container: it is the CPU time of all' 0 "$(json all.json "${run}['machine_busy_s']")"
check 'and nothing is doubted' 0 "$(notices all.json "'container'")"
finish
