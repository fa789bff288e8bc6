/* SPDX-License-Identifier: MIT
 * A gate as JSON: every field and its meaning. */
#include "gate/gate.h"

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

static bool compares_energy(const void *gate)
{
    return !((const struct gate *)gate)->proxy;
}

static bool compares_proxy(const void *gate)
{
    return ((const struct gate *)gate)->proxy;
}

static bool is_sequential(const void *gate)
{
    return ((const struct gate *)gate)->is_sequential;
}

static const char *proxy_said(const void *gate)
{
    return proxy_name(((const struct gate *)gate)->proxy);
}
static const char *const proxies[] = { "instructions", "cpu-time", NULL };

static const char *test_of(const void *gate)
{
    return is_sequential(gate) ? "sequential" : "welch";
}
static const char *const tests[] = { "welch", "sequential", NULL };

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
               "passed: significantly no more than allowed; failed: significantly more"),
    FIELD_TEXT(why, "why it is undecided", .flags = FIELD_NULL_EMPTY, .known = is_undecided),
    FIELD_TEXT(fix, "a way to decide it", .flags = FIELD_NULL_EMPTY, .known = is_undecided),
    FIELD_NAME_AS("base", base_name, "file of the earlier result, or name of the first command"),
    FIELD_COMPARED_AS("compared", compared),
    FIELD_OWN_METHOD(own_method,
                     "method of own, where that is compared; by CPU time both use the base's watts of a busy CPU",
                     .known = compares_own),
    FIELD_QUALITY(quality, "of the joules"),
    FIELD_NUMBER_AS("max_regression_percent", margin_percent, "allowed growth above the base's mean",
                    .flags = FIELD_KNOWN | FIELD_FROM_0),
    FIELD_NUMBER(limit_j, "base mean with that, in J; in the unit of the proxy, where one decides"),
    FIELD_SPREAD(base_j, "energy per run of the base, in J", .flags = FIELD_NULLABLE, .known = compares_energy),
    FIELD_SPREAD(now_j, "energy per run now, in J", .flags = FIELD_NULLABLE, .known = compares_energy),
    FIELD_NUMBER(percent, "now - base, of the base's mean; null where that is not above what it may be off by"),
    FIELD_GROUP("percent_interval", &percent_fields,
                "likewise, 95 % (Welch), or the bounds of its look of the sequence, 95 % on each side"),
    FIELD_GROUP("above_limit_j", &above_fields,
                "now - base x (1 + allowed), in J, 95 % (Welch): failed above 0, passed below"),
    FIELD_COUNT(runs_needed, "runs of each that would decide it; null: unknown, or out of reach", .flags = FIELD_NULL_0,
                .min = 2),
    FIELD_SAID("test", test_of, tests, "welch: of all runs at once; sequential: of pairs, looked at after each",
               .flags = FIELD_LATER),
    FIELD_COUNT(pairs, "at the last look; null: not a sequence", .flags = FIELD_LATER, .known = is_sequential),
    FIELD_NUMBER(detectable_percent,
                 "smallest true growth of the base's mean that is found in four of five cases, in percent",
                 .flags = FIELD_LATER),
    FIELD_SAID("proxy", proxy_said, proxies, "proxy that decides instead of energy; null: energy decides",
               .flags = FIELD_LATER | FIELD_NULL_EMPTY),
    FIELD_SPREAD(base_amount, "proxy per run of the base: instructions, or CPU time in s; null: energy decides",
                 .known = compares_proxy, .flags = FIELD_LATER | FIELD_NULLABLE),
    FIELD_SPREAD(now_amount, "likewise now", .known = compares_proxy, .flags = FIELD_LATER | FIELD_NULLABLE),
});
#undef OF
