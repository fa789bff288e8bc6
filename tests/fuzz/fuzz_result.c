/* SPDX-License-Identifier: MIT
 * What carbon reads back or is told while it measures: 'j' a record, 's' a time series, 'c' one that is cut, 'm' marks
 * in pieces, 'd' what a load of carbon probe has done, 'b' the modules of a batch, 'e' what an interrupted batch has.
 */
#include "folder.h"

#include "commands/batch/batch_work.h"
#include "commands/history/record_from_samples.h"
#include "commands/probe/load.h"
#include "commands/restate/sample_slices.h"
#include "commands/restate/verify.h"
#include "measurement/slices.h"
#include "result/sample_read.h"
#include "result/stored/stored_record.h"
#include "run/mark_line.h"

#include <math.h>

static void try_record(const char *path)
{
    struct stored_record stored;
    struct error err = { .kind = ERROR_NONE };
    char name[256];

    if (stored_record_read(path, &stored, &err)) {
        const struct run_series series = stored_record_series(&stored, "a");
        FUZZ_MUST(stored.run_count > 0 && series.count == stored.run_count);
        stored_record_name(&stored, name, sizeof name);
        FUZZ_MUST(stored_record_comparable(&stored, &stored, &err));
        (void)net_verdict_of(&series);
        (void)series_verdict_of(&series, &series);
    } else {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    }
    stored_record_close(&stored);
}

/* What can be worked out again is a record once more. */
static void try_rebuild(const char *path)
{
    struct loaded_record *loaded = calloc(1, sizeof *loaded);
    struct verification *verification = calloc(1, sizeof *verification);
    struct error err = { .kind = ERROR_NONE };

    FUZZ_MUST(loaded && verification);
    if (record_load(path, loaded, &err))
        FUZZ_MUST(verify_record(loaded, verification, &err) || err.kind != ERROR_NONE);
    else
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    loaded_record_close(loaded);
    free(loaded);
    free(verification);
}

/* What comes of a series is a record that can be worked out again. */
static void try_recover(const char *path)
{
    static const struct machine machine = { .cpus_online = 4 };
    struct loaded_record *recovered = calloc(1, sizeof *recovered);
    struct error err = { .kind = ERROR_NONE };

    FUZZ_MUST(recovered);
    if (record_from_samples(path, &machine, SCOPE_COMPUTE, recovered, &err)) {
        recovered->report.pue = 1;
        report_finish(&recovered->report);
        FUZZ_MUST(recovered->measurement.run_count > 0 && strlen(recovered->report.id) == 36);
        FUZZ_MUST(!(recovered->report.summary.total.gross_j.mean < 0));
    } else {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    }
    loaded_record_close(recovered);
    free(recovered);
}

static void try_samples(const char *path)
{
    struct sample_series series;
    struct error err = { .kind = ERROR_NONE };

    if (sample_read(path, &series, &err)) {
        FUZZ_MUST(series.point_count >= 2 && series.point_count <= SAMPLE_POINTS);
        for (size_t i = 0; i < series.domain_count; i++)
            for (size_t j = 0; j < series.point_count; j++)
                (void)sample_power_w(&series, i, j);
    } else {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    }
    sample_close(&series);
}

/* As of a record with one run of 10 s and 25 J. */
static void try_slices(const char *path)
{
    static struct domain domain = { .name = "package-0" };
    static struct energy_driver driver = { .name = "powercap" };
    struct loaded_record *loaded = calloc(1, sizeof *loaded);
    struct run run = { .ended = true,
                       .window = { .realtime_ns = UINT64_C(1767225590) * 1000000000,
                                   .duration_ns = UINT64_C(10000000000),
                                   .energy_uj = { 25000000 },
                                   .known = { 1 } } };
    struct sample_cut cut;
    struct error err = { .kind = ERROR_NONE };

    FUZZ_MUST(loaded);
    loaded->meter.sources[0].driver = &driver;
    loaded->meter.domains[0] = (struct meter_domain){ .domain = &domain, .source = &loaded->meter.sources[0] };
    loaded->meter.domain_count = 1;
    loaded->counting.is_counted[0] = true;
    loaded->measurement = (struct measurement){ .meter = &loaded->meter, .runs = &run, .run_count = 1 };
    if (sample_slices(path, loaded, UINT64_C(3000000000), &cut, &err)) {
        uint64_t sum_uj = 0, sum_ns = 0;
        for (size_t i = 0; i < run.slices->count; i++) {
            sum_uj += slice_energy_uj(run.slices, i)[0];
            sum_ns += run.slices->items[i].duration_ns;
        }
        FUZZ_MUST(sum_uj == 25000000 && sum_ns == UINT64_C(10000000000));
        FUZZ_MUST(cut.interpolated >= 0 && cut.interpolated <= 1);
    } else {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    }
    slices_free(loaded->measurement.slices);
    free(loaded);
}

static void try_marks(struct input *input)
{
    const size_t piece = 1 + input_number(input, 1);
    struct mark_line line = { .length = 0 };
    char name[MARK_NAME_SIZE];

    for (size_t left; (left = input_left(input)) > 0;) {
        const size_t taken = mark_line_add(&line, (const char *)input->at, left < piece ? left : piece, "\r\n");
        FUZZ_MUST(taken > 0 && taken <= left);
        input->at += taken;
        if (!line.ended)
            continue;
        FUZZ_MUST(strlen(line.text) == line.length && line.length < MARK_LINE_SIZE);
        mark_name(line.text, line.length, name);
        FUZZ_MUST(strlen(name) < MARK_NAME_SIZE);
        line = (struct mark_line){ .length = 0 };
    }
}

static void try_done(struct input *input)
{
    char *text = input_text(input), again[LOAD_LINE_SIZE];
    struct load_done done, same;
    enum load_kind kind, same_kind;

    if (load_done_of_text(text, &kind, &done)) {
        load_done_text(kind, &done, again);
        FUZZ_MUST(load_done_of_text(again, &same_kind, &same));
        FUZZ_MUST(same_kind == kind && same.streamed_bytes == done.streamed_bytes);
    }
    free(text);
}

static void try_modules(const char *path)
{
    const struct command *command = command_find("batch");
    struct batch_list list = { .count = 0 };
    struct settings *settings = malloc(sizeof *settings);
    struct error err = { .kind = ERROR_NONE };

    FUZZ_MUST(command && settings);
    settings_open(settings, command->options);
    if (batch_list_read(&list, path, command, settings, &err)) {
        for (size_t i = 0; i < list.count; i++)
            FUZZ_MUST(*list.entries[i].name && *batch_entry_command(&list.entries[i]) && !(list.entries[i].items <= 0));
    } else {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    }
    settings_close(settings);
    batch_list_close(&list);
    free(settings);
}

enum { LOOPS = 3, MODULES = 2 };

/* A batch of two modules, three times each. */
struct begun {
    struct machine machine;
    struct report session;
    struct batch_module modules[MODULES];
    struct batch_run runs[MODULES][LOOPS];
    struct batch_stored pasts[MODULES];
    struct batch_work work;
};

static struct begun *begin_batch(void)
{
    static const char *const names[MODULES] = { "one", "two" };
    struct begun *begun = calloc(1, sizeof *begun);

    FUZZ_MUST(begun);
    begun->machine = (struct machine){ .cpu_model = "CPU", .cpus_online = 4 };
    begun->session = (struct report){ .machine = &begun->machine,
                                      .scope = SCOPE_COMPUTE,
                                      .pue = 1,
                                      .factor = { .kgco2eq_per_kwh = 0.05 },
                                      .hours_per_year = HOURS_PER_YEAR };
    begun->work.batch = (struct batch){ .session = &begun->session,
                                        .sources = { "powercap" },
                                        .source_count = 1,
                                        .loops = LOOPS,
                                        .baseline_s = 1,
                                        .modules = begun->modules,
                                        .module_count = MODULES };
    begun->work.pasts = begun->pasts;
    for (size_t i = 0; i < MODULES; i++)
        begun->modules[i] = (struct batch_module){
            .name = names[i], .command = "x", .items = NAN, .runs = begun->runs[i], .quality = QUALITY_UNKNOWN
        };
    settings_open(&begun->work.settings, command_find("batch")->options);
    return begun;
}

static void end_batch(struct begun *begun)
{
    settings_close(&begun->work.settings);
    free(begun->work.batch.breaks);
    free(begun);
}

/* What is left to do has nothing that is done, and what is written then can be resumed from in turn. */
static void go_on(struct begun *begun, const char *path)
{
    struct batch_work *work = &begun->work;
    struct schedule schedule;
    struct batch_earlier earlier = { "", false };
    struct begun *again = begin_batch();
    struct error err = { .kind = ERROR_NONE };
    FILE *out = fopen(path, "we");

    FUZZ_MUST(schedule_make(&schedule, MODULES, 0, LOOPS, ORDER_INTERLEAVED, 1, &err));
    batch_resume_schedule(work, &schedule);
    for (size_t i = 0; i < MODULES; i++) {
        const size_t runs = begun->pasts[i].runs;
        FUZZ_MUST(runs <= LOOPS && runs == begun->modules[i].run_count);
        for (size_t j = 0; j < runs; j++)
            for (size_t step = 0; step < schedule.count; step++)
                FUZZ_MUST(schedule.steps[step].command != i ||
                          schedule.steps[step].number != begun->modules[i].runs[j].loop);
    }
    schedule_close(&schedule);
    FUZZ_MUST(out && batch_json(&work->batch, out, &err) && fclose(out) == 0);
    FUZZ_MUST(batch_resume(&again->work, path, &earlier, &err) && again->work.batch.break_count > 0);
    end_batch(again);
}

static void try_earlier(const char *path)
{
    struct begun *begun = begin_batch();
    struct batch_earlier earlier = { "", false };
    struct error err = { .kind = ERROR_NONE };

    if (!batch_resume(&begun->work, path, &earlier, &err))
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    else if (!begun->work.complete)
        go_on(begun, path);
    end_batch(begun);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };
    const char what = (char)input_number(&input, 1);
    char path[300];

    folder_open();
    const int next_fd = fuzz_next_fd();
    snprintf(path, sizeof path, "%s/result", folder.path);
    folder_write("result", input.at, input_left(&input), true);
    if (what == 'j') {
        try_record(path);
        try_rebuild(path);
    } else if (what == 's') {
        try_samples(path);
        try_recover(path);
    } else if (what == 'c')
        try_slices(path);
    else if (what == 'b')
        try_modules(path);
    else if (what == 'e')
        try_earlier(path);
    else if (what == 'm')
        try_marks(&input);
    else if (what == 'd')
        try_done(&input);
    FUZZ_MUST(fuzz_next_fd() == next_fd);
    folder_clear();
    return 0;
}
