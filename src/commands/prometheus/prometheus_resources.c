/* SPDX-License-Identifier: MIT
 * `carbon prometheus resources`: the most that pods used of processors and memory. */
#include "commands/prometheus/prometheus.h"

#include "app/prometheus_server.h"
#include "app/result_forms.h"
#include "app/terminal.h"
#include "base/clock.h"
#include "commands/prometheus/prometheus_near.h"
#include "commands/prometheus/resources.h"

#include <stdlib.h>
#include <string.h>

/* The notes that this command goes back to looked at ten days. */
#define STANDARD_WINDOW "10d"

static bool read_options(const struct settings *settings, struct resources *resources, struct error *err)
{
    const bool all = settings_flag(settings, &option_all_pods);
    struct prometheus_window window;

    resources->query.namespace = settings_text(settings, &option_prometheus_namespace);
    resources->query.pod = settings_text(settings, &option_prometheus_pod);
    if (all && resources->query.pod)
        return options_clash(&option_prometheus_pod, &option_all_pods, err);
    if (!all && !resources->query.pod) {
        error_set(err, ERROR_USAGE, "no pod is named");
        return error_fix(err, "give --namespace NS --pod POD, or --all-pods");
    }
    if (!prometheus_window_read(settings, STANDARD_WINDOW, resources->created_realtime_ns, &window, err))
        return false;
    resources->query.from_s = window.from_s;
    resources->query.to_s = window.to_s;
    return true;
}

static bool print_resources(const struct resources *resources, const struct settings *settings, FILE *out,
                            struct error *err)
{
    struct result_forms forms = { .settings = settings };

    RESULT_FORMS_WRITE(forms, resources_json, resources_csv, resources, err);
    if (forms.failed)
        return false;
    return forms.on_stdout || resources_table(resources, out, err);
}

static void explain_nothing(const struct prometheus_server *server, struct resources *resources, struct error *err)
{
    const struct peaks_query *query = &resources->query;
    struct series_set pods = { .count = 0 };
    struct error other;

    error_set(err, ERROR_ABSENT, "nothing is known of %s%.100s%s%s%.80s%s", query->pod ? "pod '" : "any pod",
              query->pod ? query->pod : "", query->pod ? "'" : "", query->namespace ? " in namespace '" : "",
              query->namespace ? query->namespace : "", query->namespace ? "'" : "");
    error_why(err,
              "no container_cpu_usage_seconds_total and no container_memory_working_set_bytes (of cAdvisor, in the "
              "kubelet) in that time");
    if (peaks_pods(server, query, &pods, &resources->notices, &other))
        prometheus_near(&pods, "namespace", "pod", query->namespace, query->pod, err);
    series_set_close(&pods);
}

static bool resources_of(const struct prometheus_work *work, struct resources *resources, int *status,
                         struct error *err)
{
    const struct settings *settings = &work->line->settings;
    struct prometheus_access access = { .url = NULL };
    bool good = read_options(settings, resources, err) && prometheus_server_read(settings, &access, err);

    resources->server = access.url;
    good = good && peaks_ask(&access.server, &resources->query, &resources->peaks, &resources->notices, err);
    if (good && resources->peaks.count == 0) {
        explain_nothing(&access.server, resources, err);
        *status = STATUS_NO_TARGET;
        good = false;
    }
    good = good && print_resources(resources, settings, work->out, err);
    prometheus_server_forget(&access);
    return good;
}

static bool run_resources(struct prometheus_work *work, int *status, struct error *err)
{
    struct resources resources = { .created_realtime_ns = clock_realtime_ns() };
    const bool good = resources_of(work, &resources, status, err);

    terminal_tell_all(&work->line->settings, &resources.notices);
    peaks_close(&resources.peaks);
    notices_clear(&resources.notices);
    return good;
}

const struct prometheus_action prometheus_resources = { "resources", 1, 1, run_resources };
