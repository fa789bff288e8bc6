/* SPDX-License-Identifier: MIT
 * A job that is like an earlier one: what the record of that says of its runs. */
#include "commands/when/when.h"

#include "base/units.h"
#include "io/json_read.h"
#include "result/energy_fields.h"
#include "result/record_fields.h"
#include "result/stored/stored_record.h"
#include "result/window_fields.h"

#include <math.h>
#include <stdlib.h>

/* Of the domains that count. NAN: one of them is not known. */
static double slice_j(const struct cJSON *record, const struct cJSON *slice)
{
    const struct cJSON *domain = json_first(RECORD_MADE(record, record_domains));
    double sum_uj = 0;

    for (const struct cJSON *uj = json_first(FIELD_MADE(slice, slice_fields, record_slice_energies)); uj && domain;
         uj = json_next(uj), domain = json_next(domain))
        if (json_truth(DOMAIN_ITEM(domain, counted)))
            sum_uj += json_number(uj);
    return sum_uj / UJ_PER_J;
}

/* The run whose duration is nearest to the mean, if it has slices. */
static const struct cJSON *typical_slices(const struct cJSON *record, double duration_s)
{
    const struct cJSON *runs = RECORD_MADE(record, record_runs), *found = NULL;
    double nearest_s = INFINITY;

    for (const struct cJSON *run = json_first(runs); run; run = json_next(run)) {
        const double off_s = fabs(json_number(WINDOW_ITEM(run, duration_ns)) - duration_s);
        const struct cJSON *slices = FIELD_MADE(run, run_fields, record_slices);
        if (json_truth(RUN_OWN_ITEM(run, warmup)) || json_count(slices) == 0 || !(off_s < nearest_s))
            continue;
        nearest_s = off_s;
        found = slices;
    }
    return found;
}

/* The slices, drawn out or pressed together to the mean duration. False: they tell nothing. */
static bool take_profile(const struct cJSON *slices, const struct cJSON *record, struct when_job *job)
{
    const size_t count = json_count(slices);
    struct start_time_piece *pieces = count ? calloc(count, sizeof *pieces) : NULL;
    double whole_s = 0;
    size_t taken = 0;
    bool good;

    for (const struct cJSON *slice = json_first(slices); slice; slice = json_next(slice))
        whole_s += json_number(SLICE_ITEM(slice, duration_ns));
    good = pieces && whole_s > 0;
    for (const struct cJSON *slice = json_first(slices); good && slice; slice = json_next(slice)) {
        const double duration_s = json_number(SLICE_ITEM(slice, duration_ns)) * job->duration_s / whole_s;
        good = duration_s >= 0;
        if (good)
            pieces[taken++] = (struct start_time_piece){ (uint64_t)(duration_s * NS_PER_S), slice_j(record, slice) };
    }
    good = good && start_time_profile_of(pieces, taken, &job->profile);
    free(pieces);
    return good;
}

static bool take_figures(const struct stored_record *stored, const struct cJSON *record, struct when_job *job,
                         struct notices *notices, struct error *err)
{
    const struct cJSON *slices;

    job->duration_s = stored->duration_s.mean;
    job->energy_j = stored->gross_j.mean > 0 ? stored->gross_j.mean : NAN;
    if (!(job->duration_s > 0)) {
        error_set(err, ERROR_BAD_DATA, "'%s' does not say how long its runs took", job->like);
        return error_fix(err, "give --duration and --energy in place of it");
    }
    if (!stored->complete && stored->notices.count)
        notice_copy(notices, &stored->notices.item[0]);
    if (isnan(job->energy_j))
        notice_add(notices, NOTICE_UNKNOWN, "the record does not know what its runs used", "",
                   "emissions have no mass");
    slices = typical_slices(record, job->duration_s);
    if (slices && take_profile(slices, record, job))
        return true;
    job->profile = start_time_flat((uint64_t)(job->duration_s * NS_PER_S));
    if (slices)
        notice_add(notices, NOTICE_ASSUMED, "of a part of the run its record does not know the energy", "",
                   "the job is taken to draw evenly");
    return true;
}

bool when_like(const char *path, struct when_job *job, struct notices *notices, struct error *err)
{
    struct cJSON *record = json_read(path, err);
    struct stored_record stored = { .command = NULL };
    const bool good =
        record && stored_record_parse(record, path, &stored, err) && take_figures(&stored, record, job, notices, err);

    stored_record_close(&stored);
    json_close(record);
    return good;
}
