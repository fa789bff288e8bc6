#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon prometheus scrape: texts of exporters in files and from a server, whose energy is right to the last digit, in every
# form; times, filters, fuels; what is wrong with a text or a server is told.
. "$(dirname "$0")/../lib.sh"

unset http_proxy https_proxy HTTPS_PROXY ALL_PROXY all_proxy XDG_CACHE_HOME
export TZ=UTC

# scrape ARGUMENT ...: the output in `out`, what is said in `said`, the status in $status.
scrape() {
    "$carbon" prometheus scrape "$@" > out 2> said
    status=$?
}
# column ROW COLUMN: of the CSV file `out`; ROW is "LEVEL,COMPONENT,MODE".
column() {
    /usr/bin/python3 -c 'import csv, sys
level, component, mode = sys.argv[1].split(",")
for row in csv.DictReader(open("out")):
    if (row["level"], row["component"], row["mode"]) == (level, component, mode):
        print(row[sys.argv[2]])' "$1" "$2"
}

pod='pod_name="web",container_namespace="shop",container_name="nginx"'
cat > before << END
# HELP kepler_container_package_joules_total Aggregated RAPL value in package (socket) in joules
# TYPE kepler_container_package_joules_total counter
kepler_container_package_joules_total{$pod,mode="dynamic"} 100
kepler_container_package_joules_total{$pod,mode="idle"} 1000
kepler_container_dram_joules_total{$pod,mode="dynamic"} 10
kepler_container_core_joules_total{$pod,mode="dynamic"} 5
kepler_container_joules_total{$pod,mode="dynamic"} 110
kepler_container_joules_total{$pod,mode="idle"} 1000
kepler_container_package_joules_total{pod_name="db",container_namespace="shop",mode="dynamic"} 7
kepler_node_package_joules_total{instance="n1",mode="dynamic",package="0"} 1
END
cat > after << END
kepler_container_package_joules_total{mode="dynamic",$pod} 136
kepler_container_package_joules_total{mode="idle",$pod} 1072
kepler_container_dram_joules_total{mode="dynamic",$pod} 1.0e1
kepler_container_core_joules_total{mode="dynamic",$pod} 35
kepler_container_joules_total{mode="dynamic",$pod} 146
kepler_container_joules_total{mode="idle",$pod} 1072
kepler_container_package_joules_total{pod_name="db",container_namespace="shop",mode="dynamic"} 7
kepler_container_package_joules_total{pod_name="new",container_namespace="shop",mode="dynamic"} 4
kepler_node_package_joules_total{instance="n1",mode="dynamic",package="0"} 361
END

# 108 J in 36 s, of which 72 J are idle, at 500 g/kWh with PUE 2: 3e-5 kg
scrape before after --for 36s --pod web --intensity 500 --pue 2 --json - && cp out pod.json
check 'status' 0 $status
check 'whose' "[('pod', 'shop', 'web', None), ('container', 'shop', 'web', 'nginx')]" \
    "$(json out "[(i['level'], i['namespace'], i['pod'], i['container']) for i in r['rows']]")"
check 'joules' '108 108 0 30 None None None None 108' "$(json out "' '.join(str(i and i['joules']) for i in
    (r['rows'][0][k] for k in 'sum pkg dram core uncore other gpu platform exporter_sum'.split()))")"
check 'modes' '36 72 None' "$(json out "' '.join(map(str, (r['rows'][0]['sum']['dynamic']['joules'],
    r['rows'][0]['sum']['idle']['joules'], r['rows'][0]['dram']['idle'])))")"
check 'watts' '3 1' "$(json out "' '.join(map(str, (r['rows'][0]['sum']['watts'], r['rows'][0]['covered'])))")"
check 'emissions' '6e-05 3e-05 None' "$(json out "' '.join(str(r['rows'][0]['emissions'][k] and
    round(r['rows'][0]['emissions'][k], 12)) for k in ('facility_kwh', 'kgco2eq', 'co2_pounds'))")"
check 'keys of the original' True "$(json out "all(k in i for i in r['rows'] for k in
    'from to sum core uncore pkg dram other gpu'.split())")"
check 'window' '36 None kepler-old scrape' "$(json out "' '.join(map(str, (r['window']['seconds'], r['window']['from'],
    r['exporters'][0], r['command'])))")"

scrape before after --for 36s --csv -
check 'CSV: status' 0 $status
check 'CSV: namespace' 108 "$(column namespace,sum,all joules)"
check 'CSV: node' '360 10 10' "$(column node,pkg,dynamic joules) $(column node,sum,all mean_watts) \
$(column node,sum,all irate_watts)"
check 'CSV: unknown is no line' '' "$(column node,gpu,all joules)"
check 'CSV: one sample' '36,36,,,,1,1,0,0,0,0,,,attributed' "$(grep '^pod,.*,new,.*,pkg,all,' out | cut -d, -f 12-)"
check_match 'CSV: notices' 'note: 1 counter was reported only once.*up to 4\.00 J' "$(cat said)"

scrape before after --for 36s --zone FR
check_match 'table: title' '^energy of Kepler before 0\.10, 36\.0 s$' "$(cat out)"
check_match 'table: pod' '^  shop/web +108 J +108 J +0 J +- +- +3\.00 W +[0-9.]+ mgCO2eq$' "$(cat out)"
check_match 'table: idle' '^    idle +72\.0 J +72\.0 J +- ' "$(cat out)"
check_match 'table: beside' 'with it: +core \(in pkg\) 30\.0 J$' "$(cat out)"
check_match 'table: factor' 'gCO2eq/kWh \(given\): FR \(France\)' "$(cat out)"
check 'table: no containers' '' "$(grep '^  containers' out)"
check 'table: 100 columns' '' "$(LC_ALL=C.UTF-8 grep -E '.{101}' out)"
scrape before after --for 36s --zone FR --pod web
check_match 'table: containers of a pod' '^  containers' "$(cat out)"

check 'table: doubts are of that pod alone' '' "$(grep 'reported only once' out)"

# plants of one fuel: 3e-5 kWh × 2.31 lb/kWh
scrape before after --for 36s --pod web --fuel coal --json -
check 'fuel' '0.0000693 1.047798375 2.31 coal' "$(json out "'%.7f %.9f %s %s' % (r['rows'][0]['emissions']['co2_pounds'],
    r['factor']['kgco2eq_per_kwh'], r['fuel']['co2_pounds_per_kwh'], r['fuel']['name'])")"
scrape before after --for 36s --pod web --fuel gas
check_match 'fuel: text' 'in pounds: 2\.88[0-9]*e-05 lb of CO2' "$(cat out)"
check_match 'fuel: source' 'US Energy Information Administration' "$(tr -s '\n ' ' ' < out)"
scrape before after --for 36s --fuel coal --zone FR
check 'fuel and zone' "125 carbon: --fuel and --zone cannot be combined" "$status $(head -n 1 said)"
scrape before after --fuel wood
check_match 'no fuel' "coal, gas or petroleum" "$(cat said)"

# without times joules are known and watts are not
scrape before after --pod web --json -
check 'untimed' '108 None None' "$(json out "' '.join(map(str, (r['rows'][0]['sum']['joules'],
    r['rows'][0]['sum']['watts'], r['window']['seconds'])))")"
check_match 'untimed: notice' 'do not say when they are of' "$(cat said)"
sed '/^#/d; s/$/ 1702462599500/' before > before-timed
sed '/^#/d; s/$/ 1702462635.5/; $a # EOF' after > after-timed
scrape before-timed after-timed --pod web --json - && cp out timed.json
check 'timed' '3 36 2023-12-13T10:16:39.500Z 2023-12-13T10:17:15.500Z' "$(json out "' '.join(map(str, (
    r['rows'][0]['sum']['watts'], r['window']['seconds'], r['rows'][0]['from'], r['window']['to'])))")"

# one text
scrape before --pod web --json - && cp out total.json
check 'one text' '1110 None True' "$(json out "' '.join(map(str, (r['rows'][0]['sum']['joules'],
    r['rows'][0]['sum']['watts'], r['window']['since_start_of_counters'])))")"
"$carbon" prom scrape - --pod web < before > out 2> said
check_match 'standard input, the short name' '^energy of Kepler before 0\.10, since each counter began$' "$(cat out)"

# resets and wraps: two raw counters of 65532.610987 J, by times of their own
for i in 0 1 2 3; do
    echo "node_rapl_package_joules_total{path=\"intel-rapl:0\"} $(awk "BEGIN { e = 65000 + 500 * $i; \
        printf \"%.6f\", (e > 65532.610987 ? e - 65532.610987 : e) }") $((1702462600000 + 10000 * i))"
done > raw
head -n 2 raw > raw-before
tail -n 2 raw > raw-after
scrape raw-before raw-after --json -
check 'wrap' '1500 1 0 50' "$(json out "' '.join(map(str, (round(r['rows'][0]['sum']['joules'], 6),
    r['rows'][0]['sum']['wraps'], r['rows'][0]['sum']['resets'], round(r['rows'][0]['sum']['watts'], 6))))")"
scrape after before --for 36s --pod web --json -
check 'reset' '2' "$(json out "r['rows'][0]['sum']['resets']")"
check_match 'reset: notice' 'counters began again.*too few' "$(cat said)"

# what cannot be done
scrape before after --for 36s --pod wbe
check 'no pod' "4 carbon: no metrics of pod 'wbe'" "$status $(head -n 1 said)"
check_match 'no pod: those that are there' 'why: there are shop/db, shop/new, shop/web$' "$(cat said)"
scrape before after --for 36s --node other
check 'no node' 4 $status
scrape before after --for 36s --node n1 --csv -
check 'a node' node "$(cut -d, -f 1 out | sed 1d | sort -u)"
scrape before --exporter node_exporter
check_match 'no such exporter' '^carbon: no energy metric' "$(cat said)"
echo 'up 1' > up
scrape up
check_match 'no energy' '^carbon: no energy metric of a known exporter$' "$(cat said)"
printf 'a 1\nb{c="d} 2\n' > bad
scrape bad
check 'bad text' "125 carbon: 'bad' line 2, column 5 cannot be read" "$status $(head -n 1 said)"
scrape before --for 30s
check 'one file and a time' '125 carbon: --for needs an address, or two files' "$status $(head -n 1 said)"
scrape nosuch
check_match 'no file' "cannot read 'nosuch'" "$(cat said)"
scrape .
check_match 'a folder' "cannot read '\.'" "$(cat said)"
"$carbon" prometheus > out 2> said
check 'no part' 125 $?
"$carbon" prometheus scarpe before > out 2> said
check_match 'another part' 'fix: carbon prometheus scrape before' "$(cat said)"

# from a server
/usr/bin/python3 "$source/tests/helpers/exporter.py" "$work/port" 2> "$work/server.txt" &
server=$!
trap 'kill "$server" 2> /dev/null; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
until_true has_served "$work/port" "$work/server.txt"
if [ -e "$work/port" ]; then
    url=http://127.0.0.1:$(cat "$work/port")
    for path in '' /chunked/metrics; do
        scrape "$url$path" --for 1s --json -
        check "server$path: status" 0 $status
        check "server$path: joules" '11 True True' "$(json out "' '.join(map(str, (r['rows'][0]['sum']['joules'],
            r['window']['seconds'] >= 1, abs(r['rows'][0]['sum']['watts'] * r['rows'][0]['seconds'] - 11) < 1e-6)))")"
    done
    (umask 077 && echo key > key && echo watt > password)
    scrape "$url/locked/metrics" --bearer-file key
    check 'server: with a key' 0 $status
    scrape "$url/locked/metrics" --user carbon --password-file password
    check 'server: with a name' 0 $status
    CARBON_PROMETHEUS_TOKEN=key scrape "$url/locked/metrics"
    check "server: the key of a Prometheus is not an exporter's" 125 $status
    scrape "$url/moved" --json -
    check 'server: elsewhere' True "$(json out "r['window']['since_start_of_counters']")"
    scrape "$url/nothing"
    check_match 'server: 404' 'gives no data' "$(cat said)"
    check 'server: 404, status' 125 $status
    scrape "$url/html"
    check_match 'server: a page' "html' line 1, column 1 cannot be read" "$(cat said)"
    scrape "$url/cut"
    check_match 'server: cut off' 'the text was cut off' "$(cat said)"
    scrape "$url/empty"
    check 'server: empty' 125 $status
    scrape "$url/endless"
    check_match 'server: endless' 'more than any answer' "$(cat said)"
    scrape "$url" "$url"
    check_match 'server: twice at once' 'asked at the same time' "$(cat said)"
    kill "$server"
    wait "$server" 2> /dev/null
    scrape "$url" --timeout 5
    check_match 'no server' 'cannot be reached|refused' "$(cat said)"
else
    echo 'NOT CHECKED: no server could be started'
fi

"$source/tests/check-schema.sh" pod.json timed.json total.json > schema.txt 2>&1
case $? in
0) check 'schema' '' '' ;;
77) echo 'NOT CHECKED: no jsonschema for python3' ;;
*) check 'schema' '' "$(cat schema.txt)" ;;
esac

# real texts
if [ -n "$shared" ]; then
    kepler=$shared/cases/kepler
    scrape "$kepler/new/constructed-v0.11-t0.prom" "$kepler/new/constructed-v0.11-t1.prom" --for 30s --csv -
    check 'Kepler 0.11' '360 36 280 3000 49.5' "$(column node,pkg,all joules) $(column node,dram,all joules) \
$(column node,core,all joules) $(column node,gpu,all joules) $(column pod,sum,all joules)"
    scrape "$kepler/old/v0.7-rebuilt-t0.prom" "$kepler/old/v0.7-rebuilt-t1.prom" --for 87s --csv -
    check 'Kepler 0.7' 126 "$(/usr/bin/python3 - "$kepler/prometheus/expected.csv" << 'END'
import csv, re, sys
ours = {(r["namespace"], r["pod"], r["component"], r["mode"]): r for r in csv.DictReader(open("out")) if r["level"] == "pod"}
names = {"": "exporter_sum", "package_": "pkg"}
good = 0
for row in csv.DictReader(open(sys.argv[1])):
    part = re.sub("kepler_container_(.*)joules_total", r"\1", row["metric"])
    mine = ours[row["container_namespace"], row["pod_name"], names.get(part, part.rstrip("_")), row["mode"]]
    good += abs(float(mine["joules"]) - float(row["joules_difference"])) < 0.000501 and mine["series"] == row["series"]
print(good)
END
)"
    for text in old/issue-1152-vm old/issue-635 old/issue-707; do
        scrape "$kepler/$text.prom" --csv -
        check "$text" 0 $status
    done
    scrape "$kepler/old/issue-352.prom"
    check "Kepler 0.3" 4 $status
    scrape "$kepler/node_exporter-e2e-output.txt" --csv -
    check 'node_exporter' '240422.366267 118821.284256' "$(column node,pkg,all joules) $(column node,core,all joules)"
    scrape "$kepler/node_exporter-e2e-output.txt"
    check_match 'how its figures came about' '^  nodes, measured  ' "$(cat out)"
    scrape "$kepler/old/issue-707.prom"
    check_match 'and those of pods' '^  pods, attributed  ' "$(cat out)"
else
    echo 'NOT CHECKED: the shared cases are not there'
fi
# Exporters as they write, by their own names, labels and units, 60 s between the texts: NVIDIA's of a card in three instances
# (MIG), which each show the whole card, and of one that a pod has; of powers alone; Kepler 0.1 to 0.3 with metrics of millijoules
# and with values in labels; the rewritten Kepler's first form, a metric for each zone.
dcgm() { # METRIC CARD_0 CARD_1
    local card='modelName="NVIDIA A100-SXM4-80GB",Hostname="n1",DCGM_FI_DRIVER_VERSION="535.129.03"'
    echo "# HELP $1 as NVIDIA's exporter has it"
    for instance in 3 5 9; do
        echo "$1{gpu=\"0\",UUID=\"GPU-1f027ee8-6e1e-2b8c\",device=\"nvidia0\",GPU_I_PROFILE=\"2g.20gb\",GPU_I_ID=\"$instance\",$card} $2"
    done
    echo "$1{gpu=\"1\",UUID=\"GPU-4e75c9ab-0ed7-8a57\",device=\"nvidia1\",$card,container=\"train\",namespace=\"ml\",pod=\"job-1\"} $3"
}
scrape <(dcgm DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION 257858316 1000000; dcgm DCGM_FI_DEV_POWER_USAGE 150 50) \
    <(dcgm DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION 266858316 4000000; dcgm DCGM_FI_DEV_POWER_USAGE 150 50) --for 60s --csv -
check 'DCGM: each card once' 12000 "$(column node,gpu,all joules)"
check_match 'DCGM: said' '2 counters repeat another of the same node' "$(cat said)"
check 'DCGM: no power where there is a counter' 0 "$(grep -c 'powers, integrated' said)"
scrape <(dcgm DCGM_FI_DEV_POWER_USAGE 150 50) <(dcgm DCGM_FI_DEV_POWER_USAGE 150 50) --for 60s --csv -
check 'DCGM: powers' 12000 "$(column node,gpu,all joules)"
check_match 'DCGM: powers are said' 'some energies are powers, integrated over time' "$(cat said)"
first() { # POD_PKG POD_DRAM NODE_PKG, mJ
    echo "pod_total_energy_in_pkg_millijoule{command=\"helm-contr\",pod_name=\"web\",pod_namespace=\"shop\"} $1
pod_total_energy_in_dram_millijoule{command=\"helm-contr\",pod_name=\"web\",pod_namespace=\"shop\"} $2
pod_curr_energy_in_pkg_millijoule{command=\"helm-contr\",pod_name=\"web\",pod_namespace=\"shop\"} 300
node_total_energy_in_pkg_millijoule{node_name=\"n1\"} $3"
}
scrape <(first 1000 500 90000) <(first 7000 1700 150000) --for 60s --all-pods --csv -
check 'Kepler 0.3: metrics' '60 6 1.2 7.2' "$(column node,pkg,all joules) $(column pod,pkg,all joules) $(column pod,dram,all joules) \
$(column pod,sum,all joules)"
labels() { # POD_PKG POD_DRAM NODE_PKG
    echo "kepler_pod_energy_stat{command=\"helm-contr\",pod_name=\"web\",pod_namespace=\"shop\",pod_curr_energy_in_pkg_millijoule=\"300\",pod_total_energy_in_pkg_millijoule=\"$1\",pod_total_energy_in_dram_millijoule=\"$2\"} 0
kepler_node_energy_stat{cpu_architecture=\"Haswell\",node_name=\"n1\",node_curr_energy_in_pkg_joule=\"5\",node_total_energy_in_pkg_joule=\"$3\"} 0"
}
scrape <(labels 1000 500 90) <(labels 7000 1700 150) --for 60s --all-pods --csv -
check 'Kepler 0.3: values in labels' '60 6 1.2' "$(column node,pkg,all joules) $(column pod,pkg,all joules) $(column pod,dram,all joules)"
zones() { # PACKAGE DRAM CORE
    echo "kepler_node_package_joules_total{path=\"/sys/class/powercap/intel-rapl:0\"} $1
kepler_node_dram_joules_total{path=\"/sys/class/powercap/intel-rapl:0:1\"} $2
kepler_node_core_joules_total{path=\"/sys/class/powercap/intel-rapl:0:0\"} $3
kepler_node_package_watts{path=\"/sys/class/powercap/intel-rapl:0\"} 50"
}
scrape <(zones 1000 100 100) <(zones 4000 400 900) --for 60s --csv -
check "the rewritten Kepler's first form" '3300 3000 300' "$(column node,sum,all joules) $(column node,pkg,all joules) $(column node,dram,all joules)"

# Recorded faults of exporters, 60 s between the texts: petajoules, a restart, a frozen node, a series told twice, one that is no
# number; a new container. What is unknown is unknown in each sum that has it, and never 0.
if [ -n "$shared" ] && [ -d "$shared/cases/round2/meters/19" ]; then
    cases=$shared/cases/round2
    # told CASE: the node, the namespace shop, web-1, db-0, in joules
    told() {
        "$carbon" prometheus scrape "$cases/meters/19/ok-b.prom" "$cases/meters/19/$1-a.prom" --for 60s --zone FR --all-pods \
            --json told.json > out 2>&1
        python3 - << 'END'
import json
rows = json.load(open("told.json"))["rows"]
def joules(level, key, name):
    value = next(row for row in rows if row["level"] == level and row[key] == name)["sum"]["joules"]
    return "unknown" if value is None else "%.0f" % value
print(joules("node", "node", "n1"), joules("namespace", "namespace", "shop"), joules("pod", "pod", "web-1"),
      joules("pod", "pod", "db-0"))
END
    }
    check 'as it should be' '1210 1089 726 363' "$(told ok)"
    check 'petajoules' 'unknown unknown unknown 363' "$(told pj)"
    check_match 'are doubted' '2 counters moved by more than any machine draws' "$(cat out)"
    check 'begun again: what the new counters have' '387 351 242 109' "$(told restart)"
    check_match 'a lower bound' 'the sum +is a lower bound' "$(tr -s ' \n' ' ' < out)"
    check 'a node that stands still' 'unknown 1089 726 363' "$(told frozen)"
    check 'a series told twice' '1210 unknown unknown 363' "$(told dup)"
    check_match 'is said' 'two values of one time' "$(cat out)"
    check 'a new container' '1210 363 unknown 363' "$(told newc)"
    check 'no number, and one below 0' '1210 unknown unknown unknown' "$(told nan)"
    # node_exporter since 1.9: one metric, whose label names the zone; a counter that may have wrapped
    files() {
        "$carbon" prometheus scrape "$cases/files/$1-a.prom" "$cases/files/$1-b.prom" --for 60s --zone FR --json told.json > out 2>&1
        json told.json "r['rows'][0]['sum']['joules']"
    }
    check 'zones in a label' 330 "$(files 06-node-rapl-zone-label/zone)"
    check 'two looks over a wrap' None "$(files 07-two-looks-wrap/wrap)"
else
    echo 'the recorded cases are not here: not read'
fi
finish
