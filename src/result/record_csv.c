/* SPDX-License-Identifier: MIT
 * The record as one row of a table: the same columns in the same order on every machine. */
#include "result/report.h"

#include "base/auto.h"
#include "form/columns.h"
#include "form/shell.h"
#include "result/carbon_fields.h"
#include "result/record_fields.h"
#include "result/session_fields.h"

#include <stdlib.h>

/* What is in the record otherwise, or not at all. */
struct texts {
    const char *command, *sources, *notices;
};

#define OF struct texts
static const struct fields texts_fields = FIELDS({
    FIELD_NAME(command, "as a shell would be given it"),
    FIELD_NAME(sources, "of the domains that count"),
    FIELD_NAME(notices, "each cell's source"),
});
#undef OF

#define OF struct component_energy
static const struct fields component_fields = FIELDS({
    FIELD_NUMBER(gross_j, "all energy of its domains"),
    FIELD_NUMBER(idle_j, "of the idle machine"),
    FIELD_NUMBER(net_j, "gross less idle"),
});
#undef OF

#define OF struct report
#define ENERGY_OF(key, component)                                                                                      \
    FIELD_OBJECT_AS(key, struct component_energy, components[component], &component_fields, "of one component")
static const struct fields more_fields = FIELDS({
    FIELD_WRITER,
    ENERGY_OF("package", COMPONENT_PACKAGE),
    ENERGY_OF("cores", COMPONENT_CORES),
    ENERGY_OF("uncore", COMPONENT_UNCORE),
    ENERGY_OF("memory", COMPONENT_MEMORY),
    ENERGY_OF("gpu", COMPONENT_GPU),
    ENERGY_OF("platform", COMPONENT_PLATFORM),
    ENERGY_OF("machine", COMPONENT_MACHINE),
    /* reported also where the record has null for the object that contains them */
    FIELD_WORD_AS("factor_basis", enum factor_basis, factor.basis, basis_word, FACTOR_LIFECYCLE, FACTOR_NO_BASIS + 1,
                  "basis of the emission factor", .flags = FIELD_NULL_EMPTY),
    FIELD_QUALITY_AS("market_quality", supplementary.market.quality, "of the market-based factor"),
    FIELD_QUALITY_AS("wue_quality", supplementary.wue.quality, "of the water usage effectiveness"),
    FIELD_OBJECT(struct sci, sci, &sci_fields, "the Software Carbon Intensity"),
    FIELD_GROUP("hourly", &hourly_fields, "by the hour"),
});
#undef OF

/* The structs of a row. */
enum { RECORD, MORE, TEXTS };
static const struct fields *const row_of[] = { &record_fields, &more_fields, &texts_fields };

/* clang-format off */
#define SAME(name) { name, name, RECORD }
#define SPREAD(name) { name, name ".mean", RECORD }, { name "_deviation", name ".deviation", RECORD }
#define COMPONENT(name)                                                                                               \
    { name "_gross_j", name ".gross_j", MORE }, { name "_idle_j", name ".idle_j", MORE },                              \
        { name "_net_j", name ".net_j", MORE }
#define EMITTED(name, key) { name "_" key, "emissions." name "." key, RECORD }
#define RATES(name) EMITTED(name, "facility_kwh_per_h"), EMITTED(name, "facility_kwh_per_year")
#define EMISSION(name) \
    EMITTED(name, "it_kwh"), EMITTED(name, "facility_kwh"), EMITTED(name, "kgco2eq"), EMITTED(name, "kgco2eq_low"), \
    EMITTED(name, "kgco2eq_high"), EMITTED(name, "kgco2eq_per_h"), EMITTED(name, "kgco2eq_per_year")
/* clang-format on */

/* New ones come last: readers count them. */
static const struct column columns[] = {
    SAME("schema"),
    SAME("id"),
    SAME("started_at"),
    SAME("ended_at"),
    COLUMN(command, TEXTS),
    SAME("label"),
    SAME("project"),
    SAME("target"),
    SAME("complete"),
    SAME("interrupted"),
    SAME("exit_status"),
    SAME("recorded_tree"),
    SAME("runs"),
    SAME("warmups"),
    SPREAD("duration_s"),
    SAME("baseline_s"),
    SAME("scope"),
    SAME("quality"),
    COLUMN(sources, TEXTS),
    SPREAD("gross_j"),
    { "idle_j", "idle_j.mean", RECORD },
    SPREAD("net_j"),
    { "net_interval_low_j", "net_interval_j.low", RECORD },
    { "net_interval_high_j", "net_interval_j.high", RECORD },
    SAME("verdict"),
    SAME("detectable_j"),
    SAME("runs_needed"),
    SPREAD("share_j"),
    { "others_cores", "others_cores.mean", RECORD },
    SAME("gross_low_j"),
    SAME("gross_high_j"),
    SAME("net_low_j"),
    SAME("net_high_j"),
    SAME("gross_w"),
    SAME("idle_w"),
    SAME("net_w"),
    SAME("idle_deviation_w"),
    SAME("net_noise_j"),
    SAME("resolution_j"),
    SAME("below_resolution"),
    SAME("counted_unknown"),
    COMPONENT("package"),
    COMPONENT("cores"),
    COMPONENT("uncore"),
    COMPONENT("memory"),
    COMPONENT("gpu"),
    COMPONENT("platform"),
    COMPONENT("machine"),
    { "pue", "pue.value", RECORD },
    { "pue_quality", "pue.quality", RECORD },
    { "kgco2eq_per_kwh", "emissions.gross.kgco2eq_per_kwh", RECORD },
    { "factor_kgco2eq_per_kwh", "factor.kgco2eq_per_kwh", RECORD },
    { "factor_zone", "factor.zone", RECORD },
    { "factor_year", "factor.year", RECORD },
    COLUMN(factor_basis, MORE),
    { "factor_method", "factor.method", RECORD },
    { "factor_quality", "factor.quality", RECORD },
    { "factor_source_id", "factor.source_id", RECORD },
    EMISSION("gross"),
    EMISSION("net"),
    EMISSION("share"),
    { "sci_kgco2eq_per_unit", "sci.kgco2eq_per_unit", MORE },
    { "sci_unit", "sci.unit", MORE },
    { "sci_units", "sci.units", MORE },
    { "sci_operational_kgco2eq", "sci.operational_kgco2eq", MORE },
    { "sci_embodied_kgco2eq", "sci.embodied_kgco2eq", MORE },
    { "pue_source", "pue.source", RECORD },
    { "market_kgco2eq_per_kwh", "market_factor.kgco2eq_per_kwh", RECORD },
    { "market_year", "market_factor.year", RECORD },
    { "market_basis", "market_factor.basis", RECORD },
    COLUMN(market_quality, MORE),
    { "market_source_id", "market_factor.source_id", RECORD },
    { "gross_market_kgco2eq", "emissions.gross_market.kgco2eq", RECORD },
    { "net_market_kgco2eq", "emissions.net_market.kgco2eq", RECORD },
    { "share_market_kgco2eq", "emissions.share_market.kgco2eq", RECORD },
    { "gross_td_losses_kgco2eq", "emissions.td_losses.gross_kgco2eq", RECORD },
    { "net_td_losses_kgco2eq", "emissions.td_losses.net_kgco2eq", RECORD },
    { "gross_upstream_kgco2eq", "emissions.upstream.gross_kgco2eq", RECORD },
    { "net_upstream_kgco2eq", "emissions.upstream.net_kgco2eq", RECORD },
    { "wue_l_per_kwh", "wue.l_per_kwh", RECORD },
    COLUMN(wue_quality, MORE),
    { "gross_water_l", "emissions.gross_water_l", RECORD },
    { "net_water_l", "emissions.net_water_l", RECORD },
    { "hourly_service", "hourly.service", MORE },
    { "hourly_zone", "hourly.zone", MORE },
    { "hourly_covered", "hourly.covered", MORE },
    { "hourly_forecast", "hourly.parts.forecast", MORE },
    { "yearly_gross_kgco2eq", "hourly.yearly.gross_kgco2eq", MORE },
    { "yearly_net_kgco2eq", "hourly.yearly.net_kgco2eq", MORE },
    { "hours_per_year", "hours_per_year.value", RECORD },
    { "hours_quality", "hours_per_year.quality", RECORD },
    { "cpu_s", "usage.cpu_s.value", RECORD },
    { "user_s", "usage.user_s.value", RECORD },
    { "system_s", "usage.system_s.value", RECORD },
    { "cpu_percent_of_core", "usage.cpu_percent_of_core.value", RECORD },
    { "cpu_percent_of_machine", "usage.cpu_percent_of_machine.value", RECORD },
    { "cpu_from", "usage.cpu_s.from", RECORD },
    { "memory_peak_bytes", "usage.memory_peak_bytes.value", RECORD },
    { "memory_peak_from", "usage.memory_peak_bytes.from", RECORD },
    { "read_bytes", "usage.read_bytes.value", RECORD },
    { "written_bytes", "usage.written_bytes.value", RECORD },
    { "voluntary_switches", "usage.voluntary_switches.value", RECORD },
    { "involuntary_switches", "usage.involuntary_switches.value", RECORD },
    { "minor_faults", "usage.minor_faults.value", RECORD },
    { "major_faults", "usage.major_faults.value", RECORD },
    { "cpu_stall_s", "usage.cpu_stall_s.value", RECORD },
    { "memory_stall_s", "usage.memory_stall_s.value", RECORD },
    { "io_stall_s", "usage.io_stall_s.value", RECORD },
    { "cycles", "usage.cycles.value", RECORD },
    { "instructions", "usage.instructions.value", RECORD },
    { "cache_misses", "usage.cache_misses.value", RECORD },
    { "touched_bytes", "usage.touched_bytes.value", RECORD },
    { "bound_by", "bound.by", RECORD },
    SAME("start_gap_s"),
    SAME("end_gap_s"),
    { "cpu_model", "machine.cpu_model", RECORD },
    { "cpus", "cpus.list", RECORD },
    COLUMN(carbon_version, MORE),
    COLUMN(notices, TEXTS),
    { "memory_bytes", "usage.memory_bytes.value", RECORD },
    { "working_set_bytes", "usage.working_set_bytes.value", RECORD },
    { "received_bytes", "usage.received_bytes.value", RECORD },
    { "sent_bytes", "usage.sent_bytes.value", RECORD },
    { "machine_share", "machine_share.mean", RECORD },
    SPREAD("attributed_j"),
    SAME("at_least"),
    SAME("unknown_s"),
    SPREAD("gpu_own_j"),
    SAME("baseline_busy_cpus"),
    SAME("baseline_busy_mask_cpus"),
    SAME("mask_cpus"),
    SPREAD("own_j"),
    { "own_interval_low_j", "own_interval_j.low", RECORD },
    { "own_interval_high_j", "own_interval_j.high", RECORD },
    SAME("own_method"),
    SAME("own_low_j"),
    SAME("own_high_j"),
    EMISSION("own"),
    RATES("gross"),
    RATES("net"),
    RATES("share"),
    RATES("own"),
    { "market_location_kgco2eq_per_kwh", "market_location_factor.kgco2eq_per_kwh", RECORD },
    { "market_location_year", "market_location_factor.year", RECORD },
    { "market_location_source_id", "market_location_factor.source_id", RECORD },
    { "gross_market_location_kgco2eq", "emissions.gross_market_location.kgco2eq", RECORD },
    { "net_market_location_kgco2eq", "emissions.net_market_location.kgco2eq", RECORD },
    SAME("own_w"),
};
const struct table record_table = TABLE_OF(columns, row_of);

static void add_sources(const struct report *report, struct text *text)
{
    const struct measurement *measurement = report->measurement;
    const struct energy_source *last = NULL;

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct energy_source *source = measurement->meter->domains[i].source;
        if (!measurement->counting->is_counted[i] || source == last)
            continue;
        text_add(text, "%s%s", last ? "; " : "", source->driver->name);
        last = source;
    }
}

static void write_line(const struct report *report, FILE *out)
{
    struct text command, sources, notices;

    text_open(&command, SIZE_MAX);
    text_open(&sources, SIZE_MAX);
    text_open(&notices, SIZE_MAX);
    shell_command(report->command, &command);
    add_sources(report, &sources);
    for (size_t i = 0; i < report->all_notices.count; i++)
        text_add(&notices, "%s%s", i ? "; " : "", report->all_notices.item[i].what);
    table_row(&record_table,
              (const void *const[]){ report, report, &(struct texts){ command.data, sources.data, notices.data } },
              out);
    text_close(&command);
    text_close(&sources);
    text_close(&notices);
}

char *csv_header(void)
{
    return table_header(&record_table);
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
    table_head(&record_table, out);
    write_line(report, out);
    return !ferror(out) || error_errno(err, "cannot write the CSV record");
}

const struct report_format csv_format = { "csv", "one row a record, a fixed set of columns", csv_form };
