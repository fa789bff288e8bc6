#!/bin/bash
# SPDX-License-Identifier: MIT
# Where a value comes from: the command line, the environment, the configuration file, the standard.
. "$(dirname "$0")/../lib.sh"

config=$HOME/.config/carbon/config
mkdir -p "$(dirname "$config")"
# One option's line of `carbon config measure`, its columns divided by one space.
shown() { "$carbon" config measure | sed -nE "s/ +/ /g; s/^ ($1( .*)?)\$/\1/p"; }

check 'the file that was looked for' "config file: $config (not there)" "$("$carbon" config | head -1)"
check 'a standard' 'baseline 5 standard' "$(shown baseline)"
check 'no standard' 'zone - standard' "$(shown zone)"
check 'a flag' 'require-measured no standard' "$(shown require-measured)"
check 'only what can be set there' '' "$(shown root)$(shown help)"

cat > "$config" << 'END'
# at our place
zone = DE
pue = 1.4 ; the hall in summer
require-measured = yes

[measure]
baseline = 2
pue = 1.3

[estimate]
zone = FR
END
check 'the file that was read' "config file: $config" "$("$carbon" config | head -1)"
check 'from the file' "zone DE file $config:2" "$(shown zone)"
check 'a flag from the file' "require-measured yes file $config:4" "$(shown require-measured)"
check 'from the section of the command' "baseline 2 file $config:7" "$(shown baseline)"
check 'which is stronger than the head' "pue 1.3 file $config:8" "$(shown pue)"
check 'and for that command alone' " pue (estimate) 1.4 file $config:3" \
    "$("$carbon" config | sed -E 's/ +/ /g' | grep -F 'pue (estimate)')"
check 'environment over file' 'zone GB environment CARBON_ZONE' "$(CARBON_ZONE=GB shown zone)"
check 'dashes become underscores' 'require-measured no environment CARBON_REQUIRE_MEASURED' \
    "$(CARBON_REQUIRE_MEASURED=no shown require-measured)"
check 'an empty variable says nothing' "zone DE file $config:2" "$(CARBON_ZONE='' shown zone)"
check 'an option by its other name' 'zone ES environment CARBON_COUNTRY' "$(CARBON_COUNTRY=ES shown zone)"

# As the commands have it.
factor() { "$carbon" measure --baseline 0 --source model --json - "$@" -- true 2> /dev/null | json /dev/stdin 'r["factor"]["zone"]'; }
sed -i '/^require-measured/d' "$config"
check 'measure takes the file' DE "$(factor)"
check 'environment over file' GB "$(CARBON_ZONE=GB factor)"
check 'command line over environment' PL "$(CARBON_ZONE=GB factor --zone PL)"
check 'the other name too' PL "$(CARBON_ZONE=GB factor --country PL)"
check 'the file of XDG_CONFIG_HOME' 'None' "$(XDG_CONFIG_HOME=/nonexistent factor | sed 's/^WORLD$/None/')"
check 'a relative XDG_CONFIG_HOME is none' DE "$(XDG_CONFIG_HOME=nonexistent factor)"

# Variables of other programs are let alone, but shown.
unknown=$(CARBON_CONFIG=x CARBON_ZONES=FR "$carbon" config | sed -n '/^not known/,$p')
check 'variables that are not known' ' CARBON_CONFIG CARBON_ZONES' "$(tail -n +2 <<< "$unknown" | sort | tr -d '\n')"
check_absent 'CARBON_DATA is known' 'CARBON_DATA' "$unknown"

# What the file says of machines stands there once, with its line.
printf 'zone = FR\n[machine rack 7]\nkg = 1200\nlifetime = 5\n[machine]\nkg = 300.5\nlifetime = 4\n' > "$config"
check 'machines' " machine rack 7         1200 kg, 5 years file  $config:2
 machine                300.5 kg, 4 years file  $config:5" "$("$carbon" config | grep -F ' machine' | grep kg)"
check 'machines: of a report' 2 "$("$carbon" config report | grep -c ' kg, ')"

# Mistakes are told with their line, whichever command they are for, and nothing is run.
refused() {
    printf '%b' "$2" > "$config"
    "$carbon" sources > out 2> err
    check "$1: status" 125 $?
    check "$1: message" "$3" "$(cat err)"
    check "$1: no output" '' "$(cat out)"
}
refused 'unknown option' 'zone = FR\nzon = DE\n' \
    "carbon: '$config' line 2: no command has an option 'zon'
   fix: did you mean 'zone'?"
refused 'bad value' '[measure]\nbaseline = ten\n' \
    "carbon: '$config' line 2: baseline needs a number of seconds or same, not 'ten'
   why: units are ms, s, min, h, d or y; a number alone is of seconds
   fix: write the line as 'baseline = 5'"
refused 'no pair' 'zone\n' \
    "carbon: '$config' line 1: this is neither 'name = value'
   fix: write 'name = value', or '[command]' before settings of one command"
refused 'unknown section' '\n[meassure]\nzone = FR\n' \
    "carbon: '$config' line 3: no command is called 'meassure'
   fix: a section has the name of a command ('carbon help' lists them), or is [meter NAME] or [machine NAME]"
refused 'an option of the command line' 'root = /\n' \
    "carbon: '$config' line 1: only the command line may have 'root'
   fix: take that line out"
"$carbon" config > out 2> err
check 'carbon config refuses as well' 125 $?
# What one command has on its command line alone may be another's in a file.
printf 'cpu = EPYC 7763\n' > "$config"
"$carbon" estimate --power 1 --hours 1 --zone FR > out 2> err
check "the file's --cpu is not that of estimate" 0 $?
check_absent 'nor counts there' 'EPYC' "$(cat out)"
check_match 'it is that of serve' "^ *cpu +EPYC 7763 +file" "$("$carbon" config serve)"
refused 'no such processor' 'cpu = EPYC 77631\n' \
    "carbon: '$config' line 1: cpu cannot be 'EPYC 77631'
   why: unknown processor 'EPYC 77631'
   fix: close ones are 'AMD EPYC 7763', 'AMD EPYC 7261' and 'AMD EPYC 7601'; or give its --cpu-power IDLE:FULL"

rm "$config"
mkdir "$config"
"$carbon" sources > out 2> err
check 'a folder in its place' 125 $?
check_match 'which cannot be read' "^carbon: cannot read '$config'" "$(cat err)"
rmdir "$config"
if [ "$(id -u)" != 0 ]; then
    : > "$config"
    chmod 000 "$config"
    "$carbon" sources > out 2> err
    check 'a file that may not be read' 125 $?
    check_match 'why' 'why: permission denied' "$(cat err)"
    rm -f "$config"
else
    echo 'not tested: a file that may not be read (this is root)'
fi

# A bad value of the environment.
CARBON_PUE=0.5 "$carbon" measure --baseline 0 -- touch ran 2> err
check 'bad value of a variable' 125 $?
check 'which is named' "carbon: CARBON_PUE needs a number from 1 to 10, not '0.5'
   why: --pue <ratio>: power usage effectiveness (PUE)
   fix: export CARBON_PUE='1'" "$(cat err)"
check 'nothing was run' '' "$(ls ran 2> /dev/null)"

"$carbon" config nonsense 2> err
check 'no such command' 125 $?
check 'which is named' "carbon: unknown command 'nonsense'
   why: 'carbon help' lists the commands
   fix: carbon help" "$(cat err)"

# A password in a URL is nobody's to see, wherever the value comes from.
mkdir -p secret/carbon
echo 'ledger = postgresql://u:pw123@127.0.0.1:1/x' > secret/carbon/config
out=$(XDG_CONFIG_HOME=$work/in/secret "$carbon" config); check 'a place with a password' 0 $?
check_match 'is shown without it' ' postgresql://[.]{3}@127[.]0[.]0[.]1:1/x ' "$out"
check_absent 'in no form' 'pw123' "$out$(XDG_CONFIG_HOME=$work/in/secret "$carbon" history 2>&1)"
out=$(CARBON_LEDGER='postgresql://127.0.0.1:1/x?user=u&password=pw123&a=b' "$carbon" config 2>&1)
check_match 'a parameter' ' postgresql://127[.]0[.]0[.]1:1/x[?]user=u&password=[.]{3}&a=b ' "$out"
check_absent 'likewise' 'pw123' "$out"
# Nor in what others see of the process, in what is kept of its command, or in an error.
url=http://ann:pw123@127.0.0.1/a
out=$("$carbon" measure --no-ledger --baseline 0 --source model --json r.json --csv r.csv --html r.html -- \
    sh -c 'tr "\0" " " < "/proc/$PPID/cmdline"; echo; echo "$1"' x "$url" --api-key=pw123 2> err)
check 'the title' yes "$(head -n 1 <<< "$out" | grep -q 'x http://[.][.][.]@127.0.0.1/a *--api-key=[.][.][.] *$' && echo yes)"
check 'the command itself has it' "$url" "$(tail -n 1 <<< "$out")"
check 'the record' 'http://...@127.0.0.1/a --api-key=...' "$(json r.json '" ".join(r["command"][-2:])')"
check_absent 'in no form of it' 'pw123' "$(cat err r.json r.csv r.html)"
check_match 'they name it' '//[.][.][.]@127' "$(cat r.csv r.html)"
"$carbon" batch --no-ledger --baseline 0 --source model --loops 1 --json b.json --module "one=true $url" > out 2>&1
check_match 'a module' 'true http://[.][.][.]@' "$(cat b.json)"
check_absent 'in no batch' 'pw123' "$(cat b.json out)"
for wrong in "prometheus scrape $url" "measure --zone $url -- true" "measure --ledger postgresql://u:pw123@127.0.0.1:1/x -- true" \
    "$url" "prometheus energy --for 1m --url $url" "plot $url"; do
    # shellcheck disable=SC2086 # words
    check_absent "carbon $wrong" 'pw123' "$("$carbon" $wrong 2>&1)"
done

# HOME is another user's, as sudo and setpriv keep it: what may not be read there is told, and carbon goes on.
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
    open_to_all
    mkdir -p others/.config/carbon
    echo 'no = such option' > others/.config/carbon/config
    chmod 700 others/.config
    setpriv --reuid=65534 --regid=65534 --clear-groups env -u XDG_CONFIG_HOME HOME="$PWD/others" "$carbon" sources > out 2> err
    check "another's configuration" 0 $?
    check_match 'is told' "configuration '$PWD/others/.config/carbon/config' is not used: permission denied: it is another user's" "$(tr -s '\n ' ' ' < err)"
else
    echo "not tested: another user's configuration (root alone can be another)"
fi
finish
