/* SPDX-License-Identifier: MIT
 * The files that `carbon batch` writes: opened before anything is run, the JSON kept readable throughout. */
#include "cli/batch_files.h"

#include "base/auto.h"
#include "cli/terminal.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* Rest between two writings of the partial JSON, in times of what the last one took. */
#define PROGRESS_REST 19

static bool open_file(const char *path, struct output *output, bool *has, struct error *err)
{
    *has = path && output_open(output, path, err);
    return !path || *has;
}

static bool open_charts(struct batch_files *files, const char *folder, const struct batch *batch, struct error *err)
{
    char path[4096];

    if (!folder)
        return true;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        error_errno(err, "cannot make the folder '%s'", folder);
        return error_fix(err, "nothing has been run yet; give another folder for the charts");
    }
    for (size_t i = 0; i < BATCH_CHARTS; i++) {
        snprintf(path, sizeof path, "%s/%s.svg", folder, batch_chart_name((enum batch_chart)i));
        if (batch_has_chart(batch, (enum batch_chart)i) &&
            !open_file(path, &files->charts[i], &files->has_chart[i], err))
            return false;
    }
    return true;
}

/* In one stroke, so that who is killed meanwhile leaves the text before or the one after. */
static bool write_progress(struct batch_files *files, const struct batch *batch, struct error *err)
{
    AUTO_FREE char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    const bool written = out && batch_json(batch, out, err);

    if (!out)
        return error_errno(err, "cannot write '%s'", files->json.partial);
    return fclose(out) == 0 && written && output_rewrite(&files->json, text, length, err);
}

/* Somebody who begins anew may not know that he could go on; told before hours are spent. */
static void note_unfinished(const struct batch_files *files)
{
    const char *number = files->has_json ? strrchr(files->json.partial, '.') : NULL;
    struct error notice = { .kind = ERROR_NONE };

    if (!number || strcmp(number, ".partial") == 0)
        return;
    error_set(&notice, ERROR_NONE, "'%.200s.partial' is there, of a batch that was interrupted", files->json.path);
    error_fix(&notice, "--resume goes on with it; this one begins anew");
    terminal_notice(stderr, &notice, false);
}

bool batch_files_open(struct batch_files *files, const struct batch_paths *paths, const struct batch *batch,
                      struct error *err)
{
    if (!open_file(paths->json, &files->json, &files->has_json, err) ||
        !open_file(paths->csv, &files->csv, &files->has_csv, err) || !open_charts(files, paths->charts, batch, err))
        return false;
    if (!paths->resumed)
        note_unfinished(files);
    if (!paths->resumed || files->json.in_place)
        return true;
    return write_progress(files, batch, err) &&
           (!paths->earlier || output_take_over(&files->json, paths->earlier, err));
}

bool batch_files_want_progress(const struct batch_files *files)
{
    return files->has_json && !files->json.in_place && clock_monotonic_ns() >= files->next_progress_ns;
}

void batch_files_progress(struct batch_files *files, const struct batch *batch, uint64_t begun_ns)
{
    struct error ignored; /* the final write tells */
    uint64_t now_ns;

    (void)!write_progress(files, batch, &ignored);
    now_ns = clock_monotonic_ns();
    files->next_progress_ns = now_ns + PROGRESS_REST * (now_ns - begun_ns);
}

static int finish(struct output *output, bool written, struct error *err, int status)
{
    if (written && output_finish(output, err))
        return status;
    return terminal_fail(err, STATUS_CARBON_FAILED);
}

int batch_files_write(struct batch_files *files, const struct batch *batch, int status)
{
    struct error err;

    if (files->has_json)
        status = finish(&files->json,
                        output_restart(&files->json, &err) &&
                            (batch_json(batch, files->json.file, &err) || output_failed(&files->json, &err)),
                        &err, status);
    if (files->has_csv)
        status = finish(&files->csv, batch_csv(batch, files->csv.file, &err) || output_failed(&files->csv, &err), &err,
                        status);
    for (size_t i = 0; i < BATCH_CHARTS; i++) {
        struct output *chart = &files->charts[i];
        if (files->has_chart[i])
            status = finish(chart, batch_draw(batch, (enum batch_chart)i, chart->file, &err), &err, status);
        files->has_chart[i] = false;
        if (chart->file)
            output_keep_partial(chart, NULL, 0);
    }
    return status;
}

void batch_files_keep(struct batch_files *files, bool empty)
{
    struct error ignored;
    char kept[4096] = "";

    for (size_t i = 0; i < BATCH_CHARTS; i++)
        if (files->has_chart[i])
            output_keep_partial(&files->charts[i], NULL, 0);
    if (files->has_csv)
        output_keep_partial(&files->csv, NULL, 0);
    if (!files->has_json)
        return;
    if (empty)
        (void)!output_restart(&files->json, &ignored);
    output_keep_partial(&files->json, kept, sizeof kept);
    if (kept[0])
        fprintf(stderr, "carbon: what was measured until then is in '%s'\n", kept);
}
