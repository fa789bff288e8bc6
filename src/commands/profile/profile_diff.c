/* SPDX-License-Identifier: MIT
 * Two profiles: which functions use more or less than before, beyond what the numbers of samples leave open. */
#include "commands/profile/profile.h"

#include "app/options/command.h"
#include "app/terminal.h"
#include "base/units.h"
#include "form/cells.h"
#include "form/output.h"
#include "io/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIFFERENCE_SCHEMA "carbon.profile-difference/1"

struct side {
    double own_j; /* 0: it was not sampled */
    uint64_t samples;
};

struct entry {
    const char *name, *library;
    struct side sides[2];
    double difference_j, deviation_j, chance; /* chance of so much where nothing changed; NAN unknown */
    bool significant;
};

struct profile_difference {
    struct cJSON *documents[2];
    double own_j[2], samples[2];
    struct entry *entries;
    size_t count;
};

#define OF struct entry
static const struct fields entry_fields = FIELDS({
    FIELD_NAME(name, "of the function"),
    FIELD_NAME(library, "file that it is in"),
    FIELD_NUMBER_AS("before_j", sides[0].own_j, "its own energy in the first profile, in joules; 0: it was not sampled",
                    .flags = FIELD_KNOWN),
    FIELD_NUMBER_AS("after_j", sides[1].own_j, "likewise in the second", .flags = FIELD_KNOWN),
    FIELD_U64_AS("before_samples", sides[0].samples, "samples in it in the first profile"),
    FIELD_U64_AS("after_samples", sides[1].samples, "likewise in the second"),
    FIELD_NUMBER(difference_j, "after_j − before_j", .flags = FIELD_KNOWN),
    FIELD_NUMBER(deviation_j, "standard deviation of the difference by the number of samples alone, in joules",
                 .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_NUMBER(chance, "chance of such a difference where nothing changed, by a normal distribution",
                 .flags = FIELD_KNOWN | FIELD_FROM_0, .max = 1),
    FIELD_BOOL(significant, "chance × number of functions is below 0.05 (Bonferroni)"),
});
#undef OF

#define OF struct profile_difference
static const struct fields difference_fields = FIELDS({
    FIELD_CONSTANT("schema", DIFFERENCE_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_NUMBER_AS("before_j", own_j[0], "own energy of the job in the first profile, in joules",
                    .flags = FIELD_KNOWN),
    FIELD_NUMBER_AS("after_j", own_j[1], "own energy of the job in the second", .flags = FIELD_KNOWN),
    FIELD_LIST_AS("functions", struct entry, entries, count, &entry_fields,
                  "functions of either, the largest difference first"),
});
#undef OF
const struct schema profile_difference_schema = { "profile-difference", DIFFERENCE_SCHEMA,
                                                  "What changed between two profiles, function by function.",
                                                  &difference_fields, NULL };

static int by_name(const void *a, const void *b)
{
    const struct entry *one = a, *other = b;
    const int names = strcmp(one->name, other->name);

    return names ? names : strcmp(one->library, other->library);
}

static int by_size(const void *a, const void *b)
{
    const double one = fabs(((const struct entry *)a)->difference_j);
    const double other = fabs(((const struct entry *)b)->difference_j);

    return one < other ? 1 : one > other ? -1 : by_name(a, b);
}

static bool read_side(struct profile_difference *difference, size_t side, const char *path, struct error *err)
{
    struct cJSON *document = json_read(path, err);
    const struct cJSON *energy, *functions;

    difference->documents[side] = document;
    if (!document || !json_is_form(document, path, PROFILE_SCHEMA, err))
        return false;
    energy = json_member(document, "energy");
    functions = json_member(document, "functions");
    difference->own_j[side] = json_number_of(energy, "own_j");
    difference->samples[side] = json_number_of(json_member(document, "sampling"), "samples");
    if (!json_is_array(functions) || !(difference->samples[side] > 0)) {
        error_set(err, ERROR_BAD_DATA, "'%.200s' has no functions", path);
        return error_why(err, "the job had no samples, or the document is damaged");
    }
    if (isnan(difference->own_j[side])) {
        error_set(err, ERROR_BAD_DATA, "'%.200s' has no energies", path);
        return error_why(err, "the job's own energy was unknown");
    }
    return true;
}

static void add_side(struct profile_difference *difference, size_t side)
{
    const struct cJSON *item = json_first(json_member(difference->documents[side], "functions"));

    for (; item; item = json_next(item)) {
        struct entry *entry = &difference->entries[difference->count];
        struct profile_function function = { .name = NULL };
        fields_take(item, &profile_function_fields, &function);
        if (isnan(function.share.own_j))
            continue;
        *entry = (struct entry){ .name = function.name ? function.name : "",
                                 .library = function.library ? function.library : "" };
        entry->sides[side] = (struct side){ function.share.own_j, function.share.own_samples };
        difference->count++;
    }
}

static void join(struct profile_difference *difference)
{
    size_t stored = 0;

    if (!difference->count)
        return;
    qsort(difference->entries, difference->count, sizeof *difference->entries, by_name);
    for (size_t i = 1; i < difference->count; i++) {
        struct entry *last = &difference->entries[stored];
        const struct entry *next = &difference->entries[i];
        if (by_name(last, next) != 0) {
            difference->entries[++stored] = *next;
            continue;
        }
        for (size_t side = 0; side < 2; side++) {
            last->sides[side].own_j += next->sides[side].own_j;
            last->sides[side].samples += next->sides[side].samples;
        }
    }
    difference->count = stored + 1;
}

/* An energy of k of n samples has the deviation of a share; one sample more or less where there is none. */
static double variance(const struct profile_difference *difference, const struct side *of, size_t side)
{
    const double n = difference->samples[side], k = fmax((double)of->samples, 1);
    const double share = k / n,
                 per_sample_j = of->samples > 0 ? of->own_j / (double)of->samples : difference->own_j[side] / n;

    return per_sample_j * per_sample_j * n * share * (1 - share) + 1e-18;
}

static void judge(struct profile_difference *difference)
{
    for (size_t i = 0; i < difference->count; i++) {
        struct entry *entry = &difference->entries[i];
        entry->difference_j = entry->sides[1].own_j - entry->sides[0].own_j;
        entry->deviation_j =
            sqrt(variance(difference, &entry->sides[0], 0) + variance(difference, &entry->sides[1], 1));
        entry->chance = erfc(fabs(entry->difference_j) / entry->deviation_j / sqrt(2));
        /* of all functions together one in twenty (Bonferroni) */
        entry->significant = entry->chance * (double)difference->count < 0.05;
    }
    if (difference->count)
        qsort(difference->entries, difference->count, sizeof *difference->entries, by_size);
}

static bool read_difference(struct profile_difference *difference, char *const *paths, struct error *err)
{
    size_t max = 0;

    for (size_t side = 0; side < 2; side++) {
        if (!read_side(difference, side, paths[side], err))
            return false;
        max += json_count(json_member(difference->documents[side], "functions"));
    }
    difference->entries = calloc(max + 1, sizeof *difference->entries);
    if (!difference->entries)
        return error_errno(err, "no memory for %zu functions", max);
    add_side(difference, 0);
    add_side(difference, 1);
    join(difference);
    judge(difference);
    return true;
}

static void write_plain(FILE *out, const char *name)
{
    for (size_t i = 0; name[i] && (i < 100 || ((unsigned char)name[i] & 0xc0) == 0x80); i++)
        fputc((unsigned char)name[i] < ' ' || name[i] == 127 ? '?' : name[i], out);
}

static bool write_table(const struct profile_difference *difference, FILE *out, struct error *err)
{
    enum { ROWS_MAX = 40 };
    char text[UNITS_SIZE];
    size_t significant = 0;

    for (size_t i = 0; i < difference->count; i++)
        significant += difference->entries[i].significant;
    fprintf(out, "%zu of %zu functions differ beyond the chance of sampling (5 %% over all of them)\n", significant,
            difference->count);
    fprintf(out, "\n%9s%9s%12s%10s  %s\n", "before", "after", "difference", "95 % ±", "function (library)");
    for (size_t i = 0; i < difference->count && i < ROWS_MAX; i++) {
        const struct entry *entry = &difference->entries[i];
        cell_write(out, 9, units_energy(entry->sides[0].own_j, text));
        cell_write(out, 9, units_energy(entry->sides[1].own_j, text));
        cell_write(out, 12, units_energy(entry->difference_j, text));
        cell_write(out, 10, units_energy(1.96 * entry->deviation_j, text));
        fputs(entry->significant ? "  " : "  (not significant) ", out);
        write_plain(out, entry->name);
        fputs(" (", out);
        write_plain(out, entry->library);
        fputs(")\n", out);
    }
    if (difference->count > ROWS_MAX)
        fprintf(out, "and %zu more functions\n", difference->count - ROWS_MAX);
    cell_write(out, 9, units_energy(difference->own_j[0], text));
    cell_write(out, 9, units_energy(difference->own_j[1], text));
    cell_write(out, 12, units_energy(difference->own_j[1] - difference->own_j[0], text));
    fprintf(out, "%10s  all of the job's own energy\n", "");
    fputs("note: the ranges are those of sampling; how far two runs differ by themselves: carbon compare\n", out);
    return !ferror(out) || error_errno(err, "cannot write the difference");
}

static bool write_json(const struct profile_difference *difference, FILE *out, struct error *err)
{
    return document_json(&profile_difference_schema, difference, out, "the difference", err);
}

static bool open_json(struct output *output, const struct settings *settings,
                      const struct profile_difference *difference, struct error *err)
{
    const char *path = settings_text(settings, &option_json);

    return !path ||
           (output_open(output, path, err) && output_end(output, write_json(difference, output->file, err), err));
}

/* What says how to measure would do nothing here. */
static bool check_line(const struct command_line *line, struct error *err)
{
    static const struct option_spec *const useful[] = { &option_json, &option_color, &option_quiet };

    if (line->operand_count != 3) {
        error_set(err, ERROR_USAGE, "'carbon profile diff' needs two profiles");
        return error_fix(err, "carbon profile diff before.json after.json");
    }
    for (size_t i = 0; i < line->settings.count; i++) {
        const struct setting *setting = &line->settings.items[i];
        bool allowed = setting->origin != ORIGIN_LINE;
        for (size_t j = 0; j < sizeof useful / sizeof useful[0]; j++)
            allowed |= setting->option == useful[j];
        if (!allowed)
            return error_set(err, ERROR_USAGE, "--%s cannot be used to compare profiles", setting->option->name);
    }
    return true;
}

static int print_difference(const struct profile_difference *difference, const struct settings *settings)
{
    struct output output = { .file = NULL };
    struct terminal_piece piece;
    struct error err;
    int status = 0;

    if (!open_json(&output, settings, difference, &err))
        status = terminal_fail(&err, STATUS_CARBON_FAILED);
    if (settings_flag(settings, &option_quiet))
        return status;
    if (!terminal_piece_open(&piece, settings))
        return STATUS_CARBON_FAILED;
    return terminal_piece_print(&piece, write_table(difference, piece.out, &err), status);
}

int profile_diff(const struct command_line *line)
{
    struct profile_difference difference = { .count = 0 };
    struct error err;
    int status;

    if (check_line(line, &err) && read_difference(&difference, line->operands + 1, &err))
        status = print_difference(&difference, &line->settings);
    else
        status = terminal_fail(&err, STATUS_CARBON_FAILED);
    free(difference.entries);
    json_close(difference.documents[0]);
    json_close(difference.documents[1]);
    return status;
}
