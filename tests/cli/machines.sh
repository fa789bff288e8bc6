#!/bin/bash
# SPDX-License-Identifier: MIT
# What `carbon sources` says of every recorded machine against the machine's expected.json.
. "$(dirname "$0")/lib.sh"

# The machines that the counting policy must get right whatever else carbon can do.
must='intel-haswell-i7-4770s intel-skylake-t460s-2bat intel-hswep-2s-e5-2620v3 intel-snbep-2s-index-swapped
    intel-laptop-mmio-ne2147 amd-zen1-tr1950x-2die-mirrored amd-zen4-epyc8024p intel-4s-dram
    intel-skx-2s-silver4114-perf-only vm-gce-perf-zero vm-kvm-epyc-none container-powercap-masked
    intel-desktop-3subzones-eacces'

# an ordinary user looks too
chmod 755 "$work" "$work/in"

compare() {
    /usr/bin/python3 -B "$source/tests/compare_machines.py" "$carbon" "$work/in" "$@"
    check "machines of $1" 0 $?
}

compare "$source/tests/trees"
if [ -n "$shared" ]; then
    for name in $must; do
        check "$name is there" yes "$([ -f "$shared/machines/$name/expected.json" ] && echo yes)"
    done
    compare "$shared/machines"
else
    echo 'not checked: the recorded machines beside the source tree are not there'
fi
finish
