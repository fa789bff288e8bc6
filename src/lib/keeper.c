/* SPDX-License-Identifier: MIT
 * The thread that keeps a meter alive: reads often enough that no counter wraps unseen, no sensor of power is missed
 * and a hole costs little; and, for stamps, at their interval. */
#include "lib/meter_parts.h"

#include "base/clock.h"
#include "base/units.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

uint64_t keeper_interval_ns(const carbon_meter *meter)
{
    const uint64_t look_ns = meter_look_ns(&meter->meter), poll_ns = meter_poll_ns(&meter->meter);

    const uint64_t due_ns = poll_ns ? clock_earlier_ns(poll_ns, look_ns) : look_ns;

    return meter->taken.limit ? clock_earlier_ns(meter->taken.interval_ns, due_ns) : due_ns;
}

static void *run_keeper(void *context)
{
    carbon_meter *meter = context;
    const uint64_t interval_ns = keeper_interval_ns(meter);
    uint64_t wake_ns = clock_monotonic_ns();
    struct sample sample;

    pthread_mutex_lock(&meter->mutex);
    while (!meter->ending) {
        wake_ns += interval_ns;
        const struct timespec until = { .tv_sec = (time_t)(wake_ns / NS_PER_S_INT),
                                        .tv_nsec = (long)(wake_ns % NS_PER_S_INT) };
        while (!meter->ending && pthread_cond_timedwait(&meter->wake, &meter->mutex, &until) != ETIMEDOUT)
            continue;
        const uint64_t now_ns = clock_monotonic_ns();
        if (meter->ending)
            break;
        take_sample(meter, &sample);
        if (now_ns > wake_ns + interval_ns) /* it came late: do not make up for it */
            wake_ns = now_ns;
    }
    pthread_mutex_unlock(&meter->mutex);
    return NULL;
}

static void wake_by_monotonic(pthread_cond_t *wake)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(wake, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* The thread inherits the mask: no signal of the program's is ever delivered to it. */
bool keeper_start(carbon_meter *meter, struct error *err)
{
    sigset_t all, before;
    int error;

    wake_by_monotonic(&meter->wake);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&meter->keeper, NULL, run_keeper, meter);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) {
        pthread_cond_destroy(&meter->wake);
        errno = error;
        return error_errno(err, "cannot start the thread that keeps the meter alive");
    }
    meter->keeper_runs = true;
    return true;
}

/* In a child there is no such thread, and meter_lock has said so. */
void keeper_stop(carbon_meter *meter)
{
    meter_lock(meter);
    const bool runs = meter->keeper_runs;
    meter->ending = true;
    if (runs)
        pthread_cond_signal(&meter->wake);
    meter_unlock(meter);
    if (!runs)
        return;
    pthread_join(meter->keeper, NULL);
    pthread_cond_destroy(&meter->wake);
    meter->keeper_runs = false;
}
