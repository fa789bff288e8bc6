# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libequivalents.a
%C%_libequivalents_a_SOURCES = %D%/cmd_equivalents.c
