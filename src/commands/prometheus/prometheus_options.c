/* SPDX-License-Identifier: MIT
 * Options and forms that the parts of `carbon prometheus` share. */
#include "commands/prometheus/prometheus.h"

#include "app/options/emission_options.h"
#include "app/result_forms.h"
#include "app/terminal.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

#define WHOM "Whom"

static const char *const exporters[] = { "auto",       "kepler-old", "kepler", "node_exporter",
                                         "scaphandre", "carbon",     "dcgm",   NULL };

const struct option_spec option_prometheus_namespace =
    OPTION(TEXT, WHOM, "namespace", .argument = "<name>", .cli_only = true,
           .help = "only this namespace, its pods and their containers");
const struct option_spec option_prometheus_pod =
    OPTION(TEXT, WHOM, "pod", .argument = "<name>", .cli_only = true, .help = "only this pod, with its containers");
const struct option_spec option_prometheus_node =
    OPTION(TEXT, WHOM, "node", .argument = "<name>", .cli_only = true, .help = "only this node and its workloads");
const struct option_spec option_all_pods =
    OPTION(FLAG, WHOM, "all-pods", .cli_only = true,
           .help = "all pods, in the table too, which else has those that used most");
const struct option_spec option_exporter =
    OPTION(CHOICE, WHOM, "exporter", .alias = "kepler", .argument = "<name>", .cli_only = true, .default_text = "auto",
           .choices = exporters, .help = "exporter to use if there are several");
const struct option_spec option_irate =
    OPTION(FLAG, "Output", "irate", .cli_only = true,
           .help = "also show the power between the last two samples (Prometheus' irate)");

void prometheus_read_filter(const struct settings *settings, struct workload_report *workloads)
{
    workloads->namespace = settings_text(settings, &option_prometheus_namespace);
    workloads->pod = settings_text(settings, &option_prometheus_pod);
    workloads->all_pods = settings_flag(settings, &option_all_pods);
    workloads->irate = settings_flag(settings, &option_irate);
    workloads->window.namespace = workloads->namespace;
    workloads->window.pod = workloads->pod;
    workloads->window.node = settings_text(settings, &option_prometheus_node);
    workloads->window.kind = exporter_of_name(settings_text(settings, &option_exporter));
}

bool prometheus_read_emissions(const struct settings *settings, uint64_t realtime_ns, struct workload_report *workloads,
                               struct error *err)
{
    struct emission_options options;

    if (!emission_options_read(settings, realtime_ns, &options, &workloads->notices, err))
        return false;
    workloads->pue = options.pue;
    workloads->pue_quality = options.pue_quality;
    workloads->factor = options.factor;
    workloads->supplementary = options.supplementary;
    workloads->fuel = options.fuel;
    return true;
}

/* "pod 'web' of namespace 'shop'" */
static void whom(const struct workload_report *workloads, char *name, size_t size)
{
    struct text text;

    text_open(&text, size);
    if (workloads->pod)
        text_add(&text, "pod '%.80s'", workloads->pod);
    if (workloads->namespace)
        text_add(&text, "%snamespace '%.80s'", workloads->pod ? " of " : "", workloads->namespace);
    if (workloads->window.node)
        text_add(&text, "%snode '%.80s'", workloads->pod || workloads->namespace ? " on " : "", workloads->window.node);
    text_copy(name, size, text.data ? text.data : "");
    text_close(&text);
}

/* Pods that are there, for who mistyped one. */
static void some_pods(const struct workload_report *workloads, char *list, size_t size)
{
    size_t count = 0;

    *list = '\0';
    for (size_t i = 0; i < workloads->rows->count && count < 4; i++) {
        const struct workload_row *row = &workloads->rows->items[i];
        const size_t length = strlen(list);
        if (row->level == LEVEL_POD && length < size && ++count)
            snprintf(list + length, size - length, "%s%.60s/%.60s", count > 1 ? ", " : "", row->namespace, row->pod);
    }
}

bool prometheus_check_found(const struct workload_report *workloads, int *status, struct error *err)
{
    char name[256], list[256];

    if (workloads_count(workloads))
        return true;
    *status = STATUS_NO_TARGET;
    whom(workloads, name, sizeof name);
    some_pods(workloads, list, sizeof list);
    if (!*name) {
        error_set(err, ERROR_ABSENT, "no energy metric of a known exporter%s",
                  workloads->window.kind ? " of this name" : "");
        error_why(err, "carbon knows those of Kepler, node_exporter (rapl), Scaphandre and carbon itself");
        return workloads->window.kind ? error_fix(err, "--exporter auto takes all that are there") : false;
    }
    error_set(err, ERROR_ABSENT, "no metrics of %.220s", name);
    if (*list) {
        error_why(err, "there are %s", list);
        error_fix(err, "check the name, or omit --pod and --namespace to list all");
    }
    return false;
}

bool prometheus_show(const struct workload_report *workloads, const struct settings *settings, FILE *out,
                     struct error *err)
{
    struct result_forms forms = { .settings = settings };

    RESULT_FORMS_WRITE(forms, workloads_json, workloads_csv, workloads, err);
    if (forms.failed)
        return false;
    if (!forms.on_stdout)
        return workloads_text(workloads, out, terminal_colour(settings, out), err);
    terminal_tell_all(settings, &workloads->notices);
    return true;
}
