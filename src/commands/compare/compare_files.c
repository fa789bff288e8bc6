/* SPDX-License-Identifier: MIT
 * The output of `carbon compare`. */
#include "commands/compare/compare.h"

#include "app/ci_options.h"
#include "app/csv_file.h"
#include "app/result_file.h"
#include "app/style.h"
#include "app/terminal.h"
#include "base/auto.h"

#include <stdlib.h>

bool compare_files_open(struct compare_files *files, const struct settings *settings, struct error *err)
{
    return csv_file_open(settings, &option_csv, &files->csv, err) &&
           result_file_open(&files->html, settings_text(settings, &option_html), err) &&
           result_file_open(&files->json, settings_text(settings, &option_json), err);
}

bool compare_files_want_progress(const struct compare_files *files)
{
    return result_file_is_due(&files->json, files->next_progress_ns);
}

void compare_files_progress(struct compare_files *files, const struct comparison *comparison, uint64_t begun_ns)
{
    struct error ignored; /* the final write reports errors */

    IGNORED(output_rewrite(&files->json,
                           output_begin_rewrite(&files->json) &&
                               comparison_json_write(comparison, files->json.anew, &ignored),
                           &ignored),
            "the final write reports a failure");
    files->next_progress_ns = result_file_next(begun_ns);
}

int compare_ci_write(struct ci_files *ci, const struct comparison *comparison, int status)
{
    AUTO_FREE struct ci_row *rows = calloc(comparison->candidate_count, sizeof *rows);

    if (!rows || !ci_is_wanted(ci))
        return status;
    for (size_t i = 0; i < comparison->candidate_count; i++) {
        const struct candidate *candidate = &comparison->candidates[i];
        const struct gate *gate = i ? comparison->pairs[i - 1].gate : NULL;
        struct text text;

        ci_row_of(candidate->report, candidate->name, &rows[i]);
        if (!gate)
            continue;
        text_open(&text, SIZE_MAX);
        gate_line(gate, &text);
        ci_row_judge(&rows[i], gate->verdict, text_ok(&text) ? text.data : "");
        text_close(&text);
    }
    return ci_options_write(ci, "carbon compare", rows, comparison->candidate_count, status);
}

typedef bool comparison_form(const struct comparison *comparison, FILE *out, struct error *err);

static int write_file(comparison_form *form, const struct comparison *comparison, struct output *output, int status)
{
    struct error err;
    const bool written =
        output_rewrite(output, output_begin_rewrite(output) && form(comparison, output->anew, &err), &err);

    return result_file_end(output, written, &err, status);
}

int compare_files_write(struct compare_files *files, const struct comparison *comparison, int status)
{
    if (files->json.file)
        status = write_file(comparison_json_write, comparison, &files->json, status);
    if (files->csv.file)
        status = write_file(comparison_csv_write, comparison, &files->csv, status);
    if (files->html.file)
        status = write_file(comparison_html_write, comparison, &files->html, status);
    return status;
}

void compare_files_keep(struct compare_files *files)
{
    result_file_keep(&files->json);
    result_file_keep(&files->csv);
    result_file_keep(&files->html);
}

void compare_files_discard(struct compare_files *files)
{
    result_file_discard(&files->json);
    result_file_discard(&files->csv);
    result_file_discard(&files->html);
}

static bool write_comparison(const void *comparison, const struct table_style *style, FILE *out, struct error *err)
{
    switch (style->detail) {
    case DETAIL_LINE: return comparison_brief_write(comparison, out, err);
    case DETAIL_ANSWER: return comparison_answer_write(comparison, style, out, err);
    case DETAIL_ALL: break;
    }
    return comparison_text_write(comparison, style, out, err);
}

int compare_print(const struct comparison *comparison, const struct settings *settings, int status)
{
    return style_print(settings, write_comparison, comparison, status);
}
