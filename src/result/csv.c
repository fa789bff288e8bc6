/* SPDX-License-Identifier: MIT
 * The record as one row of a table: the same columns in the same order on every machine. */
#include "config.h"

#include "result/report.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/csv.h"
#include "form/shell.h"

#include <math.h>

/* A value of the report, by its place in it; nothing is written where it is not known. */
struct column {
    void (*write)(const void *member, FILE *out);
    size_t offset; /* 0: the report itself */
};

static void write_number(const void *member, FILE *out)
{
    const double value = *(const double *)member;
    char number[TEXT_NUMBER_SIZE];

    if (isfinite(value))
        fputs(text_number(value, number), out);
}

/* One run has no deviation. */
static void write_deviation(const void *member, FILE *out)
{
    const struct spread *spread = member;

    if (spread->count > 1)
        write_number(&spread->deviation, out);
}

static void write_count(const void *member, FILE *out)
{
    fprintf(out, "%zu", *(const size_t *)member);
}

/* Where nothing is known the count is 0. */
static void write_positive(const void *member, FILE *out)
{
    if (*(const size_t *)member)
        write_count(member, out);
}

static void write_verdict(const void *member, FILE *out)
{
    fputs(verdict_name(*(const enum verdict *)member), out);
}

static void write_own_method(const void *member, FILE *out)
{
    fputs(own_method_name(*(const enum own_method *)member), out);
}

static void write_bound(const void *member, FILE *out)
{
    fputs(bound_name(*(const enum bound *)member), out);
}

static void write_bool(const void *member, FILE *out)
{
    fputs(*(const bool *)member ? "true" : "false", out);
}

static void write_text(const void *member, FILE *out)
{
    csv_write_field(out, member);
}

static void write_name(const void *member, FILE *out)
{
    const char *name = *(const char *const *)member;

    csv_write_field(out, name ? name : "");
}

static void write_quality(const void *member, FILE *out)
{
    fputs(quality_name(*(const enum quality *)member), out);
}

static void write_time(const void *member, FILE *out)
{
    const uint64_t realtime_ns = *(const uint64_t *)member;
    char text[CLOCK_TEXT_SIZE];

    if (realtime_ns)
        fputs(clock_text(realtime_ns, text), out);
}

static void write_scope(const void *member, FILE *out)
{
    fputs(scope_name(*(const enum scope *)member), out);
}

static void write_basis(const void *member, FILE *out)
{
    fputs(factor_basis_name(*(const enum factor_basis *)member), out);
}

/* Nothing where there is no market-based factor. */
static void write_market_basis(const void *member, FILE *out)
{
    const struct factor *market = member;

    if (isfinite(market->kgco2eq_per_kwh))
        write_basis(&market->basis, out);
}

static void write_year(const void *member, FILE *out)
{
    if (*(const int *)member)
        fprintf(out, "%d", *(const int *)member);
}

static void write_schema(const void *member, FILE *out)
{
    (void)member;
    fputs(REPORT_SCHEMA, out);
}

static void write_version(const void *member, FILE *out)
{
    (void)member;
    fputs(PACKAGE_VERSION, out);
}

static void write_command(const void *member, FILE *out)
{
    const struct report *report = member;
    struct text text;

    text_open(&text, SIZE_MAX);
    shell_command(report->command, &text);
    csv_write_field(out, text.data ? text.data : "");
    text_close(&text);
}

static void write_exit_status(const void *member, FILE *out)
{
    const struct report *report = member;

    if (report->exit_known)
        fprintf(out, "%d", report->exit_status);
}

static void write_interrupted(const void *member, FILE *out)
{
    const bool interrupted = ((const struct report *)member)->measurement->interrupted;

    write_bool(&interrupted, out);
}

static void write_cpu_model(const void *member, FILE *out)
{
    csv_write_field(out, ((const struct report *)member)->machine->cpu_model);
}

/* Of the domains that count. */
static void write_sources(const void *member, FILE *out)
{
    const struct report *report = member;
    const struct measurement *measurement = report->measurement;
    const struct energy_source *last = NULL;

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct energy_source *source = measurement->meter->domains[i].source;
        if (!measurement->counting->counts[i] || source == last)
            continue;
        fprintf(out, "%s%s", last ? "; " : "", source->driver->name);
        last = source;
    }
}

static void write_notices(const void *member, FILE *out)
{
    const struct notices *notices = member;
    struct text text;

    text_open(&text, SIZE_MAX);
    for (size_t i = 0; i < notices->count; i++)
        text_add(&text, "%s%s", i ? "; " : "", notices->item[i].what);
    csv_write_field(out, text.data ? text.data : "");
    text_close(&text);
}

/* The columns, in order; C(name, write, offset) is applied to each. */
#define AT(member) offsetof(struct report, member)
#define NUMBER(C, name, member) C(name, write_number, AT(member))
/* A spread is a column for its mean and one for its deviation. */
#define SPREAD(C, name, member)                                                                                        \
    NUMBER(C, name, member.mean)                                                                                       \
    C(name "_deviation", write_deviation, AT(member))
#define COMPONENT(C, name, component)                                                                                  \
    NUMBER(C, name "_gross_j", components[component].gross_j)                                                          \
    NUMBER(C, name "_idle_j", components[component].idle_j)                                                            \
    NUMBER(C, name "_net_j", components[component].net_j)
#define EMISSION(C, name, member)                                                                                      \
    NUMBER(C, name "_it_kwh", member.footprint.it_kwh)                                                                 \
    NUMBER(C, name "_facility_kwh", member.footprint.facility_kwh)                                                     \
    NUMBER(C, name "_kgco2eq", member.footprint.kgco2eq)                                                               \
    NUMBER(C, name "_kgco2eq_low", member.kgco2eq_low)                                                                 \
    NUMBER(C, name "_kgco2eq_high", member.kgco2eq_high)                                                               \
    NUMBER(C, name "_kgco2eq_per_h", member.kgco2eq_per_h)                                                             \
    NUMBER(C, name "_kgco2eq_per_year", member.kgco2eq_per_year)
#define RATES(C, name, member)                                                                                         \
    NUMBER(C, name "_facility_kwh_per_h", member.facility_kwh_per_h)                                                   \
    NUMBER(C, name "_facility_kwh_per_year", member.facility_kwh_per_year)
#define COLUMNS(C)                                                                                                     \
    C("schema", write_schema, 0)                                                                                       \
    C("id", write_text, AT(id))                                                                                        \
    C("started_at", write_time, AT(started_realtime_ns))                                                               \
    C("ended_at", write_time, AT(ended_realtime_ns))                                                                   \
    C("command", write_command, 0)                                                                                     \
    C("label", write_name, AT(label))                                                                                  \
    C("project", write_name, AT(project))                                                                              \
    C("target", write_name, AT(target))                                                                                \
    C("complete", write_bool, AT(complete))                                                                            \
    C("interrupted", write_interrupted, 0)                                                                             \
    C("exit_status", write_exit_status, 0)                                                                             \
    C("recorded_tree", write_bool, AT(recorded_tree))                                                                  \
    C("runs", write_count, AT(summary.runs))                                                                           \
    C("warmups", write_count, AT(warmups))                                                                             \
    SPREAD(C, "duration_s", summary.duration_s)                                                                        \
    NUMBER(C, "baseline_s", summary.baseline_s)                                                                        \
    C("scope", write_scope, AT(scope))                                                                                 \
    C("quality", write_quality, AT(summary.quality))                                                                   \
    C("sources", write_sources, 0)                                                                                     \
    SPREAD(C, "gross_j", summary.total.gross_j)                                                                        \
    NUMBER(C, "idle_j", summary.total.idle_j.mean)                                                                     \
    SPREAD(C, "net_j", summary.total.net_j)                                                                            \
    NUMBER(C, "net_interval_low_j", summary.total.net_interval_j.low)                                                  \
    NUMBER(C, "net_interval_high_j", summary.total.net_interval_j.high)                                                \
    C("verdict", write_verdict, AT(summary.verdict.verdict))                                                           \
    NUMBER(C, "detectable_j", summary.verdict.detectable_j)                                                            \
    C("runs_needed", write_positive, AT(summary.verdict.runs_needed))                                                  \
    SPREAD(C, "share_j", summary.share_j)                                                                              \
    NUMBER(C, "others_cores", summary.others_cores.mean)                                                               \
    NUMBER(C, "gross_low_j", summary.total.gross_low_j)                                                                \
    NUMBER(C, "gross_high_j", summary.total.gross_high_j)                                                              \
    NUMBER(C, "net_low_j", summary.total.net_low_j)                                                                    \
    NUMBER(C, "net_high_j", summary.total.net_high_j)                                                                  \
    NUMBER(C, "gross_w", summary.total.gross_w)                                                                        \
    NUMBER(C, "idle_w", summary.total.idle_w)                                                                          \
    NUMBER(C, "net_w", summary.total.net_w)                                                                            \
    NUMBER(C, "idle_deviation_w", summary.idle_deviation_w)                                                            \
    NUMBER(C, "net_noise_j", summary.net_noise_j)                                                                      \
    NUMBER(C, "resolution_j", summary.resolution_j)                                                                    \
    C("below_resolution", write_bool, AT(summary.below_resolution))                                                    \
    C("counted_unknown", write_count, AT(summary.counted_unknown))                                                     \
    COMPONENT(C, "package", COMPONENT_PACKAGE)                                                                         \
    COMPONENT(C, "cores", COMPONENT_CORES)                                                                             \
    COMPONENT(C, "uncore", COMPONENT_UNCORE)                                                                           \
    COMPONENT(C, "memory", COMPONENT_MEMORY)                                                                           \
    COMPONENT(C, "gpu", COMPONENT_GPU)                                                                                 \
    COMPONENT(C, "platform", COMPONENT_PLATFORM)                                                                       \
    COMPONENT(C, "machine", COMPONENT_MACHINE)                                                                         \
    NUMBER(C, "pue", pue)                                                                                              \
    C("pue_quality", write_quality, AT(pue_quality))                                                                   \
    NUMBER(C, "kgco2eq_per_kwh", gross.kgco2eq_per_kwh)                                                                \
    NUMBER(C, "factor_kgco2eq_per_kwh", factor.kgco2eq_per_kwh)                                                        \
    C("factor_zone", write_text, AT(factor.zone))                                                                      \
    C("factor_year", write_year, AT(factor.year))                                                                      \
    C("factor_basis", write_basis, AT(factor.basis))                                                                   \
    C("factor_method", write_text, AT(factor.method))                                                                  \
    C("factor_quality", write_quality, AT(factor.quality))                                                             \
    C("factor_source_id", write_text, AT(factor.source_id))                                                            \
    EMISSION(C, "gross", gross)                                                                                        \
    EMISSION(C, "net", net)                                                                                            \
    EMISSION(C, "share", share)                                                                                        \
    NUMBER(C, "sci_kgco2eq_per_unit", sci.kgco2eq_per_unit)                                                            \
    C("sci_unit", write_text, AT(sci.unit))                                                                            \
    NUMBER(C, "sci_units", sci.units)                                                                                  \
    NUMBER(C, "sci_operational_kgco2eq", sci.operational_kgco2eq)                                                      \
    NUMBER(C, "sci_embodied_kgco2eq", sci.embodied_kgco2eq)                                                            \
    C("pue_source", write_text, AT(beside.pue.source))                                                                 \
    NUMBER(C, "market_kgco2eq_per_kwh", beside.market.kgco2eq_per_kwh)                                                 \
    C("market_year", write_year, AT(beside.market.year))                                                               \
    C("market_basis", write_market_basis, AT(beside.market))                                                           \
    C("market_quality", write_quality, AT(beside.market.quality))                                                      \
    C("market_source_id", write_text, AT(beside.market.source_id))                                                     \
    NUMBER(C, "gross_market_kgco2eq", gross_market.footprint.kgco2eq)                                                  \
    NUMBER(C, "net_market_kgco2eq", net_market.footprint.kgco2eq)                                                      \
    NUMBER(C, "share_market_kgco2eq", share_market.footprint.kgco2eq)                                                  \
    NUMBER(C, "gross_td_losses_kgco2eq", td_losses.gross_kgco2eq)                                                      \
    NUMBER(C, "net_td_losses_kgco2eq", td_losses.net_kgco2eq)                                                          \
    NUMBER(C, "gross_upstream_kgco2eq", upstream.gross_kgco2eq)                                                        \
    NUMBER(C, "net_upstream_kgco2eq", upstream.net_kgco2eq)                                                            \
    NUMBER(C, "wue_l_per_kwh", beside.wue.value)                                                                       \
    C("wue_quality", write_quality, AT(beside.wue.quality))                                                            \
    NUMBER(C, "gross_water_l", gross_water_l)                                                                          \
    NUMBER(C, "net_water_l", net_water_l)                                                                              \
    C("hourly_service", write_text, AT(by_hour.source.service))                                                        \
    C("hourly_zone", write_text, AT(by_hour.source.zone))                                                              \
    NUMBER(C, "hourly_covered", by_hour.covered)                                                                       \
    NUMBER(C, "hourly_forecast", by_hour.part[COVER_FORECAST])                                                         \
    NUMBER(C, "yearly_gross_kgco2eq", by_hour.yearly_gross_kgco2eq)                                                    \
    NUMBER(C, "yearly_net_kgco2eq", by_hour.yearly_net_kgco2eq)                                                        \
    NUMBER(C, "hours_per_year", hours_per_year)                                                                        \
    C("hours_quality", write_quality, AT(hours_quality))                                                               \
    NUMBER(C, "cpu_s", usage.cpu_s.value)                                                                              \
    NUMBER(C, "user_s", usage.user_s.value)                                                                            \
    NUMBER(C, "system_s", usage.system_s.value)                                                                        \
    NUMBER(C, "cpu_percent_of_core", usage.cpu_percent_of_core.value)                                                  \
    NUMBER(C, "cpu_percent_of_machine", usage.cpu_percent_of_machine.value)                                            \
    C("cpu_from", write_name, AT(usage.cpu_s.from))                                                                    \
    NUMBER(C, "memory_peak_bytes", usage.memory_peak_bytes.value)                                                      \
    C("memory_peak_from", write_name, AT(usage.memory_peak_bytes.from))                                                \
    NUMBER(C, "read_bytes", usage.read_bytes.value)                                                                    \
    NUMBER(C, "written_bytes", usage.written_bytes.value)                                                              \
    NUMBER(C, "voluntary_switches", usage.voluntary_switches.value)                                                    \
    NUMBER(C, "involuntary_switches", usage.involuntary_switches.value)                                                \
    NUMBER(C, "minor_faults", usage.minor_faults.value)                                                                \
    NUMBER(C, "major_faults", usage.major_faults.value)                                                                \
    NUMBER(C, "cpu_stall_s", usage.cpu_stall_s.value)                                                                  \
    NUMBER(C, "memory_stall_s", usage.memory_stall_s.value)                                                            \
    NUMBER(C, "io_stall_s", usage.io_stall_s.value)                                                                    \
    NUMBER(C, "cycles", usage.cycles.value)                                                                            \
    NUMBER(C, "instructions", usage.instructions.value)                                                                \
    NUMBER(C, "cache_misses", usage.cache_misses.value)                                                                \
    NUMBER(C, "touched_bytes", usage.touched_bytes.value)                                                              \
    C("bound_by", write_bound, AT(bound.bound))                                                                        \
    NUMBER(C, "start_gap_s", start_gap_s)                                                                              \
    NUMBER(C, "end_gap_s", end_gap_s)                                                                                  \
    C("cpu_model", write_cpu_model, 0)                                                                                 \
    C("cpus", write_text, AT(cpus))                                                                                    \
    C("carbon_version", write_version, 0)                                                                              \
    C("notices", write_notices, AT(doubts))                                                                            \
    NUMBER(C, "memory_bytes", usage.memory_bytes.value)                                                                \
    NUMBER(C, "working_set_bytes", usage.working_set_bytes.value)                                                      \
    NUMBER(C, "received_bytes", usage.received_bytes.value)                                                            \
    NUMBER(C, "sent_bytes", usage.sent_bytes.value)                                                                    \
    NUMBER(C, "machine_share", summary.machine_share.mean)                                                             \
    SPREAD(C, "attributed_j", summary.attributed_j)                                                                    \
    C("at_least", write_bool, AT(summary.at_least))                                                                    \
    NUMBER(C, "unknown_s", summary.unknown_s)                                                                          \
    SPREAD(C, "gpu_own_j", summary.total.gpu_own_j)                                                                    \
    NUMBER(C, "baseline_busy_cpus", summary.baseline_busy_cpus)                                                        \
    NUMBER(C, "baseline_busy_mask_cpus", summary.baseline_busy_mask_cpus)                                              \
    C("mask_cpus", write_positive, AT(summary.mask_cpus))                                                              \
    SPREAD(C, "own_j", summary.total.own_j)                                                                            \
    NUMBER(C, "own_interval_low_j", summary.total.own_interval_j.low)                                                  \
    NUMBER(C, "own_interval_high_j", summary.total.own_interval_j.high)                                                \
    C("own_method", write_own_method, AT(summary.total.own_method))                                                    \
    NUMBER(C, "own_low_j", summary.total.own_low_j)                                                                    \
    NUMBER(C, "own_high_j", summary.total.own_high_j)                                                                  \
    EMISSION(C, "own", own)                                                                                            \
    RATES(C, "gross", gross)                                                                                           \
    RATES(C, "net", net)                                                                                               \
    RATES(C, "share", share)                                                                                           \
    RATES(C, "own", own)                                                                                               \
    NUMBER(C, "market_location_kgco2eq_per_kwh", beside.market_location.kgco2eq_per_kwh)                               \
    C("market_location_year", write_year, AT(beside.market_location.year))                                             \
    C("market_location_source_id", write_text, AT(beside.market_location.source_id))                                   \
    NUMBER(C, "gross_market_location_kgco2eq", gross_market_location.footprint.kgco2eq)                                \
    NUMBER(C, "net_market_location_kgco2eq", net_market_location.footprint.kgco2eq)

#define COLUMN(name, write, offset) { write, offset },
static const struct column columns[] = { COLUMNS(COLUMN) };

#define COMMA_NAME(name, write, offset) "," name
const char *csv_header(void)
{
    return &COLUMNS(COMMA_NAME) "\n"[1];
}

static void write_line(const struct report *report, FILE *out)
{
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        if (i)
            fputc(',', out);
        columns[i].write((const char *)report + columns[i].offset, out);
    }
    fputc('\n', out);
}

void csv_line(const struct report *report, struct text *text)
{
    AUTO_FREE char *data = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);

    if (out) {
        write_line(report, out);
        if (fclose(out) == 0) {
            text_add(text, "%s", data);
            return;
        }
    }
    text->failed = true;
}

static bool csv_form(const struct report *report, FILE *out, struct error *err)
{
    fputs(csv_header(), out);
    write_line(report, out);
    return !ferror(out) || error_errno(err, "cannot write the CSV record");
}

const struct report_format csv_format = { "csv", "one row a record, a fixed set of columns", csv_form };
