# SPDX-License-Identifier: MIT
# A library that stands in for NVML, in a folder `lib` where carbon finds it, and one of an old driver in `lib-old`: sourced
# after lib.sh. What it tells stands in $NVML_NUMBERS.
[ -e "$helpers/.libs/nvml.so" ] || skip "no shared library '$helpers/.libs/nvml.so'"
mkdir lib lib-old
ln -s "$helpers/.libs/nvml.so" lib/libnvidia-ml.so.1
ln -s "$helpers/.libs/nvml_old.so" lib-old/libnvidia-ml.so.1
NVML_NUMBERS=$work/in/numbers
LD_LIBRARY_PATH=$work/in/lib
export NVML_NUMBERS LD_LIBRARY_PATH
