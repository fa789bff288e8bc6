/* SPDX-License-Identifier: MIT
 * Warnings about the figure of one domain: its counter was reset, lost or stuck, its sensor reported too little. Used
 * by noise.c and power.c. Begin with hole_cause(). */
#ifndef MEASUREMENT_DOMAIN_NOTICES_H
#define MEASUREMENT_DOMAIN_NOTICES_H

#include "measurement/measurement.h"

/* Why a time is not known, in words. */
const char *hole_cause(enum hole hole);
enum notice_kind hole_kind(enum hole hole);

/* One counter that was reset, failed or was left alone for too long. */
void counter_notices(const struct meter_domain *state, struct notices *notices);

/* All domains of a measurement; equal notices about several domains appear once. */
void domains_notices(const struct measurement *measurement, struct notices *notices);

#endif
