/* SPDX-License-Identifier: MIT
 * A batch as JSON and CSV: every field of it, and what it means. CSV has one row a run, in the order of the modules.
 * Runs and breaks are read back by the same tables: see batch_resume.c. */
#include "commands/batch/batch.h"

#include "form/columns.h"
#include "result/session_fields.h"

#include <math.h>

static const char *order_word(int order)
{
    return order_name((enum order)order);
}

static double population_deviation(const void *spread)
{
    return batch_population_deviation(spread);
}

bool batch_counts(const void *run)
{
    return batch_run_is_counted(run);
}

static double items_per_s_per_cpu(const void *of)
{
    const struct batch_module *module = of;

    return module->pinned_cpus ? module->items_per_s.mean / (double)module->pinned_cpus : NAN;
}

static bool is_shuffled(const void *batch)
{
    return ((const struct batch *)batch)->order == ORDER_SHUFFLED;
}

/* A spread with both deviations: Fink's is numpy's, of the population. */
static const struct field both_list[] = {
    FIELD_SAME(&spread_begin_fields),
    FIELD_FIGURE("deviation_population", population_deviation,
                 "standard deviation of these runs alone, as numpy has it; 0 for one", .flags = FIELD_FROM_0),
    FIELD_SAME(&spread_end_fields),
};
static const struct fields both_fields =
    FIELDS_OF("spread", "one figure over the counted runs, in the unit of its key", struct sample_stats, both_list);
#define BOTH(member, meaning) FIELD_OBJECT(struct sample_stats, member, &both_fields, meaning)

#define OF struct emission
static const struct fields emission_fields = FIELDS_NAMED("emission", "an energy of the mean run and its emissions")({
    FIELD_PART(struct footprint, footprint, &footprint_fields, 0),
    FIELD_SAME(&emission_rates_fields),
});
#undef OF
#define EMISSION(member, meaning) FIELD_OBJECT(struct emission, member, &emission_fields, meaning)

#define OF struct run_figures
static const struct fields figures_fields = FIELDS({
    FIELD_NUMBER(duration_s, "wall time, in seconds", .flags = FIELD_FROM_0),
    FIELD_NUMBER(gross_j, "RAW: all energy in the run, in joules"),
    FIELD_NUMBER(idle_j, "BAS: idle power of the baselines around it × duration_s, in joules"),
    FIELD_NUMBER(net_j, "DIF: gross_j - idle_j"),
    FIELD_NUMBER(own_j, "the job's own energy, by own_method, in joules; idle is not in it"),
});
#undef OF

#define OF struct batch_run
const struct fields batch_run_fields = FIELDS_NAMED("run", "one loop of a module")({
    FIELD_COUNT(loop, "which, from 1", .flags = FIELD_FROM_1),
    FIELD_TEXT(started_at, "when it was started, UTC", .flags = FIELD_NULL_EMPTY, .pattern = FIELD_LIKE_TIME),
    FIELD_PART(struct run_figures, figures, &figures_fields, 0),
    FIELD_OWN_METHOD(own_method, "method of own_j; unknown: none applies"),
    FIELD_NUMBER(gpu_own_j,
                 "of the counted graphics cards, energy of the module's processes by their time on them, in joules",
                 .flags = FIELD_FROM_0),
    FIELD_INT(exit_status, "128 + n when signal n ended it; null: it had not ended", FIELD_WHERE(ended), .max = 255),
    FIELD_BOOL(cut_short, "ended by a signal to carbon, not by a fault of the module; --resume repeats it"),
    FIELD_FACT("counted", batch_counts,
               "part of the module's figures: exit status 0, with its baseline, and complete, unless no run of the "
               "module is; --resume repeats the others"),
});
#undef OF

#define OF struct batch_break
const struct fields batch_break_fields = FIELDS_NAMED("break", "an interruption")({
    FIELD_TEXT(interrupted_at, "when the last was written before it, UTC", .flags = FIELD_NULL_EMPTY,
               .pattern = FIELD_LIKE_TIME),
    FIELD_TEXT(resumed_at, "when it went on, UTC", .flags = FIELD_NULL_EMPTY, .pattern = FIELD_LIKE_TIME),
    FIELD_COUNT(runs_before, "runs kept from before"),
});
#undef OF

#define OF struct batch_module
const struct fields batch_module_fields = FIELDS_NAMED("module", "results of one module")({
    FIELD_NAME(name, "its name in the file or in --module", .flags = FIELD_FULL),
    FIELD_NAME(command, "command line for sh; bytes that are not UTF-8 are U+FFFD", .flags = FIELD_FULL),
    FIELD_TEXT(cpus, "the CPUs it may use: 0-3,8", .flags = FIELD_NULL_EMPTY),
    FIELD_COUNT(pinned_cpus, "how many it is held to; null: it is not held", .flags = FIELD_NULL_0),
    FIELD_NUMBER(items, "number of inputs of one run; null: not stated", .flags = FIELD_ABOVE_0),
    FIELD_LIST(struct batch_run, runs, run_count, &batch_run_fields,
               "in the order that they were done, warm-ups aside"),
    FIELD_COUNT(counted, "runs that count"),
    FIELD_COUNT(failed, "runs that failed; the module is not run again"),
    FIELD_OBJECT(struct error, problem, &fault_fields, "why it could not be run; null: nothing of the kind",
                 .flags = FIELD_NULLABLE),
    FIELD_QUALITY(quality, "of its energies"),
    FIELD_BOOL(constant, "the meter reported constant power, whatever ran"),
    BOTH(duration_s, "wall time of a run, in seconds"),
    BOTH(gross_j, "RAW: all energy in a run, in joules"),
    BOTH(idle_j, "BAS: idle energy of the machine in that time, in joules"),
    BOTH(net_j, "DIF: run by run"),
    FIELD_INTERVAL_AS("net_interval_j", verdict.net_j_interval, "95 % interval of the mean of net_j"),
    BOTH(own_j, "the module's own energy, run by run, in joules: DIF where own_method is another than net"),
    FIELD_INTERVAL(own_interval_j, "95 % interval of the mean of own_j"),
    FIELD_OWN_METHOD(own_method, "method of own_j; unknown: none applies"),
    FIELD_PART(struct net_verdict, verdict, &net_verdict_fields, 0),
    FIELD_NUMBER(gross_w, "RAW: mean energy / mean duration, in watts"),
    FIELD_NUMBER(idle_w, "BAS, likewise"),
    FIELD_NUMBER(net_w, "DIF, likewise"),
    FIELD_NUMBER(own_w, "own_j, likewise"),
    EMISSION(gross, "what RAW emits"),
    EMISSION(idle, "what BAS emits"),
    EMISSION(net, "what DIF emits"),
    EMISSION(own, "emissions of own_j"),
    BOTH(items_per_s, "throughput, run by run"),
    FIELD_FIGURE("items_per_s_per_cpu", items_per_s_per_cpu, "its mean over the CPUs that the module is held to",
                 .flags = FIELD_ABOVE_0),
    FIELD_NOTICES,
});
#undef OF

#define OF struct batch
const struct fields batch_fields = FIELDS({
    FIELD_CONSTANT("schema", BATCH_SCHEMA, "name and version of this form"),
    FIELD_SESSION(&session_id_fields),
    FIELD_WRITER,
    FIELD_TEXT(started_at, "when carbon began the first of its parts, UTC", .flags = FIELD_NULL_EMPTY,
               .pattern = FIELD_LIKE_TIME),
    FIELD_TEXT(ended_at, "when the work ended, or this was written, UTC", .flags = FIELD_NULL_EMPTY,
               .pattern = FIELD_LIKE_TIME),
    FIELD_BOOL(complete, "every loop of every module was done, or its module failed"),
    FIELD_BOOL(interrupted, "a signal ended it early"),
    FIELD_SESSION(&session_machine_fields),
    FIELD_NAMES_IN_PLACE(sources, source_count, "where the joules come from"),
    FIELD_LIST_AS("resumed", struct batch_break, breaks, break_count, &batch_break_fields,
                  "the interruptions that it was resumed from; the parts are separate in time"),
    FIELD_COUNT(loops, "runs of each module that were asked for", .flags = FIELD_FROM_1),
    FIELD_COUNT(warmups, "runs of each module before that, in no figure"),
    FIELD_NUMBER(baseline_s, "length of a baseline, in seconds; null: as long as the run", .flags = FIELD_FROM_0),
    FIELD_WORD(enum order, order, order_word, ORDER_INTERLEAVED, ORDER_SHUFFLED + 1, "of the modules in each round"),
    FIELD_U64(seed, "of a shuffled order", .known = is_shuffled),
    FIELD_SESSION(&session_factor_fields),
    FIELD_SESSION(&session_hours_fields),
    FIELD_LIST(struct batch_module, modules, module_count, &batch_module_fields,
               "in the order of the file, then of the command line", .flags = FIELD_FULL),
    FIELD_NOTICES,
});
#undef OF

/* What is worked out for a row of CSV alone: an energy of the run, and what it comes to in a year at its rate. */
struct row_energy {
    double w, kgco2eq, kgco2eq_per_year, facility_kwh_per_year;
};
struct batch_fields_row {
    struct row_energy gross, idle, net, own;
    double items_per_s;
};

#define OF struct row_energy
static const struct fields row_energy_fields = FIELDS({
    FIELD_NUMBER(w, "its power, in watts"),
    FIELD_NUMBER(kgco2eq, "its emissions"),
    FIELD_NUMBER(kgco2eq_per_year, "in a year"),
    FIELD_NUMBER(facility_kwh_per_year, "likewise"),
});
#undef OF

#define OF struct batch_fields_row
static const struct fields row_fields = FIELDS({
    FIELD_OBJECT(struct row_energy, gross, &row_energy_fields, "of gross_j"),
    FIELD_OBJECT(struct row_energy, idle, &row_energy_fields, "of idle_j"),
    FIELD_OBJECT(struct row_energy, net, &row_energy_fields, "of net_j"),
    FIELD_OBJECT(struct row_energy, own, &row_energy_fields, "of own_j"),
    FIELD_NUMBER(items_per_s, "throughput of the run"),
});
#undef OF

/* The structs of a row. */
enum { MODULE, RUN, SESSION_FACTOR, SESSION_HOURS, ROW };
static const struct fields *const row_of[] = {
    &batch_module_fields, &batch_run_fields, &session_factor_fields, &session_hours_fields, &row_fields,
};

#define ENERGY(name)                                                                                                   \
    { name "_j", name "_j", RUN }, { name "_w", name ".w", ROW }, { name "_kgco2eq", name ".kgco2eq", ROW },           \
    {                                                                                                                  \
        name "_kgco2eq_per_year", name ".kgco2eq_per_year", ROW                                                        \
    }
static const struct column columns[] = {
    { "module", "name", MODULE },
    COLUMNS(RUN, loop, started_at, exit_status, counted, duration_s),
    ENERGY("gross"),
    ENERGY("idle"),
    ENERGY("net"),
    COLUMN(items, MODULE),
    COLUMN(items_per_s, ROW),
    COLUMNS(MODULE, cpus, quality),
    { "pue", "pue.value", SESSION_FACTOR },
    { "kgco2eq_per_kwh", "factor.kgco2eq_per_kwh", SESSION_FACTOR },
    { "hours_per_year", "hours_per_year.value", SESSION_HOURS },
    ENERGY("own"),
    COLUMN(own_method, RUN),
    { "gross_facility_kwh_per_year", "gross.facility_kwh_per_year", ROW },
    { "idle_facility_kwh_per_year", "idle.facility_kwh_per_year", ROW },
    { "net_facility_kwh_per_year", "net.facility_kwh_per_year", ROW },
    { "own_facility_kwh_per_year", "own.facility_kwh_per_year", ROW },
};
static const struct table batch_columns = TABLE_OF(columns, row_of);

const struct schema batch_schema = {
    "batch", BATCH_SCHEMA, "The result of carbon batch: modules in loops, each run with a baseline of its own.",
    &batch_fields, &batch_columns
};

static double rate(double amount, double duration_s)
{
    return duration_s > 0 ? amount / duration_s : NAN;
}

static struct row_energy energy_of(const struct report *session, bool rates, double energy_j, double duration_s)
{
    return (struct row_energy){
        .w = rates ? rate(energy_j, duration_s) : NAN,
        .kgco2eq = footprint_of(energy_j, session->pue, session->factor.kgco2eq_per_kwh).kgco2eq,
        .kgco2eq_per_year = rates ? batch_kgco2eq_per_year(session, energy_j, duration_s) : NAN,
        .facility_kwh_per_year = rates ? batch_facility_kwh_per_year(session, energy_j, duration_s) : NAN,
    };
}

static void write_row(const struct report *session, const struct batch_module *module, const struct batch_run *run,
                      FILE *out)
{
    const struct run_figures *figures = &run->figures;
    const double duration_s = figures->duration_s;
    const struct batch_fields_row row = {
        .gross = energy_of(session, module->rates, figures->gross_j, duration_s),
        .idle = energy_of(session, module->rates, figures->idle_j, duration_s),
        .net = energy_of(session, module->rates, figures->net_j, duration_s),
        .own = energy_of(session, module->rates, figures->own_j, duration_s),
        .items_per_s = batch_run_is_counted(run) ? rate(module->items, duration_s) : NAN,
    };

    table_row(&batch_columns, (const void *const[]){ module, run, session, session, &row }, out);
}

bool batch_json(const struct batch *batch, FILE *out, struct error *err)
{
    return document_json(&batch_schema, batch, out, "the JSON result", err);
}

bool batch_csv(const struct batch *batch, FILE *out, struct error *err)
{
    table_head(&batch_columns, out);
    for (size_t i = 0; i < batch->module_count; i++)
        for (size_t j = 0; j < batch->modules[i].run_count; j++)
            write_row(batch->session, &batch->modules[i], &batch->modules[i].runs[j], out);
    return !ferror(out) || error_errno(err, "cannot write the CSV result");
}
