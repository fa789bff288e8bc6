/* SPDX-License-Identifier: MIT
 * The machine, its meter and the factor, opened for a command that runs something. */
#include "app/session.h"

#include "app/attach_options.h"
#include "app/ledger_options.h"
#include "app/options/emission_options.h"
#include "app/options/machine_options.h"
#include "app/options/naming_options.h"
#include "app/options/sci_options.h"
#include "app/terminal.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "io/machine_identity.h"
#include "power/machine_profile.h"
#include "run/privileges.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* How many baselines long a series waits for a steady idle power, unless --settle says. */
#define SETTLE_BASELINES 6

/* A random UUID (RFC 9562, version 4). */
void session_make_id(char id[40])
{
    unsigned char bytes[16];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        memset(bytes, 0, sizeof bytes);
    bytes[6] = (unsigned char)((bytes[6] & 0x0f) | 0x40);
    bytes[8] = (unsigned char)((bytes[8] & 0x3f) | 0x80);
    snprintf(id, 40, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", bytes[0], bytes[1],
             bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9], bytes[10], bytes[11],
             bytes[12], bytes[13], bytes[14], bytes[15]);
}

/* The emission factor: looked up first, so that a mistyped zone does not cost a run. */
bool session_find_factor(const struct settings *settings, struct report *report, struct error *err)
{
    struct emission_options options;

    report->factor_query.first_notice = report->own_notices.count;
    if (!emission_options_read(settings, report->started_realtime_ns, &options, &report->own_notices, err))
        return false;
    report->pue = options.pue;
    report->pue_quality = options.pue_quality;
    report->factor = options.factor;
    text_copy(report->factor_query.zone, sizeof report->factor_query.zone, options.zone ? options.zone : "");
    report->factor_query.year = options.year;
    report->factor_query.share_alike = options.share_alike;
    text_copy(report->factor_query.set, sizeof report->factor_query.set, options.set ? options.set : "");
    report->factor_query.notice_count = report->own_notices.count - report->factor_query.first_notice;
    report->supplementary = options.supplementary;
    report->hours_per_year = options.hours_per_year;
    report->hours_quality = options.hours_quality;
    return true;
}

static bool is_modelled(const struct session *session)
{
    for (size_t i = 0; i < session->meter.domain_count; i++)
        if (session->counting.is_counted[i] && session->meter.domains[i].domain->quality == QUALITY_MODELLED)
            return true;
    return false;
}

/* A modelled figure despite a sensor has a reason and a remedy. */
static void note_sources(struct session *session)
{
    const bool modelled = is_modelled(session);

    for (size_t i = 0; i < session->meter.refusal_count; i++)
        if (modelled && session->meter.refusals[i].error.kind != ERROR_ABSENT)
            notice_add_refusal(&session->report.own_notices, &session->meter.refusals[i].error);
    for (size_t i = 0; i < session->meter.source_count; i++)
        notices_copy(&session->report.own_notices, &session->meter.sources[i].notices);
}

/* What a meter measures is that of all CPUs. */
static void note_own_cpus(struct session *session)
{
    const struct machine *machine = &session->machine;

    if (machine->cpus_ours && !is_modelled(session))
        notice_add(&session->report.own_notices, NOTICE_USAGE,
                   "the meter measures all CPUs of the packages, whoever uses them",
                   "measure on the host: carbon measure --container NAME",
                   "the job's share by CPU time is unknown: /proc/stat is this container's own (%d of %d CPUs)",
                   machine->cpus_ours, machine->cpus_online);
}

/* Which profile modelled domains stand on, or where others are busy metered ones. */
static void take_profile(struct session *session)
{
    const struct machine_profile *profile = machine_profile_of(&session->machine);
    struct profile_fields *fields = &session->report.profile;

    if (profile)
        profile_slopes_give(&session->slopes, profile, &session->machine, &session->meter, &session->counting);
    for (size_t i = 0; profile && !fields->id[0] && i < session->meter.domain_count; i++) {
        if (!(session->meter.domains[i].domain->slope_high_ratio > 0))
            continue;
        text_copy(fields->id, sizeof fields->id, profile->id);
        text_copy(fields->made_at, sizeof fields->made_at, profile->made_at);
        text_copy(fields->how, sizeof fields->how, profile_how_name(profile->how));
        text_copy(fields->meter, sizeof fields->meter, profile->meter);
        fields->cpus = (size_t)profile->hardware.threads;
        fields->host_cpus = (size_t)profile_cpus(profile);
    }
}

/* A command gets carbon's environment; a running target has its own. */
static bool choose_gpus(struct session *session, struct error *err)
{
    const struct settings *settings = session->settings;
    const bool attached = settings_text(settings, &option_pid) || settings_text(settings, &option_cgroup) ||
                          settings_text(settings, &option_container) || settings_text(settings, &option_pod);

    return job_gpus_choose(&session->meter, settings_text(settings, &option_gpus),
                           attached ? NULL : gpus_own_environment, &session->report.own_notices, err);
}

static bool open_meter(struct session *session, struct error *err)
{
    const char *source = settings_text(session->settings, &option_source);
    struct meter_options options = {
        .only = strcmp(source, "auto") == 0 ? NULL : source,
        .measured_only = settings_flag(session->settings, &option_require_measured),
        .named = session->settings->meters,
    };
    enum scope scope;

    if (!scope_of(settings_text(session->settings, &option_scope), &scope))
        return error_set(err, ERROR_USAGE, "unknown scope");
    session->report.scope = scope;
    options.whole_machine = scope == SCOPE_MACHINE;
    if (session->root.live && !privileges_raise(err))
        return false;
    if (!meter_open(&session->meter, &session->root, &session->machine, &options, err))
        return false;
    if (!choose_gpus(session, err))
        return false;
    if (!scope_count(&session->meter, scope, &session->counting, &session->report.own_notices, err))
        return false;
    note_sources(session);
    note_own_cpus(session);
    take_profile(session);
    return true;
}

/* Privileges serve only to open the counters of this machine: afterwards carbon reads and writes files of the command
 * line, and runs the command. A recorded machine is one of those. */
static bool open_machine(struct session *session, struct error *err)
{
    struct root *root = &session->root;

    if (!root_open(root, settings_text(session->settings, &option_root), err) ||
        (!root->live && !privileges_drop(&session->environment, err)))
        return false;
    session->report.recorded_tree = !root->live;
    machine_read(&session->machine, root);
    machine_identity(&session->machine, root);
    return machine_options_read(session->settings, root, &session->machine, &session->profile, err) &&
           open_meter(session, err) && (!root->live || privileges_drop(&session->environment, err));
}

static bool choose_cpus(struct session *session, struct error *err)
{
    const char *list = settings_text(session->settings, &option_cpus);
    struct report *report = &session->report;
    bool moved;

    if (list) {
        report->cpus_from = "--cpus";
        if (!cpus_of_list(list, &session->job_cpus, err) || !cpus_are_online(&session->job_cpus, &session->root, err))
            return false;
    } else {
        if (!cpus_inherited(&session->job_cpus, err))
            return false;
        report->cpus_from =
            CPU_COUNT_S(CPUS_SIZE, &session->job_cpus.set) < sysconf(_SC_NPROCESSORS_ONLN) ? "inherited" : "all";
    }
    cpus_list(&session->job_cpus, report->cpus, sizeof report->cpus);
    report->job_cpus = CPU_COUNT_S(CPUS_SIZE, &session->job_cpus.set);
    moved = cpus_keep_off(&session->job_cpus, &session->root);
    /* where carbon stayed where it was, the job inherits what it would have without carbon */
    session->pins_job = list || moved;
    return true;
}

/* The descriptor that is notified of each window; 0: none. */
static int ready_fd(const struct settings *settings)
{
    const double number = settings_number(settings, &option_ready_fd);

    return isnan(number) ? 0 : (int)number;
}

/* The job does not inherit it: whoever reads sees its end when carbon ends. */
static bool keep_ready_fd(const struct settings *settings, struct error *err)
{
    const int fd = ready_fd(settings), flags = fd ? fcntl(fd, F_GETFL) : O_WRONLY;

    if (!fd || (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0))
        return true;
    error_set(err, ERROR_USAGE, "nothing can be written to descriptor %d of --ready-fd", fd);
    error_why(err, "%s", flags < 0 ? "it is not open" : "it is open for reading only");
    return error_fix(err, "open it where carbon is started: carbon measure --ready-fd %d ... %d> file", fd, fd);
}

static void begin(struct session *session, const struct settings *settings)
{
    session->settings = settings;
    session->root.fd = -1;
    session->progress = isatty(STDERR_FILENO) && !settings_flag(settings, &option_quiet);
    session->report.started_realtime_ns = clock_realtime_ns();
    session->begun_ns = clock_monotonic_ns() + clock_asleep_ns();
    session->report.machine = &session->machine;
    session_make_id(session->report.id);
    slurm_job_read(&session->report.job);
}

bool session_open_machine(struct session *session, const struct settings *settings, struct error *err)
{
    begin(session, settings);
    return keep_ready_fd(settings, err) && open_machine(session, err) && choose_cpus(session, err);
}

bool session_open(struct session *session, const struct settings *settings, struct error *err)
{
    begin(session, settings);
    return keep_ready_fd(settings, err) && naming_options_read(settings, &session->report, err) &&
           open_machine(session, err) && session_find_factor(settings, &session->report, err) &&
           choose_cpus(session, err) && ledger_options_check(settings, err);
}

uint64_t session_now_ns(const struct session *session)
{
    return session->report.started_realtime_ns + clock_monotonic_ns() + clock_asleep_ns() - session->begun_ns;
}

void session_end(const struct session *session, struct report *report)
{
    const uint64_t begun_ns = session->report.started_realtime_ns, ended_ns = session_now_ns(session);
    const int64_t set_ns = clock_set_ns(begun_ns, clock_realtime_ns(), ended_ns - begun_ns);
    char by[UNITS_SIZE];

    report->ended_realtime_ns = ended_ns;
    if (set_ns)
        notice_add(&report->own_notices, NOTICE_GAPS,
                   "durations and energies use the monotonic clock, which is never set", "",
                   "the wall clock was set %s by %s meanwhile: times of day are those of before",
                   set_ns > 0 ? "forward" : "back", units_duration(fabs((double)set_ns) / NS_PER_S, by));
}

void session_close(struct session *session)
{
    if (!session->settings)
        return;
    environment_close(&session->environment);
    meter_close(&session->meter);
    root_close(&session->root);
    report_close(&session->report);
}

/* NAN, which is not a time, for the word "same". */
static uint64_t ns_of(double seconds)
{
    return isnan(seconds) ? 0 : (uint64_t)(seconds * NS_PER_S);
}

void session_windows(const struct session *session, struct workload_options *options)
{
    const double settle_s = settings_number(session->settings, &option_settle);
    const double baseline_s = settings_number(session->settings, &option_baseline);

    options->environment = session->environment.variables;
    options->baseline_ns = ns_of(baseline_s);
    options->baseline_same = isnan(baseline_s);
    options->cooldown_ns = ns_of(settings_number(session->settings, &option_cooldown));
    options->ready_fd = ready_fd(session->settings);
    options->settle_ns = ns_of(settle_s);
    if (isnan(settle_s) && options->schedule.count > 1)
        options->settle_ns = SETTLE_BASELINES * options->baseline_ns;
}

struct workload_command session_command(const struct session *session, char *const *argv)
{
    return (struct workload_command){
        .argv = argv,
        .cpus = session->pins_job ? &session->job_cpus.set : NULL,
        .cpus_size = CPUS_SIZE,
    };
}

void session_progress(const struct workload_place *place, const char *what)
{
    const double elapsed_s = floor(s_from_ns(clock_monotonic_ns() - place->since_ns));
    const char *doing = place->phase == PHASE_SETTLE     ? "waiting for idle power to settle"
                        : place->phase == PHASE_COOLDOWN ? "resting"
                                                         : "measuring the baseline";
    char left[UNITS_SIZE] = "", lasts[32] = "";

    if (place->phase == PHASE_RUN || place->phase == PHASE_WARMUP)
        return;
    if (place->left_ns)
        units_duration(s_from_ns(place->left_ns), left);
    if (place->lasts_ns)
        c_snprintf(lasts, sizeof lasts, " of %s%.3g", place->phase == PHASE_SETTLE ? "at most " : "",
                   s_from_ns(place->lasts_ns));
    terminal_progress("%s, %.0f%s s%s%s%s%s", doing, elapsed_s, lasts, what, left[0] ? "; about " : "", left,
                      left[0] ? " left" : "");
}
