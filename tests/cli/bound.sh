#!/bin/bash
# SPDX-License-Identifier: MIT
# What a job's time went into, as carbon measure says it of real jobs: pure ones, and the same below a shell.
. "$(dirname "$0")/lib.sh"
act=$helpers/act

# is VERDICT WORDS JOB...: other work on this machine may take the CPU from a job, so three times.
is() {
    local verdict=$1 words=$2 said
    shift 2
    for _ in 1 2 3; do
        "$carbon" measure --source model --baseline 0 --json r.json -- "$@" > /dev/null 2> err
        said=$(json r.json 'r["bound"]["by"]')
        [ "$said" = "$verdict" ] && break
    done
    if [ "$said" = unknown ] && [ "$(json r.json 'r["usage"]["cpu_stall_s"]["value"]')" = None ]; then
        echo "not tested: $*: this machine has other work, and no figure of how long the job waited for it"
        return
    fi
    check "$verdict: $*" "$verdict: $(json r.json 'r["bound"]["why"]')" "$said: $(json r.json 'r["bound"]["why"]')" || return
    check_match "$verdict: in words" "^ +job +$words \(" "$(cat err)"
    check_match "$verdict: with the evidence" "$words \($(json r.json 'r["bound"]["why"].split(";")[0]')" "$(tr -s ' \n' ' ' < err)"
}

cache_mib=$(/usr/bin/python3 - << 'END'
import glob
sizes = {}
for index in glob.glob("/sys/devices/system/cpu/cpu[0-9]*/cache/index*"):
    try:
        size, level = open(index + "/size").read().strip(), int(open(index + "/level").read())
        sizes[level] = max(sizes.get(level, 0), int(size[:-1]) * {"K": 1, "M": 1024}[size[-1]])
    except (OSError, KeyError, ValueError):
        pass
print(sizes[max(sizes)] // 1024 if sizes else 0)
END
)

is idle 'mostly idle' "$act" sleep 0.4
is idle 'mostly idle' sh -c 'sleep 0.3; :'
if [ "$cache_mib" = 0 ] || [ "$cache_mib" -gt 256 ]; then
    echo 'not tested: the cache is not known, or too large for a test'
else
    is cpu 'CPU-bound' "$act" spin 0.6
    is cpu 'CPU-bound' sh -c '"$0" spin 0.5; :' "$act"
    # the pages are made to be there, which a virtual machine's host may take its time for
    mib=$((4 * cache_mib))
    "$act" stream $mib 0.3
    is memory 'memory-bound' "$act" stream $mib 0.8
    is memory 'memory-bound' sh -c '"$0" stream $1 0.7; :' "$act" $mib
fi
case $(stat -f -c %T .) in
tmpfs | overlayfs) echo 'not tested: no block device below this folder' ;;
*)
    is io 'I/O-bound' "$act" disk 32 0.6
    is io 'I/O-bound' sh -c '"$0" disk 32 0.6; :' "$act"
    ;;
esac

# Both forms say the same; several runs are judged together.
"$carbon" measure --source model --baseline 0 --runs 2 --settle 0 --json r.json --csv r.csv -- "$act" sleep 0.3 2> err
check 'two runs' 'idle idle idle' "$(json r.json '" ".join([r["bound"]["by"], *[w["bound"]["by"] for w in r["windows"]["runs"]]])')"
check 'CSV' idle "$(/usr/bin/python3 -c 'import csv; print(next(csv.DictReader(open("r.csv")))["bound_by"])')"
"$carbon" measure --source model --baseline 0 --json r.json -- "$act" sleep 0.03 2> err
check 'too short to tell' unknown "$(json r.json 'r["bound"]["by"]')"
check_match 'too short: in words' 'what bounds it is unknown \(it ran for [0-9]+ ms, too short to tell\)' "$(tr -s ' \n' ' ' < err)"

finish
