/* SPDX-License-Identifier: MIT
 * What kind of file it is, by what stands in it, and its records. */
#include "commands/history/import.h"

#include "base/auto.h"
#include "base/root.h"
#include "base/text.h"
#include "commands/history/imported.h"
#include "io/json_read.h"
#include "ledger/ledger.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { HEAD_BYTES = 65536 };

static bool read_head(const char *path, char head[HEAD_BYTES], struct error *err)
{
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    size_t length;

    if (fd < 0 || !fd_read_up_to(fd, head, HEAD_BYTES - 1, &length))
        return error_errno(err, "cannot read '%.200s'", path);
    head[length] = '\0';
    return true;
}

static struct import_item *grow(struct import *import, const char *path, struct error *err)
{
    if ((import->count & (import->count - 1)) == 0) {
        struct import_item *more =
            reallocarray(import->items, import->count ? 2 * import->count : 1, sizeof *import->items);
        if (!more) {
            error_set(err, ERROR_SYSTEM, "no memory to read '%.200s'", path);
            return NULL;
        }
        import->items = more;
    }
    import->items[import->count] = (struct import_item){ .facility_kwh = NAN, .kgco2eq = NAN };
    return &import->items[import->count++];
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

    if (!item)
        return false;
    text_copy(item->id, sizeof item->id, imported->run->id);
    item->repeated = imported->run->repeats;
    item->facility_kwh = imported->run->added.kwh;
    item->kgco2eq = imported->run->added.kgco2eq;
    item->record = imported_record(imported, err);
    return item->record != NULL;
}

static bool read_codecarbon(const char *path, const struct zones *zones, const char *date, bool is_log,
                            struct import *import, struct error *err)
{
    struct codecarbon_file file;
    bool good = is_log ? codecarbon_log_read(path, date, &file, err) : codecarbon_read(path, &file, err);

    for (size_t i = 0; i < file.count && good; i++) {
        const struct imported imported = {
            .file = &file,
            .run = &file.runs[i],
            .form = is_log ? "CodeCarbon log" : "CodeCarbon table",
            .zone = zone_of(zones, &file.runs[i]),
        };
        good = add_run(import, &imported, err);
    }
    import->notices = file.notices;
    if (file.count && !is_log)
        snprintf(import->form, sizeof import->form, "CodeCarbon table of generation %s", file.runs[0].generation);
    else
        text_copy(import->form, sizeof import->form, is_log ? "CodeCarbon log" : "CodeCarbon table");
    codecarbon_close(&file);
    return good;
}

/* As it stands, byte for byte. */
static bool add_record(struct import *import, const char *path, const char *text, struct error *err)
{
    struct import_item *item = grow(import, path, err);
    struct cJSON *document = item ? json_parse(text, path, err) : NULL;
    const struct cJSON *gross = json_member(json_member(document, "emissions"), "gross");
    struct ledger_row row;
    struct text line;
    bool good = document && ledger_row_of(document, path, &row, &line, err);

    if (good) {
        text_copy(item->id, sizeof item->id, row.id);
        item->facility_kwh = json_number_of(gross, "facility_kwh") * (double)row.runs;
        item->kgco2eq = row.gross_kgco2eq * (double)row.runs;
        item->record = strdup(text);
    }
    if (document)
        text_close(&line);
    json_close(document);
    return good && (item->record || error_errno(err, "no memory to read '%.200s'", path));
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

/* A document, or one on each line, as `carbon history export -` writes them. */
static bool read_records(const char *path, struct import *import, struct error *err)
{
    AUTO_FREE char *text = json_read_text(path, err);
    struct error reason;
    struct cJSON *document = text ? json_parse(text, path, &reason) : NULL;
    const bool whole = document != NULL;
    char *at = text, *next;

    text_copy(import->form, sizeof import->form, "records of carbon");
    json_close(document);
    if (!text || whole)
        return text && add_record(import, path, text, err);
    for (; *at; at = next) {
        next = at + strcspn(at, "\n");
        if (*next)
            *next++ = '\0';
        if (at[strspn(at, " \t\r")] && !add_record(import, path, at, err))
            return false;
    }
    return mark_repeats(import, path, err);
}

bool import_read(const char *path, const struct zones *zones, const char *date, struct import *import,
                 struct error *err)
{
    AUTO_FREE char *head = malloc(HEAD_BYTES);
    const char *start = head;

    *import = (struct import){ .count = 0 };
    if (!head)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%.200s'", path);
    if (!read_head(path, head, err))
        return false;
    start += strncmp(start, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    start += strspn(start, " \t\r\n");
    if (*start == '{')
        return read_records(path, import, err);
    return read_codecarbon(path, zones, date, codecarbon_is_log(start), import, err);
}

void import_close(struct import *import)
{
    for (size_t i = 0; i < import->count; i++)
        free(import->items[i].record);
    free(import->items);
    *import = (struct import){ .count = 0 };
}
