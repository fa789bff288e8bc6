/* SPDX-License-Identifier: MIT
 * The record and the row: every figure under its own name, and what is null. */
#include "unit.h"

#include "report_fixture.h"

#include "base/csv.h"

#include <cjson/cJSON.h>
#include <math.h>

/* "windows.runs.0.net_j" */
static const cJSON *at(const cJSON *json, const char *path)
{
    char key[64];

    for (const char *from = path; json && *from; from += *from == '.') {
        const size_t length = strcspn(from, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, from);
        json = cJSON_IsArray(json) ? cJSON_GetArrayItem(json, atoi(key)) : cJSON_GetObjectItemCaseSensitive(json, key);
        from += length;
    }
    ck_assert_msg(json != NULL, "no '%s'", path);
    return json;
}

static cJSON *record_of(const struct fixture *fixture)
{
    char *text = fixture_write(fixture, &json_format);
    cJSON *json = cJSON_Parse(text);

    ck_assert_ptr_nonnull(json);
    free(text);
    return json;
}

static void is_number(const cJSON *json, const char *path, double value)
{
    const cJSON *item = at(json, path);

    ck_assert_msg(cJSON_IsNumber(item) && item->valuedouble == value, "%s: %g, not %g", path, item->valuedouble, value);
}

static void is_null(const cJSON *json, const char *path)
{
    ck_assert_msg(cJSON_IsNull(at(json, path)), "%s", path);
}

/* A figure of the report: where it stands in the record, and its column in the row (or none). */
struct figure_at {
    const char *path, *column;
    double *value;
};

/* Gives each a value of its own, and looks for that in the record and in the row. */
static void each_has_its_place(struct fixture *fixture, const struct figure_at *figures, size_t count)
{
    char *row, *header = csv_header();
    cJSON *json;

    for (size_t i = 0; i < count; i++)
        *figures[i].value = (double)(i + 2);
    json = record_of(fixture);
    for (size_t i = 0; i < count; i++)
        is_number(json, figures[i].path, (double)(i + 2));
    cJSON_Delete(json);
    row = fixture_write(fixture, &csv_format);
    for (size_t i = 0; i < count; i++) {
        const char *name = header, *field = strchr(row, '\n') + 1;
        const size_t length = figures[i].column ? strlen(figures[i].column) : 0;
        if (!length)
            continue;
        while (strncmp(name, figures[i].column, length) != 0 || (name[length] != ',' && name[length] != '\n')) {
            name = strchr(name, ',');
            ck_assert_msg(name != NULL, "no column %s", figures[i].column);
            name++;
            field += strcspn(field, ",") + 1;
        }
        ck_assert_msg(strtod(field, NULL) == (double)(i + 2), "%s: %.20s", figures[i].column, field);
    }
    free(header);
    free(row);
}

#define EACH(fixture, figures) each_has_its_place(fixture, figures, sizeof figures / sizeof figures[0])

/* The row's fields are counted by their commas, so that none may be in a text. */
static struct fixture *plain_fixture(void)
{
    struct fixture *fixture = fixture_new();

    strcpy(fixture->report.factor.source, "Ember");
    report_finish(&fixture->report);
    return fixture;
}

START_TEST(energies_and_noise)
{
    struct fixture *fixture = plain_fixture();
    struct summary *summary = &fixture->report.summary;
    struct domain_energy *total = &summary->total, *dram = &summary->domains[FIXTURE_DRAM];
    const struct figure_at figures[] = {
        { "duration_s.mean", "duration_s", &summary->duration_s.mean },
        { "duration_s.deviation", "duration_s_deviation", &summary->duration_s.deviation },
        { "duration_s.min", NULL, &summary->duration_s.min },
        { "duration_s.max", NULL, &summary->duration_s.max },
        { "gross_j.mean", "gross_j", &total->gross_j.mean },
        { "gross_j.min", NULL, &total->gross_j.min },
        { "gross_j.max", NULL, &total->gross_j.max },
        { "idle_j.mean", "idle_j", &total->idle_j.mean },
        { "net_j.mean", "net_j", &total->net_j.mean },
        { "net_j.deviation", "net_j_deviation", &total->net_j.deviation },
        { "net_interval_j.low", NULL, &total->net_interval_j.low },
        { "net_interval_j.high", NULL, &total->net_interval_j.high },
        { "gross_w", "gross_w", &total->gross_w },
        { "idle_w", "idle_w", &total->idle_w },
        { "net_w", "net_w", &total->net_w },
        { "gross_low_j", "gross_low_j", &total->gross_low_j },
        { "gross_high_j", "gross_high_j", &total->gross_high_j },
        { "net_low_j", "net_low_j", &total->net_low_j },
        { "net_high_j", "net_high_j", &total->net_high_j },
        { "domains.1.gross_j.mean", NULL, &dram->gross_j.mean },
        { "domains.1.idle_j.mean", NULL, &dram->idle_j.mean },
        { "domains.1.net_j.mean", NULL, &dram->net_j.mean },
        { "domains.1.net_interval_j.low", NULL, &dram->net_interval_j.low },
        { "domains.1.gross_w", NULL, &dram->gross_w },
        { "domains.1.idle_w", NULL, &dram->idle_w },
        { "domains.1.net_w", NULL, &dram->net_w },
        { "domains.1.gross_low_j", NULL, &dram->gross_low_j },
        { "domains.1.net_high_j", NULL, &dram->net_high_j },
        { "domains.1.most_w", NULL, &fixture->domains[FIXTURE_DRAM].max_w },
        { "domains.1.low_ratio", NULL, &fixture->domains[FIXTURE_DRAM].low_ratio },
        { "domains.1.high_ratio", NULL, &fixture->domains[FIXTURE_DRAM].high_ratio },
        { "baseline_s", "baseline_s", &summary->baseline_s },
        { "start_gap_s", "start_gap_s", &fixture->report.start_gap_s },
        { "end_gap_s", "end_gap_s", &fixture->report.end_gap_s },
        { "idle_deviation_w", "idle_deviation_w", &summary->idle_deviation_w },
        { "net_noise_j", "net_noise_j", &summary->net_noise_j },
        { "resolution_j", "resolution_j", &summary->resolution_j },
        { "detectable_j", NULL, &summary->verdict.detectable_j },
        { "share_j.mean", NULL, &summary->share_j.mean },
        { "others_cores.mean", NULL, &summary->background_cores.mean },
        { "machine_share.mean", "machine_share", &summary->machine_share.mean },
        { "attributed_j.mean", "attributed_j", &summary->attributed_j.mean },
    };

    EACH(fixture, figures);
    fixture_free(fixture);
}
END_TEST

START_TEST(emissions)
{
    struct fixture *fixture = plain_fixture();
    struct report *report = &fixture->report;
    const struct figure_at figures[] = {
        { "emissions.gross.it_kwh", "gross_it_kwh", &report->gross.footprint.it_kwh },
        { "emissions.gross.facility_kwh", "gross_facility_kwh", &report->gross.footprint.facility_kwh },
        { "emissions.gross.kgco2eq", "gross_kgco2eq", &report->gross.footprint.kgco2eq },
        { "emissions.gross.kgco2eq_per_kwh", "kgco2eq_per_kwh", &report->gross.kgco2eq_per_kwh },
        { "emissions.gross.kgco2eq_low", "gross_kgco2eq_low", &report->gross.kgco2eq_low },
        { "emissions.gross.kgco2eq_high", "gross_kgco2eq_high", &report->gross.kgco2eq_high },
        { "emissions.gross.kgco2eq_per_h", "gross_kgco2eq_per_h", &report->gross.kgco2eq_per_h },
        { "emissions.gross.kgco2eq_per_year", "gross_kgco2eq_per_year", &report->gross.kgco2eq_per_year },
        { "emissions.net.it_kwh", "net_it_kwh", &report->net.footprint.it_kwh },
        { "emissions.net.kgco2eq", "net_kgco2eq", &report->net.footprint.kgco2eq },
        { "emissions.share.kgco2eq", "share_kgco2eq", &report->share.footprint.kgco2eq },
        { "emissions.gross_market.kgco2eq", "gross_market_kgco2eq", &report->gross_market.footprint.kgco2eq },
        { "emissions.net_market.kgco2eq", "net_market_kgco2eq", &report->net_market.footprint.kgco2eq },
        { "emissions.share_market.kgco2eq", "share_market_kgco2eq", &report->share_market.footprint.kgco2eq },
        { "emissions.gross_water_l", "gross_water_l", &report->gross_water_l },
        { "emissions.net_water_l", "net_water_l", &report->net_water_l },
        { "pue.value", "pue", &report->pue },
        { "factor.kgco2eq_per_kwh", "factor_kgco2eq_per_kwh", &report->factor.kgco2eq_per_kwh },
        { "hours_per_year.value", "hours_per_year", &report->hours_per_year },
    };
    cJSON *json = record_of(fixture);

    is_null(json, "emissions.gross_market"); /* there is no market-based factor */
    cJSON_Delete(json);
    report->supplementary.market.kgco2eq_per_kwh = 1;
    EACH(fixture, figures);
    fixture_free(fixture);
}
END_TEST

#define USAGE(name)                                                                                                    \
    {                                                                                                                  \
        "usage." #name ".value", #name, &usage->name.value                                                             \
    }
#define USAGE_APART(name)                                                                                              \
    {                                                                                                                  \
        "usage." #name ".value", NULL, &usage->name.value                                                              \
    }

START_TEST(usage_of_everything)
{
    struct fixture *fixture = plain_fixture();
    struct usage_summary *usage = &fixture->report.usage;
    const struct figure_at figures[] = {
        USAGE(cpu_s),
        USAGE(user_s),
        USAGE(system_s),
        USAGE(cpu_percent_of_core),
        USAGE(cpu_percent_of_machine),
        USAGE(memory_peak_bytes),
        USAGE(memory_bytes),
        USAGE(working_set_bytes),
        USAGE(read_bytes),
        USAGE(written_bytes),
        USAGE(received_bytes),
        USAGE(sent_bytes),
        USAGE(voluntary_switches),
        USAGE(involuntary_switches),
        USAGE(minor_faults),
        USAGE(major_faults),
        USAGE(cpu_stall_s),
        USAGE(memory_stall_s),
        USAGE(io_stall_s),
        USAGE(cycles),
        USAGE(instructions),
        USAGE(cache_misses),
        USAGE(touched_bytes),
        USAGE_APART(cache_bytes),
    };

    EACH(fixture, figures);
    fixture_free(fixture);
}
END_TEST

/* Times are from the first window on, be it a baseline or not; a window has its own suspend and busy time. */
START_TEST(windows_of_a_record)
{
    struct fixture *fixture = fixture_new();
    cJSON *json;

    for (size_t i = 0; i < 2; i++) {
        fixture->baselines[i].start_ns += 77 * FIXTURE_S;
        fixture->runs[i].window.start_ns += 77 * FIXTURE_S;
    }
    fixture->runs[0].window.suspended_ns = 3 * FIXTURE_S;
    fixture->baselines[0].suspended_ns = 4 * FIXTURE_S;
    fixture->runs[0].window.span_ns = FIXTURE_S / 50;
    fixture->runs[1].window.machine_busy_known = false;
    fixture->runs[0].end = (struct job_end){ .exit_status = 5, .signal = 6, .core_dumped = true };
    fixture->runs[0].orphans = 8;
    report_finish(&fixture->report);
    json = record_of(fixture);
    is_number(json, "windows.baselines.0.start_s", 0);
    is_number(json, "windows.baselines.1.start_s", 15);
    is_number(json, "windows.baselines.1.duration_s", 5);
    is_number(json, "windows.baselines.0.suspended_s", 4);
    is_number(json, "windows.runs.0.start_s", 5);
    is_number(json, "windows.runs.0.duration_s", 10);
    is_number(json, "windows.runs.0.suspended_s", 3);
    is_number(json, "windows.runs.0.reading_s", 0.02);
    is_number(json, "windows.baselines.0.reading_s", 0);
    is_number(json, "windows.runs.0.machine_busy_s", 10);
    is_null(json, "windows.runs.1.machine_busy_s");
    is_number(json, "windows.runs.0.gross_j", 930);
    is_number(json, "windows.runs.0.idle_j", 380);
    is_number(json, "windows.runs.0.net_j", 550);
    is_number(json, "windows.runs.0.exit_status", 5);
    is_number(json, "windows.runs.0.signal", 6);
    ck_assert(cJSON_IsTrue(at(json, "windows.runs.0.core_dumped")));
    is_number(json, "windows.runs.0.start_gap_s", 0.0003);
    is_number(json, "windows.runs.0.end_gap_s", 0.0001);
    is_number(json, "windows.runs.0.left_behind", 8);
    is_number(json, "windows.runs.1.exit_status", 0);
    is_null(json, "windows.runs.1.signal");
    cJSON_Delete(json);
    fixture->baselines[0].start_ns += 20 * FIXTURE_S; /* a run may be the first */
    fixture->measurement.baseline_count = 1;
    json = record_of(fixture);
    is_number(json, "windows.runs.0.start_s", 0);
    is_number(json, "windows.baselines.0.start_s", 15);
    cJSON_Delete(json);
    fixture->measurement.run_count = 0;
    json = record_of(fixture);
    is_number(json, "windows.baselines.0.start_s", 0);
    cJSON_Delete(json);
    fixture_free(fixture);
}
END_TEST

/* What befell a counter, each under its own key. */
START_TEST(counts_of_a_domain)
{
    struct fixture *fixture = fixture_new();
    struct meter_domain *state = &fixture->meter.domains[FIXTURE_DRAM];
    static const char *const keys[] = { "wraps", "resets", "missed_reads", "ambiguous_gaps",
                                        "lost",  "lost_s", "unwatched_s" };
    char path[64];
    cJSON *json;

    state->wraps = 1;
    state->resets = 2;
    state->missed_reads = 3;
    state->ambiguous_gaps = 4;
    state->lost = 5;
    state->lost_ns = 6 * FIXTURE_S;
    state->unwatched_ns = 7 * FIXTURE_S;
    json = record_of(fixture);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        snprintf(path, sizeof path, "domains.1.%s", keys[i]);
        is_number(json, path, (double)i + 1);
    }
    cJSON_Delete(json);
    fixture_free(fixture);
}
END_TEST

/* A run that goes on has no end; what was not run by carbon has no exit status and no gaps. */
START_TEST(what_a_run_has_not)
{
    static char *const nothing[] = { NULL };
    struct fixture *fixture = fixture_new();
    cJSON *json;

    fixture->runs[0].ended = false;
    fixture->runs[0].end = (struct job_end){ .exit_status = 5, .signal = 6, .core_dumped = true };
    report_finish(&fixture->report);
    json = record_of(fixture);
    is_null(json, "windows.runs.0.exit_status");
    is_null(json, "windows.runs.0.signal");
    ck_assert(cJSON_IsFalse(at(json, "windows.runs.0.core_dumped")));
    is_null(json, "windows.runs.0.end_gap_s");
    is_number(json, "windows.runs.0.start_gap_s", 0.0003);
    is_number(json, "windows.runs.1.end_gap_s", 0.0001);
    cJSON_Delete(json);
    fixture->report.command = nothing;
    report_finish(&fixture->report);
    json = record_of(fixture);
    is_null(json, "windows.runs.1.exit_status");
    is_null(json, "windows.runs.1.end_gap_s");
    is_null(json, "windows.runs.1.start_gap_s");
    ck_assert(cJSON_IsTrue(at(json, "windows.runs.1.ended")));
    cJSON_Delete(json);
    fixture_free(fixture);
}
END_TEST

/* Zero is not known: no year, no CPUs, no limit of power. */
START_TEST(what_is_null)
{
    struct fixture *fixture = plain_fixture();
    struct report *report = &fixture->report;
    cJSON *json;

    report->summary.verdict.runs_needed = 0;
    json = record_of(fixture);
    is_null(json, "domains.0.most_w");
    is_null(json, "factor_query.year");
    is_null(json, "cpus.count");
    is_null(json, "runs_needed");
    is_null(json, "parent");
    is_null(json, "meta");
    is_null(json, "settling");
    is_null(json, "restated_at");
    is_number(json, "domains.0.update_s", 0.001);
    is_number(json, "exit_status", 0);
    cJSON_Delete(json);
    fixture->domains[0].max_w = 0.5;
    fixture->domains[0].update_ns = 0;
    report->factor_query.year = 1;
    report->job_cpus = 1;
    report->summary.verdict.runs_needed = 1;
    report->exit_known = false;
    report->summary.below_resolution = true;
    report->summary.counted_unknown = 2;
    report->warmups = 3;
    json = record_of(fixture);
    is_number(json, "domains.0.most_w", 0.5);
    is_null(json, "domains.0.update_s");
    is_number(json, "factor_query.year", 1);
    is_number(json, "cpus.count", 1);
    is_number(json, "runs_needed", 1);
    is_null(json, "exit_status");
    ck_assert(cJSON_IsTrue(at(json, "below_resolution")));
    is_number(json, "counted_unknown", 2);
    is_number(json, "warmups", 3);
    cJSON_Delete(json);
    fixture_free(fixture);
}
END_TEST

UNIT_SUITE("json", energies_and_noise, emissions, usage_of_everything, windows_of_a_record, counts_of_a_domain,
           what_a_run_has_not, what_is_null)
