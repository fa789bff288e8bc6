/* SPDX-License-Identifier: MIT
 * The result of a performance indicator as JSON: every field and its meaning. The record of its runs is in it,
 * so that it can be the base of a later comparison. What a script has printed is kept byte for byte, and
 * indicator_flat.c makes columns of its keys: those are the script's, and no struct has them. */
#include "config.h"

#include "commands/indicator/indicator_fields.h"

#include "base/auto.h"
#include "result/record_fields.h"
#include "result/session_fields.h"

#include <math.h>
#include <string.h>

/* What is kept of an output that is none. */
enum { TEXT_STORED = 1 << 16 };

struct indicator_json_run_view {
    size_t number;
    const char *output, *text;
    const struct fault *fault;
    double overall_score;
    struct indicator_added added;
};

static const char *fault_word(int kind)
{
    return fault_name((enum fault_kind)kind);
}

static bool is_fault(const void *fault)
{
    return ((const struct fault *)fault)->kind != FAULT_NONE;
}

#define OF struct fault
static const struct field problem_list[] = {
    FIELD_WORD_AS("name", enum fault_kind, kind, fault_word, FAULT_EMPTY, FAULT_KINDS, "the fault"),
    FIELD_COUNT(line, "where, from 1", .flags = FIELD_NULL_0),
    FIELD_COUNT(column, "likewise, in characters", .flags = FIELD_NULL_0),
    FIELD_PART(struct error, error, &error_text_fields, 0),
};
#undef OF
static const struct fields problem_fields = FIELDS_KNOWN(NULL, NULL, struct fault, problem_list, is_fault);

#define OF struct indicator_json_run_view
static const struct fields run_view_fields = FIELDS({
    FIELD_COUNT_AS("run", number, "its number, from 1", .flags = FIELD_FROM_1),
    FIELD_JSON_AS("output", output,
                  "the object that the script printed, its numbers digit for digit; null: it is none"),
    FIELD_NAME(text, "the printed text, if it is not an output; its first 64 KiB", .flags = FIELD_NULL_EMPTY),
    FIELD_OBJECT_AS("problem", const struct fault *, fault, &problem_fields,
                    "why the output is none; null: it keeps to the contract", .flags = FIELD_BEHIND | FIELD_NULLABLE),
    FIELD_NUMBER(overall_score, "what --score makes; null: it was not asked for, or the energy is not known"),
    FIELD_PART(struct indicator_added, added, &indicator_added_fields, 0),
});
#undef OF

static void add_runs(struct tree_node array, const void *of)
{
    const struct indicator_report *report = of;
    struct error err;

    for (size_t i = 0; i < report->run_count && !*array.failed; i++) {
        const struct indicator_run *run = &report->runs[i];
        const bool good = run->fault.kind == FAULT_NONE;
        AUTO_FREE char *output = good ? indicator_text(report, i, true, true, &err) : NULL;
        AUTO_FREE char *text = good || !run->text ? NULL : strndup(run->text, TEXT_STORED);
        const struct indicator_json_run_view view = {
            .number = i + 1,
            .output = output,
            .text = text,
            .fault = &run->fault,
            .overall_score = good && report->options.score ? indicator_score(report, i) : NAN,
            .added = indicator_added_of(report, i),
        };
        *array.failed |= good && !output;
        fields_json(tree_object(array, NULL), &run_view_fields, &view);
    }
}

#define OF struct report
static const struct fields head_fields = FIELDS({
    FIELD_SAME(&session_id_fields),
    FIELD_SAME(&session_progress_fields),
    FIELD_SAME(&session_machine_fields),
    FIELD_SAME(&session_factor_fields),
});

static const struct fields summary_energy_fields = FIELDS({
    FIELD_QUALITY_AS("energy_quality", summary.quality, "the worst among the counted domains"),
    FIELD_WORD_AS("energy_scope", enum scope, scope, scope_word, SCOPE_COMPUTE, SCOPE_MACHINE + 1,
                  "domains that make up the total"),
    FIELD_SPREAD_AS("energy_duration_s", summary.duration_s, "length of a run, in s"),
    FIELD_SPREAD_AS("energy_gross_j", summary.total.gross_j, "gross, in J"),
    FIELD_SPREAD_AS("energy_idle_j", summary.total.idle_j, "idle, in J"),
    FIELD_SPREAD_AS("energy_net_j", summary.total.net_j, "net, in J"),
    FIELD_INTERVAL_AS("energy_net_interval_j", summary.total.net_interval_j, "of the mean net, 95 %"),
    FIELD_SPREAD_AS("energy_own_j", summary.total.own_j, "the command's own, in J"),
    FIELD_INTERVAL_AS("energy_own_interval_j", summary.total.own_interval_j, "of the mean own, 95 %"),
    FIELD_WORD_AS("energy_own_method", enum own_method, summary.total.own_method, own_method_word, OWN_UNKNOWN,
                  OWN_METHODS, "method of own"),
    FIELD_VERDICT_AS("energy_verdict", summary.verdict.verdict, "verdict on net"),
    FIELD_COUNT_AS("energy_runs_needed", summary.verdict.runs_needed,
                   "runs that would settle it; null: unknown, or out of reach", .flags = FIELD_NULL_0, .min = 2),
});

static const struct fields summary_carbon_fields = FIELDS({
    FIELD_NUMBER_AS("carbon_gross_kgco2eq", gross.footprint.kgco2eq, "of gross, in kgCO2eq"),
    FIELD_NUMBER_AS("carbon_net_kgco2eq", net.footprint.kgco2eq, "of net, in kgCO2eq"),
    FIELD_NUMBER_AS("carbon_own_kgco2eq", own.footprint.kgco2eq, "of own, in kgCO2eq"),
});

static const struct fields summary_fields = FIELDS({
    FIELD_GROUP("@energy", &summary_energy_fields, "energy per run"),
    FIELD_GROUP("@carbon", &summary_carbon_fields, "per run, on average"),
    FIELD_COUNT_AS("runs", summary.runs, "runs in it"),
});
#undef OF

#define OF struct indicator_report
#define RECORD_AS(key, table, meaning)                                                                                 \
    FIELD_OBJECT_AS(key, const struct report *, report, table, meaning, .flags = FIELD_BEHIND | FIELD_KNOWN)
static const struct fields script_fields = FIELDS({
    FIELD_NAME_AS("path", script, "as it was named; of one within a specification, that file",
                  .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(sha256, "of it before the first run", .flags = FIELD_NULL_EMPTY),
});

static const struct fields report_fields = FIELDS({
    FIELD_CONSTANT("schema", INDICATOR_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_PART(const struct report *, report, &head_fields, FIELD_BEHIND),
    FIELD_GROUP("script", &script_fields, "the file that the command means"),
    FIELD_EACH("runs", add_runs, &run_view_fields, "the runs that count, in their order"),
    RECORD_AS("summary", &summary_fields, "the runs together"),
    FIELD_OBJECT(const struct gate *, gate, &gate_fields, "against the result of --compare; null: nothing was compared",
                 .flags = FIELD_BEHIND),
    RECORD_AS(RECORD_KEY, &record_fields, "the whole record of the runs, as carbon measure writes it"),
});
#undef OF

const struct schema indicator_schema = { "indicator", INDICATOR_SCHEMA,
                                         "The result of carbon indicator: the output of a performance indicator, run "
                                         "by run, with its usage, energy and emissions.",
                                         &report_fields, NULL };

bool indicator_json(const struct indicator_report *report, FILE *out, struct error *err)
{
    return document_json(&indicator_schema, report, out, "the JSON result", err);
}
