/* SPDX-License-Identifier: MIT
 * carbon prometheus energy: joules of nodes and pods in a time, by the samples of their counters. */
#include "base/c_locale.h"
#include "commands/prometheus/prometheus.h"

#include "app/prometheus_server.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "base/units.h"
#include "commands/prometheus/energy_query.h"
#include "commands/prometheus/prometheus_near.h"
#include "io/local_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What one call works with. */
struct energy {
    struct energy_query query;
    enum exporter_kind kind;
    struct workload_rows rows;
    struct workload_report workloads;
};

static bool read_options(const struct settings *settings, struct energy *energy, struct error *err)
{
    struct energy_query *query = &energy->query;
    struct workload_report *workloads = &energy->workloads;
    struct prometheus_window window;

    prometheus_read_filter(settings, workloads);
    if (workloads->all_pods && workloads->pod)
        return options_clash(&option_prometheus_pod, &option_all_pods, err);
    *query = (struct energy_query){ .namespace = workloads->namespace,
                                    .pod = workloads->pod,
                                    .kind = workloads->window.kind };
    query->pods = query->namespace || query->pod || workloads->all_pods;
    if (query->pods && query->kind == EXPORTER_NODE) {
        error_set(err, ERROR_USAGE, "node_exporter has no metrics of pods");
        return error_fix(err, "leave out --namespace, --pod and --all-pods");
    }
    if (!prometheus_window_read(settings, NULL, workloads->created_realtime_ns, &window, err))
        return false;
    workloads->window.from_s = query->from_s = window.from_s;
    workloads->window.to_s = query->to_s = window.to_s;
    query->now = window.now;
    query->from_fixed = window.from_fixed;
    workloads->duration_s = window.to_s - window.from_s;
    return true;
}

/* A time up to now ends with what every exporter that still answers has reported: what comes after is not known yet.
 * One of a length has it all the same. */
static void end_with_samples(const struct series_set *set, struct energy *energy)
{
    const double last_s = series_set_end(set, energy->query.to_s);
    struct kind_window *window = &energy->workloads.window;

    if (!(last_s > window->from_s && last_s < window->to_s))
        return;
    if (!energy->query.from_fixed)
        window->from_s -= window->to_s - last_s;
    window->to_s = last_s;
    energy->workloads.duration_s = window->to_s - window->from_s;
}

static void explain_nothing(const struct prometheus_server *server, struct energy *energy, struct error *err)
{
    const struct energy_query *query = &energy->query;
    struct series_set pods = { .count = 0 };
    struct error other;

    if (energy->kind == EXPORTER_NONE) {
        error_set(err, ERROR_ABSENT, "no energy metrics in this period");
        error_why(err, "no metrics of %s with energies of %s",
                  query->kind == EXPORTER_NONE ? "Kepler, node_exporter, Scaphandre or carbon"
                                               : exporter_title(query->kind),
                  query->pods ? "pods" : "nodes");
        error_fix(err, query->kind == EXPORTER_NONE
                           ? "check that the exporter runs, that Prometheus scrapes it, and the period"
                           : "omit --exporter, or check the period");
        return;
    }
    error_set(err, ERROR_ABSENT, "%s has no energy of %s%.80s%s%s%.60s%s%s%.60s%s", exporter_title(energy->kind),
              query->pod ? "pod '" : "any pod or node", query->pod ? query->pod : "", query->pod ? "'" : "",
              query->namespace ? " in namespace '" : "", query->namespace ? query->namespace : "",
              query->namespace ? "'" : "", energy->workloads.window.node ? " on node '" : "",
              energy->workloads.window.node ? energy->workloads.window.node : "",
              energy->workloads.window.node ? "'" : "");
    error_why(err, "none of its series has these names in this time");
    if (query->pods && energy_pods(server, query, energy->kind, &pods, &energy->workloads.notices, &other))
        prometheus_near(&pods, energy_namespace_label(energy->kind), energy_pod_label(energy->kind), query->namespace,
                        query->pod, err);
    else
        error_fix(err, "omit --node, or check the period");
    series_set_close(&pods);
}

/* The forms are about these levels: pods with what is in them, namespaces, or nodes. */
static void keep_rows(struct energy *energy)
{
    const struct energy_query *query = &energy->query;
    struct workload_rows *rows = &energy->rows;
    size_t stored = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const struct workload_row *row = &rows->items[i];
        const bool of_pod = row->level == LEVEL_POD || row->level == LEVEL_CONTAINER;
        const bool wanted = !query->pods ? row->level == LEVEL_NODE
                            : query->pod ? of_pod && *row->pod
                                         : (of_pod && *row->pod) || row->level == LEVEL_NAMESPACE;
        if (wanted)
            rows->items[stored++] = *row;
    }
    rows->count = stored;
}

static bool find_energy(const struct prometheus_server *server, struct energy *energy, int *status, struct error *err)
{
    struct workload_report *workloads = &energy->workloads;
    struct series_set set = { .count = 0 };
    bool good = energy_ask(server, &energy->query, &set, &energy->kind, &workloads->notices, err);

    if (good && energy->query.now)
        end_with_samples(&set, energy);
    good =
        good && (set.count == 0 || workload_rows_of(&set, &workloads->window, &energy->rows, &workloads->notices, err));
    if (good)
        keep_rows(energy);
    series_set_close(&set);
    if (!good || workloads_count(workloads) > 0)
        return good;
    *status = STATUS_NO_TARGET;
    explain_nothing(server, energy, err);
    return false;
}

/* Of the time that was asked about, in the reader's own clock, how much lies between first and last samples. */
static void tell_window(FILE *out, const struct workload_report *workloads)
{
    char from[CLOCK_TEXT_SIZE], to[CLOCK_TEXT_SIZE];
    double min = INFINITY;

    for (size_t i = 0; i < workloads->rows->count; i++)
        if (workloads_wants(workloads, &workloads->rows->items[i]) &&
            workloads->rows->items[i].level != LEVEL_CONTAINER)
            min = fmin(min, workloads->rows->items[i].covered);
    fprintf(out, "from %s to %s of this machine's zone", local_time_text((uint64_t)workloads->window.from_s, from),
            local_time_text((uint64_t)workloads->window.to_s, to));
    if (isfinite(min))
        c_fprintf(out, "; samples cover %.3g %% of it or more", 100 * min);
    fputs("\n", out);
}

static bool is_taken(const struct settings *settings)
{
    const char *json = settings_text(settings, &option_json), *csv = settings_text(settings, &option_csv);

    return (json && strcmp(json, "-") == 0) || (csv && strcmp(csv, "-") == 0);
}

static bool energy_of(const struct prometheus_work *work, struct energy *energy, int *status, struct error *err)
{
    const struct settings *settings = &work->line->settings;
    struct prometheus_access access = { .url = NULL };
    struct workload_report *workloads = &energy->workloads;
    bool good = read_options(settings, energy, err) && prometheus_server_read(settings, &access, err) &&
                prometheus_read_emissions(settings, (uint64_t)(energy->query.to_s * NS_PER_S), workloads, err);

    workloads->sources[0] = access.url;
    workloads->source_count = 1;
    good = good && find_energy(&access.server, energy, status, err);
    if (good && !is_taken(settings))
        tell_window(work->out, workloads);
    good = good && prometheus_show(workloads, settings, work->out, err);
    prometheus_server_forget(&access);
    return good;
}

static bool run_energy(struct prometheus_work *work, int *status, struct error *err)
{
    struct energy *energy = calloc(1, sizeof *energy);
    bool good;

    if (!energy)
        return error_errno(err, "cannot start");
    energy->workloads = (struct workload_report){ .command = "energy", .created_realtime_ns = clock_realtime_ns() };
    energy->workloads.rows = &energy->rows;
    good = energy_of(work, energy, status, err);
    workload_rows_close(&energy->rows);
    notices_clear(&energy->workloads.notices);
    free(energy);
    return good;
}

const struct prometheus_action prometheus_energy = { "energy", 1, 1, run_energy };
