/* SPDX-License-Identifier: MIT
 * Results for CI services: which files, and the rows that all forms show. */
#include "gate/ci.h"

#include "base/units.h"
#include "base/utf8.h"
#include "gate/ci_forms.h"
#include "result/answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[CI_FORMS] = { "github", "gitlab", "junit", "dashboard" };

void ci_row_of(const struct report *report, const char *name, struct ci_row *row)
{
    const struct answer answer = answer_of(report);
    const struct domain_energy *total = &report->summary.total;
    const struct sample_stats *spread = answer.figure == FIGURE_OWN_J   ? &total->own_j
                                        : answer.figure == FIGURE_NET_J ? &total->net_j
                                                                        : &total->gross_j;

    *row = (struct ci_row){ .figure = figure_name(answer.figure),
                            .quality = report->summary.quality,
                            .runs = report->summary.runs,
                            .energy_j = answer.energy_j,
                            .deviation_j = spread->count > 1 ? spread->deviation : NAN,
                            .kgco2eq = answer.emission->footprint.kgco2eq,
                            .duration_s = report->summary.duration_s.mean,
                            .units = report->sci.enabled ? report->sci.units : 0,
                            .see_kwh = NAN,
                            .sci_kgco2eq = NAN };
    utf8_printable(row->name, sizeof row->name, name);
    if (row->units > 0) {
        utf8_printable(row->unit, sizeof row->unit, report->sci.unit);
        row->see_kwh = total->gross_j.mean * report->pue / J_PER_KWH / row->units;
        row->sci_kgco2eq = report->sci.kgco2eq_per_unit;
    }
}

void ci_row_judge(struct ci_row *row, enum gate_verdict verdict, const char *said)
{
    row->is_judged = true;
    row->verdict = verdict;
    utf8_printable(row->said, sizeof row->said, said);
}

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
