/* SPDX-License-Identifier: MIT
 * What pods used as JSON and CSV: every field of it, and what it means. CSV has a row for each figure: of whom,
 * component, mode. */
#include "base/units.h"
#include "commands/prometheus/workload_energy.h"

#include "base/auto.h"
#include "emissions/plant_fuel.h"
#include "form/columns.h"
#include "result/session_fields.h"

#include <math.h>
#include <stdlib.h>

/* What a row emits. */
struct emissions {
    struct footprint footprint;
    double kgco2eq_per_h, market_kgco2eq, market_location_kgco2eq, co2_pounds;
};

struct workload_energy_fields_row {
    const struct workload_row *of;
    uint64_t from_ns, to_ns; /* since 1970; 0: not known */
    double seconds;
    struct emissions emissions;
};

/* The document, with what is worked out for it. */
struct workload_energy_view {
    const struct workload_report *workloads;
    const char *exporters[EXPORTER_COUNT];
    size_t exporter_count;
    uint64_t from_ns, to_ns;
    double co2_pounds_per_kwh;
    struct workload_energy_fields_row *rows;
    size_t row_count;
};

/* What the exporter tells of one component, by mode. */
struct workload_energy_fields_component {
    struct energy_figure of[MODE_COUNT];
};

static const char *const commands[] = { "scrape", "energy", NULL };

static const char *level_word(int level)
{
    return workload_level_name((enum workload_level)level);
}

static const char *exporter_word(int kind)
{
    return exporter_kind_name((enum exporter_kind)kind);
}

static const char *part_word(int part)
{
    return rapl_domain_name((enum rapl_domain)part);
}

static const char *mode_word(int mode)
{
    return energy_mode_name((enum energy_mode)mode);
}

static bool has_series(const void *figure)
{
    return ((const struct energy_figure *)figure)->series > 0;
}

static bool has_modes(const void *component)
{
    const struct energy_figure *of = component;

    return of[MODE_ALL].series + of[MODE_DYNAMIC].series + of[MODE_IDLE].series > 0;
}

static bool has_fuel(const void *reported)
{
    return ((const struct workload_energy_view *)reported)->workloads->fuel;
}

#define OF struct energy_figure
static const struct field mode_list[] = {
    FIELD_NUMBER(joules, "in the window"),
    FIELD_NUMBER(watts, "mean, joules over the time between first and last sample"),
    FIELD_NUMBER_AS("irate_watts", irate_w, "between the last two samples of each series"),
};
static const struct fields mode_fields =
    FIELDS_KNOWN("mode", "one mode of a component", struct energy_figure, mode_list, has_series);

static const struct fields counts_fields = FIELDS({
    FIELD_COUNT(series, "added up"),
    FIELD_COUNT_AS("series_of_one_sample", single, "of them those whose energy in the window is not known"),
    FIELD_COUNT_AS("samples", points, "of all series, in the window"),
    FIELD_UNSIGNED(resets, "how often a counter began again"),
    FIELD_UNSIGNED(wraps, "how often a counter of a processor wrapped"),
    FIELD_UNSIGNED(gaps, "how often a counter was not read for a while"),
    FIELD_UNSIGNED_AS("implausible_steps", implausible,
                      "number of implausible counter steps: their energy is not in joules"),
    FIELD_NUMBER_AS("doubtful_joules", doubtful_j, "that resets may have cost", .flags = FIELD_KNOWN),
});

/* Fields of a CSV row only. */
static const struct fields times_fields = FIELDS({
    FIELD_NUMBER(first_s, "first sample, in seconds since 1970"),
    FIELD_NUMBER(last_s, "last sample"),
});
#undef OF

#define OF struct workload_energy_fields_component
static const struct field component_list[] = {
    FIELD_NUMBER_AS("joules", of[MODE_ALL].joules, "in the window, both modes together"),
    FIELD_NUMBER_AS("at_least_joules", of[MODE_ALL].low_j,
                    "of the intervals between samples that lie within the window as a whole"),
    FIELD_NUMBER_AS("at_most_joules", of[MODE_ALL].high_j, "with all of those that cross its edges"),
    FIELD_NUMBER_AS("watts", of[MODE_ALL].watts, "mean, joules over the time between first and last sample"),
    FIELD_NUMBER_AS("irate_watts", of[MODE_ALL].irate_w, "between the last two samples of each series"),
    FIELD_OBJECT_AS("dynamic", struct energy_figure, of[MODE_DYNAMIC], &mode_fields,
                    "above idle; null: the exporter does not separate it", .flags = FIELD_NULLABLE),
    FIELD_OBJECT_AS("idle", struct energy_figure, of[MODE_IDLE], &mode_fields,
                    "its share of the machine's idle energy; null: likewise", .flags = FIELD_NULLABLE),
    FIELD_PART(struct energy_figure, of[MODE_ALL], &counts_fields, 0),
};
#undef OF
static const struct fields component_fields =
    FIELDS_KNOWN("component", "null: the exporter does not report it", struct workload_energy_fields_component,
                 component_list, has_modes);

#define OF struct workload_row
#define EXPORTER(key, member, meaning)                                                                                 \
    FIELD_WORD_AS(key, enum exporter_kind, member, exporter_word, EXPORTER_NONE + 1, EXPORTER_COUNT, meaning)
#define COMPONENT(key, part, meaning)                                                                                  \
    FIELD_OBJECT_AS(key, struct energy_figure[MODE_COUNT], figures[part], &component_fields, meaning,                  \
                    .flags = FIELD_NULLABLE)
static const struct fields whose_fields = FIELDS({
    FIELD_WORD(enum workload_level, level, level_word, LEVEL_NODE, LEVEL_COUNT, "its kind"),
    EXPORTER("exporter", kind, "its exporter"),
    FIELD_NAME(node, "the machine; null: the exporter names none", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(namespace, "of Kubernetes", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(pod, "its name", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(container, "its name", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(name, "of a process, a virtual machine, a control group or a job", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(id, "of a container, a process, a virtual machine", .flags = FIELD_NULL_EMPTY),
    FIELD_QUALITY(quality, "how the energies came about"),
});

static const struct fields energies_fields = FIELDS({
    FIELD_NUMBER(covered, "share of the window in which the energy is known"),
    COMPONENT("sum", DOMAIN_SUM, "pkg + dram + other + gpu where pkg is known, else the exporter's own total"),
    COMPONENT("pkg", DOMAIN_PACKAGE, "processor packages"),
    COMPONENT("core", DOMAIN_CORE, "cores, within pkg"),
    COMPONENT("uncore", DOMAIN_UNCORE, "graphics and the like, within pkg"),
    COMPONENT("dram", DOMAIN_DRAM, "memory"),
    COMPONENT("other", DOMAIN_OTHER, "neither of these"),
    COMPONENT("gpu", DOMAIN_GPU, "graphics cards"),
    COMPONENT("platform", DOMAIN_PLATFORM, "the whole machine; contains the others"),
    COMPONENT("exporter_sum", DOMAIN_OWN_SUM, "the exporter's own total"),
});
#undef OF

#define OF struct emissions
static const struct fields emissions_fields = FIELDS({
    FIELD_PART(struct footprint, footprint, &footprint_fields, 0),
    FIELD_NUMBER(kgco2eq_per_h, "at the mean power"),
    FIELD_NUMBER(market_kgco2eq, "by the market-based factor"),
    FIELD_NUMBER(market_location_kgco2eq, "by the location-based factor of its basis"),
    FIELD_NUMBER(co2_pounds, "of a named fuel"),
});
#undef OF

#define OF struct workload_energy_fields_row
static const struct fields row_fields = FIELDS_NAMED("row", "usage of one of them, as reported by one exporter")({
    FIELD_PART(const struct workload_row *, of, &whose_fields, FIELD_BEHIND),
    FIELD_TIME_AS("from", from_ns, "first sample, UTC"),
    FIELD_TIME_AS("to", to_ns, "last sample, UTC"),
    FIELD_NUMBER(seconds, "between first and last sample"),
    FIELD_PART(const struct workload_row *, of, &energies_fields, FIELD_BEHIND),
    FIELD_OBJECT(struct emissions, emissions, &emissions_fields, "of the sum"),
});
#undef OF

#define OF struct workload_report
static const struct fields head_fields = FIELDS({
    FIELD_TIME_AS("created_at", created_realtime_ns, "time of the calculation, UTC"),
    FIELD_ONE_OF(command, commands, "scrape: from texts of exporters; energy: from Prometheus"),
});

static const struct field sources_list[] = { FIELD_NAMES_IN_PLACE(sources, source_count, "its addresses and files") };
static const struct fields sources_fields = FIELDS_OF(NULL, NULL, struct workload_report, sources_list);

static const struct fields seconds_fields = FIELDS({
    FIELD_NUMBER_AS("seconds", duration_s, "how long it is", .flags = FIELD_FROM_0),
    FIELD_BOOL_AS("since_start_of_counters", window.totals, "energies are counter values since an unknown start"),
});

static const struct fields pue_fields = FIELDS({ PUE_VALUE, PUE_SOURCE });

static const struct fields factors_fields = FIELDS({
    FIELD_GROUP("pue", &pue_fields, "power usage effectiveness"),
    FIELD_OBJECT(struct factor, factor, &factor_fields, "emission factor and its source"),
    FIELD_PART(struct supplementary, supplementary, &supplementary_fields, 0),
});

static const struct field fuel_name_list[] = { FIELD_ONE_OF_AS("name", fuel, plant_fuel_names, "of the fuel") };
static const struct fields fuel_name_fields = FIELDS_OF(NULL, NULL, struct workload_report, fuel_name_list);

static const struct field notices_list[] = { FIELD_NOTICES };
static const struct fields workloads_notices_fields = FIELDS_OF(NULL, NULL, struct workload_report, notices_list);
#undef OF

#define OF struct workload_energy_view
#define OF_WORKLOADS(fields) FIELD_PART(const struct workload_report *, workloads, fields, FIELD_BEHIND)
static const struct fields window_fields = FIELDS({
    FIELD_TIME_AS("from", from_ns, "its begin, UTC"),
    FIELD_TIME_AS("to", to_ns, "its end, UTC"),
    OF_WORKLOADS(&seconds_fields),
});

static const struct fields fuel_fields = FIELDS({
    OF_WORKLOADS(&fuel_name_fields),
    FIELD_NUMBER(co2_pounds_per_kwh, "as reported by its source", .flags = FIELD_KNOWN),
});

static const struct fields workloads_fields = FIELDS({
    FIELD_CONSTANT("schema", WORKLOADS_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    OF_WORKLOADS(&head_fields),
    OF_WORKLOADS(&sources_fields),
    FIELD_NAMES_IN_PLACE(exporters, exporter_count, "whose metrics they are"),
    FIELD_GROUP("window", &window_fields, "the requested period"),
    OF_WORKLOADS(&factors_fields),
    FIELD_GROUP("fuel", &fuel_fields, "the one fuel that the factor is of; null: none was named", .known = has_fuel),
    FIELD_LIST(struct workload_energy_fields_row, rows, row_count, &row_fields,
               "by level; those of one level are parts of those of another, and never added to them"),
    OF_WORKLOADS(&workloads_notices_fields),
});
#undef OF

/* A row of CSV. */
struct workload_energy_fields_line {
    enum rapl_domain component;
    enum energy_mode mode;
};

#define OF struct workload_energy_fields_line
static const struct fields line_fields = FIELDS({
    FIELD_WORD(enum rapl_domain, component, part_word, DOMAIN_SUM, DOMAIN_COUNT, "of which component"),
    FIELD_WORD(enum energy_mode, mode, mode_word, MODE_ALL, MODE_COUNT, "in which mode"),
});
#undef OF

enum { WHOSE, LINE, FIGURE, COUNTS, TIMES, FOOTPRINT };
static const struct fields *const line_of[] = { &whose_fields,  &line_fields,  &mode_fields,
                                                &counts_fields, &times_fields, &footprint_fields };

static const struct column columns[] = {
    COLUMNS(WHOSE, level, exporter, node, namespace, pod, container, name, id),
    COLUMNS(LINE, component, mode),
    COLUMN(series, COUNTS),
    { "first_t", "first_s", TIMES },
    { "last_t", "last_s", TIMES },
    COLUMN(joules, FIGURE),
    { "mean_watts", "watts", FIGURE },
    COLUMN(irate_watts, FIGURE),
    COLUMNS(COUNTS, samples, series_of_one_sample, resets, wraps, gaps, doubtful_joules),
    COLUMNS(FOOTPRINT, it_kwh, kgco2eq),
    COLUMN(quality, WHOSE),
};
static const struct table workloads_columns = TABLE_OF(columns, line_of);

const struct schema workloads_schema = {
    "prometheus", WORKLOADS_SCHEMA, "Usage of nodes, pods, containers and others, as reported by energy exporters.",
    &workloads_fields, &workloads_columns
};

/* Of a sample's time, where that is one. */
static uint64_t ns_of(double time_s)
{
    return time_s > 1e8 && time_s < 1e10 ? (uint64_t)llround(time_s * 1000) * NS_PER_MS : 0;
}

static struct workload_energy_fields_row row_of(const struct workload_report *workloads, const struct workload_row *of)
{
    const struct energy_figure *sum = workload_row_sum(of);
    const double location = supplementary_market(&workloads->supplementary)->kgco2eq_per_kwh,
                 factor = workloads->factor.kgco2eq_per_kwh;

    return (struct workload_energy_fields_row){
        .of = of,
        .from_ns = ns_of(sum->first_s),
        .to_ns = ns_of(sum->last_s),
        .seconds = sum->last_s - sum->first_s,
        .emissions = {
            .footprint = workloads_footprint(workloads, of),
            .kgco2eq_per_h = footprint_of(sum->watts * S_PER_H, workloads->pue, factor).kgco2eq,
            .market_kgco2eq =
                footprint_of(sum->joules, workloads->pue, workloads->supplementary.market.kgco2eq_per_kwh).kgco2eq,
            .market_location_kgco2eq = footprint_of(sum->joules, workloads->pue, location).kgco2eq,
            .co2_pounds = workloads_pounds(workloads, of),
        },
    };
}

static void name_exporters(struct workload_energy_view *reported)
{
    const struct workload_rows *rows = reported->workloads->rows;
    unsigned found = 0;

    for (size_t i = 0; i < rows->count; i++)
        found |= 1u << rows->items[i].kind;
    for (enum exporter_kind kind = EXPORTER_NONE + 1; kind < EXPORTER_COUNT; kind++)
        if (found & 1u << kind)
            reported->exporters[reported->exporter_count++] = exporter_kind_name(kind);
}

bool workloads_json(const struct workload_report *workloads, FILE *out, struct error *err)
{
    AUTO_FREE struct workload_energy_fields_row *rows = calloc(workloads->rows->count + 1, sizeof *rows);
    struct workload_energy_view reported = {
        .workloads = workloads,
        .from_ns = ns_of(workloads->window.from_s),
        .to_ns = ns_of(workloads->window.to_s),
        .co2_pounds_per_kwh = workloads->fuel ? plant_fuel_pounds_per_kwh(workloads->fuel) : NAN,
        .rows = rows,
    };

    if (!rows)
        return error_errno(err, "no memory for the energies as JSON");
    name_exporters(&reported);
    for (size_t i = 0; i < workloads->rows->count; i++)
        if (workloads_wants(workloads, &workloads->rows->items[i]))
            rows[reported.row_count++] = row_of(workloads, &workloads->rows->items[i]);
    return document_json(&workloads_schema, &reported, out, "the energies as JSON", err);
}

static void write_line(const struct workload_report *workloads, const struct workload_row *row, enum rapl_domain part,
                       enum energy_mode mode, FILE *out)
{
    const struct energy_figure *figure = &row->figures[part][mode];
    const struct footprint footprint = footprint_of(figure->joules, workloads->pue, workloads->factor.kgco2eq_per_kwh);
    const struct workload_energy_fields_line line = { part, mode };

    table_row(&workloads_columns, (const void *const[]){ row, &line, figure, figure, figure, &footprint }, out);
}

bool workloads_csv(const struct workload_report *workloads, FILE *out, struct error *err)
{
    (void)err;
    table_head(&workloads_columns, out);
    for (size_t i = 0; i < workloads->rows->count; i++) {
        const struct workload_row *row = &workloads->rows->items[i];
        for (enum rapl_domain part = 0; part < DOMAIN_COUNT && workloads_wants(workloads, row); part++)
            for (enum energy_mode mode = 0; mode < MODE_COUNT; mode++)
                if (row->figures[part][mode].series)
                    write_line(workloads, row, part, mode, out);
    }
    return true;
}
