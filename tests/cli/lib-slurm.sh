# SPDX-License-Identifier: MIT
# A Slurm of a test's own, of one node and with its accounting: sourced after lib.sh. munged, mariadbd, slurmdbd, slurmctld
# and slurmd stand in a folder of their own and on free ports, and are gone when the test ends, however it ends.
#
# slurm_start        starts them and waits until the node is idle; exports SLURM_CONF. Skips the test, with the reason,
#                    where that cannot be done.
# slurm_until SECONDS COMMAND...   runs it until it succeeds
# slurm_end          ends all of them
# $slurm             the folder; its logs are there
slurm=$(mktemp -d /tmp/carbon-slurm.XXXXXX) || exit 99
trap 'slurm_end; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
slurm_pids=()

slurm_until() {
    local left=$(($1 * 5))
    shift
    until "$@" > /dev/null 2>&1; do
        [ "$left" -gt 0 ] || return 1
        left=$((left - 1))
        sleep 0.2
    done
}

slurm_end() {
    local pid
    if [ -n "${SLURM_CONF-}" ]; then
        scancel --state=RUNNING --user=root 2> /dev/null
    fi
    # the last one started first
    for ((i = ${#slurm_pids[@]} - 1; i >= 0; i--)); do kill "${slurm_pids[i]}" 2> /dev/null; done
    for ((i = ${#slurm_pids[@]} - 1; i >= 0; i--)); do
        pid=${slurm_pids[i]}
        for ((j = 0; j < 100; j++)); do kill -0 "$pid" 2> /dev/null || break; sleep 0.1; done
        kill -KILL "$pid" 2> /dev/null
        wait "$pid" 2> /dev/null
    done
    slurm_pids=()
    # what outlives its slurmd, by the folders in its command line
    for pid in $(grep -lsaF -e "$slurm/" -e "$work/" /proc/[0-9]*/cmdline | cut -d / -f 3); do
        [ "$pid" = $$ ] || [ "$pid" = "$BASHPID" ] || kill -KILL "$pid" 2> /dev/null
    done
    rm -rf "$slurm"
}

# slurm_run USER NAME COMMAND...: in the background, its words in $slurm/NAME.out.
slurm_run() {
    local user=$1 name=$2
    shift 2
    if [ "$user" = root ]; then
        "$@" > "$slurm/$name.out" 2>&1 < /dev/null &
    else
        setpriv --reuid "$user" --regid "$user" --clear-groups "$@" > "$slurm/$name.out" 2>&1 < /dev/null &
    fi
    slurm_pids+=($!)
}

slurm_fail() {
    tail -n 5 "$slurm"/*.out "$slurm"/*.log 2> /dev/null
    skip "a Slurm could not be started: $1"
}

slurm_configure() {
    local ports
    read -r -a ports < <(/usr/bin/python3 -c 'import socket
held = [socket.socket() for _ in range(4)]
for s in held: s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in held))')
    cat > "$slurm/slurm.conf" << END
ClusterName=carbon
SlurmctldHost=$(uname -n | cut -d . -f 1)(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmdPort=${ports[1]}
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=${ports[2]}
AccountingStoragePass=$slurm/munge/socket
Prolog=$slurm/prolog
Epilog=$slurm/epilog
PrologFlags=Alloc
NodeName=here NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=500 State=UNKNOWN
PartitionName=main Nodes=here Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
END
    cat > "$slurm/slurmdbd.conf" << END
AuthType=auth/munge
AuthInfo=socket=$slurm/munge/socket
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=${ports[2]}
SlurmUser=root
LogFile=$slurm/slurmdbd.log
PidFile=$slurm/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=${ports[3]}
StorageUser=slurm
StoragePass=x
StorageLoc=slurm_acct_db
END
    chmod 600 "$slurm/slurmdbd.conf"
    slurm_database_port=${ports[3]}
}

slurm_database() {
    mkdir "$slurm/db"
    chown mysql: "$slurm/db"
    mariadb-install-db --no-defaults --user=mysql --datadir="$slurm/db" --auth-root-authentication-method=normal \
        --skip-test-db > "$slurm/install-db.out" 2>&1 || return
    slurm_run mysql mariadbd mariadbd --no-defaults --datadir="$slurm/db" --socket="$slurm/db/socket" \
        --pid-file="$slurm/db/pid" --bind-address=127.0.0.1 --port="$slurm_database_port" --innodb-buffer-pool-size=64M \
        --innodb-flush-log-at-trx-commit=0 --skip-name-resolve
    slurm_until 120 mariadb --no-defaults --socket="$slurm/db/socket" -u root -e 'select 1' || return
    mariadb --no-defaults --socket="$slurm/db/socket" -u root -e "create user slurm@'127.0.0.1' identified by 'x';
        grant all on slurm_acct_db.* to slurm@'127.0.0.1'"
}

slurm_munge() {
    mkdir -m 755 "$slurm/munge"
    head -c 1024 /dev/urandom > "$slurm/munge/key"
    chmod 400 "$slurm/munge/key"
    chown -R munge: "$slurm/munge"
    slurm_run munge munged munged --foreground --force --socket="$slurm/munge/socket" --key-file="$slurm/munge/key" \
        --pid-file="$slurm/munge/pid" --log-file="$slurm/munge/log" --seed-file="$slurm/munge/seed" --num-threads=2
    slurm_until 60 munge --no-input --socket="$slurm/munge/socket"
}

slurm_start() {
    local program
    [ "$(id -u)" = 0 ] || skip 'not root: no Slurm can be started'
    PATH=$PATH:/usr/sbin:/sbin
    for program in munged mariadbd slurmdbd slurmctld slurmd sacct; do
        command -v "$program" > /dev/null || skip "no $program"
    done
    chmod 755 "$slurm"
    mkdir "$slurm/state" "$slurm/spool"
    printf '#!/bin/sh\nexit 0\n' | tee "$slurm/prolog" > "$slurm/epilog"
    chmod 755 "$slurm/prolog" "$slurm/epilog"
    slurm_configure
    export SLURM_CONF=$slurm/slurm.conf
    slurm_munge || slurm_fail 'munged'
    slurm_database || slurm_fail 'its database'
    slurm_run root slurmdbd env SLURM_CONF="$SLURM_CONF" slurmdbd -D
    slurm_until 60 sacctmgr -n show cluster || slurm_fail 'slurmdbd'
    sacctmgr -i add cluster carbon > /dev/null 2>&1
    slurm_run root slurmctld slurmctld -D
    slurm_run root slurmd slurmd -D -N here
    slurm_until 120 sh -c 'sinfo -h -o %T | grep -qx idle' || slurm_fail 'the node does not get idle'
}
