/* SPDX-License-Identifier: MIT
 * Where each figure of a record comes from, in one list, for an auditor. Used by carbon_fields.c
 * and result/page/html_record.c. Begin with provenance_each(). */
#ifndef RESULT_PROVENANCE_H
#define RESULT_PROVENANCE_H

#include "result/report.h"

/* One row; a value that does not apply or is unknown is NULL, "" or NAN. */
struct provenance {
    const char *figure; /* its place in the record: "emissions.gross.kgco2eq" */
    double value;
    const char *unit;
    enum quality quality;
    const char *method; /* the sum it comes from, or how it was got */
    const char *source_id, *version, *retrieved_at;
    double low, high;
};

/* The row and its texts are gone afterwards. */
typedef void provenance_take(const struct provenance *row, void *context);
void provenance_each(const struct report *report, provenance_take *take, void *context);

#endif
