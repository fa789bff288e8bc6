#!/bin/bash
# SPDX-License-Identifier: MIT
# The newcomer's suite, as `./quickstart test` runs it: the tests of units and of the command line, once, in the tree's
# own build.
set -u
. "$(dirname "$0")/suite.sh"
build=$source/build

echo "carbon's tests: $(uname -m), $jobs CPUs, as $(id -un)"
# shellcheck disable=SC2016 # the lists are make's
{
    step build made "$build" '$(UNIT_TESTS) tests/fuzz/replay.sh' || { summary; exit 1; }
    step units checked "$build" '$(UNIT_TESTS) tests/fuzz/replay.sh'
    step commands checked "$build" '$(filter-out $(ALONE_TESTS),$(CLI_TESTS))'
    step alone checked "$build" '$(ALONE_TESTS)'
}
summary
