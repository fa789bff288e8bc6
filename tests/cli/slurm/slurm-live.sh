#!/bin/bash
# SPDX-License-Identifier: MIT
# On a Slurm of its own: carbon measure in a job's script and in tasks of srun, carbon merge of them, carbon slurm, and
# the prolog and epilog that fill a ledger.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-slurm.sh"

# A job that sacct has to the end.
ended() { sacct -n -P -X -j "$1" --format=State,End | grep -qE '^(COMPLETED|FAILED)\|[^U]'; }

slurm_start
chmod 755 "$work" "$work/in"
mkdir -p out
cat > job.sh << END
#!/bin/sh
"$carbon" measure --baseline 0 --no-ledger --quiet --intensity 100 --json out/script-%j-%h-%t.json -- sh -c 'i=0; while [ \$i -lt 300000 ]; do i=\$((i + 1)); done'
srun -n 2 --overlap "$carbon" measure --baseline 0 --no-ledger --quiet --intensity 100 --json out/rank-%t-of-%j.json -- sleep 1
srun -n 1 --overlap "$carbon" measure --baseline 0 --no-ledger --quiet --intensity 100 --json 'out/literal-%%t%x.json' -- true
END
job=$(sbatch --parsable --ntasks=2 --job-name='a job' --output=job.out --overcommit job.sh 2> sbatch.err) ||
    { cat sbatch.err; slurm_fail 'no job can be submitted'; }
slurm_until 180 ended "$job" || { cat job.out "$slurm"/*.log; check 'the job ends' yes no; finish; }
check 'its state' COMPLETED "$(sacct -n -P -X -j "$job" --format=State)"
script=out/script-$job-here-0.json
check 'its files' "literal-%t%x.json rank-0-of-$job.json rank-1-of-$job.json script-$job-here-0.json" \
    "$(cd out && echo *)"
check 'the script: who it is' "slurm $job None here 1 1 0 carbon main" "$(json "$script" \
    "r['job']['scheduler'], r['job']['id'], r['job']['step'], r['job']['node'], r['job']['nodes'], r['job']['node_tasks'], \
r['job']['rank'], r['job']['cluster'], r['job']['partition']" | tr -d "(),'")"
for rank in 0 1; do
    check "rank $rank: which" "0 2 2 $rank $rank" "$(json "out/rank-$rank-of-$job.json" "r['job']['step'], r['job']['tasks'], \
r['job']['node_tasks'], r['job']['rank'], r['job']['local_rank']" | tr -d "(),'")"
    check "rank $rank: the doubt" True "$(json "out/rank-$rank-of-$job.json" \
        "any('2 tasks of this step measure on node' in n['what'] for n in r['notices'])")"
done
"$source/tests/check-schema.sh" out/*.json > schema.out || [ $? = 77 ] || check 'schema of records' '' "$(cat schema.out)"
check 'the boot' "$(cat /proc/sys/kernel/random/boot_id)" "$(json "$script" "r['job']['boot_id']")"

# One node, whatever the number of its tasks.
"$carbon" merge --json merged.json out/rank-*.json > merged.txt 2> merged.err
check 'merge' 0 $?
check 'merge: one node' "$job 1 1 2 2" "$(json merged.json "r['job_id'], r['nodes_expected'], len(r['nodes']), \
r['nodes'][0]['records'], len(r['records'])" | tr -d '(),')"
check 'merge: not twice' True "$(json merged.json "r['gross_j'] <= 0.999 * sum(x['gross_j'] for x in r['records'])")"
check 'merge: nothing lost' True "$(json merged.json \
    "abs(r['gross_j'] + r['overlap_j'] - sum(x['gross_j'] for x in r['records'])) < 1e-6")"

# From the accounts: no meter here, so that it is modelled.
"$carbon" slurm --intensity 100 --json slurm.json "$job" > slurm.txt 2> slurm.err
check 'slurm' 0 $?
check 'slurm: the job' "$job a job COMPLETED modelled None" "$(json slurm.json "'%s %s %s %s %s' % (r['jobs'][0]['id'], \
r['jobs'][0]['name'], r['jobs'][0]['state'], r['jobs'][0]['quality'], r['jobs'][0]['slurm_energy_j'])")"
check 'slurm: its time' True "$(json slurm.json "r['jobs'][0]['elapsed_s'] >= 1 and r['jobs'][0]['cpu_s'] > 0")"
check 'slurm: its steps' "$job.0 $job.1 $job.batch" "$(json slurm.json \
    "' '.join(sorted(s['id'] for s in r['jobs'][0]['steps']))")"
check 'slurm: its energy' True "$(json slurm.json "r['energy_j'] > 0 and r['kgco2eq'] > 0")"
"$source/tests/check-schema.sh" merged.json slurm.json > schema.out || [ $? = 77 ] || check 'schemas' '' "$(cat schema.out)"
# In whatever form sacct prints its times; a day that ends meanwhile would make another of them relative. Of one that is
# too long for its field sacct prints the beginning, or number signs.
for form in standard relative %s '%d.%m.%Y %H:%M:%S' '%Y/%m/%d %T' '%T %d.%m.%Y' %c '%d %b %Y %T'; do
    day=$(date +%F)
    SLURM_TIME_FORMAT=$form sacct -P --duplicates -j "$job" \
        --format=JobID,State,Submit,Start,End,ElapsedRaw,NCPUS,TotalCPU > times.txt
    "$carbon" slurm --sacct times.txt --date "$day" --intensity 100 --json times.json > times.out 2>&1
    started=$(json times.json "r['jobs'][0]['started_at']")
    case $form in
        %c | '%d %b %Y %T')
            check "times: $form: not guessed" None "$started"
            check_match "times: $form: said" 'sacct prints 19 characters of a time' "$(tr -s '\n ' ' ' < times.out)" ;;
        *) check "times: $form" "$(json slurm.json "r['jobs'][0]['started_at']")" "$started" ;;
    esac
done
"$carbon" slurm 999999 > none.out 2>&1
check 'slurm: no such job: status' 125 $?
check_match 'slurm: no such job' 'knows no such job: 999999' "$(cat none.out)"
sacct -P --noconvert --duplicates -j "$job" \
    --format=JobID,JobIDRaw,State,ExitCode,Submit,Start,End,ElapsedRaw,NNodes,NodeList,NCPUS,TotalCPU,AllocTRES,JobName > kept.txt
"$carbon" slurm --intensity 100 --json kept.json --sacct kept.txt > /dev/null 2>&1
check 'slurm: from a file the same' "$(json slurm.json "r['energy_j'], r['jobs'][0]['started_at']")" \
    "$(json kept.json "r['energy_j'], r['jobs'][0]['started_at']")"

# The prolog and epilog that are shipped.
mkdir spool
cat > carbon.conf << END
CARBON='$carbon'
CARBON_OPTIONS='--intensity 100'
CARBON_SLURM_DIR='$work/in/spool'
CARBON_SLURM_LEDGER='$work/in/cluster.db'
END
for role in prolog epilog; do
    printf '#!/bin/sh\nCARBON_DATA=%s CARBON_SLURM_CONF=%s\nexport CARBON_DATA CARBON_SLURM_CONF\nexec "%s"\n' \
        "$CARBON_DATA" "$work/in/carbon.conf" "$source/data/slurm/$role.sh" > "$slurm/$role.new"
    chmod 755 "$slurm/$role.new"
    mv "$slurm/$role.new" "$slurm/$role"
done
second=$(sbatch --parsable --output=second.out --wrap 'sleep 1')
kept() { [ "$("$carbon" history --ledger cluster.db --json - | grep -c "slurm $1")" -ge 1 ]; }
slurm_until 180 ended "$second"
slurm_until 120 kept "$second" || cat spool/carbon.log
"$carbon" history --ledger cluster.db --json history.json > /dev/null 2>&1
check 'ledger: the job of the epilog' True "$(json history.json "any('slurm $second' in str(x) for x in r.values())")"
check 'ledger: no file is left' '' "$(cd spool && find records run -type f -o -type p)"
check 'node: not drained' idle "$(slurm_until 60 sh -c 'sinfo -h -o %T | grep -qx idle'; sinfo -h -o %T)"

# A node is in one record at a time: a job beside another is not measured.
long=$(sbatch --parsable --ntasks=1 --output=long.out --wrap 'until [ -e go ]; do sleep 0.2; done')
slurm_until 120 test -s "spool/run/$long-here.pid"
short=$(sbatch --parsable --ntasks=1 --output=short.out --wrap true)
slurm_until 180 ended "$short"
: > go
slurm_until 180 ended "$long"
slurm_until 120 kept "$long" || cat spool/carbon.log
check_match 'beside another: the log' "job $short: prolog: not measured: the record of $long-here has this node's energy" \
    "$(cat spool/carbon.log)"
"$carbon" history --ledger cluster.db --json history.json > /dev/null 2>&1
check 'beside another: the ledger' 'True False' "$(json history.json "'%s %s' % ('slurm $long\'' in str(r), 'slurm $short\'' in str(r))")"

# What cannot work costs the job nothing.
echo "CARBON=$work/no-such-program" >> carbon.conf
third=$(sbatch --parsable --output=third.out --wrap 'echo done')
slurm_until 180 ended "$third"
check 'without carbon: the job' 'COMPLETED done' "$(sacct -n -P -X -j "$third" --format=State) $(cat third.out)"
slurm_until 60 grep -q "job $third: epilog" spool/carbon.log
check_match 'without carbon: the log' "job $third: epilog: there is no record" "$(cat spool/carbon.log)"
check 'without carbon: not drained' idle "$(slurm_until 60 sh -c 'sinfo -h -o %T | grep -qx idle'; sinfo -h -o %T)"

# Without accounts.
sed 's/^AccountingStorageType=.*/AccountingStorageType=accounting_storage\/none/; /^AccountingStorageHost/d; /^AccountingStoragePort/d' \
    "$slurm/slurm.conf" > "$slurm/none.conf"
SLURM_CONF=$slurm/none.conf "$carbon" slurm "$job" > none.out 2>&1
check 'no accounts: status' 125 $?
check_match 'no accounts' 'keeps no accounts of its jobs' "$(cat none.out)"
finish
