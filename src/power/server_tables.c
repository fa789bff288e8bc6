/* SPDX-License-Identifier: MIT
 * Reading the tables of whole servers. */
#include "power/server_tables.h"

#include "base/shipped.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_COLUMNS = 24 };

/* One reading of a table: where its columns are, and who wants the rows. */
struct server_tables_reading {
    const char *const *names; /* names of the columns */
    size_t name_count;
    int columns[MAX_COLUMNS];
    server_row_function *on_row;
    void *context;
    struct power_rules *rules;
};

static const char *text_of(const struct csv_row *line, const struct server_tables_reading *reading, size_t column)
{
    return line->fields[reading->columns[column]];
}

static bool take_number(const struct csv_row *line, const struct server_tables_reading *reading, size_t column,
                        bool needed, double *value, struct error *err)
{
    const char *text = text_of(line, reading, column);

    *value = NAN;
    return (!*text && !needed) || text_to_number(text, value) ||
           csv_bad_field(line, (size_t)reading->columns[column], reading->names[column], err, "'%s' is not a number",
                         text);
}

/* What both tables of servers have, then what one of them has alone. */
enum {
    ROW_NAME,
    ROW_CLASS,
    ROW_RESULTS,
    ROW_IDLE,
    ROW_FULL,
    ROW_MEMORY,
    ROW_SOURCE,
    ROW_WAY,
    ROW_OWN = ROW_WAY + CURVE_POINTS - 2
};
#define WAY_COLUMNS "c_10", "c_20", "c_30", "c_40", "c_50", "c_60", "c_70", "c_80", "c_90"
static const char *const cpu_columns[] = {
    "match_key", "class",     "n_results",      "idle_w_per_socket", "full_w_per_socket", "memory_gb_per_socket",
    "source_id", WAY_COLUMNS, "memory_gb_most",
};
static const char *const generation_columns[] = {
    "microarchitecture",    "class",     "n_results", "idle_w_per_socket", "full_w_per_tdp",
    "memory_gb_per_socket", "source_id", WAY_COLUMNS, "stands_for",
};

static bool take_way(const struct csv_row *line, const struct server_tables_reading *reading, struct server_row *row,
                     struct error *err)
{
    row->way[0] = 0;
    row->way[CURVE_POINTS - 1] = 1;
    for (size_t i = 1; i < CURVE_POINTS - 1; i++)
        if (!take_number(line, reading, ROW_WAY + i - 1, false, &row->way[i], err))
            return false;
    return true;
}

static bool on_server_line(const struct csv_row *line, void *context, struct error *err)
{
    struct server_tables_reading *reading = context;
    const bool of_cpu = reading->names == cpu_columns;
    struct server_row row = { .full_w = NAN, .full_w_per_tdp = NAN };
    double results;

    if (line->line == 1)
        return csv_columns(line, reading->names, reading->name_count, reading->columns, err);
    if (!take_number(line, reading, ROW_RESULTS, true, &results, err) ||
        !take_number(line, reading, ROW_IDLE, true, &row.idle_w, err) ||
        !take_number(line, reading, ROW_FULL, true, of_cpu ? &row.full_w : &row.full_w_per_tdp, err) ||
        !take_number(line, reading, ROW_MEMORY, true, &row.memory_gb, err) || !take_way(line, reading, &row, err))
        return false;
    row.results = (int)results;
    row.class = strcmp(text_of(line, reading, ROW_CLASS), "client") == 0 ? CLASS_CLIENT : CLASS_SERVER;
    text_copy(row.name, sizeof row.name, text_of(line, reading, ROW_NAME));
    text_copy(row.source_id, sizeof row.source_id, text_of(line, reading, ROW_SOURCE));
    row.memory_max_gb = row.memory_gb;
    if (of_cpu && !take_number(line, reading, ROW_OWN, true, &row.memory_max_gb, err))
        return false;
    if (!of_cpu)
        text_copy(row.stands_for, sizeof row.stands_for, text_of(line, reading, ROW_OWN));
    reading->on_row(&row, reading->context);
    return true;
}

bool server_cpu_rows(const char *field, server_row_function *on_row, void *context, struct error *err)
{
    struct server_tables_reading reading = {
        .names = cpu_columns, .name_count = ROW_OWN + 1, .on_row = on_row, .context = context
    };

    return shipped_read("server_cpu.csv", field, on_server_line, &reading, err);
}

bool generation_rows(const char *field, server_row_function *on_row, void *context, struct error *err)
{
    struct server_tables_reading reading = {
        .names = generation_columns, .name_count = ROW_OWN + 1, .on_row = on_row, .context = context
    };

    return shipped_read("cpu_generations.csv", field, on_server_line, &reading, err);
}

enum { RULE_NAME, RULE_CLASS, RULE_VALUE, RULE_LOW, RULE_HIGH };
static const char *const rule_columns[] = { "rule", "class", "value", "low", "high" };

static bool on_rule_line(const struct csv_row *line, void *context, struct error *err)
{
    struct server_tables_reading *reading = context;
    struct power_rules *rules = reading->rules;
    struct power_rule *rule = &rules->item[rules->count];

    if (line->line == 1)
        return csv_columns(line, reading->names, reading->name_count, reading->columns, err);
    if (rules->count == POWER_MAX_RULES)
        return csv_bad_field(line, 0, "rule", err, "there are more than %d rules", POWER_MAX_RULES);
    if (!take_number(line, reading, RULE_VALUE, true, &rule->value, err) ||
        !take_number(line, reading, RULE_LOW, false, &rule->low, err) ||
        !take_number(line, reading, RULE_HIGH, false, &rule->high, err))
        return false;
    text_copy(rule->rule, sizeof rule->rule, text_of(line, reading, RULE_NAME));
    text_copy(rule->class, sizeof rule->class, text_of(line, reading, RULE_CLASS));
    rules->count++;
    return true;
}

bool power_rules_read(struct power_rules *rules, struct error *err)
{
    struct server_tables_reading reading = { .names = rule_columns, .name_count = RULE_HIGH + 1, .rules = rules };

    rules->count = 0;
    return shipped_read("power_rules.csv", NULL, on_rule_line, &reading, err);
}

const struct power_rule *power_rule_of(const struct power_rules *rules, const char *rule, const char *class,
                                       struct error *err)
{
    for (size_t i = 0; i < rules->count; i++)
        if (strcmp(rules->item[i].rule, rule) == 0 && strcmp(rules->item[i].class, class) == 0)
            return &rules->item[i];
    error_set(err, ERROR_BAD_DATA, "power_rules.csv has no row '%s' of '%s'", rule, class);
    error_why(err, "the model of a server's power needs it");
    return NULL;
}

static struct power_rule between(const struct power_rule *from, const struct power_rule *to, double share)
{
    return (struct power_rule){ .value = from->value + (to->value - from->value) * share,
                                .low = from->low + (to->low - from->low) * share,
                                .high = from->high + (to->high - from->high) * share };
}

bool power_rule_over_load(const struct power_rules *rules, const char *rule, const char *class,
                          struct power_rule at[CURVE_POINTS], struct error *err)
{
    static const int steps[] = { 0, 1, 5, 10 }; /* tenths */
    const struct power_rule *given[4];
    int step = 0;

    for (size_t i = 0; i < 4; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s at load %d", rule, steps[i] * 10);
        given[i] = power_rule_of(rules, name, class, err);
        if (!given[i])
            return false;
    }
    for (int i = 0; i < CURVE_POINTS; i++) {
        if (i > steps[step + 1])
            step++;
        at[i] = between(given[step], given[step + 1], (double)(i - steps[step]) / (steps[step + 1] - steps[step]));
    }
    return true;
}
