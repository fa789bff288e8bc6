# SPDX-License-Identifier: MIT
# bash completion for carbon. The program itself says what may be typed.
_carbon() {
    local word current=${COMP_WORDS[COMP_CWORD]}

    COMPREPLY=()
    [[ $current == = ]] && current=
    while IFS=$'\t' read -r word _; do
        case $word in
            FILES)
                compopt -o filenames
                while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
                ;;
            COMMANDS) while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -c -- "$current") ;;
            *) COMPREPLY+=("$word") ;;
        esac
    done < <("$1" help --complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _carbon carbon
