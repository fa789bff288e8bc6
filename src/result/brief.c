/* SPDX-License-Identifier: MIT
 * The result in one line, for --quiet. */
#include "result/report.h"

#include "base/units.h"
#include "result/hourly_text.h"
#include "result/own_text.h"
#include "result/sum.h"
#include "result/terms.h"
#include "result/verdict_text.h"

#include <math.h>
#include <string.h>

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* What should be in the total and is not, and what was left out of it. */
static void write_incomplete(const struct report *report, FILE *out)
{
    for (size_t i = 0; i < report->doubts.count; i++)
        if (begins(report->doubts.item[i].what, INCOMPLETE) || begins(report->doubts.item[i].what, LEFT_OUT))
            fprintf(out, "; %s", report->doubts.item[i].what);
}

static bool brief_form(const struct report *report, FILE *out, struct error *err)
{
    const struct domain_energy *total = &report->summary.total;
    const bool own = own_is_apart(report), is_void = net_is_void(&report->summary);
    const bool net = isfinite(report->net.footprint.kgco2eq) && !is_void;
    const struct emission *answer = own ? &report->own : net ? &report->net : &report->gross;
    const struct sum sum = sum_of(answer->footprint.it_kwh, report->pue, answer->kgco2eq_per_kwh, 3);
    char a[UNITS_SIZE], b[UNITS_SIZE], c[UNITS_SIZE];
    struct text factor;

    text_open(&factor, 4096);
    if (report->by_hour.asked)
        hourly_terms(report, &factor);
    else
        terms_factor(&report->factor, &factor);
    if (isfinite(answer->footprint.kgco2eq))
        fprintf(out, "%s %s = %s", sum.result, own ? "own" : net ? "net" : "gross", sum.terms);
    else
        fprintf(out, "%s", report->summary.below_resolution ? "below resolution" : "unknown");
    fprintf(out, "; gross %s%s, idle %s, net %s", report->summary.at_least ? "at least " : "",
            units_energy(total->gross_j.mean, a), units_energy(total->idle_j.mean, b),
            is_void ? "n/a (" NET_IS_VOID ")" : units_energy(total->net_j.mean, c));
    if (own)
        fprintf(out, ", own %s %s", units_energy(total->own_j.mean, a), own_manner(total->own_method));
    fprintf(out, " (%s%s)", quality_name(report->summary.quality), report->complete ? "" : ", partial");
    fprintf(out, "; PUE %s; %s", quality_name(report->pue_quality), factor.data ? factor.data : "");
    write_incomplete(report, out);
    fputc('\n', out);
    text_close(&factor);
    return !ferror(out) || error_errno(err, "cannot write the result");
}

const struct report_format brief_format = { "brief", "the answer in one line", brief_form };
