#!/bin/bash
# SPDX-License-Identifier: MIT
# What a job's time went into, as carbon measure says it of real jobs: pure ones, and the same below a shell.
. "$(dirname "$0")/../lib.sh"
act=$helpers/act
measure() { "$carbon" measure -v --source model --baseline 0 --json r.json "$@" 2> err; }

# left_alone VERDICT JOB...: other work of this machine had the CPU for no more than a moment of any run of it, so that
# what bounds the job is its own; or, of a job that computes, all of that time is known. Else that is told.
left_alone() {
    local computes=False
    [ "$1" != cpu ] || computes=True
    shift
    [ "$(json r.json "all(others < 0.05 or $computes and others + u['cpu_s']['value'] / w['duration_s'] > 0.9
        if u['cpu_stall_s']['value'] is not None else
        u['involuntary_switches']['value'] is not None and u['involuntary_switches']['value'] < 5 * w['duration_s']
        for w in r['windows']['runs'] for u in [w['usage']]
        for others in [(u['cpu_stall_s']['value'] or 0) / w['duration_s']])")" = True ] && return
    echo "not tested: $*: other work of this machine had the CPU"
    return 1
}

# is VERDICT WORDS JOB...: what is said of the first run that was left alone, of three; of no other.
is() {
    local verdict=$1 words=$2 said try
    shift 2
    for try in 1 2 3; do
        measure -- "$@" > /dev/null
        ! left_alone "$verdict" "$@" > alone || break
        [ "$try" -lt 3 ] || { cat alone; return; }
    done
    said=$(json r.json 'r["bound"]["by"]')
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
measure --runs 2 --settle 0 --csv r.csv -- "$act" sleep 0.3
! left_alone idle 'two runs' ||
    check 'two runs' 'idle idle idle' "$(json r.json '" ".join([r["bound"]["by"], *[w["bound"]["by"] for w in r["windows"]["runs"]]])')"
check 'CSV' "$(json r.json 'r["bound"]["by"]')" "$(/usr/bin/python3 -c 'import csv; print(next(csv.DictReader(open("r.csv")))["bound_by"])')"
measure -- true
if [ "$(json r.json 'r["windows"]["runs"][0]["duration_s"] < 0.1')" = True ]; then
    check 'too short to tell' unknown "$(json r.json 'r["bound"]["by"]')"
    check_match 'too short: in words' 'bottleneck unknown \(a run of [0-9]+ ms is too short to classify\)' "$(tr -s ' \n' ' ' < err)"
else
    echo 'not tested: too short to tell: this machine took 0.1 s to run nothing'
fi

finish
