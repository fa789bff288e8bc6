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
    OPTION(TEXT, WHOM, "namespace", .argument = "<name>", .line_only = true,
           .help = "only this namespace, its pods and their containers");
const struct option_spec option_prometheus_pod =
    OPTION(TEXT, WHOM, "pod", .argument = "<name>", .line_only = true, .help = "only this pod, with its containers");
const struct option_spec option_prometheus_node =
    OPTION(TEXT, WHOM, "node", .argument = "<name>", .line_only = true, .help = "only this node, and what runs there");
const struct option_spec option_all_pods =
    OPTION(FLAG, WHOM, "all-pods", .line_only = true,
           .help = "all pods, in the table too, which else has those that used most");
const struct option_spec option_exporter =
    OPTION(CHOICE, WHOM, "exporter", .alias = "kepler", .argument = "<name>", .line_only = true, .standard = "auto",
           .choices = exporters, .help = "exporter to use if there are several");
const struct option_spec option_irate =
    OPTION(FLAG, "Output", "irate", .line_only = true,
           .help = "beside the mean, the power between the last two samples (Prometheus' irate)");

void prometheus_read_filter(const struct settings *settings, struct pods *pods)
{
    pods->namespace = settings_text(settings, &option_prometheus_namespace);
    pods->pod = settings_text(settings, &option_prometheus_pod);
    pods->all_pods = settings_flag(settings, &option_all_pods);
    pods->irate = settings_flag(settings, &option_irate);
    pods->window.namespace = pods->namespace;
    pods->window.pod = pods->pod;
    pods->window.node = settings_text(settings, &option_prometheus_node);
    pods->window.kind = kind_of_name(settings_text(settings, &option_exporter));
}

bool prometheus_read_emissions(const struct settings *settings, uint64_t realtime_ns, struct pods *pods,
                               struct error *err)
{
    struct emission_options options;

    if (!emission_options_read(settings, realtime_ns, &options, &pods->notices, err))
        return false;
    pods->pue = options.pue;
    pods->pue_quality = options.pue_quality;
    pods->factor = options.factor;
    pods->beside = options.beside;
    pods->fuel = options.fuel;
    return true;
}

/* "pod 'web' of namespace 'shop'" */
static void whom(const struct pods *pods, char *name, size_t size)
{
    struct text text;

    text_open(&text, size);
    if (pods->pod)
        text_add(&text, "pod '%.80s'", pods->pod);
    if (pods->namespace)
        text_add(&text, "%snamespace '%.80s'", pods->pod ? " of " : "", pods->namespace);
    if (pods->window.node)
        text_add(&text, "%snode '%.80s'", pods->pod || pods->namespace ? " on " : "", pods->window.node);
    text_copy(name, size, text.data ? text.data : "");
    text_close(&text);
}

/* Pods that are there, for who mistyped one. */
static void some_pods(const struct pods *pods, char *list, size_t size)
{
    size_t count = 0;

    *list = '\0';
    for (size_t i = 0; i < pods->rows->count && count < 4; i++) {
        const struct kind_row *row = &pods->rows->items[i];
        const size_t length = strlen(list);
        if (row->level == KIND_OF_POD && length < size && ++count)
            snprintf(list + length, size - length, "%s%.60s/%.60s", count > 1 ? ", " : "", row->namespace, row->pod);
    }
}

bool prometheus_check_found(const struct pods *pods, int *status, struct error *err)
{
    char name[256], list[256];

    if (pods_count(pods))
        return true;
    *status = STATUS_NO_TARGET;
    whom(pods, name, sizeof name);
    some_pods(pods, list, sizeof list);
    if (!*name) {
        error_set(err, ERROR_ABSENT, "there is no metric of energy of a known exporter%s",
                  pods->window.kind ? " of this name" : "");
        error_why(err, "carbon knows those of Kepler, node_exporter (rapl), Scaphandre and carbon itself");
        return pods->window.kind ? error_fix(err, "--exporter auto takes all that are there") : false;
    }
    error_set(err, ERROR_ABSENT, "no metrics of %.220s", name);
    if (*list) {
        error_why(err, "there are %s", list);
        error_fix(err, "check the name, or omit it to list all");
    }
    return false;
}

bool prometheus_show(const struct pods *pods, const struct settings *settings, FILE *out, struct error *err)
{
    struct result_forms forms = { .settings = settings };

    while (result_forms_next(&forms, err))
        result_forms_end(&forms, forms.is_json ? pods_json(pods, forms.out, err) : pods_csv(pods, forms.out, err), err);
    if (forms.failed)
        return false;
    if (!forms.on_stdout)
        return pods_text(pods, out, terminal_colour(settings, out), err);
    terminal_tell_all(settings, &pods->notices);
    return true;
}
