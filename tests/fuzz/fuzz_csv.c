/* SPDX-License-Identifier: MIT
 * Tables: read, written and read again; a few lines of one; a table of factors. The input: 'r' and the table, 'w', a
 * needle, NUL and the table, 'f' and the table, 'i' and a table of intensities, 'e' and one of CodeCarbon's, 'l' and
 * its log, or 'm' and a machine profile. */
#include "folder.h"

#include "base/csv.h"
#include "commands/history/imported.h"
#include "emissions/factor_table.h"
#include "grid/hourly.h"
#include "grid/intensity_file.h"
#include "io/text_file.h"
#include "power/machine_profile.h"

#include <math.h>

/* What the rows add up to: every field, and where each ends. */
struct seen_fields {
    char *text;
    size_t size, columns, rows;
    FILE *out, *table; /* table: the rows written as a table again, or NULL */
};

static bool take_row(const struct csv_row *row, void *context, struct error *err)
{
    struct seen_fields *fields = context;

    (void)err;
    FUZZ_MUST(row->count > 0 && row->count <= CSV_MAX_COLUMNS);
    FUZZ_MUST(fields->rows == 0 || row->count == fields->columns);
    fields->columns = row->count;
    fields->rows++;
    for (size_t i = 0; i < row->count; i++) {
        fwrite(row->fields[i], 1, strlen(row->fields[i]) + 1, fields->out);
        if (fields->table) {
            csv_write_field(fields->table, row->fields[i]);
            fputs(i + 1 < row->count ? "," : "\n", fields->table);
        }
    }
    return true;
}

static bool read_all(const char *path, FILE *table, struct seen_fields *fields)
{
    struct error err = { .kind = ERROR_NONE };

    *fields = (struct seen_fields){ .table = table };
    fields->out = open_memstream(&fields->text, &fields->size);
    FUZZ_MUST(fields->out);
    const bool good = csv_read(path, take_row, fields, &err);
    FUZZ_MUST(fclose(fields->out) == 0);
    FUZZ_MUST(good || (err.kind != ERROR_NONE && *err.what));
    return good;
}

static void try_read(const char *path)
{
    struct seen_fields first, again;
    char *table = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&table, &size);

    FUZZ_MUST(out);
    fputs("\xEF\xBB\xBF", out); /* or the first field could look as if it began with one */
    const bool good = read_all(path, out, &first);
    FUZZ_MUST(fclose(out) == 0);
    /* in a table of one column an empty field is a blank line */
    if (good && first.columns > 1) {
        folder_write("table.csv", table, size, false);
        FUZZ_MUST(read_all(path, NULL, &again));
        FUZZ_MUST(again.rows == first.rows && again.size == first.size);
        FUZZ_MUST(memcmp(again.text, first.text, first.size) == 0);
        free(again.text);
    }
    free(first.text);
    free(table);
}

static bool count_row(const struct csv_row *row, void *context, struct error *err)
{
    (void)err;
    FUZZ_MUST(row->line >= 1);
    ++*(size_t *)context;
    return true;
}

static void try_lines_with(const char *path, const char *needle)
{
    size_t some = 0, all = 0;
    struct error err;

    if (csv_read(path, count_row, &all, &err) && csv_read_lines_with(path, needle, count_row, &some, &err))
        FUZZ_MUST(some >= 1 && some <= all);
}

static void try_factors(const char *path)
{
    const char *const paths[] = { path, NULL };
    struct factor_rows rows = { .count = 0 };
    struct error err = { .kind = ERROR_NONE };

    if (!rows_add_own(&rows, paths, &err))
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    for (size_t i = 0; i < rows.count; i++) {
        const struct factor_row *row = &rows.items[i];
        FUZZ_MUST(*row->zone && *row->source_id && row->rank >= 1 && row->year >= 1900);
        FUZZ_MUST(row->kgco2eq_per_kwh >= 0 && row->kgco2eq_per_kwh <= MAX_KGCO2EQ_PER_KWH);
        (void)rows_best(&rows, row->zone, row->basis, row->year);
    }
    rows_close(&rows);
}

static void try_intensities(const char *path)
{
    struct intensity_file file;
    struct intensities found;
    struct error err = { .kind = ERROR_NONE };
    double sum = 0;

    if (!intensity_file_read(path, FACTOR_DIRECT, &file, &found, &err)) {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
        intensities_close(&found);
        return;
    }
    for (size_t i = 0; i < found.count; i++) {
        FUZZ_MUST(found.items[i].start_realtime_s < found.items[i].end_realtime_s);
        FUZZ_MUST(i == 0 || found.items[i - 1].end_realtime_s <= found.items[i].start_realtime_s);
    }
    if (found.count) {
        const uint64_t from_ns = found.items[0].start_realtime_s % 100000000000 * 1000000000 / 2;
        const struct hourly hourly = hourly_of(&found, from_ns, from_ns + UINT64_C(86400000000000), 0.1);
        const struct hourly_factor price = hourly_factor(&hourly, from_ns, from_ns + UINT64_C(7200000000000));
        for (size_t i = 0; i < COVER_COUNT; i++)
            sum += price.part[i];
        FUZZ_MUST(fabs(sum - 1) < 1e-9 && price.kgco2eq_per_kwh >= 0 && price.kgco2eq_per_kwh <= 5.0001);
    }
    intensities_close(&found);
}

/* What is read becomes records; what a row adds is never more than it tells, and what it tells is never less than 0. */
static void try_codecarbon(const char *path, bool is_log)
{
    struct codecarbon_file file = { .count = 0 };
    struct error err = { .kind = ERROR_NONE };
    char *text = text_file_read(path, &err);
    const bool good = text && (is_log ? codecarbon_log_read(text, path, "2026-11-28", &file, &err)
                                      : codecarbon_read(text, path, &file, &err));

    free(text);
    if (!good)
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
    for (size_t i = 0; i < file.faults.count; i++)
        FUZZ_MUST(file.faults.items[i].line > 0 && *file.faults.items[i].why);
    for (size_t i = 0; i < file.count && good && i < 8; i++) {
        const struct codecarbon_run *run = &file.runs[i];
        const struct imported imported = { &file, run, is_log ? "CodeCarbon log" : "CodeCarbon table", NULL, false };
        char *record = imported_record(&imported, &err);
        FUZZ_MUST(record && strlen(run->id) == 36);
        FUZZ_MUST(!(run->reported.kwh < 0) && !(run->added.kwh < 0) && !(run->added.kwh > run->reported.kwh));
        FUZZ_MUST(run->goes_on_from < run->line && run->repeats < run->line);
        free(record);
    }
    codecarbon_close(&file);
}

/* What is read comes out again the same, and its curves and ranges are numbers. */
static void try_profile(const char *path)
{
    struct machine_profile profile, again;
    struct error err = { .kind = ERROR_NONE };
    char second[320];
    FILE *out;

    if (!machine_profile_read(path, &profile, &err)) {
        FUZZ_MUST(err.kind != ERROR_NONE && *err.what);
        return;
    }
    for (enum profile_part part = 0; part < PROFILE_PARTS; part++) {
        if (!profile_has(&profile, part))
            continue;
        const struct profile_power power = profile_power_of(&profile, part);
        for (int load = 0; load <= 20; load++)
            FUZZ_MUST(isfinite(curve_w(&power.curve, load / 20.0)));
        FUZZ_MUST(power.low_ratio >= 0 && power.low_ratio <= 1 && power.high_ratio >= 1);
        FUZZ_MUST(power.slope_low_ratio >= 0 && power.slope_low_ratio <= 1 && power.slope_high_ratio >= 1);
    }
    snprintf(second, sizeof second, "%s.again", path);
    out = fopen(second, "w");
    FUZZ_MUST(out && machine_profile_write(&profile, out) && fclose(out) == 0);
    FUZZ_MUST(machine_profile_read(second, &again, &err) && strcmp(again.id, profile.id) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, data + size };
    const char what = (char)input_number(&input, 1);
    char *needle = what == 'w' ? input_text(&input) : NULL, path[300];

    folder_open();
    const int next_fd = fuzz_next_fd();
    snprintf(path, sizeof path, "%s/table.csv", folder.path);
    folder_write("table.csv", input.at, input_left(&input), true);
    if (what == 'r')
        try_read(path);
    else if (what == 'w')
        try_lines_with(path, needle);
    else if (what == 'f')
        try_factors(path);
    else if (what == 'i')
        try_intensities(path);
    else if (what == 'e' || what == 'l')
        try_codecarbon(path, what == 'l');
    else if (what == 'm')
        try_profile(path);
    free(needle);
    FUZZ_MUST(fuzz_next_fd() == next_fd);
    folder_clear();
    return 0;
}
