#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon estimate: stated and modelled energies, the sum that can be redone, forms, errors.
. "$(dirname "$0")/../lib.sh"

estimate() { "$carbon" estimate "$@"; }

# The figure of a real service: 100.9447441101074 W for 2920 h at PUE 1.25 and 84.879 g/kWh.
estimate --power 100.9447441101074 --hours 2920 --pue 1.25 --intensity 84.879 > a.out 2> a.err
check 'exit status' 0 $?
check 'nothing to doubt' '' "$(cat a.err)"
check 'whole output' 'estimate, nothing was measured

  energy    1.06 GJ = 100.9447441101074 W × 2920 h (given)
  emits     31.27 kgCO2eq
            294.76 kWh × PUE 1.25 × 84.879 gCO2eq/kWh
  factors   PUE 1.25 (given); 84.879 gCO2eq/kWh (given): a figure of one'"'"'s own, basis not said;
            given by the user
  rates     10.7 gCO2eq per hour' "$(cat a.out)"

# Whoever multiplies what is printed gets what is printed, to the last digit; for many sums.
redo() {
    /usr/bin/python3 -c '
import re, sys
from decimal import Decimal as D
units = {"MWh": D(1000), "kWh": D(1), "Wh": D("1e-3"), "mWh": D("1e-6"), "µWh": D("1e-9")}
masses = {"tCO2eq": D(1000), "kgCO2eq": D(1), "gCO2eq": D("1e-3"), "mgCO2eq": D("1e-6"), "µgCO2eq": D("1e-9")}
text = sys.stdin.read()
result, unit = re.search(r"emits +(\S+) (\S+)", text).groups()
energy, e_unit, pue, factor = re.search(r"^ +(\S+) (\S+) × PUE (\S+) × (\S+) gCO2eq/kWh$", text, re.M).groups()
exact = D(energy) * units[e_unit] * D(pue) * D(factor) / 1000 / masses[unit]
print(exact.quantize(D(result)) == D(result))'
}
for sum in '--energy 1J' '--energy 1.3kWh' '--energy 7.77MWh' '--power 0.3 --hours 0.001' '--power 123456 --hours 8760' \
           '--power 99.95 --hours 10' '--power 33.333333333 --hours 3.3' '--power 1e-3 --hours 1' '--energy 3.6e6J'; do
    read -ra words <<< "$sum"
    for factor in 84.879 458.29 1000 0.7 33.333; do
        for pue in 1 1.25 1.5873; do
            check "$sum at $factor and $pue" True "$(estimate "${words[@]}" --intensity $factor --pue $pue | redo)"
        done
    done
done

# Every unit of energy is the same energy.
for text in 3.6e6J 3600kJ 3.6MJ 0.0036GJ 1000Wh 1kWh '1 kWh' 0.001MWh 1e-6GWh; do
    check "$text" 3600000 "$(estimate --energy "$text" --intensity 100 --json - | json /dev/stdin 'round(r["energy_j"], 3)' | sed 's/\.0*$//')"
done
check 'an energy without a time has no power' 'None None None' \
    "$(estimate --energy 1kWh --intensity 100 --json - | json /dev/stdin '" ".join(str(x) for x in (r["power_w"], r["hours"], r["emissions"]["kgco2eq_per_h"]))')"
check_absent 'and no rates' 'per hour' "$(estimate --energy 1kWh --intensity 100)"
check_match 'a duty is declared' 'per year of 2000 h \(given\)' "$(estimate --power 10 --hours 1 --intensity 100 --duty '8h/d x 250')"
check_match 'no energy is none' ' 0 gCO2eq' "$(estimate --power 0 --hours 1 --intensity 100)"

# A zone of the tables, and the default that says so.
estimate --power 10 --hours 1 --zone FR --year 2024 > b.out 2> b.err
check_match 'zone, year, basis and source' 'FR \(France\), 2024, lifecycle' "$(cat b.out)"
estimate --power 10 --hours 1 > c.out 2> c.err
check_match 'no zone: the world, as a default' '\(default\): WORLD' "$(cat c.out)"
check_match 'and a note' 'world average' "$(cat c.err)"

# A processor. The tables are the test's own, so that the figures are known.
mkdir -p data/emission_factors
cp "$source"/data/emission_factors/*.csv data/emission_factors/
chmod -R u+w data
{
    echo 'vendor,model,match_key,cores,threads,tdp_watts,tdp_other_watts,conflict,microarchitecture,codename,segment,year,n_sources,source_id,notes'
    echo 'Acme,Acme One,acme one,8,16,80,40,0,Curved,,mobile,2020,1,LIST,'
    echo 'Acme,Acme Ono,acme ono,8,,80,,0,Curved,,mobile,2020,1,LIST,'
    echo 'Acme,Acme Omo,acme omo,,,80,,0,Curved,,mobile,2020,1,LIST,'
} > data/emission_factors/cpu_power.csv
own() { CARBON_DATA=$PWD/data estimate --intensity 100 "$@"; }
own --cpu 'ACME(R) One CPU @ 3GHz' --load 0.5 --hours 10 --json d.json > d.out 2> d.err
# 80 W × 0.75 at half load
check 'TDP × the generic curve at this load' '60 600 2.16e+06 0.6' \
    "$(json d.json '"%g %g %g %g" % (r["cpu"]["power_w"], r["power_w"] * r["hours"], r["energy_j"], r["emissions"]["it_kwh"])')"
check 'and its range' '6 120' "$(json d.json '"%g %g" % (r["cpu"]["low_w"], r["cpu"]["high_w"])')"
check 'carried to the carbon' '0.006 0.06 0.12' "$(json d.json '"%g %g %g" % tuple(r["emissions"][k] for k in ("kgco2eq_low", "kgco2eq", "kgco2eq_high"))')"
check 'is modelled' 'modelled modelled package teads:generic' \
    "$(json d.json '" ".join((r["quality"], r["cpu"]["quality"], r["cpu"]["boundary"], r["cpu"]["curve"]))')"
check_match 'and says so' 'Acme One at load 0.5: 60.0 W \(modelled, 6.00 W to 120 W\)' "$(cat d.out)"
check_match 'with its sources' 'TDP 80 W × teads:generic \(LIST, TEADS_AWS_2021\)' "$(tr -s ' \n' ' ' < d.out)"
check 'threads' 15 "$(own --cpu 'Acme One' --load 0.5 --threads 4 --hours 1 --json - | json /dev/stdin '"%g" % r["power_w"]')"
check 'cores' 15 "$(own --cpu 'Acme One' --load 0.5 --cores 2 --hours 1 --json - | json /dev/stdin '"%g" % r["power_w"]')"
# 0.06 to 0.15 W/GB
check 'memory is added' '60 5.04 65.04' "$(own --cpu 'Acme One' --load 0.5 --memory-gb 48 --hours 1 --json - | json /dev/stdin '"%g %g %g" % (r["cpu"]["power_w"], r["memory"]["power_w"], r["power_w"])')"
check 'a count of threads that is a guess widens the range' 240 "$(own --cpu 'Acme Ono' --load 0.5 --threads 16 --hours 1 --json - | json /dev/stdin '"%g" % r["cpu"]["high_w"]')"

# A server: the whole machine at its plug, and package and memory inside it, worked out from the tables by another program.
cat > wall.py << 'END'
import csv, json, sys
def table(name):
    with open(sys.argv[1] + "/data/emission_factors/" + name, newline="") as file:
        return list(csv.DictReader(file))
rules = {(r["rule"], r["class"]): float(r["value"]) for r in table("power_rules.csv")}
key, load, memory, r = sys.argv[2], float(sys.argv[3]), float(sys.argv[4]), json.load(sys.stdin)
cpu = next(c for c in table("server_cpu.csv") if c["match_key"] == key)
tdp = next(float(c["tdp_watts"]) for c in table("cpu_power.csv") if c["match_key"] == key)
way = [0] + [float(cpu[f"c_{i}0"]) for i in range(1, 10)] + [1]
tenth = min(9, int(load * 10))
way = way[tenth] + (way[tenth + 1] - way[tenth]) * (load * 10 - tenth)
base0, base1 = rules["node base, idle (B0)", "server"], rules["node base, full (B1)", "server"]
idle, full = float(cpu["idle_w_per_socket"]), float(cpu["full_w_per_socket"])
more = rules["memory above the reference", "server"] * max(0, memory - float(cpu["memory_gb_most"]))
socket = idle + (full - idle) * way + more
wall = base0 + (base1 - base0) * way + socket
eta0, eta1 = (rules["supply and regulator efficiency", c] for c in ("server, idle", "server, half to full"))
of_memory = memory * (0.06 + 0.09 * load)
package = min(tdp, (eta0 + (eta1 - eta0) * min(1, 2 * load)) * socket - of_memory)
near = lambda a, b: abs(a - b) < 1e-6 * b
inside = package + of_memory
print(near(r["wall"]["power_w"], wall), near(r["cpu"]["power_w"], package), near(r["memory"]["power_w"], of_memory),
      near(r["power_w"], inside), inside < wall and r["wall"]["low_w"] < wall < r["wall"]["high_w"])
END
for load in 0 0.1 0.5 1; do
    for memory in 64 384 1024; do
        check "an EPYC 9754 at load $load with $memory GB" 'True True True True True' "$(estimate --cpu 'AMD EPYC 9754' \
            --load $load --memory-gb $memory --hours 1 --intensity 100 --json - |
            /usr/bin/python3 wall.py "$source" 'amd epyc 9754' $load $memory)"
    done
done
# 67.1 W was published for a server with one and 384 GB
estimate --cpu 'AMD EPYC 9754' --load 0 --memory-gb 384 --hours 1 --intensity 100 --json w.json > w.out
check 'its wall, idle' True "$(json w.json '58 <= r["wall"]["power_w"] <= 70 and r["power_w"] < 67 and r["wall"]["low_w"] < 67.1 < r["wall"]["high_w"]')"
check_match 'is in the text' '^  wall .*the whole machine' "$(cat w.out)"
check 'a share has no wall of its own' None "$(estimate --cpu 'AMD EPYC 9754' --load 0 --threads 4 --hours 1 --intensity 100 --json - | json /dev/stdin 'r["wall"]')"
check 'a name as people write it' 'Intel Xeon Gold 6248' "$(estimate --cpu 'Xeon Gold 6248' --load 0.5 --hours 1 --intensity 100 --json - | json /dev/stdin 'r["cpu"]["model"]')"
check 'a board is its plug' 'Raspberry Pi 5 model B 2.8 9.7' "$(for load in 0 1; do
    estimate --cpu 'Raspberry Pi 5' --load $load --hours 1 --intensity 100 --json $load.json > /dev/null
done; json 0.json '"%s %g" % (r["cpu"]["model"], r["wall"]["power_w"])') $(json 1.json '"%g" % r["wall"]["power_w"]')"
check 'nor has a laptop' None "$(own --cpu 'Acme One' --load 0 --hours 1 --json - | json /dev/stdin 'r["wall"]')"

# Cards, alone and beside a processor: a line from idle to the rating.
estimate --gpu 'H100 SXM' --gpu-load 0.7 --gpu-count 2 --hours 1 --intensity 100 --json g.json > g.out
check 'two cards' "NVIDIA H100 (SXM5) $(awk 'BEGIN { printf "%g %g %g", 2 * (68 + 0.7 * 632), 2 * (67 + 0.7 * (420 - 67)), 2 * (118 + 0.7 * 582) }')" \
    "$(json g.json '"%s %g %g %g" % (r["gpu"]["model"], r["power_w"], r["gpu"]["low_w"], r["gpu"]["high_w"])')"
check 'from gpu, modelled' 'gpu modelled None' "$(json g.json '" ".join(str(r[k]) for k in ("from", "quality", "cpu"))')"
check_match 'in the text' '^  gpu  +2 × NVIDIA H100' "$(cat g.out)"
check 'idle power by other cards' 0.117 "$(estimate --gpu 'RTX 3080 Ti' --gpu-load 0 --hours 1 --intensity 100 --json - | json /dev/stdin '"%g" % (r["power_w"] / 350)')"
check 'beside a processor' "$(awk 'BEGIN { print 60 + 74 + 0.5 * 626 }')" \
    "$(own --cpu 'Acme One' --load 0.5 --gpu 'H200 SXM' --gpu-load 0.5 --hours 1 --json - | json /dev/stdin '"%g" % r["power_w"]')"

# An instance: 2 of the 64 threads of a package at full clock, and 8 GB; worked out from the tables.
tdp=$(awk -F, '$3 == "annapurna labs graviton2" { print $6 }' "$source/data/emission_factors/cpu_power.csv")
for load in 0:0.12:0.06 0.5:0.75:0.105 1:1.02:0.15; do
    IFS=: read -r load share per_gb <<< "$load"
    check "an m6g.large at load $load" "$(awk "BEGIN { printf \"%.6g instance 2 8\", $tdp * $share * 2 / 64 + 8 * $per_gb }")" \
        "$(estimate --instance m6g.large --load "$load" --hours 1 --intensity 100 --json - |
            json /dev/stdin '"%.6g %s %g %g" % (r["power_w"], r["from"], r["cpu"]["threads"], r["memory"]["gb"])')"
done

# Tables and files.
own --cpu 'Acme One' --load 1 --hours 2 --csv e.csv --json e.json > e.out
check 'CSV and JSON agree' True "$(/usr/bin/python3 -c '
import csv, json
rows = list(csv.DictReader(open("e.csv", newline="")))
r = json.load(open("e.json"))
print(len(rows) == 1 and float(rows[0]["energy_j"]) == r["energy_j"] and float(rows[0]["kgco2eq"]) == r["emissions"]["kgco2eq"]
      and float(rows[0]["kgco2eq_high"]) == r["emissions"]["kgco2eq_high"] and rows[0]["cpu_model"] == "Acme One"
      and rows[0]["zone"] == "" and r["factor"]["zone"] is None and rows[0]["quality"] == "modelled")')"
check 'schema' carbon.estimate/1 "$(json e.json 'r["schema"]')"
check 'the shipped table has real processors' True \
    "$(estimate --cpu 'AMD EPYC 7763 64-Core Processor' --load 0.5 --hours 1 --intensity 100 --json - | json /dev/stdin '60 < r["power_w"] < 280 and r["cpu"]["threads_of_package"] == 128')"

# Errors: nothing on standard output, status 125, and what to do.
fails() {
    local name=$1 what=$2 fix=$3
    shift 3
    "$@" > f.out 2> f.err
    check "$name: status" 125 $?
    check "$name: no output" '' "$(cat f.out)"
    check_match "$name" "$what" "$(cat f.err)"
    check_match "$name: fix" "$fix" "$(cat f.err)"
}
fails 'nothing' 'needs a power, an energy or a processor' 'carbon estimate --power 100 --hours 8' estimate
fails 'two ways' 'cannot be combined' '--power W --hours H, --energy' estimate --power 1 --energy 1kWh --hours 1
fails 'no time' '--hours is missing' 'carbon estimate --power 1 --hours 1' estimate --power 1
fails 'no load' 'needs a load' '--load' estimate --cpu 'AMD EPYC 7763' --hours 1
fails 'threads and cores' 'cannot be combined' 'fix: carbon estimate' own --cpu 'Acme One' --load 1 --threads 1 --cores 1 --hours 1
fails 'an unknown instance' "unknown instance type 'm6i.tiny'" '--cpu MODEL --threads N' estimate --instance m6i.tiny --load 1 --hours 1
fails 'an instance on several processors' 'is unknown' '--threads 2' estimate --instance Standard_D2s_v3 --load 1 --hours 1
fails 'an instance and threads' 'the instance determines its processor and threads' 'cannot be combined' estimate --instance m6i.large --threads 2 --load 1 --hours 1
fails 'a card without a load' 'needs a load' '--gpu-load' estimate --gpu L4 --hours 1
fails 'a load without a card' 'no GPU is named' 'carbon estimate --power 1 --hours 1 --gpu-load 1 --gpu A100' estimate --power 1 --hours 1 --gpu-load 1
fails 'an unknown card' "unknown graphics card 'H1000'" "a close one is '.*or give its --power" estimate --gpu H1000 --gpu-load 1 --hours 1
fails 'several cards' "more than one is a graphics card 'H100'" 'close one' estimate --gpu H100 --gpu-load 1 --hours 1
fails 'no unit' 'number with its unit' 'carbon estimate --energy 3kWh' estimate --energy 3
fails 'another unit' 'number with its unit' 'kWh' estimate --energy 3kg
fails 'a unit of another kind' "needs a number of gCO2eq/kWh, not '41kWh'" 'carbon estimate --energy 1J --intensity 41' estimate --energy 1J --intensity 41kWh
fails 'a load in watts' 'needs a number, not' '50% or as 0.5' estimate --cpu 'AMD EPYC 7763' --load 50W --hours 1

# The same in other units is the same, wherever it stands.
same() { # same NAME ARGUMENTS...: their numbers are those of bare.json
    local name=$1
    shift
    "$carbon" estimate "$@" --json unit.json > /dev/null 2> err
    check "$name" "$(json bare.json '(r["energy_j"], r["emissions"], r["factor"], r["pue"])')" \
        "$(json unit.json '(r["energy_j"], r["emissions"], r["factor"], r["pue"])')"
}
"$carbon" estimate --power 100 --hours 8 --intensity 41.44 --json bare.json > /dev/null 2>&1
same 'units' --power 0.1kW --hours 8h --intensity 41.44g
same 'units with blanks' --power '100 W' --hours '480 min' --intensity '41.44 g/kWh'
same 'kilograms' --power 100000mW --hours 7h60min --intensity '0.04144 kgCO2eq/kWh'
same 'capitals' --power 100w --hours 8H --intensity 0.04144KG
CARBON_INTENSITY=0.04144kg same 'the environment' --power 100 --hours 8
mkdir -p "$HOME/.config/carbon"
echo 'intensity = 0.04144 kgCO2eq/kWh' > "$HOME/.config/carbon/config"
same 'the configuration' --power 100 --hours 8
rm "$HOME/.config/carbon/config"
"$carbon" estimate --cpu 'AMD EPYC 7763' --load 0.5 --memory-gb 8.589934592 --hours 1 --zone FR --json bare.json > /dev/null 2>&1
same 'a load and a size' --cpu 'AMD EPYC 7763' --load '50 %' --memory-gb 8GiB --hours 1h --zone FR

# What a figure of one's own covers is known where it was said; a number that looks like kilograms is doubted.
said_of() { # said_of ARGUMENTS...: basis of the factor, kinds of notices
    "$carbon" estimate --power 100 --hours 8 "$@" --json own.json > out 2> err
    json own.json 'f"""{r["factor"]["basis"]} {[n["kind"] for n in r["notices"]]}"""'
}
check 'no basis is claimed' "None []" "$(said_of --intensity 41.44)"
check_match 'in words' "a figure of one.s own, basis not said" "$(tr -s ' \n' ' ' < out)"
check 'a basis that was named' "direct []" "$(said_of --intensity 41.44 --basis direct)"
check 'lifecycle, named' "lifecycle []" "$(said_of --intensity 41.44 --basis lifecycle)"
check 'grams or kilograms' "None ['unit']" "$(said_of --intensity 0.04144)"
check_match 'what it is taken as, and a fix' 'note: --intensity 0.04144 is taken as 0.04144 gCO2eq/kWh.*hint: --intensity 0.04144kg, ' "$(tr '\n' ' ' < err)"
check 'a unit settles it' "None []" "$(said_of --intensity 0.04144g)"
check 'a market-based one' "None ['unit']" "$(said_of --intensity 41.44 --market-factor 0.012)"
fails 'a load of 2' 'load' '' estimate --cpu 'AMD EPYC 7763' --load 2 --hours 1
fails 'threads of nothing' 'no processor is named' '--cpu' estimate --power 1 --hours 1 --threads 2
fails 'unknown processor' "unknown processor 'EPYC 7763B'" "'AMD EPYC 7763'" estimate --cpu 'EPYC 7763B' --load 1 --hours 1
fails 'a share of what is not known' 'do not know how many' '--threads' own --cpu 'Acme Omo' --load 1 --cores 1 --hours 1
fails 'unknown zone' 'XQ' 'fix: carbon estimate --power 1 --hours 1 --zone AQ' estimate --power 1 --hours 1 --zone XQ
fails 'two forms on one stream' 'both be standard output' 'the name of a file' estimate --power 1 --hours 1 --intensity 1 --json - --csv -
fails 'no such folder' 'missing/x.json' '' estimate --power 1 --hours 1 --intensity 1 --json missing/x.json
fails 'no tables' 'cpu_power.csv' 'CARBON_DATA' env CARBON_DATA="$PWD/in" "$carbon" estimate --cpu X --load 1 --hours 1
echo 'Acme,Acme Bad,acme bad,8,sixteen,80,,0,,,server,2020,1,LIST,' >> data/emission_factors/cpu_power.csv
fails 'malformed row' "cpu_power.csv' line 5, column 5 \(threads\)" '' own --cpu 'Acme Bad' --load 1 --hours 1
if [ -w /dev/full ]; then
    estimate --power 1 --hours 1 --intensity 1 > /dev/full 2> g.err
    check 'a full disk' 125 $?
    check_match 'is told' 'no space left' "$(cat g.err)"
fi

check_match 'SCI per million tokens' '^  SCI +130 gCO2eq per million tokens = ' "$(estimate --energy 10000kWh --intensity 500 --embodied 1500 \
    --lifetime 0.019165 --reserved-share 1 --hours 168 --sci '50000:million tokens' 2> /dev/null)"
finish
