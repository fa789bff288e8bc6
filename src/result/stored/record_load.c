/* SPDX-License-Identifier: MIT
 * A report from its record: machine, meter, factor and notices; then everything is worked out again. */
#include "result/stored/record_load.h"

#include "base/clock.h"
#include "base/text.h"
#include "io/json_read.h"
#include "result/carbon_fields.h"
#include "result/record_fields.h"
#include "result/session_fields.h"
#include "result/stored/stored_record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool record_load_fail(const char *path, const char *key, struct error *err)
{
    error_set(err, ERROR_BAD_DATA, "'%s' cannot be recalculated", path);
    error_why(err, "'%s' is not as this carbon writes it: another version kept less, or it was changed", key);
    return error_fix(err, "use the carbon that wrote it, or measure again");
}

int record_load_int_or_null(const struct cJSON *item)
{
    const double value = json_number(item);

    return value >= 0 && value < 1e9 ? (int)value : -1;
}

uint64_t record_load_nonzero_or_null(const struct cJSON *item)
{
    const double value = json_number(item);

    return value > 0 && value < 1.8e19 ? (uint64_t)value : 0;
}

static uint64_t time_of(const struct cJSON *item)
{
    uint64_t realtime_ns;

    return clock_of_text(json_text(item), &realtime_ns) ? realtime_ns : 0;
}

struct error record_load_error(const struct cJSON *node)
{
    struct error error = { .kind = ERROR_NONE };

    fields_take(node, &refusal_fields, &error);
    return error;
}

/* What the list of sources alone says of a factor. */
static void take_edition(const struct cJSON *record, const char *figure, struct factor *factor)
{
    for (const struct cJSON *row = json_first(RECORD_MADE(record, record_provenance)); row; row = json_next(row))
        if (strcmp(json_text(PROVENANCE_ITEM(row, figure)), figure) == 0) {
            TAKE(factor->version, PROVENANCE_ITEM(row, version));
            TAKE(factor->retrieved_at, PROVENANCE_ITEM(row, retrieved_at));
        }
}

static void take_factor(const struct cJSON *record, struct factor *factor)
{
    fields_take(RECORD_ITEM(record, factor), &factor_fields, factor);
    factor->td_losses_kgco2eq_per_kwh = json_number(RECORD_ITEM(record, td_losses.kgco2eq_per_kwh));
    factor->upstream_kgco2eq_per_kwh = json_number(RECORD_ITEM(record, upstream.kgco2eq_per_kwh));
    take_edition(record, "factor.kgco2eq_per_kwh", factor);
}

void record_load_notice_range(const struct cJSON *array, const struct notices *notices, size_t *first, size_t *count)
{
    *count = json_count(array);
    *first = 0;
    for (size_t i = 0; *count && i < notices->count; i++)
        if (strcmp(notices->item[i].what, json_text(json_first(array))) == 0)
            *first = i;
    if (*first + *count > notices->count)
        *count = 0;
}

static void take_notices(const struct cJSON *record, struct report *report)
{
    const struct cJSON *of_factor = RECORD_MADE(record, record_factor_notices);

    for (const struct cJSON *node = json_first(RECORD_ITEM(record, all_notices.item)); node; node = json_next(node)) {
        const struct notice notice = { notice_kind_of(json_text(NOTICE_ITEM(node, kind))),
                                       json_text(NOTICE_ITEM(node, what)), json_text(NOTICE_ITEM(node, why)),
                                       json_text(NOTICE_ITEM(node, fix)), 0 };

        notice_copy(&report->own_notices, &notice);
    }
    report->own_notices.left_out += (size_t)record_load_nonzero_or_null(RECORD_ITEM(record, all_notices.left_out));
    record_load_notice_range(of_factor, &report->own_notices, &report->factor_query.first_notice,
                             &report->factor_query.notice_count);
    notices_set(&report->all_notices, &report->own_notices);
}

static void take_equivalents(const struct cJSON *array, struct equivalents *equivalents)
{
    for (const struct cJSON *node = json_first(array); node && equivalents->count < EQUIVALENTS_MAX;
         node = json_next(node))
        fields_take(node, &equivalent_fields, &equivalents->items[equivalents->count++]);
}

static void read_supplementary(const struct cJSON *record, struct supplementary *supplementary)
{
    fields_take(record, &supplementary_fields, supplementary);
    take_edition(record, "market_factor.kgco2eq_per_kwh", &supplementary->market);
    take_edition(record, "market_location_factor.kgco2eq_per_kwh", &supplementary->market_location);
    supplementary->pue.value = json_number(RECORD_ITEM(record, pue));
    supplementary->pue.quality = quality_of(json_text(RECORD_ITEM(record, pue_quality)));
    TAKE(supplementary->pue.source, RECORD_ITEM(record, supplementary.pue.source));
}

static void take_conditions(const struct cJSON *record, struct report *report)
{
    const struct cJSON *sci = RECORD_ITEM(record, sci), *budget = RECORD_ITEM(record, budget);

    take_factor(record, &report->factor);
    read_supplementary(record, &report->supplementary);
    report->pue = report->supplementary.pue.value;
    report->pue_quality = report->supplementary.pue.quality;
    fields_take(record, &session_hours_fields, report);
    fields_take(RECORD_OBJECT(record, record_query_fields), &query_fields, &report->factor_query);
    fields_take(sci, &sci_fields, &report->sci);
    report->sci.enabled = json_kind(sci) == JSON_OBJECT;
    take_equivalents(RECORD_ITEM(record, equivalents.items), &report->equivalents);
    fields_take(budget, &budget_fields, &report->budget);
    report->budget.given = json_kind(budget) == JSON_OBJECT;
}

static void take_settling(struct loaded_record *loaded)
{
    const struct cJSON *node = FIELD_ITEM(loaded->document, record_measurement, struct measurement, settling);
    struct settling *settling = &loaded->measurement.settling;

    fields_take(node, &settling_fields, settling);
    settling->asked = json_kind(node) == JSON_OBJECT;
}

static bool take_command(struct loaded_record *loaded, const char *path, struct error *err)
{
    const struct cJSON *words = RECORD_ITEM(loaded->document, command);
    size_t count = 0;

    loaded->command = calloc(json_count(words) + 1, sizeof *loaded->command);
    if (!loaded->command)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", path);
    for (const struct cJSON *word = json_first(words); word; word = json_next(word))
        loaded->command[count++] = (char *)json_text(word);
    loaded->report.command = loaded->command;
    return true;
}

static void take_meta(const struct cJSON *node, struct report *report)
{
    const struct cJSON *item = json_items(node);
    size_t count = 0;

    for (; item && count < REPORT_META_MAX; item = json_next(item)) {
        struct report_meta *meta = &report->meta[count++];
        text_copy(meta->key, sizeof meta->key, json_key(item));
        meta->value = json_text(item);
    }
    report->meta_count = count;
}

static void take_head(struct loaded_record *loaded)
{
    const struct cJSON *record = loaded->document;
    struct report *report = &loaded->report;

    TAKE(report->id, RECORD_ITEM(record, id));
    fields_take(RECORD_ITEM(record, parent), &parent_fields, &report->parent);
    report->parent.restated_realtime_ns = time_of(RECORD_ITEM(record, parent.restated_realtime_ns));
    report->started_realtime_ns = time_of(RECORD_ITEM(record, started_realtime_ns));
    report->ended_realtime_ns = time_of(RECORD_ITEM(record, ended_realtime_ns));
    report->label = json_given_text(RECORD_ITEM(record, label));
    report->project = json_given_text(RECORD_ITEM(record, project));
    take_meta(RECORD_MADE(record, record_meta), report);
    report->target = json_given_text(RECORD_ITEM(record, target));
    report->complete = json_truth(RECORD_ITEM(record, complete));
    report->recorded_tree = json_truth(RECORD_ITEM(record, recorded_tree));
    report->machine = &loaded->machine;
    stored_record_job(record, &report->job);
    if (!fields_read(RECORD_ITEM(record, profile), &record_profile, &report->profile))
        report->profile = (struct profile_fields){ .id = "" };
    TAKE(report->cpus, RECORD_ITEM(record, cpus));
    report->cpus_from = json_given_text(RECORD_ITEM(record, cpus_from));
    report->job_cpus = record_load_int_or_null(RECORD_ITEM(record, job_cpus));
    if (report->job_cpus < 0)
        report->job_cpus = 0;
    report->measurement = &loaded->measurement;
    loaded->measurement.meter = &loaded->meter;
    loaded->measurement.counting = &loaded->counting;
    loaded->measurement.interrupted = json_truth(RECORD_MADE(record, session_interrupted));
    loaded->measurement.marks = json_kind(RECORD_ITEM(record, phases.items)) == JSON_ARRAY ? &loaded->marks : NULL;
}

bool record_load(const char *path, struct loaded_record *loaded, struct error *err)
{
    return record_load_document(json_read(path, err), path, loaded, err);
}

bool record_load_document(struct cJSON *document, const char *path, struct loaded_record *loaded, struct error *err)
{
    *loaded = (struct loaded_record){ .document = document };
    if (!loaded->document || !json_is_form(loaded->document, path, REPORT_SCHEMA, err))
        return false;
    if (!scope_of(json_text(RECORD_ITEM(loaded->document, scope)), &loaded->report.scope))
        return record_load_fail(path, "scope", err);
    take_head(loaded);
    fields_take(RECORD_ITEM(loaded->document, machine), &machine_fields, &loaded->machine);
    if (loaded->machine.cpus_online < 1)
        return record_load_fail(path, "machine.cpus_online", err);
    if (!take_command(loaded, path, err) || !record_load_meter(loaded, path, err) ||
        !record_load_windows(loaded, path, err))
        return false;
    take_settling(loaded);
    take_conditions(loaded->document, &loaded->report);
    take_notices(loaded->document, &loaded->report);
    if (!record_load_hourly(loaded))
        return record_load_fail(path, "hourly", err);
    report_work_out(&loaded->report);
    return true;
}

void loaded_record_note_newer(const struct loaded_record *loaded, struct notices *notices)
{
    const int minor = record_load_int_or_null(json_member(loaded->document, REPORT_MINOR_KEY));

    if (minor > REPORT_MINOR)
        notice_add(notices, NOTICE_NOT_UNDERSTOOD, "later additions are excluded",
                   "use the carbon that wrote it, or a newer one",
                   "a newer carbon wrote this record (minor %d, not %d)", minor, REPORT_MINOR);
}

void loaded_record_close(struct loaded_record *loaded)
{
    measurement_close(&loaded->measurement);
    report_close(&loaded->report);
    notices_clear(&loaded->meter.findings);
    intensities_close(&loaded->intensities);
    free(loaded->command);
    loaded->command = NULL;
    json_close(loaded->document);
    loaded->document = NULL;
}
