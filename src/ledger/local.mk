# SPDX-License-Identifier: MIT
noinst_LIBRARIES += %D%/libledger.a
%C%_libledger_a_SOURCES = \
  %D%/check.c %D%/contribution.c %D%/contribution.h %D%/contribution_basis.c %D%/contribution_once.c \
  %D%/contribution_pieces.c %D%/contribution_reported.c %D%/contributions.c %D%/contributions.h %D%/counted_machines.h \
  %D%/ledger.h %D%/migrations.c %D%/open.c %D%/packed.c %D%/packed.h %D%/packed_sample.h \
  %D%/packed_sample_model.h %D%/place.c %D%/postgres.c %D%/query.c \
  %D%/query.h %D%/records.c %D%/repair.c %D%/row.c %D%/spool.c %D%/spool.h %D%/sql.h %D%/sqlite.c %D%/sqlite.h \
  %D%/sqlite_file.c
