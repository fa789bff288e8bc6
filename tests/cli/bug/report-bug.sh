#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon report-bug: one file with what is needed, without secrets and names, that other programs can unpack.
. "$(dirname "$0")/../lib.sh"

unset CARBON_DEBUG
command -v tar > /dev/null || skip 'no tar'
secret=SECRET-71c2-of-test
tree=$source/tests/trees/intel-denied
mkdir -p "$HOME/.config/carbon"
cat > "$HOME/.config/carbon/config" << END
zone = FR
[history]
ledger = postgresql://me:$secret-config@127.0.0.1:1/carbon
[report]
ledger = postgresql://127.0.0.1:1/carbon?password=$secret-parameter
END
export CARBON_ELECTRICITY_MAPS_KEY=$secret-maps CARBON_PROMETHEUS_TOKEN=$secret-token CARBON_API_TOKEN=$secret-unknown
export USER=zorro-the-user TMPDIR=$work/tmp
mkdir "$TMPDIR"

out=$("$carbon" report-bug --root "$tree" bug.tar.gz 2> said)
check 'status' 0 $?
check 'nothing on standard error' '' "$(cat said)"
check_match 'where it is' "^written to 'bug.tar.gz':" "$out"
check_match 'what is in it' '^ sources.txt ' "$out"
check_match 'what was left out' '^Excluded: keys, tokens and passwords' "$out"
check 'nothing is left behind' '' "$(ls -A "$TMPDIR")"
mkdir x
check 'tar reads it' 0 "$(tar -xzf bug.tar.gz -C x --no-same-permissions; echo $?)"
chmod -R u+r x
check 'its files' 'README.txt config.txt factor.txt machine record.txt sources.json sources.txt version.txt ' \
    "$(ls x/carbon-bug | LC_ALL=C sort | tr '\n' ' ')"
check_match 'the version' '^carbon [0-9.]+' "$(cat x/carbon-bug/version.txt)"
check_match 'a setting' '^ zone +FR +file ' "$(cat x/carbon-bug/config.txt)"
check_match 'the drivers' 'carbon-debug: .* sources: powercap: (denied|ready)' "$(cat x/carbon-bug/sources.txt)"
check 'the form of sources is JSON' list "$(json x/carbon-bug/sources.json "type(r['sources']).__name__")"
check_match 'the factor' 'factors:   takes grid_intensity.csv line [0-9]+: FR ' "$(cat x/carbon-bug/factor.txt)"
check 'each tells its status' 5 "$(grep -lE '^exit status 0$' x/carbon-bug/*.txt | wc -l)"
check 'the machine gives the same answer' "$("$carbon" sources --root "$tree" | sed "s,$tree,TREE,")" \
    "$("$carbon" sources --root x/carbon-bug/machine | sed 's,x/carbon-bug/machine,TREE,')"
check 'no file of the tree is missing' "$("$carbon" record --root "$tree" again > /dev/null; cd again && find . -type f | LC_ALL=C sort)" \
    "$(cd x/carbon-bug/machine && find . -type f | LC_ALL=C sort)"
check_match 'it explains itself' '^sources.txt +the energy sources' "$(cat x/carbon-bug/README.txt)"

# With what goes wrong: of the job its name, of what is printed carbon's lines.
"$carbon" report-bug --root "$tree" second.tar measure --no-ledger -b 0 --root "$tree" --meta "my_password=$secret-meta" -- \
    sh -c "echo $secret-printed; echo '$HOME/x'; exit 3" > out 2> said
check 'status of the report' 0 $?
check_match 'which status it had' 'ended with status 3' "$(cat out)"
check_match 'what it printed is shown' "^$secret-printed" "$(cat said)"
mkdir y
check 'not packed, by its name' 0 "$(tar -xf second.tar -C y --no-same-permissions; echo $?)"
chmod -R u+r y
check_match 'what carbon said of it' "^carbon-debug: .* run: process [0-9]+ runs 'sh'" "$(cat y/carbon-bug/command.txt)"
check_match 'the command' '^The command: carbon measure --no-ledger .* -- sh \(its other words are left out\)' \
    "$(cat y/carbon-bug/README.txt)"
check 'a file in it is like what Python reads' "$(cat y/carbon-bug/README.txt)" "$(/usr/bin/python3 -c '
import sys, tarfile
print(tarfile.open("second.tar").extractfile("carbon-bug/README.txt").read().decode().rstrip("\n"))')"

# Neither has a secret, nor a name of the host, the user and the home.
host=$(uname -n)
for word in "$secret" "$HOME" "$USER" "$host"; do
    [ ${#word} -ge 3 ] && [ "$word" != localhost ] || continue
    check "not in it: $word" '' "$(grep -rwF -- "$word" x/carbon-bug y/carbon-bug | head -n 3)"
done

# A long name, in the archive and out of it.
mkdir -p long/proc
cp -r "$tree/proc/." long/proc/
name=$(printf 'p%.0s' {1..90})
mkdir -p "long/sys/class/powercap/intel-rapl:$name"
printf 'package-0\n' > "long/sys/class/powercap/intel-rapl:$name/name"
"$carbon" report-bug --root long long.tar.gz > out 2>&1
check 'a long name' 0 $?
check_match 'it is whole' "^carbon-bug/machine/.*:$name/name$" "$(tar -tzf long.tar.gz)"

# Failures.
said=$("$carbon" report-bug --root "$tree" no/such/folder/bug.tar.gz 2>&1)
check 'a folder that is not there' 125 $?
check_match 'it says so' "^carbon: cannot write 'no/such/folder/bug.tar.gz'" "$said"
said=$("$carbon" report-bug --root /nonexistent broken.tar.gz 2>&1)
check 'what fails is part of the report' 0 $?
check_match 'with its reason' "cannot open the root directory '/nonexistent'" "$(tar -xzOf broken.tar.gz carbon-bug/sources.txt)"
check_match 'and its status' '^exit status 125' "$(tar -xzOf broken.tar.gz carbon-bug/record.txt)"
"$carbon" report-bug --root "$tree" - 2> said | tar -tzf - > list
check_match 'standard output' '^carbon-bug/README.txt' "$(cat list)"
(cd x && "$carbon" report-bug --root "$tree" > /dev/null 2>&1 && ls) > list
check_match 'a name of its own' '^carbon-bug-[0-9]{8}-[0-9]{6}.tar.gz$' "$(cat list)"
if [ -w /dev/full ]; then
    "$carbon" report-bug --root "$tree" /dev/full > /dev/null 2> said
    check 'a full disk' 125 $?
fi

finish
