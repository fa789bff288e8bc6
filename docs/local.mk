# SPDX-License-Identifier: MIT
# The manual: pages made of the program's tables and of %D%/man/parts (`make manual`), and those of the fields and the library.
dist_man_MANS = %D%/carbon-fields.5 %D%/libcarbon.3 \
  %D%/man/carbon-batch.1 \
  %D%/man/carbon-calibrate.1 \
  %D%/man/carbon-compare.1 \
  %D%/man/carbon-config.1 \
  %D%/man/carbon-config.5 \
  %D%/man/carbon-equivalents.1 \
  %D%/man/carbon-estimate.1 \
  %D%/man/carbon-factors.1 \
  %D%/man/carbon-help.1 \
  %D%/man/carbon-history.1 \
  %D%/man/carbon-import.1 \
  %D%/man/carbon-indicator.1 \
  %D%/man/carbon-join.1 \
  %D%/man/carbon-ledger.1 \
  %D%/man/carbon-measure.1 \
  %D%/man/carbon-merge.1 \
  %D%/man/carbon-metrics.7 \
  %D%/man/carbon-model.1 \
  %D%/man/carbon-output.5 \
  %D%/man/carbon-pipeline.1 \
  %D%/man/carbon-plot.1 \
  %D%/man/carbon-probe.1 \
  %D%/man/carbon-profile.1 \
  %D%/man/carbon-prometheus.1 \
  %D%/man/carbon-record.1 \
  %D%/man/carbon-recover.1 \
  %D%/man/carbon-report-bug.1 \
  %D%/man/carbon-report.1 \
  %D%/man/carbon-restate.1 \
  %D%/man/carbon-serve.1 \
  %D%/man/carbon-slurm.1 \
  %D%/man/carbon-sources.1 \
  %D%/man/carbon-top.1 \
  %D%/man/carbon-verify.1 \
  %D%/man/carbon-when.1 \
  %D%/man/carbon.1
EXTRA_DIST += build-aux/manual-pages.py build-aux/html-docs.py \
  %D%/man/parts/carbon-batch.1.mdoc \
  %D%/man/parts/carbon-calibrate.1.mdoc \
  %D%/man/parts/carbon-compare.1.mdoc \
  %D%/man/parts/carbon-config.1.mdoc \
  %D%/man/parts/carbon-config.5.mdoc \
  %D%/man/parts/carbon-equivalents.1.mdoc \
  %D%/man/parts/carbon-estimate.1.mdoc \
  %D%/man/parts/carbon-factors.1.mdoc \
  %D%/man/parts/carbon-help.1.mdoc \
  %D%/man/parts/carbon-history.1.mdoc \
  %D%/man/parts/carbon-import.1.mdoc \
  %D%/man/parts/carbon-indicator.1.mdoc \
  %D%/man/parts/carbon-join.1.mdoc \
  %D%/man/parts/carbon-ledger.1.mdoc \
  %D%/man/parts/carbon-measure.1.mdoc \
  %D%/man/parts/carbon-merge.1.mdoc \
  %D%/man/parts/carbon-metrics.7.mdoc \
  %D%/man/parts/carbon-model.1.mdoc \
  %D%/man/parts/carbon-output.5.mdoc \
  %D%/man/parts/carbon-pipeline.1.mdoc \
  %D%/man/parts/carbon-plot.1.mdoc \
  %D%/man/parts/carbon-probe.1.mdoc \
  %D%/man/parts/carbon-profile.1.mdoc \
  %D%/man/parts/carbon-prometheus.1.mdoc \
  %D%/man/parts/carbon-record.1.mdoc \
  %D%/man/parts/carbon-recover.1.mdoc \
  %D%/man/parts/carbon-report-bug.1.mdoc \
  %D%/man/parts/carbon-report.1.mdoc \
  %D%/man/parts/carbon-restate.1.mdoc \
  %D%/man/parts/carbon-serve.1.mdoc \
  %D%/man/parts/carbon-slurm.1.mdoc \
  %D%/man/parts/carbon-sources.1.mdoc \
  %D%/man/parts/carbon-top.1.mdoc \
  %D%/man/parts/carbon-verify.1.mdoc \
  %D%/man/parts/carbon-when.1.mdoc \
  %D%/man/parts/carbon.1.mdoc
manual: carbon$(EXEEXT)
	CARBON_DATA='$(abs_srcdir)/data' '$(srcdir)/build-aux/manual-pages.py' ./carbon '$(srcdir)/docs/man/parts' '$(srcdir)/docs/man'
# All documents as HTML; cmark-gfm and mandoc do it.
html-local:
	'$(srcdir)/build-aux/html-docs.py' '$(srcdir)' html
clean-local:
	rm -rf html
guidesdir = $(docdir)/guides
dist_guides_DATA = %D%/guides/ml-engineer.md %D%/guides/operator.md %D%/guides/researcher.md %D%/guides/sustainability-officer.md
dist_doc_DATA += %D%/CONTENTS.md %D%/FAQ.md %D%/QUICKSTART.md
.PHONY: manual
