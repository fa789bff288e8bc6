/* SPDX-License-Identifier: MIT
 * The forms of a result for machines, CSV and JSON, and that they and the table say the same. */
#include "unit.h"

#include "report_fixture.h"

#include "base/units.h"
#include "result/formula.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

/* One record of RFC 4180, in place. */
static size_t split(char *line, char **fields, size_t max)
{
    size_t count = 0;
    char *to = line;

    for (char *from = line;; from++) {
        const bool quoted = *from == '"';
        ck_assert_uint_lt(count, max);
        fields[count++] = to;
        for (from += quoted; quoted ? *from != '"' || from[1] == '"' : *from != ',' && *from != '\n'; from++) {
            ck_assert(*from && (quoted || *from != '"'));
            from += quoted && *from == '"';
            *to++ = *from;
        }
        from += quoted;
        ck_assert(*from == ',' || (*from == '\n' && !from[1]));
        const bool last = *from == '\n';
        *to++ = '\0';
        if (last)
            return count;
    }
}

enum { COLUMNS_MAX = 200 };

struct row {
    char *header, *line;
    char *names[COLUMNS_MAX], *fields[COLUMNS_MAX];
    size_t count;
};

static void row_read(struct row *row, const struct fixture *fixture)
{
    struct text text;

    text_open(&text, 1 << 20);
    csv_line(&fixture->report, &text);
    ck_assert(text_ok(&text));
    row->line = text.data;
    row->header = csv_header();
    row->count = split(row->header, row->names, COLUMNS_MAX);
    ck_assert_uint_eq(split(row->line, row->fields, COLUMNS_MAX), row->count);
}

static void row_free(struct row *row)
{
    free(row->header);
    free(row->line);
}

static const char *row_field(const struct row *row, const char *name)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->names[i], name) == 0)
            return row->fields[i];
    ck_abort_msg("no column '%s'", name);
    return NULL;
}

/* Each { name, content }. */
static void fields_are(const struct row *row, const char *const (*fields)[2])
{
    for (; (*fields)[0]; fields++)
        ck_assert_str_eq(row_field(row, (*fields)[0]), (*fields)[1]);
}

#define FIELDS_ARE(row, ...) fields_are(row, (const char *const[][2]){ __VA_ARGS__, { NULL, NULL } })

START_TEST(the_row_is_quoted_and_whole)
{
    struct fixture *fixture = fixture_new();
    char *const command[] = { (char *)"say", (char *)"a, \"b\"", (char *)"c\nd", NULL };
    struct row row;
    char *text, *header;

    fixture->report.command = command;
    notice_add(&fixture->report.own_notices, NOTICE_LEFT_OUT, "", "", "first, of all");
    notice_add(&fixture->report.own_notices, NOTICE_LEFT_OUT, "", "", "second");
    report_finish(&fixture->report);
    row_read(&row, fixture);
    for (size_t i = 0; i < row.count; i++)
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(row.names[i], row.names[j]);
    FIELDS_ARE(&row, { "schema", "carbon.record/1" }, { "command", "say 'a, \"b\"' $'c\\nd'" },
               { "notices", "first, of all; second" }, { "started_at", "2026-11-28T01:00:00.000Z" },
               { "gross_low_j", "" }, { "memory_peak_from", "cgroup" }, { "minor_faults", "1234" });
    row_free(&row);
    text = fixture_write(fixture, &csv_format);
    header = csv_header();
    ck_assert_int_eq(strncmp(text, header, strlen(header)), 0);
    free(header);
    free(text);
    fixture_free(fixture);
}
END_TEST

/* "net_j.mean" */
static const cJSON *json_at(const cJSON *json, const char *path)
{
    char key[64];

    for (; json && *path; path += *path == '.') {
        const size_t length = strcspn(path, ".");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        json = cJSON_GetObjectItemCaseSensitive(json, key);
        path += length;
    }
    ck_assert_ptr_nonnull(json);
    return json;
}

static void check_agreement(struct fixture *fixture)
{
    static const char *const pairs[][2] = {
        { "duration_s", "duration_s.mean" },
        { "duration_s_deviation", "duration_s.deviation" },
        { "gross_j", "gross_j.mean" },
        { "gross_j_deviation", "gross_j.deviation" },
        { "idle_j", "idle_j.mean" },
        { "net_j", "net_j.mean" },
        { "net_j_deviation", "net_j.deviation" },
        { "gross_low_j", "gross_low_j" },
        { "net_high_j", "net_high_j" },
        { "gross_w", "gross_w" },
        { "idle_w", "idle_w" },
        { "net_w", "net_w" },
        { "baseline_s", "baseline_s" },
        { "resolution_j", "resolution_j" },
        { "pue", "pue.value" },
        { "kgco2eq_per_kwh", "factor.kgco2eq_per_kwh" },
        { "factor_year", "factor.year" },
        { "gross_it_kwh", "emissions.gross.it_kwh" },
        { "gross_kgco2eq", "emissions.gross.kgco2eq" },
        { "net_facility_kwh", "emissions.net.facility_kwh" },
        { "net_kgco2eq", "emissions.net.kgco2eq" },
        { "net_kgco2eq_low", "emissions.net.kgco2eq_low" },
        { "net_kgco2eq_per_h", "emissions.net.kgco2eq_per_h" },
        { "gross_kgco2eq_per_year", "emissions.gross.kgco2eq_per_year" },
        { "hours_per_year", "hours_per_year.value" },
        { "cpu_s", "usage.cpu_s.value" },
        { "cpu_percent_of_machine", "usage.cpu_percent_of_machine.value" },
        { "memory_peak_bytes", "usage.memory_peak_bytes.value" },
        { "major_faults", "usage.major_faults.value" },
        { "memory_bytes", "usage.memory_bytes.value" },
        { "working_set_bytes", "usage.working_set_bytes.value" },
        { "received_bytes", "usage.received_bytes.value" },
        { "sent_bytes", "usage.sent_bytes.value" },
        { "machine_share", "machine_share.mean" },
        { "attributed_j", "attributed_j.mean" },
        { "runs", "runs" },
        { "warmups", "warmups" },
        { "exit_status", "exit_status" },
        { "start_gap_s", "start_gap_s" },
    };
    char *text = fixture_write(fixture, &json_format), *table = fixture_write(fixture, &table_format);
    cJSON *json = cJSON_Parse(text);
    char gross[UNITS_SIZE], idle[UNITS_SIZE], net[UNITS_SIZE], line[400];
    const char *total = strstr(table, "\n  total ");
    struct row row;
    struct formula formula;

    ck_assert_ptr_nonnull(json);
    row_read(&row, fixture);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const cJSON *value = json_at(json, pairs[i][1]);
        const char *field = row_field(&row, pairs[i][0]);
        if (*field)
            ck_assert_msg(cJSON_IsNumber(value) && value->valuedouble == strtod(field, NULL), "%s: %s", pairs[i][0],
                          field);
        else
            ck_assert_msg(cJSON_IsNull(value), "%s", pairs[i][0]);
    }
    /* the table's total, and the sum as it stands there, from the record's figures */
    units_energy(json_at(json, "gross_j.mean")->valuedouble, gross);
    units_energy(json_at(json, "idle_j.mean")->valuedouble, idle);
    units_energy(json_at(json, "net_j.mean")->valuedouble, net);
    ck_assert_ptr_nonnull(total);
    snprintf(line, sizeof line, "%.*s", (int)strcspn(total + 1, "\n"), total + 1);
    ck_assert_msg(strstr(line, gross) && strstr(line, idle) && strstr(line, net), "%s", line);
    formula = formula_of(json_at(json, "emissions.net.it_kwh")->valuedouble, json_at(json, "pue.value")->valuedouble,
                         json_at(json, "factor.kgco2eq_per_kwh")->valuedouble, 3);
    snprintf(line, sizeof line, "  net    %s per run = %s\n", formula.result, formula.terms);
    ck_assert_msg(strstr(table, line) != NULL, "%s", line);
    units_mass(json_at(json, "emissions.net.kgco2eq_per_h")->valuedouble, net);
    ck_assert_ptr_nonnull(strstr(table, net));
    ck_assert_ptr_null(strstr(table, "/year")); /* nobody asked for a year */
    row_free(&row);
    cJSON_Delete(json);
    free(table);
    free(text);
}

START_TEST(table_csv_and_json_agree)
{
    struct fixture *fixture = fixture_new();
    uint64_t state = 7;

    report_finish(&fixture->report);
    check_agreement(fixture);
    fixture->report.target = "process 1234 (nginx)";
    fixture_leave(fixture);
    report_finish(&fixture->report);
    check_agreement(fixture);
    for (int i = 0; i < 200; i++) {
        for (size_t j = 0; j < 2; j++)
            for (size_t k = 0; k < 3; k++) {
                state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                fixture->runs[j].window.energy_uj[k] = state >> (24 + (unsigned)i % 24);
                fixture->baselines[j].energy_uj[k] = state >> (25 + (unsigned)i % 24);
                fixture->runs[j].window.duration_ns = FIXTURE_S + (state >> 28);
            }
        fixture->report.pue = 1 + (double)(state >> 40) / 1e7;
        fixture->report.factor.kgco2eq_per_kwh = (double)(state >> 34) / 3e9;
        report_finish(&fixture->report);
        check_agreement(fixture);
    }
    fixture_free(fixture);
}
END_TEST

START_TEST(the_record_is_exact_and_valid_utf8)
{
    struct fixture *fixture = fixture_new();
    char *const command[] = { (char *)"caf\xc3\xa9", (char *)"stray\xff", (char *)"\"\\\n", NULL };
    char *text;
    cJSON *json;

    fixture->report.command = command;
    fixture->domains[FIXTURE_CORES].wraps_at_uj = UINT64_MAX;
    fixture->runs[0].window.energy_uj[FIXTURE_CORES] = UINT64_C(9007199254740993);
    report_finish(&fixture->report);
    text = fixture_write(fixture, &json_format);
    ck_assert_ptr_nonnull(strstr(text, "18446744073709551615"));
    ck_assert_ptr_nonnull(strstr(text, "[800000000, 130000000, 9007199254740993, null]"));
    json = cJSON_Parse(text);
    ck_assert_ptr_nonnull(json);
    const cJSON *words = json_at(json, "command");
    ck_assert_int_eq(cJSON_GetArraySize(words), 3);
    ck_assert_str_eq(cJSON_GetArrayItem(words, 0)->valuestring, "caf\xc3\xa9");
    ck_assert_str_eq(cJSON_GetArrayItem(words, 1)->valuestring, "stray\xef\xbf\xbd");
    ck_assert_str_eq(cJSON_GetArrayItem(words, 2)->valuestring, "\"\\\n");
    ck_assert_int_eq(cJSON_GetArraySize(json_at(json, "windows.runs")), 2);
    ck_assert_int_eq(cJSON_GetArraySize(json_at(json, "domains")), FIXTURE_DOMAINS);
    ck_assert_str_eq(cJSON_GetArrayItem(json_at(json, "refused"), 0)->child->valuestring, "perf");
    cJSON_Delete(json);
    free(text);
    fixture_free(fixture);
}
END_TEST

/* Every stall under its own name, and of a domain every doubt. */
START_TEST(each_figure_has_its_column)
{
    struct fixture *fixture = fixture_new();
    struct meter_domain *state = &fixture->meter.domains[FIXTURE_PACKAGE];
    const cJSON *domain;
    struct row row;
    cJSON *json;
    char *text;

    for (size_t i = 0; i < 2; i++) {
        struct usage *usage = &fixture->runs[i].usage;
        usage->cpu_stall_ns = (struct usage_value){ true, FIXTURE_S, "cgroup" };
        usage->memory_stall_ns = (struct usage_value){ true, 2 * FIXTURE_S, "cgroup" };
        usage->io_stall_ns = (struct usage_value){ true, 3 * FIXTURE_S, "cgroup" };
        usage->cycles = (struct usage_value){ true, 4, "perf" };
        usage->instructions = (struct usage_value){ true, 5, "perf" };
        usage->cache_misses = (struct usage_value){ true, 6, "perf" };
    }
    state->wraps = 7;
    state->resets = 8;
    state->missed_reads = 9;
    state->ambiguous_gaps = 10;
    state->lost = 11;
    state->lost_ns = 12 * FIXTURE_S;
    state->unwatched_ns = 13 * FIXTURE_S;
    report_finish(&fixture->report);
    row_read(&row, fixture);
    FIELDS_ARE(&row, { "user_s", "9.8" }, { "system_s", "0.1" }, { "voluntary_switches", "12" },
               { "involuntary_switches", "3" }, { "read_bytes", "1048576" }, { "written_bytes", "0" },
               { "cpu_stall_s", "1" }, { "memory_stall_s", "2" }, { "io_stall_s", "3" }, { "cycles", "4" },
               { "instructions", "5" }, { "cache_misses", "6" });
    row_free(&row);
    text = fixture_write(fixture, &json_format);
    json = cJSON_Parse(text);
    domain = cJSON_GetArrayItem(json_at(json, "domains"), FIXTURE_PACKAGE);
    ck_assert_double_eq(json_at(domain, "wraps")->valuedouble, 7);
    ck_assert_double_eq(json_at(domain, "resets")->valuedouble, 8);
    ck_assert_double_eq(json_at(domain, "missed_reads")->valuedouble, 9);
    ck_assert_double_eq(json_at(domain, "ambiguous_gaps")->valuedouble, 10);
    ck_assert_double_eq(json_at(domain, "lost")->valuedouble, 11);
    ck_assert_double_eq(json_at(domain, "lost_s")->valuedouble, 12);
    ck_assert_double_eq(json_at(domain, "unwatched_s")->valuedouble, 13);
    cJSON_Delete(json);
    free(text);
    fixture_free(fixture);
}
END_TEST

/* Writes the record and has the schema's checker look at it. */
static void check_schema(const struct fixture *fixture, const char *what)
{
    const char *source = getenv("srcdir") ? getenv("srcdir") : ".";
    char path[] = "/tmp/carbon-record.XXXXXX", command[600];
    char *text = fixture_write(fixture, &json_format);
    const int fd = mkstemp(path);
    int status;

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    snprintf(command, sizeof command, "sh '%s/tests/check-schema.sh' %s >%s.out 2>&1", source, path, path);
    status = system(command);
    snprintf(command, sizeof command, "cat %s.out; rm -f %s %s.out", path, path, path);
    ck_assert_msg(WIFEXITED(status), "%s", what);
    if (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != UNIT_SKIPPED)
        ck_assert_int_eq(system(command), 0);
    else
        ck_assert_int_eq(system(strstr(command, "rm")), 0);
    ck_assert_msg(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == UNIT_SKIPPED, "%s is against the schema", what);
    free(text);
}

START_TEST(every_record_keeps_to_the_schema)
{
    struct fixture *fixture = fixture_new();
    struct report *report = &fixture->report;

    notice_add(&report->own_notices, NOTICE_LEFT_OUT, "because", "", "a doubt");
    report_finish(report);
    check_schema(fixture, "a whole record");
    fixture->measurement.run_count = fixture->measurement.baseline_count = 0;
    report->complete = false;
    report->ended_realtime_ns = 0;
    report->factor = (struct factor){ .kgco2eq_per_kwh = 0.1, .quality = QUALITY_GIVEN };
    fixture->machine =
        (struct machine){ .cpu_family = -1, .cpu_number = -1, .cpu_stepping = -1, .cpus_online = 1, .packages = 1 };
    report->cpus[0] = '\0';
    report_finish(report);
    check_schema(fixture, "a record of nothing yet");
    fixture->measurement.run_count = 1;
    fixture->runs[0].ended = false;
    report_finish(report);
    check_schema(fixture, "a record while the work goes on");
    fixture_free(fixture);
}
END_TEST

UNIT_SUITE("forms", the_row_is_quoted_and_whole, table_csv_and_json_agree, the_record_is_exact_and_valid_utf8,
           each_figure_has_its_column, every_record_keeps_to_the_schema)
