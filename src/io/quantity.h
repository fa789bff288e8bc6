/* SPDX-License-Identifier: MIT
 * Quantities with their units, as people type them. */
#ifndef IO_QUANTITY_H
#define IO_QUANTITY_H

#include <stdbool.h>

/* "90m", "2h", "2h30m", "1.5 d", "45s"; above 0. False: it is no duration. */
bool quantity_duration(const char *text, double *duration_s);

/* "1.3kWh", "400 Wh", "3.6e6J"; not below 0. False: it is no energy. */
bool quantity_energy(const char *text, double *energy_j);

#endif
