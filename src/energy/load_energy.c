/* SPDX-License-Identifier: MIT
 * Ticks to load, load to energy. */
#include "energy/load_energy.h"

#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

static double energy_uj_of(const struct load_energy *energy, double load, uint64_t duration_ns)
{
    return curve_w(energy->curve, load) * energy->factor * s_from_ns(duration_ns) * UJ_PER_J;
}

int load_energy_at(struct load_energy *energy, uint64_t now_ns, struct ticks now, uint64_t *energy_uj)
{
    const uint64_t open_ns = now_ns - energy->since_ns;
    /* a CPU taken away, or iowait, which the kernel may count back (proc(5)) */
    const bool back = now.all < energy->since.all || now.busy < energy->since.busy;
    const bool moved = now.all > energy->since.all;
    double load = 0, open_uj;

    if (!back && !moved && open_ns > LOAD_SETTLE_NS)
        return ENODATA;
    if (back)
        load = energy->load;
    else if (moved)
        load = (double)(now.busy - energy->since.busy) / (double)(now.all - energy->since.all);
    open_uj = energy_uj_of(energy, load, open_ns);
    if (back || (moved && open_ns >= LOAD_SETTLE_NS)) {
        energy->settled_uj += open_uj;
        open_uj = 0;
        energy->load = load;
        energy->since = now;
        energy->since_ns = now_ns;
    }
    const double whole_uj = round(energy->settled_uj + open_uj);
    if (whole_uj > (double)energy->reported_uj)
        energy->reported_uj = (uint64_t)whole_uj;
    *energy_uj = energy->reported_uj;
    return 0;
}
