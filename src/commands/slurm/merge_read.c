/* SPDX-License-Identifier: MIT
 * A record as a part of a job. */
#include "commands/slurm/merge.h"

#include "base/text.h"
#include "base/units.h"
#include "io/json_read.h"
#include "result/record_fields.h"
#include "result/session_fields.h"
#include "result/stored/stored_record.h"
#include "result/window_fields.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the mean run by its energy. */
static double share_of(double figure, double of_run, double of_mean)
{
    return of_mean != 0 ? figure * of_run / of_mean : figure;
}

/* A range of its own, or none. */
static void take_own(const struct cJSON *record, const struct cJSON *run, struct merge_sum *sum)
{
    const double mean_j = json_number(RECORD_ITEM(record, summary.total.own_j.mean));
    const double low_j = json_number(RECORD_ITEM(record, summary.total.own_low_j));
    const double high_j = json_number(RECORD_ITEM(record, summary.total.own_high_j));

    sum->own_j = json_number(RUN_ITEM(run, summary.own_j));
    sum->own_low_j = isnan(low_j) ? sum->own_j : share_of(low_j, sum->own_j, mean_j);
    sum->own_high_j = isnan(high_j) ? sum->own_j : share_of(high_j, sum->own_j, mean_j);
    sum->own_kgco2eq = share_of(json_number(RECORD_ITEM(record, own.footprint.kgco2eq)), sum->own_j, mean_j);
}

static void take_window(const struct cJSON *record, const struct cJSON *run, struct merge_window *window)
{
    const double mean_j = json_number(RECORD_ITEM(record, summary.total.gross_j.mean));
    const double mean_net_j = json_number(RECORD_ITEM(record, summary.total.net_j.mean));
    const double low_j = json_number(RECORD_ITEM(record, summary.total.gross_low_j));
    const double high_j = json_number(RECORD_ITEM(record, summary.total.gross_high_j));
    const double facility_kwh = json_number(RECORD_ITEM(record, gross.footprint.facility_kwh));
    const double gross_kgco2eq = json_number(RECORD_ITEM(record, gross.footprint.kgco2eq));
    const double net_kgco2eq = json_number(RECORD_ITEM(record, net.footprint.kgco2eq));
    struct merge_sum *sum = &window->sum;

    window->start_ns = (uint64_t)json_time_ns(WINDOW_ITEM(run, realtime_ns));
    window->end_ns = window->start_ns + (uint64_t)(json_number(WINDOW_ITEM(run, duration_ns)) * NS_PER_S + 0.5);
    sum->gross_j = json_number(RUN_ITEM(run, summary.gross_j));
    sum->idle_j = json_number(RUN_ITEM(run, summary.idle_j));
    sum->net_j = json_number(RUN_ITEM(run, summary.net_j));
    sum->gross_low_j = isnan(low_j) ? sum->gross_j : share_of(low_j, sum->gross_j, mean_j);
    sum->gross_high_j = isnan(high_j) ? sum->gross_j : share_of(high_j, sum->gross_j, mean_j);
    sum->facility_kwh = share_of(facility_kwh, sum->gross_j, mean_j);
    sum->gross_kgco2eq = share_of(gross_kgco2eq, sum->gross_j, mean_j);
    sum->net_kgco2eq = share_of(net_kgco2eq, sum->net_j, mean_net_j);
    take_own(record, run, sum);
}

static bool is_counted(const struct cJSON *run)
{
    const double duration_s = json_number(WINDOW_ITEM(run, duration_ns));

    return json_truth(RUN_ITEM(run, counted)) && json_truth(RUN_OWN_ITEM(run, ended)) &&
           json_time_ns(WINDOW_ITEM(run, realtime_ns)) >= 0 && duration_s >= 0 && duration_s < 1e9;
}

static bool take_windows(const struct cJSON *record, struct merge_part *part, struct error *err)
{
    const struct cJSON *runs = RECORD_MADE(record, record_runs);

    part->windows = calloc(json_count(runs) + 1, sizeof *part->windows);
    if (!part->windows)
        return error_errno(err, "no memory to read '%.200s'", part->path);
    for (const struct cJSON *run = json_first(runs); run; run = json_next(run))
        if (is_counted(run))
            take_window(record, run, &part->windows[part->window_count++]);
    if (part->window_count)
        return true;
    error_set(err, ERROR_BAD_DATA, "'%.200s' does not say when its runs were", part->path);
    return error_fix(err, "measure again with this carbon");
}

/* Whether there is one of the same measurement already. That worked out last stays among the records, the other one is
 * left in *part. */
static bool is_there(struct merge *merge, struct merge_part *part)
{
    for (size_t i = 0; i < merge->part_count; i++) {
        struct merge_part *other = &merge->parts[i];

        if (part->id[0] && strcmp(other->id, part->id) == 0) {
            notice_add(&merge->notices, NOTICE_DUPLICATE, "", "",
                       "the record '%s' was given several times, and is counted once", part->id);
            return true;
        }
        if (part->id[0] && (strcmp(other->parent_id, part->id) == 0)) {
            notice_add(&merge->notices, NOTICE_DUPLICATE, "both are of one measurement, which is counted once", "",
                       "'%.100s' was restated as '%.100s'", part->path, other->path);
            return true;
        }
        if (other->id[0] && strcmp(part->parent_id, other->id) == 0) {
            const struct merge_part earlier = *other;
            notice_add(&merge->notices, NOTICE_DUPLICATE, "both are of one measurement, which is counted once", "",
                       "'%.100s' was restated as '%.100s'", other->path, part->path);
            *other = *part;
            *part = earlier;
            return true;
        }
    }
    return false;
}

static void take_head(const struct cJSON *record, const struct stored_record *stored, struct merge_part *part)
{
    const double half_j = (stored->net_interval_j.high - stored->net_interval_j.low) / 2;
    const double by_hour = json_number(RECORD_ITEM(record, gross.kgco2eq_per_kwh));

    text_copy(part->path, sizeof part->path, stored->path);
    text_copy(part->id, sizeof part->id, stored->id);
    text_copy(part->parent_id, sizeof part->parent_id, json_text(RECORD_ITEM(record, parent.id)));
    text_copy(part->zone, sizeof part->zone, stored->factor.zone[0] ? stored->factor.zone : "no zone");
    text_copy(part->source_id, sizeof part->source_id,
              stored->factor.source_id[0] ? stored->factor.source_id : "given");
    text_copy(part->start, sizeof part->start, json_text(MACHINE_ITEM(RECORD_ITEM(record, machine), start)));
    stored_record_job(record, &part->job);
    part->net_half_j = (double)stored->run_count * half_j;
    part->pue = stored->pue;
    part->kgco2eq_per_kwh = isnan(by_hour) ? stored->factor.kgco2eq_per_kwh : by_hour;
    part->quality = stored->quality;
    part->own_method = stored->own_method;
    part->complete = stored->complete;
    part->recorded_tree = stored->recorded_tree;
}

static bool add(struct merge *merge, const struct cJSON *record, const struct stored_record *stored, struct error *err)
{
    struct merge_part *parts = realloc(merge->parts, (merge->part_count + 1) * sizeof *parts);
    struct merge_part *part;

    if (!parts)
        return error_errno(err, "no memory to read '%.200s'", stored->path);
    merge->parts = parts;
    part = &parts[merge->part_count];
    *part = (struct merge_part){ .node = 0 };
    take_head(record, stored, part);
    if (!take_windows(record, part, err)) {
        free(part->windows);
        return false;
    }
    notices_copy(&merge->notices, &stored->notices);
    merge->notices.left_out += stored->notices.left_out;
    if (is_there(merge, part))
        free(part->windows);
    else
        merge->part_count++;
    return true;
}

bool merge_read(struct merge *merge, const char *path, struct error *err)
{
    struct cJSON *document = json_read(path, err);
    struct stored_record *stored = calloc(1, sizeof *stored);
    bool good = false;

    if (!stored)
        error_errno(err, "no memory to read '%.200s'", path);
    else
        good = document && stored_record_parse(document, path, stored, err) && add(merge, document, stored, err);
    if (stored)
        stored_record_close(stored);
    free(stored);
    json_close(document);
    return good;
}
