#!/bin/bash
# SPDX-License-Identifier: MIT
# libcarbon in eight threads and their children at once: as it is built, and with ThreadSanitizer.
. "$(dirname "$0")/../lib.sh"
. "$source/tests/cli/lib-trees.sh"

zone tree 262143328850 1000000
if grep -q __asan_init "$carbon"; then
    echo 'not tested as it is built: the allocator of AddressSanitizer does not outlive a fork beside other threads'
else
    for round in 1 2 3; do
        check "pieces, round $round" '0 wrong, 0.500000 J of 0.500000 J' "$("$helpers/pieces" tree 2>&1)"
    done
fi

variable() {
    sed -n "s/^$1 = //p" "$builddir/Makefile"
}
cc=$(variable CC)
plain() { # randomised addresses are more than some releases of ThreadSanitizer can do with
    if setarch -R true 2> /dev/null; then setarch -R "$@"; else "$@"; fi
}
echo 'int main(void) { return 0; }' > empty.c
$cc -fsanitize=thread -o empty empty.c 2> said && plain ./empty 2>> said || skip "ThreadSanitizer does not run here: $(tail -n 1 said)"

# The sources of the rooms that the library stands on.
mkdir objects
for file in "$source"/src/{base,power,energy,emissions,meter,lib}/*.c "$source/tests/helpers/pieces.c"; do
    name=${file#"$source/"}
    echo "$file objects/$(tr / - <<< "${name%.c}").o"
done | grep -v base/csv_linked > list
compile() {
    # shellcheck disable=SC2086
    xargs -P "$(nproc)" -L 1 sh -c '$0 -std=gnu11 -O0 -g1 -w -fsanitize=thread -D_GNU_SOURCE -DCARBON_PKGDATADIR="\"/nowhere\"" -include "$1/config.h" \
        -I"$1" -I"$2/src" -I"$2/include" -c "$3" -o "$4"' "$cc" "$builddir" "$source" < list
}
check 'compiles with ThreadSanitizer' 0 "$(compile > said 2>&1; echo $?)" || cat said
check 'links' 0 "$($cc -fsanitize=thread -o pieces objects/*.o -lm -ldl -lpthread > said 2>&1; echo $?)" || cat said
check 'no data race' '0 wrong, 0.500000 J of 0.500000 J' "$(TSAN_OPTIONS=halt_on_error=0 plain ./pieces tree 2>&1)"
finish
