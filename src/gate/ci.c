/* SPDX-License-Identifier: MIT
 * Results for CI services: the files, and the rows that all forms show. */
#include "gate/ci.h"

#include "gate/ci_forms.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[CI_FORMS] = { "github", "gitlab", "junit", "dashboard" };

static bool refuse_form(const char *text, const char *why, struct error *err)
{
    error_set(err, ERROR_USAGE, "--ci %.80s: %s", text, why);
    return error_fix(err, "--ci github, github=FILE, gitlab=FILE, junit=FILE or dashboard=FILE");
}

static bool open_one(struct ci_files *ci, const char *text, struct error *err)
{
    const size_t length = strcspn(text, "=");
    const char *path = text[length] ? text + length + 1 : NULL;
    size_t form = 0;

    while (form < CI_FORMS && (strlen(names[form]) != length || strncmp(names[form], text, length) != 0))
        form++;
    if (form == CI_FORMS)
        return refuse_form(text, "the form is unknown", err);
    if (ci->files[form])
        return refuse_form(text, "given twice", err);
    if (!path && form == CI_GITHUB)
        path = getenv("GITHUB_STEP_SUMMARY");
    if (!path || !*path)
        return refuse_form(text, form == CI_GITHUB ? "GITHUB_STEP_SUMMARY is not set" : "the file is missing", err);
    ci->paths[form] = path;
    ci->files[form] = fopen(path, form == CI_GITHUB ? "ae" : "we");
    return ci->files[form] || error_errno(err, "cannot write '%s'", path);
}

bool ci_open(struct ci_files *ci, const char *const *texts, struct error *err)
{
    *ci = (struct ci_files){ .files = { NULL } };
    for (size_t i = 0; texts[i]; i++)
        if (!open_one(ci, texts[i], err))
            return false;
    return true;
}

bool ci_is_wanted(const struct ci_files *ci)
{
    for (size_t form = 0; form < CI_FORMS; form++)
        if (ci->files[form])
            return true;
    return false;
}

bool ci_write(struct ci_files *ci, const char *title, const struct ci_row *rows, size_t count, FILE *annotations,
              struct error *err)
{
    static ci_form_write *const forms[CI_FORMS] = { ci_summary_write, ci_metrics_write, ci_junit_write,
                                                    ci_dashboard_write };
    const char *failed = NULL;

    for (size_t form = 0; form < CI_FORMS; form++) {
        if (!ci->files[form])
            continue;
        forms[form](title, rows, count, ci->files[form]);
        if (form == CI_GITHUB)
            ci_annotations_write(title, rows, count, annotations);
        if ((ferror(ci->files[form]) | fclose(ci->files[form])) != 0)
            failed = ci->paths[form];
        ci->files[form] = NULL;
    }
    return !failed || error_errno(err, "cannot write '%s'", failed);
}

void ci_close(struct ci_files *ci)
{
    for (size_t form = 0; form < CI_FORMS; form++)
        if (ci->files[form])
            fclose(ci->files[form]);
}
