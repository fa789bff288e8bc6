/* SPDX-License-Identifier: MIT
 * A time series cut into slices while it is read. A year of seconds has 31.5 million lines: they are taken apart here,
 * by what carbon itself writes and nothing else, in a third of the time that a reader of any CSV takes. */
#include "commands/restate/sample_slices.h"

#include "base/auto.h"
#include "base/sysroot.h"
#include "base/text.h"
#include "base/units.h"
#include "form/field.h"
#include "measurement/slices.h"
#include "result/samples.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 20, PHASE_MAX = 32 };

/* The file, of which a part is in memory. */
struct sample_slices_lines {
    const char *path;
    int fd;
    char *buffer;
    size_t at, end; /* what is left of the buffer */
    uint64_t number;
    bool whole; /* nothing more comes */
};

/* One run while its samples come. */
struct cutting {
    struct loaded_record *loaded;
    const struct meter *meter;
    size_t columns[ENERGY_MAX_DOMAINS]; /* the domain of each column */
    size_t column_count;
    uint64_t step_ns;
    struct sample_cut *cut;
    double counted_uj, interpolated_uj;

    struct run *run;             /* NULL: between runs, or in something that is not cut */
    char window[PHASE_MAX];      /* "run,12": phase and number of the line above */
    uint64_t opened_ns, time_ns; /* of the run's first sample, of the last one; since the meter was opened */
    uint64_t start_uj[ENERGY_MAX_DOMAINS], energy_uj[ENERGY_MAX_DOMAINS]; /* energy at the start, and since */
    bool read[ENERGY_MAX_DOMAINS];
    bool has_holes; /* a column behind the energies: what it says is in the record */
};

static bool malformed(const struct sample_slices_lines *lines, const char *why, struct error *err)
{
    error_set(err, ERROR_BAD_DATA, "'%s' line %llu is malformed", lines->path, (unsigned long long)lines->number);
    error_why(err, "%s", why);
    return error_fix(err, "where carbon was killed while it wrote the last line, remove that line");
}

static bool foreign(const struct sample_slices_lines *lines, const char *why, struct error *err)
{
    error_set(err, ERROR_BAD_DATA, "'%s' is not the time series of this record", lines->path);
    error_why(err, "%s", why);
    return error_fix(err, "give what --samples wrote while the record was measured");
}

/* The next line without its end, from *line on; NULL at the end, or with errno where it cannot be read. */
static const char *next_line(struct sample_slices_lines *lines, size_t *length)
{
    const char *line, *newline;
    size_t read;

    while (!(newline = memchr(lines->buffer + lines->at, '\n', lines->end - lines->at))) {
        errno = 0;
        if (lines->whole || lines->end - lines->at == BUFFER_BYTES)
            return NULL;
        memmove(lines->buffer, lines->buffer + lines->at, lines->end - lines->at);
        lines->end -= lines->at;
        lines->at = 0;
        if (!fd_read_up_to(lines->fd, lines->buffer + lines->end, BUFFER_BYTES - lines->end, &read))
            return NULL;
        lines->whole = read == 0;
        lines->end += read;
        lines->buffer[lines->end] = '\0';
    }
    line = lines->buffer + lines->at;
    *length = (size_t)(newline - line);
    lines->at += *length + 1;
    lines->number++;
    return line;
}

/* Digits up to what is none; false: there are none, or too many. */
static bool take_digits(const char **text, uint64_t *value, unsigned *count)
{
    const char *c = *text;

    for (*value = 0; *c >= '0' && *c <= '9'; c++)
        *value = *value * 10 + (uint64_t)(*c - '0');
    *count = (unsigned)(c - *text);
    *text = c;
    return *count > 0 && *count < 20;
}

/* "12.069123456", as samples are written, in nanoseconds; other forms of a number, as of less than 0.1 ms, by the way
 * of a double. */
static bool take_seconds(const char **text, uint64_t *ns)
{
    const char *const from = *text;
    char copy[TEXT_NUMBER_SIZE];
    uint64_t whole, part = 0;
    unsigned digits, places = 0;
    double seconds;

    if (take_digits(text, &whole, &digits) && digits < 10 && (**text == ',' || **text == '.')) {
        if (**text == '.') {
            ++*text;
            if (!take_digits(text, &part, &places))
                return false;
        }
        for (; places < 9; places++)
            part *= 10;
        if (places == 9 && **text == ',') {
            *ns = whole * NS_PER_S_INT + part;
            return true;
        }
    }
    *text = strchrnul(from, ',');
    if ((size_t)(*text - from) >= sizeof copy)
        return false;
    memcpy(copy, from, (size_t)(*text - from));
    copy[*text - from] = '\0';
    if (!text_to_number(copy, &seconds) || seconds < 0)
        return false;
    *ns = field_ns(seconds);
    return true;
}

/* The record's run of this phase and number: warm-ups are not cut. */
static struct run *run_of(const struct cutting *cutting, const char *window)
{
    const struct measurement *measurement = &cutting->loaded->measurement;
    uint64_t number;

    if (strncmp(window, "run,", 4) != 0 || !text_to_u64(window + 4, &number))
        return NULL;
    for (size_t i = 0; i < measurement->run_count; i++)
        if (!measurement->runs[i].warmup && --number == 0)
            return &measurement->runs[i];
    return NULL;
}

static bool open_run(struct cutting *cutting, uint64_t time_ns, struct error *err)
{
    struct loaded_record *loaded = cutting->loaded;
    struct slices *slices = slices_new(cutting->meter->domain_count, 16, cutting->step_ns);
    const struct slice first = { .realtime_ns = cutting->run->window.realtime_ns };

    if (!slices || !slices_add(slices, &first))
        return error_set(err, ERROR_SYSTEM, "no memory for the slices of a run");
    slices->next = loaded->measurement.slices;
    loaded->measurement.slices = cutting->run->slices = slices;
    cutting->opened_ns = cutting->time_ns = time_ns;
    memset(cutting->read, 0, sizeof cutting->read);
    return true;
}

/* What was read of the run is what the record says, whose doubles have no nanoseconds after 104 days. */
static bool close_run(struct cutting *cutting, const struct sample_slices_lines *lines, struct error *err)
{
    const struct run *run = cutting->run;

    if (!run)
        return true;
    cutting->run = NULL;
    if (s_from_ns(cutting->time_ns - cutting->opened_ns) != s_from_ns(run->window.duration_ns))
        return foreign(lines, "a run is longer or shorter there", err);
    for (size_t c = 0; c < cutting->column_count; c++) {
        const size_t domain = cutting->columns[c];
        if (run->window.known[domain] && cutting->energy_uj[c] - cutting->start_uj[c] != run->window.energy_uj[domain])
            return foreign(lines, "a run has another energy there", err);
    }
    return true;
}

/* From the sample before to this one, cut at each edge that lies between. */
static void give(struct cutting *cutting, uint64_t time_ns, const uint64_t *before_uj)
{
    struct slices *slices = cutting->run->slices;
    uint64_t from_ns = cutting->time_ns - cutting->opened_ns, given_uj[ENERGY_MAX_DOMAINS] = { 0 };
    const uint64_t first_ns = from_ns, to_ns = time_ns - cutting->opened_ns;
    const uint64_t realtime_ns = slices->items[0].realtime_ns;
    bool cut = false, full = false;

    for (;;) {
        const uint64_t edge_ns = ((realtime_ns + from_ns) / slices->step_ns + 1) * slices->step_ns - realtime_ns;
        const bool last = full || edge_ns > to_ns;
        const uint64_t until_ns = last ? to_ns : edge_ns;
        slices->items[slices->count - 1].duration_ns += until_ns - from_ns;
        for (size_t c = 0; c < cutting->column_count; c++) {
            const uint64_t all_uj = cutting->energy_uj[c] - before_uj[c];
            const uint64_t so_far_uj =
                until_ns == to_ns
                    ? all_uj
                    : (uint64_t)((double)all_uj * (double)(until_ns - first_ns) / (double)(to_ns - first_ns));
            slices_give(slices, cutting->columns[c], so_far_uj - given_uj[c]);
            given_uj[c] = so_far_uj;
        }
        if (last)
            break;
        cut |= until_ns < to_ns;
        full = !slices_add(slices, &(struct slice){ .realtime_ns = realtime_ns + edge_ns, .start_ns = edge_ns });
        from_ns = until_ns;
    }
    for (size_t c = 0; c < cutting->column_count; c++)
        if (cutting->loaded->counting.is_counted[cutting->columns[c]]) {
            const double energy_uj = (double)(cutting->energy_uj[c] - before_uj[c]);
            cutting->counted_uj += energy_uj;
            cutting->interpolated_uj += cut ? energy_uj : 0;
        }
}

/* The phase and number of a line; where they are others than before another window begins. */
static bool take_window(struct cutting *cutting, const struct sample_slices_lines *lines, const char **text,
                        uint64_t time_ns, struct error *err)
{
    const size_t known = strlen(cutting->window);
    const char *comma, *end;

    if (known && strncmp(*text, cutting->window, known) == 0 && ((*text)[known] == ',' || (*text)[known] == '\n')) {
        *text += known;
        return true;
    }
    comma = strchrnul(*text, ',');
    end = *comma ? comma + 1 + strcspn(comma + 1, ",\n") : comma;
    if (!*comma || end - *text >= PHASE_MAX)
        return malformed(lines, "it has no phase and number", err);
    if (!close_run(cutting, lines, err))
        return false;
    memcpy(cutting->window, *text, (size_t)(end - *text));
    cutting->window[end - *text] = '\0';
    *text = end;
    cutting->run = run_of(cutting, cutting->window);
    if (cutting->run && (cutting->run->warmup || !cutting->run->ended))
        cutting->run = NULL;
    return !cutting->run || open_run(cutting, time_ns, err);
}

static bool take_line(struct cutting *cutting, const struct sample_slices_lines *lines, const char *line, size_t length,
                      struct error *err)
{
    const char *text = memchr(line, ',', length), *const end = line + length;
    uint64_t time_ns = 0, before_uj[ENERGY_MAX_DOMAINS];
    unsigned digits;

    if (!text || (++text, !take_seconds(&text, &time_ns)) || text >= end || *text++ != ',')
        return malformed(lines, "its time is not a number of seconds", err);
    if (!take_window(cutting, lines, &text, time_ns, err))
        return false;
    if (!cutting->run)
        return true;
    if (time_ns < cutting->time_ns)
        return malformed(lines, "it is before the line above", err);
    memcpy(before_uj, cutting->energy_uj, cutting->column_count * sizeof *before_uj);
    for (size_t c = 0; c < cutting->column_count; c++) {
        uint64_t uj;
        if (*text++ != ',')
            return malformed(lines, "it has not as many values as there are columns", err);
        if (*text == ',' || *text == '\n')
            continue; /* not read: the value before stands */
        if (!take_digits(&text, &uj, &digits))
            return malformed(lines, "an energy is not a whole number of microjoules", err);
        if (!cutting->read[c]) {
            cutting->read[c] = true;
            cutting->start_uj[c] = before_uj[c] = uj;
        }
        if (uj < before_uj[c])
            return malformed(lines, "an energy is less than before", err);
        cutting->energy_uj[c] = uj;
    }
    if (cutting->has_holes && text++ == end)
        return malformed(lines, "it has not as many values as there are columns", err);
    if (cutting->has_holes ? memchr(text, ',', (size_t)(end - text)) != NULL : text != end)
        return malformed(lines, "it has more values than there are columns", err);
    if (time_ns > cutting->time_ns)
        give(cutting, time_ns, before_uj);
    cutting->time_ns = time_ns;
    return true;
}

static bool take_header(struct cutting *cutting, const struct sample_slices_lines *lines, const char *line,
                        size_t length, struct error *err)
{
    struct text columns;
    bool same;

    text_open(&columns, SIZE_MAX);
    samples_columns(cutting->meter, &columns);
    cutting->has_holes = length == columns.length;
    same = length <= columns.length && memcmp(columns.data, line, length) == 0 &&
           (cutting->has_holes || strcmp(columns.data + length, "," SAMPLE_HOLES_COLUMN) == 0);
    text_close(&columns);
    if (!same)
        return foreign(lines, "its columns are not those of the record's domains", err);
    for (size_t i = 0; i < cutting->meter->domain_count; i++)
        if (samples_has_column(cutting->meter, i))
            cutting->columns[cutting->column_count++] = i;
    return true;
}

static bool take_lines(struct cutting *cutting, struct sample_slices_lines *lines, struct error *err)
{
    const char *line;
    size_t length;

    while ((line = next_line(lines, &length))) {
        if (!(lines->number == 1 ? take_header(cutting, lines, line, length, err)
                                 : take_line(cutting, lines, line, length, err)))
            return false;
        cutting->cut->samples += lines->number > 1;
    }
    if (errno)
        return error_errno(err, "cannot read '%s'", lines->path);
    if (lines->at < lines->end) {
        lines->number++;
        return malformed(lines, "it has no end", err);
    }
    return close_run(cutting, lines, err);
}

/* Each run that can be cut was. */
static bool all_cut(const struct measurement *measurement, const struct sample_slices_lines *lines, struct error *err)
{
    for (size_t i = 0; i < measurement->run_count; i++)
        if (measurement->runs[i].ended && !measurement->runs[i].warmup && !measurement->runs[i].slices)
            return foreign(lines, "it does not have all of the record's runs", err);
    return true;
}

bool sample_slices(const char *path, struct loaded_record *loaded, uint64_t step_ns, struct sample_cut *cut,
                   struct error *err)
{
    AUTO_FREE char *buffer = malloc(BUFFER_BYTES + 1);
    AUTO_FREE struct cutting *cutting = calloc(1, sizeof *cutting);
    AUTO_CLOSE int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct sample_slices_lines lines = { .path = path, .fd = fd, .buffer = buffer };

    *cut = (struct sample_cut){ .samples = 0 };
    if (fd < 0)
        return error_errno(err, "cannot open '%s'", path);
    if (!buffer || !cutting)
        return error_set(err, ERROR_SYSTEM, "no memory to read '%s'", path);
    *cutting = (struct cutting){ .loaded = loaded, .meter = &loaded->meter, .step_ns = step_ns, .cut = cut };
    for (size_t i = 0; i < loaded->measurement.run_count; i++)
        loaded->measurement.runs[i].slices = NULL;
    if (!take_lines(cutting, &lines, err) || !all_cut(&loaded->measurement, &lines, err))
        return false;
    cut->interpolated = cutting->counted_uj > 0 ? cutting->interpolated_uj / cutting->counted_uj : 0;
    return true;
}
