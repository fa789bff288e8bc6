/* SPDX-License-Identifier: MIT
 * `carbon sources`: every energy source, what it offers, what counts and why, and what would help. */
#include "app/options/command.h"

#include "app/options/machine_options.h"
#include "app/terminal.h"
#include "base/quality.h"
#include "base/text.h"
#include "commands/sources/grant.h"
#include "commands/sources/sources_list.h"
#include "commands/sources/watch.h"
#include "form/output.h"
#include "run/privileges.h"

#include <stdlib.h>
#include <string.h>

/* Where nothing is measured, a model is no answer to what this machine has. */
static const char *status_of(const struct sources *sources)
{
    const struct meter *meter = &sources->meter;
    bool counted = false, recorded = false, denied = false, borrowed = false;

    for (size_t i = 0; i < meter->domain_count; i++) {
        const struct domain *domain = meter->domains[i].domain;
        borrowed |= domain->borrowed && domain->problem.kind == ERROR_NONE;
        if (!sources->counting.eligible[i] || domain->quality == QUALITY_MODELLED)
            continue;
        counted |= sources->counting.is_counted[i];
        denied |= domain->problem.kind == ERROR_DENIED;
        /* an event that counts, but on another machine */
        recorded |= domain->problem.kind == ERROR_ABSENT && !meter->root->live;
    }
    if (counted)
        return sources->counting.incomplete ? "incomplete" : "ok";
    return denied ? "permission" : recorded ? "ok" : borrowed ? "untrusted" : "none";
}

/* The meter opens a model only where it needs one; here it is shown all the same. */
static void view_driver(struct sources *sources, const struct energy_driver *driver, const char *only)
{
    const struct meter *meter = &sources->meter;
    struct source_view *view = &sources->views[sources->view_count++];

    *view = (struct source_view){ .driver = driver };
    for (size_t i = 0; i < meter->source_count; i++)
        if (meter->sources[i].driver == driver) {
            view->source = &meter->sources[i];
            view->in_use = meter->opened[i];
        }
    for (size_t i = 0; i < meter->refusal_count; i++)
        if (meter->refusals[i].driver == driver)
            view->error = meter->refusals[i].error;
    if (view->source || (only && strcmp(only, driver->name) != 0))
        return;
    view->spare = (struct energy_source){ .driver = driver };
    if (!driver->open(&view->spare, meter->root, meter->machine, &view->error) && view->error.kind == ERROR_NONE)
        view->error.kind = ERROR_SYSTEM;
    driver->close(&view->spare);
    notices_clear(&view->spare.notices);
}

static bool sources_read(struct sources *sources, const struct root *root, const char *only,
                         const struct settings *settings, struct error *err)
{
    const struct meter_options options = { .only = only, .whole_machine = true, .named = settings->meters };
    struct error *refusal = &sources->refusal; /* that nothing can be measured is an answer here */

    machine_read(&sources->machine, root);
    if (!machine_options_read(settings, root, &sources->machine, &sources->profile, err))
        return false;
    sources->measurable = (!root->live || privileges_raise(refusal)) &&
                          meter_open(&sources->meter, root, &sources->machine, &options, refusal);
    IGNORED(job_gpus_choose(&sources->meter, NULL, gpus_own_environment, &sources->notices, NULL),
            "without GPUs there are none to choose");
    if (!scope_count(&sources->meter, sources->scope, &sources->counting, &sources->notices,
                     sources->measurable ? refusal : NULL))
        sources->measurable = false;
    for (size_t i = 0; i < sources->meter.source_count; i++)
        notices_copy(&sources->notices, &sources->meter.sources[i].notices);
    for (size_t i = 0; i < METER_MAX_SOURCES && energy_drivers[i]; i++)
        view_driver(sources, energy_drivers[i], only);
    sources->status = status_of(sources);
    return true;
}

static const char *state_of(const struct source_view *view, const char *only)
{
    if (only && strcmp(only, view->driver->name) != 0)
        return "-";
    return error_kind_name(view->error.kind);
}

static void print_domains(const struct sources *sources, const struct source_view *view, int name_width)
{
    char typed[512];

    for (size_t i = 0; i < sources->meter.domain_count; i++) {
        const struct domain *domain = sources->meter.domains[i].domain;
        const struct counting *counting = &sources->counting;
        if (sources->meter.domains[i].source != view->source)
            continue;
        if (strncmp(domain->path, "sys/", 4) == 0)
            root_typed_path(sources->meter.root, domain->path, typed, sizeof typed);
        else
            text_copy(typed, sizeof typed, domain->path);
        printf("  %-*s  %-7s  %-11s  %s\n", name_width, domain->name,
               domain->problem.kind == ERROR_NONE ? quality_name(domain->quality)
                                                  : error_kind_name(domain->problem.kind),
               counting->is_counted[i] ? "counted"
               : counting->eligible[i] ? "would count"
                                       : "not counted",
               counting->reason[i]);
        if (typed[0])
            printf("  %-*s  %s\n", name_width, "", typed);
    }
}

static void print_view(const struct sources *sources, const struct source_view *view, const char *only, int name_width)
{
    const struct error *error = &view->error;
    const char *what = error->kind != ERROR_NONE ? error->what : view->driver->about;

    if (only && strcmp(only, view->driver->name) != 0)
        what = "not asked for";
    printf("%-9s  %-7s  %s\n", view->driver->name, state_of(view, only), what);
    if (error->why[0])
        printf("  why: %s\n", error->why);
    if (error->fix[0])
        printf("  fix: %s\n", error->fix);
    if (view->source)
        print_domains(sources, view, name_width);
}

static size_t print_names(const struct sources *sources, const bool *chosen)
{
    size_t count = 0;

    for (size_t i = 0; i < sources->meter.domain_count; i++)
        if (chosen[i])
            printf("%s%s", count++ ? " + " : "", sources->meter.domains[i].domain->name);
    return count;
}

static void print_sum(const struct sources *sources, bool colour)
{
    const char *bold = colour ? "\033[1m" : "", *plain = colour ? "\033[0m" : "";

    printf("\n%sscope %s: ", bold, scope_name(sources->scope));
    if (!print_names(sources, sources->counting.is_counted)) {
        printf("no readable domain");
        if (memchr(sources->counting.eligible, 1, sources->meter.domain_count)) {
            printf("; when readable: ");
            print_names(sources, sources->counting.eligible);
        }
    }
    printf("%s\n", plain);
    if (sources->counting.whole_machine >= 0)
        printf("not included, never added: %s\n", sources->counting.whole_machine_name);
}

static void print_profile(const struct sources *sources)
{
    const struct machine_profile *profile = sources->machine.reported.profile;
    char about[256];

    if (!profile)
        return;
    if (profile->refused.kind != ERROR_NONE) {
        printf("machine profile: '%s' is not used: %s\n  why: %s\n", profile->path, profile->refused.what,
               profile->refused.why);
        return;
    }
    profile_describe(profile, about, sizeof about);
    printf("machine profile: %s (%s)\n", about, profile->path);
}

static void print_all(const struct sources *sources, const char *only, bool colour)
{
    int name_width = 0;

    if (!sources->meter.root->live)
        printf("a recorded machine: %s\n", sources->meter.root->path);
    for (size_t i = 0; i < sources->meter.domain_count; i++) {
        const int width = (int)strlen(sources->meter.domains[i].domain->name);
        name_width = width > name_width ? width : name_width;
    }
    for (size_t i = 0; i < sources->view_count; i++)
        print_view(sources, &sources->views[i], only, name_width);
    print_sum(sources, colour);
    print_profile(sources);
    for (size_t i = 0; i < sources->notices.count; i++)
        terminal_notice(stdout, &sources->notices.item[i], colour);
}

static bool list_sources(const struct sources *sources, const struct settings *settings, const char *only,
                         struct error *err)
{
    const char *json = settings_text(settings, &option_json);
    struct output out;

    if (json &&
        !(output_open(&out, json, err) && output_end(&out, sources_write_json(sources, out.file, false, err), err)))
        return false;
    if (!json || strcmp(json, "-") != 0)
        print_all(sources, only, terminal_colour(settings, stdout));
    return true;
}

static bool show_sources(struct sources *sources, const struct settings *settings, const char *only, struct error *err)
{
    if (settings_flag(settings, &option_watch))
        return watch_sources(sources, settings, err);
    if (!settings_flag(settings, &option_grant))
        return list_sources(sources, settings, only, err);
    terminal_let_go();
    grant_print(sources, stdout);
    return true;
}

static int sources_run(const struct command_line *line)
{
    const struct settings *settings = &line->settings;
    const char *source = settings_text(settings, &option_source), *path = settings_text(settings, &option_root);
    const char *only = strcmp(source, "auto") == 0 ? NULL : source;
    struct sources *sources = calloc(1, sizeof *sources);
    struct error err = { .kind = ERROR_NONE };
    struct root root;
    bool done;

    if (!sources) {
        error_errno(&err, "cannot list the sources");
        return terminal_fail(&err, STATUS_CARBON_FAILED);
    }
    done = watch_check_options(settings, &err) && grant_check(settings, &err) &&
           scope_of(settings_text(settings, &option_scope), &sources->scope) && root_open(&root, path, &err);
    if (done) {
        done = sources_read(sources, &root, only, settings, &err) && privileges_lower(&err) &&
               show_sources(sources, settings, only, &err);
        meter_close(&sources->meter);
        notices_clear(&sources->notices);
        root_close(&root);
    }
    free(sources);
    return done ? terminal_finish_stdout(EXIT_SUCCESS) : terminal_fail(&err, STATUS_CARBON_FAILED);
}

const struct command cmd_sources = {
    .name = "sources",
    .purpose = "list the energy sources and their requirements",
    .synopsis = "[options]",
    .options = OPTIONS(&option_source, &option_scope, &option_root, MODEL_OPTIONS, &option_output, &option_json,
                       &option_watch, &option_interval, &option_count, &option_grant, COLOR_OPTIONS),
    .common = COMMON("watch", "interval", "count", "grant", "source", "scope", "output"),
    .examples =
        EXAMPLES("carbon sources", "carbon sources --json -", "carbon sources --watch", "carbon sources --grant"),
    .schemas = SCHEMAS(&sources_schema, &watch_schema),
    .run = sources_run,
    .prints_page = true,
    .about = "List every energy source with its state (ready, denied, absent or broken), its domains, the counted ones "
             "and why, and a safe remedy.",
};
