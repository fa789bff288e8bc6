/* SPDX-License-Identifier: MIT
 * carbon's fields of a run of a performance indicator, and their meaning. */
#include "commands/indicator/indicator_fields.h"

#include "measurement/idle.h"
#include "result/session_fields.h"
#include "result/window_fields.h"

struct indicator_fields_domain_view {
    const char *name, *source;
    enum quality quality;
    bool counted;
    struct energies energies;
};

#define OF struct indicator_usage
#define USED(member, meaning) FIELD_INT64(member, meaning, .flags = FIELD_NULL_NEGATIVE)
const struct fields indicator_usage_fields = FIELDS({
    FIELD_NUMBER(ru_utime, "CPU time in user mode, in s", .flags = FIELD_FROM_0),
    FIELD_NUMBER(ru_stime, "CPU time in the kernel, in s", .flags = FIELD_FROM_0),
    USED(ru_maxrss, "most memory of any process, in KiB"),
    USED(ru_ixrss, "0 on Linux"),
    USED(ru_idrss, "0 on Linux"),
    USED(ru_isrss, "0 on Linux"),
    USED(ru_minflt, "page faults without I/O"),
    USED(ru_majflt, "page faults with I/O"),
    USED(ru_nswap, "0 on Linux"),
    USED(ru_inblock, "blocks of 512 bytes read"),
    USED(ru_oublock, "blocks of 512 bytes written"),
    USED(ru_msgsnd, "0 on Linux"),
    USED(ru_msgrcv, "0 on Linux"),
    USED(ru_nsignals, "0 on Linux"),
    USED(ru_nvcsw, "voluntary context switches"),
    USED(ru_nivcsw, "involuntary context switches"),
});
#undef OF

#define OF struct indicator_energy
const struct fields indicator_energy_fields = FIELDS({
    FIELD_QUALITY(energy_quality, "the worst among the counted domains"),
    FIELD_SCOPE(energy_scope, "domains that make up the total"),
    FIELD_NUMBER(energy_duration_s, "length of the run, in s", .flags = FIELD_FROM_0),
    FIELD_NUMBER(energy_gross_j, "all energy in the run, in J"),
    FIELD_NUMBER(energy_idle_j, "baseline power times the run's duration, in J"),
    FIELD_NUMBER(energy_net_j, "gross - idle, in J"),
    FIELD_NUMBER(energy_gross_kwh, "gross, in kWh"),
    FIELD_NUMBER(energy_idle_kwh, "idle, in kWh"),
    FIELD_NUMBER(energy_net_kwh, "net, in kWh"),
    FIELD_NUMBER(energy_own_j, "the command's own energy, by energy_own_method, in J; idle is not in it"),
    FIELD_NUMBER(energy_own_kwh, "own, in kWh"),
    FIELD_OWN_METHOD(energy_own_method, "method of own"),
});
#undef OF

#define OF struct indicator_carbon
const struct fields indicator_carbon_fields = FIELDS({
    FIELD_NUMBER(carbon_pue, "power usage effectiveness", .flags = FIELD_FROM_1),
    FIELD_QUALITY(carbon_pue_quality, "given or default"),
    FIELD_NUMBER(carbon_kgco2eq_per_kwh, "emission factor, in kgCO2eq per kWh"),
    FIELD_QUALITY(carbon_factor_quality, "given, modelled or default"),
    FIELD_NAME(carbon_zone, "whose electricity", .flags = FIELD_NULL_EMPTY),
    FIELD_INT(carbon_year, "year of the factor", .flags = FIELD_NULL_0 | FIELD_NULL_NEGATIVE),
    FIELD_NAME(carbon_basis, "lifecycle or direct", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(carbon_source, "title and publisher of the factor", .flags = FIELD_NULL_EMPTY),
    FIELD_NUMBER(carbon_gross_kgco2eq, "of gross, in kgCO2eq"),
    FIELD_NUMBER(carbon_idle_kgco2eq, "of idle, in kgCO2eq"),
    FIELD_NUMBER(carbon_net_kgco2eq, "of net, in kgCO2eq"),
    FIELD_NUMBER(carbon_own_kgco2eq, "of own, in kgCO2eq"),
});
#undef OF

#define OF struct indicator_fields_domain_view
static const struct fields domain_view_fields = FIELDS({
    FIELD_NAME(name, "name of the domain"),
    FIELD_NAME(source, "where its joules come from"),
    FIELD_QUALITY(quality, "of its joules"),
    FIELD_BOOL(counted, "it is in the total"),
    FIELD_PART(struct energies, energies, &energies_fields, 0),
});
#undef OF

static void add_domains(struct tree_node array, const void *of)
{
    const struct indicator_added *added = of;
    const struct measurement *measurement = added->report->report->measurement;
    const struct window *window = &measurement->runs[added->report->runs[added->i].index].window;
    const struct neighbours neighbours = neighbours_of(measurement, window);

    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const struct meter_domain *state = &measurement->meter->domains[i];
        const struct indicator_fields_domain_view view = { state->domain->name, state->source->driver->name,
                                                           state->domain->quality, measurement->counting->is_counted[i],
                                                           domain_energies(measurement, &neighbours, window, i) };
        fields_json(tree_object(array, NULL), &domain_view_fields, &view);
    }
}

static void add_notices(struct tree_node array, const void *of)
{
    const struct indicator_added *added = of;
    const struct notices *lists[] = { &added->report->report->all_notices, &added->report->runs[added->i].notices };

    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            fields_json(tree_object(array, NULL), &notice_fields, &lists[k]->item[i]);
}

#define OF struct indicator_added
static const struct fields added_energy_fields = FIELDS({
    FIELD_PART(struct indicator_energy, figures.energy, &indicator_energy_fields, 0),
    FIELD_EACH("energy_domains", add_domains, &domain_view_fields, "every domain that was seen"),
    FIELD_EACH("energy_notices", add_notices, &notice_fields, "notices about the figures and the output"),
});

#define LIKE_MICROSECONDS "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}$"
const struct fields indicator_added_fields = FIELDS({
    FIELD_OBJECT_AS("usage", struct indicator_usage, figures.usage, &indicator_usage_fields,
                    "getrusage(2) of this run, as Amun names it"),
    FIELD_INT(exit_code, "exit status of the script; 128 + n for signal n", .flags = FIELD_NULL_NEGATIVE),
    FIELD_NAME(script_sha256, "SHA-256 of the script before the first run", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(start_datetime, "when the run began, UTC", .pattern = LIKE_MICROSECONDS),
    FIELD_TEXT(end_datetime, "when it ended, UTC", .pattern = LIKE_MICROSECONDS),
    FIELD_GROUP("@energy", &added_energy_fields, "energy of the run"),
    FIELD_OBJECT_AS("@carbon", struct indicator_carbon, figures.carbon, &indicator_carbon_fields,
                    "emissions of the run: kWh x PUE x factor"),
});
#undef OF

struct indicator_added indicator_added_of(const struct indicator_report *report, size_t i)
{
    const struct run *run = &report->report->measurement->runs[report->runs[i].index];
    struct indicator_added added = {
        .report = report,
        .i = i,
        .figures = indicator_figures(report, i),
        .exit_code = run->ended ? run->end.exit_status : -1,
        .script_sha256 = report->sha256,
    };

    indicator_times(report, i, added.start_datetime, added.end_datetime);
    return added;
}
