/* SPDX-License-Identifier: MIT
 * Energy, power, emissions and what they rest on. */
#include "commands/serve/metrics.h"

#include "base/units.h"

#include <math.h>
#include <stdio.h>

static const struct metric_family energy = { "carbon_energy_joules_total", METRIC_COUNTER, "joules",
                                             "Energy of each domain, through wraps of its counter and restarts of "
                                             "carbon. Domains with counted=\"yes\" never overlap "
                                             "and add up to the total; never add the others to them." };
static const struct metric_family power = {
    "carbon_power_watts", METRIC_GAUGE, "watts",
    "Mean power of each domain over the last resolution interval; absent where it is not known."
};
static const struct metric_family emissions = { "carbon_emissions_kilograms_total", METRIC_COUNTER, "kilograms",
                                                "Emissions in kilograms of CO2 equivalent: energy of the counted "
                                                "domains x PUE x factor. Absent where nothing is counted." };
static const struct metric_family factor_info = {
    "carbon_factor_info", METRIC_INFO, "", "The emission factor in use: its zone, year, basis, method and source."
};
static const struct metric_family factor = { "carbon_factor_kilograms_per_kilowatthour", METRIC_GAUGE,
                                             "kilograms_per_kilowatthour",
                                             "Kilograms of CO2 equivalent per kilowatt-hour, before the PUE." };
static const struct metric_family pue_info = { "carbon_pue_info", METRIC_INFO, "",
                                               "Where the power usage effectiveness comes from." };
static const struct metric_family pue = {
    "carbon_pue_ratio", METRIC_GAUGE, "ratio",
    "Power usage effectiveness: energy of the facility to that of its machines."
};
static const struct metric_family read_errors = { "carbon_read_errors_total", METRIC_COUNTER, "",
                                                  "Readings of a domain's counter that failed." };
static const struct metric_family gaps = {
    "carbon_energy_gaps_total", METRIC_COUNTER, "",
    "Times in which a domain's energy is not known, and left out: resets of its counter, a sleeping machine, restarts."
};
static const struct metric_family unknown = {
    "carbon_unknown_seconds_total", METRIC_COUNTER, "seconds",
    "Time of which a domain's energy is not known and in no total, by reason, while carbon ran."
};

enum { DOMAIN_LABELS = 5, PLACED_LABELS = 7 };

static void label_domain(const struct collector *collector, size_t i, struct metric_label labels[PLACED_LABELS])
{
    static const enum otlp_place places[] = { OTLP_PART, OTLP_HOST, OTLP_OTHER };
    const struct meter_domain *state = &collector->meter->domains[i];
    const struct domain *package = scope_package_of(collector->meter, i);

    labels[0] = (struct metric_label){ "domain", state->domain->name };
    labels[1] = (struct metric_label){ "source", state->source->driver->name };
    labels[2] = (struct metric_label){ "component", component_name(state->domain->component) };
    labels[3] =
        (struct metric_label){ "quality", quality_name(state->doubted ? QUALITY_UNKNOWN : state->domain->quality) };
    labels[4] = (struct metric_label){ "counted", collector_counts(collector, i) ? "yes" : "no" };
    labels[5] = (struct metric_label){
        OTLP_PLACE,
        otlp_place_name(
            places[scope_coverage(collector->meter, collector->counting, i, collector_counts(collector, i))])
    };
    labels[6] = (struct metric_label){ OTLP_PARENT, package ? package->name : NULL };
}

/* Calls for each domain that is known; the first labels of which tell domain and source. */
static void each_domain(const struct collector *collector, struct metric_text *metrics,
                        const struct metric_family *family, size_t labels_written,
                        double (*value)(const struct collector *, size_t))
{
    const bool placed = metrics->format == METRIC_OTLP && labels_written == DOMAIN_LABELS;
    struct metric_label labels[PLACED_LABELS];

    metric_begin(metrics, family);
    for (size_t i = 0; i < collector->meter->domain_count; i++) {
        if (!collector_knows(collector, i))
            continue;
        label_domain(collector, i, labels);
        metric_sample(metrics, labels, placed ? (size_t)PLACED_LABELS : labels_written, value(collector, i));
    }
}

static double energy_of(const struct collector *collector, size_t i)
{
    return j_from_uj(collector_total_uj(collector, i));
}

static double power_of(const struct collector *collector, size_t i)
{
    return collector->update.domains[i].w;
}

static double errors_of(const struct collector *collector, size_t i)
{
    return collector->meter->domains[i].missed_reads;
}

/* What a start takes over from the state. */
static void totals(const struct collector *collector, struct metric_text *metrics, const struct metric_family *family,
                   size_t labels_written, double (*value)(const struct collector *, size_t))
{
    if (!collector->withheld)
        each_domain(collector, metrics, family, labels_written, value);
}

static double gaps_of(const struct collector *collector, size_t i)
{
    return (double)collector_gaps(collector, i);
}

/* Each reason is there from the beginning, at 0: an increase is seen from the first on. */
static void write_unknown(const struct collector *collector, struct metric_text *metrics)
{
    struct metric_label labels[PLACED_LABELS];

    metric_begin(metrics, &unknown);
    for (size_t i = 0; i < collector->meter->domain_count && !collector->withheld; i++) {
        if (!collector_knows(collector, i))
            continue;
        label_domain(collector, i, labels);
        for (enum hole hole = HOLE_NONE + 1; hole < HOLE_COUNT; hole++) {
            labels[2] = (struct metric_label){ "reason", hole_name(hole) };
            metric_sample(metrics, labels, 3, s_from_ns(collector_hole_ns(collector, i, hole)));
        }
    }
}

static void write_emissions(const struct collector *collector, struct metric_text *metrics)
{
    const enum quality quality = collector_quality(collector);
    const struct metric_label labels[] = { { "scope", scope_name(collector->scope) },
                                           { "quality", quality_name(quality) } };

    metric_begin(metrics, &emissions);
    if (quality != QUALITY_UNKNOWN && !collector->withheld)
        metric_sample(metrics, labels, 2, collector_kgco2eq(collector));
}

static void write_basis(const struct collector *collector, struct metric_text *metrics)
{
    const struct factor *used = &collector->factor;
    char year[16] = "";
    const struct metric_label of_factor[] = {
        { "zone", used->zone },     { "year", year },           { "basis", factor_basis_name(used->basis) },
        { "method", used->method }, { "source", used->source },
    };
    const struct metric_label of_pue[] = { { "source", collector->pue_source },
                                           { "quality", quality_name(collector->pue_quality) } };

    if (used->year)
        snprintf(year, sizeof year, "%d", used->year);
    metric_begin(metrics, &factor_info);
    metric_sample(metrics, of_factor, sizeof of_factor / sizeof of_factor[0], 1);
    metric_begin(metrics, &factor);
    metric_sample(metrics, NULL, 0, used->kgco2eq_per_kwh);
    metric_begin(metrics, &pue_info);
    metric_sample(metrics, of_pue, 2, 1);
    metric_begin(metrics, &pue);
    metric_sample(metrics, NULL, 0, collector->pue);
}

bool metrics_write(const struct collector *collector, enum metric_format format, struct metric_text *metrics,
                   struct error *err)
{
    const uint64_t begun_ns = collector->begun_s * NS_PER_S_INT, started_ns = collector->started_s * NS_PER_S_INT;

    metric_text_open(metrics, format);
    metric_since(metrics, begun_ns);
    totals(collector, metrics, &energy, DOMAIN_LABELS, energy_of);
    each_domain(collector, metrics, &power, DOMAIN_LABELS, power_of);
    write_emissions(collector, metrics);
    write_basis(collector, metrics);
    metrics_groups(collector, metrics);
    metric_since(metrics, started_ns);
    each_domain(collector, metrics, &read_errors, 2, errors_of);
    metric_since(metrics, begun_ns);
    totals(collector, metrics, &gaps, 2, gaps_of);
    write_unknown(collector, metrics);
    metric_since(metrics, started_ns);
    metrics_own(collector, metrics);
    return metric_text_end(metrics, err);
}

bool metrics_list(struct metric_text *metrics, struct error *err)
{
    static const struct metric_family *const families[] = {
        &energy, &power, &emissions, &factor_info, &factor, &pue_info, &pue, &read_errors, &gaps, &unknown,
    };

    metric_text_open(metrics, METRIC_PLAIN);
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++)
        metric_begin(metrics, families[i]);
    metrics_list_groups(metrics);
    metrics_list_own(metrics);
    return metric_text_end(metrics, err);
}
