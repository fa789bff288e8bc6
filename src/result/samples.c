/* SPDX-License-Identifier: MIT
 * The time series, line by line. */
#include "result/samples.h"

#include "base/c_locale.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

/* A line of the table while it is made; room for every column at its longest. */
struct line {
    char data[ENERGY_MAX_DOMAINS * 96 + 256];
    size_t length;
};

static void line_add(struct line *line, const char *format, ...) PRINTF_LIKE(2, 3);

static void line_add(struct line *line, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    line->length += (size_t)c_vsnprintf(line->data + line->length, sizeof line->data - line->length, format, arguments);
    va_end(arguments);
}

static bool line_write(struct output *output, const struct line *line, struct error *err)
{
    size_t done = 0;

    while (done < line->length) {
        const ssize_t written = write(fileno(output->file), line->data + done, line->length - done);
        if (written < 0 && errno != EINTR) {
            error_errno(err, "cannot write");
            return output_failed(output, err);
        }
        if (written > 0)
            done += (size_t)written;
    }
    return true;
}

bool samples_has_column(const struct meter *meter, size_t domain)
{
    return meter->domains[domain].domain->problem.kind == ERROR_NONE;
}

/* Two sources may have the same name for it. */
static bool is_repeated(const struct meter *meter, size_t domain)
{
    for (size_t i = 0; i < domain; i++)
        if (samples_has_column(meter, i) &&
            strcmp(meter->domains[i].domain->name, meter->domains[domain].domain->name) == 0)
            return true;
    return false;
}

void samples_columns(const struct meter *meter, struct text *columns)
{
    text_add(columns, "timestamp,time_s,phase,run");
    for (size_t i = 0; i < meter->domain_count; i++) {
        const bool repeated = is_repeated(meter, i);
        if (samples_has_column(meter, i))
            text_add(columns, ",%.40s%s%s_uj", repeated ? meter->domains[i].source->driver->name : "",
                     repeated ? ":" : "", meter->domains[i].domain->name);
    }
}

bool samples_header(struct output *output, const struct meter *meter, struct error *err)
{
    struct line line = { .length = 0 };
    struct text columns;

    text_open(&columns, sizeof line.data - 2);
    samples_columns(meter, &columns);
    line_add(&line, "%s\n", columns.data ? columns.data : "");
    text_close(&columns);
    return line_write(output, &line, err);
}

bool samples_line(struct output *output, const struct meter *meter, uint64_t opened_ns, uint64_t opened_realtime_ns,
                  const struct workload_place *place, const struct sample *sample, struct error *err)
{
    const uint64_t elapsed_ns = sample->time_ns - opened_ns;
    char timestamp[CLOCK_TEXT_SIZE], time_s[TEXT_NUMBER_SIZE];
    struct line line;

    line.length = 0;
    line_add(&line, "%s,%s,%s,%zu", clock_text(opened_realtime_ns + elapsed_ns, timestamp),
             text_number(s_from_ns(elapsed_ns), time_s), workload_phase_name(place->phase), place->number);
    for (size_t i = 0; i < meter->domain_count; i++) {
        if (!samples_has_column(meter, i))
            continue;
        line_add(&line, ",");
        if (sample->read[i])
            line_add(&line, "%" PRIu64, sample->energy_uj[i]);
    }
    line_add(&line, "\n");
    return line_write(output, &line, err);
}
