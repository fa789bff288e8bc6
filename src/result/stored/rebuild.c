/* SPDX-License-Identifier: MIT
 * A report from its record: machine, meter, factor and notices; then everything is worked out again. */
#include "result/stored/rebuild.h"

#include "base/clock.h"
#include "base/text.h"
#include "io/json_read.h"
#include "result/carbon_fields.h"
#include "result/record_fields.h"
#include "result/session_fields.h"
#include "result/stored/past.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool rebuild_refuse(const char *path, const char *key, struct error *err)
{
    error_set(err, ERROR_BAD_DATA, "'%s' cannot be worked out again", path);
    error_why(err, "'%s' is not as this carbon writes it: another version kept less, or it was changed", key);
    return error_fix(err, "use the carbon that wrote it, or measure again");
}

int rebuild_natural(const struct cJSON *object, const char *key)
{
    const double value = json_number_of(object, key);

    return value >= 0 && value < 1e9 ? (int)value : -1;
}

uint64_t rebuild_positive(const struct cJSON *object, const char *key)
{
    const double value = json_number_of(object, key);

    return value > 0 && value < 1.8e19 ? (uint64_t)value : 0;
}

static uint64_t time_of(const struct cJSON *object, const char *key)
{
    uint64_t realtime_ns;

    return clock_of_text(json_text_of(object, key), &realtime_ns) ? realtime_ns : 0;
}

struct error rebuild_error(const struct cJSON *node)
{
    struct error error = { .kind = ERROR_NONE };

    fields_take(node, &refusal_fields, &error);
    return error;
}

/* What the list of sources alone says of a factor. */
static void take_edition(const struct cJSON *record, const char *figure, struct factor *factor)
{
    for (const struct cJSON *row = json_first(json_member(record, "provenance")); row; row = json_next(row))
        if (strcmp(json_text_of(row, "figure"), figure) == 0) {
            TAKE(factor->version, row, "version");
            TAKE(factor->retrieved_at, row, "retrieved_at");
        }
}

static void take_factor(const struct cJSON *record, struct factor *factor)
{
    const struct cJSON *emissions = json_member(record, "emissions");

    fields_take(json_member(record, "factor"), &factor_fields, factor);
    factor->td_losses_kgco2eq_per_kwh = json_number_of(json_member(emissions, "td_losses"), "kgco2eq_per_kwh");
    factor->upstream_kgco2eq_per_kwh = json_number_of(json_member(emissions, "upstream"), "kgco2eq_per_kwh");
    take_edition(record, "factor.kgco2eq_per_kwh", factor);
}

void rebuild_told(const struct cJSON *array, const struct notices *notices, size_t *first, size_t *count)
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
    const struct cJSON *of_factor = json_member(json_member(record, "factor_query"), "notices");

    for (const struct cJSON *node = json_first(json_member(record, "notices")); node; node = json_next(node)) {
        struct error notice = rebuild_error(node);

        notice.kind = ERROR_NONE;
        notice.notice = notice_kind_of(json_text_of(node, "kind"));
        notice_copy(&report->notices, &notice);
    }
    report->notices.left_out += (size_t)rebuild_positive(record, "notices_left_out");
    rebuild_told(of_factor, &report->notices, &report->asked.first_notice, &report->asked.notice_count);
    report->doubts = report->notices;
}

static void take_equivalents(const struct cJSON *array, struct equivalents *equivalents)
{
    for (const struct cJSON *node = json_first(array); node && equivalents->count < EQUIVALENTS_MAX;
         node = json_next(node))
        fields_take(node, &equivalent_fields, &equivalents->items[equivalents->count++]);
}

static void take_beside(const struct cJSON *record, struct beside *beside)
{
    const struct cJSON *pue = json_member(record, "pue");

    fields_take(record, &beside_fields, beside);
    take_edition(record, "market_factor.kgco2eq_per_kwh", &beside->market);
    take_edition(record, "market_location_factor.kgco2eq_per_kwh", &beside->market_location);
    beside->pue.value = json_number_of(pue, "value");
    beside->pue.quality = quality_of(json_text_of(pue, "quality"));
    TAKE(beside->pue.source, pue, "source");
}

static void take_conditions(const struct cJSON *record, struct report *report)
{
    const struct cJSON *sci = json_member(record, "sci");

    take_factor(record, &report->factor);
    take_beside(record, &report->beside);
    report->pue = report->beside.pue.value;
    report->pue_quality = report->beside.pue.quality;
    fields_take(record, &session_hours_fields, report);
    fields_take(json_member(record, "factor_query"), &query_fields, &report->asked);
    fields_take(sci, &sci_fields, &report->sci);
    report->sci.asked = json_kind(sci) == JSON_OBJECT;
    take_equivalents(json_member(record, "equivalents"), &report->equivalents);
}

static void take_settling(struct rebuilt *rebuilt)
{
    const struct cJSON *node = json_member(rebuilt->document, "settling");
    struct settling *settling = &rebuilt->measurement.settling;

    fields_take(node, &settling_fields, settling);
    settling->asked = json_kind(node) == JSON_OBJECT;
}

static bool take_command(struct rebuilt *rebuilt, const char *path, struct error *err)
{
    const struct cJSON *words = json_member(rebuilt->document, "command");
    size_t count = 0;

    rebuilt->command = calloc(json_count(words) + 1, sizeof *rebuilt->command);
    if (!rebuilt->command)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", path);
    for (const struct cJSON *word = json_first(words); word; word = json_next(word))
        rebuilt->command[count++] = (char *)json_text(word);
    rebuilt->report.command = rebuilt->command;
    return true;
}

static void take_meta(const struct cJSON *node, struct report *report)
{
    for (const struct cJSON *item = json_items(node); item && report->meta_count < REPORT_META_MAX;
         item = json_next(item)) {
        struct report_meta *meta = &report->meta[report->meta_count++];
        text_copy(meta->key, sizeof meta->key, json_key(item));
        meta->value = json_text(item);
    }
}

static void take_head(struct rebuilt *rebuilt)
{
    const struct cJSON *record = rebuilt->document, *cpus = json_member(record, "cpus");
    struct report *report = &rebuilt->report;

    TAKE(report->id, record, "id");
    fields_take(json_member(record, "parent"), &parent_fields, &report->parent);
    report->parent.restated_realtime_ns = time_of(record, "restated_at");
    report->started_realtime_ns = time_of(record, "started_at");
    report->ended_realtime_ns = time_of(record, "ended_at");
    report->label = json_text_or_null(record, "label");
    report->project = json_text_or_null(record, "project");
    take_meta(json_member(record, "meta"), report);
    report->target = json_text_or_null(record, "target");
    report->complete = json_is_true(record, "complete");
    report->recorded_tree = json_is_true(record, "recorded_tree");
    report->machine = &rebuilt->machine;
    past_job(record, &report->job);
    if (!fields_read(json_member(record, "machine_profile"), &record_profile, &report->profile))
        report->profile = (struct profile_fields){ .id = "" };
    TAKE(report->cpus, cpus, "list");
    report->cpus_from = json_text_or_null(cpus, "from");
    report->job_cpus = rebuild_natural(cpus, "count") > 0 ? rebuild_natural(cpus, "count") : 0;
    report->measurement = &rebuilt->measurement;
    rebuilt->measurement.meter = &rebuilt->meter;
    rebuilt->measurement.counting = &rebuilt->counting;
    rebuilt->measurement.interrupted = json_is_true(record, "interrupted");
    rebuilt->measurement.marks = json_kind(json_member(record, "phases")) == JSON_ARRAY ? &rebuilt->marks : NULL;
}

bool rebuild_read(const char *path, struct rebuilt *rebuilt, struct error *err)
{
    return rebuild_of(json_read(path, err), path, rebuilt, err);
}

bool rebuild_of(struct cJSON *document, const char *path, struct rebuilt *rebuilt, struct error *err)
{
    *rebuilt = (struct rebuilt){ .document = document };
    if (!rebuilt->document || !json_is_form(rebuilt->document, path, REPORT_SCHEMA, err))
        return false;
    if (!scope_of(json_text_of(rebuilt->document, "scope"), &rebuilt->report.scope))
        return rebuild_refuse(path, "scope", err);
    take_head(rebuilt);
    fields_take(json_member(rebuilt->document, "machine"), &machine_fields, &rebuilt->machine);
    if (rebuilt->machine.cpus_online < 1)
        return rebuild_refuse(path, "machine.cpus_online", err);
    if (!take_command(rebuilt, path, err) || !rebuild_meter(rebuilt, path, err) || !rebuild_windows(rebuilt, path, err))
        return false;
    take_settling(rebuilt);
    take_conditions(rebuilt->document, &rebuilt->report);
    take_notices(rebuilt->document, &rebuilt->report);
    if (!rebuild_hourly(rebuilt))
        return rebuild_refuse(path, "hourly", err);
    report_work_out(&rebuilt->report);
    return true;
}

void rebuild_tell_newer(const struct rebuilt *rebuilt, struct notices *notices)
{
    const int minor = rebuild_natural(rebuilt->document, "minor");

    if (minor > REPORT_MINOR)
        notice_add(notices, NOTICE_NOT_UNDERSTOOD, "what was added since is left out",
                   "use the carbon that wrote it, or a newer one",
                   "a newer carbon wrote this record (minor %d, not %d)", minor, REPORT_MINOR);
}

void rebuild_close(struct rebuilt *rebuilt)
{
    measurement_close(&rebuilt->measurement);
    intensities_close(&rebuilt->intensities);
    free(rebuilt->command);
    rebuilt->command = NULL;
    json_close(rebuilt->document);
    rebuilt->document = NULL;
}
