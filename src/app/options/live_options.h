/* SPDX-License-Identifier: MIT
 * The options of a service of live grid data, and the texts about its answer: for every command that
 * accounts by the hour or shows what a grid emits. Used in app and 4 commands. Begin with live_query_of(). */
#ifndef APP_OPTIONS_LIVE_OPTIONS_H
#define APP_OPTIONS_LIVE_OPTIONS_H

#include "app/options/options.h"
#include "emissions/zones.h"
#include "grid/live.h"

#include <stdio.h>

extern const struct option_spec option_live, option_offline, option_live_timeout, option_live_url, option_live_step;
/* For the lists of commands. */
#define SERVICE_OPTIONS &option_offline, &option_live_timeout, &option_live_url, &option_live_step

/* What these options say; times, zone and basis are the command's. */
struct live_query live_query_of(const struct settings *settings);

/* A name, an alpha-3 code or a cloud region becomes a zone's code; other names are left to the service. */
const char *live_zone_typed(const char *typed, char code[ZONE_SIZE], struct notices *notices);

/* Whose hours a table has: those of the zone that was typed, by whatever name of it, or the table does not say whose.
 * No command takes another zone's. typed NULL: no zone is named. `told` is the text for this case. */
bool live_zone_is(const char *table, const char *its_zone, const char *typed, const char *reported,
                  struct error *err) MUST_CHECK;

/* A basis that the command line asks for is one that the service has. */
bool live_check_basis(const struct settings *settings, const struct live_service *service, enum factor_basis basis,
                      struct error *err) MUST_CHECK;

/* The basis of a service's figures, if it has only one: the yearly factor next to it is best of
 * that one, too. False: nothing is said. */
bool live_own_basis(const struct settings *settings, enum factor_basis *basis);

/* "GB  Carbon Intensity API, NESO", and the kind of its figures, in two lines. */
void live_title(const struct live_about *about, const struct intensities *found, FILE *out);

#endif
