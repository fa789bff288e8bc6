# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libjoin.a
%C%_libjoin_a_SOURCES = %D%/cmd_join.c %D%/join.c %D%/join.h %D%/join_fields.c %D%/join_text.c
