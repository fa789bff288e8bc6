/* SPDX-License-Identifier: MIT
 * The options of a report that is made of counters. */
#include "commands/report/fleet_options.h"

#include "app/pending_signals.h"
#include "app/prometheus_server.h"
#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "commands/report/annual.h"
#include "commands/report/fleet.h"

#include <math.h>
#include <string.h>

#define FLEET "Fleet"
enum { STEP_MIN_S = 1, STEP_MAX_S = 3600 };

static bool check_label(const char *text, struct error *err)
{
    bool good = *text && !c_isdigit(*text);

    for (const char *c = text; *c && good; c++)
        good = c_isalnum(*c) || *c == '_';
    if (good && strlen(text) < 90)
        return true;
    error_set(err, ERROR_USAGE, "not a label name");
    return error_fix(err, "--project-label team; of Kubernetes' app.kubernetes.io/name it is app_kubernetes_io_name");
}

/* A text that would end the selector early is not a valid matcher. */
static bool check_match(const char *text, struct error *err)
{
    if (strchr(text, '"') && !strpbrk(text, "{}\n"))
        return true;
    error_set(err, ERROR_USAGE, "matchers of labels are needed");
    return error_fix(err, "--match 'cluster=\"a\"', --match 'node_name=~\"gpu-.*\",site!=\"test\"'");
}

const struct option_spec option_from_prometheus =
    OPTION(TEXT, FLEET, "from-prometheus", .argument = "<url>", .cli_only = true,
           .help = "report on all machines in this Prometheus instead of the ledger");
static const char *const groups[] = { "node", "namespace", "pod-label", NULL };
const struct option_spec option_by =
    OPTION(CHOICE, FLEET, "by", .choices = groups, .argument = "<what>", .cli_only = true, .default_text = "node",
           .help = "grouping: pods by namespace, or by --project-label; node: only nodes count");
const struct option_spec option_project_label =
    OPTION(TEXT, FLEET, "project-label", .argument = "<name>", .check = check_label, .cli_only = true,
           .help = "label with the project: of nodes, or with --by pod-label of pods");
const struct option_spec option_step =
    OPTION(COUNT, FLEET, "step", .argument = "<time>", .quantity = QUANTITY_SECONDS, .min = STEP_MIN_S,
           .max = STEP_MAX_S, .cli_only = true, .default_text = "60s",
           .help = "how often the counters are read; of a processor's own not so seldom that they wrap between");
static const char *const exporters[] = { "kepler-old", "kepler", "node_exporter", "scaphandre", "carbon", NULL };
const struct option_spec option_fleet_exporter =
    OPTION(CHOICE, FLEET, "exporter", .choices = exporters, .argument = "<name>", .cli_only = true,
           .help = "whose counters are meant where there are those of several; else the first of these that is there");
const struct option_spec option_match =
    OPTION(TEXT, FLEET, "match", .argument = "<matchers>", .check = check_match, .cli_only = true,
           .help = "only series with these labels: 'cluster=\"a\",site=~\"x.*\"'");

const struct option_spec option_fleet_timeout =
    OPTION(NUMBER, "Server", "timeout", .argument = "<s>", .quantity = QUANTITY_SECONDS, .cli_only = true, .min = 1,
           .max = S_PER_H, .default_text = "60", .help = "how long one query may take, in seconds");

bool fleet_options_given(const struct settings *settings)
{
    return settings_text(settings, &option_from_prometheus) != NULL;
}

bool fleet_options_check(const struct settings *settings, const struct option_spec *const *of_ledger,
                         const struct option_spec *const *of_fleet, struct error *err)
{
    const bool fleet = fleet_options_given(settings);

    for (const struct option_spec *const *option = fleet ? of_ledger : of_fleet; *option; option++)
        if (settings_origin(settings, *option) == ORIGIN_LINE) {
            error_set(err, ERROR_USAGE, "--%s is of a report %s", (*option)->name,
                      fleet ? "from the ledger, and --from-prometheus of another" : "--from-prometheus");
            return error_fix(err, fleet ? "leave one of the two out" : "add --from-prometheus URL, or leave it out");
        }
    return true;
}

static bool interrupted(void)
{
    return first_pending_signal() != 0;
}

static bool read_groups(const struct settings *settings, struct fleet_query *query, struct annual *annual,
                        struct error *err)
{
    const char *by = settings_text(settings, &option_by);

    query->label = settings_text(settings, &option_project_label);
    query->groups = strcmp(by, "namespace") == 0   ? FLEET_NAMESPACES
                    : strcmp(by, "pod-label") == 0 ? FLEET_POD_LABELS
                                                   : FLEET_NODES;
    text_copy(annual->fleet.groups, sizeof annual->fleet.groups,
              query->groups == FLEET_NAMESPACES ? "namespace"
              : query->label                    ? query->label
                                                : "");
    if (query->groups == FLEET_POD_LABELS && !query->label) {
        error_set(err, ERROR_USAGE, "--by pod-label does not say which label");
        return error_fix(err, "add --project-label NAME");
    }
    if (query->groups == FLEET_NAMESPACES && query->label) {
        error_set(err, ERROR_USAGE, "--by namespace and --project-label both say what the projects are");
        return error_fix(err, "use only one of them, or --by pod-label");
    }
    return true;
}

bool fleet_options_read(const struct settings *settings, struct prometheus_access *access, struct fleet_query *query,
                        struct annual *annual, struct error *err)
{
    const char *exporter = settings_text(settings, &option_fleet_exporter);
    const double step_s = settings_number(settings, &option_step);

    *query = (struct fleet_query){ .exporter = exporter ? exporter_of_name(exporter) : EXPORTER_NONE };
    if (!read_groups(settings, query, annual, err) ||
        !prometheus_server_read_url(settings, settings_text(settings, &option_from_prometheus), access, err))
        return false;
    access->server.stop = interrupted;
    query->server = &access->server;
    query->matchers = settings_text(settings, &option_match);
    query->step_s = (int64_t)step_s;
    text_copy(annual->fleet.url, sizeof annual->fleet.url, access->url);
    annual->fleet.step_s = step_s;
    return true;
}
