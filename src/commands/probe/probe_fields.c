/* SPDX-License-Identifier: MIT
 * The result of `carbon probe` as JSON and CSV: every field of it, and what it means. CSV has one row a load. */
#include "commands/probe/probe.h"

#include "form/columns.h"
#include "result/session_fields.h"

#include <math.h>

/* What is told of each domain, and of each part, in an object with their names. */
struct watts {
    double of[BREAKDOWN_DOMAINS];
};
struct spreads {
    struct sample_stats of[BREAKDOWN_DOMAINS];
};
struct probe_fields_parts {
    struct breakdown_figure of[POWER_PARTS];
};
struct domains {
    struct probe_domain of[BREAKDOWN_DOMAINS];
};

static const char *const components[] = { "package", "memory", "gpu", "machine", "platform", NULL };
static const char *const part_names[] = { "idle", "cpu", "memory", "io", "rest", NULL };

static const char *kind_word(int kind)
{
    return load_kind_name((enum load_kind)kind);
}

static bool is_there(const void *domain)
{
    return ((const struct probe_domain *)domain)->quality != QUALITY_UNKNOWN;
}

static bool is_known(const void *figure)
{
    return !isnan(((const struct breakdown_figure *)figure)->w);
}

static const char *largest(const void *of)
{
    const struct probe_entry *entry = of;
    const enum power_part part = entry->run_count ? breakdown_largest(&entry->row) : POWER_PARTS;

    return part == POWER_PARTS ? NULL : power_part_name(part);
}

#define OF struct probe_domain
static const struct field domain_list[] = {
    FIELD_TEXT(names, "the domains that add up to it, and their source"),
    FIELD_ONE_OF(component, components, "coverage of its meter"),
    FIELD_QUALITY(quality, "the worst of them"),
};
#undef OF
static const struct fields domain_fields =
    FIELDS_KNOWN("domain", "a meter; null: there is none", struct probe_domain, domain_list, is_there);

#define OF struct domains
static const struct fields domains_fields = FIELDS({
    FIELD_OBJECT_AS("package", struct probe_domain, of[BREAKDOWN_PACKAGE], &domain_fields, "all packages together",
                    .flags = FIELD_NULLABLE),
    FIELD_OBJECT_AS("memory", struct probe_domain, of[BREAKDOWN_MEMORY], &domain_fields, "all memory (dram) together",
                    .flags = FIELD_NULLABLE),
    FIELD_OBJECT_AS("machine", struct probe_domain, of[BREAKDOWN_MACHINE], &domain_fields,
                    "the meter of the machine, or of the platform", .flags = FIELD_NULLABLE),
    FIELD_OBJECT_AS("gpu", struct probe_domain, of[BREAKDOWN_GPU], &domain_fields, "all graphics cards together",
                    .flags = FIELD_NULLABLE),
});
#undef OF

#define OF struct watts
static const struct fields watts_fields = FIELDS_NAMED("watts", "power by domain")({
    FIELD_NUMBER_AS("package", of[BREAKDOWN_PACKAGE], "all packages together, in watts; null: not known in every run"),
    FIELD_NUMBER_AS("memory", of[BREAKDOWN_MEMORY],
                    "all memory (dram) together, in watts; null: not known in every run"),
    FIELD_NUMBER_AS("machine", of[BREAKDOWN_MACHINE],
                    "the meter of the machine, or of the platform, in watts; null: not known in every run"),
    FIELD_NUMBER_AS("gpu", of[BREAKDOWN_GPU], "all graphics cards together, in watts; null: not known in every run"),
});
#undef OF

#define OF struct spreads
static const struct fields spreads_fields = FIELDS_NAMED("spreads", "power by domain, over the runs")({
    FIELD_OBJECT_AS("package", struct sample_stats, of[BREAKDOWN_PACKAGE], &spread_fields,
                    "all packages together, in watts; null: not known in every run", .flags = FIELD_NULLABLE),
    FIELD_OBJECT_AS("memory", struct sample_stats, of[BREAKDOWN_MEMORY], &spread_fields,
                    "all memory (dram) together, in watts; null: not known in every run", .flags = FIELD_NULLABLE),
    FIELD_OBJECT_AS("machine", struct sample_stats, of[BREAKDOWN_MACHINE], &spread_fields,
                    "the meter of the machine, or of the platform, in watts; null: not known in every run",
                    .flags = FIELD_NULLABLE),
    FIELD_OBJECT_AS("gpu", struct sample_stats, of[BREAKDOWN_GPU], &spread_fields,
                    "all graphics cards together, in watts; null: not known in every run", .flags = FIELD_NULLABLE),
});
#undef OF

#define OF struct breakdown_figure
static const struct field part_list[] = {
    FIELD_NUMBER(w, "as calculated, even if negative, in watts", .flags = FIELD_KNOWN),
    FIELD_NUMBER(error_w, "its standard error, in watts; null with a single run", .flags = FIELD_FROM_0),
    FIELD_NUMBER(freedom, "degrees of freedom of that error; null without an error"),
    FIELD_NUMBER(detectable_w, "minimum detectable part, found in 4 of 5 such series, in watts"),
    FIELD_NUMBER(percent, "of the load's gross power"),
    FIELD_BOOL_AS("told", reported, "significant: its confidence interval excludes 0"),
    FIELD_BOOL(assumed, "it includes a modelled domain: an assumption of the model, not a reading"),
};
#undef OF
static const struct fields part_fields =
    FIELDS_KNOWN("part", "a part of the power; null: not known", struct breakdown_figure, part_list, is_known);

#define OF struct probe_fields_parts
static const struct fields parts_fields = FIELDS({
    FIELD_OBJECT_AS("idle", struct breakdown_figure, of[PART_IDLE], &part_fields, "idle power",
                    .flags = FIELD_NULLABLE),
    FIELD_OBJECT_AS("cpu", struct breakdown_figure, of[PART_CPU], &part_fields, "the processors",
                    .flags = FIELD_NULLABLE),
    FIELD_OBJECT_AS("memory", struct breakdown_figure, of[PART_MEMORY], &part_fields, "the memory",
                    .flags = FIELD_NULLABLE),
    FIELD_OBJECT_AS("io", struct breakdown_figure, of[PART_IO], &part_fields, "the disk and its controller",
                    .flags = FIELD_NULLABLE),
    FIELD_OBJECT_AS("rest", struct breakdown_figure, of[PART_REST], &part_fields, "none of these, or not split further",
                    .flags = FIELD_NULLABLE),
});
#undef OF

#define OF struct breakdown_run
static const struct fields run_fields = FIELDS_NAMED("run", "one run of a load")({
    FIELD_NUMBER(duration_s, "wall time of the run, in seconds", .flags = FIELD_KNOWN | FIELD_ABOVE_0),
    FIELD_NUMBER(busy_cpus, "CPU time of the load over that", .flags = FIELD_FROM_0),
    FIELD_NUMBER(bytes_per_s,
                 "streamed by the memory load, or written and read by a disk load; null: not known, or of a mixed load",
                 .flags = FIELD_FROM_0),
    FIELD_OBJECT(double[BREAKDOWN_DOMAINS], gross_w, &watts_fields, "all power in the run"),
    FIELD_OBJECT(double[BREAKDOWN_DOMAINS], net_w, &watts_fields, "less the power in the baselines around it"),
    FIELD_OBJECT(double[BREAKDOWN_DOMAINS], own_w, &watts_fields,
                 "own power of the load, by own_method: the parts are calculated from it"),
});
#undef OF

#define OF struct probe_entry
static const struct fields load_fields = FIELDS_NAMED("load", "one load with one number of threads")({
    FIELD_NAME(name, "its name in the tables"),
    FIELD_WORD(enum load_kind, kind, kind_word, LOAD_IDLE, LOAD_KINDS, "the built-in load"),
    FIELD_UNSIGNED(threads, "number of its threads; null: the load has no choice of threads", .flags = FIELD_NULL_0),
    FIELD_OBJECT(struct error, error, &fault_fields, "why it could not be run, or not to its end; null: it was",
                 FIELD_WHERE(failed)),
    FIELD_NUMBER_AS("total_gross_w", row.total_gross_w,
                    "of the meter of the machine, or of packages, memory and graphics cards together, in watts"),
    FIELD_OBJECT(struct sample_stats[BREAKDOWN_DOMAINS], gross_w, &spreads_fields, "all power, by domain"),
    FIELD_OBJECT(struct sample_stats[BREAKDOWN_DOMAINS], net_w, &spreads_fields,
                 "less the power in the baselines, by domain"),
    FIELD_OBJECT(struct sample_stats[BREAKDOWN_DOMAINS], own_w, &spreads_fields,
                 "own power of the load, by own_method and domain"),
    FIELD_NUMBER_AS("busy_cpus", row.busy_cpus, "mean over the runs", .flags = FIELD_FROM_0),
    FIELD_NUMBER_AS("bytes_per_s", row.bytes_per_s, "mean over the runs", .flags = FIELD_FROM_0),
    FIELD_NUMBER_AS("j_per_gib", row.j_per_gib,
                    "energy of memory or I/O for each GiB moved, in joules; null where that part is not resolved"),
    FIELD_OBJECT_AS("parts", struct breakdown_figure[POWER_PARTS], row.parts, &parts_fields,
                    "total_gross_w by part; null: unknown, or no such part of this load"),
    FIELD_SAID("largest", largest, part_names, "the largest known part", .flags = FIELD_NULL_EMPTY),
    FIELD_LIST(struct breakdown_run, runs, run_count, &run_fields, "each run that ended well"),
});

static const struct fields row_fields = FIELDS({
    FIELD_COUNT(run_count, "runs that ended well"),
    FIELD_BOOL(failed, "it could not be run, or not to its end"),
});
#undef OF

#define OF struct probe_result
static const struct fields hours_fields = FIELDS({
    FIELD_NUMBER_AS("value", hours_per_year, "hours of this workload in a year, in h",
                    .flags = FIELD_KNOWN | FIELD_ABOVE_0, .max = 8760),
    FIELD_QUALITY_AS("quality", hours_quality, "given or default"),
});

static const struct fields standing_fields = FIELDS({
    FIELD_NUMBER_AS("w", idle_w, "mean of the part idle over all runs, in watts"),
    FIELD_GROUP("hours_per_year", &hours_fields, "the declared duty"),
    FIELD_NUMBER_AS("it_kwh_per_year", idle_year.it_kwh, "of the machine, in kWh"),
    FIELD_NUMBER_AS("facility_kwh_per_year", idle_year.facility_kwh, "with the building: times the PUE, in kWh"),
    FIELD_NUMBER_AS("kgco2eq_per_year", idle_year.kgco2eq, "times the factor, in kgCO2eq"),
});

static const struct fields pue_fields = FIELDS({
    FIELD_NUMBER_AS("value", pue, "facility energy over IT energy", .flags = FIELD_KNOWN | FIELD_FROM_1),
    FIELD_QUALITY_AS("quality", pue_quality, "given or default"),
});

static const struct fields probe_fields = FIELDS({
    FIELD_CONSTANT("schema", PROBE_SCHEMA, "name and version of this form"),
    FIELD_TEXT(id, "random UUID of this result", .pattern = FIELD_LIKE_UUID),
    FIELD_WRITER,
    FIELD_TIME_AS("started_at", started_realtime_ns, "when carbon started, UTC"),
    FIELD_TIME_AS("ended_at", ended_realtime_ns, "up to when it was measured, UTC"),
    FIELD_BOOL(complete, "false: written while the loads were still run, it was cut short, or a load could not be run"),
    FIELD_BOOL(interrupted, "a signal ended the series early"),
    FIELD_BOOL(recorded_tree, "the counters are those of a recorded machine, not of the one the loads ran on"),
    FIELD_TEXT(cpus, "the CPUs that the loads may use: 0-3,8", .flags = FIELD_NULL_EMPTY),
    FIELD_NUMBER(load_s, "how long each load was to run, in seconds", .flags = FIELD_KNOWN | FIELD_ABOVE_0),
    FIELD_NUMBER(baseline_s,
                 "how long the idle machine was watched between runs, in seconds; null: as long as the run before",
                 .flags = FIELD_FROM_0),
    FIELD_COUNT(runs, "of each load, as requested", .flags = FIELD_FROM_1),
    FIELD_NUMBER(baseline_busy_cpus,
                 "CPUs of the machine that other processes kept busy in the baselines, on average; null: unknown, or "
                 "no baseline",
                 .flags = FIELD_FROM_0),
    FIELD_NUMBER(baseline_busy_mask_cpus, "the same of the CPUs that the loads may use", .flags = FIELD_FROM_0),
    FIELD_OWN_METHOD(own_method,
                     "method of the loads' own power, the weakest of all: gross less idle, a share of that, CPU time × "
                     "a model's watts per busy CPU; unknown: of some load it cannot be separated from other processes"),
    FIELD_OBJECT(struct probe_domain[BREAKDOWN_DOMAINS], domains, &domains_fields,
                 "the meters it stands on; null: there is none"),
    FIELD_LIST_AS("loads", struct probe_entry, entries, entry_count, &load_fields,
                  "one for each load and number of threads", .flags = FIELD_FULL),
    FIELD_GROUP("standing", &standing_fields, "idle power"),
    FIELD_GROUP("pue", &pue_fields, "power usage effectiveness"),
    FIELD_OBJECT(struct factor, factor, &factor_fields, "emission factor and its source"),
    FIELD_OBJECT(const struct machine *, machine, &machine_fields, "the machine; no host or user name",
                 .flags = FIELD_BEHIND | FIELD_KNOWN),
    FIELD_NOTICES,
});

/* "unknown" where there is no such domain. */
static const struct fields quality_fields = FIELDS({
    FIELD_QUALITY_AS("package", domains[BREAKDOWN_PACKAGE].quality, "of all packages"),
    FIELD_QUALITY_AS("memory", domains[BREAKDOWN_MEMORY].quality, "of all memory"),
    FIELD_QUALITY_AS("machine", domains[BREAKDOWN_MACHINE].quality, "of the machine's meter"),
    FIELD_QUALITY_AS("gpu", domains[BREAKDOWN_GPU].quality, "of all graphics cards"),
});
#undef OF

/* The structs of a row. */
enum { RESULT, QUALITY, LOAD, ROW };
static const struct fields *const row_of[] = { &probe_fields, &quality_fields, &load_fields, &row_fields };

#define DOMAIN(name)                                                                                                   \
    { name "_gross_w", "gross_w." name ".mean", LOAD }, { name "_net_w", "net_w." name ".mean", LOAD },                \
    {                                                                                                                  \
        name "_quality", name, QUALITY                                                                                 \
    }
#define PART(name)                                                                                                     \
    { name "_w", "parts." name ".w", LOAD }, { name "_error_w", "parts." name ".error_w", LOAD },                      \
        { name "_percent", "parts." name ".percent", LOAD }, { name "_told", "parts." name ".told", LOAD },            \
    {                                                                                                                  \
        name "_assumed", "parts." name ".assumed", LOAD                                                                \
    }
static const struct column columns[] = {
    COLUMNS(RESULT, schema, id),
    { "load", "name", LOAD },
    COLUMNS(LOAD, kind, threads),
    { "runs", "run_count", ROW },
    COLUMN(failed, ROW),
    COLUMNS(LOAD, busy_cpus, bytes_per_s, j_per_gib, total_gross_w),
    DOMAIN("package"),
    DOMAIN("memory"),
    DOMAIN("machine"),
    DOMAIN("gpu"),
    PART("idle"),
    PART("cpu"),
    PART("memory"),
    PART("io"),
    PART("rest"),
    COLUMNS(RESULT, baseline_busy_cpus, baseline_busy_mask_cpus),
    { "package_own_w", "own_w.package.mean", LOAD },
    { "memory_own_w", "own_w.memory.mean", LOAD },
    { "machine_own_w", "own_w.machine.mean", LOAD },
    { "gpu_own_w", "own_w.gpu.mean", LOAD },
    COLUMN(own_method, RESULT),
};
static const struct table probe_columns = TABLE_OF(columns, row_of);

const struct schema probe_schema = { "probe", PROBE_SCHEMA,
                                     "The result of carbon probe: power of the parts of this machine.", &probe_fields,
                                     &probe_columns };

bool probe_write_json(const struct probe_result *result, FILE *out, struct error *err)
{
    return document_json(&probe_schema, result, out, "the JSON result", err);
}

bool probe_write_csv(const struct probe_result *result, FILE *out, struct error *err)
{
    table_head(&probe_columns, out);
    for (size_t i = 0; i < result->entry_count; i++)
        table_row(&probe_columns, (const void *const[]){ result, result, &result->entries[i], &result->entries[i] },
                  out);
    return !ferror(out) || error_errno(err, "cannot write the CSV table");
}
