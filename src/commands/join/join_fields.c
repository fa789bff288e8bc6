/* SPDX-License-Identifier: MIT
 * The joined rows as JSON and CSV: every field and its meaning. */
#include "commands/join/join.h"

#include "form/columns.h"
#include "result/session_fields.h"

static const char *const powers[] = { "run", "phase", NULL };

static const char *power_of(const void *row)
{
    return powers[((const struct join_row *)row)->by_phase];
}

static const char *figure_said(const void *join)
{
    return figure_name(((const struct join *)join)->figure);
}

static const char *record_id(const void *join)
{
    return ((const struct join *)join)->report->id;
}

#define OF struct join_row
static const struct fields row_fields = FIELDS_NAMED("row", "one benchmark")({
    FIELD_NAME(name, "as the tool calls it, parameters included"),
    FIELD_NUMBER(s_per_operation, "seconds of the job for one operation; of several threads, between two that end",
                 .flags = FIELD_ABOVE_0),
    FIELD_NUMBER(deviation_s, "its standard deviation; null: the tool does not say", .flags = FIELD_FROM_0),
    FIELD_NUMBER(total_s, "seconds of all its operations that were timed; null: the tool does not say",
                 .flags = FIELD_FROM_0),
    FIELD_SAID("power_of", power_of, powers, "phase: power_w is that of the phase of this name; run: of the whole run"),
    FIELD_NUMBER(power_w, "mean power of that figure of the energy"),
    FIELD_NUMBER(j_per_operation, "power_w x s_per_operation"),
    FIELD_NUMBER(low_j_per_operation, "lower end of its interval, by that of the energy; null: none is known"),
    FIELD_NUMBER(high_j_per_operation, "upper end"),
    FIELD_NUMBER(gross_j_per_operation, "the same of gross energy"),
    FIELD_NUMBER(kgco2eq_per_operation, "emissions of j_per_operation, with PUE"),
    FIELD_NUMBER(see_kwh_per_operation, "SEE of one operation: gross energy x PUE"),
    FIELD_NUMBER(sci_kgco2eq_per_operation,
                 "SCI of one operation: emissions of gross, and embodied ones by its time; null: the record has no "
                 "embodied emissions (--sci, --embodied)"),
});
#undef OF

#define OF struct join
static const struct fields join_fields = FIELDS({
    FIELD_CONSTANT("schema", JOIN_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_NAME(tool, "the benchmark tool"),
    FIELD_SAID("record", record_id, NULL, "id of the record"),
    FIELD_SAID("figure", figure_said, NULL, "the energy that is shared: own, net or gross"),
    FIELD_QUALITY(quality, "of the joules"),
    FIELD_NUMBER(duration_s, "of the mean run, in seconds"),
    FIELD_NUMBER(power_w, "mean power of the figure over the run"),
    FIELD_NUMBER(covered, "part of the run that the operations took; null: a row does not say", .flags = FIELD_FROM_0),
    FIELD_LIST(struct join_row, rows, count, &row_fields, "in the order of the file"),
    FIELD_NOTICES,
});
#undef OF

static const struct fields *const row_of[] = { &row_fields };
static const struct column columns[] = {
    COLUMN(name, 0),
    COLUMN(s_per_operation, 0),
    COLUMN(deviation_s, 0),
    COLUMN(total_s, 0),
    COLUMN(power_of, 0),
    COLUMN(power_w, 0),
    COLUMN(j_per_operation, 0),
    COLUMN(low_j_per_operation, 0),
    COLUMN(high_j_per_operation, 0),
    COLUMN(gross_j_per_operation, 0),
    COLUMN(kgco2eq_per_operation, 0),
    COLUMN(see_kwh_per_operation, 0),
    COLUMN(sci_kgco2eq_per_operation, 0),
};
static const struct table join_columns = TABLE_OF(columns, row_of);

const struct schema join_schema = { "join", JOIN_SCHEMA,
                                    "Output of carbon join: rows of a benchmark tool with the energy of one operation.",
                                    &join_fields, &join_columns };

void join_csv(const struct join *join, FILE *out)
{
    table_head(&join_columns, out);
    for (size_t i = 0; i < join->count; i++)
        table_row(&join_columns, (const void *const[]){ &join->rows[i] }, out);
}
