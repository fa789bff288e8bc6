/* SPDX-License-Identifier: MIT
 * A row a run: what the script says, and what carbon adds, each in a column of its own; and the table for such rows. */
#include "commands/indicator/indicator_fields.h"

#include "base/auto.h"
#include "base/csv.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* PostgreSQL's tables have no more columns. */
enum { COLUMNS_MOST = 1600 };

enum column_kind {
    COLUMN_UNKNOWN,
    COLUMN_BOOL,
    COLUMN_INTEGER,
    COLUMN_REAL,
    COLUMN_NUMERIC,
    COLUMN_TEXT,
    COLUMN_TIME,
    COLUMN_JSON
};

struct column {
    char *name;
    char *key; /* in @parameters or @result; NULL: it is carbon's own */
    bool of_result;
    enum column_kind kind;
};

struct columns {
    struct column items[COLUMNS_MOST];
    size_t count, script_from, script_to; /* which of them are the script's */
};

static const struct {
    const char *name;
    enum column_kind kind;
} leading[] = {
    { "run", COLUMN_INTEGER },        { "name", COLUMN_TEXT },          { "component", COLUMN_TEXT },
    { "script_sha256", COLUMN_TEXT }, { "exit_code", COLUMN_INTEGER },  { "start_datetime", COLUMN_TIME },
    { "end_datetime", COLUMN_TIME },  { "overall_score", COLUMN_REAL }, { "problem", COLUMN_TEXT },
};
enum { LEADING = sizeof leading / sizeof leading[0] };

/* What carbon says itself, of a struct indicator_figures. */
static const struct fields *const trailing[] = { &indicator_usage_fields, &indicator_energy_fields,
                                                 &indicator_carbon_fields };
enum { TRAILING = sizeof trailing / sizeof trailing[0] };

static void close_columns(struct columns *columns)
{
    for (size_t i = 0; columns && i < columns->count; i++) {
        free(columns->items[i].name);
        free(columns->items[i].key);
    }
    free(columns);
}

static bool is_taken(const struct columns *columns, const char *name)
{
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(columns->items[i].name, name) == 0)
            return true;
    return false;
}

static bool add_column(struct columns *columns, const char *name, const char *key, bool of_result,
                       enum column_kind kind, struct error *err)
{
    struct column column = { strdup(name), key ? strdup(key) : NULL, of_result, kind };

    if (columns->count == COLUMNS_MOST || !column.name || (key && !column.key) || is_taken(columns, name)) {
        free(column.name);
        free(column.key);
        if (columns->count == COLUMNS_MOST)
            return error_set(err, ERROR_BAD_DATA, "the output has more than %d columns", COLUMNS_MOST);
        return error_set(err, ERROR_BAD_DATA, "two columns would be called '%.80s'", name);
    }
    columns->items[columns->count++] = column;
    return true;
}

/* Where the key's own name is one of carbon's columns, "@parameters.KEY", "@result.KEY". */
static bool add_key(struct columns *columns, const char *key, bool of_result, struct error *err)
{
    struct text name;
    bool done;

    if (!is_taken(columns, key))
        return add_column(columns, key, key, of_result, COLUMN_UNKNOWN, err);
    text_open(&name, SIZE_MAX);
    text_add(&name, "%s.%s", of_result ? "@result" : "@parameters", key);
    done = text_ok(&name) && add_column(columns, name.data, key, of_result, COLUMN_UNKNOWN, err);
    text_close(&name);
    return done;
}

static struct column *column_of(struct columns *columns, const char *key, bool of_result)
{
    for (size_t i = columns->script_from; i < columns->count; i++)
        if (columns->items[i].key && columns->items[i].of_result == of_result &&
            strcmp(columns->items[i].key, key) == 0)
            return &columns->items[i];
    return NULL;
}

/* Whole numbers that fit 64 bits, and those that do not. */
static enum column_kind kind_of_number(const char *digits, size_t length)
{
    char text[TEXT_NUMBER_SIZE];
    uint64_t value;
    const size_t sign = length && *digits == '-';

    for (size_t i = 0; i < length; i++)
        if (strchr(".eE", digits[i]))
            return COLUMN_REAL;
    if (length - sign >= sizeof text)
        return COLUMN_NUMERIC;
    memcpy(text, digits + sign, length - sign);
    text[length - sign] = '\0';
    return text_to_u64(text, &value) && value <= INT64_MAX ? COLUMN_INTEGER : COLUMN_NUMERIC;
}

static enum column_kind kind_of(const struct scan *scan, uint32_t node)
{
    const struct scan_node *value = scan_node(scan, node);

    switch (value->kind) {
    case SCAN_NULL: return COLUMN_UNKNOWN;
    case SCAN_TRUE:
    case SCAN_FALSE: return COLUMN_BOOL;
    case SCAN_NUMBER: return kind_of_number(scan->text + value->start, value->end - value->start);
    case SCAN_NAN: return COLUMN_REAL;
    case SCAN_TEXT: return COLUMN_TEXT;
    case SCAN_ARRAY:
    case SCAN_OBJECT: return COLUMN_JSON;
    }
    return COLUMN_UNKNOWN;
}

/* What holds both. */
static enum column_kind widest(enum column_kind a, enum column_kind b)
{
    const bool numbers = a >= COLUMN_INTEGER && a <= COLUMN_NUMERIC && b >= COLUMN_INTEGER && b <= COLUMN_NUMERIC;

    if (a == b || b == COLUMN_UNKNOWN)
        return a;
    if (a == COLUMN_UNKNOWN)
        return b;
    if (numbers)
        return a > b ? a : b;
    return a == COLUMN_JSON || b == COLUMN_JSON ? COLUMN_JSON : COLUMN_TEXT;
}

static bool add_object(struct columns *columns, const struct scan *scan, uint32_t object, bool of_result,
                       struct error *err)
{
    for (uint32_t node = scan_node(scan, object)->first; node; node = scan_node(scan, node)->next) {
        AUTO_FREE char *key = scan_key(scan, node);
        struct column *column;

        if (!key)
            return error_errno(err, "no memory for a column");
        if (!column_of(columns, key, of_result) && !add_key(columns, key, of_result, err))
            return false;
        column = column_of(columns, key, of_result);
        column->kind = widest(column->kind, kind_of(scan, node));
    }
    return true;
}

static enum column_kind kind_of_field(const struct field *field)
{
    switch (field->kind) {
    case FIELD_IS_NUMBER: return COLUMN_REAL;
    case FIELD_IS_INT:
    case FIELD_IS_INT64: return COLUMN_INTEGER;
    default: return COLUMN_TEXT;
    }
}

static bool add_figures(struct columns *columns, struct error *err)
{
    bool good = true;

    for (size_t k = 0; k < TRAILING; k++)
        for (size_t i = 0; good && i < trailing[k]->count; i++)
            good =
                add_column(columns, trailing[k]->items[i].key, NULL, false, kind_of_field(&trailing[k]->items[i]), err);
    return good;
}

static bool is_good(const struct indicator_run *run)
{
    return run->fault.kind == FAULT_NONE;
}

/* Carbon's own columns come first here, so that a key of the script that is called like one of them steps aside. */
static bool fill_columns(struct columns *columns, const struct indicator_report *report, struct error *err)
{
    bool good = true;

    for (size_t i = 0; good && i < LEADING; i++)
        good = add_column(columns, leading[i].name, NULL, false, leading[i].kind, err);
    good = good && add_figures(columns, err);
    columns->script_from = columns->count;
    for (int of_result = 0; of_result < 2; of_result++)
        for (size_t i = 0; good && i < report->run_count; i++) {
            const struct indicator_run *run = &report->runs[i];
            if (is_good(run))
                good = add_object(columns, &run->scan, of_result ? run->indicator.result : run->indicator.parameters,
                                  of_result, err);
        }
    columns->script_to = columns->count;
    return good;
}

static struct columns *columns_of(const struct indicator_report *report, struct error *err)
{
    struct columns *columns = calloc(1, sizeof *columns);

    if (!columns)
        error_errno(err, "no memory for the columns");
    else if (fill_columns(columns, report, err))
        return columns;
    close_columns(columns);
    return NULL;
}

/* In the order that is written: leading, the script's, the rest. */
static const struct column *column_at(const struct columns *columns, size_t i)
{
    const size_t script = columns->script_to - columns->script_from;

    if (i < LEADING)
        return &columns->items[i];
    return i < LEADING + script ? &columns->items[columns->script_from + i - LEADING] : &columns->items[i - script];
}

static void write_script_field(const struct indicator_report *report, const struct indicator_run *run,
                               const struct column *column, FILE *out)
{
    const struct span_form form = { .keeps_nan = report->options.keeps_nan, .one_line = true };
    const struct scan *scan = &run->scan;
    const uint32_t node =
        scan_member(scan, column->of_result ? run->indicator.result : run->indicator.parameters, column->key);
    const enum scan_kind kind = node ? scan_node(scan, node)->kind : SCAN_NULL;
    AUTO_FREE char *text = kind == SCAN_TEXT ? scan_text(scan, node) : NULL;
    size_t length;
    FILE *memory;

    if (kind == SCAN_NULL || (kind == SCAN_NAN && !form.keeps_nan))
        return;
    if (kind != SCAN_TEXT) {
        memory = open_memstream(&text, &length);
        if (memory) {
            spans_write(scan, node, &form, NULL, 0, memory);
            fclose(memory);
        }
    }
    csv_write_field(out, text ? text : "");
}

static void add_text_of(const struct indicator_run *run, uint32_t node, FILE *out)
{
    AUTO_FREE char *text = is_good(run) && node ? scan_text(&run->scan, node) : NULL;

    csv_add_field(out, text ? text : "");
}

static double score_of(const struct indicator_report *report, size_t i)
{
    const struct indicator_run *run = &report->runs[i];

    if (!is_good(run))
        return NAN;
    if (report->options.score)
        return indicator_score(report, i);
    return run->indicator.score ? scan_number(&run->scan, run->indicator.score) : NAN;
}

static void write_leading(const struct indicator_report *report, size_t i, FILE *out)
{
    const struct indicator_run *run = &report->runs[i];
    const struct run *measured = &report->report->measurement->runs[run->index];
    const uint32_t component = run->indicator.component ? run->indicator.component : run->indicator.framework;
    char start[INDICATOR_TIME_SIZE], end[INDICATOR_TIME_SIZE];

    indicator_times(report, i, start, end);
    fprintf(out, "%zu", i + 1);
    add_text_of(run, run->indicator.name, out);
    add_text_of(run, component, out);
    csv_add_field(out, report->sha256);
    csv_add_number(out, measured->ended ? measured->end.exit_status : NAN);
    csv_add_field(out, start);
    csv_add_field(out, end);
    csv_add_number(out, score_of(report, i));
    csv_add_field(out, is_good(run) ? "" : fault_name(run->fault.kind));
}

static void write_row(const struct indicator_report *report, const struct columns *columns, size_t i, FILE *out)
{
    const struct indicator_figures figures = indicator_figures(report, i);
    const void *const objects[TRAILING] = { &figures.usage, &figures.energy, &figures.carbon };
    char cell[FIELD_CELL_SIZE];

    write_leading(report, i, out);
    for (size_t c = columns->script_from; c < columns->script_to; c++) {
        fputc(',', out);
        if (is_good(&report->runs[i]))
            write_script_field(report, &report->runs[i], &columns->items[c], out);
    }
    for (size_t k = 0; k < TRAILING; k++)
        for (size_t n = 0; n < trailing[k]->count; n++)
            csv_add_field(out, field_cell(&trailing[k]->items[n], objects[k], cell));
    fputc('\n', out);
}

bool indicator_csv(const struct indicator_report *report, FILE *out, struct error *err)
{
    struct columns *columns = columns_of(report, err);

    if (!columns)
        return false;
    for (size_t i = 0; i < columns->count; i++) {
        fputs(i ? "," : "", out);
        csv_write_field(out, column_at(columns, i)->name);
    }
    fputc('\n', out);
    for (size_t i = 0; i < report->run_count; i++)
        write_row(report, columns, i, out);
    close_columns(columns);
    return !ferror(out) || error_errno(err, "cannot write the table");
}

static void write_name(FILE *out, const char *name)
{
    fputc('"', out);
    for (; *name; name++)
        fputs(*name == '"' ? "\"\"" : (char[]){ *name, '\0' }, out);
    fputc('"', out);
}

static const char *sql_type(enum column_kind kind)
{
    static const char *const names[] = {
        [COLUMN_UNKNOWN] = "TEXT",          [COLUMN_BOOL] = "BOOLEAN",    [COLUMN_INTEGER] = "BIGINT",
        [COLUMN_REAL] = "DOUBLE PRECISION", [COLUMN_NUMERIC] = "NUMERIC", [COLUMN_TEXT] = "TEXT",
        [COLUMN_TIME] = "TIMESTAMP",        [COLUMN_JSON] = "JSONB",
    };

    return names[kind];
}

bool indicator_table(const struct indicator_report *report, FILE *out, struct error *err)
{
    struct columns *columns = columns_of(report, err);
    AUTO_FREE char *name = NULL;

    if (!columns)
        return false;
    for (size_t i = 0; !name && i < report->run_count; i++)
        if (is_good(&report->runs[i]))
            name = scan_text(&report->runs[i].scan, report->runs[i].indicator.name);
    fputs("CREATE TABLE ", out);
    write_name(out, name && *name ? name : "indicator");
    fputs(" (\n", out);
    for (size_t i = 0; i < columns->count; i++) {
        fputs("    ", out);
        write_name(out, column_at(columns, i)->name);
        fprintf(out, " %s%s\n", sql_type(column_at(columns, i)->kind), i + 1 < columns->count ? "," : "");
    }
    fputs(");\n", out);
    close_columns(columns);
    return !ferror(out) || error_errno(err, "cannot write the table");
}
