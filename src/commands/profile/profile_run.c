/* SPDX-License-Identifier: MIT
 * Intervals of a job that is run, and weights of what was seen in them. */
#include "commands/profile/profile_run.h"

#include "app/terminal.h"
#include "base/array.h"
#include "base/auto.h"
#include "base/units.h"
#include "measurement/owns.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>

/* The energy of an interval is off by one refresh of the counter, which is this part of it at most. */
#define REFRESHES 10
#define SHORTEST_S 0.015
#define LONGEST_S_BETWEEN 1.0
/* Where nothing is metered by time the samples alone matter: so often, that the rings do not overflow. */
#define MODELLED_S 0.1
enum { RING_KIB_FITTED_MAX = 4096 };

static bool is_metered(const struct session *session, size_t domain)
{
    return session->counting.is_counted[domain] && session->meter.domains[domain].domain->quality != QUALITY_MODELLED;
}

double profile_interval_s(const struct session *session)
{
    double interval_s = 0;

    for (size_t i = 0; i < session->meter.domain_count; i++)
        if (is_metered(session, i))
            interval_s =
                fmax(fmax(interval_s, SHORTEST_S), REFRESHES * s_from_ns(session->meter.domains[i].domain->update_ns));
    return interval_s > 0 ? fmin(interval_s, LONGEST_S_BETWEEN) : MODELLED_S;
}

/* An interval ends. */
static void take_interval(struct profile_run *run, const struct sample *sample)
{
    const size_t domains = run->session->meter.domain_count;

    if (run->target && !run->begun)
        sampler_begin(&run->sampler, run->pids, run->pid_count);
    for (size_t i = 0; run->begun && i < domains; i++)
        run->terms[i] = j_from_uj(sample->energy_uj[i]) - j_from_uj(run->last.energy_uj[i]);
    run->terms[domains] = run->begun ? s_from_ns(sample->time_ns - run->last.time_ns) : 0;
    if (run->begun)
        sampler_interval(&run->sampler, sample->time_ns, run->terms);
    run->begun = true;
    run->last = *sample;
}

static void on_sample(void *context, const struct workload_place *place, const struct sample *sample,
                      const struct target_now *used)
{
    (void)used;
    if (place->phase == PHASE_RUN)
        take_interval(context, sample);
}

static void on_mark(void *context, size_t phase, const struct sample *sample)
{
    struct profile_run *run = context;

    take_interval(run, sample);
    sampler_phase(&run->sampler, (uint32_t)phase);
}

static bool on_held(void *context, pid_t pid, struct error *err)
{
    struct profile_run *run = context;

    if (run->target) /* the command is its client */
        return true;
    run->held = pid;
    run->rings.pids = &run->held;
    run->rings.pid_count = 1;
    return sampler_follow(&run->sampler, &run->rings, err);
}

/* All that the machine has are asked, so that it does not matter what the target is. False: no memory. */
static bool find_processes(struct profile_run *run)
{
    AUTO_CLOSEDIR DIR *folder = opendir("/proc");
    const struct dirent *entry;
    size_t size = 0;

    while (folder && (entry = readdir(folder))) {
        const pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);
        if (pid <= 0 || target_has(run->target, pid) != TARGET_HAS)
            continue;
        run->pids = array_room(run->pids, &size, run->pid_count + 1, sizeof *run->pids);
        if (run->pid_count == size)
            return false;
        run->pids[run->pid_count++] = pid;
    }
    return true;
}

static bool follow_target(struct profile_run *run, struct error *err)
{
    if (!find_processes(run))
        return error_errno(err, "no memory for the processes of %s", target_name(run->target));
    if (!run->pid_count) {
        error_set(err, ERROR_ABSENT, "no process of %s is to be seen", target_name(run->target));
        return error_why(err, "none runs in it, or they are in another PID namespace than carbon");
    }
    run->rings.pids = run->pids;
    run->rings.pid_count = run->pid_count;
    run->rings.running = true;
    return sampler_follow(&run->sampler, &run->rings, err);
}

void profile_run_close(struct profile_run *run)
{
    sampler_close(&run->sampler);
    free(run->pids);
}

static void on_tick(void *context, const struct workload_place *place)
{
    (void)context;
    session_progress(place, "");
}

/* Nothing that is metered changes with the baseline where there is no meter: own is CPU time × watts. */
static void shorten_baseline(const struct session *session, struct workload_options *options)
{
    bool metered = false;

    for (size_t i = 0; i < session->meter.domain_count; i++)
        metered |= is_metered(session, i);
    if (!metered && settings_origin(session->settings, &option_baseline) == ORIGIN_STANDARD)
        options->baseline_ns = NS_PER_S_INT;
}

/* So large that the copied stacks of an interval fill half of it. */
static void fit_rings(struct profile_run *run)
{
    const double bytes =
        2 * run->rings.frequency_hz * run->interval_s * (double)(run->rings.stack_bytes + BYTES_PER_KIB);

    while (run->ring_fits && run->rings.stack_bytes && run->rings.ring_kib < RING_KIB_FITTED_MAX &&
           (double)run->rings.ring_kib * BYTES_PER_KIB < bytes)
        run->rings.ring_kib *= 2;
}

static bool open_sampler(struct profile_run *run, struct error *err)
{
    return sampler_open(&run->sampler, run->session->meter.domain_count + 1, err) &&
           (!run->rings.stack_bytes || sampler_unwind(&run->sampler, err)) && (!run->target || follow_target(run, err));
}

bool profile_run(struct profile_run *run, char *const *argv, struct measurement *measurement, struct command_end *end,
                 struct error *err)
{
    struct session *session = run->session;
    struct workload_command command = session_command(session, argv);
    struct workload_options options = { .commands = &command, .command_count = 1, .failure = FAILURE_STOPS };
    const struct workload_watch watch = {
        .context = run,
        .on_sample = on_sample,
        .on_held = on_held,
        .on_mark = on_mark,
        .on_tick = session->progress ? on_tick : NULL,
        .tick_ns = session->progress ? NS_PER_S_INT / 4 : 0,
    };
    bool done;

    if (isnan(run->interval_s))
        run->interval_s = profile_interval_s(session);
    fit_rings(run);
    if (!open_sampler(run, err) || !schedule_make(&options.schedule, 1, 0, 1, ORDER_INTERLEAVED, 0, err))
        return false;
    command.target = run->target;
    command.for_ns = run->for_ns;
    if (run->marks.written || run->marks.matched)
        options.marks = &run->marks;
    session_windows(session, &options);
    shorten_baseline(session, &options);
    options.interval_ns = (uint64_t)(run->interval_s * NS_PER_S);
    done = workload_run(&session->meter, &session->counting, &options, &watch, measurement, end, err);
    sampler_end(&run->sampler);
    schedule_close(&options.schedule);
    signal(SIGPIPE, SIG_IGN);
    if (session->progress)
        terminal_progress_done();
    return done;
}

/* Adds one counted domain. */
static void add_domain(struct profile_run *run, const struct own *own, const struct domain *domain, size_t i,
                       struct tally_weights *weights, enum own_method *within)
{
    const size_t time = run->session->meter.domain_count;
    const double *total = run->sampler.total;
    const double gross_j = own->own_j + own->idle_j;

    weights->own_j += own->own_j;
    if (domain->component == COMPONENT_GPU) {
        weights->concurrent_j += own->own_j;
    } else if (own->method == OWN_NET && total[i] > 0 && total[time] > 0) {
        /* each interval: what was metered in it, less idle power for as long */
        run->by_term[i] = gross_j / total[i];
        run->by_term[time] -= own->idle_j / total[time];
        *within = own_method_worst(*within, OWN_NET);
    } else {
        weights->by_sample += run->sampler.samples ? own->own_j / (double)run->sampler.samples : 0;
        *within = OWN_CPU_TIME;
    }
}

struct tally_weights profile_weights(struct profile_run *run, const struct report *report, enum own_method *within)
{
    const struct measurement *measurement = report->measurement;
    struct tally_weights weights = { .by_term = run->by_term };
    struct owns owns;
    bool any = false;

    *within = OWN_NET;
    if (owns_open(&owns, measurement, &report->summary.own_basis) && owns.count == 1)
        for (size_t i = 0; i < owns.domains; i++) {
            if (!measurement->counting->is_counted[i] ||
                !window_has_figure(measurement, &measurement->runs[owns.runs[0]].window, i))
                continue;
            add_domain(run, owns_at(&owns, 0, i), measurement->meter->domains[i].domain, i, &weights, within);
            any = true;
        }
    owns_close(&owns);
    weights.known = any && isfinite(weights.own_j);
    if (!weights.known)
        *within = OWN_UNKNOWN;
    return weights;
}
