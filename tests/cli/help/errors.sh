#!/bin/bash
# SPDX-License-Identifier: MIT
# What went wrong, why, and what to do: whole messages, and the status 125.
. "$(dirname "$0")/../lib.sh"

# refused NAME MESSAGE ARGUMENT...
refused() {
    local name=$1 message=$2
    shift 2
    "$carbon" "$@" > out 2> err
    check "$name: status" 125 $?
    check "$name: message" "$message" "$(cat err)"
    check "$name: nothing on standard output" '' "$(cat out)"
}

refused 'unknown command' "carbon: unknown command 'mesure'
   why: the nearest command is 'measure'
   fix: carbon measure" mesure
refused 'unknown command, none near' "carbon: unknown command 'frobnicate'
   why: 'carbon help' lists the commands
   fix: carbon help" frobnicate
refused 'unknown command of help' "carbon: unknown command 'sorces'
   why: the nearest command is 'sources'
   fix: carbon help sources" help sorces
refused 'an option before the command' "carbon: unknown option '--zone'
   why: the options of a command follow its name
   fix: carbon help" --zone FR measure
refused 'an option of carbon itself, mistyped' "carbon: unknown option '--versoin'
   why: the nearest option of carbon itself is '--version'
   fix: carbon --version" --versoin

refused 'unknown option' "carbon: unknown option '--basline'
   why: the nearest option of 'carbon measure' is '--baseline'
   fix: carbon measure --baseline 5 -- touch ran" measure --basline 5 -- touch ran
refused 'unknown option, none near' "carbon: unknown option '--frobnicate'
   why: 'carbon measure' has no option of this name
   fix: carbon help --all measure" measure --frobnicate -- touch ran
refused 'unknown letter' "carbon: unknown option '-x'
   why: 'carbon measure' has no option of this letter
   fix: carbon help --all measure" measure -qx -- touch ran
refused 'a name cut short' "carbon: unknown option '--base'
   why: the nearest option of 'carbon measure' is '--baseline'
   fix: carbon measure --baseline 5 -- touch ran" measure --base 5 -- touch ran
refused 'not a number' "carbon: --baseline needs a number of seconds or same, not 'ten'
   why: units are ms, s, min, h, d or y; a number alone is of seconds
   fix: carbon measure --baseline 5 -- touch ran" measure --baseline ten -- touch ran
refused 'out of range' "carbon: --pue needs a number from 1 to 10, not '0.9'
   why: --pue <ratio>: power usage effectiveness (PUE)
   fix: carbon measure --pue 1 -- touch ran" measure --pue 0.9 -- touch ran
refused 'a comma' "carbon: --pue needs a number, not '1,2'
   why: --pue <ratio>: power usage effectiveness (PUE)
   fix: carbon measure --pue=1.2 -- touch ran" measure --pue=1,2 -- touch ran
refused 'not a whole number' "carbon: --runs needs a whole number, not '1.5'
   why: --runs <n>: number of runs, baselines between them
   fix: carbon measure -r 2 -- touch ran" measure -r 1.5 -- touch ran
refused 'no such choice' "carbon: --basis needs lifecycle or direct, not 'mixed'
   why: --basis <basis>: basis of the emission factor
   fix: carbon measure --basis lifecycle -- touch ran" measure --basis mixed -- touch ran
refused 'no value' "carbon: --zone needs a value: --zone <code>
   why: --zone <code>: grid zone: FR, US-CA, aws:eu-west-3 (default: world)
   fix: carbon measure --zone FR" measure --zone
refused 'neither yes nor no' "carbon: --quiet needs yes or no, not '1'
   why: --quiet: print one line, for scripts
   fix: carbon measure --quiet=yes -- touch ran" measure --quiet=1 -- touch ran
refused 'a second value' "carbon: --zone was given twice, as 'FR' and as 'DE'
   why: it has one value
   fix: carbon measure --zone=DE -- touch ran" measure --zone FR --zone=DE -- touch ran
refused 'a second value under the other name' "carbon: --country was given twice, as 'FR' and as 'DE'
   why: it has one value
   fix: carbon measure --country DE -- touch ran" measure --zone FR --country DE -- touch ran
refused 'a second file' "carbon: --json was given twice, as 'a.json' and as 'b.json'
   why: it has one value
   fix: carbon measure --json b.json -- touch ran" measure --json a.json --json b.json -- touch ran
refused 'yes and no' "carbon: --quiet was given twice, as 'yes' and as 'no'
   why: it has one value
   fix: carbon measure --quiet=no -- touch ran" measure -q --quiet=no -- touch ran
refused 'two groups' "carbon: --cgroup was given twice, as '/a' and as '/b'
   why: it has one value
   fix: carbon measure --cgroup /b" measure --cgroup /a --cgroup /b
check 'the same twice says no more than once' 0 "$("$carbon" measure -q -q --baseline 0 --baseline 0 --source model -- true 2> /dev/null; echo $?)"
check 'the command line has the last word over the environment' FR \
    "$(CARBON_ZONE=DE "$carbon" estimate --energy 1kWh --zone FR --json - | sed -n 's/.*"zone":\t"\(..\)".*/\1/p' | head -n 1)"
refused 'nothing to measure' "carbon: 'carbon measure' needs an argument
   why: usage: carbon measure [options] -- command [argument ...]
   fix: carbon measure -- sleep 1" measure --zone FR
refused 'too many operands' "carbon: 'carbon record' does not take 'b'
   why: usage: carbon record [options] directory
   fix: carbon record a" record a b
check 'an option after the operands of no job' 125 "$("$carbon" record a --bogus 2> /dev/null; echo $?)"
check 'an option that is the job'"'"'s' 0 "$("$carbon" measure --baseline 0 --source model -- test --bogus 2> /dev/null; echo $?)"
refused 'an impossible duty' "carbon: --duty cannot be '25h/d'
   why: '25h/d' does not say how much of a year: write it as 8h/d, '8h/d x 250', 2000h or 50%
   fix: carbon measure --duty 8h/d -- touch ran" measure --duty 25h/d -- touch ran
refused 'no such root' "carbon: cannot open the root directory 'nowhere'
   why: no such file or directory
   fix: ls ." sources --root nowhere
check 'nothing was run' '' "$(ls ran a 2> /dev/null)"

# Standard output that fails, in commands that own it.
"$carbon" help > /dev/full 2> err
check 'no space left' 125 $?
check 'which is told once' "carbon: cannot write to standard output
   why: no space left on device" "$(cat err)"
"$carbon" measure --help > /dev/full 2> err
check 'no space left for help' 125 $?
tried 2 'Standard output or standard error is full'
"$carbon" --version >&- 2> err
check 'closed' 125 $?
tried 1 'Standard output or standard error is full'
check 'which is told' "carbon: cannot write to standard output
   why: bad file descriptor" "$(cat err)"
/usr/bin/python3 - "$carbon" > out << 'END'
import os, subprocess, sys
for arguments in (["help"], ["measure", "--help"], ["--version"], ["config"]):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.argv[1]] + arguments, stdout=write, stderr=subprocess.PIPE, text=True)
    os.close(write)
    print(done.returncode, done.stderr.replace("\n", "|"))
END
check 'a reader that has gone: nothing is said' 4 "$(grep -cx '125 ' out)"
tried "$(wc -l < out)" 'Standard output or standard error is full'

# A closed stream stays closed for the job, and no file of carbon's takes its place.
"$carbon" measure --baseline 0 --source model --json closed.json -- sh -c 'echo lost; exit 3' >&- 2> err
check 'standard output closed: the job fails as it would' 3 $?
tried 1 'Standard output or standard error is full'
check 'standard output closed: the record is whole' carbon.record/1 "$(json closed.json 'r["schema"]')"
check 'standard input closed: status' 0 \
    "$("$carbon" measure --baseline 0 --source model -- sh -c '! read -r line' <&- > /dev/null 2>&1; echo $?)"

# Colour is asked for or a terminal's; it changes no word.
check 'no colour into a file' '' "$("$carbon" nothing 2>&1 | grep $'\033')"
# Without a terminal COLUMNS says the width, which changes no word either.
check 'nor does a width' "$("$carbon" measure --help | tr -s ' \n' '\n')" "$(COLUMNS=40 TERM=vt100 "$carbon" measure --help | tr -s ' \n' '\n')"
check 'the width is kept to' '' "$(COLUMNS=60 "$carbon" measure --help | grep -E '.{61}' | grep -v '^ carbon ')"
for columns in 0 19 abc -60 99999 ''; do
    check "COLUMNS=$columns says nothing" "$("$carbon" measure --help)" "$(COLUMNS=$columns "$carbon" measure --help)"
done
check 'nor a locale' "$("$carbon" measure --pue 1,5 -- true 2>&1)" "$(LC_ALL=de_DE.UTF-8 "$carbon" measure --pue 1,5 -- true 2>&1)"

# Without carbon's tables the model has nothing to go by: that is told, not the sensors that are missing anyway.
mkdir no-data
cp -r "$CARBON_DATA/emission_factors" no-data
chmod -R u+w no-data
rm no-data/emission_factors/cpu_power.csv
mkdir -p bare/proc bare/sys
printf 'processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 63\nmodel name\t: Intel(R) Xeon(R) CPU E5-2620 v3 @ 2.40GHz\nflags\t\t: fpu hypervisor\n' > bare/proc/cpuinfo
echo 'cpu  1 0 1 100 0 0 0 0 0 0' > bare/proc/stat
CARBON_DATA=$PWD/no-data refused 'no sensor, and no tables for the model' "carbon: no energy source on this machine, which is a virtual machine, and no model of it
   why: cannot read '$PWD/no-data/emission_factors/cpu_power.csv'
   fix: CARBON_DATA must name the folder that holds emission_factors/" \
    measure --root bare -- touch ran

finish
