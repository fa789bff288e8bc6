/* SPDX-License-Identifier: MIT
 * Reading a record back. */
#include "result/stored/stored_record.h"

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "form/shell.h"
#include "form/text_columns.h"
#include "io/json_read.h"
#include "result/energy_fields.h"
#include "result/record_fields.h"
#include "result/session_fields.h"
#include "result/window_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A text of the record into an array of characters. */
#define TAKE_PRINTABLE(field, item) utf8_printable(field, sizeof(field), json_text(item))

static struct sample_stats take_spread(const struct cJSON *node)
{
    const double count = json_number(SPREAD_ITEM(node, count));

    return (struct sample_stats){
        .mean = json_number(SPREAD_ITEM(node, mean)),
        .deviation = json_number(SPREAD_ITEM(node, deviation)),
        .min = json_number(SPREAD_ITEM(node, min)),
        .max = json_number(SPREAD_ITEM(node, max)),
        .count = count > 0 && count < 1e9 ? (size_t)count : 0,
    };
}

static int whole(const struct cJSON *item)
{
    const double value = json_number(item);

    return value >= 0 && value < 1e9 ? (int)value : 0;
}

static bool take_command(const struct cJSON *record, struct stored_record *stored)
{
    const struct cJSON *words = RECORD_ITEM(record, command);
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
    const struct cJSON *domains = RECORD_MADE(record, record_domains);

    stored->domain_count = json_count(domains);
    stored->domains = calloc(stored->domain_count + 1, sizeof *stored->domains);
    if (!stored->domains)
        return false;
    struct stored_domain *domain = stored->domains;
    for (const struct cJSON *node = json_first(domains); node; node = json_next(node), domain++) {
        TAKE_PRINTABLE(domain->name, FIELD_ITEM(node, domain_name_fields, struct domain, name));
        domain->counted = json_truth(DOMAIN_ITEM(node, counted));
        if (domain->counted)
            stored->slope_w += json_number(DOMAIN_ITEM(node, slope_w));
        if (!*json_text(DOMAIN_ITEM(node, problem.what)))
            name_column(stored, domain, json_text(DOMAIN_ITEM(node, source)));
    }
    return true;
}

/* Mean power of the counted domains that the window knows. */
static double counted_w(const struct stored_record *stored, const struct cJSON *window)
{
    const struct cJSON *energy_uj = json_first(FIELD_MADE(window, window_fields, record_window_energies));
    double sum_uj = 0, duration_s = json_number(WINDOW_ITEM(window, duration_ns));
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

static bool take_baselines(const struct cJSON *record, struct stored_record *stored)
{
    const struct cJSON *baselines = RECORD_MADE(record, record_baselines);

    stored->baseline_count = json_count(baselines);
    stored->baselines = calloc(stored->baseline_count + 1, sizeof *stored->baselines);
    if (!stored->baselines)
        return false;
    struct stored_baseline *baseline = stored->baselines;
    for (const struct cJSON *node = json_first(baselines); node; node = json_next(node))
        *baseline++ = (struct stored_baseline){
            .start_s = seconds_between(stored->started_at, json_text(WINDOW_ITEM(node, realtime_ns))),
            .duration_s = json_number(WINDOW_ITEM(node, duration_ns)),
            .w = counted_w(stored, node),
        };
    return true;
}

/* From each mark to the next one, or to the end of the run. */
static void take_phases(const struct cJSON *run, bool warmup, size_t number, struct stored_record *stored)
{
    double end_s = json_number(WINDOW_ITEM(run, duration_ns));
    struct stored_phase *last = NULL;

    for (const struct cJSON *node = json_first(FIELD_MADE(run, run_fields, record_marks)); node;
         node = json_next(node)) {
        struct stored_phase *phase = &stored->phases[stored->phase_count];

        *phase = (struct stored_phase){ .warmup = warmup, .run = number, .at_s = json_number(MARK_ITEM(node, at_ns)) };
        TAKE_PRINTABLE(phase->name, MARK_ITEM(node, name));
        if (isnan(phase->at_s))
            continue;
        phase->duration_s = end_s - phase->at_s;
        if (last)
            last->duration_s = phase->at_s - last->at_s;
        last = phase;
        stored->phase_count++;
    }
}

static struct run_figures figures_of(const struct cJSON *run)
{
    return (struct run_figures){
        .duration_s = json_number(WINDOW_ITEM(run, duration_ns)),
        .gross_j = json_number(RUN_ITEM(run, summary.gross_j)),
        .idle_j = json_number(RUN_ITEM(run, summary.idle_j)),
        .net_j = json_number(RUN_ITEM(run, summary.net_j)),
        .items = NAN,
        .own_j = json_number(RUN_ITEM(run, summary.own_j)),
    };
}

static bool take_runs(const struct cJSON *record, struct stored_record *stored)
{
    const struct cJSON *runs = RECORD_MADE(record, record_runs);
    size_t marks = 0, warmups = 0, others = 0;

    for (const struct cJSON *node = json_first(runs); node; node = json_next(node))
        marks += json_count(FIELD_MADE(node, run_fields, record_marks));
    stored->runs = calloc(json_count(runs) + 1, sizeof *stored->runs);
    stored->phases = calloc(marks + 1, sizeof *stored->phases);
    if (!stored->runs || !stored->phases)
        return false;
    for (const struct cJSON *node = json_first(runs); node; node = json_next(node)) {
        const bool warmup = json_truth(RUN_OWN_ITEM(node, warmup));
        /* records that do not say which runs count have all but the warm-ups in the result */
        const bool counted = RUN_ITEM(node, counted) ? json_truth(RUN_ITEM(node, counted)) : !warmup;

        take_phases(node, warmup, warmup ? ++warmups : ++others, stored);
        if (counted && json_truth(RUN_OWN_ITEM(node, ended)))
            stored->runs[stored->run_count++] = figures_of(node);
    }
    return true;
}

/* To the side where it is more. */
static double own_doubt_j(const struct cJSON *record)
{
    const double own_j = json_number(RECORD_ITEM(record, summary.total.own_j.mean));

    return fmax(own_j - json_number(RECORD_ITEM(record, summary.total.own_low_j)),
                json_number(RECORD_ITEM(record, summary.total.own_high_j)) - own_j);
}

static void take_factor(const struct cJSON *node, struct factor *factor)
{
    factor->kgco2eq_per_kwh = json_number(FACTOR_ITEM(node, kgco2eq_per_kwh));
    factor->quality = quality_of(json_text(FACTOR_ITEM(node, quality)));
    factor->year = whole(FACTOR_ITEM(node, year));
    TAKE_PRINTABLE(factor->zone, FACTOR_ITEM(node, zone));
    TAKE_PRINTABLE(factor->zone_name, FACTOR_ITEM(node, zone_name));
    TAKE_PRINTABLE(factor->source_id, FACTOR_ITEM(node, source_id));
    TAKE_PRINTABLE(factor->source, FACTOR_ITEM(node, source));
    if (!factor_basis_of(json_text(FACTOR_ITEM(node, basis)), &factor->basis))
        factor->basis = FACTOR_NO_BASIS;
}

static void take_conditions(const struct cJSON *record, struct stored_record *stored)
{
    const struct cJSON *machine = RECORD_ITEM(record, machine);
    const char *verdict = json_text(RECORD_ITEM(record, summary.verdict.verdict));

    TAKE_PRINTABLE(stored->cpu_model, MACHINE_ITEM(machine, cpu_model));
    stored->cpus_online = whole(MACHINE_ITEM(machine, cpus_online));
    stored->recorded_tree = json_truth(RECORD_ITEM(record, recorded_tree));
    stored->quality = quality_of(json_text(RECORD_ITEM(record, summary.quality)));
    stored->own_method = own_method_of(json_text(RECORD_ITEM(record, summary.total.own_method)));
    if (stored->own_method == OWN_PROFILE)
        stored->own_doubt_j = own_doubt_j(record);
    stored->constant = strcmp(verdict, verdict_name(VERDICT_NOT_MEASURABLE)) == 0;
    stored->no_idle = strcmp(verdict, verdict_name(VERDICT_NO_IDLE_BASELINE)) == 0;
    stored->net_noise_j = json_number(RECORD_ITEM(record, summary.net_noise_j));
    for (const struct cJSON *item = json_first(RECORD_MADE(record, record_sources)); item; item = json_next(item)) {
        const size_t length = strlen(stored->sources);
        char name[64];

        utf8_printable(name, sizeof name, json_text(item));
        snprintf(stored->sources + length, sizeof stored->sources - length, "%s%s", length ? " + " : "", name);
    }
    stored->pue = json_number(RECORD_ITEM(record, pue));
    stored->hours_per_year = json_number(RECORD_ITEM(record, hours_per_year));
    take_factor(RECORD_ITEM(record, factor), &stored->factor);
}

static void take_figures(const struct cJSON *record, struct stored_record *stored)
{
    stored->duration_s = take_spread(RECORD_ITEM(record, summary.duration_s));
    stored->gross_j = take_spread(RECORD_ITEM(record, summary.total.gross_j));
    stored->net_j = take_spread(RECORD_ITEM(record, summary.total.net_j));
    stored->net_interval_j.low = json_number(RECORD_ITEM(record, summary.total.net_interval_j.low));
    stored->net_interval_j.high = json_number(RECORD_ITEM(record, summary.total.net_interval_j.high));
    stored->gross_w = json_number(RECORD_ITEM(record, summary.total.gross_w));
    stored->net_w = json_number(RECORD_ITEM(record, summary.total.net_w));
}

static void take_notices(const struct cJSON *record, struct stored_record *stored)
{
    if (stored->at_least)
        notice_add(&stored->notices, NOTICE_GAPS, "a part of the time of each run is not known", "",
                   "'%.200s' has lower bounds of usage", stored->path);
    else if (!stored->complete)
        notice_add(&stored->notices, NOTICE_UNFINISHED,
                   "it was written while the work went on, or the series was cut short", "",
                   "'%.200s' is not complete: %zu run%s had ended", stored->path, stored->run_count,
                   stored->run_count == 1 ? "" : "s");
    for (const struct cJSON *node = json_first(RECORD_ITEM(record, all_notices.item)); node; node = json_next(node))
        notice_add(&stored->notices, notice_kind_of(json_text(NOTICE_ITEM(node, kind))),
                   json_text(NOTICE_ITEM(node, why)), json_text(NOTICE_ITEM(node, fix)), "%s",
                   json_text(NOTICE_ITEM(node, what)));
    stored->notices.left_out += (size_t)whole(RECORD_ITEM(record, all_notices.left_out));
}

static bool no_run(const struct cJSON *record, const struct stored_record *stored, struct error *err)
{
    const size_t count = json_count(RECORD_MADE(record, record_runs));

    error_set(err, ERROR_BAD_DATA, "'%s' holds no finished run", stored->path);
    if (count == 0)
        error_why(err, "the command had not been run yet when it was written");
    else
        error_why(err, "all of its %zu runs are warm-ups or had not ended", count);
    return error_fix(err, "measure again: carbon measure --json result.json -- ./job");
}

void stored_record_job(const struct cJSON *record, struct slurm_job *job)
{
    const struct cJSON *node = RECORD_ITEM(record, job);

    *job = (struct slurm_job){ .known = !json_is_null(node) };
    fields_take(node, &job_fields, job);
}

bool stored_record_parse(const struct cJSON *document, const char *path, struct stored_record *stored,
                         struct error *err)
{
    const struct cJSON *inner = json_member(document, RECORD_KEY), *record = inner ? inner : document;

    *stored = (struct stored_record){ .command = NULL };
    text_copy(stored->path, sizeof stored->path, path);
    if (!json_is_form(record, path, REPORT_SCHEMA, err))
        return false;
    utf8_printable(stored->schema, sizeof stored->schema, json_schema(record));
    TAKE_PRINTABLE(stored->id, RECORD_ITEM(record, id));
    TAKE_PRINTABLE(stored->started_at, RECORD_ITEM(record, started_realtime_ns));
    TAKE_PRINTABLE(stored->ended_at, RECORD_ITEM(record, ended_realtime_ns));
    TAKE_PRINTABLE(stored->label, RECORD_ITEM(record, label));
    stored->complete = json_truth(RECORD_ITEM(record, complete));
    stored->at_least = json_truth(RECORD_ITEM(record, summary.at_least));
    take_conditions(record, stored);
    take_figures(record, stored);
    if (!scope_of(json_text(RECORD_ITEM(record, scope)), &stored->scope)) {
        error_set(err, ERROR_BAD_DATA, "'%s' is malformed", path);
        return error_why(err, "it names no scope that carbon knows");
    }
    if (!take_command(record, stored) || !take_domains(record, stored) || !take_baselines(record, stored) ||
        !take_runs(record, stored))
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
    notices_clear(&stored->notices);
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
