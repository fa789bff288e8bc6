#!/bin/bash
# SPDX-License-Identifier: MIT
# The Python wheel: made, put into an environment of its own, used, removed without trace; and alike made twice.
. "$(dirname "$0")/../lib.sh"

python=/usr/bin/python3
"$python" -c 'import setuptools, pip, venv, wheel' 2> /dev/null || skip 'no pip, setuptools, venv or wheel of Python'
"$python" -m venv --without-pip env 2> said || skip "no environment of Python can be made: $(tail -n 1 said)"
library=$builddir/.libs/libcarbon.so.1
[ -e "$library" ] || skip 'libcarbon is not built as a shared library'
! grep -qE '__(asan|tsan)_init' "$library" || skip 'a library with sanitizers cannot be loaded into Python'
unset CARBON_DATA CARBON_LIBRARY PYTHONPATH

wheel=$("$source/packaging/python/wheel.sh" "$builddir" made 2> said)
check 'made' 0 $? || cat said
version=$("$carbon" --version | sed -n '1s/^carbon //p')
check_match 'its name: version, any Python 3, the glibc it needs, the machine' \
    "^libcarbon-$version-py3-none-manylinux_2_[0-9]+_$(uname -m)\.whl$" "${wheel##*/}"
again=$("$source/packaging/python/wheel.sh" "$builddir" again 2> said)
check 'made again: the same bytes' "$(sha256sum < "$wheel")" "$(sha256sum < "$again")"

find env | sort > before
"$python" -m pip --python env/bin/python --disable-pip-version-check install --no-index --no-compile "$wheel" > said 2>&1
check 'installed' 0 $? || cat said
cat > use.py <<'END'
import libcarbon
with libcarbon.measure("a piece", zone="FR", source="model") as piece:
    sum(range(1000000))
assert piece.joules > 0 and piece.low_j < piece.joules < piece.high_j, piece
assert abs(piece.kgco2eq - piece.kwh * piece.facts["kgco2eq_per_kwh"]) < 1e-12 * piece.kwh
print(libcarbon.__version__, piece.facts["zone"], piece.facts["factor_source"] != "", libcarbon.__file__.count("site-packages"))
END
check 'used: its own library, its own tables' "$version FR True 1" "$(here=$PWD; cd / && PYTHONDONTWRITEBYTECODE=1 "$here/env/bin/python" "$here/use.py" 2>&1)"
check 'its types are there' 'py.typed' "$(cd env/lib/python3*/site-packages/libcarbon && ls py.typed)"
"$python" -m pip --python env/bin/python --disable-pip-version-check uninstall --yes libcarbon > said 2>&1
check 'removed' 0 $? || cat said
check 'without trace' "$(cat before)" "$(find env | sort)"
finish
