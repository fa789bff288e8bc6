/* SPDX-License-Identifier: MIT
 * A report as metrics: the hardware's energy since carbon opened its meter, and the figures of the job. */
#include "commands/measure/measure_push.h"

#include "app/options/otlp_options.h"
#include "app/terminal.h"
#include "base/units.h"
#include "otlp/otlp_points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { DOMAIN_LABELS = 7 };

/* A domain of which a total is known: it can be read, and has moved. */
static bool is_known(const struct meter_domain *state)
{
    return state->domain->problem.kind == ERROR_NONE && !state->domain->disproved && state->started && state->moved;
}

static void label_domain(const struct report *report, size_t i, struct otlp_label labels[DOMAIN_LABELS])
{
    static const enum otlp_place places[] = { OTLP_PART, OTLP_HOST, OTLP_OTHER };
    const struct measurement *measurement = report->measurement;
    const struct meter_domain *state = &measurement->meter->domains[i];
    const bool counts = measurement->counting->is_counted[i];
    const struct domain *package = scope_package_of(measurement->meter, i);
    const struct otlp_label all[DOMAIN_LABELS] = {
        { "domain", state->domain->name },
        { "source", state->source->driver->name },
        { "component", component_name(state->domain->component) },
        { "quality", quality_name(state->doubted ? QUALITY_UNKNOWN : state->domain->quality) },
        { "counted", counts ? "yes" : "no" },
        { OTLP_PLACE, otlp_place_name(places[scope_coverage(measurement->meter, measurement->counting, i, counts)]) },
        { OTLP_PARENT, package ? package->name : NULL },
    };

    memcpy(labels, all, sizeof all);
}

static void add_domains(const struct report *report, struct otlp_points *points, const char *metric, bool power)
{
    const struct meter *meter = report->measurement->meter;
    struct otlp_label labels[DOMAIN_LABELS];

    otlp_begin(points, metric);
    for (size_t i = 0; i < meter->domain_count; i++) {
        if (!is_known(&meter->domains[i]))
            continue;
        label_domain(report, i, labels);
        otlp_point(points, labels, DOMAIN_LABELS,
                   power ? report->summary.domains[i].gross_w : j_from_uj(meter->domains[i].total_uj));
    }
}

/* One figure of the job under several names: gross, idle, net, own. */
static void add_figures(struct otlp_points *points, const char *metric, const char *quality, const char *const *names,
                        const double *values, size_t count)
{
    otlp_begin(points, metric);
    for (size_t i = 0; i < count; i++) {
        const struct otlp_label labels[] = { { "figure", names[i] }, { "quality", quality } };
        otlp_point(points, labels, COUNT(labels), values[i]);
    }
}

static void add_one(struct otlp_points *points, const char *metric, double value)
{
    otlp_begin(points, metric);
    otlp_point(points, NULL, 0, value);
}

static void add_run(const struct report *report, struct otlp_points *points)
{
    static const char *const names[] = { "gross", "idle", "net", "own" };
    static const char *const emitted[] = { "gross", "net", "own" };
    const struct summary *summary = &report->summary;
    const struct domain_energy *total = &summary->total;
    const char *quality = quality_name(summary->quality);
    const double energy_j[] = { total->gross_j.mean, total->idle_j.mean, total->net_j.mean, total->own_j.mean };
    const double power_w[] = { total->gross_w, total->idle_w, total->net_w, total->own_w };
    const double kgco2eq[] = { report->gross.footprint.kgco2eq, report->net.footprint.kgco2eq,
                               report->own.footprint.kgco2eq };

    add_figures(points, "run_energy_joules", quality, names, energy_j, COUNT(names));
    add_figures(points, "run_power_watts", quality, names, power_w, COUNT(names));
    add_figures(points, "run_emissions_kilograms", quality, emitted, kgco2eq, COUNT(emitted));
    add_one(points, "run_duration_seconds", summary->duration_s.mean);
    add_one(points, "run_cpu_seconds", report->usage.cpu_s.value);
    add_one(points, "run_count", (double)summary->runs);
    add_one(points, "run_exit_status", report->exit_known ? report->exit_status : NAN);
}

static void add_basis(const struct report *report, struct otlp_points *points)
{
    const struct otlp_label labels[] = { { "zone", report->factor.zone },
                                         { "basis", factor_basis_name(report->factor.basis) },
                                         { "method", report->factor.method } };

    otlp_begin(points, "carbon_factor_kilograms_per_kilowatthour");
    otlp_point(points, labels, COUNT(labels), report->gross.kgco2eq_per_kwh);
    add_one(points, "carbon_pue_ratio", report->pue);
}

char *measure_push_metrics(const struct report *report, struct error *err)
{
    struct otlp_points points;
    char *metrics = NULL;

    otlp_points_open(&points, report->started_realtime_ns, report->ended_realtime_ns);
    add_domains(report, &points, "carbon_energy_joules_total", false);
    add_domains(report, &points, "carbon_power_watts", true);
    add_run(report, &points);
    add_basis(report, &points);
    if (otlp_points_end(&points, err)) {
        metrics = points.text.data;
        points.text.data = NULL;
    }
    otlp_points_close(&points);
    return metrics;
}

/* The job, but for its arguments: they may hold keys. */
static void describe_job(const struct report *report, struct otlp_resource *resource)
{
    const char *command = report->command ? report->command[0] : NULL;
    const char *slash = command ? strrchr(command, '/') : NULL;

    otlp_resource_set(resource, "process.command", command);
    otlp_resource_set(resource, "process.executable.name", slash ? slash + 1 : command);
    otlp_resource_set(resource, "carbon.label", report->label);
    otlp_resource_set(resource, "carbon.project", report->project);
    otlp_resource_set(resource, "carbon.target", report->target);
}

void measure_push(const struct otlp_collector *collector, const struct report *report, const struct root *root,
                  const struct settings *settings)
{
    struct otlp_resource resource = { .items = NULL };
    AUTO_NOTICES struct notices doubts = { .count = 0 };
    struct error problem;
    char *metrics, *document;

    if (!collector->url)
        return;
    describe_job(report, &resource);
    otlp_options_resource(&resource, root, report->id, &doubts);
    metrics = measure_push_metrics(report, &problem);
    document = metrics ? otlp_document(&resource, metrics, &problem) : NULL;
    if (!document || otlp_push(collector, document, &problem) != OTLP_TAKEN)
        notice_add_error(&doubts, NOTICE_FAILED, &problem);
    terminal_tell_all(settings, &doubts);
    free(document);
    free(metrics);
    otlp_resource_close(&resource);
}
