/* SPDX-License-Identifier: MIT
 * What draws most, in words, and which meter is missing to say more. */
#include "commands/probe/probe.h"

#include "base/text.h"
#include "base/units.h"
#include "form/paragraph.h"
#include "result/factor_text.h"
#include "result/formula.h"

#include <math.h>

const struct probe_entry *probe_busiest(const struct probe_result *result)
{
    const struct probe_entry *busiest = NULL;

    for (size_t i = 0; i < result->entry_count; i++) {
        const struct probe_entry *entry = &result->entries[i];
        if (entry->run_count && entry->kind != LOAD_IDLE && breakdown_largest(&entry->row) != POWER_PARTS &&
            (!busiest || entry->row.total_gross_w > busiest->row.total_gross_w))
            busiest = entry;
    }
    return busiest;
}

const struct probe_entry *probe_idle(const struct probe_result *result)
{
    for (size_t i = 0; i < result->entry_count; i++)
        if (result->entries[i].kind == LOAD_IDLE && result->entries[i].run_count)
            return &result->entries[i];
    return NULL;
}

bool probe_is_modelled(const struct probe_result *result)
{
    for (size_t i = 0; i < BREAKDOWN_DOMAINS; i++)
        if (result->meter.quality[i] == QUALITY_MODELLED)
            return true;
    return false;
}

bool probe_part_shown(const struct probe_entry *entry, enum power_part part)
{
    const struct breakdown_figure *figure = &entry->row.parts[part];

    return !isnan(figure->w) && !(figure->assumed && part != PART_IDLE && part != PART_CPU);
}

bool probe_part_stated(const struct probe_entry *entry, enum power_part part)
{
    const struct breakdown_figure *figure = &entry->row.parts[part];

    return probe_part_shown(entry, part) && (figure->reported || isnan(figure->error_w));
}

static bool has_meter(const struct probe_result *result, enum breakdown_domain domain)
{
    return result->meter.quality[domain] != QUALITY_UNKNOWN;
}

bool probe_memory_is_measured(const struct probe_result *result)
{
    return has_meter(result, BREAKDOWN_MEMORY) && result->meter.quality[BREAKDOWN_MEMORY] != QUALITY_MODELLED;
}

const char *probe_part_words(const struct probe_result *result, const struct probe_entry *entry, enum power_part part)
{
    switch (part) {
    case PART_IDLE: return result->busy ? "the busy baseline" : "the idle machine";
    case PART_CPU: return "the CPUs";
    case PART_MEMORY: return "memory";
    case PART_IO: return "I/O";
    case PART_REST:
        if (entry->kind == LOAD_MIXED && !probe_memory_is_measured(result))
            return "memory and I/O together";
        return has_meter(result, BREAKDOWN_MACHINE) ? "the rest of the machine" : "the rest";
    case POWER_PARTS: break;
    }
    return "";
}

enum power_part probe_largest_stated(const struct probe_entry *entry, const bool *reported)
{
    enum power_part largest = POWER_PARTS;

    for (enum power_part part = 0; part < POWER_PARTS; part++)
        if (!reported[part] && probe_part_stated(entry, part) &&
            (largest == POWER_PARTS || entry->row.parts[part].w > entry->row.parts[largest].w))
            largest = part;
    return largest;
}

static void add_part(const struct probe_entry *entry, enum power_part part, struct text *text)
{
    char w[UNITS_SIZE];

    text_add(text, " %s (%.0f %%)", units_power(entry->row.parts[part].w, w), entry->row.parts[part].percent);
}

static void add_not_reported(const struct probe_result *result, const struct probe_entry *entry, struct text *text)
{
    for (enum power_part part = 0; part < POWER_PARTS; part++) {
        const struct breakdown_figure *figure = &entry->row.parts[part];
        char w[UNITS_SIZE];
        if (!probe_part_shown(entry, part) || probe_part_stated(entry, part))
            continue;
        text_add(text, "; %s %s not resolved", probe_part_words(result, entry, part), part == PART_CPU ? "are" : "is");
        if (isfinite(figure->detectable_w))
            text_add(text, " (under %s)", units_power(figure->detectable_w, w));
    }
}

/* "At full load, cpu × 4 with 80.0 W, the CPUs draw most: 45.0 W (56 %); the idle machine draws 30.0 W (38
 * %), memory 5.00 W (6 %)" */
static void add_busiest(const struct probe_result *result, const struct probe_entry *entry, struct text *text)
{
    bool reported[POWER_PARTS] = { false };
    char w[UNITS_SIZE];
    enum power_part part = probe_largest_stated(entry, reported);

    text_add(text, "At the highest load (%s, %s)", entry->name, units_power(entry->row.total_gross_w, w));
    if (part == POWER_PARTS) {
        text_add(text, " no part is resolved");
    } else {
        text_add(text, " %s %s most:", probe_part_words(result, entry, part), part == PART_CPU ? "draw" : "draws");
        add_part(entry, part, text);
        reported[part] = true;
        for (bool first = true; (part = probe_largest_stated(entry, reported)) != POWER_PARTS; first = false) {
            text_add(text, "%s %s", first ? ";" : ",", probe_part_words(result, entry, part));
            add_part(entry, part, text);
            reported[part] = true;
        }
    }
    add_not_reported(result, entry, text);
    text_add(text, ".");
}

/* "Doing nothing the machine draws 30.0 W: the CPUs 12.1 W, memory 1.02 W, all else 16.9 W." */
static void add_idle(const struct probe_result *result, const struct probe_entry *entry, struct text *text)
{
    static const char *const names[BREAKDOWN_DOMAINS] = { "the CPUs", "memory", "", "graphics cards" };
    const struct sample_stats *gross_w = entry->gross_w;
    const double machine_w = gross_w[BREAKDOWN_MACHINE].mean;
    double else_w = machine_w;
    const char *joint = ":";
    char w[UNITS_SIZE];

    if (result->busy)
        text_add(text, "While other processes kept %s", result->stored);
    else
        text_add(text, "Doing nothing");
    text_add(text, " %s %s", has_meter(result, BREAKDOWN_MACHINE) ? "the machine draws" : "it draws",
             units_power(entry->row.total_gross_w, w));
    for (enum breakdown_domain domain = 0; domain < BREAKDOWN_DOMAINS; domain++) {
        if (domain == BREAKDOWN_MACHINE || isnan(gross_w[domain].mean))
            continue;
        text_add(text, "%s %s %s", joint, names[domain], units_power(gross_w[domain].mean, w));
        else_w -= gross_w[domain].mean;
        joint = ",";
    }
    if (*joint == ',' && !isnan(machine_w))
        text_add(text, ", all else %s", units_power(else_w, w));
    text_add(text, ".");
}

static void add_domains(const struct probe_result *result, struct text *text)
{
    static const char *const names[BREAKDOWN_DOMAINS] = { "CPUs", "memory", "machine", "graphics cards" };
    const char *joint = "";

    for (enum breakdown_domain domain = 0; domain < BREAKDOWN_DOMAINS; domain++) {
        if (!has_meter(result, domain))
            continue;
        text_add(text, "%s%s by %s, %s", joint, names[domain], result->domains[domain].names,
                 quality_name(result->meter.quality[domain]));
        joint = "; ";
    }
}

static void write_missing(const struct probe_result *result, FILE *out)
{
    if (!probe_memory_is_measured(result) && !probe_is_modelled(result))
        paragraph_write(out, "  ",
                        "No memory meter here: its part is the power of streaming above computing on as many CPUs. "
                        "Idle power of memory is only in the figure of a whole-machine meter.");
    if (!has_meter(result, BREAKDOWN_MACHINE))
        paragraph_write(out, "  ",
                        "No whole-machine meter here: mainboard, disks, fans and power supply losses are not included. "
                        "A meter at the plug includes them.");
}

/* A yearly figure is shown if the user has stated the machine's hours of use. */
static void write_year(const struct probe_result *result, FILE *out)
{
    const struct formula formula = formula_of(result->idle_year.it_kwh, result->pue, result->factor.kgco2eq_per_kwh, 3);
    char w[UNITS_SIZE], hours[TEXT_NUMBER_SIZE];
    struct text text;

    if (!isfinite(result->idle_year.kgco2eq) || result->hours_quality != QUALITY_GIVEN)
        return;
    text_open(&text, 4096);
    text_add(&text, "Standing there at %s for %s h a year (%s): %s = %s; factor ", units_power(result->idle_w, w),
             text_number(result->hours_per_year, hours), quality_name(result->hours_quality), formula.result,
             formula.terms);
    factor_describe(&result->factor, &text);
    text_add(&text, "; PUE %s", quality_name(result->pue_quality));
    paragraph_write(out, "  ", text.data ? text.data : "");
    text_close(&text);
}

void probe_write_verdict(const struct probe_result *result, const struct probe_style *style, FILE *out)
{
    const struct probe_entry *idle = probe_idle(result), *busiest = probe_busiest(result);
    struct text text;

    text_open(&text, 8192);
    if (probe_is_modelled(result))
        text_add(&text, "By the model alone. ");
    if (idle)
        add_idle(result, idle, &text);
    if (busiest)
        text_add(&text, "%s", idle ? " " : "");
    if (busiest)
        add_busiest(result, busiest, &text);
    if (busiest && result->own_method == OWN_CPU_TIME)
        text_add(&text, " The power of a load is its CPU time × the watts of a busy CPU%s.",
                 result->busy ? ", so that the other processes do not matter" : "");
    else if (busiest && result->own_method == OWN_SHARE)
        text_add(&text, " What a load draws is its share of net, by CPU time: other processes were busy, too.");
    if (text.length) {
        fputs(style->colour ? "\033[1m" : "", out);
        paragraph_write(out, "  ", text.data ? text.data : "");
        fputs(style->colour ? "\033[0m" : "", out);
    }
    text_close(&text);
    write_year(result, out);
    text_open(&text, 4096);
    add_domains(result, &text);
    paragraph_write(out, "  meters ", text.data ? text.data : "");
    text_close(&text);
    write_missing(result, out);
}
