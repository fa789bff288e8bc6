/* SPDX-License-Identifier: MIT
 * The tables. */
#include "result/session_fields.h"

#include "result/report.h"

#include <math.h>

const char *own_method_word(int method)
{
    return own_method_name((enum own_method)method);
}

const char *verdict_word(int verdict)
{
    return verdict_name((enum verdict)verdict);
}

const char *basis_word(int basis)
{
    return factor_basis_name((enum factor_basis)basis);
}

const char *figure_word(int figure)
{
    return figure_name((enum figure)figure);
}

const char *scope_word(int scope)
{
    return scope_name((enum scope)scope);
}

bool session_interrupted(const void *report)
{
    return ((const struct report *)report)->measurement->interrupted;
}

/* an unknown factor has no basis */
static bool has_factor(const void *factor)
{
    return !isnan(((const struct factor *)factor)->kgco2eq_per_kwh);
}

#define OF struct net_verdict
const struct fields net_verdict_fields = FIELDS({
    FIELD_VERDICT_AS(
        "verdict", verdict,
        "verdict on net: measured and above or below idle, within the noise, modelled, not measurable with a constant "
        "source, no interval from one run, no idle baseline (all CPUs allowed to the job were busy), unknown"),
    FIELD_NUMBER(detectable_j,
                 "the smallest true net that as many runs with this spread show to differ from 0 in four of five "
                 "cases, in joules",
                 .flags = FIELD_FROM_0),
    FIELD_COUNT(runs_needed, "runs needed to resolve a net of this size; null: unknown, or too many",
                .flags = FIELD_NULL_0, .min = 2),
});
#undef OF

#define OF struct footprint
const struct fields footprint_fields = FIELDS_NAMED("footprint", "an energy and its emissions")({
    FIELD_NUMBER(it_kwh, "energy, in kWh: joules / 3.6e6"),
    FIELD_NUMBER(facility_kwh, "the same with the building's overhead, in kWh: it_kwh times pue"),
    FIELD_NUMBER(kgco2eq, "its emission, in kgCO2eq: facility_kwh times kgco2eq_per_kwh"),
});
#undef OF

#define OF struct emission
const struct fields emission_rates_fields = FIELDS({
    FIELD_NUMBER(kgco2eq_per_h,
                 "while the workload runs, in kgCO2eq per hour; null where the run is too short for a rate"),
    FIELD_NUMBER(kgco2eq_per_year, "its power times hours_per_year, in kgCO2eq per year, always at the yearly factor"),
    FIELD_NUMBER(facility_kwh_per_h,
                 "energy while the workload runs, with the PUE, in kWh per hour; null as kgco2eq_per_h"),
    FIELD_NUMBER(facility_kwh_per_year, "facility_kwh_per_h times hours_per_year, in kWh per year"),
});
#undef OF

#define OF struct factor
static const struct field factor_list[] = {
    FIELD_NUMBER(kgco2eq_per_kwh, "emission factor of the electricity, in kgCO2eq per kWh"),
    FIELD_QUALITY(quality, "given: a named publisher's or the user's own; default: no zone was given"),
    FIELD_TEXT(zone, "whose electricity: FR, US-CA, WORLD; null for a figure of one's own", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(zone_name, "its name", .flags = FIELD_NULL_EMPTY),
    FIELD_INT(year, "year of the factor", .flags = FIELD_NULL_0 | FIELD_NULL_NEGATIVE, .min = 1900),
    FIELD_WORD(enum factor_basis, basis, basis_word, FACTOR_LIFECYCLE, FACTOR_NO_BASIS + 1,
               "lifecycle: plants, fuel supply and combustion; direct: combustion alone; null: it was not said",
               .flags = FIELD_NULL_EMPTY, .known = has_factor),
    FIELD_TEXT(method, "location: the grid's mix; market: contracts and residual mix", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(scope, "production or consumption", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(td_losses, "transmission and distribution losses: excluded or included", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(gases, "co2eq or co2", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(source_id, "key of the source in sources.csv", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(source, "title and publisher", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(licence, "licence of the figure", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(table, "file name of the table", .flags = FIELD_NULL_EMPTY),
};
#undef OF
const struct fields factor_fields =
    FIELDS_KNOWN("factor", "emission factor and its source", struct factor, factor_list, has_factor);

static bool has_value(const void *published)
{
    return !isnan(((const struct published *)published)->value);
}

static bool has_market_location(const void *of)
{
    return !isnan(supplementary_market(of)->kgco2eq_per_kwh);
}

#define OF struct published
static const struct field wue_list[] = {
    FIELD_NUMBER_AS("l_per_kwh", value, "litres for each kWh of IT energy", .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_QUALITY(quality, "given"),
    FIELD_TEXT(source, "cloud region, year and publisher (--wue-of); else null", .flags = FIELD_NULL_EMPTY),
};
#undef OF
static const struct fields wue_fields = FIELDS_KNOWN(NULL, NULL, struct published, wue_list, has_value);

#define OF struct supplementary
const struct fields supplementary_fields = FIELDS({
    FIELD_OBJECT_AS(
        "market_factor", struct factor, market, &factor_fields,
        "market-based factor: the user's own, of contracts, or of the residual mix; null where none is known",
        .flags = FIELD_NULLABLE),
    FIELD_OBJECT_AS("market_location_factor", struct factor, market_location, &factor_fields,
                    "location-based factor of the same basis, zone and year as market_factor, for comparison; null "
                    "where no table has one, or without a market_factor",
                    .known = has_market_location),
    FIELD_OBJECT(struct published, wue, &wue_fields, "water usage effectiveness; null where none was given",
                 .flags = FIELD_NULLABLE),
});
#undef OF

#define OF struct machine
const struct fields machine_fields = FIELDS_NAMED("machine", "the machine; no host or user name")({
    FIELD_TEXT(cpu_vendor, "vendor_id of the processor", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(cpu_model, "model name of the processor", .flags = FIELD_NULL_EMPTY),
    FIELD_INT(cpu_family, "its family number", .flags = FIELD_NULL_NEGATIVE),
    FIELD_INT(cpu_number, "its model number", .flags = FIELD_NULL_NEGATIVE),
    FIELD_INT(cpu_stepping, "its stepping", .flags = FIELD_NULL_NEGATIVE),
    FIELD_BOOL(guest, "runs under a hypervisor"),
    FIELD_TEXT(hypervisor, "which, where it says so", .flags = FIELD_NULL_EMPTY),
    FIELD_BOOL(container, "runs in a container"),
    FIELD_INT(cpus_online, "logical CPUs", .flags = FIELD_FROM_1),
    FIELD_INT(packages, "physical packages", .flags = FIELD_FROM_1),
    FIELD_U64(memory_bytes, "memory, in bytes", .flags = FIELD_NULL_0),
    FIELD_TEXT(kernel, "kernel release", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(id, "the machine: a salted hash of /etc/machine-id, no name; not in records of minor 6 and before",
               .flags = FIELD_NULL_EMPTY | FIELD_LATER),
    FIELD_TEXT(start,
               "its boot: a salted hash of the kernel's boot_id, the same in all containers of a host; null in a "
               "container with its own CPUs, which are a part of the machine",
               .flags = FIELD_NULL_EMPTY | FIELD_LATER),
});
#undef OF

#define OF struct slurm_job
const struct fields job_fields = FIELDS({
    FIELD_CONSTANT("scheduler", "slurm", "whose job it is"),
    FIELD_INT64(id, "its number", .flags = FIELD_NULL_NEGATIVE | FIELD_KNOWN),
    FIELD_TEXT(step, "of the job; null: its script itself", .flags = FIELD_NULL_EMPTY),
    FIELD_INT64(array_job, "number of the array that it is part of", .flags = FIELD_NULL_NEGATIVE),
    FIELD_INT64(array_task, "the part of it", .flags = FIELD_NULL_NEGATIVE),
    FIELD_TEXT(node, "name of the node that was measured", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(boot_id, "of the node's kernel, another after each start", .flags = FIELD_NULL_EMPTY),
    FIELD_INT64(nodes, "of the job", .flags = FIELD_NULL_NEGATIVE),
    FIELD_INT64(tasks, "of the step; in the job's script those that it asked for", .flags = FIELD_NULL_NEGATIVE),
    FIELD_INT64(node_tasks, "of the step on this node", .flags = FIELD_NULL_NEGATIVE),
    FIELD_INT64(rank, "of the task that was measured, from 0", .flags = FIELD_NULL_NEGATIVE),
    FIELD_INT64(local_rank, "the same among the tasks of this node", .flags = FIELD_NULL_NEGATIVE),
    FIELD_TEXT(partition, "that it ran in", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(account, "that it is charged to", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(cluster, "that it ran on", .flags = FIELD_NULL_EMPTY),
});
#undef OF

#define OF struct report
const struct fields session_pue_fields = FIELDS({ PUE_VALUE });

static const struct field session_id_list[] = { FIELD_TEXT(id, "random UUID of this record",
                                                           .pattern = FIELD_LIKE_UUID) };
const struct fields session_id_fields = FIELDS_OF(NULL, NULL, struct report, session_id_list);

const struct fields session_progress_fields = FIELDS({
    FIELD_TIME_AS("started_at", started_realtime_ns, "when carbon started, UTC"),
    FIELD_TIME_AS("ended_at", ended_realtime_ns, "when the work ended, UTC; null while it goes on"),
    FIELD_BOOL(complete, "false: written while the work was still going on, or it was cut short, or at_least"),
    FIELD_FACT("interrupted", session_interrupted, "a signal ended the series early"),
});

const struct fields session_machine_fields = FIELDS({
    FIELD_BOOL(recorded_tree, "the counters are those of a recorded machine, not of the one that this ran on"),
    FIELD_OBJECT(const struct machine *, machine, &machine_fields, "the machine; no host or user name",
                 .flags = FIELD_BEHIND | FIELD_KNOWN),
    FIELD_SCOPE(scope, "domains that make up the total"),
});

const struct fields session_factor_fields = FIELDS({
    FIELD_GROUP("pue", &session_pue_fields, "power usage effectiveness"),
    FIELD_OBJECT(struct factor, factor, &factor_fields, "emission factor and its source"),
});

static const struct fields hours_fields = FIELDS({
    FIELD_NUMBER_AS("value", hours_per_year, "hours of this workload in a year, in h",
                    .flags = FIELD_KNOWN | FIELD_ABOVE_0, .max = 8760),
    FIELD_QUALITY_AS("quality", hours_quality, "given or default"),
});

static const struct field session_hours_list[] = { FIELD_GROUP("hours_per_year", &hours_fields, "the declared duty") };
const struct fields session_hours_fields = FIELDS_OF(NULL, NULL, struct report, session_hours_list);
#undef OF
