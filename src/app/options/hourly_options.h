/* SPDX-License-Identifier: MIT
 * Accounting by the hour as it is asked for: by a service, or by a table of intensities. */
#ifndef APP_OPTIONS_HOURLY_OPTIONS_H
#define APP_OPTIONS_HOURLY_OPTIONS_H

#include "app/options/options.h"
#include "grid/intensity_file.h"
#include "result/report.h"

extern const struct option_spec option_intensities, option_live_zone, option_slice;

struct hourly_wanted {
    const struct live_service *service; /* NULL: a table, or nothing */
    struct live_query query;
    char zone[LIVE_ZONE_SIZE];
    bool wanted;
    struct hourly_source source;
    struct intensities known; /* of a table from the beginning, else once they were fetched */
};

/* A service that says which basis its figures have, where only one is to be had: the yearly factor beside it is best of
 * that one, too. False: nothing is said. */
bool hourly_options_basis(const struct settings *settings, enum factor_basis *basis);

/* --live and --intensities, with --live-zone, --offline and --live-timeout. Everything that can be wrong is, before
 * anything is run: the table is read, the service covers the zone of the report's factor. */
bool hourly_options_read(const struct settings *settings, const struct report *report, struct hourly_wanted *wanted,
                         struct error *err) MUST_CHECK;

/* By name of a service or a file. */
bool hourly_want(const char *service_or_file, const struct settings *settings, const struct report *report,
                 struct hourly_wanted *wanted, struct error *err) MUST_CHECK;

/* Asks the service, where it is one, about the time of the report's runs; what it says goes to the report's notices. A
 * signal that would end carbon ends the asking. */
bool hourly_fetch(struct hourly_wanted *wanted, struct report *report, struct error *err) MUST_CHECK;

/* The report by the hour, from here on; wanted lives as long as it. What could not be had is told by `failed`, or NULL.
 */
void hourly_apply(struct hourly_wanted *wanted, struct report *report, const struct error *failed);

void hourly_close(struct hourly_wanted *wanted);

#endif
