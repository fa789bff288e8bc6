#!/bin/bash
# SPDX-License-Identifier: MIT
# carbon top on a terminal: keys, a window that gets smaller, and every end: the terminal is as it was, and no process is left.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"
. "$source/tests/cli/lib-serve.sh"

move_serve_tree 0.5
trap 'kill "$mover" 2> /dev/null; chmod -R u+rwx "$work" 2>/dev/null; rm -rf "$work"' EXIT
until_true test -e tree/moving
screen() { # END [OPTION...]
    /usr/bin/python3 -B "$source/tests/helpers/screen.py" "$1" "$carbon" top --root "$PWD/tree" --source powercap --intensity 360 --interval 0.2 \
        "${@:2}" < /dev/null
}
for end in q INT TERM HUP QUIT keys size stop close; do
    check "the end: $end" 'ended 0' "$(screen $end)"
done
check 'the time that was given' 'ended 0' "$(screen wait --for 1s)"
check 'a file beside the screen' 'ended 0' "$(screen q --csv top.csv)"
check_match 'it has the rows' 'process,row,worker' "$(cat top.csv)"
check 'no process is left' '' "$(processes_of "*top --root $PWD/tree*")"

# In tmux, as people have it: a killed window leaves nothing
if command -v tmux > /dev/null; then
    SHELL=/bin/sh tmux -L "carbon-$$" -f /dev/null new-session -d -x 100 -y 30 "'$carbon' top --root $PWD/tree --source powercap --intensity 360" 2> tmux.err
    shown() { tmux -L "carbon-$$" capture-pane -p 2> /dev/null | grep -q ' worker '; }
    gone() { [ -z "$(processes_of "*top --root $PWD/tree*")" ]; }
    if [ -s tmux.err ]; then
        echo "SKIPPED: in tmux: $(cat tmux.err)"
    else
        until_true shown
        check_match 'the machine in the last line of the table' '^ +machine +[0-9.]+ W' "$(tmux -L "carbon-$$" capture-pane -p)"
        tmux -L "carbon-$$" kill-server
        until_true gone
    fi
fi
: > tree/still
wait "$mover"
finish
