#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon slurm of what sacct has printed: what Slurm measured, what it did not, what is no energy, forms, the ledger, errors.
. "$(dirname "$0")/../lib.sh"
export TZ=UTC

said() { json s.json "$1"; }
noticed() { said "any('$1' in n['what'] for n in r['notices'])"; }
slurm() { "$carbon" slurm --json s.json "$@" > out 2> err; }

# Measured: each joule once.
slurm --sacct "$source/tests/slurm/measured.txt" --intensity 100 --pue 1.5
check 'measured: status' 0 $?
check 'measured' '700 540300 extern, 701 91000 steps, 702 3000 job, 702 4000 job' "$(said \
    "', '.join('%s %s %s' % (j['id'], j['energy_j'], j['energy_from']) for j in r['jobs'])")"
check 'all of them' '638300 measured 0' "$(said "'%s %s %s' % (r['energy_j'], r['quality'], r['unknown'])")"
check 'by hand' True "$(said "abs(r['kgco2eq'] - 638300 / 3.6e6 * 1.5 * 0.1) < 1e-12 and \
abs(r['facility_kwh'] - 638300 / 3.6e6 * 1.5) < 1e-12")"
check 'no model' '{None}' "$(said "{j['model'] for j in r['jobs']}")"
check 'a name with the delimiter' 'a|b' "$(said "r['jobs'][0]['steps'][2]['name']")"
check 'what is no energy is null' None "$(said "r['jobs'][1]['slurm_energy_j']")"
check 'that: told' True "$(noticed '18446744073709551614')"
check 'joules that are there twice: told' True "$(noticed 'double-counts its steps; using 540 kJ (extern)')"
check 'run again' 'True False' "$(said "'%s %s' % (r['jobs'][2]['requeued'], r['jobs'][3]['requeued'])")"
check 'whole nodes: told' True "$(noticed 'whole nodes')"
check_match 'table' '^  700 +1 h 00 min +540 kJ +22\.5 gCO2eq  measured   COMPLETED$' "$(cat out)"
check_match 'table: the sum' '^  all +638 kJ' "$(cat out)"
slurm --sacct "$source/tests/slurm/measured.txt" --intensity 100 701.2
check 'a step' '701.2 21000 step 1' "$(said "'%s %s %s %d' % (r['jobs'][0]['id'], r['energy_j'], r['jobs'][0]['energy_from'], \
len(r['jobs']))")"
slurm --sacct - --zone FR 700 < "$source/tests/slurm/measured.txt"
check 'from standard input; the year of the job' '540300 FR True' "$(said "'%s %s %s' % (r['energy_j'], \
r['jobs'][0]['factor']['zone'], r['jobs'][0]['factor']['year'] <= 2026)")"

# Not measured: the arithmetic of an estimate.
slurm --sacct "$source/tests/slurm/unmeasured.txt" --intensity 100 --cpu 'AMD EPYC 7763' --csv s.csv
check 'modelled: status' 0 $?
"$carbon" estimate --cpu 'AMD EPYC 7763' --load 0.5 --threads 8 --memory-gb 16 --hours 2 --intensity 100 --json e.json > /dev/null
check 'modelled: as an estimate' "$(json e.json "r['energy_j'], r['energy_low_j'], r['energy_high_j'], r['quality'], \
r['emissions']['kgco2eq']")" "$(said "r['jobs'][0]['energy_j'], r['jobs'][0]['energy_low_j'], r['jobs'][0]['energy_high_j'], \
r['jobs'][0]['quality'], r['jobs'][0]['kgco2eq']")"
check 'modelled: the load' '0.5 1 None' "$(said "'%s %g %s' % tuple(j['model']['load'] for j in r['jobs'][:3])")"
check 'GPUs: told' True "$(noticed 'the GPUs of job 801_3 are not in its modelled energy')"
check 'no CPU time: its range begins at idle' True "$(said "r['jobs'][2]['energy_low_j'] < 0.5 * r['jobs'][2]['energy_j']")"
check 'no CPU time: told' True "$(noticed 'the CPU time of job 801_4 is not known')"
check 'it goes on' 'True False' "$(said "'%s %s' % (r['jobs'][2]['running'], r['jobs'][0]['running'])")"
check 'it goes on: told' True "$(noticed 'job 801_4 is still going on')"
check 'never run' '0 given None' "$(said "'%g %s %s' % (r['jobs'][3]['energy_j'], r['jobs'][3]['quality'], \
r['jobs'][3]['started_at'])")"
check 'all: modelled' modelled "$(said "r['quality']")"
check 'local time' 2026-02-01T12:00:00.000Z "$(said "r['jobs'][0]['started_at']")"
check 'csv: a row a job and a step' '800 800.batch 801_3 801_4 803' "$(tail -n +2 s.csv | cut -d , -f 2 | tr '\n' ' ' | sed 's/ $//')"
"$source/tests/check-schema.sh" s.json > schema.out || [ $? = 77 ] || check 'schema' '' "$(cat schema.out)"
without=$(said "r['jobs'][1]['energy_j']")
slurm --sacct "$source/tests/slurm/unmeasured.txt" --intensity 100 --cpu 'AMD EPYC 7763' --gpu-power 250 801
check 'an array' '801_3 801_4' "$(said "' '.join(j['id'] for j in r['jobs'])")"
check 'GPUs at a power' '1800000 True' "$(said "'%s %s' % (r['jobs'][0]['model']['gpu_j'], \
abs(r['jobs'][0]['energy_j'] - 1800000 - $without) < 1e-6)")"
slurm --sacct "$source/tests/slurm/unmeasured.txt" --cpu 'AMD EPIC 7763' 800
check 'no such processor' 125 $?
printf 'JobID|State|Start|ElapsedRaw|NCPUS\n9|COMPLETED|1767225600|50|\n' > bare
slurm --sacct bare --intensity 100
check 'unknown is not 0' 'None unknown 1 None' "$(said "'%s %s %s %s' % (r['energy_j'], r['quality'], r['unknown'], r['kgco2eq'])")"

# Jobs that share nodes: job 2 has a fifth of n1's 100 W in its half hour (2 of 10 CPUs busy), job 4 half of n2's 120 W in its
# quarter (8 of 16), and all together have each node's joules once. Times as sacct prints them; the columns that it takes.
slurm --sacct "$source/tests/slurm/shared.txt" --intensity 100
check 'shared: status' 0 $?
check 'shared: by CPU time' '324000 36000 378000 54000 108000' "$(said "' '.join('%.0f' % j['energy_j'] for j in r['jobs'])")"
check 'shared: each joule once' 900000 "$(said "'%.0f' % r['energy_j']")"
check 'shared: of the nodes' '0.9 0.2 0.875 0.5 1' "$(said "' '.join('%g' % j['node_share'] for j in r['jobs'])")"
check 'shared: it is attributed' 'attributed attributed attributed attributed measured' "$(said "' '.join(j['quality'] for j in r['jobs'])")"
check 'shared: told' True "$(noticed 'share their energy by CPU time')"
check 'a start that cannot be read: told' True "$(noticed "the start of job 5 cannot be read")"
"$source/tests/check-schema.sh" s.json > schema.out || [ $? = 77 ] || check 'schema' '' "$(cat schema.out)"

# Steps that overlap in part: the time of each node once, by the longest.
printf '%s\n' 'JobID|Start|End|ElapsedRaw|NNodes|NodeList|NCPUS|ConsumedEnergyRaw' '6|1767225600|1767225800|200|2|n[1-2]|8|50000' \
    '6.0|1767225600|1767225700|100|1|n1|4|10000' '6.1|1767225650|1767225800|150|1|n1|4|15000' \
    '6.2|1767225690|1767225710|20|2|n[1-2]|8|4000' > steps.txt
slurm --sacct steps.txt --intensity 100
check 'steps that overlap in part' '22000 steps' "$(said "'%.0f %s' % (r['energy_j'], r['jobs'][0]['energy_from'])")"

# A line that is there twice is one job; without CPU time and CPUs a node is shared evenly, and that is said.
sed 's/^2|.*/&\n&/' "$source/tests/slurm/shared.txt" > twice.txt
slurm --sacct twice.txt --intensity 100
check 'a line twice' '324000 36000 378000 54000 108000' "$(said "' '.join('%.0f' % j['energy_j'] for j in r['jobs'])")"
printf '%s\n' 'JobID|Start|End|ElapsedRaw|NodeList|ConsumedEnergyRaw' '1|1767225600|1767225700|100|n1|10000' \
    '2|1767225600|1767225700|100|n1|12000' > even.txt
slurm --sacct even.txt --intensity 100
check 'shared evenly' '5000 5000' "$(said "' '.join('%.0f' % j['energy_j'] for j in r['jobs'])")"
check 'shared evenly: told' True "$(noticed 'job 1 shares its nodes evenly with those that had them at the same time')"

# Each table with one line torn, shifted, doubled, in another order, or written in another way: every good row counts, every bad
# one is listed.
cat > damage.py << 'PYTHON'
import json, os, subprocess, sys
carbon, faults, ways = sys.argv[1], 0, 0
def jobs(data):
    open("t.txt", "wb").write(data)
    out = subprocess.run([carbon, "slurm", "--sacct", "t.txt", "--intensity", "100", "--json", "t.json"], capture_output=True)
    listed = [line for line in out.stderr.decode().splitlines() if line.startswith("carbon: t.txt line ")]
    if out.returncode:
        return out.stderr.decode(), listed
    return sorted((j["id"], j["started_at"] or "", "%.6g" % j["energy_j"] if j["energy_j"] is not None else "unknown", j["quality"])
                  for j in json.load(open("t.json"))["jobs"]), listed
def expect(how, path, data, wanted, lines=()):
    global faults, ways
    told, listed = jobs(data)
    ways += 1
    if told != wanted or [int(line.split()[3]) for line in listed] != list(lines):
        faults += 1
        print(path, how, told, wanted, listed, sep="\n  ")
for path in sys.argv[2:]:
    lines = open(path).read().rstrip("\n").split("\n")
    text = "\n".join(lines) + "\n"
    wanted, _ = jobs(text.encode())
    name_last = lines[0].endswith("|JobName")
    cells = [line.split("|", lines[0].count("|")) for line in lines]
    for how, data in (("BOM", b"\xef\xbb\xbf" + text.encode()), ("UTF-16", text.encode("utf-16")), ("big", text.encode("utf-16-be")),
                      ("CRLF", text.replace("\n", "\r\n").encode()), ("no end", text[:-1].encode()),
                      ("header twice", (text + lines[0] + "\n").encode()),
                      ("semicolons", "".join(";".join(row) + "\n" for row in cells).encode()),
                      ("decimal commas", "".join(";".join(f if "[" in f else f.replace(".", ",") if i < 2 else f
                                                          for i, f in enumerate(row)) + "\n" for row in cells).encode()),
                      ("tabs", "".join("\t".join(row) + "\n" for row in cells).encode()),
                      ("commas and quotes", "".join(",".join('"%s"' % f for f in row) + "\n" for row in cells).encode())):
        expect(how, path, data, wanted)
    for at in range(1, len(lines)):
        rest, _ = jobs("\n".join(lines[:at] + lines[at + 1:]).encode())
        fields = lines[at].split("|")
        if len(lines) > 2 and isinstance(rest, list):
            expect("torn", path, "\n".join(lines[:at] + ["|".join(fields[:2])] + lines[at + 1:]).encode(), rest, [at + 1])
            expect("a field lost", path, "\n".join(lines[:at] + ["|".join(fields[1:])] + lines[at + 1:]).encode(), rest, [at + 1])
            expect("shifted", path, "\n".join(lines[:at] + ["|".join(fields[1:] + [""])] + lines[at + 1:]).encode(), rest, [at + 1])
        if "." not in fields[0]:
            expect("doubled", path, "\n".join(lines[:at + 1] + lines[at:]).encode(), wanted)
    steps, blocks = [], []
    for line in lines[1:]:
        blocks.append([line]) if "." not in line.split("|")[0] else blocks[-1].append(line)
    expect("re-ordered", path, "\n".join([lines[0]] + [line for block in reversed(blocks) for line in block]).encode(), wanted)
print("%d tables, %d ways, %d faults" % (len(sys.argv) - 2, ways, faults))
PYTHON
mapfile -t tables < <(printf '%s\n' "$source/tests/slurm/measured.txt" "$source/tests/slurm/shared.txt" "$source/tests/slurm/unmeasured.txt"
    [ ! -d "$shared/cases/round2/meters" ] || find "$shared/cases/round2/meters/12" "$shared/cases/round2/meters/35" -name '*.txt')
/usr/bin/python3 damage.py "$carbon" "${tables[@]}" > damage
check_match 'every table, damaged in one line or written in another way' ' tables, [0-9]+ ways, 0 faults$' "$(cat damage)"

# What nodes cannot have drawn is doubted, and modelled; the processor tells more of what a node can.
if [ -n "$shared" ] && [ -d "$shared/cases/round2/meters/12" ]; then
    cases=$shared/cases/round2/meters
    jobs() { said "', '.join('%s %.6g %s' % (j['id'], j['energy_j'], j['quality']) for j in r['jobs'])"; }
    slurm --sacct "$cases/12/a.txt" --intensity 100
    check 'once, not three times' '5100 101630 measured' "$(jobs)"
    slurm --sacct "$cases/12/b.txt" --intensity 100
    check 'few columns, and joules with a letter' '2658300 4.58e+06 measured' "$(jobs)"
    slurm --sacct "$cases/12/c.txt" --intensity 100
    check 'the extern step' '17 2e+09 measured' "$(jobs)"
    slurm --sacct "$cases/12/d.txt" --intensity 100
    check '0 is no measurement, 0 s are 0 J, 0.3 W a node is none' 'modelled given given modelled' \
        "$(said "' '.join(j['quality'] for j in r['jobs'])")"
    check 'doubted: which' '43967090' "$(said "' '.join(j['id'] for j in r['jobs'] if j['doubted'])")"
    check 'doubted: told' True "$(noticed 'what Slurm says of job 43967090 is doubted: 300 mW a node')"
    slurm --sacct "$cases/12/d.txt" --intensity 100 --doubted 43967090
    check 'doubted: counted where asked' '43967090 300 measured' "$(jobs)"
    slurm --sacct "$cases/12/e.txt" --intensity 100
    check 'no energies' 'modelled modelled modelled modelled' "$(said "' '.join(j['quality'] for j in r['jobs'])")"
    for job in 9001 9002; do
        grep -e '^JobID' -e "^$job" "$cases/35/a.txt" > one.txt
        slurm --sacct one.txt --zone DE --cpu 'Intel Xeon Platinum 8360Y'
        check "inflated: $job" "$([ $job = 9001 ] && echo 'modelled True' || echo 'measured False')" \
            "$(said "'%s %s' % (r['jobs'][0]['quality'], r['jobs'][0]['doubted'])")"
    done
    slurm --sacct "$cases/35/a.txt" --zone DE --cpu 'Intel Xeon Platinum 8360Y'
    check 'inflated: what is doubted tells nothing of the node' 'modelled 2712000 modelled' \
        "$(said "'%s %.0f %s' % (r['jobs'][0]['quality'], r['jobs'][1]['energy_j'], r['jobs'][2]['quality'])")"
    check 'the unit of memory: told' True "$(noticed 'memory energy measured by Slurm may be four times too large')"
else
    echo 'the recorded cases are not here: not read'
fi

# The plugin's unit of memory: of servers since Haswell.
for cpu in 'Intel Xeon E5-2670:False' 'Intel Xeon E5-2680 v3:True' 'Intel Xeon Gold 6248:True' 'Intel Xeon E3-1230 v5:False' \
    'AMD EPYC 7763:False'; do
    slurm --sacct "$source/tests/slurm/measured.txt" --intensity 100 --doubted --cpu "${cpu%:*}"
    check "unit of memory: ${cpu%:*}" "${cpu#*:}" "$(noticed 'memory energy measured by Slurm may be four times too large')"
done

# The ledger: again is harmless, and it is an estimate there.
for _ in 1 2; do
    slurm --sacct "$source/tests/slurm/measured.txt" --intensity 100 --keep --ledger l.db --project lab 700 701
    check 'kept: status' 0 $?
done
"$carbon" history --ledger l.db --json h.json > /dev/null
check 'kept: once' '2' "$(/usr/bin/python3 -c 'import json; print(json.dumps(json.load(open("h.json"))).count("carbon.estimate/1"))')"

slurm --sacct "$source/tests/slurm/shared.txt" --intensity 100 --keep --ledger start.db 4 5
check 'a job without a start is in no report, and not kept' 'True 1' "$(noticed 'job 5 is not kept: its start is not known') \
$("$carbon" history --ledger start.db --csv - | tail -n +2 | wc -l)"

# Numbers that began anew.
{ cat "$source/tests/slurm/measured.txt"; grep '^700|' "$source/tests/slurm/measured.txt" | sed 's/|1767225000|1767225600|/|1798761000|1798761600|/'; } > anew
slurm --sacct anew --intensity 100 700
check 'numbers anew' '1 1620000' "$(said "'%d %s' % (len(r['jobs']), r['energy_j'])")"
check 'numbers anew: told' True "$(noticed 'an earlier job with the number 700')"

# Errors.
slurm
check 'no job' 125 $?
slurm 12a:3
check 'no number' 125 $?
check_match 'no number: said' "'12a:3' is not a job number" "$(cat err)"
slurm --sacct "$source/tests/slurm/measured.txt" 70
check 'no such job' 125 $?
check_match 'no such job: said' 'knows no such job: 70$' "$(cat err)"
printf 'JobID|State\n7|COMPLETED\n' > bare
slurm --sacct bare 7
check_match 'nothing that tells an energy' 'no column with an energy' "$(cat err)"
slurm --sacct nowhere 7
check 'no such file' 125 $?
slurm --sacct /dev/null
check_match 'no output of sacct' 'is not sacct output' "$(cat err)"
mkdir bin
PATH=$work/in/bin:$PATH
PATH=$work/in/bin slurm 7
check_match 'no sacct' 'sacct not found' "$(cat err)"
fake() { printf '#!/bin/sh\n%s\n' "$1" > bin/sacct; chmod +x bin/sacct; }
fake 'echo "Slurm accounting storage is disabled" >&2; exit 1'
slurm 7
check_match 'no accounts' 'keeps no accounts of its jobs' "$(cat err)"
fake 'echo "sacct: error: slurmdbd: Access/permission denied" >&2; exit 1'
slurm 7
check_match 'denied' 'does not show this job to this user' "$(cat err)"
fake 'echo "sacct: error: boom" >&2; exit 3'
slurm 7
check_match 'it fails' 'sacct failed with status 3.*' "$(cat err)"
fake "printf '%s\\n' \"\$*\" \"\$SLURM_TIME_FORMAT\" > '$work/in/asked'; cat '$source/tests/slurm/measured.txt'"
slurm --intensity 100 700 701.2
check 'asked: its words' '-P --noconvert --duplicates -j 700,701 %s' "$(sed 's/ --format=.*//' asked | tr '\n' ' ' | sed 's/ $//')"
check 'asked' '700 701.2' "$(said "' '.join(j['id'] for j in r['jobs'])")"
finish
