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
#include <stdlib.h>
#include <string.h>

static struct import_item *grow(struct import *import, const char *path, struct error *err)
{
    struct import_item *items = array_next(import->items, import->count, sizeof *items);

    if (!items) {
        error_set(err, ERROR_SYSTEM, "no memory to read '%.200s'", path);
        return NULL;
    }
    import->items = items;
    items[import->count] = (struct import_item){ .facility_kwh = NAN, .kgco2eq = NAN };
    return &items[import->count++];
}

/* Of a country of three letters; the world has more places than the table of zones. */
static const char *zone_of(const struct zones *zones, const struct codecarbon_run *run)
{
    const char *code = run->texts[CODECARBON_COUNTRY_ISO_CODE];
    const struct zone *namesake = NULL;
    const struct zone *zone = code && *code ? zones_match(zones, code, &namesake) : NULL;

    return zone ? zone->code : NULL;
}

static bool add_run(struct import *import, const struct imported *imported, struct error *err)
{
    struct import_item *item = grow(import, imported->file->path, err);
    const struct codecarbon_run *run = imported->run;
    const bool counts = !*run->doubt || imported->doubted;

    if (!item)
        return false;
    text_copy(item->id, sizeof item->id, run->id);
    item->repeated = run->repeats;
    item->doubted = *run->doubt;
    item->facility_kwh = counts ? run->added.kwh : NAN;
    item->kgco2eq = counts ? run->added.kgco2eq : NAN;
    item->record = imported_record(imported, err);
    return item->record != NULL;
}

static bool need_date(const struct codecarbon_file *file, struct error *err)
{
    error_set(err, ERROR_USAGE, "the day on which '%.200s' ends is needed", file->path);
    error_why(err, "a log has only the time of day, and a report needs the day");
    return error_fix(err, "carbon import --date 2026-11-28 '%.200s'", file->path);
}

static bool read_codecarbon(const char *text, const char *path, const struct import_how *how, struct import *import,
                            struct error *err)
{
    const bool is_log = codecarbon_is_log(text);
    struct codecarbon_file file;
    bool good =
        is_log ? codecarbon_log_read(text, path, how->date, &file, err) : codecarbon_read(text, path, &file, err);

    if (good && is_log && !how->date && file.count)
        good = need_date(&file, err);
    for (size_t i = 0; i < file.count && good; i++) {
        const struct imported imported = {
            .file = &file,
            .run = &file.runs[i],
            .form = is_log ? "CodeCarbon log" : "CodeCarbon table",
            .zone = zone_of(how->zones, &file.runs[i]),
            .doubted = how->doubted,
        };
        good = add_run(import, &imported, err);
    }
    notices_set(&import->notices, &file.notices);
    if (file.count && !is_log)
        snprintf(import->form, sizeof import->form, "CodeCarbon table of generation %s", file.runs[0].generation);
    else
        text_copy(import->form, sizeof import->form, is_log ? "CodeCarbon log" : "CodeCarbon table");
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
    AUTO_FREE struct import_item **items = reallocarray(NULL, import->count + 1, sizeof *items);

    if (!items)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%.200s'", path);
    for (size_t i = 0; i < import->count; i++)
        items[i] = &import->items[i];
    qsort(items, import->count, sizeof *items, by_id);
    for (size_t i = 1; i < import->count; i++)
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
        import->count -= import->count && !import->items[import->count - 1].record;
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
    if (import->count)
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

bool import_read(const char *path, const struct import_how *how, struct import *import, struct error *err)
{
    AUTO_FREE char *text = text_file_read(path, err);
    bool good;

    *import = (struct import){ .count = 0 };
    if (!text)
        return false;
    if (text[strspn(text, " \t\r\n")] == '{')
        good = read_records(text, path, import, err);
    else
        good = read_codecarbon(text, path, how, import, err);
    return good && (!how->strict || be_strict(import, path, err));
}

void import_close(struct import *import)
{
    for (size_t i = 0; i < import->count; i++) {
        free(import->items[i].record);
        for (size_t k = 0; k < sizeof import->items[i].texts / sizeof import->items[i].texts[0]; k++)
            free(import->items[i].texts[k]);
    }
    free(import->items);
    line_faults_close(&import->faults);
    notices_clear(&import->notices);
    *import = (struct import){ .count = 0 };
}
