/* SPDX-License-Identifier: MIT
 * From a report to the row of a CI service. */
#include "gate/ci_row.h"

#include "base/units.h"
#include "base/utf8.h"
#include "result/answer.h"

#include <math.h>

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
