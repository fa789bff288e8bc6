/* SPDX-License-Identifier: MIT
 * The time series, line by line. */
#include "result/samples.h"

#include "base/auto.h"
#include "base/c_locale.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "form/sheet.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* Room for every column at its longest, and as much for the last one. */
enum { ENERGIES_SIZE = ENERGY_MAX_DOMAINS * 96 + 256, HOLES_SIZE = ENERGY_MAX_DOMAINS * (SAMPLE_HOLE_SIZE + 2) };

/* A line of the table while it is made. */
struct samples_line {
    char data[ENERGIES_SIZE + HOLES_SIZE];
    size_t length;
};

static void line_add(struct samples_line *line, const char *format, ...) PRINTF_LIKE(2, 3);

static void line_add(struct samples_line *line, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    line->length += (size_t)c_vsnprintf(line->data + line->length, sizeof line->data - line->length, format, arguments);
    va_end(arguments);
}

static bool bytes_write(struct output *output, const char *bytes, size_t length, struct error *err)
{
    size_t done = 0;

    while (done < length) {
        const ssize_t written = write(fileno(output->file), bytes + done, length - done);
        if (written < 0 && errno != EINTR) {
            error_errno(err, "cannot write");
            return output_failed(output, err);
        }
        if (written > 0)
            done += (size_t)written;
    }
    return true;
}

static bool line_write(struct output *output, const struct samples_line *line, struct error *err)
{
    size_t length = line->length;
    AUTO_FREE char *safe = output->lines_are_safe ? sheet_text(line->data, length, &length) : NULL;

    if (output->lines_are_safe && !safe)
        return error_errno(err, "no memory for a line of '%.200s'", output->path);
    return bytes_write(output, safe ? safe : line->data, length, err);
}

void samples_columns(const struct meter *meter, struct text *columns)
{
    char name[SAMPLE_COLUMN_SIZE];

    text_add(columns, "timestamp,time_s,phase,run");
    for (size_t i = 0; i < meter->domain_count; i++)
        if (samples_has_column(meter, i)) {
            sample_column_name(meter, i, name);
            text_add(columns, ",%s_uj", name);
        }
    text_add(columns, "," SAMPLE_HOLES_COLUMN);
}

bool samples_header(struct output *output, const struct meter *meter, struct error *err)
{
    struct samples_line line = { .length = 0 };
    struct text columns;

    text_open(&columns, sizeof line.data - 2);
    samples_columns(meter, &columns);
    line_add(&line, "%s\n", columns.data ? columns.data : "");
    text_close(&columns);
    return line_write(output, &line, err);
}

static void line_add_holes(struct samples_line *line, const struct meter *meter, const struct sample *sample)
{
    char hole[SAMPLE_HOLE_SIZE];
    const char *joint = ",";

    for (size_t i = 0; i < meter->domain_count; i++) {
        if (!samples_has_column(meter, i))
            continue;
        sample_hole_text(meter, sample, i, hole);
        if (hole[0]) {
            line_add(line, "%s%s", joint, hole);
            joint = "; ";
        }
    }
    if (*joint == ',')
        line_add(line, ",");
}

bool samples_line(struct output *output, const struct meter *meter, uint64_t opened_ns, uint64_t opened_realtime_ns,
                  const struct workload_place *place, const struct sample *sample, struct error *err)
{
    const uint64_t elapsed_ns = sample->time_ns - opened_ns;
    char timestamp[CLOCK_TEXT_SIZE], time_s[TEXT_NUMBER_SIZE];
    struct samples_line line;

    line.length = 0;
    line_add(&line, "%s,%s,%s,%zu", clock_text(opened_realtime_ns + elapsed_ns, timestamp),
             text_number(s_from_ns(elapsed_ns), time_s), workload_phase_name(place->phase), place->number);
    for (size_t i = 0; i < meter->domain_count; i++) {
        if (!samples_has_column(meter, i))
            continue;
        line_add(&line, ",");
        if (sample->read[i] || sample->cut[i])
            line_add(&line, "%" PRIu64, sample->energy_uj[i]);
    }
    line_add_holes(&line, meter, sample);
    line_add(&line, "\n");
    return line_write(output, &line, err);
}
