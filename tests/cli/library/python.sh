#!/bin/bash
# SPDX-License-Identifier: MIT
# The Python package over libcarbon, by Debian's Python: tests/python, and what they record against its schema.
. "$(dirname "$0")/../lib.sh"

python=/usr/bin/python3
[ -x "$python" ] || skip "no $python"
"$python" -c 'import sys, ctypes; sys.exit(sys.version_info < (3, 9))' 2> /dev/null || skip "$python is too old, or has no ctypes"
CARBON_LIBRARY=$builddir/.libs/libcarbon.so.1
[ -e "$CARBON_LIBRARY" ] || skip 'libcarbon is not built as a shared library'
! grep -qE '__(asan|tsan)_init' "$CARBON_LIBRARY" || skip 'a library with sanitizers cannot be loaded into Python'
export CARBON_LIBRARY PYTHONPATH=$source/python:$source/tests/python PYTHONDONTWRITEBYTECODE=1 CARBON_RECORD=$work/piece.json

for test in test_measure test_processes; do
    timeout 300 "$python" -X dev -W error::ResourceWarning -m unittest "$test" > out 2>&1
    cat out >> all
    check "$test ($(sed -n 's/^Ran //p' out))" 0 $? || cat out
done
check 'both files have tests' 2 "$(grep -cE '^Ran [1-9][0-9]* tests' all)"
check 'a record keeps to its schema' 0 "$(srcdir=$source "$source/tests/check-schema.sh" "$CARBON_RECORD" > said 2>&1; echo $?)" ||
    cat said

# What serves the process that opened it alone: a child says so, and opens its own.
if [ -e "$helpers/.libs/nvml.so" ]; then
    mkdir lib
    ln -s "$helpers/.libs/nvml.so" lib/libnvidia-ml.so.1
    cat > cards.py << 'END'
import os
import carbon

def energy(mj):
    with open("numbers.new", "w") as file:
        file.write(f"gpus 1\n0.uuid GPU-11111111-2222-3333-4444-555555555555\n0.name Test\n0.energy_mj {mj}\n0.power_mw 70000\n")
    os.replace("numbers.new", os.environ["NVML_NUMBERS"])

def piece_in(meter, before):
    energy(before + 2000)
    start = meter.now()
    energy(before + 3500)
    return meter.since(start)

energy(1000)
meter = carbon.Meter("FR", source="nvml")
print(piece_in(meter, 1000).components, flush=True)
child = os.fork()
if child == 0:
    used = piece_in(meter, 10000)
    print(used.joules, *(doubt for doubt in used.doubts if 'alone' in doubt), flush=True)
    print(piece_in(carbon.Meter("FR", source="nvml"), 20000).joules, flush=True)
    meter.close()
    os._exit(0)
print(os.waitpid(child, 0)[1], piece_in(meter, 30000).joules)
END
    check 'NVML in a child' "{'gpu': 1.5}
None a source serves the process alone that opened it, and this is a child of it
1.5
0 1.5" "$(LD_LIBRARY_PATH=lib NVML_NUMBERS=numbers "$python" cards.py 2>&1)"
fi

# Which cards are the program's, its environment says.
if [ -e "$helpers/.libs/nvml.so" ]; then
    printf '%s\n' 'gpus 2' '0.uuid GPU-1' '0.name Test' '0.energy_mj 1000' '1.uuid GPU-2' '1.name Test' '1.energy_mj 1000' > numbers
    cat > own_card.py << 'END'
import os
import carbon

with carbon.Meter("FR", source="nvml") as meter:
    start = meter.now()
    with open("numbers.new", "w") as file:
        file.write("gpus 2\n0.uuid GPU-1\n0.name Test\n0.energy_mj 9000\n1.uuid GPU-2\n1.name Test\n1.energy_mj 3500\n")
    os.replace("numbers.new", os.environ["NVML_NUMBERS"])
    print(meter.since(start).components, *(str(notice) for notice in meter.notices if "left out" in str(notice)))
END
    check_match "another's card does not count" "^\{'gpu': 2\.5\} .*left out of the total: gpu-0" \
        "$(CUDA_VISIBLE_DEVICES=1 LD_LIBRARY_PATH=lib NVML_NUMBERS=numbers "$python" own_card.py 2>&1)"
fi

# As it is installed: by the Python that configure found.
variable() {
    sed -n "s/^$1 = //p" "$builddir/Makefile"
}
if [ -e "$builddir/python/libcarbon/_build.py" ]; then
    unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
    make -s -C "$builddir" DESTDIR="$work/root" install-carbonpyPYTHON install-libcarbonpyPYTHON install-libcarbonpyDATA install-nodist_libcarbonpyPYTHON > said 2>&1
    check 'make install' 0 $? || cat said
    folder=$(find "$work/root" -type d -path '*/python3*/libcarbon')
    check 'where Pythons look' 1 "$(grep -cE '/lib/python3[.0-9]*/(site|dist)-packages/libcarbon$' <<< "$folder")"
    check 'the installed package' "$("$carbon" --version | sed -n '1s/^carbon //p')" \
        "$(PYTHONPATH=$(dirname "$folder") "$python" -c 'import carbon; print(carbon.__version__)')"
    check 'both names are one package' True "$(PYTHONPATH=$(dirname "$folder") "$python" -c 'import carbon, libcarbon; print(carbon is libcarbon)')"
    check 'it knows where its library is' "$(variable libdir | sed "s,\${exec_prefix},$(variable prefix),")" \
        "$(sed -n "s/^LIBDIR = '\(.*\)'$/\1/p" "$folder/_build.py")"
    make -s -C "$builddir" DESTDIR="$work/root" uninstall-carbonpyPYTHON uninstall-libcarbonpyPYTHON uninstall-libcarbonpyDATA uninstall-nodist_libcarbonpyPYTHON > said 2>&1
    check 'make uninstall' '' "$(find "$work/root" -type f)"
else
    echo 'the installed package is not looked at: configured without Python'
fi
finish
