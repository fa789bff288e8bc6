/* SPDX-License-Identifier: MIT
 * What draws how much, for people: the watts of each load by domain, and the same taken apart. */
#include "base/c_locale.h"
#include "commands/probe/probe.h"

#include "base/units.h"
#include "form/bars.h"
#include "form/notices_text.h"
#include "form/paragraph.h"
#include "form/text_columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 13, CELL_WIDTH = 11, PART_WIDTH = 20, TEXT_SIZE = 3 * UNITS_SIZE };

static void print_name(FILE *out, const char *name)
{
    const int length = (int)utf8_columns(name);

    fprintf(out, "  %s%*s", name, length < NAME_WIDTH ? NAME_WIDTH - length : 0, "");
}

/* Right-aligned by characters, not by bytes. */
static void print_cell(FILE *out, int width, const char *text)
{
    const int length = (int)utf8_columns(text);

    fprintf(out, "%*s%s", width > length ? width - length : 1, "", text);
}

/* What adds up to the whole is more than one meter: its sum has a column. */
static bool has_sum(const struct probe_result *result)
{
    const enum quality *quality = result->meter.quality;

    return quality[BREAKDOWN_MACHINE] == QUALITY_UNKNOWN && (quality[BREAKDOWN_MEMORY] || quality[BREAKDOWN_GPU]);
}

static void print_watts_head(const struct probe_result *result, FILE *out)
{
    print_name(out, "gross power");
    print_cell(out, CELL_WIDTH, "busy CPUs");
    for (enum breakdown_domain domain = 0; domain < BREAKDOWN_DOMAINS; domain++)
        if (result->meter.quality[domain] != QUALITY_UNKNOWN)
            print_cell(out, CELL_WIDTH, result->domains[domain].component);
    if (has_sum(result))
        print_cell(out, CELL_WIDTH, "together");
    print_cell(out, CELL_WIDTH + 3, "moved");
    fputc('\n', out);
}

static const char *moved_text(const struct breakdown_row *row, char out[UNITS_SIZE + 4])
{
    char bytes[UNITS_SIZE];

    if (row->bytes_per_s > 0)
        snprintf(out, UNITS_SIZE + 4, "%s/s", units_bytes(row->bytes_per_s, bytes));
    else
        snprintf(out, UNITS_SIZE + 4, "-");
    return out;
}

static void print_watts(const struct probe_result *result, const struct probe_entry *entry, FILE *out)
{
    char text[UNITS_SIZE + 4];

    print_name(out, entry->name);
    if (!entry->run_count) {
        fprintf(out, "    could not be run\n");
        return;
    }
    if (isnan(entry->row.busy_cpus))
        snprintf(text, sizeof text, "unknown");
    else
        c_snprintf(text, sizeof text, "%.2f", entry->row.busy_cpus);
    print_cell(out, CELL_WIDTH, text);
    for (enum breakdown_domain domain = 0; domain < BREAKDOWN_DOMAINS; domain++)
        if (result->meter.quality[domain] != QUALITY_UNKNOWN)
            print_cell(out, CELL_WIDTH, units_power(entry->gross_w[domain].mean, text));
    if (has_sum(result))
        print_cell(out, CELL_WIDTH, units_power(entry->row.total_gross_w, text));
    print_cell(out, CELL_WIDTH + 3, moved_text(&entry->row, text));
    fputc('\n', out);
}

/* Of a figure with three digits. */
static int decimals_of(double w)
{
    return fabs(w) >= 99.95 ? 0 : fabs(w) >= 9.995 ? 1 : fabs(w) >= 0.9995 ? 2 : 3;
}

/* "20.1 ± 0.2  61 %", "20.1*  61 %", "under 0.41", "not modelled", "-". */
static const char *part_text(const struct probe_entry *entry, enum power_part part, char out[TEXT_SIZE])
{
    const struct breakdown_figure *figure = &entry->row.parts[part];
    const int decimals = decimals_of(figure->w);
    const char *mark = figure->assumed ? "*" : "";
    char w[UNITS_SIZE];

    if (isnan(figure->w))
        snprintf(out, TEXT_SIZE, "-");
    else if (!probe_part_shown(entry, part))
        snprintf(out, TEXT_SIZE, "not modelled");
    else if (isnan(figure->error_w))
        c_snprintf(out, TEXT_SIZE, "%.*f%s %3.0f %%", decimals, figure->w, mark, figure->percent);
    else if (figure->reported)
        c_snprintf(out, TEXT_SIZE, "%.*f ± %.*f%s %3.0f %%", decimals, figure->w, decimals, figure->error_w, mark,
                   figure->percent);
    else if (isnan(figure->detectable_w))
        snprintf(out, TEXT_SIZE, "not resolved%s", mark);
    else
        snprintf(out, TEXT_SIZE, "under %s%s", units_digits(figure->detectable_w, 2, w), mark);
    return out;
}

static bool has_part(const struct probe_result *result, enum power_part part)
{
    for (size_t i = 0; i < result->entry_count; i++) {
        const struct probe_entry *entry = &result->entries[i];
        if (entry->run_count && !isnan(entry->row.parts[part].w) &&
            (part != PART_REST || probe_part_shown(entry, part)))
            return true;
    }
    return false;
}

static bool has_parts(const struct probe_result *result)
{
    for (enum power_part part = 0; part < POWER_PARTS; part++)
        if (has_part(result, part))
            return true;
    return false;
}

/* Of a column of parts, so that all of them have room. */
static int part_width(const struct probe_result *result)
{
    int count = 0;

    for (enum power_part part = 0; part < POWER_PARTS; part++)
        count += has_part(result, part);
    return count && (PARAGRAPH_WIDTH - 2 - NAME_WIDTH) / count < PART_WIDTH ? (PARAGRAPH_WIDTH - 2 - NAME_WIDTH) / count
                                                                            : PART_WIDTH;
}

/* Of what is no load's: an idle machine, or others too. */
static const char *idle_head(const struct probe_result *result)
{
    return result->busy ? "baseline" : "idle";
}

static void print_parts_head(const struct probe_result *result, FILE *out)
{
    const char *const heads[POWER_PARTS] = { idle_head(result), "CPU", "memory", "I/O", "rest" };

    print_name(out, "of it, in W");
    for (enum power_part part = 0; part < POWER_PARTS; part++)
        if (has_part(result, part))
            print_cell(out, part_width(result), heads[part]);
    fputc('\n', out);
}

static void print_parts(const struct probe_result *result, const struct probe_entry *entry, FILE *out)
{
    char text[TEXT_SIZE];

    if (!entry->run_count)
        return;
    print_name(out, entry->name);
    for (enum power_part part = 0; part < POWER_PARTS; part++)
        if (has_part(result, part))
            print_cell(out, part_width(result), part_text(entry, part, text));
    fputc('\n', out);
}

/* "± is the standard error over 3 runs; under: not told apart from nothing, though so many watts would have been" */
static void print_key(const struct probe_result *result, FILE *out)
{
    bool under = false, error = false;

    for (size_t i = 0; i < result->entry_count; i++)
        for (enum power_part part = 0; part < POWER_PARTS && result->entries[i].run_count; part++) {
            const struct breakdown_figure *figure = &result->entries[i].row.parts[part];
            const bool doubted = probe_part_shown(&result->entries[i], part) && isfinite(figure->error_w);
            error |= doubted && figure->reported;
            under |= doubted && !figure->reported;
        }
    if (error)
        paragraph_write(out, "  ", "± is the standard error of the mean over the runs");
    if (under)
        paragraph_write(out, "  ", "under: below the minimum detectable power");
    if (probe_is_modelled(result))
        paragraph_write(out, "  ", "* what the model assumes");
}

static void print_energy_per_gib(const struct probe_result *result, FILE *out)
{
    for (size_t i = 0; i < result->entry_count; i++) {
        const struct probe_entry *entry = &result->entries[i];
        char energy[UNITS_SIZE];
        if (!entry->run_count || isnan(entry->row.j_per_gib) ||
            !probe_part_shown(entry, entry->kind == LOAD_MEMORY ? PART_MEMORY : PART_IO))
            continue;
        fprintf(out, "  %s: %s for each GiB\n", entry->name, units_energy(entry->row.j_per_gib, energy));
    }
}

static const char *watts_text(double value, char out[UNITS_SIZE])
{
    return units_power(value, out);
}

/* The busiest load, part by part. */
static void print_chart(const struct probe_result *result, const struct probe_style *style, FILE *out)
{
    const char *const labels[POWER_PARTS] = { idle_head(result), "CPU", "memory", "I/O", "rest" };
    const struct probe_entry *entry = probe_busiest(result);
    char title[96];
    const struct bars_style look = {
        .title = "",
        .quantity = title,
        .unit = "",
        .caption = "",
        .doubt = "",
        .text = watts_text,
        .width = style->width < PARAGRAPH_WIDTH ? style->width : PARAGRAPH_WIDTH,
        .utf8 = style->utf8,
        .colour = style->colour,
    };
    struct bar bars[POWER_PARTS];
    size_t count = 0;

    if (!entry)
        return;
    snprintf(title, sizeof title, "  at the highest load, %s", entry->name);
    for (enum power_part part = 0; part < POWER_PARTS; part++) {
        const struct breakdown_figure *figure = &entry->row.parts[part];
        if (!probe_part_shown(entry, part))
            continue;
        bars[count] = (struct bar){ .value = figure->w, .low = NAN, .high = NAN };
        if (isfinite(figure->error_w)) {
            bars[count].low = figure->w - figure->error_w;
            bars[count].high = figure->w + figure->error_w;
        }
        snprintf(bars[count++].label, sizeof bars[0].label, "  %s", labels[part]);
    }
    if (count < 2)
        return;
    fputc('\n', out);
    bars_write(out, bars, count, &look);
}

static void print_title(const struct probe_result *result, const struct probe_style *style, FILE *out)
{
    char seconds[UNITS_SIZE];

    fprintf(out, "%scarbon probe%s  %zu loads, %zu run%s of %s each, in turns%s\n\n", style->colour ? "\033[1m" : "",
            style->colour ? "\033[0m" : "", result->entry_count, result->runs, result->runs == 1 ? "" : "s",
            units_duration(result->load_s, seconds), result->interrupted ? "; interrupted" : "");
    if (!probe_is_modelled(result))
        return;
    fputs(style->colour ? "\033[33m" : "", out);
    paragraph_write(
        out, "  modelled: ",
        "Nothing is measured here. Power of the CPUs and idle power are modelled for this processor and memory size; "
        "memory power is constant in the model, and memory bandwidth and I/O are not included.");
    fprintf(out, "%s\n", style->colour ? "\033[0m" : "");
}

static void print_notices(const struct probe_result *result, const struct probe_style *style, FILE *out)
{
    if (result->notices.count)
        fputc('\n', out);
    notices_text(out, &result->notices, "", style->colour);
}

void probe_write(const struct probe_result *result, const struct probe_style *style, FILE *out)
{
    print_title(result, style, out);
    print_watts_head(result, out);
    for (size_t i = 0; i < result->entry_count; i++)
        print_watts(result, &result->entries[i], out);
    if (has_parts(result)) {
        fputc('\n', out);
        print_parts_head(result, out);
        for (size_t i = 0; i < result->entry_count; i++)
            print_parts(result, &result->entries[i], out);
    }
    print_key(result, out);
    print_energy_per_gib(result, out);
    print_chart(result, style, out);
    fputc('\n', out);
    probe_write_verdict(result, style, out);
    print_notices(result, style, out);
}
