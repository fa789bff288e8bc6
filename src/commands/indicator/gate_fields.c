/* SPDX-License-Identifier: MIT
 * What a gate says as JSON: every field of it, and what it means. */
#include "commands/indicator/gate.h"

#include "result/session_fields.h"

static const char *gate_word(int verdict)
{
    return gate_verdict_name((enum gate_verdict)verdict);
}

static bool is_undecided(const void *gate)
{
    return ((const struct gate *)gate)->verdict == GATE_UNDECIDED;
}

static bool compares_own(const void *gate)
{
    return ((const struct gate *)gate)->compared == FIGURE_OWN_J;
}

#define OF struct gate
static const struct fields percent_fields = FIELDS({
    FIELD_NUMBER_AS("low", percent_low, "lower end"),
    FIELD_NUMBER_AS("high", percent_high, "upper end"),
});

static const struct fields above_fields = FIELDS({
    FIELD_NUMBER_AS("low", above.low, "lower end"),
    FIELD_NUMBER_AS("high", above.high, "upper end"),
});

const struct fields gate_fields = FIELDS({
    FIELD_WORD(enum gate_verdict, verdict, gate_word, GATE_PASSED, GATE_UNDECIDED + 1,
               "passed: no more than allowed, beyond doubt; failed: more, beyond doubt"),
    FIELD_TEXT(why, "why it is undecided", .flags = FIELD_NULL_EMPTY, .known = is_undecided),
    FIELD_TEXT(fix, "what would decide it", .flags = FIELD_NULL_EMPTY, .known = is_undecided),
    FIELD_NAME_AS("base", base_name, "file of the earlier result"),
    FIELD_COMPARED_AS("compared", compared),
    FIELD_OWN_METHOD(own_method,
                     "how own is told, where that is compared; by CPU time both are taken with the base's watts of a "
                     "busy CPU",
                     .known = compares_own),
    FIELD_QUALITY(quality, "of the joules"),
    FIELD_NUMBER_AS("max_regression_percent", margin_percent, "what is allowed above the base's mean",
                    .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_NUMBER(limit_j, "base mean with that, in J"),
    FIELD_SPREAD(base_j, "energy per run of the base, in J"),
    FIELD_SPREAD(now_j, "energy per run now, in J"),
    FIELD_NUMBER(percent, "now - base, of the base's mean; null where that is not above what it may be off by"),
    FIELD_GROUP("percent_interval", &percent_fields, "likewise, 95 % (Welch)"),
    FIELD_GROUP("above_limit_j", &above_fields,
                "now - base x (1 + allowed), in J, 95 % (Welch): failed above 0, passed below"),
    FIELD_COUNT(runs_needed, "runs of each that would decide it; null: unknown, or out of reach", .flags = FIELD_NULL_0,
                .min = 2),
});
#undef OF
