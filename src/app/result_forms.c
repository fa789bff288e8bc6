/* SPDX-License-Identifier: MIT
 * The forms of a result that --json and --csv ask for. */
#include "app/result_forms.h"

#include "app/csv_file.h"

#include <string.h>

bool result_forms_next(struct result_forms *forms, struct error *err)
{
    static const struct option_spec *const options[] = { &option_json, &option_csv };

    while (!forms->failed && forms->tried < sizeof options / sizeof options[0]) {
        const char *path = settings_text(forms->settings, options[forms->tried++]);

        if (!path)
            continue;
        forms->is_json = forms->tried == 1;
        forms->any = true;
        forms->on_stdout |= strcmp(path, "-") == 0;
        forms->failed = forms->is_json ? !output_open(&forms->output, path, err)
                                       : !csv_file_open(forms->settings, &option_csv, &forms->output, err);
        forms->out = forms->output.file;
        if (!forms->failed)
            return true;
    }
    return false;
}

void result_forms_end(struct result_forms *forms, bool written, struct error *err)
{
    forms->failed = !output_end(&forms->output, written, err);
}
