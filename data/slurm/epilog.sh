#!/bin/sh
# SPDX-License-Identifier: MIT
# Epilog of slurmd: ends what prolog.sh of the same job has begun, whose record is then in the ledger. Whatever goes
# wrong is written to a log: an epilog that fails would drain the node.
conf=${CARBON_SLURM_CONF:-/etc/carbon/slurm.conf}
# shellcheck source=/dev/null
[ ! -r "$conf" ] || . "$conf"
dir=${CARBON_SLURM_DIR:-/var/spool/carbon}
job=$SLURM_JOB_ID
name=$job-${SLURMD_NODENAME:-$(uname -n)}

note() {
    printf '%s job %s: epilog: %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$job" "$1" >> "$dir/carbon.log"
}

# Until that process has ended, in tenths of a second; false: it has not.
await() {
    tenths=$2
    while kill -0 "$1" 2> /dev/null; do
        [ "$tenths" -gt 0 ] || return 1
        tenths=$((tenths - 1))
        sleep 0.1
    done
}

# What has been measured into the ledger; the file goes where it is there, and only then.
keep() {
    ledger=${CARBON_SLURM_LEDGER:-/var/lib/carbon/ledger.db}
    record=$dir/records/$name.json
    if [ ! -s "$record" ] && [ -s "$record.partial" ]; then
        "${CARBON:-carbon}" recover --no-ledger --json "$record" "$record.partial" > /dev/null &&
            rm -f "$record.partial"
    fi
    if [ ! -s "$record" ]; then
        note 'there is no record'
    elif [ "$ledger" = off ]; then
        return
    elif "${CARBON:-carbon}" import --ledger "$ledger" "$record" > /dev/null; then
        [ "${CARBON_SLURM_KEEP:-no}" = yes ] || rm -f "$record"
    else
        note "the ledger did not take $record: carbon import --ledger '$ledger' does it later"
    fi
}

finish() {
    read -r pid < "$dir/run/$name.pid" || return
    # whoever reads at the other end is what is measured; nobody does where carbon has ended before
    # shellcheck disable=SC2016
    if ! kill -0 "$pid" 2> /dev/null ||
        ! timeout 10 sh -c 'echo end > "$1"' carbon-job "$dir/run/$name.end"; then
        note 'nothing waited for the end'
    fi
    if ! await "$pid" $((${CARBON_SLURM_WAIT:-20} * 10)); then
        note 'carbon did not end in time, and was stopped'
        kill -TERM "$pid"
        await "$pid" 20 || kill -KILL "$pid"
    fi
    rm -f "$dir/run/$name.end" "$dir/run/$name.pid"
    keep
}

if [ -n "$job" ] && [ -r "$dir/run/$name.pid" ]; then
    finish 2>> "$dir/carbon.log" || note 'the measurement could not be ended'
fi
exit 0
