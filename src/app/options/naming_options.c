/* SPDX-License-Identifier: MIT
 * --label, --project and --meta. */
#include "app/options/naming_options.h"

#include <stdio.h>
#include <string.h>

static bool check_meta(const char *text, struct error *err)
{
    const size_t length = strcspn(text, "=");

    if (text[length] && length > 0 && length < REPORT_META_KEY_SIZE &&
        strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-") == length)
        return true;
    error_set(err, ERROR_USAGE, "it is not KEY=VALUE, with a key of 1 to %d letters, digits, '_', '.' and '-'",
              REPORT_META_KEY_SIZE - 1);
    return error_fix(err, "--meta commit=4f1c9e2");
}

const struct option_spec option_label =
    OPTION(TEXT, "Ledger", "label", .argument = "<text>", .help = "label of the record");
const struct option_spec option_project =
    OPTION(TEXT, "Ledger", "project", .argument = "<text>", .help = "project of the record");
const struct option_spec option_meta =
    OPTION(TEXT, "Ledger", "meta", .argument = "<key=value>", .check = check_meta, .sample = "key=value",
           .repeated = true, .help = "extra field of the record; repeatable");
const struct option_spec option_of_label =
    OPTION(TEXT, "Which records", "label", .argument = "<text>", .help = "only those that are called so");
const struct option_spec option_of_project =
    OPTION(TEXT, "Which records", "project", .argument = "<text>", .help = "only those that are for this");
const struct option_spec option_of_meta =
    OPTION(TEXT, "Which records", "meta", .argument = "<key=value>", .check = check_meta, .sample = "key=value",
           .repeated = true, .help = "only those in which this stands; may be repeated, for all of it");

bool naming_options_read(const struct settings *settings, struct report *report, struct error *err)
{
    const char *const *texts = settings_texts(settings, &option_meta);

    report->label = settings_text(settings, &option_label);
    report->project = settings_text(settings, &option_project);
    for (size_t i = 0; texts[i] && i < REPORT_META_MAX; i++) {
        struct report_meta *meta = &report->meta[report->meta_count];

        snprintf(meta->key, sizeof meta->key, "%.*s", (int)strcspn(texts[i], "="), texts[i]);
        meta->value = strchr(texts[i], '=') + 1;
        for (size_t j = 0; j < report->meta_count; j++)
            if (strcmp(report->meta[j].key, meta->key) == 0) {
                error_set(err, ERROR_USAGE, "--meta was given twice for '%s'", meta->key);
                return error_fix(err, "one --meta %s=VALUE", meta->key);
            }
        report->meta_count++;
    }
    return true;
}
