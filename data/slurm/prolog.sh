#!/bin/sh
# SPDX-License-Identifier: MIT
# Prolog of slurmd: measures the node from here on until epilog.sh of the same job. Whatever goes wrong is written to a
# log and costs the job nothing: a prolog that fails would drain the node.
#
#   slurm.conf: Prolog=/usr/share/carbon/slurm/prolog.sh  Epilog=/usr/share/carbon/slurm/epilog.sh  PrologFlags=Alloc
#
# The node's counters are taken, not the job's group: that is there only when the first step begins.
conf=${CARBON_SLURM_CONF:-/etc/carbon/slurm.conf}
# shellcheck source=/dev/null
[ ! -r "$conf" ] || . "$conf"
dir=${CARBON_SLURM_DIR:-/var/spool/carbon}
job=$SLURM_JOB_ID
name=$job-${SLURMD_NODENAME:-$(uname -n)}

note() {
    printf '%s job %s: prolog: %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$job" "$1" >> "$dir/carbon.log"
}

# Whether another job's measurement goes on; prints which.
other_job() {
    for pid_file in "$dir"/run/*.pid; do
        [ -r "$pid_file" ] || continue
        read -r pid < "$pid_file"
        # of a number that something else has got since the node was started, the name is another
        read -r comm 2> /dev/null < "/proc/$pid/comm" || continue
        if [ "$comm" = "$(basename "${CARBON:-carbon}")" ] && [ "$pid_file" != "$dir/run/$name.pid" ]; then
            basename "$pid_file" .pid
            return 0
        fi
    done
    return 1
}

start() {
    umask 077
    mkdir -p "$dir/run" "$dir/records" || return
    if other=$(other_job) && [ "${CARBON_SLURM_SHARED:-no}" != yes ]; then
        note "not measured: the record of $other has this node's energy"
        return
    fi
    rm -f "$dir/run/$name.end" "$dir/run/$name.pid"
    mkfifo "$dir/run/$name.end" || return
    # What is measured is a command that waits for the epilog.
    # shellcheck disable=SC2086,SC2016
    setsid sh -c 'echo $$ > "$0.new" && mv "$0.new" "$0" && exec "$@"' "$dir/run/$name.pid" \
        "${CARBON:-carbon}" measure --baseline 0 --quiet --no-ledger ${CARBON_OPTIONS-} \
        --json "$dir/records/$name.json" \
        --label "slurm $job" ${SLURM_JOB_ACCOUNT:+--project "$SLURM_JOB_ACCOUNT"} \
        -- sh -c 'read -r _ < "$1"' carbon-job "$dir/run/$name.end" \
        < /dev/null >> "$dir/carbon.log" 2>&1 &
    # slurmd kills what is in the prolog's group when this ends: by the time of that file it has a session of its own
    tenths=50
    while [ ! -e "$dir/run/$name.pid" ] && [ "$tenths" -gt 0 ]; do
        tenths=$((tenths - 1))
        sleep 0.1
    done
    [ -e "$dir/run/$name.pid" ]
}

if [ -n "$job" ]; then
    start 2>> "$dir/carbon.log" || note 'could not be measured'
fi
exit 0
