# SPDX-License-Identifier: MIT
# Tests: units (check), the real program with whole outputs, and the rules of the house.

UNIT_TESTS = \
  tests/unit/app/test_command_files \
  tests/unit/app/test_command_line \
  tests/unit/app/test_config \
  tests/unit/app/test_help \
  tests/unit/app/test_option_tables \
  tests/unit/app/test_option_units \
  tests/unit/app/test_options \
  tests/unit/base/test_c_locale \
  tests/unit/base/test_counted_time \
  tests/unit/base/test_csv \
  tests/unit/base/test_machine \
  tests/unit/base/test_notice \
  tests/unit/base/test_quantity \
  tests/unit/base/test_redact \
  tests/unit/base/test_table_index \
  tests/unit/base/test_text \
  tests/unit/base/test_units \
  tests/unit/batch/test_batch \
  tests/unit/calibrate/test_calibrate_fit \
  tests/unit/compare/test_contest \
  tests/unit/container/test_ask \
  tests/unit/container/test_container_stats \
  tests/unit/emissions/test_beside \
  tests/unit/emissions/test_factors \
  tests/unit/emissions/test_footprint \
  tests/unit/emissions/test_own_factors \
  tests/unit/emissions/test_sci \
  tests/unit/energy/test_battery \
  tests/unit/energy/test_battery_life \
  tests/unit/energy/test_bounds \
  tests/unit/power/test_cpu_named \
  tests/unit/power/test_cpu_power \
  tests/unit/power/test_cpu_shipped \
  tests/unit/energy/test_cray \
  tests/unit/energy/test_dcmi_text \
  tests/unit/energy/test_gauge \
  tests/unit/energy/test_hwmon \
  tests/unit/energy/test_iio \
  tests/unit/energy/test_load_energy \
  tests/unit/energy/test_model \
  tests/unit/power/test_machine_profile \
  tests/unit/power/test_modelled_machine \
  tests/unit/energy/test_own_sensor \
  tests/unit/energy/test_perf \
  tests/unit/energy/test_perf_count \
  tests/unit/energy/test_powercap \
  tests/unit/energy/test_powercap_gone \
  tests/unit/power/test_wall_power \
  tests/unit/form/test_append \
  tests/unit/form/test_bars \
  tests/unit/form/test_field \
  tests/unit/form/test_fit \
  tests/unit/form/test_forms \
  tests/unit/form/test_html \
  tests/unit/form/test_output \
  tests/unit/gate/test_gate \
  tests/unit/gate/test_sequence \
  tests/unit/grid/test_generation \
  tests/unit/grid/test_hourly \
  tests/unit/groups/test_gpu_shares \
  tests/unit/groups/test_group_scan \
  tests/unit/groups/test_groups \
  tests/unit/groups/test_own_idle \
  tests/unit/groups/test_process_scan \
  tests/unit/history/test_codecarbon \
  tests/unit/history/test_recover \
  tests/unit/indicator/test_indicator \
  tests/unit/io/test_disk_map \
  tests/unit/io/test_http_url \
  tests/unit/io/test_identity \
  tests/unit/io/test_ini \
  tests/unit/io/test_yaml \
  tests/unit/ledger/test_account \
  tests/unit/ledger/test_accounts \
  tests/unit/ledger/test_ledger \
  tests/unit/ledger/test_ledger_file \
  tests/unit/ledger/test_packed \
  tests/unit/ledger/test_row \
  tests/unit/ledger/test_spool \
  tests/unit/lib/test_library \
  tests/unit/lib/test_library_keeper \
  tests/unit/lib/test_library_own \
  tests/unit/lib/test_library_stamps \
  tests/unit/lib/test_library_verdict \
  tests/unit/measurement/test_attach \
  tests/unit/measurement/test_bound \
  tests/unit/measurement/test_cross_check \
  tests/unit/measurement/test_cross_random \
  tests/unit/measurement/test_holes \
  tests/unit/measurement/test_idle \
  tests/unit/measurement/test_idleness \
  tests/unit/measurement/test_learnt \
  tests/unit/measurement/test_learnt_counters \
  tests/unit/measurement/test_measurement \
  tests/unit/measurement/test_mirrors \
  tests/unit/measurement/test_noise \
  tests/unit/measurement/test_notices_agree \
  tests/unit/measurement/test_own \
  tests/unit/measurement/test_own_chance \
  tests/unit/measurement/test_own_model \
  tests/unit/measurement/test_part_watts \
  tests/unit/measurement/test_phase_own \
  tests/unit/measurement/test_phases \
  tests/unit/measurement/test_power \
  tests/unit/measurement/test_schedule \
  tests/unit/measurement/test_series \
  tests/unit/measurement/test_series_recorded \
  tests/unit/measurement/test_simulation \
  tests/unit/measurement/test_slices \
  tests/unit/measurement/test_statistics \
  tests/unit/measurement/test_summary \
  tests/unit/meter/test_borrowed \
  tests/unit/meter/test_counter \
  tests/unit/meter/test_counter_taken \
  tests/unit/meter/test_counter_traces \
  tests/unit/meter/test_gpu_split \
  tests/unit/meter/test_job_gpus \
  tests/unit/meter/test_meter \
  tests/unit/meter/test_meter_open \
  tests/unit/meter/test_possible \
  tests/unit/meter/test_scope \
  tests/unit/meter/test_scope_doubles \
  tests/unit/model/test_recipe \
  tests/unit/otlp/test_otlp \
  tests/unit/outside/test_outside \
  tests/unit/own/test_own_method \
  tests/unit/own/test_own_rules \
  tests/unit/own/test_possible \
  tests/unit/own/test_regression \
  tests/unit/own/test_strides \
  tests/unit/pipeline/test_pipeline \
  tests/unit/pipeline/test_pipeline_requests \
  tests/unit/pipeline/test_step_rows \
  tests/unit/probe/test_load \
  tests/unit/profile/test_change \
  tests/unit/profile/test_profile \
  tests/unit/profile/test_unwind \
  tests/unit/probe/test_probe_plan \
  tests/unit/probe/test_split \
  tests/unit/prometheus/test_pods \
  tests/unit/report/test_annual \
  tests/unit/report/test_annual_change \
  tests/unit/report/test_annual_sum \
  tests/unit/report/test_fleet \
  tests/unit/result/test_answer \
  tests/unit/result/test_by_hour \
  tests/unit/result/test_json \
  tests/unit/result/test_past \
  tests/unit/result/test_rebuild \
  tests/unit/result/test_record_fields \
  tests/unit/result/test_report \
  tests/unit/result/test_sample_read \
  tests/unit/result/test_samples \
  tests/unit/result/test_sum \
  tests/unit/result/test_table \
  tests/unit/run/test_aside \
  tests/unit/run/test_job \
  tests/unit/run/test_job_end \
  tests/unit/run/test_job_signals \
  tests/unit/run/test_marks \
  tests/unit/run/test_pattern \
  tests/unit/run/test_slurm \
  tests/unit/series/test_api_answer \
  tests/unit/series/test_exposition \
  tests/unit/series/test_increase \
  tests/unit/series/test_kind \
  tests/unit/series/test_kind_rows \
  tests/unit/serve/test_serve_confine \
  tests/unit/serve/test_serve_guests \
  tests/unit/serve/test_serve_state \
  tests/unit/serve/test_serve_teller \
  tests/unit/serve/test_serve_text \
  tests/unit/serve/test_serve_web \
  tests/unit/slurm/test_merge \
  tests/unit/target/test_pod \
  tests/unit/target/test_target \
  tests/unit/target/test_target_cgroup \
  tests/unit/target/test_target_groups \
  tests/unit/target/test_target_made \
  tests/unit/target/test_target_several \
  tests/unit/top/test_top \
  tests/unit/usage/test_cgroup \
  tests/unit/usage/test_container_net \
  tests/unit/usage/test_cpu_time \
  tests/unit/usage/test_group_name \
  tests/unit/usage/test_task_counter \
  tests/unit/usage/test_usage \
  tests/unit/when/test_shift
CLI_TESTS = \
  tests/cli/batch/batch.sh \
  tests/cli/bug/report-bug.sh \
  tests/cli/calibrate/calibrate.sh \
  tests/cli/compare/compare.sh \
  tests/cli/compare/gate.sh \
  tests/cli/equivalents/equivalents.sh \
  tests/cli/estimate/estimate.sh \
  tests/cli/estimate/validation.sh \
  tests/cli/factors/clouds.sh \
  tests/cli/factors/factors.sh \
  tests/cli/factors/index.sh \
  tests/cli/factors/live.sh \
  tests/cli/factors/live_mix.sh \
  tests/cli/factors/places.sh \
  tests/cli/factors/planted.sh \
  tests/cli/factors/second.sh \
  tests/cli/factors/set.sh \
  tests/cli/help/completion.sh \
  tests/cli/help/config.sh \
  tests/cli/help/debug.sh \
  tests/cli/help/errors.sh \
  tests/cli/help/help.sh \
  tests/cli/help/limits.sh \
  tests/cli/help/lines.sh \
  tests/cli/help/mistakes.sh \
  tests/cli/help/moved.sh \
  tests/cli/help/narrow.sh \
  tests/cli/history/codecarbon.sh \
  tests/cli/history/faults.sh \
  tests/cli/history/history.sh \
  tests/cli/history/ledger-forms.sh \
  tests/cli/history/ledger_kill.sh \
  tests/cli/history/recover.sh \
  tests/cli/indicator/indicator-gate.sh \
  tests/cli/indicator/indicator.sh \
  tests/cli/join/join.sh \
  tests/cli/library/library.sh \
  tests/cli/library/locale.sh \
  tests/cli/library/own.sh \
  tests/cli/library/python.sh \
  tests/cli/library/threads.sh \
  tests/cli/measure/attach.sh \
  tests/cli/measure/beside.sh \
  tests/cli/measure/bound.sh \
  tests/cli/measure/budget.sh \
  tests/cli/measure/busy.sh \
  tests/cli/measure/bugs-runs.sh \
  tests/cli/measure/bugs.sh \
  tests/cli/measure/container-zeros.sh \
  tests/cli/measure/cross.sh \
  tests/cli/measure/gpu.sh \
  tests/cli/measure/holes.sh \
  tests/cli/measure/hourly.sh \
  tests/cli/measure/html.sh \
  tests/cli/measure/measure.sh \
  tests/cli/measure/modelled.sh \
  tests/cli/measure/no-cgroups.sh \
  tests/cli/measure/one_file.sh \
  tests/cli/measure/otlp.sh \
  tests/cli/measure/own-commands.sh \
  tests/cli/measure/own-cpus.sh \
  tests/cli/measure/own-phases.sh \
  tests/cli/measure/own.sh \
  tests/cli/measure/phases.sh \
  tests/cli/measure/pod.sh \
  tests/cli/measure/possible.sh \
  tests/cli/measure/privileges.sh \
  tests/cli/measure/rough.sh \
  tests/cli/measure/runs.sh \
  tests/cli/measure/sci.sh \
  tests/cli/measure/share.sh \
  tests/cli/measure/tree-usage.sh \
  tests/cli/measure/truth.sh \
  tests/cli/model/model.sh \
  tests/cli/pipeline/pipeline.sh \
  tests/cli/pipeline/servers-gpu.sh \
  tests/cli/pipeline/servers.sh \
  tests/cli/plot/plot.sh \
  tests/cli/probe/probe-loads.sh \
  tests/cli/probe/probe.sh \
  tests/cli/profile/profile-dwarf.sh \
  tests/cli/profile/profile-forms.sh \
  tests/cli/profile/profile-python.sh \
  tests/cli/profile/profile.sh \
  tests/cli/prometheus/prometheus-api.sh \
  tests/cli/prometheus/prometheus-scrape.sh \
  tests/cli/report/print.sh \
  tests/cli/report/report-basis.sh \
  tests/cli/report/report-once.sh \
  tests/cli/report/report-slurm.sh \
  tests/cli/report/report-prometheus.sh \
  tests/cli/report/report.sh \
  tests/cli/restate/markers.sh \
  tests/cli/restate/records.sh \
  tests/cli/restate/sheets.sh \
  tests/cli/restate/verify.sh \
  tests/cli/serve/serve-data.sh \
  tests/cli/serve/serve-gpu.sh \
  tests/cli/serve/serve-groups.sh \
  tests/cli/serve/serve-otlp.sh \
  tests/cli/serve/serve-own.sh \
  tests/cli/serve/serve-process.sh \
  tests/cli/serve/serve-state.sh \
  tests/cli/serve/serve-web.sh \
  tests/cli/serve/serve.sh \
  tests/cli/slurm/merge.sh \
  tests/cli/slurm/slurm-times.sh \
  tests/cli/slurm/slurm.sh \
  tests/cli/sources/battery.sh \
  tests/cli/sources/grant.sh \
  tests/cli/sources/hwmon.sh \
  tests/cli/sources/iio.sh \
  tests/cli/sources/ipmi.sh \
  tests/cli/sources/kinds.sh \
  tests/cli/sources/machines.sh \
  tests/cli/sources/meter.sh \
  tests/cli/sources/nvml.sh \
  tests/cli/sources/perf.sh \
  tests/cli/sources/record.sh \
  tests/cli/sources/sources.sh \
  tests/cli/sources/watch.sh \
  tests/cli/top/top-screen.sh \
  tests/cli/top/top.sh \
  tests/cli/when/when.sh
# With container engines of their own: root's alone, and much work beside others.
ENGINE_TESTS = \
  tests/cli/engines/engine.sh \
  tests/cli/measure/contained.sh \
  tests/cli/measure/container.sh \
  tests/cli/measure/run-image.sh \
  tests/cli/model/model-container.sh \
  tests/cli/pipeline/pipeline-engine.sh \
  tests/cli/pipeline/servers-engine.sh \
  tests/cli/serve/serve-engine.sh
# With a Prometheus or a Slurm of their own.
# Packages: built, installed where nothing else is, used, removed.
PACKAGE_TESTS = \
  tests/cli/packages/deb.sh \
  tests/cli/packages/image.sh \
  tests/cli/packages/recipes.sh \
  tests/cli/packages/rpm.sh \
  tests/cli/packages/static.sh \
  tests/cli/packages/wheel.sh

SERVICE_TESTS = \
  tests/cli/prometheus/prometheus-live.sh \
  tests/cli/prometheus/prometheus-peaks-live.sh \
  tests/cli/prometheus/prometheus-windows-live.sh \
  tests/cli/report/report-prometheus-live.sh \
  tests/cli/serve/serve-kills.sh \
  tests/cli/serve/serve-prometheus.sh \
  tests/cli/slurm/slurm-live.sh
RULE_TESTS = \
  tests/check-abi.sh \
  tests/check-bugs.sh \
  tests/check-circles.py \
  tests/check-costs.py \
  tests/check-data.py \
  tests/check-dependencies.sh \
  tests/check-docs.py \
  tests/check-globals.sh \
  tests/check-hardening.sh \
  tests/check-layers.sh \
  tests/check-limits.sh \
  tests/check-links.py \
  tests/check-manual.sh \
  tests/check-mutants.py \
  tests/check-names.py \
  tests/check-readers.sh \
  tests/check-schema.sh \
  tests/check-style.sh \
  tests/check-words.sh
# Those whose figures depend on what else runs (power, CPU time, bounds of the job), or that keep a CPU busy themselves:
# run-test.sh runs two of them at a time. The others wait for most of their time.
MEASURING_TESTS = \
  tests/cli/calibrate/calibrate.sh \
  tests/cli/compare/compare.sh \
  tests/cli/history/ledger_kill.sh \
  tests/cli/library/own.sh \
  tests/cli/library/threads.sh \
  tests/cli/measure/beside.sh \
  tests/cli/measure/bound.sh \
  tests/cli/measure/busy.sh \
  tests/cli/measure/share.sh \
  tests/cli/measure/tree-usage.sh \
  tests/cli/pipeline/pipeline.sh \
  tests/cli/probe/probe-loads.sh \
  tests/cli/probe/probe.sh \
  tests/cli/profile/profile.sh \
  tests/unit/measurement/test_bound \
  tests/unit/probe/test_load \
  tests/unit/target/test_target \
  tests/unit/target/test_target_cgroup \
  tests/unit/target/test_target_made \
  tests/unit/target/test_target_several \
  tests/unit/usage/test_task_counter \
  tests/unit/usage/test_usage
# What needs the machine to itself.
ALONE_TESTS = \
  tests/cli/measure/share.sh
# Those that wait or compute for a given time, in a part of the program that other tests enter too: under sanitizers they
# find nothing more.
TIMED_TESTS = \
  tests/cli/batch/batch.sh \
  tests/cli/calibrate/calibrate.sh \
  tests/cli/estimate/validation.sh \
  tests/cli/history/faults.sh \
  tests/cli/history/ledger_kill.sh \
  tests/cli/indicator/indicator.sh \
  tests/cli/library/locale.sh \
  tests/cli/library/threads.sh \
  tests/cli/measure/beside.sh \
  tests/cli/measure/bound.sh \
  tests/cli/measure/busy.sh \
  tests/cli/measure/hourly.sh \
  tests/cli/measure/own-commands.sh \
  tests/cli/measure/own.sh \
  tests/cli/measure/rough.sh \
  tests/cli/measure/share.sh \
  tests/cli/measure/tree-usage.sh \
  tests/cli/probe/probe-loads.sh \
  tests/cli/probe/probe.sh \
  tests/cli/profile/profile.sh \
  tests/cli/report/report-prometheus.sh \
  tests/cli/sources/ipmi.sh \
  tests/unit/energy/test_perf \
  tests/unit/energy/test_perf_count \
  tests/unit/measurement/test_bound \
  tests/unit/measurement/test_learnt \
  tests/unit/measurement/test_own_chance \
  tests/unit/measurement/test_simulation \
  tests/unit/serve/test_serve_teller \
  tests/unit/target/test_target_cgroup \
  tests/unit/target/test_target_made \
  tests/unit/usage/test_usage
# Those that an ordinary user's run skips in part, or in which root may do more.
ROOT_TESTS = \
  tests/cli/help/config.sh \
  tests/cli/help/errors.sh \
  tests/cli/history/history.sh \
  tests/cli/history/ledger_kill.sh \
  tests/cli/measure/measure.sh \
  tests/cli/measure/no-cgroups.sh \
  tests/cli/measure/pod.sh \
  tests/cli/measure/privileges.sh \
  tests/cli/measure/tree-usage.sh \
  tests/cli/model/model.sh \
  tests/cli/probe/probe-loads.sh \
  tests/cli/profile/profile.sh \
  tests/cli/serve/serve-state.sh \
  tests/cli/sources/grant.sh \
  tests/cli/sources/perf.sh \
  tests/cli/sources/record.sh \
  tests/cli/sources/sources.sh \
  tests/cli/sources/watch.sh \
  tests/cli/top/top.sh \
  tests/cli/when/when.sh \
  tests/unit/form/test_output \
  tests/unit/groups/test_group_scan \
  tests/unit/groups/test_groups \
  tests/unit/ledger/test_ledger \
  tests/unit/ledger/test_ledger_file \
  tests/unit/ledger/test_row \
  tests/unit/ledger/test_spool \
  tests/unit/serve/test_serve_confine \
  tests/unit/target/test_pod \
  tests/unit/target/test_target \
  tests/unit/target/test_target_cgroup \
  tests/unit/target/test_target_made \
  tests/unit/usage/test_cgroup \
  tests/unit/usage/test_container_net \
  tests/unit/usage/test_task_counter \
  tests/unit/usage/test_usage
TEST_HELPERS = \
  tests/helpers/act \
  tests/helpers/burn \
  tests/helpers/contained \
  tests/helpers/engine \
  tests/helpers/frameless \
  tests/helpers/functions \
  tests/helpers/host \
  tests/helpers/pieces \
  tests/helpers/refuse \
  tests/helpers/watts
FUZZ_TARGETS = \
  tests/fuzz/fuzz_answer \
  tests/fuzz/fuzz_benchmark \
  tests/fuzz/fuzz_command \
  tests/fuzz/fuzz_config \
  tests/fuzz/fuzz_container \
  tests/fuzz/fuzz_contract \
  tests/fuzz/fuzz_counter \
  tests/fuzz/fuzz_csv \
  tests/fuzz/fuzz_exposition \
  tests/fuzz/fuzz_index \
  tests/fuzz/fuzz_indicator \
  tests/fuzz/fuzz_kept \
  tests/fuzz/fuzz_live \
  tests/fuzz/fuzz_otlp \
  tests/fuzz/fuzz_perf \
  tests/fuzz/fuzz_profile \
  tests/fuzz/fuzz_pipeline \
  tests/fuzz/fuzz_proc \
  tests/fuzz/fuzz_prometheus \
  tests/fuzz/fuzz_result \
  tests/fuzz/fuzz_safety \
  tests/fuzz/fuzz_text \
  tests/fuzz/fuzz_tree

if HAVE_CHECK
check_PROGRAMS = $(TEST_HELPERS) $(UNIT_TESTS) $(FUZZ_TARGETS)
check_LTLIBRARIES = tests/helpers/driven.la tests/helpers/in_locale.la tests/helpers/nvml.la tests/helpers/nvml_old.la \
  tests/helpers/plugged.la tests/helpers/sleeper.la
check_LIBRARIES = tests/fuzz/libreplay.a
TESTS = $(UNIT_TESTS) tests/fuzz/replay.sh $(CLI_TESTS) $(ENGINE_TESTS) $(SERVICE_TESTS) $(PACKAGE_TESTS) $(RULE_TESTS)
else
check-local:
	@echo 'check 0.15 or newer (pkg-config: check) is needed for make check' >&2; exit 1
endif
tests_helpers_act_LDADD = $(PTHREAD_LIBS)
# Its functions have no frame pointers.
tests_helpers_frameless_CFLAGS = $(AM_CFLAGS) -O2 -g -fomit-frame-pointer -fno-optimize-sibling-calls -fno-sanitize=all
# Its functions have them.
tests_helpers_functions_CFLAGS = $(AM_CFLAGS) -O1 -g -fno-omit-frame-pointer -fno-sanitize=all
tests_helpers_functions_LDADD = $(PTHREAD_LIBS)
# By what it exports; the rest of the program is there for the tests' own trees.
tests_unit_lib_test_library_LDADD = libcarbon.la $(LDADD)
tests_unit_lib_test_library_LINK = $(LIBCARBON_LINK)
tests_unit_lib_test_library_keeper_LDADD = libcarbon.la $(LDADD)
tests_unit_lib_test_library_keeper_LINK = $(LIBCARBON_LINK)
tests_unit_lib_test_library_own_LDADD = libcarbon.la $(LDADD)
tests_unit_lib_test_library_own_LINK = $(LIBCARBON_LINK)
tests_unit_lib_test_library_stamps_LDADD = libcarbon.la $(LDADD)
tests_unit_lib_test_library_stamps_LINK = $(LIBCARBON_LINK)
tests_unit_lib_test_library_verdict_LDADD = libcarbon.la $(LDADD)
tests_unit_lib_test_library_verdict_LINK = $(LIBCARBON_LINK)
tests_helpers_burn_LDADD =
tests_helpers_watts_LDADD = $(carbon_LDADD)
tests_helpers_host_LDADD = libcarbon.la $(PTHREAD_LIBS)
tests_helpers_host_LINK = $(LIBCARBON_LINK)
tests_helpers_pieces_LDADD = libcarbon.la $(PTHREAD_LIBS) -lm
tests_helpers_pieces_LINK = $(LIBCARBON_LINK)
# -rpath has libtool build what can be opened with dlopen.
OPENED_LDFLAGS = -module -avoid-version -rpath /nowhere
tests_helpers_driven_la_SOURCES = tests/helpers/driven.c
tests_helpers_driven_la_LDFLAGS = $(OPENED_LDFLAGS)
tests_helpers_in_locale_la_SOURCES = tests/helpers/in_locale.c
tests_helpers_in_locale_la_LDFLAGS = $(OPENED_LDFLAGS)
tests_helpers_plugged_la_SOURCES = tests/helpers/plugged.c
tests_helpers_plugged_la_LDFLAGS = $(OPENED_LDFLAGS)
tests_helpers_sleeper_la_SOURCES = tests/helpers/sleeper.c
tests_helpers_sleeper_la_LDFLAGS = $(OPENED_LDFLAGS)
tests_helpers_nvml_la_SOURCES = tests/helpers/nvml.c
tests_helpers_nvml_la_LDFLAGS = $(OPENED_LDFLAGS)
tests_helpers_nvml_old_la_SOURCES = tests/helpers/nvml.c
tests_helpers_nvml_old_la_CPPFLAGS = $(AM_CPPFLAGS) -DOLD_DRIVER
tests_helpers_nvml_old_la_LDFLAGS = $(OPENED_LDFLAGS)

# The fuzz targets: their main is replay.c's, or with `make fuzz` libFuzzer's.
FUZZ_ENGINE = tests/fuzz/libreplay.a
FUZZ_LIBS = $(FUZZ_ENGINE) $(carbon_LDADD)
tests_fuzz_libreplay_a_SOURCES = tests/fuzz/replay.c tests/fuzz/fuzz.h tests/fuzz/folder.h
# Services that it asks are the input.
tests_fuzz_fuzz_answer_LDFLAGS = $(HARDENING_PIE) $(AM_LDFLAGS) -Wl,--wrap=http_get,--wrap=http_call,--wrap=container_output_take,--wrap=nanosleep \
  -Wl,--wrap=dprintf,--wrap=__dprintf_chk
tests_fuzz_fuzz_answer_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_benchmark_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_command_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_config_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_container_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_contract_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_counter_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_csv_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_exposition_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_index_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_indicator_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_kept_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_live_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_otlp_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_perf_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_pipeline_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_proc_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_profile_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_prometheus_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_result_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_safety_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_text_LDADD = $(FUZZ_LIBS)
tests_fuzz_fuzz_tree_LDADD = $(FUZZ_LIBS)
fuzz:
	@$(srcdir)/tests/fuzz/run.sh '$(abs_top_srcdir)' '$(abs_builddir)/fuzz' || test $$? = 77
.PHONY: fuzz

dist_check_SCRIPTS = \
  $(CLI_TESTS) $(ENGINE_TESTS) $(SERVICE_TESTS) $(PACKAGE_TESTS) $(RULE_TESTS) \
  tests/browser/flame.py \
  tests/browser/look.py \
  tests/browser/page.sh \
  tests/browser/speedscope.py \
  tests/check_machines.py \
  tests/fuzz/conversations.py \
  tests/fuzz/corpus.py \
  tests/fuzz/replay.sh \
  tests/fuzz/run.sh \
  tests/lay_tree.py \
  tests/machines/play.py \
  tests/mutants.py
EXTRA_DIST += \
  tests/abi/libcarbon.abi \
  tests/analyse.sh \
  tests/analyse.tsv \
  tests/architectures.sh \
  tests/architectures.tsv \
  tests/bare.sh \
  tests/debian.sh \
  tests/cli/estimate/model_fit.py \
  tests/cli/estimate/validation.py \
  tests/cli/lib-engine.sh \
  tests/cli/lib-live.sh \
  tests/cli/lib-nvml.sh \
  tests/cli/lib-otlp.sh \
  tests/cli/lib-prometheus.sh \
  tests/cli/lib-serve.sh \
  tests/cli/lib-slurm.sh \
  tests/cli/lib-trees.sh \
  tests/cli/lib.sh \
  tests/compare_machines.py \
  tests/cli/help/mistakes.txt \
  tests/countries.txt \
  tests/data_factors.py \
  tests/data_tables.py \
  tests/benchmarks \
  tests/fuzz/found \
  tests/fuzz/readers.tsv \
  tests/helpers/answering.py \
  tests/helpers/ask.py \
  tests/helpers/collector.py \
  tests/helpers/counters.py \
  tests/helpers/damage.py \
  tests/helpers/emulator.c \
  tests/helpers/exporter.py \
  tests/helpers/faults.py \
  tests/helpers/fleet.py \
  tests/helpers/grid.py tests/helpers/grid_mix.py \
  tests/helpers/kills.py \
  tests/helpers/markers.py \
  tests/helpers/narrow.py \
  tests/helpers/plug.py \
  tests/helpers/prometheus.py \
  tests/helpers/pushed.py \
  tests/helpers/reader.py \
  tests/helpers/screen.py \
  tests/helpers/groups.py \
  tests/helpers/slope.py \
  tests/helpers/terminal.py \
  tests/helpers/triton.py \
  tests/helpers/truth.py \
  tests/helpers/waited.py \
  tests/helpers/world.py \
  tests/ledgers \
  tests/records \
  tests/machines/kinds.py \
  tests/machines/runs.py \
  tests/machines/traces.py \
  tests/limits.tsv \
  tests/compilers.sh \
  tests/costs.tsv \
  tests/names.tsv \
  tests/words.tsv \
  tests/mutants.tsv \
  tests/mutations.py \
  tests/python/test_measure.py \
  tests/python/test_processes.py \
  tests/python/tree.py \
  tests/reliability.py \
  tests/run-all.sh \
  tests/run-test.sh \
  tests/run.sh \
  tests/sanitized.sh \
  tests/slurm/measured.txt \
  tests/slurm/shared.txt \
  tests/slurm/unmeasured.txt \
  tests/suite.sh \
  tests/trees \
  tests/gate.sh \
  tests/trials.sh \
  tests/unit/act.h \
  tests/unit/annual_fixture.h \
  tests/unit/answer.h \
  tests/unit/chance.h \
  tests/unit/compared.h \
  tests/unit/counter_world.h \
  tests/unit/idle_bench.h \
  tests/unit/learnt_bench.h \
  tests/unit/ledger_fixture.h \
  tests/unit/library_fixture.h \
  tests/unit/machine_fixture.h \
  tests/unit/model_fixture.h \
  tests/unit/noticed.h \
  tests/unit/output_folder.h \
  tests/unit/own_bench.h \
  tests/unit/pipeline_fixture.h \
  tests/unit/prometheus_fixture.h \
  tests/unit/phase_fixture.h \
  tests/unit/report_fixture.h \
  tests/unit/report_suite.h \
  tests/unit/runner.h \
  tests/unit/cross_fixture.h \
  tests/unit/scope_fixture.h \
  tests/unit/server.h \
  tests/unit/set_clock.h \
  tests/unit/source_fixture.h \
  tests/unit/tree.h \
  tests/unit/typed.h \
  tests/unit/unit.h \
  tests/unit/words.h \
  tests/vm/Kbuild \
  tests/vm/build.sh \
  tests/vm/cells/calibrate.py \
  tests/vm/cells/calibrate.sh \
  tests/vm/cells/energy.py \
  tests/vm/cells/energy.sh \
  tests/vm/cells/faults.py \
  tests/vm/cells/faults.sh \
  tests/vm/cells/machine.py \
  tests/vm/cells/own.py \
  tests/vm/cells/own.sh \
  tests/vm/cells/rights.py \
  tests/vm/cells/rights.sh \
  tests/vm/engines-guest.sh \
  tests/vm/engines.sh \
  tests/vm/guest.sh \
  tests/vm/judge.py \
  tests/vm/kernel.sh \
  tests/vm/machines \
  tests/vm/mark-guest.sh \
  tests/vm/rapl-vm.sh \
  tests/vm/raplmsr.c \
  tests/vm/rootless.sh \
  tests/vm/sleep-guest.sh \
  tests/vm/user-vm.sh \
  tests/vm/xstate.c

LOG_COMPILER = bash $(top_srcdir)/tests/run-test.sh
AM_TESTS_ENVIRONMENT = \
  MEASURING_TESTS='$(MEASURING_TESTS)'; export MEASURING_TESTS; \
  srcdir='$(abs_top_srcdir)'; export srcdir; abs_builddir='$(abs_builddir)'; export abs_builddir; \
  CARBON_DATA='$(abs_top_srcdir)/data'; export CARBON_DATA; \
  if test -z "$${CARBON_SHARED-}" && test -d '$(abs_top_srcdir)/../shared/machines'; then \
    CARBON_SHARED='$(abs_top_srcdir)/../shared'; export CARBON_SHARED; fi;

# The installed program in virtual machines with the kernel's own RAPL drivers, as a matrix; minutes, not seconds.
check-kernel: all $(TEST_HELPERS)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/vm/kernel.sh || test $$? = 77
.PHONY: check-kernel

# Container engines over cgroup version 2 alone, with systemd as process 1, in a virtual machine; minutes. ENGINES are those
# alone: docker-systemd docker-cgroupfs podman-systemd podman-cgroupfs podman-rootless. "lean" is what the whole suite has time for.
ENGINES =
check-engines: all $(TEST_HELPERS)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/vm/engines.sh -x $(ENGINES) || test $$? = 77
check-engines-lean: all $(TEST_HELPERS)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/vm/engines.sh $(ENGINES) || test $$? = 77
.PHONY: check-engines check-engines-lean

# Each package; in a bare system, an engine, a root or an environment of its own.
check-packages: all $(TEST_HELPERS)
	$(MAKE) -k check TESTS='$(PACKAGE_TESTS)' check_PROGRAMS='$(TEST_HELPERS)'
.PHONY: check-packages

# 200 ends of carbon serve under a Prometheus; some five minutes.
check-kills: all
	CARBON_KILLS=200; export CARBON_KILLS; \
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/cli/serve/serve-kills.sh || test $$? = 77
.PHONY: check-kills

# Every system call that can fail under five commands; minutes.
check-faults faults: all
	CARBON_FAULTS=0; export CARBON_FAULTS; \
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/cli/history/faults.sh || test $$? = 77
.PHONY: check-faults faults

# The numbers of tries in docs/RELIABILITY.md, by a run of all tests that it names; half an hour.
reliability: all
	rm -f tries
	CARBON_TRIES='$(abs_builddir)/tries'; export CARBON_TRIES; CARBON_FAULTS=0; export CARBON_FAULTS; \
	tests=`$(srcdir)/tests/reliability.py tests` && \
	$(MAKE) -k check TESTS="$$tests" check_PROGRAMS="$(TEST_HELPERS) $(FUZZ_TARGETS) `$(srcdir)/tests/reliability.py tests | \
	  tr ' ' '\n' | grep ^tests/unit/ | tr '\n' ' '`" && $(srcdir)/tests/reliability.py write tries
.PHONY: reliability

# Records and ledgers between this processor and those of other machines, by qemu; what is missing is said.
check-architectures: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/architectures.sh records || test $$? = 77
.PHONY: check-architectures

# The unit tests on other processors, by qemu, with a table; half an hour.
PLATFORMS = arm64 armhf i386 ppc64el riscv64 s390x
check-platforms: all $(TEST_HELPERS)
	CARBON_ARCHITECTURES='$(PLATFORMS)'; export CARBON_ARCHITECTURES; \
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/architectures.sh units || test $$? = 77
# What the whole suite has time for.
check-platforms-smoke: all $(TEST_HELPERS)
	CARBON_ARCHITECTURES='arm64 i386'; export CARBON_ARCHITECTURES; \
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/architectures.sh smoke || test $$? = 77
.PHONY: check-platforms check-platforms-smoke

# carbon built by each compiler that tests/compilers.sh lists; hours. COMPILERS are patterns of rows, as 'gcc-15'.
COMPILERS =
check-compilers:
	$(srcdir)/tests/compilers.sh $(COMPILERS) || test $$? = 77
.PHONY: check-compilers

# Comparisons on this machine, kept busy; ten minutes.
check-trials: all $(TEST_HELPERS)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/trials.sh $(TRIALS) || test $$? = 77
.PHONY: check-trials

# Series of equal commands and of unlike ones on this machine, as busy as it is; half an hour.
check-gate: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/gate.sh $(SERIES) || test $$? = 77
.PHONY: check-gate

# Pages in a browser: chromium, chromium-driver, python3-selenium.
check-browser: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/browser/page.sh || test $$? = 77
.PHONY: check-browser

# The newcomer's suite in a bare Debian; tests/bare.sh has more forms of it.
check-bare:
	$(srcdir)/tests/bare.sh || test $$? = 77
.PHONY: check-bare

# What finds faults in the code alone (gcc, clang-tidy, cppcheck), and valgrind; minutes. ANALYSE are those alone.
ANALYSE =
analyse: all
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/analyse.sh $(ANALYSE)
.PHONY: analyse

# Planted faults, and whether the tests find them; minutes.
mutants: all $(TEST_HELPERS) $(UNIT_TESTS:=.$(OBJEXT))
	@$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/mutants.py $(MUTANTS_FLAGS) -- $(COMPILE) -- $(LINK) $(LDADD) $(LIBS)
.PHONY: mutants

check-data:
	srcdir='$(abs_top_srcdir)' $(srcdir)/tests/check-data.py
.PHONY: check-data

# Every recorded machine and trace, as a table; the longest trace takes three minutes.
check-machines: all
	srcdir='$(abs_top_srcdir)' CARBON='$(abs_builddir)/carbon' $(srcdir)/tests/cli/sources/machines.sh --all
.PHONY: check-machines
