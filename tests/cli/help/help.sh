#!/bin/bash
# SPDX-License-Identifier: MIT
# What carbon says of itself: the overview, each command's help, the version, the list of options.
. "$(dirname "$0")/../lib.sh"

overview=$("$carbon")
check 'carbon alone succeeds' 0 $?
check 'carbon --help is the same' "$overview" "$("$carbon" --help)"
check 'so is -h' "$overview" "$("$carbon" -h)"
check 'so is carbon help' "$overview" "$("$carbon" help)"
check 'nothing on standard error' '' "$("$carbon" 2>&1 > /dev/null)"
check 'the first line' 'Usage:' "$(head -1 <<< "$overview")"
check 'how to go on' 'For more details see carbon(1).' "$(tail -1 <<< "$overview")"
check_match 'what to begin with' '^ carbon sources ' "$overview"

commands=$("$carbon" help --list-options | cut -f 1 | uniq)
check 'the commands, in their order' "$(tr '\n' ' ' <<< "$commands")" \
    "$(sed -n '/^Measure:/,/^ -h/s/^ \([a-z][a-z-]*\) .*/\1/p' <<< "$overview" | tr '\n' ' ')"
check 'each group of commands once' '' "$(grep -E '^[A-Z].*:$' <<< "$overview" | sort | uniq -d)"
for command in $commands; do
    help=$("$carbon" "$command" --help)
    check "$command --help succeeds" 0 $?
    check "help $command is the same" "$help" "$("$carbon" help "$command")"
    check "$command -h is the same" "$help" "$("$carbon" "$command" -h)"
    check "$command: 80 columns" '' "$(awk 'length > 80' <<< "$help")"
    check "$command: usage" " carbon $command" "$(sed -n 2p <<< "$help" | grep -oE "^ carbon $command")"
    check "$command: the manual" "For more details see carbon-$command(1)." "$(tail -1 <<< "$help")"
    check "$command: help and version last" '--help --version ' \
        "$("$carbon" help --all "$command" | grep -oE '^ (-[A-Za-z], |    )--[a-z-]+' | grep -oE -- '--[a-z-]+' | tail -2 | tr '\n' ' ')"
    check "$command: nothing at a line's end" '' "$(grep -E ' $' <<< "$help")"
done

measure=$("$carbon" measure --help)
check 'measure fits a screen' yes "$([ "$(wc -l <<< "$measure")" -le 45 ] && echo yes || wc -l <<< "$measure")"
check_match 'the others by name' '^  --.* --scope ' "$measure"
check_match 'where the whole is' 'carbon help --all measure' "$measure"
check 'all options of all commands' "$("$carbon" help --list-options | cut -f 1 | uniq)" "$("$carbon" help --all | grep -xE '[a-z-]+')"
whole=$("$carbon" help --all measure)
check 'each group once' '' "$(grep -E '^[A-Z].*:$' <<< "$whole" | sort | uniq -d)"
check_match 'a default' '-b, --baseline <s> [^-]*\(default 5\)' "$(printf '%s' "$measure" | tr '\n' ' ')"
check_match 'groups' '^Carbon:$' "$whole"
check_match 'choices' 'compute, platform or$' "$whole"
check_match 'an alias' 'also --country' "$whole"
check_match 'examples' '^ carbon measure .*-- ' "$(sed -n '/^Examples:/,$p' <<< "$measure")"
check_absent 'what is hidden' '--root' "$measure"
check_match 'the hidden is listed for the manual' $'^measure\t--root$' "$("$carbon" help --list-options)"
check_match 'aliases too' $'^measure\t--country$' "$("$carbon" help --list-options)"

# --help wants neither operands nor a sound configuration.
mkdir -p "$HOME/.config/carbon"
echo 'nonsense' > "$HOME/.config/carbon/config"
check 'help in spite of a broken file' "$measure" "$("$carbon" measure --help)"
check 'version in spite of a broken file' 0 "$("$carbon" measure --version > /dev/null; echo $?)"
rm "$HOME/.config/carbon/config"

version=$("$carbon" --version)
check 'version succeeds' 0 $?
check_match 'its number' '^carbon [0-9]+\.[0-9]+\.[0-9]+' "$(head -1 <<< "$version")"
check_match 'what was built in' '^ with: cJSON [0-9.]+, inih [0-9]+, libcsv [0-9.]+, libyaml [0-9.]+, GSL [0-9.]+, libmd [0-9.]+$' "$version"
check_match 'libpfm4, or not' '^ libpfm4: (built in|not built in); ' "$version"
check 'where the data are' " data: $CARBON_DATA/emission_factors" "$(tail -1 <<< "$version")"
check '-V is the same' "$version" "$("$carbon" -V)"
check 'a command has it too' "$version" "$("$carbon" sources --version)"
check_match 'data that are not there' "^ data: cannot read '/nonexistent/emission_factors': no such file" \
    "$(CARBON_DATA=/nonexistent "$carbon" --version)"

# Schemas: docs/NAME-schema.json is what the program says of NAME (carbon help --schema NAME > docs/NAME-schema.json).
refused=$("$carbon" help --schema nonsense 2>&1)
check 'an unknown schema' 125 $?
schemas=$(sed -n 's/,//g; s/.*one of: //p' <<< "$refused")
check_match 'those that there are' pipeline "$schemas"
for schema in $schemas; do
    check "docs/$schema-schema.json is kept" "$("$carbon" help --schema "$schema")" "$(cat "$source/docs/$schema-schema.json")"
done

finish
