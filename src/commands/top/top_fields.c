/* SPDX-License-Identifier: MIT
 * One update of `carbon top` as a line of JSON and as rows of CSV: every field and its meaning. */
#include "commands/top/top.h"

#include "form/columns.h"
#include "form/part_fields.h"
#include "result/session_fields.h"

#include <math.h>

/* Parts of several arrays of the view, together. */
struct domain_object {
    const char *name, *source;
    bool counted;
    double power_w, energy_j;
    enum quality quality;
};

struct row_object {
    const struct top_row *row;
    const char *id;
    enum quality quality;
};

/* A line of the table, of whatever kind; NULL: it has none. */
struct line_object {
    const struct top_view *view;
    const char *line;
    const struct top_figures *figures;
    const struct row_object *row;
    const struct top_idle *idle;
    enum group_kind by;
    enum quality quality;
};

static const char *kind_word(int kind)
{
    return group_kind_name((enum group_kind)kind);
}

static const char *sort_word(int sort)
{
    return top_sort_name((enum top_sort)sort);
}

static const char *const line_words[] = { "row", "others", "ended", "idle", "not-attributed", "machine", NULL };

#define OF struct top_figures
static const struct fields figures_fields = FIELDS({
    FIELD_NUMBER(power_w, "power now, in watts: energy of the interval x CPU time / (CPUs x interval), and of a card "
                          "by its own time; null: not known"),
    FIELD_NUMBER(energy_j, "the same since the start, in joules"),
    FIELD_NUMBER(own_w, "its part of the power above idle, by its part of the CPU time that was used, and of a card by "
                        "its part of the time of its processors that was used, in watts; null: the idle power or the "
                        "CPU time of everything is not known"),
    FIELD_NUMBER(own_j, "the same since the start, in joules"),
    FIELD_NUMBER(cpu_share, "of the time that all CPUs had in the interval", .flags = FIELD_FROM_0),
    FIELD_NUMBER(cpu_s, "CPU time since the start, in seconds", .flags = FIELD_FROM_0),
    FIELD_NUMBER(kgco2eq_per_h, "emission of power_w in an hour, in kgCO2eq"),
    FIELD_NUMBER(kgco2eq, "emission of energy_j, in kgCO2eq"),
});
#undef OF

#define OF struct domain_object
static const struct fields domain_fields = FIELDS({
    FIELD_NAME(name, "of the domain, unique within its source"),
    FIELD_NAME(source, "that it is read from, as --source has it"),
    FIELD_BOOL(counted, "it is in the machine's power"),
    FIELD_NUMBER(power_w, "power now, in watts; null: unknown"),
    FIELD_NUMBER(energy_j, "since the start, in joules"),
    FIELD_QUALITY(quality, "how the figures come about"),
});
#undef OF

#define OF struct top_row
static const struct fields row_name_fields = FIELDS({
    FIELD_TEXT(name, "of a process the name of its program (never its arguments), of a user his, of a container or a "
                     "pod its name, where that is known, of a control group its path"),
    FIELD_TEXT(user, "of a process whose it is; of a container or a pod of a user's own his number; null: unknown",
               .flags = FIELD_NULL_EMPTY),
    FIELD_INT(pid, "of a process its number", .flags = FIELD_NULL_0),
});
static const struct fields row_figures_fields = FIELDS({
    FIELD_PART(struct top_figures, figures, &figures_fields, 0),
});
#undef OF

#define OF struct row_object
static const struct fields row_fields = FIELDS({
    FIELD_PART(const struct top_row *, row, &row_name_fields, FIELD_BEHIND),
    FIELD_NAME(id, "of a process its number and the time of its start, in ticks after the machine's; of a user his "
                   "number; of a container its id; of a pod its UID; of a job of Slurm its number"),
    FIELD_PART(const struct top_row *, row, &row_figures_fields, FIELD_BEHIND),
    FIELD_QUALITY(quality, "how the figures come about: attributed by CPU time, or modelled where the machine's are"),
});
#undef OF

#define OF struct top_others
static const struct fields others_fields = FIELDS({
    FIELD_COUNT(count, "how many they are"),
    FIELD_PART(struct top_figures, figures, &figures_fields, 0),
});
#undef OF

#define OF struct top_idle
static const struct fields idle_fields = FIELDS({
    FIELD_PART(struct top_figures, figures, &figures_fields, 0),
    FIELD_NUMBER(idle_w,
                 "the idle power, which is in no own_w: of a model its own, of a meter the lowest seen since the "
                 "start; null: not known yet"),
    FIELD_NUMBER(idle_j, "the same since the start, in joules"),
});
#undef OF

static bool is_at_least(const void *view)
{
    return ((const struct top_view *)view)->collector->whole.unknown > 0;
}

static double pue_of(const void *view)
{
    return ((const struct top_view *)view)->collector->pue;
}

static const char *scope_said(const void *view)
{
    return scope_name(((const struct top_view *)view)->collector->scope);
}

static const char *const scope_words[] = { "compute", "platform", "machine", NULL };

static void add_domains(struct tree_node array, const void *of)
{
    const struct collector *collector = ((const struct top_view *)of)->collector;

    for (size_t i = 0; i < collector->meter->domain_count; i++) {
        const struct meter_domain *state = &collector->meter->domains[i];
        const struct power_figures *figures = &collector->update.domains[i];
        const struct domain_object object = {
            state->domain->name, state->source->driver->name, collector_counts(collector, i),
            figures->w,          figures->energy_j,           figures->quality
        };
        fields_json(tree_object(array, NULL), &domain_fields, &object);
    }
}

static struct row_object row_of(const struct top_view *view, size_t i)
{
    const struct top_row *row = &view->rows[i];

    return (struct row_object){ row, group_name_id(&row->group->name), view->row_quality };
}

static void add_rows(struct tree_node array, const void *of)
{
    const struct top_view *view = of;

    for (size_t i = 0; i < view->row_count; i++) {
        const struct row_object object = row_of(view, i);
        fields_json(tree_object(array, NULL), &row_fields, &object);
    }
}

#define OF struct collector
static const struct fields collector_fields = FIELDS({
    FIELD_OBJECT(struct factor, factor, &factor_fields, "emission factor, and its source"),
});
#undef OF

#define OF struct top_choice
static const struct fields choice_fields = FIELDS({
    FIELD_WORD(enum group_kind, by, kind_word, GROUP_CGROUP, GROUP_KINDS, "kind of the rows"),
    FIELD_WORD(enum top_sort, sort, sort_word, TOP_BY_POWER, TOP_SORTS, "the column by which they are sorted"),
    FIELD_TEXT(filter, "text that each row has in its name, user or id; null: all are shown",
               .flags = FIELD_NULL_EMPTY),
});
#undef OF

#define OF struct top_view
static const struct fields view_fields = FIELDS({
    FIELD_CONSTANT("schema", TOP_SCHEMA, "name and version of this form"),
    FIELD_TIME_AS("time", time, "when it was"),
    FIELD_NUMBER(elapsed_s, "since the start, in seconds", .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_NUMBER(interval_s, "since the update before, in seconds", .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_PART(struct top_choice, choice, &choice_fields, 0),
    FIELD_SAID("scope", scope_said, scope_words, "domains that add up to the machine's power"),
    FIELD_QUALITY(quality, "the worst of the counted domains"),
    FIELD_FACT("at_least", is_at_least, "a counted domain has no power now: the machine's is a lower bound"),
    FIELD_OBJECT(
        struct top_figures, machine, &figures_fields,
        "the counted domains together: rows, others, ended, idle and not_attributed add up to it; own_w of all "
        "of these and idle_w, too"),
    FIELD_EACH("rows", add_rows, &row_fields, "who used it, in their order"),
    FIELD_OBJECT(struct top_others, others, &others_fields,
                 "rows that are not shown, for --filter or --rows, together"),
    FIELD_OBJECT(struct top_others, ended, &others_fields, "rows that have ended, together"),
    FIELD_OBJECT(struct top_idle, idle, &idle_fields, "the part of the CPU time in which no CPU was busy"),
    FIELD_OBJECT(struct top_figures, not_attributed, &figures_fields,
                 "the remainder: interrupts, processes that lived for less than the interval, hidden processes"),
    FIELD_COUNT(processes, "that were seen, those too that have done nothing; null: they are not looked at",
                .flags = FIELD_NULL_0),
    FIELD_EACH("domains", add_domains, &domain_fields, "every domain that was seen"),
    FIELD_FIGURE("pue", pue_of, "power usage effectiveness, which the emissions are multiplied by"),
    FIELD_PART(const struct collector *, collector, &collector_fields, FIELD_BEHIND),
    FIELD_NOTICES,
});
#undef OF

#define OF struct line_object
static const struct fields line_fields = FIELDS({
    FIELD_ONE_OF(line, line_words, "kind of the line; rows are of the kind that --by names"),
    FIELD_WORD(enum group_kind, by, kind_word, GROUP_CGROUP, GROUP_KINDS, "kind of the rows"),
    FIELD_QUALITY(quality, "how the figures come about"),
});
#undef OF

static const struct column columns[] = {
    { "time", "time", 0 }, COLUMN(elapsed_s, 0),     COLUMN(by, 1),      COLUMN(line, 1),    COLUMN(name, 2),
    COLUMN(user, 2),       COLUMN(pid, 2),           COLUMN(id, 2),      COLUMN(power_w, 3), COLUMN(energy_j, 3),
    COLUMN(own_w, 3),      COLUMN(own_j, 3),         COLUMN(idle_w, 4),  COLUMN(idle_j, 4),  COLUMN(cpu_share, 3),
    COLUMN(cpu_s, 3),      COLUMN(kgco2eq_per_h, 3), COLUMN(kgco2eq, 3), COLUMN(quality, 1),
};
static const struct fields *const columns_of[] = { &view_fields, &line_fields, &row_fields, &figures_fields,
                                                   &idle_fields };
static const struct table table = TABLE_OF(columns, columns_of);

const struct schema top_schema = { "top", TOP_SCHEMA,
                                   "A line of carbon top --json: who draws the power of this machine.", &view_fields,
                                   &table };

bool top_write_json(const struct top_view *view, FILE *out, struct error *err)
{
    return fields_line(&view_fields, view, out, "the update", err);
}

void top_table_head(FILE *out)
{
    table_head(&table, out);
}

static void write_line(const struct line_object *line, FILE *out)
{
    const void *const objects[] = { line->view, line, line->row, line->figures, line->idle };

    table_row(&table, objects, out);
}

void top_table_rows(const struct top_view *view, FILE *out)
{
    struct line_object line = { .view = view, .line = "row", .by = view->choice.by, .quality = view->row_quality };

    for (size_t i = 0; i < view->row_count; i++) {
        const struct row_object row = row_of(view, i);
        line.row = &row;
        line.figures = &view->rows[i].figures;
        write_line(&line, out);
    }
    line.row = NULL;
    line.line = "others";
    line.figures = &view->others.figures;
    write_line(&line, out);
    line.line = "ended";
    line.figures = &view->ended.figures;
    write_line(&line, out);
    line.line = "not-attributed";
    line.figures = &view->not_attributed;
    write_line(&line, out);
    line.line = "idle";
    line.figures = &view->idle.figures;
    line.idle = &view->idle;
    write_line(&line, out);
    line.idle = NULL;
    line.line = "machine";
    line.figures = &view->machine;
    line.quality = view->quality;
    write_line(&line, out);
}
