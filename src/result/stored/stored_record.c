/* SPDX-License-Identifier: MIT
 * Reading a record back. */
#include "result/stored/stored_record.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "form/shell.h"
#include "form/text_columns.h"
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

static struct sample_stats take_spread(const struct cJSON *object, const char *key)
{
    const struct cJSON *node = json_member(object, key);
    const double count = json_number_of(node, "count");

    return (struct sample_stats){
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

static bool take_command(const struct cJSON *record, struct stored_record *stored)
{
    const struct cJSON *words = json_member(record, "command");
    size_t count = 0;

    stored->command = calloc(json_count(words) + 1, sizeof *stored->command);
    if (!stored->command)
        return false;
    for (const struct cJSON *word = json_first(words); word; word = json_next(word)) {
        stored->command[count] = strdup(json_text(word));
        if (!stored->command[count++])
            return false;
    }
    return true;
}

/* As samples_header names them: two sources may have the same name for a domain. */
static void name_column(const struct stored_record *stored, struct stored_domain *domain, const char *source)
{
    bool repeated = false;

    for (const struct stored_domain *other = stored->domains; other < domain; other++)
        repeated |= other->column[0] && strcmp(other->name, domain->name) == 0;
    snprintf(domain->column, sizeof domain->column, "%.40s%s%s", repeated ? source : "", repeated ? ":" : "",
             domain->name);
}

static bool take_domains(const struct cJSON *record, struct stored_record *stored)
{
    const struct cJSON *domains = json_member(record, "domains");

    stored->domain_count = json_count(domains);
    stored->domains = calloc(stored->domain_count + 1, sizeof *stored->domains);
    if (!stored->domains)
        return false;
    struct stored_domain *domain = stored->domains;
    for (const struct cJSON *node = json_first(domains); node; node = json_next(node), domain++) {
        take_text(domain->name, sizeof domain->name, node, "name");
        domain->counted = json_is_true(node, "counted");
        if (domain->counted)
            stored->slope_w += json_number_of(node, "slope_w");
        if (!*json_text_of(json_member(node, "problem"), "what"))
            name_column(stored, domain, json_text_of(node, "source"));
    }
    return true;
}

/* Mean power of the counted domains that the window knows. */
static double counted_w(const struct stored_record *stored, const struct cJSON *window)
{
    const struct cJSON *energy_uj = json_first(json_member(window, "energy_uj"));
    double sum_uj = 0, duration_s = json_number_of(window, "duration_s");
    bool known = false;

    for (size_t i = 0; i < stored->domain_count && energy_uj; i++, energy_uj = json_next(energy_uj)) {
        const double uj = json_number(energy_uj);
        if (stored->domains[i].counted && !isnan(uj)) {
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

static bool take_baselines(const struct cJSON *windows, struct stored_record *stored)
{
    const struct cJSON *baselines = json_member(windows, "baselines");

    stored->baseline_count = json_count(baselines);
    stored->baselines = calloc(stored->baseline_count + 1, sizeof *stored->baselines);
    if (!stored->baselines)
        return false;
    struct stored_baseline *baseline = stored->baselines;
    for (const struct cJSON *node = json_first(baselines); node; node = json_next(node))
        *baseline++ = (struct stored_baseline){
            .start_s = seconds_between(stored->started_at, json_text_of(node, "started_at")),
            .duration_s = json_number_of(node, "duration_s"),
            .w = counted_w(stored, node),
        };
    return true;
}

static void take_phases(const struct cJSON *run, bool warmup, size_t number, struct stored_record *stored)
{
    for (const struct cJSON *node = json_first(json_member(run, "phases")); node; node = json_next(node)) {
        struct stored_phase *phase = &stored->phases[stored->phase_count];

        *phase = (struct stored_phase){
            .warmup = warmup,
            .run = number,
            .at_s = json_number_of(node, "at_s"),
            .duration_s = json_number_of(node, "duration_s"),
        };
        take_text(phase->name, sizeof phase->name, node, "name");
        stored->phase_count += !isnan(phase->at_s);
    }
}

static bool take_runs(const struct cJSON *windows, struct stored_record *stored)
{
    const struct cJSON *runs = json_member(windows, "runs");
    size_t phases = 0, warmups = 0, others = 0;

    for (const struct cJSON *node = json_first(runs); node; node = json_next(node))
        phases += json_count(json_member(node, "phases"));
    stored->runs = calloc(json_count(runs) + 1, sizeof *stored->runs);
    stored->phases = calloc(phases + 1, sizeof *stored->phases);
    if (!stored->runs || !stored->phases)
        return false;
    for (const struct cJSON *node = json_first(runs); node; node = json_next(node)) {
        const bool warmup = json_is_true(node, "warmup");
        /* records that do not say which runs count have all but the warm-ups in the result */
        const bool counted = json_member(node, "counted") ? json_is_true(node, "counted") : !warmup;

        take_phases(node, warmup, warmup ? ++warmups : ++others, stored);
        if (counted && json_is_true(node, "ended"))
            stored->runs[stored->run_count++] = (struct run_figures){
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

static void take_conditions(const struct cJSON *record, struct stored_record *stored)
{
    const struct cJSON *machine = json_member(record, "machine"), *factor = json_member(record, "factor");

    take_text(stored->cpu_model, sizeof stored->cpu_model, machine, "cpu_model");
    stored->cpus_online = whole(json_number_of(machine, "cpus_online"));
    stored->recorded_tree = json_is_true(record, "recorded_tree");
    stored->quality = quality_of(json_text_of(record, "quality"));
    stored->own_method = own_method_of(json_text_of(record, "own_method"));
    if (stored->own_method == OWN_PROFILE)
        stored->own_doubt_j = own_doubt_j(record);
    stored->constant = strcmp(json_text_of(record, "verdict"), verdict_name(VERDICT_NOT_MEASURABLE)) == 0;
    stored->no_idle = strcmp(json_text_of(record, "verdict"), verdict_name(VERDICT_NO_IDLE_BASELINE)) == 0;
    stored->net_noise_j = json_number_of(record, "net_noise_j");
    for (const struct cJSON *item = json_first(json_member(record, "sources")); item; item = json_next(item)) {
        const size_t length = strlen(stored->sources);
        char name[64];

        utf8_printable(name, sizeof name, json_text(item));
        snprintf(stored->sources + length, sizeof stored->sources - length, "%s%s", length ? " + " : "", name);
    }
    stored->pue = json_number_of(json_member(record, "pue"), "value");
    stored->hours_per_year = json_number_of(json_member(record, "hours_per_year"), "value");
    stored->factor.kgco2eq_per_kwh = json_number_of(factor, "kgco2eq_per_kwh");
    stored->factor.quality = quality_of(json_text_of(factor, "quality"));
    stored->factor.year = whole(json_number_of(factor, "year"));
    take_text(stored->factor.zone, sizeof stored->factor.zone, factor, "zone");
    take_text(stored->factor.zone_name, sizeof stored->factor.zone_name, factor, "zone_name");
    take_text(stored->factor.source_id, sizeof stored->factor.source_id, factor, "source_id");
    take_text(stored->factor.source, sizeof stored->factor.source, factor, "source");
    if (!factor_basis_of(json_text_of(factor, "basis"), &stored->factor.basis))
        stored->factor.basis = FACTOR_NO_BASIS;
}

static void take_figures(const struct cJSON *record, struct stored_record *stored)
{
    const struct cJSON *interval = json_member(record, "net_interval_j");

    stored->duration_s = take_spread(record, "duration_s");
    stored->gross_j = take_spread(record, "gross_j");
    stored->net_j = take_spread(record, "net_j");
    stored->net_interval_j = (struct interval){ json_number_of(interval, "low"), json_number_of(interval, "high") };
    stored->gross_w = json_number_of(record, "gross_w");
    stored->net_w = json_number_of(record, "net_w");
}

static void take_notices(const struct cJSON *record, struct stored_record *stored)
{
    const double left_out = json_number_of(record, "notices_left_out");

    if (stored->at_least)
        notice_add(&stored->notices, NOTICE_GAPS, "a part of the time of each run is not known", "",
                   "'%.200s' has lower bounds of usage", stored->path);
    else if (!stored->complete)
        notice_add(&stored->notices, NOTICE_UNFINISHED,
                   "it was written while the work went on, or the series was cut short", "",
                   "'%.200s' is not complete: %zu run%s had ended", stored->path, stored->run_count,
                   stored->run_count == 1 ? "" : "s");
    for (const struct cJSON *node = json_first(json_member(record, "notices")); node; node = json_next(node)) {
        struct error notice = { .notice = notice_kind_of(json_text_of(node, "kind")) };

        take_text(notice.what, sizeof notice.what, node, "what");
        take_text(notice.why, sizeof notice.why, node, "why");
        take_text(notice.fix, sizeof notice.fix, node, "fix");
        notice_copy(&stored->notices, &notice);
    }
    stored->notices.left_out += (size_t)whole(left_out);
}

static bool no_run(const struct cJSON *record, const struct stored_record *stored, struct error *err)
{
    const size_t count = json_count(json_member(json_member(record, "windows"), "runs"));

    error_set(err, ERROR_BAD_DATA, "'%s' holds no finished run", stored->path);
    if (count == 0)
        error_why(err, "the command had not been run yet when it was written");
    else
        error_why(err, "all of its %zu runs are warm-ups or had not ended", count);
    return error_fix(err, "measure again: carbon measure --json result.json -- ./job");
}

void stored_record_job(const struct cJSON *record, struct slurm_job *job)
{
    const struct cJSON *node = json_member(record, "job");

    *job = (struct slurm_job){ .known = !json_is_null(node) };
    fields_take(node, &job_fields, job);
}

bool stored_record_parse(const struct cJSON *document, const char *path, struct stored_record *stored,
                         struct error *err)
{
    const struct cJSON *inner = json_member(document, "record"), *record = inner ? inner : document;
    const struct cJSON *windows = json_member(record, "windows");

    *stored = (struct stored_record){ .command = NULL };
    text_copy(stored->path, sizeof stored->path, path);
    if (!json_is_form(record, path, REPORT_SCHEMA, err))
        return false;
    take_text(stored->schema, sizeof stored->schema, record, "schema");
    take_text(stored->id, sizeof stored->id, record, "id");
    take_text(stored->started_at, sizeof stored->started_at, record, "started_at");
    take_text(stored->ended_at, sizeof stored->ended_at, record, "ended_at");
    take_text(stored->label, sizeof stored->label, record, "label");
    stored->complete = json_is_true(record, "complete");
    stored->interrupted = json_is_true(record, "interrupted");
    stored->at_least = json_is_true(record, "at_least");
    take_conditions(record, stored);
    take_figures(record, stored);
    if (!scope_of(json_text_of(record, "scope"), &stored->scope)) {
        error_set(err, ERROR_BAD_DATA, "'%s' is malformed", path);
        return error_why(err, "it names no scope that carbon knows");
    }
    if (!take_command(record, stored) || !take_domains(record, stored) || !take_baselines(windows, stored) ||
        !take_runs(windows, stored))
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", path);
    take_notices(record, stored);
    return stored->run_count > 0 || no_run(record, stored, err);
}

bool stored_record_read(const char *path, struct stored_record *stored, struct error *err)
{
    struct cJSON *document = json_read(path, err);
    bool good;

    *stored = (struct stored_record){ .command = NULL };
    good = document && stored_record_parse(document, path, stored, err);
    json_close(document);
    return good;
}

void stored_record_close(struct stored_record *stored)
{
    for (size_t i = 0; stored->command && stored->command[i]; i++)
        free(stored->command[i]);
    free(stored->command);
    free(stored->runs);
    free(stored->baselines);
    free(stored->phases);
    free(stored->domains);
    *stored = (struct stored_record){ .command = NULL };
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

void stored_record_name(const struct stored_record *stored, char *name, size_t size)
{
    struct text line;

    text_open(&line, 1 << 20);
    if (!stored->label[0] && stored->command && stored->command[0])
        add_command(stored->command, &line);
    text_copy(name, size, stored->label[0] ? stored->label : line.data ? line.data : "");
    text_close(&line);
}

struct run_series stored_record_series(const struct stored_record *stored, const char *name)
{
    return (struct run_series){
        .name = name,
        .runs = stored->runs,
        .count = stored->run_count,
        .quality = stored->quality,
        .constant = stored->constant,
        .no_idle = stored->no_idle,
        .net_noise_j = 2 * stored->net_noise_j,
        .own_method = stored->own_method,
        .slope_w = stored->slope_w,
        .own_doubt_j = stored->own_doubt_j,
    };
}
