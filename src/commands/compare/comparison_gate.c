/* SPDX-License-Identifier: MIT
 * A gate over a comparison. */
#include "commands/compare/comparison_gate.h"

#include "app/options/gate_options.h"
#include "form/paragraph.h"

#include <math.h>
#include <stdlib.h>

static bool check_options(const struct settings *settings, bool live, struct error *err)
{
    static const struct option_spec *const of_gate[] = { &option_max_runs, &option_max_time, &option_proxy,
                                                         &option_accept_modelled };

    for (size_t i = 0; i < sizeof of_gate / sizeof of_gate[0]; i++) {
        if (settings_origin(settings, of_gate[i]) != ORIGIN_LINE)
            continue;
        if (!settings_text(settings, &option_fail_over)) {
            error_set(err, ERROR_USAGE, "--%s needs --fail-over", of_gate[i]->name);
            return error_fix(err, "add --fail-over 3%%, or leave it out");
        }
        if (!live && of_gate[i] != &option_accept_modelled) {
            error_set(err, ERROR_USAGE, "--%s cannot be used with records", of_gate[i]->name);
            error_why(err, "they stay as they were measured");
            return error_fix(err, "leave it out, or compare commands: carbon compare -- 'command A' -- 'command B'");
        }
    }
    return true;
}

/* --runs is the least number then, where it is given. */
static bool open_sequence(struct comparison_gate *gate, const struct settings *settings, size_t candidates,
                          struct error *err)
{
    const struct setting *runs = settings_find(settings, &option_runs);
    const size_t max = (size_t)settings_number(settings, &option_max_runs);
    const size_t wanted =
        runs && runs->origin != ORIGIN_STANDARD ? (size_t)settings_number(settings, &option_runs) : SEQUENCE_MIN_PAIRS;
    const size_t min = wanted > SEQUENCE_MIN_PAIRS ? wanted : SEQUENCE_MIN_PAIRS;

    if (min > max) {
        error_set(err, ERROR_USAGE, "--runs %zu is more than --max-runs %zu", min, max);
        return error_fix(err, "with --fail-over, --runs is the least number of runs of each: --max-runs %zu", min);
    }
    gate->min_runs = min;
    gate->max_runs = max;
    gate->level = SEQUENCE_LEVEL / (double)(candidates - 1);
    return sequence_open(&gate->sequence, min, max, gate->level, err);
}

bool comparison_gate_open(struct comparison_gate *gate, const struct settings *settings, size_t candidates, bool *asked,
                          struct error *err)
{
    *asked = settings_text(settings, &option_fail_over) != NULL;
    *gate = (struct comparison_gate){ .is_live = candidates > 0, .verdict = GATE_UNDECIDED };
    if (!check_options(settings, gate->is_live, err))
        return false;
    if (!*asked)
        return true;
    gate->fail_over_percent = settings_number(settings, &option_fail_over);
    gate->max_time_s = settings_number(settings, &option_max_time);
    gate->takes_modelled = settings_flag(settings, &option_accept_modelled);
    gate->proxy = gate->is_live ? proxy_of(settings_text(settings, &option_proxy)) : PROXY_NONE;
    return !gate->is_live || open_sequence(gate, settings, candidates, err);
}

void comparison_gate_close(struct comparison_gate *gate)
{
    sequence_close(&gate->sequence);
}

void comparison_gate_line(const struct gate *gate, int width, FILE *out)
{
    struct text text;

    if (!gate)
        return;
    text_open(&text, SIZE_MAX);
    gate_line(gate, &text);
    if (!text_ok(&text) || !width)
        fprintf(out, "gate %s\n", text_ok(&text) ? text.data : gate_verdict_name(gate->verdict));
    else
        paragraph_write_within(out, width, "  gate ", text.data);
    text_close(&text);
}

static const char *const endings[] = { "answer", "max-runs", "max-time", "hopeless", "failure", NULL };

static const char *gate_word(int verdict)
{
    return gate_verdict_name((enum gate_verdict)verdict);
}

static bool is_live(const void *gate)
{
    return ((const struct comparison_gate *)gate)->is_live;
}

#define OF struct comparison_gate
const struct fields comparison_gate_fields = FIELDS_NAMED(
    "comparison_gate", "whether any candidate uses more than the first and a margin")({
    FIELD_WORD(enum gate_verdict, verdict, gate_word, GATE_PASSED, GATE_UNDECIDED + 1,
               "failed: one uses more than is allowed; passed: none does; undecided: unknown"),
    FIELD_NUMBER(fail_over_percent, "growth that is allowed, of the first's mean", .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_ONE_OF(ended_by, endings,
                 "end of the runs: the answer was sure, the most runs or the longest time was reached, no number "
                 "of runs would decide, or a command failed; null where records were compared",
                 .flags = FIELD_NULL_EMPTY),
    FIELD_COUNT(pairs, "runs of each that were judged; null where records were compared", .known = is_live),
    FIELD_COUNT(min_runs, "runs of each at the first look; null likewise", .known = is_live),
    FIELD_COUNT(max_runs, "and at the last", .known = is_live),
    FIELD_NUMBER(level, "chance of a false answer for each candidate, over all looks; null likewise", .known = is_live),
    FIELD_NUMBER(max_time_s, "longest time for the series in s; null: none", .flags = FIELD_ABOVE_0),
});
#undef OF
