/* SPDX-License-Identifier: MIT
 * The output of `carbon compare`. */
#include "commands/compare/compare.h"

#include "app/csv_file.h"
#include "app/result_file.h"
#include "app/style.h"
#include "app/terminal.h"

bool compare_files_open(struct compare_files *files, const struct settings *settings, struct error *err)
{
    return csv_file_open(settings, &option_csv, &files->csv, err) &&
           result_file_open(&files->json, settings_text(settings, &option_json), err);
}

bool compare_files_want_progress(const struct compare_files *files)
{
    return result_file_is_due(&files->json, files->next_progress_ns);
}

void compare_files_progress(struct compare_files *files, const struct contest *contest, uint64_t begun_ns)
{
    struct error ignored; /* the final write tells */

    (void)!output_rewrite(
        &files->json, output_anew(&files->json) && contest_json_write(contest, files->json.anew, &ignored), &ignored);
    files->next_progress_ns = result_file_next(begun_ns);
}

typedef bool contest_form(const struct contest *contest, FILE *out, struct error *err);

static int write_file(contest_form *form, const struct contest *contest, struct output *output, int status)
{
    struct error err;
    const bool written = output_rewrite(output, output_anew(output) && form(contest, output->anew, &err), &err);

    return result_file_end(output, written, &err, status);
}

int compare_files_write(struct compare_files *files, const struct contest *contest, int status)
{
    if (files->json.file)
        status = write_file(contest_json_write, contest, &files->json, status);
    if (files->csv.file)
        status = write_file(contest_csv_write, contest, &files->csv, status);
    return status;
}

void compare_files_keep(struct compare_files *files)
{
    result_file_keep(&files->json);
    result_file_keep(&files->csv);
}

void compare_files_discard(struct compare_files *files)
{
    result_file_discard(&files->json);
    result_file_discard(&files->csv);
}

int compare_print(const struct contest *contest, const struct settings *settings, int status)
{
    struct terminal_piece piece;
    struct table_style style;
    bool written = false;
    struct error err;

    if (!terminal_piece_open(&piece, settings))
        return STATUS_CARBON_FAILED;
    style = style_of_piece(settings, &piece);
    switch (style.detail) {
    case DETAIL_LINE: written = contest_brief_write(contest, piece.out, &err); break;
    case DETAIL_ANSWER: written = contest_answer_write(contest, &style, piece.out, &err); break;
    case DETAIL_ALL: written = contest_table_write(contest, &style, piece.out, &err); break;
    }
    return terminal_piece_print(&piece, written, status);
}
