/* SPDX-License-Identifier: MIT
 * A report from its record: machine, meter, factor and notices; then everything is worked out again. */
#include "result/stored/rebuild.h"

#include "base/clock.h"
#include "base/text.h"
#include "io/json_read.h"
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

static void take_machine(const struct cJSON *node, struct machine *machine)
{
    TAKE(machine->cpu_vendor, node, "cpu_vendor");
    TAKE(machine->cpu_model, node, "cpu_model");
    machine->cpu_family = rebuild_natural(node, "cpu_family");
    machine->cpu_number = rebuild_natural(node, "cpu_number");
    machine->cpu_stepping = rebuild_natural(node, "cpu_stepping");
    machine->guest = json_is_true(node, "guest");
    TAKE(machine->hypervisor, node, "hypervisor");
    machine->container = json_is_true(node, "container");
    machine->cpus_online = rebuild_natural(node, "cpus_online");
    machine->packages = rebuild_natural(node, "packages");
    machine->memory_bytes = rebuild_positive(node, "memory_bytes");
    TAKE(machine->kernel, node, "kernel");
    TAKE(machine->id, node, "id");
    TAKE(machine->start, node, "start");
}

struct error rebuild_error(const struct cJSON *node)
{
    struct error error = { .kind = ERROR_NONE };

    for (enum error_kind kind = ERROR_USAGE; kind <= ERROR_SYSTEM; kind++)
        if (strcmp(error_kind_name(kind), json_text_of(node, "kind")) == 0)
            error.kind = kind;
    error.notice = notice_kind_of(json_text_of(node, "notice"));
    TAKE(error.what, node, "what");
    TAKE(error.why, node, "why");
    TAKE(error.fix, node, "fix");
    return error;
}

/* A row of a factor table as json_factor writes it. */
void rebuild_factor(const struct cJSON *node, struct factor *factor)
{
    factor->kgco2eq_per_kwh = json_number_of(node, "kgco2eq_per_kwh");
    factor->quality = quality_of(json_text_of(node, "quality"));
    factor->year = (int)rebuild_positive(node, "year");
    if (!factor_basis_of(json_text_of(node, "basis"), &factor->basis))
        factor->basis = FACTOR_NO_BASIS;
    TAKE(factor->zone, node, "zone");
    TAKE(factor->zone_name, node, "zone_name");
    TAKE(factor->method, node, "method");
    TAKE(factor->scope, node, "scope");
    TAKE(factor->td_losses, node, "td_losses");
    TAKE(factor->gases, node, "gases");
    TAKE(factor->source_id, node, "source_id");
    TAKE(factor->source, node, "source");
    TAKE(factor->licence, node, "licence");
    TAKE(factor->table, node, "table");
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

    rebuild_factor(json_member(record, "factor"), factor);
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

static void take_sci_figure(const struct cJSON *node, const char *key, struct sci_figure *figure)
{
    figure->value = json_number_of(json_member(node, key), "value");
    figure->quality = quality_of(json_text_of(json_member(node, key), "quality"));
}

static void take_sci(const struct cJSON *node, struct sci *sci)
{
    const struct cJSON *machine = json_member(node, "machine");

    sci->asked = json_kind(node) == JSON_OBJECT;
    sci->units = json_number_of(node, "units");
    TAKE(sci->unit, node, "unit");
    sci->machine_kgco2eq.value = json_number_of(machine, "kgco2eq");
    sci->machine_kgco2eq.quality = quality_of(json_text_of(machine, "quality"));
    TAKE(sci->machine, machine, "name");
    TAKE(sci->source_id, machine, "source_id");
    TAKE(sci->version, machine, "version");
    take_sci_figure(node, "lifetime_years", &sci->lifetime_years);
    take_sci_figure(node, "reserved_share", &sci->reserved_share);
}

static void take_equivalents(const struct cJSON *array, struct equivalents *equivalents)
{
    for (const struct cJSON *node = json_first(array); node && equivalents->count < EQUIVALENTS_MAX;
         node = json_next(node)) {
        struct equivalent *item = &equivalents->items[equivalents->count++];
        TAKE(item->name, node, "name");
        item->kgco2eq_per_unit = json_number_of(node, "kgco2eq_per_unit");
        TAKE(item->unit, node, "unit");
        TAKE(item->region, node, "region");
        item->year = (int)rebuild_positive(node, "year");
        TAKE(item->source_id, node, "source_id");
        TAKE(item->source, node, "source");
    }
}

/* What stands beside the location-based figure; see json_beside. */
static void take_beside(const struct cJSON *record, struct beside *beside)
{
    const struct cJSON *wue = json_member(record, "wue");

    rebuild_factor(json_member(record, "market_factor"), &beside->market);
    take_edition(record, "market_factor.kgco2eq_per_kwh", &beside->market);
    rebuild_factor(json_member(record, "market_location_factor"), &beside->market_location);
    take_edition(record, "market_location_factor.kgco2eq_per_kwh", &beside->market_location);
    beside->pue.value = json_number_of(json_member(record, "pue"), "value");
    beside->pue.quality = quality_of(json_text_of(json_member(record, "pue"), "quality"));
    TAKE(beside->pue.source, json_member(record, "pue"), "source");
    beside->wue.value = json_number_of(wue, "l_per_kwh");
    beside->wue.quality = quality_of(json_text_of(wue, "quality"));
    TAKE(beside->wue.source, wue, "source");
}

static void take_conditions(const struct cJSON *record, struct report *report)
{
    const struct cJSON *asked = json_member(record, "factor_query");

    report->pue = json_number_of(json_member(record, "pue"), "value");
    report->pue_quality = quality_of(json_text_of(json_member(record, "pue"), "quality"));
    report->hours_per_year = json_number_of(json_member(record, "hours_per_year"), "value");
    report->hours_quality = quality_of(json_text_of(json_member(record, "hours_per_year"), "quality"));
    take_factor(record, &report->factor);
    take_beside(record, &report->beside);
    TAKE(report->asked.zone, asked, "zone");
    report->asked.year = (int)rebuild_positive(asked, "year");
    report->asked.share_alike = json_is_true(asked, "share_alike");
    TAKE(report->asked.set, asked, "set");
    take_sci(json_member(record, "sci"), &report->sci);
    take_equivalents(json_member(record, "equivalents"), &report->equivalents);
}

static void take_settling(struct rebuilt *rebuilt)
{
    const struct cJSON *node = json_member(rebuilt->document, "settling");
    struct settling *settling = &rebuilt->measurement.settling;

    settling->asked = json_kind(node) == JSON_OBJECT;
    settling->steady = json_is_true(node, "steady");
    settling->waited_s = json_number_of(node, "waited_s");
    settling->variation = json_number_of(node, "variation");
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
    const struct cJSON *parent = json_member(record, "parent");
    struct report *report = &rebuilt->report;

    TAKE(report->id, record, "id");
    TAKE(report->parent.id, parent, "id");
    TAKE(report->parent.schema, parent, "schema");
    report->parent.started_realtime_ns = time_of(parent, "started_at");
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
    take_machine(json_member(rebuilt->document, "machine"), &rebuilt->machine);
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

void rebuild_close(struct rebuilt *rebuilt)
{
    measurement_close(&rebuilt->measurement);
    intensities_close(&rebuilt->intensities);
    free(rebuilt->command);
    rebuilt->command = NULL;
    json_close(rebuilt->document);
    rebuilt->document = NULL;
}
