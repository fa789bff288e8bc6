/* SPDX-License-Identifier: MIT
 * The files that `carbon batch` writes: opened before anything is run, the JSON kept readable throughout. */
#include "commands/batch/batch_files.h"

#include "app/command_files.h"
#include "app/csv_file.h"
#include "app/result_file.h"
#include "app/terminal.h"
#include "form/gnuplot.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool open_charts(struct batch_files *files, const struct batch_paths *paths, const struct batch *batch,
                        struct error *err)
{
    const char *folder = paths->charts;
    char path[4096];

    if (!folder)
        return true;
    if (!gnuplot_is_there(err))
        return error_fix(err, "sudo apt-get install gnuplot-nox, or omit --charts; nothing has been run yet");
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        error_errno(err, "cannot make the folder '%s'", folder);
        return error_fix(err, "nothing has been run yet; give another folder for the charts");
    }
    for (size_t i = 0; i < BATCH_CHARTS; i++) {
        snprintf(path, sizeof path, "%s/%s.svg", folder, batch_chart_name((enum batch_chart)i));
        if (batch_has_chart(batch, (enum batch_chart)i) &&
            !(command_files_allow(paths->settings, "--charts", path, err) &&
              output_open_in(&files->charts[i], folder, strrchr(path, '/') + 1, err)))
            return false;
    }
    return true;
}

static bool write_json(struct batch_files *files, const struct batch *batch, struct error *err)
{
    return output_rewrite(&files->json, output_begin_rewrite(&files->json) && batch_json(batch, files->json.anew, err),
                          err);
}

/* Somebody who begins anew may not know that he could go on; told before hours are spent. */
static void note_unfinished(const struct batch_files *files)
{
    const char *number = strrchr(files->json.partial, '.');
    struct error err;
    struct notice notice;

    if (!number || strcmp(number, ".partial") == 0)
        return;
    error_set(&err, ERROR_NONE, "'%.200s.partial' is there, of a batch that was interrupted", files->json.path);
    error_fix(&err, "--resume continues it; this one starts over");
    notice = notice_of_error(&err);
    terminal_tell_plain(&notice);
}

bool batch_files_open(struct batch_files *files, const struct batch_paths *paths, const struct batch *batch,
                      struct error *err)
{
    if (!result_file_open(&files->json, paths->json, err) ||
        !csv_file_open(paths->settings, &option_csv, &files->csv, err) ||
        !result_file_open(&files->html, settings_text(paths->settings, &option_html), err) ||
        !open_charts(files, paths, batch, err))
        return false;
    if (!paths->resumed)
        note_unfinished(files);
    if (!paths->resumed || files->json.in_place)
        return true;
    return write_json(files, batch, err) && (!paths->earlier || output_replace(&files->json, paths->earlier, err));
}

bool batch_files_want_progress(const struct batch_files *files)
{
    return result_file_is_due(&files->json, files->next_progress_ns);
}

void batch_files_progress(struct batch_files *files, const struct batch *batch, uint64_t begun_ns)
{
    struct error ignored; /* the final write tells */

    IGNORED(write_json(files, batch, &ignored), "the final write reports a failure");
    files->next_progress_ns = result_file_next(begun_ns);
}

int batch_files_write(struct batch_files *files, const struct batch *batch, int status)
{
    struct error err;

    if (files->json.file)
        status = result_file_end(&files->json, write_json(files, batch, &err), &err, status);
    if (files->csv.file)
        status = result_file_end(&files->csv, batch_csv(batch, files->csv.file, &err), &err, status);
    if (files->html.file)
        status = result_file_end(&files->html, batch_html(batch, files->html.file, &err), &err, status);
    for (size_t i = 0; i < BATCH_CHARTS; i++) {
        struct output *chart = &files->charts[i];
        if (chart->file && !output_end(chart, batch_draw(batch, (enum batch_chart)i, chart->file, &err), &err))
            status = terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    return status;
}

void batch_files_keep(struct batch_files *files, bool empty)
{
    for (size_t i = 0; i < BATCH_CHARTS; i++)
        result_file_discard(&files->charts[i]);
    result_file_discard(&files->csv);
    result_file_discard(&files->html);
    result_file_leave(&files->json, empty);
}
