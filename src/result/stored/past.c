/* SPDX-License-Identifier: MIT
 * Reading a record back. */
#include "result/stored/past.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "form/shell.h"
#include "form/utf8.h"
#include "io/json_read.h"
#include "result/report.h"
#include "result/session_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take_text(char *field, size_t size, const struct cJSON *object, const char *key)
{
    utf8_printable(field, size, json_text_of(object, key));
}

static struct spread take_spread(const struct cJSON *object, const char *key)
{
    const struct cJSON *node = json_member(object, key);
    const double count = json_number_of(node, "count");

    return (struct spread){
        .mean = json_number_of(node, "mean"),
        .deviation = json_number_of(node, "deviation"),
        .min = json_number_of(node, "min"),
        .max = json_number_of(node, "max"),
        .count = count > 0 && count < 1e9 ? (size_t)count : 0,
    };
}

static int whole(double value)
{
    return value >= 0 && value < 1e9 ? (int)value : 0;
}

static bool take_command(const struct cJSON *record, struct past *past)
{
    const struct cJSON *words = json_member(record, "command");
    size_t count = 0;

    past->command = calloc(json_count(words) + 1, sizeof *past->command);
    if (!past->command)
        return false;
    for (const struct cJSON *word = json_first(words); word; word = json_next(word)) {
        past->command[count] = strdup(json_text(word));
        if (!past->command[count++])
            return false;
    }
    return true;
}

/* As samples_header names them: two sources may have the same name for a domain. */
static void name_column(const struct past *past, struct past_domain *domain, const char *source)
{
    bool repeated = false;

    for (const struct past_domain *other = past->domains; other < domain; other++)
        repeated |= other->column[0] && strcmp(other->name, domain->name) == 0;
    snprintf(domain->column, sizeof domain->column, "%.40s%s%s", repeated ? source : "", repeated ? ":" : "",
             domain->name);
}

static bool take_domains(const struct cJSON *record, struct past *past)
{
    const struct cJSON *domains = json_member(record, "domains");

    past->domain_count = json_count(domains);
    past->domains = calloc(past->domain_count + 1, sizeof *past->domains);
    if (!past->domains)
        return false;
    struct past_domain *domain = past->domains;
    for (const struct cJSON *node = json_first(domains); node; node = json_next(node), domain++) {
        take_text(domain->name, sizeof domain->name, node, "name");
        domain->counted = json_is_true(node, "counted");
        if (domain->counted)
            past->slope_w += json_number_of(node, "slope_w");
        if (!*json_text_of(json_member(node, "problem"), "what"))
            name_column(past, domain, json_text_of(node, "source"));
    }
    return true;
}

/* Mean power of the counted domains that the window knows. */
static double counted_w(const struct past *past, const struct cJSON *window)
{
    const struct cJSON *energy_uj = json_first(json_member(window, "energy_uj"));
    double sum_uj = 0, duration_s = json_number_of(window, "duration_s");
    bool known = false;

    for (size_t i = 0; i < past->domain_count && energy_uj; i++, energy_uj = json_next(energy_uj)) {
        const double uj = json_number(energy_uj);
        if (past->domains[i].counted && !isnan(uj)) {
            sum_uj += uj;
            known = true;
        }
    }
    return known && duration_s > 0 ? sum_uj / UJ_PER_J / duration_s : NAN;
}

static double seconds_between(const char *from, const char *to)
{
    uint64_t from_ns, to_ns;

    if (!clock_of_text(from, &from_ns) || !clock_of_text(to, &to_ns))
        return NAN;
    return (double)(int64_t)(to_ns - from_ns) / NS_PER_S;
}

static bool take_baselines(const struct cJSON *windows, struct past *past)
{
    const struct cJSON *baselines = json_member(windows, "baselines");

    past->baseline_count = json_count(baselines);
    past->baselines = calloc(past->baseline_count + 1, sizeof *past->baselines);
    if (!past->baselines)
        return false;
    struct past_baseline *baseline = past->baselines;
    for (const struct cJSON *node = json_first(baselines); node; node = json_next(node))
        *baseline++ = (struct past_baseline){
            .start_s = seconds_between(past->started_at, json_text_of(node, "started_at")),
            .duration_s = json_number_of(node, "duration_s"),
            .w = counted_w(past, node),
        };
    return true;
}

static void take_phases(const struct cJSON *run, bool warmup, size_t number, struct past *past)
{
    for (const struct cJSON *node = json_first(json_member(run, "phases")); node; node = json_next(node)) {
        struct past_phase *phase = &past->phases[past->phase_count];

        *phase = (struct past_phase){
            .warmup = warmup,
            .run = number,
            .at_s = json_number_of(node, "at_s"),
            .duration_s = json_number_of(node, "duration_s"),
        };
        take_text(phase->name, sizeof phase->name, node, "name");
        past->phase_count += !isnan(phase->at_s);
    }
}

static bool take_runs(const struct cJSON *windows, struct past *past)
{
    const struct cJSON *runs = json_member(windows, "runs");
    size_t phases = 0, warmups = 0, others = 0;

    for (const struct cJSON *node = json_first(runs); node; node = json_next(node))
        phases += json_count(json_member(node, "phases"));
    past->runs = calloc(json_count(runs) + 1, sizeof *past->runs);
    past->phases = calloc(phases + 1, sizeof *past->phases);
    if (!past->runs || !past->phases)
        return false;
    for (const struct cJSON *node = json_first(runs); node; node = json_next(node)) {
        const bool warmup = json_is_true(node, "warmup");
        /* records that do not say which runs count have all but the warm-ups in the result */
        const bool counted = json_member(node, "counted") ? json_is_true(node, "counted") : !warmup;

        take_phases(node, warmup, warmup ? ++warmups : ++others, past);
        if (counted && json_is_true(node, "ended"))
            past->runs[past->run_count++] = (struct run_figures){
                .duration_s = json_number_of(node, "duration_s"),
                .gross_j = json_number_of(node, "gross_j"),
                .idle_j = json_number_of(node, "idle_j"),
                .net_j = json_number_of(node, "net_j"),
                .items = json_number_of(node, "items"),
                .own_j = json_number_of(node, "own_j"),
            };
    }
    return true;
}

/* To the side where it is more. */
static double own_doubt_j(const struct cJSON *record)
{
    const double own_j = json_number_of(json_member(record, "own_j"), "mean");

    return fmax(own_j - json_number_of(record, "own_low_j"), json_number_of(record, "own_high_j") - own_j);
}

static void take_conditions(const struct cJSON *record, struct past *past)
{
    const struct cJSON *machine = json_member(record, "machine"), *factor = json_member(record, "factor");

    take_text(past->cpu_model, sizeof past->cpu_model, machine, "cpu_model");
    past->cpus_online = whole(json_number_of(machine, "cpus_online"));
    past->recorded_tree = json_is_true(record, "recorded_tree");
    past->quality = quality_of(json_text_of(record, "quality"));
    past->own_method = own_method_of(json_text_of(record, "own_method"));
    if (past->own_method == OWN_PROFILE)
        past->own_doubt_j = own_doubt_j(record);
    past->constant = strcmp(json_text_of(record, "verdict"), verdict_name(VERDICT_NOT_MEASURABLE)) == 0;
    past->no_idle = strcmp(json_text_of(record, "verdict"), verdict_name(VERDICT_NO_IDLE_BASELINE)) == 0;
    past->net_noise_j = json_number_of(record, "net_noise_j");
    for (const struct cJSON *item = json_first(json_member(record, "sources")); item; item = json_next(item)) {
        const size_t length = strlen(past->sources);
        char name[64];

        utf8_printable(name, sizeof name, json_text(item));
        snprintf(past->sources + length, sizeof past->sources - length, "%s%s", length ? " + " : "", name);
    }
    past->pue = json_number_of(json_member(record, "pue"), "value");
    past->hours_per_year = json_number_of(json_member(record, "hours_per_year"), "value");
    past->factor.kgco2eq_per_kwh = json_number_of(factor, "kgco2eq_per_kwh");
    past->factor.quality = quality_of(json_text_of(factor, "quality"));
    past->factor.year = whole(json_number_of(factor, "year"));
    take_text(past->factor.zone, sizeof past->factor.zone, factor, "zone");
    take_text(past->factor.zone_name, sizeof past->factor.zone_name, factor, "zone_name");
    take_text(past->factor.source_id, sizeof past->factor.source_id, factor, "source_id");
    take_text(past->factor.source, sizeof past->factor.source, factor, "source");
    if (!factor_basis_of(json_text_of(factor, "basis"), &past->factor.basis))
        past->factor.basis = FACTOR_NO_BASIS;
}

static void take_figures(const struct cJSON *record, struct past *past)
{
    const struct cJSON *interval = json_member(record, "net_interval_j");

    past->duration_s = take_spread(record, "duration_s");
    past->gross_j = take_spread(record, "gross_j");
    past->net_j = take_spread(record, "net_j");
    past->net_interval_j = (struct interval){ json_number_of(interval, "low"), json_number_of(interval, "high") };
    past->gross_w = json_number_of(record, "gross_w");
    past->net_w = json_number_of(record, "net_w");
}

static void take_notices(const struct cJSON *record, struct past *past)
{
    const double left_out = json_number_of(record, "notices_left_out");

    if (past->at_least)
        notice_add(&past->notices, NOTICE_GAPS, "a part of the time of each run is not known", "",
                   "'%.200s' has lower bounds of what was used", past->path);
    else if (!past->complete)
        notice_add(&past->notices, NOTICE_UNFINISHED,
                   "it was written while the work went on, or the series was cut short", "",
                   "'%.200s' is not complete: %zu run%s had ended", past->path, past->run_count,
                   past->run_count == 1 ? "" : "s");
    for (const struct cJSON *node = json_first(json_member(record, "notices")); node; node = json_next(node)) {
        struct error notice = { .notice = notice_kind_of(json_text_of(node, "kind")) };

        take_text(notice.what, sizeof notice.what, node, "what");
        take_text(notice.why, sizeof notice.why, node, "why");
        take_text(notice.fix, sizeof notice.fix, node, "fix");
        notice_copy(&past->notices, &notice);
    }
    past->notices.left_out += (size_t)whole(left_out);
}

static bool no_run(const struct cJSON *record, const struct past *past, struct error *err)
{
    const size_t count = json_count(json_member(json_member(record, "windows"), "runs"));

    error_set(err, ERROR_BAD_DATA, "'%s' holds no finished run", past->path);
    if (count == 0)
        error_why(err, "the command had not been run yet when it was written");
    else
        error_why(err, "all of its %zu runs are warm-ups or had not ended", count);
    return error_fix(err, "measure again, and let the command end");
}

void past_job(const struct cJSON *record, struct slurm_job *job)
{
    const struct cJSON *node = json_member(record, "job");

    *job = (struct slurm_job){ .known = !json_is_null(node) };
    fields_take(node, &job_fields, job);
}

bool past_of(const struct cJSON *record, const char *path, struct past *past, struct error *err)
{
    const struct cJSON *windows = json_member(record, "windows");

    *past = (struct past){ .command = NULL };
    text_copy(past->path, sizeof past->path, path);
    if (!json_is_form(record, path, REPORT_SCHEMA, err))
        return false;
    take_text(past->schema, sizeof past->schema, record, "schema");
    take_text(past->id, sizeof past->id, record, "id");
    take_text(past->started_at, sizeof past->started_at, record, "started_at");
    take_text(past->ended_at, sizeof past->ended_at, record, "ended_at");
    take_text(past->label, sizeof past->label, record, "label");
    past->complete = json_is_true(record, "complete");
    past->interrupted = json_is_true(record, "interrupted");
    past->at_least = json_is_true(record, "at_least");
    take_conditions(record, past);
    take_figures(record, past);
    if (!scope_of(json_text_of(record, "scope"), &past->scope)) {
        error_set(err, ERROR_BAD_DATA, "'%s' is malformed", path);
        return error_why(err, "it names no scope that carbon knows");
    }
    if (!take_command(record, past) || !take_domains(record, past) || !take_baselines(windows, past) ||
        !take_runs(windows, past))
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", path);
    take_notices(record, past);
    return past->run_count > 0 || no_run(record, past, err);
}

bool past_read(const char *path, struct past *past, struct error *err)
{
    struct cJSON *document = json_read(path, err);
    bool good;

    *past = (struct past){ .command = NULL };
    good = document && past_of(document, path, past, err);
    json_close(document);
    return good;
}

void past_close(struct past *past)
{
    for (size_t i = 0; past->command && past->command[i]; i++)
        free(past->command[i]);
    free(past->command);
    free(past->runs);
    free(past->baselines);
    free(past->phases);
    free(past->domains);
    *past = (struct past){ .command = NULL };
}

/* Of the program only its name: two paths that begin alike look alike where there is little room. */
static void add_command(char *const *command, struct text *line)
{
    const char *slash = strrchr(command[0], '/');
    char *const program[] = { slash && slash[1] ? (char *)slash + 1 : command[0], NULL };

    shell_command(program, line);
    text_add(line, "%s", command[1] ? " " : "");
    shell_command(command + 1, line);
}

void past_name(const struct past *past, char *name, size_t size)
{
    struct text line;

    text_open(&line, 1 << 20);
    if (!past->label[0] && past->command && past->command[0])
        add_command(past->command, &line);
    text_copy(name, size, past->label[0] ? past->label : line.data ? line.data : "");
    text_close(&line);
}

struct series past_series(const struct past *past, const char *name)
{
    return (struct series){
        .name = name,
        .runs = past->runs,
        .count = past->run_count,
        .quality = past->quality,
        .constant = past->constant,
        .no_idle = past->no_idle,
        .net_noise_j = 2 * past->net_noise_j,
        .own_method = past->own_method,
        .slope_w = past->slope_w,
        .own_doubt_j = past->own_doubt_j,
    };
}
