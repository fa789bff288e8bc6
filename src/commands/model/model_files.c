/* SPDX-License-Identifier: MIT
 * The files of `carbon model`: those of `carbon measure` for one size, a document of their own for several. */
#include "commands/model/model_work.h"

#include "app/csv_file.h"
#include "app/result_file.h"
#include "base/clock.h"

bool model_files_open(struct model_work *work, struct error *err)
{
    const struct settings *settings = work->settings;
    const struct record_paths paths = {
        .json = settings_text(settings, &option_json),
        .csv = settings_text(settings, &option_csv),
        .html = settings_text(settings, &option_html),
        .csv_safe = settings_flag(settings, &option_csv_safe),
        .append = settings_flag(settings, &option_append),
    };

    if (!work->scaling)
        return record_files_open(&work->files, &paths, &work->campaign.session.meter, err);
    if (paths.html || paths.append) {
        error_set(err, ERROR_USAGE, "--%s is of one number of inputs", paths.html ? "html" : "append");
        error_why(err, "with --sizes the result is a table");
        return error_fix(err, "leave it out, or give --samples");
    }
    return result_file_open(&work->json, paths.json, err) && csv_file_open(settings, &option_csv, &work->csv, err);
}

void model_files_progress(struct campaign *campaign, const struct workload_place *place)
{
    struct model_work *work = campaign->context;
    const uint64_t begun_ns = clock_monotonic_ns();
    struct error ignored; /* the final write reports errors */

    (void)place;
    if (!(work->scaling ? result_file_is_due(&work->json, work->next_progress_ns)
                        : record_files_want_progress(&work->files)) ||
        !model_result_collect(work, false, &ignored))
        return;
    if (!work->scaling) {
        record_files_progress(&work->files, work->rows[0].record, begun_ns);
        return;
    }
    IGNORED(
        output_rewrite(&work->json,
                       output_begin_rewrite(&work->json) && model_report_json(&work->report, work->json.anew, &ignored),
                       &ignored),
        "the final write reports a failure");
    work->next_progress_ns = result_file_next(begun_ns);
}

static int write_one(const struct model_work *work, struct output *output,
                     bool (*form)(const struct model_report *, FILE *, struct error *), int status)
{
    struct error err;
    bool written;

    if (!output->file)
        return status;
    written = output_rewrite(output, output_begin_rewrite(output) && form(&work->report, output->anew, &err), &err);
    return result_file_end(output, written, &err, status);
}

int model_files_write(struct model_work *work, int status)
{
    if (!work->scaling)
        return record_files_write(&work->files, work->rows[0].record, status);
    return write_one(work, &work->csv, model_report_csv, write_one(work, &work->json, model_report_json, status));
}

void model_files_keep(struct model_work *work, bool empty)
{
    if (!work->scaling) {
        if (empty)
            record_files_discard(&work->files);
        else
            record_files_keep(&work->files);
        return;
    }
    if (empty) {
        result_file_discard(&work->json);
        result_file_discard(&work->csv);
        return;
    }
    result_file_keep(&work->json);
    result_file_keep(&work->csv);
}
