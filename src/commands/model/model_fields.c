/* SPDX-License-Identifier: MIT
 * A model's runs with several numbers of inputs as JSON and CSV: every field and its meaning. CSV has one row
 * a number of inputs. */
#include "config.h"

#include "commands/model/model_report.h"

#include "form/columns.h"
#include "result/energy_fields.h"
#include "result/session_fields.h"

static const char *state_word(int state)
{
    return model_state_name((enum model_state)state);
}

static bool is_interrupted(const void *report)
{
    return ((const struct model_report *)report)->interrupted != 0;
}

static bool has_run(const void *record)
{
    return ((const struct report *)record)->measurement->run_count > 0;
}

static bool has_figures(const void *row)
{
    return model_row_has_figures(row);
}

static double gross_j_per_input(const void *of)
{
    const struct model_row *row = of;

    return model_row_per_input(row, row->record->summary.total.gross_j.mean);
}

static double net_j_per_input(const void *of)
{
    const struct model_row *row = of;

    return model_row_per_input(row, row->record->summary.total.net_j.mean);
}

/* CSV has a word for a row without figures, too. */
static const char *row_quality(const void *row)
{
    return quality_name(has_figures(row) ? ((const struct model_row *)row)->record->summary.quality : QUALITY_UNKNOWN);
}

/* Parts of a row that its record has. */
#define OF struct report
static const struct fields begin_fields = FIELDS({
    FIELD_TEXT_AS("record_id", id, "id of the record that the ledger keeps of its runs; null: it was not run",
                  .known = has_run, .pattern = FIELD_LIKE_UUID),
    FIELD_COUNT_AS("runs", summary.runs, "runs that count"),
    FIELD_INT(exit_status, "of the last run; 128 + n when signal n ended it; null: none has ended",
              .flags = FIELD_IF_GIVEN | FIELD_NULL_NEGATIVE, .given = FIELD_AT(bool, exit_known), .max = 255),
});

#define USAGE(member, meaning)                                                                                         \
    FIELD_OBJECT_AS(#member, struct usage_figure, usage.member, &usage_figure_fields, meaning)
static const struct fields energies_fields = FIELDS({
    FIELD_SPREAD_AS("duration_s", summary.duration_s, "wall time of a run, in seconds"),
    USAGE(cpu_s, "CPU time of the target, in seconds"),
    USAGE(cpu_percent_of_core, "cpu_s over the wall time, in percent of one core"),
    USAGE(cpu_percent_of_machine, "the same in percent of all CPUs of the machine; the CPU Avg of Ersilia's report"),
    USAGE(memory_peak_bytes, "the most memory that was in use during a run, in bytes"),
    FIELD_SPREAD_AS("gross_j", summary.total.gross_j, "all energy in a run, in joules"),
    FIELD_SPREAD_AS("idle_j", summary.total.idle_j, "idle power of the baseline times duration_s, in joules"),
    FIELD_SPREAD_AS("net_j", summary.total.net_j, "gross_j - idle_j"),
});

static const struct fields emissions_fields = FIELDS({
    FIELD_OBJECT_AS("gross", struct footprint, gross.footprint, &footprint_fields, "gross_j and its emissions"),
    FIELD_OBJECT_AS("net", struct footprint, net.footprint, &footprint_fields, "net_j and its emissions"),
    FIELD_QUALITY_AS("quality", summary.quality, "of the energies: the worst among the counted domains"),
});

static const struct fields target_fields = FIELDS({
    FIELD_NAME(target, "the container that was watched; null: the run command itself was measured",
               .flags = FIELD_NULL_EMPTY),
});
#undef OF

#define OF struct model_row
#define RECORD(fields) FIELD_PART(const struct report *, record, fields, FIELD_BEHIND)
static const struct fields figures_fields = FIELDS_NAMED("figures", "means over the runs that count")({
    RECORD(&energies_fields),
    FIELD_FIGURE("gross_j_per_input", gross_j_per_input, "mean gross_j over inputs"),
    FIELD_FIGURE("net_j_per_input", net_j_per_input, "mean net_j over inputs"),
    RECORD(&emissions_fields),
});

static const struct fields row_fields = FIELDS_NAMED("size", "one number of inputs")({
    FIELD_COUNT(inputs, "how many inputs the model was given", .flags = FIELD_FROM_1),
    FIELD_WORD(enum model_state, state, state_word, MODEL_NOT_RUN, MODEL_TIMED_OUT + 1,
               "timed out: a run took longer than timeout_s; not run: the series had ended before"),
    RECORD(&begin_fields),
    FIELD_GROUP("figures", &figures_fields, "results of its runs; null unless it is done", .known = has_figures),
});

static const struct fields quality_fields = FIELDS({
    FIELD_SAID("quality", row_quality, NULL, "of the energies"),
});
#undef OF

#define OF struct model_report
static const struct fields report_fields = FIELDS({
    FIELD_CONSTANT("schema", MODEL_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_SESSION(&session_id_fields),
    FIELD_NAME(model, "the model's name, as it was given", .flags = FIELD_FULL),
    FIELD_NAME(recipe, "name of the recipe by which it was served and run", .flags = FIELD_FULL),
    FIELD_NAME(label, "label given by the user", .flags = FIELD_NULL_EMPTY),
    FIELD_SESSION(&target_fields),
    FIELD_TEXT(started_at, "when carbon began, UTC", .flags = FIELD_NULL_EMPTY, .pattern = FIELD_LIKE_TIME),
    FIELD_TEXT(ended_at, "when the work ended, or this was written, UTC", .flags = FIELD_NULL_EMPTY,
               .pattern = FIELD_LIKE_TIME),
    FIELD_BOOL(complete, "every size was run as often as it was to be, and ended with 0"),
    FIELD_FACT("interrupted", is_interrupted, "a signal ended it early"),
    FIELD_COUNT(runs, "of each size that were asked for", .flags = FIELD_FROM_1),
    FIELD_NUMBER(baseline_s,
                 "watched before the first size, with the model served, in seconds; null: after runs, as long",
                 .flags = FIELD_FROM_0),
    FIELD_NUMBER(timeout_s, "how long a run may take, in seconds; null: as long as it takes", .flags = FIELD_ABOVE_0),
    FIELD_SESSION(&session_machine_fields),
    FIELD_SESSION(&session_factor_fields),
    FIELD_LIST_AS("sizes", const struct model_row, rows, row_count, &row_fields, "in the order that they are run",
                  .flags = FIELD_FULL),
    FIELD_NOTICES,
});
#undef OF

enum { REPORT, SIZE, SESSION, QUALITY };
static const struct fields *const row_of[] = { &report_fields, &row_fields, &session_factor_fields, &quality_fields };
static const struct column columns[] = {
    COLUMN(model, REPORT),
    COLUMNS(SIZE, inputs, state, runs, exit_status),
    { "duration_s", "figures.duration_s.mean", SIZE },
    { "cpu_s", "figures.cpu_s.value", SIZE },
    { "cpu_percent_of_core", "figures.cpu_percent_of_core.value", SIZE },
    { "cpu_percent_of_machine", "figures.cpu_percent_of_machine.value", SIZE },
    { "memory_peak_bytes", "figures.memory_peak_bytes.value", SIZE },
    { "gross_j", "figures.gross_j.mean", SIZE },
    { "idle_j", "figures.idle_j.mean", SIZE },
    { "net_j", "figures.net_j.mean", SIZE },
    { "gross_j_per_input", "figures.gross_j_per_input", SIZE },
    { "net_j_per_input", "figures.net_j_per_input", SIZE },
    { "gross_kgco2eq", "figures.gross.kgco2eq", SIZE },
    { "net_kgco2eq", "figures.net.kgco2eq", SIZE },
    COLUMN(quality, QUALITY),
    { "pue", "pue.value", SESSION },
    { "kgco2eq_per_kwh", "factor.kgco2eq_per_kwh", SESSION },
};
static const struct table model_columns = TABLE_OF(columns, row_of);

const struct schema model_schema = { "model", MODEL_SCHEMA,
                                     "The result of carbon model --sizes: one model run on several numbers of inputs.",
                                     &report_fields, &model_columns };

bool model_report_json(const struct model_report *report, FILE *out, struct error *err)
{
    return document_json(&model_schema, report, out, "the JSON result", err);
}

bool model_report_csv(const struct model_report *report, FILE *out, struct error *err)
{
    table_head(&model_columns, out);
    for (size_t i = 0; i < report->row_count; i++) {
        const struct model_row *row = &report->rows[i];
        table_row(&model_columns, (const void *const[]){ report, row, report->session, row }, out);
    }
    return !ferror(out) || error_errno(err, "cannot write the CSV result");
}
