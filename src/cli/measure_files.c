/* SPDX-License-Identifier: MIT
 * Results of `carbon measure` in files. */
#include "cli/measure_files.h"

#include "base/clock.h"
#include "cli/terminal.h"

#include <string.h>

/* Rest between two writings of the partial record, in times of what the last one took. */
#define PROGRESS_REST 19

static bool open_file(const char *path, struct output *output, bool *has, struct error *err)
{
    *has = path && output_open(output, path, err);
    return !path || *has;
}

static bool open_append(struct measure_files *files, const char *path, struct error *err)
{
    if (!path || strcmp(path, "-") == 0) {
        error_set(err, ERROR_USAGE, "--append needs a file to append to");
        return error_fix(err, "--csv FILE --append");
    }
    files->append_path = path;
    return output_append_check(path, csv_header(), err);
}

bool measure_files_open(struct measure_files *files, const struct measure_paths *paths, const struct meter *meter,
                        struct error *err)
{
    files->opened_ns = clock_monotonic_ns();
    files->opened_realtime_ns = clock_realtime_ns();
    if (paths->append ? !open_append(files, paths->csv, err)
                      : !open_file(paths->csv, &files->csv, &files->has_csv, err))
        return false;
    return open_file(paths->json, &files->json, &files->has_json, err) &&
           open_file(paths->samples, &files->samples, &files->has_samples, err) &&
           (!files->has_samples || samples_header(&files->samples, meter, err));
}

void measure_files_sample(struct measure_files *files, const struct meter *meter, const struct workload_place *place,
                          const struct sample *sample)
{
    if (files->has_samples && !files->samples_broken)
        files->samples_broken = !samples_line(&files->samples, meter, files->opened_ns, files->opened_realtime_ns,
                                              place, sample, &files->sample_error);
}

bool measure_files_want_progress(const struct measure_files *files)
{
    return files->has_json && !files->json.in_place && clock_monotonic_ns() >= files->next_progress_ns;
}

void measure_files_progress(struct measure_files *files, const struct report *report, uint64_t begun_ns)
{
    struct error ignored; /* the final write tells */
    uint64_t now_ns;

    if (output_restart(&files->json, &ignored) && json_format.write(report, files->json.file, &ignored))
        fflush(files->json.file);
    now_ns = clock_monotonic_ns();
    files->next_progress_ns = now_ns + PROGRESS_REST * (now_ns - begun_ns);
}

static int worse(int status, bool written, const struct error *error)
{
    return written ? status : terminal_fail(error, STATUS_CARBON_FAILED);
}

static int write_file(const struct report_format *format, const struct report *report, struct output *output,
                      int status)
{
    struct error err;
    const bool written = output_restart(output, &err) &&
                         (format->write(report, output->file, &err) || output_failed(output, &err)) &&
                         output_finish(output, &err);

    return worse(status, written, &err);
}

static int append_row(const struct measure_files *files, const struct report *report, int status)
{
    struct error err;
    struct text line;
    bool written;

    text_open(&line, 1 << 20);
    csv_line(report, &line);
    written = text_ok(&line) ? output_append(files->append_path, csv_header(), line.data, &err)
                             : error_set(&err, ERROR_SYSTEM, "no memory for the row of '%s'", files->append_path);
    text_close(&line);
    return worse(status, written, &err);
}

int measure_files_write(struct measure_files *files, const struct report *report, int status)
{
    struct error err;

    if (files->has_json)
        status = write_file(&json_format, report, &files->json, status);
    if (files->has_csv)
        status = write_file(&csv_format, report, &files->csv, status);
    if (files->append_path)
        status = append_row(files, report, status);
    if (files->has_samples && files->samples_broken)
        status = worse(status, false, &files->sample_error);
    else if (files->has_samples)
        status = worse(status, output_finish(&files->samples, &err), &err);
    return status;
}

void measure_files_keep(struct measure_files *files)
{
    struct output *const outputs[] = { &files->json, &files->csv, &files->samples };
    const bool has[] = { files->has_json, files->has_csv, files->has_samples };

    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        char kept[4096] = "";
        if (has[i])
            output_keep_partial(outputs[i], kept, sizeof kept);
        if (kept[0])
            fprintf(stderr, "carbon: what was measured until then is in '%s'\n", kept);
    }
}

void measure_files_discard(struct measure_files *files)
{
    struct error ignored;

    if (files->has_json)
        (void)!output_restart(&files->json, &ignored);
    if (files->has_samples)
        (void)!output_restart(&files->samples, &ignored);
    measure_files_keep(files);
}
