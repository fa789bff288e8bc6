/* SPDX-License-Identifier: MIT
 * A comparison as JSON and CSV: every field of it, and what it means. JSON holds the whole records, CSV has one row a
 * pair. */
#include "config.h"

#include "commands/compare/comparison.h"

#include "form/columns.h"
#include "form/shell.h"
#include "result/record_fields.h"
#include "result/session_fields.h"

static const char *const orders[] = { "interleaved", "shuffled", NULL };

#define OF struct mean_difference
static const struct fields difference_fields = FIELDS_NAMED("difference", "of one figure, in the unit of its key")({
    FIELD_NUMBER_AS("difference", welch.difference, "of the means, b - a"),
    FIELD_NUMBER_AS("low", welch.low, "lower end of its 95 % interval (Welch)"),
    FIELD_NUMBER_AS("high", welch.high, "upper end"),
    FIELD_NUMBER(percent, "of a's mean; null where that is not above what it may be off by, or where a net has no idle "
                          "baseline"),
    FIELD_NUMBER(percent_low, "lower end of the interval likewise"),
    FIELD_NUMBER(percent_high, "upper end likewise"),
    FIELD_NUMBER_AS("freedom", welch.freedom, "Welch's degrees of freedom", .flags = FIELD_ABOVE_0),
    FIELD_NUMBER_AS("t", welch.t, "difference in standard errors"),
    FIELD_NUMBER_AS("p", welch.p, "how probable a difference as large is by chance alone", .flags = FIELD_FROM_0,
                    .max = 1),
    FIELD_NUMBER_AS("hedges_g", welch.hedges_g, "difference in pooled deviations"),
    FIELD_NUMBER_AS("detectable", welch.detectable, "the smallest true difference that is found in four of five cases",
                    .flags = FIELD_FROM_0),
    FIELD_NUMBER(detectable_percent, "likewise, of a's mean", .flags = FIELD_FROM_0),
    FIELD_COUNT(runs_needed, "runs of each that would settle the difference seen; null: unknown, or out of reach",
                .flags = FIELD_NULL_0, .min = 2),
});
#undef OF
#define DIFFERENCE(member, meaning) FIELD_OBJECT(struct mean_difference, member, &difference_fields, meaning)

#define OF struct candidate
#define WHOSE(table, key, member, meaning)                                                                             \
    static const struct field table##_list[] = { FIELD_NAME_AS(key, member, meaning) };                                \
    static const struct fields table = FIELDS_OF(NULL, NULL, struct candidate, table##_list)
WHOSE(name_of_a, "a", name, "name of the first");
WHOSE(name_of_b, "b", name, "name of the other; differences are b - a");
WHOSE(id_of_a, "a_id", id, "id of the first's record");
WHOSE(id_of_b, "b_id", id, "id of the other's record");

/* Fields of a CSV row only. */
static const struct fields contender_fields = FIELDS({
    FIELD_NAME(name, "its name"),
    FIELD_NAME(id, "id of its record"),
    FIELD_BOOL(complete, "its series was done"),
    FIELD_COUNT_AS("runs", series.count, "that are compared"),
    FIELD_SPREAD(duration_s, "wall time of a run, in seconds"),
    FIELD_SPREAD(gross_j, "all energy in a run, in joules"),
    FIELD_SPREAD(idle_j, "idle energy of the machine in that time, in joules"),
    FIELD_SPREAD(net_j, "gross_j - idle_j, run by run"),
    FIELD_SPREAD(own_j, "the job's own energy, in joules"),
    FIELD_WORD_AS("own_method", enum own_method, series.own_method, own_method_word, OWN_UNKNOWN, OWN_METHODS,
                  "method of own_j"),
    FIELD_SCOPE(scope, "domains that make up the total"),
    FIELD_TEXT(sources, "where the joules come from"),
});
#undef OF
#define CANDIDATE(member, table) FIELD_PART(const struct candidate *, member, &(table), FIELD_BEHIND)

#define OF struct pair
static const struct fields pair_fields = FIELDS({
    CANDIDATE(a, name_of_a),
    CANDIDATE(b, name_of_b),
    CANDIDATE(a, id_of_a),
    CANDIDATE(b, id_of_b),
    FIELD_COMPARED_AS("compared", verdict.compared),
    FIELD_VERDICT_AS(
        "verdict", verdict.verdict,
        "verdict on the energy: measured or by CPU time (less, more), noise (the interval includes 0), ..."),
    FIELD_NAME(sentence, "the verdict in words"),
    DIFFERENCE(energy_j, "energy of a run, in joules"),
    DIFFERENCE(power_w, "energy over duration, run by run, in watts; null where runs are too short for a rate"),
    DIFFERENCE(duration_s, "wall time of a run, in seconds"),
    DIFFERENCE(kgco2eq, "energy x PUE x factor of a run, in kg; null where PUE or factor differ"),
    FIELD_NUMBER(p_holm, "p of the energy with all comparisons taken together (Holm 1979)", .flags = FIELD_FROM_0,
                 .max = 1),
    FIELD_OBJECT(struct gate *, gate, &gate_fields, "against --fail-over; null: none was given",
                 .flags = FIELD_BEHIND | FIELD_LATER),
});
#undef OF

/* Those that were read are as they were read. */
static void add_results(struct tree_node array, const void *of)
{
    const struct comparison *comparison = of;

    for (size_t i = 0; i < comparison->candidate_count; i++)
        if (comparison->candidates[i].report)
            fields_json(tree_object(array, NULL), &record_fields, comparison->candidates[i].report);
        else
            tree_json(array, NULL, comparison->candidates[i].record);
}

#define OF struct comparison
static const struct fields comparison_fields = FIELDS({
    FIELD_CONSTANT("schema", COMPARISON_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_TIME_AS("started_at", started_realtime_ns, "when carbon started, UTC; null where records were compared"),
    FIELD_TIME_AS("ended_at", ended_realtime_ns,
                  "when the work ended, or this was written; null where records were compared"),
    FIELD_ONE_OF(order, orders, "of the commands within each round; null where records were compared",
                 .flags = FIELD_NULL_EMPTY),
    FIELD_U64(seed, "--seed with this number gives the same shuffled order again; null: it was not shuffled",
              FIELD_WHERE(seeded)),
    FIELD_EACH("results", add_results, &record_fields,
               "whole records, in the order of the commands; those that were read are as they were read",
               .flags = FIELD_FULL),
    FIELD_LIST_AS("comparisons", struct pair, pairs, pair_count, &pair_fields,
                  "each result but the first against the first", .flags = FIELD_FULL),
    FIELD_OBJECT(struct comparison_gate *, gate, &comparison_gate_fields, "of --fail-over; null: none was given",
                 .flags = FIELD_BEHIND | FIELD_LATER),
    FIELD_PART(struct notices, doubts, &notices_fields, 0),
});
#undef OF

/* What is worked out for a row of CSV alone. */
struct comparison_row {
    const char *a_command, *b_command, *notices;
    enum quality quality;
};

#define OF struct comparison_row
static const struct fields row_fields = FIELDS({
    FIELD_NAME(a_command, "as a shell takes it"),
    FIELD_NAME(b_command, "likewise"),
    FIELD_QUALITY(quality, "the worse of both"),
    FIELD_NAME(notices, "the notices, joined"),
});
#undef OF

enum { COMPARISON, PAIR, A, B, ROW };
static const struct fields *const row_of[] = { &comparison_fields, &pair_fields, &contender_fields, &contender_fields,
                                               &row_fields };

#define CONTENDER_COLUMNS(name, of)                                                                                    \
    { name, "name", of }, { name "_id", "id", of }, { name "_command", name "_command", ROW },                         \
        { name "_complete", "complete", of }, { name "_runs", "runs", of },                                            \
        { name "_duration_s", "duration_s.mean", of }, { name "_duration_s_deviation", "duration_s.deviation", of },   \
        { name "_gross_j", "gross_j.mean", of }, { name "_gross_j_deviation", "gross_j.deviation", of },               \
        { name "_idle_j", "idle_j.mean", of }, { name "_idle_j_deviation", "idle_j.deviation", of },                   \
        { name "_net_j", "net_j.mean", of },                                                                           \
    {                                                                                                                  \
        name "_net_j_deviation", "net_j.deviation", of                                                                 \
    }
#define DIFFERENCE_COLUMN(name, member)                                                                                \
    {                                                                                                                  \
        name "_" member, name "." member, PAIR                                                                         \
    }
#define DIFFERENCE_COLUMNS(name)                                                                                       \
    DIFFERENCE_COLUMN(name, "difference"), DIFFERENCE_COLUMN(name, "low"), DIFFERENCE_COLUMN(name, "high"),            \
        DIFFERENCE_COLUMN(name, "percent"), DIFFERENCE_COLUMN(name, "percent_low"),                                    \
        DIFFERENCE_COLUMN(name, "percent_high"), DIFFERENCE_COLUMN(name, "freedom"), DIFFERENCE_COLUMN(name, "t"),     \
        DIFFERENCE_COLUMN(name, "p"), DIFFERENCE_COLUMN(name, "hedges_g"), DIFFERENCE_COLUMN(name, "detectable"),      \
        DIFFERENCE_COLUMN(name, "detectable_percent"), DIFFERENCE_COLUMN(name, "runs_needed")
#define OWN_COLUMNS(name, of)                                                                                          \
    { name "_own_j", "own_j.mean", of }, { name "_own_j_deviation", "own_j.deviation", of },                           \
    {                                                                                                                  \
        name "_own_method", "own_method", of                                                                           \
    }
static const struct column columns[] = {
    COLUMNS(COMPARISON, schema, started_at, ended_at, order, seed),
    CONTENDER_COLUMNS("a", A),
    CONTENDER_COLUMNS("b", B),
    COLUMN(scope, A),
    COLUMN(quality, ROW),
    COLUMN(sources, A),
    COLUMNS(PAIR, compared, verdict, sentence),
    DIFFERENCE_COLUMNS("energy_j"),
    DIFFERENCE_COLUMNS("power_w"),
    DIFFERENCE_COLUMNS("duration_s"),
    DIFFERENCE_COLUMNS("kgco2eq"),
    COLUMN(p_holm, PAIR),
    COLUMN(carbon_version, COMPARISON),
    COLUMN(notices, ROW),
    OWN_COLUMNS("a", A),
    OWN_COLUMNS("b", B),
};
static const struct table comparison_columns = TABLE_OF(columns, row_of);

const struct schema comparison_schema = {
    "comparison", COMPARISON_SCHEMA,
    "What carbon compare found: several records, and the difference of each from the first.", &comparison_fields,
    &comparison_columns
};

static void write_row(const struct comparison *comparison, const struct pair *pair, const char *notices, FILE *out)
{
    const enum quality a = pair->a->series.quality, b = pair->b->series.quality;
    struct text commands[2];

    text_open(&commands[0], SIZE_MAX);
    text_open(&commands[1], SIZE_MAX);
    shell_command(pair->a->command, &commands[0]);
    shell_command(pair->b->command, &commands[1]);
    table_row(
        &comparison_columns,
        (const void *const[]){ comparison, pair, pair->a, pair->b,
                               &(struct comparison_row){ commands[0].data, commands[1].data, notices, a > b ? a : b } },
        out);
    text_close(&commands[0]);
    text_close(&commands[1]);
}

bool comparison_json_write(const struct comparison *comparison, FILE *out, struct error *err)
{
    return document_json(&comparison_schema, comparison, out, "the comparison", err);
}

bool comparison_csv_write(const struct comparison *comparison, FILE *out, struct error *err)
{
    struct text notices;

    text_open(&notices, SIZE_MAX);
    for (size_t i = 0; i < comparison->doubts.count; i++)
        text_add(&notices, "%s%s", i ? "; " : "", comparison->doubts.item[i].what);
    table_head(&comparison_columns, out);
    for (size_t i = 0; i < comparison->pair_count; i++)
        write_row(comparison, &comparison->pairs[i], notices.data, out);
    text_close(&notices);
    return !ferror(out) || error_errno(err, "cannot write the comparison");
}
