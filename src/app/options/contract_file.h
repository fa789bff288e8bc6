/* SPDX-License-Identifier: MIT
 * The file of --contract: electricity bought with certificates. Used by emission_options.c. Begin with
 * contracts_read(). */
#ifndef APP_OPTIONS_CONTRACT_FILE_H
#define APP_OPTIONS_CONTRACT_FILE_H

#include "emissions/supplementary.h"

/* Sections [CERTIFICATE] of `share`, `g_per_kwh`, `from` and `until` (YYYY-MM-DD). Shares of contracts that hold on the
 * same day must not exceed 1. */
bool contracts_read(const char *path, struct contracts *contracts, struct error *err) MUST_CHECK;

#endif
