#!/bin/bash
# SPDX-License-Identifier: MIT
# recipe.sh FILE|-: a recipe with the version of this tree.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
sed "s/@VERSION@/$(sed -n 's/^AC_INIT(\[carbon\], \[\(.*\)\])$/\1/p' "$source/configure.ac")/g" "$1"
