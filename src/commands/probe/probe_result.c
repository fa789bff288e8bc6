/* SPDX-License-Identifier: MIT
 * From the runs of the loads, and from what each said that it did, to what draws how much. */
#include "base/c_locale.h"
#include "commands/probe/probe_work.h"

#include "base/auto.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "measurement/cpu_share.h"
#include "measurement/noise.h"
#include "measurement/own_runs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define S_PER_H 3600.0

/* What the loads have written so far; freed by the caller. */
static char *read_done(int fd)
{
    struct stat about;
    char *text = fstat(fd, &about) == 0 ? calloc(1, (size_t)about.st_size + 1) : NULL;

    if (text && pread(fd, text, (size_t)about.st_size, 0) != about.st_size)
        text[0] = '\0';
    return text;
}

static void step_over_line(const char **line)
{
    *line += strcspn(*line, "\n");
    *line += **line == '\n';
}

static double moved_bytes(const struct load_done *done, enum load_kind kind)
{
    switch (kind) {
    case LOAD_MEMORY: return (double)done->streamed_bytes;
    case LOAD_DISK_WRITE:
    case LOAD_DISK_READ: return (double)done->written_bytes + (double)done->read_bytes;
    case LOAD_MIXED: return NAN; /* two things in one */
    case LOAD_IDLE:
    case LOAD_CPU:
    case LOAD_KINDS: break;
    }
    return 0;
}

static void take_failure(struct probe_entry *entry, const struct job_end *end, const char **line)
{
    enum load_kind kind;

    entry->failed = true;
    if (load_failed_of_text(*line, &kind, &entry->error) && kind == entry->kind) {
        step_over_line(line);
        return;
    }
    error_set(&entry->error, ERROR_SYSTEM, "the load '%s' ended with status %d", entry->name, end->exit_status);
    if (end->exit_status > 128)
        error_why(&entry->error, "signal %d ended it", end->exit_status - 128);
}

static void take_run(struct probe *probe, const struct run *run, const char **line)
{
    struct probe_entry *entry = &probe->entries[run->command];
    struct notices *notices = &probe->result.notices;
    struct breakdown_run *watts = &entry->runs[entry->run_count];
    struct load_done done;
    enum load_kind kind;
    bool is_said;

    if (!run->ended || (run->end.exit_status != 0 && probe->result.interrupted))
        return;
    if (run->end.exit_status != 0) {
        take_failure(entry, &run->end, line);
        return;
    }
    is_said = load_done_of_text(*line, &kind, &done) && kind == entry->kind;
    if (is_said)
        step_over_line(line);
    if (!run_is_counted(run)) /* series_notices say so */
        return;
    *watts = (struct breakdown_run){ .duration_s = s_from_ns(run->window.duration_ns), .bytes_per_s = NAN };
    watts->busy_cpus = run->usage.cpu_ns.known ? s_from_ns(run->usage.cpu_ns.value) / watts->duration_s : NAN;
    split_watts(&probe->result.meter, &probe->campaign.measurement, run, watts->gross_w, watts->net_w);
    entry->run_count++;
    if (!is_said) {
        notice_add(notices, NOTICE_UNKNOWN, "it left no word of it", "", "the amount moved by the load '%s' is unknown",
                   entry->name);
        return;
    }
    watts->bytes_per_s = moved_bytes(&done, kind) / watts->duration_s;
    if (done.note[0])
        notice_add(notices, NOTICE_FAILED, done.note,
                   kind == LOAD_MEMORY ? "a longer --time"
                   : done.disk_reached ? ""
                                       : "--folder",
                   "the load '%s' did not quite do what it is for", entry->name);
}

/* Of one run, by the domains that the split takes together; owns: of all domains. */
static void fill_own(struct probe_result *result, const struct own *owns, size_t domains, struct breakdown_run *watts)
{
    for (size_t as = 0; as < BREAKDOWN_DOMAINS; as++) {
        double own_j = isnan(watts->gross_w[as]) ? NAN : 0;
        for (size_t i = 0; i < domains; i++) {
            if (!result->meter.in[as][i])
                continue;
            own_j += owns[i].own_j;
            result->own_method = own_method_worst(result->own_method, owns[i].method);
        }
        watts->own_w[as] = own_j / watts->duration_s;
    }
}

static bool is_taken(const struct run *run)
{
    return run->ended && run->end.exit_status == 0 && run_is_counted(run);
}

/* Each load by the slope of its own runs: they differ in how much of the machine they keep busy. What the kernel does
 * for a disk is its own, too. */
static void take_own(struct probe *probe)
{
    struct probe_result *result = &probe->result;

    result->own_method = OWN_NET;
    for (size_t i = 0; i < result->entry_count; i++) {
        struct probe_entry *entry = &probe->entries[i];
        struct measurement of_load;
        struct own_basis basis;
        size_t taken = 0;
        if (!measurement_of_command(&probe->campaign.measurement, i, &of_load))
            continue;
        of_load.series_cpu = (struct cpu_sums){ .lasted_ns = 0 };
        own_basis_fill(&of_load, &basis);
        basis.cpus.alone = true;
        for (size_t r = 0; r < of_load.run_count && taken < entry->run_count; r++)
            if (is_taken(&of_load.runs[r])) {
                struct own owns[ENERGY_MAX_DOMAINS + 1];
                own_of_runs(&of_load, &basis, &r, 1, owns);
                fill_own(result, owns, of_load.meter->domain_count, &entry->runs[taken++]);
            }
        measurement_close(&of_load);
    }
}

/* The split wants a domain in every run, or in none. */
static void agree(struct probe *probe)
{
    static const char *const names[BREAKDOWN_DOMAINS] = { "the CPUs", "memory", "the machine", "the graphics cards" };
    struct probe_result *result = &probe->result;

    for (size_t domain = 0; domain < BREAKDOWN_DOMAINS; domain++) {
        const double min_s = RATE_UPDATES * s_from_ns(result->meter.update_ns[domain]);
        size_t gross = 0, net = 0, own = 0, all = 0;
        for (size_t i = 0; i < result->entry_count; i++)
            for (size_t r = 0; r < probe->entries[i].run_count; r++, all++) {
                gross += !isnan(probe->entries[i].runs[r].gross_w[domain]);
                net += !isnan(probe->entries[i].runs[r].net_w[domain]);
                own += !isnan(probe->entries[i].runs[r].own_w[domain]);
            }
        for (size_t i = 0; i < result->entry_count; i++)
            for (size_t r = 0; r < probe->entries[i].run_count; r++) {
                if (gross < all)
                    probe->entries[i].runs[r].gross_w[domain] = NAN;
                if (net < all)
                    probe->entries[i].runs[r].net_w[domain] = NAN;
                if (own < all)
                    probe->entries[i].runs[r].own_w[domain] = NAN;
            }
        if (gross < all && result->load_s < min_s) {
            char fix[64];
            c_snprintf(fix, sizeof fix, "--time %.0f", ceil(min_s));
            notice_add(&result->notices, NOTICE_BELOW_RESOLUTION,
                       "its meter is refreshed too seldom for loads that are so short", fix,
                       "the power of %s is unknown", names[domain]);
        } else if (gross > 0 && gross < all) {
            notice_add(&result->notices, NOTICE_LEFT_OUT, "a run without it cannot be compared with the others",
                       "run 'carbon probe' again", "the power of %s is left out: it is not known in %zu of %zu runs",
                       names[domain], all - gross, all);
        }
    }
}

static void breakdown_all(struct probe *probe)
{
    struct breakdown_load loads[PROBE_MAX_LOADS];
    struct breakdown_row rows[PROBE_MAX_LOADS];
    struct probe_result *result = &probe->result;
    double idle_w = 0;
    size_t count = 0, runs = 0;

    for (size_t i = 0; i < result->entry_count; i++) {
        const struct probe_entry *entry = &probe->entries[i];
        if (entry->run_count)
            loads[count++] = (struct breakdown_load){ entry->kind, entry->threads, entry->runs, entry->run_count };
    }
    breakdown_rows(loads, count, result->meter.quality, student_quantile, rows);
    count = 0;
    for (size_t i = 0; i < result->entry_count; i++) {
        struct probe_entry *entry = &probe->entries[i];
        const struct breakdown_load *load = &loads[count];
        if (!entry->run_count)
            continue;
        entry->row = rows[count++];
        idle_w += entry->row.parts[PART_IDLE].w * (double)entry->run_count;
        runs += entry->run_count;
        for (enum breakdown_domain domain = 0; domain < BREAKDOWN_DOMAINS; domain++) {
            entry->gross_w[domain] = breakdown_spread(load, domain, BREAKDOWN_GROSS);
            entry->net_w[domain] = breakdown_spread(load, domain, BREAKDOWN_NET);
            entry->own_w[domain] = breakdown_spread(load, domain, BREAKDOWN_OWN);
        }
    }
    result->idle_w = runs && !result->busy ? idle_w / (double)runs : NAN;
}

/* On a full machine a load displaces others: what it draws beyond them says nothing of it, but by CPU time. */
static void take_idleness(struct probe *probe)
{
    struct probe_result *result = &probe->result;
    const struct measurement *measurement = &probe->campaign.measurement;
    const enum idleness idleness = baseline_idleness(measurement);

    result->baseline_busy_cpus = baseline_busy_cpus(measurement);
    result->baseline_busy_mask_cpus = baseline_busy_mask_cpus(measurement);
    result->busy = idleness == IDLENESS_BUSY || idleness == IDLENESS_FULL;
    if (result->busy)
        baseline_busy_text(measurement, result->stored);
    for (size_t i = 0; i < result->entry_count && idleness == IDLENESS_FULL; i++)
        for (size_t r = 0; r < probe->entries[i].run_count; r++)
            for (enum breakdown_domain domain = 0; domain < BREAKDOWN_DOMAINS; domain++)
                probe->entries[i].runs[r].net_w[domain] = NAN;
}

/* The kernel's own work for a disk belongs to the load. */
static void note_others(struct probe *probe)
{
    const struct measurement *measurement = &probe->campaign.measurement;
    double max = 0;

    for (size_t i = 0; i < measurement->run_count; i++) {
        const struct run *run = &measurement->runs[i];
        const enum load_kind kind = probe->entries[run->command].kind;
        const struct neighbours neighbours = neighbours_of(measurement, &run->window);
        if (run->ended && (kind == LOAD_IDLE || kind == LOAD_CPU || kind == LOAD_MEMORY))
            max = fmax(max, cpu_share_of(&neighbours, run).background_cores);
    }
    if (max > SHARE_OTHERS_CORES)
        notice_add(&probe->result.notices, NOTICE_SHARED, "their energy is included in the figures",
                   "measure on a quieter machine",
                   "other processes used up to %.0f %% of a core more than in the baselines while a load ran",
                   max * 100);
}

static bool ran(const struct probe *probe, enum load_kind kind)
{
    for (size_t i = 0; i < probe->result.entry_count; i++)
        if (probe->entries[i].kind == kind && probe->entries[i].run_count)
            return true;
    return false;
}

static void note_doubts(struct probe *probe)
{
    struct probe_result *result = &probe->result;
    const struct measurement *measurement = &probe->campaign.measurement;

    if (result->recorded_tree)
        notice_add(&result->notices, NOTICE_RECORDED,
                   "the loads ran here, but the energy was read from a recorded machine",
                   "omit --root to measure this machine", "the counters are those of a recorded machine");
    if (measurement->run_count && !measurement->baseline_count)
        notice_add(&result->notices, NOTICE_NO_BASELINE, "no baseline was taken", "leave --baseline at its default",
                   "the power of each part is unknown");
    else if (!ran(probe, LOAD_CPU) && (ran(probe, LOAD_MEMORY) || ran(probe, LOAD_DISK_WRITE) ||
                                       ran(probe, LOAD_DISK_READ) || ran(probe, LOAD_MIXED)))
        notice_add(&result->notices, NOTICE_UNKNOWN, "the power of busy CPUs needs the load 'cpu', which was not run",
                   "--loads with cpu among them", "the CPUs' part of the other loads is not taken off");
    if (measurement_is_constant(measurement))
        notice_add(&result->notices, NOTICE_NOISE, "its reading did not change with the loads",
                   "'carbon sources' shows what else this machine has",
                   "the largest part is not measurable: the source reports constant power");
    series_notices(measurement, &result->notices);
    note_others(probe);
    for (size_t i = 0; i < result->entry_count; i++)
        if (probe->entries[i].failed)
            notice_add(&result->notices, NOTICE_FAILED, probe->entries[i].error.what, probe->entries[i].error.fix,
                       "the load '%s' could not be run", probe->entries[i].name);
}

static void fill_ends(struct probe *probe)
{
    for (size_t i = 0; i < probe->result.entry_count; i++) {
        struct probe_entry *entry = &probe->entries[i];
        if (!probe->items[i].end.cannot_run)
            continue;
        entry->failed = true;
        entry->error = probe->items[i].end.error;
    }
}

void probe_result_make(struct probe *probe, bool complete)
{
    struct probe_result *result = &probe->result;
    const struct session *session = &probe->campaign.session;
    const struct measurement *measurement = &probe->campaign.measurement;
    AUTO_FREE char *done = read_done(probe->done_fd);
    const char *line = done ? done : "";

    notices_set(&result->notices, &session->report.own_notices);
    result->interrupted = measurement->interrupted;
    result->ended_realtime_ns = session_now_ns(session);
    for (size_t i = 0; i < result->entry_count; i++) {
        probe->entries[i].run_count = 0;
        probe->entries[i].failed = false;
    }
    for (size_t i = 0; i < measurement->run_count; i++)
        take_run(probe, &measurement->runs[i], &line);
    fill_ends(probe);
    take_own(probe);
    take_idleness(probe);
    agree(probe);
    breakdown_all(probe);
    result->idle_year =
        footprint_of(result->idle_w * result->hours_per_year * S_PER_H, result->pue, result->factor.kgco2eq_per_kwh);
    note_doubts(probe);
    result->complete = complete && !result->interrupted;
    for (size_t i = 0; i < result->entry_count; i++)
        result->complete &= !probe->entries[i].failed;
}
