/* SPDX-License-Identifier: MIT
 * A merged result as JSON and CSV: every field and its meaning. CSV has a row a node, and one of their sum. */
#include "commands/slurm/merge.h"

#include "form/columns.h"
#include "result/session_fields.h"

#define OF struct merge_sum
static const struct fields masses_fields = FIELDS_NAMED("emissions", "sums over the records")({
    FIELD_NUMBER(facility_kwh, "gross, with the PUE"),
    FIELD_NUMBER(gross_kgco2eq, "of gross"),
    FIELD_NUMBER(net_kgco2eq, "of net"),
    FIELD_NUMBER(own_kgco2eq, "of own"),
});

static const struct fields sum_fields = FIELDS({
    FIELD_NUMBER(gross_j, "all energy of the nodes while they were measured, in joules"),
    FIELD_NUMBER(idle_j, "energy of the idle nodes"),
    FIELD_NUMBER(net_j, "gross less idle"),
    FIELD_NUMBER(gross_low_j, "the least that gross may be; itself where it was measured"),
    FIELD_NUMBER(gross_high_j, "the most that gross may be; itself where it was measured"),
    FIELD_NUMBER(
        own_j,
        "own energy of the tasks, without idle: by CPU time those of one step add up, of net each moment counts once"),
    FIELD_NUMBER(own_low_j, "the least that it may be; itself where it has no range"),
    FIELD_NUMBER(own_high_j, "the most that it may be; likewise"),
    FIELD_GROUP("emissions", &masses_fields, "their emissions"),
});
#undef OF
#define SUM(member) FIELD_PART(struct merge_sum, member, &sum_fields, 0)
#define METHOD FIELD_OWN_METHOD(own_method, "method of own_j, the weakest of the records")

#define OF struct merge_node
static const struct fields node_fields = FIELDS({
    FIELD_TEXT_AS("node", name, "its name, or the file of a record that does not say it"),
    FIELD_TEXT(boot_id, "of its kernel, another after each start", .flags = FIELD_NULL_EMPTY),
    FIELD_COUNT(records, "how many are of it", .flags = FIELD_FROM_1),
    FIELD_INT64_AS("tasks_expected", tasks, "tasks that the step had on it", .flags = FIELD_NULL_NEGATIVE),
    FIELD_TIME_AS("started_at", start_ns, "when the first run on it began, UTC"),
    FIELD_TIME_AS("ended_at", end_ns, "when the last run on it ended, UTC"),
    FIELD_NUMBER(duration_s, "how long it was measured, each moment once", .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_QUALITY(quality, "the worst of its records"),
    METHOD,
    SUM(sum),
    FIELD_NUMBER(overlap_j, "gross energy that several of its records have; it is counted once"),
});
#undef OF

#define OF struct merge_part
static const struct fields part_fields = FIELDS({
    FIELD_TEXT(path, "its file"),
    FIELD_TEXT(id, "its id", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME_AS("node", node_name, "the node that it is of"),
    FIELD_INT64_AS("rank", job.rank, "of the task that made it", .flags = FIELD_IF_GIVEN | FIELD_NULL_NEGATIVE,
                   .given = FIELD_AT(bool, job.known)),
    FIELD_BOOL(complete, "false: it was cut short"),
    FIELD_QUALITY(quality, "of its energy"),
    METHOD,
    FIELD_NUMBER(counted, "the part of its time that is in the sum", .flags = FIELD_KNOWN | FIELD_FROM_0, .max = 1),
    SUM(all),
    FIELD_NUMBER(pue, "that it was calculated with"),
    FIELD_NUMBER(kgco2eq_per_kwh, "that it was calculated with"),
});
#undef OF

#define OF struct merge
static const struct fields merge_fields = FIELDS({
    FIELD_CONSTANT("schema", MERGE_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_INT64_AS("job_id", job.id, "of Slurm; null: the records do not agree, or are of none",
                   .flags = FIELD_IF_GIVEN | FIELD_NULL_NEGATIVE, .given = FIELD_AT(bool, job.known)),
    FIELD_TEXT_AS("cluster", job.cluster, "that it ran on", .flags = FIELD_IF_GIVEN | FIELD_NULL_EMPTY,
                  .given = FIELD_AT(bool, job.known)),
    FIELD_TIME_AS("started_at", start_ns, "when the first of the runs began, UTC"),
    FIELD_TIME_AS("ended_at", end_ns, "when the last of the runs ended, UTC"),
    FIELD_BOOL(recorded_tree, "one of the records is of a recorded machine"),
    FIELD_INT64(nodes_expected, "nodes of the job", .flags = FIELD_NULL_NEGATIVE),
    FIELD_QUALITY(quality, "the worst of the records"),
    METHOD,
    SUM(sum),
    FIELD_NUMBER(overlap_j, "gross energy that several records of a node have; it is counted once"),
    FIELD_INTERVAL(net_interval_j, "95 % interval of net; unknown where a record has none, or is counted in part"),
    FIELD_LIST(struct merge_node, nodes, node_count, &node_fields, "the nodes that there are records of",
               .flags = FIELD_FULL),
    FIELD_LIST_AS("records", struct merge_part, parts, part_count, &part_fields,
                  "the given records, each measurement once", .flags = FIELD_FULL),
    FIELD_NOTICES,
});
#undef OF

enum { MERGE, NODE };
static const struct fields *const row_of[] = { &merge_fields, &node_fields };
static const struct column columns[] = {
    COLUMNS(MERGE, schema, job_id),
    COLUMNS(NODE, node, records, started_at, ended_at, quality, duration_s, gross_j, idle_j),
    COLUMNS(NODE, net_j, gross_low_j, gross_high_j, overlap_j),
    { "facility_kwh", "emissions.facility_kwh", NODE },
    { "gross_kgco2eq", "emissions.gross_kgco2eq", NODE },
    { "net_kgco2eq", "emissions.net_kgco2eq", NODE },
    COLUMNS(NODE, own_j, own_low_j, own_high_j),
    { "own_kgco2eq", "emissions.own_kgco2eq", NODE },
    COLUMN(own_method, NODE),
};
static const struct table merge_columns = TABLE_OF(columns, row_of);

const struct schema merge_schema = { "merge", MERGE_SCHEMA, "The records of one job's nodes and tasks as one result.",
                                     &merge_fields, &merge_columns };

bool merge_json(const struct merge *merge, FILE *out, struct error *err)
{
    return document_json(&merge_schema, merge, out, "the merged result as JSON", err);
}

bool merge_csv(const struct merge *merge, FILE *out, struct error *err)
{
    struct merge_node sum = {
        .name = "total",
        .records = merge->part_count,
        .start_ns = merge->start_ns,
        .end_ns = merge->end_ns,
        .quality = merge->quality,
        .own_method = merge->own_method,
        .sum = merge->sum,
        .overlap_j = merge->overlap_j,
    };

    (void)err;
    table_head(&merge_columns, out);
    for (size_t i = 0; i < merge->node_count; i++) {
        table_row(&merge_columns, (const void *const[]){ merge, &merge->nodes[i] }, out);
        sum.duration_s += merge->nodes[i].duration_s;
    }
    table_row(&merge_columns, (const void *const[]){ merge, &sum }, out);
    return true;
}
