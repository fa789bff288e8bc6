/* SPDX-License-Identifier: MIT
 * The output of `carbon compare`. */
#include "cli/compare.h"

#include "base/auto.h"
#include "base/clock.h"
#include "cli/terminal.h"

#include <stdlib.h>

/* Rest between two writings of the partial document, in times of what the last one took. */
#define PROGRESS_REST 19

static bool open_file(const char *path, struct output *output, bool *has, struct error *err)
{
    *has = path && output_open(output, path, err);
    return !path || *has;
}

bool compare_files_open(struct compare_files *files, const struct settings *settings, struct error *err)
{
    return terminal_check_forms(settings, err) &&
           open_file(settings_text(settings, &option_csv), &files->csv, &files->has_csv, err) &&
           open_file(settings_text(settings, &option_json), &files->json, &files->has_json, err);
}

bool compare_files_want_progress(const struct compare_files *files)
{
    return files->has_json && !files->json.in_place && clock_monotonic_ns() >= files->next_progress_ns;
}

void compare_files_progress(struct compare_files *files, const struct contest *contest, uint64_t begun_ns)
{
    struct error ignored; /* the final write tells */
    uint64_t now_ns;

    if (output_restart(&files->json, &ignored) && contest_json_write(contest, files->json.file, &ignored))
        fflush(files->json.file);
    now_ns = clock_monotonic_ns();
    files->next_progress_ns = now_ns + PROGRESS_REST * (now_ns - begun_ns);
}

typedef bool contest_form(const struct contest *contest, FILE *out, struct error *err);

static int write_file(contest_form *form, const struct contest *contest, struct output *output, int status)
{
    struct error err;
    const bool written = output_restart(output, &err) &&
                         (form(contest, output->file, &err) || output_failed(output, &err)) &&
                         output_finish(output, &err);

    return written ? status : terminal_fail(&err, STATUS_CARBON_FAILED);
}

int compare_files_write(struct compare_files *files, const struct contest *contest, int status)
{
    if (files->has_json)
        status = write_file(contest_json_write, contest, &files->json, status);
    if (files->has_csv)
        status = write_file(contest_csv_write, contest, &files->csv, status);
    return status;
}

void compare_files_keep(struct compare_files *files)
{
    struct output *const outputs[] = { &files->json, &files->csv };
    const bool has[] = { files->has_json, files->has_csv };

    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        char kept[4096] = "";
        if (has[i])
            output_keep_partial(outputs[i], kept, sizeof kept);
        if (kept[0])
            fprintf(stderr, "carbon: what was measured until then is in '%s'\n", kept);
    }
}

void compare_files_discard(struct compare_files *files)
{
    struct error ignored;

    if (files->has_json)
        (void)!output_restart(&files->json, &ignored);
    compare_files_keep(files);
}

int compare_print(const struct contest *contest, const struct settings *settings, int status)
{
    const struct table_style style = { .colour = terminal_colour(settings, stderr) };
    AUTO_FREE char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    struct error err;
    bool written;

    if (!out)
        return STATUS_CARBON_FAILED;
    written = settings_flag(settings, &option_quiet) ? contest_brief_write(contest, out, &err)
                                                     : contest_table_write(contest, &style, out, &err);
    written = fclose(out) == 0 && written && fwrite(text, 1, length, stderr) == length;
    /* nobody can be told that standard error is closed */
    return written ? status : STATUS_CARBON_FAILED;
}
