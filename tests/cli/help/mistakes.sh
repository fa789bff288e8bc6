#!/bin/bash
# SPDX-License-Identifier: MIT
# Mistakes as people make them: each is refused with what, why and a fix, and the fix works as it is printed; or it is
# understood.
. "$(dirname "$0")/../lib.sh"

mkdir bin
printf '#!/bin/sh\nexec "%s" "$@"\n' "$carbon" > bin/carbon
chmod +x bin/carbon
PATH=$PWD/bin:$PATH
export CARBON_SOURCE=model CARBON_BASELINE=0
"$carbon" measure --json r5.json -- true > /dev/null 2>&1
"$carbon" measure --json kept.json -- true > /dev/null 2>&1

# fix_of FILE: what a user types after it: the command in quotes, or the whole text.
fix_of() {
    local fix quoted="'((carbon|ls|chmod) [^']*)'"
    fix=$(sed -n 's/^   fix: //p' "$1")
    if [[ ! $fix =~ ^(carbon|ls|mkdir|chmod|echo|ps)\  && $fix =~ $quoted ]]; then
        fix=${BASH_REMATCH[1]}
    fi
    printf '%s' "$fix"
}

# Those that people were seen to make are all among them.
if [ "$shared" ]; then
    check 'known mistakes' '' "$(comm -13 <(sed 's/ #[a-z]*$//' "$source/tests/cli/help/mistakes.txt" | sort) <(sed 's,/nonexistent/,nowhere/,' "$shared/cases/round2/mistakes/commands.txt" | sort))"
fi
# Before its baseline of a minute is over, each refuses a command that is not there.
for command in measure indicator profile; do
    CARBON_BASELINE=60 timeout 50 carbon $command -- nosuchcommand > out 2> err
    check_match "$command of a command that is not there is refused at once" '^(125|127)$' $?
done
check 'a zone given twice' 'carbon measure -z DE -- true' "$(carbon measure -z FR -z DE -- true 2>&1 | sed -n 's/^   fix: //p')"

while IFS= read -r mistake; do
    case $mistake in '' | '#'*) continue ;; esac
    if bash -c "carbon $mistake" > out 2> err < /dev/null; then
        case $mistake in *' #works') check "$mistake" '' '' ;; *) check "$mistake: is refused" refused understood ;; esac
        continue
    fi
    check_absent "$mistake: is understood" ' #works$' "$mistake"
    check_match "$mistake: what" '^carbon: .{8}' "$(head -n 1 err)"
    check "$mistake: why, once" 1 "$(grep -c '^   why: .' err)"
    check "$mistake: a fix, once" 1 "$(grep -c '^   fix: .' err)"
    fix=$(fix_of err)
    case $mistake in *' #network') check_match "$mistake: a whole line" '^carbon ' "$fix"; continue ;; esac
    timeout 20 bash -c "$fix" > fixed 2>&1 < /dev/null
    status=$?
    case $fix in 'carbon serve '*) [ $status -ne 124 ] || status=0 ;; esac
    check "$mistake: the fix works: $fix" 0 "$status" || tail -n 4 fixed
done < "$source/tests/cli/help/mistakes.txt"

finish
