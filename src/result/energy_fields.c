/* SPDX-License-Identifier: MIT
 * The tables. */
#include "result/energy_fields.h"

#include "result/report.h"
#include "result/session_fields.h"

#include <math.h>

static const char *bottleneck_word(int bound)
{
    return bottleneck_name((enum bottleneck)bound);
}

static bool has_factor(const void *added)
{
    return !isnan(((const struct added *)added)->kgco2eq_per_kwh);
}

#define OF struct usage_figure
const struct fields usage_figure_fields = FIELDS_NAMED("figure", "one figure of the job's usage")({
    FIELD_NUMBER(value, "the figure, in the unit of its key; null: not known", .flags = FIELD_FROM_0),
    FIELD_NAME(from,
               "origin of the figure: cgroup, cgroup1, rusage, hardware, touched; process tree, docker stats, podman "
               "stats: of a running target",
               .flags = FIELD_NULL_EMPTY),
});
#undef OF

#define OF struct usage_summary
const struct fields usage_fields = FIELDS_NAMED(
    "usage", "usage of the job; over several runs their mean, of memory the highest")({
    FIELD_OBJECT(struct usage_figure, cpu_s, &usage_figure_fields,
                 "CPU time of the job and all it started, in seconds"),
    FIELD_OBJECT(struct usage_figure, user_s, &usage_figure_fields, "of that, in user mode, in seconds"),
    FIELD_OBJECT(struct usage_figure, system_s, &usage_figure_fields, "of that, in the kernel, in seconds"),
    FIELD_OBJECT(struct usage_figure, cpu_percent_of_core, &usage_figure_fields,
                 "CPU time over wall time, in percent of one core"),
    FIELD_OBJECT(struct usage_figure, cpu_percent_of_machine, &usage_figure_fields,
                 "CPU time over wall time, in percent of all online CPUs"),
    FIELD_OBJECT(struct usage_figure, memory_peak_bytes, &usage_figure_fields,
                 "peak memory, in bytes: of the whole job (cgroup, cgroup1) or of its largest process (rusage)"),
    FIELD_OBJECT(struct usage_figure, memory_bytes, &usage_figure_fields,
                 "memory in use at the end, in bytes, of a target that keeps running; of a group with its page cache"),
    FIELD_OBJECT(struct usage_figure, working_set_bytes, &usage_figure_fields,
                 "of that, memory the kernel cannot reclaim at once: without inactive pages of files, in bytes"),
    FIELD_OBJECT(struct usage_figure, read_bytes, &usage_figure_fields, "read from block devices, in bytes"),
    FIELD_OBJECT(struct usage_figure, written_bytes, &usage_figure_fields, "written to block devices, in bytes"),
    FIELD_OBJECT(struct usage_figure, received_bytes, &usage_figure_fields,
                 "received by the network, in bytes, of a container with a network of its own"),
    FIELD_OBJECT(struct usage_figure, sent_bytes, &usage_figure_fields,
                 "sent to the network, in bytes, of such a container"),
    FIELD_OBJECT(struct usage_figure, voluntary_switches, &usage_figure_fields,
                 "context switches because the job waited"),
    FIELD_OBJECT(struct usage_figure, involuntary_switches, &usage_figure_fields,
                 "context switches because others wanted the CPU"),
    FIELD_OBJECT(struct usage_figure, minor_faults, &usage_figure_fields, "page faults without I/O"),
    FIELD_OBJECT(struct usage_figure, major_faults, &usage_figure_fields, "page faults with I/O"),
    FIELD_OBJECT(struct usage_figure, cpu_stall_s, &usage_figure_fields,
                 "time in which a task of the job waited for a CPU, in seconds"),
    FIELD_OBJECT(struct usage_figure, memory_stall_s, &usage_figure_fields,
                 "time in which a task of the job waited for memory, in seconds"),
    FIELD_OBJECT(struct usage_figure, io_stall_s, &usage_figure_fields,
                 "time in which a task of the job waited for a block device, in seconds"),
    FIELD_OBJECT(struct usage_figure, cycles, &usage_figure_fields, "CPU cycles, by hardware counters"),
    FIELD_OBJECT(struct usage_figure, instructions, &usage_figure_fields, "instructions, by hardware counters"),
    FIELD_OBJECT(struct usage_figure, cache_misses, &usage_figure_fields,
                 "misses of the last-level cache, by hardware counters"),
    FIELD_OBJECT(struct usage_figure, touched_bytes, &usage_figure_fields,
                 "the most memory that was touched within a tenth of a second, in bytes"),
    FIELD_OBJECT(struct usage_figure, cache_bytes, &usage_figure_fields,
                 "the last-level caches of the machine, in bytes"),
});
#undef OF

#define OF struct bottleneck_verdict
const struct fields bottleneck_fields = FIELDS_NAMED("bound", "bottleneck of a job, with the evidence")({
    FIELD_WORD_AS("by", enum bottleneck, bound, bottleneck_word, BOTTLENECK_UNKNOWN, BOTTLENECK_MIXED + 1,
                  "idle: it waited for none of the others"),
    FIELD_TEXT(why, "the figures it was judged by", .flags = FIELD_NULL_EMPTY),
});
#undef OF

/* Of a domain, or of all counted ones; differences are described with each field. */
#define OF struct domain_energy
const struct fields energy_fields = FIELDS({
    FIELD_SPREAD(gross_j, "all energy in the run, in joules"),
    FIELD_SPREAD(idle_j, "power in the baselines around a run × its duration, in joules"),
    FIELD_SPREAD(net_j, "gross less idle, run by run, in joules; may be negative"),
    FIELD_INTERVAL(net_interval_j, "95 % interval of the mean net, by Student's t; null with fewer than two runs"),
    FIELD_NUMBER(gross_w,
                 "mean gross energy over mean duration, in watts; null where the run is too short for a power"),
    FIELD_NUMBER(idle_w, "power of the machine left alone, in watts"),
    FIELD_NUMBER(net_w, "mean net energy over mean duration, in watts; null where the run is too short for a power"),
    FIELD_NUMBER(gross_low_j, "low end of a modelled gross energy, in joules; null for a measured one"),
    FIELD_NUMBER(gross_high_j, "high end of a modelled gross energy, in joules; null for a measured one"),
    FIELD_NUMBER(net_low_j, "low end of a modelled net energy, in joules; null for a measured one"),
    FIELD_NUMBER(net_high_j, "high end of a modelled net energy, in joules; null for a measured one"),
    FIELD_SPREAD(own_j, "the job's own energy, run by run, in joules, by own_method; idle is not in it"),
    FIELD_INTERVAL(own_interval_j, "95 % interval of the mean of own_j, by Student's t; null with fewer than two runs"),
    FIELD_SPREAD(own_idle_j, "idle part of gross_j, in joules; by net it includes the constant use of other processes",
                 .flags = FIELD_LATER),
    FIELD_SPREAD(own_others_j, "the rest of gross_j: energy of other processes, in joules", .flags = FIELD_LATER),
    FIELD_OWN_METHOD(own_method,
                     "method of own_j, the weakest of its runs and domains: gross less idle; that less other "
                     "processes, by watts learnt from changes of their load; the job's part of net by CPU time; CPU "
                     "time × a model's watts per busy CPU; unknown: it cannot be separated from other processes"),
    FIELD_NUMBER(own_low_j,
                 "low end of own_j, in joules, or a lower bound where that is null; null: it has none of its own"),
    FIELD_NUMBER(own_high_j, "high end, or an upper bound, likewise"),
    FIELD_NUMBER(own_w, "mean own energy over mean duration, in watts; null where the run is too short for a power",
                 .flags = FIELD_LATER),
});
#undef OF

#define OF struct domain_energy
const struct fields gpu_own_fields = FIELDS({
    FIELD_SPREAD(gpu_own_j,
                 "the job's part of the energy of the counted graphics cards, in joules, by the processor time of its "
                 "processes on them: an attribution. Unknown where a card does not report it, or without cards"),
});
#undef OF

#define OF struct emission
const struct fields emission_fields = FIELDS_NAMED("emission", "an energy and its emissions")({
    FIELD_PART(struct footprint, footprint, &footprint_fields, 0),
    FIELD_NUMBER(kgco2eq_per_kwh,
                 "gCO2eq per kWh: the factor; by the hour, the intensities of its time weighted by its energy"),
    FIELD_NUMBER(kgco2eq_low, "low end of a modelled one, in kgCO2eq; null for a measured one"),
    FIELD_NUMBER(kgco2eq_high, "high end of a modelled one, in kgCO2eq; null for a measured one"),
    FIELD_SAME(&emission_rates_fields),
});
#undef OF

#define OF struct added
static const struct field added_list[] = {
    FIELD_NUMBER(kgco2eq_per_kwh, "reported with the factor, in kgCO2eq per kWh", .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_NUMBER(gross_kgco2eq, "of all energy in the mean run: facility_kwh times it"),
    FIELD_NUMBER(net_kgco2eq, "of the energy above idle"),
};
#undef OF
const struct fields added_fields =
    FIELDS_KNOWN("added", "a figure reported separately from an emission", struct added, added_list, has_factor);
