#!/bin/bash
# SPDX-License-Identifier: MIT
# What a user says of the machine where its power is modelled: --cpu, --instance, --cpu-power.
. "$(dirname "$0")/../lib.sh"

mkdir -p tree/proc
printf 'processor\t: 0\nflags\t\t: fpu hypervisor\n' > tree/proc/cpuinfo
printf 'cpu  10 0 0 90 0 0 0 0 0 0\n' > tree/proc/stat
printf 'MemTotal:        8388608 kB\n' > tree/proc/meminfo
measure() { "$carbon" measure -v --source model --baseline 0 --zone FR --no-ledger "$@"; }
# said ARGUMENT...: what the notice of the package says, why, and what to do.
said() {
    measure --root tree --json said.json "$@" -- true > /dev/null 2> err
    json said.json "[' | '.join(n[k] for k in ('what', 'why', 'fix')) for n in r['notices'] if 'power of the package' in n['what']][0]"
}

# A constant power is energy over time, however busy this machine is.
measure --cpu-power 12:12 --json given.json -- sleep 0.3 > given.out 2> given.err
check 'what is given counts' True "$(json given.json '[abs(d["gross_j"]["mean"] / r["windows"]["runs"][0]["duration_s"] - 12) < 0.1 for d in r["domains"] if d["name"] == "package"][0]')"
check 'it is modelled all the same' modelled "$(json given.json 'r["quality"]')"
check_match 'and says so' '12.0 W idle to 12.0 W busy \(within 9.00 W to 16.0 W\).*as given, 12 W idle' "$(said --cpu-power 12:12)"

# What nobody knows has a wide range, and says what to give.
check_match 'an unknown guest' 'processor without a name.*an unknown processor.* \| .*--instance m6i.large.*--cpu' "$(said)"
check_match 'its type' "processor without a name, Ice Lake, a guest with 1 thread, m6i.large; .* \| 'carbon sources'" "$(said --instance m6i.large)"
check_match 'its processor' 'AMD EPYC 7763, Zen 3 \(--cpu\), a guest with 1 of a package.s 128 threads; TDP 280 W' "$(said --cpu 'EPYC 7763')"
check_match 'by the environment' 'AMD EPYC 7763, Zen 3 \(--cpu\)' "$(CARBON_CPU='EPYC 7763' said)"
"$carbon" sources --root tree --source model --cpu-power 12:12 > sources.out
check_match 'for the list of sources' 'model:given' "$(cat sources.out)"

fails() {
    measure "${@:3}" -- touch ran > out 2> err
    check "$1: status" 125 $?
    check_match "$1" "$2" "$(tr -s ' \n' ' ' < err)"
    check "$1: nothing ran" no "$([ -e ran ] && echo yes || echo no)"
}
fails 'an unknown processor' "unknown processor 'EPYC 7763B'.*AMD EPYC 7763.*or give its --cpu-power" --cpu 'EPYC 7763B'
fails 'an unknown type' "unknown instance type 'm6i.tiny'.*--cpu MODEL" --instance m6i.tiny
for powers in 12 12: :12 20:10 -1:5 0:0 a:b 1:2:3 1:1e9; do
    fails "powers $powers" 'two powers are needed.*20W:180W' "--cpu-power=$powers"
done
finish
