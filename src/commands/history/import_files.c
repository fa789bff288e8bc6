/* SPDX-License-Identifier: MIT
 * What kind of file it is, by what is in it, and its records. */
#include "commands/history/import.h"

#include "base/array.h"
#include "base/auto.h"
#include "base/text.h"
#include "commands/history/imported.h"
#include "io/json_read.h"
#include "io/text_file.h"
#include "ledger/contribution.h"
#include "ledger/ledger.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct import_item *grow(struct import *import, const char *path, struct error *err)
{
    struct import_item *items = array_next(import->items, import->item_count, sizeof *items);

    if (!items) {
        error_set(err, ERROR_SYSTEM, "no memory to read '%.200s'", path);
        return NULL;
    }
    import->items = items;
    items[import->item_count] = (struct import_item){ .facility_kwh = NAN, .kgco2eq = NAN };
    return &items[import->item_count++];
}

/* Of a country of three letters; the world has more places than the table of zones. */
static const char *zone_of(const struct zones *zones, const struct codecarbon_run *run)
{
    const char *code = run->texts[CODECARBON_COUNTRY_ISO_CODE];
    const struct zone *namesake = NULL;
    const struct zone *zone = code && *code ? zones_match(zones, code, &namesake) : NULL;

    return zone ? zone->code : NULL;
}

/* Where the runs of a file go. */
struct run_sink {
    const struct import_how *how;
    struct import *import;
    const char *form;
};

/* Without how->on_item the file is only checked. */
static bool hand_over(struct codecarbon_file *file, const struct codecarbon_run *run, void *context, struct error *err)
{
    const struct run_sink *sink = context;
    const struct import_how *how = sink->how;
    const struct imported imported = {
        .file = file,
        .run = run,
        .form = sink->form,
        .zone = zone_of(how->zones, run),
        .doubted = how->doubted,
    };
    const bool counts = !*run->doubt || how->doubted;
    struct import_item item = {
        .repeated = run->repeats,
        .doubted = *run->doubt,
        .facility_kwh = counts ? run->added.kwh : NAN,
        .kgco2eq = counts ? run->added.kgco2eq : NAN,
    };
    bool good;

    if (!sink->import->count++ && run->generation)
        text_copy(sink->import->generation, sizeof sink->import->generation, run->generation);
    if (!how->on_item)
        return true;
    text_copy(item.id, sizeof item.id, run->id);
    item.record = imported_record(&imported, err);
    good = item.record && how->on_item(&item, how->context, err);
    free(item.record);
    return good;
}

static bool need_date(const struct codecarbon_file *file, struct error *err)
{
    error_set(err, ERROR_USAGE, "the day on which '%.200s' ends is needed", file->path);
    error_why(err, "a log has only the time of day, and a report needs the day");
    return error_fix(err, "carbon import --date 2026-11-28 '%.200s'", file->path);
}

/* A log is short, and its last line tells the day of the first. */
static bool read_log(const char *text, const char *path, struct run_sink *sink, struct codecarbon_file *file,
                     struct error *err)
{
    bool good = codecarbon_log_read(text, path, sink->how->date, file, err);

    if (good && !sink->how->date && file->count)
        good = need_date(file, err);
    for (size_t i = 0; i < file->count && good; i++)
        good = hand_over(file, &file->runs[i], sink, err);
    return good;
}

static bool read_codecarbon(const struct codecarbon_source *source, const char *path, const struct import_how *how,
                            struct import *import, struct error *err)
{
    const bool is_log = source->text && codecarbon_is_log(source->text);
    struct run_sink sink = { how, import, is_log ? "CodeCarbon log" : "CodeCarbon table" };
    struct codecarbon_file file;
    const bool good = is_log ? read_log(source->text, path, &sink, &file, err)
                             : codecarbon_stream(source, path, hand_over, &sink, &file, err);

    notices_set(&import->notices, &file.notices);
    text_copy(import->form, sizeof import->form, sink.form);
    if (import->count && !is_log)
        snprintf(import->form, sizeof import->form, "%s of generation %s", sink.form, import->generation);
    import->faults = file.faults;
    file.faults = (struct line_faults){ .count = 0 };
    codecarbon_close(&file);
    return good;
}

/* Only what the sum of an import wants; its texts are the item's. */
static bool store_contribution(struct import_item *item, const struct contribution *contribution)
{
    const char *const texts[] = { contribution->machine, contribution->times, contribution->cluster,
                                  contribution->nodes };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        item->texts[i] = texts[i] ? strdup(texts[i]) : NULL;
        if (texts[i] && !item->texts[i])
            return false;
    }
    item->contribution = (struct contribution){
        .started_ns = contribution->started_ns,
        .gross_j = contribution->gross_j,
        .job = contribution->job,
        .node_count = contribution->node_count,
        .reported = contribution->reported,
        .machine = item->texts[0],
        .times = item->texts[1],
        .cluster = item->texts[2],
        .nodes = item->texts[3],
    };
    return true;
}

/* Adds the record byte for byte. */
static bool add_record(struct import *import, const char *path, const char *text, struct error *err)
{
    struct import_item *item = grow(import, path, err);
    struct cJSON *document = item ? json_parse(text, path, err) : NULL;
    struct contribution contribution;
    struct ledger_row row;
    struct text line;
    bool good = document && ledger_row_of(document, path, &row, &line, err);

    if (good) {
        AUTO_FREE char *times = contribution_times(document, 0, UINT64_MAX, err);
        contribution_of(document, &contribution);
        contribution.times = times;
        text_copy(item->id, sizeof item->id, row.id);
        item->facility_kwh = contribution.facility_kwh;
        item->kgco2eq = contribution.gross_kgco2eq;
        item->record = times && store_contribution(item, &contribution) ? strdup(text) : NULL;
        good = item->record || error_errno(err, "no memory to read '%.200s'", path);
    }
    if (document)
        text_close(&line);
    json_close(document);
    return good;
}

static int by_id(const void *a, const void *b)
{
    const struct import_item *of_a = *(struct import_item *const *)a, *of_b = *(struct import_item *const *)b;
    const int order = strcmp(of_a->id, of_b->id);

    return order ? order : (of_a > of_b) - (of_a < of_b);
}

static bool mark_repeats(const struct import *import, const char *path, struct error *err)
{
    AUTO_FREE struct import_item **items = reallocarray(NULL, import->item_count + 1, sizeof *items);

    if (!items)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%.200s'", path);
    for (size_t i = 0; i < import->item_count; i++)
        items[i] = &import->items[i];
    qsort(items, import->item_count, sizeof *items, by_id);
    for (size_t i = 1; i < import->item_count; i++)
        items[i]->repeated = strcmp(items[i]->id, items[i - 1]->id) == 0;
    return true;
}

/* Of one on each line; what is none is a fault. */
static bool read_lines(char *text, const char *path, struct import *import, struct error *err)
{
    char *next;
    size_t line = 1;

    for (char *at = text; *at; at = next, line++) {
        struct error reason = { .kind = ERROR_NONE };
        next = at + strcspn(at, "\n");
        if (*next)
            *next++ = '\0';
        if (!at[strspn(at, " \t\r")] || add_record(import, path, at, &reason))
            continue;
        if (reason.kind == ERROR_SYSTEM) {
            *err = reason;
            return false;
        }
        import->item_count -= import->item_count && !import->items[import->item_count - 1].record;
        if (!line_faults_add(&import->faults, line, path, err, "%s%s%s", reason.what, *reason.why ? ": " : "",
                             reason.why))
            return false;
    }
    return mark_repeats(import, path, err);
}

/* A document, or one on each line, as `carbon history export -` writes them. */
static bool read_records(char *text, const char *path, struct import *import, struct error *err)
{
    struct error reason = { .kind = ERROR_NONE };
    struct cJSON *document = json_parse(text, path, &reason);
    const bool whole = document != NULL;

    text_copy(import->form, sizeof import->form, "records of carbon");
    json_close(document);
    if (whole)
        return add_record(import, path, text, err);
    if (!read_lines(text, path, import, err))
        return false;
    if (import->item_count)
        return true;
    *err = reason;
    return false;
}

static bool be_strict(const struct import *import, const char *path, struct error *err)
{
    if (import->faults.count)
        line_faults_refuse(&import->faults, path, err);
    for (size_t i = 0; i < import->notices.count && !import->faults.count; i++)
        if (import->notices.item[i].kind == NOTICE_NOT_UNDERSTOOD) {
            error_set(err, ERROR_BAD_DATA, "'%.100s' line 1: %s", path, import->notices.item[i].what);
            error_why(err, "%s", import->notices.item[i].why);
            return error_fix(err, "leave out --strict");
        }
    return !import->faults.count || error_fix(err, "mend that line, or leave out --strict");
}

static bool read_text(char *text, const char *path, const struct import_how *how, struct import *import,
                      struct error *err)
{
    const struct codecarbon_source source = { .text = text, .fd = -1, .lines = text_file_lines(text) };

    bool good;

    if (text[strspn(text, " \t\r\n")] != '{')
        return read_codecarbon(&source, path, how, import, err);
    good = read_records(text, path, import, err);
    import->count = import->item_count;
    return good;
}

/* Its header names the energy: the file is a table, and is read a row at a time. -1: it is something else, or has to be
 * decoded first. */
static int open_table(const char *path, size_t *lines)
{
    char begin[TEXT_FILE_BEGIN] = "";
    int fd = text_file_open(path, lines, begin);
    const size_t header = strcspn(begin, "\n");

    begin[header] = '\0';
    if (fd >= 0 &&
        (begin[strspn(begin, " \t\r")] == '{' || !strstr(begin, codecarbon_columns[CODECARBON_ENERGY_CONSUMED]))) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static bool read_once(const char *path, const struct import_how *how, struct import *import, struct error *err)
{
    struct codecarbon_source source = { .text = NULL };
    AUTO_CLOSE int fd = open_table(path, &source.lines);

    *import = (struct import){ .count = 0 };
    source.fd = fd;
    if (fd >= 0)
        return read_codecarbon(&source, path, how, import, err);
    AUTO_FREE char *text = text_file_read(path, err);
    return text && read_text(text, path, how, import, err);
}

/* What is strict has to know the whole file before any of it is taken. */
bool import_read(const char *path, const struct import_how *how, struct import *import, struct error *err)
{
    struct import_how checking = *how;

    checking.on_item = NULL;
    if (how->strict) {
        if (!read_once(path, &checking, import, err) || !be_strict(import, path, err))
            return false;
        import_close(import);
    }
    return read_once(path, how, import, err);
}

void import_close(struct import *import)
{
    for (size_t i = 0; i < import->item_count; i++) {
        free(import->items[i].record);
        for (size_t k = 0; k < sizeof import->items[i].texts / sizeof import->items[i].texts[0]; k++)
            free(import->items[i].texts[k]);
    }
    free(import->items);
    line_faults_close(&import->faults);
    notices_clear(&import->notices);
    *import = (struct import){ .count = 0 };
}
