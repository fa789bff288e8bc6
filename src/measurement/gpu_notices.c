/* SPDX-License-Identifier: MIT
 * One notice for each reason, with the names of its cards. */
#include "measurement/gpu_notices.h"

#include "base/units.h"
#include "measurement/gpu_watch.h"

#include <stdio.h>
#include <string.h>

/* Of what processes used that had ended before they were looked up, less is not worth a word. */
#define LOST_MIN 0.01

static const struct {
    enum notice_kind kind;
    const char *why, *fix;
} reasons[GPU_ATTRIBUTION_COUNT] = {
    [GPU_SILENT] = { NOTICE_USAGE, "its driver does not report the processes that used it", "" },
    [GPU_PARTITIONED] = { NOTICE_SHARED, "it is partitioned (MIG), and no driver reports use by process of an instance",
                          "" },
    [GPU_REFUSED] = { NOTICE_DENIED, "its driver does not report its processes to this user", "call carbon as root" },
    [GPU_FAILED] = { NOTICE_USAGE, "its driver failed to report the processes that used it", "" },
    [GPU_HIDDEN] = { NOTICE_MASKED, "carbon does not see all processes of the machine", "docker run --pid=host" },
    [GPU_TOO_SHORT] = { NOTICE_USAGE, "its driver reports once a second at best, and reported nothing in the run",
                        "use a job of 1 s or more" },
    [GPU_UNDIVIDED] = { NOTICE_USAGE, "its driver does not report the processes that used it, and a server may be one",
                        "" },
    [GPU_UNSEEN] = { NOTICE_USAGE, "the container's processes cannot be identified here", "call carbon as root" },
};

static bool has_reason(const struct measurement *measurement, size_t domain, enum gpu_attribution reported)
{
    for (size_t r = 0; r < measurement->run_count; r++) {
        const struct gpu_use *use = gpu_use_of(&measurement->runs[r], domain);
        if (use && run_is_counted(&measurement->runs[r]) && use->reported == reported)
            return true;
    }
    return false;
}

/* "gpu-0, gpu-1". */
static void list_names(const struct measurement *measurement, enum gpu_attribution reported, char *names, size_t size)
{
    names[0] = '\0';
    for (size_t i = 0; i < measurement->meter->domain_count; i++) {
        const size_t length = strlen(names);
        if (has_reason(measurement, i, reported))
            snprintf(names + length, size - length, "%s%s", length ? ", " : "",
                     measurement->meter->domains[i].domain->name);
    }
}

static void lost_notice(const struct measurement *measurement, const struct gpu_use *use, struct notices *notices)
{
    char lost[UNITS_SIZE];

    if (use->reported == GPU_ATTRIBUTED && (double)use->lost_uj > LOST_MIN * (double)use->used_uj)
        notice_add(notices, NOTICE_USAGE, "their owner is unknown: the job's part may be higher by this amount", "",
                   "%s of %s went to processes that ended before they were looked at",
                   units_energy(j_from_uj(use->lost_uj), lost), measurement->meter->domains[use->domain].domain->name);
}

static size_t gpus_of(const struct measurement *measurement)
{
    size_t count = 0;

    for (size_t i = 0; i < measurement->meter->domain_count; i++)
        count += measurement->meter->domains[i].domain->component == COMPONENT_GPU;
    return count;
}

void gpu_notices(const struct measurement *measurement, struct notices *notices)
{
    char names[128];

    for (enum gpu_attribution reported = GPU_SILENT; reported < GPU_ATTRIBUTION_COUNT; reported++) {
        list_names(measurement, reported, names, sizeof names);
        if (names[0])
            notice_add(notices, reasons[reported].kind, reasons[reported].why, reasons[reported].fix,
                       "energy of the job on %s is unknown", names);
    }
    if (measurement->run_count && measurement->runs[0].gpu_count == GPU_USES_MAX && gpus_of(measurement) > GPU_USES_MAX)
        notice_add(notices, NOTICE_LEFT_OUT, "the job's part includes other users of the rest", "",
                   "of %zu GPUs, who used them is known of the first %d", gpus_of(measurement), GPU_USES_MAX);
    for (size_t r = 0; r < measurement->run_count; r++)
        for (size_t i = 0; i < measurement->runs[r].gpu_count; i++)
            if (run_is_counted(&measurement->runs[r]))
                lost_notice(measurement, &measurement->runs[r].gpus[i], notices);
}
