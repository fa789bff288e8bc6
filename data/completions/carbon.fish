# SPDX-License-Identifier: MIT
# fish completion for carbon. The program itself says what may be typed.
function __carbon_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l before (string match -r -- '^--[^=]*=' "$current")
    for line in ($words[1] help --complete -- $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case FILES
                printf "$before%s\n" (__fish_complete_path (string replace -- "$before" '' "$current"))
            case COMMANDS
                __fish_complete_command
            case '*'
                echo $line
        end
    end
end
complete -c carbon -f -a '(__carbon_complete)'
