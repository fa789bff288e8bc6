/* SPDX-License-Identifier: MIT
 * Power × time. */
#include "energy/gauge.h"

#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

struct domain sensor_domain(enum quality quality)
{
    return (struct domain){
        .access = ACCESS_SENSOR,
        .package = -1,
        .die = -1,
        .quality = quality,
        .resolution_uj = 1,
        .update_ns = GAUGE_POLL_NS,
        .low_ratio = 1,
        .high_ratio = 1,
    };
}

uint64_t gauge_poll_ns(const struct domain *domain)
{
    if (domain->component == COMPONENT_RAIL || domain->update_ns > NS_PER_S_INT)
        return NS_PER_S_INT;
    return domain->update_ns > GAUGE_POLL_NS ? domain->update_ns : GAUGE_POLL_NS;
}

/* A device in runtime suspend would be woken by the reading, which costs more than it draws. */
static bool is_asleep(const struct gauge *gauge)
{
    static const char suspended[] = "suspended";
    char text[sizeof suspended];

    return gauge->status_fd >= 0 && pread(gauge->status_fd, text, sizeof suspended - 1, 0) == sizeof suspended - 1 &&
           memcmp(text, suspended, sizeof suspended - 1) == 0;
}

int gauge_power_uw(struct gauge *gauge, double *power_uw)
{
    double value = 0, current = 1;
    int number;

    *power_uw = 0;
    gauge->asleep = is_asleep(gauge);
    if (gauge->asleep)
        return 0;
    number = fd_read_number(gauge->fd, &value);
    if (!number && gauge->current_fd >= 0)
        number = fd_read_number(gauge->current_fd, &current);
    if (number)
        return number;
    *power_uw = value * current * gauge->uw_per_unit;
    if (gauge->magnitude)
        *power_uw = fabs(*power_uw);
    return bounds_can_be_power(*power_uw / UJ_PER_J) ? 0 : ERANGE;
}

void gauge_add(struct gauge *gauge, uint64_t now_ns, double power_uw, struct reading *reading)
{
    if (gauge->running)
        gauge->energy_uj += (gauge->last_uw + power_uw) / 2 * s_from_ns(now_ns - gauge->last_ns);
    else
        reading->restarted = gauge->last_ns > 0;
    gauge->moved |= gauge->running && power_uw != gauge->last_uw;
    /* a coarse sensor, in whole watts, often repeats its value */
    reading->constant_power = !gauge->moved && fmod(power_uw, UJ_PER_J) != 0;
    reading->off = gauge->asleep;
    gauge->running = true;
    gauge->last_ns = now_ns;
    gauge->last_uw = power_uw;
    reading->has_power = true;
    reading->power_uw = power_uw;
    reading->error = 0;
    reading->energy_uj = (uint64_t)gauge->energy_uj;
}

void gauge_take(struct gauge *gauge, uint64_t now_ns, int number, double power_uw, struct reading *reading)
{
    reading->error = number;
    if (number) {
        gauge->running = false;
        return;
    }
    gauge_add(gauge, now_ns, power_uw, reading);
    reading->time_ns = now_ns;
}

void gauge_read(struct gauge *gauge, uint64_t now_ns, struct reading *reading)
{
    double power_uw = 0;
    const int number = gauge->fd < 0 ? ENODATA : gauge_power_uw(gauge, &power_uw);

    gauge_take(gauge, now_ns, number, power_uw, reading);
}

void gauge_close(struct gauge *gauge)
{
    int *const fds[] = { &gauge->fd, &gauge->current_fd, &gauge->status_fd };

    for (size_t i = 0; i < sizeof fds / sizeof fds[0]; i++) {
        if (*fds[i] >= 0)
            close(*fds[i]);
        *fds[i] = -1;
    }
}
