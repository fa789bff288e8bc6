/* SPDX-License-Identifier: MIT
 * Recorded traces of counters give their expected energy. */
#include "unit.h"

#include "base/auto.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/units.h"
#include "energy/perf_count.h"
#include "meter/meter.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* What one machine of two packages was reported to use, memory last, read through perf events of 2^-32 J. */
START_TEST(reported_joules_add_up)
{
    const double reported_j[] = { 3364.62, 5068.51, 1378.37, 605.982 };
    uint64_t total_uj = 0;

    for (size_t i = 0; i < 4; i++) {
        struct perf_count count = { .uj_per_count = 1e6L / 0x1p32L };
        ck_assert_int_eq(perf_count_add(&count, (uint64_t)(reported_j[i] * 0x1p32)), 0);
        total_uj += count.energy_uj;
    }
    ck_assert_uint_ge(total_uj, UINT64_C(10417481996));
    ck_assert_uint_le(total_uj, UINT64_C(10417482000));
}
END_TEST

/* One recorded trace: every row through the meter's own arithmetic. */
struct replay {
    const char *name; /* of the domain looked at */
    struct domain domain;
    struct meter_domain state;
    int columns[3]; /* t_ns, domain, energy_uj */
};

static bool replay_row(const struct csv_row *row, void *context, struct error *err)
{
    static const char *const names[] = { "t_ns", "domain", "energy_uj" };
    struct replay *replay = context;
    struct reading reading = { .error = 0 };
    uint64_t time_ns;

    (void)err;
    if (row->line == 1) {
        for (int i = 0; i < 3; i++)
            replay->columns[i] = csv_column(row, names[i]);
        return true;
    }
    if (strcmp(row->fields[replay->columns[1]], replay->name) != 0)
        return true;
    ck_assert(text_to_u64(row->fields[replay->columns[0]], &time_ns));
    if (strncmp(row->fields[replay->columns[2]], "E:", 2) == 0)
        reading.error = atoi(row->fields[replay->columns[2]] + 2);
    else
        ck_assert(text_to_u64(row->fields[replay->columns[2]], &reading.energy_uj));
    meter_domain_take(&replay->state, &reading, time_ns, false);
    return true;
}

static double number_of(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);

    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static void check_domain(const char *csv, const cJSON *trace, const cJSON *expected)
{
    const cJSON *energy_uj = cJSON_GetObjectItemCaseSensitive(expected, "energy_uj");
    const double range_uj = number_of(expected, "max_energy_range_uj"), wraps = number_of(expected, "wraps");
    const double slack_uj = number_of(trace, "tolerance_uj") + wraps * number_of(trace, "tolerance_uj_per_wrap");
    struct replay replay = { .name = expected->string };
    struct error err;

    replay.domain.component = COMPONENT_PACKAGE;
    replay.domain.max_w = 800; /* in 288 s of one of them no wrap passes unseen */
    replay.domain.wraps_at_uj = (uint64_t)range_uj + (range_uj > 2e11 ? 61 : 15);
    replay.state.domain = &replay.domain;
    ck_assert_msg(csv_read(csv, replay_row, &replay, &err), "%s: %s: %s", csv, err.what, err.why);
    ck_assert_msg(replay.state.started, "%s holds no %s", csv, replay.name);
    ck_assert_msg(replay.state.moved == cJSON_IsNumber(energy_uj), "%s %s: moved", csv, replay.name);
    if (cJSON_IsNumber(energy_uj)) {
        const double off_uj = (double)replay.state.total_uj - energy_uj->valuedouble;
        ck_assert_msg(off_uj <= slack_uj && off_uj >= -slack_uj, "%s %s: %.0f instead of %.0f uJ", csv, replay.name,
                      (double)replay.state.total_uj, energy_uj->valuedouble);
    }
    ck_assert_msg(replay.state.wraps == (unsigned)wraps, "%s %s: %u wraps instead of %.0f", csv, replay.name,
                  replay.state.wraps, wraps);
    if (strstr(csv, "driver-reload-reset"))
        ck_assert_uint_eq(replay.state.resets, 1);
    if (strstr(csv, "eacces-in-the-middle"))
        ck_assert_uint_eq(replay.state.missed_reads, 3);
}

static bool check_trace(const char *folder, const char *file)
{
    const size_t stem = strlen(file) - strlen(".expected.json");
    char path[4096], csv[4096], text[65536];
    const cJSON *domain;
    cJSON *trace;
    size_t length;

    snprintf(path, sizeof path, "%s/%s", folder, file);
    snprintf(csv, sizeof csv, "%s/%.*s.csv", folder, (int)stem, file);
    AUTO_FCLOSE FILE *in = fopen(path, "r");
    ck_assert_ptr_nonnull(in);
    length = fread(text, 1, sizeof text - 1, in);
    text[length] = '\0';
    trace = cJSON_Parse(text);
    ck_assert_ptr_nonnull(trace);
    cJSON_ArrayForEach(domain, cJSON_GetObjectItemCaseSensitive(trace, "domains")) check_domain(csv, trace, domain);
    cJSON_Delete(trace);
    return true;
}

START_TEST(recorded_traces_give_their_energy)
{
    char folder[4000];
    unsigned traces = 0;
    const struct dirent *entry;

    if (!unit_shared()) {
        puts("SKIPPED: recorded traces are not beside the source tree");
        return;
    }
    snprintf(folder, sizeof folder, "%s/machines/traces", unit_shared());
    AUTO_CLOSEDIR DIR *dir = opendir(folder);
    ck_assert_ptr_nonnull(dir);
    while ((entry = readdir(dir)))
        if (strstr(entry->d_name, ".expected.json"))
            traces += check_trace(folder, entry->d_name);
    printf("%u traces\n", traces);
    ck_assert_uint_ge(traces, 15);
}
END_TEST

UNIT_SUITE("counter_traces", reported_joules_add_up, recorded_traces_give_their_energy)
