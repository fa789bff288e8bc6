/* SPDX-License-Identifier: MIT
 * Where each figure of a record comes from, in one list: what an auditor asks of every number. */
#include "config.h"

#include "report/report.h"

#include "report/json_parts.h"

#include <math.h>

/* One row; what does not apply, or nobody knows, is "" or NAN. */
struct provenance {
    const char *figure; /* its place in the record: "emissions.gross.kgco2eq" */
    double value;
    const char *unit;
    enum quality quality;
    const char *method; /* the sum it comes from, or how it was got */
    const char *source_id, *version, *retrieved_at;
    double low, high;
};

static void add(struct tree_node list, struct provenance row)
{
    const struct tree_node node = tree_object(list, NULL);
    const struct interval interval = { row.low, row.high };

    tree_text(node, "figure", row.figure);
    tree_number(node, "value", row.value);
    tree_text(node, "unit", row.unit);
    tree_text(node, "quality", quality_name(isnan(row.value) ? QUALITY_UNKNOWN : row.quality));
    tree_text(node, "method", row.method);
    tree_text_or_null(node, "source_id", row.source_id);
    tree_text_or_null(node, "version", row.version);
    tree_text_or_null(node, "retrieved_at", row.retrieved_at);
    json_interval(node, "interval", &interval);
}

static void add_energies(struct tree_node list, const struct report *report, const char *drivers)
{
    const char *made_by = report->made_by ? report->made_by : PACKAGE_VERSION;
    const struct domain_energy *total = &report->summary.total;
    const bool modelled = isfinite(total->gross_low_j);

    add(list, (struct provenance){ "gross_j.mean", total->gross_j.mean, "J", report->summary.quality,
                                   "sum over the counted domains, mean over the counted runs", drivers, made_by, NULL,
                                   total->gross_low_j, total->gross_high_j });
    add(list, (struct provenance){ "net_j.mean", total->net_j.mean, "J", report->summary.quality,
                                   "gross - idle power of the baselines x duration, run by run", drivers, made_by, NULL,
                                   modelled ? total->net_low_j : total->net_interval_j.low,
                                   modelled ? total->net_high_j : total->net_interval_j.high });
}

static void add_carbon(struct tree_node list, const struct report *report)
{
    const struct factor *factor = &report->factor;

    add(list, (struct provenance){ "pue.value", report->pue, "1", report->pue_quality,
                                   report->pue_quality == QUALITY_GIVEN ? "stated" : "assumed: no overhead", NULL, NULL,
                                   NULL, NAN, NAN });
    add(list, (struct provenance){ "factor.kgco2eq_per_kwh", factor->kgco2eq_per_kwh, "kgCO2eq/kWh", factor->quality,
                                   factor->source_id[0] ? "row of a table" : "stated", factor->source_id,
                                   factor->version, factor->retrieved_at, NAN, NAN });
    add(list, (struct provenance){ "hours_per_year.value", report->hours_per_year, "h", report->hours_quality,
                                   report->hours_quality == QUALITY_GIVEN ? "stated" : "assumed: all year", NULL, NULL,
                                   NULL, NAN, NAN });
    add(list, (struct provenance){ "emissions.gross.kgco2eq", report->gross.footprint.kgco2eq, "kgCO2eq",
                                   report->summary.quality, "gross_j / 3.6e6 x pue x factor", factor->source_id,
                                   factor->version, factor->retrieved_at, report->gross.kgco2eq_low,
                                   report->gross.kgco2eq_high });
    add(list,
        (struct provenance){ "emissions.net.kgco2eq", report->net.footprint.kgco2eq, "kgCO2eq", report->summary.quality,
                             "net_j / 3.6e6 x pue x factor", factor->source_id, factor->version, factor->retrieved_at,
                             report->net.kgco2eq_low, report->net.kgco2eq_high });
}

static void add_sci(struct tree_node list, const struct sci *sci)
{
    if (!sci->asked)
        return;
    add(list, (struct provenance){ "sci.units", sci->units, "1", QUALITY_GIVEN, "stated", NULL, NULL, NULL, NAN, NAN });
    add(list,
        (struct provenance){ "sci.machine.kgco2eq", sci->machine_kgco2eq.value, "kgCO2eq", sci->machine_kgco2eq.quality,
                             isnan(sci->machine_kgco2eq.value) ? "not declared"
                             : sci->source_id[0]               ? "row of a table"
                                                               : "stated",
                             sci->source_id, sci->version, NULL, NAN, NAN });
    add(list,
        (struct provenance){ "sci.lifetime_years.value", sci->lifetime_years.value, "a", sci->lifetime_years.quality,
                             "stated, of a table, or assumed", NULL, NULL, NULL, NAN, NAN });
    add(list,
        (struct provenance){ "sci.reserved_share.value", sci->reserved_share.value, "1", sci->reserved_share.quality,
                             "stated, or the job's CPUs / CPUs online", NULL, NULL, NULL, NAN, NAN });
    add(list, (struct provenance){ "sci.kgco2eq_per_unit", sci->kgco2eq_per_unit, "kgCO2eq", QUALITY_ATTRIBUTED,
                                   "(gross kgco2eq + machine x hours / lifetime x share) / units", NULL, NULL, NULL,
                                   NAN, NAN });
}

/* The drivers of the counted domains: "powercap, nvml". */
static void name_drivers(const struct measurement *measurement, char *names, size_t size)
{
    const struct energy_source *last = NULL;
    size_t used = 0;

    names[0] = '\0';
    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct energy_source *source = measurement->meter->domains[i].source;
        if (!measurement->counting->counts[i] || source == last || used >= size)
            continue;
        used += (size_t)snprintf(names + used, size - used, "%s%s", last ? ", " : "", source->driver->name);
        last = source;
    }
}

void json_provenance(struct tree_node root, const struct report *report)
{
    const struct tree_node list = tree_array(root, "provenance");
    char drivers[256];

    name_drivers(report->measurement, drivers, sizeof drivers);
    add_energies(list, report, drivers);
    add_carbon(list, report);
    add_sci(list, &report->sci);
}
