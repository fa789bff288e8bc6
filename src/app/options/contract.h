/* SPDX-License-Identifier: MIT
 * The file of --contract: electricity bought with certificates. */
#ifndef APP_OPTIONS_CONTRACT_H
#define APP_OPTIONS_CONTRACT_H

#include "emissions/beside.h"

/* Sections [CERTIFICATE] of `share`, `g_per_kwh`, `from` and `until` (YYYY-MM-DD). Shares of contracts that hold on the
 * same day must not exceed 1. */
bool contracts_read(const char *path, struct contracts *contracts, struct error *err) MUST_CHECK;

#endif
