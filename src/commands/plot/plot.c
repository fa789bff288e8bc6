/* SPDX-License-Identifier: MIT
 * Reading what is to be drawn, and drawing it. */
#include "commands/plot/plot.h"

#include "base/auto.h"
#include "base/text.h"
#include "io/json_read.h"
#include "result/report.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

static bool read_record(const struct cJSON *document, const char *path, struct plot *plot, struct error *err)
{
    struct stored_record **more = realloc(plot->pasts, (plot->stored_count + 1) * sizeof *more);
    struct stored_record *stored = calloc(1, sizeof *stored);

    plot->pasts = more ? more : plot->pasts;
    if (!more || !stored) {
        free(stored);
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", path);
    }
    plot->pasts[plot->stored_count++] = stored;
    return stored_record_parse(document, path, stored, err);
}

static bool read_comparison(const struct cJSON *document, const char *path, struct plot *plot, struct error *err)
{
    const struct cJSON *results = json_member(document, "results");

    for (const struct cJSON *result = json_first(results); result; result = json_next(result))
        if (!read_record(result, path, plot, err))
            return false;
    if (json_count(results) > 0)
        return true;
    error_set(err, ERROR_BAD_DATA, "'%s' is malformed", path);
    return error_why(err, "it compares no results");
}

/* Every kind of document that can be drawn, by its schema. */
static const struct plot_kind {
    const char *form;
    bool (*read)(const struct cJSON *document, const char *path, struct plot *plot, struct error *err);
} kinds[] = {
    { REPORT_SCHEMA, read_record },
    { "carbon.profile/1", read_record },
    { "carbon.comparison/1", read_comparison },
    { "carbon.batch/1", plot_batch },
};

/* The kind whose name the schema has, be its version another. */
static const struct plot_kind *kind_of(const char *schema)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strncmp(schema, kinds[i].form, (size_t)(strchr(kinds[i].form, '/') - kinds[i].form) + 1) == 0)
            return &kinds[i];
    return &kinds[0];
}

static bool read_document(const char *path, struct plot *plot, struct error *err)
{
    struct cJSON *document = json_read(path, err);
    const struct plot_kind *kind;
    bool good;

    if (!document)
        return false;
    kind = kind_of(json_schema(document));
    good = json_is_form(document, path, kind->form, err) && kind->read(document, path, plot, err);
    json_close(document);
    return good;
}

/* A time series begins with the names of its columns, JSON with a brace. */
static bool is_table(const char *path)
{
    static const char start[] = "timestamp,", other[] = "schema,";
    char bytes[sizeof start] = "";
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const ssize_t got = fd < 0 ? -1 : pread(fd, bytes, sizeof bytes - 1, 0);
    const size_t length = strlen(path);

    if (got <= 0)
        return false;
    return strcmp(bytes, start) == 0 || strncmp(bytes, other, strlen(other)) == 0 ||
           (length > 4 && strcmp(path + length - 4, ".csv") == 0);
}

static bool read_series(const char *path, struct plot *plot, struct error *err)
{
    if (plot->series_path) {
        error_set(err, ERROR_USAGE, "two time series cannot be drawn at once: '%.90s' and '%.90s'", plot->series_path,
                  path);
        return error_fix(err, "one 'carbon plot' for each, with the record of the same measurement");
    }
    plot->series_path = path;
    return sample_read(path, &plot->series, err);
}

static bool make_timeline(struct plot *plot, struct error *err)
{
    const struct stored_record *stored = plot->stored_count ? plot->pasts[0] : NULL;

    if (plot->stored_count > 1) {
        error_set(err, ERROR_USAGE, "a time series is of one measurement, and %zu records were given",
                  plot->stored_count);
        return error_fix(err, "give '%.200s' and the record of the same measurement", plot->series_path);
    }
    if (stored)
        stored_record_name(stored, plot->title, sizeof plot->title);
    else
        text_copy(plot->title, sizeof plot->title, plot->series_path);
    return timeline_of(&plot->series, plot->series_path, stored, &plot->timeline, &plot->notices, err);
}

bool plot_open(struct plot *plot, char *const *paths, size_t count, struct error *err)
{
    *plot = (struct plot){ .pasts = NULL };
    for (size_t i = 0; i < count; i++)
        if (!(is_table(paths[i]) ? read_series(paths[i], plot, err) : read_document(paths[i], plot, err)))
            return false;
    for (size_t i = 0; i < plot->stored_count; i++)
        if (!plot->pasts[i]->complete)
            notice_copy(&plot->notices, &plot->pasts[i]->notices.item[0]);
    if (plot->bars && (plot->stored_count || plot->series_path)) {
        error_set(err, ERROR_USAGE, "a batch is drawn alone, not with other results");
        return error_fix(err, "carbon plot BATCH");
    }
    if (plot->bars)
        return true;
    return plot->series_path ? make_timeline(plot, err) : plot_records(plot, err);
}

void plot_close(struct plot *plot)
{
    for (size_t i = 0; i < plot->stored_count; i++) {
        stored_record_close(plot->pasts[i]);
        free(plot->pasts[i]);
    }
    free(plot->pasts);
    free(plot->bars);
    sample_close(&plot->series);
    notices_clear(&plot->notices);
    *plot = (struct plot){ .pasts = NULL };
}

static struct bars_style bars_style_of(const struct plot *plot, const struct plot_style *style)
{
    struct bars_style bars = plot->style;

    bars.title = style->title ? style->title : plot->title;
    bars.caption = plot->caption;
    bars.width = style->width;
    bars.utf8 = style->utf8;
    bars.colour = style->colour;
    return bars;
}

static struct timeline_style timeline_style_of(const struct plot *plot, const struct plot_style *style)
{
    return (struct timeline_style){
        .title = style->title ? style->title : plot->title,
        .width = style->width,
        .utf8 = style->utf8,
        .colour = style->colour,
    };
}

void plot_write(const struct plot *plot, const struct plot_style *style, FILE *out)
{
    const struct timeline_style timeline = timeline_style_of(plot, style);
    const struct bars_style bars = bars_style_of(plot, style);

    if (plot->series_path)
        timeline_write(out, &plot->timeline, &timeline);
    else
        bars_write(out, plot->bars, plot->bar_count, &bars);
}

bool plot_draw(const struct plot *plot, const struct plot_style *style, enum chart_form form, FILE *out,
               struct error *err)
{
    const struct timeline_style timeline = timeline_style_of(plot, style);
    const struct bars_style bars = bars_style_of(plot, style);
    AUTO_FREE char *script = NULL;
    size_t length;
    FILE *memory = open_memstream(&script, &length);

    if (!memory)
        return error_errno(err, "cannot draw");
    if (plot->series_path)
        timeline_script(memory, &plot->timeline, &timeline);
    else
        bars_script(memory, plot->bars, plot->bar_count, &bars);
    if (fclose(memory) != 0)
        return error_errno(err, "cannot draw");
    return gnuplot_draw(script, form, out, err);
}
