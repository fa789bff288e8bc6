/* SPDX-License-Identifier: MIT
 * The record: everything that is known of a result, every field of it and what it means. A figure that is added is a
 * row here, or in the table of the part that it belongs to: summary_fields.c, window_fields.c, run_fields.c,
 * meter_fields.c, energy_fields.c, carbon_fields.c and session_fields.c. */
#include "config.h"

#include "result/record_fields.h"

#include "result/carbon_fields.h"
#include "result/energy_fields.h"
#include "result/session_fields.h"
#include "result/summary_fields.h"
#include "result/window_fields.h"

#include <math.h>

/* Of the form: it grows with every field that is added, or that says more; a record without one is 0.
 *   1  a kind beside each notice, and what kind of notice a refusal is
 *   2  what the job had of the graphics cards
 *   3  how long a reading took, how busy others kept the CPUs in the baselines, and those that the job may use, and the
 *      job's own energy (own_j of a domain was the job's part of a card, which is gpu_own_j now)
 *   4  the machine profile; the CPU time of each phase, and the job's own energy in it; the strides of windows that own
 *      may be learnt from, and whose the other parts of gross are
 *   5  beside what was bought, the location-based figure of its basis; rates in kWh beside those in kgCO2eq
 *   6  the official set that was asked for
 *   7  which machine it was, and which start of it
 *   8  the CPU time that a guest's kernel did not count
 *   9  the power of the job's own energy
 *  10  the budget, what was spent of it, and the verdict
 * The last is REPORT_MINOR; tests/records has a record of each. */

static const char *const cpus_from[] = { "all", "inherited", "--cpus", NULL };

const char *record_writer(const void *report)
{
    const char *writer_version = ((const struct report *)report)->writer_version;

    return writer_version ? writer_version : PACKAGE_VERSION;
}

static bool has_parent(const void *report)
{
    return ((const struct report *)report)->parent.id[0];
}

static bool has_meta(const void *report)
{
    return ((const struct report *)report)->meta_count > 0;
}

static bool has_phases(const void *report)
{
    return ((const struct report *)report)->measurement->marks;
}

static bool has_profile(const void *report)
{
    return ((const struct report *)report)->profile.id[0];
}

static bool has_market(const void *report)
{
    return !isnan(((const struct report *)report)->supplementary.market.kgco2eq_per_kwh);
}

static bool has_market_location(const void *report)
{
    return !isnan(supplementary_market(&((const struct report *)report)->supplementary)->kgco2eq_per_kwh);
}

static bool has_whole_machine(const void *report)
{
    return ((const struct report *)report)->measurement->counting->whole_machine >= 0;
}

bool record_falls_back(const void *report)
{
    return ((const struct report *)report)->measurement->counting->fallback_to_machine;
}

const char *record_whole_machine(const void *report)
{
    return ((const struct report *)report)->measurement->counting->whole_machine_name;
}

const char *record_whole_machine_source(const void *of)
{
    const struct measurement *measurement = ((const struct report *)of)->measurement;

    return measurement->meter->domains[measurement->counting->whole_machine].source->driver->name;
}

void record_meta(struct tree_node node, const void *of)
{
    const struct report *report = of;

    for (size_t i = 0; i < report->meta_count; i++)
        tree_text(node, report->meta[i].key, report->meta[i].value);
}

void record_sources(struct tree_node array, const void *of)
{
    const struct measurement *measurement = ((const struct report *)of)->measurement;
    const struct energy_source *last = NULL;

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        if (measurement->counting->is_counted[i] && measurement->meter->domains[i].source != last) {
            last = measurement->meter->domains[i].source;
            tree_text(array, NULL, last->driver->name);
        }
}

void record_factor_notices(struct tree_node array, const void *of)
{
    const struct report *report = of;

    for (size_t i = 0; i < report->factor_query.notice_count; i++)
        tree_text(array, NULL, report->own_notices.item[report->factor_query.first_notice + i].what);
}

#define OF struct profile_fields
const struct fields record_profile = FIELDS({
    FIELD_TEXT(id, "of the profile's figures"),
    FIELD_TEXT(made_at, "when it was made"),
    FIELD_TEXT(how, "meter: by a meter of the machine, or of its host; wall: by two readings that the user gave"),
    FIELD_TEXT(meter, "by which meter; empty of wall"),
    FIELD_COUNT(cpus, "CPUs of this machine"),
    FIELD_COUNT(host_cpus, "CPUs of the machine that it is of: more than cpus in a guest that has its host's"),
});
#undef OF

#define OF struct parent
const struct fields parent_fields = FIELDS({
    FIELD_TEXT(id, "its id"),
    FIELD_TEXT(schema, "its form", .flags = FIELD_NULL_EMPTY),
    FIELD_TIME_AS("started_at", started_realtime_ns, "its started_at"),
});
#undef OF

#define OF struct settling
const struct fields settling_fields = FIELDS({
    FIELD_NUMBER(waited_s, "how long that took, in seconds", .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_NUMBER(variation, "most less least power of the last parts watched, as a share of their mean",
                 .flags = FIELD_FROM_0),
    FIELD_BOOL(steady, "within 2 %"),
});
#undef OF

#define OF struct measurement
static const struct field measurement_list[] = { FIELD_OBJECT(
    struct settling, settling, &settling_fields,
    "how the machine came to rest before the first baseline; null: not asked for", FIELD_WHERE(settling.asked)) };
#undef OF
const struct fields record_measurement = FIELDS_OF(NULL, NULL, struct measurement, measurement_list);

#define OF struct factor_asked
const struct fields query_fields = FIELDS({
    FIELD_TEXT(zone, "the zone as it was typed; null: none was", .flags = FIELD_NULL_EMPTY),
    FIELD_INT(year, "the year that the factor was wanted for", .flags = FIELD_NULL_0 | FIELD_NULL_NEGATIVE,
              .min = 1900),
    FIELD_BOOL(share_alike, "tables under a share-alike licence were looked at, too"),
    FIELD_TEXT(set, "the official national set that alone was looked at; null: none was named",
               .flags = FIELD_NULL_EMPTY | FIELD_LATER),
});
#undef OF

static const char *budget_word(int verdict)
{
    return gate_verdict_name((enum gate_verdict)verdict);
}

#define OF struct budget
const struct fields budget_fields = FIELDS({
    FIELD_NUMBER(limit_j, "energy that a run may use, in joules; null: the budget is one of emissions",
                 .flags = FIELD_ABOVE_0),
    FIELD_NUMBER(limit_kgco2eq, "emissions that a run may have; null: the budget is one of energy",
                 .flags = FIELD_ABOVE_0),
    FIELD_COMPARED_AS("figure", figure),
    FIELD_NUMBER(spent_j, "that energy of the mean run, in joules"),
    FIELD_NUMBER(low_j, "lower end of its interval, in joules: 95 % of several runs, the baseline's noise of one, the "
                        "range of a model, or the meter's resolution"),
    FIELD_NUMBER(high_j, "upper end; null: unknown"),
    FIELD_NUMBER(spent_kgco2eq, "emissions of the same energy"),
    FIELD_NUMBER(low_kgco2eq, "lower end of their interval"),
    FIELD_NUMBER(high_kgco2eq, "upper end; null: unknown"),
    FIELD_WORD(enum gate_verdict, verdict, budget_word, GATE_PASSED, GATE_UNDECIDED + 1,
               "passed: significantly within the budget; failed: significantly above it, or stopped for it"),
    FIELD_BOOL(stop, "the command was to be ended once the budget was used up (--stop)"),
    FIELD_BOOL(stopped, "the command was ended for it"),
});
#undef OF

#define OF struct report
static const struct fields cpus_fields = FIELDS({
    FIELD_TEXT_AS("list", cpus, "the CPUs the command may use: 0-3,8", .flags = FIELD_NULL_EMPTY),
    FIELD_ONE_OF_AS("from", cpus_from, cpus_from, "origin of the figure; null without a command",
                    .flags = FIELD_NULL_EMPTY),
    FIELD_INT_AS("count", job_cpus, "how many it may use; null: not known",
                 .flags = FIELD_NULL_0 | FIELD_NULL_NEGATIVE),
});

static const struct fields whole_machine_fields = FIELDS({
    FIELD_SAID("name", record_whole_machine, NULL, "its name; those of its parts joined by +"),
    FIELD_SAID("source", record_whole_machine_source, NULL, "its source"),
});

const struct fields record_pue_fields = FIELDS({
    FIELD_SAME(&session_pue_fields),
    PUE_SOURCE,
});

static const struct fields emissions_fields = FIELDS({
    FIELD_OBJECT(struct emission, gross, &emission_fields, "of all energy in the run"),
    FIELD_OBJECT(struct emission, net, &emission_fields, "of the energy above idle"),
    FIELD_OBJECT(struct emission, share, &emission_fields, "of the job's part of net"),
    FIELD_OBJECT(struct emission, own, &emission_fields, "of the job's own energy"),
    FIELD_OBJECT(struct emission, gross_market, &emission_fields,
                 "of all energy in the run, by market_factor in place of factor; null where there is none",
                 .known = has_market),
    FIELD_OBJECT(struct emission, net_market, &emission_fields,
                 "of the energy above idle, by market_factor in place of factor; null where there is none",
                 .known = has_market),
    FIELD_OBJECT(struct emission, share_market, &emission_fields,
                 "of the job's part of net, by market_factor in place of factor; null where there is none",
                 .known = has_market),
    FIELD_OBJECT(struct emission, own_market, &emission_fields,
                 "of the job's own energy, by market_factor in place of factor; null where there is none",
                 .known = has_market),
    FIELD_OBJECT(struct emission, gross_market_location, &emission_fields,
                 "of all energy in the run, by market_location_factor: the figure comparable with gross_market; null "
                 "where there is none",
                 .known = has_market_location),
    FIELD_OBJECT(struct emission, net_market_location, &emission_fields,
                 "of the energy above idle, by market_location_factor; null where there is none",
                 .known = has_market_location),
    FIELD_OBJECT(struct added, td_losses, &added_fields,
                 "emissions of grid losses: separate, in none of the others; null where no table has them",
                 .flags = FIELD_NULLABLE),
    FIELD_OBJECT(struct added, upstream, &added_fields,
                 "emissions of fuel supply: separate, in none of the others; null where no table has them",
                 .flags = FIELD_NULLABLE),
    FIELD_NUMBER(gross_water_l, "water for all energy in the run, in litres; null without a WUE"),
    FIELD_NUMBER(net_water_l, "water for the energy above idle, in litres"),
});

static const struct fields windows_fields = FIELDS({
    FIELD_EACH("baselines", record_baselines, &baseline_fields,
               "in order of time; between two runs there are two, the first one belongs to the run before, the second "
               "to the run after"),
    FIELD_EACH("runs", record_runs, &run_fields, "in order, warm-ups first"),
});

const struct fields record_query_fields = FIELDS({
    FIELD_VALUES("notices", record_factor_notices, FIELD_IS_NAME,
                 "the texts of those notices that concern the tables' answers"),
    FIELD_PART(struct factor_asked, factor_query, &query_fields, 0),
});

static const struct field record_list[] = {
    FIELD_CONSTANT("schema", REPORT_SCHEMA, "name and version of this form"),
    FIELD_FIXED(REPORT_MINOR_KEY, REPORT_MINOR,
                "grows with every field that is added to this form; a record without it is 0"),
    FIELD_TEXT(id, "random UUID of this record", .pattern = FIELD_LIKE_UUID),
    FIELD_SAID("carbon_version", record_writer, NULL, "version of carbon that wrote it", .flags = FIELD_FULL),
    FIELD_TIME_AS("restated_at", parent.restated_realtime_ns,
                  "time of its recalculation from its parent, UTC; null: it was measured"),
    FIELD_OBJECT(struct parent, parent, &parent_fields,
                 "the record that this one was recalculated from, of the same measurement; null: it was measured",
                 .known = has_parent),
    FIELD_SAME(&session_progress_fields),
    FIELD_BOOL(recorded_tree, "the counters are those of a recorded machine, not of the one the command ran on"),
    FIELD_NAMES_ENDED(
        command,
        "the command, word by word; bytes that are no UTF-8 are U+FFFD; none where a target was measured without one"),
    FIELD_GROUP("cpus", &cpus_fields, "where the command ran"),
    FIELD_NAME(label, "label given by the user", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(project, "project given by the user", .flags = FIELD_NULL_EMPTY),
    FIELD_MAP("meta", record_meta, "^[A-Za-z0-9_.-]{1,63}$",
              "further fields given by the user, by the user's own keys; null: none", .known = has_meta),
    FIELD_NAME(target, "the running target that was measured, instead of the command or with it as its client",
               .flags = FIELD_NULL_EMPTY),
    FIELD_INT(exit_status, "exit status of the last run; 128 + n when signal n ended it; null: none has ended",
              .flags = FIELD_IF_GIVEN | FIELD_NULL_NEGATIVE, .given = FIELD_AT(bool, exit_known), .max = 255),
    FIELD_PART(struct summary, summary, &summary_runs_fields, 0),
    FIELD_COUNT(warmups, "runs left out of the result"),
    FIELD_PART(struct summary, summary, &summary_times_fields, 0),
    FIELD_NUMBER(start_gap_s,
                 "from the opening sample to the start of the command, in seconds, mean over the counted runs",
                 .flags = FIELD_FROM_0),
    FIELD_NUMBER(end_gap_s,
                 "from its end, or where carbon did not run then from when it may have been, to the closing sample, in "
                 "seconds, mean over the counted runs",
                 .flags = FIELD_FROM_0),
    FIELD_SCOPE(scope, "domains that make up the total"),
    FIELD_FACT("stands_in", record_falls_back,
               "no package has a counter, so that the meter of the whole machine counts in their place"),
    FIELD_GROUP("whole_machine", &whole_machine_fields,
                "the domain that covers the whole machine, next to a total of its components; never added",
                .known = has_whole_machine),
    FIELD_PART(struct summary, summary, &summary_quality_fields, 0),
    FIELD_VALUES("sources", record_sources, FIELD_IS_NAME, "the sources of the counted domains"),
    FIELD_PART(struct summary, summary, &summary_fields, 0),
    FIELD_PART(const struct measurement *, measurement, &record_measurement, FIELD_BEHIND),
    FIELD_GROUP("pue", &record_pue_fields, "power usage effectiveness"),
    FIELD_OBJECT(struct factor, factor, &factor_fields, "emission factor and its source"),
    FIELD_PART(struct supplementary, supplementary, &supplementary_fields, 0),
    FIELD_GROUP("factor_query", &record_query_fields, "the query of the factor tables, so that it can be repeated"),
    FIELD_GROUP(
        "hourly", &hourly_fields,
        "accounting by the hour: the intensities that the emissions stand on; null: they stand on the yearly factor",
        FIELD_WHERE(by_hour.enabled)),
    FIELD_SAME(&session_hours_fields),
    FIELD_GROUP("emissions", &emissions_fields, "kWh, kgCO2eq and rates of the mean run"),
    FIELD_OBJECT(struct sci, sci, &sci_fields,
                 "Software Carbon Intensity (ISO/IEC 21031): (operational + embodied) / units, of one run; null: no "
                 "functional unit was declared",
                 FIELD_WHERE(sci.enabled)),
    FIELD_PART(struct equivalents, equivalents, &equivalents_fields, 0),
    FIELD_OBJECT(struct budget, budget, &budget_fields,
                 "budget of each run, the part used, and the verdict; null: none was given",
                 .flags = FIELD_IF_GIVEN | FIELD_LATER, .given = FIELD_AT(bool, budget.given)),
    FIELD_EACH("provenance", record_provenance, &provenance_fields,
               "where the figures that the result stands on come from"),
    FIELD_OBJECT(struct usage_summary, usage, &usage_fields, "usage of the job, mean over the counted runs"),
    FIELD_OBJECT_AS("bound", struct bottleneck_verdict, bottleneck, &bottleneck_fields,
                    "bottleneck of the job, all counted runs together"),
    FIELD_OBJECT(const struct machine *, machine, &machine_fields, "the machine; no host or user name",
                 .flags = FIELD_BEHIND | FIELD_KNOWN),
    FIELD_OBJECT_AS("machine_profile", struct profile_fields, profile, &record_profile,
                    "the machine profile used for modelled domains; null: none", .known = has_profile,
                    .flags = FIELD_LATER),
    FIELD_OBJECT(struct slurm_job, job, &job_fields, "the job of a batch system that it was part of; null: of none",
                 FIELD_WHERE(job.known)),
    FIELD_EACH("domains", record_domains, &domain_fields,
               "every domain that was seen, counted or not, of refused sources too"),
    FIELD_EACH("refused", record_refused, &refused_fields, "sources that are not used"),
    FIELD_ARRAY_AS("phases", struct phase_summary, phases.items, phases.count, &phase_summary_fields,
                   "by name, over the counted runs that have a phase of it; null: none were asked for",
                   .known = has_phases, .max = PHASES_MAX + 1),
    FIELD_GROUP("windows", &windows_fields, "every window that was measured"),
    FIELD_PART(struct notices, all_notices, &notices_fields, 0),
};
#undef OF
const struct fields record_fields = {
    .name = "record",
    .meaning = "the result of one measurement",
    .items = record_list,
    .count = sizeof record_list / sizeof record_list[0],
    .size = sizeof(struct report),
    .document = "report-schema.json",
};
