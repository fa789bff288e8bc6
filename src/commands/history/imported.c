/* SPDX-License-Identifier: MIT
 * Takes figures from another tool's output, with the notices about them. */
#include "commands/history/imported.h"

#include "base/units.h"

#include <math.h>

/* What of it is in sums. */
struct codecarbon_figures imported_counted(const struct imported *imported)
{
    static const struct codecarbon_figures unknown = { NAN, NAN, NAN, NAN, NAN, NAN };
    struct codecarbon_figures figures = imported->run->added;

    if (*imported->run->doubt && !imported->doubted) {
        figures = unknown;
        figures.duration_s = imported->run->added.duration_s;
    }
    return figures;
}

double imported_it_j(const struct codecarbon_run *run, double kwh)
{
    return kwh * J_PER_KWH / (isnan(run->pue) ? 1 : run->pue);
}

void imported_doubts(const struct imported *imported, struct notices *notices)
{
    const struct codecarbon_run *run = imported->run;
    const double parts = run->reported.cpu_kwh + run->reported.gpu_kwh + run->reported.ram_kwh;

    notice_add(notices, NOTICE_ASSUMED, "its rows do not show whether they come from a counter, a load or a constant",
               "", "CodeCarbon's figures were taken as they stand");
    if (*run->doubt)
        notice_add(notices, NOTICE_IMPLAUSIBLE, run->doubt, "",
                   imported->doubted ? "the energy is doubted, and taken as it stands"
                                     : "the energy is doubted, and in no sum");
    if (isnan(run->reported.kwh))
        notice_add(notices, NOTICE_UNKNOWN, "the field is empty: its energy is unknown, not 0", "",
                   "the energy is missing");
    else if (!isnan(parts) && fabs(parts - run->reported.kwh) > 1e-6 * run->reported.kwh + 1e-12)
        notice_add(notices, NOTICE_INCONSISTENT, "both were taken as they stand", "",
                   "the energies of CPU, GPU and memory do not add up to the whole");
    if (isnan(run->pue))
        notice_add(notices, NOTICE_ASSUMED, "its release had none, or it is missing", "",
                   "the energy was taken as that of the IT alone");
    if (run->goes_on_from)
        notice_add(notices, NOTICE_ASSUMED, "CodeCarbon's rows hold all since the start of their run", "",
                   "this is the addition of the row to that of line %zu", run->goes_on_from);
    if (!run->ended_realtime_ns)
        notice_add(notices, NOTICE_UNKNOWN, "a log has only the time of day",
                   "import it again with --date, the day on which it ends", "when it was is unknown");
}
