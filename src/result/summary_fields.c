/* SPDX-License-Identifier: MIT
 * The figures of all runs of a record together: every field and its meaning. */
#include "result/summary_fields.h"

#include "form/part_fields.h"
#include "result/energy_fields.h"
#include "result/report.h"
#include "result/session_fields.h"

#define OF struct summary
const struct fields summary_runs_fields = FIELDS({
    FIELD_COUNT(runs, "counted runs"),
});

const struct fields summary_times_fields = FIELDS({
    FIELD_SPREAD(duration_s, "wall time of a run, in seconds"),
    FIELD_NUMBER(baseline_s, "all baseline windows together, in seconds", .flags = FIELD_KNOWN | FIELD_FROM_0),
});

const struct fields summary_quality_fields = FIELDS({
    FIELD_QUALITY(quality, "of the total: the worst among the counted domains"),
});

const struct fields summary_fields = FIELDS({
    FIELD_PART(struct domain_energy, total, &energy_fields, 0),
    FIELD_NUMBER(idle_deviation_w, "standard deviation of the power within the baselines, in watts",
                 .flags = FIELD_FROM_0),
    FIELD_NUMBER(
        net_noise_j,
        "how far net_j may be off by the baseline's own spread and the resolution, in joules (one standard deviation)",
        .flags = FIELD_FROM_0),
    FIELD_NUMBER(resolution_j, "one update of the counters at each end of a window, at the mean power, and one step of "
                               "each counted counter at least, in joules"),
    FIELD_BOOL(below_resolution, "a counted domain did not move, and the windows were too short to find the reason"),
    FIELD_COUNT(counted_unknown, "counted domains without a figure: the total is incomplete"),
    FIELD_BOOL(at_least, "each counted run has a hole in a counted domain: gross_j is a lower bound, net is not known",
               .flags = FIELD_LATER),
    FIELD_NUMBER(unknown_s,
                 "how long a counted domain was not known in a counted run, where that was longest, in seconds",
                 .flags = FIELD_LATER | FIELD_KNOWN | FIELD_FROM_0),
    FIELD_PART(struct net_verdict, verdict, &net_verdict_fields, 0),
    FIELD_SPREAD(share_j, "the job's part of net by CPU time, and of graphics cards that report it by theirs, in "
                          "joules; net itself while no other process was busy"),
    FIELD_SPREAD_AS("others_cores", background_cores,
                    "cores that other processes kept busy beyond what they did in the baselines"),
    FIELD_NUMBER(baseline_busy_cpus,
                 "CPUs of the machine that other processes kept busy in the baselines (carbon's own CPU time is not in "
                 "it), on average; null: no baseline, or their CPU time is unknown",
                 .flags = FIELD_FROM_0),
    FIELD_NUMBER(baseline_busy_mask_cpus, "the same of the CPUs that the command may run on (its affinity mask)",
                 .flags = FIELD_FROM_0),
    FIELD_COUNT(mask_cpus, "CPUs that the command may run on; null: unknown", .flags = FIELD_NULL_0),
    FIELD_SPREAD(machine_share, "the part (0 to 1) of the machine's busy CPU time that was what ran already and was "
                                "watched; unknown where nothing was"),
    FIELD_SPREAD(attributed_j,
                 "gross_j × machine_share, run by run, in joules; of graphics cards that report it the job's part in "
                 "gpu_own_j: an attribution by CPU time and by the cards', not a measurement"),
    FIELD_PART(struct domain_energy, total, &gpu_own_fields, 0),
});
#undef OF
