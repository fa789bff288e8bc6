# SPDX-License-Identifier: MIT
# Tests: units (check), the real program with whole outputs, and the rules of the house.

UNIT_TESTS = \
  tests/unit/test_account \
  tests/unit/test_accounts \
  tests/unit/test_annual \
  tests/unit/test_api_answer \
  tests/unit/test_append \
  tests/unit/test_bars \
  tests/unit/test_batch \
  tests/unit/test_battery \
  tests/unit/test_beside \
  tests/unit/test_bound \
  tests/unit/test_cgroup \
  tests/unit/test_codecarbon \
  tests/unit/test_command_line \
  tests/unit/test_container_net \
  tests/unit/test_container_stats \
  tests/unit/test_contest \
  tests/unit/test_counter \
  tests/unit/test_cpu_power \
  tests/unit/test_cross_check \
  tests/unit/test_csv \
  tests/unit/test_dcmi_text \
  tests/unit/test_exposition \
  tests/unit/test_factors \
  tests/unit/test_fleet \
  tests/unit/test_footprint \
  tests/unit/test_forms \
  tests/unit/test_gate \
  tests/unit/test_gauge \
  tests/unit/test_hourly \
  tests/unit/test_html \
  tests/unit/test_hwmon \
  tests/unit/test_idle \
  tests/unit/test_iio \
  tests/unit/test_increase \
  tests/unit/test_indicator \
  tests/unit/test_ini \
  tests/unit/test_job \
  tests/unit/test_job_signals \
  tests/unit/test_kind \
  tests/unit/test_ledger \
  tests/unit/test_ledger_file \
  tests/unit/test_library \
  tests/unit/test_library_keeper \
  tests/unit/test_load \
  tests/unit/test_machine \
  tests/unit/test_marks \
  tests/unit/test_measurement \
  tests/unit/test_merge \
  tests/unit/test_model \
  tests/unit/test_options \
  tests/unit/test_output \
  tests/unit/test_own_factors \
  tests/unit/test_past \
  tests/unit/test_perf \
  tests/unit/test_phases \
  tests/unit/test_pipeline \
  tests/unit/test_pipeline_requests \
  tests/unit/test_pod \
  tests/unit/test_pods \
  tests/unit/test_power \
  tests/unit/test_powercap \
  tests/unit/test_probe_plan \
  tests/unit/test_rebuild \
  tests/unit/test_recipe \
  tests/unit/test_recover \
  tests/unit/test_report \
  tests/unit/test_sample_read \
  tests/unit/test_samples \
  tests/unit/test_schedule \
  tests/unit/test_sci \
  tests/unit/test_scope \
  tests/unit/test_series \
  tests/unit/test_serve_groups \
  tests/unit/test_serve_state \
  tests/unit/test_serve_text \
  tests/unit/test_serve_web \
  tests/unit/test_shift \
  tests/unit/test_simulation \
  tests/unit/test_slices \
  tests/unit/test_slurm \
  tests/unit/test_split \
  tests/unit/test_split_meter \
  tests/unit/test_statistics \
  tests/unit/test_step_rows \
  tests/unit/test_sum \
  tests/unit/test_table \
  tests/unit/test_target \
  tests/unit/test_target_cgroup \
  tests/unit/test_target_made \
  tests/unit/test_task_counter \
  tests/unit/test_units \
  tests/unit/test_usage \
  tests/unit/test_yaml
CLI_TESTS = \
  tests/cli/attach.sh \
  tests/cli/batch.sh \
  tests/cli/battery.sh \
  tests/cli/beside.sh \
  tests/cli/bound.sh \
  tests/cli/bugs-runs.sh \
  tests/cli/bugs.sh \
  tests/cli/clouds.sh \
  tests/cli/codecarbon.sh \
  tests/cli/compare.sh \
  tests/cli/completion.sh \
  tests/cli/config.sh \
  tests/cli/errors.sh \
  tests/cli/estimate.sh \
  tests/cli/factors.sh \
  tests/cli/grant.sh \
  tests/cli/help.sh \
  tests/cli/history.sh \
  tests/cli/hourly.sh \
  tests/cli/html.sh \
  tests/cli/hwmon.sh \
  tests/cli/iio.sh \
  tests/cli/indicator-gate.sh \
  tests/cli/indicator.sh \
  tests/cli/ipmi.sh \
  tests/cli/ledger_kill.sh \
  tests/cli/library.sh \
  tests/cli/live.sh \
  tests/cli/machines.sh \
  tests/cli/measure.sh \
  tests/cli/merge.sh \
  tests/cli/model.sh \
  tests/cli/nvml.sh \
  tests/cli/perf.sh \
  tests/cli/phases.sh \
  tests/cli/pipeline.sh \
  tests/cli/plot.sh \
  tests/cli/pod.sh \
  tests/cli/privileges.sh \
  tests/cli/probe-loads.sh \
  tests/cli/probe.sh \
  tests/cli/prometheus-api.sh \
  tests/cli/prometheus-scrape.sh \
  tests/cli/python.sh \
  tests/cli/record.sh \
  tests/cli/recover.sh \
  tests/cli/report-prometheus.sh \
  tests/cli/report.sh \
  tests/cli/rough.sh \
  tests/cli/runs.sh \
  tests/cli/sci.sh \
  tests/cli/serve-data.sh \
  tests/cli/serve-groups.sh \
  tests/cli/serve-web.sh \
  tests/cli/serve.sh \
  tests/cli/share.sh \
  tests/cli/slurm.sh \
  tests/cli/sources.sh \
  tests/cli/threads.sh \
  tests/cli/tree-usage.sh \
  tests/cli/verify.sh \
  tests/cli/watch.sh \
  tests/cli/when.sh
# With container engines of their own: root's alone, and much work beside others.
ENGINE_TESTS = \
  tests/cli/contained.sh \
  tests/cli/container.sh \
  tests/cli/engine.sh \
  tests/cli/model-container.sh \
  tests/cli/pipeline-engine.sh \
  tests/cli/run-image.sh \
  tests/cli/serve-engine.sh
# With a Prometheus or a Slurm of their own.
SERVICE_TESTS = \
  tests/cli/prometheus-live.sh \
  tests/cli/report-prometheus-live.sh \
  tests/cli/serve-prometheus.sh \
  tests/cli/slurm-live.sh
RULE_TESTS = \
  tests/check-abi.sh \
  tests/check-bugs.sh \
  tests/check-circles.py \
  tests/check-data.py \
  tests/check-globals.sh \
  tests/check-layers.sh \
  tests/check-manual.sh \
  tests/check-schema.sh \
  tests/check-style.sh
# Those whose figures depend on what else runs (power, CPU time, bounds of the job), or that keep a CPU busy themselves:
# run-test.sh runs two of them at a time. The others wait for most of their time.
MEASURING_TESTS = \
  tests/cli/beside.sh \
  tests/cli/bound.sh \
  tests/cli/compare.sh \
  tests/cli/ledger_kill.sh \
  tests/cli/probe-loads.sh \
  tests/cli/probe.sh \
  tests/cli/share.sh \
  tests/cli/threads.sh \
  tests/cli/tree-usage.sh \
  tests/unit/test_bound \
  tests/unit/test_load \
  tests/unit/test_target \
  tests/unit/test_target_cgroup \
  tests/unit/test_target_made \
  tests/unit/test_task_counter \
  tests/unit/test_usage
# What needs the machine to itself.
ALONE_TESTS = \
  tests/cli/share.sh
# Those that wait or compute for a given time, in a part of the program that other tests enter too: under sanitizers they
# find nothing more.
TIMED_TESTS = \
  tests/cli/batch.sh \
  tests/cli/beside.sh \
  tests/cli/bound.sh \
  tests/cli/hourly.sh \
  tests/cli/ipmi.sh \
  tests/cli/ledger_kill.sh \
  tests/cli/probe-loads.sh \
  tests/cli/probe.sh \
  tests/cli/rough.sh \
  tests/cli/share.sh \
  tests/cli/threads.sh \
  tests/cli/tree-usage.sh \
  tests/unit/test_bound \
  tests/unit/test_perf \
  tests/unit/test_simulation \
  tests/unit/test_target_cgroup \
  tests/unit/test_target_made \
  tests/unit/test_usage
# Those that an ordinary user's run skips in part, or in which root may do more.
ROOT_TESTS = \
  tests/cli/config.sh \
  tests/cli/errors.sh \
  tests/cli/grant.sh \
  tests/cli/history.sh \
  tests/cli/ledger_kill.sh \
  tests/cli/measure.sh \
  tests/cli/model.sh \
  tests/cli/perf.sh \
  tests/cli/pod.sh \
  tests/cli/privileges.sh \
  tests/cli/probe-loads.sh \
  tests/cli/record.sh \
  tests/cli/sources.sh \
  tests/cli/tree-usage.sh \
  tests/cli/watch.sh \
  tests/cli/when.sh \
  tests/unit/test_cgroup \
  tests/unit/test_container_net \
  tests/unit/test_ledger \
  tests/unit/test_ledger_file \
  tests/unit/test_output \
  tests/unit/test_pod \
  tests/unit/test_serve_groups \
  tests/unit/test_target \
  tests/unit/test_target_cgroup \
  tests/unit/test_target_made \
  tests/unit/test_task_counter \
  tests/unit/test_usage
# What a compiler may work out otherwise.
ARITHMETIC_TESTS = \
  tests/unit/test_account \
  tests/unit/test_api_answer \
  tests/unit/test_append \
  tests/unit/test_bars \
  tests/unit/test_counter \
  tests/unit/test_cpu_power \
  tests/unit/test_cross_check \
  tests/unit/test_csv \
  tests/unit/test_exposition \
  tests/unit/test_factors \
  tests/unit/test_fleet \
  tests/unit/test_footprint \
  tests/unit/test_gate \
  tests/unit/test_gauge \
  tests/unit/test_hourly \
  tests/unit/test_idle \
  tests/unit/test_increase \
  tests/unit/test_kind \
  tests/unit/test_measurement \
  tests/unit/test_merge \
  tests/unit/test_model \
  tests/unit/test_phases \
  tests/unit/test_power \
  tests/unit/test_powercap \
  tests/unit/test_schedule \
  tests/unit/test_sci \
  tests/unit/test_scope \
  tests/unit/test_series \
  tests/unit/test_shift \
  tests/unit/test_slices \
  tests/unit/test_split \
  tests/unit/test_split_meter \
  tests/unit/test_statistics \
  tests/unit/test_sum \
  tests/unit/test_units
TEST_HELPERS = \
  tests/helpers/act \
  tests/helpers/burn \
  tests/helpers/contained \
  tests/helpers/engine \
  tests/helpers/pieces
FUZZ_TARGETS = \
  tests/fuzz/fuzz_config \
  tests/fuzz/fuzz_container \
  tests/fuzz/fuzz_contract \
  tests/fuzz/fuzz_counter \
  tests/fuzz/fuzz_csv \
  tests/fuzz/fuzz_exposition \
  tests/fuzz/fuzz_indicator \
  tests/fuzz/fuzz_live \
  tests/fuzz/fuzz_perf \
  tests/fuzz/fuzz_pipeline \
  tests/fuzz/fuzz_proc \
  tests/fuzz/fuzz_prometheus \
  tests/fuzz/fuzz_result \
  tests/fuzz/fuzz_text \
  tests/fuzz/fuzz_tree

if HAVE_CHECK
check_PROGRAMS = $(TEST_HELPERS) $(UNIT_TESTS) $(FUZZ_TARGETS)
check_LTLIBRARIES = tests/helpers/nvml.la tests/helpers/nvml_old.la
check_LIBRARIES = tests/fuzz/libreplay.a
TESTS = $(UNIT_TESTS) tests/fuzz/replay.sh $(CLI_TESTS) $(ENGINE_TESTS) $(SERVICE_TESTS) $(RULE_TESTS)
else
check-local:
	@echo 'check 0.15 or newer (pkg-config: check) is needed for make check' >&2; exit 1
endif
tests_helpers_act_LDADD = $(PTHREAD_LIBS)
# By what it exports; the rest of the program is there for the tests' own trees.
tests_unit_test_library_LDADD = libcarbon.la $(LDADD)
tests_unit_test_library_keeper_LDADD = libcarbon.la $(LDADD)
tests_helpers_burn_LDADD =
tests_helpers_pieces_LDADD = libcarbon.la $(PTHREAD_LIBS) -lm
# -rpath has libtool build what can be opened with dlopen.
NVML_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_helpers_nvml_la_SOURCES = tests/helpers/nvml.c
tests_helpers_nvml_la_LDFLAGS = $(NVML_LDFLAGS)
tests_helpers_nvml_old_la_SOURCES = tests/helpers/nvml.c
tests_helpers_nvml_old_la_CPPFLAGS = $(AM_CPPFLAGS) -DOLD_DRIVER
tests_helpers_nvml_old_la_LDFLAGS = $(NVML_LDFLAGS)

# The fuzz targets: their main is replay.c's, or with `make fuzz` libFuzzer's.
FUZZ_ENGINE = tests/fuzz/libreplay.a
FUZZ_LIBS = $(FUZZ_ENGINE) $(carbon_LDADD)
tests_fuzz_libreplay_a_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz.h tests/fuzz/folder.h
tests_fuzz_fuzz_config_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_container_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_contract_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_counter_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_csv_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_exposition_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_indicator_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_live_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_perf_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_pipeline_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_proc_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_prometheus_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_result_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_text_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_tree_LDADD = $(FUZZ_LIBS)
fuzz:
	@$(srcdir)/tests/fuzz/run.sh '$(abs_top_srcdir)' '$(abs_builddir)/fuzz' || test $$? = 77
.PHONY: fuzz

dist_check_SCRIPTS = \
  $(CLI_TESTS) $(ENGINE_TESTS) $(SERVICE_TESTS) $(RULE_TESTS) \
  tests/browser/look.py \
  tests/browser/page.sh \
  tests/check_machines.py \
  tests/fuzz/corpus.py \
  tests/fuzz/replay.sh \
  tests/fuzz/run.sh \
  tests/lay_tree.py \
  tests/machines/play.py \
  tests/mutants.py
EXTRA_DIST += \
  tests/abi/libcarbon.abi \
  tests/bare.sh \
  tests/cli/lib-engine.sh \
  tests/cli/lib-prometheus.sh \
  tests/cli/lib-serve.sh \
  tests/cli/lib-slurm.sh \
  tests/cli/lib-trees.sh \
  tests/cli/lib.sh \
  tests/compare_machines.py \
  tests/fuzz/found \
  tests/helpers/ask.py \
  tests/helpers/exporter.py \
  tests/helpers/fleet.py \
  tests/helpers/grid.py \
  tests/helpers/prometheus.py \
  tests/machines/runs.py \
  tests/machines/traces.py \
  tests/machines/warnings.py \
  tests/mutants.tsv \
  tests/mutations.py \
  tests/python/test_measure.py \
  tests/python/test_processes.py \
  tests/python/tree.py \
  tests/run-all.sh \
  tests/run-test.sh \
  tests/run.sh \
  tests/slurm/measured.txt \
  tests/slurm/unmeasured.txt \
  tests/suite.sh \
  tests/trees \
  tests/unit/act.h \
  tests/unit/answer.h \
  tests/unit/chance.h \
  tests/unit/library_fixture.h \
  tests/unit/model_fixture.h \
  tests/unit/output_folder.h \
  tests/unit/pipeline_fixture.h \
  tests/unit/prometheus_fixture.h \
  tests/unit/report_fixture.h \
  tests/unit/runner.h \
  tests/unit/server.h \
  tests/unit/source_fixture.h \
  tests/unit/tree.h \
  tests/unit/typed.h \
  tests/unit/unit.h \
  tests/vm/Kbuild \
  tests/vm/build.sh \
  tests/vm/cells/energy.py \
  tests/vm/cells/energy.sh \
  tests/vm/cells/faults.py \
  tests/vm/cells/faults.sh \
  tests/vm/cells/machine.py \
  tests/vm/cells/rights.py \
  tests/vm/cells/rights.sh \
  tests/vm/guest.sh \
  tests/vm/judge.py \
  tests/vm/kernel.sh \
  tests/vm/machines \
  tests/vm/rapl-vm.sh \
  tests/vm/raplmsr.c

LOG_COMPILER = bash $(top_srcdir)/tests/run-test.sh
AM_TESTS_ENVIRONMENT = \
  MEASURING_TESTS='$(MEASURING_TESTS)'; export MEASURING_TESTS; \
  srcdir='$(abs_top_srcdir)'; export srcdir; abs_builddir='$(abs_builddir)'; export abs_builddir; \
  CARBON_DATA='$(abs_top_srcdir)/data'; export CARBON_DATA; \
  if test -z "$${CARBON_SHARED-}" && test -d '$(abs_top_srcdir)/../shared/machines'; then \
    CARBON_SHARED='$(abs_top_srcdir)/../shared'; export CARBON_SHARED; fi;

# The installed program in virtual machines with the kernel's own RAPL drivers, as a matrix; minutes, not seconds.
check-kernel: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/vm/kernel.sh || test $$? = 77
.PHONY: check-kernel

# Pages in a browser: chromium, chromium-driver, python3-selenium.
check-browser: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/browser/page.sh || test $$? = 77
.PHONY: check-browser

# The newcomer's suite in a bare Debian; tests/bare.sh has more forms of it.
check-bare:
	$(srcdir)/tests/bare.sh || test $$? = 77
.PHONY: check-bare

# Planted faults, and whether the tests find them; minutes.
mutants: all $(TEST_HELPERS) $(UNIT_TESTS:=.$(OBJEXT))
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/mutants.py $(MUTANTS_FLAGS) -- $(COMPILE) -- $(LINK) $(LDADD) $(LIBS)
.PHONY: mutants

check-data:
	srcdir='$(abs_top_srcdir)' $(srcdir)/tests/check-data.py
.PHONY: check-data

# Every recorded machine and trace, as a table; the longest trace takes three minutes.
check-machines: all
	srcdir='$(abs_top_srcdir)' CARBON='$(abs_builddir)/carbon' $(srcdir)/tests/cli/machines.sh --all
.PHONY: check-machines
