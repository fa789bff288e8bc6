# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libledger.a
%C%_libledger_a_SOURCES = \
  %D%/account.c %D%/account.h %D%/account_basis.c %D%/account_once.c %D%/account_pieces.c %D%/account_told.c \
  %D%/accounts.c %D%/accounts.h %D%/check.c %D%/counted_machines.h %D%/forms.c %D%/ledger.h %D%/packed.c %D%/packed.h \
  %D%/packed_sample.h %D%/place.c %D%/postgres.c %D%/question.c %D%/question.h %D%/records.c %D%/repair.c %D%/row.c \
  %D%/sql.h %D%/sqlite.c %D%/sqlite.h %D%/sqlite_file.c
