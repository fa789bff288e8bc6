/* SPDX-License-Identifier: MIT
 * A gate in words, as a step summary and as JSON. */
#include "gate/gate.h"

#include "base/c_locale.h"
#include "base/text.h"
#include "base/units.h"
#include "form/json_parts.h"
#include "form/paragraph.h"

#include <math.h>
#include <string.h>

static void add_difference(const struct gate *gate, struct text *text)
{
    char base[UNITS_SIZE], now[UNITS_SIZE];

    text_add(text, "%s %s per run against %s", units_energy(gate->now_j.mean, now), figure_name(gate->compared),
             units_energy(gate->base_j.mean, base));
    if (isfinite(gate->percent))
        text_add(text, " (%+.1f %%", gate->percent);
    if (isfinite(gate->percent) && isfinite(gate->percent_low))
        text_add(text, ", 95 %% interval %+.1f to %+.1f %%", gate->percent_low, gate->percent_high);
    text_add(text, "%s", isfinite(gate->percent) ? ")" : "");
}

static const char *margin_text(const struct gate *gate, char out[TEXT_NUMBER_SIZE])
{
    return text_rounded(gate->margin_percent, out);
}

static void add_verdict(const struct gate *gate, struct text *text)
{
    char margin[TEXT_NUMBER_SIZE];

    margin_text(gate, margin);
    if (gate->verdict != GATE_UNDECIDED && gate->own_method == OWN_CPU_TIME)
        text_add(text, "by CPU time, modelled: ");
    else if (gate->verdict != GATE_UNDECIDED && gate->own_method == OWN_SHARE)
        text_add(text, "by CPU time: ");
    switch (gate->verdict) {
    case GATE_PASSED: text_add(text, "significantly no more than %s %% above the base", margin); break;
    case GATE_FAILED: text_add(text, "significantly more than %s %% above the base", margin); break;
    case GATE_UNDECIDED:
        text_add(text, "undecided whether it is more than %s %% above the base: %s", margin, gate->why);
        break;
    }
}

void gate_text(const struct gate *gate, FILE *out)
{
    struct text text;

    text_open(&text, 1 << 12);
    text_add(&text, "%s: ", gate_verdict_name(gate->verdict));
    add_verdict(gate, &text);
    text_add(&text, "; ");
    add_difference(gate, &text);
    paragraph_write(out, "  gate ", text_ok(&text) ? text.data : gate_verdict_name(gate->verdict));
    if (gate->verdict == GATE_UNDECIDED && gate->fix[0])
        paragraph_write(out, "  hint: ", gate->fix);
    text_close(&text);
}

/* "1.23 kJ", "4 120 000 instructions" of a proxy. */
static const char *amount_text(const struct gate *gate, double amount, char out[UNITS_SIZE])
{
    if (gate->proxy == PROXY_CPU_TIME)
        return units_duration(amount, out);
    if (gate->proxy == PROXY_NONE)
        return units_energy(amount, out);
    c_snprintf(out, UNITS_SIZE, "%.4g instructions", amount);
    return out;
}

/* "own of 'B'", "instructions of 'B'". */
static void add_subject(const struct gate *gate, struct text *text)
{
    text_add(text, "%s of '%.60s'", gate->proxy ? proxy_name(gate->proxy) : figure_name(gate->compared),
             gate->now_name);
}

static void add_amounts(const struct gate *gate, struct text *text)
{
    char base[UNITS_SIZE], now[UNITS_SIZE];

    if (gate->proxy)
        text_add(text, "; %s against %s", amount_text(gate, gate->now_j.mean, now),
                 amount_text(gate, gate->base_j.mean, base));
    if (gate->is_sequential)
        text_add(text, "; %zu pairs", gate->pairs);
}

static void add_decided(const struct gate *gate, struct text *text)
{
    const bool failed = gate->verdict == GATE_FAILED;
    char margin[TEXT_NUMBER_SIZE];

    add_subject(gate, text);
    text_add(text, " is %s than %s %% above '%.60s' (%+.1f %%, at %s %+.1f %%", failed ? "more" : "no more",
             margin_text(gate, margin), gate->base_name, gate->percent, failed ? "least" : "most",
             failed ? gate->percent_low : gate->percent_high);
    add_amounts(gate, text);
    text_add(text, ")%s", gate->own_method == OWN_CPU_TIME ? ", by CPU time" : "");
}

/* What the runs have not settled. */
static void add_open(const struct gate *gate, struct text *text)
{
    char margin[TEXT_NUMBER_SIZE];

    add_subject(gate, text);
    text_add(text, " %+.1f %% of '%.60s', between %+.1f %% and %+.1f %%; %s %% allowed", gate->percent, gate->base_name,
             gate->percent_low, gate->percent_high, margin_text(gate, margin));
    add_amounts(gate, text);
    text_add(text, "; smallest growth found in 4 of 5 cases %.1f %%", gate->detectable_percent);
}

void gate_line(const struct gate *gate, struct text *text)
{
    text_add(text, "%s: ", gate_verdict_name(gate->verdict));
    if (gate->verdict != GATE_UNDECIDED)
        add_decided(gate, text);
    else if (isfinite(gate->percent_low))
        add_open(gate, text);
    else
        text_add(text, "%s", gate->why);
    if (gate->verdict == GATE_UNDECIDED && gate->fix[0])
        text_add(text, "; %s", gate->fix);
}

/* What Markdown would read otherwise. */
static void write_plain(FILE *out, const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= ' ')
            fprintf(out, strchr("\\`*_{}[]<>()#+-.!|", *text) ? "\\%c" : "%c", *text);
}

static void write_row(FILE *out, const char *name, const struct sample_stats *spread)
{
    char mean[UNITS_SIZE], deviation[UNITS_SIZE];

    fputs("| ", out);
    write_plain(out, name);
    fprintf(out, " | %zu | %s | %s |\n", spread->count, units_energy(spread->mean, mean),
            spread->count > 1 ? units_energy(spread->deviation, deviation) : "");
}

void gate_markdown(const struct gate *gate, FILE *out)
{
    static const char *const marks[] = { "✅", "❌", "⚠️" };
    char limit[UNITS_SIZE], margin[TEXT_NUMBER_SIZE];
    struct text text;

    text_open(&text, 1 << 12);
    add_verdict(gate, &text);
    fprintf(out, "### %s Energy per run: %s\n\n", marks[gate->verdict], gate_verdict_name(gate->verdict));
    write_plain(out, text_ok(&text) ? text.data : "");
    fprintf(out, "\n\n| result | runs | %s energy per run | deviation |\n|---|---:|---:|---:|\n",
            figure_name(gate->compared));
    write_row(out, gate->base_name, &gate->base_j);
    write_row(out, gate->now_name, &gate->now_j);
    if (isfinite(gate->percent)) {
        c_fprintf(out, "\n- difference: %+.2f %%", gate->percent);
        if (isfinite(gate->percent_low))
            c_fprintf(out, ", 95 %% interval %+.2f to %+.2f %%", gate->percent_low, gate->percent_high);
        fprintf(out, "\n- allowed: %s %%, which is %s per run\n", margin_text(gate, margin),
                units_energy(gate->limit_j, limit));
    }
    fprintf(out, "%s- quality of the joules: %s\n", isfinite(gate->percent) ? "" : "\n", quality_name(gate->quality));
    if (gate->verdict == GATE_UNDECIDED && gate->fix[0]) {
        fputs("- to decide it: ", out);
        write_plain(out, gate->fix);
        fputc('\n', out);
    }
    fputc('\n', out);
    text_close(&text);
}
