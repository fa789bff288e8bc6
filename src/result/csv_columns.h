/* SPDX-License-Identifier: MIT
 * The columns of a record as CSV. */
#ifndef RESULT_CSV_COLUMNS_H
#define RESULT_CSV_COLUMNS_H

#include "form/columns.h"

extern const struct table record_table;

#endif
