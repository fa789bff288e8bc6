/* SPDX-License-Identifier: MIT
 * The file of a machine profile. */
#include "power/machine_profile.h"

#include "base/c_locale.h"
#include "base/clock.h"
#include "base/csv.h"
#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TITLE "carbon machine profile"
#define VERSION "1"

/* No machine draws more, or has more CPUs. */
#define MAX_W 1e6
#define MAX_COUNT 1e6

/* A load with less of a CPU is not informative. */
#define MIN_BUSY 0.01

/* CPU time is counted a little longer than the window that it is reported for. */
#define MAX_BUSY 1.05

enum { KEY_COLUMNS = 2, STEP_HEAD = 2, STEP_COLUMNS = STEP_HEAD + 2 * PROFILE_PARTS };

enum key_kind { KEY_TEXT, KEY_NUMBER, KEY_BYTES, KEY_FLAG, KEY_HOW };

struct profile_file_key {
    const char *name;
    enum key_kind kind;
    size_t offset, size;
};

#define TEXT_KEY(name, of, member)                                                                                     \
    {                                                                                                                  \
        name, KEY_TEXT, offsetof(of, member), sizeof((of *)0)->member                                                  \
    }
#define KEY(name, kind, of, member)                                                                                    \
    {                                                                                                                  \
        name, kind, offsetof(of, member), 0                                                                            \
    }

static const struct profile_file_key keys[] = {
    TEXT_KEY("made_at", struct machine_profile, made_at),
    TEXT_KEY("carbon_version", struct machine_profile, carbon_version),
    KEY("how", KEY_HOW, struct machine_profile, how),
    TEXT_KEY("meter", struct machine_profile, meter),
    KEY("busy", KEY_FLAG, struct machine_profile, busy),
};

static const struct profile_file_key hardware_keys[] = {
    TEXT_KEY("cpu_vendor", struct profile_hardware, cpu_vendor),
    TEXT_KEY("cpu_model", struct profile_hardware, cpu_model),
    TEXT_KEY("board", struct profile_hardware, board),
    KEY("cpu_family", KEY_NUMBER, struct profile_hardware, cpu_family),
    KEY("cpu_number", KEY_NUMBER, struct profile_hardware, cpu_number),
    KEY("cpu_stepping", KEY_NUMBER, struct profile_hardware, cpu_stepping),
    KEY("sockets", KEY_NUMBER, struct profile_hardware, sockets),
    KEY("cores", KEY_NUMBER, struct profile_hardware, cores),
    KEY("threads", KEY_NUMBER, struct profile_hardware, threads),
    KEY("memory_bytes", KEY_BYTES, struct profile_hardware, memory_bytes),
    KEY("guest", KEY_FLAG, struct profile_hardware, guest),
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* ---- writing ---- */

static void write_key(FILE *out, const char *prefix, const struct profile_file_key *key, const void *of)
{
    const void *at = (const char *)of + key->offset;

    fprintf(out, "%s%s,", prefix, key->name);
    switch (key->kind) {
    case KEY_TEXT: csv_write_field(out, at); break;
    case KEY_NUMBER: fprintf(out, "%d", *(const int *)at); break;
    case KEY_BYTES: fprintf(out, "%llu", (unsigned long long)*(const uint64_t *)at); break;
    case KEY_FLAG: fputs(*(const bool *)at ? "yes" : "no", out); break;
    case KEY_HOW: fputs(profile_how_name(*(const enum profile_how *)at), out); break;
    }
    fputc('\n', out);
}

static void write_hardware(FILE *out, const char *prefix, const struct profile_hardware *hardware)
{
    for (size_t i = 0; i < COUNT(hardware_keys); i++)
        write_key(out, prefix, &hardware_keys[i], hardware);
}

static void write_steps(FILE *out, const struct machine_profile *profile)
{
    char number[TEXT_NUMBER_SIZE];

    fputs("load,busy_cpus", out);
    for (enum profile_part part = 0; part < PROFILE_PARTS; part++)
        fprintf(out, ",%s_w,%s_spread_w", profile_part_name(part), profile_part_name(part));
    fputc('\n', out);
    for (size_t i = 0; i < profile->step_count; i++) {
        const struct profile_step *step = &profile->steps[i];
        fprintf(out, "%s,%s", profile_work_name(step->work), text_number(step->busy_cpus, number));
        for (enum profile_part part = 0; part < PROFILE_PARTS; part++) {
            csv_add_number(out, step->w[part]);
            csv_add_number(out, step->spread_w[part]);
        }
        fputc('\n', out);
    }
}

static bool write_all(const struct machine_profile *profile, FILE *out)
{
    fputs(TITLE "," VERSION "\n", out);
    for (size_t i = 0; i < COUNT(keys); i++)
        write_key(out, "", &keys[i], profile);
    write_hardware(out, "", &profile->hardware);
    if (profile->host.threads)
        write_hardware(out, "host_", &profile->host);
    write_steps(out, profile);
    return fflush(out) == 0 && !ferror(out);
}

/* The ID is a hash of its content, however the file is formatted. */
static bool identify(struct machine_profile *profile)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    const bool written = out && write_all(profile, out);

    if (out)
        fclose(out);
    if (written)
        snprintf(profile->id, sizeof profile->id, "%016llx", (unsigned long long)text_hash(text, length));
    free(text);
    return written;
}

bool machine_profile_write(struct machine_profile *profile, FILE *out)
{
    return identify(profile) && write_all(profile, out);
}

/* ---- reading ---- */

struct profile_file_reading {
    struct machine_profile *profile;
    bool seen[COUNT(keys)], hardware_seen[COUNT(hardware_keys)], host_seen[COUNT(hardware_keys)];
    bool in_steps;
};

static bool take_number(const char *text, double min, double max, double *value)
{
    return text_to_number(text, value) && *value >= min && *value <= max;
}

static bool take_value(const struct csv_row *row, const struct profile_file_key *key, void *of, struct error *err)
{
    const char *text = row->fields[1];
    void *at = (char *)of + key->offset;
    double number;

    switch (key->kind) {
    case KEY_TEXT:
        if (strlen(text) >= key->size)
            return csv_bad_field(row, 1, key->name, err, "it is longer than %zu bytes", key->size - 1);
        utf8_printable(at, key->size, text);
        return true;
    case KEY_NUMBER:
        if (!take_number(text, -1, MAX_COUNT, &number) || number != floor(number))
            return csv_bad_field(row, 1, key->name, err, "'%s' is not a whole number", text);
        *(int *)at = (int)number;
        return true;
    case KEY_BYTES:
        return text_to_u64(text, at) || csv_bad_field(row, 1, key->name, err, "'%s' is not a number of bytes", text);
    case KEY_FLAG:
        *(bool *)at = strcmp(text, "yes") == 0;
        return *(bool *)at || strcmp(text, "no") == 0 ||
               csv_bad_field(row, 1, key->name, err, "'%s' is neither yes nor no", text);
    case KEY_HOW:
        for (int how = 0; how < PROFILE_HOWS; how++)
            if (strcmp(profile_how_name((enum profile_how)how), text) == 0) {
                *(enum profile_how *)at = (enum profile_how)how;
                return true;
            }
        return csv_bad_field(row, 1, key->name, err, "'%s' is neither meter nor wall", text);
    }
    return false;
}

/* *known: the list has a key of that name. */
static bool take_of(const struct csv_row *row, const char *name, const struct profile_file_key *list, size_t count,
                    bool *seen, void *of, bool *known, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].name, name) != 0)
            continue;
        *known = true;
        if (seen[i])
            return csv_bad_field(row, 0, "key", err, "'%s' is there twice", name);
        seen[i] = true;
        return take_value(row, &list[i], of, err);
    }
    return true;
}

/* What a later carbon adds is passed over. */
static bool take_key(const struct csv_row *row, struct profile_file_reading *reading, struct error *err)
{
    struct machine_profile *profile = reading->profile;
    const char *name = row->fields[0];
    bool known = false;

    if (row->count != KEY_COLUMNS)
        return csv_bad_field(row, row->count < KEY_COLUMNS ? 0 : KEY_COLUMNS, "key", err,
                             "a key and its value are needed");
    if (strncmp(name, "host_", 5) == 0)
        return take_of(row, name + 5, hardware_keys, COUNT(hardware_keys), reading->host_seen, &profile->host, &known,
                       err);
    return take_of(row, name, keys, COUNT(keys), reading->seen, profile, &known, err) &&
           (known || take_of(row, name, hardware_keys, COUNT(hardware_keys), reading->hardware_seen, &profile->hardware,
                             &known, err));
}

static bool take_head(const struct csv_row *row, struct error *err)
{
    char expected[48];

    if (row->count < STEP_COLUMNS)
        return csv_bad_field(row, row->count - 1, row->fields[row->count - 1], err, "%d columns are needed",
                             STEP_COLUMNS);
    for (size_t i = 1; i < STEP_COLUMNS; i++) {
        const size_t part = (i - STEP_HEAD) / 2;
        if (i < STEP_HEAD)
            text_copy(expected, sizeof expected, "busy_cpus");
        else
            snprintf(expected, sizeof expected, "%s%s_w", profile_part_name((enum profile_part)part),
                     (i - STEP_HEAD) % 2 ? "_spread" : "");
        if (strcmp(row->fields[i], expected) != 0)
            return csv_bad_field(row, i, row->fields[i], err, "the column '%s' is expected here", expected);
    }
    return true;
}

static bool take_w(const struct csv_row *row, size_t column, double *w, struct error *err)
{
    const char *text = row->fields[column];

    *w = NAN;
    return !*text || take_number(text, 0, MAX_W, w) ||
           csv_bad_field(row, column, "watts", err, "'%s' is not a power in watts", text);
}

/* Idle once and first; the steps of a work go up. */
static bool in_order(const struct machine_profile *profile, const struct profile_step *step)
{
    const struct profile_step *before = profile->step_count ? &profile->steps[profile->step_count - 1] : NULL;

    if (!before)
        return step->work == PROFILE_IDLE && step->busy_cpus == 0;
    return step->work > before->work ? step->busy_cpus > 0
                                     : step->work == before->work && step->busy_cpus > before->busy_cpus;
}

static bool take_step(const struct csv_row *row, struct machine_profile *profile, struct error *err)
{
    struct profile_step *step = &profile->steps[profile->step_count];

    if (row->count < STEP_COLUMNS)
        return csv_bad_field(row, row->count, "watts", err, "%d fields are needed", STEP_COLUMNS);
    if (profile->step_count == PROFILE_MAX_STEPS)
        return csv_bad_field(row, 0, "load", err, "there are more than %d steps", PROFILE_MAX_STEPS);
    for (step->work = 0; step->work < PROFILE_WORKS; step->work++)
        if (strcmp(row->fields[0], profile_work_name(step->work)) == 0)
            break;
    if (step->work == PROFILE_WORKS)
        return csv_bad_field(row, 0, "load", err, "'%s' is none of idle, cpu and memory", row->fields[0]);
    if (!take_number(row->fields[1], step->work == PROFILE_IDLE ? 0 : MIN_BUSY, MAX_COUNT, &step->busy_cpus))
        return csv_bad_field(row, 1, "busy_cpus", err, "'%s' is not a number of CPUs", row->fields[1]);
    if (!in_order(profile, step))
        return csv_bad_field(row, 1, "busy_cpus", err,
                             "idle comes first, with 0, then cpu and memory, each from few busy CPUs to many");
    for (size_t part = 0; part < PROFILE_PARTS; part++)
        if (!take_w(row, STEP_HEAD + 2 * part, &step->w[part], err) ||
            !take_w(row, STEP_HEAD + 2 * part + 1, &step->spread_w[part], err))
            return false;
    profile->step_count++;
    return true;
}

static bool on_row(const struct csv_row *row, void *context, struct error *err)
{
    struct profile_file_reading *reading = context;

    if (row->line == 1 && (row->count < KEY_COLUMNS || strcmp(row->fields[0], TITLE) != 0))
        return csv_bad_field(row, 0, "title", err, "a machine profile begins with '" TITLE "'");
    if (row->line == 1)
        return strcmp(row->fields[1], VERSION) == 0 ||
               csv_bad_field(row, 1, "version", err, "this carbon reads version " VERSION ", not '%s'", row->fields[1]);
    if (reading->in_steps)
        return take_step(row, reading->profile, err);
    if (strcmp(row->fields[0], "load") != 0)
        return take_key(row, reading, err);
    reading->in_steps = true;
    return take_head(row, err);
}

static const char *first_missing(const struct profile_file_reading *reading)
{
    for (size_t i = 0; i < COUNT(keys); i++)
        if (!reading->seen[i])
            return keys[i].name;
    for (size_t i = 0; i < COUNT(hardware_keys); i++)
        if (!reading->hardware_seen[i])
            return hardware_keys[i].name;
    return NULL;
}

static bool has_any(const struct machine_profile *profile)
{
    for (enum profile_part part = 0; part < PROFILE_PARTS; part++)
        if (profile_has(profile, part))
            return true;
    return false;
}

static bool is_whole(const struct profile_file_reading *reading, struct error *err)
{
    const struct machine_profile *profile = reading->profile;
    const char *missing = first_missing(reading);
    uint64_t made_ns;

    if (missing)
        return error_why(err, "it has no line '%s'", missing);
    if (!clock_of_text(profile->made_at, &made_ns))
        return error_why(err, "made_at '%.32s' is not a time", profile->made_at);
    if (profile->hardware.threads < 1)
        return error_why(err, "it has no CPU");
    if (!has_any(profile))
        return error_why(err, "it has no part with a power idle and a power with CPUs busy");
    for (size_t i = 0; i < profile->step_count; i++)
        if (profile->steps[i].busy_cpus > MAX_BUSY * profile_cpus(profile))
            return error_why(err, "a step has more busy CPUs than the machine's %d", profile_cpus(profile));
    return true;
}

static bool check(const struct profile_file_reading *reading, const char *path, struct error *err)
{
    struct error fault;

    error_set(&fault, ERROR_BAD_DATA, "'%.180s' is not a whole machine profile", path);
    if (is_whole(reading, &fault))
        return true;
    *err = fault;
    return false;
}

bool machine_profile_read(const char *path, struct machine_profile *profile, struct error *err)
{
    struct profile_file_reading reading = { .profile = profile };

    *profile = (struct machine_profile){ .step_count = 0 };
    text_copy(profile->path, sizeof profile->path, path);
    if (csv_read_ragged(path, on_row, &reading, err) && check(&reading, path, err))
        return identify(profile) || error_set(err, ERROR_SYSTEM, "no memory to read '%.180s'", path);
    if (err->kind == ERROR_BAD_DATA)
        error_fix(err, "make it again: carbon calibrate");
    return false;
}
