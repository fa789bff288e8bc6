/* SPDX-License-Identifier: MIT
 * `carbon history show`: one record as what it was made from. */
#include "commands/history/history.h"

#include "app/style.h"
#include "app/terminal.h"
#include "base/utf8.h"
#include "commands/history/imported.h"
#include "form/output.h"
#include "io/json_read.h"
#include "ledger/contribution.h"
#include "result/estimate/estimate.h"
#include "result/page/html_record.h"
#include "result/stored/record_load.h"

#include <stdlib.h>
#include <string.h>

static void print_name(FILE *out, const char *key, const char *value)
{
    char printable[512];

    utf8_printable(printable, sizeof printable, value);
    fprintf(out, "%s %s\n", key, printable);
}

/* What the table has not: by what it is found. */
static void print_names(FILE *out, const struct report *report)
{
    print_name(out, "record", report->id);
    if (report->parent.id[0])
        print_name(out, "restated from record", report->parent.id);
    if (report->label)
        print_name(out, "label", report->label);
    if (report->project)
        print_name(out, "project", report->project);
    for (size_t i = 0; i < report->meta_count; i++)
        print_name(out, report->meta[i].key, report->meta[i].value);
}

static bool print_table(const struct report *report, const struct settings *settings, FILE *out, struct error *err)
{
    const struct table_style style = style_of(settings, out);

    print_names(out, report);
    return report_write_text(report, &style, out, err);
}

static bool write_page(const struct report *report, const char *path, struct error *err)
{
    struct output out;

    return output_open(&out, path, err) && output_end(&out, html_format.write(report, out.file, err), err);
}

/* A record as what it was made from, in a page or as a table (html NULL). */
static bool show_report(struct cJSON *record, const char *id, const char *html, const struct settings *settings,
                        FILE *out, struct error *err)
{
    struct loaded_record *loaded = calloc(1, sizeof *loaded);
    bool good;

    if (!loaded) {
        json_close(record);
        return error_errno(err, "cannot show the record");
    }
    good = record_load_document(record, id, loaded, err);
    if (good) {
        loaded_record_note_newer(loaded, &loaded->report.all_notices);
        good = html ? write_page(&loaded->report, html, err) : print_table(&loaded->report, settings, out, err);
    }
    loaded_record_close(loaded);
    free(loaded);
    return good;
}

bool history_show(const char *record, const char *id, const char *html, const struct settings *settings, FILE *out,
                  struct error *err)
{
    struct cJSON *document = json_parse(record, id, err);
    bool estimate;

    if (!document)
        return false;
    estimate = strcmp(json_schema(document), ESTIMATE_SCHEMA) == 0;
    if (!estimate && !imported_is(document))
        return show_report(document, id, html, settings, out, err);
    if (html)
        error_set(err, ERROR_USAGE, "a page is of a measurement, and this record was %s",
                  estimate ? "estimated" : "imported");
    else if (estimate)
        fputs(record, out); /* no table for this schema */
    else
        imported_text(document, out);
    json_close(document);
    return !html;
}
