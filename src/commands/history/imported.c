/* SPDX-License-Identifier: MIT
 * What of another tool's figures is taken, and what is to be known of them. */
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
    const double parts = run->told.cpu_kwh + run->told.gpu_kwh + run->told.ram_kwh;

    notice_add(notices, NOTICE_ASSUMED,
               "its rows do not tell whether a counter, a load or a constant stood behind them", "",
               "CodeCarbon's figures were taken as they stand");
    if (*run->doubt)
        notice_add(notices, NOTICE_IMPLAUSIBLE, run->doubt, "",
                   imported->doubted ? "the energy is doubted, and taken as it stands"
                                     : "the energy is doubted, and in no sum");
    if (isnan(run->told.kwh))
        notice_add(notices, NOTICE_UNKNOWN, "the field is empty: what it used is unknown, not nothing", "",
                   "the energy is not told");
    else if (!isnan(parts) && fabs(parts - run->told.kwh) > 1e-6 * run->told.kwh + 1e-12)
        notice_add(notices, NOTICE_INCONSISTENT, "both were taken as they stand", "",
                   "the energies of CPU, GPU and memory do not add up to the whole");
    if (isnan(run->pue))
        notice_add(notices, NOTICE_ASSUMED, "its release had none, or it is not told", "",
                   "the energy was taken as that of the IT alone");
    if (run->goes_on_from)
        notice_add(notices, NOTICE_ASSUMED, "CodeCarbon's rows hold all since the start of their run", "",
                   "this is what the row adds to that of line %zu", run->goes_on_from);
    if (!run->ended_realtime_ns)
        notice_add(notices, NOTICE_UNKNOWN, "a log tells the time of day alone",
                   "import it again with --date, the day on which it ends", "when it was is unknown");
}
