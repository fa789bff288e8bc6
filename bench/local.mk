# SPDX-License-Identifier: MIT
# What carbon costs, as ratios in one run.
EXTRA_PROGRAMS = bench/floor bench/latency bench/ledger bench/lookup bench/mark bench/piece bench/sample bench/start bench/summary bench/top
bench_floor_LDADD =
bench_mark_LDADD =
bench_piece_LDADD = libcarbon.la
bench_piece_LINK = $(LIBCARBON_LINK)
bench_start_LDADD =
bench_top_LDADD =
CLEANFILES += $(EXTRA_PROGRAMS) bench/peers.json
EXTRA_DIST += bench/bare.h bench/import.py bench/peers.py bench/profile.py bench/profile_memory.py bench/run.sh bench/serve.py \
  bench/steps.py bench/year.py

bench: all $(EXTRA_PROGRAMS) tests/helpers/functions
	bash $(srcdir)/bench/run.sh '$(abs_builddir)' '$(abs_top_srcdir)'
.PHONY: bench
