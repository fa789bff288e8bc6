/* SPDX-License-Identifier: MIT
 * The job and its machine in a page. */
#include "base/c_locale.h"
#include "result/page/html_sections.h"

#include "base/text.h"
#include "form/shell.h"

#include <math.h>

bool html_has_job(const void *subject)
{
    return page_report(subject)->exit_known || page_report(subject)->target || page_report(subject)->command[0];
}

static void write_names(FILE *out, const struct report *report)
{
    struct text command;
    char status[16];

    text_open(&command, SIZE_MAX);
    shell_command(report->command, &command);
    if (report->command[0] && text_ok(&command)) {
        fputs("<pre><code>", out);
        html_word(out, command.data);
        fputs("</code></pre>\n", out);
    }
    text_close(&command);
    html_terms(out);
    html_term(out, "watched", report->target);
    html_term(out, "label", report->label);
    html_term(out, "project", report->project);
    for (size_t i = 0; i < report->meta_count; i++)
        html_term(out, report->meta[i].key, report->meta[i].value);
    if (report->exit_known) {
        snprintf(status, sizeof status, "%d", report->exit_status);
        html_term(out, "exit status", status);
    }
    html_term_open(out, "wall time");
    html_spread(out, units_duration, &report->summary.duration_s, "duration_s");
    html_term_end(out);
    if (report->cpus[0]) {
        html_term_open(out, "on CPUs");
        html_text(out, report->cpus);
        html_words(out, " (%s)", report->cpus_from ? report->cpus_from : "unknown");
        html_term_end(out);
    }
    html_term(out, "bound by", bottleneck_name(report->bottleneck.bound));
    html_term(out, "evidence", report->bottleneck.why);
    html_terms_end(out);
}

static const char *count(double value, char out[UNITS_SIZE])
{
    if (value == floor(value))
        c_snprintf(out, UNITS_SIZE, "%.0f", value);
    else
        units_digits(value, 4, out);
    return out;
}

static const char *part(double value, char out[UNITS_SIZE])
{
    char digits[UNITS_SIZE];

    snprintf(out, UNITS_SIZE, "%.30s %%", units_digits(value, 3, digits));
    return out;
}

static void write_usage(FILE *out, const struct usage_summary *usage)
{
    static const char *const columns[] = { "used by the mean run", "figure", "read from", NULL };
    const struct {
        const char *name, *key;
        const struct usage_figure *figure;
        html_units *units;
    } rows[] = {
        { "CPU time", "cpu_s", &usage->cpu_s, units_duration },
        { "of which user", "user_s", &usage->user_s, units_duration },
        { "of which system", "system_s", &usage->system_s, units_duration },
        { "of one core", "cpu_percent_of_core", &usage->cpu_percent_of_core, part },
        { "of the machine", "cpu_percent_of_machine", &usage->cpu_percent_of_machine, part },
        { "peak memory", "memory_peak_bytes", &usage->memory_peak_bytes, units_bytes },
        { "memory at the end", "memory_bytes", &usage->memory_bytes, units_bytes },
        { "working set at the end", "working_set_bytes", &usage->working_set_bytes, units_bytes },
        { "read from block devices", "read_bytes", &usage->read_bytes, units_bytes },
        { "written to block devices", "written_bytes", &usage->written_bytes, units_bytes },
        { "received by network", "received_bytes", &usage->received_bytes, units_bytes },
        { "sent by network", "sent_bytes", &usage->sent_bytes, units_bytes },
        { "voluntary context switches", "voluntary_switches", &usage->voluntary_switches, count },
        { "involuntary context switches", "involuntary_switches", &usage->involuntary_switches, count },
        { "minor page faults", "minor_faults", &usage->minor_faults, count },
        { "major page faults", "major_faults", &usage->major_faults, count },
        { "waited for a CPU", "cpu_stall_s", &usage->cpu_stall_s, units_duration },
        { "waited for memory", "memory_stall_s", &usage->memory_stall_s, units_duration },
        { "waited for I/O", "io_stall_s", &usage->io_stall_s, units_duration },
        { "cycles", "cycles", &usage->cycles, count },
        { "instructions", "instructions", &usage->instructions, count },
        { "cache misses", "cache_misses", &usage->cache_misses, count },
    };

    html_table(out, "usage of the job", columns, 1);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        html_row(out, rows[i].name);
        html_cell_figure(out, rows[i].units, rows[i].figure->value, "usage.%s.value", rows[i].key);
        html_cell(out, rows[i].figure->from ? rows[i].figure->from : "");
        html_row_end(out);
    }
    html_table_end(out);
}

void html_job(FILE *out, const void *subject)
{
    const struct report *report = page_report(subject);

    write_names(out, report);
    if (report->exit_known || report->target)
        write_usage(out, &report->usage);
}

void html_machine(FILE *out, const void *subject)
{
    const struct machine *machine = page_report(subject)->machine;
    const struct meter *meter = page_report(subject)->measurement->meter;
    char text[UNITS_SIZE];

    html_terms(out);
    html_term(out, "processor", machine->cpu_model[0] ? machine->cpu_model : machine->cpu_vendor);
    snprintf(text, sizeof text, "%d online, %d package%s", machine->cpus_online, machine->packages,
             machine->packages == 1 ? "" : "s");
    html_term(out, "CPUs", text);
    if (machine->memory_bytes)
        html_term(out, "memory", units_bytes((double)machine->memory_bytes, text));
    html_term(out, "kernel", machine->kernel);
    if (machine->guest)
        html_term(out, "guest of", machine->hypervisor[0] ? machine->hypervisor : "a hypervisor");
    if (machine->container)
        html_term(out, "container", "yes");
    for (size_t i = 0; i < meter->refusal_count; i++) {
        html_term_open(out, "not used");
        html_text(out, meter->refusals[i].driver->name);
        fputs(": ", out);
        html_text(out, meter->refusals[i].error.what);
        html_term_end(out);
    }
    html_terms_end(out);
}
