/* SPDX-License-Identifier: MIT
 * The answer in one line, for scripts. */
#include "result/answer.h"

#include "base/c_locale.h"

#include <math.h>
#include <string.h>

/* A domain that should be in the total is not, or was left out of it. */
static bool is_incomplete(const struct report *report)
{
    for (size_t i = 0; i < report->all_notices.count; i++)
        if (strncmp(report->all_notices.item[i].what, INCOMPLETE, strlen(INCOMPLETE)) == 0 ||
            strncmp(report->all_notices.item[i].what, LEFT_OUT, strlen(LEFT_OUT)) == 0)
            return true;
    return false;
}

/* "660.2 J measured own 9.68e-06 kgCO2eq": words that a shell reads one by one; behind them what is to be known of
 * them. */
static bool write_line(const struct report *report, FILE *out, struct error *err)
{
    const struct answer answer = answer_of(report);
    const double kgco2eq = answer.emission->footprint.kgco2eq;

    if (isnan(answer.energy_j))
        fprintf(out, "unknown J unknown %s", figure_name(answer.figure));
    else
        c_fprintf(out, "%.6g J %s %s", answer.energy_j, quality_name(report->summary.quality),
                  figure_name(answer.figure));
    if (isfinite(kgco2eq))
        c_fprintf(out, " %.6g kgCO2eq", kgco2eq);
    else
        fprintf(out, " unknown kgCO2eq");
    fprintf(out, "%s%s%s%s\n", report->summary.at_least ? " at-least" : "", is_incomplete(report) ? " incomplete" : "",
            answer.distinct ? "" : " indistinct", report->complete ? "" : " partial");
    return !ferror(out) || error_errno(err, "cannot write the result");
}

const struct report_format brief_format = { "brief", "the answer in one line, for scripts", write_line };
