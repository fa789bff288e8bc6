#!/bin/bash
# SPDX-License-Identifier: MIT
# What was linked has each protection that configure found here (HARDENING in the Makefile), by the files themselves; and a program
# that is planted without them is found to have none.
set -u
LC_ALL=C
export LC_ALL

# made VARIABLE: as the Makefile has it
made() { sed -n "s/^$1 = *//p" Makefile; }

command -v readelf > /dev/null || { echo 'no readelf'; exit 77; }
read -ra kinds <<< "$(made HARDENING)"
read -ra compiler <<< "$(made CC)"
read -ra user_flags <<< "$(made CFLAGS)"
[ ${#kinds[@]} -gt 0 ] || { echo 'configured without hardening'; exit 77; }

# has KIND FILE OBJECT: a program or a library, and an object that it was linked of. What cannot be seen is taken to be there.
has() {
    case $1 in
    stack) readelf -sW "$2" | grep -q ' UND __stack_chk_fail\|FUNC.* __stack_chk_fail' ;;
    fortify) readelf -sW "$2" | grep -qE ' UND __[a-z]+_chk(@|$)' ;;
    relro) readelf -lW "$2" | grep -q GNU_RELRO && readelf -dW "$2" | grep -qE 'BIND_NOW|Flags:.* NOW' ;;
    noexec)
        readelf -lW "$2" | grep -qE 'GNU_STACK .* RW +0x' &&
            ! readelf -lW "$2" | grep -qE 'LOAD .* RWE ' && ! readelf -dW "$2" | grep -q TEXTREL ;;
    pie) [[ $2 == *.so* ]] || readelf -dW "$2" | grep -q 'Flags:.* PIE' ;;
    branches) readelf -nW "$3" | grep -qE 'IBT, SHSTK|BTI' ;;
    clash) ;;
    *) echo "unknown kind $1"; false ;;
    esac
}

failures=0
look() {
    local kind
    for kind in "${kinds[@]}"; do
        has "$kind" "$1" "$2" || { echo "$1: lacks $kind"; failures=$((failures + 1)); }
    done
}
look carbon src/main.o
for library in .libs/libcarbon.so src/.libs/libcarbon.so; do
    [ ! -e "$library" ] || look "$library" src/lib/.libs/piece.o
done

scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
cat > "$scratch/open.c" << 'END'
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    char text[64];
    memcpy(text, argv[0], (size_t)argc);
    return puts(text) < 0;
}
END
open=(-fno-stack-protector -U_FORTIFY_SOURCE -fPIC)
case " ${kinds[*]} $(made HARDENING_CFLAGS) " in *-fcf-protection*) open+=(-fcf-protection=none) ;; *-mbranch*) open+=(-mbranch-protection=none) ;; esac
if "${compiler[@]}" "${user_flags[@]}" -w "${open[@]}" -c -o "$scratch/open.o" "$scratch/open.c" &&
    "${compiler[@]}" "${user_flags[@]}" -w -no-pie -Wl,-z,norelro,-z,lazy,-z,execstack -o "$scratch/open" "$scratch/open.o" 2> /dev/null; then
    for kind in "${kinds[@]}"; do
        [ "$kind" = clash ] || ! has "$kind" "$scratch/open" "$scratch/open.o" ||
            { echo "not found: a program without $kind"; failures=$((failures + 1)); }
    done
else
    echo 'a program without them cannot be linked here'
fi
echo "${kinds[*]}: $failures missing"
[ $failures = 0 ]
