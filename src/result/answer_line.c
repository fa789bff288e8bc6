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

void answer_line(FILE *out, double energy_j, enum quality quality, enum figure figure, double kgco2eq)
{
    if (isnan(energy_j))
        fprintf(out, "unknown J unknown %s", figure_name(figure));
    else
        c_fprintf(out, "%.6g J %s %s", energy_j, quality_name(quality), figure_name(figure));
    if (isfinite(kgco2eq))
        c_fprintf(out, " %.6g kgCO2eq", kgco2eq);
    else
        fprintf(out, " unknown kgCO2eq");
}

/* Behind the figures what is to be known of them. */
static bool write_line(const struct report *report, FILE *out, struct error *err)
{
    const struct answer answer = answer_of(report);

    answer_line(out, answer.energy_j, report->summary.quality, answer.figure, answer.emission->footprint.kgco2eq);
    fprintf(out, "%s%s%s%s\n", report->summary.at_least ? " at-least" : "", is_incomplete(report) ? " incomplete" : "",
            answer.distinct ? "" : " indistinct", report->complete ? "" : " partial");
    return !ferror(out) || error_errno(err, "cannot write the result");
}

const struct report_format brief_format = { "brief", "the answer in one line, for scripts", write_line };
