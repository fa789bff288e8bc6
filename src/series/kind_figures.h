/* SPDX-License-Identifier: MIT
 * The figures of a row: of one series, of several, and of the parts of a thing together. Used by workload_rows.c. Begin
 * with kind_figure_of(). */
#ifndef SERIES_KIND_FIGURES_H
#define SERIES_KIND_FIGURES_H

#include "series/increase.h"
#include "series/kind.h"

/* Nothing is known, of no series. */
extern const struct energy_figure kind_no_figure;

/* totals: the counter's value at its end, not its increase. */
struct energy_figure kind_figure_of(const struct increase *increase, bool totals);
void kind_figure_add(struct energy_figure *figure, const struct energy_figure *other);

/* Calculates the sums of a row's parts once all its series are in it. */
void kind_row_sums(struct workload_row *row);

/* Its counters are not refreshed: nothing is known of it then, and not that it drew nothing. */
bool kind_row_stands_still(struct workload_row *row);

#endif
