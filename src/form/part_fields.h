/* SPDX-License-Identifier: MIT
 * Tables of the common parts of many documents: spreads, intervals, notices, faults; and the words of a quality. Used
 * in commands/sources, form and result. Begin with quality_word(). */
#ifndef FORM_PART_FIELDS_H
#define FORM_PART_FIELDS_H

#include "base/notice.h"
#include "base/quality.h"
#include "base/sample_stats.h"
#include "form/field.h"

extern const struct fields spread_fields, interval_fields;
extern const struct fields spread_begin_fields, spread_end_fields; /* of a spread, for who has more between them */
extern const struct fields notice_fields;                          /* table of a notice */
extern const struct fields error_text_fields;                      /* of an error: what, why, fix, as a part */
extern const struct fields fault_fields;                           /* of an error: why something could not be done */
extern const struct fields refusal_fields; /* of a source or a domain: the same, and the kind of notice that it is */
extern const struct fields notices_fields; /* "notices" and "notices_left_out", as a part */

/* The value in a spread, an interval and a notice of a member of it. */
#define SPREAD_ITEM(node, member) FIELD_ITEM(node, spread_fields, struct sample_stats, member)
#define INTERVAL_ITEM(node, member) FIELD_ITEM(node, interval_fields, struct interval, member)
#define NOTICE_ITEM(node, member) FIELD_ITEM(node, notice_fields, struct notice, member)

const char *quality_word(int quality);

/* Of members `enum quality NAME`. */
#define FIELD_QUALITY_AS(key, member, ...)                                                                             \
    FIELD_WORD_AS(key, enum quality, member, quality_word, QUALITY_UNKNOWN, QUALITY_DEFAULT + 1, __VA_ARGS__)
#define FIELD_QUALITY(member, ...) FIELD_QUALITY_AS(#member, member, __VA_ARGS__)

#define FIELD_SPREAD_AS(key, member, ...) FIELD_OBJECT_AS(key, struct sample_stats, member, &spread_fields, __VA_ARGS__)
#define FIELD_SPREAD(member, ...) FIELD_SPREAD_AS(#member, member, __VA_ARGS__)
#define FIELD_INTERVAL_AS(key, member, meaning) FIELD_OBJECT_AS(key, struct interval, member, &interval_fields, meaning)
#define FIELD_INTERVAL(member, meaning) FIELD_INTERVAL_AS(#member, member, meaning)

/* Of a member `struct notices notices`: two keys. */
#define FIELD_NOTICES FIELD_PART(struct notices, notices, &notices_fields, 0)

#endif
