/* SPDX-License-Identifier: MIT
 * The files of `carbon indicator`: opened before anything is run, the JSON kept readable throughout. */
#include "commands/indicator/indicator.h"

#include "app/command_files.h"
#include "app/csv_file.h"
#include "app/result_file.h"
#include "app/terminal.h"
#include "base/clock.h"

#include <string.h>

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

/* The three of each run. */
static bool check_amun(const struct settings *settings, const char *folder, struct error *err)
{
    static const char *const names[] = { "result", "hwinfo", "log" };
    const double runs = settings_number(settings, &option_runs);
    char path[4096];

    if (folder && settings_text(settings, &option_specification) &&
        snprintf(path, sizeof path, "%s/build/specification", folder) < (int)sizeof path &&
        !command_files_allow(settings, "--amun", path, err))
        return false;
    for (size_t i = 0; folder && i < (size_t)runs; i++)
        for (size_t j = 0; j < sizeof names / sizeof names[0]; j++)
            if (snprintf(path, sizeof path, "%s/results/%zu/%s", folder, i, names[j]) < (int)sizeof path &&
                !command_files_allow(settings, "--amun", path, err))
                return false;
    return true;
}

bool indicator_files_open(struct indicator_work *work, const struct settings *settings, struct error *err)
{
    const char *json = settings_text(settings, &option_json), *flat = settings_text(settings, &option_flat);

    if (is_stdout(json) || is_stdout(flat)) {
        error_set(err, ERROR_USAGE, "standard output holds the objects of the script");
        return error_fix(err, "give %s the name of a file", is_stdout(json) ? "--json" : "--flat");
    }
    work->amun = settings_text(settings, &option_amun);
    return check_amun(settings, work->amun, err) && result_file_open(&work->json, json, err) &&
           csv_file_open(settings, &option_flat, &work->flat, err) &&
           indicator_summary_open(&work->summary, settings, err);
}

void indicator_files_progress(struct indicator_work *work)
{
    const uint64_t begun_ns = clock_monotonic_ns();
    struct error ignored; /* the final write reports errors */

    if (!result_file_is_due(&work->json, work->next_progress_ns) || !campaign_results(&work->campaign, false, &ignored))
        return;
    IGNORED(
        output_rewrite(&work->json,
                       output_begin_rewrite(&work->json) && indicator_json(&work->result, work->json.anew, &ignored),
                       &ignored),
        "the final write reports a failure");
    work->next_progress_ns = result_file_next(begun_ns);
}

/* DIR/build/specification. */
static bool write_specification(const struct indicator_work *work, struct error *err)
{
    char start[INDICATOR_TIME_SIZE], end[INDICATOR_TIME_SIZE], path[4096];
    struct output output;

    if (!work->spec || !work->result.run_count)
        return true;
    indicator_times(&work->result, 0, start, end);
    return indicator_amun_folder(work->amun, "build", path, sizeof path, err) &&
           output_open_in(&output, path, "specification", err) &&
           output_end(&output, indicator_spec_write(work->spec, start, output.file, err), err);
}

static int write_amun(const struct indicator_work *work, int status)
{
    struct error err;

    if (work->amun && !write_specification(work, &err))
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    for (size_t i = 0; work->amun && i < work->result.run_count; i++)
        if (!indicator_amun(&work->result, i, work->amun, &err))
            return terminal_fail(&err, STATUS_CARBON_FAILED);
    return status;
}

int indicator_files_write(struct indicator_work *work, int status)
{
    struct error err;

    if (work->json.file)
        status = result_file_end(
            &work->json,
            output_rewrite(&work->json,
                           output_begin_rewrite(&work->json) && indicator_json(&work->result, work->json.anew, &err),
                           &err),
            &err, status);
    if (work->flat.file) {
        if (indicator_csv(&work->result, work->flat.file, &err)) {
            status = result_file_end(&work->flat, true, &err, status);
        } else {
            result_file_discard(&work->flat);
            status = terminal_fail(&err, status ? status : STATUS_BAD_OUTPUT);
        }
    }
    status = write_amun(work, status);
    status = indicator_summary_write(work->summary, work->result.gate, status);
    work->summary = NULL;
    return status;
}

static void close_summary(struct indicator_work *work)
{
    if (work->summary)
        fclose(work->summary);
    work->summary = NULL;
}

void indicator_files_keep(struct indicator_work *work)
{
    result_file_keep(&work->json);
    result_file_discard(&work->flat);
    close_summary(work);
}

void indicator_files_discard(struct indicator_work *work)
{
    result_file_discard(&work->json);
    result_file_discard(&work->flat);
    close_summary(work);
}
