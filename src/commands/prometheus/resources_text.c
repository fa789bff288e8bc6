/* SPDX-License-Identifier: MIT
 * Peaks of pods for people. */
#include "base/c_locale.h"
#include "commands/prometheus/resources.h"

#include "base/units.h"
#include "base/utf8.h"
#include "form/cells.h"
#include "io/local_time.h"

#include <math.h>

enum { NAME_WIDTH = 40, FIGURE_WIDTH = 13, REQUEST_WIDTH = 14 };

double resources_rounded_up(double value)
{
    return ceil(value * 100 - 1e-9) / 100; /* 0.07 * 100 is more than 7 */
}

double resources_gib(double bytes)
{
    return bytes / GIB_BYTES;
}

struct request resources_request(const struct peaks *peaks, const struct peak *peak)
{
    return size_request(request_cpu_at_least(peak->cpu_cores * 100, peaks->rate_s), peak->memory_bytes / 1e6, 0);
}

static void figure_cell(FILE *out, double value, const char *unit)
{
    char cell[64] = "unknown";

    if (isfinite(value))
        c_snprintf(cell, sizeof cell, "%.2f %s", resources_rounded_up(value), unit);
    cell_write(out, FIGURE_WIDTH, cell);
}

static void request_cell(FILE *out, uint64_t value, const char *unit)
{
    char cell[64] = "unknown";

    if (value)
        snprintf(cell, sizeof cell, "%llu %s", (unsigned long long)value, unit);
    cell_write(out, REQUEST_WIDTH, cell);
}

static void write_row(FILE *out, const struct peaks *peaks, const struct peak *peak)
{
    const struct request request = resources_request(peaks, peak);
    char namespace[260], pod[260], name[600];

    utf8_printable(namespace, sizeof namespace, peak->namespace);
    utf8_printable(pod, sizeof pod, *peak->container ? peak->container : peak->pod);
    if (*peak->container)
        snprintf(name, sizeof name, "  %s", pod);
    else
        snprintf(name, sizeof name, "%s (%s)", pod, namespace);
    cell_name(out, NAME_WIDTH, name);
    figure_cell(out, peak->cpu_cores, request.cpu ? "cores" : "");
    figure_cell(out, resources_gib(peak->memory_bytes), "GiB");
    request_cell(out, request.cpu, request.cpu == 1 ? "core" : "cores");
    request_cell(out, request.memory_mb, "MB");
    fputc('\n', out);
}

bool resources_table(const struct resources *resources, FILE *out, struct error *err)
{
    const struct peaks *peaks = &resources->peaks;
    char from[CLOCK_TEXT_SIZE], to[CLOCK_TEXT_SIZE], length[UNITS_SIZE];

    (void)err;
    fprintf(out, "the most that was used from %s to %s (%s)\n\n",
            local_time_text((uint64_t)resources->query.from_s, from),
            local_time_text((uint64_t)resources->query.to_s, to),
            units_duration(resources->query.to_s - resources->query.from_s, length));
    cell_name(out, NAME_WIDTH, "pod (namespace), containers");
    cell_write(out, FIGURE_WIDTH, "CPU");
    cell_write(out, FIGURE_WIDTH, "memory");
    cell_write(out, REQUEST_WIDTH, "request: CPU");
    cell_write(out, REQUEST_WIDTH, "memory");
    fputc('\n', out);
    for (size_t i = 0; i < peaks->count; i++)
        write_row(out, peaks, &peaks->items[i]);
    c_fprintf(out,
              "\n  CPU is a mean over %g s, memory the working set; both the most of samples every %.3g s, rounded up. "
              "A pod is\n"
              "  the sum of its containers at the same time. Requests by the rule of CPOST: whole cores, and (MB + "
              "100) up to a multiple of 256.\n",
              peaks->rate_s, peaks->step_s);
    return true;
}
