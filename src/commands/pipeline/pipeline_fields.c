/* SPDX-License-Identifier: MIT
 * A pipeline as JSON and CSV: every field and its meaning. CSV has one row a step, in the order that they are
 * run. */
#include "commands/pipeline/pipeline_report.h"

#include "form/columns.h"
#include "result/session_fields.h"

#include <math.h>

static const char *const runners[] = { "docker", "podman", "process", NULL };

static bool knows_stall(const void *step)
{
    return isfinite(((const struct pipeline_step_report *)step)->wanted_cpu_percent);
}

#define OF struct step_figures
static const struct fields figures_fields = FIELDS_NAMED("figures", "readings while it ran")({
    FIELD_NUMBER(average, "over the run, in the unit of the key"),
    FIELD_NUMBER(maximum, "the highest between two looks, in the unit of the key"),
});
#undef OF

#define OF struct request
static const struct fields request_fields = FIELDS_NAMED("request", "requests of a step")({
    FIELD_UNSIGNED(cpu, "whole cores; null: unknown or not given", .flags = FIELD_NULL_0),
    FIELD_U64(memory_mb, "MB of 10^6 bytes; null: unknown or not given", .flags = FIELD_NULL_0),
});
#undef OF

static bool has_servers(const void *of)
{
    return ((const struct pipeline_concurrent *)of)->any;
}

#define OF struct pipeline_concurrent
static const struct field servers_list[] = {
    FIELD_NUMBER(cpu_s, "their CPU time, in seconds", .flags = FIELD_FROM_0),
    FIELD_NUMBER(memory_mb, "the most memory seen of each, added up, in MB of 10^6 bytes", .flags = FIELD_FROM_0),
    FIELD_NUMBER(own_j, "their own energy, by own_method, in joules; idle is not in it"),
    FIELD_OWN_METHOD(own_method, "method of own_j; unknown: none applies"),
    FIELD_NUMBER(gpu_own_j, "of the counted graphics cards, energy of their processes by their time on them, in joules",
                 .flags = FIELD_FROM_0),
};
#undef OF
static const struct fields servers_fields =
    FIELDS_KNOWN("servers", "servers during one run of a step", struct pipeline_concurrent, servers_list, has_servers);

#define OF struct pipeline_server
static const struct fields server_fields =
    FIELDS_NAMED("server", "a server that ran during steps; its figures are of the time in which steps ran")({
        FIELD_NAME(name, "of the service; tritonserver for models"),
        FIELD_ONE_OF(runner, runners, "who ran it"),
        FIELD_NAME(image, "of its container; null: it had none", .flags = FIELD_NULL_EMPTY),
        FIELD_NAMES_ENDED(command, "its words; empty: the image's own command"),
        FIELD_NAMES_ENDED(models, "that it was started with"),
        FIELD_COUNT(starts, "how often it was started and got ready"),
        FIELD_NUMBER(ready_s, "how long that took, all starts together, in seconds; in no step's window",
                     .flags = FIELD_FROM_0),
        FIELD_NUMBER(cpu_s, "CPU time while steps ran, in seconds", .flags = FIELD_FROM_0),
        FIELD_OBJECT(struct step_figures, cpu_percent_of_core, &figures_fields, "by the time in which steps ran"),
        FIELD_OBJECT(struct step_figures, memory_mb, &figures_fields, "likewise, in MB of 10^6 bytes"),
        FIELD_NUMBER(memory_peak_mb, "the most since it was started, in MB of 10^6 bytes", .flags = FIELD_FROM_0),
        FIELD_OBJECT(struct request, requests, &request_fields, "suggested requests, by the rule of steps"),
    });
#undef OF

#define OF struct pipeline_run
static const struct fields run_fields = FIELDS_NAMED("run", "one run of a step")({
    FIELD_COUNT(round, "which, from 1", .flags = FIELD_FROM_1),
    FIELD_TEXT(started_at, "when it was started, UTC", .flags = FIELD_NULL_EMPTY, .pattern = FIELD_LIKE_TIME),
    FIELD_INT(exit_status, "128 + n when signal n ended it; null: it had not ended", FIELD_WHERE(ended), .max = 255),
    FIELD_BOOL(timed_out, "it took longer than it may, and was ended"),
    FIELD_BOOL(cut_short, "ended by a signal to carbon, not by a fault of the step"),
    FIELD_BOOL_AS("short", is_short,
                  "no look fell into it: its figures are those of its counters at the start and at the end"),
    FIELD_NUMBER(duration_s, "wall time, in seconds", .flags = FIELD_FROM_0),
    FIELD_NUMBER(cpu_s, "CPU time of all its processes, in seconds", .flags = FIELD_FROM_0),
    FIELD_OBJECT(struct step_figures, cpu_percent_of_core, &figures_fields,
                 "CPU time / wall time, in percent of one core"),
    FIELD_OBJECT(struct step_figures, memory_mb, &figures_fields,
                 "memory in use, page cache included, in MB of 10^6 bytes"),
    FIELD_NUMBER(
        cpu_stall_s,
        "time in which at least one of its tasks waited for a CPU (cpu.pressure of its group), in seconds; null "
        "where it has none",
        .flags = FIELD_FROM_0),
    FIELD_NUMBER(memory_peak_mb, "the most, as the kernel counted it, in MB of 10^6 bytes", .flags = FIELD_FROM_0),
    FIELD_NAME(memory_peak_from, "origin of the count: cgroup, cgroup1, rusage, docker stats ...; null: none",
               .flags = FIELD_NULL_EMPTY),
    FIELD_NUMBER(read_bytes, "read from block devices"),
    FIELD_NUMBER(written_bytes, "written to block devices"),
    FIELD_NUMBER(gross_j, "all energy in the run, in joules"),
    FIELD_NUMBER(idle_j, "idle power of the baseline times duration_s, in joules"),
    FIELD_NUMBER(net_j, "gross_j - idle_j"),
    FIELD_NUMBER(own_j, "the step's own energy, by own_method, in joules; idle is not in it"),
    FIELD_OWN_METHOD(own_method, "method of own_j; unknown: none applies"),
    FIELD_NUMBER(gpu_own_j,
                 "of the counted graphics cards, energy of the step's processes by their time on them, in joules",
                 .flags = FIELD_FROM_0),
    FIELD_OBJECT(struct pipeline_concurrent, servers, &servers_fields,
                 "energy of all servers in the same time; null: none ran", .flags = FIELD_NULLABLE),
});
#undef OF

#define OF struct pipeline_step_report
static const struct fields step_fields = FIELDS_NAMED("step", "one step, over its runs")({
    FIELD_NAME(name, "as the file has it"),
    FIELD_ONE_OF(runner, runners, "who ran it"),
    FIELD_NAME(image, "of its container; null: it had none", .flags = FIELD_NULL_EMPTY),
    FIELD_NAMES_ENDED(command, "its words; empty: the image's own command"),
    FIELD_BOOL(may_fail, "its failure is none of the pipeline's (allow-failure)"),
    FIELD_BOOL(failed, "a run ended other than with 0, or it could not be run"),
    FIELD_LIST(struct pipeline_run, runs, run_count, &run_fields, "in the order that they were done"),
    FIELD_OBJECT(struct error, problem, &fault_fields, "why it could not be run; null: it could",
                 .flags = FIELD_NULLABLE),
    FIELD_QUALITY(quality, "the weakest quality of its energy"),
    FIELD_SPREAD(duration_s, "wall time, in seconds"),
    FIELD_SPREAD(cpu_s, "CPU time, in seconds"),
    FIELD_OBJECT(struct step_figures, cpu_percent_of_core, &figures_fields,
                 "the mean of the averages and the highest maximum of its runs"),
    FIELD_OBJECT(struct step_figures, memory_mb, &figures_fields, "likewise, in MB of 10^6 bytes"),
    FIELD_NUMBER(memory_peak_mb, "the highest peak, in MB of 10^6 bytes", .flags = FIELD_FROM_0),
    FIELD_OBJECT(struct request, requests_given, &request_fields, "requests of the file"),
    FIELD_OBJECT(
        struct request, requests, &request_fields,
        "suggested requests: cpu = ceil(max % / 100), of max % less one tick of each busy CPU, memory = "
        "ceil((max MB + 100) / 256) * 256, of the larger of maximum and peak, with the headroom; of the runs that "
        "were not killed, and null where all were"),
    FIELD_BOOL(request_cpu_at_least,
               "the request for CPUs is a lower bound: a task of the step waited for a CPU, so it may use more on an "
               "idle machine; null: unknown whether one did",
               .known = knows_stall),
    FIELD_SPREAD(gross_j, "all energy, in joules"),
    FIELD_SPREAD(idle_j, "of the idle machine, in joules"),
    FIELD_SPREAD(net_j, "gross less idle, in joules"),
    FIELD_SPREAD(own_j, "the step's own energy, in joules"),
    FIELD_OWN_METHOD(own_method, "method of own_j; unknown: none applies"),
    FIELD_SPREAD(gpu_own_j, "of the counted graphics cards, energy of its processes, in joules"),
    FIELD_FOOTPRINT(gross, "of the mean gross_j"),
    FIELD_FOOTPRINT(net, "of the mean net_j"),
    FIELD_FOOTPRINT(own, "of the mean own_j"),
    FIELD_SPREAD(servers_own_j, "of the servers that ran with it, in joules"),
    FIELD_FOOTPRINT(servers_own, "of the mean servers_own_j"),
    FIELD_NOTICES,
});

static const struct field counted_list[] = { FIELD_COUNT(counted, "runs that have ended") };
static const struct fields counted_fields = FIELDS_OF(NULL, NULL, struct pipeline_step_report, counted_list);
#undef OF

#define OF struct pipeline_report
static const struct fields pipeline_fields = FIELDS({
    FIELD_CONSTANT("schema", PIPELINE_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_SESSION(&session_id_fields),
    FIELD_NAME(name, "of the pipeline"),
    FIELD_NAME(file, "that describes it, as named"),
    FIELD_TEXT(started_at, "when the first baseline began, UTC", .flags = FIELD_NULL_EMPTY, .pattern = FIELD_LIKE_TIME),
    FIELD_TEXT(ended_at, "when this was written, UTC", .flags = FIELD_NULL_EMPTY, .pattern = FIELD_LIKE_TIME),
    FIELD_BOOL(complete, "every step completed its requested runs, or failed"),
    FIELD_BOOL(interrupted, "a signal ended it early"),
    FIELD_NAME(stopped_by, "the step whose failure ended it", .flags = FIELD_NULL_EMPTY),
    FIELD_COUNT(rounds, "how often the whole was to be run", .flags = FIELD_FROM_1),
    FIELD_NUMBER(interval_s, "how often a step was looked at, in seconds"),
    FIELD_NUMBER(baseline_s, "how long the idle machine was watched before the first step, in seconds"),
    FIELD_NUMBER(headroom_percent, "headroom added to the readings before the rule"),
    FIELD_SESSION(&session_machine_fields),
    FIELD_SESSION(&session_factor_fields),
    FIELD_LIST(struct pipeline_step_report, steps, step_count, &step_fields, "in the order that they are run"),
    FIELD_COUNT(failed, "how many steps failed that may not"),
    FIELD_COUNT(not_run, "how many were not run"),
    FIELD_QUALITY(quality, "the worst of the steps'"),
    FIELD_NUMBER(duration_s, "sum of the steps' means, in seconds"),
    FIELD_NUMBER(gross_j, "likewise, in joules"),
    FIELD_NUMBER(idle_j, "likewise"),
    FIELD_NUMBER(net_j, "likewise"),
    FIELD_NUMBER(own_j, "likewise"),
    FIELD_OWN_METHOD(own_method, "method of own_j, the weakest of the steps"),
    FIELD_FOOTPRINT(gross, "of gross_j"),
    FIELD_FOOTPRINT(net, "of net_j"),
    FIELD_FOOTPRINT(own, "of own_j"),
    FIELD_LIST(struct pipeline_server, servers, server_count, &server_fields,
               "servers that ran during steps (models, services)"),
    FIELD_NUMBER(servers_own_j, "their energy while steps ran, in joules: in the steps' gross_j, and not in their "
                                "own_j; sum of the steps' means"),
    FIELD_FOOTPRINT(servers_own, "of servers_own_j"),
    FIELD_NOTICES,
});
#undef OF
/* The structs of a row. */
enum { STEP, COUNTED, LAST_RUN, SESSION };

static const struct column columns[] = {
    { "step", "name", STEP },
    COLUMNS(STEP, runner, image),
    { "runs", "counted", COUNTED },
    COLUMN(exit_status, LAST_RUN),
    { "duration_s", "duration_s.mean", STEP },
    { "cpu_s", "cpu_s.mean", STEP },
    { "cpu_percent_average", "cpu_percent_of_core.average", STEP },
    { "cpu_percent_maximum", "cpu_percent_of_core.maximum", STEP },
    { "memory_mb_average", "memory_mb.average", STEP },
    { "memory_mb_maximum", "memory_mb.maximum", STEP },
    COLUMN(memory_peak_mb, STEP),
    { "request_cpu", "requests.cpu", STEP },
    { "request_memory_mb", "requests.memory_mb", STEP },
    { "gross_j", "gross_j.mean", STEP },
    { "idle_j", "idle_j.mean", STEP },
    { "net_j", "net_j.mean", STEP },
    { "gross_kgco2eq", "gross.kgco2eq", STEP },
    { "net_kgco2eq", "net.kgco2eq", STEP },
    COLUMN(quality, STEP),
    { "pue", "pue.value", SESSION },
    { "kgco2eq_per_kwh", "factor.kgco2eq_per_kwh", SESSION },
    COLUMN(request_cpu_at_least, STEP),
    { "own_j", "own_j.mean", STEP },
    { "own_kgco2eq", "own.kgco2eq", STEP },
    COLUMN(own_method, STEP),
    { "servers_own_j", "servers_own_j.mean", STEP },
    { "servers_own_kgco2eq", "servers_own.kgco2eq", STEP },
};
static const struct fields *const column_fields[] = { &step_fields, &counted_fields, &run_fields,
                                                      &session_factor_fields };
static const struct table pipeline_table = TABLE_OF(columns, column_fields);

const struct schema pipeline_schema = {
    "pipeline", PIPELINE_SCHEMA,
    "Output of carbon pipeline --json: usage, suggested requests, energy and emissions of each step.", &pipeline_fields,
    &pipeline_table
};

bool pipeline_report_json(const struct pipeline_report *report, FILE *out, struct error *err)
{
    return document_json(&pipeline_schema, report, out, "the JSON result", err);
}

bool pipeline_report_csv(const struct pipeline_report *report, FILE *out, struct error *err)
{
    table_head(&pipeline_table, out);
    for (size_t i = 0; i < report->step_count; i++) {
        const struct pipeline_step_report *step = &report->steps[i];
        const struct pipeline_run *last = step->run_count ? &step->runs[step->run_count - 1] : NULL;
        table_row(&pipeline_table, (const void *const[]){ step, step, last, report->session }, out);
    }
    return !ferror(out) || error_errno(err, "cannot write the CSV result");
}
