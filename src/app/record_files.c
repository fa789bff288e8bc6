/* SPDX-License-Identifier: MIT
 * Results of `carbon measure` in files. */
#include "app/record_files.h"

#include "app/csv_file.h"
#include "app/result_file.h"
#include "app/terminal.h"
#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "emissions/zones.h"
#include "result/codecarbon_row.h"
#include "result/page/html_record.h"

#include <string.h>

static bool open_append(struct record_files *files, const char *path, struct error *err)
{
    AUTO_FREE char *header = csv_header();

    if (!path || strcmp(path, "-") == 0) {
        error_set(err, ERROR_USAGE, "--append needs a file to append to");
        return error_fix(err, "--csv FILE --append");
    }
    files->append_path = path;
    return header ? output_append_check(path, header, err) : error_errno(err, "no memory for '%.200s'", path);
}

static bool open_codecarbon(struct record_files *files, const char *path, struct error *err)
{
    files->codecarbon_path = path;
    return !path || output_append_check(path, codecarbon_header(), err);
}

bool record_files_open(struct record_files *files, const struct record_paths *paths, const struct meter *meter,
                       struct error *err)
{
    files->opened_ns = clock_monotonic_ns();
    files->opened_realtime_ns = clock_realtime_ns();
    files->csv_safe = paths->csv_safe;
    if (paths->append ? !open_append(files, paths->csv, err)
                      : !csv_file_open_path(paths->csv, paths->csv_safe, &files->csv, err))
        return false;
    if (!open_codecarbon(files, paths->codecarbon, err))
        return false;
    return result_file_open(&files->json, paths->json, err) && result_file_open(&files->html, paths->html, err) &&
           csv_file_open_lines(paths->samples, paths->csv_safe, &files->samples, err) &&
           (!files->samples.file || samples_header(&files->samples, meter, err));
}

void record_files_sample(struct record_files *files, const struct meter *meter, const struct workload_place *place,
                         const struct sample *sample)
{
    if (files->samples.file && !files->samples_broken)
        files->samples_broken = !samples_line(&files->samples, meter, files->opened_ns, files->opened_realtime_ns,
                                              place, sample, &files->sample_error);
}

bool record_files_want_progress(const struct record_files *files)
{
    return result_file_is_due(&files->json, files->next_progress_ns);
}

void record_files_progress(struct record_files *files, const struct report *report, uint64_t begun_ns)
{
    struct error ignored; /* the final write reports it */

    IGNORED(output_rewrite(&files->json,
                           output_begin_rewrite(&files->json) && json_format.write(report, files->json.anew, &ignored),
                           &ignored),
            "the final write reports a failure");
    files->next_progress_ns = result_file_next(begun_ns);
}

static int write_file(const struct report_format *format, const struct report *report, struct output *output,
                      int status)
{
    struct error err;
    const bool written =
        output_rewrite(output, output_begin_rewrite(output) && format->write(report, output->anew, &err), &err);

    return result_file_end(output, written, &err, status);
}

/* With the time series, once that is complete. */
static int write_page(struct record_files *files, const struct report *report, int status)
{
    struct sample_series samples = { .point_count = 0 };
    struct output *html = &files->html;
    struct error err;
    bool sampled, written;

    sampled = files->samples.target[0] && !files->samples.in_place && !files->samples_broken &&
              sample_read(files->samples.target, &samples, &err);
    written = output_rewrite(
        html, output_begin_rewrite(html) && html_record(report, sampled ? &samples : NULL, html->anew, &err), &err);
    sample_close(&samples);
    return result_file_end(html, written, &err, status);
}

static int append(const struct record_files *files, const char *path, const char *header, struct text *line, int status)
{
    struct error err;

    return csv_file_append(path, files->csv_safe, header, line, &err) ? status
                                                                      : terminal_fail(&err, STATUS_CARBON_FAILED);
}

static int append_csv(const struct record_files *files, const struct report *report, int status)
{
    AUTO_FREE char *header = csv_header();
    struct text line;

    text_open(&line, 1 << 20);
    if (header)
        csv_line(report, &line);
    line.failed = line.failed || !header;
    return append(files, files->append_path, header, &line, status);
}

/* The world's average, as World Bank tables call it: CodeCarbon's board wants a country in every row. */
#define WORLD "WORLD"
#define WORLD_CODE "WLD"

/* Of a part of a country that is its region; an aggregate of several is none, but for the world. */
static void find_place(const struct report *report, struct codecarbon_place *place)
{
    struct zones zones = { .first = NULL };
    const struct zone *zone, *country;

    *place = (struct codecarbon_place){ .country_name = "" };
    zone = report->factor.zone[0] && zones_read(&zones, NULL) ? zones_find(&zones, report->factor.zone) : NULL;
    if (zone && strcmp(zone->code, WORLD) == 0) {
        text_copy(place->country_iso_code, sizeof place->country_iso_code, WORLD_CODE);
        text_copy(place->country_name, sizeof place->country_name, zone->name);
    } else if (zone && *zone->alpha3) {
        const struct zone *namesake;
        country = zones_match(&zones, zone->alpha3, &namesake);
        text_copy(place->country_iso_code, sizeof place->country_iso_code, zone->alpha3);
        if (country)
            text_copy(place->country_name, sizeof place->country_name, country->name);
        if (zone != country)
            text_copy(place->region, sizeof place->region, zone->name);
    }
    zones_close(&zones);
}

static int append_codecarbon(const struct record_files *files, const struct report *report, int status)
{
    struct codecarbon_place place;
    struct text line;

    text_open(&line, 1 << 20);
    find_place(report, &place);
    codecarbon_line(report, &place, &line);
    return append(files, files->codecarbon_path, codecarbon_header(), &line, status);
}

int record_files_write(struct record_files *files, const struct report *report, int status)
{
    struct error err;

    if (files->json.file)
        status = write_file(&json_format, report, &files->json, status);
    if (files->csv.file)
        status = write_file(&csv_format, report, &files->csv, status);
    if (files->append_path)
        status = append_csv(files, report, status);
    if (files->codecarbon_path)
        status = append_codecarbon(files, report, status);
    if (files->samples_broken)
        status = terminal_fail(&files->sample_error, STATUS_CARBON_FAILED);
    else if (files->samples.file)
        status = result_file_end(&files->samples, true, &err, status);
    if (files->html.file)
        status = write_page(files, report, status);
    return status;
}

static void leave(struct record_files *files, bool empty)
{
    result_file_leave(&files->json, empty);
    result_file_leave(&files->csv, empty);
    result_file_leave(&files->html, empty);
    result_file_leave(&files->samples, empty);
}

void record_files_keep(struct record_files *files)
{
    leave(files, false);
}

void record_files_discard(struct record_files *files)
{
    leave(files, true);
}
