#!/bin/bash
# SPDX-License-Identifier: MIT
# Records of a job of several nodes: what they say of the job, names of files, and carbon merge of them.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000 intel-rapl:0=package-0
burn="$helpers/burn"
job=(SLURM_JOB_ID=4711 SLURM_STEP_ID=0 SLURM_JOB_NUM_NODES=2 SLURM_STEP_NUM_TASKS=2 SLURM_STEP_TASKS_PER_NODE='1(x2)'
    SLURM_JOB_PARTITION=main SLURM_JOB_ACCOUNT=lab SLURM_CLUSTER_NAME=alpha)
unset "${!SLURM_@}"

# task NODE INDEX ARGUMENT...: a task of the job there, whose words are in err.
task() {
    local node=$1 index=$2
    shift 2
    env "${job[@]}" SLURMD_NODENAME="$node" SLURM_NODEID="$index" SLURM_PROCID="$index" SLURM_LOCALID=0 \
        "$carbon" measure --root tree --baseline 0 --intensity 100 "$@" 2> err
}
# Another record of a file, some of it changed by statements over r.
edit() { /usr/bin/python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
exec(sys.argv[3])
json.dump(r, open(sys.argv[2], "w"))' "$@"; }
# over the merged result; and whether a notice says so
merged() { json m.json "$1"; }
noticed() { merged "any(__import__('re').search(r'$1', n['what']) for n in r['notices'])"; }
merge() { "$carbon" merge --json m.json "$@" > out 2> said; }

# Two nodes: each says which it is, and its file's name does.
task n1 0 --json 'run-%h-%j-%t-%%-%x.json' --csv '%h.csv' -- "$burn" tree intel-rapl:0 5500000 100
task n2 1 --json 'run-%h-%j-%t-%%-%x.json' -- "$burn" tree intel-rapl:0 7000000 100
one=run-n1-4711-0-%-%x.json two=run-n2-4711-1-%-%x.json
check 'names of files' "n1.csv $one $two" "$(echo n1.csv run-*)"
check 'who it is' "slurm 4711 0 n1 2 2 1 0 0 main lab alpha" "$(json "$one" "' '.join(str(r['job'][k]) for k in ('scheduler', \
'id', 'step', 'node', 'nodes', 'tasks', 'node_tasks', 'rank', 'local_rank', 'partition', 'account', 'cluster'))")"
check 'no part of an array' 'None None' "$(json "$one" "'%s %s' % (r['job']['array_job'], r['job']['array_task'])")"
check 'no doubt of one task a node' False "$(json "$one" "any('measure on node' in n['what'] for n in r['notices'])")"
"$carbon" measure --root tree --baseline 0 --no-ledger --quiet --json 'no-%h-%%.json' -- true 2> /dev/null
check 'elsewhere names stay' 'no-%h-%%.json' "$(echo no-*)"
check 'no job' None "$(json 'no-%h-%%.json' "r['job']")"
"$carbon" verify "$one" > verified 2>&1
check 'it can be verified' 0 $?
"$carbon" restate --intensity 200 --json restated.json "$one" > /dev/null 2>&1
check 'restated it is of the same job' True "$(/usr/bin/python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["job"] == json.load(open("restated.json"))["job"])' "$one")"

# Their sum.
edit "$two" two.json "
r['windows']['runs'][0]['started_at'] = json.load(open('$one'))['windows']['runs'][0]['started_at']"
merge "$one" two.json
check 'merge: status' 0 $?
check 'the sum' 12.5 "$(merged "r['gross_j']")"
check 'by node' "n1 5.5 n2 7" "$(merged "' '.join('%s %s' % (n['node'], n['gross_j']) for n in r['nodes'])")"
check 'by hand' True "$(merged "abs(r['emissions']['gross_kgco2eq'] - 12.5 / 3.6e6 * 0.1) < 1e-18")"
check 'the job' '4711 alpha 2 measured None None' "$(merged "'%s %s %s %s %s %s' % (r['job_id'], r['cluster'], \
r['nodes_expected'], r['quality'], r['net_j'], r['net_interval_j']['low'])")"
check 'nothing is missing' False "$(noticed 'no record')"
check_match 'table' '^job 4711, 2 records of 2 nodes, 2 expected \(of recorded machines\)$' "$(cat out)"
check_match 'row' '^  n1 .* 5\.50 J +unknown +unknown  measured$' "$(cat out)"
check_match 'row of all' '^  all .* 12\.5 J +unknown' "$(cat out)"
"$carbon" merge --csv m.csv "$one" two.json > /dev/null 2>&1
check 'csv' "4711,n1,1 4711,n2,1 4711,total,2" "$(tail -n +2 m.csv | cut -d , -f 2-4 | tr '\n' ' ' | sed 's/ $//')"
"$source/tests/check-schema.sh" "$one" m.json > schema.out || [ $? = 77 ] || check 'schema' '' "$(cat schema.out)"

# Two containers of one host, with names of their own: its energy counts once, by the start that they have in common.
edit "$one" host-a.json "r['machine']['start'] = 'a' * 32; r['job'] = None"
edit "$two" host-b.json "
r['machine']['start'] = 'a' * 32; r['job'] = None
r['windows']['runs'][0]['started_at'] = json.load(open('$one'))['windows']['runs'][0]['started_at']
r['windows']['runs'][0]['duration_s'] = json.load(open('$one'))['windows']['runs'][0]['duration_s']"
merge host-a.json host-b.json
check 'one machine, one time' '1 5.5 7' "$(merged "'%d %s %s' % (len(r['nodes']), r['gross_j'], r['overlap_j'])")"
edit host-b.json host-c.json "r['machine']['start'] = 'c' * 32"
merge host-a.json host-c.json
check 'two machines' '2 12.5' "$(merged "'%d %s' % (len(r['nodes']), r['gross_j'])")"

# Missing, twice, restated.
merge "$one"
check 'a missing node' True "$(noticed '1 of 2 nodes have no record')"
merge --nodes 5 "$one" two.json
check 'nodes that the user counts' True "$(noticed '3 of 5 nodes have no record')"
merge "$one" "$one" two.json
check 'given twice' '12.5 2' "$(merged "'%s %d' % (r['gross_j'], len(r['records']))")"
check 'given twice: told' True "$(noticed 'was given several times')"
for order in "$one restated.json" "restated.json $one"; do
    # shellcheck disable=SC2086
    merge $order
    check 'restated' '5.5 1 0.2' "$(merged "'%s %d %s' % (r['gross_j'], len(r['records']), \
r['records'][0]['kgco2eq_per_kwh'])")"
done
check 'restated: told' True "$(noticed 'was restated as')"
merge restated.json two.json
check 'other factors' True "$(noticed 'different factors: 200 gCO2eq.kWh .* and 100 ')"

# Three tasks of one node: 100 s, another 100 s of which half is the same, one within.
for task in 0:0:100:10 1:50:100:20 2:60:10:1; do
    IFS=: read -r rank at length joules <<< "$task"
    edit "$one" "task$rank.json" "
run = r['windows']['runs'][0]
run['started_at'] = '2026-01-01T00:%02d:%02d.000Z' % divmod($at, 60)
run['duration_s'], run['gross_j'] = $length, $joules
r['gross_j']['mean'] = $joules
r['emissions']['gross']['kgco2eq'] = $joules / 1000
r['id'] = '00000000-0000-4000-8000-00000000000$rank'
r['job'].update(node_tasks=4, rank=$rank, local_rank=$rank, nodes=1)"
done
merge task2.json task1.json task0.json
check 'overlap' '20 11 0.02' "$(merged "'%s %s %s' % (r['gross_j'], r['overlap_j'], r['emissions']['gross_kgco2eq'])")"
check 'what counts' '0 0.5 1' "$(merged "' '.join('%g' % x['counted'] for x in r['records'])")"
check 'one node, for 150 s' '1 150' "$(merged "'%d %g' % (len(r['nodes']), r['nodes'][0]['duration_s'])")"
check 'a missing task' True "$(noticed '1 of 4 tasks of node .n1. have no record')"
check 'overlap: told' True "$(noticed '3 records of node .n1. overlap')"
# By CPU time what each used itself adds up, though the node counts once.
for rank in 0 1 2; do
    edit "task$rank.json" "own$rank.json" "
r['own_method'], r['own_j']['mean'] = 'cpu-time', 2.0
run = r['windows']['runs'][0]
run['own_j'], r['own_low_j'], r['own_high_j'], r['emissions']['own']['kgco2eq'] = 2.0, 1.0, 5.0, 0.004"
done
merge own0.json own1.json own2.json
check 'own of the tasks' '20 6 3 15 0.012 cpu-time' "$(merged "'%s %g %g %g %g %s' % (r['gross_j'], r['own_j'], r['own_low_j'], r['own_high_j'], r['emissions']['own_kgco2eq'], r['own_method'])")"
check_match 'own in the table' '^own +6\.00 J by CPU time \(3\.00 J to 15\.0 J\)$' "$(cat out)"
"$source/tests/check-schema.sh" m.json > schema.out || [ $? = 77 ] || check 'schema of own' '' "$(cat schema.out)"
edit task0.json old.json "del r['job']"
merge old.json task1.json
check 'a record that knows of no job' '30 2' "$(merged "'%s %d' % (r['gross_j'], len(r['nodes']))")"
check 'that: told' True "$(noticed 'do not say which node')"
edit task0.json later.json "
r['job'].update(node='n9')
r['windows']['runs'][0]['started_at'] = '2026-02-01T00:00:00.000Z'"
merge later.json task1.json two.json
check 'another clock' True "$(noticed 'was measured at another time')"

# Doubts about what is counted.
job+=(SLURM_STEP_TASKS_PER_NODE='4(x2)')
task n1 0 --json doubt.json -- true
check 'several tasks a node' True "$(json doubt.json "any(n['what'] == '4 tasks of this step measure on node \'n1\'' for n in r['notices'])")"
printf '#!/bin/sh\nexit 0\n' > srun
chmod +x srun
task n1 0 --json doubt.json -- ./srun
check 'it starts what is elsewhere' True "$(json doubt.json "any(n['what'] == 'only node \'n1\' is measured, of the job\'s 2' for n in r['notices'])")"

# Errors.
merge
check 'no record: status' 125 $?
merge nowhere.json
check 'no such file: status' 125 $?
check_match 'no such file' "cannot read 'nowhere.json'" "$(cat said)"
"$carbon" merge --json - --csv - "$one" > /dev/null 2> said
check 'two forms on standard output' 125 $?
task n1 0 --json "$(printf 'x%.0s' {1..4000})%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h%h" -- true
check 'too long a name: status' 125 $?
finish
