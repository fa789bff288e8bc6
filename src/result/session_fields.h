/* SPDX-License-Identifier: MIT
 * Tables of the common parts of the results of one command line: machine, factor, PUE; and of footprints. Used in
 * result and 7 commands. Begin with own_method_word(). */
#ifndef RESULT_SESSION_FIELDS_H
#define RESULT_SESSION_FIELDS_H

#include "form/part_fields.h"

extern const struct fields machine_fields, job_fields, factor_fields, footprint_fields;
extern const struct fields emission_rates_fields; /* of a struct emission, as a part: by the hour and the year */

/* The value in a machine, and in a factor, of a member of it. */
#define MACHINE_ITEM(node, member) FIELD_ITEM(node, machine_fields, struct machine, member)
#define FACTOR_ITEM(node, member) FIELD_ITEM(node, factor_fields, struct factor, member)

/* Of a struct supplementary, as a part: market_factor, market_location_factor, wue. */
extern const struct fields supplementary_fields;

/* Of a struct net_verdict, as a part: verdict, detectable_j, runs_needed. */
extern const struct fields net_verdict_fields;

/* Of a struct report, as parts: id; started_at, ended_at, complete and interrupted; recorded_tree, machine and scope;
 * pue and factor; hours_per_year. */
extern const struct fields session_id_fields, session_progress_fields, session_machine_fields, session_factor_fields,
    session_hours_fields;
extern const struct fields session_pue_fields; /* of a struct report: the members of "pue" */

/* What is in "pue": rows of a struct with members pue, pue_quality and, for the source, supplementary. */
#define PUE_VALUE                                                                                                      \
    FIELD_NUMBER_AS("value", pue, "facility energy over IT energy", .flags = FIELD_KNOWN | FIELD_FROM_1),              \
        FIELD_QUALITY_AS("quality", pue_quality, "given or default")
#define PUE_SOURCE                                                                                                     \
    FIELD_TEXT_AS("source", supplementary.pue.source, "provider or site, year and publisher (--pue-of); else null",    \
                  .flags = FIELD_NULL_EMPTY)

/* Of a member `const struct report *session`. */
#define FIELD_SESSION(fields) FIELD_PART(const struct report *, session, fields, FIELD_BEHIND)

/* Of members `struct footprint NAME`, `enum own_method NAME`. */
#define FIELD_FOOTPRINT(member, meaning) FIELD_OBJECT(struct footprint, member, &footprint_fields, meaning)
#define FIELD_OWN_METHOD(member, ...)                                                                                  \
    FIELD_WORD(enum own_method, member, own_method_word, OWN_UNKNOWN, OWN_METHODS, __VA_ARGS__)
#define FIELD_VERDICT_AS(key, member, ...)                                                                             \
    FIELD_WORD_AS(key, enum verdict, member, verdict_word, VERDICT_UNKNOWN, VERDICT_NO_IDLE_BASELINE + 1, __VA_ARGS__)
#define FIELD_SCOPE(member, meaning)                                                                                   \
    FIELD_WORD(enum scope, member, scope_word, SCOPE_COMPUTE, SCOPE_MACHINE + 1, meaning)
const char *basis_word(int basis);
const char *own_method_word(int method);
/* Of a member `enum figure NAME`: the energies that are compared. */
#define FIELD_COMPARED_AS(key, member)                                                                                 \
    FIELD_WORD_AS(key, enum figure, member, figure_word, FIGURE_GROSS_J, FIGURE_OWN_J + 1,                             \
                  "the compared energy and power: own energy where both have it by one method other than net; net "    \
                  "where both have it; else gross")
const char *figure_word(int figure);
const char *scope_word(int scope);
const char *verdict_word(int verdict);
bool session_interrupted(const void *report);

#endif
