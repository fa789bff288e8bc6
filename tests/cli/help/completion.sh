#!/bin/bash
# SPDX-License-Identifier: MIT
# Completion: what the program offers, and that the shells' files pass it on.
. "$(dirname "$0")/../lib.sh"

mkdir bin files
ln -s "$carbon" bin/carbon
: > files/a.csv
PATH=$PWD/bin:$PATH

offered() { carbon help --complete -- "$@" | cut -f 1 | tr '\n' ' '; }
check 'commands' 'measure ' "$(offered mea)"
check 'every command' "$(carbon help --list-options | cut -f 1 | uniq | tr '\n' ' ')" "$(offered '')"
check 'options that are not there yet' '--scope ' "$(offered measure --runs 3 --sco)"
check 'not those that are' '' "$(offered measure --scope machine --sco)"
check 'choices' 'compute platform machine ' "$(offered measure --scope '')"
check 'choices in the same word' '--scope=platform ' "$(offered measure --scope=p)"
check 'zones' 'FR ' "$(offered measure --zone FR | tr ' ' '\n' | grep -x FR | tr '\n' ' ')"
check 'files' 'FILES ' "$(offered measure --json '')"
check 'the job' 'COMMANDS ' "$(offered measure --runs 3 -- '')"
check 'its arguments' 'FILES ' "$(offered measure -- gzip -)"
check 'files or jobs: files' 'FILES ' "$(offered compare a.json '')"
check 'files or jobs: an option behind a file' '--scope ' "$(offered compare a.json --sco)"
check 'files or jobs: a job' 'COMMANDS ' "$(offered compare --runs 3 -- '')"
check 'behind a value of two words' '--scope ' "$(offered compare --parameter size 1,2 --sco)"
check 'behind one of one' '--scope ' "$(offered compare --parameter size=1,2 --sco)"
check 'its second word' '' "$(offered compare --parameter size '')"
check 'nothing hidden' '' "$(offered measure --root)"
check 'data that are not there' '' "$(CARBON_DATA=/nonexistent offered measure --zone F 2>&1)"
check 'with a purpose' $'--scope\tdomains that make up the total' "$(carbon help --complete -- measure --sco)"

# None of the files knows an option.
for file in carbon.bash _carbon carbon.fish; do
    check "$file lists no option" '' "$(carbon help --list-options | cut -f 2 | sort -u |
        grep -vxE -- '--(help|complete)' | grep -wFf - "$source/data/completions/$file")"
done

# bash: as readline calls it; it takes --name=value for three words.
in_bash() {
    bash --norc -c '
        . "$0"
        shopt -s progcomp
        compopt() { :; }
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _carbon "$1"
        printf "%s " "${COMPREPLY[@]}"' "$source/data/completions/carbon.bash" carbon "$@"
}
check 'bash: commands' 'measure ' "$(in_bash mea)"
check 'bash: options' '--scope ' "$(in_bash measure --sco)"
check 'bash: a choice' 'platform ' "$(in_bash measure --scope = pl)"
check 'bash: behind a value of two words' '--scope ' "$(in_bash compare --parameter = size = 1,2 --sco)"
check 'bash: choices' 'compute platform machine ' "$(in_bash measure --scope =)"
check 'bash: files' 'files/a.csv ' "$(in_bash measure --json files/)"
check 'bash: files after =' 'files/a.csv ' "$(in_bash measure --json = files/)"
check_match 'bash: programs' '^gzip ' "$(in_bash measure -- gzip)"

if command -v fish > /dev/null; then
    in_fish() { fish --no-config -c "source '$source/data/completions/carbon.fish'; complete -C '$1'" | cut -f 1 | tr '\n' ' '; }
    check 'fish: commands' 'measure ' "$(in_fish 'carbon mea')"
    check 'fish: options' '--scope ' "$(in_fish 'carbon measure --sco')"
    check 'fish: a choice' '--scope=platform ' "$(in_fish 'carbon measure --scope=pl')"
    check 'fish: files' 'files/a.csv ' "$(in_fish 'carbon measure --json files/')"
    check 'fish: files after =' '--json=files/a.csv ' "$(in_fish 'carbon measure --json=files/')"
    check_match 'fish: programs' '(^| )gzip ' "$(in_fish 'carbon measure -- gzi')"
else
    echo 'not tested: fish is not installed'
fi

# zsh: in a terminal of its own, where it really completes. What is typed is echoed, so that it must not look like what
# is waited for: no "<" (60), ">" (62) or "ready:" as it stands.
if command -v zsh > /dev/null; then
    # shellcheck disable=SC2016
    in_zsh() {
        timeout 30 zsh -f -c '
            zmodload zsh/zpty
            zpty shell zsh -f -i
            zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D; unsetopt beep"
            zpty -w shell "L=\${(#):-60} R=\${(#):-62}; say() { print -r -- \"\$L\$BUFFER\$R\"; }; zle -N say"
            zpty -w shell "bindkey \"^X\" say; print rea\"\"dy:"
            while zpty -r shell line "*ready:*"; do break; done
            zpty -n -w shell "$2"$'"'\t\030'"'
            zpty -r shell line "*<*>*"
            zpty -d shell
            print -r -- "$line"' zsh "$source/data/completions" "$1" | tr -d '\r' | grep -aoE '<[^<>]*>' | tail -1
    }
    check 'zsh: commands' '<carbon measure >' "$(in_zsh 'carbon mea')"
    check 'zsh: options' '<carbon measure --scope >' "$(in_zsh 'carbon measure --sco')"
    check 'zsh: a choice' '<carbon measure --scope=platform >' "$(in_zsh 'carbon measure --scope=pl')"
    check 'zsh: files' '<carbon measure --json files/a.csv >' "$(in_zsh 'carbon measure --json files/a')"
    check 'zsh: files after =' '<carbon measure --json=files/a.csv >' "$(in_zsh 'carbon measure --json=files/a')"
else
    echo 'not tested: zsh is not installed'
fi

finish
