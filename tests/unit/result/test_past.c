/* SPDX-License-Identifier: MIT
 * Records read back: the figures of one that the real form wrote, and why others are refused. */
#include "unit.h"

#include "output_folder.h"
#include "report_fixture.h"

#include "result/stored/stored_record.h"

#include <math.h>

/* What carbon would have written, with one text put in the place of another. */
static char *record_with(const char *from, const char *to)
{
    struct fixture *fixture = fixture_new();
    char *text, *changed, *at;

    report_finish(&fixture->report);
    text = fixture_write(fixture, &json_format);
    fixture_free(fixture);
    if (!from)
        return text;
    at = strstr(text, from);
    ck_assert_msg(at != NULL, "the record has no %s", from);
    changed = malloc(strlen(text) + strlen(to) + 1);
    ck_assert_ptr_nonnull(changed);
    sprintf(changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    free(text);
    return changed;
}

static void put_record(const char *path, const char *from, const char *to)
{
    char *text = record_with(from, to);

    put(path, text);
    free(text);
}

static struct stored_record *read_back(const char *path)
{
    struct stored_record *stored = calloc(1, sizeof *stored);
    struct error err;

    ck_assert_ptr_nonnull(stored);
    ck_assert_msg(stored_record_read(path, stored, &err), "%s: %s", err.what, err.why);
    return stored;
}

static struct stored_record *past_with(const char *from, const char *to)
{
    put_record("r.json", from, to);
    return read_back("r.json");
}

static void release(struct stored_record *stored)
{
    stored_record_close(stored);
    free(stored);
}

START_TEST(figures_come_back)
{
    struct stored_record *stored;

    enter_folder();
    stored = past_with(NULL, NULL);
    ck_assert_str_eq(stored->path, "r.json");
    ck_assert_str_eq(stored->schema, "carbon.record/1");
    ck_assert_str_eq(stored->id, "2f1c1e9e-5c3b-4f64-9d1f-6f6a3c1b7a55");
    ck_assert_str_eq(stored->started_at, "2026-11-28T01:00:00.000Z");
    ck_assert_str_eq(stored->command[1], "--size");
    ck_assert_ptr_null(stored->command[3]);
    ck_assert(stored->complete && !stored->recorded_tree);
    ck_assert_str_eq(stored->cpu_model, "Intel(R) Core(TM) i7-4770S CPU @ 3.10GHz");
    ck_assert_int_eq(stored->cpus_online, 2);
    ck_assert_int_eq(stored->scope, SCOPE_COMPUTE);
    ck_assert_str_eq(stored->sources, "powercap");
    ck_assert_int_eq(stored->quality, QUALITY_MEASURED);
    ck_assert_double_eq_tol(stored->gross_w, 94.2, 1e-9);
    ck_assert_double_eq_tol(stored->net_w, 56.2, 1e-9);
    ck_assert_double_eq(stored->pue, 1.2);
    ck_assert_double_eq(stored->hours_per_year, 8760);
    ck_assert_double_eq(stored->factor.kgco2eq_per_kwh, 0.044);
    ck_assert_int_eq(stored->factor.year, 2024);
    ck_assert_int_eq(stored->factor.basis, FACTOR_LIFECYCLE);
    ck_assert_int_eq(stored->factor.quality, QUALITY_GIVEN);
    ck_assert_str_eq(stored->factor.zone, "FR");
    ck_assert_str_eq(stored->factor.zone_name, "France");
    ck_assert_str_eq(stored->factor.source, "Yearly Electricity Data, Ember");
    ck_assert_str_eq(stored->ended_at, "2026-11-28T01:00:30.000Z");
    ck_assert_double_eq(stored->duration_s.mean, 10);
    ck_assert_double_eq_tol(stored->gross_j.mean, 942, 1e-9);
    ck_assert_double_eq_tol(stored->gross_j.min, 930, 1e-9);
    ck_assert_double_eq_tol(stored->gross_j.max, 954, 1e-9);
    ck_assert_str_eq(stored->factor.source_id, "ember");
    release(stored);
    leave_folder();
}
END_TEST

/* 800 + 130 and 820 + 134 J, less 38 W for 10 s */
START_TEST(runs_come_back)
{
    struct stored_record *stored;
    struct run_series series;

    enter_folder();
    stored = past_with(NULL, NULL);
    ck_assert_uint_eq(stored->run_count, 2);
    ck_assert_double_eq(stored->runs[0].duration_s, 10);
    ck_assert_double_eq(stored->runs[0].gross_j, 930);
    ck_assert_double_eq(stored->runs[1].gross_j, 954);
    ck_assert_double_eq_tol(stored->runs[1].idle_j, 380, 1e-9);
    ck_assert_double_eq_tol(stored->runs[1].net_j, 574, 1e-9);
    ck_assert(isnan(stored->runs[0].items));
    ck_assert_double_eq_tol(stored->net_j.mean, 562, 1e-9);
    ck_assert_double_eq_tol(stored->net_j.deviation, 12 * sqrt(2), 1e-9);
    ck_assert_uint_eq(stored->net_j.count, 2);
    ck_assert_uint_eq(stored->baseline_count, 2);
    ck_assert_double_eq(stored->baselines[1].w, (150 + 40) / 5.0);
    ck_assert_double_eq(stored->baselines[1].start_s, 15);
    ck_assert_double_eq(stored->baselines[1].duration_s, 5);
    ck_assert_uint_eq(stored->domain_count, 4);
    ck_assert(stored->domains[1].counted && !stored->domains[2].counted);
    ck_assert_str_eq(stored->domains[1].column, "dram-0");
    ck_assert_str_eq(stored->domains[3].column, "");
    series = stored_record_series(stored, "A");
    ck_assert_str_eq(series.name, "A");
    ck_assert_ptr_eq(series.runs, stored->runs);
    ck_assert(series.count == 2 && series.quality == QUALITY_MEASURED && !series.constant);
    release(stored);
    leave_folder();
}
END_TEST

static void refused(const char *path, enum error_kind kind, const char *what, const char *why, const char *fix)
{
    struct stored_record *stored = calloc(1, sizeof *stored);
    struct error err;

    ck_assert_ptr_nonnull(stored);
    ck_assert(!stored_record_read(path, stored, &err));
    ck_assert_int_eq(err.kind, kind);
    ck_assert_str_eq(err.what, what);
    ck_assert_str_eq(err.why, why);
    ck_assert_str_eq(err.fix, fix);
    release(stored);
}

static void refused_with(const char *from, const char *to, const char *what, const char *why, const char *fix)
{
    put_record("r.json", from, to);
    refused("r.json", ERROR_BAD_DATA, what, why, fix);
}

#define GIVE "use a file written by 'carbon measure --json result.json -- sleep 1'"

START_TEST(files_that_are_no_json)
{
    enter_folder();
    refused("none.json", ERROR_ABSENT, "cannot read 'none.json'", "no such file or directory", "");
    refused(".", ERROR_BAD_DATA, "cannot read '.'", "it is a folder", "");
    put("empty", "");
    refused("empty", ERROR_BAD_DATA, "'empty' is not valid JSON", "it is empty", GIVE);
    put("blank", " \n\n");
    refused("blank", ERROR_BAD_DATA, "'blank' is not valid JSON", "it is empty", GIVE);
    put("bad", "{\n  \"schema\": carbon\n}\n");
    refused("bad", ERROR_BAD_DATA, "'bad' is not valid JSON", "line 2, column 13 is malformed", GIVE);
    put("two", "{}\n{}\n");
    refused("two", ERROR_BAD_DATA, "'two' is not valid JSON", "line 2, column 1 is malformed", GIVE);
    put("large", "{");
    ck_assert_int_eq(truncate("large", (64 << 20) + 1), 0);
    refused("large", ERROR_BAD_DATA, "cannot read 'large'", "it is larger than 64 MiB; no result of carbon is", "");
    ck_assert_int_eq(truncate("large", 100), 0);
    refused("large", ERROR_BAD_DATA, "cannot read 'large'", "it has a NUL byte: not text", "");
    leave_folder();
}
END_TEST

START_TEST(a_record_that_ends_in_the_middle)
{
    struct stat status;

    enter_folder();
    put_record("r.json", NULL, NULL);
    ck_assert_int_eq(stat("r.json", &status), 0);
    for (off_t size = status.st_size - 3; size > 1; size = size * 2 / 3) {
        ck_assert_int_eq(truncate("r.json", size), 0);
        struct stored_record *stored = calloc(1, sizeof *stored);
        struct error err;
        ck_assert(!stored_record_read("r.json", stored, &err));
        ck_assert_str_eq(err.what, "'r.json' is not valid JSON");
        release(stored);
    }
    put("cut.json", "{\"schema\": \"carbon.record/1\", \"runs\": [");
    refused("cut.json", ERROR_BAD_DATA, "'cut.json' is not valid JSON", "the file is truncated",
            "use a file written by 'carbon measure --json result.json -- sleep 1'");
    leave_folder();
}
END_TEST

START_TEST(documents_of_another_kind)
{
    enter_folder();
    put("other", "{\"name\": 1}");
    refused("other", ERROR_BAD_DATA, "'other' is the wrong kind of file",
            "it is JSON, but does not say that it is 'carbon.record/1'", GIVE);
    put("list", "[1, 2]");
    refused("list", ERROR_BAD_DATA, "'list' is the wrong kind of file",
            "it is JSON, but does not say that it is 'carbon.record/1'", GIVE);
    refused_with("carbon.record/1", "carbon.estimate/1\\u001b", "'r.json' is the wrong kind of file",
                 "it is 'carbon.estimate/1?', not 'carbon.record/1'", GIVE);
    refused_with("carbon.record/1", "carbon.record/2", "'r.json' was written by another version of carbon",
                 "it is 'carbon.record/2', and this carbon reads 'carbon.record/1'",
                 "use carbon 0.1.0, or a newer one");
    refused_with("\"compute\"", "\"galaxy\"", "'r.json' is malformed", "it names no scope that carbon knows", "");
    leave_folder();
}
END_TEST

static void has_no_finished_run(struct fixture *fixture, const char *why)
{
    char *text;

    report_finish(&fixture->report);
    text = fixture_write(fixture, &json_format);
    put("r.json", text);
    free(text);
    refused("r.json", ERROR_BAD_DATA, "'r.json' holds no finished run", why,
            "measure again: carbon measure --json result.json -- ./job");
}

START_TEST(no_finished_run)
{
    struct fixture *fixture = fixture_new();

    enter_folder();
    fixture->runs[0].warmup = true;
    fixture->runs[1].ended = false;
    has_no_finished_run(fixture, "all of its 2 runs are warm-ups or had not ended");
    fixture->measurement.run_count = 0;
    has_no_finished_run(fixture, "the command had not been run yet when it was written");
    fixture_free(fixture);
    leave_folder();
}
END_TEST

START_TEST(a_partial_record_is_read_and_noticed)
{
    struct fixture *fixture = fixture_new();
    struct stored_record *stored;
    char *text;

    enter_folder();
    fixture->runs[1].ended = false;
    fixture->report.complete = false;
    report_finish(&fixture->report);
    text = fixture_write(fixture, &json_format);
    put("r.json.partial", text);
    free(text);
    fixture_free(fixture);
    stored = read_back("r.json.partial");
    ck_assert(!stored->complete);
    ck_assert_uint_eq(stored->run_count, 1);
    ck_assert_uint_ge(stored->notices.count, 1);
    ck_assert_str_eq(stored->notices.item[0].what, "'r.json.partial' is not complete: 1 run had ended");
    release(stored);
    leave_folder();
}
END_TEST

/* What older and later records may have or lack. */
START_TEST(what_is_not_there_is_unknown)
{
    struct stored_record *stored;
    char name[32];

    enter_folder();
    put("least.json", "{\"schema\": \"carbon.record/1\", \"scope\": \"machine\", \"complete\": true, \"pue\": null,"
                      " \"windows\": {\"runs\": [{\"ended\": true, \"gross_j\": 1e999}]}}");
    stored = read_back("least.json");
    ck_assert_uint_eq(stored->run_count, 1);
    ck_assert(isnan(stored->runs[0].gross_j) && isnan(stored->pue) && isnan(stored->net_j.mean));
    ck_assert(isnan(stored->net_interval_j.low));
    ck_assert_int_eq(stored->quality, QUALITY_UNKNOWN);
    ck_assert_str_eq(stored->cpu_model, "");
    ck_assert_str_eq(stored->sources, "");
    ck_assert_uint_eq(stored->notices.count, 0);
    stored_record_name(stored, name, sizeof name);
    ck_assert_str_eq(name, "");
    release(stored);
    put("baselines.json",
        "{\"schema\": \"carbon.record/1\", \"scope\": \"machine\", \"complete\": true, \"domains\": ["
        "{\"name\": \"a\", \"counted\": true}, {\"name\": \"b\"}, {\"name\": \"c\", \"counted\": true}],"
        " \"windows\": {\"runs\": [{\"ended\": true}], \"baselines\": ["
        "{\"duration_s\": 0, \"energy_uj\": [500000, 1, 1]}, {\"duration_s\": 0.5, \"energy_uj\": [400000, 9, 100000]},"
        "{\"duration_s\": 0.5, \"energy_uj\": [null, 9, null]}, {\"duration_s\": 2, \"energy_uj\": [null, 9, "
        "4000000]}]}}");
    stored = read_back("baselines.json");
    ck_assert_uint_eq(stored->baseline_count, 4);
    ck_assert(isnan(stored->baselines[0].w) && isnan(stored->baselines[2].w));
    ck_assert_double_eq(stored->baselines[1].w, 1);
    ck_assert_double_eq(stored->baselines[3].w, 2); /* of what is known */
    release(stored);
    put("most.json",
        "{\"schema\": \"carbon.record/1\", \"scope\": \"machine\", \"complete\": true, \"label\": \"new\\tparser\","
        " \"verdict\": \"not-measurable\", \"net_interval_j\": {\"low\": -1.5, \"high\": 2}, \"windows\": {\"runs\": ["
        "{\"ended\": true, \"warmup\": true, \"marks\": [{\"name\": \"load\", \"at_s\": 0.5}]},"
        "{\"ended\": true, \"warmup\": false, \"counted\": false},"
        "{\"ended\": true, \"warmup\": false, \"counted\": true, \"net_j\": 3, \"duration_s\": 4,"
        " \"marks\": [{\"name\": \"a\", \"at_s\": 1}, {\"name\": \"b\", \"at_s\": null},"
        " {\"name\": \"c\", \"at_s\": 3}]}]}}");
    stored = read_back("most.json");
    ck_assert_str_eq(stored->label, "new?parser");
    ck_assert(stored->constant && stored_record_series(stored, "").constant);
    ck_assert(stored->net_interval_j.low == -1.5 && stored->net_interval_j.high == 2);
    ck_assert_uint_eq(stored->run_count, 1);
    ck_assert(stored->runs[0].net_j == 3 && isnan(stored->runs[0].items));
    ck_assert_uint_eq(stored->phase_count, 3);
    ck_assert(stored->phases[0].warmup && stored->phases[0].run == 1 && isnan(stored->phases[0].duration_s));
    ck_assert(!stored->phases[1].warmup && stored->phases[1].run == 2 && stored->phases[1].duration_s == 2);
    ck_assert(stored->phases[2].at_s == 3 && stored->phases[2].duration_s == 1);
    release(stored);
    leave_folder();
}
END_TEST

START_TEST(names)
{
    struct stored_record *stored;
    char name[32];

    enter_folder();
    stored = past_with("\"./job\"", "\"/opt/some where/job\"");
    stored_record_name(stored, name, sizeof name);
    ck_assert_str_eq(name, "job --size 4");
    stored_record_name(stored, name, 6);
    ck_assert_str_eq(name, "job -");
    release(stored);
    stored = past_with("\"complete\"", "\"label\": \"the new one\", \"complete\"");
    stored_record_name(stored, name, sizeof name);
    ck_assert_str_eq(name, "the new one");
    release(stored);
    leave_folder();
}
END_TEST

static void differs(const char *from, const char *to, const char *why, const char *fix)
{
    struct stored_record *stored = past_with(NULL, NULL), *other;
    struct error err = { .kind = ERROR_NONE };

    put_record("s.json", from, to);
    other = read_back("s.json");
    ck_assert(!stored_record_comparable(stored, other, &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_str_eq(err.what, "'r.json' and 's.json' cannot be compared");
    ck_assert_str_eq(err.why, why);
    ck_assert_str_eq(err.fix, fix);
    release(stored);
    release(other);
}

START_TEST(what_cannot_be_compared)
{
    struct stored_record *stored;
    struct error err = { .kind = ERROR_NONE };

    enter_folder();
    stored = past_with(NULL, NULL);
    ck_assert(stored_record_comparable(stored, stored, &err));
    ck_assert_int_eq(err.kind, ERROR_NONE);
    release(stored);
    differs("i7-4770S", "i7-4771",
            "one machine's processor is 'Intel(R) Core(TM) i7-4770S CPU @ 3.10GHz', the other's "
            "'Intel(R) Core(TM) i7-4771 CPU @ 3.10GHz'",
            "measure both on the same machine: carbon compare -- 'command A' -- 'command B'");
    differs("\"cpus_online\":\t2", "\"cpus_online\":\t4", "one machine had 2 CPUs online, the other 4",
            "measure both with the same CPUs online: carbon compare -- 'command A' -- 'command B'");
    differs("\"compute\"", "\"machine\"", "one is of scope compute, the other of scope machine",
            "measure both with --scope compute");
    differs("\"sources\":\t[\"powercap\"", "\"sources\":\t[\"hwmon\"",
            "one's joules come from powercap, the other's from hwmon", "measure both with --source powercap");
    differs("\"quality\":\t\"measured\"", "\"quality\":\t\"modelled\"",
            "the quality of one is 'measured', of the other 'modelled'", "measure both with --require-measured");
    leave_folder();
}
END_TEST

UNIT_SUITE("past", figures_come_back, runs_come_back, files_that_are_no_json, a_record_that_ends_in_the_middle,
           documents_of_another_kind, no_finished_run, a_partial_record_is_read_and_noticed,
           what_is_not_there_is_unknown, names, what_cannot_be_compared)
