#!/bin/bash
# SPDX-License-Identifier: MIT
# This source tree, without what building has made in it, in another folder that is there.
#
#   copy-tree.sh FOLDER
set -eu -o pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
tar -C "$source" --exclude=./build --exclude=./.git --exclude=./autom4te.cache --exclude=Makefile.in --exclude=./configure \
    -cf - . | tar -C "${1:?a folder for the tree}" -xf -
