/* SPDX-License-Identifier: MIT
 * CodeCarbon's table of runs. A header may have the columns in any order, as some of its releases wrote them; a row in
 * which a value cannot stand in its column is a fault, and the others are kept. */
#include "base/array.h"
#include "commands/history/codecarbon.h"
#include "commands/history/codecarbon_layout.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "io/loose_table.h"
#include "io/text_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GIVE "give a table as CodeCarbon wrote it, its log, or records of carbon"

struct codecarbon_read_reading {
    struct codecarbon_file *file;
    struct layout header; /* none: count is 0 */
    struct text unknown;  /* names of columns */
    char separator;
    struct codecarbon_relations relations;
    bool mixed; /* a row of another generation than the header's was met */
};

static size_t count_known(const struct csv_row *row)
{
    size_t count = 0;

    for (size_t i = 0; i < row->count; i++)
        count += codecarbon_column_of(row->fields[i]) != CODECARBON_COLUMNS;
    return count;
}

/* No value is the name of a column, save of a header again. */
static bool is_header(const struct csv_row *row)
{
    return count_known(row) > 1;
}

/* The first of these that is not there; COLUMNS: all are. */
static enum codecarbon_column missing_column(const struct layout *header)
{
    static const enum codecarbon_column needed[] = { CODECARBON_TIMESTAMP, CODECARBON_DURATION, CODECARBON_EMISSIONS,
                                                     CODECARBON_ENERGY_CONSUMED };
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        size_t at = 0;
        while (at < header->count && header->columns[at] != needed[i])
            at++;
        if (at == header->count)
            return needed[i];
    }
    return CODECARBON_COLUMNS;
}

static bool add_fault(struct codecarbon_read_reading *reading, const struct csv_row *row, struct error *err,
                      const char *why)
{
    return line_faults_add(&reading->file->faults, row->line, reading->file->path, err, "%s", why);
}

/* A name that stands twice is taken where it stands first. Names of none are those of other programs. */
static bool take_header(struct codecarbon_read_reading *reading, const struct csv_row *row, struct error *err)
{
    bool seen[CODECARBON_COLUMNS] = { false };
    enum codecarbon_column missing;

    reading->header.count = row->count;
    for (size_t i = 0; i < row->count; i++) {
        const enum codecarbon_column column = codecarbon_column_of(row->fields[i]);
        reading->header.columns[i] = column != CODECARBON_COLUMNS && seen[column] ? CODECARBON_COLUMNS : column;
        if (column != CODECARBON_COLUMNS)
            seen[column] = true;
        else if (*row->fields[i])
            text_add(&reading->unknown, "%s%s", reading->unknown.length ? ", " : "", row->fields[i]);
    }
    while (reading->header.count > 0 && !*row->fields[reading->header.count - 1])
        reading->header.count--;
    missing = missing_column(&reading->header);
    if (missing == CODECARBON_COLUMNS)
        return true;
    reading->header.count = 0;
    return line_faults_add(&reading->file->faults, row->line, reading->file->path, err,
                           "the header has no column %s, which every release of CodeCarbon has",
                           codecarbon_columns[missing]);
}

/* Where a value cannot stand in its column: its index; else the number of columns. why tells. */
static size_t find_fault(const struct csv_row *row, const struct layout *layout, char separator, const char **why)
{
    for (size_t i = 0; i < row->count && i < layout->count; i++)
        if (layout->columns[i] != CODECARBON_COLUMNS &&
            (*why = codecarbon_fault(layout->columns[i], row->fields[i], separator)))
            return i;
    *why = NULL;
    return row->count;
}

/* Where what there is of a row fits its header it may be torn, and is not of another release. */
static bool may_be_torn(const struct codecarbon_read_reading *reading, const struct csv_row *row)
{
    const char *why;

    return row->count < reading->header.count &&
           find_fault(row, &reading->header, reading->separator, &why) == row->count;
}

/* A row that has lost its end has the begin of the next one in a field. */
static bool holds_two(const struct csv_row *row, const struct layout *layout)
{
    uint64_t realtime_s;

    for (size_t i = 0; i < row->count; i++)
        for (const char *at = row->fields[i]; layout->columns[i] != CODECARBON_TIMESTAMP && (at = strchr(at, 'T'));
             at++)
            if (at - row->fields[i] >= 10 && codecarbon_time(at - 10, &realtime_s))
                return true;
    return false;
}

/* That of its header, or of the one release that wrote rows of this width. NULL: it is of none. */
static const struct layout *layout_for(struct codecarbon_read_reading *reading, struct csv_row *row,
                                       struct layout *other)
{
    const char *why;

    while (reading->header.count && row->count > reading->header.count && !*row->fields[row->count - 1])
        row->count--;
    if (row->count == reading->header.count)
        return &reading->header;
    for (size_t i = 0; !may_be_torn(reading, row) && codecarbon_release(i, other); i++)
        if (other->count == row->count && find_fault(row, other, reading->separator, &why) == row->count &&
            !holds_two(row, other))
            return other;
    return NULL;
}

static const char *generation_of(const struct codecarbon_run *run)
{
    const char *const *texts = run->texts;

    return !texts[CODECARBON_RUN_ID]                                                                        ? "1.x"
           : texts[CODECARBON_WATER_CONSUMED] || texts[CODECARBON_WUE] || texts[CODECARBON_CPU_UTILIZATION] ? "3.x"
           : texts[CODECARBON_EXPERIMENT_ID] ? "2.6 to 3.1"
           : texts[CODECARBON_PUE]           ? "2.3"
           : texts[CODECARBON_VERSION]       ? "2.1"
                                             : "2.0";
}

static void take_figures(struct codecarbon_run *run, char separator)
{
    uint64_t realtime_s = 0;

    run->generation = generation_of(run);
    if (codecarbon_time(run->texts[CODECARBON_TIMESTAMP], &realtime_s))
        run->ended_realtime_ns = realtime_s * NS_PER_S_INT;
    run->reported = (struct codecarbon_figures){
        .duration_s = codecarbon_number(run->texts[CODECARBON_DURATION], separator),
        .cpu_kwh = codecarbon_number(run->texts[CODECARBON_CPU_ENERGY], separator),
        .gpu_kwh = codecarbon_number(run->texts[CODECARBON_GPU_ENERGY], separator),
        .ram_kwh = codecarbon_number(run->texts[CODECARBON_RAM_ENERGY], separator),
        .kwh = codecarbon_number(run->texts[CODECARBON_ENERGY_CONSUMED], separator),
        .kgco2eq = codecarbon_number(run->texts[CODECARBON_EMISSIONS], separator),
    };
    run->pue = codecarbon_number(run->texts[CODECARBON_PUE], separator);
    run->added = run->reported;
}

static bool bad_width(struct codecarbon_read_reading *reading, const struct csv_row *row, struct error *err)
{
    return line_faults_add(&reading->file->faults, row->line, reading->file->path, err,
                           "%zu fields; the header has %zu, and no release of CodeCarbon wrote such a row", row->count,
                           reading->header.count);
}

static bool bad_value(struct codecarbon_read_reading *reading, const struct csv_row *row, const struct layout *layout,
                      size_t column, const char *why, struct error *err)
{
    char value[60];

    utf8_printable(value, sizeof value, row->fields[column]);
    return line_faults_add(&reading->file->faults, row->line, reading->file->path, err, "column %zu (%s): %s: '%s'",
                           column + 1, codecarbon_columns[layout->columns[column]], why, value);
}

/* The run that was added last: to who wants it now, or it stays. */
static bool hand_over(struct codecarbon_file *file, struct codecarbon_run *run, struct error *err)
{
    bool good;

    file->total++;
    if (!file->on_run)
        return true;
    good = file->on_run(file, run, file->context, err);
    free(run->store);
    file->count--;
    return good;
}

static bool add_run(struct codecarbon_read_reading *reading, const struct csv_row *row, const struct layout *layout,
                    struct error *err)
{
    const char *texts[CODECARBON_COLUMNS] = { NULL };
    struct codecarbon_run *run;
    const char *why;

    for (size_t i = 0; i < row->count; i++)
        if (layout->columns[i] != CODECARBON_COLUMNS)
            texts[layout->columns[i]] = row->fields[i];
    why = codecarbon_misfit(texts, reading->separator);
    if (why)
        return add_fault(reading, row, err, why);
    reading->mixed |= layout != &reading->header && reading->header.count > 0;
    run = codecarbon_add(reading->file, texts, row->line, err);
    if (!run)
        return false;
    take_figures(run, reading->separator);
    codecarbon_doubt(run);
    codecarbon_identify(run);
    return codecarbon_relate(&reading->relations, run, &reading->file->notices, err) &&
           hand_over(reading->file, run, err);
}

/* A record of several lines that fits nowhere is a line that has lost a quote, and others that are good. */
static bool take_row(struct codecarbon_read_reading *reading, struct loose_table *table, struct csv_row *row,
                     struct error *err)
{
    const size_t lines = table->line - row->line;
    const struct layout *layout;
    struct layout other;
    const char *why;
    size_t column;

    if (is_header(row) && missing_column(&reading->header) == CODECARBON_COLUMNS && row->count < reading->header.count)
        return add_fault(reading, row, err, "a part of a header");
    if (is_header(row))
        return take_header(reading, row, err);
    layout = layout_for(reading, row, &other);
    column = layout ? find_fault(row, layout, reading->separator, &why) : 0;
    if (lines > 1 && (!layout || column < row->count)) {
        loose_table_again(table, row);
        return add_fault(reading, row, err, "quotes belong round a whole field, and are doubled inside it");
    }
    if (!layout)
        return bad_width(reading, row, err);
    if (column < row->count)
        return bad_value(reading, row, layout, column, why, err);
    return add_run(reading, row, layout, err);
}

/* The one by which the first line names most columns. */
static char separator_of(const struct loose_table *start)
{
    static const char separators[] = ",;\t|";
    char best = start->separator;
    size_t max = 0;

    for (const char *separator = separators; *separator; separator++) {
        struct loose_table table = *start;
        struct csv_row row;
        const char *why;
        table.separator = *separator;
        table.store = table.window = NULL;
        table.fd = -1;
        table.size = 0;
        const size_t known = loose_table_next(&table, &row, &why) == LOOSE_RECORD ? count_known(&row) : 0;
        loose_table_close(&table);
        best = known > max ? *separator : best;
        max = known > max ? known : max;
    }
    return best;
}

static bool of_tasks(const struct csv_row *row, struct error *err)
{
    if (csv_column(row, "task_name") < 0)
        return true;
    csv_bad_field(row, (size_t)csv_column(row, "task_name"), "task_name", err,
                  "a table of tasks: their energy is in the row of their run");
    return error_fix(err, "carbon import emissions.csv, the table of the run");
}

static bool read_rows(struct codecarbon_read_reading *reading, struct loose_table *table, struct error *err)
{
    struct csv_row row = { .path = reading->file->path };
    const char *why;
    bool first = true, good = true;

    for (enum loose_answer answer; good && (answer = loose_table_next(table, &row, &why)) != LOOSE_END; first = false) {
        if (answer == LOOSE_NO_MEMORY)
            return error_set(err, ERROR_SYSTEM, "no memory to read '%.200s'", row.path);
        if (answer == LOOSE_BAD)
            good = add_fault(reading, &row, err, why);
        else
            good = (!first || of_tasks(&row, err)) && take_row(reading, table, &row, err);
    }
    return good;
}

static void note_rows(const struct codecarbon_read_reading *reading, struct notices *notices)
{
    if (reading->mixed)
        notice_add(notices, NOTICE_ASSUMED, "each was read by the columns of the release with that many", "",
                   "rows of several releases of CodeCarbon stand under one header");
    if (reading->unknown.length)
        notice_add(notices, NOTICE_NOT_UNDERSTOOD, "no release of CodeCarbon that is known has them", "",
                   "columns ignored: %.120s", text_ok(&reading->unknown) ? reading->unknown.data : "many");
}

static bool open_table(struct loose_table *table, const struct codecarbon_source *source, const char *path,
                       struct error *err)
{
    if (source->text)
        loose_table_open(table, source->text);
    else if (!loose_table_open_file(table, source->fd))
        return error_set(err, ERROR_SYSTEM, "no memory to read '%.200s'", path);
    table->separator = separator_of(table);
    return true;
}

bool codecarbon_stream(const struct codecarbon_source *source, const char *path, codecarbon_run_function *on_run,
                       void *context, struct codecarbon_file *file, struct error *err)
{
    struct codecarbon_read_reading reading = { .file = file };
    struct loose_table table = { .fd = -1 };
    bool good;

    *file = (struct codecarbon_file){ .path = path, .on_run = on_run, .context = context };
    text_open(&reading.unknown, 4096);
    good = codecarbon_relate_open(&reading.relations, source->lines, err) && open_table(&table, source, path, err);
    reading.separator = table.separator;
    good = good && read_rows(&reading, &table, err);
    loose_table_close(&table);
    codecarbon_relate_close(&reading.relations);
    note_rows(&reading, &file->notices);
    text_close(&reading.unknown);
    if (!good || file->total || !file->faults.count)
        return good;
    line_faults_refuse(&file->faults, path, err);
    return error_fix(err, GIVE);
}

bool codecarbon_read(const char *text, const char *path, struct codecarbon_file *file, struct error *err)
{
    const struct codecarbon_source source = { .text = text, .fd = -1, .lines = text_file_lines(text) };

    return codecarbon_stream(&source, path, NULL, NULL, file, err);
}

struct codecarbon_run *codecarbon_add(struct codecarbon_file *file, const char *const *texts, size_t line,
                                      struct error *err)
{
    struct codecarbon_run *run;
    size_t size = 1;
    char *at;

    file->runs = array_room(file->runs, &file->size, file->count + 1, sizeof *file->runs);
    for (size_t i = 0; i < CODECARBON_COLUMNS; i++)
        size += texts[i] ? strlen(texts[i]) + 1 : 0;
    at = file->count < file->size ? malloc(size) : NULL;
    if (!at) {
        error_set(err, ERROR_SYSTEM, "no memory to read '%s'", file->path);
        return NULL;
    }
    run = &file->runs[file->count++];
    *run = (struct codecarbon_run){ .line = line, .store = at, .pue = NAN };
    for (size_t i = 0; i < CODECARBON_COLUMNS; i++)
        if (texts[i]) {
            run->texts[i] = at;
            at = stpcpy(at, texts[i]) + 1;
        }
    return run;
}

void codecarbon_close(struct codecarbon_file *file)
{
    for (size_t i = 0; i < file->count; i++)
        free(file->runs[i].store);
    free(file->runs);
    line_faults_close(&file->faults);
    notices_clear(&file->notices);
    *file = (struct codecarbon_file){ .path = NULL };
}
