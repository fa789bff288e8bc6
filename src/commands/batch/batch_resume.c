/* SPDX-License-Identifier: MIT
 * What an interrupted batch left behind, read back from its JSON. */
#include "commands/batch/batch_work.h"

#include "base/auto.h"
#include "base/redact.h"
#include "io/json_read.h"
#include "result/session_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

/* Where somebody began anew beside an unfinished result, PATH.partial.1 may be the later one. False: there is none. */
static bool find_partial(const char *file, char *from, size_t size)
{
    char path[4096];
    struct stat now;
    struct timespec newest = { .tv_sec = -1 };

    for (int i = 0;; i++) {
        snprintf(path, sizeof path, i ? "%s.partial.%d" : "%s.partial", file, i);
        if (stat(path, &now) != 0)
            return newest.tv_sec >= 0;
        if (now.st_size == 0 || is_before(&now.st_mtim, &newest))
            continue;
        newest = now.st_mtim;
        text_copy(from, size, path);
    }
}

static bool find_earlier(const char *path, struct batch_earlier *earlier, struct error *err)
{
    AUTO_FREE char *real = realpath(path, NULL); /* the partial file stands beside what a link leads to */

    earlier->partial = find_partial(real ? real : path, earlier->path, sizeof earlier->path);
    if (earlier->partial)
        return true;
    text_copy(earlier->path, sizeof earlier->path, path);
    if (real)
        return true;
    error_set(err, ERROR_USAGE, "there is nothing to resume");
    error_why(err, "neither '%.100s.partial' nor '%.100s' is there", path, path);
    return error_fix_omits(err, "resume", false);
}

/* A whole number; 0 where it is none. */
static uint64_t count_of(const struct cJSON *item)
{
    const double value = json_number(item);

    return value >= 0 && value <= UINT32_MAX ? (uint64_t)value : 0;
}

/* What the earlier batch must have in common with this one. */
struct same {
    const char *what;
    char then[160], now[160];
};

static bool is_same(const struct same *same, const char *from, struct error *err)
{
    if (strcmp(same->then, same->now) == 0)
        return true;
    error_set(err, ERROR_USAGE, "'%.150s' cannot be resumed: it has %s", from, same->what);
    error_why(err, "then '%.100s', now '%.100s'", same->then, same->now);
    return error_fix_omits(err, "resume", false);
}

static bool same_text(const char *what, const char *then, const char *now, const char *from, struct error *err)
{
    struct same same = { .what = what };

    text_copy(same.then, sizeof same.then, then);
    text_copy(same.now, sizeof same.now, now);
    /* the ends of long commands differ too */
    if (strcmp(then, now) != 0 && strcmp(same.then, same.now) == 0)
        text_copy(same.now, sizeof same.now, "another of the same beginning");
    return is_same(&same, from, err);
}

static bool same_number(const char *what, double then, double now, const char *from, struct error *err)
{
    struct same same = { .what = what };

    text_number(then, same.then);
    text_number(now, same.now);
    return is_same(&same, from, err);
}

static bool same_sources(const struct cJSON *root, const struct batch *batch, const char *from, struct error *err)
{
    const struct cJSON *sources = BATCH_ITEM(root, sources);
    struct text then, now;
    bool same;

    text_open(&then, 1024);
    text_open(&now, 1024);
    text_add(&then, "%s", "");
    text_add(&now, "%s", "");
    for (const struct cJSON *source = json_first(sources); source; source = json_next(source))
        text_add(&then, "%s ", json_text(source));
    for (size_t i = 0; i < batch->source_count; i++)
        text_add(&now, "%s ", batch->sources[i]);
    same = text_ok(&then) && text_ok(&now) && same_text("other sources", then.data, now.data, from, err);
    text_close(&then);
    text_close(&now);
    return same;
}

static bool same_machine(const struct cJSON *root, const struct batch *batch, const char *from, struct error *err)
{
    const struct cJSON *machine = FIELD_ITEM(root, session_machine_fields, struct report, machine);
    const struct report *session = batch->session;

    return same_text("another processor", json_text(MACHINE_ITEM(machine, cpu_model)), session->machine->cpu_model,
                     from, err) &&
           same_number("another number of CPUs", json_number(MACHINE_ITEM(machine, cpus_online)),
                       session->machine->cpus_online > 0 ? session->machine->cpus_online : NAN, from, err) &&
           same_text("another scope", json_text(FIELD_ITEM(root, session_machine_fields, struct report, scope)),
                     scope_name(session->scope), from, err) &&
           same_number("counters of another kind of machine",
                       json_truth(FIELD_ITEM(root, session_machine_fields, struct report, recorded_tree)),
                       session->recorded_tree, from, err) &&
           same_sources(root, batch, from, err);
}

static bool same_plan(const struct cJSON *root, const struct batch *batch, const char *from, struct error *err)
{
    return same_number("another number of loops", json_number(BATCH_ITEM(root, loops)), (double)batch->loops, from,
                       err) &&
           same_number("another number of warm-ups", json_number(BATCH_ITEM(root, warmups)), (double)batch->warmups,
                       from, err) &&
           same_number("another baseline", json_number(BATCH_ITEM(root, baseline_s)), batch->baseline_s, from, err) &&
           same_text("another order", json_text(BATCH_ITEM(root, order)), order_name(batch->order), from, err);
}

static bool same_seed(const struct cJSON *root, struct batch_work *work, const char *from, struct error *err)
{
    const double seed = json_number(BATCH_ITEM(root, seed)), given = settings_number(&work->settings, &option_seed);

    if (work->batch.order != ORDER_SHUFFLED)
        return true;
    if (!isnan(given) && !same_number("another seed", seed, given, from, err))
        return false;
    work->batch.seed = count_of(BATCH_ITEM(root, seed));
    return true;
}

static bool same_module(const struct cJSON *item, const struct batch_module *module, const char *from,
                        struct error *err)
{
    AUTO_FREE char *now = NULL, *before = NULL; /* what an earlier version hid, and what this one does */
    char what[160];

    if (!same_text("another module at its place", json_text(MODULE_ITEM(item, name)), module->name, from, err))
        return false;
    snprintf(what, sizeof what, "another command of '%.60s'", module->name);
    if (!same_text(what, redacted(json_text(MODULE_ITEM(item, command)), &before), redacted(module->command, &now),
                   from, err))
        return false;
    snprintf(what, sizeof what, "other CPUs for '%.60s'", module->name);
    return same_text(what, json_text(MODULE_ITEM(item, cpus)), module->cpus, from, err);
}

/* A run that counts, or that failed by itself; what was cut short is done again. */
static bool is_stored(const struct cJSON *item)
{
    return json_truth(FIELD_MADE(item, batch_run_fields, batch_counts)) ||
           (json_number(FIELD_ITEM(item, batch_run_fields, struct batch_run, exit_status)) > 0 &&
            !json_truth(FIELD_ITEM(item, batch_run_fields, struct batch_run, cut_short)));
}

static struct batch_run run_of(const struct cJSON *item)
{
    struct batch_run run = { .whole = true };

    fields_take(item, &batch_run_fields, &run);
    run.figures.items = NAN;
    run.ended = true;
    return run;
}

static bool has_loop(const struct batch_module *module, size_t count, size_t loop)
{
    for (size_t i = 0; i < count; i++)
        if (module->runs[i].loop == loop)
            return true;
    return false;
}

static bool take_runs(const struct cJSON *item, struct batch_module *module, struct batch_stored *stored, size_t loops,
                      const char *from, struct error *err)
{
    const struct cJSON *runs = MODULE_ITEM(item, runs);

    for (const struct cJSON *at = json_first(runs); at; at = json_next(at)) {
        const struct batch_run run = run_of(at);
        if (!is_stored(at))
            continue;
        if (run.loop < 1 || run.loop > loops || has_loop(module, stored->runs, run.loop) ||
            !(run.figures.duration_s >= 0)) {
            error_set(err, ERROR_BAD_DATA, "'%.200s' is malformed", from);
            return error_why(err, "a run of '%.60s' makes no sense", module->name);
        }
        stored->given_up = stored->given_up || batch_run_has_failed(&run);
        module->runs[stored->runs++] = run;
    }
    module->run_count = stored->runs;
    stored->constant = json_truth(MODULE_ITEM(item, constant));
    stored->no_idle =
        strcmp(json_text(MODULE_ITEM(item, verdict.verdict)), verdict_name(VERDICT_NO_IDLE_BASELINE)) == 0;
    stored->rates = isfinite(json_number(MODULE_ITEM(item, gross_w)));
    stored->quality = quality_of(json_text(MODULE_ITEM(item, quality)));
    module->constant = stored->constant;
    module->no_idle = stored->no_idle;
    module->rates = stored->rates;
    module->quality = stored->quality;
    return true;
}

static bool take_modules(const struct cJSON *root, struct batch_work *work, const char *from, struct error *err)
{
    const struct cJSON *modules = BATCH_ITEM(root, modules), *item = json_first(modules);
    struct batch *batch = &work->batch;

    if (!same_number("another number of modules", (double)json_count(modules), (double)batch->module_count, from, err))
        return false;
    for (size_t i = 0; i < batch->module_count; i++, item = json_next(item))
        if (!same_module(item, &batch->modules[i], from, err) ||
            !take_runs(item, &batch->modules[i], &work->pasts[i], batch->loops, from, err))
            return false;
    return true;
}

/* The earlier breaks, and this one. */
static bool take_breaks(const struct cJSON *root, struct batch_work *work, struct error *err)
{
    const struct cJSON *resumed = BATCH_ITEM(root, breaks);
    struct batch *batch = &work->batch;
    struct batch_break *now;

    batch->breaks = calloc(json_count(resumed) + 1, sizeof *batch->breaks);
    if (!batch->breaks)
        return error_errno(err, "no memory to resume");
    for (const struct cJSON *item = json_first(resumed); item; item = json_next(item))
        fields_take(item, &batch_break_fields, &batch->breaks[batch->break_count++]);
    now = &batch->breaks[batch->break_count++];
    text_copy(now->interrupted_at, sizeof now->interrupted_at, json_text(BATCH_ITEM(root, ended_at)));
    text_copy(now->resumed_at, sizeof now->resumed_at, batch->started_at);
    for (size_t i = 0; i < batch->module_count; i++)
        now->runs_before += work->pasts[i].runs;
    text_copy(batch->started_at, sizeof batch->started_at, json_text(BATCH_ITEM(root, started_at)));
    text_copy(batch->ended_at, sizeof batch->ended_at, now->interrupted_at);
    return true;
}

static bool take_results(const struct cJSON *root, struct batch_work *work, const char *from, struct error *err)
{
    if (!json_is_form(root, from, BATCH_SCHEMA, err))
        return false;
    if (!same_plan(root, &work->batch, from, err) || !same_machine(root, &work->batch, from, err) ||
        !same_seed(root, work, from, err) || !take_modules(root, work, from, err))
        return false;
    work->complete = json_truth(BATCH_ITEM(root, complete));
    return work->complete || (take_breaks(root, work, err) && batch_finish(&work->batch, err));
}

bool batch_resume(struct batch_work *work, const char *path, struct batch_earlier *earlier, struct error *err)
{
    struct cJSON *root;
    bool taken;

    if (!find_earlier(path, earlier, err))
        return false;
    root = json_read(earlier->path, err);
    taken = root && take_results(root, work, earlier->path, err);
    json_close(root);
    return taken;
}

static bool is_left(const struct batch_work *work, const struct step *step)
{
    const struct batch_stored *stored = &work->pasts[step->command];

    if (stored->given_up || stored->runs == work->batch.loops)
        return false;
    return step->warmup || !has_loop(&work->batch.modules[step->command], stored->runs, step->number);
}

void batch_resume_schedule(const struct batch_work *work, struct schedule *schedule)
{
    size_t left = 0;

    for (size_t i = 0; i < schedule->count; i++)
        if (is_left(work, &schedule->steps[i]))
            schedule->steps[left++] = schedule->steps[i];
    schedule->count = left;
}
