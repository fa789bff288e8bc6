/* SPDX-License-Identifier: MIT
 * One place that opens tables. */
#include "app/csv_file.h"

bool csv_file_open(const struct settings *settings, struct output *output, struct error *err)
{
    const char *path = settings_text(settings, &option_csv);

    if (!path)
        return true;
    return settings_flag(settings, &option_csv_safe) ? output_open_sheet(output, path, err)
                                                     : output_open(output, path, err);
}
