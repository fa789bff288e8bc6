/* SPDX-License-Identifier: MIT
 * Records read back: the figures of one that the real form wrote, and why others are refused. */
#include "unit.h"

#include "output_folder.h"
#include "report_fixture.h"

#include "result/stored/past.h"

#include <math.h>

/* What carbon would have written, with one text put in the place of another. */
static char *record_with(const char *from, const char *to)
{
    struct fixture *fixture = fixture_new();
    char *text, *changed, *at;

    report_finish(&fixture->report);
    text = fixture_write(fixture, &json_format);
    free(fixture);
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

static struct past *read_back(const char *path)
{
    struct past *past = calloc(1, sizeof *past);
    struct error err;

    ck_assert_ptr_nonnull(past);
    ck_assert_msg(past_read(path, past, &err), "%s: %s", err.what, err.why);
    return past;
}

static struct past *past_with(const char *from, const char *to)
{
    put_record("r.json", from, to);
    return read_back("r.json");
}

static void release(struct past *past)
{
    past_close(past);
    free(past);
}

START_TEST(figures_come_back)
{
    struct past *past;

    enter_folder();
    past = past_with(NULL, NULL);
    ck_assert_str_eq(past->path, "r.json");
    ck_assert_str_eq(past->schema, "carbon.record/1");
    ck_assert_str_eq(past->id, "2f1c1e9e-5c3b-4f64-9d1f-6f6a3c1b7a55");
    ck_assert_str_eq(past->started_at, "2026-11-28T01:00:00.000Z");
    ck_assert_str_eq(past->command[1], "--size");
    ck_assert_ptr_null(past->command[3]);
    ck_assert(past->complete && !past->interrupted && !past->recorded_tree);
    ck_assert_str_eq(past->cpu_model, "Intel(R) Core(TM) i7-4770S CPU @ 3.10GHz");
    ck_assert_int_eq(past->cpus_online, 2);
    ck_assert_int_eq(past->scope, SCOPE_COMPUTE);
    ck_assert_str_eq(past->sources, "powercap");
    ck_assert_int_eq(past->quality, QUALITY_MEASURED);
    ck_assert_double_eq_tol(past->gross_w, 94.2, 1e-9);
    ck_assert_double_eq_tol(past->net_w, 56.2, 1e-9);
    ck_assert_double_eq(past->pue, 1.2);
    ck_assert_double_eq(past->hours_per_year, 8760);
    ck_assert_double_eq(past->factor.kgco2eq_per_kwh, 0.044);
    ck_assert_int_eq(past->factor.year, 2024);
    ck_assert_int_eq(past->factor.basis, FACTOR_LIFECYCLE);
    ck_assert_int_eq(past->factor.quality, QUALITY_GIVEN);
    ck_assert_str_eq(past->factor.zone, "FR");
    ck_assert_str_eq(past->factor.zone_name, "France");
    ck_assert_str_eq(past->factor.source, "Yearly Electricity Data, Ember");
    ck_assert_str_eq(past->ended_at, "2026-11-28T01:00:30.000Z");
    ck_assert_double_eq(past->duration_s.mean, 10);
    ck_assert_double_eq_tol(past->gross_j.mean, 942, 1e-9);
    ck_assert_double_eq_tol(past->gross_j.min, 930, 1e-9);
    ck_assert_double_eq_tol(past->gross_j.max, 954, 1e-9);
    ck_assert_str_eq(past->factor.source_id, "ember");
    release(past);
    leave_folder();
}
END_TEST

/* 800 + 130 and 820 + 134 J, less 38 W for 10 s */
START_TEST(runs_come_back)
{
    struct past *past;
    struct series series;

    enter_folder();
    past = past_with(NULL, NULL);
    ck_assert_uint_eq(past->run_count, 2);
    ck_assert_double_eq(past->runs[0].duration_s, 10);
    ck_assert_double_eq(past->runs[0].gross_j, 930);
    ck_assert_double_eq(past->runs[1].gross_j, 954);
    ck_assert_double_eq_tol(past->runs[1].idle_j, 380, 1e-9);
    ck_assert_double_eq_tol(past->runs[1].net_j, 574, 1e-9);
    ck_assert(isnan(past->runs[0].items));
    ck_assert_double_eq_tol(past->net_j.mean, 562, 1e-9);
    ck_assert_double_eq_tol(past->net_j.deviation, 12 * sqrt(2), 1e-9);
    ck_assert_uint_eq(past->net_j.count, 2);
    ck_assert_uint_eq(past->baseline_count, 2);
    ck_assert_double_eq(past->baselines[1].w, (150 + 40) / 5.0);
    ck_assert_double_eq(past->baselines[1].start_s, 15);
    ck_assert_double_eq(past->baselines[1].duration_s, 5);
    ck_assert_uint_eq(past->domain_count, 4);
    ck_assert(past->domains[1].counted && !past->domains[2].counted);
    ck_assert_str_eq(past->domains[1].column, "dram-0");
    ck_assert_str_eq(past->domains[3].column, "");
    series = past_series(past, "A");
    ck_assert_str_eq(series.name, "A");
    ck_assert_ptr_eq(series.runs, past->runs);
    ck_assert(series.count == 2 && series.quality == QUALITY_MEASURED && !series.constant);
    release(past);
    leave_folder();
}
END_TEST

static void refused(const char *path, enum error_kind kind, const char *what, const char *why, const char *fix)
{
    struct past *past = calloc(1, sizeof *past);
    struct error err;

    ck_assert_ptr_nonnull(past);
    ck_assert(!past_read(path, past, &err));
    ck_assert_int_eq(err.kind, kind);
    ck_assert_str_eq(err.what, what);
    ck_assert_str_eq(err.why, why);
    ck_assert_str_eq(err.fix, fix);
    release(past);
}

static void refused_with(const char *from, const char *to, const char *what, const char *why, const char *fix)
{
    put_record("r.json", from, to);
    refused("r.json", ERROR_BAD_DATA, what, why, fix);
}

#define GIVE "use a file written by 'carbon measure --json FILE'"

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
    refused("large", ERROR_BAD_DATA, "cannot read 'large'", "it holds a NUL byte; this is no text", "");
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
        struct past *past = calloc(1, sizeof *past);
        struct error err;
        ck_assert(!past_read("r.json", past, &err));
        ck_assert_str_eq(err.what, "'r.json' is not valid JSON");
        release(past);
    }
    put("cut.json", "{\"schema\": \"carbon.record/1\", \"runs\": [");
    refused("cut.json", ERROR_BAD_DATA, "'cut.json' is not valid JSON", "the file is truncated",
            "it was cut short; measure again");
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

START_TEST(no_finished_run)
{
    struct fixture *fixture = fixture_new();
    char *text;

    enter_folder();
    fixture->runs[0].warmup = true;
    fixture->runs[1].ended = false;
    report_finish(&fixture->report);
    text = fixture_write(fixture, &json_format);
    put("r.json", text);
    free(text);
    refused("r.json", ERROR_BAD_DATA, "'r.json' holds no finished run",
            "all of its 2 runs are warm-ups or had not ended", "measure again, and let the command end");
    fixture->measurement.run_count = 0;
    report_finish(&fixture->report);
    text = fixture_write(fixture, &json_format);
    put("r.json", text);
    free(text);
    refused("r.json", ERROR_BAD_DATA, "'r.json' holds no finished run",
            "the command had not been run yet when it was written", "measure again, and let the command end");
    free(fixture);
    leave_folder();
}
END_TEST

START_TEST(a_partial_record_is_read_and_noticed)
{
    struct fixture *fixture = fixture_new();
    struct past *past;
    char *text;

    enter_folder();
    fixture->runs[1].ended = false;
    fixture->report.complete = false;
    report_finish(&fixture->report);
    text = fixture_write(fixture, &json_format);
    put("r.json.partial", text);
    free(text);
    free(fixture);
    past = read_back("r.json.partial");
    ck_assert(!past->complete);
    ck_assert_uint_eq(past->run_count, 1);
    ck_assert_uint_ge(past->notices.count, 1);
    ck_assert_str_eq(past->notices.item[0].what, "'r.json.partial' is not complete: 1 run had ended");
    release(past);
    leave_folder();
}
END_TEST

/* What older and later records may have or lack. */
START_TEST(what_is_not_there_is_unknown)
{
    struct past *past;
    char name[32];

    enter_folder();
    put("least.json", "{\"schema\": \"carbon.record/1\", \"scope\": \"machine\", \"complete\": true, \"pue\": null,"
                      " \"windows\": {\"runs\": [{\"ended\": true, \"gross_j\": 1e999}]}}");
    past = read_back("least.json");
    ck_assert_uint_eq(past->run_count, 1);
    ck_assert(isnan(past->runs[0].gross_j) && isnan(past->pue) && isnan(past->net_j.mean));
    ck_assert(isnan(past->net_interval_j.low));
    ck_assert_int_eq(past->quality, QUALITY_UNKNOWN);
    ck_assert_str_eq(past->cpu_model, "");
    ck_assert_str_eq(past->sources, "");
    ck_assert_uint_eq(past->notices.count, 0);
    past_name(past, name, sizeof name);
    ck_assert_str_eq(name, "");
    release(past);
    put("baselines.json",
        "{\"schema\": \"carbon.record/1\", \"scope\": \"machine\", \"complete\": true, \"domains\": ["
        "{\"name\": \"a\", \"counted\": true}, {\"name\": \"b\"}, {\"name\": \"c\", \"counted\": true}],"
        " \"windows\": {\"runs\": [{\"ended\": true}], \"baselines\": ["
        "{\"duration_s\": 0, \"energy_uj\": [500000, 1, 1]}, {\"duration_s\": 0.5, \"energy_uj\": [400000, 9, 100000]},"
        "{\"duration_s\": 0.5, \"energy_uj\": [null, 9, null]}, {\"duration_s\": 2, \"energy_uj\": [null, 9, 4000000]}]}}");
    past = read_back("baselines.json");
    ck_assert_uint_eq(past->baseline_count, 4);
    ck_assert(isnan(past->baselines[0].w) && isnan(past->baselines[2].w));
    ck_assert_double_eq(past->baselines[1].w, 1);
    ck_assert_double_eq(past->baselines[3].w, 2); /* of what is known */
    release(past);
    put("most.json",
        "{\"schema\": \"carbon.record/1\", \"scope\": \"machine\", \"complete\": true, \"label\": \"new\\tparser\","
        " \"verdict\": \"not-measurable\", \"net_interval_j\": {\"low\": -1.5, \"high\": 2}, \"windows\": {\"runs\": ["
        "{\"ended\": true, \"warmup\": true, \"phases\": [{\"name\": \"load\", \"at_s\": 0.5, \"duration_s\": null}]},"
        "{\"ended\": true, \"warmup\": false, \"counted\": false},"
        "{\"ended\": true, \"warmup\": false, \"counted\": true, \"net_j\": 3, \"items\": 7,"
        " \"phases\": [{\"name\": \"a\", \"at_s\": 1, \"duration_s\": 2}, {\"name\": \"b\", \"at_s\": null}]}]}}");
    past = read_back("most.json");
    ck_assert_str_eq(past->label, "new?parser");
    ck_assert(past->constant && past_series(past, "").constant);
    ck_assert(past->net_interval_j.low == -1.5 && past->net_interval_j.high == 2);
    ck_assert_uint_eq(past->run_count, 1);
    ck_assert(past->runs[0].net_j == 3 && past->runs[0].items == 7);
    ck_assert_uint_eq(past->phase_count, 2);
    ck_assert(past->phases[0].warmup && past->phases[0].run == 1 && isnan(past->phases[0].duration_s));
    ck_assert(!past->phases[1].warmup && past->phases[1].run == 2 && past->phases[1].duration_s == 2);
    release(past);
    leave_folder();
}
END_TEST

START_TEST(names)
{
    struct past *past;
    char name[32];

    enter_folder();
    past = past_with("\"./job\"", "\"/opt/some where/job\"");
    past_name(past, name, sizeof name);
    ck_assert_str_eq(name, "job --size 4");
    past_name(past, name, 6);
    ck_assert_str_eq(name, "job -");
    release(past);
    past = past_with("\"complete\"", "\"label\": \"the new one\", \"complete\"");
    past_name(past, name, sizeof name);
    ck_assert_str_eq(name, "the new one");
    release(past);
    leave_folder();
}
END_TEST

static void differs(const char *from, const char *to, const char *why, const char *fix)
{
    struct past *past = past_with(NULL, NULL), *other;
    struct error err = { .kind = ERROR_NONE };

    put_record("s.json", from, to);
    other = read_back("s.json");
    ck_assert(!past_comparable(past, other, &err));
    ck_assert_int_eq(err.kind, ERROR_USAGE);
    ck_assert_str_eq(err.what, "'r.json' and 's.json' cannot be compared");
    ck_assert_str_eq(err.why, why);
    ck_assert_str_eq(err.fix, fix);
    release(past);
    release(other);
}

START_TEST(what_cannot_be_compared)
{
    struct past *past;
    struct error err = { .kind = ERROR_NONE };

    enter_folder();
    past = past_with(NULL, NULL);
    ck_assert(past_comparable(past, past, &err));
    ck_assert_int_eq(err.kind, ERROR_NONE);
    release(past);
    differs("i7-4770S", "i7-4771",
            "one machine's processor is 'Intel(R) Core(TM) i7-4770S CPU @ 3.10GHz', the other's "
            "'Intel(R) Core(TM) i7-4771 CPU @ 3.10GHz'",
            "measure both on the same machine");
    differs("\"cpus_online\":\t2", "\"cpus_online\":\t4", "one machine had 2 CPUs online, the other 4",
            "measure both with the same CPUs online");
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
