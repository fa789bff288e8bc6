/* SPDX-License-Identifier: MIT
 * The job in a paragraph. */
#include "result/usage_text.h"

#include "base/units.h"
#include "form/paragraph.h"

#include <math.h>

static void add_figure(struct text *text, const char *before, const struct usage_figure *figure, const char *after)
{
    char digits[UNITS_SIZE];

    if (isfinite(figure->value) && figure->value == floor(figure->value))
        text_add(text, "%s%.0f%s", before, figure->value, after);
    else
        text_add(text, "%s%s%s", before, units_digits(figure->value, 3, digits), after);
}

static void add_bytes(struct text *text, const char *before, const struct usage_figure *figure, const char *after)
{
    char bytes[UNITS_SIZE];

    text_add(text, "%s%s%s", before, units_bytes(figure->value, bytes), after);
}

static void add_seconds(struct text *text, const char *before, double value_s)
{
    char duration[UNITS_SIZE];

    text_add(text, "%s%s", before, units_duration(value_s, duration));
}

static void add_from(struct text *text, const struct usage_figure *figure)
{
    if (figure->from)
        text_add(text, " (%s)", figure->from);
}

/* Of what was watched and goes on. */
static void add_left(struct text *text, const struct usage_summary *usage)
{
    if (isnan(usage->memory_bytes.value))
        return;
    add_bytes(text, ", at the end ", &usage->memory_bytes, "");
    if (!isnan(usage->working_set_bytes.value))
        add_bytes(text, " (working set ", &usage->working_set_bytes, ")");
}

static void add_network(struct text *text, const struct usage_summary *usage)
{
    if (isnan(usage->received_bytes.value))
        return;
    add_bytes(text, "; network ", &usage->received_bytes, " received");
    add_bytes(text, ", ", &usage->sent_bytes, " sent");
}

static const char *bound_words(enum bound bound)
{
    switch (bound) {
    case BOUND_UNKNOWN: return "bottleneck unknown";
    case BOUND_IDLE: return "mostly idle";
    case BOUND_CPU: return "CPU-bound";
    case BOUND_MEMORY: return "memory-bound";
    case BOUND_IO: return "I/O-bound";
    case BOUND_MIXED: return "no single bottleneck";
    }
    return "";
}

void usage_text(const struct report *report, FILE *out)
{
    const struct usage_summary *usage = &report->usage;
    struct text text;

    if (!report->exit_known && !report->target)
        return;
    text_open(&text, 4096);
    text_add(&text, "%s (%s); ", bound_words(report->bound.bound), report->bound.why);
    add_seconds(&text, "wall ", report->summary.duration_s.mean);
    add_seconds(&text, ", user ", usage->user_s.value);
    add_seconds(&text, ", system ", usage->system_s.value);
    add_seconds(&text, "; CPU ", usage->cpu_s.value);
    add_from(&text, &usage->cpu_s);
    add_figure(&text, ", ", &usage->cpu_percent_of_core, " % of one core");
    add_figure(&text, ", ", &usage->cpu_percent_of_machine, " % of the machine");
    add_bytes(&text, "; peak memory ", &usage->memory_peak_bytes, "");
    add_from(&text, &usage->memory_peak_bytes);
    add_left(&text, usage);
    add_bytes(&text, "; block I/O ", &usage->read_bytes, " read");
    add_bytes(&text, ", ", &usage->written_bytes, " written");
    add_network(&text, usage);
    add_figure(&text, "; context switches ", &usage->voluntary_switches, " voluntary");
    add_figure(&text, ", ", &usage->involuntary_switches, " involuntary");
    add_figure(&text, "; page faults ", &usage->minor_faults, " minor");
    add_figure(&text, ", ", &usage->major_faults, " major");
    if (report->cpus[0])
        text_add(&text, "; on CPUs %s (%s)", report->cpus, report->cpus_from ? report->cpus_from : "unknown");
    if (isfinite(report->start_gap_s)) {
        add_seconds(&text, "; gaps ", report->start_gap_s);
        add_seconds(&text, " before its start, ", report->end_gap_s);
        text_add(&text, " after its end");
    }
    fputc('\n', out);
    paragraph_write(out, "  job    ", text.data ? text.data : "");
    text_close(&text);
}
