/* SPDX-License-Identifier: MIT
 * The tables. */
#include "form/part_fields.h"

const char *quality_word(int quality)
{
    return quality_name((enum quality)quality);
}

static const char *notice_word(int kind)
{
    return notice_kind_name((enum notice_kind)kind);
}

static const char *error_word(int kind)
{
    return kind == ERROR_NONE ? "" : error_kind_name((enum error_kind)kind);
}

static bool has_deviation(const void *spread)
{
    return ((const struct sample_stats *)spread)->count > 1;
}

static bool has_values(const void *spread)
{
    return ((const struct sample_stats *)spread)->count > 0;
}

static bool has_failed(const void *error)
{
    return ((const struct error *)error)->kind != ERROR_NONE;
}

#define OF struct sample_stats
const struct fields spread_begin_fields = FIELDS({
    FIELD_NUMBER(mean, "arithmetic mean over the counted runs"),
    FIELD_NUMBER(deviation, "sample standard deviation; null for fewer than two runs",
                 .flags = FIELD_FROM_0 | FIELD_ELSE_0, .known = has_deviation),
});

const struct fields spread_end_fields = FIELDS({
    FIELD_NUMBER(min, "the smallest"),
    FIELD_NUMBER(max, "the largest"),
    FIELD_COUNT(count, "how many values went in; 0: unknown, the others are null"),
});

static const struct field spread_list[] = { FIELD_SAME(&spread_begin_fields), FIELD_SAME(&spread_end_fields) };
#undef OF
const struct fields spread_fields = FIELDS_KNOWN("spread", "one figure over the counted runs, in the unit of its key",
                                                 struct sample_stats, spread_list, has_values);

#define OF struct interval
const struct fields interval_fields = FIELDS_NAMED("interval", "95 % confidence interval of the mean")({
    FIELD_NUMBER(low, "lower end"),
    FIELD_NUMBER(high, "upper end"),
});
#undef OF

#define OF struct error
const struct fields error_text_fields = FIELDS({
    FIELD_TEXT(what, "the finding", .flags = FIELD_FULL),
    FIELD_TEXT(why, "why it matters, or why it is so", .flags = FIELD_NULL_EMPTY),
    FIELD_TEXT(fix, "a remedy", .flags = FIELD_NULL_EMPTY),
});

#undef OF

#define OF struct notice
const struct fields notice_fields = FIELDS_NAMED("notice", "a notice: its kind, what, why, fix")({
    FIELD_WORD(enum notice_kind, kind, notice_word, NOTICE_NONE, NOTICE_KIND_COUNT,
               "kind of notice, by a code that never changes its meaning: carbon-output(5), Kinds of notices; null: "
               "its record has no kinds",
               .flags = FIELD_OPEN | FIELD_NULL_EMPTY),
    FIELD_NAME(what, "the finding", .flags = FIELD_FULL),
    FIELD_NAME(why, "why it matters, or why it is so", .flags = FIELD_NULL_EMPTY),
    FIELD_NAME(fix, "a remedy", .flags = FIELD_NULL_EMPTY),
});
#undef OF

#define OF struct error
static const struct field fault_list[] = {
    FIELD_WORD(enum error_kind, kind, error_word, ERROR_NONE, ERROR_SYSTEM + 1, "kind of error",
               .flags = FIELD_NULL_EMPTY | FIELD_LEFT_OUT),
    FIELD_SAME(&error_text_fields),
};
const struct fields fault_fields =
    FIELDS_KNOWN("fault", "an error: what, why, fix", struct error, fault_list, has_failed);

static const struct field refusal_list[] = {
    FIELD_WORD(enum notice_kind, notice, notice_word, NOTICE_NONE, NOTICE_KIND_COUNT,
               "kind of notice: carbon-output(5), Kinds of notices; null: none",
               .flags = FIELD_OPEN | FIELD_NULL_EMPTY),
    FIELD_SAME(&fault_fields),
};
const struct fields refusal_fields =
    FIELDS_KNOWN("refusal", "an error: what, why, fix", struct error, refusal_list, has_failed);
#undef OF

#define OF struct notices
const struct fields notices_fields = FIELDS({
    FIELD_LIST_AS("notices", struct notice, item, count, &notice_fields, "the notices, in the order of finding"),
    FIELD_COUNT_AS("notices_left_out", left_out, "more notices than are kept"),
});
#undef OF
