/* SPDX-License-Identifier: MIT
 * Records of every kind made anew from what they hold: the same bytes, and every figure changed by hand is found. */
#include "unit.h"

#include "output_folder.h"
#include "report_fixture.h"

#include "commands/restate/verify.h"
#include "form/field.h"
#include "measurement/slices.h"
#include "own/strides.h"
#include "result/by_hour.h"

#include <math.h>

static struct loaded_record *read_again(const char *path)
{
    struct loaded_record *loaded = calloc(1, sizeof *loaded);
    struct error err;

    ck_assert_ptr_nonnull(loaded);
    ck_assert_msg(record_load(path, loaded, &err), "%s: %s", err.what, err.why);
    return loaded;
}

static char *written(const struct report *report)
{
    char *data = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&data, &size);
    struct error err;

    ck_assert_ptr_nonnull(out);
    ck_assert(json_format.write(report, out, &err));
    ck_assert_int_eq(fclose(out), 0);
    return data;
}

/* The record of the fixture, its report made from that, and the record of the latter: the same bytes. */
static void comes_again(struct fixture *fixture, const char *what)
{
    char *first, *second;
    struct loaded_record *loaded;

    report_finish(&fixture->report);
    first = fixture_write(fixture, &json_format);
    put("r.json", first);
    loaded = read_again("r.json");
    second = written(&loaded->report);
    for (size_t i = 0; first[i] || second[i]; i++)
        ck_assert_msg(first[i] == second[i], "%s: '%.80s' becomes '%.80s'", what, first + (i > 40 ? i - 40 : 0),
                      second + (i > 40 ? i - 40 : 0));
    free(first);
    free(second);
    loaded_record_close(loaded);
    free(loaded);
}

START_TEST(runs_come_again)
{
    struct fixture *fixture = fixture_new();

    enter_folder();
    comes_again(fixture, "two runs");
    fixture->runs[0].warmup = true;
    comes_again(fixture, "a warm-up and a run");
    fixture->runs[0].warmup = false;
    fixture->runs[1].left_out = true;
    fixture->runs[1].end.exit_status = 139;
    fixture->runs[1].end.signal = 11;
    fixture->runs[1].end.core_dumped = true;
    fixture->report.complete = false;
    comes_again(fixture, "a failed run that is left out");
    fixture->runs[1].left_out = false;
    fixture->runs[1].orphans = 2;
    strcpy(fixture->runs[1].orphan_names, "sleep, nginx");
    fixture->measurement.interrupted = 2;
    comes_again(fixture, "cut short, with processes left behind");
    fixture->measurement.run_count = 1;
    fixture->runs[0].ended = false;
    comes_again(fixture, "while the work goes on");
    fixture->measurement.run_count = 0;
    comes_again(fixture, "no run yet");
    fixture_free(fixture);
    leave_folder();
}
END_TEST

/* Odd times and energies, so that each double has all its digits, on a clock that began long ago. */
START_TEST(odd_figures_come_again)
{
    struct fixture *fixture = fixture_new();

    enter_folder();
    for (size_t i = 0; i < 2; i++) {
        struct window *windows[] = { &fixture->baselines[i], &fixture->runs[i].window };
        for (size_t w = 0; w < 2; w++) {
            windows[w]->start_ns += UINT64_C(9876543210987) + i;
            windows[w]->duration_ns -= UINT64_C(123456789) * (w + 1) + 7 * i;
            windows[w]->energy_uj[FIXTURE_PACKAGE] += 1234567 * (i + 1) + 89 * w;
            windows[w]->energy_uj[FIXTURE_DRAM] += 7654321 * (w + 1) + 13 * i;
            windows[w]->machine_busy_ns += 3333333;
            windows[w]->realtime_ns += 123456789;
        }
        for (size_t part = 0; part < BASELINE_PARTS; part++)
            fixture->baselines[i].parts_w[part] = 38 + (double)(part * part) / 7 + (double)i / 3;
        fixture->baselines[i].part_count = BASELINE_PARTS;
        fixture->runs[i].usage.cpu_ns.value += 1234567 * i;
    }
    fixture->measurement.settling = (struct settling){ .asked = true, .waited_s = 30.1, .variation = NAN };
    fixture->runs[0].window.suspended_ns = 1234567891;
    fixture->runs[0].window.span_ns = 12345678;
    comes_again(fixture, "odd figures");
    fixture->report.job_cpus = 1;
    fixture->report.label = "old";
    fixture->report.factor.quality = QUALITY_DEFAULT;
    comes_again(fixture, "a label, one CPU");
    fixture->report.project = "thèse";
    comes_again(fixture, "a project");
    fixture->report.meta[0] = (struct report_meta){ "commit", "4f1c9e2" };
    fixture->report.meta[1] = (struct report_meta){ "a.b-c_9", "" };
    fixture->report.meta_count = 2;
    comes_again(fixture, "meta, one of it empty");
    fixture_free(fixture);
    leave_folder();
}
END_TEST

START_TEST(unknown_figures_come_again)
{
    struct fixture *fixture = fixture_new();

    enter_folder();
    fixture->measurement.baseline_count = 0;
    comes_again(fixture, "no baseline");
    fixture->measurement.baseline_count = 1;
    fixture->meter.domains[FIXTURE_DRAM].moved = false;
    fixture->runs[0].window.known[FIXTURE_PACKAGE] = 0;
    comes_again(fixture, "two domains unknown");
    fixture->runs[0].window.known[FIXTURE_PACKAGE] = 1;
    fixture->domains[FIXTURE_PACKAGE].max_w = 50;
    comes_again(fixture, "more power than can be");
    fixture->runs[1].window.machine_busy_known = false;
    fixture->runs[0].usage.cpu_ns.known = false;
    fixture->runs[0].usage.memory_peak_bytes.known = false;
    comes_again(fixture, "what the job used is unknown");
    fixture->counting.is_counted[FIXTURE_PACKAGE] = fixture->counting.is_counted[FIXTURE_DRAM] = false;
    comes_again(fixture, "nothing counts");
    fixture_free(fixture);
    leave_folder();
}
END_TEST

START_TEST(models_and_targets_come_again)
{
    static char *const none[] = { NULL };
    struct fixture *fixture = fixture_new();

    enter_folder();
    fixture->domains[FIXTURE_PACKAGE].quality = QUALITY_MODELLED;
    fixture->domains[FIXTURE_PACKAGE].low_ratio = 1.0 / 3;
    fixture->domains[FIXTURE_PACKAGE].high_ratio = 2.2;
    notice_add(&fixture->report.own_notices, NOTICE_MODELLED, "", "", "modelled, not measured");
    notice_add(&fixture->report.own_notices, NOTICE_STAND_IN, "why", "--zone",
               "no zone given; using the world average");
    fixture->report.factor_query =
        (struct factor_asked){ .zone = "fr", .year = 2026, .first_notice = 1, .notice_count = 1 };
    comes_again(fixture, "modelled");
    fixture->report.command = none;
    fixture->report.target = "process 1234 (nginx)";
    comes_again(fixture, "what ran already");
    fixture_leave(fixture);
    comes_again(fixture, "what ran already and goes on");
    fixture->counting.whole_machine = FIXTURE_DENIED;
    strcpy(fixture->counting.whole_machine_name, "psys");
    comes_again(fixture, "a whole machine beside");
    fixture->counting.whole_machine = -1;
    comes_again(fixture, "no whole machine beside");
    fixture->report.sci = (struct sci){
        .enabled = true,
        .units = 1000,
        .unit = "alerts",
        .machine_kgco2eq = { 1000, QUALITY_GIVEN },
        .lifetime_years = { 4, QUALITY_DEFAULT },
        .reserved_share = { 0.3, QUALITY_ATTRIBUTED },
    };
    fixture->report.equivalents.count = 1;
    fixture->report.equivalents.items[0] = (struct equivalent){
        .name = "car_average",
        .kgco2eq_per_unit = 0.16664,
        .unit = "km",
        .year = 2023,
        .source_id = "UK",
        .source = "Conversion factors",
    };
    fixture->report.parent = (struct parent){
        .id = "2f1c1e9e-5c3b-4f64-9d1f-6f6a3c1b7a56",
        .schema = REPORT_SCHEMA,
        .started_realtime_ns = UINT64_C(1795827600) * FIXTURE_S,
        .restated_realtime_ns = UINT64_C(1795827700) * FIXTURE_S,
    };
    comes_again(fixture, "a score, equivalents and a parent");
    fixture->report.sci.machine_kgco2eq = (struct sci_figure){ NAN, QUALITY_UNKNOWN };
    comes_again(fixture, "a score without M");
    fixture_free(fixture);
    leave_folder();
}
END_TEST

/* A run cut in three and one that is whole, laid on half hours of which one is missing. */
START_TEST(hours_come_again)
{
    struct fixture *fixture = fixture_new();
    struct intensity items[] = {
        { 1795827600, 1795827610, 1.0 / 3, INTENSITY_ACTUAL, 0 },
        { 1795827612, 1795827640, 0.7, INTENSITY_FORECAST, 1 },
    };
    struct intensities known = {
        .items = items,
        .count = 2,
        .answers = { { 1795827700, false, "https://example.org/a" }, { 1795827701, true, "" } },
        .answer_count = 2,
    };
    struct slices *slices = slices_new(FIXTURE_DOMAINS, 2, FIXTURE_S);

    enter_folder();
    ck_assert_ptr_nonnull(slices);
    for (uint64_t i = 0; i < 3; i++) {
        ck_assert(
            slices_add(slices, &(struct slice){ .realtime_ns = (UINT64_C(1795827605) + 3 * i) * FIXTURE_S + 123456,
                                                .start_ns = 3 * i * FIXTURE_S + 7,
                                                .duration_ns = (i < 2 ? 3 : 4) * FIXTURE_S - (i == 0) * 7 }));
        slices_give(slices, FIXTURE_PACKAGE, 800 * FIXTURE_J / 3 + (i == 2) * 2);
        slices_give(slices, FIXTURE_DRAM, 130 * FIXTURE_J / 3 + (i == 2));
    }
    comes_again(fixture, "nothing by the hour");
    fixture->runs[0].slices = slices;
    comes_again(fixture, "slices alone");
    /* the record has whole minutes: what lies between is lost, so that these are */
    for (size_t i = 0; i < 2; i++) {
        items[i].start_realtime_s = UINT64_C(1795827600) + 60 * i;
        items[i].end_realtime_s = items[i].start_realtime_s + 60;
        fixture->runs[i].window.realtime_ns += 45 * FIXTURE_S * i;
    }
    fixture->report.by_hour = (struct by_hour){
        .enabled = true,
        .source = { .service = "neso", .title = "NESO", .zone = "GB", .basis = "direct", .gases = "co2" },
        .known = &known,
        .first_notice = fixture->report.own_notices.count,
    };
    report_work_out(&fixture->report);
    by_hour_notices(&fixture->report);
    ck_assert_uint_ge(fixture->report.by_hour.notice_count, 3);
    comes_again(fixture, "by the hour");
    fixture->report.factor.td_losses_kgco2eq_per_kwh = 0.004;
    strcpy(fixture->report.by_hour.source.td_losses, "included");
    comes_again(fixture, "with losses within");
    known.count = 0;
    comes_again(fixture, "of nothing");
    slices_free(slices);
    fixture_free(fixture);
    leave_folder();
}
END_TEST

/* However many notices there are, and however long one is, a record has them all, and so has who reads it. */
START_TEST(every_notice_comes_again)
{
    enum { NOTICES = 100, LONG = 3000 };
    struct fixture *fixture = fixture_new();
    const struct notices *noted = &fixture->report.all_notices;
    struct loaded_record *loaded;
    char longest[LONG + 1];

    enter_folder();
    memset(longest, 'x', LONG);
    longest[LONG] = '\0';
    for (int i = 0; i < NOTICES; i++)
        notice_add(&fixture->report.own_notices, NOTICE_GAPS, longest, longest, "gap %d of %s", i, longest);
    report_finish(&fixture->report);
    ck_assert_uint_ge(noted->count, NOTICES);
    comes_again(fixture, "many long notices");
    loaded = read_again("r.json");
    ck_assert_uint_eq(loaded->report.own_notices.count, noted->count);
    ck_assert_uint_eq(loaded->report.own_notices.left_out, 0);
    for (size_t i = 0; i < noted->count; i++) {
        ck_assert_str_eq(loaded->report.own_notices.item[i].what, noted->item[i].what);
        ck_assert_str_eq(loaded->report.own_notices.item[i].why, noted->item[i].why);
        ck_assert_str_eq(loaded->report.own_notices.item[i].fix, noted->item[i].fix);
    }
    loaded_record_close(loaded);
    free(loaded);
    report_close(&fixture->report);
    fixture_free(fixture);
    leave_folder();
}
END_TEST

/* Both baselines and runs in four strides each, others coming and going: own is learnt from them, and comes again. */
START_TEST(strides_come_again)
{
    struct fixture *fixture = fixture_new();
    struct strides *strides = strides_new(FIXTURE_DOMAINS, FIXTURE_S);

    enter_folder();
    ck_assert_ptr_nonnull(strides);
    for (size_t i = 0; i < 4; i++) {
        const struct window *window = i % 2 ? &fixture->runs[i / 2].window : &fixture->baselines[i / 2];
        for (uint64_t k = 0; k < 4; k++) {
            const uint64_t others = (3 * i + 5 * k) % 4, job = i % 2 ? 1 + k % 2 : 0;
            const struct stride stride = {
                .start_ns = window->start_ns + k * window->duration_ns / 4,
                .duration_ns = window->duration_ns / 4,
                .busy_ns = (others + job) * window->duration_ns / 8 + 7,
                .job_ns = job * window->duration_ns / 8,
                .job_cpu_roundings = (unsigned)i % 3,
            };
            const uint64_t energy_uj[FIXTURE_DOMAINS] = {
                (20 + 10 * others + 30 * job) * window->duration_ns / 4000 + k, 3 * window->duration_ns / 4000
            };
            ck_assert(strides_add(strides, &stride, energy_uj));
        }
        if (i % 2)
            fixture->runs[i / 2].window.machine_busy_ns *= 2;
    }
    strides->concurrent = true;
    fixture->measurement.strides = strides;
    comes_again(fixture, "strides");
    ck_assert_int_eq(fixture->report.summary.own_basis.learnt.reported, true);
    ck_assert_double_eq_tol(fixture->report.summary.own_basis.learnt.slope[FIXTURE_PACKAGE][1], 20, 1e-3);
    for (size_t i = 0; i < strides->count; i++) {
        strides->items[i].counted = true;
        strides->items[i].all = (struct stride_counts){ 1000000007 * i, 2000000011 * i, 3 * i };
    }
    comes_again(fixture, "strides with counts");
    strides_free(strides);
    fixture_free(fixture);
    leave_folder();
}
END_TEST

START_TEST(phases_come_again)
{
    struct fixture *fixture = fixture_new();
    struct marks_options marks = { .written = true };
    struct phase_mark times[] = { { .phase = 1, .at_ns = 1000000001 }, { .phase = 0, .at_ns = 9000000003 } };
    struct phase items[] = {
        { .name = PHASE_BEFORE,
          .times = 2,
          .duration_ns = 1999999998,
          .energy_uj = { 100, 10, 1 },
          .known = { 1, 1, 1 } },
        { .name = "solve", .times = 1, .duration_ns = 8000000002, .energy_uj = { 700123456, 120 }, .known = { 1, 1 } },
    };
    struct phases phases = { .items = items, .count = 2, .marks = times, .mark_count = 2, .origins = { 7, 0 } };

    enter_folder();
    fixture->measurement.marks = &marks;
    comes_again(fixture, "phases were asked for, none came");
    fixture->runs[0].phases = &phases;
    comes_again(fixture, "phases");
    fixture_free(fixture);
    leave_folder();
}
END_TEST

/* Puts the record, with another text in the place of one. */
static void put_changed(const char *record, const char *from, const char *to)
{
    const char *at = strstr(record, from);
    char *changed = malloc(strlen(record) + strlen(to) + 1);

    ck_assert_msg(at != NULL && changed, "no %s", from);
    sprintf(changed, "%.*s%s%s", (int)(at - record), record, to, at + strlen(from));
    put("r.json", changed);
    free(changed);
}

/* Puts another text in the place of one, and looks for the path among the differences. */
static void finds(const char *record, const char *from, const char *to, const char *path)
{
    struct verification *verification = calloc(1, sizeof *verification);
    struct loaded_record *loaded;
    struct error err;
    bool found = false;

    ck_assert_ptr_nonnull(verification);
    put_changed(record, from, to);
    loaded = read_again("r.json");
    ck_assert_msg(verify_record(loaded, verification, &err), "%s", err.what);
    for (size_t i = 0; i < verification->count; i++)
        found |= strcmp(verification->items[i].path, path) == 0;
    ck_assert_msg(found, "%s was not found; %zu others, the first %s", path, verification->count,
                  verification->items[0].path);
    ck_assert(!verification_is_good(verification));
    loaded_record_close(loaded);
    free(loaded);
    free(verification);
}

START_TEST(changes_are_found)
{
    struct fixture *fixture = fixture_new();
    char *record;

    enter_folder();
    report_finish(&fixture->report);
    record = fixture_write(fixture, &json_format);
    finds(record, "\"mean\":	942", "\"mean\":	943", "gross_j.mean");
    finds(record, "\"gross_w\":	94.2", "\"gross_w\":	94.20000000000002", "gross_w");
    finds(record, "\"kgco2eq\":	", "\"kgco2eq\":	1", "emissions.gross.kgco2eq");
    finds(record, "\"energy_uj\":	[150000000", "\"energy_uj\":	[150000001", "windows.runs[0].idle_j");
    finds(record, "\"value\":	1.2", "\"value\":	1.3", "emissions.net.facility_kwh");
    finds(record, "\"by\":	\"", "\"by\":	\"x", "bound.by");
    finds(record, "\"resolution_j\":	", "\"resolution\":	", "resolution_j");
    finds(record, "\"runs\":	2", "\"runs\":	3", "runs");
    free(record);
    fixture_free(fixture);
    leave_folder();
}
END_TEST

/* What cannot be a record is refused, and never a crash. */
static void refuses(const char *record, const char *from, const char *to, const char *what)
{
    struct loaded_record *loaded = calloc(1, sizeof *loaded);
    struct error err = { .kind = ERROR_NONE };

    ck_assert_ptr_nonnull(loaded);
    put_changed(record, from, to);
    ck_assert_msg(!record_load("r.json", loaded, &err), "%s -> %s is taken", from, to);
    ck_assert_int_eq(err.kind, ERROR_BAD_DATA);
    ck_assert_msg(strstr(err.why, what), "%s: %s", err.what, err.why);
    loaded_record_close(loaded);
    free(loaded);
}

/* Each of these changes, for what it takes from the record: REFUSES(record, "'scope'", { "from", "to" }). */
#define REFUSES(record, what, ...)                                                                                     \
    for (const char *const(*change)[2] = (const char *const[][2]){ __VA_ARGS__, { NULL, NULL } }; (*change)[0];        \
         change++)                                                                                                     \
    refuses(record, (*change)[0], (*change)[1], what)

START_TEST(what_is_no_record_is_refused)
{
    struct fixture *fixture = fixture_new();
    char *record;

    enter_folder();
    report_finish(&fixture->report);
    record = fixture_write(fixture, &json_format);
    REFUSES(record, "carbon.record/0", { "carbon.record/1", "carbon.record/0" });
    REFUSES(record, "'scope'", { "\"compute\"", "\"all\"" });
    REFUSES(record, "'windows.baselines'", { "\"start_s\"", "\"start\"" }, { "\"parts_w\"", "\"parts\"" },
            { "\"energy_uj\":\t[", "\"energy_uj\":\t[1, " });
    REFUSES(record, "'domains'", { "\"moved\"", "\"move\"" },
            { "\"component\":\t\"package\"", "\"component\":\t\"socket\"" });
    REFUSES(record, "'machine.cpus_online'", { "\"cpus_online\":\t2", "\"cpus_online\":\t0" });
    free(record);
    fixture_free(fixture);
    leave_folder();
}
END_TEST

START_TEST(times_are_exact)
{
    for (uint64_t ns = 1; ns < UINT64_C(2000000000000000); ns = ns * 3 + 1)
        ck_assert_uint_eq(field_ns((double)ns / 1e9), ns);
    ck_assert_uint_eq(field_ns(NAN), 0);
    ck_assert_uint_eq(field_ns(-1), 0);
    ck_assert_uint_eq(field_ns(1e300), 0);
}
END_TEST

UNIT_SUITE("rebuild", runs_come_again, odd_figures_come_again, unknown_figures_come_again,
           models_and_targets_come_again, hours_come_again, strides_come_again, phases_come_again, changes_are_found,
           what_is_no_record_is_refused, times_are_exact, every_notice_comes_again)
