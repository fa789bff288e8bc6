#!/bin/bash
# SPDX-License-Identifier: MIT
# `carbon sources`: whole outputs, exit status, and what would help.
. "$(dirname "$0")/../lib.sh"

trees=$source/tests/trees
chmod 755 "$work" "$work/in"

# What carbon says of a tree that lies at `tree`, without the model (whose words are its own) and what is beside the
# processor and not there.
said() {
    rm -f tree
    ln -s "$1" tree
    shift
    "$@" sources --root tree | awk '/^[^ ]/ {skipped = $1 == "model" || ($2 == "absent" && !/^(powercap|perf)/)}
        /^$/ {skipped = 0}
        !skipped'
}

check 'two packages, psys between, ids of no meaning' "a recorded machine: tree
powercap   ready    the processor's energy counters (RAPL), through sysfs
  package-0  measured  counted      package counter, includes cores and integrated GPU
             tree/sys/class/powercap/intel-rapl:a
  dram-0     measured  counted      DRAM counter, not part of the package; added
             tree/sys/class/powercap/intel-rapl:a:0
  package-1  measured  counted      package counter, includes cores and integrated GPU
             tree/sys/class/powercap/intel-rapl:8
  dram-1     measured  counted      DRAM counter, not part of the package; added
             tree/sys/class/powercap/intel-rapl:8:0
  psys       measured  not counted  includes the packages; not added to them
             tree/sys/class/powercap/intel-rapl:b
  psys-1     measured  not counted  includes the packages; not added to them
             tree/sys/class/powercap/intel-rapl:9
perf       absent   no energy event (PMU 'power')
  why: there is no PMU called power: the driver rapl is not loaded, or it does not know this CPU (family 6 model 85)
  fix: 'modprobe rapl' loads the driver

scope compute: package-0 + dram-0 + package-1 + dram-1
not included, never added: psys" "$(said "$trees/intel-2s-psys-between" "$carbon")"

out=$(said "$trees/perf-only" "$carbon")
check_match 'an event of a recorded machine would count' '^  package-1  absent   would count  counts on the machine' "$out"
check_match 'and the sum says so' 'no readable domain; when readable: package-0 \+ dram-0 \+ package-1' "$out"
check_match 'a unit that makes no sense is told' "energy-psys/' is left out: the unit must be Joules, not 'Watts'" "$out"

out=$(said "$trees/mmio-twin" "$carbon")
check_match 'the twin is named' 'package-0-mmio  measured  not counted  second interface' "$out"
check_match 'a zone without a known name is told' "the powercap zone 'intel-rapl:1' is left out" "$out"

out=$(said "$trees/container-masked" "$carbon")
check_match 'masked in a container' 'why: the container engine hides the counters' "$out"
check_match 'and what would help' 'fix: .*bind-mount the host' "$out"

out=$(said "$trees/guest-powercap" "$carbon")
check_match 'a hypervisor may make its counters up' '^  package-0  virtual  counted' "$out"

# What another shows may be all of the host's: seen, not counted, said once; named, it counts.
tree=$trees/guest-many-packages
out=$(said "$tree" "$carbon")
check_match 'seen' '^  package-3  virtual  not counted  seen in a virtual machine: nothing says' "$out"
check 'said once' 1 "$(grep -c 'note: seen' <<< "$out")"
check_match 'and why' 'not counted: package-0, dram-0 and 3 more: hypervisor: VMware; only QEMU/KVM' "$out"
check_match 'and what counts it' 'hint: --source powercap counts it all the same' "$out"
"$carbon" sources --root "$tree" --json - > r.json
check 'untrusted' untrusted "$(json r.json 'r["status"]')"
"$carbon" measure -v --root "$tree" --baseline 0 --zone FR --json - -q -- true > r.json 2> err
check 'the model is used' "['package', 'dram']" "$(json r.json '[d["name"] for d in r["domains"] if d["counted"]]')"
check 'said once' 1 "$(json r.json 'sum("not counted" in n["what"] for n in r["notices"])')"
"$carbon" measure -v --root "$tree" --baseline 0 --zone FR --source powercap --json - -q -- true > r.json 2> err
check 'named, it counts' "['package-0', 'dram-0', 'package-1', 'package-2', 'package-3']" \
    "$(json r.json '[d["name"] for d in r["domains"] if d["counted"]]')"
check 'and that is said' 1 "$(json r.json "sum(\"the host's meter may be counted\" in n['what'] for n in r['notices'])")"
out=$("$carbon" measure -v --root "$tree" --baseline 0 --require-measured -- touch ran 2>&1)
check 'not what must be measured' 125 $?
check_match 'with the reason' 'why: package-0 and 4 more: seen in a virtual machine' "$out"
check 'nothing was run' no "$([ -e ran ] && echo yes || echo no)"

# An ordinary user: denied is neither absent nor broken, and the fix is a safe one.
"$source/tests/lay_tree.py" "$trees/intel-denied" "$work/in/denied" > /dev/null
"$source/tests/lay_tree.py" "$trees/intel-2s-partly-denied" "$work/in/partly" > /dev/null
open_to_all
user=()
[ "$(id -u)" != 0 ] || user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${user[@]}" "$carbon" --version > /dev/null 2>&1; then
    out=$(said denied "${user[@]}" "$carbon")
    check_match 'denied, with the file' "^powercap   denied   cannot read 'tree/sys/class/powercap/intel-rapl:0/energy_uj'" "$out"
    check_match 'denied, with the cause' 'why: permission denied: since Linux 5\.10' "$out"
    check_match 'denied, with a safe step' 'fix: sudo carbon \.\.\., or run .carbon sources --grant. for a udev rule that allows a group' "$out"
    check_absent 'never chmod' chmod "$out"
    check_match 'what would count' 'package-0  denied   would count' "$out"
    "${user[@]}" "$carbon" sources --root denied > /dev/null
    check 'it answers, so that it has not failed' 0 $?

    out=$(said partly "${user[@]}" "$carbon")
    check_match 'half a machine' 'scope compute: package-0$' "$out"
    check_match 'half a machine is said to be incomplete' 'total incomplete: package-1 cannot be read' "$out"
    "${user[@]}" "$carbon" sources --root partly --json - > partly.json
    check 'and for machines' incomplete "$(json partly.json 'r["status"]')"
else
    echo 'not checked as an ordinary user: setpriv does not allow it'
fi

# Scopes and single sources.
tree=$trees/intel-2s-psys-between
check_match 'scope platform' 'scope platform: psys \+ psys-1' "$("$carbon" sources --root "$tree" --scope platform)"
out=$("$carbon" sources --root "$tree" --scope machine)
check 'a scope that has nothing is an answer' 0 $?
check_match 'a scope that has nothing' 'scope machine: no readable domain$' "$out"
out=$("$carbon" sources --root "$tree" --source perf)
check_match 'only what was asked for' '^powercap   -        not asked for' "$out"
out=$("$carbon" sources --root "$tree" --scope galaxy 2>&1)
check 'no such scope' 125 $?
check_match 'no such scope' 'galaxy' "$out"

# For machines.
"$carbon" sources --root "$trees/amd-4-dies-mirrored" --json - > r.json
check 'json: exit status' 0 $?
check 'json: schema' carbon.sources/1 "$(json r.json 'r["schema"]')"
check 'json: recorded' True "$(json r.json 'r["recorded_tree"]')"
check 'json: machine' "AuthenticAMD 1 4" \
    "$(json r.json '"%s %s %s" % (r["machine"]["cpu_vendor"], r["machine"]["packages"], r["machine"]["cpus_online"])')"
check 'json: sources' "['meter', 'powercap', 'perf'] model" \
    "$(json r.json '"%s %s" % ([s["name"] for s in r["sources"]][:3], r["sources"][-1]["name"])')"
check 'json: nothing covers the whole machine' "None False" "$(json r.json '"%s %s" % (r["whole_machine"], r["stands_in"])')"
check 'json: what counts' "['package-0-die-0']" \
    "$(json r.json '[d["name"] for s in r["sources"] for d in s["domains"] if d["counted"]]')"
check 'json: a mirror' "the package's counter seen from another die: a mirror of package-0-die-0" \
    "$(json r.json '[d["reason"] for s in r["sources"] for d in s["domains"] if d["name"] == "package-0-die-3"][0]')"
check 'json: modulus' "65532611002" "$(json r.json 'r["sources"][1]["domains"][0]["wraps_at_uj"]')"
"$carbon" sources --root "$trees/mmio-twin" --json file.json > table
srcdir=$source sh "$source/tests/check-schema.sh" r.json file.json > held 2>&1
case $? in 0 | 77) ;; *) check 'as its schema has it' 0 "$(cat held)" ;; esac
check 'json into a file' "None True" \
    "$(json file.json '"%s %s" % [(d["wraps_at_uj"], d["wrap_unknown"]) for d in r["sources"][1]["domains"] if d["name"] == "dram-0"][0]')"
check_match 'and the table on standard output' 'scope compute: package-0 \+ dram-0' "$(cat table)"

# What carbon cannot do.
out=$("$carbon" sources --root nowhere 2>&1)
check 'no such tree' 125 $?
check_match 'no such tree' "^carbon: cannot open the root directory 'nowhere'" "$out"
out=$("$carbon" sources --root "$tree" --json no/such/folder.json 2>&1)
check 'no such folder' 125 $?
check_match 'no such folder' "cannot write 'no/such/folder.json'" "$out"
"$carbon" sources --root "$tree" > /dev/full 2> full
check 'standard output is full' 125 $?
check_match 'standard output is full' 'no space left' "$(cat full)"

# The machine that this is: whatever it has, it is an answer.
"$carbon" sources > live
check 'this machine' 0 $?
check_match 'this machine has every source in the list' '^powercap' "$(cat live)"
check_match 'this machine has every source in the list' '^perf' "$(cat live)"
check_match 'this machine has every source in the list' '^model' "$(cat live)"
check 'no colour into a file' '' "$(grep $'\033' live)"
check_match 'colour when asked for' $'\033' "$("$carbon" sources --root "$tree" --color always)"
finish
