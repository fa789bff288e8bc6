/* SPDX-License-Identifier: MIT
 * Profiles before and after: the functions that use more or less, read from their documents. */
#include "commands/profile/profile.h"
#include "commands/profile/profile_change.h"

#include "app/options/command.h"
#include "app/terminal.h"
#include "base/array.h"
#include "base/units.h"
#include "form/cells.h"
#include "form/output.h"
#include "io/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIFFERENCE_SCHEMA "carbon.profile-difference/1"

/* A function of one profile. */
struct function_seen {
    const char *name, *library;
    size_t document;
    double own_j;
    uint64_t samples;
};

struct document_of {
    struct cJSON *json;
    size_t side;
};

struct profile_difference {
    struct document_of *documents;
    size_t document_count;
    struct profiled_side sides[2];
    struct function_seen *seen;
    size_t seen_count, seen_room;
    struct function_change *changes;
    size_t count;
};

#define OF struct function_change
static const struct fields change_fields = FIELDS({
    FIELD_NAME(name, "of the function"),
    FIELD_NAME(library, "file that it is in"),
    FIELD_NUMBER_AS("before_j", own_j[0],
                    "its own energy before, in joules, a profile on average; 0: it was not sampled",
                    .flags = FIELD_KNOWN),
    FIELD_NUMBER_AS("after_j", own_j[1], "likewise after", .flags = FIELD_KNOWN),
    FIELD_U64_AS("before_samples", sides[0].samples, "samples in it before, of all profiles together"),
    FIELD_U64_AS("after_samples", sides[1].samples, "likewise after"),
    FIELD_NUMBER(difference_j, "after_j − before_j", .flags = FIELD_KNOWN),
    FIELD_NUMBER(deviation_j,
                 "standard deviation of the difference, in joules: as the profiles scatter, of one each by the number "
                 "of samples alone",
                 .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_NUMBER(chance,
                 "chance of such a difference where nothing changed: Welch's test of the profiles; of one each the "
                 "larger of two, that its energy differs and that its part of the job's energy does; null: fewer than "
                 "10 samples, not tested",
                 .flags = FIELD_FROM_0, .max = 1),
    FIELD_NUMBER(chance_of_all, "the same corrected for all functions that are tested (Holm)", .flags = FIELD_FROM_0,
                 .max = 1),
    FIELD_BOOL(significant, "chance_of_all is below 0.05"),
});
#undef OF

#define OF struct profile_difference
static const struct fields difference_fields = FIELDS({
    FIELD_CONSTANT("schema", DIFFERENCE_SCHEMA, "name and version of this form"),
    FIELD_WRITER,
    FIELD_COUNT_AS("before_profiles", sides[0].profiles, "profiles before"),
    FIELD_COUNT_AS("after_profiles", sides[1].profiles, "profiles after"),
    FIELD_NUMBER_AS("before_j", sides[0].own_j, "own energy of the job before, in joules, a profile on average",
                    .flags = FIELD_KNOWN),
    FIELD_NUMBER_AS("after_j", sides[1].own_j, "own energy of the job after, likewise", .flags = FIELD_KNOWN),
    FIELD_LIST_AS("functions", struct function_change, changes, count, &change_fields,
                  "functions of either, the largest difference first"),
});
#undef OF
const struct schema profile_difference_schema = { "profile-difference", DIFFERENCE_SCHEMA,
                                                  "What changed between profiles, function by function.",
                                                  &difference_fields, NULL };

static int by_name(const void *a, const void *b)
{
    const struct function_seen *one = a, *other = b;
    const int names = strcmp(one->name, other->name), libraries = names ? names : strcmp(one->library, other->library);

    return libraries ? libraries : ARRAY_ORDER(one->document, other->document);
}

static int by_size(const void *a, const void *b)
{
    const struct function_change *one = a, *other = b;
    const double sizes_j[2] = { fabs(one->difference_j), fabs(other->difference_j) };
    const int names = strcmp(one->name, other->name);

    return sizes_j[0] != sizes_j[1] ? ARRAY_ORDER(sizes_j[1], sizes_j[0])
           : names                  ? names
                                    : strcmp(one->library, other->library);
}

static bool add_seen(struct profile_difference *difference, const struct function_seen *seen)
{
    difference->seen =
        array_room(difference->seen, &difference->seen_room, difference->seen_count + 1, sizeof *difference->seen);
    if (difference->seen_count == difference->seen_room)
        return false;
    difference->seen[difference->seen_count++] = *seen;
    return true;
}

static bool add_functions(struct profile_difference *difference, const struct cJSON *functions, struct error *err)
{
    for (const struct cJSON *item = json_first(functions); item; item = json_next(item)) {
        struct profile_function function = { .name = NULL };
        fields_take(item, &profile_function_fields, &function);
        const struct function_seen seen = { .name = function.name ? function.name : "",
                                            .library = function.library ? function.library : "",
                                            .document = difference->document_count - 1,
                                            .own_j = function.share.own_j,
                                            .samples = function.share.own_samples };
        if (isfinite(seen.own_j) && !add_seen(difference, &seen))
            return error_errno(err, "no memory for the functions");
    }
    return true;
}

static bool keep_document(struct profile_difference *difference, size_t side, struct cJSON *json, struct error *err)
{
    struct document_of *documents =
        reallocarray(difference->documents, difference->document_count + 1, sizeof *documents);

    if (!documents) {
        json_close(json);
        return error_errno(err, "no memory for a profile");
    }
    difference->documents = documents;
    documents[difference->document_count++] = (struct document_of){ json, side };
    return true;
}

static bool read_profile(struct profile_difference *difference, size_t side, const char *path, struct error *err)
{
    struct profiled_side *of = &difference->sides[side];
    struct cJSON *document = json_read(path, err);
    struct profile_totals totals;

    if (!document || !keep_document(difference, side, document, err) ||
        !json_is_form(document, path, PROFILE_SCHEMA, err))
        return false;
    totals = profile_totals_of(document);
    if (!json_is_array(totals.functions) || !(totals.samples > 0)) {
        error_set(err, ERROR_BAD_DATA, "'%.200s' has no functions", path);
        return error_why(err, "the job had no samples, or the document is damaged");
    }
    if (!isfinite(totals.own_j)) {
        error_set(err, ERROR_BAD_DATA, "'%.200s' has no energies", path);
        return error_why(err, "the job's own energy was unknown");
    }
    of->own_j = (of->own_j * (double)of->profiles + totals.own_j) / (double)(of->profiles + 1);
    of->samples += totals.samples;
    of->profiles++;
    return add_functions(difference, totals.functions, err);
}

/* Several profiles, with commas between them; a file whose name has one is meant as a whole. */
static bool read_side(struct profile_difference *difference, size_t side, const char *paths, struct error *err)
{
    const char *end = access(paths, F_OK) == 0 ? NULL : strchr(paths, ',');

    for (;; paths = end + 1, end = strchr(paths, ',')) {
        char *path = strndup(paths, end ? (size_t)(end - paths) : strlen(paths));
        const bool read = path ? read_profile(difference, side, path, err) : error_errno(err, "no memory for a name");
        free(path);
        if (!read || !end)
            return read;
    }
}

/* The uses of a function in each profile. */
static void join(struct profile_difference *difference)
{
    const struct function_seen *last = NULL;
    double of_document_j = 0;

    if (difference->seen_count > 1)
        qsort(difference->seen, difference->seen_count, sizeof *difference->seen, by_name);
    for (size_t i = 0; i < difference->seen_count; i++) {
        const struct function_seen *seen = &difference->seen[i];
        const bool same = last && strcmp(last->name, seen->name) == 0 && strcmp(last->library, seen->library) == 0;
        struct function_change *change = &difference->changes[same ? difference->count - 1 : difference->count];
        struct function_use *use = &change->sides[difference->documents[seen->document].side];
        if (!same) {
            change->name = seen->name;
            change->library = seen->library;
            difference->count++;
        }
        /* one document may have it twice */
        if (!same || last->document != seen->document)
            of_document_j = 0;
        use->sum_jj += (of_document_j + seen->own_j) * (of_document_j + seen->own_j) - of_document_j * of_document_j;
        of_document_j += seen->own_j;
        use->sum_j += seen->own_j;
        use->samples += seen->samples;
        last = seen;
    }
}

static bool read_difference(struct profile_difference *difference, char *const *paths, struct error *err)
{
    for (size_t side = 0; side < 2; side++)
        if (!read_side(difference, side, paths[side], err))
            return false;
    difference->changes = calloc(difference->seen_count + 1, sizeof *difference->changes);
    if (!difference->changes)
        return error_errno(err, "no memory for %zu functions", difference->seen_count);
    join(difference);
    if (!function_changes_judge(difference->changes, difference->count, difference->sides, err))
        return false;
    if (difference->count > 1)
        qsort(difference->changes, difference->count, sizeof *difference->changes, by_size);
    return true;
}

static void write_plain(FILE *out, const char *name)
{
    for (size_t i = 0; name[i] && (i < 100 || ((unsigned char)name[i] & 0xc0) == 0x80); i++)
        fputc((unsigned char)name[i] < ' ' || name[i] == 127 ? '?' : name[i], out);
}

static void write_row(const struct function_change *change, FILE *out)
{
    char text[UNITS_SIZE];

    cell_write(out, 9, units_energy(change->own_j[0], text));
    cell_write(out, 9, units_energy(change->own_j[1], text));
    cell_write(out, 12, units_energy(change->difference_j, text));
    cell_write(out, 10, units_energy(function_change_half_j(change), text));
    fputs(change->significant ? "  " : "  (not significant) ", out);
    write_plain(out, change->name);
    fputs(" (", out);
    write_plain(out, change->library);
    fputs(")\n", out);
}

static bool write_table(const struct profile_difference *difference, FILE *out, struct error *err)
{
    enum { ROWS_MAX = 40 };
    const struct profiled_side *sides = difference->sides;
    const bool one_each = sides[0].profiles == 1 || sides[1].profiles == 1;
    char text[UNITS_SIZE];
    size_t significant = 0;

    for (size_t i = 0; i < difference->count; i++)
        significant += difference->changes[i].significant;
    fprintf(out, "%zu of %zu functions differ beyond the chance of %s (5 %% over all of them)\n", significant,
            difference->count, one_each ? "sampling" : "runs");
    fprintf(out, "\n%9s%9s%12s%10s  %s\n", "before", "after", "difference", "95 % ±", "function (library)");
    for (size_t i = 0; i < difference->count && i < ROWS_MAX; i++)
        write_row(&difference->changes[i], out);
    if (difference->count > ROWS_MAX)
        fprintf(out, "and %zu more functions\n", difference->count - ROWS_MAX);
    cell_write(out, 9, units_energy(sides[0].own_j, text));
    cell_write(out, 9, units_energy(sides[1].own_j, text));
    cell_write(out, 12, units_energy(sides[1].own_j - sides[0].own_j, text));
    fprintf(out, "%10s  all of the job's own energy\n", "");
    if (one_each)
        fputs("note: the ranges are those of sampling: of one profile nothing says how far runs differ by themselves\n"
              "hint: several of each: carbon profile diff a1.json,a2.json,a3.json b1.json,b2.json,b3.json\n",
              out);
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
    static const struct option_spec *const useful[] = { &option_json, &option_color, &option_no_table };

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
    if (settings_flag(settings, &option_no_table))
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
    for (size_t i = 0; i < difference.document_count; i++)
        json_close(difference.documents[i].json);
    free(difference.documents);
    free(difference.seen);
    free(difference.changes);
    return status;
}
