/* SPDX-License-Identifier: MIT
 * The record of another tool's measurement, as text. */
#include "commands/history/imported.h"

#include "base/c_locale.h"
#include "base/clock.h"
#include "base/units.h"
#include "base/utf8.h"
#include "form/part_fields.h"
#include "io/json_read.h"
#include "result/record_fields.h"

static void line(FILE *out, const char *key, const char *value)
{
    char printable[512];

    utf8_printable(printable, sizeof printable, value ? value : "");
    if (*printable)
        fprintf(out, "%-12s %s\n", key, printable);
}

void imported_text(const struct cJSON *record, FILE *out)
{
    const struct cJSON *row = FIELD_MADE(record, imported_fields, imported_row);
    struct imported_object object = { .id = NULL };
    char figure[UNITS_SIZE], where[512];

    fields_take(record, &imported_fields, &object);
    line(out, "record", object.id);
    c_snprintf(where, sizeof where, "%.200s, line %zu; %.40s %.40s", object.file ? object.file : "", object.line,
               object.form ? object.form : "",
               object.version      ? object.version
               : object.generation ? object.generation
                                   : "");
    line(out, "imported from", where);
    line(out, "project", object.project);
    line(out, "started", object.started_ns ? clock_text(object.started_ns, figure) : NULL);
    line(out, "ended", object.ended_ns ? clock_text(object.ended_ns, figure) : NULL);
    line(out, "duration", units_duration(object.duration_s, figure));
    line(out, "quality", json_text(RECORD_ITEM(record, summary.quality)));
    line(out, "doubted", object.doubt);
    line(out, "gross", units_energy(object.gross_j, figure));
    line(out, "of this CPU", units_energy(object.cpu_j, figure));
    line(out, "GPU", units_energy(object.gpu_j, figure));
    line(out, "memory", units_energy(object.ram_j, figure));
    line(out, "emissions", units_mass(object.kgco2eq, figure));
    line(out, "country", json_text_of(row, "country_iso_code"));
    line(out, "CPU", json_text_of(row, "cpu_model"));
    for (const struct cJSON *notice = json_first(IMPORTED_ITEM(record, notices.item)); notice;
         notice = json_next(notice))
        line(out, "note:", json_text(NOTICE_ITEM(notice, what)));
}
