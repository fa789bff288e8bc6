#!/bin/bash
# SPDX-License-Identifier: MIT
# Every command's answer, and its -v, on a terminal of 60 columns, and with COLUMNS=60 through a pipe: no line takes more. Only what
# cannot be broken may: a path or a URL, alone on its line, and the examples of the help, which are command lines to be typed.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

export CARBON_LEDGER=$work/ledger.db LC_ALL=C.UTF-8
mkdir bin
ln -s "$carbon" bin/carbon
ln -s "$helpers/burn" "$helpers/act" "$helpers/functions" bin/
PATH=$PWD/bin:$PATH
zone tree 262143328850 1000000 intel-rapl:0=package-0 intel-rapl:0:0=dram
minutes_of_grid 150 7 > grid.csv
wide='日本語のラベル 測定のための長い名前、二列ずつ'
B="--baseline 0.1 --settle 0"
for at in 2026-01-10 2026-02-10 2026-03-10; do
    carbon estimate --keep --at $at --power 137 --hours 400 --zone FR --pue 1.2 --project "$wide" --label "$wide" > /dev/null 2>&1
done
carbon measure --root tree --baseline 0.1 --runs 2 --zone GB --label "$wide" --json a.json --samples s.csv --interval 0.02 \
    -- burn tree intel-rapl:0 5000000 60 > /dev/null 2>&1
carbon measure --root tree --baseline 0.1 --runs 2 --zone DE --market-factor 30 --json b.json -- burn tree intel-rapl:0 2000000 60 \
    > /dev/null 2>&1
check 'records to show' yes "$([ -s a.json ] && [ -s b.json ] && echo yes)"
printf 'name: two\nsteps:\n- name: one\n  run: ["%s", sleep, "0.1"]\n- name: a-step-of-a-rather-long-name\n  run: ["%s", sleep, "0.1"]\n' \
    "$helpers/act" "$helpers/act" > two.yaml
cat > scrape.prom << 'TEXT'
node_rapl_package_joules_total{index="0",path="/sys/class/powercap/intel-rapl:0"} 1000
kepler_node_cpu_joules_total{zone="package",path="/sys/class/powercap/intel-rapl:0"} 1000
TEXT
sed 's/ 1000$/ 91000/' scrape.prom > scrape2.prom
cat > benchmark.json << 'TEXT'
{"results": [{"command": "sort -n a-file-with-a-rather-long-name.txt", "mean": 0.06, "stddev": 0.001, "times": [0.06, 0.06]}]}
TEXT
cat > emissions.csv << 'TEXT'
timestamp,project_name,run_id,duration,emissions,emissions_rate,cpu_power,gpu_power,ram_power,cpu_energy,gpu_energy,ram_energy,energy_consumed,country_name,country_iso_code,region,cloud_provider,cloud_region,os,python_version,cpu_count,cpu_model,gpu_count,gpu_model,longitude,latitude,ram_total_size,tracking_mode,on_cloud
2026-03-01T10:00:00,codecarbon,5b0fa12a-3dd7-45bb-9766-cc326314d9f1,36.5,0.0012,0.00003,42.5,0,5.7,0.004,0,0.0006,0.0046,France,FRA,idf,,,Linux,3.11,8,Intel(R) Core(TM) i7-8650U CPU @ 1.90GHz,,,2.3,48.8,15.3,machine,N
TEXT

# Each with its default screen and with -v, where it has that.
{
    both() {
        echo "$1"
        echo "${1/carbon/carbon} $2" | sed -E "s/^((!)?carbon [a-z-]+)(.*) $2\$/\1 $2\3/"
    }
    both "carbon measure --root tree $B --zone FR -- burn tree intel-rapl:0 5000000 60" -v
    both "carbon measure --root tree $B --runs 3 --zone GB --intensities grid.csv --pue 1.2 --market-factor 30 --sci 10:jobs --embodied 1000 --equivalents --wue 1.8 --label '$wide' -- burn tree intel-rapl:0 5000000 60" -v
    both "carbon measure --root tree --baseline 0 -- burn tree intel-rapl:0 5000000 60" -v
    both "carbon measure --source model $B -- act sleep 0.2" -v
    both "!carbon measure --source model $B --budget 1mJ -- act sleep 0.2" -v
    both "!carbon measure --source model $B -- false" -v
    both "carbon measure --phase '^phase (.*)' --root tree --baseline 0 -- sh -c 'echo phase one >&2; burn tree intel-rapl:0 2000000 60'" -v
    both "carbon compare --root tree $B --runs 2 --zone FR -- 'burn tree intel-rapl:0 5000000 60' -- 'burn tree intel-rapl:0 2000000 60'" -v
    both "carbon compare --source model $B --runs 2 -- 'act sleep 0.1' -- 'act sleep 0.2' -- 'act sleep 0.15'" -v
    both "!carbon compare a.json b.json" -v
    echo "carbon profile --source model $B -- functions shares 1"
    both "carbon batch --root tree --loops 2 --zone FR --items 10 --reference 'survey=75' --module 'one=burn tree intel-rapl:0 5000000 60' --module 'a-module-with-a-name=burn tree intel-rapl:0 4000000 60'" -v
    both "carbon pipeline --root tree --baseline 0 two.yaml" --details
    both "carbon probe --anyway --source model --loads idle,cpu,memory --threads 1 --runs 2 --time 0.2 --baseline 0.2 --settle 0" -v
    both "!carbon indicator --root tree --baseline 0.1 --runs 2 --zone FR -- python3 -c 'print(1)'" -v
    both "carbon when --intensities grid.csv --duration 10m" -v
    both "carbon report --year 2026" -v
    both "carbon report --year 2026 --duty 8h/d" -v
    both "carbon recover s.csv" -v
    echo "carbon top --once --for 1s --source model"
    echo "carbon estimate --power 137 --hours 400 --zone FR --pue 1.2 --equivalents --label '$wide'"
    echo "carbon estimate --cpu 'AMD EPYC 7763' --load 0.5 --hours 3 --zone us-east-1"
    echo "carbon estimate --gpu 'NVIDIA A100-SXM4-80GB' --gpu-load 0.7 --hours 10 --zone DE --market-factor 20"
    echo "carbon factors"
    echo "carbon factors FR"
    echo "carbon factors US"
    echo "carbon factors --compare FR"
    echo "carbon factors --clouds"
    echo "carbon factors united"
    echo "carbon equivalents 12kg"
    echo "carbon equivalents 3g"
    echo "carbon join a.json benchmark.json"
    echo "carbon restate a.json --zone FR --year 2023"
    echo "carbon verify a.json b.json"
    echo "carbon history"
    echo "carbon history show last"
    echo "carbon ledger check"
    echo "!carbon ledger"
    echo "carbon plot a.json b.json"
    echo "carbon plot s.csv"
    echo "carbon import emissions.csv"
    echo "carbon import --dry-run emissions.csv"
    echo "carbon prometheus scrape scrape.prom scrape2.prom --for 10m --zone FR"
    for jobs in measured shared unmeasured; do
        echo "carbon slurm --sacct '$source/tests/slurm/$jobs.txt' --zone FR --cpu 'Xeon Gold 6230'"
    done
    echo "!carbon merge a.json b.json"
    echo "carbon sources --root tree"
    echo "carbon sources"
    echo "carbon config"
    echo "carbon config measure"
    echo "carbon record recorded"
    echo "carbon report-bug bug.tar.gz"
    echo "carbon calibrate --source model --import nothing.csv" | sed 's/^/!/'
    echo "carbon --version"
    echo "carbon"  | sed 's/^/!/'
    echo "!carbon model nothing"
    echo "!carbon serve --port 1 --listen nowhere"
    for command in measure compare profile top batch probe pipeline model indicator estimate factors when join restate verify equivalents history report \
        plot import recover ledger serve prometheus slurm merge sources calibrate record report-bug config help; do
        echo "carbon help $command"
        echo "carbon help --all $command"
    done
    grep -v '^#\|^$' "$source/tests/cli/help/mistakes.txt" | grep -v '#network\|^history delete' | sed 's/ #works$//; s/^/!carbon /'
} > commands
/usr/bin/python3 -B "$source/tests/helpers/narrow.py" 60 seen < commands > found
check 'every line fits a terminal of 60 columns' '' "$(grep -v '^carbon help [^:]*: [0-9]*:  \(carbon\|sbatch\) ' found)"
check 'all commands are among them' '' "$(carbon help | sed -n 's/^ \([a-z-]\{3,\}\)  .*/\1/p' | while read -r command; do
    grep -q "^!*carbon $command" commands || echo "$command"; done)"
# Without a terminal COLUMNS says the width, and without that a line is as long as it is.
for command in 'history' 'factors FR' 'estimate --power 137 --hours 400 --zone FR' 'slurm --sacct measured.txt --zone FR' 'report --year 2026 -v'; do
    cp "$source/tests/slurm/measured.txt" .
    # shellcheck disable=SC2086 # words of the command
    check "COLUMNS=60 carbon $command | cat" '' "$(COLUMNS=60 carbon $command 2>&1 | grep -E '.{61}' | grep -v '^ *[^ ]*$')"
    # shellcheck disable=SC2086
    check_match "carbon $command | cat" '.{61}' "$(carbon $command 2>&1 | cat)"
done
check 'JSON is never folded' "$(carbon factors FR --json -)" "$(COLUMNS=60 carbon factors FR --json - | cat)"
[ -z "${CARBON_NARROW_OUT-}" ] || cp seen found commands "$CARBON_NARROW_OUT"

finish
