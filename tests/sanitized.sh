# SPDX-License-Identifier: MIT
# clang's build with its sanitizers, which the fuzz targets and the tests share:
#
#   $clang                        the compiler
#   $sanitizers                   what -fsanitize takes
#   "${sanitized[@]}"             what `quickstart --make` configures it by
#   leaks_checked COMMAND...      whether leaks can be found here, by a program that has none; some containers forbid the
#                                 ptrace that it takes
clang=${CLANG:-clang}
sanitizers=address,undefined,float-cast-overflow
# shellcheck disable=SC2034 # used by who sources this
sanitized=(--enable-werror CC="$clang"
    CFLAGS="-O0 -gline-tables-only -fno-omit-frame-pointer -fsanitize=fuzzer-no-link,$sanitizers -fno-sanitize-recover=all"
    # a third of the time to start a program would go into addresses of what is checked; gold links in half the time
    LDFLAGS="-no-pie$(PATH=$PATH:/usr/bin command -v ld.gold > /dev/null && echo ' -fuse-ld=gold')")

leaks_checked() {
    ASAN_OPTIONS=detect_leaks=1 "$@" > /dev/null 2>&1
}
