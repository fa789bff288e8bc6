#!/bin/bash
# SPDX-License-Identifier: MIT
# libcarbon as it is installed: what it exports and needs, its manual, and the examples against it, in C and C++.
. "$(dirname "$0")/../lib.sh"

variable() {
    sed -n "s/^$1 = //p" "$builddir/Makefile"
}
cc=$(variable CC) cflags=$(variable CFLAGS)
so=$builddir/.libs/libcarbon.so.1
[ -e "$so" ] || skip 'libcarbon is not built as a shared library'
case $cc in *clang*) cxx=${cc/clang/clang++} ;; *) cxx=${cc/gcc/g++} ;; esac
sanitized=no
! nm -D "$so" | grep -qE '__(asan|ubsan|tsan)_' || sanitized=yes

# Its names
sed -n '/^global:/,/^local:/s/^ *\(carbon_[a-z_]*\);$/\1/p' "$source/src/lib/carbon.map" | sort > meant
nm -D --defined-only "$so" | awk '$2 != "A" {print $3}' | sed 's/@.*//' | sort > exported
check 'no other names are exported' "$(cat meant)" "$(cat exported)"
if grep -q 'version-script' <(variable libcarbon_la_LDFLAGS; sed -n '/version-script/p' "$builddir/Makefile"); then
    check 'each has its version' '' "$(nm -D --defined-only "$so" | awk '$2 != "A" {print $3}' | grep -vE '@@LIBCARBON_1\.[01]$')"
fi
# Of the program's rooms nothing is in it: no function that one of their headers declares.
(cd "$source/src" && cat {app,form,grid,io,ledger,measurement,result,run,series,target,usage}/*.h) |
    grep -oE '^[a-z][a-z_0-9 ]* \**[a-z_0-9]+\(' | sed -E 's/^.*[ *]([a-z_0-9]+)\($/\1/' | sort -u > rooms
check 'the headers of the rooms are read' yes "$(grep -qx job_start rooms && grep -qx workload_run rooms && echo yes)"
nm "$so" | awk 'NF == 3 {print $3}' | sort -u > held
check 'and what it holds is listed' yes "$(grep -qx counter_step held && echo yes)"
check 'no job, control group or statistics is in it' '' "$(comm -12 rooms held)"
grep -oE '\bcarbon_[a-z_]+\(' "$source/include/carbon.h" | tr -d '(' | sort -u > declared
check 'what is exported is declared' '' "$(comm -23 exported declared)"
sed -nE 's/^\.Fn (carbon_[a-z_]+).*/\1/p' "$source/docs/libcarbon.3" | sort -u > described
check 'the manual has every function' "$(cat declared)" "$(cat described)"
grep -oE '\bCARBON_DOUBT_[A-Z]+' "$source/include/carbon.h" | sort -u > doubts
while read -r doubt; do
    check "$doubt has words" yes "$(tr -s " \n" " " < "$source/src/lib/facts.c" | grep -q "case $doubt: return \"[a-z]" && echo yes)"
done < doubts

# What it needs
if [ $sanitized = no ]; then
    check_absent 'it needs libc and libm alone' '\[lib' "$(readelf -d "$so" | grep NEEDED |
        grep -vE '\[(libc|libm|libdl|libpthread)\.so|\[ld-linux')"
fi

# As it is installed
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
targets='install-libLTLIBRARIES install-includeHEADERS install-nodist_pkgconfigDATA'
[ ! -e "$builddir/libcarbon.a" ] || targets="$targets install-nodist_archiveDATA"
# shellcheck disable=SC2086
make -s -C "$builddir" DESTDIR="$work/root" $targets > said 2>&1
check 'make install' 0 $? || cat said
libdir=$work/root$(variable libdir | sed "s,\${exec_prefix},$(variable prefix),")
export PKG_CONFIG_PATH=$libdir/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/root LD_LIBRARY_PATH=$libdir
command -v pkg-config > /dev/null || skip 'no pkg-config'
check 'its version' "$("$carbon" --version | sed -n '1s/^carbon //p')" "$(pkg-config --modversion carbon)"
flags=$(pkg-config --cflags --libs carbon) includes=$(pkg-config --cflags carbon)
can_measure=no
! "$carbon" measure --no-ledger --baseline 0 -- true > /dev/null 2>&1 || can_measure=yes

# run NAME LINES: the program says so
run() {
    if [ $can_measure = no ]; then
        echo "$1 is not run: nothing can be measured here"
        return
    fi
    "./$1" > out 2> err
    check "$1 runs" 0 $? || cat err
    check "$1 says what it used" "$2" "$(sed -E 's/[0-9.]+ s, .*/S/; s/(factor): .*/\1/; s/: .*J$|: unknown$/: J/' out | sort | tr '\n' ';')"
}
# shellcheck disable=SC2086
{
    $cc $cflags -std=c11 -pedantic -Wall -Wextra -Werror -o piece "$source/examples/piece.c" $flags -lm > said 2>&1
    check 'the example in C compiles' 0 $? || cat said
    run piece 'both: S;factor;first: S;second: S;'
    if [ -e "$builddir/libcarbon.a" ] && [ $sanitized = no ]; then
        check 'nothing else shows in libcarbon.a' "$(cat meant)" \
            "$(nm -g --defined-only "$libdir/libcarbon.a" | awk 'NF == 3 {print $3}' | sort)"
        others=$(pkg-config --static --libs carbon | tr ' ' '\n' | grep -vE '^-(lcarbon|L.*)$')
        $cc $cflags -o static "$source/examples/piece.c" $includes "$libdir/libcarbon.a" \
            $others > said 2>&1
        check 'it links to libcarbon.a' 0 $? || cat said
        run static 'both: S;factor;first: S;second: S;'
        check_absent 'and needs no libcarbon.so' 'libcarbon' "$(readelf -d static | grep NEEDED)"
    fi
    for standard in c99 c17; do
        echo '#include <carbon.h>' > header.c
        $cc -std=$standard -pedantic-errors -Wall -Wextra -Werror -fsyntax-only header.c $includes > said 2>&1
        check "the header is good in $standard" 0 $? || cat said
    done
    if command -v "${cxx%% *}" > /dev/null; then
        for standard in c++11 c++20; do
            echo '#include <carbon.h>' > header.cpp
            $cxx -std=$standard -pedantic-errors -Wall -Wextra -Werror -fsyntax-only header.cpp $includes > said 2>&1
            check "the header is good in $standard" 0 $? || cat said
        done
        $cxx $cflags -std=c++17 -Wall -Wextra -Werror -pthread -o scope "$source/examples/scope.cpp" $flags > said 2>&1
        check 'the example in C++ compiles' 0 $? || cat said
        run scope 'both: J;thread 1: J;thread 2: J;'
    else
        echo "the example in C++ is not compiled: no ${cxx%% *} (Debian: g++)"
    fi
}
finish
