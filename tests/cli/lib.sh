# SPDX-License-Identifier: MIT
# What every CLI test stands on: sourced first. The real program, whole outputs.
#
#   $carbon    the program under test         $source  the source tree
#   $work      an empty folder, removed afterwards (the test starts in it)
#   $shared    recorded machines and cases beside the source tree, or empty
#
# check NAME EXPECTED ACTUAL     two texts are equal
# check_match NAME REGEX TEXT    an extended regular expression matches somewhere in the text
# check_absent NAME REGEX TEXT   it matches nowhere
# open_to_all                    from now on $carbon and $CARBON_DATA are a copy which every user may run and read, for the
#                                tree may lie in a closed home; every user may enter the folder of this test, too
# tried N FAULT                  so many tries there were of the fault whose row in docs/RELIABILITY.md begins so
#                                (tests/reliability.py)
# skip REASON                    the rest of this test cannot run here
# most_mib MIB                  what `act touch MIB` may peak at: 2 % more, and what sanitizers in it take
# json FILE EXPRESSION           evaluates a Python expression over the record `r`
# idle TREE                      no CPU of this recorded machine is busy; `$work/load TREE COMMAND...` runs a command and keeps one of
#                                its CPUs busy meanwhile
# full [CPU...]                  from now on each of these CPUs, or each that this test may use, has a busy process of its own; until
#                                not_full
# processes_of PATTERN           the processes whose whole command line, its words joined by blanks, matches PATTERN as
#                                `case` does: 'sleep 30.5', '*sleep 30.5*'. Neither this shell nor zombies
# until_true COMMAND...          waits until it succeeds, five minutes at most: then this test has failed, and ends
# runs PATTERN                   for until_true: there is such a process
# says FILE EXPRESSION VALUE     for until_true: so says the JSON, which may not be there yet
# minutes_of_grid COUNT STEP     a table of intensities: so many minutes, from a quarter of an hour ago on, of 100 g/kWh, each
#                                by STEP more than the one before
# total_kwh                      of the report in standard input, as JSON; None where there is none
# check_schema NAME FILE...      the JSON is as its schema has it, where schemas can be checked
# refuses NAME REGEX COMMAND...  it ends with status 125 and an error that matches; its output is then in `out` and `said`
# served FILE LOG                waits until a server of this test has written FILE, its ports; skips the test, with what
#                                LOG says, where none can be started
set -u
LC_ALL=C
export LC_ALL
unset CUDA_VISIBLE_DEVICES NVIDIA_VISIBLE_DEVICES GPU_DEVICE_ORDINAL SLURM_JOB_GPUS SLURM_STEP_GPUS
unset CARBON_ZONE CARBON_LEDGER CARBON_PROFILE XDG_CONFIG_HOME XDG_DATA_HOME NO_COLOR COLUMNS SUDO_UID SUDO_GID SUDO_USER
source=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
carbon=${CARBON:-${abs_builddir:-$source/build}/carbon}
builddir=$(cd "$(dirname "$carbon")" && pwd)
helpers=$builddir/tests/helpers
shared=${CARBON_SHARED-$source/../shared}
[ -d "$shared/machines" ] || shared=
unset CARBON_SHARED
: "${CARBON_DATA:=$source/data}"
export CARBON_DATA
work=$(mktemp -d "${TMPDIR:-/tmp}/carbon-test.XXXXXX") || exit 99
full_by=()
trap 'not_full; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
HOME=$work/home
export HOME
mkdir "$HOME" "$work/in"
cd "$work/in" || exit 99
failures=0
checks=0

check() {
    checks=$((checks + 1))
    [ "$2" = "$3" ] && return 0
    failures=$((failures + 1))
    printf 'FAILED %s\n--- expected\n%s\n--- got\n%s\n' "$1" "$2" "$3"
    return 1
}

check_match() {
    checks=$((checks + 1))
    grep -Eq -- "$2" <<< "$3" && return 0
    failures=$((failures + 1))
    printf 'FAILED %s\n--- nothing matches\n%s\n--- in\n%s\n' "$1" "$2" "$3"
    return 1
}

check_absent() {
    checks=$((checks + 1))
    grep -Eq -- "$2" <<< "$3" || return 0
    failures=$((failures + 1))
    printf 'FAILED %s\n--- this must not be there\n%s\n--- in\n%s\n' "$1" "$2" "$3"
    return 1
}

most_mib() {
    local own=0
    ! grep -q __asan_init "$helpers/act" || own=12
    awk "BEGIN { print $1 * 1.02 + $own }"
}

open_to_all() {
    chmod 755 "$work" "$work/in"
    mkdir "$work/open"
    cp "$carbon" "$work/open/carbon"
    cp -r "$CARBON_DATA" "$work/open/data"
    chmod -R a+rX "$work/open"
    chmod a+x "$work/open/carbon"
    carbon=$work/open/carbon
    CARBON_DATA=$work/open/data
}

tried() {
    echo "tried $1: $2"
    [ -z "${CARBON_TRIES-}" ] || printf '%s\t%s\n' "$1" "$2" >> "$CARBON_TRIES"
}

skip() {
    printf 'SKIPPED: %s\n' "$1"
    [ "$failures" -eq 0 ] || exit 1
    exit 77
}

json() {
    local said
    if [ "$1" = /dev/stdin ]; then
        cat > "$work/input"
        set -- "$work/input" "$2"
    fi
    if [ ! -p "$work/ask" ]; then
        mkfifo "$work/answer" "$work/ask"
        (/usr/bin/python3 -B "$source/tests/helpers/reader.py" "$work" < /dev/null > /dev/null 2>&1 &)
    fi
    printf '%s\0' "$PWD" "$1" "$2" > "$work/ask"
    IFS= read -r -d '' said < "$work/answer"
    [ "${said:0:1}" = 0 ] || { printf '%s' "${said:1}" >&2; return 1; }
    printf '%s' "${said:1}"
}

says() { [ "$(json "$1" "$2" 2> /dev/null)" = "$3" ]; }

idle() {
    chmod -R u+w "$1" # a copy of what may not be written to
    mkdir -p "$1/proc"
    printf 'cpu  %012d 0 0 %012d 0 0 0 0 0 0\n' 1 1 > "$1/proc/stat"
    cat > "$work/load" << 'END'
#!/bin/bash
since=$(cut -d' ' -f1 /proc/uptime)
"${@:2}"
status=$?
ticks=$(awk -v since="$since" -v per_s="$(getconf CLK_TCK)" '{printf "%d", ($1 - since) * per_s}' /proc/uptime)
read -r _ busy _ _ rest < "$1/proc/stat"
# in place, for carbon keeps it open
printf 'cpu  %012d 0 0 %s\n' $((10#$busy + ticks)) "$rest" 1<> "$1/proc/stat"
exit $status
END
    chmod +x "$work/load"
}

full() {
    local cpu
    # shellcheck disable=SC2046 # numbers
    [ $# -gt 0 ] || set -- $(/usr/bin/python3 -c 'import os; print(*os.sched_getaffinity(0))')
    for cpu in "$@"; do
        taskset -c "$cpu" "$helpers/act" spin 100000 2> /dev/null &
        full_by+=($!)
    done
    until_true are_full
}

# Each has its CPU, or the CPU cannot be used by this test.
are_full() {
    local pid
    for pid in "${full_by[@]}"; do
        [ ! -e "/proc/$pid/exe" ] || [ "$(readlink "/proc/$pid/exe")" = "$(readlink -f "$helpers/act")" ] || return 1
    done
}

not_full() {
    [ ${#full_by[@]} -gt 0 ] || return 0
    kill "${full_by[@]}" 2> /dev/null
    wait "${full_by[@]}" 2> /dev/null
    full_by=()
}

processes_of() {
    local folder words
    for folder in /proc/[0-9]*; do
        words=()
        { mapfile -d '' -t words < "$folder/cmdline"; } 2> /dev/null
        # shellcheck disable=SC2254 # it is a pattern
        case "${words[*]}" in
            '') ;;
            $1) [ "${folder#/proc/}" = $$ ] || [ "${folder#/proc/}" = "$BASHPID" ] || echo "${folder#/proc/}" ;;
        esac
    done
}
runs() { [ -n "$(processes_of "$1")" ]; }

until_true() {
    local deadline=$((SECONDS + 300))
    until "$@"; do
        [ "$SECONDS" -lt "$deadline" ] || gave_up "$*"
        sleep 0.02
    done
}

minutes_of_grid() {
    /usr/bin/python3 - "$@" << 'END'
import datetime, sys
count, step = map(int, sys.argv[1:])
t = datetime.datetime.now(datetime.timezone.utc).replace(second=0, microsecond=0) - datetime.timedelta(minutes=15)
print("start,end,gco2eq_per_kwh,kind,zone,basis,source_id")
for i in range(count):
    e = t + datetime.timedelta(minutes=1)
    print(f"{t:%Y-%m-%dT%H:%MZ},{e:%Y-%m-%dT%H:%MZ},{100 + step * i},actual,GB,lifecycle,OWN")
    t = e
END
}

total_kwh() {
    /usr/bin/python3 -c 'import json, sys
text = sys.stdin.read()
print(round(float(json.loads(text)["total"]["it_kwh"]), 9) if text else None)'
}

check_schema() {
    local held
    held=$(srcdir=$source "$source/tests/check-schema.sh" "${@:2}" 2>&1)
    case $? in 77) ;; *) check "$1" 0 $? || echo "$held" ;; esac
}

refuses() {
    "${@:3}" > out 2> said
    check "$1: status" 125 $?
    check_match "$1: why" "$2" "$(cat said)"
}

served() {
    until_true has_served "$@"
    [ -e "$1" ] || skip "no server could be started: $(tail -n 1 "$2")"
}
has_served() { [ -e "$1" ] || grep -sq Error "$2"; }

# In a subshell, too, finish knows.
gave_up() {
    printf 'FAILED: in five minutes it did not come: %s\n' "$1" | tee -a "$work/gave-up"
    exit 1
}

finish() {
    [ "$checks" -gt 0 ] || { echo 'FAILED: this test checked nothing'; exit 1; }
    printf '%s checks, %s failed\n' "$checks" "$failures"
    [ "$failures" -eq 0 ] && [ ! -e "$work/gave-up" ]
    exit
}
