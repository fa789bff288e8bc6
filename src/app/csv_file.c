/* SPDX-License-Identifier: MIT
 * One place that opens tables. */
#include "app/csv_file.h"

#include "base/auto.h"
#include "form/sheet.h"

#include <stdlib.h>

bool csv_file_open_path(const char *path, bool safe, struct output *output, struct error *err)
{
    if (!path)
        return true;
    return safe ? output_open_sheet(output, path, err) : output_open(output, path, err);
}

bool csv_file_open(const struct settings *settings, const struct option_spec *option, struct output *output,
                   struct error *err)
{
    return csv_file_open_path(settings_text(settings, option), settings_flag(settings, &option_csv_safe), output, err);
}

bool csv_file_open_lines(const char *path, bool safe, struct output *output, struct error *err)
{
    if (!path)
        return true;
    if (!output_open(output, path, err))
        return false;
    output->lines_are_safe = safe;
    return true;
}

char *csv_file_lines(const struct output *output, char *lines, size_t *length)
{
    char *safe;

    if (!lines || !output->lines_are_safe)
        return lines;
    safe = sheet_text(lines, *length, length);
    free(lines);
    return safe;
}

static bool make_safe(struct text *row)
{
    size_t length;
    AUTO_FREE char *safe = sheet_text(row->data, row->length, &length);

    if (!safe)
        return false;
    row->length = 0;
    text_add_bytes(row, safe, length);
    return text_ok(row);
}

bool csv_file_append(const char *path, bool safe, const char *header, struct text *row, struct error *err)
{
    const bool made = text_ok(row) && (!safe || make_safe(row));
    const bool written = made ? output_append(path, header, row->data, err)
                              : error_set(err, ERROR_SYSTEM, "no memory for the row of '%s'", path);

    text_close(row);
    return written;
}
