/* SPDX-License-Identifier: MIT
 * Comparing a record, key by key, with the one that its own windows and conditions make. */
#include "commands/restate/verify.h"

#include "base/auto.h"
#include "base/text.h"
#include "form/text_columns.h"
#include "io/json_read.h"
#include "result/carbon_fields.h"
#include "result/energy_fields.h"
#include "result/record_fields.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A place in both documents. */
struct verify_place {
    struct verification *verification;
    bool other_minor; /* the record is of a form before this one or after it */
    bool older;       /* before: it lacks what was added since */
    bool gpu_part;    /* own_j is what gpu_own_j is from minor 3 on */
    bool learnt;      /* the job's own energy is by what others were learnt to draw */
    bool by_library;  /* a library's function is in this figure */
    double magnitude; /* of the larger of an interval's ends */
    char path[160];
};

static void describe(const struct cJSON *item, char *field, size_t size)
{
    char number[TEXT_NUMBER_SIZE];

    switch (json_kind(item)) {
    case JSON_NULL: text_copy(field, size, item ? "null" : "nothing"); break;
    case JSON_BOOL: text_copy(field, size, json_truth(item) ? "true" : "false"); break;
    case JSON_NUMBER: text_copy(field, size, text_number(json_number(item), number)); break;
    case JSON_TEXT: utf8_printable(field, size, json_text(item)); break;
    case JSON_ARRAY: snprintf(field, size, "a list of %zu", json_count(item)); break;
    case JSON_OBJECT: text_copy(field, size, "an object"); break;
    }
}

static void differ(const struct verify_place *place, const struct cJSON *held, const struct cJSON *again)
{
    struct verification *verification = place->verification;
    struct record_mismatch *difference = &verification->items[verification->count];

    if (verification->count == DIFFERENCES_MAX) {
        verification->left_out++;
        return;
    }
    verification->count++;
    utf8_printable(difference->path, sizeof difference->path, place->path);
    describe(held, difference->held, sizeof difference->held);
    describe(again, difference->again, sizeof difference->again);
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Intervals have a quantile of Student's t in them, and own energy that was learnt has logarithms and exponentials;
 * every other figure is made of sums, products and square roots, which all processors round alike. */
static bool stands_on_library(const struct verify_place *place, const char *key)
{
    static const char *const quantiles[] = { "interval",      "net_interval_", "net_noise_", "detectable_",
                                             "own_interval_", "own_low_",      "own_high_" };

    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++)
        if (begins(key, quantiles[i]))
            return true;
    return place->learnt && (begins(key, "own_") || strcmp(key, "own") == 0);
}

static double magnitude_of(const struct cJSON *item)
{
    return fmax(fabs(json_number(INTERVAL_ITEM(item, low))), fabs(json_number(INTERVAL_ITEM(item, high))));
}

static bool near_value(const struct verify_place *place, const struct cJSON *held, const struct cJSON *again)
{
    const double from = json_number(held), to = json_number(again);
    const double size = fmax(fmax(fabs(from), fabs(to)), isfinite(place->magnitude) ? place->magnitude : 0);

    return place->by_library && fabs(from - to) <= VERIFY_NEAR_ULP * DBL_EPSILON * size;
}

static bool same_value(const struct cJSON *held, const struct cJSON *again)
{
    switch (json_kind(again)) {
    case JSON_BOOL: return json_truth(held) == json_truth(again);
    case JSON_NUMBER: return json_number(held) == json_number(again);
    case JSON_TEXT: return strcmp(json_text(held), json_text(again)) == 0;
    default: return true;
    }
}

/* Of a domain or a phase, and of a row of the provenance. */
static const char *name_of(const struct cJSON *item)
{
    const char *name = json_text(FIELD_ITEM(item, domain_name_fields, struct domain, name));

    return *name ? name : json_text(PROVENANCE_ITEM(item, figure));
}

/* The one of this name in a list. */
static const struct cJSON *named_item(const struct cJSON *list, const char *name)
{
    const struct cJSON *item = json_first(list);

    while (item && strcmp(name_of(item), name) != 0)
        item = json_next(item);
    return item;
}

/* Lists whose items have names may have grown since the record was written. */
static bool may_have_grown(const struct verify_place *place, const struct cJSON *held, const struct cJSON *again)
{
    return place->older && json_count(held) < json_count(again) && *name_of(json_first(again));
}

/* What an item of a list is called, else its number. */
static void step_into(struct verify_place *inner, const struct verify_place *place, const struct cJSON *item,
                      size_t number)
{
    const char *key = json_key(item), *name = name_of(item);

    *inner = *place;
    if (*key)
        snprintf(inner->path, sizeof inner->path, "%.100s%s%.48s", place->path, place->path[0] ? "." : "", key);
    else if (*name)
        snprintf(inner->path, sizeof inner->path, "%.100s[%.48s]", place->path, name);
    else
        snprintf(inner->path, sizeof inner->path, "%.100s[%zu]", place->path, number);
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the record that carbon writes */
static void compare(const struct verify_place *place, const struct cJSON *held, const struct cJSON *again)
{
    const enum json_kind kind = json_kind(again);
    const bool grown = kind == JSON_ARRAY && may_have_grown(place, held, again);
    const struct cJSON *other = json_first(held);
    struct verify_place inner;
    size_t number = 0;

    if (json_kind(held) == kind && kind == JSON_NUMBER && !same_value(held, again) && near_value(place, held, again)) {
        place->verification->near++;
        place->verification->figures++;
        return;
    }
    if (json_kind(held) != kind || !same_value(held, again) ||
        (kind == JSON_ARRAY && !grown && json_count(held) != json_count(again))) {
        differ(place, held, again);
        return;
    }
    place->verification->figures += kind == JSON_NUMBER;
    for (const struct cJSON *item = json_items(again); item; item = json_next(item), number++) {
        step_into(&inner, place, item, number);
        if (kind == JSON_OBJECT)
            other = json_member(held, json_key(item));
        if (grown)
            other = named_item(held, name_of(item));
        if (place->older && (grown || kind == JSON_OBJECT) && !other)
            continue;
        if (place->other_minor && strcmp(inner.path, "minor") == 0)
            continue;
        if (place->gpu_part && item == FIELD_ITEM(again, energy_fields, struct domain_energy, own_j))
            continue;
        inner.by_library |= stands_on_library(place, json_key(item)) ||
                            stands_on_library(place, json_text(PROVENANCE_ITEM(item, figure)));
        inner.magnitude = kind == JSON_OBJECT && json_kind(item) == JSON_NUMBER ? magnitude_of(again) : 0;
        compare(&inner, other, item);
        if (kind == JSON_ARRAY)
            other = json_next(other);
    }
    for (const struct cJSON *item = kind == JSON_OBJECT ? json_items(held) : NULL; item; item = json_next(item))
        place->verification->unknown += !json_member(again, json_key(item));
}

/* The record that comes out, read as the other was. */
static struct cJSON *again_of(const struct report *report, struct error *err)
{
    AUTO_FREE char *text = json_record_string(report, err);

    return text ? json_parse(text, "the record that comes out", err) : NULL;
}

bool verify_record(struct loaded_record *loaded, struct verification *verification, struct error *err)
{
    const double minor = json_number(json_member(loaded->document, REPORT_MINOR_KEY));
    struct verify_place place = { .verification = verification };
    struct cJSON *again;
    double minor_again;

    *verification = (struct verification){ .count = 0 };
    loaded->report.writer_version = json_writer(loaded->document);
    again = again_of(&loaded->report, err);
    if (!again)
        return false;
    minor_again = json_number(json_member(again, REPORT_MINOR_KEY));
    place.older = !(minor >= minor_again);
    place.other_minor = minor != minor_again;
    place.gpu_part = place.older && !(minor >= 3);
    place.learnt = strcmp(json_text(RECORD_ITEM(again, summary.total.own_method)), "profile") == 0;
    compare(&place, loaded->document, again);
    json_close(again);
    return factor_shipped_state(&loaded->report.factor, &verification->state, err);
}
