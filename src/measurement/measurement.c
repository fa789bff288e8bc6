/* SPDX-License-Identifier: MIT
 * Windows, and what each says alone. */
#include "measurement/measurement.h"

#include "base/clock.h"
#include "base/units.h"
#include "measurement/phases.h"
#include "measurement/slices.h"
#include "own/strides.h"

#include <stdlib.h>

bool window_has_hole(const struct measurement *measurement, const struct window *window, size_t domain)
{
    const struct meter_domain *state = &measurement->meter->domains[domain];

    return measurement->counting->is_counted[domain] && window->known[domain] && window->unknown_ns[domain] &&
           state->moved && !state->doubted && !window_is_impossible(measurement, window, domain);
}

bool window_is_at_least(const struct measurement *measurement, const struct window *window)
{
    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (window_has_hole(measurement, window, i))
            return true;
    return false;
}

bool domain_is_at_least(const struct measurement *measurement, size_t domain)
{
    for (size_t i = 0; i < measurement->run_count; i++) {
        const struct window *window = &measurement->runs[i].window;
        if (run_is_counted(&measurement->runs[i]) && window->unknown_ns[domain] &&
            window_has_figure(measurement, window, domain))
            return true;
    }
    return false;
}

double window_counted_j(const struct measurement *measurement, const struct window *window)
{
    double sum_j = 0;

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->is_counted[i] && window->known[i] && !measurement->meter->domains[i].doubted)
            sum_j += figure_j(measurement->meter->domains[i].domain, window->energy_uj[i]);
    return sum_j;
}

uint64_t measurement_update_ns(const struct measurement *measurement)
{
    uint64_t update_ns = 0;

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->is_counted[i] && measurement->meter->domains[i].domain->update_ns > update_ns)
            update_ns = measurement->meter->domains[i].domain->update_ns;
    return update_ns;
}

static const struct window *window_at(const void *of, size_t step)
{
    const struct measurement *measurement = of;

    return step < measurement->baseline_count ? &measurement->baselines[step]
                                              : &measurement->runs[step - measurement->baseline_count].window;
}

struct window_list measurement_steps(const struct measurement *measurement)
{
    return (struct window_list){ window_at, measurement, measurement->baseline_count + measurement->run_count };
}

uint64_t watched_ns(const struct measurement *measurement)
{
    const struct window_list steps = measurement_steps(measurement);

    return windows_ns(&steps);
}

/* It was read, and told nothing that cannot be true. */
static bool was_watched(const struct measurement *measurement, size_t domain)
{
    const struct window_list steps = measurement_steps(measurement);
    bool known = false;

    for (size_t i = 0; i < steps.count; i++) {
        const struct window *window = steps.at(steps.of, i);
        if (window->unknown_ns[domain] && window->hole[domain] == HOLE_IMPLAUSIBLE)
            return false;
        known |= window->known[domain];
    }
    return known;
}

bool domain_is_still(const struct measurement *measurement, size_t domain, bool *too_short)
{
    const struct meter_domain *state = &measurement->meter->domains[domain];
    const uint64_t refreshes_ns = 2 * state->domain->update_ns; /* one of them lies within */
    /* what went back or ahead has moved; what may have wrapped unseen, too */
    const bool still = !state->moved && !state->resets && !state->ambiguous_gaps && was_watched(measurement, domain);

    *too_short = still && watched_ns(measurement) < (refreshes_ns > COUNTER_STUCK_NS ? refreshes_ns : COUNTER_STUCK_NS);
    return still;
}

/* More power than can be true, in a window that its edges do not govern. */
bool window_is_impossible(const struct measurement *measurement, const struct window *window, size_t domain)
{
    const double max_w = measurement->meter->domains[domain].domain->max_w;

    return window->known[domain] && max_w > 0 && window_known_ns(window, domain) >= COUNTER_STUCK_NS &&
           window_w(window, domain) > max_w;
}

bool window_has_figure(const struct measurement *measurement, const struct window *window, size_t domain)
{
    const struct meter_domain *state = &measurement->meter->domains[domain];

    return window->known[domain] && window_known_ns(window, domain) && state->moved && !state->doubted &&
           !window_is_impossible(measurement, window, domain);
}

double window_counted_w(const struct measurement *measurement, const struct window *window)
{
    double sum_w = 0;

    if (!window_is_at_least(measurement, window))
        return window_counted_j(measurement, window) / s_from_ns(window->duration_ns);
    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->is_counted[i] && window->known[i] && window_known_ns(window, i) &&
            !measurement->meter->domains[i].doubted)
            sum_w += domain_figure_ratio(measurement->meter->domains[i].domain) * window_w(window, i);
    return sum_w;
}

static bool has_whole_run(const struct measurement *measurement, size_t command)
{
    for (size_t i = 0; i < measurement->run_count; i++) {
        const struct run *run = &measurement->runs[i];
        if (run->command == command && run_is_counted(run) && !window_is_at_least(measurement, &run->window))
            return true;
    }
    return false;
}

void measurement_leave_out_holes(struct measurement *measurement)
{
    for (size_t i = 0; i < measurement->run_count; i++)
        measurement->runs[i].left_out |= window_is_at_least(measurement, &measurement->runs[i].window) &&
                                         has_whole_run(measurement, measurement->runs[i].command);
}

void measurement_close(struct measurement *measurement)
{
    free(measurement->baselines);
    free(measurement->runs);
    phases_free(measurement->phases);
    slices_free(measurement->slices);
    strides_free(measurement->strides);
    measurement->baselines = NULL;
    measurement->runs = NULL;
    measurement->phases = NULL;
    measurement->slices = NULL;
    measurement->strides = NULL;
    measurement->baseline_count = measurement->run_count = 0;
}
