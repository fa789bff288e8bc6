/* SPDX-License-Identifier: MIT
 * The files that `carbon pipeline` writes: opened before anything is run, the JSON kept readable throughout. */
#include "commands/pipeline/pipeline_work.h"

#include "app/command_files.h"
#include "app/csv_file.h"
#include "app/result_file.h"
#include "app/terminal.h"
#include "base/auto.h"
#include "commands/pipeline/pipeline_requests.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool open_metrics(struct pipeline_work *work, struct error *err)
{
    work->metrics = settings_text(work->settings, &option_metrics);
    if (!work->metrics || mkdir(work->metrics, 0777) == 0 || errno == EEXIST)
        return true;
    error_errno(err, "cannot make the folder '%.200s'", work->metrics);
    return error_fix(err, "nothing has been run yet; give another folder");
}

/* What every step leaves there (pipeline_steps.c). */
static bool check_metrics(const struct pipeline_work *work, struct error *err)
{
    char path[WORK_PATH_SIZE];

    for (size_t i = 0; work->metrics && i < work->companions.count; i++)
        if (pipeline_server_log(work, &work->companions.items[i], path) &&
            !command_files_allow(work->settings, "--metrics-dir", path, err))
            return false;
    for (size_t i = 0; work->metrics && i < work->pipeline.count; i++) {
        const char *name = work->pipeline.steps[i].name;

        if (snprintf(path, sizeof path, "%s/%s.log", work->metrics, name) < (int)sizeof path &&
            !command_files_allow(work->settings, "--metrics-dir", path, err))
            return false;
        for (size_t round = 1; round <= work->report.rounds; round++)
            if (pipeline_rows_path(work->metrics, name, round, path) &&
                !command_files_allow(work->settings, "--metrics-dir", path, err))
                return false;
    }
    return true;
}

/* Programs of steps that run beside carbon; those in containers are others. */
static bool check_programs(const struct pipeline_work *work, struct error *err)
{
    for (size_t i = 0; i < work->pipeline.count; i++)
        for (char *const *word = work->pipeline.steps[i].command; word && *word; word++)
            if (!command_files_add_command(work->settings, *word, err))
                return false;
    return true;
}

bool pipeline_files_open(struct pipeline_work *work, struct error *err)
{
    return check_programs(work, err) && open_metrics(work, err) && check_metrics(work, err) &&
           result_file_open(&work->json, settings_text(work->settings, &option_json), err) &&
           csv_file_open(work->settings, &option_csv, &work->csv, err) &&
           result_file_open(&work->requests, settings_text(work->settings, &option_write_requests), err);
}

void pipeline_files_progress(struct pipeline_work *work)
{
    const uint64_t begun_ns = clock_monotonic_ns();
    struct error ignored; /* the final write tells */

    if (!result_file_is_due(&work->json, work->next_progress_ns) || !pipeline_result_collect(work, false, &ignored))
        return;
    IGNORED(output_rewrite(&work->json,
                           output_begin_rewrite(&work->json) &&
                               pipeline_report_json(&work->report, work->json.anew, &ignored),
                           &ignored),
            "the final write reports a failure");
    work->next_progress_ns = result_file_next(begun_ns);
}

static int64_t known(uint64_t value)
{
    return value ? (int64_t)value : -1;
}

static void note_imported(const struct pipeline_rewritten *rewritten, const struct settings *settings)
{
    for (size_t i = 0; i < rewritten->imported_count; i++) {
        struct error err;
        struct notice notice;

        error_set(&err, ERROR_NONE, "the requests of '%.100s' are not written", rewritten->imported[i]);
        error_why(&err, "another file describes it");
        error_fix(&err, "write them there; the table and --json have them");
        notice = notice_of_error(&err);
        terminal_tell(settings, &notice);
    }
}

#define LOWER_BOUND "# carbon: cpu is a lower bound, for it waited for CPUs: "

/* A line at the top for each step whose request for CPUs is one; those of an earlier time are left out. False: the
 * stream failed. */
static bool write_text(const struct pipeline_work *work, const struct pipeline_rewritten *rewritten, FILE *out)
{
    const char *text = rewritten->text, *end = text + rewritten->length;

    while ((size_t)(end - text) > strlen(LOWER_BOUND) && strncmp(text, LOWER_BOUND, strlen(LOWER_BOUND)) == 0) {
        const char *line_end = memchr(text, '\n', (size_t)(end - text));
        text = line_end ? line_end + 1 : end;
    }
    for (size_t i = 0; i < work->report.step_count; i++)
        if (work->report.steps[i].request_cpu_at_least)
            fprintf(out, LOWER_BOUND "%s\n", work->report.steps[i].name);
    return fwrite(text, 1, (size_t)(end - text), out) == (size_t)(end - text) && !ferror(out);
}

/* What the steps are to be given, into a copy of the file. */
static bool write_requests(struct pipeline_work *work, struct error *err)
{
    const size_t count = work->pipeline.count;
    AUTO_FREE struct pipeline_requests *requests = calloc(count, sizeof *requests);
    struct pipeline_rewritten rewritten = { .text = NULL };
    bool good;

    if (!requests)
        return error_errno(err, "no memory for the requests");
    for (size_t i = 0; i < count; i++) {
        const struct request *request = &work->report.steps[i].requests;

        requests[work->pipeline.order[i]] = (struct pipeline_requests){
            .cpu = known(request->cpu),
            .gpu = -1,
            .memory_mb = known(request->memory_mb),
        };
    }
    good = pipeline_requests_write(&work->pipeline, requests, &rewritten, err) &&
           (write_text(work, &rewritten, work->requests.file) || error_errno(err, "cannot write the requests"));
    if (good)
        note_imported(&rewritten, work->settings);
    pipeline_rewritten_close(&rewritten);
    return good;
}

int pipeline_files_write(struct pipeline_work *work, int status)
{
    struct error err;

    if (work->json.file)
        status = result_file_end(&work->json,
                                 output_rewrite(&work->json,
                                                output_begin_rewrite(&work->json) &&
                                                    pipeline_report_json(&work->report, work->json.anew, &err),
                                                &err),
                                 &err, status);
    if (work->csv.file)
        status = result_file_end(&work->csv, pipeline_report_csv(&work->report, work->csv.file, &err), &err, status);
    if (work->requests.file)
        status = result_file_end(&work->requests, write_requests(work, &err), &err, status);
    return status;
}

void pipeline_files_keep(struct pipeline_work *work, bool empty)
{
    result_file_discard(&work->csv);
    result_file_discard(&work->requests);
    result_file_leave(&work->json, empty);
}
