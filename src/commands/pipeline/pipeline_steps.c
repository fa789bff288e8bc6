/* SPDX-License-Identifier: MIT
 * One step of a pipeline: got ready, looked at, and what its end means for the rest. */
#include "base/c_locale.h"
#include "commands/pipeline/pipeline_work.h"

#include "app/captured_output.h"
#include "app/result_file.h"
#include "app/terminal.h"
#include "base/units.h"
#include "commands/pipeline/failure_policy.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BYTES_PER_MB 1e6

static double mb_of(const struct usage_value *bytes)
{
    return bytes->known ? (double)bytes->value / BYTES_PER_MB : NAN;
}

/* How many CPUs it may use. */
static int cpus_of(const struct pipeline_work *work, const struct pipeline_part *part)
{
    const struct session *session = &work->campaign.session;

    if (part->pinned)
        return CPU_COUNT_S(CPUS_SIZE, &part->cpus.set);
    /* where carbon may run says nothing of what an engine starts */
    if (part->engine && !settings_text(work->settings, &option_cpus))
        return (int)sysconf(_SC_NPROCESSORS_ONLN);
    return CPU_COUNT_S(CPUS_SIZE, &session->job_cpus.set);
}

bool pipeline_rows_path(const char *folder, const char *step, size_t round, char path[WORK_PATH_SIZE])
{
    char number[24] = "";

    if (round > 1)
        snprintf(number, sizeof number, ".%zu", round);
    return snprintf(path, WORK_PATH_SIZE, "%s/%s_final_result%s.csv", folder, step, number) < WORK_PATH_SIZE;
}

static bool open_rows(struct pipeline_work *work, const struct pipeline_part *part, size_t round, struct error *err)
{
    struct pipeline_now *now = &work->now;
    char path[WORK_PATH_SIZE];

    if (work->metrics && !pipeline_rows_path(work->metrics, part->step->name, round, path))
        return error_set(err, ERROR_USAGE, "the path of the folder is too long");
    if (work->metrics && !output_open_in(&now->csv, work->metrics, strrchr(path, '/') + 1, err))
        return false;
    step_samples_open(&now->rows, now->csv.file, 100.0 * cpus_of(work, part));
    return true;
}

/* Beside the CSV files, else in a file without a name, the same for all steps. */
static bool open_log(struct pipeline_work *work, const struct pipeline_part *part, size_t round,
                     struct workload_command *command, struct error *err)
{
    struct pipeline_now *now = &work->now;

    command->output_fd = command->error_fd = 0;
    if (settings_flag(work->settings, &option_step_output))
        return true;
    if (!work->metrics) {
        if (work->log < 0)
            work->log = work_folders_unnamed(&work->folders);
        if (work->log < 0 || ftruncate(work->log, 0) != 0)
            return error_errno(err, "cannot keep the output of '%s' in '%s'", part->step->name, work->folders.work);
        command->output_fd = command->error_fd = now->log = work->log;
        return true;
    }
    if (snprintf(now->log_path, sizeof now->log_path, "%s/%s.log", work->metrics, part->step->name) >=
        (int)sizeof now->log_path)
        return error_set(err, ERROR_USAGE, "the path of the folder is too long");
    now->log =
        open(now->log_path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | (round == 1 ? O_TRUNC : 0), 0666);
    command->output_fd = command->error_fd = now->log;
    return now->log >= 0 || error_errno(err, "cannot keep the output of '%s' in '%s'", part->step->name, now->log_path);
}

static bool make_outputs(const struct pipeline_work *work, const struct pipeline_step *step, struct error *err)
{
    char path[WORK_PATH_SIZE];

    if (!step->output_count && !work->engine_count) /* else a container may read what there is: nothing */
        return true;
    if (!work_folders_renew(&work->folders, step->name, err))
        return false;
    for (size_t i = 0; i < step->output_count; i++)
        if (step->outputs[i].name &&
            !work_folders_path(&work->folders, step->name, step->outputs[i].name, true, path, err))
            return false;
    return true;
}

bool pipeline_before_step(struct campaign *campaign, const struct workload_place *place, struct error *err)
{
    struct pipeline_work *work = campaign->context;
    struct pipeline_part *part = &work->parts[place->command];
    struct workload_command *command = &campaign->commands[place->command];
    double timeout_s = part->step->timeout_s;

    work->now = (struct pipeline_now){ .log = -1 };
    campaign->running = work->now.running;
    if (!pipeline_companions_before(work, place->command, err)) {
        work->interrupted = failure_policy_signal();
        return false;
    }
    if (!pipeline_part_environment(work, part, NULL, err) || !make_outputs(work, part->step, err) ||
        !open_rows(work, part, place->number, err) || !open_log(work, part, place->number, command, err))
        return false;
    if (!isfinite(timeout_s))
        timeout_s = settings_number(work->settings, &option_timeout);
    command->may_fail = part->step->allow_failure;
    command->limit_ns = isfinite(timeout_s) ? (uint64_t)(timeout_s * NS_PER_S) : 0;
    if (part->engine)
        return container_job_make(&part->job, command, err);
    command->folder = part->step->dir;
    command->environment = part->environment;
    return true;
}

/* What the session counts is left as it is: the measurement is judged at its end. */
static void judge(struct pipeline_work *work, const struct sample *sample)
{
    struct session *session = &work->campaign.session;
    struct pipeline_judged *judged = &work->judged;
    AUTO_NOTICES struct notices ignored = { .count = 0 };

    if (!judged->begun) {
        judged->begun = true;
        judged->counting = session->counting;
        cross_steps_begin(&judged->steps, sample, CROSS_STEP_NS);
    } else if (cross_steps_take(&judged->steps, &session->meter, &session->counting, sample)) {
        IGNORED(scope_count(&session->meter, session->report.scope, &judged->counting, &ignored, NULL),
                "the run itself reports it");
    }
}

/* Of one that was not read nobody knows what it has counted by now. */
static void look_at_energy(struct pipeline_work *work, const struct sample *sample, struct step_sample *look)
{
    const struct meter *meter = &work->campaign.session.meter;
    struct pipeline_now *now = &work->now;
    bool all = true, any = false;

    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct meter_domain *state = &meter->domains[i];
        const bool counts = work->judged.counting.is_counted[i] && !state->doubted && state->started;
        if (counts && sample->read[i] && now->read[i])
            now->energy_j += figure_j(state->domain, sample->energy_uj[i] - now->read_uj[i]);
        if (sample->read[i])
            now->read_uj[i] = sample->energy_uj[i];
        now->read[i] |= sample->read[i];
        all &= !counts || sample->read[i];
        any |= counts;
        look->unknown_ns += counts ? sample->unknown_ns[i] : 0;
    }
    look->energy_j = all && any ? now->energy_j : NAN;
}

/* "; CPU 1.52 cores, 227 MB, 31.2 W" */
static void describe(struct pipeline_now *now, const struct step_sample *sample)
{
    const double duration_s = s_from_ns(sample->time_ns - now->last.time_ns);
    const double cores = (sample->cpu_s - now->last.cpu_s) / duration_s;
    char power[UNITS_SIZE];

    if (!now->looked || !(duration_s > 0))
        return;
    c_snprintf(now->running, sizeof now->running, "; CPU %.2f cores", isfinite(cores) ? cores : 0);
    if (!isfinite(cores))
        text_copy(now->running, sizeof now->running, "; CPU unknown");
    if (isfinite(sample->memory_mb))
        c_snprintf(now->running + strlen(now->running), sizeof now->running - strlen(now->running), ", %.0f MB",
                   sample->memory_mb);
    snprintf(now->running + strlen(now->running), sizeof now->running - strlen(now->running), ", %s",
             units_power(step_samples_energy_j(&now->last, sample) / duration_s, power));
}

static void look_at_companions(struct pipeline_work *work)
{
    const double max_cpu_percent = 100.0 * (double)sysconf(_SC_NPROCESSORS_ONLN);

    for (size_t i = 0; i < work->companions.count; i++)
        if (companion_runs(&work->companions.items[i]))
            companion_look(&work->companions.items[i], clock_monotonic_ns(), max_cpu_percent);
}

void pipeline_on_sample(struct campaign *campaign, const struct workload_place *place, const struct sample *sample,
                        const struct target_now *used)
{
    struct pipeline_work *work = campaign->context;
    struct pipeline_now *now = &work->now;
    /* the container of the first look has not started yet */
    const bool empty = now->looks == 0 && work->parts[place->command].engine;
    struct step_sample look;

    judge(work, sample);
    if (place->phase != PHASE_RUN || !used)
        return;
    look_at_companions(work);
    look = (struct step_sample){
        .time_ns = used->time_ns,
        .realtime_ns = clock_realtime_ns() - (clock_monotonic_ns() - used->time_ns),
        .cpu_s = used->cpu_ns.known ? (double)used->cpu_ns.value / NS_PER_S : NAN,
        .memory_mb = empty ? NAN : mb_of(&used->memory_bytes),
        .working_set_mb = empty ? NAN : mb_of(&used->working_set_bytes),
        .cpu_stall_s = used->cpu_stall_ns.known ? (double)used->cpu_stall_ns.value / NS_PER_S : NAN,
        .stall_from = used->cpu_stall_ns.from,
    };
    look_at_energy(work, sample, &look);
    describe(now, &look);
    if (now->looked)
        step_samples_add(&now->rows, &now->last);
    now->last = look;
    now->looked = true;
    now->looks++;
}

static void finish_rows(struct pipeline_work *work, struct pipeline_part *part, const struct workload_place *place,
                        const struct run *run)
{
    struct pipeline_now *now = &work->now;
    struct pipeline_seen *seen = &part->seen[place->number - 1];
    struct error err;
    bool written = true;

    if (run && now->looked)
        written = step_samples_end(&now->rows, &now->last, mb_of(&run->usage.memory_peak_bytes), &err);
    if (now->csv.file)
        work->status = result_file_end(&now->csv, written, &err, work->status);
    seen->cpu_percent_of_core = now->rows.figures[STEP_CPU_PERCENT];
    seen->memory_mb = now->rows.figures[STEP_MEMORY_MB];
    seen->min_cpu_percent = now->rows.min_cpu_percent;
    seen->wanted_cpu_percent = now->rows.wanted_cpu_percent;
    seen->cpu_stall_s = now->rows.cpu_stall_s;
    seen->is_short = now->looks <= 2; /* at its start and at its end */
    seen->lacked_memory = run && part->engine && run->end.exit_status != 0 && container_job_lacked_memory(&part->job);
}

/* What servers used in its window; one that has ended in it is reported. */
static void finish_companions(struct pipeline_work *work, struct pipeline_part *part, size_t round)
{
    struct pipeline_seen *seen = &part->seen[round - 1];

    for (size_t i = 0; i < work->companions.count; i++) {
        struct companion *companion = &work->companions.items[i];

        if (companion->looks == 0)
            continue;
        seen->concurrent_cpu_s += companion_window_end(companion);
        seen->concurrent_memory_mb += companion->rows.figures[STEP_MEMORY_MB].maximum;
        seen->with_servers = true;
        if (companion_runs(companion))
            continue;
        print_captured_output(companion->log, companion->name, *companion->log_path ? companion->log_path : NULL);
        notice_add(&work->campaign.session.report.own_notices, NOTICE_FAILED,
                   "it is started again for the next that needs it", "check its output: --metrics-dir saves it",
                   "the server '%.60s' ended while step '%.80s' ran", companion->name, part->step->name);
    }
}

static void close_log(struct pipeline_work *work)
{
    if (work->now.log >= 0 && work->now.log != work->log)
        close(work->now.log);
    work->now.log = -1;
}

/* Whether the rest is run after this. */
static bool goes_on(struct pipeline_work *work, const struct pipeline_part *part, const struct workload_place *place,
                    const struct run *run)
{
    char what[400];

    if (work->interrupted)
        return false;
    if (place->interrupted || part->step->allow_failure || (run && run->end.exit_status == 0))
        return true;
    if (!run)
        snprintf(what, sizeof what, "step '%.120s' could not be run: %.200s", part->step->name,
                 work->campaign.ends[place->command].error.what);
    else if (run->timed_out)
        snprintf(what, sizeof what, "step '%.200s' took longer than it may, and was ended", part->step->name);
    else
        snprintf(what, sizeof what, "step '%.200s' ended with status %d", part->step->name, run->end.exit_status);
    if (failure_policy_goes_on(work->settings, what))
        return true;
    work->report.stopped_by = work->report.steps[place->command].name;
    return false;
}

bool pipeline_after_step(struct campaign *campaign, const struct workload_place *place, const struct run *run)
{
    struct pipeline_work *work = campaign->context;
    struct pipeline_part *part = &work->parts[place->command];
    bool on;

    if (campaign->session.progress)
        terminal_progress_done();
    finish_rows(work, part, place, run);
    finish_companions(work, part, place->number);
    container_job_end(&part->job, &campaign->session.report.own_notices);
    if (run && run->end.exit_status != 0 && !place->interrupted)
        print_captured_output(work->now.log, part->step->name, work->metrics ? work->now.log_path : NULL);
    on = goes_on(work, part, place, run);
    pipeline_companions_after(work, place->command, place->number == work->report.rounds);
    close_log(work);
    return on;
}
